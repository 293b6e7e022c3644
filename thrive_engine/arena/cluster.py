"""Games on other machines: Dask distributed as an executor (the extra ``cluster``)."""

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from thrive_engine.errors import ArenaError, quote

_SCHEMES = ("tcp://", "tls://")
_CONNECT = 5.0
"""The seconds in which a scheduler must answer."""


@contextmanager
def connect(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor that plays on a cluster, and the number of games that it plays at a time.

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
        yield client.get_executor(pure=False), threads
    finally:
        client.close(timeout=1)


def _silence(package: str) -> None:
    """Keep a package from logging to the terminal: what it has to say is raised as an error."""
    for name in (package, *logging.root.manager.loggerDict):
        if f"{name}.".startswith(f"{package}."):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
