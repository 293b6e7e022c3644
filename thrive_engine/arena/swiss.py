"""Swiss tournaments: everyone plays every round, against players with as many points.

The pairings are a function of the results so far. Within a group of equal points the upper half
meets the lower half; who finds no opponent there meets the best of the next group. Nobody meets an
opponent again while any set of pairings for the whole round avoids it. With an odd number, the
lowest player who has had the fewest byes rests, and gets the points of a won meeting.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from thrive_engine.arena.matching import MayMeet, has_perfect_matching
from thrive_engine.arena.schedule import Pairing, Points, check_players


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place: points (byes included), and the sum of its opponents' points."""

    player: str
    points: float
    buchholz: float
    byes: int


def swiss(
    players: Sequence[str], rounds: int, results: Points, pairs: int = 1
) -> Iterator[Pairing]:
    """The pairings of all rounds that can be paired: each once the round before it is finished.

    Players are in the order of their seeds, best first. Each meeting has this many pairs.
    """
    for meetings in _rounds(players, rounds, results, pairs):
        yield from meetings


def swiss_standings(
    players: Sequence[str], rounds: int, results: Points, pairs: int = 1
) -> list[Standing]:
    """The players, best first: by points, then Buchholz, then seed. Unfinished meetings count."""
    state = _State(players, pairs)
    for meetings in _rounds(players, rounds, results, pairs):
        state.add(meetings, results)
    points = state.points
    standings = [
        Standing(
            player,
            points[player],
            sum(points[other] * times for other, times in state.met[player].items()),
            state.byes[player],
        )
        for player in players
    ]
    return sorted(standings, key=lambda each: (-each.points, -each.buchholz))


def _rounds(
    players: Sequence[str], rounds: int, results: Points, pairs: int
) -> Iterator[list[Pairing]]:
    check_players(players)
    state = _State(players, pairs)
    for number in range(rounds):
        meetings = _round(state, number)
        yield meetings
        if any(pairing.number not in results for pairing in meetings):
            return
        state.add(meetings, results)


class _State:
    """Points, opponents and byes after some rounds."""

    def __init__(self, players: Sequence[str], pairs: int) -> None:
        self.players = players
        self.pairs = pairs
        self.points = dict.fromkeys(players, 0.0)
        self.byes = dict.fromkeys(players, 0)
        self.met: dict[str, Counter[str]] = {player: Counter() for player in players}

    def add(self, meetings: Sequence[Pairing], results: Points) -> None:
        """Count a round, as far as it is finished."""
        resting = set(self.players)
        for pairing in meetings:
            one, two = pairing.players
            resting -= {one, two}
            if pairing.number in results:
                self.points[one] += results[pairing.number]
                self.points[two] += 2 - results[pairing.number]
        for pairing in meetings[:: self.pairs]:
            one, two = pairing.players
            self.met[one][two] += 1
            self.met[two][one] += 1
        for player in resting:
            self.byes[player] += 1
            self.points[player] += 2 * self.pairs


def _round(state: _State, number: int) -> list[Pairing]:
    ranked = sorted(state.players, key=lambda player: -state.points[player])
    most = 0
    while (opponents := _paired(state, ranked, most)) is None:
        most += 1
    first = number * len(opponents) * state.pairs
    return [
        Pairing(first + at * state.pairs + pair, players, number * state.pairs + pair)
        for at, players in enumerate(opponents)
        for pair in range(state.pairs)
    ]


def _paired(state: _State, ranked: list[str], most: int) -> list[tuple[str, str]] | None:
    """The pairs of a round in which nobody meets an opponent met more than ``most`` times."""

    def may_meet(one: str, two: str) -> bool:
        return state.met[one][two] <= most

    waiting = _without_bye(state, ranked, may_meet) if len(ranked) % 2 else list(ranked)
    if waiting is None or not has_perfect_matching(waiting, may_meet):
        return None
    pairs = []
    while waiting:
        one = waiting.pop(0)
        for two in _candidates(state.points, one, waiting):
            rest = [player for player in waiting if player != two]
            if may_meet(one, two) and has_perfect_matching(rest, may_meet):
                pairs.append((one, two))
                waiting = rest
                break
    return pairs


def _without_bye(state: _State, ranked: Sequence[str], may_meet: MayMeet) -> list[str] | None:
    """The players without the one who rests; None where the others can't be paired."""
    for resting in sorted(ranked, key=lambda each: (state.byes[each], -ranked.index(each))):
        rest = [player for player in ranked if player != resting]
        if has_perfect_matching(rest, may_meet):
            return rest
    return None


def _candidates(points: Mapping[str, float], one: str, waiting: Sequence[str]) -> list[str]:
    """The opponents for the best player, best choice first."""
    group = [player for player in waiting if points[player] == points[one]]
    middle = max(0, (len(group) + 1) // 2 - 1)
    return [*group[middle:], *reversed(group[:middle]), *waiting[len(group) :]]
