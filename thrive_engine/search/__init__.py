"""The searchers by name: the built-in ones, and those that other packages bring.

A package brings a searcher by an entry point in the group ``thrive_engine.searchers``: its name is
the one that the option Searcher lists, its object is called without arguments and gives a
``search.base.Searcher``. Nothing is imported before it is asked for.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from thrive_engine.errors import SearcherError
from thrive_engine.search.base import Searcher

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "thrive_engine.searchers"
BUILT_IN = ("pvs", "alphabeta", "mcts", "greedy", "random")


def searcher_names() -> list[str]:
    """The names of all searchers, the built-in ones first."""
    return [*BUILT_IN, *sorted(_brought())]


def load_searcher(name: str) -> Searcher:
    """A new searcher of this name, or SearcherError."""
    if name in BUILT_IN:
        searcher: Searcher = import_module(f"{__name__}.{name}").Searcher()
        return searcher
    entry = _brought().get(name)
    if entry is None:
        raise SearcherError(f"no searcher {name!r}; there are {', '.join(searcher_names())}")
    return _load(entry)


@cache
def _brought() -> "dict[str, EntryPoint]":
    """The entry points of other packages; a built-in name is never replaced."""
    from importlib.metadata import entry_points  # noqa: PLC0415 it takes longer than all of ours

    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in BUILT_IN}


def _load(entry: "EntryPoint") -> Searcher:
    try:
        searcher: Searcher = entry.load()()
    except Exception as error:  # foreign code can raise anything, and must not end the engine
        package = entry.dist.name if entry.dist is not None else "an unknown package"
        reason = f"{type(error).__name__}: {error}"
        raise SearcherError(
            f"searcher {entry.name!r} of {package} cannot be loaded ({entry.value}): {reason}"
        ) from error
    return searcher
