"""Between Thrive's values and the integers of the kernel: positions one way, turns both ways.

The one place of the search that knows Thrive's values, as the kernel is the one that knows its
rules. See kernel/board.py for what the integers mean.
"""

from functools import cache
from typing import Any

from thrive_engine.games.thrive.rules import Draft
from thrive_engine.games.thrive.values import (
    FULL,
    HOLE_BITS,
    Hole,
    Peg,
    Square,
    Turn,
    movement_code,
    movement_of,
)

Setup = tuple[list[int], list[int], int]
"""What ``Board.set_up`` takes: the pieces of White and of Black, and who is to move."""
_HOLES = {bit.bit_length() - 1: Hole(number) for number, bit in enumerate(HOLE_BITS)}
_BITS = {hole: bit for bit, hole in _HOLES.items()}


def setup_of(identity: Any) -> Setup:
    """A position, by its identity, as the kernel sets it up."""
    white, black, side = identity
    return list(white), list(black), int(side)


def can_come_again(identity: Any) -> bool:
    """Whether a position can stand for a second time: with a hole left, pegs make it another."""
    white, black, _ = identity
    return all(packed & FULL == FULL for packed in white + black)


def turn_of(code: int) -> Turn:
    """The turn of the kernel's integer."""
    pegs = tuple(_peg_of(peg) for peg in (code >> 13 & 8191, code & 8191) if peg)
    return Turn(movement_of(code >> 26), pegs)


def code_of(turn: Turn) -> int:
    """The kernel's integer of a turn."""
    first, second = sorted([0, 0, *map(_peg_code, turn.pegs)])[-2:]
    return movement_code(turn.movement) << 26 | second << 13 | first


def beginning_of(draft: Draft) -> tuple[int | None, tuple[int, ...]]:
    """What a draft has already: the kernel's movement, if any, and pegs."""
    if draft.movement is None:
        return None, ()
    return movement_code(draft.movement), tuple(map(_peg_code, draft.pegs))


@cache
def _peg_of(code: int) -> Peg:
    return Peg(Square(code >> 6 & 63), _HOLES[code & 63])


def _peg_code(peg: Peg) -> int:
    return 1 << 12 | peg.square << 6 | _BITS[peg.hole]
