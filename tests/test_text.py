"""Reading: what an error tells, in its line and as attributes."""

import pickle

import pytest

from thrive_engine import (
    START,
    IllegalTurnError,
    NotationError,
    TextError,
    parse_draft,
    parse_hole,
    parse_piece,
    parse_position,
    parse_square,
    parse_turn,
)

BOARD = "BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh"


@pytest.mark.parametrize(
    ("text", "part", "place", "reason"),
    [
        ("", "", 0, "it is empty"),
        (BOARD, "side to move", len(BOARD), "there is none"),
        (f"{BOARD} w", "turn number", len(BOARD) + 2, "there is none"),
        (f"{BOARD}  w 1", "fields", len(BOARD), "one space"),
        (f"{BOARD} w 1 -", "field '-'", len(BOARD) + 5, "only three"),
        (f"{BOARD} x 1", "side to move 'x'", len(BOARD) + 1, "w or b"),
        (f"{BOARD} w 01", "turn number '01'", len(BOARD) + 3, "leading zero"),
        (f"{BOARD}/6 w 1", "board", 0, "there are 7"),
        ("BrBr4/6/6/6/6/6 w 1", "board", 0, "White has 0 pieces"),
        ("B5/6/6/6/6/W5 w 1", "board", 0, "both sides have one piece"),
        ("BrBrBrBrBrBr/5/6/6/6/WhWhWhWhWhWh w 1", "rank 5", 13, "5 squares"),
        ("BrBrBrBrBrBr/33/6/6/6/WhWhWhWhWhWh w 1", "rank 5", 13, "counts are 1 to 6"),
        ("BrBrBrBrBrBr/6/?6/6/6/WhWhWhWhWhWh w 1", "rank 4", 15, "'?' is no piece"),
        ("BrBrBrBrBrBr/6/6/6/6/WhWhmWhWhWhWh w 1", "rank 1, square b1", 25, "centre"),
        ("BrBrBrBrBrBr/6/6/6/6/WhWhgWhWhWhWh w 1", "rank 1, square b1", 25, "g after h"),
        (f"  {BOARD} x 1", "side to move 'x'", len(BOARD) + 3, "w or b"),
    ],
)
def test_a_bad_position_tells_its_part_its_place_and_the_reason(
    text: str, part: str, place: int, reason: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    error = caught.value
    assert (error.text, error.part, error.place) == (text, part, place)
    assert reason in error.reason
    assert str(error).startswith(f"bad position {text!r}: ")
    if part:
        assert f"{part} (column {place + 1}): {error.reason}" in str(error)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "bad turn '': it is empty; a turn is written like a1a2+a2gi"),
        ("a1a7", "bad turn 'a1a7': movement 'a1a7' (column 1): 'a7' is no square; "
         "squares are a1 to f6"),
        ("a1a2+a2", "bad turn 'a1a2+a2': pegs 'a2' (column 6): no hole is named after a2"),
        ("a1a2+a2gz", "bad turn 'a1a2+a2gz': pegs 'a2gz' (column 6): 'z' is no hole; "
         "holes are a to y"),
        ("a1a2+a2gm", "bad turn 'a1a2+a2gm': pegs 'a2gm' (column 6): hole m is the centre, "
         "always filled and never written"),
        ("a1a3+a3gi", "illegal turn 'a1a3+a3gi': movement 'a1a3' (column 1): no peg of a1 leads "
         "to a3; legal: a1a2"),
        ("a3a4+a4gi", "illegal turn 'a3a4+a4gi': movement 'a3a4' (column 1): a3 is empty; "
         "legal: a1 b1 c1 d1 e1 f1"),
        ("a6a5+a5gi", "illegal turn 'a6a5+a5gi': movement 'a6a5' (column 1): the piece on a6 is "
         "the opponent's; legal: a1 b1 c1 d1 e1 f1"),
        ("a1a2+c3g", "illegal turn 'a1a2+c3g': peg 'c3g' (column 6): c3 is empty; "
         "legal: a2 b1 c1 d1 e1 f1"),
        ("a1a2+a2gh", "illegal turn 'a1a2+a2gh': peg 'a2h' (column 9): hole h of a2 has a peg "
         "already"),
        ("a1a2+a2g", "illegal turn 'a1a2+a2g': end (column 9): one more peg must be placed"),
        ("a1a2", "illegal turn 'a1a2': end (column 5): two pegs must be placed"),
        ("a1xa2+a2gi", "illegal turn 'a1xa2+a2gi': mark 'x' (column 3): a2 is empty, so nothing "
         "is captured"),
        ("a1a2+a2gi#", "illegal turn 'a1a2+a2gi#': mark '#' (column 10): the turn does not win "
         "for its player"),
        ("a1a2+a2gi+b1a", "illegal turn 'a1a2+a2gi+b1a': peg 'b1a' (column 11): two pegs are "
         "placed already"),
    ],
)  # fmt: skip
def test_a_refused_turn_says_so_in_one_line(text: str, line: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_turn(text, START)
    assert str(caught.value) == line


def test_what_is_legal_is_an_attribute_too() -> None:
    with pytest.raises(IllegalTurnError) as caught:
        parse_turn("a1a3+a3gi", START)
    assert caught.value.legal == ("a1a2",)
    assert isinstance(caught.value, ValueError)


def test_an_error_survives_pickling() -> None:
    with pytest.raises(NotationError) as caught:
        parse_turn("a1")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert (again.part, again.place) == (caught.value.part, caught.value.place)


@pytest.mark.parametrize("text", ["a1a2+a2gg", "a1a2+a2g+b1g+c1g", "0000"])
def test_without_a_position_the_form_of_a_turn_is_still_checked(text: str) -> None:
    with pytest.raises(NotationError):
        parse_turn(text)


def test_a_turn_number_may_have_a_thousand_digits_and_no_more() -> None:
    longest = "9" * 1000
    assert str(parse_position(f"{BOARD} w {longest}")).endswith(longest)
    with pytest.raises(NotationError, match="at most 1000 digits"):
        parse_position(f"{BOARD} w {longest}9")


@pytest.mark.parametrize("space", [" ", "\t", "\r\n", "\v", "\f"])
def test_ascii_white_space_around_a_text_is_dropped(space: str) -> None:
    assert parse_position(f"{space}{START}{space}") == START
    assert str(parse_turn(f"{space}a1a2+a2gi{space}", START)) == "a1a2+a2gi"
    assert str(parse_square(f"{space}a1{space}")) == "a1"
    assert str(parse_hole(f"{space}m{space}")) == "m"
    assert str(parse_piece(f"{space}Wh{space}")) == "Wh"


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u200b", "\ufeff", "\x1c", "\x85"])
def test_other_white_space_is_refused(space: str) -> None:
    with pytest.raises(NotationError):
        parse_position(f"{START}{space}")
    with pytest.raises(NotationError):
        parse_turn(f"{space}a1a2+a2gi")


@pytest.mark.parametrize("text", ["", "a", "a7", "g1", "A1", "a1 a2", "\uff41\uff11"])
def test_what_is_no_square_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="bad square"):
        parse_square(text)


