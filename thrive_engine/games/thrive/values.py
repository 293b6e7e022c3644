"""The things of Thrive: sides, squares, holes, pieces, movements, pegs and turns.

Inside, everything is an integer. A square is ``8 * rank + file``. The pegs of a piece are a mask
with the same stride, its centre at bit 18, so that ``((pegs << square) >> 18) & BOARD`` is where
the piece can go: what leaves the board falls off or lands in the two unused columns. A piece on its
square is ``square << 37 | pegs``, a movement ``origin << 6 | target``; see ``turn_of`` for turns.
"""

from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache, lru_cache
from typing import Self

from thrive_engine.errors import NotationError, PositionError

CENTRE = 18
SQUARE_SHIFT = 37
PEGS = (1 << SQUARE_SHIFT) - 1
BOARD = sum(0b111111 << 8 * rank for rank in range(6))
LETTERS = "abcdefghijklmnopqrstuvwxy"
HOLE_BITS = tuple(1 << (32 - 8 * (i // 5) + i % 5) for i in range(25))
FULL = sum(HOLE_BITS) - (1 << CENTRE)
FEW = 12
"""A piece with more pegs than this is written by its empty holes."""


class Side(IntEnum):
    """The two players; White moves first."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> "Side":
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    def __str__(self) -> str:
        return "wb"[self]

    def __repr__(self) -> str:
        return f"Side.{self.name}"


class Square(IntEnum):
    """A square of the board: ``Square.A1`` is White's near left corner."""

    A1, B1, C1, D1, E1, F1 = range(6)
    A2, B2, C2, D2, E2, F2 = range(8, 14)
    A3, B3, C3, D3, E3, F3 = range(16, 22)
    A4, B4, C4, D4, E4, F4 = range(24, 30)
    A5, B5, C5, D5, E5, F5 = range(32, 38)
    A6, B6, C6, D6, E6, F6 = range(40, 46)

    @property
    def file(self) -> int:
        """0 for a to 5 for f."""
        return self & 7

    @property
    def rank(self) -> int:
        """0 for White's first rank to 5."""
        return self >> 3

    def mirrored(self) -> "Square":
        """The square on the other wing: a1 for f1."""
        return Square(8 * self.rank + 5 - self.file)

    def turned(self) -> "Square":
        """The square on the board turned by half: a1 for f6."""
        return Square(45 - self)

    def __str__(self) -> str:
        return self.name.lower()

    def __repr__(self) -> str:
        return f"Square.{self.name}"


class Hole(IntEnum):
    """A hole of a piece, row by row from the north-west; M is the centre."""

    A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y = range(25)  # noqa: E741 the holes' names

    @property
    def step(self) -> tuple[int, int]:
        """The files and ranks by which a peg here lets its piece move."""
        return self % 5 - 2, 2 - self // 5

    def mirrored(self) -> "Hole":
        """The hole on the other side of the north-south line."""
        return Hole(self // 5 * 5 + 4 - self % 5)

    def turned(self) -> "Hole":
        """The hole opposite, through the centre."""
        return Hole(24 - self)

    def __str__(self) -> str:
        return LETTERS[self]

    def __repr__(self) -> str:
        return f"Hole.{self.name}"


SQUARES = tuple(sorted(Square, key=lambda square: (square.file, square.rank)))
"""All squares in the order in which turns write them: a1, a2 .. a6, b1 .. f6."""
ORDER = {square: number for number, square in enumerate(SQUARES)}
HOLES = tuple(hole for hole in Hole if hole is not Hole.M)
"""The 24 holes that take a peg."""


class Reason(Enum):
    """Why a game ended."""

    CAPTURED = "captured"
    OWN_CAPTURE = "own capture"
    FILLED_BY_PEGS = "filled by pegs"
    FILLED_BY_MOVEMENT = "filled by a movement"
    REPETITION = "repetition"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: its side, and its pegs as a mask (the centre, always filled, not counted)."""

    side: Side
    mask: int = 0

    @classmethod
    def of(cls, side: Side, holes: str = "") -> Self:
        """A piece from the letters of its pegs, in any order: ``Piece.of(Side.WHITE, "ghi")``."""
        for place, letter in enumerate(holes):
            if letter not in LETTERS or letter == str(Hole.M):
                reason = "the holes that take a peg are a to y without m, the centre"
                raise NotationError(holes, f"hole {letter!a}", place, reason, kind="bad holes")
        return cls(side, mask_of(holes))

    def __post_init__(self) -> None:
        if self.mask & ~FULL:
            raise PositionError(f"{self.mask:#x} is no mask of pegs")

    @property
    def pegs(self) -> tuple[Hole, ...]:
        """The holes with a peg, the centre left out."""
        return holes_of(self.mask)

    @property
    def free(self) -> tuple[Hole, ...]:
        """The holes that are still empty."""
        return holes_of(FULL & ~self.mask)

    @property
    def is_full(self) -> bool:
        return self.mask == FULL

    def __str__(self) -> str:
        return piece_text(self.side, self.mask)

    def __repr__(self) -> str:
        return f"parse_piece({str(self)!r})"


@dataclass(frozen=True, slots=True)
class Movement:
    """From one square to another; without squares, no piece could move (``SKIP``)."""

    origin: Square | None = None
    target: Square | None = None

    def __post_init__(self) -> None:
        if (self.origin is None) != (self.target is None):
            square = self.target if self.origin is None else self.origin
            reason = "a movement has two squares, or none"
            raise NotationError(str(square), "", 0, reason, kind="bad movement")

    def mirrored(self) -> "Movement":
        if self.origin is None or self.target is None:
            return self
        return Movement(self.origin.mirrored(), self.target.mirrored())

    def turned(self) -> "Movement":
        if self.origin is None or self.target is None:
            return self
        return Movement(self.origin.turned(), self.target.turned())

    def __str__(self) -> str:
        return "0000" if self.origin is None else f"{self.origin}{self.target}"


SKIP = Movement()
"""The movement of a player who cannot move; it is written 0000."""


@dataclass(frozen=True, slots=True)
class Peg:
    """A peg placed in a turn: the square after the movement, and the hole of the piece there."""

    square: Square
    hole: Hole

    def __post_init__(self) -> None:
        if self.hole == Hole.M:
            reason = "hole m is the centre, which is always filled"
            raise NotationError(str(self), "", 0, reason, kind="bad peg")

    def mirrored(self) -> "Peg":
        return Peg(self.square.mirrored(), self.hole.mirrored())

    def turned(self) -> "Peg":
        return Peg(self.square.turned(), self.hole.turned())

    def __str__(self) -> str:
        return f"{self.square}{self.hole}"


@dataclass(frozen=True, slots=True)
class Turn:
    """A movement and at most two pegs placed after it; the order of the pegs means nothing."""

    movement: Movement
    pegs: tuple[Peg, ...] = ()

    def __post_init__(self) -> None:
        if len(self.pegs) > 1:
            object.__setattr__(self, "pegs", in_order(self.pegs))
            if len(self.pegs) > 2 or self.pegs[0] == self.pegs[1]:
                reason = "a turn has at most two pegs, each in a hole of its own"
                raise NotationError(str(self), "", 0, reason, kind="bad turn")
        elif not self.pegs and self.movement.origin is None:
            raise NotationError("0000", "", 0, "0000 alone is no turn", kind="bad turn")

    def mirrored(self) -> "Turn":
        """The turn with the wings exchanged."""
        return Turn(self.movement.mirrored(), tuple(peg.mirrored() for peg in self.pegs))

    def turned(self) -> "Turn":
        """The turn of the other side, on the board turned by half."""
        return Turn(self.movement.turned(), tuple(peg.turned() for peg in self.pegs))

    def __str__(self) -> str:
        return turn_text(self.movement, self.pegs)

    def __repr__(self) -> str:
        return f"parse_turn({str(self)!r})"


def turn_text(movement: Movement, pegs: tuple[Peg, ...]) -> str:
    """The text of a turn, or of the beginning of one; the pegs are in order."""
    text = str(movement)
    last = None
    for peg in pegs:
        text += str(peg.hole) if peg.square is last else f"+{peg}"
        last = peg.square
    return text


def in_order(pegs: tuple[Peg, ...]) -> tuple[Peg, ...]:
    """The pegs as turns write them."""
    return tuple(sorted(pegs, key=peg_code))


def mask_of(letters: str) -> int:
    """The mask of the holes with these letters."""
    return sum(HOLE_BITS[LETTERS.index(letter)] for letter in set(letters)) & FULL


@lru_cache(maxsize=1 << 16)
def letters_of(mask: int) -> str:
    """The letters of a mask, in alphabetical order."""
    return "".join(str(hole) for hole in holes_of(mask))


@lru_cache(maxsize=1 << 16)
def holes_of(mask: int) -> tuple[Hole, ...]:
    """The holes of a mask, in alphabetical order."""
    return tuple(hole for hole in HOLES if mask & HOLE_BITS[hole])


@lru_cache(maxsize=1 << 16)
def piece_text(side: Side, mask: int) -> str:
    """The canonical text of a piece: the letters of its pegs or, where shorter, of its holes."""
    if mask.bit_count() <= FEW:
        return "WB"[side] + letters_of(mask)
    return "WB"[side] + "~" + letters_of(FULL & ~mask)


def peg_code(peg: Peg) -> int:
    """A peg as an integer that is never 0; codes sort as turns write them."""
    return 1 << 11 | ORDER[peg.square] << 5 | peg.hole


def turn_code(turn: Turn) -> int:
    """A turn as an integer: see ``turn_of``."""
    first, second = (*map(peg_code, turn.pegs), 0, 0)[:2]
    return movement_code(turn.movement) << 24 | first << 12 | second


def movement_code(movement: Movement) -> int:
    """A movement as an integer: ``origin << 6 | target``, or 0 for ``SKIP``.

    Only a movement that goes somewhere has a code of its own: that of a1a1 is 0 too.
    """
    origin, target = movement.origin, movement.target
    return 0 if origin is None or target is None else origin << 6 | target


def turn_of(code: int) -> Turn:
    """The turn of an integer: the movement, then two pegs of 12 bits each, 0 for none."""
    pegs = tuple(peg_of(peg) for peg in (code >> 12 & 0xFFF, code & 0xFFF) if peg)
    return Turn(movement_of(code >> 24), pegs)


@cache
def peg_of(code: int) -> Peg:
    return Peg(SQUARES[code >> 5 & 63], Hole(code & 31))


@cache
def movement_of(code: int) -> Movement:
    return Movement(Square(code >> 6), Square(code & 63)) if code else SKIP
