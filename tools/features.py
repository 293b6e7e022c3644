"""What the network sees of positions, for many of them at once.

The same as ``Network.inputs`` and ``Network.spots`` in the kernel, which a test holds together.
"""

import numpy as np
from numpy.typing import NDArray

SQUARES = 46
STATES = 80
RACE = SQUARES * STATES
INPUTS = 4000
SPOTS = SQUARES * 37
MOST_PEGS = 160
BIG = 5
CENTRE = 18
HOLES = [bit for bit in range(37) if bit % 8 < 5 and bit != CENTRE]
CELLS = np.array([8 * rank + file for rank in range(6) for file in range(6)])

Ints = NDArray[np.int64]
Numbers = NDArray[np.uint16]


def features(pieces: NDArray[np.uint64], side: NDArray[np.int8]) -> tuple[Numbers, Numbers]:
    """The inputs that are on (n x 2 x 40: the mover's view, the other's), and the pegs.

    The pegs are padded with 2 * SPOTS to 160; no position that is played has more.
    """
    parts = [
        _features(pieces[at : at + 50_000], side[at : at + 50_000])
        for at in range(0, len(pieces), 50_000)
    ]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def mirrors(inputs: Numbers, spots: Numbers) -> tuple[Numbers, Numbers]:
    """The same positions with the wings exchanged."""
    return _MIRRORED_INPUTS[inputs], _MIRRORED_SPOTS[spots]


def _features(pieces: NDArray[np.uint64], side: NDArray[np.int8]) -> tuple[Numbers, Numbers]:
    is_there, square, has_peg = _unpacked(pieces, side)
    filled = has_peg.sum(2)
    occupant = _occupants(is_there, square, filled)
    attackers = _attackers(square, has_peg)
    inputs = np.empty((len(pieces), 2, 40), np.uint16)
    mine = occupant * 16 + attackers[:, 0] * 4 + attackers[:, 1]
    turned = np.where(occupant == 0, 0, np.where(occupant < 3, occupant + 2, occupant - 2))
    theirs = turned * 16 + attackers[:, 1] * 4 + attackers[:, 0]
    inputs[:, 0, :36] = CELLS * STATES + mine[:, CELLS]
    inputs[:, 1, :36] = (45 - CELLS) * STATES + theirs[:, CELLS]
    counts = is_there[:, :6].sum(1), is_there[:, 6:].sum(1)
    fullest = filled[:, :6].max(1), filled[:, 6:].max(1)
    inputs[:, 0, 36:] = _race(*counts, *fullest)
    inputs[:, 1, 36:] = _race(*counts[::-1], *fullest[::-1])
    return inputs, _spots(square, has_peg)


def _unpacked(
    pieces: NDArray[np.uint64], side: NDArray[np.int8]
) -> tuple[NDArray[np.bool_], Ints, NDArray[np.bool_]]:
    """Which pieces there are, their squares and pegs, in the view of the side to move."""
    is_there = pieces > 0
    packed = np.where(is_there, pieces - np.uint64(1), np.uint64(0))
    square = (packed >> np.uint64(37)).astype(np.int64)
    bits = np.arange(37, dtype=np.uint64)
    has_peg = (packed[:, :, None] >> bits & np.uint64(1)).astype(bool)
    is_black = (side == 1)[:, None]
    other = np.roll(np.arange(12), 6)
    turned = np.where(is_there, 45 - square, 0)
    square = np.where(is_black, turned[:, other], square)
    has_peg = np.where(is_black[:, :, None], has_peg[:, other, ::-1], has_peg)
    return np.where(is_black, is_there[:, other], is_there), square, has_peg


def _occupants(is_there: NDArray[np.bool_], square: Ints, filled: Ints) -> Ints:
    occupant = np.zeros((len(square), 48), np.int64)
    row, piece = np.nonzero(is_there)
    is_big = filled[row, piece] >= BIG
    occupant[row, square[row, piece]] = 1 + 2 * (piece >= 6) + is_big
    return occupant


def _attackers(square: Ints, has_peg: NDArray[np.bool_]) -> Ints:
    """How many pieces of each side can go to each square, at most 3."""
    attackers = np.zeros((len(square), 2, 48), np.int64)
    for bit in HOLES:
        rank = square // 8 + bit // 8 - 2
        file = square % 8 + bit % 8 - 2
        is_on = has_peg[:, :, bit] & (rank >= 0) & (rank < 6) & (file >= 0) & (file < 6)
        row, piece = np.nonzero(is_on)
        target = (rank * 8 + file)[row, piece]
        np.add.at(attackers, (row, (piece >= 6).astype(np.int64), target), 1)
    return np.minimum(attackers, 3)


def _race(own: Ints, enemy: Ints, filled: Ints, other: Ints) -> Ints:
    pieces = own + enemy
    stage = np.select([pieces == 4, pieces == 5, pieces < 8], [3, 2, 1], 0)
    lead = np.clip((25 - other) // 2 - (25 - filled) // 2, -7, 7)
    return RACE + np.stack(
        [
            own * 7 + enemy,
            49 + stage * 25 + filled,
            149 + stage * 25 + other,
            249 + stage * 15 + 7 + lead,
        ],
        axis=1,
    )


def _spots(square: Ints, has_peg: NDArray[np.bool_]) -> Numbers:
    spots = np.full((len(square), MOST_PEGS), 2 * SPOTS, np.uint16)
    row, piece, bit = np.nonzero(has_peg)
    place = np.arange(len(row)) - np.searchsorted(row, np.arange(len(square)))[row]
    fits = place < MOST_PEGS
    number = (piece >= 6) * SPOTS + square[row, piece] * 37 + bit
    spots[row[fits], place[fits]] = number[fits]
    return spots


def _mirrored_square(square: Ints) -> Ints:
    return np.where(square % 8 < 6, square // 8 * 8 + 5 - square % 8, square)


def _mirrored_inputs() -> Numbers:
    number = np.arange(INPUTS)
    mirrored = _mirrored_square(number // STATES) * STATES + number % STATES
    return np.where(number < RACE, mirrored, number).astype(np.uint16)


def _mirrored_spots() -> Numbers:
    number = np.arange(2 * SPOTS)
    owner, square, bit = number // SPOTS, number % SPOTS // 37, number % 37
    mirrored = np.where(bit % 8 < 5, bit // 8 * 8 + 4 - bit % 8, bit)
    numbers = owner * SPOTS + _mirrored_square(square) * 37 + mirrored
    return np.append(numbers, 2 * SPOTS).astype(np.uint16)


_MIRRORED_INPUTS = _mirrored_inputs()
_MIRRORED_SPOTS = _mirrored_spots()
