"""A tournament as it will be played: every choice made, and all of it in one file, config.json."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from thrive_engine.arena.job import Adjudication, Control, Player, Settings
from thrive_engine.arena.knockout import MOST_EXTRA, knockout
from thrive_engine.arena.schedule import (
    Format,
    Pairing,
    Points,
    gauntlet,
    match,
    planned_games,
    round_robin,
)
from thrive_engine.arena.sprt import Model, Sprt
from thrive_engine.arena.swiss import swiss
from thrive_engine.errors import ArenaError


@dataclass(frozen=True, slots=True)
class Tournament:
    """Who plays, from which openings, how often and under which limits."""

    event: str
    date: str
    format: Format
    players: tuple[Player, ...]
    openings: tuple[str, ...]
    pairs: int = 1
    rounds: int = 0
    """Of a Swiss tournament; 0 for any other."""
    concurrency: int = 1
    seed: int = 0
    game: str = "thrive"
    adjudication: Adjudication = field(default_factory=Adjudication)
    sandbox: str = "limits"
    memory: int = 4096
    deadline: float = 3600.0
    sprt: Sprt | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in the order of their seeds."""
        return tuple(player.name for player in self.players)

    @property
    def planned(self) -> int:
        """How many games it has; a knockout can have more, a test can have fewer."""
        return planned_games(self.format, len(self.players), self.pairs, self.rounds)

    @property
    def depends_on_results(self) -> bool:
        """Whether later pairings are known only when earlier ones are finished."""
        return self.format in (Format.SWISS, Format.KNOCKOUT)

    def pairings(self, results: Points) -> Iterator[Pairing]:
        """The pairings that are known so far."""
        if self.format is Format.SWISS:
            return swiss(self.names, self.rounds, results, self.pairs)
        if self.format is Format.KNOCKOUT:
            return knockout(self.names, results, self.pairs)
        kinds = {Format.MATCH: match, Format.GAUNTLET: gauntlet, Format.ROUND_ROBIN: round_robin}
        return kinds[self.format](self.names, self.pairs)

    def settings(self, logs: str | None = None) -> Settings:
        """What holds for each of its games."""
        return Settings(
            game=self.game,
            event=self.event,
            date=self.date,
            seed=self.seed,
            adjudication=self.adjudication,
            sandbox=self.sandbox,
            memory=self.memory,
            deadline=self.deadline,
            logs=logs,
        )


def openings_needed(kind: Format, players: int, pairs: int, rounds: int) -> int:
    """How many openings a tournament can use before it begins again with the first."""
    if kind is Format.SWISS:
        return rounds * pairs
    if kind is Format.KNOCKOUT:
        return (players - 1).bit_length() * (pairs + MOST_EXTRA)
    return pairs


def write_config(tournament: Tournament) -> str:
    """The text of config.json."""
    return json.dumps(asdict(tournament), indent=2, default=_plain) + "\n"


def read_config(text: str) -> Tournament:
    """The tournament of a config.json, equal to the one that was written, or ArenaError."""
    try:
        values = json.loads(text)
        return _tournament(values)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"no key {error}" if isinstance(error, KeyError) else str(error)
        raise ArenaError(f"this is no tournament: {reason}") from None


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{value!r} is no part of a tournament")


def _tournament(values: dict[str, Any]) -> Tournament:
    parts: dict[str, Callable[[Any], Any]] = {
        "format": Format,
        "players": lambda players: tuple(map(_player, players)),
        "openings": tuple,
        "adjudication": lambda given: Adjudication(**given),
        "sprt": _sprt,
    }
    return Tournament(
        **{key: parts[key](value) if key in parts else value for key, value in values.items()}
    )


def _player(values: Mapping[str, Any]) -> Player:
    return Player(
        values["name"],
        tuple(values["command"]),
        Control(**values["control"]),
        tuple((name, text) for name, text in values["options"]),
        values["ponder"],
        values["cwd"],
    )


def _sprt(values: Mapping[str, Any] | None) -> Sprt | None:
    return None if values is None else Sprt(**{**values, "model": Model(values["model"])})
