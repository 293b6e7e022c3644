"""Records: read, written, and read again."""

import gc
import io
import os
import random
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import legal_turns, open_positions, spelled_turns

from thrive_engine import IllegalTurnError, NotationError, TextError, parse_position, parse_turn
from thrive_engine.errors import RecordError
from thrive_engine.game import Game
from thrive_engine.games import thrive
from thrive_engine.record import (
    Eval,
    Limits,
    Node,
    Record,
    read_record,
    read_records,
    write_record,
)

SPEC = Path(__file__).parent.parent / "spec" / "records.md"
A, B, C = "a1a2+a2gi", "b1b2+b2gi", "c1c2+c2gi"
REPLY, OTHER = "a6a5+a5gi", "b6b5+b5gi"
FULL = "B~1B~1B~1/6/6/6/6/W~1W~1W~1 w 1"
WON = "Br1Br3/Wh5/6/6/Wr5/6 w 9"
ROSTER = """\
[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]
"""


def read_all(text: str | bytes, **options: Any) -> list[Record]:
    stream = io.BytesIO(text) if isinstance(text, bytes) else io.StringIO(text)
    return list(read_records(stream, **options))


def clean(text: str) -> Record:
    """A record without errors."""
    record = read_record(text)
    assert record.errors == []
    return record


def turns(text: str) -> list[str]:
    """The turns of the main line of a record that may have errors."""
    return list(map(str, read_record(text).turns))


def moves(record: Record) -> str:
    """The part of a record after its tags, in one line."""
    return write_record(record).partition("\n\n")[2].replace("\n", " ").strip()


def error(text: str, **options: Any) -> str:
    """The only error of the only game."""
    (record,) = read_all(text, **options)
    (found,) = record.errors
    assert "\n" not in str(found)
    return str(found)


def random_turn(position: Any, rng: random.Random) -> Any:
    draft = position.draft
    while draft.turn is None:
        draft = draft.add(rng.choice(draft.choices))
    return draft.turn


def random_game(seed: int, longest: int = 200) -> Game:
    rng, game = random.Random(seed), Game()
    while game.outcome is None and len(game.turns) < longest:
        game.play(random_turn(game.position, rng))
    return game


def wander(length: int) -> list[str]:
    """Movements of full pieces that neither capture nor come to a place for the third time."""
    rng, position = random.Random(3), parse_position(FULL)
    seen: dict[Any, int] = {}
    texts: list[str] = []
    while len(texts) < length:
        movement = rng.choice(position.legal_movements)
        after = position.play_unchecked(thrive.Turn(movement))
        times = seen.get(after.identity, 0)
        if times < 2 and not position.is_capture(movement):
            seen[after.identity] = times + 1
            texts.append(str(movement))
            position = after
    return texts


# The tree


def test_the_main_line_is_made_of_first_children() -> None:
    record = clean(f"1. {A} ({B} {OTHER}) {REPLY} *")
    assert list(map(str, record.turns)) == [A, REPLY]
    assert [str(node.turn) for node in record.mainline()] == [A, REPLY]
    assert [str(child.turn) for child in record.root.children] == [A, B]
    assert record.end.parent is record.root.children[0]
    assert record.end.position == parse_position("1BrBrBrBrBr/Bgir5/6/6/Wghi5/1WhWhWhWhWh w 2")


def test_a_tree_is_built_by_adding_turns() -> None:
    record = Record()
    first = record.root.add(parse_turn(A))
    first.add(parse_turn(REPLY)).glyphs.append(1)
    record.root.add(parse_turn(B)).comments.append("too")
    with pytest.raises(IllegalTurnError):
        first.add(parse_turn(B))
    assert moves(record) == f"1. {A} (1. {B} {{too}}) 1... {REPLY} $1 *"


def test_a_played_game_becomes_a_record_and_a_game_again() -> None:
    game = random_game(1)
    record = Record.from_game(game, {"White": "Ada"})
    assert record.turns == game.turns
    assert game.outcome is not None
    assert record.result == record.tags["Result"] == game.outcome.result
    assert record.outcome == game.outcome
    again = clean(str(record))
    assert again == record
    assert again.game().positions == game.positions


