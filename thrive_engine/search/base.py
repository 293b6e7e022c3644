"""What a search is asked, what it answers, and how it is told to end.

A searcher is a generator of Info: it prints nothing, knows no clock and no text, and polls Stop.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import exp
from threading import Condition, Thread
from time import perf_counter
from typing import Any, Protocol, runtime_checkable

from thrive_engine.games.base import Position, Rules


@dataclass(frozen=True, slots=True)
class Limit:
    """How long to search; of several limits the first one reached ends the search.

    Times are seconds. ``clocks`` and ``increments`` have an entry for each seat. ``turns`` are the
    only turns, or beginnings of turns, to be searched; all, where there are none.
    """

    movetime: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    clocks: tuple[float, ...] = ()
    increments: tuple[float, ...] = ()
    movestogo: int | None = None
    infinite: bool = False
    ponder: bool = False
    turns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """A score for the side to move: in hundredths of a piece, or a proven win in some turns.

    ``mate`` counts the winner's own turns; it is negative where the side to move loses, and 0
    where it has lost.
    """

    cp: int | None = None
    mate: int | None = None

    def __str__(self) -> str:
        return f"cp {self.cp}" if self.mate is None else f"mate {self.mate}"


@dataclass(frozen=True, slots=True)
class Info:
    """One snapshot of a search. ``pv`` is the line it would play: turns, or their texts."""

    depth: int = 0
    seldepth: int = 0
    multipv: int = 1
    score: Score | None = None
    bound: str = ""
    """Empty for an exact score, or ``lowerbound`` or ``upperbound``."""
    wdl: tuple[int, int, int] | None = None
    nodes: int = 0
    nps: int = 0
    hashfull: int = 0
    time: float = 0.0
    pv: tuple[Any, ...] = ()
    string: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a search; the times are in its Stop.

    ``history`` holds the identities of the positions before this one, for repetition. ``roots``
    are drafts: only turns that begin with one of them are searched; all, where there are none.
    ``multipv`` lines are shown, each with another turn; with ``by_movement``, where the searcher
    can do it, each with another first part of a turn.
    """

    rules: Rules
    position: Position
    history: tuple[Any, ...] = ()
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    multipv: int = 1
    by_movement: bool = False
    roots: tuple[Any, ...] = ()
    seed: int = 0
    hash_mb: int = 16
    threads: int = 1


class Stop:
    """Tells a search to end, when asked to or when its time has run out.

    A search polls it, or is halted from another thread; see ``halting``.
    """

    def __init__(self, soft: float | None = None, hard: float | None = None) -> None:
        self._asked = False
        self._halt: Callable[[], None] = lambda: None
        self._changed = Condition()
        self._start = perf_counter()
        self.allow(soft, hard)

    def allow(self, soft: float | None, hard: float | None) -> None:
        """Give the search this many seconds from now: to begin new work, and in all."""
        with self._changed:
            self._allowed = perf_counter()
            self._soft = soft
            self._hard = None if hard is None else self._allowed + hard
            self._changed.notify_all()

    def ask(self) -> None:
        """End the search as soon as it looks."""
        self._asked = True
        self._halt()
        with self._changed:
            self._changed.notify_all()

    @contextmanager
    def halting(self, halt: Callable[[], None]) -> Iterator[None]:
        """Call ``halt`` from another thread, within the context, once the search must end.

        It may be called more than once.
        """
        is_over = False
        self._halt = halt

        def watch() -> None:
            with self._changed:
                while not (is_over or self.is_due):
                    left = None if self._hard is None else self._hard - perf_counter()
                    self._changed.wait(left if left is None else max(left, 0.0))
            if not is_over:
                halt()

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            self._halt = lambda: None
            with self._changed:
                is_over = True
                self._changed.notify_all()
            watcher.join()

    @property
    def is_due(self) -> bool:
        """Whether the search must end now."""
        return self._asked or (self._hard is not None and perf_counter() >= self._hard)

    @property
    def is_late(self) -> bool:
        """Whether no new iteration should begin."""
        return self.is_late_by(1.0)

    def is_late_by(self, share: float) -> bool:
        """Like ``is_late``, for a search that needs this share of its time for new work."""
        if self.is_due or self._soft is None:
            return self.is_due
        return perf_counter() >= self._allowed + share * self._soft

    @property
    def elapsed(self) -> float:
        """The seconds since the search began."""
        return perf_counter() - self._start


WIN_SCALE = 150.0
"""The logistic curve through 2,376 scores of 120 games that the alpha-beta played against itself
with 400 nodes a turn, by greatest likelihood; none was drawn. A game's ``evaluate`` keeps to this
scale; a searcher with an evaluation of its own fills in ``Info.wdl`` by its own.
"""


class Searcher(Protocol):
    """Finds the best turn.

    It yields at least one Info whose ``pv`` begins with a legal turn, however soon it is stopped;
    the last one with ``multipv`` 1 is its answer. The game is not over in the position.
    """

    def search(self, request: Request, stop: Stop) -> Iterator[Info]: ...

    def forget(self) -> None:
        """Forget what was learned: a new game begins."""


@runtime_checkable
class Explainer(Protocol):
    """A searcher that has its own evaluation and can take it apart."""

    def explain(self, position: Any) -> list[tuple[str, tuple[int, ...]]]:
        """The features of the evaluation by name, each with its value for every seat.

        What the player of the position has of them, less what the others have, is the evaluation.
        """


def root_drafts(request: Request) -> tuple[Any, ...]:
    """The drafts that the turns to be searched begin with."""
    return request.roots or (request.position.draft,)


def root_turns(request: Request, width: int) -> Iterator[Any]:
    """The turns to be searched as whole drafts, each once: wins, then by promise, then the rest.

    Where there are several roots, each has its turn in turn.
    """
    rules, drafts = request.rules, root_drafts(request)
    waiting: list[Iterator[Any]] = [iter(rules.wins(draft)) for draft in drafts]
    waiting += [iter(rules.completions(draft, max(width // len(drafts), 2))) for draft in drafts]
    if len(drafts) == 1:
        found: Iterator[Any] = (draft for turns in waiting for draft in turns)
    else:
        found = _in_turn(waiting)
    seen: set[Any] = set()
    for draft in found:
        turn = draft.turn
        if turn not in seen:
            seen.add(turn)
            yield draft


def is_drawn(request: Request, position: Position) -> bool:
    """Whether a position reached from the root stands for the third time."""
    if request.rules.repetition is None:
        return False
    identity = position.identity
    before = request.history.count(identity) + (identity == request.position.identity)
    return before >= 2


def wdl(score: Score, scale: float = WIN_SCALE) -> tuple[int, int, int]:
    """How many of 1,000 games end so: won, drawn, lost by the side to move."""
    if score.mate is not None:
        return (1000, 0, 0) if score.mate > 0 else (0, 0, 1000)
    won = round(1000 * win_rate(score.cp or 0, scale))
    return won, 0, 1000 - won


def win_rate(cp: float, scale: float = WIN_SCALE) -> float:
    """The share of games won by the side to move at a score."""
    return 1 / (1 + exp(-max(-2000.0, min(2000.0, cp)) / scale))


def _in_turn(waiting: list[Iterator[Any]]) -> Iterator[Any]:
    while waiting:
        going = []
        for turns in waiting:
            for draft in islice(turns, 1):
                going.append(turns)
                yield draft
        waiting = going
