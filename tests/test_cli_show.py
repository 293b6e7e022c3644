import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from thrive_engine import START, parse_position, parse_turn
from thrive_engine.games import thrive

MIDDLE = "Br1Bqr2Br/2Br3/1Bw1W~cw2/2Wghi2Bdr/W4Wh/Wh5 w 12"
TURN = "d4f3+c3a+f3c"
BOARD_SVG = Path(__file__).parent.parent / "docs" / "board.svg"


def show(*words: str, stdin: str | bytes = "", **env: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-c", "from thrive_engine.cli import main; main()", "show", *words],
        input=stdin if isinstance(stdin, bytes) else stdin.encode(),
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **env},
    )
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def printed(*words: str, stdin: str = "", **env: str) -> str:
    done = show(*words, stdin=stdin, **env)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*words: str, stdin: str | bytes = "", code: int = 2, **env: str) -> str:
    """The one line on stderr."""
    done = show(*words, stdin=stdin, **env)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_without_a_position_the_start_is_shown() -> None:
    expected = f"{thrive.draw_text(START)}\n\nLegal turns: 56718\nPosition: {START}\n"
    assert printed() == printed("startpos") == expected


def test_a_position_is_quoted_or_three_words_or_standard_input() -> None:
    quoted = printed(MIDDLE)
    assert quoted.endswith(f"Legal turns: 109806\nPosition: {MIDDLE}\n")
    assert printed(*MIDDLE.split()) == quoted
    assert printed("-", stdin=f"{MIDDLE}\n") == quoted


def test_a_position_is_printed_canonically() -> None:
    lenient = MIDDLE.replace("W~cw", "Wabdefghijklnopqrstuvxy")
    assert printed(lenient) == printed(MIDDLE)


def test_with_a_turn_the_position_after_it_is_shown() -> None:
    output = printed(MIDDLE, "--turn", "d4xf3+f3c+c3a")
    position = parse_position(MIDDLE)
    turn = parse_turn(TURN, position)
    assert output.startswith(thrive.draw_text(position, turn))
    assert output.endswith(f"Position: {position.play(turn)}\n")


def test_a_finished_game_has_its_outcome_and_no_turns() -> None:
    output = printed("Br1Br3/6/6/6/6/W5 w 3")
    assert "game over, 0-1 (captured)\n\nLegal turns: 0\n" in output


def test_ascii_is_drawn_when_asked_for_or_when_the_output_has_no_more() -> None:
    expected = thrive.draw_text(START, unicode=False)
    assert printed("--ascii").startswith(expected)
    assert printed(PYTHONIOENCODING="ascii").startswith(expected)
    assert printed("--unicode") == printed()


def test_unicode_is_refused_where_it_cannot_be_printed() -> None:
    assert "ascii" in refused("--unicode", PYTHONIOENCODING="ascii")


def test_svg_goes_to_a_file_beside_the_board(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    file.write_text("old")
    assert printed("--svg", str(file)) == printed()
    assert file.read_text() == thrive.draw_svg(START)
    assert list(tmp_path.iterdir()) == [file]


def test_svg_follows_a_link_and_leaves_it(tmp_path: Path) -> None:
    link = tmp_path / "link.svg"
    link.symlink_to(tmp_path / "real.svg")
    printed("--svg", str(link))
    assert link.is_symlink()
    assert (tmp_path / "real.svg").read_text() == thrive.draw_svg(START)


def test_svg_to_standard_output_is_nothing_else() -> None:
    assert printed("--svg", "-") == thrive.draw_svg(START)
    assert printed("--svg", "-", PYTHONIOENCODING="ascii") == thrive.draw_svg(START)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "board.svg"
    assert str(missing) in refused("--svg", str(missing), code=1)
    assert "directory" in refused("--svg", str(tmp_path), code=1)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nonsense"], "bad position 'nonsense': side to move"),
        ([""], "it is empty"),
        ([*MIDDLE.split(), "more"], "field 'more'"),
        ([MIDDLE.replace("Wghi", "Whg")], "rank 3, square c3"),
        (["--turn", "a1a9"], "'a9' is no square"),
        (["--turn", "a1a3+a3gi"], "no peg of a1 leads to a3; legal: a1a2"),
        (["--turn", "a1a2"], "two pegs must be placed"),
        (["Br1Br3/6/6/6/6/W5 w 3", "--turn", "a1a2"], "the game is over"),
    ],
)
def test_bad_input_is_refused_in_one_line(words: list[str], reason: str) -> None:
    assert reason in refused(*words)


def test_bytes_that_are_no_text_are_refused_in_one_line() -> None:
    assert "bad position" in refused("-", stdin=b"\xff\xfe\x00")


def test_the_picture_in_the_readme_is_up_to_date(
    transcript: Callable[[str | Path, str], None],
) -> None:
    position = "1Bqrs1Br2/Bgr1Blrw3/3Bnrv1Bw/1Wdhi1Wdghl2/Wh1Wgh2Wghi/2Wh3 w 9"
    transcript(BOARD_SVG, printed(position, "--turn", "b3xc5+c5n+d3c", "--svg", "-"))