def test_records_are_equal_where_all_that_is_written_is_equal() -> None:
    text = f'[White "Ada"] {A}! {{so}} {REPLY} *'
    assert clean(text) == clean(text)
    for other in (text.replace("Ada", "Bob"), text.replace("so", "not"), text.replace("!", "?")):
        assert clean(text) != clean(other)
    assert clean(text) != clean(f'[White "Ada"] {A}! {{so}} *')
    assert clean(text) != "a record"


# Elements


def test_a_written_record_has_all_in_its_place() -> None:
    text = (
        '[Annotator "A \\"B\\" \\\\C"][Black "Bob"]{hello\n there}'
        f"1.{A}!{{[%clk 0:01:05.500] x }}; more\n"
        f"(1. {B} $7) ({{first}} {C} {REPLY}?!) {{then}} {REPLY} ; a }} in it\n{{[%eval #-3]}}1-0"
    )
    assert write_record(clean(text)) == textwrap.dedent(f"""\
        [Event "?"]
        [Site "?"]
        [Date "????.??.??"]
        [Round "?"]
        [White "?"]
        [Black "Bob"]
        [Result "1-0"]
        [Annotator "A \\"B\\" \\\\C"]

        {{hello there}} 1. {A} $1 {{[%clk 0:01:05.5] x}} {{more}} (1. {B} $7)
        ({{first}} 1. {C} {REPLY} $6) {{then}} 1... {REPLY} {{[%eval #-3]}}
        ; a }} in it
        1-0
        """)


@pytest.mark.parametrize(
    ("written", "score"),
    [
        ("0.35", Eval(cp=35)),
        ("+12", Eval(cp=1200)),
        ("-0.5,7", Eval(cp=-50, depth=7)),
        ("#3", Eval(mate=3)),
        ("#-12,40", Eval(mate=-12, depth=40)),
    ],
)
def test_an_evaluation_is_lifted_out_of_its_comment(written: str, score: Eval) -> None:
    record = clean(f"{A} {{one [%eval {written}] two}} *")
    assert (record.end.eval, record.end.comments) == (score, ["one two"])
    assert clean(str(record)) == record
    assert f"{{[%eval {score}] one two}}" in str(record)


@pytest.mark.parametrize(
    ("written", "seconds", "canonical"),
    [
        ("0:01:05.5", 65.5, "0:01:05.5"),
        ("10:00:00.120", 36000.12, "10:00:00.12"),
        ("0:00:00", 0, "0:00:00"),
    ],
)
def test_a_clock_is_lifted_out_of_its_comment(written: str, seconds: float, canonical: str) -> None:
    record = clean(f"{A} {{[%clk {written}]}} *")
    assert (record.end.clk, record.end.comments) == (seconds, [])
    assert moves(record) == f"1. {A} {{[%clk {canonical}]}} *"


@pytest.mark.parametrize(
    "text",
    [
        "[%eval 0.355]",
        "[%eval one]",
        "[%eval #]",
        "[%eval 12345678901]",
        "[%clk 1:60:00]",
        "[%clk 5]",
        "[%emt 0:00:01]",
        "[%eval \u0663]",
    ],
)
def test_what_is_no_evaluation_or_clock_stays_in_the_comment(text: str) -> None:
    record = clean(f"{A} {{{text}}} *")
    assert record.end.comments == [text]
    assert (record.end.eval, record.end.clk) == (None, None)


def test_a_second_evaluation_stays_in_the_comment() -> None:
    record = clean(f"{A} {{[%eval 1] x [%eval 2]}} {{[%eval 3]}} *")
    assert record.end.eval == Eval(cp=100)
    assert record.end.comments == ["x [%eval 2]", "[%eval 3]"]
    assert clean(str(record)) == record


def test_suffixes_are_the_glyphs_one_to_six() -> None:
    for number, suffix in enumerate(("!", "?", "!!", "??", "!?", "?!"), 1):
        assert clean(f"{A}{suffix} *").end.glyphs == [number]
        assert clean(f"{A} {suffix} {{x}} $200 ${number} *").end.glyphs == [number, 200]


