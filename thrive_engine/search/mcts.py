"""The searcher that grows a tree where it pays: Monte-Carlo tree search over half-built turns.

A turn is decided part by part (in Thrive the movement, then each peg), so a level of the tree has
dozens of children and not tens of thousands, and what is learned of a movement counts for all its
pegs. A node shows its candidates one after the other, the more often it is visited. New positions
are judged by the game's evaluation instead of by playing on.
"""

from collections.abc import Iterator
from itertools import islice
from math import log, log2, sqrt
from threading import Thread
from typing import Any

from thrive_engine.search.base import (
    WIN_SCALE,
    Info,
    Request,
    Score,
    Stop,
    is_drawn,
    root_drafts,
    root_turns,
    win_rate,
)

WIDTH = 12
"""How many parts can follow a draft, at most."""
WIDENING = 1.2
PRIOR = 0.8
"""How much less is expected of each candidate than of the one before it."""
EXPLORATION = 1.0
DOUBT = 0.3
"""How much less than its value a turn is trusted that was seen once."""
FIRST_DEPTH = 32
"""The simulations of depth 1; each depth more doubles them."""
DEEPEST = 24
MATE_DEPTH = 8
"""How deep a search for a win goes, of which only those in one turn can be proven."""
MOST_NODES = 8192
"""The size of the tree, for each megabyte of the hash."""
FREED_AT_ONCE = 4096
"""A tree of more nodes is freed in a thread of its own, while the answer is on its way."""
INTERVAL = 0.05


class MctsSearcher:
    """Monte-Carlo tree search; ``nodes`` counts its simulations, ``depth`` their doublings."""

    def search(self, request: Request, stop: Stop) -> Iterator[Info]:
        search = _Search(request, stop)
        try:
            yield from search.run()
        finally:
            if search.size > FREED_AT_ONCE:
                Thread(target=_free, args=(search.root,), daemon=True).start()

    def forget(self) -> None:
        """Nothing is kept from one search to the next, so that each can be repeated."""


Line = tuple[Score, str, tuple[Any, ...]]
"""A score, whether it is a bound, and the turns that lead to it."""


class _Node:
    """A draft in the tree; where ``turn`` is not None, that turn has led to a new position.

    ``total`` is the sum of the values for the player who chose this node.
    """

    __slots__ = (
        "children",
        "draft",
        "exact",
        "is_own",
        "parts",
        "prior",
        "total",
        "turn",
        "visits",
    )

    def __init__(self, draft: Any, turn: Any, is_own: bool, prior: float) -> None:
        self.draft = draft
        self.turn = turn
        self.is_own = is_own
        """Whether the player at the root chose this node."""
        self.prior = prior
        self.parts: list[Any] | None = None
        self.children: list[_Node] = []
        self.visits = 0
        self.total = 0.0
        self.exact: float | None = None
        """The value for the player at the root, where it is known without simulations."""

    @property
    def trust(self) -> float:
        """The value for the chooser, less what is in doubt while it was seen but rarely."""
        return self.total / self.visits - DOUBT / sqrt(self.visits)


