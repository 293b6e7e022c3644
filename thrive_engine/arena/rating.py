"""What the results of one player against another say: score, Elo, error bars, and in words.

Every number is finite, whatever the results. Formulas and their sources:

- Elo of a score s: -400 log10(1/s - 1) (Arpad Elo, The Rating of Chessplayers, 1978).
- Normalised Elo: (s - 1/2) / sigma * 800 / ln 10, with sigma the standard deviation of one game
  (Michel Van den Bergh, Normalized Elo, https://www.cantate.be/Fishtest/normalized_elo.pdf).
- Intervals of the score: Wilson (1927), with the number of games replaced by the effective one,
  as for survey samples (Franco, Little, Louis, Slud: Comparative study of confidence intervals for
  proportions in complex sample surveys, 2019). With many games it is the usual score +- 1.96
  standard errors; with few it stays between 0 and 1, where that does not.
- Likelihood of superiority: the normal probability of the same statistic, so it passes 97.5 %
  where the interval leaves 0 Elo.
- Nothing but wins: nothing bounds the Elo from above, and the lower end is the one-sided bound of
  Clopper and Pearson (1934), 0.05 ** (1/n), for n games. So it is for pairs: from an opening that
  favours one side, two wins with colours swapped are less likely than two wins of independent
  games, and the bound errs on the safe side. (It would not, if a win with one colour made a win
  with the other likelier.)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log, log10, sqrt
from statistics import NormalDist
from typing import Self

from thrive_engine.errors import ArenaError

SURE = 0.95
"""How sure the intervals are."""
LIMIT = 2400.0
"""No Elo is given beyond this: it is the score of one point lost in a million games."""
NORMALISED = 800 / log(10)
_Z = NormalDist().inv_cdf((1 + SURE) / 2)


@dataclass(frozen=True, slots=True)
class Results:
    """How often each result occurred, the worst for the player first.

    Three counts are games: losses, draws, wins. Five are pairs of games (0, 1/2, 1, 3/2, 2
    points), with colours swapped from the same opening: the pentanomial. The games of a pair
    depend on each other and pairs do not, so pairs give the truer error bars.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) not in (3, 5) or min(self.counts) < 0:
            raise ArenaError(f"{self.counts} are no results: three or five counts, none negative")

    @classmethod
    def of_games(cls, wins: int = 0, draws: int = 0, losses: int = 0) -> Self:
        """The results of single games."""
        return cls((losses, draws, wins))

    @classmethod
    def of_pairs(cls, points: Iterable[float]) -> Self:
        """The results of pairs of games, from the points (0 to 2) that the player made in each."""
        counts = [0] * 5
        for each in points:
            counts[int(2 * each)] += 1
        return cls(tuple(counts))

    @property
    def units(self) -> int:
        """How many independent results there are: games, or pairs."""
        return sum(self.counts)

    @property
    def games_each(self) -> int:
        """The games of a unit: 1, or 2 for pairs."""
        return len(self.counts) // 2

    @property
    def games(self) -> int:
        return self.units * self.games_each

    @property
    def points(self) -> float:
        return sum(number * count for number, count in enumerate(self.counts)) / 2

    @property
    def score(self) -> float:
        """Points a game; one half where there is no game."""
        return self.points / self.games if self.units else 0.5

    @property
    def is_sweep(self) -> bool:
        """Whether all games were won, or all were lost."""
        return self.units > 0 and self.units in (self.counts[0], self.counts[-1])

    def __add__(self, other: "Results") -> "Results":
        return Results(tuple(map(sum, zip(self.counts, other.counts, strict=True))))

    def reversed(self) -> "Results":
        """The same results as the other player saw them."""
        return Results(self.counts[::-1])


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval; both ends are finite.

    ``is_open`` says that nothing bounds the number on the side of ``value`` that is away from 0:
    all games were won, or all were lost. The end there is only the limit of what is written.
    """

    value: float
    low: float
    high: float
    is_open: bool = False

    @property
    def tells_nothing(self) -> bool:
        """Whether so few games were played that even to win or lose them all means nothing."""
        return self.is_open and self.low <= 0 <= self.high

    @property
    def margin(self) -> float:
        """Half the width of the interval, for ``value +- margin``."""
        return (self.high - self.low) / 2


def elo_of(score: float) -> float:
    """The Elo difference at which a score is expected, within ``LIMIT``."""
    if not 0 < score < 1:
        return LIMIT if score >= 1 else -LIMIT
    return _limited(400 * log10(score / (1 - score)))


def score_of(elo: float) -> float:
    """The score that is expected at an Elo difference."""
    return 1 / (1 + 10 ** (-_limited(elo) / 400))


def elo(results: Results) -> Estimate:
    """The Elo difference, the player's minus the opponent's."""
    low, high = score_interval(results)
    return Estimate(elo_of(_mean(results)), elo_of(low), elo_of(high), results.is_sweep)


def normalised_elo(results: Results) -> Estimate:
    """The normalised Elo difference: how hard it is to show, rather than how large it is.

    Unlike fastchess's, the ends of the interval have the deviation that belongs to their score;
    near a score of one half that makes no difference.
    """
    dispersion = results.games_each * _dispersion(results)
    scores = (_mean(results), *score_interval(results))
    value, low, high = (_normalised(score, dispersion) for score in scores)
    return Estimate(value, low, high, results.is_sweep)


def superiority(results: Results) -> float:
    """The likelihood that the player is the stronger one (LOS), from 0 to 1."""
    return NormalDist().cdf((results.score - 0.5) * 2 * sqrt(_effective(results)))


def score_interval(results: Results) -> tuple[float, float]:
    """The 95 % interval of the score; one-sided where one side won all games."""
    if not results.units:
        return 0.0, 1.0
    if results.is_sweep:
        bound = (1 - SURE) ** (1 / results.games)
        return (bound, 1.0) if results.counts[-1] else (0.0, 1 - bound)
    score, number = results.score, _effective(results)
    weight = 1 / (1 + _Z * _Z / number)
    centre = weight * score + (1 - weight) / 2
    half = weight * _Z * sqrt(score * (1 - score) / number + (_Z / (2 * number)) ** 2)
    return centre - half, centre + half


def game_deviation(results: Results) -> float:
    """The standard deviation of one game's score, never 0; one half where there is no game.

    That of pairs is the one that independent games would have to the same effect.
    """
    score = _mean(results)
    return sqrt(results.games_each * _dispersion(results) * score * (1 - score))


def describe(games: Results, pairs: Results | None = None) -> str:
    """The result in a sentence; with pairs, the error bars are those of the pairs.

    >>> describe(Results.of_games(wins=30))
    '30 wins in 30 games: at least +391 Elo'
    """
    if not games.units:
        return "no games yet"
    losses, draws, wins = games.counts
    parts = ((wins, "win", "wins"), (draws, "draw", "draws"), (losses, "loss", "losses"))
    counted = [_count(*part) for part in parts if part[0]]
    told = best_known(games, pairs or games)
    return f"{_listed(counted)} in {_count(games.units, 'game', 'games')}: {_verdict(told)}"


def best_known(games: Results, pairs: Results) -> Results:
    """Of the same games, counted one by one and in pairs, the count that tells more.

    That is the pairs, unless there are none, or all of them were won or lost: then they tell no
    more than the games, of which there may be one without its second.
    """
    return pairs if pairs.units and not pairs.is_sweep else games


def _verdict(results: Results) -> str:
    estimate = elo(results)
    if estimate.tells_nothing:
        return "too few to tell who is stronger"
    if estimate.is_open and estimate.value > 0:
        return f"at least {floor(estimate.low):+} Elo"
    if estimate.is_open:
        return f"at most {ceil(estimate.high):+} Elo"
    text = f"{estimate.value:+.1f} Elo ({estimate.low:+.1f} to {estimate.high:+.1f})"
    if estimate.low <= 0 <= estimate.high:
        return f"{text}, which does not tell who is stronger"
    return f"{text}, the {'stronger' if estimate.value > 0 else 'weaker'} player"


def _limited(elo: float) -> float:
    return max(-LIMIT, min(LIMIT, elo))


def _normalised(score: float, dispersion: float) -> float:
    if not 0 < score < 1:
        return LIMIT if score >= 1 else -LIMIT
    return _limited((score - 0.5) / sqrt(dispersion * score * (1 - score)) * NORMALISED)


def _mean(results: Results) -> float:
    """The score; where one side won all games, as if half a game more had been drawn."""
    if not results.is_sweep:
        return results.score
    return (results.points + 0.25) / (results.games + 0.5)


def _dispersion(results: Results) -> float:
    """The variance of a unit's score, as a share of the largest that its mean allows: s (1 - s).

    It is 1 where there are only wins and losses. It is estimated as if one even unit more, worth a
    whole point to either side, had been seen: that keeps it from 0 where all results were equal,
    and from the word of a single draw where nearly all were; it matters little elsewhere.
    """
    score, best = results.score, len(results.counts) - 1
    squares = sum(
        count * (number / best - score) ** 2 for number, count in enumerate(results.counts)
    )
    return (4 * squares + 1) / (4 * results.units * score * (1 - score) + 1)


def _effective(results: Results) -> float:
    """How many won or lost games would tell the score as exactly as these results do."""
    return results.units / _dispersion(results)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
