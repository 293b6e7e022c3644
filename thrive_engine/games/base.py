"""The contract of a game: all that the layers above the rules know of one.

A game is a folder in ``games/`` whose module keeps the contract ``Rules``. Nothing here says that
there are two players or that they alternate: a position names the player whose turn it is, an
outcome has a score for each seat, and a turn is made of parts, chosen one after the other.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, Self


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: a score for each player, in the order of seats, and the reason."""

    scores: tuple[float, ...]
    reason: Enum

    @property
    def winner(self) -> int | None:
        """The seat of the only winner, or None."""
        return self.scores.index(1.0) if 1.0 in self.scores else None

    @property
    def result(self) -> str:
        """The result as records write it: ``1-0``, ``0-1``, ``1/2-1/2``."""
        return "-".join("1/2" if score == 0.5 else f"{score:g}" for score in self.scores)

    def __str__(self) -> str:
        return f"{self.result} ({self.reason.value})"


class Turn(Protocol):
    """A whole turn, or one part of it: a value that writes itself canonically."""

    def __hash__(self) -> int: ...
    def __str__(self) -> str: ...


class Turns(Collection[Any], Protocol):
    """The legal turns of a position: iterate, count with ``len``, ask with ``in``; never a list."""


class Draft(Protocol):
    """A turn that is being built, part by part."""

    @property
    def position(self) -> "Position":
        """The position as it stands: after the turn, where the turn is complete."""

    @property
    def stage(self) -> str:
        """What kind of part follows, in one word; empty where the turn is complete."""

    @property
    def turns(self) -> Turns:
        """The legal turns that begin like this."""

    @property
    def choices(self) -> Sequence[Any]:
        """The parts that may follow; none where the turn is complete."""

    @property
    def turn(self) -> Any | None:
        """The turn, where it is complete."""

    def add(self, part: Any) -> Self:
        """The draft with one part more, or IllegalTurnError."""

    def __str__(self) -> str: ...


class Position(Protocol):
    """An immutable position: equal by content, written by ``str``."""

    @property
    def player(self) -> int:
        """The seat, from 0, whose turn it is."""

    @property
    def identity(self) -> Hashable:
        """What is compared for repetition: the position without any counter."""

    @property
    def key(self) -> int:
        """64 bits, equal for positions of equal identity, the same on every machine."""

    @property
    def symmetry_key(self) -> int:
        """Like ``key``, and equal for symmetric positions."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, as far as this position tells; None while it goes on."""

    @property
    def legal_turns(self) -> Turns: ...

    @property
    def draft(self) -> Any:
        """The beginning of a turn: a Draft with nothing chosen."""

    def play(self, turn: Any) -> Self:
        """The position after a turn, or IllegalTurnError."""

    def play_unchecked(self, turn: Any) -> Self:
        """The position after a turn that is known to be legal; for any other, anything."""

    def outcome_by(self, turn: Any) -> Outcome | None:
        """Like ``outcome``, told apart by the turn that led here."""

    def annotate(self, turn: Any) -> str:
        """The turn as records write it, with marks for captures and wins."""

    def __hash__(self) -> int: ...
    def __str__(self) -> str: ...


class Rules(Protocol):
    """A game. The module of a game's folder is such an object."""

    @property
    def name(self) -> str: ...

    @property
    def start(self) -> Any:
        """The position in which a game begins."""

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the seats, in order; they are the tags of a record."""

    @property
    def searcher(self) -> str:
        """The name of the searcher that plays it best."""

    @property
    def repetition(self) -> Outcome | None:
        """The outcome when a position stands for the third time; None where it may."""

    @property
    def symmetries(self) -> tuple[Callable[[Any], Any], ...]:
        """What makes a symmetric one of a position, or of a turn; each undoes itself.

        The first one changes nothing.
        """

    @property
    def bench(self) -> tuple[str, ...]:
        """Positions whose search is the engine's signature."""

    def parse_position(self, text: str) -> Any: ...
    def parse_turn(self, text: str, position: Any = None) -> Any: ...
    def parse_draft(self, text: str, position: Any) -> Any: ...

    def play_text(self, text: str, position: Any) -> tuple[Any, Any]:
        """The turn that ``parse_turn`` reads and the position after it, at the speed of records."""

    def evaluate(self, position: Any) -> int:
        """What a position is worth to its player at a glance; 100 is a piece at the start."""

    def explain(self, position: Any) -> list[tuple[str, tuple[int, ...]]]:
        """The features of ``evaluate`` by name, each with its value for every seat."""

    def candidates(self, draft: Any, width: int) -> Sequence[Any]:
        """The parts that may follow a draft, the most promising first, at most ``width``."""

    def completions(self, draft: Any, width: int) -> Iterator[Any]:
        """Every whole turn that begins with a draft, as a draft, once.

        The first ``width`` are the most promising, best first; the rest come in any order.
        """

    def wins(self, draft: Any) -> Iterator[Any]:
        """Every whole turn, as a draft, that begins with a draft and wins at once."""

    def captures(self, position: Any, width: int) -> Iterator[Any]:
        """The best few whole turns, as drafts, after which nothing can be judged at a glance."""

    def sample(self, draft: Any, draw: Callable[[int], int]) -> Any:
        """A whole turn, as a draft, that begins with a draft, each as likely as any other.

        ``draw(n)`` is a random number from 0 to n - 1, as ``randrange`` gives it.
        """

    def termination(self, outcome: Outcome) -> str:
        """How the game ended, in one or two words, as arenas count it."""

    def numbering(self, position: Any) -> tuple[int, bool]:
        """The number that records write before a turn, and whether the first seat plays it."""

    def draw_text(self, position: Any, turn: Any = None, *, unicode: bool = True) -> str: ...
    def draw_svg(self, position: Any, turn: Any = None) -> str: ...


def count_turns(position: Position, depth: int) -> int:
    """Perft: how many sequences of ``depth`` turns there are. A finished game has none.

    The last turn is counted, not played.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_turns)
    after: Iterator[Position] = map(position.play_unchecked, position.legal_turns)
    return sum(count_turns(following, depth - 1) for following in after)
