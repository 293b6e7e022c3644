"""A player at the board: its engine, its clock, and what it said."""

from asyncio import Task, create_task
from math import inf
from typing import Any

from thrive_engine.arena.clock import Clock
from thrive_engine.arena.job import Job, Player
from thrive_engine.arena.log import GameLog
from thrive_engine.arena.sandbox import confine, limits
from thrive_engine.client import Answer, Engine, Timeouts
from thrive_engine.errors import EngineError, Fault
from thrive_engine.search.base import Limit, Score

_STOP = 2.0
"""The seconds from ``stop`` to an answer, after which an engine that is late stalls."""
_QUIT = 0.5


class Seat:
    """One player in one game."""

    def __init__(self, job: Job, number: int) -> None:
        self.player: Player = job.players[number]
        self.clock = Clock(self.player.control)
        self.played = 0
        self.seconds = 0.0
        self.slowest = 0.0
        self.scores: list[Score | None] = []
        self._job = job
        self._number = number
        self._engine: Engine | None = None
        self._log: GameLog | None = None
        self._command: tuple[str, ...] = ()
        self._ponders = False
        self._pondering: Task[None] | None = None

    def prepare(self) -> None:
        """Find out how to start the engine; ArenaError where its sandbox can't be had."""
        settings, player = self._job.settings, self.player
        self._command = confine(player.command, settings.sandbox, player.cwd)
        if settings.logs is not None:
            self._log = GameLog(settings.logs, self._job.number, self._number, player.name)

    async def start(self) -> None:
        """Start the engine and make it ready for a game; EngineError or ProtocolError."""
        settings, player = self._job.settings, self.player
        self._engine = engine = await Engine.start(
            self._command,
            timeouts=_timeouts(player),
            cwd=player.cwd,
            resources=limits(settings.memory),
            cpus=self._job.cpus,
            log=self._log,
        )
        await engine.configure(dict(_options(player, engine)))
        await engine.new_game()
        self._ponders = player.ponder and "ponder" in _declared(engine)

    async def ask(self, start: Any, turns: tuple[str, ...], limit: Limit) -> Answer:
        """The engine's turn, or EngineError. It thinks on from its pondering, if that was right."""
        assert self._engine is not None
        if self._pondering is not None:
            pondering, self._pondering = self._pondering, None
            await pondering
        allowed = self.clock.allowed
        seconds = allowed if allowed < inf else None
        answer = await self._engine.play(start, turns, limit, seconds=seconds)
        self.seconds += answer.elapsed
        self.slowest = max(self.slowest, answer.elapsed)
        return answer

    def ponder(self, start: Any, turns: tuple[str, ...], limit: Limit) -> None:
        """Let the engine think while others do, if it can; the last turn is the expected one.

        Nobody waits for that. Whatever goes wrong is met when the engine's turn comes.
        """
        if self._ponders:
            self._pondering = create_task(self._ponder(start, turns, limit))

    async def close(self, *, gently: bool) -> None:
        """End the engine."""
        if self._engine is not None:
            await self._engine.close(gently=gently)
        if self._pondering is not None:
            await self._pondering
        if self._log is not None:
            self._log.close()

    @property
    def error(self) -> EngineError | None:
        """What went wrong with the engine, also while it was not its turn."""
        error = self._engine.error if self._engine is not None else None
        return None if error is None or error.fault is Fault.QUIT else error

    async def _ponder(self, start: Any, turns: tuple[str, ...], limit: Limit) -> None:
        assert self._engine is not None
        try:
            await self._engine.ponder(start, turns, limit)
        except EngineError:
            return  # the engine keeps it: the next call, or the end, meets the same error


def _timeouts(player: Player) -> Timeouts:
    patience = player.control.patience
    return Timeouts(
        handshake=patience,
        ready=patience,
        option=patience,
        search=patience,
        margin=player.control.margin,
        stop=_STOP,
        quit=_QUIT,
    )


def _declared(engine: Engine) -> dict[str, Any]:
    return {name.lower(): option for name, option in engine.options.items()}


def _options(player: Player, engine: Engine) -> list[tuple[str, Any]]:
    """The player's options as the engine reads them, or ProtocolError."""
    declared = _declared(engine)
    settings: list[tuple[str, Any]] = []
    if player.ponder and "ponder" in declared:
        settings.append(("Ponder", True))
    for name, text in player.options:
        option = declared.get(name.lower())
        settings.append((name, text if option is None else option.read(text)))
    return settings