def test_captures_and_wins_are_marked() -> None:
    record = Record(parse_position(WON))
    record.root.add(parse_turn("a5a6"))
    assert moves(record) == "9. a5xa6# 1-0"


def test_the_numbers_come_from_the_position() -> None:
    text = f'[FEN "{thrive.START}"] {A}'
    assert moves(clean(text)) == f"1. {A} *"
    black = str(thrive.START).replace("w 1", "b 41")
    assert moves(clean(f'[FEN "{black}"] {REPLY} {A}')) == f"41... {REPLY} 42. {A} *"


# Leniency


@pytest.mark.parametrize(
    "text",
    [
        f"{A} {REPLY}",
        f"1. {A} 1... {REPLY} *",
        f"1.{A} 1...{REPLY}*".replace("*", " *"),
        f"1 {A} 1 {REPLY} *",
        f"7. ... {A} 99... 3. {REPLY} *",
        f"\ufeff{A}\r\n{REPLY}\r\n",
        f"{A};comment\n{REPLY}",
        f"% nothing here {{ ( \n{A}\n%\n{REPLY}",
        f'[Event "x"] [Site "y"]{A} {REPLY}',
        f'[ Event  "x" ]\n{A}\n\n\n{REPLY}',
        f"{A}{{c}}{REPLY}",
        f"({A}) ".replace("(", "").replace(")", "") + REPLY,
    ],
)
def test_what_pgn_readers_accept_is_accepted(text: str) -> None:
    assert list(map(str, clean(text).turns)) == [A, REPLY]


def test_a_percent_sign_within_a_comment_is_text() -> None:
    assert clean(f"{A} {{50\n% more}} *").end.comments == ["50 % more"]


def test_missing_tags_are_those_of_the_roster() -> None:
    record = clean(f"{A}")
    assert str(record).startswith(ROSTER)
    assert clean(str(record)) == record


def test_bytes_that_are_not_utf_8_are_read_as_replacements() -> None:
    (record,) = read_all(b'[White "J\xf6rg"] ' + A.encode())
    assert record.tags["White"] == "J\ufffdrg"
    (record,) = read_all('\ufeff[White "J\u00f6rg"]'.encode())
    assert record.tags["White"] == "J\u00f6rg"


def test_a_stream_of_bytes_is_not_closed() -> None:
    stream = io.BytesIO(f"{A} *".encode())
    list(read_records(stream))
    assert not stream.closed


def test_a_stream_may_be_closed_before_all_is_read(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_text("* " * 10)
    with path.open("rb") as stream:
        games = read_records(stream)
        assert next(games).turns == ()
    del games
    gc.collect()


def test_directly_nested_variations_are_variations_to_the_same_turn() -> None:
    assert moves(clean(f"{A} ({B} ({C})) *")) == f"1. {A} (1. {B}) (1. {C}) *"


# Many games


def test_games_are_read_one_by_one_as_they_come() -> None:
    inlet, outlet = os.pipe()
    with open(inlet, "rb") as stream, open(outlet, "wb", buffering=0) as sink:
        games = read_records(stream)
        sink.write(f"{A} {REPLY} 1-0\n".encode())
        assert next(games).result == "1-0"
        sink.write(f'[White "Ada"]\n{B} *\n'.encode())
        assert next(games).tags["White"] == "Ada"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", []),
        (" \n\n{a comment}\n; and another\n", []),
        ("*", [0]),
        ('[Event "x"]', [0]),
        (f"{A} * {B} *", [1, 1]),
        (f'{A} [Event "x"] {B}', [1, 1]),
        (f'[Event "a"]\n\n[Event "b"]\n{A}', [0, 1]),
        (f'{{before}}\n\n[Event "b"]\n{A}', [1]),
    ],
)
def test_games_are_told_apart(text: str, counts: list[int]) -> None:
    records = read_all(text)
    assert [len(record.turns) for record in records] == counts
    assert not any(record.errors for record in records)


