"""One game between engines, with a referee who believes none of them.

Every turn and every result is judged by the rules. An engine that fails loses the game; what it did
is told in one of a fixed set of words (job.Ending, or the rules' own), and in a sentence.

- The rules come first: a turn that ends the game ends it, whatever happens afterwards.
- An engine that fails while it is not its turn (it dies, or says ``bestmove`` unasked) loses when
  its turn comes. If the other one fails before that, or at the same time, nobody has won: the game
  is abandoned. So it is if no engine can be started, or if the game's deadline has passed.
- A failure after the end is noted among the faults and changes nothing.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from math import inf
from random import Random
from time import perf_counter
from typing import Any

from thrive_engine.arena.adjudication import adjudge
from thrive_engine.arena.claim import Claim, count_claims
from thrive_engine.arena.job import Ending, Job, Played
from thrive_engine.arena.seat import Seat
from thrive_engine.arena.verdict import Verdict, ending_of, lost, one_line
from thrive_engine.client import Answer
from thrive_engine.errors import EngineError, ProtocolError, StoppedError, TextError
from thrive_engine.game import Game
from thrive_engine.games import GAMES
from thrive_engine.lines import NO_TURN
from thrive_engine.record import Eval, Record
from thrive_engine.search.base import Limit, Score

_GRACE = 0.05
"""The seconds in which a second engine fails at the same time as the first."""
_LOOK = 0.5
"""The seconds between two looks at whether a game is still wanted."""
_LARGEST_SCORE = 99_999_999
"""What a record can hold; no engine means more."""
_BRACKETS = str.maketrans("{}[]", "()()")
"""A record's comments have commands in brackets, and an engine gives none."""

_running: set[tuple[asyncio.AbstractEventLoop, asyncio.Task[Verdict]]] = set()
"""The games that this process is playing, without those whose engines are being ended."""


def play_game(job: Job, is_wanted: Callable[[], bool] | None = None) -> Played:
    """Play a game to its end, in this thread.

    It raises nothing that an engine can cause: StoppedError after ``stop_games``, or soon after
    ``is_wanted`` has said no, and ArenaError or TextError for a job that can't be played by anyone.
    """
    try:
        return asyncio.run(_Referee(job).play(is_wanted))
    except asyncio.CancelledError:
        raise StoppedError(f"game {job.number} was stopped") from None


def stop_games() -> None:
    """Stop every game that this process plays; from any thread. They end within a second."""
    for loop, task in _running.copy():
        _running.discard((loop, task))
        with suppress(RuntimeError):  # it has just ended by itself
            loop.call_soon_threadsafe(task.cancel)


def abandoned(job: Job, reason: str) -> Played:
    """A game that nobody could play."""
    return _Referee(job).close(Verdict(None, Ending.ABANDONED.value, one_line(reason)))


