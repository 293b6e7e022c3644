"""The ladder of searchers: each rung plays the one below it, at equal time, with colours swapped.

``python -m benchmarks.bench_ladder [GAMES [SECONDS]]`` plays GAMES games a rung with SECONDS a
turn. Openings are random turns; each is played twice, with either colour.
"""

import sys
from math import log, log10, sqrt
from random import Random
from typing import Any

from thrive_engine import Game
from thrive_engine.games import thrive
from thrive_engine.search import load_searcher
from thrive_engine.search.base import Request, Searcher, Stop

LADDER = (
    ("greedy", "random", 0.9),
    ("mcts", "greedy", 0.25),
    ("alphabeta", "greedy", 0.5),
    ("alphabeta", "mcts", 0.0),
)
"""Who plays whom, and the share of points that the first must win, with room for luck."""
GAMES = 12
SECONDS = 0.1
OPENING_TURNS = 4
LONGEST = 400


def main(games: int = GAMES, seconds: float = SECONDS) -> None:
    for upper, lower, least in LADDER:
        results = [_points(upper, lower, number, seconds) for number in range(games)]
        won, drawn, lost = (results.count(points) for points in (1.0, 0.5, 0.0))
        share = sum(results) / games
        print(
            f"ladder: {upper} - {lower}: +{won} ={drawn} -{lost} at {seconds:g} s a turn, "
            f"{_elo(share, games)}"
        )
        assert share >= least, f"{upper} won {share:.0%} against {lower}, not {least:.0%}"


def _points(upper: str, lower: str, number: int, seconds: float) -> float:
    """The points of the upper player in one game; the even games it begins."""
    seat = number % 2
    players = [load_searcher(name) for name in ((upper, lower), (lower, upper))[seat]]
    game = _opening(number // 2)
    while game.outcome is None and len(game.turns) < LONGEST:
        game.play(_answer(players[game.position.player], game, number, seconds))
    return 0.5 if game.outcome is None else game.outcome.scores[seat]


def _opening(seed: int) -> Game:
    random = Random(seed)
    game = Game()
    for _ in range(OPENING_TURNS):
        game.play(thrive.sample(game.position.draft, random.randrange).turn)
    return game


def _answer(player: Searcher, game: Game, seed: int, seconds: float) -> Any:
    history = tuple(position.identity for position in game.positions[:-1])
    request = Request(thrive, game.position, history, seed=seed)
    infos = [info for info in player.search(request, Stop(hard=seconds)) if info.multipv == 1]
    return infos[-1].pv[0]


def _elo(share: float, games: int) -> str:
    """The difference in Elo with its 95 % error, or the least it can be where one won all."""
    if share in (0.0, 1.0):
        share = abs(share - 0.5 / games)
        return f"Elo {'<' if share < 0.5 else '>'} {-400 * log10(1 / share - 1):+.0f}"
    error = 1.96 * sqrt(share * (1 - share) / games) * 400 / log(10) / (share * (1 - share))
    return f"Elo {-400 * log10(1 / share - 1):+.0f} +- {error:.0f}"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *map(float, sys.argv[2:3]))