def test_one_record_is_asked_for_and_given() -> None:
    with pytest.raises(RecordError, match="there are no games in the text, not one"):
        read_record("")
    with pytest.raises(RecordError, match="there are 2 games in the text, not one"):
        read_record("* *")


def test_an_open_comment_ends_with_its_game() -> None:
    first, second = read_all(f'{A} {{open\n\n[Event "x"]\n{B} {{closed}} *')
    assert list(map(str, first.errors)) == ["line 1, column 11: the comment is not closed"]
    assert (second.errors, second.end.comments) == ([], ["closed"])


# Errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{A}\n 1... a6a4 {{x}} 1-0", "line 2, column 7: illegal turn 'a6a4': movement 'a6a4': "
         "no peg of a6 leads to a4; legal: a6a5"),
        (f"{A} a6a5+a5g+e3a", "line 1, column 20: illegal turn 'a6a5+a5g+e3a': peg 'e3a': e3 is "
         "empty; legal: a5 b6 c6 d6 e6 f6"),
        ("--", "line 1, column 1: bad turn '--': movement '--': a movement is two squares, like "
         "a1a2 or c3xd5, or 0000"),
        (f"{A} 0000 *", "line 1, column 11: illegal turn '0000': movement '0000': a piece can "
         "move, so the movement is not skipped; legal: a6a5 b6b5 c6c5 d6d5 e6e5 f6f5"),
        ("1. a1xa2+a2gi", "line 1, column 6: illegal turn 'a1xa2+a2gi': mark 'x': a2 is empty, so "
         "nothing is captured"),
        ("()", "line 1, column 1: a variation follows the turn that it replaces"),
        (f"{A} () *", "line 1, column 12: the variation has no turn"),
        (f"{A} (({B})) *", "line 1, column 12: a variation follows the turn that it replaces"),
        (f"{A} ({B} *", "line 1, column 11: the variation is not closed"),
        (f"{A} ({B}", "line 1, column 11: the variation is not closed"),
        (f"{A} ) *", "line 1, column 11: ')' closes nothing"),
        (f"{A} }} *", "line 1, column 11: '}' closes nothing"),
        (f"{A} {{ *", "line 1, column 11: the comment is not closed"),
        (f"{A} [%eval 1] *", "line 1, column 11: '[%eval 1]' is neither a tag nor a turn"),
        ("$1", "line 1, column 1: a glyph follows a turn"),
        (f"{A} $256", "line 1, column 11: glyph '$256': a glyph is $0 to $255, or one of "
         "! ? !! ?? !? ?!"),
        (f"{A}!!! *", "line 1, column 10: glyph '!!!': a glyph is $0 to $255, or one of "
         "! ? !! ?? !? ?!"),
        ('[Event "x]', "line 1, column 1: tag '[Event \"x]': a tag is written [Name \"value\"]"),
        ('[A "1"]\n [A "2"]', "line 2, column 2: tag A: it is given twice; the first is kept"),
        ('[FEN "6 w 1"]', "line 1, column 7: tag FEN: bad position '6 w 1': board: six ranks are "
         "joined by '/', from 6 to 1; there are 1"),
        ('[Variant "chess"] e4', "line 1, column 1: tag Variant: 'chess' is not thrive"),
        ('[Result "2-0"]', "line 1, column 1: tag Result: '2-0' is no result"),
        (f'[Result "0-1"] {A} 1-0', "line 1, column 26: the result 1-0 and the tag Result '0-1' "
         "differ"),
    ],
)  # fmt: skip
def test_an_error_says_where_and_why(text: str, message: str) -> None:
    assert error(f"{text}\n") == message


def test_the_turns_before_an_error_are_kept_and_the_next_game_is_read() -> None:
    text = f'{A} {REPLY} a1a1 {{ ) ] }} ({B} $9 2. x 0-1\n[Event "n"]\n{B} *\n{C} * {B} x * {A} *'
    records = read_all(text)
    assert [len(record.turns) for record in records] == [2, 1, 1, 1, 1]
    assert [len(record.errors) for record in records] == [1, 0, 0, 1, 0]
    assert records[0].result == "0-1"


