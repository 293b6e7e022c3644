"""Saving a game that goes on, so that nothing of it is lost."""

import os
from pathlib import Path

import click

from thrive_engine.cli.files import write_file
from thrive_engine.cli.types import Misuse
from thrive_engine.record import Record, write_record


class RecordFile:
    """The file where the game is saved, behind the games that it holds already.

    It is written whole each time, so that it holds the game up to the last turn at any moment.
    """

    def __init__(self, path: str) -> None:
        self.name = click.format_filename(path)
        self.is_used = False
        self._path = path
        self._before = _read_games(path)

    def save(self, record: Record) -> bool:
        """Write the game as it stands; whether that could be done. If not, it is said why."""
        try:
            write_file(self._path, f"{self._before}{write_record(record)}")
        except click.FileError as error:
            click.echo(f"Not saved: {error.format_message()}", err=True)
            return False
        self.is_used = True
        return True


def _read_games(path: str) -> str:
    """What the file holds, as it must stand before another game; Misuse where it can't be used."""
    file = Path(path)
    if file.exists() and not file.is_file():
        raise Misuse(f"--save: {path} is no file")
    if not os.access(file.parent, os.W_OK | os.X_OK):
        raise Misuse(f"--save: no file can be written in {file.parent}")
    try:
        text = file.read_bytes().decode() if file.exists() else ""
    except UnicodeDecodeError:
        raise Misuse(f"--save: {path} holds no games: it is not UTF-8") from None
    except OSError as error:
        raise Misuse(f"--save: {path}: {error.strerror}") from None
    return f"{text.rstrip()}\n\n" if text.strip() else ""
