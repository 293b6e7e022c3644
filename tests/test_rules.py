"""Positions, legal turns, half-built turns and the end of the game."""

from typing import Any

import pytest

from thrive_engine import (
    SKIP,
    START,
    Hole,
    IllegalTurnError,
    Movement,
    Peg,
    Piece,
    Position,
    PositionError,
    Reason,
    Side,
    Square,
    Turn,
    parse_draft,
    parse_position,
    parse_turn,
)

OVER = parse_position("5B/4W1/6/6/6/W5 b 9")
STUCK = parse_position("WhWh4/6/6/6/6/4BrBr w 5")
ONE_HOLE = parse_position("3BrBrBr/6/6/6/6/W~W~W~a3 w 60")
FORWARD = Movement(Square.A1, Square.A2)


def test_the_start_has_56718_turns_and_six_movements() -> None:
    assert len(START.legal_turns) == 56_718
    assert " ".join(map(str, START.legal_movements)) == "a1a2 b1b2 c1c2 d1d2 e1e2 f1f2"


def test_four_full_pieces_in_the_middle_and_two_beside_have_134_movements() -> None:
    position = parse_position("6/6/1W~W~W~2/1W~W~W~2/6/BB4 w 1")
    assert len(position.legal_movements) == 134


def test_holes_are_counted_after_the_movement() -> None:
    position = parse_position("BB4/B5/6/6/WWW3/Wh5 w 1")
    assert len(position.draft.add(FORWARD).turns) == 71 * 70 // 2


def test_where_no_piece_can_move_the_pegs_are_still_placed() -> None:
    assert STUCK.legal_movements == (SKIP,)
    assert len(STUCK.legal_turns) == 46 * 45 // 2
    assert str(STUCK.play(parse_turn("0000+a6ab"))).startswith("WabhWh4/")


def test_one_hole_takes_one_peg_and_none_takes_none() -> None:
    assert str(parse_turn("a1b1+c1a", ONE_HOLE)) == "a1b1+c1a"
    assert str(parse_turn("a1c1", ONE_HOLE)) == "a1c1"


def test_a_full_piece_wins_when_two_face_two() -> None:
    for side, winner, reason in (
        ("b", Side.WHITE, Reason.FILLED_BY_PEGS),
        ("w", Side.WHITE, Reason.FILLED_BY_MOVEMENT),
    ):
        outcome = parse_position(f"4BrBr/6/6/6/1Wh4/W~5 {side} 40").outcome
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (winner, reason)


def test_where_both_own_a_full_piece_the_side_that_moved_wins() -> None:
    for side, winner in (("w", Side.BLACK), ("b", Side.WHITE)):
        outcome = parse_position(f"B~4B/6/6/6/6/W~4W {side} 40").outcome
        assert outcome is not None
        assert outcome.winner == winner


def test_a_full_piece_does_not_win_when_three_face_two() -> None:
    assert parse_position("B~4B/6/6/6/6/W~3WW w 40").outcome is None


def test_filling_with_the_first_peg_does_not_end_the_turn() -> None:
    position = parse_position("4BrBr/6/6/6/6/W~cWh4 w 40")
    draft = parse_draft("b1b2+a1c", position)
    assert not draft.is_complete
    after = position.play(parse_turn("b1b2+a1c+b2a", position))
    assert after.outcome is not None
    assert after.outcome.reason is Reason.FILLED_BY_PEGS


def test_a_finished_game_has_no_turns_and_no_choices() -> None:
    assert len(OVER.legal_turns) == 0
    assert list(OVER.legal_turns) == []
    assert OVER.legal_movements == OVER.draft.choices == ()
    assert OVER.draft.targets == {}
    assert OVER.draft.holes == {}


@pytest.mark.parametrize("part", [FORWARD, SKIP, Peg(Square.A1, Hole.A)])
def test_a_finished_game_says_so_whatever_is_added(part: Movement | Peg) -> None:
    with pytest.raises(IllegalTurnError, match=r"the game is over: 1-0 \(captured\)"):
        OVER.draft.add(part)
    with pytest.raises(IllegalTurnError, match="the game is over"):
        OVER.draft.finished()