def test_tags_after_a_bad_position_are_kept_and_its_turns_skipped() -> None:
    first, second = read_all(f'[FEN "x"]\n[White "Ada"]\n\n{A} {{c}} 1-0\n\n[White "Bob"]\n{A}')
    assert (len(first.errors), first.turns, first.tags["White"]) == (1, (), "Ada")
    assert (second.errors, len(second.turns)) == ([], 1)


def test_the_board_goes_before_the_marker_and_the_marker_before_the_tag() -> None:
    won = f'[FEN "{WON}"] a5xa6#'
    assert clean(won).result == clean(f"{won} *").result == clean(f"{won} 1-0").result == "1-0"
    found = error(f"{won} 0-1")
    assert found == "line 1, column 41: the result 0-1 is not the board's: 1-0 (captured)"
    assert read_record(f"{won} 0-1").result == "1-0"
    assert read_record(f'[Result "1/2-1/2"] {A} 1-0').result == "1-0"
    assert clean(f'[Result "1/2-1/2"] {A} *').result == "1/2-1/2"


def test_a_third_time_ends_the_main_line() -> None:
    there_and_back = "a1a2 a6a5 a2a1 a5a6 "
    head = f'[FEN "{FULL}"]\n'
    assert clean(f"{head}{there_and_back * 2}").result == "1/2-1/2"
    found = error(f"{head}{there_and_back * 2}\na1a2")
    assert found == (
        "line 3, column 1: illegal turn 'a1a2': the game is over: 1/2-1/2 (repetition)"
    )


def test_a_name_that_is_no_tag_is_not_written() -> None:
    with pytest.raises(RecordError, match="tag 'my tag': its name is not letters and digits"):
        str(Record(tags={"my tag": "x"}))


def test_a_tag_is_written_on_one_line() -> None:
    record = Record(tags={"White": "a\nb\tc", "Note": '"\\'})
    assert clean(str(record)).tags["White"] == "a b c"
    assert clean(str(record)).tags["Note"] == '"\\'


# Limits


@pytest.mark.parametrize(
    ("limits", "text", "message"),
    [
        (Limits(turns=1), f"{A} {REPLY}", "column 11: the game has more than 1 turns"),
        (Limits(depth=1), f"{A} ({B} {REPLY} ({OTHER}))",
         "column 32: variations are nested more than 1 deep"),
        (Limits(tags=1), '[A "1"] [B "2"]', "column 9: the game has more than 1 tags"),
        (Limits(text=20), f"{A} {{{'x' * 20}}}",
         "column 11: the comment has more than 20 characters"),
        (Limits(text=20), f"{A} {{{'x' * 30}",
         "column 11: the comment has more than 20 characters"),
        (Limits(size=12), f"{A} {REPLY}", "column 1: the game has more than 12 characters"),
    ],
)  # fmt: skip
def test_a_limit_ends_its_game_with_an_error(limits: Limits, text: str, message: str) -> None:
    assert error(text, limits=limits) == f"line 1, {message}"
    records = read_all(f'{text}}}\n\n[Event "n"]\n{B} *', limits=limits)
    assert len(records) == 2


def test_a_line_longer_than_what_is_read_at_once_is_read_whole() -> None:
    walk = wander(20_000)
    text = " ".join(walk)
    assert len(text) > 1 << 16
    assert list(map(str, clean(f'[FEN "{FULL}"]\n{text}').turns)) == walk
    found = error(f'[FEN "{FULL}"]\n{text} x')
    assert found.startswith(f"line 2, column {len(text) + 2}: bad turn 'x'")
    comment = f"{{{'word ' * 40_000}}}"
    assert len(clean(f"{A} {comment} {REPLY}").root.children[0].comments[0]) == 199_999
    assert len(clean(f"{A} {'{}' * 40_000} {REPLY}").turns) == 2
    assert len(clean(f'[A "{"x" * 100_000}"]').tags["A"]) == 100_000
    assert clean(f"{A} ; {'x' * 100_000}\n{REPLY}").root.children[0].comments == ["x" * 100_000]


