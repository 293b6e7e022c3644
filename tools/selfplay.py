"""Games of the engine against itself, from which the evaluation learns.

    python -m tools.selfplay FILE --games 6000 --nodes 2000 --seed 1 [--weights WEIGHTS]

A game begins with two to eight turns that are chosen with a random error; later one turn in thirty
is. Everything follows from the seed, whatever the number of processes. FILE is a numpy archive with
a row for each position that was searched:

- ``pieces`` (12 x uint64): White's six and Black's six, ``(square << 37 | pegs) + 1``, 0 for none;
- ``side`` (int8): who is to move; ``value`` (int16): what the search said for that side;
- ``result`` (float32): 1, 0.5 or 0, what that side got; ``game`` (int32): the number of the game.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from thrive_engine.games import thrive
from thrive_engine.search import kernel
from thrive_engine.search.base import Request, Stop
from thrive_engine.search.bridge import setup_of, turn_of
from thrive_engine.search.pvs import PvsSearcher

MOST_TURNS = 200
RANDOM_TURNS = (2, 8)
ERRORS = (10, 25, 60)
"""In hundredths of a piece: each game has one of them."""
SLIP = 1 / 30
MOVEMENTS, WIDTH = 12, 30
"""How many movements a random turn is chosen from, and how many turns with each."""
HASH = 4
WON = 30_000

Row = tuple[list[int], int, int, float, int]


def main() -> None:
    parser = argparse.ArgumentParser(description="Play games for the evaluation to learn from.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    wanted = parser.parse_args()
    jobs = [(number, wanted.seed, wanted.nodes, wanted.weights) for number in range(wanted.games)]
    rows: list[Row] = []
    with ProcessPoolExecutor(wanted.processes) as pool:
        for number, game in enumerate(pool.map(_play, jobs, chunksize=20), start=1):
            rows += game
            if number % 500 == 0:
                print(f"{number} games, {len(rows)} positions", flush=True)
    save(wanted.file, rows)


def save(file: Path, rows: list[Row]) -> None:
    pieces, sides, values, results, games = zip(*rows, strict=True)
    np.savez_compressed(
        file,
        pieces=np.array(pieces, np.uint64),
        side=np.array(sides, np.int8),
        value=np.array(values, np.int16),
        result=np.array(results, np.float32),
        game=np.array(games, np.int32),
    )


def _play(job: tuple[int, int, int, Path | None]) -> list[Row]:
    number, seed, nodes, weights = job
    player = _player(weights)
    player.forget()
    random = Random(f"{seed} {number}")
    begin, error = random.randint(*RANDOM_TURNS), random.choice(ERRORS)
    position, seen = thrive.start, []
    for turns in range(MOST_TURNS):
        if position.outcome is not None:
            break
        if turns < begin or random.random() < SLIP:
            turn = _random_turn(position, random, error)
        else:
            turn, value = _best_turn(player, position, nodes)
            seen.append((position, value))
        position = position.play_unchecked(turn)
    outcome = position.outcome
    scores = (0.5, 0.5) if outcome is None else outcome.scores
    return [
        (_pieces(each), each.player, value, scores[each.player], number) for each, value in seen
    ]


@cache
def _player(weights: Path | None) -> PvsSearcher:
    player = PvsSearcher()
    if weights is not None:
        kernel.load_weights(weights.read_bytes())
    return player


def _best_turn(player: PvsSearcher, position: Any, nodes: int) -> tuple[Any, int]:
    *_, last = player.search(Request(thrive, position, nodes=nodes, hash_mb=HASH), Stop())
    assert last.score is not None
    if last.score.mate is not None:
        return last.pv[0], WON if last.score.mate > 0 else -WON
    return last.pv[0], last.score.cp or 0


def _random_turn(position: Any, random: Random, error: float) -> Any:
    """The best turn at a glance, as a player sees it who errs."""
    search = kernel.Search(_small_table(), kernel.Control(), [0])
    search.set_up(*setup_of(position.identity), [])
    movements = search.movements_list()
    random.shuffle(movements)
    turns = [turn for each in movements[:MOVEMENTS] for turn in search.candidates(each, WIDTH)]
    best = max(turns, key=lambda turn: turn[1] + random.gauss(0, error))
    return turn_of(best[0])


@cache
def _small_table() -> Any:
    return kernel.Table(1)


def _pieces(position: Any) -> list[int]:
    white, black, _ = setup_of(position.identity)
    return [
        packed + 1 if packed is not None else 0
        for side in (white, black)
        for packed in (*side, *[None] * (6 - len(side)))
    ]


if __name__ == "__main__":
    main()
