from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrive_engine.arena.journal import Journal, read_journal
from thrive_engine.errors import ArenaError

EVENTS = [{"event": "begin", "at": 1.5}, {"event": "game", "number": 1, "record": "é\n\x1b"}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def test_what_is_added_is_read_again(path: Path) -> None:
    with Journal(path) as journal:
        for event in EVENTS:
            journal.add(event)
        assert read_journal(path) == journal.events == EVENTS
    with Journal(path) as journal:
        assert journal.events == EVENTS


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
    assert read_journal(path) == kept
    with Journal(path) as journal:
        assert journal.events == kept
        journal.add(EVENTS[1])
    assert read_journal(path) == [*kept, EVENTS[1]]


def test_two_arenas_cannot_write_the_same_journal(path: Path) -> None:
    with Journal(path), pytest.raises(ArenaError, match="another arena is running"):
        Journal(path)
    with Journal(path) as journal:
        assert journal.events == []


@pytest.mark.parametrize("line", ["nonsense", "[1]", "\udce9"])
def test_a_line_that_is_no_event_is_refused_by_its_number(path: Path, line: str) -> None:
    path.write_bytes(b"{}\n" + line.encode(errors="surrogateescape") + b"\n{}\n")
    with pytest.raises(ArenaError, match=r"journal\.jsonl:2: this line is no"):
        read_journal(path)
