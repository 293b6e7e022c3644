"""The arena is killed at random moments, and resumed until all is played."""

import gc
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest
from book import TRIVIAL
from runs import ARENA, arena, begin, copy, numbers, resume

from thrive_engine.arena.journal import Event, read_journal
from thrive_engine.arena.match import Match
from thrive_engine.arena.replay import check_games
from thrive_engine.arena.setup import make_tournament
from thrive_engine.arena.standing import Standing
from thrive_engine.arena.store import Store
from thrive_engine.record import read_records

MOMENTS = int(os.environ.get("THRIVE_KILLS", "6"))
"""How often a tournament is killed; make slow kills it more often."""
GAMES = int(os.environ.get("THRIVE_GAMES", "60"))
"""The games over which nothing may grow; make slow plays more."""
PAIRS = max(6, MOMENTS // 2)
DEADLINE = 120.0


def start(store: Store) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*ARENA, "resume", str(store.directory)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def end_at_random(store: Store, random: Random, number: int) -> int:
    """Start the arena, and send a signal after a random time or number of games; its code."""
    process = start(store)
    before = len(numbers(store)) if store.journal.exists() else 0
    wanted = before + random.randrange(0, 3)
    end = monotonic() + DEADLINE
    while process.poll() is None and monotonic() < end and wanted > before:
        if store.journal.exists() and store.journal.read_bytes().count(b'"game"') >= wanted:
            break
        sleep(0.002)
    sleep(random.uniform(0, 0.6 if wanted == before else 0.05))
    process.send_signal(number)
    return process.wait(DEADLINE)


def engines_of(store: Store) -> list[list[str]]:
    """The commands of the processes that play in this tournament: engines and supervisors."""
    book = str(store.directory.parent)
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if str(TRIVIAL) in words and any(word.startswith(book) for word in words):
            found.append(words)
    return found


def await_engines(store: Store, count: int) -> None:
    """Wait until so many processes play: without them, a test of their end would test nothing."""
    end = monotonic() + DEADLINE
    while len(engines_of(store)) < count:
        assert monotonic() < end, "the engines never came up"
        sleep(0.02)


def all_end(store: Store, seconds: float = 10.0) -> bool:
    end = monotonic() + seconds
    while engines_of(store) and monotonic() < end:
        sleep(0.02)
    return not engines_of(store)


def assert_same(store: Store, whole: Store) -> None:
    """All games are there once, whole and true, and equal to those of the other run."""
    played, uninterrupted = (
        Standing(each.read(), read_journal(each.journal)) for each in (store, whole)
    )
    assert sorted(numbers(store)) == sorted(numbers(whole))
    assert len(numbers(store)) == len(set(numbers(store)))
    assert played.is_complete
    assert list(check_games(store, played)) == []
    assert store.games.read_bytes() == whole.games.read_bytes()
    assert played.summary().table == uninterrupted.summary().table
    with store.games.open("rb") as stream:
        records = list(read_records(stream))
    assert [record.errors for record in records] == [[]] * len(numbers(whole))


@pytest.mark.parametrize("concurrency", [1, 2])
def test_nothing_is_lost_or_played_twice_however_often_the_arena_is_killed(
    tmp_path: Path, concurrency: int
) -> None:
    whole = begin(tmp_path, "whole", pairs=PAIRS, delay=0.005)
    resume(whole)
    random = Random(concurrency)
    kills = runs = 0
    while kills < MOMENTS:
        runs += 1
        store = copy(whole, f"killed{runs}", concurrency=concurrency)
        while kills < MOMENTS and end_at_random(store, random, signal.SIGKILL) != 0:
            kills += 1
        resume(store)
        assert_same(store, whole)
    assert all_end(store)


def test_engines_with_fixed_nodes_play_the_same_games_after_a_kill(tmp_path: Path) -> None:
    values: dict[str, Any] = {
        "engines": ["greedy", "alphabeta", "900"],
        "limits": {"nodes": 40},
        "format": "round-robin",
        "pairs": 1,
    }
    whole = Store(tmp_path / "whole")
    whole.create(make_tournament(values, tmp_path))
    resume(whole)
    store = copy(whole, "killed", concurrency=2)
    random = Random(1)
    while end_at_random(store, random, signal.SIGKILL) != 0 and len(numbers(store)) < 5:
        pass
    resume(store)
    assert_same(store, whole)


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_no_engine_outlives_the_arena(tmp_path: Path, name: str) -> None:
    store = begin(tmp_path, pairs=6, delay=60.0)
    process = start(store)
    await_engines(store, 4)  # two engines, two supervisors
    process.send_signal(signal.Signals[name])
    codes = {"SIGKILL": -signal.SIGKILL, "SIGTERM": 143, "SIGINT": 130}
    assert process.wait(10) == codes[name]
    assert all_end(store)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_keeps_the_finished_games_and_says_how_to_go_on(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    store = begin(tmp_path, pairs=6, delay=0.02)
    process = subprocess.Popen(
        [*ARENA, "resume", str(store.directory)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("1/12  game ")
    process.send_signal(number)
    _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == code
    assert err == f"stopped; go on with: thrive arena resume {store.directory}\n"
    standing = Standing(store.read(), read_journal(store.journal))
    assert 0 < len(standing.games) < 12
    assert list(check_games(store, standing)) == []
    resume(store)
    assert sorted(numbers(store)) == list(range(1, 13))


def test_two_arenas_do_not_play_the_same_tournament(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=6, delay=1.0)
    process = start(store)
    await_engines(store, 1)
    done = arena("resume", store.directory)
    process.kill()
    process.wait(DEADLINE)
    assert done.returncode == 1
    assert "another arena is running this tournament" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what a process holds")
def test_neither_files_nor_memory_grow_with_the_games(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=GAMES // 2)
    files = len(os.listdir("/proc/self/fd"))
    sizes: list[int] = []

    def look(standing: Standing, event: Event) -> None:
        if event["event"] == "game" and len(standing.games) % (GAMES // 6) == 0:
            gc.collect()
            sizes.append(int(Path("/proc/self/statm").read_text().split()[1]) * 4096)

    with ThreadPoolExecutor(8) as executor:
        Match(store, executor, look, width=8).run()
    gc.collect()
    assert sorted(numbers(store)) == list(range(1, GAMES + 1))
    assert len(os.listdir("/proc/self/fd")) == files
    assert all_end(store)
    # All games stay in memory, a few kilobytes each; nothing else may.
    assert sizes[-1] - sizes[0] < 2_000_000 + 8_000 * GAMES, sizes
