"""The searcher that reads ahead: alpha-beta, ever deeper, over the most promising turns.

A position can have tens of thousands of turns, so a node tries only the candidates that the game's
rules name, more of them nearer to the root. What is said of won and lost games is exact all the
same: a node counts as lost only when every turn has been tried. Where all candidates lose, the
other turns are tried as far as that is affordable; if it is not, the node is rated as very bad.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import inf
from typing import Any

from thrive_engine.games.base import Position
from thrive_engine.search.base import Info, Request, Score, Stop, root_turns

WIN = 1_000_000
DECIDED = WIN - 1000
"""A value beyond this is a proven win, in as many turns of both sides as it is less than WIN."""
HOPELESS = 20_000
"""A node whose candidates lose while other turns were not tried is worth no less than -HOPELESS."""
MOST_CP = 9_999
DEEPEST = 60
TABLE_ENTRIES = 1024
"""For each megabyte of the hash: positions of the table, and lists of their candidates."""
FAMILIES = 64
ROOT_WIDTH = 24
WIDENING = 8
WIDTHS = (0, 10, 12, 14, 16)
"""How many candidates a node tries, by the depth that is left; the last stands for all beyond."""
CAPTURES = 3
CAPTURE_DEPTH = 4
PROOF_TURNS = 1 << 15
"""How many turns the root may try to prove itself lost; each depth a quarter of the one above."""
INTERVAL = 0.05

EXACT, LOWER, UPPER = range(3)
Child = tuple[Any, Position]
"""A turn and the position after it."""
Line = tuple[int, tuple[Any, ...]]
"""A value, and the turns that lead to it."""


class AlphaBetaSearcher:
    """Alpha-beta with a table of positions, quiescence over captures, and proofs of wins."""

    def search(self, request: Request, stop: Stop) -> Iterator[Info]:
        return _Search(request, stop).run()

    def forget(self) -> None:
        """Nothing is kept from one search to the next, so that each can be repeated."""


class _Ended(Exception):  # noqa: N818 no error, and never seen outside
    """The search must end now."""


class _Search:
    """One search: its tree, its table, and its best lines so far."""

    def __init__(self, request: Request, stop: Stop) -> None:
        self.request = request
        self.rules = request.rules
        self.stop = stop
        self.exhaustive = request.mate is not None
        self.most_nodes = inf if request.nodes is None else request.nodes
        self.nodes = self.seldepth = self.depth = 0
        self.table_size = TABLE_ENTRIES * request.hash_mb
        self.most_families = FAMILIES * request.hash_mb
        self.table: dict[tuple[Position, int], tuple[int, int, int, Any]] = {}
        self.families: dict[Position, list[Child]] = {}
        self.history: dict[Any, int] = {}
        self.path: set[Any] = {request.position.identity}
        self.before = Counter(request.history)
        self.revisits = 0
        self.fresh = ((draft.turn, draft.position) for draft in root_turns(request, ROOT_WIDTH))
        self.keep = max(ROOT_WIDTH, request.multipv, 2 * len(request.roots))
        self.family = list(islice(self.fresh, self.keep))
        self.is_whole = False
        self.lines: list[Line] = []
        self.shown: tuple[Any, ...] = ()
        self.shown_at = 0.0

    # The root

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
            except _Ended:
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
        for child in self.family:
            value = self._known_value(child[1], 1)
            judged.append((-self.rules.evaluate(child[1]) if value is None else -value, child))
            self.nodes += 1
            if self.stop.is_due or self.nodes >= self.most_nodes:
                break
        judged.sort(key=lambda each: -each[0])
        self.family[: len(judged)] = [child for _, child in judged]
        self.lines = [(value, (turn,)) for value, (turn, _) in judged[: self.request.multipv]]

    def _deepen(self) -> Iterator[None]:
        """One iteration over the turns of the root; pauses whenever a line has changed."""
        lines: list[Line] = []
        values: dict[Any, int] = {}
        count = self.request.multipv
        while len(values) < len(self.family) or self._has_more(values):
            turn, position = self.family[len(values)]
            alpha = lines[-1][0] if len(lines) == count else -WIN
            is_wanted = len(lines) < count
            value = -self._scout(position, alpha, WIN, self.depth - 1, 1, is_wanted=is_wanted)
            values[turn] = value
            if value > alpha:
                lines = sorted([*lines, (value, (turn, *self._expected(position)))], key=_worst)
                del lines[count:]
                if len(lines) == min(count, len(self.family)):
                    self.lines = lines
                    yield
        self._reorder(values)
        yield

    def _has_more(self, values: dict[Any, int]) -> bool:
        """Add a turn to the root where the ones so far are not enough to tell how it stands."""
        lost = max(values.values()) <= -DECIDED
        if not (self.exhaustive or (lost and len(self.family) < PROOF_TURNS)):
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

    def _expected(self, position: Position) -> tuple[Any, ...]:
        """The line that the table expects from a position on."""
        line: list[Any] = []
        entry = self.table.get((position, 1))
        while entry is not None and entry[3] is not None and len(line) < self.depth:
            line.append(entry[3])
            position = position.play_unchecked(entry[3])
            entry = self.table.get((position, len(line) + 1))
        return tuple(line)

    def _infos(self, interval: float = 0.0) -> Iterator[Info]:
        """The lines as they stand, unless they were told less than an interval ago."""
        elapsed = self.stop.elapsed
        snapshot = (self.depth, self.nodes, *self.lines)
        if snapshot == self.shown or (interval and elapsed < self.shown_at + interval):
            return
        self.shown, self.shown_at = snapshot, elapsed
        is_sure = self.is_whole or self.lines[0][0] > -DECIDED
        for number, (value, pv) in enumerate(self.lines, start=1):
            yield Info(
                depth=max(self.depth, 1),
                seldepth=max(self.seldepth, len(pv)),
                multipv=number,
                score=_score(value if is_sure else max(value, -HOPELESS)),
                nodes=self.nodes,
                nps=int(self.nodes / elapsed) if elapsed > 0 else 0,
                hashfull=1000 * len(self.table) // self.table_size,
                time=elapsed,
                pv=pv,
            )

    # The tree

    def _scout(
        self,
        position: Position,
        alpha: int,
        beta: int,
        depth: int,
        ply: int,
        *,
        is_wanted: bool,
    ) -> int:
        """The value of a child, for its own player: with a full window only if it may be best."""
        if not is_wanted:
            value = self._search(position, depth, -alpha - 1, -alpha, ply)
            if not alpha < -value < beta:
                return value
        return self._search(position, depth, -beta, -alpha, ply)

    def _search(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of a position for its player, exact between alpha and beta, else a bound."""
        self._count(ply)
        value = self._known_value(position, ply)
        if value is not None:
            return value
        if depth <= 0:
            return self._calm(position, alpha, beta, ply, CAPTURE_DEPTH)
        key = (position, ply)
        entry = self.table.get(key) if not self.revisits else None
        if entry is not None and (entry[0] >= depth or abs(entry[2]) >= DECIDED):
            _, bound, value, _ = entry
            if (
                bound == EXACT
                or (bound == LOWER and value >= beta)
                or (bound == UPPER and value <= alpha)
            ):
                return value
        self._enter(position, 1)
        first = entry[3] if entry else None
        value, turn = self._best(position, depth, alpha, beta, ply, first=first)
        self._enter(position, -1)
        bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
        if not self.revisits:
            self._remember(key, (depth, bound, value, turn))
        return value

    def _enter(self, position: Position, step: int) -> None:
        """Note that the search enters a position, or with -1 that it leaves it.

        On a path through a position from before the search the table is of no use: what was found
        there on other paths may be a draw here.
        """
        identity = position.identity
        if step > 0:
            self.path.add(identity)
        else:
            self.path.discard(identity)
        if self.before[identity]:
            self.revisits += step

    def _count(self, ply: int) -> None:
        if self.stop.is_due or self.nodes >= self.most_nodes:
            raise _Ended
        self.nodes += 1
        self.seldepth = max(self.seldepth, ply)

    def _known_value(self, position: Position, ply: int) -> int | None:
        """The value of a position that needs no search: the game is over, or is won at once."""
        outcome = position.outcome
        if outcome is not None:
            if outcome.winner is None:
                return 0
            return WIN - ply if outcome.winner == position.player else ply - WIN
        if self.rules.repetition is not None and self._is_repeated(position):
            return 0
        if next(iter(self.rules.wins(position.draft)), None) is not None:
            return WIN - ply - 1
        return None

    def _is_repeated(self, position: Position) -> bool:
        """Whether a position has stood twice before the search, or once in it.

        The second is too soon for the rules, but then no line that is rated as won returns to a
        position, and it stays won after other turns that lead there.
        """
        identity = position.identity
        return identity in self.path or self.before[identity] >= 2

    def _best(
        self, position: Position, depth: int, alpha: int, beta: int, ply: int, *, first: Any
    ) -> tuple[int, Any]:
        """The best value among a position's turns, and its turn."""
        best, best_turn = -WIN, None
        width = self._width(depth)
        for count, (turn, child) in enumerate(self._children(position, depth, ply, first), 1):
            floor = max(alpha, best)
            value = -self._scout(child, floor, beta, depth - 1, ply + 1, is_wanted=count == 1)
            if value > best:
                best, best_turn = value, turn
            if best >= beta:
                self.history[turn] = self.history.get(turn, 0) + depth * depth
                break
            if best > -DECIDED and count >= width and not self.exhaustive:
                if count > width:
                    self._family(position, 0).append((turn, child))
                break
        else:
            if best <= -DECIDED and not self._is_affordable(position, ply):
                best = ply - HOPELESS
        return best, best_turn

    def _children(self, position: Position, depth: int, ply: int, first: Any) -> Iterator[Child]:
        """The candidates in the order to be tried, and then, if that is affordable, all turns."""
        width = self._width(depth)
        family = self._family(position, width)
        history = self.history
        yield from sorted(
            family[:width], key=lambda child: (child[0] != first, -history.get(child[0], 0))
        )
        yield from family[width:]
        if self._is_affordable(position, ply):
            known = {turn for turn, _ in family}
            for draft in self.rules.completions(position.draft, width):
                turn = draft.turn
                if turn not in known:
                    yield turn, draft.position

    def _family(self, position: Position, width: int) -> list[Child]:
        family = self.families.get(position)
        if family is None or len(family) < width:
            drafts = islice(self.rules.completions(position.draft, width), width)
            family = [(draft.turn, draft.position) for draft in drafts]
            if len(self.families) >= self.most_families:
                self.families.clear()
            self.families[position] = family
        return family

    def _width(self, depth: int) -> int:
        return WIDTHS[min(depth, len(WIDTHS) - 1)]

    def _is_affordable(self, position: Position, ply: int) -> bool:
        """Whether all turns of a position may be tried to prove it lost."""
        return self.exhaustive or len(position.legal_turns) <= max(
            PROOF_TURNS >> 2 * ply, WIDTHS[-1]
        )

    def _remember(self, key: tuple[Position, int], entry: tuple[int, int, int, Any]) -> None:
        if len(self.table) >= self.table_size:
            self.table.clear()
        self.table[key] = entry

    def _calm(self, position: Position, alpha: int, beta: int, ply: int, left: int) -> int:
        """The value of a position when only captures are played on."""
        best: int = self.rules.evaluate(position)
        if best >= beta or not left:
            return best
        for draft in self.rules.captures(position, CAPTURES):
            self._count(ply + 1)
            child = draft.position
            value = self._known_value(child, ply + 1)
            if value is None:
                value = self._calm(child, -beta, -max(alpha, best), ply + 1, left - 1)
            best = max(best, -value)
            if best >= beta:
                break
        return best


def _worst(line: Line) -> int:
    return -line[0]


def _score(value: int) -> Score:
    if value >= DECIDED:
        return Score(mate=(WIN - value + 1) // 2)
    if value <= -DECIDED:
        return Score(mate=-((WIN + value) // 2))
    return Score(cp=max(-MOST_CP, min(MOST_CP, value)))


Searcher = AlphaBetaSearcher
