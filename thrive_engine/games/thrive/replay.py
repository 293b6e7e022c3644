"""Reading a turn and playing it at once, which is all that a record does.

Most turns of a game are a movement that can't end it and two pegs: those are checked here on
integers. Any other, and any that is wrong, takes the long way through ``text``,
which knows what to say about it.
"""

import re

from thrive_engine.games.thrive import board
from thrive_engine.games.thrive.rules import Position
from thrive_engine.games.thrive.text import parse_turn
from thrive_engine.games.thrive.values import (
    HOLE_BITS,
    HOLES,
    PEGS,
    SQUARE_SHIFT,
    Movement,
    Peg,
    Square,
    Turn,
    peg_code,
)

_PLAIN = re.compile(
    r"([a-f][1-6])(x?)([a-f][1-6])"
    r"\+(?:([a-f][1-6][a-ln-y])\+([a-f][1-6][a-ln-y])|([a-f][1-6])([a-ln-y])([a-ln-y]))"
)
_MOVEMENTS = {
    f"{origin}{target}": (Movement(origin, target), int(origin), int(target))
    for origin in Square
    for target in Square
    if origin is not target
}
_PEGS = {
    str(peg): (peg_code(peg), int(peg.square), HOLE_BITS[peg.hole], peg)
    for peg in (Peg(square, hole) for square in Square for hole in HOLES)
}


def play_text(text: str, position: Position) -> tuple[Turn, Position]:
    """The turn of a text and the position after it, or NotationError or IllegalTurnError."""
    match = _PLAIN.fullmatch(text)
    played = _play(match, position) if match else None
    if played is not None:
        return played
    turn = parse_turn(text, position)
    return turn, position.play_unchecked(turn)


def _play(match: re.Match[str], position: Position) -> tuple[Turn, Position] | None:
    """The turn and the position after it; None where there is more to it than meets the eye."""
    start, capture, end, first, second, both, hole, other = match.groups()
    if start == end:
        return None
    movement, origin, target = _MOVEMENTS[start + end]
    pieces = {packed >> SQUARE_SHIFT: packed for packed in position.own}
    mover = pieces.pop(origin, 0) & PEGS
    if not board.reach(mover, origin) >> target & 1:
        return None
    enemy = _without(position.enemy, target)
    if capture and target not in pieces and len(enemy) == len(position.enemy):
        return None
    pieces[target] = target << SQUARE_SHIFT | mover
    if _may_be_over(len(pieces), len(enemy)):
        return None
    pegs = (_PEGS[both + hole], _PEGS[both + other]) if both else (_PEGS[first], _PEGS[second])
    for _, square, bit, _ in pegs:
        piece = pieces.get(square, bit)
        if piece & bit:
            return None
        pieces[square] = piece | bit
    one, two = pegs if pegs[0][0] < pegs[1][0] else pegs[::-1]
    return _turn(movement, (one[3], two[3])), position._followed_by(
        tuple(sorted(pieces.values())), enemy
    )


def _without(pieces: board.Pieces, square: int) -> board.Pieces:
    """The pieces but for the one on a square, where there is one."""
    for packed in pieces:
        if packed >> SQUARE_SHIFT == square:
            return tuple([each for each in pieces if each != packed])
    return pieces


def _may_be_over(own: int, enemy: int) -> bool:
    """Whether the game may be over, before the turn or by its movement."""
    return (own <= 2 and enemy <= 2) or own < 2 or enemy < 2


def _turn(movement: Movement, pegs: tuple[Peg, Peg]) -> Turn:
    """A turn whose pegs are known to be two, and in order: what Turn itself would check."""
    turn = object.__new__(Turn)
    object.__setattr__(turn, "movement", movement)
    object.__setattr__(turn, "pegs", pegs)
    return turn
