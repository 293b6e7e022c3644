"""What results say is finite, in order, and as published."""

from collections.abc import Iterator
from math import isfinite, sqrt
from random import Random

import pytest

from thrive_engine.arena.rating import (
    LIMIT,
    Results,
    describe,
    elo,
    elo_of,
    game_deviation,
    normalised_elo,
    score_interval,
    score_of,
    superiority,
)
from thrive_engine.errors import ArenaError

of_games = Results.of_games


def all_results(most: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """All counts of so many kinds that are ``most`` in sum, or less."""
    if kinds == 0:
        yield ()
        return
    for first in range(most + 1):
        for rest in all_results(most - first, kinds - 1):
            yield (first, *rest)


def check(results: Results) -> None:
    for estimate in (elo(results), normalised_elo(results)):
        assert -LIMIT <= estimate.low <= estimate.value <= estimate.high <= LIMIT
        assert estimate.is_open == results.is_sweep
    assert 0 <= score_interval(results)[0] < score_interval(results)[1] <= 1
    assert 0 <= superiority(results) <= 1
    assert isfinite(game_deviation(results))
    assert game_deviation(results) > 0
    mirrored = elo(results.reversed())
    assert mirrored.value == pytest.approx(-elo(results).value, abs=1e-6)
    assert mirrored.low == pytest.approx(-elo(results).high, abs=1e-6)


def test_every_result_of_up_to_40_games_is_finite_and_in_words() -> None:
    for counts in all_results(40, 3):
        results = Results(counts)
        check(results)
        text = describe(results)
        assert "nan" not in text
        assert "inf" not in text


def test_every_result_of_up_to_6_pairs_is_finite() -> None:
    for counts in all_results(6, 5):
        check(Results(counts))


def test_huge_results_are_finite() -> None:
    for counts in ((0, 0, 10**12), (0, 10**12, 0), (1, 0, 10**12), (0, 1, 10**12)):
        check(Results(counts))


@pytest.mark.parametrize(
    ("results", "value", "margin"),
    [
        (of_games(136, 111, 96), 40.70, 30.43),
        (Results((34, 54, 63, 64, 75)), 55.58, 27.65),
        (Results((332, 433, 498, 333, 334)), -8.64, 10.33),
        (Results((7895, 8757, 5685, 568, 9999)), -21.04, 2.95),
    ],
)
def test_elo_is_as_fastchess_tells_it(results: Results, value: float, margin: float) -> None:
    assert elo(results).value == pytest.approx(value, abs=0.01)
    assert elo(results).margin == pytest.approx(margin, rel=0.01)


@pytest.mark.parametrize(
    ("results", "value", "margin"),
    [
        (of_games(76, 123, 89), -20.76, 40.13),
        (of_games(136, 111, 96), 49.77, 36.77),
        (Results((34, 54, 63, 64, 75)), 57.94, 28.28),
        (Results((332, 433, 498, 333, 334)), -9.17, 10.96),
        (Results((7895, 8757, 5685, 568, 9999)), -19.01, 2.65),
    ],
)
def test_normalised_elo_is_as_fastchess_tells_it(
    results: Results, value: float, margin: float
) -> None:
    assert normalised_elo(results).value == pytest.approx(value, rel=0.003)
    assert normalised_elo(results).margin == pytest.approx(margin, rel=0.03)


@pytest.mark.parametrize(
    ("results", "percent"),
    [
        (of_games(76, 123, 89), 15.53),
        (of_games(136, 111, 96), 99.60),
        (Results((332, 433, 498, 333, 334)), 5.05),
    ],
)
def test_superiority_is_as_fastchess_tells_it(results: Results, percent: float) -> None:
    assert 100 * superiority(results) == pytest.approx(percent, abs=0.1)


def test_superiority_passes_97_5_percent_where_the_interval_leaves_0() -> None:
    for wins in range(40):
        results = of_games(wins, 5, 39 - wins)
        assert (superiority(results) > 0.975) == (elo(results).low > 0)


def test_the_bound_of_a_sweep_is_that_of_clopper_and_pearson() -> None:
    low, high = score_interval(of_games(wins=30))
    assert low**30 == pytest.approx(0.05)
    assert high == 1


def test_more_points_never_lower_the_estimate_or_the_bound_in_won_and_lost_games() -> None:
    for games in range(1, 41):
        estimates = [elo(of_games(wins, 0, games - wins)) for wins in range(games + 1)]
        assert [each.value for each in estimates] == sorted(each.value for each in estimates)
        assert [each.low for each in estimates] == sorted(each.low for each in estimates)


def test_draws_narrow_the_interval() -> None:
    assert elo(of_games(10, 20, 10)).margin < elo(of_games(20, 0, 20)).margin


def test_the_interval_covers_the_truth_19_times_in_20() -> None:
    random = Random(1)
    covered = total = 0
    for score, draw in ((0.5, 0.4), (0.7, 0.2), (0.9, 0.1), (0.95, 0.0)):
        for _ in range(1000):
            kinds = random.choices((0, 1, 2), (1 - score - draw / 2, draw, score - draw / 2), k=50)
            results = Results((kinds.count(0), kinds.count(1), kinds.count(2)))
            low, high = score_interval(results)
            covered += low <= score <= high
            total += 1
    assert 0.94 <= covered / total <= 0.97


def test_pairs_of_games_that_balance_each_other_tell_more_than_the_games() -> None:
    pairs = Results((0, 10, 30, 20, 0))
    games = of_games(wins=50, draws=30, losses=40)
    assert pairs.score == games.score
    assert elo(pairs).margin < elo(games).margin


def test_pairs_are_counted_by_their_points() -> None:
    assert Results.of_pairs([0, 0.5, 1, 1, 1.5, 2, 2, 2]) == Results((1, 1, 2, 1, 3))
    assert Results((1, 1, 2, 1, 3)).games == 16
    assert Results((1, 1, 2, 1, 3)).points == 10


def test_results_of_two_matches_add_up() -> None:
    assert of_games(1, 2, 3) + of_games(10, 20, 30) == of_games(11, 22, 33)


def test_elo_and_score_are_inverse() -> None:
    for difference in (-700, -40, 0, 1, 250):
        assert elo_of(score_of(difference)) == pytest.approx(difference)
    assert (elo_of(0), elo_of(1)) == (-LIMIT, LIMIT)
    assert score_of(1e6) < 1


def test_the_deviation_of_a_won_or_lost_game_is_one_half() -> None:
    assert game_deviation(of_games(50, 0, 50)) == pytest.approx(0.5)
    assert game_deviation(of_games()) == 0.5
    assert game_deviation(of_games(1000, 2000, 1000)) == pytest.approx(sqrt(0.125), rel=0.001)


@pytest.mark.parametrize(
    ("results", "text"),
    [
        (of_games(), "no games yet"),
        (of_games(wins=30), "30 wins in 30 games: at least +391 Elo"),
        (of_games(losses=30), "30 losses in 30 games: at most -391 Elo"),
        (of_games(wins=6), "6 wins in 6 games: at least +75 Elo"),
        (of_games(losses=5), "5 losses in 5 games: at most -34 Elo"),
        (of_games(wins=4), "4 wins in 4 games: too few to tell who is stronger"),
        (of_games(losses=1), "1 loss in 1 game: too few to tell who is stronger"),
        (
            of_games(draws=40),
            "40 draws in 40 games: +0.0 Elo (-16.8 to +16.8), which does not tell who is stronger",
        ),
        (
            of_games(136, 111, 96),
            "136 wins, 111 draws and 96 losses in 343 games: +40.7 Elo (+10.4 to +71.0), "
            "the stronger player",
        ),
        (
            of_games(34, 0, 356),
            "34 wins and 356 losses in 390 games: -408.0 Elo (-468.8 to -347.2), the weaker player",
        ),
    ],
)
def test_results_are_said_in_words(results: Results, text: str) -> None:
    assert describe(results) == text


def test_words_take_the_error_bars_of_pairs() -> None:
    games, pairs = of_games(wins=50, draws=30, losses=40), Results((0, 10, 30, 20, 0))
    low, high = elo(pairs).low, elo(pairs).high
    assert f"({low:+.1f} to {high:+.1f})" in describe(games, pairs)
    assert describe(games) != describe(games, pairs)


def test_a_sweep_by_pairs_bounds_the_elo_as_the_same_games_do() -> None:
    for pairs in range(1, 41):
        swept = Results((0, 0, 0, 0, pairs))
        assert elo(swept).low == elo(of_games(wins=2 * pairs)).low
        assert describe(of_games(wins=2 * pairs), swept) == describe(of_games(wins=2 * pairs))
    assert elo(Results((0, 0, 0, 0, 15))).low > 250


def test_where_no_pair_or_only_swept_ones_are_complete_the_games_are_told() -> None:
    none, swept = Results((0,) * 5), Results((0, 0, 0, 0, 3))
    for games, pairs in ((of_games(draws=1), none), (of_games(6, 0, 1), swept)):
        assert describe(games, pairs) == describe(games)
    assert describe(of_games(wins=7), swept) == "7 wins in 7 games: at least +108 Elo"


@pytest.mark.parametrize("counts", [(), (1, 2), (1, 2, 3, 4), (1, -1, 0)])
def test_results_that_cannot_be_are_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(ArenaError, match="are no results"):
        Results(counts)
