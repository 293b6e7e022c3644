"""Tables of keys and values as people write them: every mistake is a line that names the key."""

from collections.abc import Collection, Mapping
from math import isfinite
from typing import Any

from thrive_engine.errors import ArenaError, quote


class Keys:
    """A table whose keys are taken one by one; what is left at the end is a mistake.

    With ``texts``, numbers may be written as texts, as they are on a command line.
    """

    def __init__(self, values: object, where: str = "", *, texts: bool = False) -> None:
        if not isinstance(values, Mapping):
            raise ArenaError(f"{where}: this is no table of keys and values")
        self.where = where
        self._values: dict[str, Any] = dict(values)
        self._texts = texts
        self._known: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def take(self, key: str, default: Any = None) -> Any:
        """Any value."""
        self._known.append(key)
        return self._values.pop(key, default)

    def text(self, key: str, default: str | None = None) -> str | None:
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, str) or not value:
            raise self.error(key, f"{_show(value)} is no text")
        return value

    def choice(self, key: str, choices: Collection[str], default: str) -> str:
        value = self.text(key) or default
        if value not in choices:
            raise self.error(key, f"{_show(value)} is not one of {', '.join(choices)}")
        return value

    def flag(self, key: str, *, default: bool = False) -> bool:
        value = self.take(key)
        if self._texts and value in ("true", "false"):
            return bool(value == "true")
        if value is None or isinstance(value, bool):
            return default if value is None else value
        raise self.error(key, f"{_show(value)} is not true or false")

    def integer(self, key: str, default: int | None = None, least: int = 1) -> int | None:
        value = self._read(key, int)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.error(key, f"{_show(value)} is no whole number from {least} on")
        return value

    def number(
        self, key: str, default: float | None = None, least: float | None = 0.0
    ) -> float | None:
        value = self._read(key, float)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise self.error(key, f"{_show(value)} is no number")
        if least is not None and value < least:
            raise self.error(key, f"{_show(value)} is less than {least:g}")
        return float(value)

    def finish(self) -> None:
        """ArenaError where a key is left that nobody asked for."""
        for key in self._values:
            known = ", ".join(dict.fromkeys(self._known))
            raise self.error(str(key), f"there is no such key; there are {known}")

    def error(self, key: str, reason: str) -> ArenaError:
        """The error that names a key of this table."""
        name = key if key.isprintable() and len(key) < 60 else quote(key)
        return ArenaError(f"{self.where}.{name}: {reason}" if self.where else f"{name}: {reason}")

    def _read(self, key: str, kind: type[int] | type[float]) -> Any:
        value = self.take(key)
        if not self._texts or not isinstance(value, str):
            return value
        try:
            return kind(value)
        except ValueError:
            return value


def _show(value: object) -> str:
    return quote(value) if isinstance(value, str) else quote(str(value))[1:-1]
