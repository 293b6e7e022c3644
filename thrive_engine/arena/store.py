"""The directory of a tournament: its configuration, its journal, its games, its engines' logs.

The journal is the truth. The file of games is made from it, and made again where it differs.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from thrive_engine.arena.config import Tournament, read_config, write_config
from thrive_engine.errors import ArenaError


class Store:
    """The files of a tournament, by name."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.config = directory / "config.json"
        self.journal = directory / "journal.jsonl"
        self.games = directory / "games.pgn"
        self.logs = directory / "logs"

    def create(self, tournament: Tournament) -> None:
        """Begin a tournament; a directory that already holds one is left alone."""
        self.logs.mkdir(parents=True, exist_ok=True)
        if self.config.exists():
            raise ArenaError(
                f"{self.directory}: there is a tournament in it already; "
                f"go on with it (thrive arena resume), or choose another directory"
            )
        _replace(self.config, write_config(tournament).encode())

    def read(self) -> Tournament:
        """The tournament that was begun here, or ArenaError."""
        try:
            text = self.config.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise ArenaError(f"{self.directory}: there is no tournament in it") from None
        try:
            return read_config(text)
        except ArenaError as error:
            raise ArenaError(f"{self.config}: {error}") from None

    def write_games(self, records: Iterable[str]) -> None:
        """Have exactly these records in the file of games."""
        data = "\n".join(records).encode()
        if not self.has_games(data):
            _replace(self.games, data)

    def add_game(self, record: str) -> None:
        """Add a record to the file of games."""
        with self.games.open("ab") as file:
            file.write((f"\n{record}" if file.tell() else record).encode())

    def has_games(self, data: bytes) -> bool:
        """Whether this is what is in the file of games."""
        return self.games.exists() and self.games.read_bytes() == data


def _replace(target: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    part = target.with_name(f".{target.name}.tmp")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(target)