@pytest.mark.parametrize("text", ["", "z", "ab", "A", "1"])
def test_what_is_no_hole_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="bad hole"):
        parse_hole(text)


@pytest.mark.parametrize("text", ["", "h", "Wm", "Whg", "Whh", "W~~", "Wz", "WhWh", "6", "w"])
def test_what_is_no_piece_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="bad piece"):
        parse_piece(text)


@pytest.mark.parametrize("text", ["", "  ", "a1a2", "a1a2+a2g", "a1a2+a2gi"])
def test_the_beginnings_of_a_turn_are_drafts(text: str) -> None:
    assert str(parse_draft(text, START)) == text.strip()


def test_a_draft_has_the_mark_of_a_win_only_where_it_is_whole_and_true() -> None:
    winning = parse_position("5B/4B1/3Wi2/6/6/W5 w 9")
    assert parse_draft("d4xe5#", winning).is_complete
    with pytest.raises(NotationError, match="only a whole turn has it"):
        parse_draft("a1a2+a2g#", START)
    with pytest.raises(IllegalTurnError, match="does not win"):
        parse_draft("a1a2+a2gi#", START)


@pytest.mark.parametrize("text", ["x" * 10**6, "a1a2" + "+a2g" * 10**5, "/" * 10**6])
def test_a_long_text_is_refused_in_a_short_line(text: str) -> None:
    for read in (parse_position, parse_turn):
        with pytest.raises(TextError) as caught:
            read(text)
        assert len(str(caught.value)) < 400
