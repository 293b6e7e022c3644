"""Every engine of the gallery against a good one, under every kind of limit."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from runpy import run_path

import pytest
from marked import GALLERY, Mark
from scenes import actor, gallery_player, play

from thrive_engine.arena.job import Control, Played

CONTROLS = {
    "clock": Control(time=0.2),
    "increment": Control(time=0.2, increment=0.1),
    "turns": Control(time=0.2, turns=2),
    "movetime": Control(movetime=0.1),
    "nodes": Control(nodes=10),
    "depth": Control(depth=1),
}
UNTIMED = ("nodes", "depth")
HARMLESS = ("good", "stubborn", "floods-errors", "last-game", "quits-badly")
"""They do nothing in a game that would lose it."""
ENDINGS = {
    "silent": "stall",
    "unready": "stall",
    "stalls": "stall",
    "late": "time",
    "chatty": "time",
    "exits-at-once": "crash",
    "exits-in-search": "crash",
    "crashes": "crash",
    "aborts": "crash",
    "floods-errors-and-exits": "crash",
    "half-line": "crash",
    "double-fork": "crash",
    "closes-output": "protocol",
    "closes-input": "protocol",
    "endless": "protocol",
    "two-answers": "protocol",
    "unasked": "protocol",
    "empty": "protocol",
    "encoding": "protocol",
    "illegal": "illegal",
}
IDLE = ("silent", "unready", "stalls", "late", "chatty")
"""They are waited for, so they are not given much time; the others have more than they need."""


@pytest.fixture(autouse=True)
def _marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing that a test starts outlives it."""
    mark = Mark()
    name, _, value = mark.text.partition("=")
    monkeypatch.setenv(name, value)
    yield
    monkeypatch.delenv(name)
    assert mark.pids == []


def play_with(mode: str, kind: str, seat: int) -> Played:
    haste = {"margin": 0.05, "patience": 1.0} if mode in IDLE else {"margin": 20, "patience": 20}
    control = replace(CONTROLS[kind], **haste)
    players = [
        gallery_player(mode, control),
        actor("good", replace(control, margin=20, patience=20), name="ok"),
    ]
    return play(*players[:: -1 if seat else 1])


def play_all(mode: str) -> dict[str, Played]:
    """A game under each kind of limit, in either seat in turn."""
    with ThreadPoolExecutor(3) as pool:
        games = {
            kind: pool.submit(play_with, mode, kind, seat % 2) for seat, kind in enumerate(CONTROLS)
        }
        return {kind: game.result() for kind, game in games.items()}


def test_every_engine_of_the_gallery_is_here() -> None:
    assert sorted([*ENDINGS, *HARMLESS]) == sorted(run_path(str(GALLERY))["MODES"])


@pytest.mark.parametrize("mode", ENDINGS)
def test_a_bad_engine_loses_and_no_other_is_blamed(mode: str) -> None:
    for kind, game in play_all(mode).items():
        late = ENDINGS[mode] == "time" and kind in UNTIMED
        assert (kind, game.termination) == (kind, "stall" if late else ENDINGS[mode])
        assert game.result == ("0-1" if game.players[0] == mode else "1-0")
        assert [name for name, _ in game.faults] == [mode]
        assert game.reason.startswith(f"{mode}: ")


@pytest.mark.parametrize("mode", HARMLESS)
def test_a_harmless_engine_plays_its_game(mode: str) -> None:
    for game in play_all(mode).values():
        assert (game.result, game.termination) == ("0-1", "captured")
        assert [name for name, _ in game.faults] == ([mode] if mode == "stubborn" else [])
