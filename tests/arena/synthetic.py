"""Tournaments that nobody played: journals with games as they are wanted."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from thrive_engine.arena.config import Tournament
from thrive_engine.arena.event import game_event
from thrive_engine.arena.job import Control, Played, Player
from thrive_engine.arena.schedule import Format
from thrive_engine.arena.standing import Standing, game_numbers
from thrive_engine.arena.store import Store
from thrive_engine.games import thrive

OPENINGS = (
    str(thrive.start),
    "BrBrBrBrBrBr/6/6/6/Whi5/1WhWhWhWhWh b 1",
    "BrBrBrBrBrBr/6/6/6/1Whi4/Wh1WhWhWhWh b 1",
)
RESULTS = ("0-1", "1/2-1/2", "1-0")


def tournament(names: Sequence[str] = ("ada", "bob"), **values: Any) -> Tournament:
    """A tournament of engines that do not exist."""
    players = tuple(Player(name, ("none", name), Control(time=10, increment=0.1)) for name in names)
    usual = Tournament("?", "2024.05.01", Format.MATCH, players, OPENINGS, pairs=20)
    kind = Format.MATCH if len(names) == 2 else Format.ROUND_ROBIN
    return replace(usual, **{"format": kind, **values})


def played(number: int, players: tuple[str, ...], result: str, **values: Any) -> Played:
    """A game, as plain as can be."""
    usual = {
        "opening": OPENINGS[0],
        "termination": "repetition" if result == "1/2-1/2" else "captured",
        "reason": "captured",
        "turns": 3,
        "seconds": (0.2, 0.1),
        "slowest": (0.15, 0.1),
        "overhead": (0.001, 0.002, 0.003),
        "claims": ((0, 0), (0, 0)),
        "foretold": None,
        "faults": (),
        "record": f'[White "{players[0]}"]\n\n1. a1a2+a2gi {result}\n',
    }
    return Played(**{"number": number, "players": players, "result": result, **usual, **values})


def first_games(plan: Tournament, results: Iterable[str]) -> list[Played]:
    """The first games of the schedule, with these results."""
    pairings = plan.pairings({})
    seats = (
        (number, players, plan.openings[pairing.opening % len(plan.openings)])
        for pairing in pairings
        for number, players in zip(game_numbers(pairing), pairing.games, strict=True)
    )
    return [
        played(number, players, result, opening=opening)
        for (number, players, opening), result in zip(seats, results, strict=False)
    ]


def random_games(plan: Tournament, count: int, seed: int = 1) -> list[Played]:
    """Games with a bit of everything."""
    random = Random(seed)
    rank = {name: at for at, name in enumerate(plan.names)}
    games = []
    for game in first_games(plan, ["1-0"] * count):
        edge = 0.08 * (rank[game.players[1]] - rank[game.players[0]]) + 0.04
        chance = random.random() - edge
        result = "1-0" if chance < 0.42 else "1/2-1/2" if chance < 0.55 else "0-1"
        turns = max(5, round(random.gauss(44, 12)))
        change: dict[str, Any] = {}
        if result != "1/2-1/2":
            words = ["captured"] * 12 + ["filled"] * 5 + ["own capture"] + ["adjudication"] * 3
            change = {"termination": random.choice(words)}
            if random.random() < 0.02:
                loser = game.players["10".index(result[0])]
                word = random.choice(["time", "illegal", "crash"])
                change = {"termination": word, "faults": ((loser, f"{word}: took 10.2 s <late>"),)}
        if change.get("termination") in ("captured", "filled") and random.random() < 0.2:
            told = result if random.random() < 0.9 else "1/2-1/2"
            claims = ((random.randrange(4), int(random.random() < 0.1)), (0, random.randrange(2)))
            change |= {"foretold": told, "claims": claims}
        change["reason"] = change.get("termination", "the same position for the third time")
        games.append(
            replace(
                game,
                result=result,
                turns=turns,
                seconds=(turns / 2 * random.uniform(0.1, 0.2), turns / 2 * random.uniform(0.05, 2)),
                slowest=(random.uniform(0.2, 1), random.uniform(0.5, 5)),
                overhead=tuple(random.expovariate(2000) for _ in range(turns)),
                record=_record(game, result, turns),
                **({"termination": "repetition"} | change),
            )
        )
    return games


def store(folder: Path, plan: Tournament, games: Iterable[Played], name: str = "run") -> Store:
    """The directory of a tournament in which these games were played."""
    found = Store(folder / name)
    found.create(plan)
    events = [game_event(game, game.number) for game in games]
    lines = (json.dumps(event) + "\n" for event in [{"event": "begin", "at": 0.0}, *events])
    found.journal.write_text("".join(lines), encoding="utf-8")
    found.write_games(Standing(plan, events).recorded())
    return found


def _record(game: Played, result: str, turns: int) -> str:
    line = " ".join(f"{at}. a1a2+a2gi {{[%eval 0.12] [%clk 0:00:09.1]}}" for at in range(turns))
    tags = zip(("White", "Black", "Result"), (*game.players, result), strict=True)
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags)
    return f"{head}\n{line} {result}\n"
