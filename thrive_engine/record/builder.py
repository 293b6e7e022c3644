"""One game as its text is read: each token changes the tree, or is refused.

A refusal is a TextError, or a RecordError with line 0 and, as its column, the place in the token.
"""

from dataclasses import dataclass

from thrive_engine.errors import RecordError, quote
from thrive_engine.games.base import Rules
from thrive_engine.record.node import Node, plain
from thrive_engine.record.tree import Record, is_result

Place = tuple[int, int]
"""A line and a column."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one game may hold; at more it ends with an error, and the next one is read.

    ``turns`` counts those of the variations too; ``depth`` is how deep variations may be nested;
    ``text`` is the length of one comment, tag or word, ``size`` that of the whole game, in
    characters.
    """

    turns: int = 100_000
    depth: int = 50_000
    tags: int = 200_000
    text: int = 1_000_000
    size: int = 20_000_000


LIMITS = Limits()
"""The limits where none are asked for."""


class Builder:
    """The record so far, and where in its tree the next token goes."""

    def __init__(self, rules: Rules, limits: Limits) -> None:
        self.rules = rules
        self.limits = limits
        self.record = Record(rules=rules)
        self.tags: set[str] = set()
        self.began = False
        """Whether there was anything but tags and comments."""
        self.broken = False
        """Whether what follows can't be read."""
        self.result_at: Place = (1, 1)
        """Where the last result stands, a tag or the one after the turns."""
        self._is_playable = True
        """Whether it is known from which position the turns are played."""
        self._node = self.record.root
        self._stack: list[tuple[Node, Place]] = []
        """For each variation that is open, the turn it replaces, and where it was opened."""
        self._opened = False
        """Whether a variation was opened and has no turn yet."""
        self._pending: list[str] | None = None
        """After a bracket, the comments before the next turn."""
        self._seen: dict[object, int] = {}
        """How often each position of the main line has stood."""
        self._repeated = False
        self._turns = 0
        self._marker = "*"

    def error(self, place: Place, reason: str) -> None:
        """Note an error; the game goes on."""
        self.record.errors.append(RecordError(*place, reason))

    def fail(self, place: Place, reason: str) -> None:
        """Note an error after which no turn can be read."""
        self.error(place, reason)
        self.broken = True

    # Tags

    def tag(self, name: str, value: str) -> None:
        """A tag; one that is refused is left out."""
        if name in self.tags:
            raise RecordError(0, 0, f"tag {name}: it is given twice; the first is kept")
        self.tags.add(name)
        if name == "FEN":
            self._is_playable = False
            self.record.root.position = self.rules.parse_position(value)
            self._is_playable = True
        elif name == "Variant":
            if value.casefold() != self.rules.name:
                self._is_playable = False
                raise RecordError(0, 0, f"tag Variant: {quote(value)} is not {self.rules.name}")
        elif name == "Result":
            if not is_result(value, self.rules):
                raise RecordError(0, 0, f"tag Result: {quote(value)} is no result")
            self.record.tags[name] = value
        elif name != "SetUp":
            self.record.tags[name] = value

    # Turns

    def turn(self, text: str) -> None:
        """A turn, the first of its variation or the next."""
        self.began = True
        if not self._is_playable:
            self.broken = True
            return
        before = self._node
        if self._repeated and not self._stack:
            reason = f"the game is over: {self.rules.repetition}"
            raise RecordError(0, 0, f"illegal turn {quote(text)}: {reason}")
        turn, position = self.rules.play_text(text, before.position)
        if self._turns == self.limits.turns:
            raise RecordError(0, 0, f"the game has more than {self.limits.turns} turns")
        self._turns += 1
        node = Node(before, turn, position)
        before.children.append(node)
        self._node = node
        if self._pending is not None:
            node.comments_before = self._pending
            self._pending = None
            self._opened = False
        if not self._stack:
            self._count(node.position.identity)

    def glyph(self, number: int) -> None:
        """A glyph for the last turn."""
        self.began = True
        if self._opened or self._node.parent is None:
            raise RecordError(0, 0, "a glyph follows a turn")
        if number not in self._node.glyphs:
            self._node.glyphs.append(number)

    def comment(self, text: str) -> None:
        """A comment on the last turn or, after a bracket, before the next one."""
        if self._pending is None:
            self._node.comment(text)
        elif text := plain(text):
            self._pending.append(text)

    def open(self, place: Place) -> None:
        """The beginning of a variation to the last turn."""
        self.began = True
        if self._opened or self._node.parent is None:
            raise RecordError(0, 0, "a variation follows the turn that it replaces")
        if len(self._stack) == self.limits.depth:
            raise RecordError(0, 0, f"variations are nested more than {self.limits.depth} deep")
        self._settle_comments()
        self._stack.append((self._node, place))
        self._node = self._node.parent
        self._pending = []
        self._opened = True

    def close(self) -> None:
        """The end of a variation."""
        if not self._stack:
            raise RecordError(0, 0, "')' closes nothing")
        if self._opened:
            raise RecordError(0, 0, "the variation has no turn")
        self._settle_comments()
        self._node = self._stack.pop()[0]
        self._pending = []

    # The end

    def result(self, text: str, place: Place) -> None:
        """The result after the turns."""
        self.began = True
        self._marker = text
        self.result_at = place

    def finish(self) -> Record:
        """The record; the result on the board goes before the one that is written, and that one
        before the tag. ``*`` says nothing.
        """
        if self._stack and not self.broken:
            self.fail(self._stack[-1][1], "the variation is not closed")
        if not self._opened:
            self._settle_comments()
        tag, marker = self.record.tags["Result"], self._marker
        if "*" not in (tag, marker) and tag != marker:
            reason = f"the result {marker} and the tag Result {quote(tag)} differ"
            self.error(self.result_at, reason)
        result = tag if marker == "*" else marker
        outcome = None if self.broken else self.record.outcome
        if outcome is not None and result not in ("*", outcome.result):
            self.error(self.result_at, f"the result {result} is not the board's: {outcome}")
        self.record.tags["Result"] = result if outcome is None else outcome.result
        return self.record

    def _settle_comments(self) -> None:
        """Give comments that no turn follows to the turn before."""
        comments, self._pending = self._pending or (), None
        for text in comments:
            self._node.comment(text)

    def _count(self, identity: object) -> None:
        if self.rules.repetition is None:
            return
        seen = self._seen
        if not seen:
            seen[self.record.root.position.identity] = 1
        seen[identity] = times = seen.get(identity, 0) + 1
        self._repeated = times == 3
