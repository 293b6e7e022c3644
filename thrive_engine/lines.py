"""The grammar of the protocol's lines, in both directions: read and written here, by both ends.

Positions and turns are texts here; nothing in this module knows a game. See spec/protocol.md.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from thrive_engine.errors import ProtocolError, quote
from thrive_engine.search.base import Info, Limit, Score

LONGEST = 64 * 1024
"""The bytes of a line, its end not counted, that both sides must be able to read."""
NO_TURN = "0000"

OptionValue = bool | int | str | None

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_CLOCKS = ("wtime", "btime")
_INCREMENTS = ("winc", "binc")
_SEATS = {"p1time": "wtime", "p2time": "btime", "p1inc": "winc", "p2inc": "binc"}
"""UGI's words for the clocks."""
_GO_NUMBERS = {
    *_CLOCKS, *_INCREMENTS, "movestogo", "depth", "nodes", "mate", "movetime", "perft",
}  # fmt: skip
_GO_WORDS = _GO_NUMBERS | _SEATS.keys() | {"searchmoves", "ponder", "infinite"}
_INFO_NUMBERS = {"depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"}


@dataclass(frozen=True, slots=True)
class Option:
    """An option as an engine declares it: ``str`` is its line."""

    name: str
    type: str
    default: OptionValue = None
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] = ()

    def read(self, text: str | None) -> OptionValue:
        """The value that a text means for this option, or ProtocolError."""
        if self.type == "button":
            return None
        if text is None:
            raise ProtocolError(f"option {self.name}: a value is missing")
        if self.type == "check":
            if text.lower() not in ("true", "false"):
                raise ProtocolError(f"option {self.name}: {quote(text)} is not true or false")
            return text.lower() == "true"
        if self.type == "spin":
            return self._read_number(text)
        if self.type == "combo":
            for choice in self.choices:
                if choice.lower() == text.lower():
                    return choice
            choices = ", ".join(self.choices)
            raise ProtocolError(f"option {self.name}: {quote(text)} is not one of {choices}")
        return "" if text == "<empty>" else text

    def _read_number(self, text: str) -> int:
        bounds = f"{self.min} to {self.max}"
        if not _INTEGER.fullmatch(text):
            reason = f"{quote(text)} is not a whole number from {bounds}"
            raise ProtocolError(f"option {self.name}: {reason}")
        value = int(text)
        if (self.min is not None and value < self.min) or (
            self.max is not None and value > self.max
        ):
            raise ProtocolError(f"option {self.name}: {value} is out of range, which is {bounds}")
        return value

    def __str__(self) -> str:
        words = [f"option name {self.name} type {self.type}"]
        if self.default is not None:
            words.append(f"default {format_value(self.default)}")
        if self.min is not None:
            words.append(f"min {self.min}")
        if self.max is not None:
            words.append(f"max {self.max}")
        words += [f"var {choice}" for choice in self.choices]
        return " ".join(words)


