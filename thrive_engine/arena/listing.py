"""The games of a report: which are listed, where their records are, and links to them."""

from collections.abc import Iterable, Mapping

from thrive_engine.arena.job import Played
from thrive_engine.arena.page import Html, element, joined, table
from thrive_engine.arena.plot import duration
from thrive_engine.arena.standing import Standing
from thrive_engine.arena.tally import has_broken_claim, played_out

MOST_GAMES = 400
"""So many games are listed."""
MOST_RECORDS = 800_000
"""So many characters of records are in the page."""


class Listing:
    """The games that are listed: all, or where they are too many, what is remarkable and the last.

    The records of as many of them as have room are in the page, what is remarkable first; the
    others are in the file of games, at a line that is told.
    """

    def __init__(
        self, standing: Standing, played: Mapping[int, Played], seats: tuple[str, ...], file: str
    ) -> None:
        games = [played[number] for number in standing.counted()]
        self._seats = seats
        self._file = file
        self._total = len(games)
        wanted = sorted(games, key=lambda game: (_rank(game), -game.number))
        wanted = wanted[:MOST_GAMES]
        self._listed = sorted(wanted, key=lambda game: game.number)
        self._embedded = _fitting(wanted)
        self._lines = _lines(played[number] for number in standing.recorded())
        numbers = {opening: at for at, opening in enumerate(standing.tournament.openings, start=1)}
        self._openings = {game.number: str(numbers.get(game.opening, "–")) for game in wanted}

    def link(self, number: int, text: str | None = None) -> Html:
        """A link to the record of a game, wherever it is."""
        shown = text or str(number)
        if number in self._embedded:
            return element("a", shown, href=f"#game-{number}")
        if number in self._lines:
            return element("a", shown, href=self._file, title=f"line {self._lines[number]}")
        return joined([shown])

    def games(self) -> Html:
        """The table of the games."""
        headings = ["Game", *self._seats, "Result", "Ended by", "Turns", "Opening"]
        headings += [f"{seat}’s time" for seat in self._seats]
        rows = [self._row(game) for game in self._listed]
        return joined([self._note(), table("Each number links to the record", headings, rows)])

    def records(self) -> Html:
        """The records that are in the page."""
        return joined(self._record(game) for game in self._listed if game.number in self._embedded)

    def _row(self, game: Played) -> list[str]:
        return [
            self.link(game.number),
            *game.players,
            game.result,
            game.termination,
            str(game.turns),
            self._openings[game.number],
            *map(duration, game.seconds),
        ]

    def _note(self) -> Html:
        everything = element("a", self._file, href=self._file)
        if len(self._listed) == self._total:
            return element("p", "All games are in ", everything, ".")
        note = (
            f"{len(self._listed)} of {self._total:,} games are listed: those with a fault, "
            "a broken announcement or a wrong adjudication, and then the last. All are in "
        )
        return element("p", note, everything, ".")

    def _record(self, game: Played) -> Html:
        line = self._lines.get(game.number)
        where = "" if line is None else f" ({self._file}, line {line})"
        what = f"Game {game.number}: {' – '.join(game.players)} {game.result}, {game.reason}{where}"
        text = element("pre", game.record, id=f"game-{game.number}")
        return element("details", element("summary", what), text)


def _rank(game: Played) -> int:
    """How soon somebody will want to see a game: less is sooner."""
    if game.faults or game.result == "*":
        return 0
    return 1 if has_broken_claim(game) or played_out([game]).wrong else 2


def _fitting(games: list[Played]) -> set[int]:
    """The games whose records have room together, the first ones before the others."""
    room, found = MOST_RECORDS, set()
    for game in games:
        if len(game.record) <= room:
            room -= len(game.record)
            found.add(game.number)
    return found


def _lines(games: Iterable[Played]) -> dict[int, int]:
    """At which line of the file of games each record begins."""
    lines, line = {}, 1
    for game in games:
        lines[game.number] = line
        line += game.record.count("\n") + 1
    return lines
