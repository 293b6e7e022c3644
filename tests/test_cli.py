"""What all commands have in common."""

import subprocess
import sys

import click
import pytest

from thrive_engine.cli import COMMANDS, main
from thrive_engine.search.life import life
from thrive_engine.version import VERSION

RUN = f"{sys.executable} -c 'from thrive_engine.cli import main; main()'"


def run(words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        f"{RUN} {words}", shell=True, capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert (command.help or "").splitlines()[0] == COMMANDS[name]


@pytest.mark.parametrize("words", ["show -", "convert", "analyze -"])
def test_a_closed_input_is_said_in_one_line(words: str) -> None:
    assert run(f"{words} <&-") == (2, "", "Error: standard input is closed\n")


def test_the_version_is_told() -> None:
    assert run("--version") == (0, f"thrive-engine {VERSION} ({life()})\n", "")


def test_a_reader_that_goes_away_gets_no_traceback() -> None:
    _, _, errors = run("show | head -1")
    assert errors == ""
