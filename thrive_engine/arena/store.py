"""The directory of a tournament: its configuration, its journal, its games, its engines' logs.

The journal is the truth. The file of games is made from it, and made again where it differs.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from thrive_engine.arena.config import Tournament, read_config, write_config
from thrive_engine.arena.job import Played
from thrive_engine.arena.journal import read_games
from thrive_engine.errors import ArenaError


class Store:
    """The files of a tournament, by name."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.config = directory / "config.json"
        self.journal = directory / "journal.jsonl"
        self.games = directory / "games.pgn"
        self.logs = directory / "logs"
        self.report = directory / "report.html"

    def create(self, tournament: Tournament) -> None:
        """Begin a tournament; a directory that already holds one is left alone."""
        self.logs.mkdir(parents=True, exist_ok=True)
        if self.config.exists():
            raise ArenaError(
                f"{self.directory}: there is a tournament in it already; "
                f"go on with it (thrive arena resume), or choose another directory"
            )
        replace_file(self.config, [write_config(tournament).encode()])

    def read(self) -> Tournament:
        """The tournament that was begun here, or ArenaError."""
        try:
            text = self.config.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise ArenaError(f"{self.directory}: there is no tournament in it") from None
        except UnicodeDecodeError:
            raise ArenaError(f"{self.config}: this is no tournament: it is not UTF-8") from None
        try:
            return read_config(text)
        except ArenaError as error:
            raise ArenaError(f"{self.config}: {error}") from None

    def read_games(self, numbers: Iterable[int]) -> Iterator[Played]:
        """These games, which the journal has, in this order."""
        return read_games(self.journal, numbers)

    def write_games(self, numbers: Iterable[int]) -> None:
        """Have exactly these games of the journal in the file of games."""
        numbers = list(numbers)
        if not self.has_games(numbers):
            replace_file(self.games, self._records(numbers))

    def add_game(self, game: Played) -> None:
        """Add a game's record to the file of games, and the logs that came with it."""
        with self.games.open("ab") as file:
            file.write((f"\n{game.record}" if file.tell() else game.record).encode())
        for name, text in game.logs:
            with suppress(OSError):  # a tournament goes on without its logs
                (self.logs / name).write_text(text, encoding="utf-8")

    def has_games(self, numbers: Iterable[int]) -> bool:
        """Whether these games of the journal are what is in the file of games."""
        if not self.games.exists():
            return False
        with self.games.open("rb") as file:
            same = all(file.read(len(part)) == part for part in self._records(numbers))
            return same and not file.read(1)

    def _records(self, numbers: Iterable[int]) -> Iterator[bytes]:
        for place, game in enumerate(self.read_games(numbers)):
            yield (f"\n{game.record}" if place else game.record).encode()


def replace_file(target: Path, parts: Iterable[bytes]) -> None:
    """Write a file whole or not at all."""
    part = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with part.open("wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
