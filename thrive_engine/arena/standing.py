"""How a tournament stands: everything that is shown of one, computed from its journal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from thrive_engine.arena import rating, sprt
from thrive_engine.arena.config import Tournament
from thrive_engine.arena.event import Event
from thrive_engine.arena.job import Job
from thrive_engine.arena.joint import joint_ratings
from thrive_engine.arena.journal import read_journal
from thrive_engine.arena.knockout import knockout_winner
from thrive_engine.arena.openings import opening_of
from thrive_engine.arena.rating import Estimate, Results
from thrive_engine.arena.schedule import Format, Pairing
from thrive_engine.arena.store import Store
from thrive_engine.arena.swiss import swiss_standings
from thrive_engine.arena.table import GameResult, Row, crosstable, game_results, pair_results
from thrive_engine.errors import ArenaError, quote

_SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """What the tables need of a game. All else is in the journal, and is read from there."""

    players: tuple[str, ...]
    opening: int
    result: str
    termination: str
    claims: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line of the table, best first."""

    player: str
    results: Results
    points: float
    """With a Swiss tournament's byes."""
    elo: Estimate
    """Against the opponent of a match, else relative to the average."""
    faults: int
    claims: tuple[int, int]
    """How many wins that it announced came true, and how many did not."""


@dataclass(frozen=True, slots=True)
class Test:
    """How a sequential test stands."""

    llr: float
    low: float
    high: float
    words: str


@dataclass(frozen=True, slots=True)
class Summary:
    """How a tournament stands, in numbers that can be shown."""

    title: str
    played: int
    planned: int
    is_complete: bool
    table: tuple[Line, ...]
    words: str
    test: Test | None
    winner: str | None
    abandoned: int
    replayed: int
    """Games that were lost with the worker that played them, and played again."""
    endings: Mapping[str, int]
    rate: float
    """Games a second, since the arena was last started."""
    seconds_left: float | None


