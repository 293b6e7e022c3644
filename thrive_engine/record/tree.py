"""A whole game: its tags, its tree of turns, its result."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Self

from thrive_engine.errors import RecordError, quote
from thrive_engine.game import Game
from thrive_engine.games import thrive
from thrive_engine.games.base import Outcome, Rules
from thrive_engine.record.node import Node, same_trees
from thrive_engine.record.writer import turns_text

TAG_NAME = r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*"
DERIVED = ("SetUp", "FEN", "Variant")
"""Tags that are written from the game itself, and never kept among its tags."""

_UNWRITABLE = re.compile(r"[\t\r\n\v\f]")


class Record:
    """A game: tags, a tree of turns below ``root``, a result, and what was wrong in its text.

    ``tags`` begins with PGN's roster of seven. The first position and the game's name are not in
    it: ``SetUp``, ``FEN`` and ``Variant`` are written from ``root.position`` and ``rules``.
    Records are equal if they are written alike; errors don't count.
    """

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __init__(
        self, position: Any = None, tags: Mapping[str, str] | None = None, rules: Rules = thrive
    ) -> None:
        self.rules = rules
        self.root = Node(None, None, rules.start if position is None else position)
        self.tags = {**roster(rules), **(tags or {})}
        self.errors: list[RecordError] = []

    @classmethod
    def from_game(cls, game: Game, tags: Mapping[str, str] | None = None) -> Self:
        """The record of a game that was played."""
        record = cls(game.start, tags, game.rules)
        node = record.root
        for turn, position in zip(game.turns, game.positions[1:], strict=True):
            child = Node(node, turn, position)
            node.children.append(child)
            node = child
        record.tags["Result"] = record.result
        return record

    def game(self) -> Game:
        """The main line as a game that can be played on."""
        game = Game(self.root.position, self.rules)
        for turn in self.turns:
            game.play(turn)
        return game

    def mainline(self) -> Iterator[Node]:
        """The nodes of the main line, without the root."""
        return self.root.mainline()

    @property
    def turns(self) -> tuple[Any, ...]:
        """The turns of the main line."""
        return tuple(node.turn for node in self.mainline())

    @property
    def end(self) -> Node:
        """The last node of the main line; the root where there are no turns."""
        node = self.root
        for following in self.mainline():
            node = following
        return node

    @property
    def outcome(self) -> Outcome | None:
        """How the main line ended on the board, repetition included; None while it goes on."""
        end = self.end
        outcome: Outcome | None = end.position.outcome
        if outcome is not None:
            return outcome if end.parent is None else end.position.outcome_by(end.turn)
        if self.rules.repetition is None:
            return None
        identity = end.position.identity
        times = 1 if end is self.root else int(self.root.position.identity == identity)
        times += sum(node.position.identity == identity for node in self.mainline())
        return self.rules.repetition if times >= 3 else None

    @property
    def result(self) -> str:
        """The result on the board; where it is open, the tag ``Result``, or ``*`` for unknown."""
        outcome = self.outcome
        if outcome is not None:
            return outcome.result
        tag = self.tags.get("Result", "*")
        return tag if is_result(tag, self.rules) else "*"

    @result.setter
    def result(self, result: str) -> None:
        self.tags["Result"] = result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return (
            self.root.position == other.root.position
            and dict(_tags(self)) == dict(_tags(other))
            and same_trees(self.root, other.root)
        )

    def __str__(self) -> str:
        return write_record(self)

    def __repr__(self) -> str:
        return f"<Record of {len(self.turns)} turns, {self.result}>"


def write_record(record: Record) -> str:
    """The canonical text of a record; RecordError where the name of a tag can't be written.

    Records in a file have an empty line between them.
    """
    tags = "".join(f"[{name} {quoted(value)}]\n" for name, value in _tags(record))
    return f"{tags}\n{turns_text(record.rules, record.root, record.result)}"


def quoted(text: str) -> str:
    """A string of a tag: ``"`` and ``\\`` escaped, on one line."""
    text = _UNWRITABLE.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def unquoted(text: str) -> str:
    """What the inside of a quoted string means."""
    return re.sub(r'\\(["\\])', r"\1", _UNWRITABLE.sub(" ", text))


def roster(rules: Rules) -> dict[str, str]:
    """The tags that every record has, as they are where nothing is known."""
    unknown = dict.fromkeys(("Event", "Site", "Date", "Round", *rules.players), "?")
    return {**unknown, "Date": "????.??.??", "Result": "*"}


def is_result(text: str, rules: Rules) -> bool:
    """Whether a text is ``*`` or a score of 0, 1/2 or 1 for each seat, one point in all."""
    points = {"0": 0, "1/2": 1, "1": 2}
    scores = text.split("-")
    if len(scores) != len(rules.players) or not points.keys() >= set(scores):
        return text == "*"
    return sum(points[score] for score in scores) == 2


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    """The tags as they are written: the roster, what the game derives, the others in order."""
    rules, first = record.rules, roster(record.rules)
    for name, unknown in first.items():
        yield name, record.result if name == "Result" else record.tags.get(name, unknown)
    if rules.name != thrive.name:
        yield "Variant", rules.name
    if record.root.position != rules.start:
        yield "SetUp", "1"
        yield "FEN", str(record.root.position)
    for name, value in record.tags.items():
        if name in first or name in DERIVED:
            continue
        if not re.fullmatch(TAG_NAME, name):
            raise RecordError(0, 0, f"tag {quote(name)}: its name is not letters and digits")
        yield name, value
