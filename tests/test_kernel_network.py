"""The evaluation is the same whether looked at afresh or kept up to date, in both lives."""

from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from kernels import board_of, kernel_in, random_game, random_weights
from strategies import NEARLY_FULL, open_positions, positions

from thrive_engine import START, Position
from thrive_engine.search.bridge import turn_of

FRAMES = 260
"""The frames that a network has room for."""
STARTS = pytest.mark.parametrize("start", [START, NEARLY_FULL], ids=["start", "nearly full"])


def judged(kernel: ModuleType, position: Position) -> int:
    board, network = board_of(kernel, position), kernel.Network()
    network.set_up(board)
    worth: int = network.judge(board)
    return worth


@STARTS
def test_a_turn_is_judged_like_the_position_after_it(kernel: ModuleType, start: Position) -> None:
    search = kernel.Search(kernel.Table(1), kernel.Control(), [])
    with random_weights(kernel, seed=1):
        for position, _ in random_game(start, Random(2)):
            search.set_up(list(position.white), list(position.black), int(position.side), [])
            for movement in search.movements_list():
                for turn, worth in search.candidates(movement, 2):
                    after = position.play(turn_of(turn))
                    if after.outcome is None:
                        assert worth == -judged(kernel, after), (position, turn_of(turn))


@STARTS
def test_every_part_is_up_to_date_after_each_half_of_a_turn(start: Position) -> None:
    kernel = kernel_in("interpreted")
    with random_weights(kernel, seed=3):
        for seed in range(3):
            board, network = board_of(kernel, start), kernel.Network()
            network.set_up(board)
            for _, code in random_game(start, Random(seed)):
                movement, first, second = code >> 26, code >> 13 & 8191, code & 8191
                board.make(movement)
                network.moved(board, movement)
                assert frame(network) == fresh(kernel, board)
                board.place(first, second)
                network.placed(board, first, second)
                assert frame(network) == fresh(kernel, board)
                if network.frame + 2 >= FRAMES:
                    break


def fresh(kernel: ModuleType, board: Any) -> dict[str, list[int]]:
    network = kernel.Network()
    network.set_up(board)
    return frame(network)


def frame(network: Any) -> dict[str, list[int]]:
    """All that a network knows in its newest frame."""
    found = {}
    for name, values in vars(network).items():
        if isinstance(values, list) and len(values) % FRAMES == 0:
            size = len(values) // FRAMES
            found[name] = values[size * network.frame : size * (network.frame + 1)]
    assert found
    return found


@given(position=positions)
def test_a_turned_position_is_worth_the_same(kernel: ModuleType, position: Position) -> None:
    assert judged(kernel, position) == judged(kernel, position.turned())


def test_a_turned_position_is_worth_the_same_with_any_weights(kernel: ModuleType) -> None:
    with random_weights(kernel, seed=4):
        for position, _ in random_game(START, Random(5)):
            assert judged(kernel, position) == judged(kernel, position.turned())


@given(position=open_positions)
def test_both_lives_judge_alike(position: Position) -> None:
    assert judged(kernel_in("compiled"), position) == judged(kernel_in("interpreted"), position)


def test_weights_of_another_size_are_refused(kernel: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"weights have \d+ bytes, not 3"):
        kernel.load_weights(b"abc")
