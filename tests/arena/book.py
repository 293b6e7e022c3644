"""Engines that are fast to start and always play the same games: a book for trivial.py."""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from pathlib import Path
from random import Random
from typing import Any

from thrive_engine.arena.openings import generated
from thrive_engine.game import Game
from thrive_engine.games import thrive
from thrive_engine.lines import format_position

TRIVIAL = Path(__file__).parent.parent / "engines" / "trivial.py"


def late_openings(count: int) -> list[str]:
    """Positions from which games are short, the same ones every time."""
    return [str(position) for position in islice(generated(thrive, 30, seed=1), count)]


def make_book(folder: Path, names: Sequence[str], openings: Sequence[str]) -> dict[str, list[str]]:
    """The command of a trivial engine for each name: all games between them are in its book."""
    book: dict[str, dict[str, str]] = {name: {} for name in names}
    for players in permutations(names, 2):
        for opening in openings:
            for name, position, turn in _game(players, opening):
                book[name][position] = turn
    commands = {}
    for name, turns in book.items():
        path = folder / f"{name}.book"
        path.write_text("".join(f"{key}\t{turn}\n" for key, turn in turns.items()), "ascii")
        commands[name] = [sys.executable, "-I", "-S", str(TRIVIAL), str(path)]
    return commands


def _game(players: tuple[str, ...], opening: str) -> Iterator[tuple[str, str, str]]:
    """Who is asked about which position, and what the answer is."""
    game = Game(thrive.parse_position(opening))
    while game.outcome is None:
        name = players[game.position.player]
        turn = _choose(name, game.position)
        command = format_position(game.start, game.turns).removeprefix("position ")
        yield name, command, str(turn)
        game.play(turn)


def _choose(name: str, position: Any) -> Any:
    """A win where there is one, else whatever this player takes here."""
    for draft in thrive.wins(position.draft):
        return draft.turn
    random = Random(f"{name} {position}")
    return thrive.sample(position.draft, random.randrange).turn
