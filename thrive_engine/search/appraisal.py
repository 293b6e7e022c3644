"""The network's evaluation taken apart, feature by feature.

Features are taken away one after the other, each made neutral for one side and then for the other:
the value of a feature is what the evaluation loses by that, so that the values add up to it. What
is left in the end is worth having the turn: the tempo.
"""

import sys
from array import array
from collections.abc import Callable
from dataclasses import dataclass

from thrive_engine.search import kernel
from thrive_engine.search.bridge import Setup
from thrive_engine.search.kernel.machine import INPUTS, RACE, SPOTS, STATES, UNITS

Feature = tuple[str, tuple[int, ...]]


def explain(weights: bytes, setup: Setup) -> list[Feature]:
    """The features by name, in hundredths of a piece for White and for Black."""
    board, network = kernel.Board(), kernel.Network()
    board.set_up(*setup)
    network.set_up(board)
    ours, theirs = network.inputs(board)
    view = _View(ours[:-4], ours[-4:], theirs[-4:], network.spots(board))
    features = _take_apart(_Evaluation(weights), view)
    return [(name, values if setup[2] == 0 else values[::-1]) for name, values in features]


@dataclass
class _View:
    """What the network sees: the squares and pegs from the side to move, the race from both."""

    squares: list[int]
    race: list[int]
    other_race: list[int]
    spots: list[int]


def _take_apart(evaluation: "_Evaluation", view: _View) -> list[Feature]:
    """The features for the side to move and for the other one."""
    values = [evaluation.of(view)]

    def without(change: Callable[[], None]) -> int:
        """What the evaluation loses by a change."""
        change()
        values.append(evaluation.of(view))
        return values[-2] - values[-1]

    def on_squares(change: Callable[[int], int]) -> int:
        return without(lambda: _change_squares(view, change))

    threats = on_squares(lambda state: state & ~12 if state >> 4 else state)
    other_threats = on_squares(lambda state: state & ~3 if state >> 4 else state)
    reach = on_squares(lambda state: state & ~12)
    other_reach = on_squares(lambda state: state & ~3)
    race = without(lambda: _even_race(view))
    majority = without(lambda: _even_pieces(view))
    pieces = on_squares(lambda state: state if state >> 4 > 2 else 0)
    other_pieces = on_squares(lambda _: 0)
    pegs = without(lambda: _drop_spots(view, 0))
    other_pegs = without(lambda: _drop_spots(view, 1))
    return [
        ("pieces", (pieces + max(majority, 0), -other_pieces + max(-majority, 0))),
        ("pegs", (pegs, -other_pegs)),
        ("reach", (reach, -other_reach)),
        ("threats", (threats, -other_threats)),
        ("race", (max(race, 0), max(-race, 0))),
        ("tempo", (values[-1], 0)),
    ]


class _Evaluation:
    """The network in plain Python, for inputs that no position has."""

    def __init__(self, weights: bytes) -> None:
        numbers = array("h", weights)
        if sys.byteorder == "big":
            numbers.byteswap()
        self._parts = []
        for size in (INPUTS * UNITS, INPUTS, 2 * SPOTS, 2 * UNITS, UNITS + 1):
            self._parts.append(numbers[:size])
            numbers = numbers[size:]

    def of(self, view: _View) -> int:
        """The evaluation for the side to move, in hundredths of a piece."""
        _, linear, spots, output, bias = self._parts
        others = [_turned(number) for number in view.squares]
        mine = self._units(view.squares + view.race)
        theirs = self._units(others + view.other_race)
        hidden = sum(x * y for x, y in zip(mine + theirs, output, strict=True)) >> 7
        plain = bias[UNITS] + sum(linear[number] for number in view.squares + view.race)
        return (hidden + plain + sum(spots[number] for number in view.spots)) >> 4

    def _units(self, numbers: list[int]) -> list[int]:
        weights, _, _, _, bias = self._parts
        return [
            max(0, min(127, bias[unit] + sum(weights[UNITS * each + unit] for each in numbers)))
            for unit in range(UNITS)
        ]


def _turned(number: int) -> int:
    """The input of a square, seen by the other side."""
    square, state = divmod(number, STATES)
    occupant = state >> 4
    if occupant:
        occupant += 2 if occupant < 3 else -2
    return (45 - square) * STATES + (occupant << 4 | (state & 3) << 2 | state >> 2 & 3)


def _change_squares(view: _View, change: Callable[[int], int]) -> None:
    """Change the states of squares: the occupant, then how often we and they reach it."""
    view.squares = [number - number % STATES + change(number % STATES) for number in view.squares]


def _even_race(view: _View) -> None:
    """Let the fullest piece of both sides have as few pegs as that of one."""
    stage, filled = divmod(view.race[1] - RACE - 49, 25)
    least = min(filled, view.other_race[1] - RACE - 49 - 25 * stage)
    even = [
        RACE + 49 + 25 * stage + least,
        RACE + 149 + 25 * stage + least,
        RACE + 249 + 15 * stage + 7,
    ]
    view.race[1:] = view.other_race[1:] = even


def _even_pieces(view: _View) -> None:
    """Let both sides have as many pieces as the one that has fewer."""
    fewer = min(divmod(view.race[0] - RACE, 7))
    view.race[0] = view.other_race[0] = RACE + 8 * fewer


def _drop_spots(view: _View, owner: int) -> None:
    view.spots = [number for number in view.spots if number // SPOTS != owner]
