"""The sequential probability ratio test: is a player stronger by elo1, or only by elo0?

The test goes on until the log-likelihood ratio (LLR) of the two hypotheses leaves Wald's bounds.
It is the generalised test that fishtest and fastchess use: under each hypothesis the likelihood is
that of the distribution that fits the results best among those with the hypothesis's Elo. Sources:

- [1] Michel Van den Bergh, Comments on Normalized Elo,
  https://www.cantate.be/Fishtest/normalized_elo_practical.pdf
- [2] Abraham Wald, Sequential Analysis, 1947: the bounds.
- [3] David Siegmund, Sequential Analysis, 1985, chapter 3: the expected length.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil, expm1, log, sqrt
from operator import mul

from thrive_engine.arena.rating import NORMALISED, Results, game_deviation, score_of
from thrive_engine.errors import ArenaError

MOST = {"logistic": 1000.0, "normalised": 200.0}
"""How far the hypotheses may be from 0; no test needs more, and the iteration in [1] may fail."""
UNSEEN = 1e-3
"""The count of a result that did not occur, as in fishtest; with 0 there is no likelihood."""
MOST_STEPS = 200
"""Where an iteration ends that has not converged; none is known to come near."""
_VALUES = {3: (0.0, 0.5, 1.0), 5: (0.0, 0.25, 0.5, 0.75, 1.0)}
"""The scores of a game and of a pair, for as many counts as Results has."""


class Model(Enum):
    """What the hypotheses are measured in."""

    LOGISTIC = "logistic"
    NORMALISED = "normalised"


class Verdict(Enum):
    """What the test says."""

    H0 = "H0 accepted"
    H1 = "H1 accepted"
    CONTINUE = "goes on"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of elo0 against elo1.

    ``alpha`` is the probability of accepting elo1 where elo0 is true, ``beta`` that of the
    opposite error.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.NORMALISED

    def __post_init__(self) -> None:
        most = MOST[self.model.value]
        if not -most <= self.elo0 < self.elo1 <= most:
            raise ArenaError(
                f"SPRT from {self.elo0:g} to {self.elo1:g} Elo: the first must be less than the "
                f"second, both from {-most:g} to {most:g} ({self.model.value} Elo)"
            )
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:
                raise ArenaError(f"SPRT {name} {error:g}: it must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at which elo0 is accepted, and the one at which elo1 is ([2])."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Forecast:
    """How many games more a test is expected to take, 0 where it has ended.

    ``if_elo0`` and ``if_elo1`` where a hypothesis is true, ``longest`` where the truth lies between
    them so that it takes longest, ``likely`` where the results so far tell the truth.
    """

    if_elo0: int
    if_elo1: int
    longest: int
    likely: int


def llr(sprt: Sprt, results: Results) -> float:
    """The log-likelihood ratio of elo1 to elo0."""
    if not results.units:
        return 0.0
    counts = [each or UNSEEN for each in results.counts]
    total = sum(counts)
    seen = [each / total for each in counts]
    fit = _fit_score if sprt.model is Model.LOGISTIC else _fit_normalised
    under0, under1 = (fit(seen, _target(sprt, elo, results)) for elo in (sprt.elo0, sprt.elo1))
    ratios = (p * log(one / zero) for p, zero, one in zip(seen, under0, under1, strict=True))
    return total * sum(ratios)


def verdict(sprt: Sprt, results: Results) -> Verdict:
    """Whether the test has ended, and how."""
    low, high = sprt.bounds
    ratio = llr(sprt, results)
    if ratio >= high:
        return Verdict.H1
    return Verdict.H0 if ratio <= low else Verdict.CONTINUE


def forecast(sprt: Sprt, results: Results | None = None) -> Forecast:
    """How long the test will take: before it, without results, or during it.

    Before it nothing is known of draws, and none are expected.
    """
    results = results or Results.of_games()
    deviation = game_deviation(results)
    t0, t1 = (_per_game(sprt, elo, deviation) for elo in (sprt.elo0, sprt.elo1))
    ratio = llr(sprt, results)
    low, high = sprt.bounds

    def games(t: float) -> int:
        # The LLR as Brownian motion: where t is true, its drift a game is
        # (t1 - t0)(t - (t0 + t1) / 2), and its variance (t1 - t0)^2 ([3]).
        step = t1 - t0
        drift = step * (t - (t0 + t1) / 2)
        return ceil(_expected_steps(low - ratio, high - ratio, drift, step * step))

    middle = games((t0 + t1) / 2)
    seen = (results.score - 0.5) / deviation
    return Forecast(games(t0), games(t1), middle, games(seen) if results.units else middle)


def describe(sprt: Sprt, results: Results) -> str:
    """The state of the test in a sentence.

    >>> describe(Sprt(0, 2), Results((365, 16618, 36229, 16974, 390)))
    'LLR 2.25 (-2.94 to 2.94) for 0 against 2 normalised Elo: goes on, likely for 42320 games more'
    """
    low, high = sprt.bounds
    state = verdict(sprt, results)
    text = (
        f"LLR {llr(sprt, results):.2f} ({low:.2f} to {high:.2f}) "
        f"for {sprt.elo0:g} against {sprt.elo1:g} {sprt.model.value} Elo: {state.value}"
    )
    if state is not Verdict.CONTINUE:
        return text
    return f"{text}, likely for {forecast(sprt, results).likely} games more"


def _target(sprt: Sprt, elo: float, results: Results) -> float:
    """What a hypothesis says of the results: their mean, or their t-value.

    A pair has half the variance of a game, hence sqrt(2) times its t-value.
    """
    if sprt.model is Model.LOGISTIC:
        return score_of(elo)
    return sqrt(results.games_each) * elo / NORMALISED


def _per_game(sprt: Sprt, elo: float, deviation: float) -> float:
    """The t-value of one game, (score - 1/2) / deviation, at an Elo of the test's model."""
    if sprt.model is Model.NORMALISED:
        return elo / NORMALISED
    return (score_of(elo) - 0.5) / deviation


