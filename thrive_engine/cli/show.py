"""``thrive show``: a position, as a board in the terminal or as a picture in a file."""

import click

from thrive_engine.cli import COMMANDS
from thrive_engine.cli.board import draw_board, unicode_option
from thrive_engine.cli.files import write_file
from thrive_engine.cli.types import Misuse, read_position, standard_input
from thrive_engine.errors import TextError
from thrive_engine.games import thrive
from thrive_engine.notation import parse_turn

HELP = f"""{COMMANDS["show"]}

POSITION is a position's text, quoted or as its three words; "-" reads it from standard input, and
without one it is the start.

With a turn, all of it is about the position after the turn; the board shows the turn too: the
square that was left, the square that was reached, and the new pegs (stars, or "+" in ASCII).
"""


@click.command("show", help=HELP)
@click.argument("words", metavar="[POSITION]", nargs=-1)
@click.option("--turn", "turn_text", metavar="TURN", help="Play this turn and mark it.")
@click.option(
    "--svg",
    "file",
    metavar="FILE",
    help='Write a picture to FILE too; "-" prints the picture, and nothing else.',
)
@unicode_option
def command(
    words: tuple[str, ...], turn_text: str | None, file: str | None, unicode: bool | None
) -> None:
    position = _read_words(words)
    turn = None if turn_text is None else _read_turn(turn_text, position)
    if file is not None:
        picture = thrive.draw_svg(position, turn)
        if file == "-":
            click.echo(picture, nl=False)
            return
        write_file(file, picture)
    after = position if turn is None else position.play(turn)
    click.echo(draw_board(position, turn, unicode))
    click.echo(f"\nLegal turns: {len(after.legal_turns)}\nPosition: {after}")


def _read_words(words: tuple[str, ...]) -> thrive.Position:
    if not words:
        return thrive.START
    if words == ("-",):
        return read_position(standard_input().read().decode(errors="replace"))
    return read_position(" ".join(words))


def _read_turn(text: str, position: thrive.Position) -> thrive.Turn:
    try:
        return parse_turn(text, position)
    except TextError as error:
        raise Misuse(str(error)) from None
