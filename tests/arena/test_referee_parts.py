"""The parts of the referee that are pure: clocks, claims, adjudication, verdicts, job values."""

from math import inf
from pathlib import Path

import pytest

from thrive_engine.arena.adjudication import adjudge
from thrive_engine.arena.claim import Claim, count_claims
from thrive_engine.arena.clock import Clock
from thrive_engine.arena.job import Adjudication, Control, Ending, parse_clock
from thrive_engine.arena.log import LARGEST, LONGEST_LINE, GameLog
from thrive_engine.arena.verdict import Verdict, ending_of, lost, one_line
from thrive_engine.errors import ArenaError, EngineError, Fault, ProtocolError
from thrive_engine.search.base import Limit, Score


@pytest.mark.parametrize(
    ("control", "spent", "left"),
    [
        (Control(time=10), [1, 2], [9, 7]),
        (Control(time=10, increment=0.5), [1, 0], [9.5, 10]),
        (Control(time=10, turns=2), [1, 2, 3], [9, 17, 14]),
        (Control(time=10, turns=1, increment=1), [4], [17]),
        (Control(time=1, margin=0.5), [1.5], [0]),
        (Control(time=1, margin=0.5, increment=0.25), [1.25, 0.25], [0.25, 0.25]),
        (Control(movetime=1, margin=0.5), [1.5, 0.1], [inf, inf]),
        (Control(depth=1), [1000], [inf]),
    ],
)
def test_a_clock_loses_what_is_used_and_gains_what_is_due(
    control: Control, spent: list[float], left: list[float]
) -> None:
    clock, found = Clock(control), []
    for seconds in spent:
        assert clock.spend(seconds)
        found.append(clock.left)
    assert found == pytest.approx(left)


@pytest.mark.parametrize(
    ("control", "spent"),
    [
        (Control(time=1, margin=0.5), [1.51]),
        (Control(time=1, margin=0), [0.5, 0.51]),
        (Control(time=1, margin=0.5, increment=0.25), [1.25, 0.76]),
        (Control(movetime=1, margin=0.5), [0.1, 1.51]),
        (Control(time=10, movetime=1, margin=0), [1.01]),
        (Control(time=1, movetime=10, margin=0), [1.01]),
        (Control(time=1, turns=2, margin=0), [0.5, 0.6]),
    ],
)
def test_a_turn_beyond_the_margin_is_too_late(control: Control, spent: list[float]) -> None:
    clock = Clock(control)
    assert [clock.spend(seconds) for seconds in spent] == [True] * (len(spent) - 1) + [False]


def test_the_turns_to_the_next_time_control_are_counted() -> None:
    clock, found = Clock(Control(time=60, turns=3)), []
    for _ in range(4):
        found.append(clock.turns_left)
        clock.spend(0.0)
    assert found == [3, 2, 1, 3]
    assert Clock(Control(time=60)).turns_left is None


@pytest.mark.parametrize(
    ("control", "limit"),
    [
        (Control(time=5, increment=0.5), Limit(clocks=(4, 3), increments=(0.5, 2))),
        (Control(time=5, turns=9), Limit(clocks=(4, 3), increments=(0, 2), movestogo=8)),
        (Control(movetime=1), Limit(movetime=1)),
        (Control(nodes=10), Limit(nodes=10)),
        (Control(depth=3, time=5), Limit(depth=3, clocks=(4, 3), increments=(0, 2))),
    ],
)
def test_an_engine_is_told_its_own_limits_and_all_clocks(control: Control, limit: Limit) -> None:
    assert control.limit((4, 3), (control, Control(time=9, increment=2)), 8) == limit


