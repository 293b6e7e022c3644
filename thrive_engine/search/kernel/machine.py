"""machine.pxd in Python, name by name: what the kernel uses when it is not compiled."""

from array import array

BOARD = 0x3F3F3F3F3F3F
"""The squares of the board."""
FULL = 0x1F1F1B1F1F
"""The holes of a piece that take a peg."""
TURN = 0x3FFFFFFFFF
"""The bits of a turn."""
NOBODY = 12
"""Stands for a piece where there is none."""
GONE = 63
"""The square of a piece that was captured."""
MOVEMENTS = 144
"""Room for the movements of a position."""
PLIES = 64
"""How many turns a search can look ahead."""
PEGS = 144
"""Room for the pegs that can be placed."""
FEW = 12
"""Of so many pegs pairs are made, at most."""
PAIRS = 66
WIN = 30000
DECIDED = 29000
HOPELESS = 20000
"""A position whose promising turns all lose, while others were not tried."""
EXACT, LOWER, UPPER = 1, 2, 3
(
    PROVES,
    STATIC_DEPTH,
    STATIC_MARGIN,
    PASS_DEPTH,
    PASS_MARGIN,
    PASS_LESS,
    SUICIDE_DEPTH,
    MOVEMENTS_A_DEPTH,
    FEWEST_MOVEMENTS,
    PAIR_MARGIN,
    UNREDUCED,
    WIDTH,
    WIDENING,
    HALF_WIDTH,
    QUARTER_WIDTH,
    LESS_BY_TWO,
    LESS_BY_THREE,
    LESS_BY_FOUR,
    CAPTURES,
    CAPTURES_WITH_PEGS,
) = range(20)
"""The knobs of the search, which tuning.py explains."""
UNITS = 32
"""The hidden units of the network, for each of the two views of a position."""
STATES = 80
"""The states of a square."""
INPUTS = 4000
"""The inputs of the network; the last one is never on."""
RACE = 3680
"""The first input that is not about a square."""
SPOTS = 46 * 37
"""The squares, and the holes of a piece on each."""
BIG = 5
"""A piece with so many pegs is big."""
MOST_WORTH = 9000
"""An evaluation is never beyond this, in hundredths of a piece."""

_WORD = (1 << 64) - 1
_units: list[list[int]] = []
_linear: list[int] = []
_spots: list[int] = []
_output: list[int] = []
_bias: list[int] = []


def popcount(x: int) -> int:
    return x.bit_count()


def lowest(x: int) -> int:
    """The number of the lowest bit that is set."""
    return (x & -x).bit_length() - 1


def bit_of(square: int) -> int:
    return 1 << square


def reach_of(pegs: int, square: int) -> int:
    """Where a piece with these pegs can go from a square."""
    return (pegs << square) >> 18 & BOARD


def has_popcount() -> int:
    return 1


def mix(x: int) -> int:
    """64 bits that depend on all bits of a number."""
    x = x * 0x9E3779B97F4A7C15 & _WORD
    x ^= x >> 29
    x = x * 0xBF58476D1CE4E5B9 & _WORD
    return x ^ x >> 32


def set_weights(data: bytes) -> None:
    """Set the weights of the network: 16-bit numbers, the least significant byte first."""
    numbers = array("h", data)
    if numbers.itemsize != 2:
        raise SystemError("a short has two bytes on every system that is known")
    if array("H", b"\1\0")[0] != 1:
        numbers.byteswap()
    values = iter(numbers.tolist())
    _units[:] = [[next(values) for _ in range(UNITS)] for _ in range(INPUTS)]
    for table, count in (
        (_linear, INPUTS),
        (_spots, 2 * SPOTS),
        (_output, 2 * UNITS),
        (_bias, UNITS + 1),
    ):
        table[:] = [next(values) for _ in range(count)]


def linear_weight(number: int) -> int:
    return _linear[number]


def spot_weight(spot: int) -> int:
    return _spots[spot]


def bias_weight(unit: int) -> int:
    return _bias[unit]


def copy_units(units: list[int], to: int, from_: int) -> None:
    units[to : to + 2 * UNITS] = units[from_ : from_ + 2 * UNITS]


def copy_bytes(data: list[int], to: int, from_: int, count: int) -> None:
    data[to : to + count] = data[from_ : from_ + count]


def change_input(units: list[int], at: int, old: int, new: int) -> None:
    """Take an input of the network away and put another one in its place."""
    units[at : at + UNITS] = [
        unit + plus - minus
        for unit, plus, minus in zip(units[at : at + UNITS], _units[new], _units[old], strict=True)
    ]


def sum_units(units: list[int], mine: int, theirs: int) -> int:
    """The network's output for the view of the side to move and that of the other side."""
    both = units[mine : mine + UNITS] + units[theirs : theirs + UNITS]
    clipped = (0 if unit < 0 else 127 if unit > 127 else unit for unit in both)
    return sum(unit * weight for unit, weight in zip(clipped, _output, strict=True)) >> 7


def sum_units_if(
    units: list[int],
    mine: int,
    theirs: int,
    old_mine: int,
    new_mine: int,
    old_theirs: int,
    new_theirs: int,
) -> int:
    """``sum_units`` as it would be with one input changed in each view."""
    changed = units[mine : mine + UNITS] + units[theirs : theirs + UNITS]
    change_input(changed, 0, old_mine, new_mine)
    change_input(changed, UNITS, old_theirs, new_theirs)
    return sum_units(changed, 0, UNITS)
