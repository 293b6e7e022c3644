"""Timing that a busy machine disturbs little: CPU time, in turns, the median."""

from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time

from thrive_engine.games.thrive import START, Position

ROUNDS = 7


def compare(*works: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """The median CPU seconds of each, run in turns so that a slow moment hits all alike."""
    seconds: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, times in zip(works, seconds, strict=True):
            begin = process_time()
            work()
            times.append(process_time() - begin)
    return [median(times) for times in seconds]


def verdict(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def random_positions(number: int, seed: int = 1) -> list[Position]:
    """Positions of random games that are going on, a few turns in at least."""
    random, found = Random(seed), list[Position]()
    while len(found) < number:
        position, turns = START, 0
        while position.outcome is None and len(found) < number:
            if turns >= 8:
                found.append(position)
            draft = position.draft
            while draft.turn is None:
                draft = draft.add(random.choice(draft.choices))
            position, turns = draft.position, turns + 1
    return found
