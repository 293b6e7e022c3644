"""What the commands take as arguments, read and refused alike everywhere."""

import sys
from typing import BinaryIO

import click

from thrive_engine.errors import TextError
from thrive_engine.games import thrive
from thrive_engine.notation import parse_position

LEAST_SECONDS = 0.001
MOST_SECONDS = 1_000_000.0


class Misuse(click.ClickException):
    """An argument that can't be used: one line, and exit code 2."""

    exit_code = 2


def standard_input() -> BinaryIO:
    """Standard input as bytes, or Misuse where it is closed."""
    if sys.stdin is None:
        raise Misuse("standard input is closed")
    return sys.stdin.buffer


def read_position(text: str) -> thrive.Position:
    """The position of a text, or of ``startpos``."""
    if text == "startpos":
        return thrive.START
    try:
        return parse_position(text)
    except TextError as error:
        raise Misuse(str(error)) from None


def read_seconds(ctx: click.Context, param: click.Parameter, seconds: float | None) -> float | None:
    """The callback of an option whose value is a time; the protocol counts in thousandths."""
    if seconds is not None and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        bounds = f"{LEAST_SECONDS:g} to {MOST_SECONDS:.0f}"
        raise click.BadParameter(f"{seconds:g} is not in the range {bounds}.", ctx, param)
    return seconds
