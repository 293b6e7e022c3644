"""The report on a tournament: one page of HTML that stands alone, computed from its directory."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from thrive_engine.arena import words
from thrive_engine.arena.job import Played
from thrive_engine.arena.listing import Listing
from thrive_engine.arena.page import Html, element, joined, page, section
from thrive_engine.arena.sections import Found, Section, sections
from thrive_engine.arena.standing import Standing, read_standing
from thrive_engine.arena.store import Store, replace_file
from thrive_engine.games import GAMES


def write_report(store: Store) -> Path:
    """Write the report on a tournament, whole or not at all; where it is."""
    standing = read_standing(store)
    games = {game.number: game for game in store.read_games(standing.games)}
    replace_file(store.report, [report(standing, games, store.games.name).encode()])
    return store.report


def report(standing: Standing, games: Mapping[int, Played], file: str) -> str:
    """The text of the report on these games, by number; their file is linked by its name."""
    seats = GAMES[standing.tournament.game].players
    found = Found(
        standing,
        standing.summary(),
        games,
        [games[number] for number in standing.counted()],
        standing.scores(),
        seats,
        Listing(standing, games, seats, file),
    )
    parts = list(sections(found))
    title = words.title_of(standing.tournament)
    return page(title, _head(found, parts), *(section(*each) for each in parts))


def _head(found: Found, parts: Iterable[Section]) -> Html:
    """When it was, what came of it, and where to find the rest."""
    tournament = found.standing.tournament
    state = f"{tournament.date.replace('.', '-')} · {words.state_of(found.summary)}"
    verdict = (element("p", line) for line in words.verdicts(tournament, found.summary))
    links = (element("a", heading, href=f"#{name}") for name, heading, _ in parts)
    return joined(
        [
            element("p", state, class_="quiet"),
            element("div", *verdict, class_="verdict"),
            element("nav", *links),
        ]
    )
