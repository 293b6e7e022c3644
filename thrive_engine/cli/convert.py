"""``thrive convert``: record files, checked and written canonically."""

import sys
from collections.abc import Iterator
from typing import BinaryIO, TextIO

import click

from thrive_engine.cli import COMMANDS
from thrive_engine.cli.files import replaced_file
from thrive_engine.cli.types import standard_input
from thrive_engine.record import Record, read_records, write_record

HELP = f"""{COMMANDS["convert"]}

FILES hold any number of games each; "-", or no file, is standard input. The games go to standard
output, in order.

Every error is a line FILE:LINE:COLUMN: REASON on standard error. A turn that can't be read ends its
game: the turns before it are written, and the next game is read. With any error the exit code is
1, and an output file stays as it was.
"""


@click.command("convert", help=HELP)
@click.argument("files", nargs=-1)
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, whole or not at all.")
@click.option("--check", is_flag=True, help="Write no games; count them, their turns and errors.")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], output: str | None, check: bool) -> None:
    if check and output is not None:
        raise click.UsageError("--check writes no games, so it takes no --output.")
    reader = _Reader(files or ("-",))
    if check:
        games = turns = 0
        for record in reader.records():
            games += 1
            turns += len(record.turns)
        click.echo(f"{_count(games, 'game')}, {_count(turns, 'turn')}, {_errors(reader)}")
    elif output is None or output == "-":
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]  # it is a file
        _write(reader, sys.stdout)
    else:
        with replaced_file(output) as stream:
            _write(reader, stream)
            if reader.errors:
                click.echo(f"{output}: not written, because of {_errors(reader)}", err=True)
                ctx.exit(1)
    ctx.exit(1 if reader.errors else 0)


class _Reader:
    """The games of some files; what is wrong with them is printed, and counted."""

    def __init__(self, files: tuple[str, ...]) -> None:
        self.files = files
        self.errors = 0

    def records(self) -> Iterator[Record]:
        for file in self.files:
            try:
                if file == "-":
                    yield from self._read("<stdin>", standard_input())
                else:
                    with open(file, "rb") as stream:
                        yield from self._read(file, stream)
            except OSError as error:
                self._report(f"{file}: {error.strerror}")

    def _read(self, name: str, stream: BinaryIO) -> Iterator[Record]:
        for record in read_records(stream):
            for error in record.errors:
                self._report(f"{name}:{error.line}:{error.column}: {error.reason}")
            yield record

    def _report(self, line: str) -> None:
        self.errors += 1
        click.echo(line, err=True)


def _write(reader: _Reader, stream: TextIO) -> None:
    for number, record in enumerate(reader.records()):
        stream.write("\n" if number else "")
        stream.write(write_record(record))


def _errors(reader: _Reader) -> str:
    return _count(reader.errors, "error")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
