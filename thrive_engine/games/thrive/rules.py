"""The rules of Thrive: positions, legal turns, half-built turns, the end of the game. No reading.

See spec/rules.md.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from types import MappingProxyType
from typing import Self

from thrive_engine.errors import IllegalTurnError, PositionError, TextError
from thrive_engine.games.base import Outcome
from thrive_engine.games.thrive import board, picture
from thrive_engine.games.thrive.board import Pieces
from thrive_engine.games.thrive.values import (
    FULL,
    HOLE_BITS,
    ORDER,
    PEGS,
    SQUARE_SHIFT,
    Hole,
    Movement,
    Peg,
    Piece,
    Reason,
    Side,
    Square,
    Turn,
    holes_of,
    in_order,
    movement_code,
    movement_of,
    peg_of,
    piece_text,
    turn_code,
    turn_of,
    turn_text,
)

MOST_PIECES = 6
MOST_PEGS = 2
SHORT = 12
"""An error lists what would be legal if it is no more than this."""
_SQUARE = {int(square): square for square in Square}


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """What stands on the board, the side to move, and the number of the turn.

    Made by ``parse_position``, by ``Position.of``, or by playing a turn in another position.
    ``white`` and ``black`` are the pieces as integers (board.py); ``pieces`` shows them as values.
    """

    white: Pieces
    black: Pieces
    side: Side
    number: int

    @classmethod
    def of(cls, pieces: Mapping[Square, Piece], side: Side = Side.WHITE, number: int = 1) -> Self:
        """The position with these pieces, or PositionError."""
        packed: tuple[list[int], list[int]] = ([], [])
        for square, piece in pieces.items():
            if square not in _SQUARE:
                raise PositionError(f"{square!r} is no square")
            packed[piece.side].append(square << SQUARE_SHIFT | piece.mask)
        check_pieces(len(packed[Side.WHITE]), len(packed[Side.BLACK]))
        if number < 1:
            raise PositionError(f"turns count from 1, not from {number}")
        white, black = map(sorted, packed)
        return cls(tuple(white), tuple(black), Side(side), number)

    @property
    def pieces(self) -> Mapping[Square, Piece]:
        """The pieces by square."""
        return MappingProxyType(
            {
                _SQUARE[packed >> SQUARE_SHIFT]: Piece(side, packed & PEGS)
                for side, own in ((Side.WHITE, self.white), (Side.BLACK, self.black))
                for packed in own
            }
        )

    @property
    def player(self) -> int:
        """The seat to move: 0 for White, 1 for Black."""
        return int(self.side)

    @property
    def own(self) -> Pieces:
        """The pieces of the side to move."""
        return self.black if self.side else self.white

    @property
    def enemy(self) -> Pieces:
        """The pieces of the side not to move."""
        return self.white if self.side else self.black

    # The end of the game

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, as far as the position alone tells; None while it goes on."""
        if not board.is_over(self.white, self.black):
            return None
        if len(self.white) == 1 or len(self.black) == 1:
            loser = Side.WHITE if len(self.white) == 1 else Side.BLACK
            captured = loser is self.side
            return _won_by(loser.other, Reason.CAPTURED if captured else Reason.OWN_CAPTURE)
        if board.has_full(self.enemy):
            return _won_by(self.side.other, Reason.FILLED_BY_PEGS)
        return _won_by(self.side, Reason.FILLED_BY_MOVEMENT)

    def outcome_by(self, turn: Turn) -> Outcome | None:
        """Like ``outcome``; the turn that led here tells how a piece came to be full."""
        outcome = self.outcome
        if outcome is not None and outcome.reason is Reason.FILLED_BY_PEGS and not turn.pegs:
            return replace(outcome, reason=Reason.FILLED_BY_MOVEMENT)
        return outcome

    # Turns

    @property
    def legal_turns(self) -> "LegalTurns":
        """The legal turns: iterate, ``len``, ``in``. None of these makes a list."""
        return LegalTurns(self.draft)

    @property
    def legal_movements(self) -> tuple[Movement, ...]:
        """The movements that can begin a turn; only ``SKIP`` where no piece can move."""
        return tuple(map(movement_of, board.movements(self.own, self.enemy)))

    @property
    def draft(self) -> "Draft":
        """The beginning of a turn, with nothing chosen."""
        return Draft(self, None, (), self)

    def play(self, turn: Turn) -> "Position":
        """The position after a turn, or IllegalTurnError."""
        draft = self.draft.add(turn.movement)
        for peg in turn.pegs:
            draft = draft.add(peg)
        return draft.finished().position

    def play_unchecked(self, turn: Turn) -> "Position":
        """The position after a turn that is known to be legal; for any other, anything."""
        own, enemy = self.own, self.enemy
        origin, target = turn.movement.origin, turn.movement.target
        if origin is not None and target is not None:
            own, enemy = board.moved(own, enemy, origin, target)
        return self._followed_by(board.pegged(own, turn.pegs), enemy)

    def is_capture(self, movement: Movement) -> bool:
        """Whether a piece, of either side, stands on the movement's target."""
        return any(packed >> SQUARE_SHIFT == movement.target for packed in self.white + self.black)

    def annotate(self, turn: Turn) -> str:
        """The turn as records write it: ``x`` for a capture, ``#`` where it wins for its player."""
        text = str(turn)
        if self.is_capture(turn.movement):
            text = f"{text[:2]}x{text[2:]}"
        outcome = self.play_unchecked(turn).outcome
        return f"{text}#" if outcome is not None and outcome.winner == self.side else text

    def _followed_by(self, own: Pieces, enemy: Pieces) -> "Position":
        if self.side:
            return Position(enemy, own, Side.WHITE, self.number + 1)
        return Position(own, enemy, Side.BLACK, self.number)

    # Symmetry and identity

    def mirrored(self) -> "Position":
        """The position with the wings exchanged: file a for f, and so in every piece."""
        white, black = board.mirrored(self.white), board.mirrored(self.black)
        return Position(white, black, self.side, self.number)

    def turned(self) -> "Position":
        """The board turned by half with the colours exchanged, so the other side is to move."""
        white, black = board.turned(self.black), board.turned(self.white)
        return Position(white, black, self.side.other, self.number)

    @property
    def identity(self) -> Hashable:
        """What repetition compares: pieces, pegs and the side to move, not the number."""
        return self.white, self.black, self.side

    @property
    def key(self) -> int:
        """The first 64 bits of the SHA-256 of the position's text without the turn number."""
        text = str(self).rpartition(" ")[0]
        return int.from_bytes(sha256(text.encode()).digest()[:8], "big")

    @property
    def symmetry_key(self) -> int:
        """The least ``key`` of the position and the three symmetric to it."""
        turned = self.turned()
        return min(each.key for each in (self, self.mirrored(), turned, turned.mirrored()))

    def __str__(self) -> str:
        squares = ["1"] * 48
        for side, own in ((Side.WHITE, self.white), (Side.BLACK, self.black)):
            for packed in own:
                squares[packed >> SQUARE_SHIFT] = piece_text(side, packed & PEGS)
        ranks = [_rank_text(tuple(squares[start : start + 6])) for start in (40, 32, 24, 16, 8, 0)]
        return f"{'/'.join(ranks)} {'wb'[self.side]} {self.number}"

    def __repr__(self) -> str:
        return f"parse_position({str(self)!r})"

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        return picture.draw_svg(self.pieces, self.side, outcome=self.outcome)


