"""Reading Thrive's notation: squares, holes, pieces, positions, turns and half-built turns.

    position = board " " ("w" | "b") " " number          number from 1, no leading zero
    board    = rank "/" rank ... (six, from rank 6 to 1)
    rank     = pieces and counts "1".."6" of empty squares, no two counts side by side; six squares
    piece    = ("W" | "B") [ "~" ] holes                  in order; after "~" the empty ones
    turn     = ( "0000" | square ["x"] square ) { "+" square hole { hole } } [ "#" ]

White space around a text is dropped. See spec/notation.md.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from thrive_engine.errors import IllegalTurnError, NotationError, PositionError, quote
from thrive_engine.games.thrive.rules import MOST_PEGS, Draft, Position, check_pieces
from thrive_engine.games.thrive.values import (
    FULL,
    HOLES,
    LETTERS,
    SKIP,
    SQUARE_SHIFT,
    Hole,
    Movement,
    Peg,
    Piece,
    Side,
    Square,
    Turn,
    mask_of,
)

WHITE_SPACE = " \t\r\n\v\f"
LONGEST_NUMBER = 1000

_SQUARES = {str(square): square for square in Square}
_PEGS = {f"{square}{hole}": Peg(square, hole) for square in Square for hole in HOLES}
_CELL = re.compile(r"([WB])(~?)([a-z]*)|([0-9]+)")
_NUMBER = re.compile(r"[1-9][0-9]*")
_TURN = re.compile(r"(?:0000|([a-f][1-6])(x?)([a-f][1-6]))((?:\+[a-f][1-6][a-ln-y]+)*)(#?)")
_MOVEMENT = re.compile(r"0000|[a-f][1-6]x?[a-f][1-6]")


def parse_square(text: str) -> Square:
    """The square of a text like ``a1``."""
    square = _SQUARES.get(text.strip(WHITE_SPACE))
    if square is None:
        raise NotationError(text, "", 0, "a square is a file a-f and a rank 1-6", kind="bad square")
    return square


def parse_hole(text: str) -> Hole:
    """The hole of a letter a-y; ``m`` is the centre."""
    letter = text.strip(WHITE_SPACE)
    if len(letter) != 1 or letter not in LETTERS:
        raise NotationError(text, "", 0, "a hole is a letter a-y", kind="bad hole")
    return Hole(LETTERS.index(letter))


def parse_piece(text: str) -> Piece:
    """The piece of a text like ``Wghi`` or ``B~cw``."""
    stripped, offset = _strip(text)
    cell = _CELL.fullmatch(stripped)
    if cell is None or not cell[1]:
        raise NotationError(text, "", 0, "a piece is W or B and its holes", kind="bad piece")
    mask = _mask(cell[2], cell[3])
    if mask is None:
        at, reason = _explain_holes(cell[3])
        raise NotationError(text, "holes", offset + cell.start(3) + at, reason, kind="bad piece")
    return Piece(Side.WHITE if cell[1] == "W" else Side.BLACK, mask)


def parse_position(text: str) -> Position:
    """The position of a text, or NotationError."""
    stripped, offset = _strip(text)
    fields = stripped.split(" ")
    if len(fields) != 3:
        raise _bad_fields(text, stripped, fields, offset)
    board, side, number = fields
    white, black = _read_board(text, board, offset)
    if side not in ("w", "b"):
        place = offset + len(board) + 1
        raise _bad(text, f"side to move {quote(side, 20)}", place, "it is w or b")
    if not _NUMBER.fullmatch(number) or len(number) > LONGEST_NUMBER:
        place = offset + len(board) + len(side) + 2
        reason = (
            f"it is a whole number from 1, without leading zero, of at most {LONGEST_NUMBER} digits"
        )
        raise _bad(text, f"turn number {quote(number, 20)}", place, reason)
    return Position(white, black, Side.WHITE if side == "w" else Side.BLACK, int(number))


def parse_turn(text: str, position: Position | None = None) -> Turn:
    """The turn of a text, legal in the position, or NotationError or IllegalTurnError.

    Without a position only the form is checked: the turn, an ``x`` and a ``#`` are believed.
    """
    written = _read_turn(text)
    if position is None:
        return _formed(text, written)
    draft = _drafted(text, written, position)
    try:
        draft.finished()
    except IllegalTurnError as error:
        place = len(text.rstrip(WHITE_SPACE))
        raise IllegalTurnError(text, error.part, place, error.reason, error.legal) from None
    _check_win(text, written, draft)
    assert draft.turn is not None
    return draft.turn


def parse_draft(text: str, position: Position) -> Draft:
    """The half-built turn of a text: nothing, ``a1a2``, ``a1a2+a2g``, or a whole turn."""
    if not text.strip(WHITE_SPACE):
        return position.draft
    written = _read_turn(text)
    draft = _drafted(text, written, position)
    _check_win(text, written, draft)
    return draft


@dataclass(slots=True)
class _Written:
    """A well-formed turn with the places of its parts."""

    movement: Movement
    movement_at: int
    capture_at: int | None
    pegs: list[tuple[Peg, int]]
    win_at: int | None


def _read_turn(text: str) -> _Written:
    stripped, offset = _strip(text)
    match = _TURN.fullmatch(stripped)
    if match is None:
        raise _explain_turn(text, stripped, offset)
    origin, capture, target, groups, win = match.groups()
    pegs: list[tuple[Peg, int]] = []
    if groups:
        place = offset + match.start(4) + 1
        for group in groups[1:].split("+"):
            square = group[:2]
            for number, hole in enumerate(group[2:]):
                pegs.append((_PEGS[square + hole], place + 2 + number if number else place))
            place += len(group) + 1
    return _Written(
        SKIP if origin is None else Movement(_SQUARES[origin], _SQUARES[target]),
        offset,
        offset + match.start(2) if capture else None,
        pegs,
        offset + match.start(5) if win else None,
    )


def _drafted(text: str, written: _Written, position: Position) -> Draft:
    draft, place = position.draft, written.movement_at
    try:
        draft = draft.add(written.movement)
        for peg, at in written.pegs:
            place = at
            draft = draft.add(peg)
    except IllegalTurnError as error:
        raise IllegalTurnError(text, error.part, place, error.reason, error.legal) from None
    if written.capture_at is not None and not position.is_capture(written.movement):
        reason = f"{written.movement.target} is empty, so nothing is captured"
        raise IllegalTurnError(text, "mark 'x'", written.capture_at, reason)
    return draft


def _check_win(text: str, written: _Written, draft: Draft) -> None:
    if written.win_at is None:
        return
    if not draft.is_complete:
        raise _bad_turn(text, "mark '#'", written.win_at, "only a whole turn has it")
    outcome = draft.position.outcome
    if outcome is None or outcome.winner != draft.before.side:
        reason = "the turn does not win for its player"
        raise IllegalTurnError(text, "mark '#'", written.win_at, reason)


def _formed(text: str, written: _Written) -> Turn:
    seen: set[Peg] = set()
    for peg, place in written.pegs:
        if peg in seen or len(seen) == MOST_PEGS:
            reason = "it is named twice" if peg in seen else "a turn has at most two pegs"
            raise _bad_turn(text, f"peg '{peg}'", place, reason)
        seen.add(peg)
    if written.movement == SKIP and not seen:
        raise _bad_turn(text, "", 0, "0000 alone is no turn")
    return Turn(written.movement, tuple(seen))


def _explain_turn(text: str, stripped: str, offset: int) -> NotationError:
    """Why a text is not a turn: its first part that is not well formed."""
    if not stripped:
        return _bad_turn(text, "", offset, "it is empty; a turn is written like a1a2+a2gi")
    head, *groups = stripped.removesuffix("#").split("+")
    if not _MOVEMENT.fullmatch(head):
        return _bad_turn(text, f"movement {quote(head, 20)}", offset, _explain_movement(head))
    place = offset + len(head) + 1
    for group in groups:
        reason = _explain_group(group)
        if reason:
            return _bad_turn(text, f"pegs {quote(group, 20)}", place, reason)
        place += len(group) + 1
    return _bad_turn(text, "", offset, "a turn is written like a1a2+a2gi")


def _explain_movement(head: str) -> str:
    if not head:
        return "there is none; a turn begins with two squares, or with 0000"
    if head[2:3] == "x" and len(head) == 5:
        head = head[:2] + head[3:]
    for square in (head[:2], head[2:]):
        if len(head) == 4 and square not in _SQUARES:
            return f"{quote(square)} is no square; squares are a1 to f6"
    return "a movement is two squares, like a1a2 or c3xd5, or 0000"


def _explain_group(group: str) -> str:
    if not group:
        return "a square and one or two holes follow '+'"
    if group[:2] not in _SQUARES:
        return f"{quote(group[:2])} is no square; squares are a1 to f6"
    if len(group) == 2:
        return f"no hole is named after {group}"
    bad = next((letter for letter in group[2:] if letter not in LETTERS or letter == "m"), "")
    if bad == "m":
        return "hole m is the centre, always filled and never written"
    return f"{quote(bad)} is no hole; holes are a to y" if bad else ""


def _read_board(text: str, board: str, offset: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    ranks = board.split("/")
    if len(ranks) != 6:
        reason = f"six ranks are joined by '/', from 6 to 1; there are {len(ranks)}"
        raise _bad(text, "board", offset, reason)
    pieces: tuple[list[int], list[int]] = ([], [])
    place = offset
    for number, rank in zip((5, 4, 3, 2, 1, 0), ranks, strict=True):
        _read_rank(text, rank, number, place, pieces)
        place += len(rank) + 1
    white, black = pieces
    try:
        check_pieces(len(white), len(black))
    except PositionError as error:
        raise _bad(text, "board", offset, str(error)) from None
    return tuple(sorted(white)), tuple(sorted(black))


def _read_rank(
    text: str, rank: str, number: int, place: int, pieces: tuple[list[int], list[int]]
) -> None:
    part = f"rank {number + 1}"
    at = file = 0
    after_count = False
    while at < len(rank):
        cell = _CELL.match(rank, at)
        if cell is None:
            raise _bad(text, part, place + at, f"{quote(rank[at])} is no piece and no count")
        colour, tilde, letters, count = cell.groups()
        if colour:
            if file > 5:
                raise _bad(text, part, place + at, "it has more than six squares")
            mask = _mask(tilde, letters)
            if mask is None:
                bad, reason = _explain_holes(letters)
                square = f"{part}, square {'abcdef'[file]}{number + 1}"
                raise _bad(text, square, place + cell.start(3) + bad, reason)
            pieces[colour == "B"].append((8 * number + file) << SQUARE_SHIFT | mask)
            file += 1
        elif after_count or count not in "123456" or len(count) > 1:
            reason = "counts are 1 to 6, no two side by side"
            raise _bad(text, part, place + at, f"{quote(count, 20)}: {reason}")
        else:
            file += int(count)
        after_count = not colour
        at = cell.end()
    if file != 6:
        raise _bad(text, part, place, f"it has {file} squares, not six")


@lru_cache(maxsize=1 << 16)
def _mask(tilde: str, letters: str) -> int | None:
    """The mask of a piece's pegs, or None where its letters are not well formed."""
    if len(letters) > 24 or "m" in letters or "z" in letters:
        return None
    if any(first >= second for first, second in pairwise(letters)):
        return None
    return FULL & ~mask_of(letters) if tilde else mask_of(letters)


