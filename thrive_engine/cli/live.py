"""A tournament on a terminal: a table that is drawn anew as games end."""

from threading import Lock
from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from thrive_engine.arena.event import Event
from thrive_engine.arena.standing import Standing, Summary
from thrive_engine.cli.watch import HEADINGS, state_lines, table_cells

_INTERVAL = 0.5
"""The seconds for which a table is shown before it is computed anew."""


class LiveTable:
    """The table. It is erased at the end; rich leaves colours out where NO_COLOR is set."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._standing: Standing | None = None
        self._shown: Group = Group()
        self._due = 0.0
        self._last = ""
        self._live = Live(
            console=Console(),
            get_renderable=self._render,
            refresh_per_second=4,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()

    def __call__(self, standing: Standing, event: Event) -> None:
        """Take an event; the table is computed here, in the thread that adds the games."""
        if event["event"] == "game":
            white, black = event["players"]
            self._last = (
                f"game {event['number']}: {white} - {black} {event['result']}, "
                f"{event['termination']}, {event['turns']} turns"
            )
        if monotonic() >= self._due or event["event"] != "game":
            shown = _draw(standing.summary(), self._last)
            with self._lock:
                self._shown = shown
            self._due = monotonic() + _INTERVAL

    def _render(self) -> Group:
        with self._lock:
            return self._shown


def _draw(summary: Summary, last: str) -> Group:
    table = Table(title=Text(summary.title) if summary.title != "?" else None, box=None)
    for number, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="right" if number else "left", style=_style(heading))
    for line in summary.table:
        table.add_row(Text(line.player), *map(Text, table_cells(line)))
    lines = [summary.test.words] if summary.test is not None else []
    lines += [*state_lines(summary), last]
    return Group(table, *(Text(line, style="dim") for line in lines if line))


def _style(heading: str) -> str:
    return {"player": "bold", "won": "green", "lost": "red", "faults": "yellow"}.get(heading, "")
