"""A searcher in safe keeping: whatever it does wrong is a SearcherError, and nothing worse.

Searchers can come from other packages, so nothing is believed of them but that they return.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from typing import Any

from thrive_engine.errors import SearcherError, quote
from thrive_engine.search.base import Explainer, Info, Request, Score, Searcher, Stop

_WHOLE = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull")


class Guarded:
    """The searcher, with every Info looked at before it is passed on."""

    def __init__(self, searcher: Searcher, name: str) -> None:
        self._searcher = searcher
        self._name = name

    def search(self, request: Request, stop: Stop) -> Iterator[Info]:
        with self._blamed():
            for info in self._searcher.search(request, stop):
                _check(info, request)
                yield info

    def forget(self) -> None:
        with self._blamed():
            self._searcher.forget()

    def explain(self, position: Any) -> list[tuple[str, tuple[int, ...]]] | None:
        """What the searcher's own evaluation is made of; None where it has none."""
        if not isinstance(self._searcher, Explainer):
            return None
        with self._blamed():
            return self._searcher.explain(position)

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:  # foreign code can raise anything
            reason = f"{type(error).__name__}: {error}"
            raise SearcherError(f"searcher {self._name!r} failed: {reason}") from error


def _check(info: object, request: Request) -> None:
    """Raise where an Info is none, cannot be written, or names a turn that was not asked for."""
    if not isinstance(info, Info):
        raise TypeError(f"{quote(repr(info))} is no Info")
    for name in _WHOLE:
        if not isinstance(getattr(info, name), int):
            raise TypeError(f"{name} is {getattr(info, name)!r}, no whole number")
    if not isfinite(info.time):
        raise ValueError(f"time is {info.time}")
    if not isinstance(info.score, Score | None):
        raise TypeError(f"score is {quote(repr(info.score))}")
    if info.pv and info.pv[0] not in request.position.legal_turns:
        raise ValueError(f"turn {quote(str(info.pv[0]))} is not legal")
    if info.pv and request.roots and not any(info.pv[0] in root.turns for root in request.roots):
        raise ValueError(f"turn {quote(str(info.pv[0]))} is none of those to be searched")
