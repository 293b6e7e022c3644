"""Which of Thrive's many turns are worth a look: the parts and the whole turns to try first.

A movement is judged by the evaluation after it. A peg changes where its piece can go by exactly one
square, so its worth is a difference that costs little: the threat, the guard or the reach that it
gives, or the hole less of a piece that is to be filled. Turns are judged by the sum.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from heapq import nlargest
from itertools import combinations, islice

from thrive_engine.games.thrive import board
from thrive_engine.games.thrive.board import Pieces
from thrive_engine.games.thrive.evaluation import (
    LAST,
    PEG,
    RACE,
    REACH,
    WON,
    appraise,
    studies,
)
from thrive_engine.games.thrive.rules import MOST_PEGS, Draft, Position
from thrive_engine.games.thrive.values import (
    BOARD,
    CENTRE,
    FULL,
    HOLE_BITS,
    ORDER,
    SQUARE_SHIFT,
    SQUARES,
    Hole,
    Movement,
    Peg,
    Side,
    in_order,
    movement_of,
    peg_code,
    peg_of,
)

State = tuple[int, Pieces, Pieces]
"""A movement, and both sides after it, the mover's first."""
Choice = tuple[int, int, int]
"""A peg: its worth, its code, and the piece it threatens or guards, as a mask."""
FEW_PEGS = 8
"""The pegs of which pairs are made, at least."""
QUIET_PEGS = 4
"""The pegs of a piece that are tried for reach alone."""


def candidates(draft: Draft, width: int) -> list[Movement] | list[Peg]:
    """The parts that may follow, the most promising first, at most ``width``."""
    if draft.movement is None:
        states = _ranked(_states(draft), width)
        return [movement_of(movement) for _, (movement, _, _) in states]
    if draft.is_complete:
        return []
    pegs = _pegs(draft.position.own, draft.position.enemy)[:width]
    found = [code for _, code, _ in pegs]
    if len(found) < width:
        known = set(found)
        rest = (code for code in board.free_codes(draft.position.own) if code not in known)
        found += islice(rest, width - len(found))
    return [peg_of(code) for code in found]


def completions(draft: Draft, width: int) -> Iterator[Draft]:
    """Every whole turn that begins with the draft, once; the first ``width`` are promising.

    Those come best first, the rest in no useful order.
    """
    if draft.is_complete:
        yield draft
        return
    found = _promising(draft, width)
    for _, state, pegs in found:
        yield _complete(draft, state, pegs)
    known = {(state[0], *pegs) for _, state, pegs in found}
    count = MOST_PEGS - len(draft.pegs)
    for state in _states(draft):
        free = _free(draft, state)
        for pegs in combinations(free, min(count, len(free))):
            if (state[0], *pegs) not in known:
                yield _complete(draft, state, pegs)


def wins(draft: Draft) -> Iterator[Draft]:
    """Every turn that begins with the draft and wins at once."""
    if draft.is_complete:
        return
    own, enemy = len(draft.position.own), len(draft.position.enemy)
    if enemy > 3 or (enemy == 3 and own > 2):
        return
    for state in _states(draft):
        _, own_after, enemy_after = state
        if draft.movement is None and board.is_over(own_after, enemy_after):
            if _is_won(own_after, enemy_after):
                yield _complete(draft, state, ())
        elif len(own_after) == len(enemy_after) == 2:
            for pegs in _filling(own_after, MOST_PEGS - len(draft.pegs)):
                yield _complete(draft, state, pegs)


def captures(position: Position, width: int) -> Iterator[Draft]:
    """The best few turns that take an enemy piece, each capture with its most promising pegs."""
    own_studies = studies(position.own)
    squares = sum(1 << (packed >> SQUARE_SHIFT) for packed in position.enemy)
    if not any(reach & squares for _, reach, _ in own_studies):
        return
    worth = {bit.bit_length() - 1: value for bit, _, value in studies(position.enemy)}
    found = [
        (worth[target] * 8 - own_worth, bit.bit_length() - 1, target)
        for bit, reach, own_worth in own_studies
        for target in board.bits(reach & squares)
    ]
    draft = position.draft
    for _, origin, target in nlargest(width, found):
        state = (origin << 6 | target, *board.moved(position.own, position.enemy, origin, target))
        is_over = board.is_over(state[1], state[2])
        pegs = [] if is_over else _pegs(state[1], state[2])[:MOST_PEGS]
        yield _complete(draft, state, sorted([code for _, code, _ in pegs]))


