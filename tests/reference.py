"""Thrive a second time, slowly: an implementation from spec/ alone, to test the first one against.

A board is a dict from a square's text to a piece's side and the set of its pegs' letters; a turn is
a pair of squares, or None, and a set of pegs. Nothing is shared with the package, nothing is fast.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations
from typing import NamedTuple

FILES = "abcdef"
RANKS = "123456"
SQUARES = [file + rank for file in FILES for rank in RANKS]
LETTERS = "abcdefghijklmnopqrstuvwxy"
HOLES = frozenset(LETTERS) - {"m"}
START = "BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh w 1"

Board = dict[str, tuple[str, frozenset[str]]]
Peg = tuple[str, str]
Movement = tuple[str, str] | None


class RefusedError(ValueError):
    """A text that is no position, or no legal turn."""


class Position(NamedTuple):
    board: Board
    side: str
    number: int


class Turn(NamedTuple):
    movement: Movement
    pegs: frozenset[Peg]


# Positions as text


def parse_position(text: str) -> Position:
    fields = text.strip(" \t\r\n\v\f").split(" ")
    if len(fields) != 3:
        raise RefusedError("three fields")
    rows, side, number = fields
    if side not in ("w", "b"):
        raise RefusedError("side")
    if not number or any(digit not in "0123456789" for digit in number) or number[0] == "0":
        raise RefusedError("number")
    ranks = rows.split("/")
    if len(ranks) != 6:
        raise RefusedError("six ranks")
    board: Board = {}
    for rank, row in zip(reversed(RANKS), ranks, strict=True):
        read_rank(row, rank, board)
    white, black = count(board, "w"), count(board, "b")
    if not (1 <= white <= 6 and 1 <= black <= 6) or white == black == 1:
        raise RefusedError("pieces")
    return Position(board, side, int(number))


def read_rank(row: str, rank: str, board: Board) -> None:
    file = 0
    counted = False
    while row:
        if file > 5:
            raise RefusedError("more than six squares")
        head, row = row[0], row[1:]
        if head in ("W", "B"):
            letters = ""
            while row and (row[0] in LETTERS or row[0] == "~"):
                letters, row = letters + row[0], row[1:]
            board[FILES[file] + rank] = (head.lower(), read_holes(letters))
            file += 1
            counted = False
        elif head in RANKS and not counted:
            file += int(head)
            counted = True
        else:
            raise RefusedError("no piece and no count")
    if file != 6:
        raise RefusedError("not six squares")


def read_holes(letters: str) -> frozenset[str]:
    named = letters[1:] if letters.startswith("~") else letters
    if not set(named) <= HOLES or sorted(set(named)) != list(named):
        raise RefusedError("holes")
    return HOLES - set(named) if letters.startswith("~") else frozenset(named)


def write_position(position: Position) -> str:
    ranks = "/".join(write_rank(position.board, rank) for rank in reversed(RANKS))
    return f"{ranks} {position.side} {position.number}"


def write_rank(board: Board, rank: str) -> str:
    text = "".join(write_piece(*board[f + rank]) if f + rank in board else "." for f in FILES)
    for empty in range(6, 0, -1):
        text = text.replace("." * empty, str(empty))
    return text


def write_piece(side: str, pegs: frozenset[str]) -> str:
    if len(pegs) > 12:
        return side.upper() + "~" + "".join(sorted(HOLES - pegs))
    return side.upper() + "".join(sorted(pegs))


# Turns as text


def parse_turn(text: str, position: Position) -> Turn:
    text = text.strip(" \t\r\n\v\f")
    wins = text.endswith("#")
    head, *groups = (text[:-1] if wins else text).split("+")
    takes = len(head) == 5 and head[2] == "x"
    if takes:
        head = head[:2] + head[3:]
    if head != "0000" and not (len(head) == 4 and head[:2] in SQUARES and head[2:] in SQUARES):
        raise RefusedError("movement")
    pegs: list[Peg] = []
    for group in groups:
        square, holes = group[:2], group[2:]
        if square not in SQUARES or not holes or not set(holes) <= HOLES:
            raise RefusedError("group")
        pegs += [(square, hole) for hole in holes]
    movement = None if head == "0000" else (head[:2], head[2:])
    turn = Turn(movement, frozenset(pegs))
    if len(turn.pegs) != len(pegs) or not is_legal(position, turn):
        raise RefusedError("illegal")
    if takes and (movement is None or movement[1] not in position.board):
        raise RefusedError("nothing is captured")
    if wins and winner(play(position, turn)) != position.side:
        raise RefusedError("no win")
    return turn


def write_turn(turn: Turn) -> str:
    text = "0000" if turn.movement is None else "".join(turn.movement)
    for square in SQUARES:
        holes = "".join(sorted(hole for at, hole in turn.pegs if at == square))
        text += f"+{square}{holes}" if holes else ""
    return text


# Rules


def count(board: Board, side: str) -> int:
    return sum(owner == side for owner, _ in board.values())


def other(side: str) -> str:
    return "b" if side == "w" else "w"


def winner_between(board: Board, mover: str) -> str | None:
    """Who has won where ``mover`` is the player whose turn it is, or has just been."""
    for side in "wb":
        if count(board, side) == 1:
            return other(side)
    if count(board, "w") == count(board, "b") == 2:
        full = {owner for owner, pegs in board.values() if pegs == HOLES}
        if full:
            return mover if mover in full else other(mover)
    return None


def winner(position: Position) -> str | None:
    return winner_between(position.board, other(position.side))


def outcome(position: Position) -> str | None:
    return {"w": "1-0", "b": "0-1", None: None}[winner(position)]


def target_of(square: str, hole: str) -> str | None:
    number = LETTERS.index(hole)
    file = FILES.index(square[0]) + number % 5 - 2
    rank = RANKS.index(square[1]) + 2 - number // 5
    return FILES[file] + RANKS[rank] if 0 <= file < 6 and 0 <= rank < 6 else None


def movements(position: Position) -> list[Movement]:
    if winner(position):
        return []
    found: list[Movement] = []
    for square, (owner, pegs) in position.board.items():
        if owner == position.side:
            targets = [target_of(square, hole) for hole in sorted(pegs)]
            found += [(square, target) for target in targets if target]
    return found or [None]


def moved(board: Board, movement: Movement) -> Board:
    after = dict(board)
    if movement is not None:
        after[movement[1]] = after.pop(movement[0])
    return after


def free_pegs(board: Board, side: str) -> list[Peg]:
    return [
        (square, hole)
        for square, (owner, pegs) in board.items()
        if owner == side
        for hole in sorted(HOLES - pegs)
    ]


def turns_after(position: Position, movement: Movement) -> Iterator[Turn]:
    board = moved(position.board, movement)
    free = [] if winner_between(board, position.side) else free_pegs(board, position.side)
    for pegs in combinations(free, min(2, len(free))):
        yield Turn(movement, frozenset(pegs))


def turns(position: Position) -> Iterator[Turn]:
    for movement in movements(position):
        yield from turns_after(position, movement)


def is_legal(position: Position, turn: Turn) -> bool:
    return turn.movement in movements(position) and turn in turns_after(position, turn.movement)


def counts(position: Position) -> dict[str, int]:
    """How many turns begin with each movement."""
    return {
        write_turn(Turn(movement, frozenset())): sum(1 for _ in turns_after(position, movement))
        for movement in movements(position)
    }


def play(position: Position, turn: Turn) -> Position:
    board = moved(position.board, turn.movement)
    for square, hole in turn.pegs:
        owner, pegs = board[square]
        board[square] = (owner, pegs | {hole})
    number = position.number + (position.side == "b")
    return Position(board, other(position.side), number)


def how_it_ended(before: Position, turn: Turn) -> str | None:
    """The reason in the words of the vectors' games, repetition apart."""
    after = play(before, turn)
    won = winner(after)
    if won is None:
        return None
    if 1 in (count(after.board, "w"), count(after.board, "b")):
        return "capture" if won == before.side else "own capture"
    if turn.pegs:
        return "filling, by pegs"
    return "filling, by movement, " + ("mover" if won == before.side else "other")


