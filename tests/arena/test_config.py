import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrive_engine.arena.config import Tournament, read_config, write_config
from thrive_engine.arena.job import Adjudication, Control
from thrive_engine.arena.schedule import Format
from thrive_engine.arena.setup import (
    OURS,
    make_tournament,
    printable,
    read_engine,
    read_openings,
    read_toml,
)
from thrive_engine.arena.sprt import Model, Sprt
from thrive_engine.errors import ArenaError
from thrive_engine.games import thrive

TOML = """
event = "Spring"
format = "round-robin"
pairs = 2
concurrency = 3
seed = 7
memory = 512
deadline = 60

[[engines]]
builtin = "greedy"

[[engines]]
builtin = 1200
name = "weak"
nodes = 5

[[engines]]
cmd = "./mine --fast 'a b'"
name = "mine"
dir = "there"
tc = "40/60+0.6"
ponder = true
options = {Hash = 64, OwnBook = false}

[limits]
nodes = 50
margin = 0.2

[openings]
file = "openings.txt"
order = "shuffled"

[adjudication]
resign_score = 900
played_out = 0.1
"""
TWO: dict[str, Any] = {"engines": ["greedy", "random"], "limits": {"nodes": 5}}
OPENINGS = (
    "# two\nBrBrBrBrBrBr/6/6/6/Wghi5/1WhWhWhWhWh b 1\n6/6/6/4W~ghk1/3B~horB~kq1/1W~fl4 b 52\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "openings.txt").write_text(OPENINGS)
    (tmp_path / "spring.toml").write_text(TOML)
    return tmp_path


def spring(folder: Path) -> Tournament:
    return make_tournament(read_toml(folder / "spring.toml"), folder)


def test_a_file_says_all_that_can_be_chosen(folder: Path) -> None:
    made = spring(folder)
    assert (made.event, made.format, made.pairs) == ("Spring", Format.ROUND_ROBIN, 2)
    assert (made.concurrency, made.seed, made.memory, made.deadline) == (3, 7, 512, 60.0)
    assert made.adjudication == Adjudication(resign_score=900, played_out=0.1)
    assert made.names == ("greedy", "weak", "mine")
    assert set(made.openings) == set(OPENINGS.splitlines()[1:])
    greedy, weak, mine = made.players
    assert greedy.command == OURS
    assert greedy.options == (("Searcher", "greedy"),)
    assert greedy.control == Control(nodes=50, margin=0.2)
    assert weak.options == (("UCI_LimitStrength", "true"), ("UCI_Elo", "1200"))
    assert weak.control == Control(nodes=5, margin=0.2)
    assert mine.command == ("./mine", "--fast", "a b")
    assert mine.cwd == str(folder / "there")
    assert mine.ponder
    assert mine.options == (("Hash", "64"), ("OwnBook", "false"))
    assert mine.control == Control(60.0, 0.6, 40, nodes=50, margin=0.2)


def test_config_json_gives_an_equal_tournament(folder: Path) -> None:
    for made in (spring(folder), make_tournament({**TWO, "sprt": SPRT}, folder)):
        assert read_config(write_config(made)) == made


SPRT = {"elo0": 0, "elo1": 10, "model": "logistic"}


def test_a_test_is_a_match_with_an_end_of_its_own(folder: Path) -> None:
    made = make_tournament({**TWO, "sprt": SPRT}, folder)
    assert made.sprt == Sprt(0, 10, model=Model.LOGISTIC)
    assert made.planned > 1000


def test_two_engines_play_a_match_and_more_a_round_robin(folder: Path) -> None:
    assert make_tournament(TWO, folder).format is Format.MATCH
    three = make_tournament({**TWO, "engines": ["greedy", "greedy", "greedy"]}, folder)
    assert three.format is Format.ROUND_ROBIN
    assert three.names == ("greedy", "greedy 2", "greedy 3")


def test_a_seed_makes_the_same_openings_again(folder: Path) -> None:
    made = make_tournament({**TWO, "openings": {"count": 3, "plies": 2}}, folder)
    assert (
        made.openings
        == make_tournament({**TWO, "openings": {"count": 3, "plies": 2}}, folder).openings
    )
    assert len(set(made.openings)) == 3
    other = make_tournament({**TWO, "seed": 1, "openings": {"count": 3, "plies": 2}}, folder)
    assert set(other.openings).isdisjoint(made.openings)


def test_openings_can_be_balanced_at_a_glance(folder: Path) -> None:
    made = make_tournament({**TWO, "openings": {"count": 5, "balance": 5}}, folder)
    assert all(abs(thrive.evaluate(thrive.parse_position(each))) <= 5 for each in made.openings)


def test_openings_can_come_from_records(folder: Path) -> None:
    path = folder / "games.pgn"
    path.write_text('[Event "?"]\n\n1. a1a2+a2gi a6a5+a5gi 2. b1b2+b2gi *\n\n1. a1a2+a2gi *\n')
    last = [str(each) for each in read_openings(path, thrive)]
    first = [str(each) for each in read_openings(path, thrive, plies=1)]
    assert first == [last[1]] * 2
    assert last[0].endswith(" b 2")


def test_words_of_an_engine_are_keys_and_one_built_in_name() -> None:
    words = ["cmd=./mine -x", "name=a=b", "option.Hash=64", "option.A B=c", "tc=1+1"]
    assert read_engine(words) == {
        "cmd": "./mine -x",
        "name": "a=b",
        "options": {"Hash": "64", "A B": "c"},
        "tc": "1+1",
    }
    assert read_engine(["greedy", "nodes=5"]) == {"builtin": "greedy", "nodes": "5"}


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "engines": ({"engines": ["greedy"]}, "two or more are needed"),
    "engine 2": ({"engines": ["greedy", "nobody"]}, "'nobody' is no built-in engine; there are"),
    "engine 1": ({"engines": ["2001", "greedy"]}, "'2001' is no built-in engine"),
    "engine 2 ": ({"engines": ["greedy", "name=x"]}, "it needs cmd=..., or"),
    "engine 2.name": ({"engines": ["greedy", "random name=greedy"]}, "is the name of another"),
    "engine 1.cmd": ({"engines": ["cmd=", "greedy"]}, "the command is empty"),
    "engine 1.cmd ": ({"engines": [{"cmd": "'"}, "greedy"]}, "is no command"),
    "engine 1.hash": ({"engines": ["greedy hash=1", "random"]}, "there is no such key"),
    "engine 1.tc": ({"engines": ["greedy tc=x", "random"]}, "[TURNS/]SECONDS[+INCREMENT]"),
    "engine 1.depth": ({"engines": ["greedy depth=-1", "random"]}, "no whole number from 1 on"),
    "engine 1.ponder": ({"engines": ["greedy ponder=1", "random"]}, "not true or false"),
    "engine 1  ": ({"engines": ["greedy", "random"], "limits": {}}, "needs a limit"),
    "engine 2  ": ({"engines": ["greedy", "random 'x"]}, "No closing quotation"),
    "limits.time": ({"limits": {"time": 1}}, "there is no such key; there are tc, movetime"),
    "limits": ({"limits": 5}, "this is no table"),
    "format": ({"format": "league"}, "'league' is not one of match, gauntlet, round-robin"),
    "format ": ({"format": "match", "engines": ["greedy"] * 3}, "two engines, not 3"),
    "pairs": ({"pairs": 0}, "0 is no whole number from 1 on"),
    "pairs ": ({"pairs": True}, "True is no whole number"),
    "rounds": ({"rounds": 3}, "only a swiss tournament has rounds"),
    "concurrency": ({"concurrency": "2"}, "'2' is no whole number"),
    "seed": ({"seed": -1}, "-1 is no whole number from 0 on"),
    "sandbox": ({"sandbox": "jail"}, "'jail' is not one of limits, bwrap"),
    "deadline": ({"deadline": 0}, "0 is less than 0.001"),
    "deadline ": ({"deadline": float("nan")}, "nan is no number"),
    "sprt.elo1": ({"sprt": {"elo0": 0}}, "it is missing"),
    "SPRT": ({"sprt": {"elo0": 5, "elo1": 0}}, "the first must be less"),
    "sprt.model": ({"sprt": {"elo0": 0, "elo1": 5, "model": "x"}}, "not one of logistic"),
    "sprt": (
        {"sprt": {"elo0": 0, "elo1": 5}, "engines": ["greedy"] * 3},
        "only a match can be a test",
    ),
    "adjudication.resign": ({"adjudication": {"resign": 1}}, "there is no such key"),
    "adjudication.played_out": ({"adjudication": {"played_out": 2}}, "a share of the games"),
    "openings.file": ({"openings": {"file": "nothing.txt"}}, "No such file"),
    "openings.order": ({"openings": {"order": "up"}}, "not one of given, shuffled"),
    "evnt": ({"evnt": "x"}, "there is no such key; there are"),
}


