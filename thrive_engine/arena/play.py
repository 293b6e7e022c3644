"""One game between engines, with a referee who believes none of them.

Every turn and every result is judged by the rules. An engine that fails loses the game; what it did
is told in one of a fixed set of words (job.Ending, or the rules' own), and in a sentence.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from thrive_engine.arena.job import Ending, Job, Played, Player
from thrive_engine.arena.sandbox import confine, limits
from thrive_engine.client import Answer, Engine, Timeouts
from thrive_engine.errors import EngineError, Fault, ProtocolError, TextError, shorten
from thrive_engine.game import Game
from thrive_engine.games import GAMES
from thrive_engine.lines import NO_TURN
from thrive_engine.record import Eval, Record
from thrive_engine.search.base import Score

_ENDINGS = {
    Fault.START: Ending.CRASH,
    Fault.EXITED: Ending.CRASH,
    Fault.CRASHED: Ending.CRASH,
    Fault.HANDSHAKE: Ending.STALL,
    Fault.NOT_READY: Ending.STALL,
    Fault.STALLED: Ending.STALL,
    Fault.LATE: Ending.TIME,
}
"""All other faults are against the protocol."""
_LOST = Score(mate=0)
_running: set[tuple[asyncio.AbstractEventLoop, "asyncio.Task[_Verdict]"]] = set()
"""The games that this process is playing, without those whose engines are being ended."""


def play_game(job: Job) -> Played:
    """Play a game to its end, in this thread. It raises nothing that an engine can cause.

    Only ``stop_games`` ends it early, by CancelledError.
    """
    return asyncio.run(_Referee(job).play())


def stop_games() -> None:
    """End the games that this process is playing, from any thread, and their engines."""
    for loop, task in tuple(_running):
        with suppress(RuntimeError):  # the game has just ended, and its loop is closed
            loop.call_soon_threadsafe(task.cancel)


def abandoned(job: Job, reason: str) -> Played:
    """A game that could not be played at all."""
    return _Referee(job).abandon(reason)


@dataclass(slots=True)
class _Seat:
    """A player at the board: its engine, its clock, what it said."""

    player: Player
    engine: Engine | None = None
    clock: float = 0.0
    played: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    scores: list[Score | None] = field(default_factory=list)


@dataclass(slots=True)
class _Verdict:
    """How a game ended: the winner's seat, or None for a draw or for nobody."""

    winner: int | None
    termination: str
    reason: str
    is_drawn: bool = False


