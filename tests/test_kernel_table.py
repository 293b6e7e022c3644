"""The transposition table gives back what was put into it.

What one entry is can be seen only in the interpreted life; that the compiled one does the same
shows in the searches, which take the same way through both.
"""

from random import Random
from types import ModuleType
from typing import Any

import pytest
from kernels import kernel_in

from thrive_engine import START


@pytest.fixture
def table() -> Any:
    return kernel_in("interpreted").Table(1)


def found(table: Any, key: int) -> tuple[int, int, int, int] | None:
    """Turn, value, depth and bound of an entry."""
    data = table.get(key)
    if not data:
        return None
    return data & (1 << 38) - 1, (data >> 38 & 0xFFFF) - 32768, data >> 54 & 63, data >> 60 & 3


def test_what_is_put_is_got(table: Any) -> None:
    random = Random(1)
    for _ in range(1000):
        key = random.getrandbits(64)
        entry = (
            random.getrandbits(38),
            random.randint(-30000, 30000),
            random.randint(0, 63),
            random.randint(1, 3),
        )
        table.clear()
        table.put(key, *entry)
        assert found(table, key) == entry


def test_a_negative_depth_is_kept_as_none(table: Any) -> None:
    table.put(7, 1, 5, -2, 1)
    assert found(table, 7) == (1, 5, 0, 1)


def test_another_key_of_the_same_place_finds_nothing(table: Any) -> None:
    table.put(7, 1, 5, 3, 1)
    assert found(table, 7 + table.places) is None


def test_the_deeper_of_two_stays_and_the_other_finds_room(table: Any) -> None:
    first, second, third = (7 + number * table.places for number in range(3))
    table.put(first, 1, 5, 9, 1)
    table.put(second, 2, 6, 3, 2)
    assert found(table, first) == (1, 5, 9, 1)
    assert found(table, second) == (2, 6, 3, 2)
    table.put(third, 3, 7, 2, 3)
    assert found(table, first) == (1, 5, 9, 1)
    assert found(table, second) is None


def test_an_old_entry_goes_first_however_deep(table: Any) -> None:
    first, second = 7, 7 + table.places
    table.put(first, 1, 5, 9, 1)
    table.grow_old()
    table.put(second, 2, 6, 3, 2)
    assert found(table, first) is None
    assert found(table, second) == (2, 6, 3, 2)


@pytest.mark.parametrize("word", [0, 1])
def test_a_torn_entry_is_passed_over(table: Any, word: int) -> None:
    table.put(7, 1, 5, 3, 1)
    torn = list(table.words)
    table.put(7, 2, -5, 4, 2)
    table.words[4 * 7 + word] = torn[4 * 7 + word]
    assert found(table, 7) is None


def test_a_table_has_as_many_places_as_fit() -> None:
    make = kernel_in("interpreted").Table
    for megabytes in (1, 2, 3, 5):
        size = make(megabytes).places * 32
        assert megabytes << 19 < size <= megabytes << 20


def test_searching_fills_a_table_and_clearing_empties_it(kernel: ModuleType) -> None:
    table = kernel.Table(1)
    assert table.fullness() == 0
    search = kernel.Search(table, kernel.Control(), [])
    for number in range(200):
        search.set_up(list(START.white), list(START.black), 0, [])
        turn = search.candidates(search.movements_list()[number % 6], 40)[number // 6][0]
        search.try_turn(turn, 3, -30000, 30000)
    assert table.fullness() > 0
    table.clear()
    assert table.fullness() == 0


def test_too_large_a_table_is_refused() -> None:
    with pytest.raises(MemoryError):
        kernel_in("compiled").Table(1 << 43)
