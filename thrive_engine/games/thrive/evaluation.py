"""What a position of Thrive is worth, at a glance: the static evaluation, and its parts by name.

Scores are hundredths of a piece: 100 is what a piece is worth at the start, its peg included. All
of it runs on the integers of board.py, and what is known of a piece on its square is kept.
"""

from thrive_engine.games.thrive.board import Pieces
from thrive_engine.games.thrive.rules import Position
from thrive_engine.games.thrive.values import BOARD, CENTRE, FULL, PEGS, SQUARE_SHIFT, Side

WON = 5000
"""The worth of a turn that ends the game."""
PIECE = 84
PEG = 4
REACH: tuple[int, ...]
REACH = (0, 12, 23, 33, 42, 50, 58, 65, 72, 78, 84, 90, 95, 100, 105, 110, 114, 118, 122, 126)
REACH += (130, 133, 136, 139, 142)
"""For the number of squares that a piece can go to: each more is worth a little less."""
LAST = 500
"""What the last but one piece is worth, whose loss loses the game."""
TEMPO = 10
HOLES = 24
HANGING = ((3, 1), (0, 1))
"""Quarters of the worth of the most and the second most valuable piece that can be taken: by the
side to move, and by the other side: of its victims, one can get out of the way."""
RACE = {(2, 2): 12, (2, 3): 4, (3, 2): 4, (3, 3): 2}
"""What a peg of the fullest piece is worth beyond itself, when so many pieces face so many."""
AHEAD = 800
"""What it is worth to be the first to fill a piece in one turn more, and less if it is further."""

Study = tuple[int, int, int]
_MOST_STUDIES = 1 << 17
_studies: dict[int, Study] = {}


def evaluate(position: Position) -> int:
    """What the position is worth to the side to move."""
    return appraise(position.own, position.enemy)


def explain(position: Position) -> list[tuple[str, tuple[int, ...]]]:
    """The features of the evaluation by name, each with its value for White and for Black.

    White's sum less Black's is the evaluation for White.
    """
    own, enemy = position.own, position.enemy
    ours, theirs = _features(own, enemy, 0), _features(enemy, own, 1)
    if position.side is Side.BLACK:
        ours, theirs = theirs, ours
    return [(name, (ours[name], theirs[name])) for name in ours]


def appraise(own: Pieces, enemy: Pieces) -> int:
    """What pieces are worth to their owner against these enemies; the owner is to move."""
    if len(own) < 3 or len(enemy) < 3:
        end = _end(own, enemy)
        if end:
            return end
    own_studies, enemy_studies = studies(own), studies(enemy)
    total = TEMPO
    own_reach = own_squares = enemy_reach = enemy_squares = 0
    for bit, reach, worth in own_studies:
        own_squares |= bit
        own_reach |= reach
        total += worth
    for bit, reach, worth in enemy_studies:
        enemy_squares |= bit
        enemy_reach |= reach
        total -= worth
    if own_reach & enemy_squares:
        total += hanging(enemy_studies, own_studies, own_reach, enemy_reach, 0)
    if enemy_reach & own_squares:
        total -= hanging(own_studies, enemy_studies, enemy_reach, own_reach, 1)
    if len(own) < 4 and len(enemy) < 4:
        total += race(own, enemy, 0) - race(enemy, own, 1)
    return total


def studies(pieces: Pieces) -> list[Study]:
    """Each piece on its square: the square and where the piece can go, as masks, and its worth."""
    return [_studies.get(packed) or _study(packed) for packed in pieces]


def hanging(
    victims: list[Study], hunters: list[Study], hunted: int, guarded: int, waiting: int
) -> int:
    """What the victims' side stands to lose; ``waiting`` is 1 where it is to move."""
    first = second = 0
    for bit, _, worth in victims:
        if not hunted & bit:
            continue
        loss = LAST if len(victims) == 2 else worth
        if guarded & bit:
            loss = max(loss - min(hunter[2] for hunter in hunters if hunter[1] & bit), 0)
        if loss > first:
            first, second = loss, first
        elif loss > second:
            second = loss
    most, more = HANGING[waiting]
    return (most * first + more * second) >> 2


def race(pieces: Pieces, others: Pieces, waiting: int) -> int:
    """How far the fullest piece is on its way to being full, and whether it is ahead.

    ``waiting`` is 1 for the side that is not to move.
    """
    filled = max([(packed & FULL).bit_count() for packed in pieces])
    worth = RACE.get((len(pieces), len(others)), 0) * filled
    if len(pieces) == len(others) == 2:
        turns = (HOLES - filled + 1) // 2
        other_filled = max([(packed & FULL).bit_count() for packed in others])
        if turns + waiting <= (HOLES - other_filled + 1) // 2:
            worth += AHEAD // (turns + 1)
    return worth


def _study(packed: int) -> Study:
    if len(_studies) >= _MOST_STUDIES:
        _studies.clear()
    square, pegs = packed >> SQUARE_SHIFT, packed & PEGS
    reach = (pegs << square) >> CENTRE & BOARD
    worth = PIECE + PEG * pegs.bit_count() + REACH[reach.bit_count()]
    _studies[packed] = found = (1 << square, reach, worth)
    return found


def _end(own: Pieces, enemy: Pieces) -> int:
    """A game that is over or that the next turn wins; 0 where it goes on."""
    if len(own) == 1 or len(enemy) == 1:
        return -WON if len(own) == 1 else WON
    if len(own) == len(enemy) == 2:
        end = _end_by_filling(own, enemy)
        if end:
            return end
    if len(enemy) > 2:
        return 0
    squares = 1 << (enemy[0] >> SQUARE_SHIFT) | 1 << (enemy[1] >> SQUARE_SHIFT)
    return WON if any(reach & squares for _, reach, _ in studies(own)) else 0


def _end_by_filling(own: Pieces, enemy: Pieces) -> int:
    holes = HOLES - max([(packed & FULL).bit_count() for packed in own])
    enemy_holes = HOLES - max([(packed & FULL).bit_count() for packed in enemy])
    if holes == 0 or enemy_holes == 0:
        return -WON if enemy_holes == 0 else WON
    return WON if holes <= 2 else 0


def _features(pieces: Pieces, others: Pieces, waiting: int) -> dict[str, int]:
    """The features of one side; ``waiting`` is 1 for the side that is not to move."""
    own_studies, other_studies = studies(pieces), studies(others)
    end = _end(others, pieces) if waiting else _end(pieces, others)
    reach = other_reach = 0
    for _, to, _ in own_studies:
        reach |= to
    for _, to, _ in other_studies:
        other_reach |= to
    won = max(-end if waiting else end, 0)
    quiet = end == 0
    return {
        "pieces": quiet * PIECE * len(pieces),
        "pegs": quiet * PEG * sum((each & FULL).bit_count() for each in pieces),
        "reach": quiet * sum(REACH[to.bit_count()] for _, to, _ in own_studies),
        "threats": quiet * hanging(other_studies, own_studies, reach, other_reach, waiting),
        "race": quiet * race(pieces, others, waiting),
        "tempo": quiet * (0 if waiting else TEMPO),
        "win": won,
    }
