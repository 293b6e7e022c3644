"""thrive convert, as a user runs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from thrive_engine.cli import COMMANDS
from thrive_engine.cli.convert import command
from thrive_engine.record import read_record

GOOD = '[White "J\u00f6rg"] 1.a1a2+a2ig! {fine} a6a5+a5gi 1-0'
BAD = "1. a1a2+a2gi a6a4 0-1"
BAD_LINE = "1:14: illegal turn 'a6a4': movement 'a6a4': no peg of a6 leads to a4; legal: a6a5\n"
CANONICAL = str(read_record(GOOD))
KEPT = str(read_record("1. a1a2+a2gi 0-1"))


def convert(
    *words: str, stdin: str | bytes = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-c", "from thrive_engine.cli import main; main()", "convert", *words],
        input=stdin if isinstance(stdin, bytes) else stdin.encode(),
        capture_output=True,
        check=False,
        timeout=60,
        cwd=cwd,
    )
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad").write_text(BAD)
    return tmp_path


def answer(*words: str, stdin: str | bytes = "", cwd: Path | None = None) -> tuple[int, str, str]:
    done = convert(*words, stdin=stdin, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def test_its_help_begins_as_the_list_of_commands_says() -> None:
    assert command.help is not None
    assert command.help.splitlines()[0] == COMMANDS["convert"]


def test_games_go_from_standard_input_to_standard_output() -> None:
    assert answer(stdin=GOOD) == answer("-", stdin=GOOD) == (0, CANONICAL, "")
    assert answer(stdin=CANONICAL) == (0, CANONICAL, "")
    assert answer(stdin="") == (0, "", "")


def test_the_games_of_all_files_are_written_in_order(folder: Path) -> None:
    expected = f"{CANONICAL}\n{KEPT}\n{CANONICAL}"
    assert answer("good", "-", "good", stdin="a1a2+a2gi 0-1", cwd=folder) == (0, expected, "")
    assert answer(stdin=expected) == (0, expected, "")


def test_an_error_is_a_line_with_its_place_and_the_rest_is_written(folder: Path) -> None:
    expected = f"{KEPT}\n{CANONICAL}"
    assert answer("bad", "good", cwd=folder) == (1, expected, f"bad:{BAD_LINE}")
    assert answer(stdin=BAD) == (1, KEPT, f"<stdin>:{BAD_LINE}")


def test_check_only_counts(folder: Path) -> None:
    assert answer("--check", "good", "good", cwd=folder) == (0, "2 games, 4 turns, 0 errors\n", "")
    assert answer("--check", "bad", cwd=folder) == (
        1,
        "1 game, 1 turn, 1 error\n",
        f"bad:{BAD_LINE}",
    )


def test_an_output_file_is_written(folder: Path) -> None:
    assert answer("good", "-o", "out", cwd=folder) == (0, "", "")
    assert (folder / "out").read_bytes() == CANONICAL.encode()
    assert answer("good", "--output", "good", cwd=folder) == (0, "", "")
    assert (folder / "good").read_bytes() == CANONICAL.encode()
    assert answer("good", "-o", "-", cwd=folder) == (0, CANONICAL, "")


def test_with_an_error_an_output_file_stays_as_it_was(folder: Path) -> None:
    code, out, err = answer("good", "bad", "-o", "bad", cwd=folder)
    assert (code, out) == (1, "")
    assert err == f"bad:{BAD_LINE}bad: not written, because of 1 error\n"
    assert (folder / "bad").read_text() == BAD
    assert sorted(path.name for path in folder.iterdir()) == ["bad", "good"]


def test_a_file_that_cannot_be_read_is_an_error_and_the_others_are_read(folder: Path) -> None:
    expected = "none: No such file or directory\n"
    assert answer("none", "good", cwd=folder) == (1, CANONICAL, expected)
    code, _, err = answer(".", cwd=folder)
    assert (code, err) == (1, ".: Is a directory\n")


def test_a_file_that_cannot_be_written_is_an_error(folder: Path) -> None:
    code, out, err = answer("good", "-o", "none/out", cwd=folder)
    assert (code, out) == (1, "")
    assert err == "Error: Could not open file 'none/out': No such file or directory\n"


def test_check_takes_no_output_file(folder: Path) -> None:
    code, out, err = answer("good", "--check", "-o", "out", cwd=folder)
    assert (code, out) == (2, "")
    assert err.endswith("Error: --check writes no games, so it takes no --output.\n")


def test_noise_is_answered_with_lines_and_not_with_a_traceback() -> None:
    code, _, err = answer("--check", stdin=bytes(range(256)) * 40)
    assert code == 1
    assert all(line.startswith("<stdin>:") for line in err.splitlines())