@pytest.mark.parametrize("key", WRONG)
def test_a_mistake_is_one_line_that_names_its_key(folder: Path, key: str) -> None:
    values, reason = WRONG[key]
    with pytest.raises(ArenaError) as caught:
        make_tournament({**TWO, **values}, folder)
    message = str(caught.value)
    assert message.startswith(key.strip())
    assert reason in message
    assert "\n" not in message


def test_a_bad_opening_is_named_with_its_line(folder: Path) -> None:
    (folder / "openings.txt").write_text(OPENINGS + "6/6 w 1\n")
    with pytest.raises(ArenaError, match=r"openings\.txt: line 4, column \d+: "):
        make_tournament({**TWO, "openings": {"file": "openings.txt"}}, folder)


def test_a_file_that_is_no_toml_is_named_with_the_line(folder: Path) -> None:
    (folder / "spring.toml").write_text("event = \n")
    with pytest.raises(ArenaError, match=r"spring\.toml: this is no TOML: .*line 1"):
        spring(folder)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"event": 1, "players": [{}]}', "null"])
def test_a_broken_config_json_is_refused(text: str) -> None:
    with pytest.raises(ArenaError, match="this is no tournament: "):
        read_config(text)


@given(st.text())
def test_a_name_can_stand_anywhere(name: str) -> None:
    shown = printable(name)
    assert shown.isprintable()
    assert not re.search(r"[/\\]", shown)
    assert 0 < len(shown) <= 60
    assert printable(shown) == shown
