"""The sequential test equals published numbers, and keeps its promises."""

from itertools import accumulate
from math import isfinite, log, sqrt
from random import Random
from statistics import mean

import pytest

from thrive_engine.arena.rating import NORMALISED, Results
from thrive_engine.arena.sprt import (
    Forecast,
    Model,
    Sprt,
    Verdict,
    describe,
    forecast,
    llr,
    verdict,
)
from thrive_engine.errors import ArenaError

of_games = Results.of_games
LOGISTIC, NORMAL = Model.LOGISTIC, Model.NORMALISED


@pytest.mark.parametrize(
    ("results", "elo0", "elo1", "model", "published"),
    [
        (Results((365, 16618, 36229, 16974, 390)), 0, 2, NORMAL, 2.25),
        (Results((127, 4883, 10712, 5150, 104)), -1.75, 0.25, NORMAL, 3.01),
        (of_games(36433, 68692, 36027), 0, 2, NORMAL, 0.92),
        (of_games(10871, 20431, 10650), -1.75, 0.25, NORMAL, 2.30),
        (Results((223, 9863, 21279, 10037, 246)), 0.5, 2.5, LOGISTIC, -3.07),
        (Results((871, 26175, 55983, 26678, 821)), 0, 2, LOGISTIC, -4.98),
        (of_games(21404, 40708, 21184), 0.5, 2.5, LOGISTIC, -1.57),
        (of_games(57433, 106593, 57030), 0, 2, LOGISTIC, -2.59),
    ],
)
def test_the_llr_is_as_published(
    results: Results, elo0: float, elo1: float, model: Model, published: float
) -> None:
    assert llr(Sprt(elo0, elo1, model=model), results) == pytest.approx(published, abs=0.005)


def test_the_llr_of_won_and_lost_games_is_that_of_coins() -> None:
    sprt = Sprt(0, 100, model=LOGISTIC)
    score = 1 / (1 + 10 ** (-100 / 400))
    expected = 12 * log(score / 0.5) + 8 * log((1 - score) / 0.5)
    assert llr(sprt, of_games(12, 0, 8)) == pytest.approx(expected, abs=0.01)


def test_draws_alone_speak_against_any_difference() -> None:
    # With t = 5 / 347.4 at least t^2 of the games are won.
    expected = 16700 * log(1 - (5 / NORMALISED) ** 2)
    assert llr(Sprt(0, 5), of_games(draws=16700)) == pytest.approx(expected, rel=0.01)


def test_no_distribution_with_the_elo_of_the_hypothesis_is_likelier() -> None:
    results, t = of_games(9, 6, 5), 50 / NORMALISED
    seen = [count / 20 for count in results.counts]
    best = max(
        sum(p * log(q) for p, q in zip(seen, fit, strict=True))
        for win in range(1, 1000)
        for loss in range(1, 1000 - win)
        if abs(deviations(fit := (loss / 1000, 1 - (win + loss) / 1000, win / 1000)) - t) < 0.001
    )
    even = max(sum(p * log(q) for p, q in zip(seen, fit, strict=True)) for fit in even_games())
    assert llr(Sprt(0, 50), results) == pytest.approx(20 * (best - even), abs=0.02)


def deviations(fit: tuple[float, float, float]) -> float:
    """The mean's distance from one half, in standard deviations."""
    average = fit[2] + fit[1] / 2
    return (average - 0.5) / sqrt(fit[2] + fit[1] / 4 - average**2)


def even_games() -> list[tuple[float, float, float]]:
    return [(p / 2000, 1 - p / 1000, p / 2000) for p in range(1, 1000)]


@pytest.mark.parametrize("model", Model)
def test_the_llr_is_finite_for_every_result_of_up_to_40_games(model: Model) -> None:
    sprt = Sprt(0, 30, model=model)
    for games in range(41):
        for wins in range(games + 1):
            for draws in range(games - wins + 1):
                assert isfinite(llr(sprt, of_games(wins, draws, games - wins - draws)))


@pytest.mark.parametrize(("elo0", "elo1"), [(0, 2), (-200, 200), (150, 200), (-200, -100)])
def test_the_llr_of_pairs_is_finite(elo0: float, elo1: float) -> None:
    sprt = Sprt(elo0, elo1)
    for size in (1, 7, 1000):
        for kind in range(5):
            for other in range(5):
                counts = [0] * 5
                counts[kind] += size
                counts[other] += 1
                assert isfinite(llr(sprt, Results(tuple(counts))))
                assert all(each >= 0 for each in of_forecast(sprt, Results(tuple(counts))))


def of_forecast(sprt: Sprt, results: Results) -> tuple[int, ...]:
    each = forecast(sprt, results)
    return each.if_elo0, each.if_elo1, each.longest, each.likely


def test_2000_tests_keep_alpha_and_beta() -> None:
    sprt, random = Sprt(0, 60), Random(2)
    # Three standard errors of 1000 tests are 0.02.
    even = [simulate(sprt, 0, random, step=6)[0] for _ in range(1000)]
    assert 0.02 < mean(end is Verdict.H1 for end in even) < 0.07
    stronger = [simulate(sprt, 60, random, step=6)[0] for _ in range(1000)]
    assert 0.02 < mean(end is Verdict.H0 for end in stronger) < 0.07


