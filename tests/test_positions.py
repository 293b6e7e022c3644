"""Lists of positions: read, written, and read again."""

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import legal_turns, open_positions, positions

from thrive_engine import START, parse_turn
from thrive_engine.errors import RecordError
from thrive_engine.record import Entry, read_positions, write_positions

SPEC = Path(__file__).parent.parent / "spec" / "records.md"
TURN, OTHER = "a1a2+a2gi", "b1b2+b2gi"


def read(text: str | bytes) -> list[Entry | RecordError]:
    stream = io.BytesIO(text) if isinstance(text, bytes) else io.StringIO(text)
    return [entry for _, entry in read_positions(stream)]


def entry(text: str) -> Entry:
    (found,) = read(text)
    assert isinstance(found, Entry)
    return found


def test_a_position_may_stand_alone() -> None:
    assert entry(str(START)) == Entry(START)
    assert write_positions([Entry(START)]) == f"{START}\n"


def test_operations_say_what_is_known() -> None:
    text = f'{START} bm {TURN} {OTHER}; am a1a2+a2ag; id "a; \\"b\\""; c0 "C:\\\\";'
    expected = Entry(
        START,
        bm=(parse_turn(TURN), parse_turn(OTHER)),
        am=(parse_turn("a1a2+a2ag"),),
        id='a; "b"',
        c0="C:\\",
    )
    assert entry(text) == expected
    assert str(expected) == text


@pytest.mark.parametrize(
    "text",
    [
        f'  {START}  id "x" ;bm a1a2+a2ig',
        f'\ufeff{START}\tid\t"x";\tbm a1a2+a2i+a2g;  \r\n',
        f'{START} id "x"; bm {TURN}',
    ],
)
def test_order_and_spacing_are_free(text: str) -> None:
    assert entry(text) == Entry(START, bm=(parse_turn(TURN),), id="x")


def test_empty_lines_and_remarks_are_skipped_and_lines_are_counted() -> None:
    text = f"# remarks\n\n{START}\n \t\n#{START}\nx\n{START}"
    found = list(read_positions(io.StringIO(text)))
    assert [line for line, _ in found] == [3, 6, 7]
    assert [isinstance(each, Entry) for _, each in found] == [True, False, True]


@pytest.mark.parametrize(
    ("operations", "message"),
    [
        ("x", "column 39: bad position '{start} x': field 'x': there are only three; a position is "
         "'<board> <w or b> <turn number>'"),
        ("bm a1a3+a2gi;", "column 42: operation bm: illegal turn 'a1a3+a2gi': movement 'a1a3': no "
         "peg of a1 leads to a3; legal: a1a2"),
        ("am a1a2+a2gi a1a2+e3gi;", "column 57: operation am: illegal turn 'a1a2+e3gi': peg "
         "'e3g': e3 is empty; legal: a2 b1 c1 d1 e1 f1"),
        ("bm ;", "column 41: operation bm: it names no turn"),
        ("id x;", "column 41: operation id: a text is written \"...\""),
        ('id "x', "column 41: operation id: a text is written \"...\""),
        ('id "a"; id "b";', "column 47: operation id: it is given twice"),
        ('id "a"; ce 5;', "column 47: operation 'ce': known are bm am id c0"),
        ('id "a";;', "column 46: an operation is written 'bm <turn>;' or 'id \"...\";'"),
    ],
)  # fmt: skip
def test_an_error_says_where_and_why(operations: str, message: str) -> None:
    text = f"{START} {operations}"
    (found,) = read(f"\n{text}\n")
    assert str(found) == "line 2, " + message.format(start=START)


def test_a_line_too_long_is_refused_and_the_next_one_read() -> None:
    first, second = read(f'{START} id "{"x" * 200_000}";\n{START}\n')
    assert str(first) == "line 1, column 1: the line has more than 65536 characters"
    assert second == Entry(START)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    position = draw(positions)
    turns: st.SearchStrategy[tuple[object, ...]] = st.just(())
    if position.outcome is None:
        turns = st.lists(legal_turns(position), max_size=2).map(tuple)
    texts = st.text(st.characters(codec="utf-8", exclude_characters="\t\r\n\v\f"), max_size=20)
    return Entry(position, draw(turns), draw(turns), draw(texts), draw(texts))


@given(st.lists(entries(), max_size=3))
def test_what_is_written_is_read_as_the_same(listed: list[Entry]) -> None:
    text = write_positions(listed)
    assert read(text) == listed
    assert read(text.encode()) == listed


scraps = [str(START), *'";\\ \n#', "bm", " bm ", "am", "id", ' id "', "c0", TURN]


@given(st.lists(st.binary(max_size=20) | st.sampled_from(scraps).map(str.encode)).map(b"".join))
def test_no_bytes_make_reading_raise(data: bytes) -> None:
    for found in read(data):
        if isinstance(found, Entry):
            assert entry(str(found)) == found
        else:
            assert "\n" not in str(found)


@given(open_positions, st.data())
def test_captures_and_wins_may_be_marked(position: object, data: st.DataObject) -> None:
    turn = data.draw(legal_turns(position))  # type: ignore[arg-type]
    text = f"{position} bm {position.annotate(turn)};"  # type: ignore[attr-defined]
    assert entry(text).bm == (turn,)


def test_the_example_of_the_specification_is_canonical() -> None:
    (text,) = re.findall(
        r"```thrive-positions\n(.*?)```", SPEC.read_text(encoding="utf-8"), re.DOTALL
    )
    found = [each for each in read(text) if isinstance(each, Entry)]
    assert len(found) == 2
    assert write_positions(found) == "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith("#")
    )
