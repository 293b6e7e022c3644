"""The grammar of the protocol's lines: what is written is read again, all else is refused."""

import time
from collections.abc import Callable
from math import inf

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import turns as some_turns

from thrive_engine.errors import ProtocolError
from thrive_engine.lines import (
    Option,
    format_bestmove,
    format_go,
    format_info,
    format_position,
    format_value,
    parse_bestmove,
    parse_go,
    parse_info,
    parse_option,
    parse_setoption,
)
from thrive_engine.search.base import Info, Limit, Score

KEYWORDS = {"name", "type", "default", "min", "max", "var", "value"}
words = st.text("abcXYZ_019+#-", min_size=1, max_size=8).filter(lambda word: word not in KEYWORDS)
phrases = st.lists(words, min_size=1, max_size=3).map(" ".join)
whole = st.integers(-(10**15), 10**15)
counts = st.integers(1, 10**15)
milliseconds = whole.map(lambda number: number / 1000)
turn_texts = st.lists(some_turns.map(str), max_size=4).map(tuple)


@st.composite
def options(draw: st.DrawFn) -> Option:
    """An option of any type, with or without a default."""
    name = draw(phrases)
    match draw(st.sampled_from(["check", "spin", "combo", "button", "string"])):
        case "check":
            return Option(name, "check", draw(st.none() | st.booleans()))
        case "spin":
            least, default, most = sorted(draw(st.tuples(whole, whole, whole)))
            return Option(name, "spin", draw(st.sampled_from([None, default])), least, most)
        case "combo":
            choices = draw(st.lists(phrases, min_size=1, max_size=4, unique_by=str.lower))
            chosen = draw(st.none() | st.sampled_from(choices))
            return Option(name, "combo", chosen, choices=tuple(choices))
        case "string":
            return Option(name, "string", draw(st.none() | st.just("") | phrases))
    return Option(name, "button")


limits = st.builds(
    Limit,
    movetime=st.none() | milliseconds,
    depth=st.none() | counts,
    nodes=st.none() | counts,
    mate=st.none() | counts,
    clocks=st.just(())
    | st.tuples(milliseconds, milliseconds)
    | st.tuples(milliseconds, st.just(inf))
    | st.tuples(st.just(inf), milliseconds),
    increments=st.just(())
    | st.tuples(milliseconds, milliseconds).filter(lambda pair: max(pair) > 0),
    movestogo=st.none() | counts,
    infinite=st.booleans(),
    ponder=st.booleans(),
    turns=turn_texts,
)
infos = st.builds(
    Info,
    depth=counts,
    seldepth=st.integers(0, 10**6),
    multipv=counts,
    score=st.none() | st.builds(Score, cp=whole) | st.builds(Score, mate=whole),
    wdl=st.none() | st.tuples(counts, counts, counts),
    nodes=counts,
    nps=counts,
    hashfull=st.integers(0, 1000),
    time=milliseconds,
    pv=turn_texts,
)
bounds = st.sampled_from(["", "lowerbound", "upperbound"])
WORDS = """
    option name type default min max var spin check combo string button value go info depth nodes
    movetime wtime searchmoves infinite ponder perft score cp mate wdl pv bestmove 0000 a1a2+a2gi
    1 -1 +7 3.5 99999999999999999999 x
"""
jumble = st.lists(st.sampled_from(WORDS.split()) | st.text(max_size=5), max_size=12).map(" ".join)


@given(options())
def test_an_option_is_read_as_it_was_written(option: Option) -> None:
    assert parse_option(str(option)) == option


@given(options().filter(lambda option: option.default is not None))
def test_a_value_is_read_as_it_was_written(option: Option) -> None:
    assert option.read(format_value(option.default)) == option.default


@given(phrases, st.none() | st.just("") | phrases)
def test_setoption_is_read_as_it_was_written(name: str, value: str | None) -> None:
    text = f"name  {name}" if value is None else f"name {name}\t value {value} "
    assert parse_setoption(text) == (" ".join(name.split()), value)


@given(limits)
def test_a_limit_is_read_as_it_was_written(limit: Limit) -> None:
    assert parse_go(format_go(limit).removeprefix("go")) == (limit, None)


@given(infos, bounds)
def test_an_info_is_read_as_it_was_written(info: Info, bound: str) -> None:
    if info.score is not None:
        info = Info(**{name: getattr(info, name) for name in Info.__slots__} | {"bound": bound})
    assert parse_info(format_info(info)) == info


@given(phrases)
def test_a_string_is_read_as_it_was_written(text: str) -> None:
    assert parse_info(format_info(Info(string=text))).string == text