def test_no_engine_is_told_that_it_has_no_time_at_all() -> None:
    assert Control(time=5).limit((0.0, inf), (Control(time=5), Control(depth=1)), 0) == Limit(
        clocks=(0.001, inf), increments=(0.0, 0.0)
    )


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({}, "an engine needs a limit: tc, movetime, nodes or depth"),
        ({"time": 0}, "time is 0; it must be more than 0"),
        ({"time": inf}, "time is inf; it must be more than 0"),
        ({"time": float("nan")}, "time is nan; it must be more than 0"),
        ({"nodes": 0}, "nodes is 0; it must be more than 0"),
        ({"depth": -1}, "depth is -1; it must be more than 0"),
        ({"time": 1, "turns": 0}, "turns is 0; it must be more than 0"),
        ({"depth": 1, "margin": -0.1}, "margin is -0.1; it must be 0 or more"),
        ({"depth": 1, "increment": 1.0}, "an increment, or a number of turns, needs a time"),
        ({"depth": 1, "turns": 4}, "an increment, or a number of turns, needs a time"),
    ],
)
def test_a_control_that_makes_no_sense_is_refused(values: dict[str, float], reason: str) -> None:
    with pytest.raises(ArenaError) as caught:
        Control(**values)  # type: ignore[arg-type]
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("60", {"time": 60, "increment": 0}),
        ("60+0.6", {"time": 60, "increment": 0.6}),
        ("40/60.5", {"time": 60.5, "increment": 0, "turns": 40}),
    ],
)
def test_a_time_control_is_read(text: str, values: dict[str, float]) -> None:
    assert parse_clock(text) == values


@pytest.mark.parametrize("text", ["", "1:00", "0/60", "+1", "60+", "1e3", "-1", "60 "])
def test_what_is_no_time_control_is_refused(text: str) -> None:
    with pytest.raises(ArenaError, match="it is \\[TURNS/\\]SECONDS\\[\\+INCREMENT\\]"):
        parse_clock(text)


# Claims: (seat, due), turns that the seats have played, the winner, whether the rules ended it


@pytest.mark.parametrize(
    ("claim", "played", "winner", "is_over", "counted"),
    [
        (Claim(0, 3), (3, 2), 0, True, (1, 0)),
        (Claim(0, 3), (2, 2), 0, True, (1, 0)),
        (Claim(1, 3), (3, 3), 1, True, (1, 0)),
        (Claim(0, 3), (4, 3), 0, True, (0, 1)),
        (Claim(0, 3), (2, 2), 1, True, (0, 1)),
        (Claim(0, 3), (2, 2), None, True, (0, 1)),
        (Claim(0, 3), (2, 2), None, False, (0, 0)),
        (Claim(0, 3), (3, 2), None, False, (0, 1)),
        (Claim(0, 3), (9, 9), None, False, (0, 1)),
    ],
)
def test_a_claim_is_kept_or_broken_or_was_cut_off(
    claim: Claim,
    played: tuple[int, int],
    winner: int | None,
    is_over: bool,
    counted: tuple[int, int],
) -> None:
    counts = count_claims([claim], played, winner, is_over=is_over)
    assert counts[claim.seat] == counted
    assert counts[1 - claim.seat] == (0, 0)


# Adjudication


def scores(*values: int | str | None) -> list[Score | None]:
    """Scores in hundredths; ``#3`` is a win in three."""
    return [
        None
        if value is None
        else Score(mate=int(value[1:]))
        if isinstance(value, str)
        else Score(cp=value)
        for value in values
    ]


RESIGN = Adjudication(resign_score=500, resign_turns=2)
DRAW = Adjudication(draw_score=10, draw_turns=2, draw_from=6)


