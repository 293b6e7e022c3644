"""Tables of a tournament, and ratings of many players."""

from math import isfinite
from random import Random

import pytest

from thrive_engine.arena.joint import describe, joint_ratings
from thrive_engine.arena.rating import Results, elo, score_of
from thrive_engine.arena.table import (
    GameResult,
    by_opening,
    by_seat,
    crosstable,
    first_seat,
    game_results,
    pair_results,
)
from thrive_engine.errors import ArenaError

GAMES = [
    GameResult(0, ("A", "B"), 1, 0),
    GameResult(0, ("B", "A"), 0.5, 0),
    GameResult(1, ("A", "C"), 0, 0),
    GameResult(1, ("C", "A"), 0, 0),
    GameResult(2, ("B", "C"), 1, 1),
]


def games_of(one: str, two: str, wins: int, draws: int, losses: int) -> list[GameResult]:
    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses
    return [GameResult(number, (one, two), score) for number, score in enumerate(scores)]


def test_a_crosstable_counts_every_meeting_and_puts_the_best_first() -> None:
    rows = crosstable(GAMES)
    assert [(row.player, row.results.points) for row in rows] == [("A", 2.5), ("B", 1.5), ("C", 1)]
    assert rows[0].against == {
        "B": Results.of_games(wins=1, draws=1),
        "C": Results.of_games(wins=1, losses=1),
    }
    assert rows[0].sonneborn_berger == pytest.approx(1.5 * 1.5 / 3 + 1 * 1 / 3)


def test_equal_points_are_ordered_by_sonneborn_berger_then_as_given() -> None:
    games = [
        *games_of("A", "C", 1, 0, 0),
        *games_of("B", "D", 1, 0, 0),
        *games_of("D", "C", 1, 0, 0),
    ]
    assert [row.player for row in crosstable(games, "ABCD")] == ["B", "A", "D", "C"]
    assert [row.player for row in crosstable([], "BA")] == ["B", "A"]


def test_results_are_those_of_one_player_against_all_or_one() -> None:
    assert game_results(GAMES, "A") == Results.of_games(2, 1, 1)
    assert game_results(GAMES, "A", "B") == Results.of_games(1, 1, 0)
    assert game_results(GAMES, "Z") == Results.of_games()


def test_only_whole_pairs_are_in_the_pentanomial() -> None:
    assert pair_results(GAMES, "A") == Results((0, 0, 1, 1, 0))
    assert pair_results(GAMES, "B", "C") == Results((0, 0, 0, 0, 0))
    assert pair_results(GAMES, "B", "A") == Results((0, 1, 0, 0, 0))


def test_results_are_told_apart_by_opening_and_by_seat() -> None:
    assert by_opening(GAMES) == {
        0: Results.of_games(1, 1, 2),
        1: Results.of_games(wins=1),
    }
    assert by_opening(GAMES, "C") == {
        0: Results.of_games(wins=1, losses=1),
        1: Results.of_games(losses=1),
    }
    assert by_seat(GAMES, "A") == (Results.of_games(1, 0, 1), Results.of_games(1, 1, 0))
    assert first_seat(GAMES) == Results.of_games(2, 1, 2)


def test_a_game_that_cannot_be_is_refused() -> None:
    with pytest.raises(ArenaError, match="'A' and 'B' with score 2"):
        GameResult(0, ("A", "B"), 2)
    with pytest.raises(ArenaError, match="two players"):
        GameResult(0, ("A", "A"), 1)


# Joint ratings


@pytest.mark.parametrize("wdl", [(136, 111, 96), (30, 5, 10), (0, 40, 0), (100, 0, 90)])
def test_two_players_rate_jointly_as_they_do_alone(wdl: tuple[int, int, int]) -> None:
    ratings = joint_ratings(crosstable(games_of("A", "B", *wdl), "AB"), anchor="B")
    joint = next(rating.elo for rating in ratings if rating.player == "A")
    alone = elo(Results.of_games(*wdl))
    assert joint.value == pytest.approx(alone.value, abs=0.5)
    assert joint.margin == pytest.approx(alone.margin, rel=0.05)