def _explain_holes(letters: str) -> tuple[int, str]:
    for at, letter in enumerate(letters):
        if letter == "z":
            return at, "'z' is no hole; holes are a to y"
        if letter == "m":
            return at, "hole m is the centre, always filled and never written"
        if at and letter <= letters[at - 1]:
            return at, f"hole {letter} after {letters[at - 1]}: holes are in order, each once"
    raise AssertionError("these holes are well formed")


def _bad_fields(text: str, stripped: str, fields: list[str], offset: int) -> NotationError:
    form = "a position is '<board> <w or b> <turn number>'"
    if not stripped:
        return _bad(text, "", 0, f"it is empty; {form}")
    if "" in fields:
        return _bad(text, "fields", offset + stripped.index("  "), "one space separates two fields")
    missing = ("side to move", "turn number")[len(fields) - 1 :]
    if missing:
        place = offset + len(stripped)
        return _bad(text, missing[0], place, f"there is none; {form}")
    place = offset + sum(len(field) + 1 for field in fields[:3])
    return _bad(text, f"field {quote(fields[3], 20)}", place, f"there are only three; {form}")


def _strip(text: str) -> tuple[str, int]:
    """The text without the white space around it, and how much of it was in front."""
    stripped = text.strip(WHITE_SPACE)
    return stripped, 0 if len(stripped) == len(text) else text.find(stripped[:1])


def _bad(text: str, part: str, place: int, reason: str) -> NotationError:
    return NotationError(text, part, place, reason, kind="bad position")


def _bad_turn(text: str, part: str, place: int, reason: str) -> NotationError:
    return NotationError(text, part, place, reason, kind="bad turn")
