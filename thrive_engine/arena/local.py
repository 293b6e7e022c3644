"""Games on this machine, each of those at a time in a process of its own.

They are processes so that a turn of one game never waits for Python's work on another, nor for the
table on the terminal. They obey the arena alone: TERM stops their game, and without the arena, even
after a KILL, they end at once; their engines' supervisors then end the engines.
"""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread

from thrive_engine.arena.job import Job, Played
from thrive_engine.arena.match import Workers
from thrive_engine.arena.play import play_game, stop_games

_PATIENCE = 0.5
"""The seconds in which processes that have nothing to do must end by themselves."""


@contextmanager
def local_workers(count: int) -> Iterator[Workers]:
    """Processes for so many games at a time.

    On Linux they are forks, which are there at once; so this must come before any thread, and
    before a file is open that they must not hold.
    """
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    others = set(active_children())

    def ours() -> list[BaseProcess]:
        return [child for child in active_children() if child not in others]

    def stop() -> None:
        for child in ours():
            child.terminate()

    pool = ProcessPoolExecutor(count, context, initializer=_obey)
    try:
        pool.submit(os.getpid).result()
        yield Workers(pool, count, play_here, stop, share_cpus(count))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in ours():
            child.join(_PATIENCE)
            child.kill()


def play_here(job: Job) -> Played:
    """Play a game in a worker's process; garbage is collected after it, and in no turn."""
    try:
        return play_game(job)
    finally:
        gc.collect()


def share_cpus(games: int) -> tuple[tuple[int, ...], ...]:
    """The processors of this process, shared among some games at a time.

    None where the system has no affinity, or where they are too few for each game to have one.
    """
    try:
        cpus = sorted(os.sched_getaffinity(0))
    except AttributeError:
        return ()
    if not 1 < games <= len(cpus):
        return ()
    each = len(cpus) // games
    return tuple(tuple(cpus[at * each : (at + 1) * each]) for at in range(games))


def _obey() -> None:
    """In a new process: heed the arena and nobody else, and don't outlive it."""
    # A Ctrl-C goes to all, and the arena decides. Engines would inherit it if it were ignored.
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    signal.signal(signal.SIGTERM, lambda _number, _frame: stop_games())
    Thread(target=_follow, name="follow", daemon=True).start()
    gc.freeze()
    gc.disable()


def _follow() -> None:
    arena = parent_process()
    assert arena is not None
    arena.join()
    os._exit(0)