class _Search:
    """One search: its tree and its counts."""

    def __init__(self, request: Request, stop: Stop) -> None:
        self.request = request
        self.rules = request.rules
        self.stop = stop
        self.simulations = self.size = self.seldepth = 0
        self.most_nodes = MOST_NODES * request.hash_mb
        self.root = _Node(None, None, False, 1.0)
        self.root.parts = []
        for draft in root_drafts(request):
            self._grow(self.root, draft)

    def run(self) -> Iterator[Info]:
        """Simulate until a limit is reached; the best lines now and then."""
        won = list(islice(self._wins(), self.request.multipv))
        lines = self._lines(won)
        yield from self._infos(lines)
        if len(won) == len(lines):
            return
        shown_at = self.stop.elapsed
        for _ in range(self._most_simulations()):
            if self.stop.is_late:
                break
            self._simulate()
            if self.stop.elapsed >= shown_at + INTERVAL * len(lines):
                shown_at = self.stop.elapsed
                lines = self._lines(won)
                yield from self._infos(lines)
        yield from self._infos(self._lines(won))

    def _most_simulations(self) -> int:
        depths = [DEEPEST]
        if self.request.depth is not None:
            depths.append(self.request.depth)
        if self.request.mate is not None:
            depths.append(MATE_DEPTH)
        most = FIRST_DEPTH << min(depths) - 1
        return most if self.request.nodes is None else min(most, self.request.nodes)

    # Lines

    def _wins(self) -> Iterator[Any]:
        """The turns that win at once."""
        for draft in root_drafts(self.request):
            yield from (won.turn for won in self.rules.wins(draft))

    def _lines(self, won: list[Any]) -> list[Line]:
        """The best turns: wins, then what the tree trusts most, then what it has not seen."""
        lines: dict[Any, Line] = {turn: (Score(mate=1), "", (turn,)) for turn in won}
        score = Score(cp=0)
        for node in sorted(_turns(self.root), key=lambda node: -node.trust):
            if len(lines) < self.request.multipv and node.turn not in lines:
                score = Score(cp=_cp(node.trust))
                lines[node.turn] = score, "", (node.turn, *_expected(node))
        if len(lines) < self.request.multipv:
            for draft in islice(root_turns(self.request, WIDTH), 2 * self.request.multipv):
                lines.setdefault(draft.turn, (score, "upperbound", (draft.turn,)))
                if self.stop.is_due:
                    break
        return list(lines.values())[: self.request.multipv]

    def _infos(self, lines: list[Line]) -> Iterator[Info]:
        elapsed = self.stop.elapsed
        for number, (score, bound, pv) in enumerate(lines, start=1):
            yield Info(
                depth=1 + max(int(log2(max(self.simulations, 1) / FIRST_DEPTH)), 0),
                seldepth=self.seldepth,
                multipv=number,
                score=score,
                bound=bound,
                nodes=self.simulations,
                nps=int(self.simulations / elapsed) if elapsed > 0 else 0,
                hashfull=min(1000 * self.size // self.most_nodes, 1000),
                time=elapsed,
                pv=pv,
            )

    # The tree

    def _simulate(self) -> None:
        """Go down to a position that is new, or known exactly, and take its value back up."""
        self.simulations += 1
        path = [self.root]
        depth = 0
        node = self.root
        while node.exact is None:
            node = self._next(node)
            path.append(node)
            if node.turn is not None:
                depth += 1
                if not node.visits:
                    break
        self.seldepth = max(self.seldepth, depth)
        value = self._value(node)
        for each in path:
            each.visits += 1
            each.total += value if each.is_own else 1 - value

    def _next(self, node: _Node) -> _Node:
        """The child to go to: one that was not shown yet, or the one that promises most."""
        if node.parts is None:
            node.parts = list(self.rules.candidates(node.draft, WIDTH))
            node.parts.reverse()
        shown = len(node.children)
        if node.parts and (not shown or shown < WIDENING * sqrt(node.visits)):
            return self._grow(node, node.draft.add(node.parts.pop()))
        scale = EXPLORATION * sqrt(node.visits)
        return max(node.children, key=lambda child: _promise(child, scale))

    def _grow(self, node: _Node, draft: Any) -> _Node:
        """Add a child to a node."""
        self.size += 1
        turn = draft.turn
        after = draft if turn is None else draft.position.draft
        is_own = node.is_own if node.turn is None else not node.is_own
        child = _Node(after, turn, is_own, (1 - PRIOR) * PRIOR ** len(node.children))
        node.children.append(child)
        return child

    def _value(self, node: _Node) -> float:
        """The value of a node's position for the player at the root."""
        if node.exact is not None:
            return node.exact
        position = node.draft.position
        is_own = not node.is_own
        outcome = position.outcome
        if outcome is not None:
            node.exact = outcome.scores[self.request.position.player]
        elif is_drawn(self.request, position):
            node.exact = 0.5
        elif next(iter(self.rules.wins(node.draft)), None) is not None:
            node.exact = float(is_own)
        if node.exact is not None:
            return node.exact
        value = win_rate(self.rules.evaluate(position))
        return value if is_own else 1 - value


def _promise(node: _Node, scale: float) -> float:
    """What is expected of a child, and more the less it was visited."""
    value = node.total / node.visits if node.visits else 1.0
    return value + scale * node.prior / (1 + node.visits)


def _turns(node: _Node) -> Iterator[_Node]:
    """The nodes below that complete the first turn."""
    for child in node.children:
        if child.turn is None:
            yield from _turns(child)
        elif child.visits:
            yield child


def _expected(node: _Node) -> Iterator[Any]:
    """The turns that are expected after a node: always the child seen most often."""
    while node.children:
        node = max(node.children, key=lambda child: child.visits)
        if node.turn is not None:
            yield node.turn


def _free(root: _Node) -> None:
    """Free a tree node by node; as a whole it would keep all other threads waiting."""
    nodes = [root]
    while nodes:
        node = nodes.pop()
        nodes += node.children
        node.children = []


def _cp(value: float) -> int:
    """The score at which this share of games is won."""
    value = min(max(value, 1e-6), 1 - 1e-6)
    return round(WIN_SCALE * log(value / (1 - value)))


Searcher = MctsSearcher
