"""A game that is being played: its positions and turns so far, repetition, and taking back."""

from collections import Counter
from collections.abc import Hashable
from typing import Any

from thrive_engine.errors import IllegalTurnError
from thrive_engine.games import thrive
from thrive_engine.games.base import Outcome, Rules


class Game:
    """A game with its history, from the start or from any position.

    >>> game = Game()
    >>> game.play("a1a2+a2gi")
    >>> print(game.position)
    BrBrBrBrBrBr/6/6/6/Wghi5/1WhWhWhWhWh b 1
    """

    def __init__(self, position: Any = None, rules: Rules = thrive) -> None:
        self.rules = rules
        self._positions = [rules.start if position is None else position]
        self._turns: list[Any] = []
        self._seen: Counter[Hashable] = Counter([self.position.identity])

    @property
    def start(self) -> Any:
        """The position in which the game began."""
        return self._positions[0]

    @property
    def position(self) -> Any:
        """The position as it stands."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Any, ...]:
        """Every position so far, the present one last."""
        return tuple(self._positions)

    @property
    def turns(self) -> tuple[Any, ...]:
        """Every turn so far."""
        return tuple(self._turns)

    @property
    def repetitions(self) -> int:
        """How many times the present position has stood, this time included."""
        return self._seen[self.position.identity]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, repetition included; None while it goes on."""
        position = self.position
        outcome: Outcome | None
        outcome = position.outcome_by(self._turns[-1]) if self._turns else position.outcome
        if outcome is None and self.repetitions >= 3:
            outcome = self.rules.repetition
        return outcome

    def play(self, turn: Any) -> None:
        """Play a turn, or the text of one; a TextError leaves all as it was."""
        if isinstance(turn, str):
            turn = self.rules.parse_turn(turn, self.position)
        position = self.position.play(turn)
        outcome = self.outcome
        if outcome is not None:
            raise IllegalTurnError(str(turn), "", 0, f"the game is over: {outcome}")
        self._positions.append(position)
        self._turns.append(turn)
        self._seen[position.identity] += 1

    def undo(self) -> Any:
        """Take the last turn back and return it; IndexError where there is none."""
        turn = self._turns.pop()
        self._seen[self._positions.pop().identity] -= 1
        return turn
