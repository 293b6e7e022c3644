"""The positions from which games begin: from lists and records, or by random play.

    openings = usable(listed(read_positions(stream, rules)))
    openings = usable(recorded(read_records(stream, rules), turns=6))
    openings = list(islice(generated(rules, turns=6, seed=1), 100))

A tournament's pairing has the number of an opening; ``opening_of`` gives its position, from the
first again where there are fewer.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, TypeAlias

from thrive_engine.errors import ArenaError, RecordError
from thrive_engine.games.base import Draft, Position, Rules
from thrive_engine.record import Entry, Record

Score: TypeAlias = Callable[[Any], int]
"""Scores a position for the side to move; an engine, usually."""
MOST_TRIES = 1000
"""How many games in a row may give no opening before there are said to be no more."""


def opening_of(openings: Sequence[Any], number: int) -> Any:
    """The position of an opening's number."""
    return openings[number % len(openings)]


def listed(entries: Iterable[tuple[int, Entry | RecordError]]) -> Iterator[Any]:
    """The positions of a list; its first error is raised."""
    for _, entry in entries:
        if isinstance(entry, RecordError):
            raise entry
        yield entry.position


def recorded(records: Iterable[Record], turns: int) -> Iterator[Any]:
    """The positions after some turns of recorded games; shorter games give none.

    The first error of a record is raised.
    """
    for record in records:
        for error in record.errors:
            raise error
        nodes = (record.root, *islice(record.mainline(), turns))
        if len(nodes) == turns + 1:
            yield nodes[turns].position


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

    ``random_turn`` plays. ``accept`` decides which openings are good enough.
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
    """A legal turn, built part by part: each part is as likely as any other that may follow.

    So no turns are listed, and a movement is not likelier for the pegs that may follow it.
    """
    draft: Draft = position.draft
    while draft.turn is None:
        draft = draft.add(random.choice(draft.choices))
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