class _Referee:
    """Leads one game."""

    def __init__(self, job: Job) -> None:
        self._job = job
        rules = GAMES[job.settings.game]
        self._rules = rules
        self._game = Game(rules.parse_position(job.opening), rules)
        self._seats = [_Seat(player, clock=player.control.time or 0.0) for player in job.players]
        self._record = Record(self._game.position, _tags(job), rules)
        self._node = self._record.root
        self._overhead: list[float] = []
        self._claims: list[tuple[int, int]] = []
        self._faults: list[tuple[str, str]] = []
        self._foretold: str | None = None
        chance = Random(f"{job.settings.seed} {job.number}").random()  # noqa: S311 not a secret
        self._plays_out = chance < job.settings.adjudication.played_out

    async def play(self) -> Played:
        async with AsyncExitStack() as stack:
            # Only this task is ever cancelled: the engines are ended in peace.
            task = asyncio.create_task(self._lead(stack))
            game = (asyncio.get_running_loop(), task)
            _running.add(game)
            try:
                verdict = await task
            finally:
                _running.discard(game)
        return self._played(verdict)

    async def _lead(self, stack: AsyncExitStack) -> _Verdict:
        seconds = self._job.settings.deadline
        try:
            async with asyncio.timeout(seconds):
                return await self._seat_all(stack) or await self._play_turns()
        except TimeoutError:
            reason = f"the game was not over after {seconds:g} s"
            return _Verdict(None, Ending.ABANDONED.value, reason)

    def abandon(self, reason: str) -> Played:
        return self._played(_Verdict(None, Ending.ABANDONED.value, reason))

    async def _seat_all(self, stack: AsyncExitStack) -> _Verdict | None:
        """Start the engines; a verdict where one of them can't be started."""
        async with asyncio.TaskGroup() as group:  # it waits for all, also when it is cancelled
            starts = [group.create_task(self._start(seat, stack)) for seat in self._seats]
        errors = [start.result() for start in starts]
        failed = [number for number, error in enumerate(errors) if error is not None]
        for number in failed:
            self._note(number, str(errors[number]))
        if not failed:
            return None
        if len(failed) == len(self._seats):
            return _Verdict(None, Ending.ABANDONED.value, "no engine could be started")
        error = errors[failed[0]]
        return self._lost(failed[0], _ending(error), str(error))

    async def _start(
        self, seat: _Seat, stack: AsyncExitStack
    ) -> EngineError | ProtocolError | None:
        player, settings = seat.player, self._job.settings
        timeouts = Timeouts(
            margin=player.control.margin, search=player.control.patience, stop=2.0, quit=0.5
        )
        try:
            seat.engine = await Engine.start(
                confine(player.command, settings.sandbox),
                timeouts=timeouts,
                cwd=player.cwd,
                resources=limits(settings.memory),
                log=_log(settings.logs, self._job.number, player.name),
            )
            stack.push_async_callback(seat.engine.close)
            if self._job.cpus:
                with suppress(OSError, AttributeError):
                    os.sched_setaffinity(seat.engine.pid, self._job.cpus)
            await seat.engine.configure(dict(_options(player, seat.engine)))
            await seat.engine.new_game()
        except (EngineError, ProtocolError) as error:
            return error
        return None

    async def _play_turns(self) -> _Verdict:
        before = perf_counter()
        while True:
            verdict = self._over() or self._adjudged()
            if verdict is not None:
                return verdict
            seat = self._game.position.player
            try:
                answer = await self._ask(seat)
            except EngineError as error:
                return self._lost(seat, _ending(error), str(error))
            now = perf_counter()
            self._overhead.append(max(0.0, now - before - answer.elapsed))
            before = now
            verdict = self._judge(seat, answer)
            if verdict is not None:
                return verdict

    async def _ask(self, number: int) -> Answer:
        seat = self._seats[number]
        control = seat.player.control
        clocks = tuple(max(0.0, each.clock) for each in self._seats)
        left = control.turns - seat.played % control.turns if control.turns else 0
        limit = control.limit(clocks, tuple(each.player.control for each in self._seats), left)
        assert seat.engine is not None
        start = None if self._game.start == self._rules.start else self._game.start
        return await seat.engine.play(start, self._game.turns, limit, ponder=seat.player.ponder)

    def _judge(self, number: int, answer: Answer) -> _Verdict | None:
        """Play the answer, or tell why it loses."""
        seat = self._seats[number]
        seat.seconds += answer.elapsed
        seat.slowest = max(seat.slowest, answer.elapsed)
        late = self._run_clock(seat, answer.elapsed)
        if late:
            return self._lost(number, Ending.TIME, late)
        try:
            if answer.turn == NO_TURN:
                raise ProtocolError(f"bestmove {NO_TURN}: it says that there is no turn")
            turn = self._rules.parse_turn(answer.turn, self._game.position)
        except (TextError, ProtocolError) as error:
            return self._lost(number, Ending.ILLEGAL, str(error))
        score = answer.info.score if answer.info else None
        seat.scores.append(score)
        seat.played += 1
        if score is not None and score.mate is not None and score.mate > 0:
            self._claims.append((number, len(self._game.turns) + 2 * score.mate - 1))
        self._game.play(turn)
        self._write(turn, number, score)
        return None

    def _run_clock(self, seat: _Seat, elapsed: float) -> str:
        """Take a turn's time off the clock; what is wrong with it, if anything."""
        control = seat.player.control
        for allowed in (control.movetime, seat.clock if control.time is not None else None):
            if allowed is not None and elapsed > allowed + control.margin:
                return f"took {elapsed:.3f} s, with {allowed:.3f} s left"
        if control.time is not None:
            seat.clock = max(0.0, seat.clock - elapsed) + control.increment
            if control.turns is not None and (seat.played + 1) % control.turns == 0:
                seat.clock += control.time
        return ""

    def _write(self, turn: Any, number: int, score: Score | None) -> None:
        seat = self._seats[number]
        self._node = self._node.add(turn)
        if score is not None:
            self._node.eval = _eval(score, number)
        if seat.player.control.time is not None:
            self._node.clk = round(seat.clock, 3)

    def _over(self) -> _Verdict | None:
        outcome = self._game.outcome
        if outcome is None:
            return None
        word = self._rules.termination(outcome)
        drawn = outcome.winner is None
        return _Verdict(outcome.winner, word, outcome.reason.value, is_drawn=drawn)

    def _adjudged(self) -> _Verdict | None:
        """The arena's own verdict, unless this game is one that is played out."""
        verdict = self._resigned() or self._drawn()
        if verdict is not None and self._plays_out:
            self._foretold = self._foretold or self._result(verdict)
            return None
        return verdict

    def _resigned(self) -> _Verdict | None:
        rule = self._job.settings.adjudication
        if rule.resign_score is None:
            return None
        for number, seat in enumerate(self._seats):
            last = seat.scores[-rule.resign_turns :]
            if len(last) == rule.resign_turns and all(
                _worth(score) <= -rule.resign_score for score in last
            ):
                reason = f"{self._name(number)} is lost by its own score"
                return self._lost(number, Ending.ADJUDICATION, reason, is_fault=False)
        return None

    def _drawn(self) -> _Verdict | None:
        rule, length = self._job.settings.adjudication, len(self._game.turns)
        word = Ending.ADJUDICATION.value
        if rule.length is not None and length >= rule.length:
            return _Verdict(None, word, f"{length} turns were played", is_drawn=True)
        if rule.draw_score is None or length < rule.draw_from:
            return None
        last = [score for seat in self._seats for score in seat.scores[-rule.draw_turns :]]
        if len(last) == rule.draw_turns * len(self._seats) and all(
            score is not None and abs(_worth(score)) <= rule.draw_score for score in last
        ):
            return _Verdict(None, word, "both sides say that it is even", is_drawn=True)
        return None

    def _lost(self, loser: int, ending: Ending, reason: str, *, is_fault: bool = True) -> _Verdict:
        if is_fault:
            self._note(loser, f"{ending.value}: {reason}")
        winner = 1 - loser if len(self._seats) == 2 else None
        return _Verdict(winner, ending.value, f"{self._name(loser)}: {shorten(reason, 300)}")

    def _note(self, number: int, what: str) -> None:
        self._faults.append((self._name(number), shorten(what, 300)))

    def _name(self, number: int) -> str:
        return self._seats[number].player.name

    def _result(self, verdict: _Verdict) -> str:
        if verdict.winner is not None:
            return "-".join(
                "1" if seat == verdict.winner else "0" for seat in range(len(self._seats))
            )
        return "1/2-1/2" if verdict.is_drawn else "*"

    def _played(self, verdict: _Verdict) -> Played:
        result = self._result(verdict)
        record, outcome = self._record, self._game.outcome
        record.tags["Result"] = result
        record.tags["Termination"] = verdict.termination
        if outcome is None:
            self._node.comments.append(shorten(verdict.reason, 300).replace("}", ")"))
        kept, broken = self._count_claims(verdict)
        return Played(
            self._job.number,
            tuple(seat.player.name for seat in self._seats),
            self._job.opening,
            result,
            verdict.termination,
            verdict.reason,
            len(self._game.turns),
            tuple(round(seat.seconds, 6) for seat in self._seats),
            tuple(round(seat.slowest, 6) for seat in self._seats),
            tuple(round(seconds, 6) for seconds in self._overhead),
            (kept, broken),
            self._foretold,
            tuple(self._faults),
            str(record),
        )

    def _count_claims(self, verdict: _Verdict) -> tuple[int, int]:
        """How many announced wins came true, and how many had not when they were due."""
        length, outcome = len(self._game.turns), self._game.outcome
        won = outcome.winner if outcome is not None else None
        kept = sum(won == seat and length <= due for seat, due in self._claims)
        over = outcome is not None
        broken = sum((length > due) or (over and won != seat) for seat, due in self._claims)
        return kept, broken


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


