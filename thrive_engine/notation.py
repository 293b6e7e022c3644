"""The one door to text, for any game: positions, turns and half-built turns.

Values write themselves with ``str``; what is read here comes back in its one canonical spelling.
Everything that is not well formed is a NotationError, a turn that the position does not allow an
IllegalTurnError. Without ``rules`` the game is Thrive, which is written as spec/notation.md says.
"""

from typing import overload

from thrive_engine.games import base, thrive
from thrive_engine.games.thrive.text import parse_hole, parse_piece, parse_square

__all__ = [
    "parse_draft",
    "parse_hole",
    "parse_piece",
    "parse_position",
    "parse_square",
    "parse_turn",
]


@overload
def parse_position(text: str) -> thrive.Position: ...
@overload
def parse_position(text: str, rules: base.Rules) -> base.Position: ...
def parse_position(text: str, rules: base.Rules = thrive) -> base.Position:
    """The position of a text, or NotationError."""
    position: base.Position = rules.parse_position(text)
    return position


@overload
def parse_turn(text: str, position: thrive.Position | None = None) -> thrive.Turn: ...
@overload
def parse_turn(text: str, position: base.Position | None, rules: base.Rules) -> base.Turn: ...
def parse_turn(
    text: str, position: base.Position | None = None, rules: base.Rules = thrive
) -> base.Turn:
    """The turn of a text, legal in the position; without one only its form is checked."""
    turn: base.Turn = rules.parse_turn(text, position)
    return turn


@overload
def parse_draft(text: str, position: thrive.Position) -> thrive.Draft: ...
@overload
def parse_draft(text: str, position: base.Position, rules: base.Rules) -> base.Draft: ...
def parse_draft(text: str, position: base.Position, rules: base.Rules = thrive) -> base.Draft:
    """The half-built turn of a text, nothing and a whole turn included."""
    draft: base.Draft = rules.parse_draft(text, position)
    return draft
