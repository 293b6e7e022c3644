"""The journal of a tournament: one JSON object a line, only ever added to.

A line that is in it stays in it: each is flushed and synced before anything is said about it. A
kill can at most cut off the last line, and that line is then dropped.
"""

import fcntl
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from thrive_engine.errors import ArenaError

Event = dict[str, Any]


def read_journal(path: Path) -> list[Event]:
    """The events of a journal, without a last line that was cut off."""
    events, _ = _read(path)
    return events


class Journal:
    """A journal open for adding; nobody else can have it open at the same time."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise ArenaError(f"{path}: another arena is running this tournament") from None
        self.events, whole = _read(path)
        self._file.truncate(whole)

    def add(self, event: Event) -> None:
        """Add an event; when this returns, it is on the disk."""
        line = json.dumps(event, separators=(",", ":"), allow_nan=False)
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.events.append(event)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def _read(path: Path) -> tuple[list[Event], int]:
    """The events, and the length of the whole lines that they stand in."""
    events: list[Event] = []
    whole = 0
    if not path.exists():
        return events, whole  # the arena was killed before it could begin
    lines = path.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        if not line.endswith(b"\n") and number == len(lines):
            break
        try:
            event = json.loads(line)
        except ValueError:
            raise ArenaError(f"{path}:{number}: this line is not JSON") from None
        if not isinstance(event, dict):
            raise ArenaError(f"{path}:{number}: this line is no JSON object")
        events.append(event)
        whole += len(line)
    return events, whole
