import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic import played

from thrive_engine.arena.event import game_event
from thrive_engine.arena.journal import Journal, read_games, read_journal
from thrive_engine.errors import ArenaError

EVENTS = [
    {"event": "begin", "at": 1.5},
    {"event": "lost", "number": 1, "reason": "é\n\x1b"},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def test_what_is_added_is_read_again(path: Path) -> None:
    with Journal(path) as journal:
        for event in EVENTS:
            journal.add(event)
        assert list(read_journal(path)) == EVENTS
    with Journal(path):
        assert list(read_journal(path)) == EVENTS


@given(cut=st.integers(0, 200))
def test_a_line_that_was_cut_off_is_dropped_and_written_over(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "journal.jsonl"
    with Journal(path) as journal:
        for event in EVENTS:
            journal.add(event)
    data = path.read_bytes()[:cut]
    path.write_bytes(data)
    kept = EVENTS[: data.count(b"\n")]
    assert list(read_journal(path)) == kept
    with Journal(path) as journal:
        assert list(read_journal(path)) == kept
        journal.add(EVENTS[1])
    assert list(read_journal(path)) == [*kept, EVENTS[1]]


def test_two_arenas_cannot_write_the_same_journal(path: Path) -> None:
    with Journal(path), pytest.raises(ArenaError, match="another arena is running"):
        Journal(path)
    with Journal(path):
        assert list(read_journal(path)) == []


BEGIN = b'{"event": "begin", "at": 1}\n'
GAME = json.loads(json.dumps(game_event(played(1, ("ada", "bob"), "1-0"), 2.0)))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "this line is not JSON"),
        ("[1]", "this line is no JSON object"),
        ("\udce9", "this line is not JSON"),
        ("{}", "this line has no key 'event'"),
        ('{"event": []}', "there is no event []; there are begin, lost, game"),
        ('{"event": "gmae"}', "there is no event 'gmae'; there are begin, lost, game"),
        ('{"event": "begin"}', "this begin has no key 'at'"),
        ('{"event": "begin", "at": NaN}', "the at of this begin can't be nan"),
    ],
)
def test_a_line_that_is_no_event_is_refused_by_its_number(path: Path, line: str, said: str) -> None:
    path.write_bytes(BEGIN + line.encode(errors="surrogateescape") + b"\n" + BEGIN)
    with pytest.raises(ArenaError) as caught:
        list(read_journal(path))
    assert str(caught.value) == f"{path}:2: {said}"


@pytest.mark.parametrize("key", sorted(GAME))
def test_a_game_without_one_of_its_keys_or_with_nonsense_in_it_is_refused(
    path: Path, key: str
) -> None:
    for event in ({name: GAME[name] for name in GAME if name != key}, {**GAME, key: {"x": 1}}):
        path.write_text(f"{json.dumps(GAME)}\n{json.dumps(event)}\n")
        with pytest.raises(ArenaError, match=rf"journal\.jsonl:2: .*{key}"):
            list(read_journal(path))


def test_games_are_read_in_any_order_and_only_their_first_line_counts(path: Path) -> None:
    games = [played(number, ("ada", "bob"), "1-0") for number in (3, 1, 2)]
    with Journal(path) as journal:
        for game in (*games, played(1, ("ada", "bob"), "0-1")):
            journal.add(game_event(game, 0.0))
    assert list(read_games(path, [1, 2, 3])) == [games[1], games[2], games[0]]
    assert list(read_games(path, [2])) == [games[2]]
    assert list(read_games(path, [])) == []
