"""Writing files so that nobody ever sees half of one."""

import os
from pathlib import Path

import click


def write_file(path: str, text: str) -> None:
    """Write a file whole or not at all; a pipe or a device is written to as it is."""
    named = Path(path)
    try:
        if named.exists() and not named.is_file():
            named.write_text(text, encoding="utf-8", newline="\n")
        else:
            _replace(named.resolve(), text)
    except OSError as error:
        raise click.FileError(path, error.strerror) from None


def _replace(target: Path, text: str) -> None:
    part = target.with_name(f".thrive-{os.getpid()}.tmp")
    with part.open("x", encoding="utf-8", newline="\n") as stream:
        try:
            stream.write(text)
            stream.close()
            part.replace(target)
        except BaseException:
            part.unlink()
            raise
