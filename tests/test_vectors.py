"""Every vector of spec/vectors holds."""

from collections import Counter
from hashlib import sha256
from typing import Any

import pytest
from vectors import FOLDER, SETS, read_cases

from thrive_engine import (
    Game,
    Outcome,
    Reason,
    TextError,
    count_turns,
    parse_draft,
    parse_position,
    parse_turn,
)

POSITIONS = read_cases("positions.jsonl")
BAD = read_cases("bad.jsonl")
LENIENT = read_cases("lenient.jsonl")
GAMES = read_cases("games.jsonl")
PERFT = read_cases("perft.json")
REASONS = {
    "capture": Reason.CAPTURED,
    "own capture": Reason.OWN_CAPTURE,
    "filling, by pegs": Reason.FILLED_BY_PEGS,
    "filling, by movement, mover": Reason.FILLED_BY_MOVEMENT,
    "filling, by movement, other": Reason.FILLED_BY_MOVEMENT,
    "repetition": Reason.REPETITION,
}


def test_both_sets_are_whole() -> None:
    for folder in SETS:
        for name, least in {"positions": 325, "bad": 108, "lenient": 25, "games": 30}.items():
            text = (FOLDER / folder / f"{name}.jsonl").read_text(encoding="ascii")
            assert len(text.splitlines()) >= least
    assert len(PERFT) >= 34


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: case["position"])
def test_a_position_has_these_turns(case: dict[str, Any]) -> None:
    position = parse_position(case["position"])
    assert str(position) == case["position"]
    assert str(position.side) == case["side"]
    assert _result(position.outcome) == case["outcome"]
    assert len(position.legal_turns) == case["count"]
    assert {
        str(movement): len(position.draft.add(movement).turns)
        for movement in position.legal_movements
    } == case["movements"]
    if case["sha256"] is not None:
        text = "\n".join(sorted(map(str, position.legal_turns)))
        assert sha256(text.encode()).hexdigest() == case["sha256"]
    for played in case["turns"]:
        turn = parse_turn(played["turn"], position)
        assert str(turn) == played["turn"]
        assert turn in position.legal_turns
        after = position.play(turn)
        assert after == position.play_unchecked(turn)
        assert str(after) == played["position"]
        assert _result(after.outcome) == played["outcome"]


@pytest.mark.parametrize("case", BAD, ids=lambda case: case["why"])
def test_a_bad_text_is_refused_at_a_place_inside_it(case: dict[str, Any]) -> None:
    with pytest.raises(TextError) as caught:
        _read(case)
    error = caught.value
    assert error.text == case["text"]
    assert 0 <= error.place <= len(case["text"])
    assert error.reason
    assert error.reason in str(error)
    assert error.part in str(error)
    assert all(legal in str(error) for legal in error.legal)
    assert len(str(error)) < 500
    assert str(error).isascii()
    assert str(error).isprintable()


@pytest.mark.parametrize("case", LENIENT, ids=lambda case: case["canonical"])
def test_a_lenient_text_comes_back_canonical(case: dict[str, Any]) -> None:
    assert str(_read(case)) == case["canonical"]


@pytest.mark.parametrize(
    "case", [case for case in LENIENT if case["kind"] == "turn"], ids=lambda case: case["canonical"]
)
def test_a_lenient_turn_is_a_draft_too(case: dict[str, Any]) -> None:
    draft = parse_draft(case["text"], parse_position(case["position"]))
    assert draft.is_complete
    assert str(draft) == case["canonical"]


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case["how"])
def test_a_game_ends_like_this(case: dict[str, Any]) -> None:
    game = Game(parse_position(case["start"]))
    for turn in case["turns"]:
        assert game.outcome is None
        game.play(turn)
    assert str(game.position) == case["final"]
    assert game.outcome is not None
    assert game.outcome.result == case["result"]
    assert game.outcome.reason is REASONS[case["how"]]
    if "by movement" in case["how"]:
        mover = game.positions[-2].player
        assert (game.outcome.winner == mover) == case["how"].endswith("mover")


def test_the_games_end_in_every_way() -> None:
    assert {case["how"] for case in GAMES} == set(REASONS)


@pytest.mark.parametrize(
    ("case", "depth"),
    [
        pytest.param(case, int(depth), id=f"{depth} {case['position']}")
        for case in PERFT
        for depth in case["perft"]
    ],
)
def test_perft(case: dict[str, Any], depth: int) -> None:
    position = parse_position(case["position"])
    divide: Counter[str] = Counter()
    for turn in position.legal_turns:
        divide[str(turn.movement)] += count_turns(position.play_unchecked(turn), depth - 1)
    assert divide == case["divide"][str(depth)]
    assert divide.total() == case["perft"][str(depth)]


def _read(case: dict[str, Any]) -> object:
    if case["kind"] == "position":
        return parse_position(case["text"])
    return parse_turn(case["text"], parse_position(case["position"]))


def _result(outcome: Outcome | None) -> str | None:
    return None if outcome is None else outcome.result
