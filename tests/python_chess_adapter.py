"""What python-chess's UCI client needs to know of a game, answered for Thrive.

``chess.engine`` asks a board for little: where it began, which moves followed, whose turn it is,
and what a text means. So a class with these few members stands in for ``chess.Board``.
"""

from typing import Any, ClassVar, Self

import chess

from thrive_engine import START, Position, parse_turn
from thrive_engine.game import Game


class ThriveMove:
    """A turn in the place of a ``chess.Move``; without a turn it is the null move, and false."""

    def __init__(self, turn: Any = None) -> None:
        self.turn = turn

    def uci(self) -> str:
        return "0000" if self.turn is None else str(self.turn)

    def __bool__(self) -> bool:
        return self.turn is not None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ThriveMove) and self.turn == other.turn

    def __hash__(self) -> int:
        return hash(self.turn)

    def __repr__(self) -> str:
        return f"ThriveMove({self.uci()})"


class ThriveBoard:
    """A game of Thrive in the place of a ``chess.Board``."""

    uci_variant: ClassVar[str] = "thrive"
    chess960 = False

    def __init__(self, start: Position = START, moves: tuple[ThriveMove, ...] = ()) -> None:
        self._start = start
        self._game = Game(start)
        self.move_stack: list[ThriveMove] = []
        for move in moves:
            self.push(move)

    @property
    def position(self) -> Position:
        position: Position = self._game.position
        return position

    @property
    def turn(self) -> chess.Color:
        return self.position.player == 0

    def is_game_over(self) -> bool:
        return self._game.outcome is not None

    def root(self) -> "ThriveBoard":
        return ThriveBoard(self._start)

    def fen(self, *, shredder: bool = False, en_passant: str = "legal") -> str:
        return str(self.position)

    def copy(self, *, stack: bool = True) -> "ThriveBoard":
        return (
            ThriveBoard(self._start, tuple(self.move_stack))
            if stack
            else ThriveBoard(self.position)
        )

    def parse_uci(self, text: str) -> ThriveMove:
        """The move of a text; python-chess catches the ValueError of one that is not legal."""
        return ThriveMove(None if text == "0000" else parse_turn(text, self.position))

    def push(self, move: ThriveMove) -> None:
        if move:
            self._game.play(move.turn)
        self.move_stack.append(move)

    def push_uci(self, text: str) -> ThriveMove:
        move = self.parse_uci(text)
        self.push(move)
        return move

    def pop(self) -> ThriveMove:
        move = self.move_stack.pop()
        if move:
            self._game.undo()
        return move

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ThriveBoard) and self.position == other.position

    def __hash__(self) -> int:
        return hash(self.position)

    def __copy__(self) -> Self:
        return type(self)(self._start, tuple(self.move_stack))
