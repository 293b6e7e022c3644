"""Writing files so that nobody ever sees half of one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click


def write_file(path: str, text: str) -> None:
    """Write a file whole or not at all; a pipe or a device is written to as it is."""
    with replaced_file(path) as stream:
        stream.write(text)


@contextmanager
def replaced_file(path: str) -> Iterator[TextIO]:
    """A stream whose text is the file's once all went well; until then the file stays as it is.

    A pipe or a device is written to as it is.
    """
    named = Path(path)
    try:
        if named.exists() and not named.is_file():
            with named.open("w", encoding="utf-8", newline="\n") as stream:
                yield stream
        else:
            with _replaced(named.resolve()) as stream:
                yield stream
    except OSError as error:
        raise click.FileError(path, error.strerror) from None


@contextmanager
def _replaced(target: Path) -> Iterator[TextIO]:
    part = target.with_name(f".thrive-{os.getpid()}.tmp")
    with part.open("x", encoding="utf-8", newline="\n") as stream:
        try:
            yield stream
            stream.close()
            part.replace(target)
        except BaseException:
            part.unlink()
            raise
