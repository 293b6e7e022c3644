"""Ratings of many players together: Bradley and Terry's model, on the Elo scale.

The expected score of a player is 1 / (1 + 10 ** (-difference / 400)), and a draw is half a win and
half a loss (Glickman, Parameter estimation in large dynamic paired comparison experiments, 1999),
so two players get the same difference as from ``rating.elo``. The ratings are the most likely ones
(Newton's method; the likelihood has one maximum) under a weak prior: every rating is normal about
the average, with a standard deviation of 800 Elo. Where the results bound all ratings, the prior
moves them by less than the rounding. Where they don't (a player won all its games, or two groups
never met: Ford, Solution of a ranking problem from binary comparisons, 1957) only the prior keeps
the numbers finite, and the rating says so.

The intervals are those of the maximum's curvature, narrowed by the share of draws; they take games
as independent.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from operator import mul
from statistics import NormalDist

from thrive_engine.arena.rating import SURE, Estimate, Results
from thrive_engine.arena.table import Row
from thrive_engine.errors import ArenaError

PRIOR = 800.0
"""The prior's standard deviation, in Elo."""
_ELO = 400 / log(10)
_PRIOR_VARIANCE = (PRIOR / _ELO) ** 2
_Z = NormalDist().inv_cdf((1 + SURE) / 2)
_MOST_STEPS = 100
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class JointRating:
    """A player's rating.

    ``rests_on_prior`` says that no result bounds it, upwards or downwards, relative to the anchor
    (or, without one, to the best connected players): only the prior keeps it finite.
    """

    player: str
    elo: Estimate
    results: Results
    rests_on_prior: bool


Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class _Meeting:
    """All games of two players, by their numbers."""

    one: int
    two: int
    results: Results


def joint_ratings(
    rows: Iterable[Row], anchor: str | None = None, anchor_elo: float = 0.0
) -> list[JointRating]:
    """The ratings of a crosstable's players, best first.

    The anchor's rating is fixed, and intervals are of the difference to it. Without an anchor the
    average is fixed at ``anchor_elo``.
    """
    rows = list(rows)
    numbers = {row.player: number for number, row in enumerate(rows)}
    if anchor is not None and anchor not in numbers:
        raise ArenaError(f"anchor {anchor!a} is none of the players")
    fixed = None if anchor is None else numbers[anchor]
    meetings = _meetings(rows, numbers)
    strengths = _most_likely(len(rows), meetings)
    shifts, deviations = _relative(strengths, _covariance(strengths, meetings), fixed)
    core = _core(rows, anchor)
    ratings = []
    for row, shift, deviation in zip(rows, shifts, deviations, strict=True):
        value, margin = anchor_elo + _ELO * shift, _Z * _ELO * deviation
        estimate = Estimate(value, value - margin, value + margin)
        ratings.append(JointRating(row.player, estimate, row.results, row.player not in core))
    return sorted(ratings, key=lambda rating: -rating.elo.value)


def describe(ratings: Sequence[JointRating]) -> str:
    """A sentence on what the ratings rest on."""
    loose = [rating.player for rating in ratings if rating.rests_on_prior]
    if not loose:
        return "all ratings rest on results"
    return (
        f"no result bounds the rating of {', '.join(loose)} relative to the others: "
        "only the prior keeps it finite"
    )


def _meetings(rows: Sequence[Row], numbers: Mapping[str, int]) -> list[_Meeting]:
    return [
        _Meeting(numbers[row.player], numbers[other], results)
        for row in rows
        for other, results in row.against.items()
        if numbers[row.player] < numbers[other]
    ]


def _most_likely(players: int, meetings: Sequence[_Meeting]) -> list[float]:
    """The strengths (Elo / 400 * ln 10) at which likelihood and prior are greatest."""
    strengths = [0.0] * players
    for _ in range(_MOST_STEPS):
        slope = [-each / _PRIOR_VARIANCE for each in strengths]
        for meeting in meetings:
            surplus = meeting.results.points - meeting.results.games * _expected(strengths, meeting)
            slope[meeting.one] += surplus
            slope[meeting.two] -= surplus
        steps = _solved(_curvature(strengths, meetings), [[each] for each in slope])
        # Far from the maximum Newton's step can be too long; no player needs more at a time.
        strengths = [
            each + max(-2.0, min(2.0, step[0])) for each, step in zip(strengths, steps, strict=True)
        ]
        if all(abs(step[0]) < _CLOSE for step in steps):
            break
    return strengths


