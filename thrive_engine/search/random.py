"""The searcher that plays any legal turn, each as likely as any other."""

from collections.abc import Iterator
from random import Random

from thrive_engine.search.base import Info, Request, Stop, root_drafts

TRIES = 64
"""How often another turn is drawn in vain before it is taken that there are no more."""


class RandomSearcher:
    """Draws its turns; the same seed in the same position draws the same ones."""

    def search(self, request: Request, stop: Stop) -> Iterator[Info]:
        random = Random(f"{request.seed} {request.position}")  # noqa: S311 a game, no secret
        turns: dict[object, None] = {}
        vain = 0
        while len(turns) < request.multipv and vain < TRIES:
            draft = random.choice(root_drafts(request))
            turn = request.rules.sample(draft, random.randrange).turn
            vain = vain + 1 if turn in turns else 0
            turns[turn] = None
            if stop.is_due:
                break
        for number, turn in enumerate(turns, start=1):
            yield Info(depth=1, multipv=number, nodes=len(turns), time=stop.elapsed, pv=(turn,))

    def forget(self) -> None:
        """Nothing is learned."""


Searcher = RandomSearcher
