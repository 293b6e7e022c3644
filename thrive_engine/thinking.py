"""One search under way: its infos, so few that nobody drowns, its time, and its answer."""

from collections.abc import Iterator
from dataclasses import replace
from threading import Event
from time import perf_counter
from typing import Any

from thrive_engine.errors import SearcherError
from thrive_engine.games.base import Outcome
from thrive_engine.search.base import Info, Limit, Request, Score, Searcher, Stop, wdl
from thrive_engine.search.clock import allot

WON = 30_000
"""The score of a game that the side to move has already won."""
INTERVAL = 0.05
"""The seconds between two lines of information."""


class Thinking:
    """One search under way: iterate for Info; afterwards ``turn`` and ``ponder`` are the answer.

    ``stop`` and ``ponderhit`` may come from another thread. With ``infinite`` or ``ponder`` the
    iteration does not end before one of them, even when all is known.
    """

    turn: Any | None = None
    ponder: Any | None = None

    def __init__(
        self,
        searcher: Searcher,
        request: Request,
        clock: "Clock",
        outcome: Outcome | None,
        *,
        known: tuple[Any, ...],
        shows_wdl: bool,
    ) -> None:
        self._searcher = searcher
        self._request = request
        self._clock = clock
        self._outcome = outcome
        self._known = known
        self._shows_wdl = shows_wdl

    @property
    def times(self) -> tuple[float | None, float | None]:
        """The seconds to begin new work in, and those to end in; None is without limit."""
        return self._clock.times

    def stop(self) -> None:
        """End the search; its answer follows at once."""
        self._clock.end()

    def ponderhit(self) -> None:
        """The expected turn was played: the player's own time runs from now on."""
        self._clock.hit()

    def __iter__(self) -> Iterator[Info]:
        if self._outcome is not None:
            yield Info(score=self._final_score())
        elif self._known:
            self.turn, self.ponder = (*self._known, None)[:2]
            yield Info(string=f"{self.turn} is in the book")
        else:
            yield from self._spaced(self._searched())
        self._clock.released.wait()

    def _final_score(self) -> Score:
        assert self._outcome is not None
        score = self._outcome.scores[self._request.position.player]
        if score == 0:
            return Score(mate=0)
        return Score(cp=WON if score == 1 else 0)

    def _searched(self) -> Iterator[Info]:
        """The searcher's infos; where it fails that is said, and its last answer stands."""
        try:
            for info in self._searcher.search(self._request, self._clock.signal):
                if info.pv and info.multipv == 1:
                    self.turn, self.ponder = (*info.pv, None)[:2]
                yield replace(info, wdl=self._wdl(info))
        except SearcherError as error:
            yield Info(string=str(error))
        if self.turn is None:
            self.turn = self._any_turn()

    def _wdl(self, info: Info) -> tuple[int, int, int] | None:
        if not self._shows_wdl or info.score is None:
            return None
        return info.wdl or wdl(info.score)

    def _any_turn(self) -> Any:
        roots = self._request.roots
        turns = roots[0].turns if roots else self._request.position.legal_turns
        return next(iter(turns))

    def _spaced(self, infos: Iterator[Info]) -> Iterator[Info]:
        """The infos, so few that nobody drowns: the newest of each line, now and then."""
        waiting: dict[int, Info] = {}
        due = 0.0
        for info in infos:
            if info.string:
                yield info
                continue
            waiting[info.multipv] = info
            complete = info.multipv == max(waiting)
            if complete and perf_counter() >= due:
                due = perf_counter() + INTERVAL * len(waiting)
                yield from _drained(waiting)
        yield from _drained(waiting)


class Clock:
    """When a search must end: the times of a limit, and a stop or a ponderhit from outside."""

    def __init__(self, limit: Limit, seat: int, overhead: float) -> None:
        self.times = allot(limit, seat, overhead)
        self.released = Event()
        """Set as soon as the search may be answered."""
        self._is_infinite = limit.infinite
        if limit.infinite or limit.ponder:
            self.signal = Stop()
        else:
            self.signal = Stop(*self.times)
            self.released.set()

    def end(self) -> None:
        self.signal.ask()
        self.released.set()

    def hit(self) -> None:
        if not self._is_infinite and not self.released.is_set():
            self.signal.allow(*self.times)
            self.released.set()


def _drained(waiting: dict[int, Info]) -> Iterator[Info]:
    for number in sorted(waiting):
        yield waiting.pop(number)
