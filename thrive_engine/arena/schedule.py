"""Who plays whom: formats whose pairings are known from the beginning, and how long each takes.

The unit is a Pairing: two games from the same opening, with colours swapped. Pairings are numbered
from 0, and a number always means the same pairing, so a tournament can be resumed by leaving out
the numbers that are finished. All players play the same openings: every meeting's first pair is
from opening 0, and so on. Swiss and knockout, which depend on results, are in their own modules.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from thrive_engine.errors import ArenaError

Points: TypeAlias = Mapping[int, float]
"""For each finished pairing, the points (0 to 2) of its first player."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two games from one opening: in the first the first player has the first seat."""

    number: int
    players: tuple[str, str]
    opening: int

    @property
    def games(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The players in the order of seats, for each of the two games."""
        return self.players, self.players[::-1]


class Format(Enum):
    """The kinds of tournament."""

    MATCH = "match"
    GAUNTLET = "gauntlet"
    ROUND_ROBIN = "round robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"


def match(players: Sequence[str], pairs: int) -> Iterator[Pairing]:
    """Two players, some pairs of games."""
    check_players(players)
    if len(players) != 2:
        raise ArenaError(f"a match has two players, not {len(players)}")
    return round_robin(players, pairs)


def gauntlet(players: Sequence[str], pairs: int) -> Iterator[Pairing]:
    """The first player against each of the others, in turn, until all have their pairs."""
    check_players(players)
    meetings = [(players[0], other) for other in players[1:]]
    return _cycles(meetings, pairs)


def round_robin(players: Sequence[str], pairs: int) -> Iterator[Pairing]:
    """Everyone against everyone, in the order of Berger's tables, until all have their pairs."""
    check_players(players)
    meetings = [
        (players[one], players[two]) for round_ in berger(len(players)) for one, two in round_
    ]
    return _cycles(meetings, pairs)


def berger(players: int) -> list[list[tuple[int, int]]]:
    """Berger's tables (FIDE Handbook C.05, annex 1), players counted from 0.

    With an odd number, whoever would meet the last player of the next even table rests.
    """
    last = players + players % 2 - 1
    rounds = []
    for number in range(last):
        lead = number * (last + 1) // 2 % last
        table = [(last, lead) if number % 2 else (lead, last)]
        table += [((lead + k) % last, (lead - k) % last) for k in range(1, (last + 1) // 2)]
        rounds.append([pair for pair in table if max(pair) < players])
    return rounds


def planned_games(kind: Format, players: int, pairs: int, rounds: int = 0) -> int:
    """How many games a tournament has. Of a knockout it is the least: ties need more."""
    meetings = {
        Format.MATCH: 1,
        Format.GAUNTLET: players - 1,
        Format.ROUND_ROBIN: players * (players - 1) // 2,
        Format.SWISS: rounds * (players // 2),
        Format.KNOCKOUT: players - 1,
    }
    return 2 * pairs * meetings[kind]


def check_players(players: Sequence[str]) -> None:
    """ArenaError unless there are two players or more, each with a name of its own."""
    if len(players) < 2:
        raise ArenaError(f"a tournament needs two players or more, not {len(players)}")
    for number, player in enumerate(players):
        if player in players[:number]:
            raise ArenaError(f"two players have the name {player!a}")


def _cycles(meetings: Sequence[tuple[str, str]], pairs: int) -> Iterator[Pairing]:
    for opening in range(pairs):
        for at, players in enumerate(meetings):
            yield Pairing(opening * len(meetings) + at, players, opening)
