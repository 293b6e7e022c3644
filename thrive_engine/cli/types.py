"""What the commands take as arguments, read and refused alike everywhere."""

import click

from thrive_engine.errors import TextError
from thrive_engine.games import thrive
from thrive_engine.notation import parse_position


class Misuse(click.ClickException):
    """An argument that can't be used: one line, and exit code 2."""

    exit_code = 2


def read_position(text: str) -> thrive.Position:
    """The position of a text, or of ``startpos``."""
    if text == "startpos":
        return thrive.START
    try:
        return parse_position(text)
    except TextError as error:
        raise Misuse(str(error)) from None