class _Referee:
    """Leads one game."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._rules = GAMES[job.settings.game]
        self._game = Game(self._rules.parse_position(job.opening), self._rules)
        self._seats = [Seat(job, number) for number in range(len(job.players))]
        self._texts: list[str] = []
        self._notes: list[tuple[Eval | None, float | None]] = []
        self._overhead: list[float] = []
        self._claims: list[Claim] = []
        self._faults: list[tuple[int, str]] = []
        self._foretold: str | None = None
        chance = Random(f"{job.settings.seed} {job.number}").random()  # noqa: S311 not a secret
        self._plays_out = chance < job.settings.adjudication.played_out

    async def play(self, is_wanted: Callable[[], bool] | None) -> Played:
        # Only this task is ever stopped: the engines are ended in peace.
        leading = asyncio.create_task(self._lead())
        running = (asyncio.get_running_loop(), leading)
        _running.add(running)
        watching = asyncio.create_task(_watch(leading, is_wanted)) if is_wanted else None
        verdict = None
        try:
            verdict = await leading
        finally:
            _running.discard(running)
            if watching is not None:
                watching.cancel()
            gently = verdict is not None and verdict.termination != Ending.ABANDONED.value
            await asyncio.gather(*(seat.close(gently=gently) for seat in self._seats))
        self._note_late_faults()
        return self.close(verdict)

    async def _lead(self) -> Verdict:
        deadline = self._job.settings.deadline
        try:
            async with asyncio.timeout(deadline):
                return await self._seat_all() or await self._play_turns()
        except TimeoutError:
            reason = f"the game was not over after {deadline:g} s"
            return Verdict(None, Ending.ABANDONED.value, reason)

    async def _seat_all(self) -> Verdict | None:
        """Start the engines; a verdict where one of them can't be started."""
        for seat in self._seats:
            seat.prepare()
        async with asyncio.TaskGroup() as group:  # it waits for all, also when it is cancelled
            starts = [group.create_task(_start(seat)) for seat in self._seats]
        errors = [start.result() for start in starts]
        verdicts = [self._fault(seat, error) for seat, error in enumerate(errors) if error]
        if len(verdicts) > 1:
            reason = "; ".join(self._about(verdict) for verdict in verdicts)
            return Verdict(None, Ending.ABANDONED.value, one_line(f"none could start: {reason}"))
        return verdicts[0] if verdicts else None

    async def _play_turns(self) -> Verdict:
        ready = perf_counter()
        while True:
            verdict = self._over() or self._adjudged()
            if verdict is not None:
                return verdict
            seat = self._game.position.player
            try:
                answer = await self._ask(seat)
            except EngineError as error:
                await asyncio.sleep(_GRACE)
                return self._failed(self._fault(seat, error))
            now = perf_counter()
            self._overhead.append(max(0.0, now - ready - answer.elapsed))
            ready = now
            verdict = self._judge(seat, answer)
            if verdict is not None:
                return self._failed(verdict)

    async def _ask(self, number: int) -> Answer:
        return await self._seats[number].ask(*self._history(), self._limit(number))

    def _history(self) -> tuple[Any, tuple[str, ...]]:
        start = None if self._game.start == self._rules.start else self._game.start
        return start, tuple(self._texts)

    def _limit(self, number: int) -> Limit:
        """What a seat is told of the time."""
        control = self._seats[number].player.control
        clocks = tuple(seat.clock.left for seat in self._seats)
        controls = tuple(seat.player.control for seat in self._seats)
        return control.limit(clocks, controls, self._seats[number].clock.turns_left or 0)

    def _judge(self, number: int, answer: Answer) -> Verdict | None:
        """Play the answer, or tell why it loses."""
        seat = self._seats[number]
        allowed = seat.clock.allowed
        if not seat.clock.spend(answer.elapsed):
            reason = f"took {answer.elapsed:.3f} s of {allowed:.3f} s that it had"
            return self._blame(number, Ending.TIME, reason)
        try:
            turn = self._read_turn(answer.turn)
        except (TextError, ProtocolError) as error:
            return self._blame(number, Ending.ILLEGAL, str(error))
        score = _exact_score(answer)
        if score is not None and score.mate is not None and score.mate > 0:
            self._claims.append(Claim(number, seat.played + score.mate))
        seat.scores.append(score)
        seat.played += 1
        self._game.play(turn)
        self._texts.append(str(turn))
        clock = round(seat.clock.left, 3) if seat.player.control.time is not None else None
        self._notes.append((_eval(score, number), clock))
        self._let_ponder(number, answer)
        return None

    def _read_turn(self, text: str) -> Any:
        if text == NO_TURN:
            raise ProtocolError(f"bestmove {NO_TURN}: it says that there is no turn")
        return self._rules.parse_turn(text, self._game.position)

    def _let_ponder(self, number: int, answer: Answer) -> None:
        """Let an engine think about the turn that it expects, if that is one."""
        if answer.ponder is None or self._game.outcome is not None:
            return
        with suppress(TextError):
            expected = self._rules.parse_turn(answer.ponder, self._game.position)
            if self._game.position.play_unchecked(expected).outcome is None:
                start, turns = self._history()
                self._seats[number].ponder(start, (*turns, str(expected)), self._limit(number))

    def _over(self) -> Verdict | None:
        outcome = self._game.outcome
        if outcome is None:
            return None
        word, reason = self._rules.termination(outcome), outcome.reason.value
        return Verdict(outcome.winner, word, reason, is_drawn=outcome.winner is None)

    def _adjudged(self) -> Verdict | None:
        """The arena's own verdict, unless this game is one that is played out."""
        scores = [seat.scores for seat in self._seats]
        verdict = adjudge(self._job.settings.adjudication, scores, len(self._game.turns))
        if verdict is not None and self._plays_out:
            self._foretold = self._foretold or verdict.result(len(self._seats))
            return None
        return verdict

    def _failed(self, verdict: Verdict) -> Verdict:
        """The verdict on an engine that failed in its turn, unless the other has failed too."""
        if not any(seat.error for at, seat in enumerate(self._seats) if at != verdict.loser):
            return verdict
        return Verdict(None, Ending.ABANDONED.value, f"both failed; {self._about(verdict)}")

    def _note_late_faults(self) -> None:
        """Note what engines did that was not met in the game."""
        noted = {number for number, _ in self._faults}
        for number, seat in enumerate(self._seats):
            if seat.error is not None and number not in noted:
                self._fault(number, seat.error)

    def _fault(self, number: int, error: EngineError | ProtocolError) -> Verdict:
        is_timed = self._seats[number].clock.allowed < inf
        reason = error.story if isinstance(error, EngineError) else str(error)
        return self._blame(number, ending_of(error, is_timed=is_timed), reason)

    def _blame(self, number: int, ending: Ending, reason: str) -> Verdict:
        verdict = lost(number, len(self._seats), ending, reason)
        self._faults.append((number, f"{ending.value}: {verdict.reason}"))
        return verdict

    def _about(self, verdict: Verdict) -> str:
        """The reason, with the name of whom it is about."""
        if verdict.loser is None:
            return verdict.reason
        return f"{self._seats[verdict.loser].player.name}: {verdict.reason}"

    def close(self, verdict: Verdict) -> Played:
        """The game as it is kept."""
        outcome = self._game.outcome
        result = verdict.result(len(self._seats))
        winner = None if outcome is None else outcome.winner
        played = tuple(seat.played for seat in self._seats)
        return Played(
            self._job.number,
            tuple(seat.player.name for seat in self._seats),
            self._job.opening,
            result,
            verdict.termination,
            self._about(verdict),
            len(self._game.turns),
            tuple(round(seat.seconds, 6) for seat in self._seats),
            tuple(round(seat.slowest, 6) for seat in self._seats),
            tuple(round(seconds, 6) for seconds in self._overhead),
            count_claims(self._claims, played, winner, is_over=outcome is not None),
            self._foretold if outcome is not None else None,
            tuple((self._seats[number].player.name, what) for number, what in self._faults),
            str(self._record(verdict, result)),
        )

    def _record(self, verdict: Verdict, result: str) -> Record:
        tags = {**_tags(self._job), "Termination": verdict.termination}
        record = Record.from_game(self._game, tags)
        record.result = result
        for node, (score, clock) in zip(record.mainline(), self._notes, strict=True):
            node.eval, node.clk = score, clock
        if self._game.outcome is None:
            record.end.comments.append(self._about(verdict).translate(_BRACKETS))
        return record


