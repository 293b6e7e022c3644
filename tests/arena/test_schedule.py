"""Who plays whom, as tables."""

from itertools import combinations
from random import Random

import pytest

from thrive_engine.arena.knockout import MOST_EXTRA, knockout, knockout_winner, seeding
from thrive_engine.arena.matching import has_perfect_matching
from thrive_engine.arena.schedule import (
    Format,
    Pairing,
    berger,
    gauntlet,
    match,
    planned_games,
    round_robin,
)
from thrive_engine.arena.swiss import swiss, swiss_standings
from thrive_engine.errors import ArenaError

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def table(pairings: list[Pairing]) -> list[str]:
    return [f"{each.number} {'-'.join(each.players)} {each.opening}" for each in pairings]


# Static formats


def test_a_match_is_pairs_of_two_players_each_from_the_next_opening() -> None:
    assert table(list(match("AB", 3))) == ["0 A-B 0", "1 A-B 1", "2 A-B 2"]


def test_a_pairing_is_two_games_with_seats_swapped() -> None:
    assert Pairing(0, ("A", "B"), 0).games == (("A", "B"), ("B", "A"))


def test_a_gauntlet_pairs_the_first_player_with_each_other() -> None:
    assert table(list(gauntlet("ABCD", 2))) == [
        "0 A-B 0",
        "1 A-C 0",
        "2 A-D 0",
        "3 A-B 1",
        "4 A-C 1",
        "5 A-D 1",
    ]


def test_a_round_robin_goes_by_bergers_tables_of_the_fide_handbook() -> None:
    rounds = [" ".join(f"{a + 1}-{b + 1}" for a, b in each) for each in berger(6)]
    assert rounds == [
        "1-6 2-5 3-4",
        "6-4 5-3 1-2",
        "2-6 3-1 4-5",
        "6-5 1-4 2-3",
        "3-6 4-2 5-1",
    ]
    assert table(list(round_robin("ABC", 2))) == [
        "0 B-C 0",
        "1 A-B 0",
        "2 C-A 0",
        "3 B-C 1",
        "4 A-B 1",
        "5 C-A 1",
    ]


@pytest.mark.parametrize("players", range(2, 17))
def test_in_bergers_tables_everyone_meets_everyone_once_and_plays_once_a_round(
    players: int,
) -> None:
    rounds = berger(players)
    met = [tuple(sorted(pair)) for each in rounds for pair in each]
    assert sorted(met) == list(combinations(range(players), 2))
    for each in rounds:
        busy = [player for pair in each for player in pair]
        assert len(busy) == len(set(busy)) == players - players % 2


@pytest.mark.parametrize("players", range(2, 10))
def test_planned_games_are_those_of_the_schedule(players: int) -> None:
    names = LETTERS[:players]
    if players == 2:
        assert 2 * len(list(match(names, 3))) == planned_games(Format.MATCH, 2, 3)
    assert 2 * len(list(gauntlet(names, 3))) == planned_games(Format.GAUNTLET, players, 3)
    assert 2 * len(list(round_robin(names, 3))) == planned_games(Format.ROUND_ROBIN, players, 3)
    assert 2 * len(play_swiss(names, 4, 3)) == planned_games(Format.SWISS, players, 3, 4)
    # Without ties: the better seed always wins.
    assert 2 * len(play_knockout(names, 3)) == planned_games(Format.KNOCKOUT, players, 3)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ([], "two players or more, not 0"),
        (["A"], "two players or more, not 1"),
        (["A", "B", "A"], "two players have the name 'A'"),
    ],
)
def test_players_that_cannot_be_are_refused(players: list[str], message: str) -> None:
    for pairings in (
        lambda: round_robin(players, 1),
        lambda: gauntlet(players, 1),
        lambda: list(swiss(players, 1, {})),
        lambda: knockout(players, {}),
    ):
        with pytest.raises(ArenaError, match=message):
            pairings()
    with pytest.raises(ArenaError, match="a match has two players, not 3"):
        match("ABC", 1)


# Swiss


def play_swiss(
    players: str, rounds: int, pairs: int = 1, random: Random | None = None
) -> list[Pairing]:
    """A whole tournament: the better seed wins, or chance decides."""
    results: dict[int, float] = {}
    while True:
        pairings = list(swiss(players, rounds, results, pairs))
        waiting = [each for each in pairings if each.number not in results]
        if not waiting:
            return pairings
        for each in waiting:
            better = 2.0 if each.players[0] < each.players[1] else 0.0
            results[each.number] = better if random is None else random.choice((0, 0.5, 1, 1.5, 2))


def test_a_swiss_round_pairs_the_upper_half_of_a_group_with_the_lower() -> None:
    assert table(list(swiss("ABCDEFGH", 3, {}))) == ["0 A-E 0", "1 B-F 0", "2 C-G 0", "3 D-H 0"]


