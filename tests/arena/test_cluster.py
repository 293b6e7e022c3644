"""A tournament on a cluster of this machine: a scheduler and two workers, real processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from socket import socket
from time import monotonic, sleep

import pytest
from book import TRIVIAL
from runs import ARENA, arena, begin, copy, numbers, resume

from thrive_engine.arena.replay import check_games
from thrive_engine.arena.standing import read_standing
from thrive_engine.arena.store import Store

pytest.importorskip("distributed", reason="the extra 'cluster' (distributed) is not installed")
DEADLINE = 120.0


class Cluster:
    """A scheduler and its workers; each is a process of its own."""

    def __init__(self, folder: Path) -> None:
        with socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
        self._folder = folder
        port = self.address.rpartition(":")[2]
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"
        )
        self.workers = [self.add_worker() for _ in range(2)]

    def add_worker(self) -> "subprocess.Popen[bytes]":
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        place = ("--local-directory", str(self._folder))
        return self._start("worker", self.address, *options, *place)

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            with suppress(ProcessLookupError):
                process.kill()
            process.wait(DEADLINE)

    def _start(self, *words: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s"},
        )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        yield made
    finally:
        made.close()


def start(store: Store, cluster: Cluster) -> "subprocess.Popen[str]":
    """The arena on the cluster, once that is there with both workers."""
    wait_until_ready(cluster)
    return subprocess.Popen(
        [*ARENA, "resume", str(store.directory), "--cluster", cluster.address],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s"},
    )


def wait_until_ready(cluster: Cluster) -> None:
    from distributed import Client

    with Client(cluster.address, timeout=DEADLINE, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=DEADLINE)


def wait_for_games(store: Store, count: int) -> None:
    end = monotonic() + DEADLINE
    while not store.journal.exists() or len(numbers(store)) < count:
        assert monotonic() < end, "the games never came"
        sleep(0.02)


def test_every_game_is_there_once_though_a_worker_is_killed(
    tmp_path: Path, cluster: Cluster
) -> None:
    whole = begin(tmp_path, "whole", pairs=8, delay=0.02)
    resume(whole)
    store = copy(whole, "there")
    process = start(store, cluster)
    wait_for_games(store, 4)
    cluster.workers[0].send_signal(signal.SIGKILL)
    out, err = process.communicate(timeout=DEADLINE)
    assert (process.returncode, err) == (0, "")
    assert "16 games played, complete" in out
    assert sorted(numbers(store)) == list(range(1, 17))
    assert store.games.read_bytes() == whole.games.read_bytes()
    assert list(check_games(store, read_standing(store))) == []
    logs = [sorted(path.name for path in each.logs.iterdir()) for each in (store, whole)]
    assert logs[0] == logs[1]
    assert all("< uciok" in path.read_text() for path in store.logs.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_engine_of_a_cluster_outlives_the_arena(
    tmp_path: Path, cluster: Cluster, number: signal.Signals
) -> None:
    store = begin(tmp_path, pairs=6, delay=60.0)
    process = start(store, cluster)
    wait_for_engines(tmp_path, 4)
    process.send_signal(number)
    process.communicate(timeout=2)
    wait_for_engines(tmp_path, 0, 2.0)
    assert numbers(store) == []


def wait_for_engines(folder: Path, count: int, seconds: float = DEADLINE) -> None:
    end = monotonic() + seconds
    while len(engines_of(folder)) != count:
        assert monotonic() < end, f"there are {len(engines_of(folder))} engines, not {count}"
        sleep(0.02)


def engines_of(folder: Path) -> list[str]:
    """The books that the engines, without their supervisors, play from."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if words[3:4] == [str(TRIVIAL)]:
                found += [word for word in words if word.startswith(str(folder))]
    return found


def test_a_lost_scheduler_is_told_and_the_rest_is_played_later(
    tmp_path: Path, cluster: Cluster
) -> None:
    store = begin(tmp_path, pairs=6, delay=0.02)
    process = start(store, cluster)
    wait_for_games(store, 2)
    cluster.scheduler.kill()
    _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 1
    assert err.startswith("Error: ")
    assert err.endswith(f"; go on with: thrive arena resume {store.directory}\n")
    assert err.count("\n") == 1
    kept = numbers(store)
    assert 2 <= len(kept) < 12
    resume(store)
    assert numbers(store)[: len(kept)] == kept
    assert sorted(numbers(store)) == list(range(1, 13))


def test_a_cluster_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=1)
    done = arena("resume", store.directory, "--cluster", "tcp://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: --cluster 'tcp://127.0.0.1:1': ")
    assert done.stderr.count("\n") == 1


def test_an_address_that_is_none_is_one_line(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=1)
    done = arena("resume", store.directory, "--cluster", "nonsense://x")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Error: --cluster 'nonsense://x': an address is tcp://HOST:PORT\n"