# The distributions that fit the results best


def _fit_score(seen: Sequence[float], score: float) -> list[float]:
    """The likeliest distribution with this mean ([1], proposition 1.1)."""
    return _tilted(seen, [value - score for value in _VALUES[len(seen)]])


def _fit_normalised(seen: Sequence[float], t: float) -> list[float]:
    """The likeliest distribution with (mean - 1/2) / deviation = t.

    The iteration of [1], section 4.1: the condition is replaced by its tangent at the last guess.
    It begins with the uniform distribution. Where the tangent can't be met by any distribution, the
    guess is drawn back to the one before it, for which it could.
    """
    guess = [1 / len(seen)] * len(seen)
    tangent = _tangent(guess, t)
    for _ in range(MOST_STEPS):
        last, guess = guess, _tilted(seen, tangent)
        tangent = _tangent(guess, t)
        while not min(tangent) < 0 < max(tangent):
            guess = [(one + other) / 2 for one, other in zip(guess, last, strict=True)]
            tangent = _tangent(guess, t)
        if max(abs(one - other) for one, other in zip(guess, last, strict=True)) < 1e-9:
            break
    return guess


def _tangent(guess: Sequence[float], t: float) -> list[float]:
    values = _VALUES[len(guess)]
    mean = sum(map(mul, guess, values))
    variance = sum(map(mul, guess, ((value - mean) ** 2 for value in values)))
    even, curve = 0.5 + t * sqrt(variance) / 2, t / sqrt(variance) / 2
    return [value - even - curve * (value - mean) ** 2 for value in values]


def _tilted(seen: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """The likeliest distribution whose mean of ``offsets``, of both signs, is 0 ([1], 1.2, 1.3)."""

    def slope(theta: float) -> tuple[float, float]:
        value = derivative = 0.0
        for p, offset in zip(seen, offsets, strict=True):
            part = offset / (1 + theta * offset)
            value += p * part
            derivative -= p * part * part
        return value, derivative

    theta = _root(slope, -1 / max(offsets), -1 / min(offsets))
    return [p / (1 + theta * offset) for p, offset in zip(seen, offsets, strict=True)]


def _root(slope: Callable[[float], tuple[float, float]], low: float, high: float) -> float:
    """Where a falling function is 0, between two poles: Newton's steps, halving where they fail."""
    x = 0.0
    for _ in range(MOST_STEPS):
        value, derivative = slope(x)
        low, high = (x, high) if value > 0 else (low, x)
        following = x - value / derivative
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= 1e-12 * abs(x):
            return following
        x = following
    return x


# The expected length


def _expected_steps(low: float, high: float, drift: float, variance: float) -> float:
    """The expected time until Brownian motion from 0 leaves an interval around 0 ([3])."""
    if not low < 0 < high:
        return 0.0
    rate = 2 * drift / variance
    if abs(rate) * (high - low) < 1e-6:
        return -low * high / variance
    if rate < 0:
        low, high, rate, drift = -high, -low, -rate, -drift
    # exp(-rate x) keeps its mean, which gives the chance to leave at the upper end.
    upper = expm1(rate * low) / expm1(rate * (low - high))
    return (upper * high + (1 - upper) * low) / drift
