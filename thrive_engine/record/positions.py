"""Lists of positions: one a line, with what is known of it, the way EPD writes it.

    position [ "bm" turn... ";" ] [ "am" turn... ";" ] [ "id" string ";" ] [ "c0" string ";" ]

Empty lines, and lines that begin with ``#``, are skipped. See spec/records.md.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from thrive_engine.errors import RecordError, TextError, quote
from thrive_engine.games import thrive
from thrive_engine.games.base import Rules
from thrive_engine.record.node import WHITE_SPACE
from thrive_engine.record.reader import reason_of
from thrive_engine.record.stream import PIECE, pieces
from thrive_engine.record.tree import quoted, unquoted

_BEGINS = re.compile(r"[ \t](?:bm|am|id|c0)(?=[ \t;]|$)")
_OPERATION = re.compile(r"""[ \t]*([^ \t;"]+)((?:[^;"]|"[^"\\]*+(?:\\.[^"\\]*+)*+"?)*+)(;?)""")
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"')
_WORD = re.compile(r"[^ \t]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """A position, its best turns, the turns to avoid, its name and a comment.

    ``str`` is the line that a list has for it.
    """

    position: Any
    bm: tuple[Any, ...] = ()
    am: tuple[Any, ...] = ()
    id: str = ""
    c0: str = ""

    def __str__(self) -> str:
        text = str(self.position)
        for name, turns in (("bm", self.bm), ("am", self.am)):
            if turns:
                text += f" {name} {' '.join(map(str, turns))};"
        for name, value in (("id", self.id), ("c0", self.c0)):
            if value:
                text += f" {name} {quoted(value)};"
        return text


def read_positions(
    stream: IO[str] | IO[bytes], rules: Rules = thrive
) -> Iterator[tuple[int, Entry | RecordError]]:
    """The numbers of the lines with what they hold: an entry, or what is wrong with it.

    Bytes are read as UTF-8, and those that are none as U+FFFD.
    """
    for text, line, column, is_last in pieces(stream):
        if column > 1:
            continue
        if not is_last:
            yield line, RecordError(line, 1, f"the line has more than {PIECE} characters")
            continue
        entry = text.removeprefix("\ufeff").rstrip(WHITE_SPACE)
        if entry and not entry.startswith("#"):
            yield line, _read_entry(entry, line, rules)


def write_positions(entries: Iterable[Entry]) -> str:
    """The list of some entries, a line each."""
    return "".join(f"{entry}\n" for entry in entries)


def _read_entry(text: str, line: int, rules: Rules) -> Entry | RecordError:
    try:
        return _parse_entry(text, rules)
    except RecordError as error:
        return RecordError(line, error.column, error.reason)


def _parse_entry(text: str, rules: Rules) -> Entry:
    """The entry of a line, or a RecordError with its column."""
    begins = _BEGINS.search(text)
    end = begins.start() if begins else len(text)
    try:
        position = rules.parse_position(text[:end])
    except TextError as error:
        raise RecordError(0, error.place + 1, reason_of(error)) from None
    found: dict[str, Any] = {}
    while end < len(text):
        match = _OPERATION.match(text, end)
        if match is None:
            raise RecordError(0, end + 1, "an operation is written 'bm <turn>;' or 'id \"...\";'")
        name, operand, column = match[1], match[2], match.start(1) + 1
        if name in found:
            raise RecordError(0, column, f"operation {name}: it is given twice")
        if not match[3] and match.end() < len(text):
            raise RecordError(0, match.end() + 1, f"operation {name}: ';' must follow")
        if name in ("bm", "am"):
            found[name] = _parse_turns(name, operand, match.start(2), position, rules)
        elif name in ("id", "c0"):
            found[name] = _parse_string(name, operand, match.start(2))
        else:
            raise RecordError(0, column, f"operation {quote(name, 20)}: known are bm am id c0")
        end = match.end()
    return Entry(position, **found)


def _parse_turns(
    name: str, operand: str, start: int, position: Any, rules: Rules
) -> tuple[Any, ...]:
    turns = []
    for word in _WORD.finditer(operand):
        try:
            turns.append(rules.parse_turn(word[0], position))
        except TextError as error:
            column = start + word.start() + error.place + 1
            raise RecordError(0, column, f"operation {name}: {reason_of(error)}") from None
    if not turns:
        raise RecordError(0, start + 1, f"operation {name}: it names no turn")
    return tuple(turns)


def _parse_string(name: str, operand: str, start: int) -> str:
    match = _STRING.fullmatch(operand.strip(" \t"))
    if match is None:
        raise RecordError(0, start + 1, f'operation {name}: a text is written "..."')
    return unquoted(match[1])