# Symmetry and keys


def mirrored(position: Position) -> Position:
    board = {
        mirrored_square(square): (owner, frozenset(map(mirrored_hole, pegs)))
        for square, (owner, pegs) in position.board.items()
    }
    return Position(board, position.side, position.number)


def turned(position: Position) -> Position:
    board = {
        turned_square(square): (other(owner), frozenset(map(turned_hole, pegs)))
        for square, (owner, pegs) in position.board.items()
    }
    return Position(board, other(position.side), position.number)


def mirrored_square(square: str) -> str:
    return FILES[5 - FILES.index(square[0])] + square[1]


def turned_square(square: str) -> str:
    return mirrored_square(square)[0] + RANKS[5 - RANKS.index(square[1])]


def mirrored_hole(hole: str) -> str:
    row, column = divmod(LETTERS.index(hole), 5)
    return LETTERS[5 * row + 4 - column]


def turned_hole(hole: str) -> str:
    return LETTERS[24 - LETTERS.index(hole)]


def key(position: Position) -> int:
    text = write_position(position).rsplit(" ", 1)[0]
    return int(sha256(text.encode("ascii")).hexdigest()[:16], 16)


def symmetry_key(position: Position) -> int:
    half = turned(position)
    return min(map(key, (position, mirrored(position), half, mirrored(half))))
