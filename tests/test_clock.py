"""How much time a turn is given: never what there is not."""

from math import inf, isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrive_engine.search.base import Limit
from thrive_engine.search.clock import TURNS_LEFT, allot

seconds = st.floats(-1e12, 1e12) | st.integers(-20, 20).map(float)
overheads = st.floats(0, 5)
turns_to_go = st.none() | st.integers(1, 10**18)


@given(seconds, seconds, turns_to_go, overheads, st.integers(0, 1))
def test_never_less_than_nothing_and_never_more_than_is_on_the_clock(
    clock: float, increment: float, movestogo: int | None, overhead: float, seat: int
) -> None:
    clocks = (clock, inf) if seat == 0 else (inf, clock)
    increments = (increment, increment)
    limit = Limit(clocks=clocks, increments=increments, movestogo=movestogo)
    soft, hard = allot(limit, seat, overhead)
    assert soft is not None
    assert hard is not None
    assert 0 <= soft <= hard <= max(0.0, clock - overhead)


@given(seconds, seconds, overheads)
def test_the_smaller_of_the_clock_and_the_time_for_the_turn_counts(
    clock: float, movetime: float, overhead: float
) -> None:
    _, by_clock = allot(Limit(clocks=(clock, clock)), 0, overhead)
    _, by_both = allot(Limit(clocks=(clock, clock), movetime=movetime), 0, overhead)
    assert by_clock is not None
    assert by_both is not None
    assert 0 <= by_both <= min(by_clock, max(0.0, movetime))


@given(st.floats(0.1, 1e6), st.floats(0, 100), st.integers(1, 200))
def test_a_whole_game_is_played_within_the_clock(
    clock: float, increment: float, turns: int
) -> None:
    left = clock
    for _ in range(turns):
        _, hard = allot(Limit(clocks=(left, 0.0), increments=(increment, 0.0)), 0, 0.01)
        assert hard is not None
        left -= hard
        assert left >= 0
        left += increment


@given(st.floats(0.1, 1e6), st.integers(1, 60))
def test_the_turns_to_go_are_played_within_the_clock(clock: float, movestogo: int) -> None:
    left = clock
    for number in range(movestogo, 0, -1):
        _, hard = allot(Limit(clocks=(left, left), movestogo=number), 0, 0.0)
        assert hard is not None
        left -= hard
        assert left >= 0


@pytest.mark.parametrize("clock", [0.0, -0.001, -5.0, 0.009])
def test_a_clock_that_has_run_out_leaves_no_time(clock: float) -> None:
    assert allot(Limit(clocks=(clock, 60.0), increments=(3.0, 3.0)), 0, 0.01) == (0, 0)


def test_no_limit_is_no_limit() -> None:
    assert allot(Limit(depth=5, infinite=True), 0, 0.01) == (None, None)


def test_the_clock_of_the_other_player_does_not_count() -> None:
    assert allot(Limit(clocks=(1.0, inf)), 1, 0.01) == (None, None)
    assert allot(Limit(clocks=(1.0,)), 1, 0.01) == (None, None)


def test_more_time_is_given_with_more_on_the_clock_and_with_an_increment() -> None:
    plain, _ = allot(Limit(clocks=(60.0, 60.0)), 0, 0.0)
    richer, _ = allot(Limit(clocks=(120.0, 60.0)), 0, 0.0)
    fed, _ = allot(Limit(clocks=(60.0, 60.0), increments=(1.0, 0.0)), 0, 0.0)
    assert plain is not None
    assert richer is not None
    assert fed is not None
    assert plain < min(richer, fed)


def test_the_last_turn_before_the_control_uses_most_of_what_there_is() -> None:
    _, many = allot(Limit(clocks=(10.0, 10.0), movestogo=TURNS_LEFT), 0, 0.0)
    _, last = allot(Limit(clocks=(10.0, 10.0), movestogo=1), 0, 0.0)
    assert last is not None
    assert 8 < last < 9.5
    assert many is not None
    assert many < 5


def test_huge_numbers_are_only_numbers() -> None:
    huge = 1e15
    limit = Limit(clocks=(huge, huge), increments=(huge, huge), movestogo=10**18, movetime=huge)
    soft, hard = allot(limit, 0, 0.0)
    assert soft is not None
    assert hard is not None
    assert isfinite(soft)
    assert isfinite(hard)
