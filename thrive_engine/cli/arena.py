"""``thrive arena``: engines compete, and what they did is kept in a directory."""

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from importlib import import_module
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click

from thrive_engine.arena.cluster import cluster_workers
from thrive_engine.arena.config import Tournament
from thrive_engine.arena.local import local_workers
from thrive_engine.arena.match import Match
from thrive_engine.arena.openings import generated, is_balanced
from thrive_engine.arena.replay import check_games
from thrive_engine.arena.setup import make_player, make_tournament, read_toml
from thrive_engine.arena.sprt import Sprt, forecast
from thrive_engine.arena.standing import Standing, read_standing
from thrive_engine.arena.store import Store
from thrive_engine.cli import COMMANDS
from thrive_engine.cli.files import write_file
from thrive_engine.cli.terminal import is_live
from thrive_engine.cli.types import Misuse
from thrive_engine.cli.watch import Watch, json_watch, plain_watch, show_summary
from thrive_engine.cli.words import EngineWords
from thrive_engine.client import SimpleEngine
from thrive_engine.errors import ArenaError
from thrive_engine.games import thrive

RUN = """Begin a tournament and play it.

TOML is a file with all that can be chosen; the options add to it, and go before it. Without a file,
two engines play a match and more a round robin.

An engine is described by words, up to the next option: cmd=COMMAND, or the name of a built-in one
(pvs, alphabeta, mcts, greedy, random) or the Elo of our own (500 to 2000); then name=NAME,
dir=FOLDER, option.NAME=VALUE, and limits of its own: tc=, movetime=, nodes=, depth=, margin=,
ponder=.

\b
    thrive arena run --engine greedy --engine cmd=./mine name=mine option.Hash=64 --tc 10+0.1
"""
_FORMATS = ("match", "gauntlet", "round-robin", "swiss", "knockout")
_LIMITS = ("tc", "movetime", "nodes", "depth")
DIRECTORY = click.Path(path_type=Path, file_okay=False)
FOUND = click.Path(path_type=Path, file_okay=False, exists=True)


@click.group("arena", help=COMMANDS["arena"])
def command() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@command.command("run", cls=EngineWords, help=RUN)
@click.argument(
    "toml", required=False, type=click.Path(path_type=Path, dir_okay=False, exists=True)
)
@click.option("--engine", "engines", multiple=True, metavar="WORD...", help="An engine; repeated.")
@click.option("-o", "--output", type=DIRECTORY, help="The tournament's directory; a new one.")
@click.option("--event", help="The tournament's name.")
@click.option("--format", type=click.Choice(_FORMATS), help="The kind of tournament.")
@click.option("--pairs", type=int, help="Pairs of games an encounter; 10 by default.")
@click.option("--rounds", type=int, help="The rounds of a Swiss tournament.")
@click.option("--tc", metavar="[TURNS/]SECONDS[+INC]", help="The clock of every engine.")
@click.option("--movetime", type=float, metavar="SECONDS", help="The time for each turn.")
@click.option("--nodes", type=int, help="The nodes for each turn.")
@click.option("--depth", type=int, help="The depth of each search.")
@click.option("--concurrency", type=int, help="Games at a time; 1 by default.")
@click.option("--openings", metavar="FILE", help="A list of positions, or records.")
@click.option("--shuffle", is_flag=True, help="Take the openings in an order made by the seed.")
@click.option("--seed", type=int, help="Decides all that is random; 0 by default.")
@click.option("--sprt", metavar="elo0=0,elo1=10[,...]", help="Stop as soon as this is decided.")
@click.option("--sandbox", help="limits (the default) or bwrap.")
@click.option("--cluster", metavar="ADDRESS", help="Play on this Dask cluster: tcp://host:8786.")
@click.option("--json", "as_json", is_flag=True, help="Print events, a JSON object a line.")
def run(
    toml: Path | None, output: Path | None, cluster: str | None, as_json: bool, **options: Any
) -> None:
    try:
        tournament = _tournament(toml, options)
    except ArenaError as error:
        raise Misuse(str(error)) from None
    store = Store(output or Path(f"arena-{datetime.now():%Y%m%d-%H%M%S}"))
    store.create(tournament)
    if not as_json:
        click.echo(f"{_count(tournament)}, in {store.directory}")
        if tournament.sprt is not None:
            click.echo(_expected(tournament.sprt))
    _play(store, tournament, cluster, options["concurrency"], as_json=as_json)


