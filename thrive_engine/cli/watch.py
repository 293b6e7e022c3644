"""A tournament as it is watched: plain lines, or events as JSON. Tables in text."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from math import ceil, floor
from typing import Any

import click

from thrive_engine.arena.event import Event
from thrive_engine.arena.rating import Estimate
from thrive_engine.arena.standing import Line, Standing, Summary

Watch = Callable[[Standing, Event], None]
_UNTOLD = ("record", "overhead")
"""What a game's event has in the journal, and is too long to be watched."""


def plain_watch() -> AbstractContextManager[Watch]:
    """A line a game, and a line for whatever goes wrong."""
    return nullcontext(_tell_plainly)


def json_watch() -> AbstractContextManager[Watch]:
    """A JSON object a line: the events of the journal, without the games' records."""
    return nullcontext(_tell_json)


def show_summary(summary: Summary, *, as_json: bool) -> None:
    """How a tournament stands, for people or as JSON."""
    if as_json:
        click.echo(json.dumps({"event": "standing", **asdict(summary)}))
        return
    for line in summary_lines(summary):
        click.echo(line)


def summary_lines(summary: Summary) -> Iterator[str]:
    """How a tournament stands, in lines of text."""
    yield from _table_lines(summary)
    if summary.words:
        yield summary.words
    if summary.test is not None:
        yield summary.test.words
    if summary.winner is not None:
        yield f"{summary.winner} has won the knockout"
    yield from state_lines(summary)


def state_lines(summary: Summary) -> Iterator[str]:
    """What is played and what is left, and what went wrong."""
    state = "complete" if summary.is_complete else f"{summary.planned} planned"
    rate = f", {summary.rate:.2f} a second" if summary.rate else ""
    left = "" if summary.seconds_left is None else f", {duration(summary.seconds_left)} left"
    yield f"{summary.played} games played, {state}{rate}{left}"
    if summary.endings:
        yield ", ".join(f"{word} {count}" for word, count in summary.endings.items())
    claims = [(line.player, *line.claims) for line in summary.table if any(line.claims)]
    if claims:
        told = (f"{player} {right} right, {wrong} wrong" for player, right, wrong in claims)
        yield f"announced wins: {'; '.join(told)}"
    if summary.replayed:
        yield f"{summary.replayed} games were lost with their workers, and given to others"


def table_cells(line: Line) -> tuple[str, ...]:
    """A player's line, cell by cell: points, games, wins, draws, losses, Elo, faults."""
    losses, draws, wins = line.results.counts
    numbers = (f"{line.points:g}", str(line.results.games), str(wins), str(draws), str(losses))
    return (*numbers, elo_text(line.elo) if line.results.games else "", str(line.faults))


HEADINGS = ("player", "points", "games", "won", "drawn", "lost", "Elo", "faults")


def elo_text(elo: Estimate) -> str:
    """An Elo difference with its error: ``+35 +- 20``, where it is open ``>= +250``, or ``?``."""
    if elo.tells_nothing:
        return "?"
    if elo.is_open:
        return f">= {floor(elo.low):+}" if elo.value > 0 else f"<= {ceil(elo.high):+}"
    return f"{elo.value:+.0f} +- {elo.margin:.0f}"


def duration(seconds: float) -> str:
    """A time for people: ``1:02:03`` or ``2:03``.

    >>> duration(3723)
    '1:02:03'
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _table_lines(summary: Summary) -> Iterator[str]:
    rows = [HEADINGS, *((line.player, *table_cells(line)) for line in summary.table)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        padded = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        yield "  ".join([name.ljust(widths[0]), *padded])


def _tell_plainly(standing: Standing, event: Event) -> None:
    if event["event"] == "game":
        for line in _game_lines(standing, event):
            click.echo(line)
    elif event["event"] == "lost":
        click.echo(f"game {event['number']}: lost with its worker: {event['reason']}")


def _game_lines(standing: Standing, event: dict[str, Any]) -> Iterator[str]:
    played, planned = len(standing.games), max(standing.tournament.planned, len(standing.games))
    yield (
        f"{played}/{planned}  game {event['number']}: {' - '.join(event['players'])} "
        f"{event['result']}, {event['termination']}, {event['turns']} turns"
    )
    for name, fault in event["faults"]:
        yield f"    {name}: {fault}"


def _tell_json(_: Standing, event: Event) -> None:
    click.echo(json.dumps({key: event[key] for key in event if key not in _UNTOLD}))