@pytest.mark.parametrize(
    ("rule", "white", "black", "length", "verdict"),
    [
        (RESIGN, scores(-500, -501), scores(0, 0), 4, "0-1"),
        (RESIGN, scores(0, 0), scores(-600, "#-2"), 4, "1-0"),
        (RESIGN, scores(-600), scores(600), 2, None),
        (RESIGN, scores(-600, -499), scores(600, 600), 4, None),
        (RESIGN, scores(-600, None), scores(600, 600), 4, None),
        (RESIGN, scores(-600, -600, 0), scores(600, 600, 600), 6, None),
        (RESIGN, scores("#2", "#1"), scores(0, 0), 4, None),
        (DRAW, scores(0, 10, -10), scores(99, 0, 0), 6, "1/2-1/2"),
        (DRAW, scores(0, 10, -10), scores(0, 0), 5, None),
        (DRAW, scores(0, 0, 11), scores(0, 0, 0), 6, None),
        (DRAW, scores(0, 0, 0), scores(0, None, 0), 6, None),
        (DRAW, scores(0, 0, "#9"), scores(0, 0, 0), 6, None),
        (Adjudication(length=6), scores(), scores(), 6, "1/2-1/2"),
        (Adjudication(length=6), scores(), scores(), 5, None),
        (Adjudication(), scores(-900, -900, -900), scores(0, 0, 0), 900, None),
    ],
)
def test_a_game_is_adjudged_by_what_the_engines_say(
    rule: Adjudication,
    white: list[Score | None],
    black: list[Score | None],
    length: int,
    verdict: str | None,
) -> None:
    found = adjudge(rule, (white, black), length)
    assert (found and found.result(2)) == verdict
    assert found is None or found.termination == "adjudication"


@pytest.mark.parametrize(
    "values",
    [{"resign_turns": 0}, {"draw_turns": 0}, {"length": 0}, {"played_out": 1.5}, {"draw_from": -1}],
)
def test_an_adjudication_that_makes_no_sense_is_refused(values: dict[str, float]) -> None:
    with pytest.raises(ArenaError, match=next(iter(values))):
        Adjudication(**values)  # type: ignore[arg-type]


# Verdicts


def test_every_fault_has_its_word() -> None:
    words = {fault: ending_of(EngineError("e", fault, "s", "r")).value for fault in Fault}
    by_word = {word: {it.name for it in words if words[it] == word} for word in words.values()}
    assert by_word == {
        "crash": {"START", "EXITED", "CRASHED"},
        "stall": {"HANDSHAKE", "NOT_READY", "STALLED"},
        "time": {"LATE"},
        "protocol": {
            "CLOSED", "OVERLONG", "ENCODING", "NO_TURN", "UNASKED", "NOT_QUIT", "QUIT",
        },
    }  # fmt: skip
    assert ending_of(ProtocolError("no such option")) is Ending.PROTOCOL


def test_who_has_no_time_to_run_out_of_stalls() -> None:
    late = EngineError("e", Fault.LATE, "s", "r")
    assert ending_of(late, is_timed=False) is Ending.STALL


def test_a_result_is_written_for_each_seat() -> None:
    assert lost(0, 2, Ending.CRASH, "x").result(2) == "0-1"
    assert lost(1, 2, Ending.CRASH, "x").result(2) == "1-0"
    assert lost(1, 3, Ending.CRASH, "x").result(3) == "*"
    assert Verdict(None, "repetition", "x", is_drawn=True).result(2) == "1/2-1/2"
    assert Verdict(None, "abandoned", "x").result(2) == "*"


def test_a_reason_is_one_short_line_of_printable_letters() -> None:
    assert one_line("a\x1b[31m\nb\x85\u202e\N{SNOWMAN} 'c' \\") == (
        r"a\x1b[31m\nb\x85\u202e\u2603 'c' " + "\\"
    )
    assert len(one_line("\n" * 10_000)) <= 303


# Logs


def test_a_log_of_an_engine_that_says_too_much_ends(tmp_path: Path) -> None:
    log = GameLog(str(tmp_path), 1, 0, "x")
    for _ in range(LARGEST // LONGEST_LINE + 10):
        log("stdout", "x" * 10 * LONGEST_LINE)
    log.close()
    [path] = tmp_path.iterdir()
    assert path.stat().st_size < LARGEST + 100
    assert path.read_text().endswith("(20000 characters)\n... the rest is not kept\n")
