"""The positions from which games begin: from lists and records, or by random play.

A tournament's pairing has the number of an opening; ``opening_of`` gives its position, from the
beginning again where there are fewer. The games of this package need nothing here but their rules:
any game that keeps the contract has openings.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, TypeAlias

from thrive_engine.errors import ArenaError
from thrive_engine.games.base import Draft, Position, Rules

Score: TypeAlias = Callable[[Any], int]
"""Scores a position for the side to move; an engine, usually."""
MOST_TRIES = 1000
"""How many games in a row may give no opening before there are said to be no more."""


def opening_of(openings: Sequence[Any], number: int) -> Any:
    """The position of an opening's number."""
    return openings[number % len(openings)]


def usable(positions: Iterable[Any]) -> list[Any]:
    """The positions in order, without those that are symmetric to one before, or over."""
    seen: set[int] = set()
    openings = [each for each in positions if each.outcome is None and _is_new(each, seen)]
    if not openings:
        raise ArenaError("there is no opening: no position in which the game goes on")
    return openings


def shuffled(openings: Sequence[Any], seed: int) -> list[Any]:
    """The openings in an order that only the seed decides."""
    order = list(openings)
    Random(seed).shuffle(order)  # noqa: S311 no secret
    return order


def generated(
    rules: Rules,
    turns: int,
    seed: int,
    start: Any = None,
    accept: Callable[[Any], bool] = lambda position: True,
) -> Iterator[Any]:
    """Openings without end: positions after some random turns, no two symmetric, none over.

    Every legal turn is as likely as any other. ``accept`` decides which openings are good enough.
    ArenaError where ``MOST_TRIES`` games in a row give nothing new, or nothing good enough.
    """
    random = Random(seed)  # noqa: S311 no secret
    seen: set[int] = set()
    tries = 0
    while tries < MOST_TRIES:
        tries += 1
        position = _played(rules.start if start is None else start, turns, random)
        if position is not None and _is_new(position, seen) and accept(position):
            tries = 0
            yield position
    raise ArenaError(
        f"{MOST_TRIES} random games of {_count(turns)} gave no opening more; "
        "take longer games, or a wider balance"
    )


def is_balanced(score: Score, most: int) -> Callable[[Any], bool]:
    """A filter for ``generated``: the score is no more than this for either side."""

    def accept(position: Any) -> bool:
        return abs(score(position)) <= most

    return accept


def random_turn(position: Position, random: Random) -> Any:
    """A legal turn, each as likely as any other, without listing them."""
    draft: Draft = position.draft
    while draft.turn is None:
        following = [draft.add(part) for part in draft.choices]
        draft = random.choices(following, [len(each.turns) for each in following])[0]
    return draft.turn


def _played(position: Position, turns: int, random: Random) -> Position | None:
    """The position after some random turns; None where the game was over by then."""
    for _ in range(turns):
        if position.outcome is not None:
            return None
        position = position.play_unchecked(random_turn(position, random))
    return position if position.outcome is None else None


def _is_new(position: Position, seen: set[int]) -> bool:
    key = position.symmetry_key
    is_new = key not in seen
    seen.add(key)
    return is_new


def _count(turns: int) -> str:
    return "1 turn" if turns == 1 else f"{turns} turns"