@command.command("resume")
@click.argument("directory", type=FOUND)
@click.option("--concurrency", type=click.IntRange(1), help="Games at a time; as before.")
@click.option("--cluster", metavar="ADDRESS", help="Play on this Dask cluster: tcp://host:8786.")
@click.option("--json", "as_json", is_flag=True, help="Print events, a JSON object a line.")
def resume(directory: Path, concurrency: int | None, cluster: str | None, as_json: bool) -> None:
    """Play what is left of a tournament."""
    store = Store(directory)
    _play(store, store.read(), cluster, concurrency, as_json=as_json)


@command.command("status")
@click.argument("directory", type=FOUND)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def status(directory: Path, as_json: bool) -> None:
    """Show how a tournament stands."""
    show_summary(read_standing(Store(directory)).summary(), as_json=as_json)


@command.command("replay")
@click.argument("directory", type=FOUND)
@click.argument("game", required=False, type=int)
def replay(directory: Path, game: int | None) -> None:
    """Play the recorded games again by the rules, and compare; with GAME, print that game."""
    store = Store(directory)
    standing = read_standing(store)
    if game is not None:
        if game not in standing.games:
            raise Misuse(f"{directory}: game {game} is not in it")
        click.echo(next(store.read_games([game])).record, nl=False)
        return
    wrong = list(check_games(store, standing))
    for line in wrong:
        click.echo(line)
    if wrong:
        raise click.ClickException(f"{directory}: the games are not what the journal says")
    click.echo(f"{len(standing.games)} games, all as the journal says")


@command.command("report")
@click.argument("directory", type=FOUND)
def report(directory: Path) -> None:
    """Write a page, report.html, with tables and plots."""
    write_report = import_module("thrive_engine.arena.report").write_report
    click.echo(write_report(Store(directory)))


