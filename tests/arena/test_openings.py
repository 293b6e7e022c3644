"""Openings are found, made and filtered the same way every time."""

from io import StringIO
from itertools import islice
from random import Random

import pytest

from thrive_engine import START, Game, parse_position
from thrive_engine.arena.openings import (
    generated,
    is_balanced,
    listed,
    opening_of,
    random_turn,
    recorded,
    shuffled,
    usable,
)
from thrive_engine.errors import ArenaError, RecordError
from thrive_engine.games import thrive
from thrive_engine.record import Record, read_positions, read_records, write_record

FIRST = "BrBrBrBrBrBr/6/6/6/Wghi5/1WhWhWhWhWh b 1"
MIRRORED = "BrBrBrBrBrBr/6/6/6/5Wghi/WhWhWhWhWh1 b 1"
OVER = "6/6/6/Br5/Wh5/Wh5 w 9"


def test_generated_openings_are_the_same_for_the_same_seed() -> None:
    one, two, other = (list(islice(generated(thrive, 4, seed), 10)) for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_generated_openings_go_on_and_no_two_are_symmetric() -> None:
    openings = list(islice(generated(thrive, 3, seed=5), 50))
    assert all(each.outcome is None for each in openings)
    assert len({each.symmetry_key for each in openings}) == 50
    assert {(each.number, str(each.side)) for each in openings} == {(2, "b")}


def test_openings_can_be_deep_though_games_end_by_then() -> None:
    openings = list(islice(generated(thrive, 40, seed=3), 3))
    assert [each.number for each in openings] == [21, 21, 21]


def test_openings_can_begin_anywhere() -> None:
    start = parse_position(FIRST)
    opening = next(generated(thrive, 2, seed=1, start=start))
    assert (opening.number, str(opening.side)) == (2, "b")


def test_where_there_are_no_more_openings_an_error_says_so() -> None:
    openings = generated(thrive, 0, seed=1)
    assert next(openings) == START
    with pytest.raises(ArenaError, match="1000 random games of 0 turns gave no opening more"):
        next(openings)
    with pytest.raises(ArenaError, match="games of 1 turn gave no opening more; take longer"):
        next(generated(thrive, 1, seed=1, accept=lambda position: False))


def test_a_balance_filter_keeps_what_scores_little_for_either_side() -> None:
    def pegs(position: thrive.Position) -> int:
        return sum(len(piece.pegs) for piece in position.pieces.values()) % 7 - 3

    openings = list(islice(generated(thrive, 5, seed=1, accept=is_balanced(pegs, 3)), 20))
    assert all(abs(pegs(each)) <= 3 for each in openings)
    unfair = is_balanced(lambda position: -50, 49)
    assert not unfair(START)
    assert is_balanced(lambda position: -50, 50)(START)


def test_random_turns_are_legal_and_of_all_kinds() -> None:
    random = Random(8)
    turns = [random_turn(START, random) for _ in range(300)]
    assert all(turn in START.legal_turns for turn in turns)
    assert {turn.movement for turn in turns} == set(START.legal_movements)


def test_a_random_turn_is_found_where_no_piece_can_move() -> None:
    position = parse_position("BBBBBB/6/6/6/6/WWWWWW w 1")
    assert str(random_turn(position, Random(1))).startswith("0000+")


def test_symmetric_and_finished_positions_are_left_out_in_order() -> None:
    positions = [parse_position(text) for text in (FIRST, OVER, MIRRORED)]
    assert positions[1].outcome is not None
    assert usable([*positions, START, START]) == [positions[0], START]
    with pytest.raises(ArenaError, match="there is no opening"):
        usable(positions[1:2])
    with pytest.raises(ArenaError, match="there is no opening"):
        usable([])


def test_a_list_gives_its_positions_and_its_first_error_is_raised() -> None:
    text = f'# openings\n{FIRST} id "one";\n\n{START}\n'
    assert list(listed(read_positions(StringIO(text), thrive))) == [parse_position(FIRST), START]
    with pytest.raises(RecordError, match="line 2, column"):
        list(listed(read_positions(StringIO(f"{START}\nnonsense\n"), thrive)))


def played(turns: int, seed: int) -> str:
    random, game = Random(seed), Game()
    for _ in range(turns):
        game.play(random_turn(game.position, random))
    return write_record(Record.from_game(game))


def test_records_give_their_positions_after_some_turns_and_short_ones_none() -> None:
    text = "\n".join((played(3, 1), played(1, 2), played(2, 3)))
    records = list(read_records(StringIO(text), thrive))
    positions = list(recorded(records, 2))
    assert positions == [records[0].game().positions[2], records[2].game().positions[2]]
    assert list(recorded(records, 0)) == [START] * 3


def test_the_first_error_of_a_record_is_raised() -> None:
    with pytest.raises(RecordError, match="line 1"):
        list(recorded(read_records(StringIO("1. a1a9+a2gi *"), thrive), 0))


def test_openings_are_shuffled_by_a_seed_and_begin_again_at_their_end() -> None:
    openings = list(range(20))
    assert shuffled(openings, 1) == shuffled(openings, 1) != shuffled(openings, 2)
    assert sorted(shuffled(openings, 1)) == openings
    assert [opening_of("abc", number) for number in range(5)] == list("abcab")
