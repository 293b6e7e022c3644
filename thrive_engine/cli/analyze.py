"""``thrive analyze``: the best turns of positions, found by an engine."""

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

import click

from thrive_engine.cli import COMMANDS
from thrive_engine.cli.analysis import (
    Report,
    read_lines,
    report_json,
    report_table,
    report_text,
)
from thrive_engine.cli.board import draw_board
from thrive_engine.cli.engine import (
    BadAnswer,
    configure,
    engine_options,
    has_option,
    read_answer,
    start_engine,
)
from thrive_engine.cli.terminal import LiveView
from thrive_engine.cli.types import Misuse, read_position, read_seconds
from thrive_engine.client import Answer, SimpleEngine
from thrive_engine.errors import EngineError, RecordError
from thrive_engine.lines import OptionValue
from thrive_engine.record import Entry, read_positions
from thrive_engine.search.base import Info, Limit

DEFAULT_SECONDS = 1.0
STDIN = "-"

HELP = f"""{COMMANDS["analyze"]}

POSITION is a position's text, quoted or as its three words, or "startpos"; "-" reads a list of
positions from standard input. Without any position and file it is the start.

A list has one position a line, and may name best turns and turns to avoid, as in
"... w 12 bm a1a2+a2gi; am b1b2+b2gi;": then it is said whether the engine found them. A line that
can't be read is reported as FILE:LINE:COLUMN: REASON, and the rest goes on.

Of several limits the first one reached ends a search; without any it is {DEFAULT_SECONDS:g} second
a position. Scores are for the side to move: 1.00 is a piece's worth at the start, #2 a win in two
turns, #-2 a loss.

On a terminal the lines are shown while the search goes on. Ctrl-C ends it with the best so far.
The exit code is 1 if any position was not analysed to its end.
"""


@click.command("analyze", help=HELP)
@click.argument("words", metavar="[POSITION]...", nargs=-1)
@click.option(
    "--file", "-f", "files", multiple=True, metavar="FILE", help="A list of positions to analyse."
)
@click.option(
    "--time", "seconds", type=float, callback=read_seconds, metavar="SECONDS", help="For so long."
)
@click.option("--nodes", type=click.IntRange(1, 10**15), metavar="N", help="For so many nodes.")
@click.option("--depth", type=click.IntRange(1, 10**6), metavar="N", help="To this depth.")
@click.option("--multipv", type=click.IntRange(1), metavar="N", help="Show the N best turns.")
@engine_options
@click.option("--board", "draws", is_flag=True, help="Draw the best turn on the board.")
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object a position.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    words: tuple[str, ...],
    files: tuple[str, ...],
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    multipv: int | None,
    engine: str | None,
    settings: dict[str, OptionValue],
    draws: bool,
    is_json: bool,
) -> None:
    if draws and is_json:
        raise click.UsageError("--board draws, and --json must not: choose one of them.")
    if (seconds, nodes, depth) == (None, None, None):
        seconds = DEFAULT_SECONDS
    source = _Source(words, files)
    limit = Limit(movetime=seconds, nodes=nodes, depth=depth)
    with start_engine(engine) as started:
        if has_option(started, "UCI_AnalyseMode"):
            configure(started, {"UCI_AnalyseMode": True})
        configure(started, ({} if multipv is None else {"MultiPV": multipv}) | settings)
        analyst = _Analyst(started, limit, is_json=is_json, draws=draws)
        is_whole = analyst.analyse_all(source)
    ctx.exit(0 if is_whole and not source.errors else 1)


@dataclass(frozen=True, slots=True)
class _Item:
    """A position, and where it stands: a file and a line, or nothing for an argument."""

    entry: Entry
    place: str = ""