def test_the_next_swiss_round_is_paired_within_groups_of_equal_points() -> None:
    favourites = {0: 2.0, 1: 2.0, 2: 2.0, 3: 2.0}
    second = table(list(swiss("ABCDEFGH", 3, favourites)))[4:]
    assert second == ["4 A-C 1", "5 B-D 1", "6 E-G 1", "7 F-H 1"]


def test_who_finds_no_opponent_in_the_group_meets_the_best_of_the_next() -> None:
    # A 2, B 2, C 2, then D, E, F at 0: A meets B, and C the best of those below it not met yet.
    results = {0: 2.0, 1: 2.0, 2: 2.0}
    assert table(list(swiss("ABCDEF", 3, results)))[3:] == ["3 A-B 1", "4 C-D 1", "5 E-F 1"]


def test_a_swiss_round_waits_for_the_one_before() -> None:
    assert len(list(swiss("ABCD", 3, {0: 1.0}))) == 2
    assert len(list(swiss("ABCD", 3, {1: 1.0}))) == 2
    assert len(list(swiss("ABCD", 3, {0: 1.0, 1: 1.0}))) == 4


def test_a_swiss_meeting_of_two_pairs_has_two_openings() -> None:
    results = {0: 1.0, 1: 2.0, 2: 1.0, 3: 1.5}
    assert table(list(swiss("ABCD", 2, results, pairs=2))) == [
        "0 A-C 0",
        "1 A-C 1",
        "2 B-D 0",
        "3 B-D 1",
        "4 A-B 2",
        "5 A-B 3",
        "6 D-C 2",
        "7 D-C 3",
    ]


