"""The searcher that looks one turn deep: it plays what looks best at once."""

from collections.abc import Iterator
from itertools import islice
from math import inf
from typing import Any

from thrive_engine.search.base import Info, Request, Score, Stop, is_drawn, root_turns

WIDTH = 256
"""How many of the most promising turns are looked at."""


LOST = 9_999
"""The score of a turn by which its own player loses."""


class GreedySearcher:
    """Judges the position after each promising turn, and wins where one turn is enough."""

    def search(self, request: Request, stop: Stop) -> Iterator[Info]:
        width = max(WIDTH, request.multipv)
        if request.nodes is not None:
            width = max(min(width, request.nodes), 1)
        judged: list[tuple[Score, object]] = []
        for draft in islice(root_turns(request, width), width):
            score = _judge(request, draft)
            judged.append((score, draft.turn))
            if stop.is_due:
                break
        best = sorted(judged, key=lambda each: _rank(each[0]))
        for number, (score, turn) in enumerate(best[: request.multipv], start=1):
            yield Info(
                depth=1,
                seldepth=1,
                multipv=number,
                score=score,
                nodes=len(judged),
                time=stop.elapsed,
                pv=(turn,),
            )

    def forget(self) -> None:
        """Nothing is learned."""


def _judge(request: Request, draft: Any) -> Score:
    """What a turn is worth to its player: exact where it ends the game, else at a glance."""
    position = draft.position
    outcome = position.outcome
    if outcome is None:
        return Score(cp=0 if is_drawn(request, position) else -request.rules.evaluate(position))
    if outcome.winner == request.position.player:
        return Score(mate=1)
    return Score(cp=0 if outcome.winner is None else -LOST)


def _rank(score: Score) -> float:
    return -inf if score.cp is None else -score.cp


Searcher = GreedySearcher
