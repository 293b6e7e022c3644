"""The opening book: found by symmetry, deterministic by seed, used in play and not in analysis."""

import subprocess
import sys
from pathlib import Path

import pytest
from dialogue import Talk

from thrive_engine import START, parse_turn
from thrive_engine.engine import Engine
from thrive_engine.games import thrive
from thrive_engine.search.base import Limit
from thrive_engine.search.book import Book, canonical, choose, format_book, load_book, parse_book

ROOT = Path(__file__).parent.parent
PLAY = Limit(clocks=(10.0, 10.0))


def test_a_book_is_read_as_it_was_written() -> None:
    book: Book = {7: {"a1a2+a2gi": 3, "b1b2+b2ab": 1}, 2**64 - 1: {"c1c2+c2ab": 9}}
    assert parse_book(["# a remark", "", *format_book(book)]) == book


def test_every_turn_of_our_book_can_be_played() -> None:
    book = load_book("thrive")
    seen = set()
    waiting = [START]
    while waiting:
        position = waiting.pop()
        key, symmetry = canonical(thrive, position)
        if key in book and key not in seen:
            seen.add(key)
            form = symmetry(position)
            waiting += [form.play(parse_turn(text, form)) for text in book[key]]
    assert seen == set(book)
    assert canonical(thrive, START)[0] in seen


def test_symmetric_positions_get_symmetric_turns() -> None:
    position = START.play(parse_turn("b1b2+b2gi", START))
    key, symmetry = canonical(thrive, position)
    form = symmetry(position)
    book: Book = {key: {str(next(iter(form.legal_turns))): 1}}
    turn = choose(book, thrive, position, 0)
    assert turn in position.legal_turns
    for each in thrive.symmetries:
        assert choose(book, thrive, each(position), 0) == each(turn)


def test_the_seed_decides() -> None:
    book = load_book("thrive")
    turns = [choose(book, thrive, START, seed) for seed in range(20)]
    assert turns == [choose(book, thrive, START, seed) for seed in range(20)]
    assert len(set(turns)) > 1


def test_a_game_without_a_book_has_an_empty_one() -> None:
    assert load_book("nothing") == {}
    assert choose({}, thrive, START, 0) is None


def test_a_line_that_does_not_fit_its_position_is_passed_over() -> None:
    assert choose({canonical(thrive, START)[0]: {"a1a5+a5gi": 1}}, thrive, START, 0) is None


def is_from_the_book(engine: Engine, limit: Limit) -> bool:
    thinking = engine.think(limit)
    if limit.infinite or limit.ponder:
        thinking.stop()
    infos = list(thinking)
    assert thinking.turn in START.legal_turns
    return [info.string for info in infos] == [f"{thinking.turn} is in the book"]


@pytest.mark.parametrize("limit", [PLAY, Limit(movetime=0.1)])
def test_the_book_is_used_in_play(limit: Limit) -> None:
    assert is_from_the_book(Engine(), limit)


@pytest.mark.parametrize(
    "limit",
    [
        Limit(movetime=0.05, turns=("a1a2",)),
        Limit(movetime=0.05, infinite=True),
        Limit(movetime=0.05, ponder=True),
        Limit(movetime=0.05, depth=2),
        Limit(nodes=100),
    ],
)
def test_the_book_is_not_used_where_a_search_is_wanted(limit: Limit) -> None:
    assert not is_from_the_book(Engine(), limit)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OwnBook", "false"),
        ("UCI_AnalyseMode", "true"),
        ("UCI_LimitStrength", "true"),
        ("MultiPV", "2"),
        ("Searcher", "greedy"),
    ],
)
def test_options_put_the_book_aside(name: str, value: str) -> None:
    engine = Engine()
    engine.set_option(name, value)
    assert not is_from_the_book(engine, Limit(movetime=0.05))


def test_the_answer_that_the_book_expects_comes_with_the_turn() -> None:
    book = load_book("thrive")
    for seed in range(20):
        engine = Engine()
        engine.set_option("Seed", str(seed))
        thinking = engine.think(PLAY)
        assert list(thinking)
        assert thinking.turn is not None
        after = START.play(thinking.turn)
        assert thinking.ponder == choose(book, thrive, after, seed)


def test_the_book_answers_a_process_at_once() -> None:
    with Talk() as talk:
        said = talk.ask("go wtime 1000000000 btime 1000000000", until="bestmove .*")
    assert said[0] == f"info string {said[1].split()[1]} is in the book"


def test_a_book_is_made_and_made_again_the_same(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        words = ["--walks", "3", "--turns", "2", "--nodes", "2000", "-o", str(tmp_path / name)]
        command = [sys.executable, str(ROOT / "tools" / "make_book.py"), *words]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1]
    book = parse_book(texts[0].splitlines())
    assert choose(book, thrive, START, 0) in START.legal_turns