def sample(draft: Draft, draw: Callable[[int], int]) -> Draft:
    """A whole turn that begins with the draft, each as likely as any other.

    ``draw(n)`` is a random number from 0 to n - 1.
    """
    if draft.is_complete:
        return draft
    count = MOST_PEGS - len(draft.pegs)
    states = list(_states(draft))
    free = [_free(draft, state) for state in states]
    ways = [board.peg_sets(len(each)) if count == MOST_PEGS else len(each) for each in free]
    number = draw(sum(ways))
    chosen = 0
    while number >= ways[chosen]:
        number -= ways[chosen]
        chosen += 1
    left = free[chosen]
    pegs = [left.pop(draw(len(left))) for _ in range(min(count, len(left)))]
    return _complete(draft, states[chosen], sorted(pegs))


def _states(draft: Draft) -> Iterator[State]:
    """What a draft can be after its movement: for each movement, or only for the one it has."""
    own, enemy = draft.position.own, draft.position.enemy
    if draft.movement is not None:
        yield 0, own, enemy
        return
    for movement in board.movements(own, enemy):
        if movement:
            yield movement, *board.moved(own, enemy, movement >> 6, movement & 63)
        else:
            yield 0, own, enemy


def _ranked(states: Iterable[State], width: int) -> list[tuple[int, State]]:
    """The states that the evaluation likes best, with their worth for the mover."""
    judged = [(-appraise(enemy, own), (movement, own, enemy)) for movement, own, enemy in states]
    for place, (_, state) in enumerate(judged):
        if board.is_over(state[1], state[2]):
            judged[place] = (WON if _is_won(state[1], state[2]) else -WON, state)
    judged.sort(key=lambda each: -each[0])
    return judged[:width]


def _is_won(own: Pieces, enemy: Pieces) -> bool:
    """Whether a movement that ended the game, before any peg, won it for its player."""
    return len(own) > 1 and (len(enemy) == 1 or board.has_full(own))