class Standing:
    """A tournament and the games of its journal.

    A pair of a test counts only when all pairs before it are finished, and the test ends with the
    first pair at which it is decided. So neither the number of games at a time nor an interruption
    has an influence on it, and short games have no head start.
    """

    def __init__(self, tournament: Tournament, events: Iterable[Event] = ()) -> None:
        self.tournament = tournament
        self.games: dict[int, Entry] = {}
        """By number, in the order in which they were finished."""
        self.results: dict[int, float] = {}
        """For each finished pairing, the points of its first player; an abandoned game is half."""
        self.decided: int | None = None
        """The pairing that decided a test."""
        self._faults: Counter[str] = Counter()
        self._replayed = 0
        self._began = self._latest = 0.0
        self._session = 0
        self._counts = [0] * 5
        self._counted = 0
        self._openings = {text: number for number, text in enumerate(tournament.openings)}
        self._shared: dict[object, object] = {}
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        """Take an event of the journal, or ArenaError where it is of another tournament.

        A game that is there already is not taken again.
        """
        if event["event"] == "begin":
            self._began = self._latest = event["at"]
            self._session = 0
        elif event["event"] == "lost":
            self._replayed += 1
        elif event["event"] == "game" and event["number"] not in self.games:
            for name in event["players"]:
                if name not in self.tournament.names:
                    raise ArenaError(f"{quote(name)} does not play in this tournament")
            self._session += 1
            self._latest = event["at"]
            self._faults.update(name for name, _ in event["faults"])
            self._add_game(event["number"], self._entry(event))

    def missing(self) -> Iterator[tuple[int, Pairing]]:
        """The games that are known and not played yet, by number and pairing."""
        for pairing in self.tournament.pairings(self.results):
            if self.decided is not None:
                return
            for number in game_numbers(pairing):
                if number not in self.games:
                    yield number, pairing

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to play."""
        return next(self.missing(), None) is None

    def job(self, number: int, pairing: Pairing, logs: str | None) -> Job:
        """A game as it is to be played."""
        tournament, second = self.tournament, (number - 1) % 2
        players = {player.name: player for player in tournament.players}
        return Job(
            number,
            f"{pairing.number + 1}.{second + 1}",
            opening_of(tournament.openings, pairing.opening),
            tuple(players[name] for name in pairing.games[second]),
            tournament.settings(logs),
        )

    def counted(self) -> list[int]:
        """The numbers of the games that count, in order.

        Those that were finished after a test was decided do not.
        """
        last = None if self.decided is None else 2 * (self.decided + 1)
        return [number for number in sorted(self.games) if last is None or number <= last]

    def recorded(self) -> list[int]:
        """The file of games: as they come, and in the end those that count, in their order."""
        return self.counted() if self.is_complete else list(self.games)

    def scores(self) -> list[GameResult]:
        """The games that have a result, for tables and ratings."""
        return [
            GameResult(
                pairing_of(number),
                cast(tuple[str, str], game.players),
                _SCORES[game.result],
                game.opening,
            )
            for number in self.counted()
            if (game := self.games[number]).result in _SCORES
        ]

    def summary(self) -> Summary:
        """All that is shown."""
        games, scores = [self.games[number] for number in self.counted()], self.scores()
        rows = crosstable(scores, self.tournament.names)
        complete = self.is_complete
        rate = self._rate()
        return Summary(
            title=self.tournament.event,
            played=len(games),
            planned=max(self.tournament.planned, len(games)),
            is_complete=complete,
            table=tuple(self._lines(rows, scores, games)),
            words=self._words(scores),
            test=self._test(),
            winner=self._winner(),
            abandoned=len(games) - len(scores),
            replayed=self._replayed,
            endings=dict(Counter(game.termination for game in games).most_common()),
            rate=rate,
            seconds_left=self._left(len(games)) / rate if rate and not complete else None,
        )

    def _entry(self, event: Event) -> Entry:
        claims = tuple((right, wrong) for right, wrong in event["claims"])
        return Entry(
            self._share(tuple(map(self._share, event["players"]))),
            self._openings.get(event["opening"], 0),
            self._share(event["result"]),
            self._share(event["termination"]),
            self._share(claims),
        )

    def _share(self, value: T) -> T:
        """The one of equal values that is kept: thousands of games differ in little."""
        return cast(T, self._shared.setdefault(value, value))

    def _add_game(self, number: int, game: Entry) -> None:
        self.games[number] = game
        pairing = pairing_of(number)
        pair = [self.games.get(each) for each in (2 * pairing + 1, 2 * pairing + 2)]
        if pair[0] is not None and pair[1] is not None:
            first, second = (_SCORES.get(each.result, 0.5) for each in pair if each is not None)
            self.results[pairing] = first + 1 - second
            self._go_on_testing()

    def _go_on_testing(self) -> None:
        test = self.tournament.sprt
        while test is not None and self.decided is None and self._counted in self.results:
            if self._has_results(self._counted):
                self._counts[round(2 * self.results[self._counted])] += 1
                if sprt.verdict(test, self._tested) is not sprt.Verdict.CONTINUE:
                    self.decided = self._counted
            self._counted += 1

    def _has_results(self, pairing: int) -> bool:
        return all(self.games[2 * pairing + each].result in _SCORES for each in (1, 2))

    @property
    def _tested(self) -> Results:
        return Results(tuple(self._counts))

    def _lines(
        self, rows: list[Row], scores: list[GameResult], games: list[Entry]
    ) -> Iterator[Line]:
        elos = self._elos(rows, scores)
        points = {row.player: row.results.points for row in rows}
        order = [row.player for row in rows]
        if self.tournament.format is Format.SWISS:
            names, rounds = self.tournament.names, self.tournament.rounds
            standings = swiss_standings(names, rounds, self.results, self.tournament.pairs)
            points = {each.player: each.points for each in standings}
            order = [each.player for each in standings]
        results = {row.player: row.results for row in rows}
        claims = _claims(games)
        for player in order:
            yield Line(
                player,
                results[player],
                points[player],
                elos[player],
                self._faults[player],
                (claims[player, 0], claims[player, 1]),
            )

    def _elos(self, rows: list[Row], scores: list[GameResult]) -> dict[str, Estimate]:
        if len(rows) > 2:
            return {each.player: each.elo for each in joint_ratings(rows)}
        first, second = self.tournament.names
        results = self._best_known(scores)
        return {first: rating.elo(results), second: rating.elo(results.reversed())}

    def _best_known(self, scores: list[GameResult]) -> Results:
        """The first player's results of a match: in pairs, where these tell more."""
        first = self.tournament.names[0]
        return rating.best_known(game_results(scores, first), pair_results(scores, first))

    def _words(self, scores: list[GameResult]) -> str:
        names = self.tournament.names
        if len(names) > 2:
            return ""
        games, pairs = game_results(scores, names[0]), pair_results(scores, names[0])
        return f"{names[0]}: {rating.describe(games, pairs)}"

    def _test(self) -> Test | None:
        test = self.tournament.sprt
        if test is None:
            return None
        words = sprt.describe(test, self._tested)
        return Test(sprt.llr(test, self._tested), *test.bounds, words)

    def _winner(self) -> str | None:
        if self.tournament.format is not Format.KNOCKOUT:
            return None
        return knockout_winner(self.tournament.names, self.results, self.tournament.pairs)

    def _rate(self) -> float:
        elapsed = self._latest - self._began
        return self._session / elapsed if elapsed > 0 else 0.0

    def _left(self, played: int) -> int:
        left = max(0, self.tournament.planned - played)
        test = self.tournament.sprt
        return left if test is None else min(left, sprt.forecast(test, self._tested).likely)


def read_standing(store: Store) -> Standing:
    """How the tournament of a directory stands, or ArenaError."""
    standing = Standing(store.read())
    for line, event in enumerate(read_journal(store.journal), start=1):
        try:
            standing.add(event)
        except ArenaError as error:
            raise ArenaError(f"{store.journal}:{line}: {error}") from None
    return standing


def game_numbers(pairing: Pairing) -> tuple[int, int]:
    """The numbers of a pairing's two games. Games are counted from 1."""
    return 2 * pairing.number + 1, 2 * pairing.number + 2


def pairing_of(number: int) -> int:
    """The number of a game's pairing."""
    return (number - 1) // 2


def _claims(games: Iterable[Entry]) -> Counter[tuple[str, int]]:
    """For each player, how many announced wins came true (0), and how many did not (1)."""
    found: Counter[tuple[str, int]] = Counter()
    for game in games:
        for player, claims in zip(game.players, game.claims, strict=True):
            for kind, number in enumerate(claims):
                found[player, kind] += number
    return found
