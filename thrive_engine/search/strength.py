"""Weaker players: any searcher with less to think about, choosing with less care.

The numbers are nominal. Between levels that are 300 apart the higher one won 27 to 34 of 40 games
with the best searcher, and 14 to 22 of 24 with the alpha-beta: from 500 to 2000 that makes some
1,000 Elo as measured, not 1,500.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from thrive_engine.search.base import Info, Request, Score, Searcher, Stop

ELO_MIN = 500
ELO_MAX = 2000
DOUBT = 240.0
"""How many hundredths of a piece the weakest player overlooks."""
HALVING = 300
"""So many Elo more halve that."""
LINES = 24
FEWER_LINES = 500
"""Among so many turns the weakest player chooses; so many Elo more halve them."""
NODES = 30
DOUBLING = 200
"""The nodes of the weakest player, and the Elo that double them."""
SURE = 3_000.0
"""What is worth more than this, or less, is seen as it is."""
WON = 20_000.0


def weaken(searcher: Searcher, elo: int, seed: int = 0) -> Searcher:
    """A player of about this Elo, from a searcher; the same seed plays the same game."""
    return _Weakened(searcher, elo, seed)


class _Weakened:
    """Lets the searcher look at few nodes, and prefers good turns without always finding them.

    What the searcher says on the way is passed on; the answer, chosen in the end, may be another.
    """

    def __init__(self, searcher: Searcher, elo: int, seed: int) -> None:
        above = max(min(elo, ELO_MAX), ELO_MIN) - ELO_MIN
        self._searcher = searcher
        self._doubt = DOUBT * 0.5 ** (above / HALVING)
        self._lines = max(round(LINES * 0.5 ** (above / FEWER_LINES)), 2)
        self._nodes = round(NODES * 2 ** (above / DOUBLING))
        self._seed = seed

    def search(self, request: Request, stop: Stop) -> Iterator[Info]:
        nodes = self._nodes if request.nodes is None else min(self._nodes, request.nodes)
        lines = max(self._lines, request.multipv)
        weaker = replace(request, nodes=nodes, multipv=lines, threads=1)
        latest: dict[int, Info] = {}
        for info in self._searcher.search(weaker, stop):
            if info.pv:
                latest[info.multipv] = info
            if info.multipv <= request.multipv:
                yield info
        yield from self._shuffled(request, list(latest.values()))

    def forget(self) -> None:
        self._searcher.forget()

    def _shuffled(self, request: Request, lines: list[Info]) -> list[Info]:
        """The lines in the order in which this player sees them."""
        random = Random(f"{self._seed} {request.seed} {request.position}")  # noqa: S311 a game
        worth = {line.multipv: _worth(line) for line in lines}
        seen = {
            number: value + random.gauss(0, self._doubt) if abs(value) < SURE else value
            for number, value in worth.items()
        }
        order = sorted(lines, key=lambda line: -seen[line.multipv])[: request.multipv]
        return [replace(line, multipv=number) for number, line in enumerate(order, start=1)]


def _worth(line: Info) -> float:
    score = line.score or Score(cp=0)
    if score.mate is None:
        return float(score.cp or 0)
    return WON - score.mate if score.mate > 0 else -WON - score.mate
