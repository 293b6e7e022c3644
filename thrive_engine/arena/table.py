"""Tables of a tournament, computed from its games: crosstable, by opening, by colour."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from thrive_engine.arena.rating import Results
from thrive_engine.errors import ArenaError

NONE = Results.of_games()
_RESULTS = {
    0: Results.of_games(losses=1),
    0.5: Results.of_games(draws=1),
    1: Results.of_games(wins=1),
}


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game: its pairing, its players in the order of seats, the first one's score."""

    pairing: int
    players: tuple[str, str]
    score: float
    opening: int = 0

    def __post_init__(self) -> None:
        if self.score not in (0, 0.5, 1) or self.players[0] == self.players[1]:
            raise ArenaError(
                f"game of {self.players[0]!a} and {self.players[1]!a} with score {self.score}: "
                "two players, and a score of 0, 0.5 or 1, are needed"
            )

    def score_of(self, player: str) -> float:
        """The score of one of the two players."""
        return self.score if self.players[0] == player else 1 - self.score


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line of the crosstable.

    ``sonneborn_berger`` breaks ties: for each opponent, the points won from it times the points
    a game that it has made in all.
    """

    player: str
    results: Results
    against: Mapping[str, Results]
    sonneborn_berger: float


def crosstable(games: Iterable[GameResult], players: Sequence[str] = ()) -> list[Row]:
    """The players, best first: by points, then Sonneborn-Berger, then in the order given.

    Players who have not played yet are listed where they are named.
    """
    against: dict[str, dict[str, Results]] = {player: {} for player in players}
    for game in games:
        for player, other in (game.players, game.players[::-1]):
            row = against.setdefault(player, {})
            row[other] = row.get(other, NONE) + _results(game.score_of(player))
    totals = {player: sum(row.values(), NONE) for player, row in against.items()}
    rows = [
        Row(
            player,
            totals[player],
            row,
            sum(results.points * totals[other].score for other, results in row.items()),
        )
        for player, row in against.items()
    ]
    return sorted(rows, key=lambda row: (-row.results.points, -row.sonneborn_berger))


def game_results(games: Iterable[GameResult], player: str, opponent: str | None = None) -> Results:
    """A player's wins, draws and losses, against all or one."""
    scores = (game.score_of(player) for game in games if _is_of(game, player, opponent))
    return sum(map(_results, scores), NONE)


def pair_results(games: Iterable[GameResult], player: str, opponent: str | None = None) -> Results:
    """A player's pentanomial, against all or one, of the pairs whose two games are finished."""
    pairs: defaultdict[int, list[float]] = defaultdict(list)
    for game in games:
        if _is_of(game, player, opponent):
            pairs[game.pairing].append(game.score_of(player))
    return Results.of_pairs(sum(scores) for scores in pairs.values() if len(scores) == 2)


def by_opening(games: Iterable[GameResult], player: str | None = None) -> dict[int, Results]:
    """For each opening, the results of a player, or of whoever had the first seat."""
    table: dict[int, Results] = {}
    for game in games:
        if player is None or player in game.players:
            score = game.score if player is None else game.score_of(player)
            table[game.opening] = table.get(game.opening, NONE) + _results(score)
    return dict(sorted(table.items()))


def by_seat(games: Iterable[GameResult], player: str) -> tuple[Results, Results]:
    """A player's results in the first seat and in the second: what colour was worth to it."""
    seats = [NONE, NONE]
    for game in games:
        if player in game.players:
            seats[game.players.index(player)] += _results(game.score_of(player))
    return seats[0], seats[1]


def first_seat(games: Iterable[GameResult]) -> Results:
    """The results of whoever had the first seat."""
    return sum((_results(game.score) for game in games), NONE)


def _results(score: float) -> Results:
    return _RESULTS[score]


def _is_of(game: GameResult, player: str, opponent: str | None) -> bool:
    return player in game.players and (opponent is None or opponent in game.players)