def _options(player: Player, engine: Engine) -> list[tuple[str, Any]]:
    declared = {name.lower(): option for name, option in engine.options.items()}
    settings: list[tuple[str, Any]] = []
    if player.ponder and "ponder" in declared:
        settings.append(("Ponder", True))
    for name, text in player.options:
        option = declared.get(name.lower())
        settings.append((name, text if option is None else option.read(text)))
    return settings


def _ending(error: EngineError | ProtocolError | None) -> Ending:
    fault = error.fault if isinstance(error, EngineError) else None
    return _ENDINGS.get(fault, Ending.PROTOCOL) if fault is not None else Ending.PROTOCOL


def _worth(score: Score | None) -> int:
    """A score as a number; one that was not given is even."""
    if score is None:
        return 0
    if score.mate is not None:
        return 100_000 if score.mate > 0 else -100_000
    return score.cp or 0


def _eval(score: Score, seat: int) -> Eval | None:
    """A score as records write it: for the first seat."""
    sign = -1 if seat else 1
    if score.mate is not None:
        return Eval(mate=sign * score.mate)
    return Eval(cp=sign * (score.cp or 0))


def _log(folder: str | None, game: int, name: str) -> Callable[[str, str], None] | None:
    if folder is None:
        return None
    path = Path(folder) / f"{game:06d}-{name}.log"
    marks = {"stdin": ">", "stdout": "<", "stderr": "!"}
    began = perf_counter()

    def write(stream: str, line: str) -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{perf_counter() - began:9.3f} {marks[stream]} {shorten(line, 2000)}\n")

    return write