def measured(script: str) -> list[str]:
    """What a script prints in a process of its own, and the megabytes that it took at most."""
    # Not ru_maxrss, which begins with what the process had that started this one.
    peak = """print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0][:-3])"""
    code = f"from thrive_engine.record import *\n{textwrap.dedent(script)}\n{peak}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.split("\n")[:-1]


READ = """
    with open({path!r}, "rb") as stream:
        (record,) = read_records(stream)
    print(len(record.turns), len(record.errors))
"""


def nested(count: int) -> str:
    """Every turn of a long game, and its own repetition as a variation that goes on."""
    first, *rest = wander(count + 1)
    return f'[FEN "{FULL}"]\n{first} {" ".join(f"{turn} ({turn}" for turn in rest)}{")" * count} *'


def siblings(count: int) -> str:
    return " (".join(map(str, islice(thrive.START.legal_turns, count + 1))) + ")" * count


MONSTERS: dict[str, tuple[Callable[[], str], str]] = {
    "nested variations": (lambda: nested(30_000), "2 0"),
    "directly nested variations": (lambda: siblings(30_000), "1 0"),
    "turns": (lambda: f'[FEN "{FULL}"] {" ".join(wander(10_000))}', "10000 0"),
    "tags": (lambda: "".join(f'[T{i} "{i}"]\n' for i in range(100_000)), "0 0"),
    "unclosed comment": (lambda: f"{A} {{" + ("word " * 9 + "word\n") * 1_000_000, "1 1"),
    "unclosed comment in a line": (lambda: f"{A} {{" + "word " * 10_000_000, "1 1"),
    "word": (lambda: "x" * 50_000_000, "0 1"),
}
"""How to write them, and how many turns and errors a reader finds."""


@pytest.mark.parametrize("name", MONSTERS)
def test_monsters_are_read_in_little_memory(name: str, tmp_path: Path) -> None:
    write, printed = MONSTERS[name]
    path = tmp_path / "monster"
    path.write_text(write())
    answer, megabytes = measured(READ.format(path=str(path)))
    assert answer == printed
    assert int(megabytes) < 100


@pytest.mark.parametrize("write", [nested, siblings])
def test_deep_trees_are_written_compared_and_freed(write: Callable[[int], str]) -> None:
    record = clean(write(30_000))
    written = write_record(record)
    again = clean(written)
    assert again == record
    assert write_record(again) == written
    repr(record)
    repr(record.root)
    del record, again
    gc.collect()


# Properties


odd = st.sampled_from('ab c\n{}()[];%$"\\*.#!\u00a0\u2028\ufeff\x00\x1c\x85\xe9')
texts = st.text(odd | st.characters(codec="utf-8"), max_size=30)
evals = st.builds(
    lambda number, is_mate, depth: Eval(
        mate=number if is_mate else None, cp=None if is_mate else number, depth=depth
    ),
    st.integers(-(10**9) + 1, 10**9 - 1),
    st.booleans(),
    st.none() | st.integers(0, 99),
)
commands = st.sampled_from(["[%eval 0.5]", "[%clk 0:00:01]", "[%eval [%clk 0:00:02]1]", "}", " "])
comments = st.lists(texts | st.lists(commands | texts, max_size=3).map("".join), max_size=2)


@st.composite
def trees(draw: st.DrawFn) -> Record:
    """Any tree that the library can build."""
    position = draw(st.just(thrive.START) | open_positions)
    names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]{0,9}", fullmatch=True)
    record = Record(position, draw(st.dictionaries(names, texts, max_size=3)))
    nodes = [record.root]
    for _ in range(draw(st.integers(0, 8))):
        node = draw(st.sampled_from(nodes))
        if node.position.outcome is None:
            node = node.add(draw(legal_turns(node.position)))
            nodes.append(node)
    for node in nodes:
        node.comments = draw(comments)
        node.comments_before = draw(comments)
        node.glyphs = draw(st.lists(st.integers(0, 255), max_size=3))
        node.eval = draw(st.none() | evals)
        node.clk = draw(st.none() | st.integers(0, 10**9).map(lambda ms: ms / 1000))
    return record