@dataclass(frozen=True, slots=True)
class LegalTurns(Collection[Turn]):
    """The legal turns that begin with a draft, made one by one as they are asked for."""

    draft: "Draft"

    def __iter__(self) -> Iterator[Turn]:
        return map(turn_of, self.codes())

    def __len__(self) -> int:
        draft = self.draft
        if draft.movement is None:
            return board.count_turns(draft.before.own, draft.before.enemy)
        if draft.is_complete:
            return 1
        holes = sum(24 - (packed & FULL).bit_count() for packed in draft.position.own)
        return holes if draft.pegs else board.peg_sets(holes)

    def __contains__(self, turn: object) -> bool:
        if not isinstance(turn, Turn):
            return False
        draft = self.draft
        if draft.movement not in (None, turn.movement) or not set(draft.pegs) <= set(turn.pegs):
            return False
        try:
            draft.before.play(turn)
        except IllegalTurnError:
            return False
        return True

    def codes(self) -> Iterator[int]:
        """The turns as integers, many times cheaper; ``turn_of`` makes turns of them."""
        draft = self.draft
        if draft.movement is None:
            for movement in board.movements(draft.before.own, draft.before.enemy):
                yield from _codes(draft.before, movement)
        elif not draft.pegs:
            yield from _codes(draft.before, movement_code(draft.movement))
        elif draft.is_complete:
            yield turn_code(Turn(draft.movement, draft.pegs))
        else:
            for code in board.free_codes(draft.position.own):
                yield turn_code(Turn(draft.movement, (*draft.pegs, peg_of(code))))


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn that is being built: where it began, what was chosen, the position as it stands.

    Until the turn is complete its player is to move in ``position``; then it is the position after
    the turn.
    """

    before: Position
    movement: Movement | None
    pegs: tuple[Peg, ...]
    position: Position

    @property
    def is_complete(self) -> bool:
        return self.position.side is not self.before.side

    @property
    def turn(self) -> Turn | None:
        """The turn, where it is complete."""
        if self.movement is None or not self.is_complete:
            return None
        return Turn(self.movement, self.pegs)

    @property
    def stage(self) -> str:
        """What follows: ``movement``, ``peg``, or nothing where the turn is complete."""
        if self.is_complete:
            return ""
        return "movement" if self.movement is None else "peg"

    @property
    def turns(self) -> LegalTurns:
        """The legal turns that begin like this."""
        return LegalTurns(self)

    @property
    def choices(self) -> tuple[Movement | Peg, ...]:
        """What may follow: a movement at first, then pegs; nothing after a whole turn."""
        if self.movement is None:
            return self.before.legal_movements
        if self.is_complete:
            return ()
        return tuple(map(peg_of, board.free_codes(self.position.own)))

    @property
    def targets(self) -> dict[Square, tuple[Square, ...]]:
        """The pieces that can move now, each with the squares it can go to."""
        if self.movement is not None or self.before.outcome is not None:
            return {}
        reach = {
            _SQUARE[packed >> SQUARE_SHIFT]: board.reach(packed & PEGS, packed >> SQUARE_SHIFT)
            for packed in self.before.own
        }
        return {
            square: tuple(_SQUARE[target] for target in board.bits(to))
            for square, to in reach.items()
            if to
        }

    @property
    def holes(self) -> dict[Square, tuple[Hole, ...]]:
        """The pieces that can take a peg now, each with its empty holes."""
        if self.movement is None or self.is_complete:
            return {}
        free = {
            _SQUARE[packed >> SQUARE_SHIFT]: FULL & ~packed
            for packed in self.position.own
            if not board.is_full(packed)
        }
        return {square: holes_of(free[square]) for square in sorted(free, key=ORDER.__getitem__)}

    def add(self, part: Movement | Peg) -> "Draft":
        """The draft with one part more, or IllegalTurnError."""
        if isinstance(part, Movement):
            return self._add_movement(part)
        return self._add_peg(part)

    def finished(self) -> "Draft":
        """This draft, or IllegalTurnError where its turn is not complete."""
        if self.is_complete:
            return self
        text = str(self)
        missing = min(MOST_PEGS - len(self.pegs), len(self.choices))
        if self.movement is None:
            reason = self._why_not_begun()
        elif missing == 1:
            reason = "one more peg must be placed"
        else:
            reason = "two pegs must be placed"
        raise IllegalTurnError(text, "end", len(text), reason, _short(self.choices))

    def __str__(self) -> str:
        return "" if self.movement is None else turn_text(self.movement, self.pegs)

    def _add_movement(self, movement: Movement) -> "Draft":
        if self.movement is not None:
            raise self._refused(movement, "a turn has only one movement")
        own, enemy = self.before.own, self.before.enemy
        if board.is_over(own, enemy):
            raise self._refused(movement, self._why_not_begun())
        origin, target = movement.origin, movement.target
        if origin is None or target is None:
            if board.movements(own, enemy) != [0]:
                reason = "a piece can move, so the movement is not skipped"
                raise self._refused(movement, reason, _short(self.choices))
            return self._with(movement, (), own, enemy)
        pegs = board.pegs_on(own, origin)
        if pegs is None:
            legal = _short(tuple(self.targets))
            raise self._refused(movement, self._why_not_own(origin), legal)
        if not board.reach(pegs, origin) >> target & 1:
            legal = _short(tuple(f"{origin}{to}" for to in self.targets.get(origin, ())))
            raise self._refused(movement, f"no peg of {origin} leads to {target}", legal)
        return self._with(movement, (), *board.moved(own, enemy, origin, target))

    def _add_peg(self, peg: Peg) -> "Draft":
        if self.movement is None:
            raise self._refused(peg, self._why_not_begun())
        if self.is_complete:
            raise self._refused(peg, self._why_complete())
        pegs = board.pegs_on(self.position.own, peg.square)
        if pegs is None:
            raise self._refused(peg, self._why_not_own(peg.square), _short(tuple(self.holes)))
        if pegs & HOLE_BITS[peg.hole]:
            legal = _short(tuple(f"{peg.square}{hole}" for hole in holes_of(FULL & ~pegs)))
            raise self._refused(peg, f"hole {peg.hole} of {peg.square} has a peg already", legal)
        own = board.pegged(self.position.own, (peg,))
        return self._with(self.movement, in_order((*self.pegs, peg)), own, self.position.enemy)

    def _with(
        self, movement: Movement, pegs: tuple[Peg, ...], own: Pieces, enemy: Pieces
    ) -> "Draft":
        ended = board.is_over(own, enemy) if not pegs else len(pegs) == MOST_PEGS
        if ended or all(map(board.is_full, own)):
            position = self.before._followed_by(own, enemy)
        elif self.before.side:
            position = Position(enemy, own, self.before.side, self.before.number)
        else:
            position = Position(own, enemy, self.before.side, self.before.number)
        return Draft(self.before, movement, pegs, position)

    def _why_not_begun(self) -> str:
        if self.before.outcome is None:
            return "a turn begins with a movement"
        return f"the game is over: {self.before.outcome}"

    def _why_complete(self) -> str:
        if len(self.pegs) == MOST_PEGS:
            return "two pegs are placed already"
        return "no hole is empty" if self.position.outcome is None else "the movement ends the game"

    def _why_not_own(self, square: Square) -> str:
        there = self.before if self.movement is None else self.position
        foreign = board.pegs_on(there.white + there.black, square) is not None
        return f"the piece on {square} is the opponent's" if foreign else f"{square} is empty"

    def _refused(self, part: Movement | Peg, reason: str, legal: tuple[str, ...] = ()) -> TextError:
        name = "movement" if isinstance(part, Movement) else "peg"
        before = f"{self}+" if self.movement is not None else ""
        return IllegalTurnError(f"{before}{part}", f"{name} '{part}'", len(before), reason, legal)


def check_pieces(white: int, black: int) -> None:
    """Whether a position may have this many pieces a side, or PositionError."""
    for name, count in (("White", white), ("Black", black)):
        if not 1 <= count <= MOST_PIECES:
            raise PositionError(f"{name} has {count} pieces; a side has 1 to {MOST_PIECES}")
    if white == black == 1:
        raise PositionError("both sides have one piece; one of them must have won before")


def _codes(position: Position, movement: int) -> list[int]:
    own, enemy = position.own, position.enemy
    if movement:
        own, enemy = board.moved(own, enemy, movement >> 6, movement & 63)
    base = movement << 24
    free = [] if board.is_over(own, enemy) else board.free_codes(own)
    if len(free) < MOST_PEGS:
        return [base | (free[0] << 12 if free else 0)]
    return [base | first << 12 | second for first, second in combinations(free, 2)]


def _won_by(side: Side, reason: Reason) -> Outcome:
    return Outcome((0.0, 1.0) if side else (1.0, 0.0), reason)


def _short(legal: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(map(str, legal)) if len(legal) <= SHORT else ()


@lru_cache(maxsize=1 << 12)
def _rank_text(squares: tuple[str, ...]) -> str:
    text = ""
    empty = 0
    for square in squares:
        if square == "1":
            empty += 1
            continue
        text += f"{empty or ''}{square}"
        empty = 0
    return f"{text}{empty or ''}"
