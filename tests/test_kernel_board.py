"""The kernel's board keeps the rules, in both lives."""

from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels import board_of, contents, random_game, state_of
from strategies import NEARLY_FULL, legal_turns, open_positions, positions
from vectors import read_cases

from thrive_engine import START, Position, parse_position, parse_turn
from thrive_engine.games.thrive.values import movement_code
from thrive_engine.search.bridge import code_of

SEEDS = range(6)
MOST_MADE = {"compiled": 8_000_000, "interpreted": 40_000}
"""How many turns a perft may make in a test."""


def vectors(counting: bool) -> list[Any]:
    """What perft is called with in which life, and what it gives."""
    return [
        pytest.param(life, case["position"], int(depth), leaves, id=f"{life}-{number}-{depth}")
        for life, most in MOST_MADE.items()
        for number, case in enumerate(read_cases("perft.json"))
        for depth, leaves in case["perft"].items()
        if (case["perft"].get(str(int(depth) - 1), 1) if counting else leaves) <= most
    ]


def agrees(board: Any, position: Position) -> None:
    """The board holds the position and knows its movements and the number of its turns."""
    assert tuple(board.pieces(0)) == position.white
    assert tuple(board.pieces(1)) == position.black
    assert board.to_move == position.side
    assert board.state == state_of(position)
    movements = map(movement_code, position.legal_movements)
    assert sorted(board.list_movements()) == sorted(movements)
    assert board.count_turns() == len(position.legal_turns)


@given(position=positions)
def test_a_position_is_set_up_as_it_is(kernel: ModuleType, position: Position) -> None:
    agrees(board_of(kernel, position), position)


@given(data=st.data())
def test_a_turn_is_made_and_taken_back(kernel: ModuleType, data: st.DataObject) -> None:
    position = data.draw(open_positions)
    turn = data.draw(legal_turns(position))
    board = board_of(kernel, position)
    before = contents(board)
    board.play(code_of(turn))
    after = position.play(turn)
    agrees(board, after)
    assert board.identity == board_of(kernel, after).identity
    board.take_back(code_of(turn))
    assert contents(board) == before
    agrees(board, position)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("start", [START, NEARLY_FULL], ids=["start", "nearly full"])
def test_a_game_is_played_and_taken_back(kernel: ModuleType, start: Position, seed: int) -> None:
    random = Random(seed)
    board = board_of(kernel, start)
    played = []
    for position, code in random_game(start, random):
        agrees(board, position)
        assert board.identity == board_of(kernel, position).identity
        played.append((contents(board), code))
        board.play(code)
        if len(played) == kernel.board.MOST_TURNS:
            break
    while played:
        before, code = played.pop()
        board.take_back(code)
        assert contents(board) == before


def test_the_same_position_has_the_same_key_by_every_way(kernel: ModuleType) -> None:
    ways = [
        ["a1a2+a2bc", "a6a5+a5vw", "b1b2+b2bc", "b6b5+b5vw"],
        ["b1b2+b2bc", "b6b5+b5vw", "a1a2+a2bc", "a6a5+a5vw"],
    ]
    keys = set()
    for way in ways:
        position, board = START, board_of(kernel, START)
        for text in way:
            turn = parse_turn(text, position)
            board.play(code_of(turn))
            position = position.play(turn)
        keys.add(board.identity)
    assert len(keys) == 1


def test_pieces_in_another_order_have_the_same_key(kernel: ModuleType) -> None:
    board, other = kernel.Board(), kernel.Board()
    white, black = list(START.white), list(START.black)
    board.set_up(white, black, 0)
    other.set_up(white[::-1], black[::-1], 0)
    assert contents(board) == contents(other)


@given(position=positions, other=positions)
def test_other_positions_have_other_keys(
    kernel: ModuleType, position: Position, other: Position
) -> None:
    keys = {board_of(kernel, each).identity for each in (position, position.turned(), other)}
    assert len(keys) == len({position.identity, position.turned().identity, other.identity})


@given(data=st.data())
def test_the_side_to_move_changes_the_key(kernel: ModuleType, data: st.DataObject) -> None:
    position = data.draw(positions)
    board, other = kernel.Board(), kernel.Board()
    board.set_up(list(position.white), list(position.black), 0)
    other.set_up(list(position.white), list(position.black), 1)
    assert board.identity != other.identity


@pytest.mark.parametrize(
    ("kernel", "text", "depth", "leaves"), vectors(counting=False), indirect=["kernel"]
)
def test_perft_leaf_by_leaf(kernel: ModuleType, text: str, depth: int, leaves: int) -> None:
    assert board_of(kernel, parse_position(text)).perft(depth) == leaves


@pytest.mark.parametrize(
    ("kernel", "text", "depth", "leaves"), vectors(counting=True), indirect=["kernel"]
)
def test_perft_by_counting(kernel: ModuleType, text: str, depth: int, leaves: int) -> None:
    board = board_of(kernel, parse_position(text))
    before = contents(board)
    assert board.perft_counting(depth) == leaves
    assert contents(board) == before


def test_a_board_can_be_set_up_again(kernel: ModuleType) -> None:
    board = board_of(kernel, NEARLY_FULL)
    board.set_up(list(START.white), list(START.black), 0)
    assert contents(board) == contents(board_of(kernel, START))
