"""What a user writes, in options or in a TOML file, made into a Tournament.

A file's keys are those of ``make_tournament``; docs/arena.md lists them. Every mistake is one
ArenaError that names its key.
"""

import shlex
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import date
from itertools import islice
from math import ceil, log2
from pathlib import Path
from typing import Any

from thrive_engine.arena.config import Tournament, openings_needed
from thrive_engine.arena.job import Adjudication, Control, Player, parse_clock
from thrive_engine.arena.keys import Keys
from thrive_engine.arena.openings import generated, is_balanced, shuffled, usable
from thrive_engine.arena.sandbox import KINDS, confine
from thrive_engine.arena.schedule import Format
from thrive_engine.arena.sprt import Model, Sprt, forecast
from thrive_engine.errors import ArenaError, RecordError, quote
from thrive_engine.games import GAMES
from thrive_engine.games.base import Rules
from thrive_engine.record import read_positions, read_records
from thrive_engine.search import searcher_names
from thrive_engine.search.strength import ELO_MAX, ELO_MIN

OURS = (sys.executable, "-P", "-m", "thrive_engine")
"""The command of a built-in engine: that of this installation."""
PAIRS = 10
"""The pairs of an encounter, where none are asked for."""
PLIES = 4
"""The random turns of an opening, where none are asked for."""
MOST_GENERATED = 200
"""So many openings are generated where no number is asked for."""
LONGEST_NAME = 60
_LIMITS = ("tc", "movetime", "nodes", "depth", "margin", "patience", "ponder")
_FORMATS = tuple(kind.value.replace(" ", "-") for kind in Format)


