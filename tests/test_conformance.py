"""The conformance test, itself tested: by our engine, by altered ones, and by the gallery."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from marked import Mark, gallery

from thrive_engine.client import Command
from thrive_engine.conformance import STEPS, Deadlines, Status, Step, StepResult, run

VARIANTS = Path(__file__).parent / "engines" / "variants.py"
STOCKFISH = shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")
"""Debian installs it in /usr/games."""
BY_NAME = {step.name: step for step in STEPS}
BASIC = ("uci", "isready", "go-depth")
WITNESSES = ("bestmove-legal", "info-form", "unknown-command", "option-range", "perft-start")
"""Steps that an altered engine passes, unless they are the ones to catch it."""
HASTY = Deadlines(start=10, answer=0.5)


@pytest.fixture(autouse=True)
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mark]:
    """Whatever is started must be gone at the end."""
    mark = Mark()
    name, _, value = mark.text.partition("=")
    monkeypatch.setenv(name, value)
    yield mark
    assert mark.vanish()


def variant(mode: str) -> list[str]:
    return [sys.executable, str(VARIANTS), mode]


def steps(*names: str) -> list[Step]:
    """The steps of these names, and those that every other needs, in their order."""
    return [step for step in STEPS if step.name in names or step.name in BASIC]


def reasons(command: Command, *names: str, deadlines: Deadlines | None = None) -> dict[str, str]:
    """Why steps failed, by name."""
    results = run(command, steps=steps(*names), deadlines=deadlines)
    return {result.name: result.reason for result in results if result.status is Status.FAIL}


# The steps


def test_there_are_at_least_forty_steps_each_with_a_name_and_a_description() -> None:
    assert len(BY_NAME) == len(STEPS) >= 40
    for step in STEPS:
        assert step.name.islower()
        assert step.description.endswith(".")
        assert len(step.description) <= 90


def test_what_a_step_needs_comes_before_it() -> None:
    seen = {""}
    for step in STEPS:
        assert step.needs in seen
        seen.add(step.name)


# Engines that keep the protocol


def test_our_own_engine_passes_every_step() -> None:
    results = list(run([sys.executable, "-m", "thrive_engine"]))
    assert [result.name for result in results] == list(BY_NAME)
    assert [result for result in results if result.status is not Status.OK] == []
    assert all(result.dialogue and result.seconds > 0 for result in results)


def test_an_engine_without_extensions_is_not_blamed_for_them() -> None:
    extensions = [
        name
        for name in BY_NAME
        if name.startswith(("perft", "legal", "d-", "eval", "bench", "ugi", "query"))
    ]
    names = (*extensions, "refused-pegs", "position-fen", "new-game")
    results = list(run(variant("plain"), steps=steps(*names)))
    assert [result for result in results if result.status is Status.FAIL] == []
    skipped = [result.name for result in results if result.status is Status.SKIP]
    assert skipped == extensions
    assert all("not offered" in r.reason for r in results if r.status is Status.SKIP)


# Engines that are wrong in one way


@pytest.mark.parametrize(
    ("mode", "caught"),
    [
        ("faithful", {}),
        ("miscounts", {"perft-start": "a1a2 is followed by 9453, not by 9454"}),
        ("miscounts-sum", {"perft-start": "but the counts add up to 56718"}),
        ("spells-oddly", {"bestmove-legal": "is not canonical, which is"}),
        ("ponders-always", {"bestmove-alone": "and Ponder is off"}),
        ("says-fractions", {"info-form": "with whole numbers"}),
        ("claims-mate", {"mate-claims": "that does not win in one"}),
        ("extends-line", {"info-pv": "illegal turn 'a1a2+a2gi'"}),
        ("swaps-result", {"d-result": "Result: '0-1"}),
        ("hides-movement", {"legal-movements": "missing: 'b1b2'"}),
        ("refuses-silently", {"unknown-command": "no info string says what is wrong"}),
        ("repeats-line", {"multipv": "the same turn is shown twice"}),
        ("answers-twice", {"one-bestmove": "a second answer to go"}),
        ("clamps", {"option-range": "257' is not refused", "option-kept": "is not refused"}),
        ("loses-position", {"refused-pegs": "d says that the position is"}),
        ("repairs-turns", {"refused-whole": "is not refused", "refused-skips": "is not refused"}),
        ("is-ready-late", {"isready-in-search": "no readyok within 1 s"}),
        ("impatient", {"go-infinite": "before it was asked for"}),
        ("stays", {"quit-idle": "it still runs after 1 s"}),
    ],
)
def test_one_wrong_behaviour_is_caught_by_the_step_for_it(
    mode: str, caught: dict[str, str]
) -> None:
    found = reasons(variant(mode), *WITNESSES, *caught)
    assert found.keys() == caught.keys()
    for name, reason in caught.items():
        assert reason in found[name]


def test_an_illegal_bestmove_is_quoted_with_the_reason_and_the_position() -> None:
    found = reasons(variant("plays-illegally"), "bestmove-legal", "one-bestmove")
    assert found == {
        "bestmove-legal": "bestmove: illegal turn 'a1f6+a1ab': movement 'a1f6' (column 1): "
        "no peg of a1 leads to f6; legal: a1a2, in BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh w 1"
    }


def test_the_dialogue_of_a_failure_ends_with_what_was_wrong() -> None:
    *_, result = run(variant("swaps-result"), steps=steps("d-result"))
    assert result.status is Status.FAIL
    assert any(line.startswith("> position fen") for line in result.dialogue)
    assert "< Result: 0-1 (captured)" in result.dialogue[-3:]


# Engines that misbehave


@pytest.mark.parametrize(
    ("mode", "step", "reason"),
    [
        ("unready", "isready", "no readyok within 0.5 s"),
        ("exits-at-once", "uci", "it exited with code 3"),
        ("stalls", "go-depth", "no bestmove within 0.5 s"),
        ("late", "go-depth", "no bestmove within 0.5 s"),
        ("exits-in-search", "go-depth", "it exited with code 4"),
        ("crashes", "go-depth", "it was ended by SIGSEGV"),
        ("aborts", "go-depth", "it was ended by SIGABRT"),
        ("closes-output", "go-depth", "it closed its output, and lives"),
        ("closes-input", "go-depth", "it closed its input, and lives"),
        ("stubborn", "quit-idle", "it still runs after 1 s"),
        ("floods-errors-and-exits", "go-depth", "it exited with code 5"),
        ("endless", "go-depth", "a line is longer than 65536 bytes"),
        ("half-line", "go-depth", "it exited with code 0 in the middle of the line 'bestmove a'"),
        ("double-fork", "go-depth", "it exited with code 6"),
        ("two-answers", "one-bestmove", "a second answer to go: 'bestmove a0 ponder b1'"),
        ("last-game", "new-game", "'bestmove a1 ponder b2' without a go"),
        ("unasked", "isready", "'bestmove a0 ponder b1' without a go"),
        ("illegal", "bestmove-legal", "bestmove: illegal turn 'a1f6+a1a'"),
        ("empty", "go-depth", "'bestmove' names no turn"),
        ("encoding", "go-depth", r"the line 'bestmove \\xff\\xfe' is not UTF-8"),
        ("good", "bestmove-legal", "bestmove: bad turn 'a0'"),
        ("floods-errors", "bestmove-legal", "bestmove: bad turn 'a0'"),
    ],
)
def test_each_engine_of_the_gallery_fails_where_it_must(mode: str, step: str, reason: str) -> None:
    found = reasons(gallery(mode), step, deadlines=HASTY)
    assert list(found) == [step]
    assert found[step].startswith(reason)


def test_an_engine_that_never_stops_talking_is_not_listened_to_for_ever() -> None:
    found = reasons(gallery("chatty"), deadlines=Deadlines(answer=60))
    assert found == {"go-depth": "more than 4194304 characters are said in one step"}


def test_a_silent_engine_fails_at_once_and_is_asked_nothing_more() -> None:
    first, *rest = run(gallery("silent"), deadlines=Deadlines(start=0.5))
    assert (first.name, first.status) == ("uci", Status.FAIL)
    assert first.reason == "no uciok within 0.5 s"
    assert {result.status for result in rest} == {Status.SKIP}


def test_a_whole_run_with_a_crashing_engine_comes_to_its_end() -> None:
    results = list(run(gallery("crashes"), deadlines=HASTY))
    assert [result.name for result in results] == list(BY_NAME)
    failed = {result.name: result for result in results if result.status is Status.FAIL}
    assert failed["go-depth"].reason == "it was ended by SIGSEGV"
    assert failed.keys() >= {"uci-options", "uci-variant", "unknown-command", "perft-start"}
    assert "bestmove-legal" not in failed


def test_a_dialogue_is_bounded_and_printable() -> None:
    *_, result = run(gallery("floods-errors"), steps=steps("bestmove-legal"), deadlines=HASTY)
    assert result.status is Status.FAIL
    assert len(result.dialogue) <= 90
    assert all(line.isascii() and line.isprintable() for line in result.dialogue)
    assert "! \\x1b[31mblah\\x07" in result.dialogue


def test_a_program_that_is_not_there_fails_the_first_step() -> None:
    first, *rest = run(["no-such-engine"])
    assert first == StepResult(
        "uci", Status.FAIL, "it could not be started: No such file or directory", (), first.seconds
    )
    assert {result.status for result in rest} == {Status.SKIP}


def test_a_command_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match="the command is empty"):
        next(run(" "))


def test_a_run_that_is_given_up_leaves_no_process(mark: Mark) -> None:
    results = run(gallery("stubborn"), deadlines=HASTY)
    assert next(results).status is Status.OK
    assert mark.pids
    results.close()
    assert mark.vanish()


@pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")
def test_an_engine_of_another_game_fails_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert STOCKFISH is not None
    monkeypatch.chdir(tmp_path)
    kinds = ("uci", "best", "option", "position-", "perft-start", "legal", "d-", "ugi", "quit")
    names = [name for name in BY_NAME if name.startswith(kinds)]
    results = list(run([STOCKFISH], steps=steps(*names), deadlines=Deadlines(answer=2)))
    by_name = {result.name: result for result in results}
    assert by_name["uci"].status is Status.OK
    assert by_name["uci-variant"].status is Status.FAIL
    assert by_name["bestmove-legal"].status is Status.FAIL
    assert by_name["legal-count"].status is Status.SKIP
    assert by_name["quit-idle"].status is Status.OK
    assert list(tmp_path.iterdir()) == []