def _promising(draft: Draft, width: int) -> list[tuple[int, State, tuple[int, ...]]]:
    """The most promising ways to complete a draft; no movement has more than half of them."""
    found: list[tuple[int, State, tuple[int, ...]]] = []
    count = MOST_PEGS - len(draft.pegs)
    if draft.movement is not None:
        states = [(0, state) for state in _states(draft)]
        share = width
    else:
        states = _ranked(_states(draft), 4 + width // 2)
        share = 1 + width // 2
    for worth, state in states:
        _, own, enemy = state
        if draft.movement is None and board.is_over(own, enemy):
            found.append((worth, state, ()))
            continue
        pairs = _pairs(own, enemy, count, share)
        found += [(worth + more, state, pegs) for more, pegs in pairs] or [(worth, state, ())]
    found.sort(key=lambda each: -each[0])
    return found[:width]


def _pairs(own: Pieces, enemy: Pieces, count: int, width: int) -> list[tuple[int, tuple[int, ...]]]:
    """The most promising sets of one or two pegs; none where no hole is empty."""
    pegs = _pegs(own, enemy)
    if count == 1 or len(pegs) == 1:
        return [(worth, (code,)) for worth, code, _ in pegs[:width]]
    pairs: list[tuple[int, tuple[int, ...]]] = [
        (
            first[0] if second[2] & first[2] else first[0] + second[0],
            (first[1], second[1]) if first[1] < second[1] else (second[1], first[1]),
        )
        for first, second in combinations(pegs[: max(FEW_PEGS, min(width, 16))], 2)
    ]
    pairs.sort(reverse=True)
    return pairs[:width]


def _pegs(own: Pieces, enemy: Pieces) -> list[Choice]:
    """The pegs worth placing by the owner, whose enemy moves next; the most promising first."""
    own_studies, enemy_studies = studies(own), studies(enemy)
    own_reach = own_squares = enemy_reach = enemy_squares = 0
    worths: dict[int, int] = {}
    for bit, reach, worth in own_studies:
        own_squares |= bit
        own_reach |= reach
        worths[bit] = LAST if len(own) == 2 else worth
    for bit, reach, worth in enemy_studies:
        enemy_squares |= bit
        enemy_reach |= reach
        worths[bit] = LAST if len(enemy) == 2 else worth
    in_danger = own_squares & enemy_reach & ~own_reach
    weight = RACE.get((len(own), len(enemy)), 0)
    fullest = max([(packed & FULL).bit_count() for packed in own])
    found: list[Choice] = []
    for packed, (bit, _, worth) in zip(own, own_studies, strict=True):
        extra = weight if weight and (packed & FULL).bit_count() == fullest else 0
        free = FULL & ~packed
        square = packed >> SQUARE_SHIFT
        targets = (free << square) >> CENTRE & BOARD & (own_squares | enemy_squares)
        base = _CODES[square]
        while targets:
            target = targets & -targets
            targets ^= target
            value = worths[target]
            if target & enemy_squares:
                if own_reach & target:
                    value >>= 3
                elif enemy_reach & target:
                    value = max(value - worth, 8 * PEG) >> 2
                else:
                    value >>= 1
            elif target & in_danger:
                value = (3 * value) >> 2
            else:
                value >>= 4
            code = base | _HOLES[target.bit_length() - 1 - square + CENTRE]
            found.append((value + PEG + extra, code, target))
        if bit & in_danger:
            # A threatened piece is moved or guarded; pegs for its reach are lost with it.
            found += [(value >> 2, code, 0) for value, code, _ in _quiet(packed)]
        elif extra:
            found += [(value + extra, code, 0) for value, code, _ in _quiet(packed)]
        else:
            found += _quiet(packed)
    found.sort(reverse=True)
    return _distinct(found)


def _distinct(pegs: list[Choice]) -> list[Choice]:
    """The first of the pegs, without those that come again for a lesser reason."""
    found: dict[int, Choice] = {}
    for peg in pegs:
        found.setdefault(peg[1], peg)
    return list(found.values())


@lru_cache(maxsize=1 << 15)
def _quiet(packed: int) -> tuple[Choice, ...]:
    """The pegs of a piece that give it most reach, whatever else stands on the board."""
    square, free = packed >> SQUARE_SHIFT, FULL & ~packed
    [(_, reach, _)] = studies((packed,))
    more = REACH[reach.bit_count() + 1] - REACH[reach.bit_count()] if free else 0
    found = []
    for place in board.bits(free):
        target = square + place - CENTRE
        onto = 0 <= target < 48 and BOARD >> target & 1
        value = PEG + (more + _OUTLOOK[target] if onto else 0)
        found.append((value, _CODES[square] | _HOLES[place], 0))
    found.sort(reverse=True)
    return tuple(found[:QUIET_PEGS])


def _filling(own: Pieces, count: int) -> Iterator[tuple[int, ...]]:
    """The sets of ``count`` pegs, or of as many as there are holes, that fill a piece."""
    free = board.free_codes(own)
    nearly = [set(board.free_codes((packed,))) for packed in own]
    if not any(len(codes) <= count for codes in nearly):
        return
    for pegs in combinations(free, min(count, len(free))):
        if any(codes <= set(pegs) for codes in nearly):
            yield pegs


def _free(draft: Draft, state: State) -> list[int]:
    """The pegs that can follow; none where the movement has ended the game."""
    _, own, enemy = state
    if draft.movement is None and board.is_over(own, enemy):
        return []
    return board.free_codes(own)


def _complete(draft: Draft, state: State, codes: Iterable[int]) -> Draft:
    """The draft with its movement, where it has none yet, and with these pegs."""
    movement, own, enemy = state
    pegs = [peg_of(code) for code in codes]
    for peg in pegs:
        bit, square = HOLE_BITS[peg.hole], peg.square
        own = tuple([each | bit if each >> SQUARE_SHIFT == square else each for each in own])
    if draft.before.side:
        position = Position(enemy, own, Side.WHITE, draft.before.number + 1)
    else:
        position = Position(own, enemy, Side.BLACK, draft.before.number)
    if draft.movement is None:
        return Draft(draft.before, movement_of(movement), tuple(pegs), position)
    return Draft(draft.before, draft.movement, in_order((*draft.pegs, *pegs)), position)


_CODES = {int(square): peg_code(Peg(square, Hole.A)) for square in SQUARES}
_HOLES = {bit.bit_length() - 1: hole for hole, bit in enumerate(HOLE_BITS)}
_OUTLOOK = {
    int(square): min(square.file, 5 - square.file) + min(square.rank, 5 - square.rank)
    for square in ORDER
}
"""A little for squares near the middle of the board, from where more can be reached."""