def _curvature(strengths: Sequence[float], meetings: Sequence[_Meeting]) -> Matrix:
    size = range(len(strengths))
    matrix = [[1 / _PRIOR_VARIANCE if row == column else 0.0 for column in size] for row in size]
    for meeting in meetings:
        one, two, weight = meeting.one, meeting.two, _variance(strengths, meeting)
        matrix[one][one] += weight
        matrix[two][two] += weight
        matrix[one][two] -= weight
        matrix[two][one] -= weight
    return matrix


def _covariance(strengths: Sequence[float], meetings: Sequence[_Meeting]) -> Matrix:
    """The inverse of the curvature, times the share of the variance that draws leave.

    A draw takes 1/4 from the variance of a score. As in ``rating``, one game more without a draw
    keeps the rest from 0.
    """
    size = range(len(strengths))
    unit = [[float(row == column) for column in size] for row in size]
    games = sum(meeting.results.games for meeting in meetings)
    decisive = sum(_variance(strengths, meeting) for meeting in meetings)
    draws = sum(meeting.results.counts[1] for meeting in meetings)
    share = 1.0
    if games:
        share = max(1 - draws / 4 / (decisive * (1 + 1 / games)), 1 / (games + 1))
    inverse = _solved(_curvature(strengths, meetings), unit)
    return [[share * each for each in row] for row in inverse]


def _relative(
    strengths: Sequence[float], covariance: Matrix, fixed: int | None
) -> tuple[list[float], list[float]]:
    """The strengths relative to the fixed player's, or to the average, and their deviations."""
    size = len(strengths)
    everyone = range(size)
    weights = [1 / size if fixed is None else float(number == fixed) for number in everyone]
    zero = sum(weight * each for weight, each in zip(weights, strengths, strict=True))
    shared = [sum(map(mul, weights, row)) for row in covariance]
    own = sum(map(mul, weights, shared))
    variances = [covariance[number][number] - 2 * shared[number] + own for number in everyone]
    return [each - zero for each in strengths], [sqrt(max(0.0, each)) for each in variances]


def _expected(strengths: Sequence[float], meeting: _Meeting) -> float:
    return 1 / (1 + exp(strengths[meeting.two] - strengths[meeting.one]))


def _variance(strengths: Sequence[float], meeting: _Meeting) -> float:
    expected = _expected(strengths, meeting)
    return meeting.results.games * expected * (1 - expected)


def _solved(matrix: Matrix, right: Matrix) -> Matrix:
    """The solution of a linear system, by elimination.

    The matrix is symmetric and positive, so no pivot is needed.
    """
    width = len(matrix)
    rows = [[*left, *values] for left, values in zip(matrix, right, strict=True)]
    for at, pivot in enumerate(rows):
        scale = 1 / pivot[at]
        pivot[at:] = [each * scale for each in pivot[at:]]
        for row in rows:
            factor = row[at]
            if row is not pivot and factor:
                row[at:] = [
                    each - factor * other for each, other in zip(row[at:], pivot[at:], strict=True)
                ]
    return [row[width:] for row in rows]


def _core(rows: Sequence[Row], anchor: str | None) -> set[str]:
    """The players whose ratings the results bound on both sides, relative to each other.

    They are those who, directly or through others, scored against each other both ways. A single
    player is such a group only as the anchor, or where there is nobody else.
    """
    scored = {
        row.player: [other for other, results in row.against.items() if results.points]
        for row in rows
    }
    yielded = {
        row.player: [
            other for other, results in row.against.items() if results.points < results.games
        ]
        for row in rows
    }
    starts = [row.player for row in rows] if anchor is None else [anchor]
    groups = [_reached(scored, start) & _reached(yielded, start) for start in starts]
    largest = max(groups, key=len, default=set())
    return largest if len(largest) > 1 or anchor is not None or len(rows) == 1 else set()


def _reached(links: Mapping[str, Sequence[str]], start: str) -> set[str]:
    reached, waiting = {start}, [start]
    while waiting:
        following = [each for each in links[waiting.pop()] if each not in reached]
        reached.update(following)
        waiting += following
    return reached