def format_value(value: OptionValue) -> str:
    """An option's value as the protocol writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "<empty>" if value == "" else str(value)


def parse_option(line: str) -> Option:
    """The option of a line ``option name <id> type <t> [default x] [min x] [max x] [var x]*``."""
    values: dict[str, str] = {}
    choices: list[str] = []
    for key, value in _split(line, ("name", "type", "default", "min", "max", "var")):
        if key == "var":
            choices.append(value)
        else:
            values.setdefault(key, value)
    name, kind = values.get("name", ""), values.get("type", "")
    if not name or kind not in ("check", "spin", "combo", "button", "string"):
        raise ProtocolError(f"{quote(line)} declares no option: it has no name or no known type")
    least, most = (_optional_number(values.get(key)) for key in ("min", "max"))
    option = Option(name, kind, None, least, most, tuple(choices))
    default = values.get("default")
    if default is None or kind == "button":
        return option
    return Option(name, kind, option.read(default), least, most, tuple(choices))


def parse_setoption(text: str) -> tuple[str, str | None]:
    """The name and the value of ``name <id> [value <x>]``."""
    head, *value = re.split(r"\svalue(?!\S)", text, maxsplit=1)
    words = head.split()
    if words[:1] != ["name"] or len(words) == 1:
        raise ProtocolError(f"setoption {quote(text)}: it is 'setoption name <id> [value <x>]'")
    return " ".join(words[1:]), value[0].strip() if value else None


def format_position(start: object | None, turns: Iterable[object] = ()) -> str:
    """The ``position`` command; without a start, from the start of the game."""
    words = ["position startpos" if start is None else f"position fen {start}"]
    texts = [str(turn) for turn in turns]
    if texts:
        words += ["moves", *texts]
    return " ".join(words)


def format_go(limit: Limit) -> str:
    """The ``go`` command of a limit."""
    words = ["go"]
    if limit.ponder:
        words.append("ponder")
    for names, times in ((_CLOCKS, limit.clocks), (_INCREMENTS, limit.increments)):
        for name, seconds in zip(names, times, strict=False):
            if seconds < inf:
                words += [name, str(_milliseconds(seconds))]
    for name in ("movestogo", "depth", "nodes", "mate"):
        number = getattr(limit, name)
        if number is not None:
            words += [name, str(number)]
    if limit.movetime is not None:
        words += ["movetime", str(_milliseconds(limit.movetime))]
    if limit.infinite:
        words.append("infinite")
    if limit.turns:
        words += ["searchmoves", *map(str, limit.turns)]
    return " ".join(words)


def parse_go(text: str) -> tuple[Limit, int | None]:
    """The limit of the words after ``go``, and the depth of ``perft`` where it is asked for."""
    numbers: dict[str, int] = {}
    turns: list[str] = []
    flags: set[str] = set()
    words = iter(text.split())
    word = next(words, None)
    while word is not None:
        word = _SEATS.get(word, word)
        if word in _GO_NUMBERS:
            numbers[word] = _number(f"go {word}", next(words, ""))
        elif word == "searchmoves":
            word = next(words, None)
            while word is not None and word not in _GO_WORDS:
                turns.append(word)
                word = next(words, None)
            continue
        elif word in ("ponder", "infinite"):
            flags.add(word)
        word = next(words, None)
    return _limit(numbers, tuple(turns), flags), numbers.get("perft")


def _limit(numbers: dict[str, int], turns: tuple[str, ...], flags: set[str]) -> Limit:
    def at_least_one(name: str) -> int | None:
        return max(1, numbers[name]) if name in numbers else None

    clocks = tuple(numbers.get(name, inf) / 1000 for name in _CLOCKS)
    increments = tuple(numbers.get(name, 0) / 1000 for name in _INCREMENTS)
    movetime = numbers.get("movetime")
    return Limit(
        movetime=None if movetime is None else movetime / 1000,
        depth=at_least_one("depth"),
        nodes=at_least_one("nodes"),
        mate=at_least_one("mate"),
        clocks=clocks if min(clocks) < inf else (),
        increments=increments if max(increments) > 0 else (),
        movestogo=at_least_one("movestogo"),
        infinite="infinite" in flags,
        ponder="ponder" in flags,
        turns=turns,
    )


def format_info(info: Info) -> str:
    """The ``info`` line of a snapshot, every number a whole one."""
    if info.string:
        return f"info string {' '.join(info.string.split())}"
    words = [f"info depth {info.depth}"]
    if info.seldepth:
        words.append(f"seldepth {info.seldepth}")
    words.append(f"multipv {info.multipv}")
    if info.score is not None:
        words.append(" ".join(f"score {info.score} {info.bound}".split()))
    if info.wdl is not None:
        words.append("wdl {} {} {}".format(*info.wdl))
    words.append(f"nodes {info.nodes} nps {info.nps} hashfull {info.hashfull}")
    words.append(f"time {_milliseconds(info.time)}")
    if info.pv:
        words += ["pv", *map(str, info.pv)]
    return " ".join(words)


def parse_info(line: str) -> Info:
    """The snapshot of an ``info`` line; words that it does not know are skipped."""
    head, said, string = line.partition(" string ")
    words, numbers = head.split(), dict[str, int]()
    score, bound, wdl, pv = None, "", None, tuple[str, ...]()
    for at, word in enumerate(words):
        if word == "pv":
            pv = tuple(words[at + 1 :])
            break
        if word in _INFO_NUMBERS:
            numbers.update((word, number) for number in _numbers(words[at + 1 : at + 2]))
        elif word == "score":
            score = _score(words[at + 1 : at + 3]) or score
        elif word in ("lowerbound", "upperbound"):
            bound = word
        elif word == "wdl":
            wdl = _wdl(_numbers(words[at + 1 : at + 4]))
    time = numbers.pop("time", 0) / 1000
    text = string if said else ""
    return Info(score=score, bound=bound, wdl=wdl, pv=pv, string=text, time=time, **numbers)


def _numbers(words: list[str]) -> list[int]:
    return [int(word) for word in words if _INTEGER.fullmatch(word)]


def _score(words: list[str]) -> Score | None:
    match words[0] if words else "", _numbers(words[1:]):
        case "cp", [number]:
            return Score(cp=number)
        case "mate", [number]:
            return Score(mate=number)
    return None


def _wdl(numbers: list[int]) -> tuple[int, int, int] | None:
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) == 3 else None


def format_bestmove(turn: object | None, ponder: object | None = None) -> str:
    """The ``bestmove`` line; without a turn, that there is none."""
    line = f"bestmove {NO_TURN if turn is None else turn}"
    return line if ponder is None else f"{line} ponder {ponder}"


def parse_bestmove(line: str) -> tuple[str, str | None]:
    """The turn of a ``bestmove`` line, and the one to ponder on."""
    match line.split():
        case ["bestmove", turn]:
            return turn, None
        case ["bestmove", turn, "ponder", ponder, *_]:
            return turn, ponder
        case ["bestmove", turn, *_] if turn != "ponder":
            return turn, None
    raise ProtocolError(f"{quote(line)} names no turn")


def _split(line: str, keys: tuple[str, ...]) -> list[tuple[str, str]]:
    """The values in a line, each behind one of the keys."""
    parts: list[tuple[str, list[str]]] = []
    for word in line.split():
        if word in keys:
            parts.append((word, []))
        elif parts:
            parts[-1][1].append(word)
    return [(key, " ".join(words)) for key, words in parts]


def _optional_number(text: str | None) -> int | None:
    return int(text) if text is not None and _INTEGER.fullmatch(text) else None


def _number(name: str, text: str) -> int:
    if not _INTEGER.fullmatch(text):
        what = f"{quote(text)} is no whole number" if text else "a number is missing"
        raise ProtocolError(f"{name}: {what}")
    return int(text)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
