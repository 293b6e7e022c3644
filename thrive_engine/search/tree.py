"""The tree of the alpha-beta search: what a position is worth, read so many turns ahead.

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
from thrive_engine.search.base import Request, Stop

WIN = 1_000_000
DECIDED = WIN - 1000
"""A value beyond this is a proven win, in as many turns of both sides as it is less than WIN."""
HOPELESS = 20_000
"""A node whose candidates lose while other turns were not tried is worth no less than -HOPELESS."""
PROOF_TURNS = 1 << 15
"""How many turns the root may try to prove itself lost; each depth a quarter of the one above."""
TABLE_ENTRIES = 1024
"""For each megabyte of the hash: positions of the table, and lists of their candidates."""
FAMILIES = 64
WIDTHS = (0, 10, 12, 14, 16)
"""How many candidates a node tries, by the depth that is left; the last stands for all beyond."""
TRUSTED = 4
"""So many candidates are read to the full depth; of the others only those that surprise."""
CAPTURES = 3
CAPTURE_DEPTH = 4

EXACT, LOWER, UPPER = range(3)
Child = tuple[Any, Position]
"""A turn and the position after it."""


class Ended(Exception):  # noqa: N818 no error: it unwinds the search, which catches it
    """The search must end now."""


class Tree:
    """The tree of one search. ``nodes`` are its positions so far, ``seldepth`` its height."""

    def __init__(self, request: Request, stop: Stop) -> None:
        self.nodes = self.seldepth = 0
        self._rules = request.rules
        self._stop = stop
        self._exhaustive = request.mate is not None
        self._most_nodes = inf if request.nodes is None else request.nodes
        self._table: dict[tuple[Position, int], tuple[int, int, int, Any]] = {}
        self._table_size = TABLE_ENTRIES * request.hash_mb
        self._families: dict[Position, list[Child]] = {}
        self._most_families = FAMILIES * request.hash_mb
        self._history: dict[Any, int] = {}
        self._path = {request.position.identity}
        self._before = Counter(request.history)
        self._revisits = 0

    @property
    def hashfull(self) -> int:
        """How much of the table is in use, per mille."""
        return 1000 * len(self._table) // self._table_size

    def expected(self, position: Position, most: int) -> tuple[Any, ...]:
        """The line that is expected from a child of the root on."""
        line: list[Any] = []
        entry = self._table.get((position, 1))
        while entry is not None and entry[3] is not None and len(line) < most:
            line.append(entry[3])
            position = position.play_unchecked(entry[3])
            entry = self._table.get((position, len(line) + 1))
        return tuple(line)

    def count(self, ply: int) -> None:
        """Count a position, or Ended."""
        if self._stop.is_due or self.nodes >= self._most_nodes:
            raise Ended
        self.nodes += 1
        self.seldepth = max(self.seldepth, ply)

    def scout(
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
        self.count(ply)
        value = self.known_value(position, ply)
        if value is not None:
            return value
        if depth <= 0:
            return self._calm(position, alpha, beta, ply, CAPTURE_DEPTH)
        key = (position, ply)
        entry = self._table.get(key) if not self._revisits else None
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
        if not self._revisits:
            self._remember(key, (depth, bound, value, turn))
        return value

    def _enter(self, position: Position, step: int) -> None:
        """Note that the search enters a position, or with -1 that it leaves it.

        On a path through a position from before the search the table is of no use: what was found
        there on other paths may be a draw here.
        """
        identity = position.identity
        if step > 0:
            self._path.add(identity)
        else:
            self._path.discard(identity)
        if self._before[identity]:
            self._revisits += step

    def known_value(self, position: Position, ply: int) -> int | None:
        """The value of a position that needs no search: the game is over, or is won at once."""
        outcome = position.outcome
        if outcome is not None:
            if outcome.winner is None:
                return 0
            return WIN - ply if outcome.winner == position.player else ply - WIN
        if self._rules.repetition is not None and self._is_repeated(position):
            return 0
        if next(iter(self._rules.wins(position.draft)), None) is not None:
            return WIN - ply - 1
        return None

    def _is_repeated(self, position: Position) -> bool:
        """Whether a position has stood twice before the search, or once in it.

        The second is too soon for the rules, but then no line that is rated as won returns to a
        position, and it stays won after other turns that lead there.
        """
        identity = position.identity
        return identity in self._path or self._before[identity] >= 2

    def _best(
        self, position: Position, depth: int, alpha: int, beta: int, ply: int, *, first: Any
    ) -> tuple[int, Any]:
        """The best value among a position's turns, and its turn."""
        best, best_turn = -WIN, None
        width = self._width(depth)
        for count, (turn, child) in enumerate(self._children(position, depth, ply, first), 1):
            floor = max(alpha, best)
            if count > TRUSTED and depth > 1 and not self._exhaustive:
                value = -self._search(child, depth - 2, -floor - 1, -floor, ply + 1)
            if count <= TRUSTED or depth == 1 or value > floor or self._exhaustive:
                value = -self.scout(child, floor, beta, depth - 1, ply + 1, is_wanted=count == 1)
            if value > best:
                best, best_turn = value, turn
            if best >= beta:
                self._history[turn] = self._history.get(turn, 0) + depth * depth
                break
            if best > -DECIDED and count >= width and not self._exhaustive:
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
        history = self._history
        yield from sorted(
            family[:width], key=lambda child: (child[0] != first, -history.get(child[0], 0))
        )
        yield from family[width:]
        if self._is_affordable(position, ply):
            known = {turn for turn, _ in family}
            for draft in self._rules.completions(position.draft, width):
                turn = draft.turn
                if turn not in known:
                    yield turn, draft.position

    def _family(self, position: Position, width: int) -> list[Child]:
        family = self._families.get(position)
        if family is None or len(family) < width:
            drafts = islice(self._rules.completions(position.draft, width), width)
            family = [(draft.turn, draft.position) for draft in drafts]
            if len(self._families) >= self._most_families:
                self._families.clear()
            self._families[position] = family
        return family

    def _width(self, depth: int) -> int:
        return WIDTHS[min(depth, len(WIDTHS) - 1)]

    def _is_affordable(self, position: Position, ply: int) -> bool:
        """Whether all turns of a position may be tried to prove it lost."""
        return self._exhaustive or len(position.legal_turns) <= max(
            PROOF_TURNS >> 2 * ply, WIDTHS[-1]
        )

    def _remember(self, key: tuple[Position, int], entry: tuple[int, int, int, Any]) -> None:
        if len(self._table) >= self._table_size:
            self._table.clear()
        self._table[key] = entry

    def _calm(self, position: Position, alpha: int, beta: int, ply: int, left: int) -> int:
        """The value of a position when only captures are played on."""
        best: int = self._rules.evaluate(position)
        if best >= beta or not left:
            return best
        for draft in self._rules.captures(position, CAPTURES):
            self.count(ply + 1)
            child = draft.position
            value = self.known_value(child, ply + 1)
            if value is None:
                value = self._calm(child, -beta, -max(alpha, best), ply + 1, left - 1)
            best = max(best, -value)
            if best >= beta:
                break
        return best
