"""Knockout tournaments: who loses a meeting is out.

The pairings are a function of the results so far. Seeds meet as late as they can: the first two
only in the final. Where the number of players is no power of two, the first seeds skip the first
round. A tied meeting is continued by single pairs; if it is still tied after ``MOST_EXTRA`` of
them, the higher seed goes on. Every meeting owns a block of numbers, long enough for all its pairs,
so numbers don't depend on the order in which meetings end; not every number is used.
"""

from collections.abc import Iterator, Sequence

from thrive_engine.arena.schedule import Pairing, Points, check_players

MOST_EXTRA = 4
"""How many more pairs a tied meeting gets."""


def knockout(players: Sequence[str], results: Points, pairs: int = 1) -> Iterator[Pairing]:
    """The pairings of all meetings whose players are known, so far as their results ask for.

    Players are in the order of their seeds, best first. Each meeting has this many pairs.
    """
    return iter(_Bracket(players, results, pairs).pairings)


def knockout_winner(players: Sequence[str], results: Points, pairs: int = 1) -> str | None:
    """Who has won the final; None while it is not decided."""
    return _Bracket(players, results, pairs).winner


def seeding(size: int) -> list[int]:
    """The seeds, from 0, in the order of the bracket: neighbours meet in the first round.

    >>> seeding(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < size:
        length = 2 * len(order)
        order = [seed for one in order for seed in (one, length - 1 - one)]
    return order


class _Bracket:
    """The bracket, as far as the results tell it."""

    def __init__(self, players: Sequence[str], results: Points, pairs: int) -> None:
        check_players(players)
        self.seeds = {player: number for number, player in enumerate(players)}
        self.results = results
        self.pairs = pairs
        self.pairings: list[Pairing] = []
        self.winner = self._play(players)

    def _play(self, players: Sequence[str]) -> str | None:
        size = 1 << (len(players) - 1).bit_length()
        places = [players[seed] if seed < len(players) else None for seed in seeding(size)]
        round_ = first = 0
        while len(places) > 1:
            pairs = list(zip(places[::2], places[1::2], strict=True))
            # Nobody is on an empty place of the first round; later, it is not known yet who is.
            places = [
                self._meet(first + at, round_, one, two)
                if one and two
                else (one or two)
                if round_ == 0
                else None
                for at, (one, two) in enumerate(pairs)
            ]
            round_, first = round_ + 1, first + len(pairs)
        return places[0]

    def _meet(self, meeting: int, round_: int, one: str, two: str) -> str | None:
        """Add the pairings of a meeting, and return its winner, or None while it goes on."""
        better, worse = sorted((one, two), key=self.seeds.__getitem__)
        block = self.pairs + MOST_EXTRA
        lead, is_open = 0.0, False
        for pair in range(block):
            if pair >= self.pairs and (lead or is_open):
                break
            number = meeting * block + pair
            self.pairings.append(Pairing(number, (better, worse), round_ * block + pair))
            is_open = is_open or number not in self.results
            lead += self.results.get(number, 1) - 1
        if is_open:
            return None
        return worse if lead < 0 else better