@given(some_turns, st.none() | some_turns)
def test_bestmove_is_read_as_it_was_written(turn: object, ponder: object | None) -> None:
    expected = str(turn), None if ponder is None else str(ponder)
    assert parse_bestmove(format_bestmove(turn, ponder)) == expected


@given(infos, st.text())
def test_an_info_is_always_one_line_of_words_and_whole_numbers(info: Info, text: str) -> None:
    assert len(format_info(Info(string=f"x{text}")).splitlines()) == 1
    line = format_info(info)
    assert "." not in line
    assert "currmove" not in line


@pytest.mark.parametrize(
    "read",
    [parse_option, parse_setoption, parse_go, parse_info, parse_bestmove],
)
@given(text=st.text() | jumble)
@example(text="")
def test_any_text_is_read_or_refused_in_one_line(read: Callable[[str], object], text: str) -> None:
    assert len(refusal_of(lambda: read(text)).splitlines()) <= 1


@given(options(), st.text() | jumble)
def test_any_value_is_read_or_refused(option: Option, text: str) -> None:
    refusal = refusal_of(lambda: option.read(text))
    assert not refusal or refusal.startswith(f"option {option.name}: ")


def refusal_of(act: Callable[[], object]) -> str:
    """Why something is refused; empty where it is not."""
    try:
        act()
    except ProtocolError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("11", "option N: 11 is out of range, which is 1 to 9"),
        ("0", "option N: 0 is out of range, which is 1 to 9"),
        ("3.5", "option N: '3.5' is not a whole number from 1 to 9"),
        ("", "option N: '' is not a whole number from 1 to 9"),
        ("²", "option N: '\\xb2' is not a whole number from 1 to 9"),
        (None, "option N: a value is missing"),
    ],
)
def test_a_number_is_refused_with_its_range(text: str | None, refusal: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        Option("N", "spin", 5, 1, 9).read(text)
    assert str(caught.value) == refusal


def test_the_words_of_a_combo_are_the_same_in_upper_and_lower_case() -> None:
    option = Option("Searcher", "combo", "one", choices=("one", "Two"))
    assert option.read("tWO") == "Two"
    with pytest.raises(ProtocolError, match="'three' is not one of one, Two"):
        option.read("three")


@pytest.mark.parametrize("text", ["", "name", "value 3", "name value 3", "Hash 3"])
def test_setoption_without_a_name_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError, match="it is 'setoption name <id>"):
        parse_setoption(text)


@pytest.mark.parametrize("blanks", [" ", "a ", "value ", " value", "name "])
def test_setoption_is_read_fast_however_many_blanks_it_has(blanks: str) -> None:
    begin = time.perf_counter()
    parse_setoption(f"name a{blanks * 60_000}b")
    assert time.perf_counter() - begin < 5


def test_words_that_go_does_not_know_are_skipped() -> None:
    assert parse_go("please depth 3 thanks") == (Limit(depth=3), None)


def test_the_clocks_of_ugi_are_those_of_uci() -> None:
    ugi, _ = parse_go("p1time 5 p2time 6 p1inc 7 p2inc 8")
    assert ugi == parse_go("wtime 5 btime 6 winc 7 binc 8")[0]


def test_searchmoves_end_where_another_word_of_go_begins() -> None:
    limit, _ = parse_go("searchmoves a1a2 b1b2+b2gi depth 4 searchmoves c1c2 infinite")
    assert limit == Limit(depth=4, turns=("a1a2", "b1b2+b2gi", "c1c2"), infinite=True)


@pytest.mark.parametrize("text", ["depth", "depth x", "movetime 1.5", "nodes depth 3", "perft ²"])
def test_go_with_a_bad_number_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError, match=f"go {text.split(maxsplit=1)[0]}: "):
        parse_go(text)


def test_no_turns_are_written_without_the_word_moves() -> None:
    assert format_position(None) == "position startpos"
    assert format_position("x w 1", ["a1a2"]) == "position fen x w 1 moves a1a2"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("bestmove a1a2", ("a1a2", None)),
        ("bestmove a1a2 ponder b1b2 extra", ("a1a2", "b1b2")),
        ("bestmove a1a2 ponder", ("a1a2", None)),
    ],
)
def test_a_bestmove_of_other_engines_is_understood(line: str, answer: object) -> None:
    assert parse_bestmove(line) == answer


@pytest.mark.parametrize("line", ["bestmove", "bestmove ponder a1a2", "best a1a2"])
def test_a_bestmove_without_a_turn_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError, match="names no turn"):
        parse_bestmove(line)