@command.command("openings", cls=EngineWords)
@click.option("--count", type=click.IntRange(1), default=100, show_default=True)
@click.option("--plies", type=click.IntRange(0), default=4, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--balance", type=click.IntRange(0), metavar="CP", help="Only scores within this.")
@click.option("--engine", metavar="WORD...", help="Whose scores; else, those of a first glance.")
@click.option("-o", "--output", metavar="FILE", help="Where to; standard output by default.")
def openings(
    *,
    count: int,
    plies: int,
    seed: int,
    balance: int | None,
    engine: str | None,
    output: str | None,
) -> None:
    """Make openings by random play, no two of them symmetric, as a list of positions.

    With --balance, only those that an engine (as in "arena run", searching 1000 nodes unless it has
    other limits) scores within so many hundredths of a piece.
    """
    with _scores(engine) as score:
        accept = (lambda _: True) if balance is None else is_balanced(score, balance)
        found = islice(generated(thrive, plies, seed, accept=accept), count)
        text = "".join(f"{position}\n" for position in found)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_file(output, text)


def _tournament(toml: Path | None, options: dict[str, Any]) -> Tournament:
    """The tournament of a file with the options laid over it."""
    values = {} if toml is None else read_toml(toml)
    folder = Path() if toml is None else toml.parent
    if options["openings"] is not None:
        given = values.setdefault("openings", {})
        given["file"] = str(Path(options["openings"]).absolute())
    if options["shuffle"]:
        values.setdefault("openings", {})["order"] = "shuffled"
    for name in _LIMITS:
        if options[name] is not None:
            values.setdefault("limits", {})[name] = options[name]
    for name in ("event", "format", "pairs", "rounds", "concurrency", "seed", "sandbox"):
        if options[name] is not None:
            values[name] = options[name]
    if options["sprt"] is not None:
        values["sprt"] = _pairs(options["sprt"])
    engines = values.setdefault("engines", [])
    if isinstance(engines, list):
        engines += options["engines"]
    return make_tournament(values, folder)


def _pairs(text: str) -> dict[str, str]:
    found = {}
    for word in text.split(","):
        key, equals, value = word.partition("=")
        if not equals:
            raise ArenaError(f"sprt: {word!a} is not KEY=VALUE")
        found[key.strip()] = value.strip()
    return found


def _count(tournament: Tournament) -> str:
    kind = tournament.format.value
    most = "up to " if tournament.sprt is not None else ""
    return f"{kind} of {len(tournament.players)} engines, {most}{tournament.planned} games"


def _expected(test: Sprt) -> str:
    games = forecast(test)
    return (
        f"expected: {games.if_elo0} games if {test.elo0:g} {test.model.value} Elo is true, "
        f"{games.if_elo1} if {test.elo1:g} is, {games.longest} at worst in between"
    )


def _play(
    store: Store,
    tournament: Tournament,
    cluster: str | None,
    concurrency: int | None,
    *,
    as_json: bool,
) -> None:
    """Play what is left, and show how the tournament then stands."""
    caught: list[int] = []
    if cluster is None:
        place = local_workers(concurrency or tournament.concurrency)
    else:
        place = cluster_workers(cluster, concurrency)
    with place as workers:
        with _watch(as_json) as tell:
            match = Match(store, workers, tell)

            def stop(number: int, _: FrameType | None) -> None:
                if caught:
                    os._exit(128 + number)
                caught.append(number)
                match.stop()

            signal.signal(signal.SIGINT, stop)
            signal.signal(signal.SIGTERM, stop)
            standing = _run(match, store)
        show_summary(standing.summary(), as_json=as_json)
        if caught and not standing.is_complete:
            _leave(store, 128 + caught[0])


def _run(match: Match, store: Store) -> Standing:
    try:
        return match.run()
    except ArenaError as error:
        raise ArenaError(f"{error}; go on with: {_resume(store)}") from None


def _leave(store: Store, code: int) -> NoReturn:
    """End now: whatever still runs in a thread has nothing more to say, and engines die with us."""
    click.echo(f"stopped; go on with: {_resume(store)}", err=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _resume(store: Store) -> str:
    return f"thrive arena resume {shlex.quote(str(store.directory))}"


def _watch(as_json: bool) -> AbstractContextManager[Watch]:
    if as_json:
        return json_watch()
    if not is_live():
        return plain_watch()
    table: AbstractContextManager[Watch] = import_module("thrive_engine.cli.live").LiveTable()
    return table


@contextmanager
def _scores(words: str | None) -> Iterator[Any]:
    """What scores a position for the side to move: an engine, or a glance."""
    if words is None:
        yield thrive.evaluate
        return
    player = make_player(shlex.split(words), {"nodes": 1000}, Path())
    control = player.control
    clocks = (control.time or 0.0,) * len(thrive.players)
    limit = control.limit(clocks, (control,) * len(thrive.players), control.turns or 0)
    with SimpleEngine.start(player.command, cwd=player.cwd) as engine:
        declared = {name.lower(): option for name, option in engine.options.items()}
        engine.configure(
            {
                name: declared[name.lower()].read(text) if name.lower() in declared else text
                for name, text in player.options
            }
        )

        def score(position: thrive.Position) -> int:
            info = engine.play(position, (), limit).info
            found = info.score if info is not None else None
            if found is None:
                raise ArenaError(f"engine {player.name!a} gives no score")
            return found.cp if found.cp is not None else 100_000

        yield score
