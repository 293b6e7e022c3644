"""One ``go``: what was asked, what the engine says while it searches, and what it answers."""

import asyncio
import re
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from math import inf
from typing import Self

from thrive_engine.client.process import Timeouts
from thrive_engine.errors import EngineError, shorten
from thrive_engine.lines import format_go, parse_info
from thrive_engine.search.base import Info, Limit

_UNREAD_INFOS = 1000
"""How many infos wait for a reader that is slow; then the oldest are dropped."""
_MULTIPV = re.compile(r" multipv (\d{1,3})(?: |$)")


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine answered to ``go``."""

    turn: str
    ponder: str | None
    """The turn that the engine expects in reply, and would ponder on."""
    infos: tuple[Info, ...]
    """The last snapshot of each line (MultiPV), the best one first."""
    elapsed: float
    """The seconds from the writing of ``go``, or ``ponderhit``, to the arrival of the answer."""

    @property
    def info(self) -> Info | None:
        """The last snapshot of the best line."""
        return self.infos[0] if self.infos else None


class Analysis:
    """A search that goes on: iterate over its infos, ``stop`` it, or ``wait`` for its answer.

    As a context manager it is stopped at the end. Infos that nobody reads are dropped in the end.
    """

    def __init__(self, go: "Go", tell_stop: Callable[["Go"], None]) -> None:
        self._go = go
        self._tell_stop = tell_stop

    async def next(self) -> Info | None:
        """The next info; None when the answer is there."""
        line = await self._go.next_line()
        return None if line is None else parse_info(line)

    async def wait(self) -> Answer:
        """The answer, when it comes."""
        return await asyncio.shield(self._go.answer)

    async def stop(self) -> Answer:
        """Stop the search, if it still goes on, and return its answer."""
        self._tell_stop(self._go)
        return await self.wait()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Info:
        info = await self.next()
        if info is None:
            raise StopAsyncIteration
        return info

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        """An error in the block goes before one that stopping meets."""
        with suppress(EngineError) if kind else nullcontext():
            await self.stop()


class Go:
    """One ``go``: what it asked, how it stands, and what the engine said."""

    def __init__(self, position: str, limit: Limit, seconds: float | None = None) -> None:
        self.position = position
        self.limit = limit
        self.seconds = seconds
        self.command = format_go(limit)
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = loop.create_future()
        """Resolved when the engine has read the position."""
        self.answer: asyncio.Future[Answer] = loop.create_future()
        self.timer: asyncio.TimerHandle | None = None
        self.begun = 0.0
        self.is_pondering = limit.ponder
        self.is_stopped = False
        self.is_late = False
        self._unread: deque[str] = deque(maxlen=_UNREAD_INFOS)
        self._latest: dict[int, str] = {}
        self._news = asyncio.Event()

    @property
    def step(self) -> str:
        """Where it stands, for an error."""
        step = "stop" if self.is_stopped else "ponder" if self.is_pondering else "search"
        return f"{step} ({shorten(self.command)})"

    def time(self, timeouts: Timeouts) -> float | None:
        """The seconds after which an answer is late; None where only ``stop`` ends the search.

        The client does not know whose clock runs, so the longest one counts, unless it was told
        the ``seconds``.
        """
        if self.seconds is not None:
            return max(0.0, self.seconds) + timeouts.margin
        if self.limit.infinite:
            return None
        times = [] if self.limit.movetime is None else [self.limit.movetime]
        if clocks := [seconds for seconds in self.limit.clocks if seconds < inf]:
            times.append(max(clocks))
        return max(0.0, min(times)) + timeouts.margin if times else timeouts.search

    def add(self, line: str) -> None:
        """Keep a line of ``info``; it is read when it is asked for."""
        self._unread.append(line)
        self._news.set()
        if " pv " in line and not line.startswith("info string"):
            found = _MULTIPV.search(line)
            self._latest[int(found[1]) if found else 1] = line

    async def next_line(self) -> str | None:
        """The next line of ``info``; None when the answer is there."""
        while not self._unread:
            if self.answer.done():
                self.answer.result()
                return None
            self._news.clear()
            await self._news.wait()
        return self._unread.popleft()

    def resolve(self, turn: str, ponder: str | None, arrived: float) -> None:
        self.cancel_timer()
        infos = tuple(parse_info(line) for _, line in sorted(self._latest.items()))
        self.answer.set_result(Answer(turn, ponder, infos, max(0.0, arrived - self.begun)))
        self._news.set()

    def fail(self, error: EngineError) -> None:
        self.cancel_timer()
        self.answer.set_exception(error)
        self.answer.exception()  # whoever does not wait any more is not warned of it
        self._news.set()

    def cancel_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
