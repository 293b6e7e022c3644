"""What a line of a journal can say, and games as it keeps them."""

import json
from collections.abc import Callable
from dataclasses import fields
from math import isfinite
from typing import Any

from thrive_engine.arena.job import Played
from thrive_engine.errors import ArenaError, quote

Event = dict[str, Any]
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def parse_event(line: bytes) -> Event:
    """The event of a line, or ArenaError: its kind is known, and it has all that this kind has."""
    try:
        event = json.loads(line)
    except ValueError:
        raise ArenaError("this line is not JSON") from None
    if not isinstance(event, dict):
        raise ArenaError("this line is no JSON object")
    if "event" not in event:
        raise ArenaError("this line has no key 'event'")
    kind = event["event"]
    if not isinstance(kind, str) or kind not in _KEYS:
        raise ArenaError(f"there is no event {_show(kind)}; there are {', '.join(_KEYS)}")
    for key, is_right in _KEYS[kind].items():
        if key not in event:
            raise ArenaError(f"this {kind} has no key {key!r}")
        if not is_right(event[key]):
            raise ArenaError(f"the {key} of this {kind} can't be {_show(event[key])}")
    return event


def game_event(game: Played, at: float) -> Event:
    """A game as the journal keeps it: all but the logs, which are files."""
    kept = {each.name: getattr(game, each.name) for each in _KEPT}
    return {"event": "game", "at": round(at, 3), **kept}


def read_game(event: Event) -> Played:
    """The game of a journal's event."""
    return Played(**{each.name: _tuples(event[each.name]) for each in _KEPT})


_KEPT = [each for each in fields(Played) if each.name != "logs"]

Check = Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and isfinite(value) and value >= 0


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _many(check: Check, size: int | None = None) -> Check:
    """Whether a value is a list of such things; with a size, of so many."""
    return lambda value: (
        isinstance(value, list) and size in (None, len(value)) and all(map(check, value))
    )


_SEATS = 2
_KEYS: dict[str, dict[str, Check]] = {
    "begin": {"at": _is_number},
    "lost": {"number": _is_count, "reason": _is_text},
    "game": {
        "at": _is_number,
        "number": lambda value: _is_count(value) and value > 0,
        "players": _many(_is_text, _SEATS),
        "opening": _is_text,
        "result": RESULTS.__contains__,
        "termination": _is_text,
        "reason": _is_text,
        "turns": _is_count,
        "seconds": _many(_is_number, _SEATS),
        "slowest": _many(_is_number, _SEATS),
        "overhead": _many(_is_number),
        "claims": _many(_many(_is_count, 2), _SEATS),
        "foretold": (None, *RESULTS).__contains__,
        "faults": _many(_many(_is_text, 2)),
        "record": _is_text,
    },
}


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _show(value: object) -> str:
    return quote(value) if isinstance(value, str) else quote(str(value))[1:-1]
