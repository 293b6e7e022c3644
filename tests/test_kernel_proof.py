"""What the kernel proves is so, and it proves all there is to prove, in both lives."""

import os
from collections.abc import Iterator
from functools import cache
from itertools import combinations, zip_longest
from random import Random
from types import ModuleType

import pytest
from kernels import board_of, contents, random_game

from thrive_engine import START, Position, Side
from thrive_engine.games.thrive import board
from thrive_engine.games.thrive.board import Pieces
from thrive_engine.games.thrive.values import FULL, HOLE_BITS, HOLES, SQUARE_SHIFT, SQUARES
from thrive_engine.search.bridge import turn_of

TIMES = int(os.environ.get("THRIVE_PROOFS", "1"))
"""How many times the usual number of positions are proven; make slow proves more."""

# Search by the rules alone. Of the turns that a movement begins only those are told apart that can
# differ: pegs end a game only where two face two.


@cache
def wins_at_once(own: Pieces, enemy: Pieces) -> bool:
    """Whether a turn wins."""
    return any(_wins_with(own, enemy, movement) for movement in board.movements(own, enemy))


def _wins_with(own: Pieces, enemy: Pieces, movement: int) -> bool:
    own, enemy = _moved(own, enemy, movement)
    if board.is_over(own, enemy):
        return _has_won(own, enemy)
    return len(own) == len(enemy) == 2 and any(map(board.has_full, _pegged(own)))


@cache
def loses_next(own: Pieces, enemy: Pieces) -> bool:
    """Whether the other side wins with its next turn after every turn, or has won."""
    return all(_loses_after(*after) for after in _turns(own, enemy))


def _loses_after(own: Pieces, enemy: Pieces) -> bool:
    if board.is_over(own, enemy):
        return not _has_won(own, enemy)
    return wins_at_once(enemy, own)


@cache
def wins_in_two(own: Pieces, enemy: Pieces) -> bool:
    """Whether there is a turn after which every answer loses."""
    return any(
        not board.is_over(mine, theirs) and loses_next(theirs, mine)
        for mine, theirs in _turns(own, enemy)
    )


def _turns(own: Pieces, enemy: Pieces) -> Iterator[tuple[Pieces, Pieces]]:
    """What every turn leads to: all movements with some pegs first, then with others."""
    by_movement = (
        _after(*_moved(own, enemy, movement)) for movement in board.movements(own, enemy)
    )
    for some in zip_longest(*by_movement):
        yield from (after for after in some if after is not None)


def _after(own: Pieces, enemy: Pieces) -> Iterator[tuple[Pieces, Pieces]]:
    if board.is_over(own, enemy):
        yield own, enemy
    else:
        for pegged in _pegged(own):
            yield pegged, enemy


def _moved(own: Pieces, enemy: Pieces, movement: int) -> tuple[Pieces, Pieces]:
    return board.moved(own, enemy, movement >> 6, movement & 63) if movement else (own, enemy)


def _pegged(own: Pieces) -> Iterator[Pieces]:
    free = [
        (number, bit)
        for number, packed in enumerate(own)
        for bit in HOLE_BITS
        if bit & FULL and not packed & bit
    ]
    for pegs in combinations(free, min(2, len(free))):
        pieces = list(own)
        for number, bit in pegs:
            pieces[number] |= bit
        yield tuple(pieces)


def _has_won(own: Pieces, enemy: Pieces) -> bool:
    """Whether the side that has just moved has won a game that is over."""
    if len(own) == 1 or len(enemy) == 1:
        return len(enemy) == 1
    return board.has_full(own)


# Positions


def made(random: Random, white: int, black: int, pegs: list[int]) -> Position:
    """A position with so many pieces, each with one of these numbers of pegs."""
    squares = random.sample(SQUARES, white + black)
    packed = [
        square << SQUARE_SHIFT
        | sum(HOLE_BITS[hole] for hole in random.sample(HOLES, random.choice(pegs)))
        for square in squares
    ]
    sides = tuple(sorted(packed[:white])), tuple(sorted(packed[white:]))
    return Position(*sides, random.choice([Side.WHITE, Side.BLACK]), 1)


KINDS = {
    "two against two, few pegs": (2, 2, [1, 2, 3, 4], 2),
    "two against two, some pegs": (2, 2, [2, 5, 8], 1),
    "a filling race": (2, 2, [19, 20, 21, 22], 8),
    "a filling race far away": (2, 2, [1, 20, 21], 1),
    "two against three, nearly full": (2, 3, [22, 23, 24], 8),
    "three against two, nearly full": (3, 2, [22, 23, 24], 8),
    "two against three, full or empty": (2, 3, [1, 2, 24], 8),
    "three against two, full or empty": (3, 2, [1, 2, 24], 8),
    "three against three": (3, 3, [1, 2, 3], 6),
    "three against three, nearly full": (3, 3, [23, 24], 6),
    "four against three": (4, 3, [1, 2, 3], 4),
}
"""Numbers of pieces, the pegs that they have, and how many positions are tried."""


@cache
def made_of(kind: str) -> list[Position]:
    white, black, pegs, number = KINDS[kind]
    random = Random(kind)
    found = list[Position]()
    while len(found) < number * TIMES:
        position = made(random, white, black, pegs)
        if position.outcome is None:
            found.append(position)
    return found


kinds = pytest.mark.parametrize("kind", KINDS)


@kinds
def test_a_win_at_once_is_found_exactly_where_there_is_one(kernel: ModuleType, kind: str) -> None:
    for position in made_of(kind):
        turn = kernel.Proof().find_win(board_of(kernel, position))
        assert bool(turn) == wins_at_once(position.own, position.enemy), position
        if turn:
            outcome = position.play(turn_of(turn)).outcome
            assert outcome is not None
            assert outcome.winner == position.player


def undecided(kind: str) -> Iterator[Position]:
    """Positions in which no turn wins."""
    for position in made_of(kind):
        if not wins_at_once(position.own, position.enemy):
            yield position


@kinds
def test_a_win_in_two_is_found_exactly_where_there_is_one(kernel: ModuleType, kind: str) -> None:
    for position in undecided(kind):
        turn = kernel.Proof().find_win_in_two(board_of(kernel, position))
        assert bool(turn) == wins_in_two(position.own, position.enemy), position
        if turn:
            after = position.play(turn_of(turn))
            assert after.outcome is None
            assert loses_next(after.own, after.enemy), position


@kinds
def test_a_loss_is_seen_exactly_where_there_is_one(kernel: ModuleType, kind: str) -> None:
    for position in undecided(kind):
        lost = kernel.Proof().is_proven_lost(board_of(kernel, position))
        assert lost == loses_next(position.own, position.enemy), position


@pytest.mark.parametrize("seed", range(3))
def test_a_proof_leaves_the_board_as_it_was(kernel: ModuleType, seed: int) -> None:
    proof = kernel.Proof()
    for position, _ in random_game(START, Random(seed)):
        there = board_of(kernel, position)
        before = contents(there)
        movements = there.list_movements()
        proof.find_win(there)
        proof.find_win_in_two(there)
        proof.is_proven_lost(there)
        assert contents(there) == before
        assert there.list_movements() == movements


def test_random_games_end_by_wins_that_were_found(kernel: ModuleType) -> None:
    proof, random = kernel.Proof(), Random(7)
    for _ in range(5 * TIMES):
        for position, _ in random_game(START, random):
            found = bool(proof.find_win(board_of(kernel, position)))
            assert found == wins_at_once(position.own, position.enemy), position
