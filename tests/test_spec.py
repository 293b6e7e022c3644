"""The examples of spec/rules.md and spec/notation.md hold."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from thrive_engine import (
    Position,
    TextError,
    Turn,
    parse_draft,
    parse_position,
    parse_turn,
)

SPEC = Path(__file__).parent.parent / "spec"
PAGES = ("rules.md", "notation.md")


def examples(page: str) -> list[str]:
    text = (SPEC / page).read_text(encoding="utf-8")
    return re.findall(r"^```example\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


EXAMPLES = [
    pytest.param(block, id=f"{page} {number}")
    for page in PAGES
    for number, block in enumerate(examples(page), 1)
]


class Reader:
    """Checks the statements of a block, one after the other."""

    def __init__(self) -> None:
        self.at: Position | None = None
        self.last: Turn | None = None
        self.just_played = False

    def check(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        STATEMENTS[word](self, rest)
        self.just_played = word == "play"

    @property
    def here(self) -> Position:
        assert self.at is not None, "a block begins with a position"
        return self.at

    def position(self, text: str) -> None:
        position = parse_position(text)
        assert str(position) == text
        if self.just_played:
            assert position == self.at
        else:
            self.at, self.last = position, None

    def reads(self, rest: str) -> None:
        text, canonical = rest.split(" -> ")
        assert str(parse_position(text)) == canonical

    def refused_position(self, rest: str) -> None:
        with pytest.raises(TextError):
            parse_position(rest.split(" -- ", maxsplit=1)[0])

    def movements(self, number: str) -> None:
        assert len(self.here.legal_movements) == int(number)

    def turns(self, number: str) -> None:
        assert len(self.here.legal_turns) == int(number)

    def outcome(self, expected: str) -> None:
        here = self.here
        found = here.outcome if self.last is None else here.outcome_by(self.last)
        text = "none" if found is None else f"{found.result} {found.reason.value}"
        assert text == expected

    def turn(self, rest: str) -> None:
        text, canonical = rest.split(" -> ")
        assert str(parse_turn(text, self.here)) == canonical

    def refused(self, rest: str) -> None:
        with pytest.raises(TextError):
            parse_turn(rest.split(" -- ", maxsplit=1)[0], self.here)

    def play(self, text: str) -> None:
        self.last = parse_turn(text, self.here)
        self.at = self.here.play(self.last)

    def follows(self, rest: str) -> None:
        text, _, expected = rest.rpartition(":")
        number, *parts = expected.split()
        choices = [str(choice) for choice in parse_draft(text, self.here).choices]
        assert len(choices) == int(number)
        assert not parts or choices == parts

    def mirrored(self, text: str) -> None:
        assert str(self.here.mirrored()) == text

    def turned(self, text: str) -> None:
        assert str(self.here.turned()) == text

    def mirrored_turn(self, rest: str) -> None:
        text, other = rest.split(" -> ")
        assert str(parse_turn(text).mirrored()) == other

    def turned_turn(self, rest: str) -> None:
        text, other = rest.split(" -> ")
        assert str(parse_turn(text).turned()) == other

    def key(self, expected: str) -> None:
        assert f"{self.here.key:016x}" == expected

    def symmetry_key(self, expected: str) -> None:
        assert f"{self.here.symmetry_key:016x}" == expected

    def error(self, rest: str) -> None:
        text, line = rest.split(" : ")
        with pytest.raises(TextError) as caught:
            parse_turn(text, self.here)
        assert str(caught.value) == line


STATEMENTS: dict[str, Callable[[Reader, str], None]] = {
    name.replace("_", "-"): getattr(Reader, name)
    for name in [
        "position",
        "reads",
        "refused_position",
        "movements",
        "turns",
        "outcome",
        "turn",
        "refused",
        "play",
        "follows",
        "mirrored",
        "turned",
        "mirrored_turn",
        "turned_turn",
        "key",
        "symmetry_key",
        "error",
    ]
}


@pytest.mark.parametrize("block", EXAMPLES)
def test_an_example_holds(block: str) -> None:
    reader = Reader()
    for line in block.splitlines():
        reader.check(line)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_examples(page: str) -> None:
    assert len(examples(page)) >= 5


def test_every_kind_of_statement_has_an_example() -> None:
    blocks = [block for page in PAGES for block in examples(page)]
    assert {line.split()[0] for block in blocks for line in block.splitlines()} == set(STATEMENTS)


def test_a_wrong_statement_is_found() -> None:
    reader = Reader()
    reader.check("position BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh w 1")
    with pytest.raises(AssertionError):
        reader.check("turns 56717")


def test_every_link_between_the_pages_leads_somewhere() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+)\)", (SPEC / page).read_text(encoding="utf-8")):
            assert (SPEC / link).exists(), link
