"""The arena is killed at random moments, and resumed until all is played."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest
from runs import ARENA, arena, begin, copy, numbers, resume

from thrive_engine.arena.replay import check_games
from thrive_engine.arena.setup import make_tournament
from thrive_engine.arena.standing import read_standing
from thrive_engine.arena.store import Store
from thrive_engine.record import read_records

MOMENTS = int(os.environ.get("THRIVE_KILLS", "6"))
"""How often a tournament is killed; make slow kills it more often."""
GAMES = int(os.environ.get("THRIVE_GAMES", "60"))
"""The games over which nothing may grow; make slow plays more."""
PAIRS = max(6, MOMENTS // 2)
MOST_FILES = 20
"""What two engines of a game need: pipes, a control and a log each."""
MOST_GROWTH = 1_500_000
"""Bytes by which a process may grow from a tenth of the games to all of them; one game more that
is kept is some 5,000, a thousand games more are five million."""
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
        if games_of(store) >= wanted:
            break
        sleep(0.002)
    sleep(random.uniform(0, 0.6 if wanted == before else 0.05))
    process.send_signal(number)
    return process.wait(DEADLINE)


def processes_of(store: Store) -> list[list[str]]:
    """The commands of the processes that play in this tournament: engines and supervisors.

    The arena's own processes are among them, by the directory that they were started with.
    """
    book = str(store.directory.parent)
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(word.startswith(book) for word in words):
            found.append(words)
    return found


def await_processes(store: Store, count: int) -> None:
    """Wait until so many processes play: without them, a test of their end would test nothing."""
    end = monotonic() + DEADLINE
    while len(processes_of(store)) < count:
        assert monotonic() < end, "the engines never came up"
        sleep(0.02)


def all_end(store: Store, seconds: float = 2.0) -> bool:
    """Whether all processes of a tournament are gone so soon: those of the arena, engines."""
    end = monotonic() + seconds
    while processes_of(store) and monotonic() < end:
        sleep(0.02)
    return not processes_of(store)


def assert_same(store: Store, whole: Store) -> None:
    """All games are there once, whole and true, and equal to those of the other run."""
    played, uninterrupted = (read_standing(each) for each in (store, whole))
    assert sorted(numbers(store)) == sorted(numbers(whole))
    assert len(numbers(store)) == len(set(numbers(store)))
    assert played.is_complete
    assert list(check_games(store, played)) == []
    assert store.games.read_bytes() == whole.games.read_bytes()
    assert played.summary().table == uninterrupted.summary().table
    with store.games.open("rb") as stream:
        records = list(read_records(stream))
    assert [record.errors for record in records] == [[]] * len(numbers(whole))


def kill_often(whole: Store, random: Random, concurrency: int) -> None:
    """Kill the arena at random moments, and compare what is resumed with what was never killed."""
    kills = runs = 0
    while kills < MOMENTS:
        runs += 1
        store = copy(whole, f"killed{runs}", concurrency=concurrency)
        while kills < MOMENTS and end_at_random(store, random, signal.SIGKILL) != 0:
            kills += 1
        resume(store)
        assert_same(store, whole)
    assert all_end(store)


@pytest.mark.parametrize("concurrency", [1, 2])
def test_nothing_is_lost_or_played_twice_however_often_the_arena_is_killed(
    tmp_path: Path, concurrency: int
) -> None:
    whole = begin(tmp_path, "whole", pairs=PAIRS, delay=0.005)
    resume(whole)
    kill_often(whole, Random(concurrency), concurrency)


@pytest.mark.parametrize("concurrency", [1, 2])
def test_engines_with_fixed_nodes_play_the_same_games_after_every_kill(
    tmp_path: Path, concurrency: int
) -> None:
    values: dict[str, Any] = {
        "engines": ["greedy", "alphabeta", "900"],
        "limits": {"nodes": 40},
        "format": "round-robin",
        "pairs": max(1, MOMENTS // 12),
        "openings": {"plies": 12},
    }
    whole = Store(tmp_path / "whole")
    whole.create(make_tournament(values, tmp_path))
    resume(whole)
    kill_often(whole, Random(10 + concurrency), concurrency)


@pytest.mark.parametrize("concurrency", [1, 2])
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_no_process_outlives_the_arena(tmp_path: Path, name: str, concurrency: int) -> None:
    store = begin(tmp_path, pairs=6, delay=60.0, concurrency=concurrency)
    process = start(store)
    # The arena, a process a game, two engines each with its supervisor.
    await_processes(store, 1 + 5 * concurrency)
    process.send_signal(signal.Signals[name])
    codes = {"SIGKILL": -signal.SIGKILL, "SIGTERM": 143, "SIGINT": 130}
    assert process.wait(2) == codes[name]
    assert all_end(store)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_all_of_the_arenas_processes_stops_it_as_one_to_itself_does(
    tmp_path: Path, number: signal.Signals
) -> None:
    store = begin(tmp_path, pairs=6, delay=60.0, concurrency=2)
    process = start(store)
    await_processes(store, 11)
    os.killpg(process.pid, number)
    assert process.wait(2) == 128 + number
    assert all_end(store)


def test_a_worker_that_is_killed_is_told_and_the_rest_is_played_later(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=2, delay=0.3, concurrency=2)
    process = subprocess.Popen(
        [*ARENA, "resume", str(store.directory)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    await_processes(store, 11)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGKILL)
    _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 1
    assert err.startswith("Error: no game can be played any more: ")
    assert err.endswith(f"; go on with: thrive arena resume {store.directory}\n")
    assert err.count("\n") == 1
    assert all_end(store)
    resume(store)
    assert sorted(numbers(store)) == [1, 2, 3, 4]


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
    standing = read_standing(store)
    assert 0 < len(standing.games) < 12
    assert list(check_games(store, standing)) == []
    resume(store)
    assert sorted(numbers(store)) == list(range(1, 13))


def test_two_arenas_do_not_play_the_same_tournament(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=6, delay=1.0)
    process = start(store)
    await_processes(store, 3)
    done = arena("resume", store.directory)
    process.kill()
    process.wait(DEADLINE)
    assert done.returncode == 1
    assert "another arena is running this tournament" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what a process holds")
def test_neither_files_nor_memory_grow_with_the_games(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=GAMES // 2, concurrency=8)
    process = start(store)
    looks: list[dict[int, Held]] = []
    while process.poll() is None:
        sleep(0.02)
        if games_of(store) >= (1 + len(looks)) * GAMES // 10:
            looks.append(held_by(process.pid))
    assert process.returncode == 0
    assert sorted(numbers(store)) == list(range(1, GAMES + 1))
    assert all_end(store)
    first, *_, last = (look for look in looks if len(look) == 9)
    # The arena may have the journal and the file of games open, old and new, when it is looked at.
    assert last[process.pid].files <= first[process.pid].files + 3
    for pid in last:
        assert last[pid].files <= first[pid].files + MOST_FILES
        assert last[pid].memory - first[pid].memory < MOST_GROWTH, (first, last)


@dataclass(frozen=True)
class Held:
    """What a process holds: open files, and bytes of memory."""

    files: int
    memory: int


def held_by(arena: int) -> dict[int, Held]:
    """What the arena's process and its workers hold."""
    children = Path(f"/proc/{arena}/task/{arena}/children").read_text().split()
    found = {}
    for pid in (arena, *map(int, children)):
        with suppress(OSError):  # it has just ended
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            files = len(os.listdir(f"/proc/{pid}/fd"))
            found[pid] = Held(files, pages * os.sysconf("SC_PAGE_SIZE"))
    return found


def games_of(store: Store) -> int:
    return store.journal.read_bytes().count(b'"event":"game"') if store.journal.exists() else 0
