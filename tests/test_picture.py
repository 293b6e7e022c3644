from collections import Counter
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrive_engine import (
    IllegalTurnError,
    Piece,
    Position,
    Side,
    Square,
    parse_position,
    parse_turn,
)
from thrive_engine.games import thrive

Transcript = Callable[[str, str], None]
MIDDLE = parse_position("Br1Bqr2Br/2Br3/1Bw1W~cw2/2Wghi2Bdr/W4Wh/Wh5 w 12")
CAPTURE = parse_turn("d4xf3+c3a+f3c", MIDDLE)
SVG = "{http://www.w3.org/2000/svg}"
LETTERS = "abcdefghijklnopqrstuvwxy"


def pieces_of(side: Side) -> st.SearchStrategy[Piece]:
    return st.sets(st.sampled_from(LETTERS)).map(lambda holes: Piece.of(side, "".join(holes)))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    squares = draw(st.permutations(list(Square)))
    white = draw(st.lists(pieces_of(Side.WHITE), min_size=2, max_size=6))
    black = draw(st.lists(pieces_of(Side.BLACK), min_size=1, max_size=6))
    pieces = dict(zip(squares, white + black, strict=False))
    return Position.of(pieces, draw(st.sampled_from(Side)))


def uses(svg: str) -> Counter[str]:
    """How often each drawing is used in a picture, by its name."""
    root = ElementTree.fromstring(svg)
    return Counter(use.attrib["href"].removeprefix("#thrive-") for use in root.iter(f"{SVG}use"))


@pytest.mark.parametrize("unicode", [True, False])
def test_the_start_is_drawn_as_text(transcript: Transcript, unicode: bool) -> None:
    text = thrive.draw_text(thrive.START, unicode=unicode)
    transcript("start-unicode.txt" if unicode else "start-ascii.txt", text + "\n")


@pytest.mark.parametrize("unicode", [True, False])
def test_a_turn_is_marked_in_text(transcript: Transcript, unicode: bool) -> None:
    text = thrive.draw_text(MIDDLE, CAPTURE, unicode=unicode)
    transcript("capture-unicode.txt" if unicode else "capture-ascii.txt", text + "\n")


def test_the_start_is_drawn_as_svg(transcript: Transcript) -> None:
    transcript("start.svg", thrive.draw_svg(thrive.START))


@given(positions())
def test_every_peg_and_every_hole_is_in_the_text(position: Position) -> None:
    text = thrive.draw_text(position)
    for side, mark in ((Side.WHITE, "○"), (Side.BLACK, "●")):
        own = [piece for piece in position.pieces.values() if piece.side is side]
        assert text.count(mark) == sum(len(piece.pegs) for piece in own)
    assert text.count("·") == sum(len(piece.free) for piece in position.pieces.values())


@given(positions())
def test_every_peg_is_in_the_svg(position: Position) -> None:
    drawn = uses(thrive.draw_svg(position))
    for side, name in ((Side.WHITE, "white"), (Side.BLACK, "black")):
        own = [piece for piece in position.pieces.values() if piece.side is side]
        assert drawn[name] == len(own)
        assert drawn[f"{name}-peg"] == sum(len(piece.pegs) for piece in own)


@given(positions())
def test_ascii_pictures_are_ascii_and_fit_a_terminal(position: Position) -> None:
    text = thrive.draw_text(position, unicode=False)
    assert text.isascii()
    assert thrive.draw_svg(position).isascii()
    assert max(map(len, text.splitlines())) <= 80
    assert max(map(len, thrive.draw_text(position).splitlines())) <= 80


@given(positions(), st.data())
def test_one_peg_more_or_less_is_seen(position: Position, data: st.DataObject) -> None:
    square = data.draw(st.sampled_from(sorted(position.pieces)))
    hole = data.draw(st.sampled_from(LETTERS))
    piece = position.pieces[square]
    changed = Piece(piece.side, piece.mask ^ Piece.of(piece.side, hole).mask)
    other = Position.of({**position.pieces, square: changed}, position.side)
    assert thrive.draw_text(position) != thrive.draw_text(other)
    assert thrive.draw_text(position, unicode=False) != thrive.draw_text(other, unicode=False)
    assert thrive.draw_svg(position) != thrive.draw_svg(other)


@pytest.mark.parametrize("symmetric", [MIDDLE.mirrored(), MIDDLE.turned()])
def test_a_symmetric_position_looks_different(symmetric: Position) -> None:
    assert thrive.draw_text(symmetric) != thrive.draw_text(MIDDLE)
    assert thrive.draw_svg(symmetric) != thrive.draw_svg(MIDDLE)


def test_a_turn_in_svg_has_new_pegs_a_shadow_and_the_captured_piece() -> None:
    before, after = uses(thrive.draw_svg(MIDDLE)), uses(thrive.draw_svg(MIDDLE, CAPTURE))
    assert after["new-peg"] == 2
    assert after["white"] == before["white"] + 1, "the shadow on the square that was left"
    assert after["black"] == before["black"], "the captured piece is shown beside its captor"
    assert after["black-peg"] == before["black-peg"] - 2


def test_a_turn_without_movement_marks_only_its_pegs() -> None:
    position = parse_position("Br1Br3/6/6/6/6/W1W3 w 3")
    turn = parse_turn("0000+a1hi", position)
    assert uses(thrive.draw_svg(position, turn))["new-peg"] == 2
    assert thrive.draw_text(position, turn).count("☆") == 2


def test_the_caption_tells_who_is_to_move_or_how_the_game_ended() -> None:
    lost = parse_position("Br1Br3/6/6/6/6/W5 w 3")
    winning = parse_position("6/Bh1B~a3/6/2Wr3/1W4/6 b 9")
    assert thrive.draw_text(MIDDLE).endswith("   White to move")
    assert thrive.draw_text(MIDDLE, CAPTURE).endswith(f"White plays {CAPTURE}; Black to move")
    assert thrive.draw_text(lost).endswith("   game over, 0-1 (captured)")
    turn = parse_turn("c5xc3#", winning)
    assert "Black plays c5c3; game over, 0-1 (captured)" in thrive.draw_svg(winning, turn)


def test_an_svg_has_a_title_and_a_description_and_needs_nothing_from_outside() -> None:
    root = ElementTree.fromstring(thrive.draw_svg(MIDDLE, CAPTURE))
    assert root.findtext(f"{SVG}title") == f"Thrive: White plays {CAPTURE}; Black to move"
    assert "c3 Waghi" in (root.findtext(f"{SVG}desc") or "")
    names = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    for use in root.iter(f"{SVG}use"):
        assert use.attrib["href"].removeprefix("#") in names
    assert not {element.tag for element in root.iter()} & {f"{SVG}script", f"{SVG}image"}


def test_a_turn_that_is_not_legal_is_not_drawn() -> None:
    with pytest.raises(IllegalTurnError):
        thrive.draw_svg(MIDDLE, parse_turn("a1a5"))
    with pytest.raises(IllegalTurnError):
        thrive.draw_text(MIDDLE, parse_turn("b2b3+b3a"))


def test_notebooks_show_the_picture() -> None:
    assert MIDDLE._repr_svg_() == thrive.draw_svg(MIDDLE)
