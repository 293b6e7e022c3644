"""``thrive play``: a game in the terminal against an engine."""

import secrets

import click

from thrive_engine.cli import COMMANDS
from thrive_engine.cli.board import unicode_option
from thrive_engine.cli.engine import configure, engine_options, start_engine
from thrive_engine.cli.opponent import Opponent
from thrive_engine.cli.saving import RecordFile
from thrive_engine.cli.session import WORDS, Session
from thrive_engine.cli.types import Misuse, read_position, read_seconds
from thrive_engine.game import Game
from thrive_engine.games import thrive
from thrive_engine.lines import OptionValue
from thrive_engine.search.base import Limit

SIDES = tuple(name.lower() for name in thrive.players)

HELP = f"""{COMMANDS["play"]}

Type a whole turn, like a1a2+a2gi, or its parts one after the other: the movement, then the pegs.
An empty line shows what may follow. Besides turns there are these commands:

\b
{WORDS}

The end of input, and Ctrl-C, are "quit".
"""


@click.command("play", help=HELP)
@click.option(
    "--side",
    type=click.Choice([*SIDES, "random"]),
    default=SIDES[0],
    show_default=True,
    help="The side that you play.",
)
@click.option(
    "--level",
    type=int,
    metavar="ELO",
    help="Play against a weaker engine, of this Elo; the engine says which it can play at.",
)
@click.option("--position", "text", metavar="POSITION", help="Begin here, not at the start.")
@click.option(
    "--time",
    "seconds",
    type=float,
    callback=read_seconds,
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="The engine's time for a turn.",
)
@click.option(
    "--save",
    "file",
    metavar="FILE",
    help="Save the game to FILE after every turn, behind the games that it holds already.",
)
@engine_options
@unicode_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    side: str,
    level: int | None,
    text: str | None,
    seconds: float,
    file: str | None,
    engine: str | None,
    settings: dict[str, OptionValue],
    unicode: bool | None,
) -> None:
    position = thrive.START if text is None else read_position(text)
    if position.outcome is not None:
        raise Misuse(f"the game is over in this position: {position.outcome}")
    seat = SIDES.index(secrets.choice(SIDES) if side == "random" else side)
    saved = None if file is None else RecordFile(file)
    with start_engine(engine) as started:
        configure(started, settings)
        opponent = Opponent(started, Limit(movetime=seconds), level)
        session = Session(Game(position), seat, opponent, saved, unicode)
        ctx.exit(0 if session.run() else 1)
