"""A game with its history: repetition, taking back, and the ways to end."""

import pytest

from thrive_engine import START, Game, IllegalTurnError, Reason, parse_position

ALL_FULL = "B~B~B~3/6/6/6/6/W~W~W~3"
ROUND = ["a1a2", "a6a5", "a2a1", "a5a6"]


def test_a_game_begins_at_the_start_with_no_turns() -> None:
    game = Game()
    assert game.position == game.start == START
    assert game.turns == ()
    assert game.outcome is None
    assert game.repetitions == 1


def test_turns_are_played_as_texts_or_as_values() -> None:
    game = Game()
    game.play("a1a2+a2ig")
    game.play(next(iter(game.position.legal_turns)))
    assert str(game.turns[0]) == "a1a2+a2gi"
    assert len(game.positions) == 3


def test_undo_takes_back_the_last_turn_and_its_repetition() -> None:
    game = Game(parse_position(f"{ALL_FULL} w 60"))
    for turn in ROUND:
        game.play(turn)
    assert game.repetitions == 2
    assert str(game.undo()) == "a5a6"
    assert game.repetitions == 1
    game.play("a5a6")
    assert game.repetitions == 2


def test_undo_at_the_start_is_an_index_error_and_changes_nothing() -> None:
    game = Game()
    with pytest.raises(IndexError):
        game.undo()
    assert game.positions == (START,)
    assert game.repetitions == 1


def test_a_refused_turn_leaves_the_game_as_it_was() -> None:
    game = Game()
    with pytest.raises(IllegalTurnError):
        game.play("a1a3+a3gi")
    assert game.turns == ()
    assert game.positions == (START,)


def test_the_third_time_is_a_draw_counted_from_the_first_position() -> None:
    game = Game(parse_position(f"{ALL_FULL} w 60"))
    for turn in ROUND + ROUND:
        assert game.outcome is None
        game.play(turn)
    assert game.repetitions == 3
    assert str(game.outcome) == "1/2-1/2 (repetition)"
    assert game.outcome == game.rules.repetition
    with pytest.raises(IllegalTurnError, match=r"the game is over: 1/2-1/2 \(repetition\)"):
        game.play("a1a2")
    game.undo()
    assert game.outcome is None


def test_the_turn_number_and_a_different_side_are_told_apart_rightly() -> None:
    game = Game(parse_position(f"{ALL_FULL} b 7"))
    for turn in ["a6a5", "a1a2", "a5a6", "a2a1"]:
        game.play(turn)
    assert game.position.number != game.start.number
    assert game.repetitions == 2


@pytest.mark.parametrize(
    ("position", "turn", "result", "reason"),
    [
        ("5B/4B1/3Wi2/6/6/W5 w 9", "d4e5", "1-0", Reason.CAPTURED),
        ("3BrBrBr/6/6/6/W5/Wh5 w 3", "a1a2", "0-1", Reason.OWN_CAPTURE),
        ("4BrBr/6/6/6/6/W~cwWh4 w 40", "b1b2+a1cw", "1-0", Reason.FILLED_BY_PEGS),
        ("4BB~/6/3B2/2Wi3/6/W~5 w 33", "c3d4", "1-0", Reason.FILLED_BY_MOVEMENT),
        ("4BB~/6/3B2/2Wi3/6/Wh5 w 33", "c3d4", "0-1", Reason.FILLED_BY_MOVEMENT),
    ],
)
def test_a_game_ends_by_its_last_turn(
    position: str, turn: str, result: str, reason: Reason
) -> None:
    game = Game(parse_position(position))
    game.play(turn)
    assert game.outcome is not None
    assert (game.outcome.result, game.outcome.reason) == (result, reason)
    assert len(game.position.legal_turns) == 0
    with pytest.raises(IllegalTurnError, match="the game is over"):
        game.play("0000+a1ab")


def test_a_game_may_begin_where_it_is_over() -> None:
    game = Game(parse_position("5B/4W1/6/6/6/W5 b 9"))
    assert game.outcome is not None
    assert game.outcome.reason is Reason.CAPTURED
