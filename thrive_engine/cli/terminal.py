"""The terminal: a view that is updated in place, colours, and lines that a person types.

Where standard output is no terminal, nothing here writes anything but plain text.
"""

import io
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Self

import click

with suppress(ImportError):  # not everywhere; where it is there, input() edits its line by it
    import readline  # noqa: F401

INTERVAL = 0.1
"""The seconds between two looks at what is to be seen."""
ERASE = "\r\x1b[J"


def is_live() -> bool:
    """Whether standard output is a terminal whose cursor can be moved."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def coloured(text: str, colour: str) -> str:
    """The text in a colour, where standard output is a terminal and NO_COLOR is not set."""
    if os.environ.get("NO_COLOR") or not is_live():
        return text
    return click.style(text, fg=colour)


class Keyboard:
    """Standard input, line by line: a person who types, or a pipe."""

    def __init__(self) -> None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="backslashreplace")

    def read_line(self, prompt: str) -> str | None:
        """A line without its end; None when there is no more. Only a person sees the prompt."""
        if sys.stdin is None:
            return None
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            line = sys.stdin.readline()
            return line.rstrip("\r\n") if line else None
        try:
            return input(prompt)
        except EOFError:
            click.echo()
            return None


class LiveView:
    """Lines on the terminal that are drawn anew, in place, whenever ``render`` gives other ones.

    A thread of its own looks, so that a flood of news costs nothing, and the last is never missed.
    When it ends the lines are erased. Where there is no such terminal nothing is drawn.
    """

    def __init__(self, render: Callable[[], list[str]]) -> None:
        self._render = render
        self._drawn: list[str] = []
        self._ended = Event()
        self._thread = Thread(target=self._run, name="view", daemon=True)

    def __enter__(self) -> Self:
        if is_live():
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
            self._draw([])

    def _run(self) -> None:
        with suppress(OSError):  # the terminal is gone
            while not self._ended.wait(INTERVAL):
                self._draw(self._render())

    def _draw(self, lines: list[str]) -> None:
        size = shutil.get_terminal_size()
        lines = [line[: size.columns - 1] for line in lines[: size.lines - 1]]
        if lines == self._drawn:
            return
        up = f"\x1b[{len(self._drawn)}A" if self._drawn else ""
        sys.stdout.write(up + ERASE + "".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
        self._drawn = lines
