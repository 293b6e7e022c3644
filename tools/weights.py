"""The weights of the network as floats, while it learns, and as the file that the kernel reads.

The file has 16-bit numbers, the least significant byte first: for each input its 32 weights to the
hidden units (127 is 1), for each input its own worth, for each peg by square and hole its worth
(those of the side to move first), for each unit of both views its worth when fully active, and the
biases: of the 32 units, and the worth of being to move. A worth of 16 is a hundredth of a piece.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.features import INPUTS, RACE, SPOTS, SQUARES, STATES

UNITS = 32
ONE = 127
"""The activity of a unit is 0 to ONE, and its product with a weight is divided by 128."""
SCALE = 100.0
"""A worth of 1 here, in hundredths of a piece."""
CP = 16
SHARED_HOLES = 37

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class Weights:
    """``parts`` are what is learned; ``fold`` adds up what squares share."""

    def __init__(
        self, units: Floats, linear: Floats, spots: Floats, output: Floats, bias: Floats
    ) -> None:
        self.units, self.linear, self.spots = units, linear, spots
        self.output, self.bias = output, bias
        self.shared_units = np.zeros((STATES, UNITS), np.float32)
        self.shared_linear = np.zeros(STATES, np.float32)
        self.shared_spots = np.zeros((2, SHARED_HOLES), np.float32)
        self.parts = [
            self.units,
            self.linear,
            self.spots,
            self.output,
            self.bias,
            self.shared_units,
            self.shared_linear,
            self.shared_spots,
        ]
        self.fold()

    @classmethod
    def read(cls, file: Path) -> "Weights":
        numbers = np.frombuffer(file.read_bytes(), "<i2").astype(np.float32)
        sizes = (INPUTS * UNITS, INPUTS, 2 * SPOTS, 2 * UNITS, UNITS + 1)
        units, linear, spots, output, bias = np.split(numbers, np.cumsum(sizes)[:-1])
        worth = np.float32(CP * SCALE)
        bias = np.append(bias[:-1] / ONE, bias[-1] / worth).astype(np.float32)
        return cls(
            (units / np.float32(ONE)).reshape(INPUTS, UNITS),
            linear / worth,
            np.append(spots / worth, np.float32(0)),
            output / worth * np.float32(ONE / 128),
            bias,
        )

    def write(self, file: Path) -> None:
        worth = CP * SCALE
        parts = (
            self.all_units.ravel() * ONE,
            self.all_linear * worth,
            self.all_spots[:-1] * worth,
            self.output * worth * 128 / ONE,
            self.bias[:-1] * ONE,
            self.bias[-1:] * worth,
        )
        numbers = np.round(np.concatenate(parts)).clip(-32767, 32767)
        file.write_bytes(numbers.astype("<i2").tobytes())

    def scatter(self, random: np.random.Generator) -> None:
        """Begin with small random weights of the hidden units."""
        self.units += random.normal(0, 0.08, self.units.shape).astype(np.float32)
        self.output += random.normal(0, 0.1, self.output.shape).astype(np.float32)
        self.bias[:-1] += np.float32(0.3)
        self.fold()

    def fold(self, most: float = np.inf) -> None:
        """Keep weights within bounds, and add what is shared to each."""
        self.units.clip(-most, most, out=self.units)
        self.units[-1] = self.linear[-1] = self.spots[-1] = 0
        self.all_units, self.all_linear = self.units.copy(), self.linear.copy()
        self.all_units[:RACE] += np.tile(self.shared_units, (SQUARES, 1))
        self.all_linear[:RACE] += np.tile(self.shared_linear, SQUARES)
        self.all_spots = self.spots.copy()
        self.all_spots[:-1] += np.repeat(self.shared_spots, SQUARES, axis=0).reshape(-1)

    def forward(
        self, inputs: NDArray[np.uint16], spots: NDArray[np.uint16]
    ) -> tuple[Floats, Floats, Floats]:
        """The units before and after they are cut off, and the worth for the side to move."""
        units = self.all_units[inputs].sum(2) + self.bias[:-1]
        activity = units.clip(0, 1)
        worth = (
            activity.reshape(len(inputs), -1) @ self.output
            + self.all_linear[inputs[:, 0]].sum(1)
            + self.all_spots[spots].sum(1)
            + self.bias[-1]
        )
        return units, activity, worth

    def gradients(
        self,
        inputs: NDArray[np.uint16],
        spots: NDArray[np.uint16],
        activity: Floats,
        error: Floats,
    ) -> list[Floats]:
        """What each part contributes to an error of the worth."""
        on = inputs.shape[2]
        back = (error[:, None] * self.output).reshape(activity.shape)
        back = back * ((activity > 0) & (activity < 1))
        units = _add_up(inputs.reshape(-1), np.repeat(back.reshape(-1, UNITS), on, axis=0))
        linear = _count(inputs[:, 0], error, INPUTS)
        pegs = _count(spots, error, 2 * SPOTS + 1)
        pegs[-1] = 0
        return [
            units,
            linear,
            pegs,
            activity.reshape(len(error), -1).T @ error,
            np.append(back.sum((0, 1)), error.sum()).astype(np.float32),
            units[:RACE].reshape(SQUARES, STATES, UNITS).sum(0),
            linear[:RACE].reshape(SQUARES, STATES).sum(0),
            pegs[:-1].reshape(2, SQUARES, SHARED_HOLES).sum(1),
        ]


def by_hand() -> Weights:
    """Weights that need no games: pieces, threats, reach, pegs and the race, by rule of thumb."""
    linear = np.zeros(INPUTS, np.float32)
    for square in range(SQUARES):
        for state in range(STATES):
            linear[square * STATES + state] = _square(square, state)
    for own in range(7):
        for enemy in range(7):
            last = 60 * ((enemy == 2 < own) - (own == 2 < enemy))
            linear[RACE + own * 7 + enemy] = 100 * (own - enemy) + last
    for stage, (peg, turn) in enumerate(((0, 0), (3, 5), (5, 15), (10, 60))):
        for pegs in range(25):
            linear[RACE + 49 + stage * 25 + pegs] = peg * pegs
            linear[RACE + 149 + stage * 25 + pegs] = -peg * pegs
        for lead in range(15):
            linear[RACE + 249 + stage * 15 + lead] = turn * (lead - 7)
    spots = np.repeat(np.array([4, -4], np.float32), SPOTS)
    bias = np.zeros(UNITS + 1, np.float32)
    bias[-1] = 10
    return Weights(
        np.zeros((INPUTS, UNITS), np.float32),
        linear / np.float32(SCALE),
        np.append(spots, np.float32(0)) / np.float32(SCALE),
        np.zeros(2 * UNITS, np.float32),
        bias / np.float32(SCALE),
    )


def _square(square: int, state: int) -> float:
    """The worth of a square's state: threats, guards, and reach that is better in the centre."""
    file, rank = square & 7, square >> 3
    occupant, own, enemy = state >> 4, state >> 2 & 3, state & 3
    if occupant == 0:
        near = (min(file, 5 - file) + min(rank, 5 - rank)) // 2
        return (2 + near) * (own - enemy)
    is_big = 1 - occupant % 2
    if occupant < 3:
        if enemy:
            return -(12 + 20 * is_big) if own else -(30 + 35 * is_big)
        return 4 if own else 0
    if own:
        return 25 + 30 * is_big if enemy else 75 + 45 * is_big
    return -4 if enemy else 0


def _add_up(numbers: NDArray[np.uint16], rows: Floats) -> Floats:
    """The sums of the rows by their numbers."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    total = np.zeros((INPUTS, UNITS), np.float32)
    total[ordered[begins]] = np.add.reduceat(rows[order], begins, axis=0)
    return total


def _count(numbers: NDArray[np.uint16], error: Floats, size: int) -> Floats:
    weights = np.repeat(error, numbers.shape[1])
    return np.bincount(numbers.reshape(-1), weights, size).astype(np.float32)