class _Source:
    """The positions of the arguments and of files; what can't be read is printed and counted."""

    def __init__(self, words: tuple[str, ...], files: tuple[str, ...]) -> None:
        self.errors = 0
        if not words and not files:
            words = ("startpos",)
        texts = _positions(words)
        self._arguments = [
            STDIN if text == STDIN else _Item(Entry(read_position(text))) for text in texts
        ]
        self._files = files
        if sys.stdin is None and STDIN in (*words, *files):
            raise Misuse("standard input is closed")

    def __iter__(self) -> Iterator[_Item]:
        for item in (*self._arguments, *self._files):
            if isinstance(item, _Item):
                yield item
            else:
                yield from self._open(item)

    def _open(self, file: str) -> Iterator[_Item]:
        name = "<stdin>" if file == STDIN else click.format_filename(file)
        try:
            with nullcontext(sys.stdin.buffer) if file == STDIN else open(file, "rb") as stream:
                yield from self._read(name, stream)
        except OSError as error:
            self._report(f"{name}: {error.strerror}")

    def _read(self, name: str, stream: BinaryIO) -> Iterator[_Item]:
        for line, entry in read_positions(stream):
            if isinstance(entry, RecordError):
                self._report(f"{name}:{line}:{entry.column}: {entry.reason}")
            else:
                yield _Item(entry, f"{name}:{line}: ")

    def _report(self, line: str) -> None:
        self.errors += 1
        click.echo(line, err=True)


def _positions(words: tuple[str, ...]) -> Iterator[str]:
    """The arguments, where the three words of a position that is not quoted are one again."""
    rest = iter(words)
    for word in rest:
        if word in (STDIN, "startpos") or " " in word:
            yield word
        else:
            yield " ".join([word, *islice(rest, 2)])


class _Analyst:
    """Has positions analysed by an engine, and prints what it finds."""

    def __init__(self, engine: SimpleEngine, limit: Limit, *, is_json: bool, draws: bool) -> None:
        self._engine = engine
        self._limit = limit
        self._is_json = is_json
        self._draws = draws
        self._is_interrupted = False
        self._printed = self._failed = self._expected = self._found = 0

    def analyse_all(self, source: _Source) -> bool:
        """Whether all went well and to its end."""
        for item in source:
            self._take(item)
            if self._is_interrupted:
                break
        if self._expected:
            empty = "" if self._is_json else "\n"
            click.echo(f"{empty}Found {self._found} of {self._expected}.", err=self._is_json)
        return not self._failed and not self._is_interrupted

    def _take(self, item: _Item) -> None:
        self._expected += bool(item.entry.bm or item.entry.am)
        try:
            report = self._analyse(item.entry)
        except EngineError as error:
            raise click.ClickException(f"{item.place}{error}") from None
        except BadAnswer as error:
            self._failed += 1
            click.echo(f"{item.place}{error.message}", err=True)
        else:
            self._found += report.found is True
            self._print(report)

    def _analyse(self, entry: Entry) -> Report:
        position = entry.position
        if position.outcome is not None:
            return Report(entry, None, ())
        answer = self._search(entry)
        best = read_answer(self._engine, answer.turn, position)
        return Report(entry, best, read_lines(answer.infos, position))

    def _search(self, entry: Entry) -> Answer:
        latest: dict[int, Info] = {}

        def render() -> list[str]:
            infos = [info for _, info in sorted(dict(latest).items())]
            return report_table(entry, read_lines(infos, entry.position))

        self._engine.new_game()
        with nullcontext() if self._is_json else LiveView(render):
            return self._watch(entry, latest)

    def _watch(self, entry: Entry, latest: dict[int, Info]) -> Answer:
        """Search, keep the latest info of each line, and end early when interrupted."""
        analysis = None
        try:
            analysis = self._engine.analyse(entry.position, (), self._limit)
            for info in analysis:
                if info.pv:
                    latest[info.multipv] = info
            return analysis.wait()
        except KeyboardInterrupt:
            # It may have come when the search was begun, and not yet in our hands.
            answer = self._engine.stop() if analysis is None else analysis.stop()
            if answer is None:
                raise
            self._is_interrupted = True
            return answer

    def _print(self, report: Report) -> None:
        if self._is_json:
            click.echo(json.dumps(report_json(report)))
            return
        if self._printed:
            click.echo()
        self._printed += 1
        if self._draws:
            click.echo(draw_board(report.entry.position, report.best))
        click.echo(report_text(report))
