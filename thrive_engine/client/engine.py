"""The asynchronous client."""

import asyncio
import os
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import Self

from thrive_engine.client.go import Analysis, Answer, Go
from thrive_engine.client.process import Command, Log, Process, Timeouts, split_command
from thrive_engine.errors import EngineError, Fault, ProtocolError, quote, shorten
from thrive_engine.lines import (
    Option,
    OptionValue,
    format_position,
    format_value,
    parse_bestmove,
    parse_option,
)
from thrive_engine.search.base import Limit


class Engine:
    """An engine's process, started by ``Engine.start``. A new search stops the one before it."""

    def __init__(self, label: str, timeouts: Timeouts, log: Log | None) -> None:
        self.name = ""
        self.author = ""
        self.options: dict[str, Option] = {}
        self.timeouts = timeouts
        self._label = label
        self._loop = asyncio.get_running_loop()
        self._process = Process(self._hear, self._fail, log)
        self._lock = asyncio.Lock()
        self._uciok: asyncio.Future[None] = self._loop.create_future()
        self._readies: deque[asyncio.Future[None]] = deque()
        self._go: Go | None = None
        self._pondering: Go | None = None
        self._step = "handshake (uci)"
        self._last_go = ""
        self._unasked = "before any go"
        self._burial: asyncio.Task[None] | None = None
        self._error: EngineError | None = None

    @classmethod
    async def start(
        cls,
        command: Command,
        *,
        timeouts: Timeouts | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        resources: Mapping[int, int] | None = None,
        cpus: Collection[int] = (),
        log: Log | None = None,
    ) -> Self:
        """Start an engine and shake hands with it.

        ``resources`` are limits as ``resource.setrlimit`` knows them. ``cpus`` are the processors
        on which it may run, where the system can tell; all of ours, where there are none. ``log``
        is told every line.
        """
        label = command if isinstance(command, str) else " ".join(str(word) for word in command)
        engine = cls(label, timeouts or Timeouts(), log)
        seconds = engine.timeouts.handshake
        try:
            async with asyncio.timeout(seconds):
                words = split_command(command)
                await engine._process.start(words, cwd=cwd, env=env, resources=resources, cpus=cpus)
        except (OSError, ValueError) as error:
            late = isinstance(error, TimeoutError)
            reason = f"did not start within {seconds:g} s" if late else _describe(error)
            raise EngineError(label, Fault.START, "start", reason) from None
        await engine._shake_hands()
        return engine

    @property
    def pid(self) -> int:
        """The engine's process."""
        return self._process.pid

    @property
    def error(self) -> EngineError | None:
        """Why the engine cannot be used any more; None while it can."""
        return self._error

    async def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Set options, all or none: ProtocolError for a name or value that the engine has not."""
        declared = {name.lower(): option for name, option in self.options.items()}
        lines = []
        for name, value in options.items():
            option = declared.get(name.lower())
            if option is None:
                raise ProtocolError(f"engine {quote(self._label)} has no option {quote(name)}")
            lines.append(_format_setting(option, value))
        async with self._lock:
            await self._settle()
            if lines:
                await self._synchronise("option", *lines, seconds=self.timeouts.option)

    async def new_game(self) -> None:
        """Tell the engine that the next position is of another game, and wait until it is ready."""
        async with self._lock:
            await self._settle()
            if self._last_go:
                self._unasked = "for the last game: it came after ucinewgame"
                self._last_go = ""
            await self._synchronise("new game", "ucinewgame", seconds=self.timeouts.ready)

    async def ping(self) -> None:
        """Wait until the engine has done all that it was told; also while it searches."""
        await self._live()
        await self._synchronise("ready", seconds=self.timeouts.ready)

    async def play(
        self,
        start: object | None,
        turns: Iterable[object],
        limit: Limit,
        *,
        ponder: bool = False,
        seconds: float | None = None,
    ) -> Answer:
        """The engine's turn after these turns, from a position or, with None, from the start.

        With ``ponder`` the engine then thinks on, about the position that it expects. If that is
        the next one to be played, it has thought about it already. After ``seconds`` and the margin
        it is late; without them, as the limit says.
        """
        history = tuple(map(str, turns))
        expected = self._pondering
        if expected and not limit.ponder and expected.position == format_position(start, history):
            answer = await self.ponderhit(seconds=seconds)
        else:
            go = await self._begin(format_position(start, history), limit, seconds)
            answer = await self._finish(go)
        if ponder and answer.ponder is not None:
            with suppress(EngineError):  # the turn counts; the next call meets the error
                await self.ponder(start, (*history, answer.turn, answer.ponder), limit)
        return answer

    async def analyse(
        self, start: object | None, turns: Iterable[object], limit: Limit
    ) -> Analysis:
        """Begin a search whose infos can be read as they come; the engine has the position then."""
        go = await self._begin(format_position(start, turns), limit)
        await asyncio.shield(go.ready)
        return Analysis(go, self._tell_stop)

    async def ponder(self, start: object | None, turns: Iterable[object], limit: Limit) -> None:
        """Let the engine think while the other side does; the last turn is the expected one."""
        go = await self._begin(format_position(start, turns), replace(limit, ponder=True))
        self._pondering = go

    async def ponderhit(self, *, seconds: float | None = None) -> Answer:
        """The turn on which the engine ponders has been played: its answer. See ``play``."""
        await self._live()
        go, self._pondering = self._pondering, None
        if go is None:
            raise ProtocolError(f"engine {quote(self._label)} does not ponder")
        go.is_pondering = False
        go.seconds = seconds
        go.begun = perf_counter()
        if not go.answer.done():
            self._send("ponderhit")
            self._give_time(go)
        return await self._finish(go)

    async def stop(self) -> Answer | None:
        """Stop the search that goes on, and return its answer; None where there is none."""
        await self._live()
        go, self._pondering = self._go, None
        if go is None:
            return None
        self._tell_stop(go)
        return await self._finish(go)

    async def quit(self) -> int:
        """End the engine and return its exit code; EngineError if it did not quit by itself."""
        await self._live()
        await self.close()
        assert self._error is not None
        if self._error.fault is not Fault.QUIT:
            raise self._error
        return self._process.code or 0

    async def close(self, *, gently: bool = True) -> None:
        """End the engine, by force if need be. It may be called at any time, and raises nothing.

        Unless gently, it is not asked to quit first.
        """
        if self._burial is None:
            self._burial = self._loop.create_task(self._leave(gently))
        await asyncio.shield(self._burial)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _shake_hands(self) -> None:
        seconds = self.timeouts.handshake
        try:
            self._send("uci")
            reason = f"no uciok within {seconds:g} s"
            await self._in_time(self._uciok, seconds, Fault.HANDSHAKE, reason, self._step)
            self._step = _idle_after("uci")
        except BaseException:
            await self.close(gently=False)
            raise

    async def _begin(self, position: str, limit: Limit, seconds: float | None = None) -> Go:
        """Stop what goes on, set the position, and let the engine search."""
        go = Go(position, limit, seconds)
        for line in (position, go.command):
            _check_line(line)
        async with self._lock:
            await self._settle()
            self._go = go
            self._step = _idle_after(go.command)
            self._expect_ready(go)
            go.begun = perf_counter()
            self._send(position, "isready", go.command)
            if not limit.ponder:
                self._give_time(go)
        return go

    def _expect_ready(self, go: Go) -> None:
        """Await a ``readyok`` from between the position and the search, without a stop for it.

        What the engine says before it was said without having been asked.
        """
        seconds, where = self.timeouts.ready, f"position ({shorten(go.position)})"
        reason = f"no readyok within {seconds:g} s"
        timer = self._loop.call_later(seconds, self._fail, Fault.NOT_READY, reason, where)
        go.ready.add_done_callback(lambda _: timer.cancel())
        self._readies.append(go.ready)

    async def _settle(self) -> None:
        """Make the engine idle: end a search that nobody waits for any more."""
        await self._live()
        go, self._pondering = self._go, None
        if go is not None:
            self._tell_stop(go)
            await asyncio.shield(go.answer)

    async def _finish(self, go: Go) -> Answer:
        """The answer; if nobody waits for it any more, the search is stopped."""
        try:
            return await asyncio.shield(go.answer)
        except asyncio.CancelledError:
            self._tell_stop(go)
            raise

    async def _synchronise(self, step: str, *lines: str, seconds: float) -> None:
        """Send lines, and wait until the engine has read them."""
        for line in lines:
            _check_line(line)
        command = lines[0] if lines else "isready"
        where = f"{step} ({shorten(command)})"
        if self._go is None:
            self._step = where
        ready: asyncio.Future[None] = self._loop.create_future()
        self._readies.append(ready)
        self._send(*lines, "isready")
        reason = f"no readyok within {seconds:g} s"
        await self._in_time(ready, seconds, Fault.NOT_READY, reason, where)
        if self._go is None:
            self._step = _idle_after(command)

    async def _in_time(
        self, answer: asyncio.Future[None], seconds: float, fault: Fault, reason: str, step: str
    ) -> None:
        timer = self._loop.call_later(seconds, self._fail, fault, reason, step)
        try:
            await answer
        finally:
            timer.cancel()

    def _send(self, *lines: str) -> None:
        self._process.write(*lines)

    def _give_time(self, go: Go) -> None:
        """Begin to measure the time of a search that has a limit."""
        seconds = go.time(self.timeouts)
        if seconds is not None:
            go.timer = self._loop.call_later(seconds, self._tell_late, go, seconds)

    def _tell_late(self, go: Go, seconds: float) -> None:
        """The time is over: a stop shows whether the engine is late, or does not answer at all."""
        go.is_late = True
        self._send("stop")
        reason = f"no bestmove within {seconds:g} s, nor within {self.timeouts.stop:g} s after stop"
        go.timer = self._loop.call_later(self.timeouts.stop, self._fail, Fault.STALLED, reason)

    def _tell_stop(self, go: Go) -> None:
        if go.is_stopped or go.answer.done():
            return
        go.is_stopped = True
        go.cancel_timer()
        self._send("stop")
        reason = f"no bestmove within {self.timeouts.stop:g} s after stop"
        go.timer = self._loop.call_later(self.timeouts.stop, self._fail, Fault.STALLED, reason)

    def _hear(self, line: str) -> None:
        """Take a line of the engine; what it should not say now, or at all, is passed over."""
        if self._burial is not None:
            return  # it has failed, and what it says next changes nothing
        word, _, rest = line.strip().partition(" ")
        if word == "info":
            if self._go is not None and self._go.ready.done():
                self._go.add(line)
        elif word == "bestmove":
            self._take_answer(line)
        elif word == "readyok":
            if self._readies:
                _resolve(self._readies.popleft())
        elif not self._uciok.done():
            self._hear_greeting(word, rest.strip(), line)

    def _hear_greeting(self, word: str, rest: str, line: str) -> None:
        if word == "uciok":
            self._uciok.set_result(None)
        elif word == "id":
            key, _, value = rest.partition(" ")
            if key == "name":
                self.name = self._label = value.strip()
            elif key == "author":
                self.author = value.strip()
        elif word == "option":
            with suppress(ProtocolError):  # what cannot be read cannot be set
                option = parse_option(line)
                self.options[option.name] = option

    def _take_answer(self, line: str) -> None:
        go = self._go
        if go is None or not go.ready.done():
            self._fail(Fault.UNASKED, f"said {quote(line)} {self._unasked}", self._last_go)
            return
        try:
            turn, ponder = parse_bestmove(line)
        except ProtocolError as error:
            self._fail(Fault.NO_TURN, str(error))
            return
        if go.is_late:
            seconds, elapsed = go.time(self.timeouts), self._process.arrived - go.begun
            reason = f"no bestmove within {seconds:g} s, only after stop, {elapsed:.3f} s after go"
            self._fail(Fault.LATE, reason)
            return
        self._go = None
        self._last_go = go.step
        self._unasked = "a second time for the same go"
        go.resolve(turn, ponder, self._process.arrived)

    async def _live(self) -> None:
        """Raise the error of an engine that has failed or has been quit."""
        if self._burial is not None:
            await asyncio.shield(self._burial)
            assert self._error is not None
            raise self._error.with_traceback(None)

    def _fail(self, fault: Fault, reason: str, step: str = "") -> None:
        """The engine has failed: end it, and then raise the error wherever it is waited for."""
        if self._burial is None:
            where = step or (self._go.step if self._go else self._step)
            self._burial = self._loop.create_task(self._bury(fault, reason, where))

    async def _bury(self, fault: Fault, reason: str, step: str) -> None:
        await self._process.end(self.timeouts, gently=False)
        self._raise(EngineError(self._label, fault, step, reason, tuple(self._process.stderr)))

    async def _leave(self, gently: bool) -> None:
        quit_, reason, fault = self.timeouts.quit, "it has been quit", Fault.QUIT
        if not await self._process.end(self.timeouts, gently=gently) and gently:
            fault = Fault.NOT_QUIT
            reason = (
                f"still there {quit_:g} s after quit and {quit_:g} s after the end of its input"
            )
        self._raise(EngineError(self._label, fault, "quit", reason, tuple(self._process.stderr)))

    def _raise(self, error: EngineError) -> None:
        """Give the error to all that wait for the engine."""
        self._error = error
        for future in (self._uciok, *self._readies):
            if not future.done():
                future.set_exception(error)
                future.exception()  # whoever does not wait any more is not warned of it
        self._readies.clear()
        if self._go is not None:
            self._go.fail(error)
            self._go = None


def _idle_after(command: str) -> str:
    return f"idle (after {shorten(command)})"


def _format_setting(option: Option, value: OptionValue) -> str:
    """The ``setoption`` line, or ProtocolError for a value that the option cannot have."""
    line = f"setoption name {option.name}"
    if option.type != "button":
        option.read(None if value is None else format_value(value))
        line += f" value {format_value(value)}"
    _check_line(line)
    return line


def _check_line(line: str) -> None:
    if any(end in line for end in "\n\r\0"):
        raise ProtocolError(f"{quote(line)} is more than one line")


def _describe(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
