"""The searcher that reads ahead: alpha-beta, ever deeper, over the most promising turns.

What it says of won and lost games is proven; see tree.py.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from thrive_engine.games.base import Position
from thrive_engine.search.base import Info, Request, Score, Stop, root_turns
from thrive_engine.search.tree import DECIDED, HOPELESS, PROOF_TURNS, WIN, Child, Ended, Tree

MOST_CP = 9_999
DEEPEST = 60
ROOT_WIDTH = 24
WIDENING = 8
"""The turns that the root tries at first, and those that each iteration adds."""
INTERVAL = 0.05

Line = tuple[int, tuple[Any, ...]]
"""A value, and the turns that lead to it."""


class AlphaBetaSearcher:
    """Alpha-beta with a table of positions, quiescence over captures, and proofs of wins."""

    def search(self, request: Request, stop: Stop) -> Iterator[Info]:
        return _Search(request, stop).run()

    def forget(self) -> None:
        """Nothing is kept from one search to the next, so that each can be repeated."""


class _Search:
    """One search: its tree, its table, and its best lines so far."""

    def __init__(self, request: Request, stop: Stop) -> None:
        self.request = request
        self.stop = stop
        self.tree = Tree(request, stop)
        self.depth = 0
        self.fresh = ((draft.turn, draft.position) for draft in root_turns(request, ROOT_WIDTH))
        self.keep = max(ROOT_WIDTH, request.multipv, 2 * len(request.roots))
        self.family = list(islice(self.fresh, self.keep))
        self.is_whole = False
        """Whether every turn of the root is in its family, or was proven to lose."""
        self.lines: list[Line] = []
        self.shown: tuple[Any, ...] = ()
        self.shown_at = 0.0

    def run(self) -> Iterator[Info]:
        """Deepen until a limit is reached or all is known, telling the best lines."""
        self._look()
        yield from self._infos()
        for depth in range(1, self._deepest() + 1):
            if self.stop.is_late or self._is_known():
                break
            self.depth = depth
            try:
                for _ in self._deepen():
                    yield from self._infos(INTERVAL * len(self.lines))
            except Ended:
                break
        yield from self._infos()

    def _deepest(self) -> int:
        depths = [DEEPEST]
        if self.request.depth is not None:
            depths.append(self.request.depth)
        if self.request.mate is not None:
            depths.append(2 * self.request.mate - 1)
        return min(depths)

    def _is_known(self) -> bool:
        """Whether no line can change any more, or the win that was asked for is found."""
        best = self.lines[0][0]
        if self.request.mate is not None and best >= max(WIN - 2 * self.request.mate + 1, DECIDED):
            return True
        return all(abs(value) >= DECIDED for value, _ in self.lines) and (
            best >= DECIDED or self.is_whole
        )

    def _look(self) -> None:
        """Order the root by what can be seen without searching."""
        judged: list[tuple[int, Child]] = []
        try:
            for child in self.family:
                judged.append((self._glance(child[1]), child))
                self.tree.count(1)
        except Ended:
            pass
        judged.sort(key=lambda each: -each[0])
        self.family[: len(judged)] = [child for _, child in judged]
        self.lines = [(value, (turn,)) for value, (turn, _) in judged[: self.request.multipv]]

    def _glance(self, position: Position) -> int:
        value = self.tree.known_value(position, 1)
        return -self.request.rules.evaluate(position) if value is None else -value

    def _deepen(self) -> Iterator[None]:
        """One iteration over the turns of the root; pauses whenever a line has changed."""
        lines: list[Line] = []
        values: dict[Any, int] = {}
        count = self.request.multipv
        while len(values) < len(self.family) or self._has_more(values):
            turn, position = self.family[len(values)]
            alpha = lines[-1][0] if len(lines) == count else -WIN
            is_wanted = len(lines) < count
            value = -self.tree.scout(position, alpha, WIN, self.depth - 1, 1, is_wanted=is_wanted)
            values[turn] = value
            if value > alpha:
                lines = sorted(
                    [*lines, (value, (turn, *self.tree.expected(position, self.depth)))], key=_worst
                )
                del lines[count:]
                if len(lines) == min(count, len(self.family)):
                    self.lines = lines
                    yield
        self._reorder(values)
        yield

    def _has_more(self, values: dict[Any, int]) -> bool:
        """Add a turn to the root where the ones so far are not enough to tell how it stands."""
        lost = max(values.values()) <= -DECIDED
        if not (self.request.mate is not None or (lost and len(self.family) < PROOF_TURNS)):
            return False
        more = list(islice(self.fresh, 1))
        self.family += more
        self.is_whole = not more
        return bool(more)

    def _reorder(self, values: dict[Any, int]) -> None:
        """Best first for the next iteration, with some turns more; proven losses go."""
        self.family.sort(key=lambda child: -values[child[0]])
        rest = [child for child in self.family[self.keep :] if values[child[0]] > -DECIDED]
        self.family[self.keep :] = rest + list(islice(self.fresh, WIDENING))

    def _infos(self, interval: float = 0.0) -> Iterator[Info]:
        """The lines as they stand, unless they were told less than an interval ago."""
        elapsed = self.stop.elapsed
        snapshot = (self.depth, self.tree.nodes, *self.lines)
        if snapshot == self.shown or (interval and elapsed < self.shown_at + interval):
            return
        self.shown, self.shown_at = snapshot, elapsed
        is_sure = self.is_whole or self.lines[0][0] > -DECIDED
        for number, (value, pv) in enumerate(self.lines, start=1):
            yield Info(
                depth=max(self.depth, 1),
                seldepth=max(self.tree.seldepth, len(pv)),
                multipv=number,
                score=_score(value if is_sure else max(value, -HOPELESS)),
                nodes=self.tree.nodes,
                nps=int(self.tree.nodes / elapsed) if elapsed > 0 else 0,
                hashfull=self.tree.hashfull,
                time=elapsed,
                pv=pv,
            )


def _worst(line: Line) -> int:
    return -line[0]


def _score(value: int) -> Score:
    if value >= DECIDED:
        return Score(mate=(WIN - value + 1) // 2)
    if value <= -DECIDED:
        return Score(mate=-((WIN + value) // 2))
    return Score(cp=max(-MOST_CP, min(MOST_CP, value)))


Searcher = AlphaBetaSearcher
