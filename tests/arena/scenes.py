"""One game with a known line, and jobs in which engines of the gallery play it."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from marked import GALLERY

from thrive_engine.arena.job import Control, Job, Played, Player, Settings
from thrive_engine.arena.play import play_game

ACTOR = GALLERY.parent / "actor.py"
OPENING = "6/6/2Br3/2Wh3/3WrBr1/6 w 1"
LINE = ("d2d1+c3io", "e2e1+c4x+e1o", "c3e3+e3vy", "c4d2+d2y+e1y", "e3f4+d1d+f4r", "d2d1")
"""After these turns Black has won."""
WIN = ("c3c4",)
"""White could win at once."""
CALM = Control(depth=1, patience=30)


def gallery_player(mode: str, control: Control = CALM, line: Sequence[str] = LINE) -> Player:
    command = (sys.executable, "-I", "-S", str(GALLERY), mode, *line)
    return Player(mode, command, control)


def actor(role: str, control: Control = CALM, line: Sequence[str] = LINE, **changes: Any) -> Player:
    """An engine of actor.py, by the name of its role."""
    command = (sys.executable, "-S", "-E", str(ACTOR), role, *line)
    return replace(Player(role.partition("=")[0], command, control), **changes)


def job_of(*players: Player, cpus: tuple[int, ...] = (), **settings: Any) -> Job:
    return Job(7, "1", OPENING, players, Settings(**settings), cpus)


def play(*players: Player, **settings: Any) -> Played:
    return play_game(job_of(*players, **settings))
