"""The blocking client: the same engine, on an event loop in a thread of its own."""

import asyncio
import os
from collections.abc import Coroutine, Iterable, Mapping
from threading import Lock, Thread
from typing import Any, Self, TypeVar

from thrive_engine.client.engine import Engine
from thrive_engine.client.go import Analysis, Answer
from thrive_engine.client.process import Command, Log, Timeouts
from thrive_engine.lines import Option, OptionValue
from thrive_engine.search.base import Info, Limit

T = TypeVar("T")


class SimpleEngine:
    """An engine whose calls block. It can be used from any thread."""

    def __init__(self, engine: Engine, loop: "_Loop") -> None:
        self._engine = engine
        self._loop = loop

    @classmethod
    def start(
        cls,
        command: Command,
        *,
        timeouts: Timeouts | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        resources: Mapping[int, int] | None = None,
        log: Log | None = None,
    ) -> Self:
        """Start an engine and shake hands with it, as ``Engine.start`` does."""
        loop = _Loop()
        starting = Engine.start(
            command, timeouts=timeouts, cwd=cwd, env=env, resources=resources, log=log
        )
        try:
            return cls(loop.run(starting), loop)
        except BaseException:
            loop.close()
            raise

    @property
    def name(self) -> str:
        return self._engine.name

    @property
    def author(self) -> str:
        return self._engine.author

    @property
    def options(self) -> dict[str, Option]:
        return self._engine.options

    @property
    def pid(self) -> int:
        """The engine's process."""
        return self._engine.pid

    def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Set options, all or none: ProtocolError for a name or value that the engine has not."""
        self._run(self._engine.configure(options))

    def new_game(self) -> None:
        """Tell the engine that the next position is of another game, and wait until it is ready."""
        self._run(self._engine.new_game())

    def ping(self) -> None:
        """Wait until the engine has done all that it was told; also while it searches."""
        self._run(self._engine.ping())

    def play(
        self,
        start: object | None,
        turns: Iterable[object],
        limit: Limit,
        *,
        ponder: bool = False,
    ) -> Answer:
        """The engine's turn after these turns; see ``Engine.play``."""
        return self._run(self._engine.play(start, turns, limit, ponder=ponder))

    def analyse(
        self, start: object | None, turns: Iterable[object], limit: Limit
    ) -> "SimpleAnalysis":
        """Begin a search whose infos can be read as they come."""
        return SimpleAnalysis(self, self._run(self._engine.analyse(start, turns, limit)))

    def ponder(self, start: object | None, turns: Iterable[object], limit: Limit) -> None:
        """Let the engine think while the other side does; the last turn is the expected one."""
        self._run(self._engine.ponder(start, turns, limit))

    def ponderhit(self) -> Answer:
        """The turn on which the engine ponders has been played: its answer."""
        return self._run(self._engine.ponderhit())

    def stop(self) -> Answer | None:
        """Stop the search that goes on, and return its answer; None where there is none."""
        return self._run(self._engine.stop())

    def quit(self) -> int:
        """End the engine and return its exit code; EngineError if it did not quit by itself."""
        return self._run(self._engine.quit())

    def close(self) -> None:
        """End the engine, by force if need be, and the thread. Further calls are not possible."""
        if self._loop.is_open:
            self._loop.run(self._engine.close())
            self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_open:
            return self._loop.run(coroutine)
        coroutine.close()
        assert self._engine.error is not None
        raise self._engine.error


class SimpleAnalysis:
    """A search that goes on: iterate over its infos, ``stop`` it, or ``wait`` for its answer."""

    def __init__(self, engine: SimpleEngine, analysis: Analysis) -> None:
        self._analysis = analysis
        self._run = engine._run

    def wait(self) -> Answer:
        """The answer, when it comes."""
        return self._run(self._analysis.wait())

    def stop(self) -> Answer:
        """Stop the search, if it still goes on, and return its answer."""
        return self._run(self._analysis.stop())

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Info:
        info = self._run(self._analysis.next())
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._run(self._analysis.__aexit__(*exception))


class _Loop:
    """An event loop in a thread, which ends with the program at the latest."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="engine", daemon=True)
        self._thread.start()

    @property
    def is_open(self) -> bool:
        return not self._loop.is_closed()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run the coroutine there; an interruption here cancels it."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        # A bare lock is waited for: an interruption in the midst of a future's own wait would raise
        # that its lock is not held.
        running = Lock()
        running.acquire()
        future.add_done_callback(lambda _: running.release())
        try:
            running.acquire()
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Let what is still under way come to its end, and then end the thread."""
        self.run(_wait_for_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _wait_for_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if others:
        await asyncio.wait(others)