def test_a_draft_says_what_may_follow() -> None:
    draft = START.draft
    assert draft.stage == "movement"
    assert draft.targets[Square.A1] == (Square.A2,)
    assert draft.holes == {}
    draft = draft.add(FORWARD)
    assert draft.stage == "peg"
    assert draft.targets == {}
    assert list(map(str, draft.holes)) == ["a2", "b1", "c1", "d1", "e1", "f1"]
    assert len(draft.choices) == 138
    assert str(draft.position) == "BrBrBrBrBrBr/6/6/6/Wh5/1WhWhWhWhWh w 1"
    draft = draft.add(Peg(Square.A2, Hole.G))
    assert len(draft.choices) == 137
    draft = draft.add(Peg(Square.A2, Hole.I))
    assert draft.stage == ""
    assert draft.choices == ()
    assert draft.turn == parse_turn("a1a2+a2gi")


def test_drafts_with_the_same_pegs_are_equal_in_any_order() -> None:
    one, other = Peg(Square.B1, Hole.A), Peg(Square.A2, Hole.G)
    begun = START.draft.add(FORWARD)
    assert begun.add(one).add(other) == begun.add(other).add(one)


def test_a_draft_has_one_movement_and_begins_with_it() -> None:
    with pytest.raises(IllegalTurnError, match="only one movement"):
        START.draft.add(FORWARD).add(FORWARD)
    with pytest.raises(IllegalTurnError, match="begins with a movement"):
        START.draft.add(Peg(Square.A1, Hole.A))


def test_pegs_after_a_movement_that_ends_the_game_are_refused() -> None:
    position = parse_position("5B/4B1/3Wi2/6/6/W5 w 9")
    with pytest.raises(IllegalTurnError, match="the movement ends the game"):
        parse_turn("d4e5+a1ab", position)


def test_foreign_objects_are_no_legal_turns() -> None:
    things: list[object] = ["a1a2+a2gi", None, 7, FORWARD, START]
    for thing in things:
        assert thing not in START.legal_turns
    assert parse_turn("a1a2+a2gi") in START.legal_turns
    assert Turn(FORWARD) not in START.legal_turns


def test_a_position_is_made_from_its_pieces() -> None:
    assert Position.of(START.pieces) == START
    assert hash(Position.of(START.pieces)) == hash(START)
    by_number: dict[Any, Piece] = {int(at): piece for at, piece in START.pieces.items()}
    side: Any = 0
    assert Position.of(by_number, side) == START
    assert Position.of(by_number, side).side is Side.WHITE


@pytest.mark.parametrize("square", [6, 7, 46, -1, 48])
def test_a_position_has_no_pieces_beside_the_board(square: int) -> None:
    pieces: dict[Any, Piece] = {**START.pieces, square: Piece(Side.WHITE)}
    with pytest.raises(PositionError, match="is no square"):
        Position.of(pieces)


@pytest.mark.parametrize(("white", "black"), [(0, 2), (7, 2), (1, 1), (2, 0)])
def test_a_position_has_one_to_six_pieces_a_side_and_not_one_against_one(
    white: int, black: int
) -> None:
    sides = [Side.WHITE] * white + [Side.BLACK] * black
    with pytest.raises(PositionError):
        Position.of({square: Piece(side) for square, side in zip(Square, sides, strict=False)})


def test_a_position_has_a_turn_number_from_one() -> None:
    with pytest.raises(PositionError, match="from 1"):
        Position.of(START.pieces, number=0)


def test_the_pieces_of_a_position_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        START.pieces[Square.A1] = Piece(Side.WHITE)  # type: ignore[index]
    with pytest.raises(AttributeError):
        START.number = 2  # type: ignore[misc]


def test_records_mark_captures_and_wins() -> None:
    winning = parse_position("5B/4B1/3Wi2/6/6/W5 w 9")
    assert winning.annotate(parse_turn("d4e5")) == "d4xe5#"
    losing = parse_position("3BrBrBr/6/6/6/W5/Wh5 w 3")
    assert losing.annotate(parse_turn("a1a2")) == "a1xa2"
    assert START.annotate(parse_turn("a1a2+a2gi")) == "a1a2+a2gi"
