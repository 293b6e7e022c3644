"""A turn in a game tree, with all that was said about it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Optional

WHITE_SPACE = " \t\r\n\v\f"
"""What separates words; anything else is part of one."""

_SPACES = re.compile(f"[{WHITE_SPACE}]+")
_EVAL = re.compile(
    r"\[%eval (?:([+-]?)([0-9]{1,9})(?:\.([0-9]{1,2}))?|#([+-]?[0-9]{1,9}))(?:,([0-9]{1,9}))?\]"
)
_CLK = re.compile(r"\[%clk ([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,3}))?\]")


@dataclass(frozen=True, slots=True)
class Eval:
    """A score from the first seat's side: hundredths of a piece, or a win in some turns.

    ``mate`` is negative where the first seat loses. ``depth`` is how deep the search went.
    """

    cp: int | None = None
    mate: int | None = None
    depth: int | None = None

    def __str__(self) -> str:
        depth = "" if self.depth is None else f",{self.depth}"
        if self.mate is not None:
            return f"#{self.mate}{depth}"
        cp = self.cp or 0
        return f"{'-' if cp < 0 else ''}{abs(cp) // 100}.{abs(cp) % 100:02}{depth}"


class Node:
    """A turn and the position after it; the root of a tree has no turn.

    The first of ``children`` continues the main line, the others are variations. ``comments``
    follow the turn, ``comments_before`` stand between it and what is written before it: the
    bracket of its variation, or the variations to the turn before. ``glyphs`` are numbers, 1 to 6
    for ``! ? !! ?? !? ?!``. ``clk`` is the seconds left on the clock of who played the turn.
    """

    __slots__ = (
        "children",
        "clk",
        "comments",
        "comments_before",
        "eval",
        "glyphs",
        "parent",
        "position",
        "turn",
    )

    def __init__(self, parent: Optional["Node"], turn: Any, position: Any) -> None:
        self.parent = parent
        self.turn = turn
        self.position = position
        self.children: list[Node] = []
        self.comments: list[str] = []
        self.comments_before: list[str] = []
        self.glyphs: list[int] = []
        self.eval: Eval | None = None
        self.clk: float | None = None

    def add(self, turn: Any) -> "Node":
        """Add a turn as the last child, and return its node; IllegalTurnError if it is none."""
        child = Node(self, turn, self.position.play(turn))
        self.children.append(child)
        return child

    def mainline(self) -> Iterator["Node"]:
        """The nodes that follow, each the first child of the one before."""
        node = self
        while node.children:
            node = node.children[0]
            yield node

    def comment(self, text: str) -> None:
        """Add a comment after the turn; the first ``[%eval]`` and ``[%clk]`` are lifted out."""
        self.eval, self.clk, text = lifted(text, self.eval, self.clk)
        if text:
            self.comments.append(text)

    def __repr__(self) -> str:
        return f"<Node {self.turn} with {len(self.children)} children>"


def same_trees(one: Node, other: Node) -> bool:
    """Whether two trees have the same turns, comments, glyphs, evals and clocks."""
    pairs = [(one, other)]
    while pairs:
        one, other = pairs.pop()
        if _content(one) != _content(other):
            return False
        pairs += zip(one.children, other.children, strict=True)
    return True


def _content(node: Node) -> tuple[object, ...]:
    return (
        node.turn,
        node.comments,
        node.comments_before,
        node.glyphs,
        node.eval,
        node.clk,
        len(node.children),
    )


def plain(text: str) -> str:
    """A comment as it is kept: each run of white space is one space, none at the ends."""
    return _SPACES.sub(" ", text).strip(WHITE_SPACE)


def lifted(
    text: str, score: Eval | None, clk: float | None
) -> tuple[Eval | None, float | None, str]:
    """The eval and the clock of a comment, where they are not known yet, and its other words."""
    text = plain(text)
    # Twice, since taking one command out can complete the other.
    for _ in range(2 if "[%" in text else 0):
        if score is None and (match := _EVAL.search(text)):
            score = _eval(match)
            text = plain(f"{text[: match.start()]} {text[match.end() :]}")
        if clk is None and (match := _CLK.search(text)):
            clk = _seconds(match)
            text = plain(f"{text[: match.start()]} {text[match.end() :]}")
    return score, clk, text


def clock_text(seconds: float) -> str:
    """Seconds as ``[%clk]`` writes them, to the thousandth: ``0:01:05.5``."""
    minutes, thousandths = divmod(max(0, round(seconds * 1000)), 60_000)
    fraction = f"{thousandths % 1000:03}".rstrip("0")
    text = f"{minutes // 60}:{minutes % 60:02}:{thousandths // 1000:02}"
    return f"{text}.{fraction}" if fraction else text


def _eval(match: re.Match[str]) -> Eval:
    sign, whole, hundredths, mate, depth = match.groups()
    deep = None if depth is None else int(depth)
    if mate is not None:
        return Eval(mate=int(mate), depth=deep)
    cp = 100 * int(whole) + int((hundredths or "").ljust(2, "0"))
    return Eval(cp=-cp if sign == "-" else cp, depth=deep)


def _seconds(match: re.Match[str]) -> float:
    hours, minutes, seconds, fraction = match.groups()
    whole = 3600 * int(hours) + 60 * int(minutes) + int(seconds)
    return whole + int((fraction or "").ljust(3, "0")) / 1000
