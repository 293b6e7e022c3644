"""What the commands take as arguments, read and refused alike everywhere."""

from typing import Any

import click

from thrive_engine.errors import TextError
from thrive_engine.games import thrive
from thrive_engine.notation import parse_position


class Misuse(click.ClickException):
    """An argument that can't be used: one line, and exit code 2."""

    exit_code = 2


class PositionType(click.ParamType):
    """A position's text, or ``startpos``."""

    name = "position"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        if value == "startpos":
            return thrive.START
        try:
            return parse_position(value)
        except TextError as error:
            raise Misuse(str(error)) from None


POSITION = PositionType()
