"""The journal of a tournament: one JSON object a line, only ever added to.

A line that is in it stays in it: each is flushed and synced before anything is said about it. A
kill can at most cut off the last line, and that line is then dropped. It is read line by line: the
games of a long tournament are never in memory all at once.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from thrive_engine.arena.event import Event, parse_event, read_game
from thrive_engine.arena.job import Played
from thrive_engine.errors import ArenaError


def read_journal(path: Path) -> Iterator[Event]:
    """The events of a journal, one after the other, without a last line that was cut off."""
    for _, event in _read(path):
        yield event


def read_games(path: Path, numbers: Iterable[int]) -> Iterator[Played]:
    """These games of a journal, which it has, in this order; one at a time is in memory."""
    places: dict[int, int] = {}
    for place, event in _read(path):
        if event["event"] == "game":
            places.setdefault(event["number"], place)
    if not places:
        return
    with path.open("rb") as file:
        for number in numbers:
            file.seek(places[number])
            yield read_game(json.loads(file.readline()))


class Journal:
    """A journal open for adding; nobody else can have it open at the same time."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise ArenaError(f"{path}: another arena is running this tournament") from None
        self._file.truncate(_whole(path))

    def add(self, event: Event) -> None:
        """Add an event; when this returns, it is on the disk."""
        line = json.dumps(event, separators=(",", ":"), allow_nan=False)
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def _read(path: Path) -> Iterator[tuple[int, Event]]:
    """Where each event begins, and the event."""
    if not path.exists():
        return  # the arena was killed before it could begin
    place = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                event = parse_event(line)
            except ArenaError as error:
                raise ArenaError(f"{path}:{number}: {error}") from None
            yield place, event
            place += len(line)


def _whole(path: Path) -> int:
    """The length of the whole lines."""
    with path.open("rb") as file:
        return sum(len(line) for line in file if line.endswith(b"\n"))
