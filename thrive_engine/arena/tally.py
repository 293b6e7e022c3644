"""Counts over the games of a tournament: how they went, ended, and how long they took."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, count
from math import ceil
from typing import TypeVar

from thrive_engine.arena.job import Ending, Played
from thrive_engine.arena.rating import Results
from thrive_engine.arena.sprt import llr
from thrive_engine.arena.standing import Standing
from thrive_engine.arena.table import NONE, GameResult

MOST_POINTS = 240
"""A curve through more points looks the same."""
MOST_BINS = 40
_BY_ARENA = frozenset(each.value for each in Ending)
_WINNERS = {"1-0": 0, "0-1": 1}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TimeUse:
    """How long an engine took for its turns, in seconds."""

    player: str
    turns: int
    seconds: float
    slowest: float
    slowest_game: int
    averages: tuple[float, ...]
    """The average turn of each game, in order of length."""


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """The games that adjudication would have ended, and that the rules ended."""

    games: int
    wrong: tuple[Played, ...]
    """Those that the rules ended otherwise."""


def sampled(items: Sequence[T], most: int = MOST_POINTS) -> list[T]:
    """At most so many items, evenly spread, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[at * (len(items) - 1) // (most - 1)] for at in range(most)]


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value that a share of the others is less than or equal to; 0 where there is none."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else 0.0


def score_history(games: Sequence[GameResult], player: str) -> list[tuple[int, Results]]:
    """A player's results after some of the games, from the first one in which it played."""
    totals = enumerate(accumulate((_share(game, player) for game in games), _plus), start=1)
    known = sampled([(number, counts) for number, counts in totals if any(counts)])
    return [(number, Results(counts)) for number, counts in known]


def llr_history(standing: Standing) -> list[tuple[int, float]]:
    """The log-likelihood ratio after some numbers of games, pair by pair, as the test saw them."""
    test = standing.tournament.sprt
    if test is None:
        return []
    counts, history = [0] * 5, [NONE]
    for pairing in count():
        after = standing.decided is not None and pairing > standing.decided
        if after or pairing not in standing.results:
            break
        pair = (standing.games[2 * pairing + each] for each in (1, 2))
        if all(game.result != "*" for game in pair):
            counts[round(2 * standing.results[pairing])] += 1
            history.append(Results(tuple(counts)))
    return [(results.games, llr(test, results)) for results in sampled(history)]


def time_use(games: Iterable[Played], first_to_act: Callable[[str], int]) -> dict[str, TimeUse]:
    """Each engine's time; ``first_to_act`` gives the seat that has the first turn of an opening."""
    spent: defaultdict[str, list[tuple[float, int, float, int]]] = defaultdict(list)
    first = cache(first_to_act)
    for game in games:
        answers = len(game.overhead)
        for seat, player in enumerate(game.players):
            turns = (answers + (seat == first(game.opening))) // 2
            spent[player].append((game.slowest[seat], game.number, game.seconds[seat], turns))
    return {player: _time_use(player, rows) for player, rows in spent.items()}


def endings(games: Iterable[Played]) -> dict[str, Counter[int | str]]:
    """For each termination, the winners' seats, draws and games without a result ("*")."""
    table: defaultdict[str, Counter[int | str]] = defaultdict(Counter)
    for game in games:
        table[game.termination][_WINNERS.get(game.result, game.result)] += 1
    return dict(sorted(table.items(), key=lambda each: -each[1].total()))


def endings_of(games: Iterable[Played], player: str) -> dict[str, Results]:
    """A player's results for each termination."""
    table: dict[str, Results] = {}
    for game in games:
        if player in game.players and game.result != "*":
            found = _result(game, player)
            table[game.termination] = table.get(game.termination, NONE) + found
    return table


def played_out(games: Iterable[Played]) -> PlayedOut:
    """How often adjudication would have been wrong.

    A game that ended by a fault tells nothing about it.
    """
    told = [
        game for game in games if game.foretold is not None and game.termination not in _BY_ARENA
    ]
    return PlayedOut(len(told), tuple(game for game in told if game.foretold != game.result))


def has_broken_claim(game: Played) -> bool:
    """Whether an engine announced a win that did not come."""
    return any(wrong for _, wrong in game.claims)


def length_bins(lengths: Sequence[int]) -> list[tuple[int, int, int]]:
    """How often each length occurred: the first, the one after the last, the count."""
    if not lengths:
        return []
    low, high = min(lengths), max(lengths)
    width = ceil((high - low + 1) / MOST_BINS)
    counts = Counter((length - low) // width for length in lengths)
    return [
        (low + number * width, low + (number + 1) * width, counts[number])
        for number in range((high - low) // width + 1)
    ]


def _result(game: Played, player: str) -> Results:
    winner = _WINNERS.get(game.result)
    if winner is None:
        return Results.of_games(draws=1)
    is_won = game.players[winner] == player
    return Results.of_games(wins=int(is_won), losses=int(not is_won))


def _share(game: GameResult, player: str) -> tuple[int, ...]:
    if player not in game.players:
        return NONE.counts
    points = round(2 * game.score_of(player))
    return tuple(int(each == points) for each in range(3))


def _plus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _time_use(player: str, rows: Sequence[tuple[float, int, float, int]]) -> TimeUse:
    slowest, number = max((row[:2] for row in rows), key=lambda each: (each[0], -each[1]))
    averages = sorted(seconds / turns for *_, seconds, turns in rows if turns)
    return TimeUse(
        player,
        sum(row[3] for row in rows),
        sum(row[2] for row in rows),
        slowest,
        number,
        tuple(averages),
    )
