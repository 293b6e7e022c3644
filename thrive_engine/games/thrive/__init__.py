"""Thrive: two players, six pieces a side that learn to move. See spec/rules.md.

This module keeps the contract ``games.base.Rules``.
"""

from collections.abc import Callable
from typing import Any

from thrive_engine.games.base import Outcome
from thrive_engine.games.thrive import picture
from thrive_engine.games.thrive.evaluation import evaluate, explain
from thrive_engine.games.thrive.ranking import candidates, captures, completions, sample, wins
from thrive_engine.games.thrive.replay import play_text
from thrive_engine.games.thrive.rules import Draft, LegalTurns, Position
from thrive_engine.games.thrive.text import (
    parse_draft,
    parse_hole,
    parse_piece,
    parse_position,
    parse_square,
    parse_turn,
)
from thrive_engine.games.thrive.values import (
    SKIP,
    Hole,
    Movement,
    Peg,
    Piece,
    Reason,
    Side,
    Square,
    Turn,
)

name = "thrive"
players = ("White", "Black")
START = parse_position("BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh w 1")
start = START
searcher = "pvs"
bench = (
    "BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh w 1",
    "Brs1BrvBrBruvBr/6/1Br4/1Wch4/Whi5/2WhoWchWahWah b 3",
    "3BrvwBrv1/Boqry1Brux2Br/6/6/3Wbh2/1WdehWahl1WbhWh w 5",
    "5Bru/Bnrstwxy5/2Bprvx3/5Blrvx/3Wbcgh2/3WdehijnoWaho1 w 9",
    "6/2Wcdehls2Bruw/2BprtyBfgjlqrtuv2/1Bjrwx4/6/2WabdhnoWbehlWah1 w 10",
    "Br1Bqr2Br/2Br3/1Bw1W~cw2/2Wghi2Bdr/W4Wh/Wh5 w 12",
    "6/3B~bcdejBpruvBr/6/6/3W~fklpquvxyWahlp1/3Wbcghj2 w 15",
    "5Bqruw/Bnorstwxy5/5Wcdehijnopu/6/3Boprvx2/4Waho1 w 11",
    "6/2Bhlnoprstvwxy2Bqruw/6/6/2W~agkqrtvwxy3/4Waho1 w 13",
)
repetition = Outcome((0.5, 0.5), Reason.REPETITION)
symmetries: tuple[Callable[[Any], Any], ...] = (
    lambda thing: thing,
    lambda thing: thing.mirrored(),
    lambda thing: thing.turned(),
    lambda thing: thing.turned().mirrored(),
)
"""Of positions and of turns: the wings exchanged, the sides exchanged, and both."""


def termination(outcome: Outcome) -> str:
    """``captured``, ``own capture``, ``filled`` or ``repetition``."""
    return "filled" if str(outcome.reason.value).startswith("filled") else str(outcome.reason.value)


def numbering(position: Position) -> tuple[int, bool]:
    """The number that records write before a turn, and whether White plays it."""
    return position.number, position.side is Side.WHITE


def draw_text(position: Position, turn: Turn | None = None, *, unicode: bool = True) -> str:
    """The position for a terminal; with a turn, the one after it with the turn marked."""
    outcome = _outcome(position, turn)
    return picture.draw_text(position.pieces, position.side, turn, outcome=outcome, unicode=unicode)


def draw_svg(position: Position, turn: Turn | None = None) -> str:
    """The position as SVG; with a turn, the one after it with the turn marked."""
    outcome = _outcome(position, turn)
    return picture.draw_svg(position.pieces, position.side, turn, outcome=outcome)


def _outcome(position: Position, turn: Turn | None) -> Outcome | None:
    return position.outcome if turn is None else position.play(turn).outcome_by(turn)


__all__ = [
    "SKIP",
    "START",
    "Draft",
    "Hole",
    "LegalTurns",
    "Movement",
    "Outcome",
    "Peg",
    "Piece",
    "Position",
    "Reason",
    "Side",
    "Square",
    "Turn",
    "bench",
    "candidates",
    "captures",
    "completions",
    "draw_svg",
    "draw_text",
    "evaluate",
    "explain",
    "name",
    "numbering",
    "parse_draft",
    "parse_hole",
    "parse_piece",
    "parse_position",
    "parse_square",
    "parse_turn",
    "play_text",
    "players",
    "repetition",
    "sample",
    "searcher",
    "start",
    "symmetries",
    "termination",
    "wins",
]
