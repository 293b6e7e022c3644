"""Games on other machines: Dask distributed as an executor (the extra ``cluster``)."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from thrive_engine.arena.job import Job, Played
from thrive_engine.arena.match import Workers
from thrive_engine.arena.play import play_game
from thrive_engine.errors import ArenaError, quote

_SCHEMES = ("tcp://", "tls://")
_CONNECT = 5.0
"""The seconds in which a scheduler must answer."""


@contextmanager
def cluster_workers(address: str, count: int | None = None) -> Iterator[Workers]:
    """The workers of a cluster, for so many games at a time, or for as many as they have threads.

    Results must be known by the number of their game: Dask plays one again if the worker that has
    it dies before it is fetched.
    """
    if not address.startswith(_SCHEMES):  # of any other, Dask would tell at length, and late
        raise ArenaError(f"--cluster {quote(address)}: an address is tcp://HOST:PORT")
    try:
        from distributed import Client  # noqa: PLC0415 an extra, and slow to load
    except ImportError:
        raise ArenaError(
            "--cluster: the package 'distributed' is missing; install thrive-engine[cluster]"
        ) from None
    _silence("distributed")
    try:
        client = Client(address, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ArenaError(f"--cluster {quote(address)}: {str(error) or 'no answer'}") from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ArenaError(f"--cluster {quote(address)}: it has no workers")
        # Equal submissions would be one for Dask, were they "pure".
        executor = client.get_executor(pure=False)
        yield Workers(executor, count or threads, play_there, stop=_nothing, is_local=False)
    finally:
        client.close(timeout=1)


def play_there(job: Job) -> Played:
    """Play a game on a worker of a cluster, and bring the engines' logs along."""
    with TemporaryDirectory(prefix="thrive-") as folder:
        job = replace(job, settings=replace(job.settings, logs=folder))
        game = play_game(job, _task_is_wanted())
        logs = [(path.name, path.read_text("utf-8")) for path in sorted(Path(folder).iterdir())]
    return replace(game, logs=tuple(logs))


def _task_is_wanted() -> Callable[[], bool]:
    """What tells whether Dask still wants the task of this thread.

    Dask can't stop a task that runs. But it drops one that is cancelled, or whose client has gone,
    even by a KILL; and it forgets all of them when a worker loses its scheduler.
    """
    from distributed import get_worker  # noqa: PLC0415 an extra, and slow to load

    worker = get_worker()
    tasks, key = worker.state.tasks, worker.get_current_task()
    return lambda: key in tasks and tasks[key].state != "cancelled"


def _nothing() -> None:
    """A cancelled future is enough: the game sees it by itself."""


def _silence(package: str) -> None:
    """Keep a package from logging to the terminal: what it has to say is raised as an error."""
    for name in (package, *logging.root.manager.loggerDict):
        if f"{name}.".startswith(f"{package}."):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
