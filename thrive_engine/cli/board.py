"""A position's board on standard output, in the characters that it can take."""

import sys
from collections.abc import Callable

import click

from thrive_engine.cli.types import Misuse
from thrive_engine.games import thrive


def unicode_option(command: Callable[..., None]) -> Callable[..., None]:
    """The option ``--unicode/--ascii``, which ``draw_board`` takes."""
    return click.option(
        "--unicode/--ascii",
        "unicode",
        default=None,
        help="How the board is drawn; Unicode, where the output can take it.",
    )(command)


def draw_board(
    position: thrive.Position, turn: thrive.Turn | None = None, unicode: bool | None = None
) -> str:
    """The board, in Unicode unless it is not wanted or the output has no such characters."""
    if unicode is not False:
        board = thrive.draw_text(position, turn)
        try:
            board.encode(sys.stdout.encoding)
        except UnicodeEncodeError:
            if unicode:
                reason = f"the output's encoding, {sys.stdout.encoding}, has no such characters"
                raise Misuse(f"--unicode: {reason}") from None
        else:
            return board
    return thrive.draw_text(position, turn, unicode=False)
