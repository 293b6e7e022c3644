"""What an arena is told to play, and what it found: plain values that can travel and be kept."""

import re
from dataclasses import dataclass
from enum import Enum
from math import isfinite

from thrive_engine.errors import ArenaError, quote
from thrive_engine.search.base import Limit

_CLOCK = re.compile(r"(?:([1-9]\d*)/)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", re.ASCII)


class Ending(Enum):
    """How a game can end otherwise than by its rules."""

    TIME = "time"
    ILLEGAL = "illegal"
    CRASH = "crash"
    STALL = "stall"
    PROTOCOL = "protocol"
    ADJUDICATION = "adjudication"
    ABANDONED = "abandoned"


def _check_number(name: str, value: float | None, *, is_positive: bool = False) -> None:
    if value is None:
        return
    if not isfinite(value) or value < 0 or (is_positive and value == 0):
        least = "more than 0" if is_positive else "0 or more"
        raise ArenaError(f"{name} is {value}; it must be {least}")


@dataclass(frozen=True, slots=True)
class Control:
    """How long an engine may think. Times are seconds.

    ``time`` is on the clock, for ``turns`` turns or for the game, ``increment`` comes after each
    turn. An answer may come ``margin`` later than it should. Where no clock runs (to start, to be
    ready, to search to a depth or a number of nodes) an engine stalls after ``patience``.
    """

    time: float | None = None
    increment: float = 0.0
    turns: int | None = None
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: float = 0.05
    patience: float = 60.0

    def __post_init__(self) -> None:
        if (self.time, self.movetime, self.nodes, self.depth) == (None, None, None, None):
            raise ArenaError("an engine needs a limit: tc, movetime, nodes or depth")
        if self.time is None and (self.increment or self.turns is not None):
            raise ArenaError("an increment, or a number of turns, needs a time")
        for name in ("time", "turns", "movetime", "nodes", "depth", "patience"):
            _check_number(name, getattr(self, name), is_positive=True)
        for name in ("increment", "margin"):
            _check_number(name, getattr(self, name))

    def limit(self, clocks: tuple[float, ...], controls: tuple["Control", ...], left: int) -> Limit:
        """What an engine is told: all clocks, and its own limits.

        A clock that has run down to the margin is told as a millisecond: engines take 0 for none.
        """
        timed = self.time is not None
        return Limit(
            movetime=self.movetime,
            depth=self.depth,
            nodes=self.nodes,
            clocks=tuple(max(0.001, clock) for clock in clocks) if timed else (),
            increments=tuple(each.increment for each in controls) if timed else (),
            movestogo=left if timed and self.turns is not None else None,
        )


def parse_clock(text: str) -> dict[str, float | int]:
    """The ``time``, ``increment`` and ``turns`` of ``[turns/]seconds[+increment]``: 40/60+0.6."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ArenaError(f"time control {quote(text)}: it is [TURNS/]SECONDS[+INCREMENT]")
    turns, time, increment = match.groups()
    found: dict[str, float | int] = {"time": float(time), "increment": float(increment or 0)}
    return found | ({"turns": int(turns)} if turns else {})


@dataclass(frozen=True, slots=True)
class Player:
    """An engine as a tournament knows it."""

    name: str
    command: tuple[str, ...]
    control: Control
    options: tuple[tuple[str, str], ...] = ()
    ponder: bool = False
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When the arena ends a game early. Scores are hundredths.

    ``resign_turns`` and ``draw_turns`` are each engine's own, the other turns are those of all.
    A side resigns that says for ``resign_turns`` turns that it is ``resign_score`` behind. A game
    of at least ``draw_from`` turns is drawn in which all say for ``draw_turns`` turns that it is
    within ``draw_score``, and a game of ``length`` turns is drawn in any case. A share of the
    games, ``played_out``, goes on all the same, to see how often that would have been wrong.
    """

    resign_score: int | None = None
    resign_turns: int = 3
    draw_score: int | None = None
    draw_turns: int = 5
    draw_from: int = 40
    length: int | None = None
    played_out: float = 0.0

    def __post_init__(self) -> None:
        for name in ("resign_turns", "draw_turns", "length"):
            _check_number(name, getattr(self, name), is_positive=True)
        for name in ("resign_score", "draw_score", "draw_from"):
            _check_number(name, getattr(self, name))
        if not 0 <= self.played_out <= 1:
            raise ArenaError(f"played_out is {self.played_out}; it is a share, from 0 to 1")


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for every game of a tournament."""

    game: str = "thrive"
    event: str = "?"
    date: str = "????.??.??"
    seed: int = 0
    adjudication: Adjudication = Adjudication()
    sandbox: str = "limits"
    memory: int = 4096
    """Megabytes that an engine may use."""
    deadline: float = 3600.0
    """Seconds after which a game is abandoned."""
    logs: str | None = None
    """The folder for the engines' logs."""


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played: from an opening, the players in the order of their seats."""

    number: int
    round: str
    opening: str
    players: tuple[Player, ...]
    settings: Settings
    cpus: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """One game that was played. All of it can be written as JSON; all but the logs is."""

    number: int
    players: tuple[str, ...]
    opening: str
    result: str
    termination: str
    """A word of the game's rules, or the value of an Ending."""
    reason: str
    turns: int
    seconds: tuple[float, ...]
    """What each seat used in all."""
    slowest: tuple[float, ...]
    """The longest turn of each seat."""
    overhead: tuple[float, ...]
    """For each turn, the seconds that the arena itself took between two engines."""
    claims: tuple[tuple[int, int], ...]
    """For each seat, how many wins that it announced came true, and how many did not."""
    foretold: str | None
    """The result that adjudication would have given, where the game was played out to its end."""
    faults: tuple[tuple[str, str], ...]
    """What engines did wrong: whose it was, and what."""
    record: str
    logs: tuple[tuple[str, str], ...] = ()
    """The names and texts of the engines' logs, where they could not be written in their place."""