def test_tests_are_as_long_as_expected() -> None:
    sprt, random = Sprt(0, 100), Random(3)
    expected = forecast(sprt)
    even = [simulate(sprt, 0, random, step=1)[1] for _ in range(100)]
    assert mean(even) == pytest.approx(expected.if_elo0, rel=0.25)
    between = [simulate(sprt, 50, random, step=1)[1] for _ in range(100)]
    assert mean(between) == pytest.approx(expected.longest, rel=0.25)


def simulate(sprt: Sprt, elo: float, random: Random, step: int) -> tuple[Verdict, int]:
    """A test where this normalised Elo is true, looked at after every so many pairs.

    How it ended, and after how many games.
    """
    weights = list(accumulate(pair_distribution(sqrt(2) * elo / NORMALISED)))
    counts = [0] * 5
    while (state := verdict(sprt, Results(tuple(counts)))) is Verdict.CONTINUE:
        for kind in random.choices(range(5), cum_weights=weights, k=step):
            counts[kind] += 1
    return state, 2 * sum(counts)


def pair_distribution(t: float) -> list[float]:
    """Probabilities of 0 to 2 points, with (mean - 1/2) / deviation = t, by halving."""
    low, high = -1.0, 1.0
    for _ in range(60):
        tilt = (low + high) / 2
        raw = [p * (1 + tilt * (k - 2) / 2) for k, p in enumerate((0.15, 0.2, 0.3, 0.2, 0.15))]
        average = sum(k / 4 * p for k, p in enumerate(raw))
        deviation = sqrt(sum(p * (k / 4 - average) ** 2 for k, p in enumerate(raw)))
        low, high = (tilt, high) if (average - 0.5) / deviation < t else (low, tilt)
    return raw


def test_bounds_are_walds() -> None:
    assert Sprt(0, 2).bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert Sprt(0, 2, alpha=0.01, beta=0.1).bounds == pytest.approx((-2.293, 4.500), abs=0.001)


def test_the_test_ends_at_a_bound() -> None:
    sprt = Sprt(0, 50, model=LOGISTIC)
    assert verdict(sprt, of_games()) is Verdict.CONTINUE
    assert verdict(sprt, of_games(60, 40, 40)) is Verdict.CONTINUE
    assert verdict(sprt, of_games(200, 40, 100)) is Verdict.H1
    assert verdict(sprt, of_games(100, 40, 200)) is Verdict.H0


def test_swapped_players_and_hypotheses_swap_the_verdict() -> None:
    results = Results((3, 9, 20, 14, 8))
    for model in Model:
        one = llr(Sprt(-5, 20, model=model), results)
        other = llr(Sprt(-20, 5, model=model), results.reversed())
        assert one == pytest.approx(-other, abs=1e-6)


def test_a_forecast_before_the_test_expects_no_draws() -> None:
    assert forecast(Sprt(0, 50)) == Forecast(256, 256, 419, 419)
    assert forecast(Sprt(0, 50, model=LOGISTIC)) == Forecast(260, 260, 425, 425)


def test_a_forecast_shrinks_as_the_llr_nears_a_bound() -> None:
    sprt = Sprt(0, 50)
    far, near = (forecast(sprt, of_games(*wdl)) for wdl in ((15, 0, 15), (75, 20, 50)))
    assert near.if_elo1 < far.if_elo1
    assert near.likely < far.likely


def test_a_test_that_has_ended_needs_no_more_games() -> None:
    assert forecast(Sprt(0, 50), of_games(200, 0, 100)) == Forecast(0, 0, 0, 0)


def test_the_state_is_said_in_words() -> None:
    assert describe(Sprt(0, 2), Results((365, 16618, 36229, 16974, 390))) == (
        "LLR 2.25 (-2.94 to 2.94) for 0 against 2 normalised Elo: "
        "goes on, likely for 42320 games more"
    )
    assert describe(Sprt(0, 50, model=LOGISTIC), of_games(200, 40, 100)) == (
        "LLR 12.37 (-2.94 to 2.94) for 0 against 50 logistic Elo: H1 accepted"
    )


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta", "message"),
    [
        (2, 0, 0.05, 0.05, "SPRT from 2 to 0 Elo: the first must be less"),
        (0, 0, 0.05, 0.05, "the first must be less"),
        (0, 201, 0.05, 0.05, "both from -200 to 200"),
        (float("nan"), 1, 0.05, 0.05, "the first must be less"),
        (0, 2, 0, 0.05, "SPRT alpha 0: it must be between 0 and 0.5"),
        (0, 2, 0.05, 0.5, "SPRT beta 0.5"),
    ],
)
def test_a_test_that_cannot_be_is_refused(
    elo0: float, elo1: float, alpha: float, beta: float, message: str
) -> None:
    with pytest.raises(ArenaError, match=message):
        Sprt(elo0, elo1, alpha, beta)
