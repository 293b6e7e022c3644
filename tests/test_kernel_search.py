"""Both lives search alike, and searches end when they are told to."""

from random import Random
from threading import Thread
from types import ModuleType
from typing import Any

import pytest
from kernels import kernel_in, random_game, random_weights
from strategies import NEARLY_FULL

from thrive_engine import START, Position, parse_position
from thrive_engine.games import thrive
from thrive_engine.search.bridge import turn_of
from thrive_engine.search.kernel.tuning import knobs

DEADLINE = 60.0
POSITIONS = [*map(parse_position, thrive.bench), NEARLY_FULL]
FULL = parse_position("B~B~B~3/6/6/6/6/W~W~W~3 w 1")


def new_search(kernel: ModuleType, position: Position, table: Any = None) -> Any:
    search = kernel.Search(table or kernel.Table(1), kernel.Control(), knobs())
    set_up(search, position)
    return search


def set_up(search: Any, position: Position) -> None:
    search.set_up(list(position.white), list(position.black), int(position.side), [])


def explored(life: str, position: Position, depth: int) -> list[Any]:
    """What is found about some turns of a position, at depths 1 up to this, and with how much."""
    search = new_search(kernel_in(life), position)
    found = [search.static(), search.find_win()]
    movements = search.movements_list()
    for movement in [movements[0], movements[len(movements) // 2], movements[-1]]:
        turns = search.candidates(movement, 4)
        found.append(turns)
        for turn, _ in turns[:2]:
            for ahead in range(1, depth + 1):
                value = search.try_turn(turn, ahead, -30000, 30000)
                found.append((value, search.best_line(), search.node_count, search.height))
    return found


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_both_lives_find_the_same_with_the_same_nodes(position: Position) -> None:
    assert explored("compiled", position, 2) == explored("interpreted", position, 2)


def test_both_lives_find_the_same_in_random_games() -> None:
    random = Random(4)
    for start in (START, NEARLY_FULL):
        for number, (position, _) in enumerate(random_game(start, random)):
            if number % 6 == 0:
                assert explored("compiled", position, 1) == explored("interpreted", position, 1)


def test_both_lives_find_the_same_with_any_weights() -> None:
    with random_weights(kernel_in("compiled"), 6), random_weights(kernel_in("interpreted"), 6):
        for position in (POSITIONS[2], NEARLY_FULL):
            assert explored("compiled", position, 2) == explored("interpreted", position, 2)


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_a_line_is_legal(kernel: ModuleType, position: Position) -> None:
    search = new_search(kernel, position)
    movement = search.movements_list()[0]
    turn = search.candidates(movement, 1)[0][0]
    search.try_turn(turn, 3 if kernel.COMPILED else 2, -30000, 30000)
    for each in [turn, *search.best_line()]:
        assert turn_of(each) in position.legal_turns
        position = position.play(turn_of(each))


def test_a_search_is_repeatable() -> None:
    first = explored("compiled", POSITIONS[2], 4)
    assert explored("compiled", POSITIONS[2], 4) == first


@pytest.mark.parametrize("nodes", [1, 2, 50])
def test_no_more_nodes_are_searched_than_allowed(kernel: ModuleType, nodes: int) -> None:
    search = new_search(kernel, START)
    search.limit(nodes)
    turn = search.candidates(search.movements_list()[0], 1)[0][0]
    search.try_turn(turn, 20, -30000, 30000)
    assert search.is_over
    assert search.node_count <= nodes + 1


def test_a_halted_search_ends_at_once(kernel: ModuleType) -> None:
    control = kernel.Control()
    search = kernel.Search(kernel.Table(1), control, knobs())
    set_up(search, START)
    turn = search.candidates(search.movements_list()[0], 1)[0][0]
    control.halt()
    search.try_turn(turn, 40, -30000, 30000)
    assert search.is_over
    assert search.node_count <= 1


@pytest.mark.parametrize("position", [START, POSITIONS[2], POSITIONS[5], FULL], ids=str)
def test_searches_in_many_threads_share_a_table_and_end_when_halted(position: Position) -> None:
    kernel = kernel_in("compiled")
    table, control = kernel.Table(1), kernel.Control()
    searches = [kernel.Search(table, control, knobs()) for _ in range(3)]

    def think(search: Any) -> None:
        set_up(search, position)
        turns = [search.candidates(each, 1)[0][0] for each in search.movements_list()]
        for depth in range(1, 60):
            for turn in turns:
                search.try_turn(turn, depth, -30000, 30000)

    threads = [Thread(target=think, args=(search,), daemon=True) for search in searches]
    for thread in threads:
        thread.start()
    threads[0].join(0.3)
    control.halt()
    for thread in threads:
        thread.join(DEADLINE)
    assert not any(thread.is_alive() for thread in threads)
    assert all(search.node_count > 0 for search in searches)


def test_a_halted_control_can_be_used_again(kernel: ModuleType) -> None:
    control = kernel.Control()
    search = kernel.Search(kernel.Table(1), control, knobs())
    control.halt()
    control.resume()
    set_up(search, START)
    turn = search.candidates(search.movements_list()[0], 1)[0][0]
    search.try_turn(turn, 1, -30000, 30000)
    assert not search.is_over
