"""The board as integers: pure functions on the pieces of a side and of its enemy.

A side's pieces are a tuple of integers ``square << 37 | pegs`` in ascending order (see values.py).
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from thrive_engine.games.thrive.values import (
    BOARD,
    CENTRE,
    FULL,
    HOLE_BITS,
    ORDER,
    PEGS,
    SQUARE_SHIFT,
    SQUARES,
    Peg,
    holes_of,
)

Pieces = tuple[int, ...]


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def reach(pegs: int, square: int) -> int:
    """The squares that a piece can go to, as a mask."""
    return (pegs << square) >> CENTRE & BOARD


def pegs_on(pieces: Pieces, square: int) -> int | None:
    """The pegs of the piece on a square, or None where these pieces have none there."""
    for packed in pieces:
        if packed >> SQUARE_SHIFT == square:
            return packed & PEGS
    return None


def is_full(packed: int) -> bool:
    return packed & FULL == FULL


def has_full(pieces: Pieces) -> bool:
    return any(packed & FULL == FULL for packed in pieces)


def is_over(own: Pieces, enemy: Pieces) -> bool:
    """Whether the game has ended: one piece left, or a full one when two face two."""
    if len(own) == 1 or len(enemy) == 1:
        return True
    return len(own) == len(enemy) == 2 and has_full(own + enemy)


def moved(own: Pieces, enemy: Pieces, origin: int, target: int) -> tuple[Pieces, Pieces]:
    """Both sides after a movement; whatever stood on the target is gone."""
    rest = [each for each in own if each >> SQUARE_SHIFT not in (origin, target)]
    pegs = pegs_on(own, origin)
    assert pegs is not None, "no piece stands on the origin"
    rest.append(target << SQUARE_SHIFT | pegs)
    rest.sort()
    if pegs_on(enemy, target) is not None:
        enemy = tuple(each for each in enemy if each >> SQUARE_SHIFT != target)
    return tuple(rest), enemy


def pegged(own: Pieces, pegs: Iterable[Peg]) -> Pieces:
    """A side with pegs placed into its pieces."""
    for peg in pegs:
        square, bit = peg.square, HOLE_BITS[peg.hole]
        own = tuple(each | bit if each >> SQUARE_SHIFT == square else each for each in own)
    return own


def movements(own: Pieces, enemy: Pieces) -> list[int]:
    """The legal movements, ``origin << 6 | target``; only 0 where no piece can move."""
    if is_over(own, enemy):
        return []
    found = [
        (packed >> SQUARE_SHIFT) << 6 | target
        for packed in own
        for target in bits(reach(packed & PEGS, packed >> SQUARE_SHIFT))
    ]
    return found or [0]


def count_turns(own: Pieces, enemy: Pieces) -> int:
    """The number of legal turns, without making any.

    Only a capture can end the game by its movement, and only an own capture takes holes away.
    """
    if is_over(own, enemy):
        return 0
    holes = 24 * len(own) - sum((packed & FULL).bit_count() for packed in own)
    pairs = peg_sets(holes)
    if len(enemy) == 2:
        taking = 1
    elif len(enemy) == 3 and len(own) == 2:
        taking = 0
    else:
        taking = pairs
    own_squares = sum(1 << (packed >> SQUARE_SHIFT) for packed in own)
    enemy_squares = sum(1 << (packed >> SQUARE_SHIFT) for packed in enemy)
    total = movable = 0
    for packed in own:
        to = reach(packed & PEGS, packed >> SQUARE_SHIFT)
        if not to:
            continue
        movable = 1
        taken = to & enemy_squares
        suicides = to & own_squares
        total += pairs * (to & ~(taken | suicides)).bit_count()
        if taken:
            if taking:
                total += taking * taken.bit_count()
            else:
                total += sum(_count_after(own, enemy, packed, target) for target in bits(taken))
        if suicides:
            total += sum(_count_after(own, enemy, packed, target) for target in bits(suicides))
    return total if movable else pairs


def _count_after(own: Pieces, enemy: Pieces, packed: int, target: int) -> int:
    own, enemy = moved(own, enemy, packed >> SQUARE_SHIFT, target)
    if is_over(own, enemy):
        return 1
    return peg_sets(sum(24 - (each & FULL).bit_count() for each in own))


def peg_sets(holes: int) -> int:
    """In how many ways two pegs, or as many as there are holes, can be placed."""
    return holes * (holes - 1) // 2 if holes > 1 else 1


def free_codes(own: Pieces) -> list[int]:
    """The pegs that can be placed, as codes (values.peg_code), in the order turns write them."""
    codes: list[int] = []
    for packed in own:
        codes += _piece_codes(packed >> SQUARE_SHIFT, FULL & ~packed)
    codes.sort()
    return codes


@lru_cache(maxsize=1 << 14)
def _piece_codes(square: int, free: int) -> tuple[int, ...]:
    base = 1 << 11 | _ORDER[square] << 5
    return tuple(base | hole for hole in holes_of(free))


_ORDER = {int(square): ORDER[square] for square in SQUARES}


def mirrored(pieces: Pieces) -> Pieces:
    """The pieces with the wings exchanged."""
    return tuple(
        sorted(
            (each >> SQUARE_SHIFT ^ 7) - 2 << SQUARE_SHIFT | _mirrored_pegs(each & PEGS)
            for each in pieces
        )
    )


def turned(pieces: Pieces) -> Pieces:
    """The pieces on the board turned by half."""
    return tuple(
        sorted(
            45 - (each >> SQUARE_SHIFT) << SQUARE_SHIFT | _turned_pegs(each & PEGS)
            for each in pieces
        )
    )


@lru_cache(maxsize=1 << 16)
def _mirrored_pegs(pegs: int) -> int:
    return sum(HOLE_BITS[hole.mirrored()] for hole in holes_of(pegs))


@lru_cache(maxsize=1 << 16)
def _turned_pegs(pegs: int) -> int:
    return sum(HOLE_BITS[hole.turned()] for hole in holes_of(pegs))
