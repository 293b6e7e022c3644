"""A real engine process to talk to, and dialogues written as ``> sent`` and ``< got``."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from types import TracebackType
from typing import Self

ENGINE = (sys.executable, "-m", "thrive_engine")
PATIENCE = 30.0
"""Seconds after which an answer that has not come is a failure."""


class Talk:
    """An engine's process; every line it says is kept until it is asked for."""

    def __init__(self, command: Sequence[str] = ENGINE) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._lines: Queue[str | None] = Queue()
        self._errors: list[bytes] = []
        self._threads = [Thread(target=self._read), Thread(target=self._read_errors)]
        for thread in self._threads:
            thread.start()

    def send(self, *lines: str) -> None:
        """Send lines."""
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        """Send anything."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def next(self, patience: float = PATIENCE) -> str:
        """The next line; AssertionError where none comes."""
        try:
            line = self._lines.get(timeout=patience)
        except Empty:
            raise AssertionError("the engine is silent") from None
        assert line is not None, f"the engine has ended: {self.errors}"
        return line

    def until(self, pattern: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to the first that matches the regular expression."""
        lines = [self.next(patience)]
        while not re.fullmatch(pattern, lines[-1]):
            lines.append(self.next(patience))
        return lines

    def ask(self, *lines: str, until: str) -> list[str]:
        """Send lines, and take the answer up to a line that matches."""
        self.send(*lines)
        return self.until(until)

    def drained(self) -> list[str]:
        """All that was said before the engine answers ``isready``, without its answer."""
        return self.ask("isready", until="readyok")[:-1]

    @property
    def errors(self) -> str:
        """What the engine has said on standard error."""
        return b"".join(self._errors).decode(errors="replace")

    def end(self, patience: float = PATIENCE) -> int:
        """Close the engine's input, wait for its end, and return its exit code."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        code = self.process.wait(patience)
        for thread in self._threads:
            thread.join(patience)
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.end(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.end()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode().rstrip("\r\n"))
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._errors.append(line)


def run_dialogue(text: str, talk: Talk) -> None:
    """Hold a dialogue; AssertionError where the engine says anything else.

    ``...`` in a line that is got stands for any text, and alone for any number of lines.
    """
    skipping = False
    for line in text.splitlines():
        if line.startswith(">"):
            talk.send(line[2:])
            continue
        expected = line[2:]
        if expected == "...":
            skipping = True
            continue
        pattern = ".*".join(map(re.escape, expected.split("...")))
        got = talk.until(pattern)[-1] if skipping else talk.next()
        assert re.fullmatch(pattern, got), f"expected {expected!r}, got {got!r}"
        skipping = False
    rest = talk.drained()
    assert skipping or not rest, f"nobody expected {rest}"


def wait_for_end(talk: Talk, seconds: float) -> bool:
    """Whether the engine ends by itself within a time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if talk.process.poll() is not None:
            return True
        time.sleep(0.005)
    return False
