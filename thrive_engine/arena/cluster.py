"""Games on other machines: Dask distributed as an executor (the extra ``cluster``)."""

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from thrive_engine.errors import ArenaError, quote

_CONNECT = 10.0
"""The seconds in which a scheduler must answer."""


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor that plays on a cluster, and the number of games that it plays at a time.

    Results must be known by the number of their game: Dask plays one again if the worker that has
    it dies before it is fetched.
    """
    try:
        from distributed import Client  # noqa: PLC0415 an extra, and slow to load
    except ImportError:
        raise ArenaError(
            "--cluster: the package 'distributed' is missing; install thrive-engine[cluster]"
        ) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
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
