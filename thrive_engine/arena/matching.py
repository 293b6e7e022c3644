"""Whether all of some players can be paired at once."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

MayMeet: TypeAlias = Callable[[str, str], bool]
_PRIME = (1 << 61) - 1


def has_perfect_matching(players: Sequence[str], may_meet: MayMeet) -> bool:
    """Whether everyone can have an opponent at the same time.

    A quick try mostly finds that they can. Where the try fails, Tutte's matrix decides: there is a
    perfect matching just if its determinant is not 0 as a polynomial (Tutte, 1947), which is asked
    at random values modulo a prime (Lovasz, 1979). The values are always the same, and the chance
    that they hide a matching is less than one in 10 ** 15.
    """
    if len(players) % 2:
        return False
    return _pairs_greedily(players, may_meet) or _is_regular(_tutte(players, may_meet))


def _pairs_greedily(players: Sequence[str], may_meet: MayMeet) -> bool:
    """Whether it works to pair, again and again, who has the fewest opponents left."""
    options = {
        one: {two for two in players if two != one and may_meet(one, two)} for one in players
    }
    while options:
        one = min(options, key=lambda player: len(options[player]))
        if not options[one]:
            return False
        two = min(sorted(options[one]), key=lambda player: len(options[player]))
        for gone in (one, two):
            for other in options.pop(gone):
                options.get(other, set()).discard(gone)
    return True


def _tutte(players: Sequence[str], may_meet: MayMeet) -> list[list[int]]:
    random = Random(0)  # noqa: S311 no secret
    matrix = [[0] * len(players) for _ in players]
    for row, one in enumerate(players):
        for column in range(row):
            if may_meet(one, players[column]):
                value = random.randrange(1, _PRIME)
                matrix[row][column], matrix[column][row] = value, _PRIME - value
    return matrix


def _is_regular(matrix: list[list[int]]) -> bool:
    """Whether the determinant is not 0 modulo the prime, by elimination."""
    for at in range(len(matrix)):
        pivot = next((row for row in range(at, len(matrix)) if matrix[row][at]), None)
        if pivot is None:
            return False
        matrix[at], matrix[pivot] = matrix[pivot], matrix[at]
        inverse = pow(matrix[at][at], -1, _PRIME)
        for row in matrix[at + 1 :]:
            factor = row[at] * inverse % _PRIME
            if factor:
                pairs = zip(row[at:], matrix[at][at:], strict=True)
                row[at:] = [(each - factor * other) % _PRIME for each, other in pairs]
    return True