@given(trees())
def test_what_is_written_is_read_as_the_same(record: Record) -> None:
    written = write_record(record)
    again = clean(written)
    assert write_record(again) == written
    assert clean(write_record(again)) == again
    assert [str(turn) for turn in again.turns] == [str(turn) for turn in record.turns]
    lines = written.splitlines()
    assert all(len(line) <= 80 or line.count(" ") == 0 or line[0] in "[;" for line in lines) or any(
        len(word) > 60 for word in re.split("[ \n]", written)
    )


@given(st.data())
def test_turns_are_read_in_any_spelling(data: st.DataObject) -> None:
    record = Record(data.draw(open_positions))
    text, node = f'[FEN "{record.root.position}"]\n', record.root
    for _ in range(data.draw(st.integers(0, 4))):
        if node.position.outcome is None:
            turn = data.draw(legal_turns(node.position))
            text += data.draw(spelled_turns(node.position, turn)) + " "
            node = node.add(turn)
    assert read_record(text).turns == record.turns


scraps = [*"{}()[]!%;*. \n\ufeff", "$3", "1-0", '[Event "x"]', '[FEN "', '"]', A, REPLY, "\n\n"]
pieces_of_records = st.sampled_from(scraps).map(str.encode)


@given(st.lists(st.binary(max_size=20) | pieces_of_records, max_size=30).map(b"".join))
def test_no_bytes_make_reading_raise(data: bytes) -> None:
    for record in read_all(data):
        again = read_all(write_record(record))
        assert len(again) == 1
        assert again[0].errors == []
        assert again[0] == record
        assert all(found.line >= 1 and found.column >= 1 for found in record.errors)


@given(trees(), st.data())
def test_no_change_to_a_record_makes_reading_raise(record: Record, data: st.DataObject) -> None:
    text = write_record(record)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        width = data.draw(st.integers(0, 5))
        text = text[:at] + data.draw(texts) + text[at + width :]
    for each in read_all(text, limits=Limits(turns=5, depth=2, tags=8, text=200, size=2000)):
        assert isinstance(write_record(each), str)
        assert all("\n" not in str(found) for found in each.errors)


@settings(max_examples=50)
@given(st.data())
def test_a_turn_is_played_from_its_text_as_it_is_parsed_and_played(data: st.DataObject) -> None:
    position = data.draw(open_positions)
    turn = data.draw(legal_turns(position))
    text = data.draw(spelled_turns(position, turn)).strip()
    at = data.draw(st.integers(0, len(text)))
    mutation = text[:at] + data.draw(st.sampled_from("abcmxy123456+#")) + text[at + 1 :]
    for each in (text, str(turn), position.annotate(turn), mutation):
        expected: Any
        try:
            parsed = thrive.parse_turn(each, position)
            expected = parsed, position.play(parsed)
        except (NotationError, IllegalTurnError) as refusal:
            expected = str(refusal)
        try:
            found: Any = thrive.play_text(each, position)
        except TextError as refusal:
            found = str(refusal)
        assert found == expected


@pytest.mark.parametrize("seed", range(10))
def test_random_games_are_replayed_turn_by_turn(seed: int) -> None:
    game = random_game(seed)
    for position, turn, after in zip(game.positions, game.turns, game.positions[1:], strict=False):
        assert thrive.play_text(position.annotate(turn), position) == (turn, after)


# The specification


def examples(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", SPEC.read_text(encoding="utf-8"), re.DOTALL)


def test_the_example_of_the_specification_is_canonical() -> None:
    (text,) = examples("thrive-record")
    record = clean(text)
    assert write_record(record) == text
    assert record.root.children[0].clk == 65.5


def test_the_broken_example_of_the_specification_breaks_as_it_says() -> None:
    (text,) = examples("thrive-errors")
    first, second = read_all(text)
    (found,) = first.errors
    assert (len(first.turns), found.line, found.column) == (2, 3, 31)
    assert (len(second.turns), second.errors) == (1, [])


def test_a_node_shows_its_turn() -> None:
    assert repr(Node(None, None, thrive.START)) == "<Node None with 0 children>"
    assert repr(clean(f"{A} *")) == "<Record of 1 turns, *>"
