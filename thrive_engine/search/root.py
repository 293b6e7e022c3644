"""The root of the kernel's search: the turns of a position, tried ever deeper by one thread.

The turns come in three waves, each when those before it are not enough for the depth: the best
few after each movement, more of them, and every legal turn. So all are searched in the limit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from thrive_engine.search.base import Request, Stop, root_drafts
from thrive_engine.search.bridge import beginning_of, code_of

WIN = 30_000
DECIDED = 29_000
"""As in the kernel: a value beyond DECIDED is proven, in WIN less so many turns of both sides."""
HOPELESS = 10_000
"""Beyond this all turns that were tried lose, but others may not."""
FIRST_WAVE = 24
SECOND_WAVE = 66
"""The turns after each movement."""
ALL = 200
"""So few turns are all tried from the beginning."""
WIDTH = 12
WIDENING = 24
FAST_WIDENING = 1.3
SLOW_DEPTH = 12
"""The turns that are tried at depth 0, how many more at each depth, and by which factor later."""
ASPIRING_DEPTH = 4
MARGIN = 30
"""From this depth on, a value is looked for this near the last one first."""
SOME = 64
UNKNOWN = 1 - DECIDED
"""The turns that are brought at a time in the end, and their value before they are searched."""
GATHERING = 0.005
"""The seconds after which a search that must end gathers no more turns."""


@dataclass(slots=True, eq=False)
class RootTurn:
    """A turn, its value so far, and the turns that are expected after it."""

    code: int
    value: int
    line: tuple[int, ...] = ()

    @property
    def movement(self) -> int:
        return self.code >> 26

    @property
    def is_certain(self) -> bool:
        """Whether the turn is proven to win or to lose."""
        return abs(self.value) >= DECIDED


Line = tuple[int, tuple[int, ...]]
"""A value, and the turns that lead to it."""


class Root:
    """The turns of a position, best first, and the lines that one kernel search found for them."""

    def __init__(self, kernel: Any, request: Request) -> None:
        self.kernel = kernel
        self.request = request
        self.count = request.multipv
        self.beginnings = [beginning_of(draft) for draft in root_drafts(request)]
        self.turns: list[RootTurn] = []
        self.seen: set[int] = set()
        self.is_whole = False
        """Whether every legal turn is among the turns, or was proven to lose."""
        self.waves = self._waves()
        self.best: list[RootTurn] = []
        """The best turns of the iteration under way."""
        self.lines: list[Line] = []
        """The best lines of the newest iteration that has as many as are wanted."""

    @property
    def is_solved(self) -> bool:
        """Whether every legal turn is proven to win or to lose."""
        return self.is_whole and all(turn.is_certain for turn in self.turns)

    # The turns

    def gather(self, stop: Stop, certain: list[Line]) -> None:
        """Find the turns that are tried first, beginning with those whose value is certain."""
        for value, line in certain:
            self._add(RootTurn(line[0], value, line[1:]))
        for movement in self._movements():
            if self.turns and stop.elapsed > GATHERING and stop.is_due:
                break
            self._add_candidates(movement, FIRST_WAVE)
        if self._is_small():
            self._bring_more(ALL + 1)
        self._sort()
        for turn in self.turns[: self.count]:
            self._note(turn)
        self.lines = self._lines()

    def copy(self, kernel: Any) -> "Root":
        """The same turns for another thread's search."""
        other = Root(kernel, self.request)
        other.turns = [RootTurn(turn.code, turn.value) for turn in self.turns]
        other.seen = set(self.seen)
        return other

    def _movements(self) -> list[int]:
        allowed = {movement for movement, _ in self.beginnings}
        every: list[int] = self.kernel.movements_list()
        return [each for each in every if None in allowed or each in allowed]

    def _add_candidates(self, movement: int, width: int) -> None:
        for code, value in self.kernel.candidates(movement, width):
            self._add(RootTurn(code, value))

    def _add(self, turn: RootTurn) -> None:
        if turn.code not in self.seen and self._is_allowed(turn.code):
            self.seen.add(turn.code)
            self.turns.append(turn)

    def _is_allowed(self, code: int) -> bool:
        placed = code >> 13 & 8191, code & 8191
        return any(
            movement is None or (movement == code >> 26 and all(peg in placed for peg in pegs))
            for movement, pegs in self.beginnings
        )

    def _is_small(self) -> bool:
        """Whether there are so few turns that none need be left for later."""
        return sum(len(draft.turns) for draft in root_drafts(self.request)) <= ALL

    def _waves(self) -> Iterator[list[RootTurn]]:
        """The turns that come later, some at a time."""
        for movement in self._movements():
            yield [RootTurn(*each) for each in self.kernel.candidates(movement, SECOND_WAVE)]
        for draft in root_drafts(self.request):
            turns = iter(draft.turns)
            while some := [RootTurn(code_of(turn), UNKNOWN) for turn in islice(turns, SOME)]:
                yield some
        self.is_whole = True

    def _bring_more(self, wanted: int) -> bool:
        """Whether there are so many turns, after bringing them where need be."""
        while len(self.turns) < wanted and not self.is_whole:
            for turn in next(self.waves, ()):
                self._add(turn)
        return len(self.turns) >= wanted

    def _sort(self, end: int | None = None) -> None:
        """Order the turns up to an end; those of the best lines come first."""
        order = {turn.code: number for number, turn in enumerate(self.best)}
        front = sorted(
            self.turns[:end],
            key=lambda turn: (order.get(turn.code, len(order)), -turn.value),
        )
        if self.request.by_movement:
            front = _one_of_each_movement_first(front)
        self.turns[:end] = front

    # Their search

    def deepen(self, depth: int) -> Iterator[None]:
        """One iteration over the turns; it pauses whenever a line has changed."""
        self.best = []
        tried = 0
        width = max(_width(depth), self.count)
        while self._goes_on(tried, width) and self._bring_more(tried + 1):
            turn = self.turns[tried]
            floor = self._floor(turn)
            if not turn.is_certain:
                value = self._value(turn, depth, tried, floor)
                if self.kernel.is_over:
                    return
                turn.value = value
                turn.line = tuple(self.kernel.best_line()) if value > floor else ()
            tried += 1
            if turn.value > floor:
                self._note(turn)
                if len(self.best) == self._wanted():
                    self.lines = self._lines()
                    yield
        self.lines = self._lines()
        self._sort(tried)
        self._drop_lost(tried)

    def _goes_on(self, tried: int, width: int) -> bool:
        """Whether there is another turn to try: more than are usual where all seem to lose."""
        best = self.best[0].value if self.best else 0
        return tried < width or best <= -DECIDED or (best <= -HOPELESS and tried < 8 * width)

    def _drop_lost(self, tried: int) -> None:
        """Turns that are proven to lose are not searched again; the lines keep the best of them."""
        self.turns[self.count : tried] = [
            turn for turn in self.turns[self.count : tried] if turn.value > -DECIDED
        ]

    def _wanted(self) -> int:
        """How many lines there are to be."""
        there = len(self._movements()) if self.request.by_movement else len(self.turns)
        return min(self.count, there)

    def _floor(self, turn: RootTurn) -> int:
        """The value that a turn must exceed to be among the best."""
        if self.request.by_movement:
            for other in self.best:
                if other.movement == turn.movement:
                    return other.value
        return self.best[-1].value if len(self.best) == self.count else -WIN

    def _note(self, turn: RootTurn) -> None:
        """Put a turn among the best."""
        others = self.best
        if self.request.by_movement:
            others = [other for other in others if other.movement != turn.movement]
        self.best = sorted([*others, turn], key=_worst)[: self.count]

    def _lines(self) -> list[Line]:
        return [(turn.value, (turn.code, *turn.line)) for turn in self.best]

    def _value(self, turn: RootTurn, depth: int, number: int, floor: int) -> int:
        """The value of a turn, exact where it exceeds the floor."""
        if floor == -WIN:
            return self._aspire(turn, depth)
        less = _reduction(depth, number)
        value = self._try(turn, depth - less, floor, floor + 1)
        if value > floor and less:
            value = self._try(turn, depth, floor, floor + 1)
        return self._try(turn, depth, floor, WIN) if value > floor else value

    def _aspire(self, turn: RootTurn, depth: int) -> int:
        """The exact value of a turn, looked for near its last one."""
        margin = MARGIN
        low, high = -WIN, WIN
        if depth >= ASPIRING_DEPTH and abs(turn.value) < DECIDED:
            low, high = max(turn.value - margin, -WIN), min(turn.value + margin, WIN)
        while True:
            value = self._try(turn, depth, low, high)
            margin *= 4
            if value <= low > -WIN:
                low = max(value - margin, -WIN)
            elif value >= high < WIN:
                high = min(value + margin, WIN)
            else:
                return value

    def _try(self, turn: RootTurn, depth: int, low: int, high: int) -> int:
        """The value of a turn in a window; where the search was ended, one that changes nothing."""
        value: int = self.kernel.try_turn(turn.code, depth, low, high)
        return -WIN if self.kernel.is_over else value


def _worst(turn: RootTurn) -> int:
    return -turn.value


def _width(depth: int) -> int:
    """How many turns are tried at a depth."""
    width = WIDTH + WIDENING * min(depth, SLOW_DEPTH)
    return int(width * FAST_WIDENING ** max(depth - SLOW_DEPTH, 0))


def _reduction(depth: int, number: int) -> int:
    if depth < 3 or number < 6:
        return 0
    return 1 if number < 24 else 2


def _one_of_each_movement_first(turns: list[RootTurn]) -> list[RootTurn]:
    first: dict[int, RootTurn] = {}
    for turn in turns:
        first.setdefault(turn.movement, turn)
    return [*first.values(), *(turn for turn in turns if first[turn.movement] is not turn)]
