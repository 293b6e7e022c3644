"""What was said between the arena and one engine in one game, in a file."""

import re
from contextlib import suppress
from pathlib import Path
from time import perf_counter

from thrive_engine.errors import shorten

LARGEST = 8 << 20
"""The characters of a log; what an engine says beyond them is not kept."""
LONGEST_LINE = 2000
_MARKS = {"stdin": ">", "stdout": "<", "stderr": "!"}


class GameLog:
    """A log as the client tells it: a line each, with the seconds since the start."""

    def __init__(self, folder: str, game: int, seat: int, name: str) -> None:
        safe = re.sub(r"[^\w.+ -]", "-", name)[:60]
        self._file = (Path(folder) / f"{game:06d}-{seat + 1}-{safe}.log").open(
            "w", encoding="utf-8"
        )
        self._began = perf_counter()
        self._size = 0

    def __call__(self, stream: str, line: str) -> None:
        if self._size > LARGEST:
            return
        text = (
            f"{perf_counter() - self._began:9.3f} {_MARKS[stream]} {shorten(line, LONGEST_LINE)}\n"
        )
        self._size += len(text)
        if self._size > LARGEST:
            text = "... the rest is not kept\n"
        with suppress(OSError):  # a game goes on without its log
            self._file.write(text)

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()
