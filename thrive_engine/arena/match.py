"""A tournament being played: games go to an executor, results come back in any order.

A game has its number from the schedule, and the journal has every game once: whatever is
interrupted, and however, what is left to play follows from the journal.
"""

from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from time import monotonic, time

from thrive_engine.arena.event import Event, game_event
from thrive_engine.arena.job import Job, Played
from thrive_engine.arena.journal import Journal
from thrive_engine.arena.play import abandoned, play_game, stop_games
from thrive_engine.arena.standing import Standing, read_standing
from thrive_engine.arena.store import Store
from thrive_engine.errors import ArenaError, shorten

MOST_TRIES = 3
"""How often a game is given to a worker before it is abandoned."""
PATIENCE = 1.0
"""The seconds in which games that are stopped must end; engines die with us in any case."""

Tell = Callable[[Standing, Event], None]
"""Is told every event of the journal, after it was written."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Where games are played: threads or processes of this machine, or others."""

    executor: Executor
    width: int
    """How many games are given to the executor at a time."""
    play: Callable[[Job], Played] = play_game
    """What the executor is given to do."""
    stop: Callable[[], None] = stop_games
    """Stops the games that are being played, as far as a cancelled future does not."""
    cpus: tuple[tuple[int, ...], ...] = ()
    """The processors for each of the games at a time; any, where there are none."""
    is_local: bool = True
    """Whether engines' logs can be written in their place. Elsewhere they come with the game."""


class Match:
    """Plays what is left of a tournament."""

    def __init__(self, store: Store, workers: Workers, tell: Tell) -> None:
        self._store = store
        self._workers = workers
        self._tell = tell
        self._cpus = list(workers.cpus)
        self._logs = str(store.logs.absolute()) if workers.is_local else None
        self._flying: dict[Future[Played], Job] = {}
        self._done: SimpleQueue[Future[Played] | None] = SimpleQueue()
        self._again: deque[Job] = deque()
        self._tries: Counter[int] = Counter()
        self._has_played = False
        self._is_stopping = False

    def run(self) -> Standing:
        """Play until nothing is left, or until ``stop``; how the tournament then stands."""
        self._store.read()  # before a journal is made where there is no tournament
        with Journal(self._store.journal) as self._journal:
            self._standing = read_standing(self._store)
            self._store.write_games(self._standing.recorded())
            if not self._standing.is_complete:
                self._write({"event": "begin", "at": round(time(), 3)})
                self._play_all()
                self._store.write_games(self._standing.recorded())
        return self._standing

    def stop(self) -> None:
        """End soon, with every finished game kept; from any thread, or a signal's handler."""
        self._done.put(None)

    def _play_all(self) -> None:
        self._source = self._standing.missing()
        try:
            self._submit()
            while self._flying and not self._is_stopping:
                self._take(self._done.get())
                self._submit()
        finally:
            self._halt()

    def _submit(self) -> None:
        """Give the executor as many games as it can use."""
        while not self._is_stopping and len(self._flying) < self._workers.width:
            job = self._next_job()
            if job is None:
                return
            job = replace(job, cpus=self._cpus.pop() if self._cpus else ())
            self._tries[job.number] += 1
            try:
                future = self._workers.executor.submit(self._workers.play, job)
            except (BrokenExecutor, RuntimeError) as error:
                raise ArenaError(f"no game can be played any more: {shorten(str(error))}") from None
            self._flying[future] = job
            future.add_done_callback(self._done.put)

    def _next_job(self) -> Job | None:
        if self._again:
            return self._again.popleft()
        flying = {job.number for job in self._flying.values()}
        for number, pairing in self._source:
            if number not in flying:
                return self._standing.job(number, pairing, self._logs)
        return None

    def _take(self, future: Future[Played] | None) -> None:
        """Take a result, or the word to stop."""
        if future is None:
            self._is_stopping = True
            return
        job = self._flying.pop(future)
        if job.cpus:
            self._cpus.append(job.cpus)
        if future.cancelled():
            raise ArenaError("the executor has dropped the games that it was given")
        error = future.exception()
        if error is None:
            self._has_played = True
            self._record(future.result())
            return
        reason = shorten(f"{type(error).__name__}: {error}", 300)
        if self._tries[job.number] < MOST_TRIES:
            self._write({"event": "lost", "number": job.number, "reason": reason})
            self._again.append(job)
        elif not self._has_played:
            # Not this game is at fault but the workers, so none is given up for them.
            raise ArenaError(f"no worker can play: {reason}")
        else:
            self._record(abandoned(job, f"{MOST_TRIES} workers failed; the last: {reason}"))

    def _record(self, game: Played) -> None:
        """Keep a game; one that is there already came from a worker that was given up."""
        if game.number in self._standing.games:
            return
        del self._tries[game.number]
        self._write(game_event(game, time()))
        self._store.add_game(game)
        if self._standing.tournament.depends_on_results:
            self._source = self._standing.missing()
        if self._standing.decided is not None:
            self._is_stopping = True

    def _write(self, event: Event) -> None:
        self._journal.add(event)
        self._standing.add(event)
        self._tell(self._standing, event)

    def _halt(self) -> None:
        """Stop the games that are still being played; those that just ended are kept."""
        if not self._flying:
            return
        for future in list(self._flying):
            future.cancel()
        self._workers.stop()
        end = monotonic() + PATIENCE
        while self._flying and (left := end - monotonic()) > 0:
            try:
                future_or_none = self._done.get(timeout=left)
            except Empty:
                return
            if future_or_none is not None:
                self._keep_last(future_or_none)

    def _keep_last(self, future: Future[Played]) -> None:
        self._flying.pop(future)
        if not future.cancelled() and future.exception() is None:
            self._record(future.result())
