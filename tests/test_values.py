"""Sides, squares, holes, pieces, movements, pegs and turns."""

import pickle

import pytest

from thrive_engine import (
    SKIP,
    Hole,
    Movement,
    NotationError,
    Peg,
    Piece,
    PositionError,
    Side,
    Square,
    Turn,
    parse_turn,
)
from thrive_engine.games.thrive.values import HOLES, SQUARES

FORWARD = Movement(Square.A1, Square.A2)
PEG_G = Peg(Square.A2, Hole.G)
PEG_I = Peg(Square.A2, Hole.I)


def test_squares_are_named_by_file_and_rank() -> None:
    assert " ".join(map(str, SQUARES)).startswith("a1 a2 a3 a4 a5 a6 b1 b2 ")
    assert len(SQUARES) == 36
    assert (Square.C5.file, Square.C5.rank) == (2, 4)


def test_a_hole_leads_where_it_lies_from_the_centre() -> None:
    assert Hole.A.step == (-2, 2)
    assert Hole.H.step == (0, 1)
    assert Hole.M.step == (0, 0)
    assert Hole.R.step == (0, -1)
    assert Hole.Y.step == (2, -2)


def test_symmetry_takes_corners_to_corners() -> None:
    assert Square.A1.mirrored() is Square.F1
    assert Square.A1.turned() is Square.F6
    assert Hole.A.mirrored() is Hole.E
    assert Hole.A.turned() is Hole.Y
    assert Hole.M.mirrored() is Hole.M.turned() is Hole.M


def test_a_turn_is_mirrored_and_turned_with_its_pegs() -> None:
    turn = parse_turn("a1a2+a2g+c1i")
    assert str(turn.mirrored()) == "f1f2+d1g+f2i"
    assert str(turn.turned()) == "f6f5+d6q+f5s"
    assert str(parse_turn("0000+a6ab").mirrored()) == "0000+f6de"


def test_a_piece_is_written_by_its_pegs_up_to_twelve_then_by_its_holes() -> None:
    assert str(Piece(Side.WHITE)) == "W"
    assert str(Piece.of(Side.WHITE, "abcdefghijkl")) == "Wabcdefghijkl"
    assert str(Piece.of(Side.BLACK, "abcdefghijkln")) == "B~opqrstuvwxy"
    assert str(Piece.of(Side.BLACK, "".join(map(str, HOLES)))) == "B~"


def test_a_piece_knows_its_pegs_and_its_free_holes() -> None:
    piece = Piece.of(Side.WHITE, "ihg")
    assert piece.pegs == (Hole.G, Hole.H, Hole.I)
    assert len(piece.free) == 21
    assert Hole.M not in piece.free
    assert not piece.is_full


@pytest.mark.parametrize("letters", ["m", "ghz", "A", "\u0456", "g h"])
def test_a_piece_is_not_made_from_other_letters(letters: str) -> None:
    with pytest.raises(NotationError, match="bad holes"):
        Piece.of(Side.WHITE, letters)


def test_a_piece_is_not_made_from_a_mask_with_the_centre() -> None:
    with pytest.raises(PositionError):
        Piece(Side.WHITE, 1 << 18)


def test_the_order_of_pegs_means_nothing() -> None:
    assert Turn(FORWARD, (PEG_I, PEG_G)) == Turn(FORWARD, (PEG_G, PEG_I))
    assert hash(Turn(FORWARD, (PEG_I, PEG_G))) == hash(Turn(FORWARD, (PEG_G, PEG_I)))
    assert str(Turn(FORWARD, (PEG_I, PEG_G))) == "a1a2+a2gi"


@pytest.mark.parametrize("pegs", [(PEG_G, PEG_G), (PEG_G, PEG_I, Peg(Square.B1, Hole.A))])
def test_a_turn_has_at_most_two_pegs_each_in_its_own_hole(pegs: tuple[Peg, ...]) -> None:
    with pytest.raises(NotationError, match="at most two pegs"):
        Turn(FORWARD, pegs)


def test_a_skipped_movement_alone_is_no_turn() -> None:
    with pytest.raises(NotationError, match="0000 alone is no turn"):
        Turn(SKIP)


def test_no_peg_goes_into_the_centre() -> None:
    with pytest.raises(NotationError, match="centre"):
        Peg(Square.A1, Hole.M)


@pytest.mark.parametrize("squares", [(Square.A1, None), (None, Square.A1)])
def test_a_movement_has_two_squares_or_none(squares: tuple[Square | None, Square | None]) -> None:
    with pytest.raises(NotationError, match="bad movement 'a1'"):
        Movement(*squares)


def test_sides_squares_and_holes_can_be_pickled() -> None:
    for value in (*Side, *Square, *Hole, SKIP, PEG_G, Piece.of(Side.BLACK, "r")):
        assert pickle.loads(pickle.dumps(value)) == value
        assert repr(value)
