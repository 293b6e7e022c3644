"""Thrive: two players, six pieces a side that learn to move. See spec/rules.md.

This module keeps the contract ``games.base.Rules``.
"""

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
    "BrBrBrBrBrBr/6/6/6/Wghi5/1WhWhWhWhWh b 1",
    "Br1Bqr2Br/2Br3/1Bw1W~cw2/2Wghi2Bdr/W4Wh/Wh5 w 12",
    "5Babdery/1Baekoprt4/5Wdhnvx/3Blprx2/Wabeghlnopstu5/6 b 12",
    "6/6/W~defgknoprsvBcefnpqrtvx1Wdhioprtwy2/2Babdiklnrstw3/"
    "1Bcelqrtvx1WghjnoquwxWbdghjntvxy1/6 w 22",
    "6/6/6/4W~ghk1/3B~horB~kq1/1W~fl4 b 52",
)
repetition = Outcome((0.5, 0.5), Reason.REPETITION)


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
    "termination",
    "wins",
]
