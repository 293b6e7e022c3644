"""The static evaluation of Thrive, and the ranking of its turns."""

from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from strategies import set_ups

from thrive_engine import START, Position, parse_draft, parse_position
from thrive_engine.games.thrive import (
    candidates,
    captures,
    completions,
    evaluate,
    explain,
    sample,
    wins,
)
from thrive_engine.games.thrive.evaluation import WON

SMALL = [
    "3B~aB~bB~/6/6/6/6/W~W~cW~3 w 1",
    "2B~2B~b/6/6/2W~3/6/W~c5 w 9",
    "2B2B/6/6/2W3/6/W5 w 1",
    "6/1B~aB~bc3/6/2W~yB~2/W~3W~1/6 b 7",
    "BgB~4/6/6/Wgh1W~3/6/6 w 1",
]


@given(set_ups())
def test_symmetric_positions_are_worth_the_same(position: Position) -> None:
    value = evaluate(position)
    assert evaluate(position.mirrored()) == value
    assert evaluate(position.turned()) == value


@given(set_ups())
def test_the_features_add_up_to_the_evaluation(position: Position) -> None:
    features = explain(position)
    white, black = (sum(values[seat] for _, values in features) for seat in (0, 1))
    assert evaluate(position) == (black - white if position.side else white - black)


def test_a_piece_at_the_start_is_worth_100() -> None:
    features = dict(explain(START))
    assert sum(features[name][0] for name in ("pieces", "pegs", "reach")) == 600


def test_a_piece_more_is_better() -> None:
    less = parse_position("BrBrBrBrBrBr/6/6/6/6/1WhWhWhWhWh w 1")
    assert evaluate(less) < evaluate(START) - 80


def test_a_piece_that_can_be_taken_is_worth_less_when_the_taker_is_to_move() -> None:
    text = "BrBrBrBrBr1/6/5Bgo/5Wbh/6/WhWhWhWhWh1 {} 5"
    assert evaluate(parse_position(text.format("w"))) > 50
    assert evaluate(parse_position(text.format("b"))) < 0


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("4BB~abcd/6/6/6/6/W~abcdW4 w 1", True),
        ("4BB~abcd/6/6/6/6/W~abcdW4 b 1", True),
        ("4BB~abc/6/6/6/6/W~abcdefW4 w 1", False),
    ],
)
def test_who_fills_a_piece_first_is_better(text: str, first: bool) -> None:
    assert (evaluate(parse_position(text)) > 0) is first


@given(set_ups())
def test_a_win_in_one_turn_is_seen_and_nothing_else_is_taken_for_one(position: Position) -> None:
    if position.outcome is not None:
        return
    found = next(wins(position.draft), None)
    if found is None:
        assert evaluate(position) < WON
    else:
        outcome = position.play(found.turn).outcome if found.turn else None
        assert outcome is not None
        assert outcome.winner == position.player


@pytest.mark.parametrize("text", SMALL)
def test_wins_are_all_the_turns_that_win_at_once(text: str) -> None:
    position = parse_position(text)
    expected = set()
    for turn in position.legal_turns:
        outcome = position.play_unchecked(turn).outcome
        if outcome is not None and outcome.winner == position.player:
            expected.add(turn)
    found = [draft.turn for draft in wins(position.draft)]
    assert len(found) == len(set(found))
    assert set(found) == expected


@settings(max_examples=50, deadline=None)
@given(set_ups())
def test_completions_are_the_legal_turns_each_once(position: Position) -> None:
    if len(position.legal_turns) > 5000 or position.outcome is not None:
        return
    drafts = list(completions(position.draft, 10))
    turns = [draft.turn for draft in drafts]
    assert len(turns) == len(set(turns))
    assert set(turns) == set(position.legal_turns)
    assert all(draft.position == position.play(draft.turn) for draft in drafts[:50] if draft.turn)


@settings(max_examples=50, deadline=None)
@given(set_ups())
def test_completions_of_a_half_built_turn_begin_with_it(position: Position) -> None:
    draft = position.draft
    while draft.choices:
        draft = draft.add(draft.choices[-1])
        for whole in islice(completions(draft, 5), 20):
            assert whole.turn is not None
            assert whole.turn.movement == draft.movement
            assert set(draft.pegs) <= set(whole.turn.pegs)
            assert whole.position == position.play(whole.turn)


@settings(deadline=None)
@given(set_ups())
def test_candidates_are_choices_each_once(position: Position) -> None:
    draft = position.draft
    while draft.choices:
        parts = candidates(draft, 12)
        assert len(parts) == len(set(parts)) == min(12, len(draft.choices))
        assert set(parts) <= set(draft.choices)
        draft = draft.add(parts[0])
    assert candidates(draft, 12) == []


@settings(deadline=None)
@given(set_ups())
def test_captures_take_an_enemy_piece_in_a_legal_turn(position: Position) -> None:
    if position.outcome is not None:
        return
    for draft in captures(position, 3):
        assert draft.turn is not None
        after = position.play(draft.turn)
        assert after == draft.position
        assert len(after.own) == len(position.enemy) - 1


def test_every_turn_is_as_likely_to_be_drawn_as_any_other() -> None:
    position = parse_position("2B2B~/6/6/2W~cd3/6/W~b3W~1 w 1")
    random = Random(1)
    total = len(position.legal_turns)
    counts = Counter(sample(position.draft, random.randrange).turn for _ in range(40 * total))
    assert set(counts) == set(position.legal_turns)
    assert 10 <= min(counts.values()) <= max(counts.values()) <= 90


def test_a_drawn_turn_begins_with_its_draft() -> None:
    draft = parse_draft("a1a2+c1d", START)
    random = Random(2)
    for _ in range(50):
        turn = sample(draft, random.randrange).turn
        assert str(turn).startswith("a1a2+")
        assert draft.pegs[0] in turn.pegs  # type: ignore[union-attr]