@pytest.mark.parametrize("players", range(2, 15))
def test_nobody_meets_an_opponent_twice_where_that_can_be_avoided(players: int) -> None:
    # A player's opponents, and a bye, last for so many rounds; pairing from the top may use
    # them up sooner, but half of them always suffice (Dirac).
    rounds = max(1, players // 2)
    for seed in range(20):
        pairings = play_swiss(LETTERS[:players], rounds, 1, Random(seed))
        met = [frozenset(each.players) for each in pairings]
        assert len(met) == len(set(met)) == rounds * (players // 2)


def test_a_swiss_tournament_longer_than_there_are_opponents_repeats_each_equally() -> None:
    pairings = play_swiss("ABCD", 6)
    met = [frozenset(each.players) for each in pairings]
    assert all(met.count(frozenset(pair)) == 2 for pair in combinations("ABCD", 2))


@pytest.mark.parametrize("players", [3, 5, 7, 9])
def test_nobody_has_a_second_bye_before_all_had_one(players: int) -> None:
    names = LETTERS[:players]
    rounds = players // 2
    for seed in range(10):
        pairings = play_swiss(names, rounds, 1, Random(seed))
        byes = [
            next(name for name in names if all(name not in each.players for each in round_))
            for round_ in (
                pairings[at : at + players // 2] for at in range(0, len(pairings), players // 2)
            )
        ]
        assert len(byes) == len(set(byes)) == rounds


def test_a_bye_goes_to_the_lowest_and_counts_as_a_won_meeting() -> None:
    pairings = list(swiss("ABC", 2, {}, pairs=2))
    assert table(pairings) == ["0 A-B 0", "1 A-B 1"]
    standings = swiss_standings("ABC", 1, {0: 2.0, 1: 1.0}, pairs=2)
    assert [(each.player, each.points, each.byes) for each in standings] == [
        ("C", 4, 1),
        ("A", 3, 0),
        ("B", 1, 0),
    ]


def test_swiss_standings_break_ties_by_the_opponents_points() -> None:
    results = {0: 2.0, 1: 2.0, 2: 1.0, 3: 0.0}
    assert table(list(swiss("ABCD", 2, results)))[2:] == ["2 A-B 1", "3 C-D 1"]
    standings = swiss_standings("ABCD", 2, results)
    assert [(each.player, each.points, each.buchholz) for each in standings] == [
        ("B", 3.0, 5.0),
        ("A", 3.0, 3.0),
        ("D", 2.0, 3.0),
        ("C", 0.0, 5.0),
    ]


def test_the_order_in_which_results_come_in_does_not_matter() -> None:
    results = {number: float(number % 3) for number in range(8)}
    backwards = dict(reversed(results.items()))
    assert list(swiss("ABCDEFGH", 3, results)) == list(swiss("ABCDEFGH", 3, backwards))
    assert list(knockout("ABCDE", results)) == list(knockout("ABCDE", backwards))


def test_earlier_pairings_stay_as_results_come_in() -> None:
    random = Random(4)
    pairings = play_swiss("ABCDEFG", 4, 1, random)
    results: dict[int, float] = {}
    seen: dict[int, Pairing] = {}
    random = Random(4)
    while waiting := [each for each in swiss("ABCDEFG", 4, results) if each.number not in results]:
        for each in waiting:
            seen[each.number] = each
            results[each.number] = random.choice((0, 0.5, 1, 1.5, 2))
    assert sorted(seen.values(), key=lambda each: each.number) == pairings


# Matching


def test_a_matching_is_found_where_the_first_choice_fails() -> None:
    path = {frozenset(pair) for pair in ("AC", "AB", "CD")}
    assert has_perfect_matching("ACBD", lambda one, two: frozenset((one, two)) in path)
    star = {frozenset(pair) for pair in ("AB", "AC", "AD")}
    assert not has_perfect_matching("ABCD", lambda one, two: frozenset((one, two)) in star)
    assert not has_perfect_matching("ABC", lambda one, two: True)
    assert has_perfect_matching("", lambda one, two: False)


def test_a_matching_is_found_just_where_trying_all_finds_one() -> None:
    random = Random(5)
    for _ in range(300):
        edges = {frozenset(pair) for pair in combinations("ABCDEFGH", 2) if random.random() < 0.25}

        def may_meet(one: str, two: str, edges: set[frozenset[str]] = edges) -> bool:
            return frozenset((one, two)) in edges

        assert has_perfect_matching("ABCDEFGH", may_meet) == tried("ABCDEFGH", edges)


def tried(players: str, edges: set[frozenset[str]]) -> bool:
    if not players:
        return True
    return any(
        frozenset((players[0], other)) in edges and tried(players[1:].replace(other, ""), edges)
        for other in players[1:]
    )


# Knockout


def play_knockout(players: str, pairs: int = 1, random: Random | None = None) -> list[Pairing]:
    """A whole tournament: the better seed wins, or chance decides."""
    results: dict[int, float] = {}
    while True:
        pairings = list(knockout(players, results, pairs))
        waiting = [each for each in pairings if each.number not in results]
        if not waiting:
            assert knockout_winner(players, results, pairs) is not None
            return pairings
        assert knockout_winner(players, results, pairs) is None
        chosen = waiting if random is None else [random.choice(waiting)]
        for each in chosen:
            results[each.number] = 2.0 if random is None else random.choice((0, 1, 1, 1, 2))


def test_the_first_seeds_meet_last() -> None:
    assert seeding(8) == [0, 7, 3, 4, 1, 6, 2, 5]


def test_a_knockout_pairs_by_seed_and_the_winners_meet() -> None:
    block = 1 + MOST_EXTRA
    first = list(knockout("ABCD", {}))
    assert table(first) == ["0 A-D 0", f"{block} B-C 0"]
    # C and A win, in any order.
    results = {block: 0.0}
    assert table(list(knockout("ABCD", results))) == table(first)
    results[0] = 1.5
    assert table(list(knockout("ABCD", results)))[2:] == [f"{2 * block} A-C {block}"]
    results[2 * block] = 0.5
    assert knockout_winner("ABCD", results) == "C"


def test_the_best_seeds_skip_the_first_round_where_places_are_empty() -> None:
    pairings = play_knockout("ABCDE")
    assert ["-".join(each.players) for each in pairings] == ["D-E", "A-D", "B-C", "A-B"]


def test_a_meeting_is_open_to_its_players_before_others_of_the_round_have_ended() -> None:
    block = 1 + MOST_EXTRA
    players = ["-".join(each.players) for each in knockout("ABCDEFGH", {0: 2.0, block: 2.0})]
    assert players == ["A-H", "D-E", "B-G", "C-F", "A-D"]


def test_a_tie_is_broken_by_further_pairs_one_by_one() -> None:
    results = {0: 2.0, 1: 0.0}
    assert table(list(knockout("AB", results, pairs=2))) == ["0 A-B 0", "1 A-B 1", "2 A-B 2"]
    results[2] = 1.0
    assert len(list(knockout("AB", results, pairs=2))) == 4
    results[3] = 0.5
    assert len(list(knockout("AB", results, pairs=2))) == 4
    assert knockout_winner("AB", results, pairs=2) == "B"


def test_further_pairs_wait_for_all_planned_ones() -> None:
    assert len(list(knockout("AB", {0: 1.0}, pairs=2))) == 2


def test_the_higher_seed_goes_on_where_all_further_pairs_are_tied() -> None:
    results = dict.fromkeys(range(1 + MOST_EXTRA), 1.0)
    assert len(list(knockout("AB", results))) == 1 + MOST_EXTRA
    assert knockout_winner("AB", results) == "A"


@pytest.mark.parametrize("players", [2, 3, 5, 8, 13])
def test_numbers_and_players_do_not_depend_on_the_order_of_play(players: int) -> None:
    names = LETTERS[:players]
    for seed in range(10):
        pairings = play_knockout(names, 2, Random(seed))
        assert len({each.number for each in pairings}) == len(pairings)
        losers = {frozenset(each.players) for each in pairings}
        assert len(losers) == players - 1