def test_an_anchor_keeps_its_rating_and_has_no_interval() -> None:
    rows = crosstable(games_of("A", "B", 3, 0, 1) + games_of("B", "C", 3, 1, 1))
    ratings = {each.player: each.elo for each in joint_ratings(rows, "B", 2000)}
    assert ratings["B"].low == pytest.approx(ratings["B"].high) == pytest.approx(2000)
    assert ratings["A"].value > 2000 > ratings["C"].value


def test_without_an_anchor_the_average_is_0() -> None:
    rows = crosstable(games_of("A", "B", 3, 0, 1) + games_of("B", "C", 3, 1, 1))
    assert sum(each.elo.value for each in joint_ratings(rows)) == pytest.approx(0, abs=1e-6)


def test_expected_and_real_points_agree_at_the_maximum() -> None:
    random = Random(6)
    games = [
        game
        for one, two in ("AB", "AC", "AD", "BC", "BD", "CD")
        for game in games_of(one, two, *(random.randrange(50, 150) for _ in range(3)))
    ]
    rows = crosstable(games)
    rating = {each.player: each.elo.value for each in joint_ratings(rows)}
    for row in rows:
        expected = sum(
            results.games * score_of(rating[row.player] - rating[other])
            for other, results in row.against.items()
        )
        assert row.results.points == pytest.approx(expected, abs=0.05)


def test_the_intervals_cover_the_truth_19_times_in_20() -> None:
    random = Random(7)
    truth = {"A": 150.0, "B": 50.0, "C": 0.0, "D": -200.0}
    covered = total = 0
    for _ in range(150):
        games = [
            GameResult(0, (one, two), float(random.random() < score_of(truth[one] - truth[two])))
            for one in truth
            for two in truth
            if one < two
            for _ in range(40)
        ]
        for rating in joint_ratings(crosstable(games)):
            covered += rating.elo.low <= truth[rating.player] <= rating.elo.high
            total += 1
    assert 0.92 <= covered / total <= 0.98


def test_who_won_all_games_has_a_finite_rating_that_says_what_it_rests_on() -> None:
    rows = crosstable(games_of("A", "B", 5, 0, 0) + games_of("B", "C", 3, 2, 3))
    ratings = joint_ratings(rows)
    assert ratings[0].player == "A"
    assert {each.player for each in ratings if each.rests_on_prior} == {"A"}
    assert describe(ratings) == (
        "no result bounds the rating of A relative to the others: only the prior keeps it finite"
    )
    anchored = joint_ratings(rows, anchor="A")
    assert {each.player for each in anchored if each.rests_on_prior} == {"B", "C"}


def test_groups_that_never_met_have_finite_ratings_and_wide_intervals() -> None:
    rows = crosstable(games_of("A", "B", 9, 3, 3) + games_of("C", "D", 9, 3, 3))
    ratings = joint_ratings(rows, anchor="A")
    assert {each.player for each in ratings if each.rests_on_prior} == {"C", "D"}
    margins = {each.player: each.elo.margin for each in ratings}
    assert margins["C"] > 5 * margins["B"]


def test_all_results_of_up_to_8_games_of_two_players_are_finite() -> None:
    for games in range(9):
        for wins in range(games + 1):
            for draws in range(games - wins + 1):
                rows = crosstable(games_of("A", "B", wins, draws, games - wins - draws), "AB")
                for rating in joint_ratings(rows):
                    assert rating.elo.low <= rating.elo.value <= rating.elo.high
                    assert isfinite(rating.elo.margin)


def test_a_cycle_of_wins_makes_all_equal() -> None:
    games = games_of("A", "B", 4, 0, 0) + games_of("B", "C", 4, 0, 0) + games_of("C", "A", 4, 0, 0)
    ratings = joint_ratings(crosstable(games))
    assert [each.elo.value for each in ratings] == pytest.approx([0, 0, 0], abs=1e-6)
    assert describe(ratings) == "all ratings rest on results"


def test_no_players_have_no_ratings_and_an_unknown_anchor_is_refused() -> None:
    assert joint_ratings([]) == []
    with pytest.raises(ArenaError, match="anchor 'Z' is none of the players"):
        joint_ratings(crosstable(GAMES), anchor="Z")