async def _watch(leading: asyncio.Task[Verdict], is_wanted: Callable[[], bool]) -> None:
    """Stop a game that nobody wants any more."""
    while is_wanted():
        await asyncio.sleep(_LOOK)
    leading.cancel()


async def _start(seat: Seat) -> EngineError | ProtocolError | None:
    try:
        await seat.start()
    except (EngineError, ProtocolError) as error:
        return error
    return None


def _tags(job: Job) -> dict[str, str]:
    settings, rules = job.settings, GAMES[job.settings.game]
    names = zip(rules.players, (player.name for player in job.players), strict=True)
    return {
        "Event": settings.event,
        "Site": "?",
        "Date": settings.date,
        "Round": job.round,
        **dict(names),
    }


def _exact_score(answer: Answer) -> Score | None:
    """What the engine says that its turn is worth; a bound is not that."""
    return answer.info.score if answer.info is not None and not answer.info.bound else None


def _eval(score: Score | None, seat: int) -> Eval | None:
    """A score as records write it: for the first seat."""
    number = None if score is None else score.cp if score.mate is None else score.mate
    if score is None or number is None or abs(number) > _LARGEST_SCORE:
        return None
    signed = -number if seat else number
    return Eval(cp=signed) if score.mate is None else Eval(mate=signed)
