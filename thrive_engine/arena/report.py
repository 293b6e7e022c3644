"""The report on a tournament: one page of HTML that stands alone, computed from its directory."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from thrive_engine.arena import words
from thrive_engine.arena.journal import read_journal
from thrive_engine.arena.listing import Listing
from thrive_engine.arena.page import Html, element, joined, page, section
from thrive_engine.arena.sections import Found, Section, sections
from thrive_engine.arena.standing import Standing
from thrive_engine.arena.store import Store
from thrive_engine.games import GAMES

NAME = "report.html"


def write_report(directory: Path) -> Path:
    """Write the report on the tournament of a directory, whole or not at all; where it is."""
    store = Store(directory)
    tournament = store.read()
    events = read_journal(store.journal) if store.journal.exists() else []
    target = directory / NAME
    _replace(target, report(Standing(tournament, events), store.games.name).encode())
    return target


def report(standing: Standing, file: str) -> str:
    """The text of the report; the file of games is linked by its name."""
    seats = GAMES[standing.tournament.game].players
    listing = Listing(standing, seats, file)
    games, scores = standing.counted(), standing.scores()
    found = Found(standing, standing.summary(), games, scores, seats, listing)
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


def _replace(target: Path, data: bytes) -> None:
    part = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        part.write_bytes(data)
        part.replace(target)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise
