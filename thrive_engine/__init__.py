"""Thrive, the board game: rules, notation, records and an engine.

>>> import thrive_engine as thrive
>>> game = thrive.Game()
>>> len(game.position.legal_turns)
56718
"""

from thrive_engine.errors import (
    IllegalTurnError,
    NotationError,
    PositionError,
    RecordError,
    TextError,
    ThriveEngineError,
)
from thrive_engine.game import Game
from thrive_engine.games.base import Outcome, count_turns
from thrive_engine.games.thrive import (
    SKIP,
    START,
    Draft,
    Hole,
    LegalTurns,
    Movement,
    Peg,
    Piece,
    Position,
    Reason,
    Side,
    Square,
    Turn,
)
from thrive_engine.notation import (
    parse_draft,
    parse_hole,
    parse_piece,
    parse_position,
    parse_square,
    parse_turn,
)

__all__ = [
    "SKIP",
    "START",
    "Draft",
    "Game",
    "Hole",
    "IllegalTurnError",
    "LegalTurns",
    "Movement",
    "NotationError",
    "Outcome",
    "Peg",
    "Piece",
    "Position",
    "PositionError",
    "Reason",
    "RecordError",
    "Side",
    "Square",
    "TextError",
    "ThriveEngineError",
    "Turn",
    "count_turns",
    "parse_draft",
    "parse_hole",
    "parse_piece",
    "parse_position",
    "parse_square",
    "parse_turn",
]
