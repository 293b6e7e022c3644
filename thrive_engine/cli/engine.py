"""Engines on the command line: which one, with which options, and what it answers."""

import sys
from collections.abc import Callable, Mapping

import click

from thrive_engine.cli.types import Misuse
from thrive_engine.client import Command, SimpleEngine
from thrive_engine.errors import ProtocolError, TextError, quote
from thrive_engine.games import thrive
from thrive_engine.lines import OptionValue
from thrive_engine.notation import parse_turn
from thrive_engine.search.base import Info

OURS: Command = (sys.executable, "-P", "-m", "thrive_engine")
"""Our own engine: that of this installation, whatever lies in the working directory."""


class BadAnswer(click.ClickException):
    """An engine answered with what is no legal turn: one line, and exit code 1."""


def engine_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options ``--engine`` and ``--option``, as ``engine`` and ``settings``."""
    option = click.option(
        "--option",
        "settings",
        multiple=True,
        callback=_read_settings,
        metavar="NAME=VALUE",
        help="Set an option of the engine; for a button, NAME alone. May be repeated.",
    )
    engine = click.option(
        "--engine",
        metavar="CMD",
        help="The command that starts the engine, in one argument; ours by default.",
    )
    return engine(option(command))


def start_engine(command: str | None) -> SimpleEngine:
    """The engine of a command, or ours; EngineError where it does not come up."""
    return SimpleEngine.start(OURS if command is None else command)


def configure(engine: SimpleEngine, settings: Mapping[str, OptionValue]) -> None:
    """Set options; one that the engine has not, or a bad value, is a misuse."""
    try:
        engine.configure(settings)
    except ProtocolError as error:
        raise Misuse(str(error)) from None


def has_option(engine: SimpleEngine, name: str) -> bool:
    """Whether an engine declares an option, in whatever case."""
    return name.lower() in map(str.lower, engine.options)


def read_answer(engine: SimpleEngine, text: str, position: thrive.Position) -> thrive.Turn:
    """The turn of an engine's ``bestmove``, or BadAnswer: an engine is not trusted."""
    try:
        return parse_turn(text, position)
    except TextError as error:
        raise BadAnswer(f"engine {quote(engine.name)} answered: {error}") from None


def score_text(info: Info) -> str:
    """A score for the side to move: ``+0.45``, ``#2`` for a win in two turns, ``#-2``."""
    if info.score is None:
        return "?"
    bound = {"lowerbound": ">=", "upperbound": "<="}.get(info.bound, "")
    if info.score.mate is not None:
        return f"{bound}#{info.score.mate}"
    return f"{bound}{(info.score.cp or 0) / 100:+.2f}"


def _read_settings(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> dict[str, OptionValue]:
    settings: dict[str, OptionValue] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name.strip():
            raise click.BadParameter(f"{quote(text)} is not NAME=VALUE.", ctx, param)
        settings[name.strip()] = value if equals else None
    return settings
