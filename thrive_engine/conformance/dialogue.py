"""An engine's process under test: lines in and out, every answer with a deadline, all recorded.

Blocking, on an event loop that runs only while something is waited for.
"""

import asyncio
from collections import deque
from contextlib import suppress
from time import perf_counter

from thrive_engine.client.process import Process, Timeouts
from thrive_engine.errors import ConformanceError, Fault, shorten

RECORDED = 60
"""How many lines of a dialogue are kept, the last ones."""
WIDTH = 200
"""How many characters of a line are kept."""
FLOOD = 4 << 20
"""How much an engine may say in one step, in characters."""


class Dialogue:
    """A process that is spoken to. What goes wrong with it is a ConformanceError."""

    def __init__(self, command: list[str], runner: asyncio.Runner) -> None:
        self.arrived = 0.0
        """When the line that was read last arrived, by ``perf_counter``."""
        self._runner = runner
        self._waiting: deque[tuple[float, str]] = deque()
        self._news = asyncio.Event()
        self._trouble = ""
        self._said = 0
        self._record: deque[str] = deque(maxlen=RECORDED)
        self._recorded = 0
        runner.run(self._start(command))

    @property
    def is_live(self) -> bool:
        """Whether the process runs, as far as is known, and has done nothing that ends it."""
        return not self._trouble

    def require_live(self) -> None:
        """ConformanceError where the process has ended, or done what ends a dialogue."""
        if self._trouble:
            raise ConformanceError(self._trouble)

    def begin_record(self) -> None:
        """Forget what was said before."""
        self._record.clear()
        self._recorded = self._said = 0

    def record(self) -> tuple[str, ...]:
        """What was sent (>), said (<) and written to stderr (!), printable and bounded."""
        left_out = self._recorded - len(self._record)
        head = [f"... ({left_out} lines before)"] if left_out else []
        errors = [f"! {shorten(line, WIDTH)}" for line in self._process.stderr]
        return (*head, *self._record, *errors)

    def send(self, *lines: str) -> None:
        """Send lines."""
        for line in lines:
            self._note(">", line)
        self._process.write(*lines)

    def send_bytes(self, data: bytes) -> None:
        """Send anything."""
        self._note(">", data.decode(errors="backslashreplace"))
        self._process.write_bytes(data)

    def close_input(self) -> None:
        """Send the end of input."""
        self._note(">", "(end of input)")
        self._process.close_input()

    def poll(self, seconds: float) -> str | None:
        """The next line that is not empty; None where none comes in time, or none any more."""
        if not self._waiting:
            self._runner.run(self._wait(seconds))
        if not self._waiting:
            return None
        self.arrived, line = self._waiting.popleft()
        return line

    def wait_for_exit(self, seconds: float) -> bool:
        """Whether the process has ended in time; what it said before can still be read."""
        end = perf_counter() + seconds
        while self._process.code is None and (left := end - perf_counter()) > 0:
            self._runner.run(asyncio.sleep(min(left, 0.01)))
        return self._process.code is not None

    @property
    def code(self) -> int | None:
        """How the process ended, as in ``subprocess``; None while it runs."""
        return self._process.code

    def close(self) -> None:
        """End the process and all that it started."""
        self._trouble = self._trouble or "it was ended"
        self._runner.run(self._process.end(Timeouts(), gently=False))

    async def _start(self, command: list[str]) -> None:
        self._process = Process(self._hear, self._fail)
        try:
            await self._process.start(command)
        except OSError as error:
            raise ConformanceError(f"it could not be started: {error.strerror or error}") from None

    async def _wait(self, seconds: float) -> None:
        """Until a line comes, or trouble, or the time is over."""
        self._news.clear()
        if not self._trouble:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), seconds)

    def _hear(self, line: str) -> None:
        self._note("<", line)
        self._said += len(line) + 1
        if self._said > FLOOD:
            self._fail(Fault.OVERLONG, f"more than {FLOOD} characters are said in one step")
        elif line.strip():
            self._waiting.append((self._process.arrived, line))
            self._news.set()

    def _fail(self, fault: Fault, reason: str) -> None:
        if not self._trouble:
            about_it = fault in (Fault.EXITED, Fault.CRASHED, Fault.CLOSED)
            self._trouble = f"it {reason}" if about_it else reason
        self._news.set()

    def _note(self, mark: str, line: str) -> None:
        self._record.append(f"{mark} {shorten(line, WIDTH)}")
        self._recorded += 1
