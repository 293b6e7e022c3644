"""Tournaments of trivial engines, and the arena as its user runs it."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from book import late_openings, make_book

from thrive_engine.arena.journal import read_journal
from thrive_engine.arena.setup import make_tournament
from thrive_engine.arena.store import Store

ARENA = [sys.executable, "-c", "from thrive_engine.cli import main; main()", "arena"]
NAMES = ("ada", "bob")


def tournament_values(
    folder: Path, names: Sequence[str] = NAMES, *, delay: float = 0.0, **values: Any
) -> dict[str, Any]:
    """The keys of a tournament whose games are known in advance."""
    openings = late_openings(12)
    (folder / "openings.txt").write_text("".join(f"{each}\n" for each in openings))
    commands = make_book(folder, names, openings)
    wait = [str(delay)] if delay else []
    return {
        "engines": [{"cmd": [*commands[name], *wait], "name": name} for name in names],
        "limits": {"nodes": 1},
        "openings": {"file": "openings.txt"},
        **values,
    }


def begin(folder: Path, name: str = "run", **values: Any) -> Store:
    """A tournament that has begun, and of which nothing is played."""
    store = Store(folder / name)
    store.create(make_tournament(tournament_values(folder, **values), folder))
    return store


def copy(store: Store, name: str, **changes: Any) -> Store:
    """The same tournament once more, of which nothing is played."""
    other = Store(store.directory.with_name(name))
    other.logs.mkdir(parents=True)
    config = json.loads(store.config.read_text(encoding="utf-8"))
    other.config.write_text(json.dumps({**config, **changes}), encoding="utf-8")
    return other


def arena(*words: object, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ARENA, *map(str, words)], capture_output=True, text=True, check=False, timeout=timeout
    )


def resume(store: Store, *words: object) -> str:
    """Play on to the end; what is printed."""
    done = arena("resume", store.directory, *words)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def numbers(store: Store) -> list[int]:
    """The games of the journal, in the order in which they came."""
    return [event["number"] for event in read_journal(store.journal) if event["event"] == "game"]