def read_toml(path: Path) -> dict[str, Any]:
    """The keys of a tournament's file, or ArenaError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ArenaError(f"{path}: this is no TOML: {error}") from None


def read_engine(words: Iterable[str]) -> dict[str, Any]:
    """The keys of an engine from words: ``cmd=... name=... option.Hash=64``, or ``greedy``."""
    found: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            key, value = "builtin", word
        if key in found:
            raise ArenaError(f"engine: {quote(word)}: {key} is given twice")
        if key.startswith("option."):
            found.setdefault("options", {})[key.removeprefix("option.")] = value
        else:
            found[key] = value
    return found


def make_tournament(values: Mapping[str, Any], folder: Path, game: str = "thrive") -> Tournament:
    """The tournament of these keys; paths in them are relative to the folder."""
    rules, keys = GAMES[game], Keys(values)
    players = _read_players(keys, folder.absolute())
    kind = _read_format(keys, len(players))
    sprt = _read_sprt(keys, kind)
    pairs = keys.integer("pairs", PAIRS if sprt is None else forecast(sprt).longest)
    rounds = _read_rounds(keys, kind, len(players))
    seed = keys.integer("seed", 0, least=0)
    assert pairs is not None
    assert seed is not None
    needed = openings_needed(kind, len(players), pairs, rounds)
    tournament = Tournament(
        event=printable(str(keys.text("event", "?"))),
        date=f"{date.today():%Y.%m.%d}",
        format=kind,
        players=players,
        openings=_read_openings(keys, rules, folder, needed, seed),
        pairs=pairs,
        rounds=rounds,
        concurrency=keys.integer("concurrency", 1) or 1,
        seed=seed,
        game=game,
        adjudication=_read_adjudication(keys),
        sandbox=_read_sandbox(keys),
        memory=keys.integer("memory", 4096) or 0,
        deadline=keys.number("deadline", 3600.0, least=0.001) or 0.0,
        sprt=sprt,
    )
    keys.finish()
    return tournament


def printable(name: str) -> str:
    """A name as it can stand anywhere: on one line, in a record, on a terminal, in a file's name.

    >>> printable("my/engine\\x1b[31m")
    'my-engine?[31m'
    """
    shown = "".join("-" if char in "/\\" else char if char.isprintable() else "?" for char in name)
    return shown.strip()[:LONGEST_NAME] or "?"


def make_player(words: Iterable[str], limits: Mapping[str, Any], folder: Path) -> Player:
    """An engine of its own, from words and from limits that it need not name itself."""
    defaults = {key: limits.get(key) for key in _LIMITS}
    return _read_player(
        Keys(read_engine(words), "engine", texts=True), defaults, folder.absolute(), ()
    )


def _read_players(keys: Keys, folder: Path) -> tuple[Player, ...]:
    limits = Keys(keys.take("limits", {}), "limits", texts=True)
    defaults = {key: limits.take(key) for key in _LIMITS}
    limits.finish()
    engines = keys.take("engines", [])
    if not isinstance(engines, list) or len(engines) < 2:
        raise keys.error("engines", "two or more are needed")
    players: list[Player] = []
    for number, engine in enumerate(engines, start=1):
        table = read_engine(_split(engine, number)) if isinstance(engine, str) else engine
        given = Keys(table, f"engine {number}", texts=True)
        players.append(_read_player(given, defaults, folder, [each.name for each in players]))
    return tuple(players)


def _split(words: str, number: int) -> list[str]:
    try:
        return shlex.split(words)
    except ValueError as error:
        raise ArenaError(f"engine {number}: {quote(words)}: {error}") from None


def _read_player(
    keys: Keys, defaults: Mapping[str, Any], folder: Path, taken: Sequence[str]
) -> Player:
    command, options, derived = _read_command(keys)
    name = keys.text("name")
    if name is None:
        name = _unused(printable(derived), taken)
    elif (name := printable(name)) in taken:
        raise keys.error("name", f"{quote(name)} is the name of another engine too")
    where = keys.text("dir")
    own = keys.take("options", {})
    if not isinstance(own, Mapping):
        raise keys.error("options", "this is no table of names and values")
    limits = {key: keys.take(key) for key in _LIMITS}
    keys.finish()
    merged = {
        key: default if limits[key] is None else limits[key] for key, default in defaults.items()
    }
    control, ponder = _read_control(Keys(merged, keys.where, texts=True))
    options |= {str(option): _option_text(value) for option, value in own.items()}
    is_ours = command == OURS and where is None
    cwd = None if is_ours else str(folder / (where or "."))
    return Player(name, command, control, tuple(options.items()), ponder, cwd)


def _read_command(keys: Keys) -> tuple[tuple[str, ...], dict[str, str], str]:
    """The words of a command, the options that it needs, and a name."""
    builtin, command = keys.take("builtin"), keys.take("cmd")
    if (builtin is None) == (command is None):
        raise ArenaError(f"{keys.where}: it needs cmd=..., or the name or Elo of a built-in one")
    if builtin is not None:
        return _read_builtin(keys, str(builtin))
    try:
        words = shlex.split(command) if isinstance(command, str) else [str(it) for it in command]
    except (ValueError, TypeError):
        raise keys.error("cmd", f"{quote(str(command))} is no command") from None
    if not words or not words[0]:
        raise keys.error("cmd", "the command is empty")
    return tuple(words), {}, Path(words[0]).name


def _read_builtin(keys: Keys, word: str) -> tuple[tuple[str, ...], dict[str, str], str]:
    if word in searcher_names():
        return OURS, {"Searcher": word}, word
    if word.isascii() and word.isdigit() and ELO_MIN <= int(word) <= ELO_MAX:
        return OURS, {"UCI_LimitStrength": "true", "UCI_Elo": word}, f"Elo {word}"
    raise ArenaError(
        f"{keys.where}: {quote(word)} is no built-in engine; there are "
        f"{', '.join(searcher_names())}, and Elo {ELO_MIN} to {ELO_MAX}"
    )


def _read_control(keys: Keys) -> tuple[Control, bool]:
    clock, given = keys.text("tc"), dict[str, Any]()
    try:
        given |= parse_clock(clock) if clock is not None else {}
    except ArenaError as error:
        raise keys.error("tc", str(error)) from None
    given["movetime"] = keys.number("movetime", least=0.001)
    given["nodes"], given["depth"] = keys.integer("nodes"), keys.integer("depth")
    given["margin"], given["patience"] = keys.number("margin"), keys.number("patience")
    ponder = keys.flag("ponder")
    try:
        return Control(**{key: value for key, value in given.items() if value is not None}), ponder
    except ArenaError as error:
        raise ArenaError(f"{keys.where}: {error}") from None


def _option_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _unused(name: str, taken: Sequence[str]) -> str:
    candidates = (f"{name} {number}" if number > 1 else name for number in range(1, len(taken) + 2))
    return next(each for each in candidates if each not in taken)


def _read_format(keys: Keys, players: int) -> Format:
    usual = "match" if players == 2 else "round-robin"
    kind = Format(keys.choice("format", _FORMATS, usual).replace("-", " "))
    if kind is Format.MATCH and players != 2:
        raise keys.error("format", f"a match has two engines, not {players}")
    return kind


def _read_rounds(keys: Keys, kind: Format, players: int) -> int:
    if kind is not Format.SWISS:
        if "rounds" in keys:
            raise keys.error("rounds", "only a swiss tournament has rounds")
        return 0
    return keys.integer("rounds", ceil(log2(players))) or 0


def _read_sprt(keys: Keys, kind: Format) -> Sprt | None:
    given = keys.take("sprt")
    if given is None:
        return None
    if kind is not Format.MATCH:
        raise keys.error("sprt", "only a match can be a test")
    table = Keys(given, "sprt", texts=True)
    elo0, elo1 = table.number("elo0", least=None), table.number("elo1", least=None)
    if elo0 is None or elo1 is None:
        raise table.error("elo0" if elo0 is None else "elo1", "it is missing")
    alpha, beta = table.number("alpha", 0.05), table.number("beta", 0.05)
    model = Model(table.choice("model", [each.value for each in Model], Model.NORMALISED.value))
    table.finish()
    assert alpha is not None
    assert beta is not None
    return Sprt(elo0, elo1, alpha, beta, model)


def _read_adjudication(keys: Keys) -> Adjudication:
    table = Keys(keys.take("adjudication", {}), "adjudication")
    given: dict[str, Any] = {
        each.name: table.integer(each.name)
        for each in fields(Adjudication)
        if each.name != "played_out"
    }
    given["played_out"] = table.number("played_out")
    if (given["played_out"] or 0.0) > 1:
        raise table.error("played_out", "it is a share of the games, from 0 to 1")
    table.finish()
    return Adjudication(**{name: value for name, value in given.items() if value is not None})


def _read_sandbox(keys: Keys) -> str:
    kind = keys.choice("sandbox", KINDS, "limits")
    confine(OURS, kind)
    return kind


def _read_openings(
    keys: Keys, rules: Rules, folder: Path, needed: int, seed: int
) -> tuple[str, ...]:
    table = Keys(keys.take("openings", {}), "openings")
    file, plies = table.text("file"), table.integer("plies", least=0)
    order = table.choice("order", ("given", "shuffled"), "given")
    count, balance = table.integer("count"), table.integer("balance", least=0)
    table.finish()
    if file is not None:
        openings = usable(read_openings(folder / file, rules, plies))
        openings = shuffled(openings, seed) if order == "shuffled" else openings
        return tuple(map(str, openings[:count]))
    accept = (lambda _: True) if balance is None else is_balanced(rules.evaluate, balance)
    endless = generated(rules, PLIES if plies is None else plies, seed, accept=accept)
    return tuple(map(str, islice(endless, count or min(needed, MOST_GENERATED))))


def read_openings(path: Path, rules: Rules, plies: int | None = None) -> list[Any]:
    """The positions of a list, or those that the games of a file of records reach.

    A record's opening is the position after so many turns, or its last one.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ArenaError(f"openings.file: {path}: {error.strerror}") from None
    with path.open("rb") as stream:
        if _is_list(data):
            return [_position(path, entry) for _, entry in read_positions(stream, rules)]
        positions = []
        for record in read_records(stream, rules):
            for wrong in record.errors:
                raise ArenaError(f"{path}: {wrong}")
            line = [record.root.position, *(node.position for node in record.mainline())]
            positions.append(line[-1] if plies is None else line[min(plies, len(line) - 1)])
        return positions


def _position(path: Path, entry: Any) -> Any:
    if isinstance(entry, RecordError):
        raise ArenaError(f"{path}: {entry}")
    return entry.position


def _is_list(data: bytes) -> bool:
    """Whether this is a list of positions: its first line that says anything is one."""
    for line in data.decode(errors="replace").splitlines():
        if line.strip() and not line.startswith("#"):
            return "/" in line.split(" ")[0] and line[0] not in '[{("'
    return True
