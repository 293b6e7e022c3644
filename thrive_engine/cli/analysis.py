"""What an engine found in a position: as a table for people, and as JSON for programs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from thrive_engine.cli.engine import score_text
from thrive_engine.cli.terminal import coloured
from thrive_engine.errors import TextError, shorten
from thrive_engine.games import thrive
from thrive_engine.notation import parse_turn
from thrive_engine.record import Entry
from thrive_engine.search.base import Info

HEADING = "   score  depth      nodes      time  line"


@dataclass(frozen=True, slots=True)
class Line:
    """One of the lines of an engine, and its turns as far as they are legal.

    ``error`` says what is wrong with the first one that is not.
    """

    info: Info
    turns: tuple[thrive.Turn, ...]
    error: str = ""

    def __str__(self) -> str:
        info = self.info
        numbers = f"{score_text(info):>8}  {info.depth:>5}  {info.nodes:>9}  {info.time:>7.2f}s"
        words = [*map(str, self.turns), f"({self.error})" if self.error else ""]
        return f"{numbers}  {' '.join(words)}".rstrip()


@dataclass(frozen=True, slots=True)
class Report:
    """A position with what an engine found in it; nothing, where the game is over."""

    entry: Entry
    best: thrive.Turn | None
    lines: tuple[Line, ...]

    @property
    def found(self) -> bool | None:
        """Whether it is a turn that was expected (bm, am); None where nothing was."""
        entry = self.entry
        if not entry.bm and not entry.am:
            return None
        return (not entry.bm or self.best in entry.bm) and self.best not in entry.am


def read_lines(infos: Iterable[Info], position: thrive.Position) -> tuple[Line, ...]:
    """The lines of an engine, which is not trusted: only legal turns come through."""
    return tuple(_read_line(info, position) for info in infos)


def report_table(entry: Entry, lines: Iterable[Line]) -> list[str]:
    """The position and the lines found so far."""
    name = f" ({shorten(entry.id)})" if entry.id else ""
    rows = [str(line) for line in lines]
    return [f"Position: {entry.position}{name}", *([HEADING] if rows else []), *rows]


def report_text(report: Report) -> str:
    """All that was found, in a few lines."""
    outcome = report.entry.position.outcome
    last = f"The game is over: {outcome}" if outcome else f"Best turn: {_best_text(report)}"
    return "\n".join([*report_table(report.entry, report.lines), last])


def report_json(report: Report) -> dict[str, Any]:
    """All that was found, for one object of JSON."""
    entry, outcome = report.entry, report.entry.position.outcome
    found: dict[str, Any] = {"position": str(entry.position)}
    if entry.id:
        found["id"] = entry.id
    found["best"] = None if report.best is None else str(report.best)
    if outcome is not None:
        found["outcome"] = {"result": outcome.result, "reason": outcome.reason.value}
    if report.found is not None:
        found |= {"bm": [*map(str, entry.bm)], "am": [*map(str, entry.am)], "found": report.found}
    found["lines"] = [_line_json(line) for line in report.lines]
    return found


def _read_line(info: Info, position: thrive.Position) -> Line:
    turns: list[thrive.Turn] = []
    for text in info.pv:
        try:
            turns.append(parse_turn(text, position))
        except TextError as error:
            return Line(info, tuple(turns), str(error))
        position = position.play_unchecked(turns[-1])
    return Line(info, tuple(turns))


def _best_text(report: Report) -> str:
    best = coloured(str(report.best), "green")
    if report.found is None:
        return best
    if report.found:
        return f"{best}, as expected"
    wanted = [f"{' or '.join(map(str, report.entry.bm))}"] if report.entry.bm else []
    avoided = [f"not {' nor '.join(map(str, report.entry.am))}"] if report.entry.am else []
    return f"{best}; expected: {', '.join(wanted + avoided)}"


def _line_json(line: Line) -> dict[str, Any]:
    info = line.info
    found: dict[str, Any] = {"score": None}
    if info.score is not None:
        mate = info.score.mate
        found["score"] = {"cp": info.score.cp} if mate is None else {"mate": mate}
    if info.bound:
        found["bound"] = info.bound
    found |= {"depth": info.depth, "nodes": info.nodes, "time": info.time}
    found["pv"] = [*map(str, line.turns)]
    if line.error:
        found["error"] = line.error
    return found
