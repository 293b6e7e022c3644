"""``thrive check`` as its users run it."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from marked import Mark, gallery

from thrive_engine.cli import COMMANDS
from thrive_engine.conformance import STEPS

THRIVE = [sys.executable, "-c", "from thrive_engine.cli import main; main()", "check"]
OURS = shlex.join([sys.executable, "-m", "thrive_engine"])
CRASHES = shlex.join(gallery("crashes"))
ABSENT = "no-such-engine"


@pytest.fixture
def mark() -> Iterator[Mark]:
    """Whatever carries the mark must be gone at the end."""
    mark = Mark()
    yield mark
    assert mark.vanish()


def check(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*THRIVE, *words],
        capture_output=True,
        check=False,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


def test_the_help_begins_as_the_list_of_commands_says() -> None:
    assert COMMANDS["check"] in check("--help").stdout.splitlines()[2]


def test_an_engine_that_passes_gets_a_line_a_step_and_exit_code_0() -> None:
    done = check(OURS)
    *lines, summary = done.stdout.splitlines()
    assert lines == [f"ok   {step.name}" for step in STEPS]
    assert f": {len(STEPS)} ok, 0 failed, 0 skipped, in " in summary
    assert (done.returncode, done.stderr) == (0, "")


def test_a_failure_shows_its_reason_and_its_dialogue() -> None:
    done = check(CRASHES)
    lines = done.stdout.splitlines()
    at = lines.index("FAIL go-depth: it was ended by SIGSEGV")
    assert lines[at + 1] == "       > ucinewgame"
    assert lines[lines.index("skip bestmove-legal: it needs go-depth") - 1] == "       > go depth 1"
    assert (done.returncode, done.stderr) == (1, "")


def test_an_engine_that_cannot_be_started_fails_and_the_next_one_is_tested() -> None:
    done = check(ABSENT, "also-absent")
    lines = done.stdout.splitlines()
    assert lines.count("FAIL uci: it could not be started: No such file or directory") == 2
    sums = f"0 ok, 1 failed, {len(STEPS) - 1} skipped, in 0."
    assert lines[len(STEPS)].startswith(f"{ABSENT}: {sums}")
    assert lines[-1].startswith(f"also-absent: {sums}")
    assert (done.returncode, done.stderr) == (1, "")


def test_json_has_an_object_a_step() -> None:
    done = check("--json", ABSENT)
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["step"] for each in objects] == [step.name for step in STEPS]
    assert objects[0] | {"seconds": 0} == {
        "engine": ABSENT,
        "step": "uci",
        "status": "fail",
        "reason": "it could not be started: No such file or directory",
        "dialogue": [],
        "seconds": 0,
    }
    assert (objects[1]["status"], objects[1]["reason"]) == ("skip", "it needs uci")
    assert (done.returncode, done.stderr) == (1, "")


def test_list_lists_the_steps_and_needs_no_engine() -> None:
    done = check("--list")
    assert [line.split("  ")[0] for line in done.stdout.splitlines()] == [s.name for s in STEPS]
    assert (done.returncode, done.stderr) == (0, "")
    listed = [json.loads(line) for line in check("--list", "--json").stdout.splitlines()]
    assert listed[0] == {"step": STEPS[0].name, "description": STEPS[0].description}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "Error: Missing argument 'ENGINE...'."),
        ([""], "Error: engine '': the command is empty"),
        ([ABSENT, "a 'b"], 'Error: engine "a \'b": No closing quotation'),
        (["--fast", ABSENT], "Error: No such option"),
    ],
)
def test_misuse_is_said_in_a_line_and_has_exit_code_2(words: list[str], reason: str) -> None:
    done = check(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(reason)


def test_what_an_engine_says_cannot_reach_the_terminal_as_it_is() -> None:
    script = "print('\\x1b[2J\\u202e')"
    done = check(shlex.join([sys.executable, "-c", script]))
    assert "       < \\x1b[2J\\u202e" in done.stdout.splitlines()
    assert "\x1b" not in done.stdout
    assert done.returncode == 1


def test_an_interruption_leaves_no_process(mark: Mark) -> None:
    running = subprocess.Popen(
        [*THRIVE, shlex.join(gallery("silent"))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=mark.env,
    )
    while len(mark.pids) < 3:
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (1, b"")
    assert err.strip() == b"Aborted!"
