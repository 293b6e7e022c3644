import io
import json
import re
import shlex
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from marked import Mark, gallery
from terminal import Terminal, start, thrive, write_engine

from thrive_engine import START, parse_position, parse_turn
from thrive_engine.cli import COMMANDS
from thrive_engine.games.thrive import draw_text
from thrive_engine.search.life import life

MIDDLE = "Br1Bqr2Br/2Br3/1Bw1W~cw2/2Wghi2Bdr/W4Wh/Wh5 w 12"
WIN = "5Br/6/6/Br5/Wh5/5Wh w 1"
OVER = "Br1Br3/6/6/6/6/W5 w 3"
FAST = ("--depth", "1")
LEGAL = "a1a2+a2gi"


def printed(*words: str, stdin: str = "", **env: str) -> str:
    done = thrive("analyze", *words, stdin=stdin, **env)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*words: str, code: int, stdin: str = "") -> str:
    """What is said on stderr, where nothing is analysed."""
    done = thrive("analyze", *words, stdin=stdin)
    assert (done.returncode, done.stdout) == (code, "")
    assert "Traceback" not in done.stderr
    return done.stderr


def objects(*words: str, stdin: str = "") -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed(*words, "--json", stdin=stdin).splitlines()]


def command_of(mode: str) -> str:
    return shlex.join(gallery(mode))


def best_turn(output: str) -> str:
    return output.rpartition("Best turn: ")[2].split()[0].rstrip(",;")


# What is printed


def test_the_help_begins_as_the_list_of_commands_says() -> None:
    assert COMMANDS["analyze"] in thrive("analyze", "--help").stdout.splitlines()[2]


def test_without_a_position_the_start_is_analysed_and_only_the_answer_printed() -> None:
    position, heading, line, best = printed(*FAST).splitlines()
    assert position == f"Position: {START}"
    assert heading.split() == ["score", "depth", "nodes", "time", "line"]
    assert line.split()[1] == "1"
    assert best == f"Best turn: {line.split()[4]}"
    assert parse_turn(line.split()[4], START)


def test_a_position_is_quoted_or_three_words_or_in_a_list(tmp_path: Path) -> None:
    file = tmp_path / "positions.epd"
    file.write_text(f"# one position\n\n{MIDDLE}\n")
    best = best_turn(printed(MIDDLE, *FAST))
    assert best_turn(printed(*MIDDLE.split(), *FAST)) == best
    assert best_turn(printed("-f", str(file), *FAST)) == best
    assert best_turn(printed("-", *FAST, stdin=f"{MIDDLE}\n")) == best


def test_positions_come_in_the_order_of_arguments_and_then_files(tmp_path: Path) -> None:
    file = tmp_path / "positions.epd"
    file.write_text(f"{OVER}\n")
    found = objects(*MIDDLE.split(), "startpos", "-", "-f", str(file), *FAST, stdin=f"{WIN}\n")
    assert [each["position"] for each in found] == [MIDDLE, str(START), WIN, OVER]


def test_json_has_an_object_a_position_with_score_depth_nodes_and_line() -> None:
    (found,) = objects(MIDDLE, "--depth", "2", "--multipv", "3")
    assert list(found) == ["position", "best", "lines"]
    assert [line["depth"] for line in found["lines"]] == [2, 2, 2]
    assert found["lines"][0]["pv"][0] == found["best"]
    for line in found["lines"]:
        assert list(line) == ["score", "depth", "nodes", "time", "pv"]
        assert isinstance(line["score"]["cp"], int)
        position = parse_position(MIDDLE)
        for text in line["pv"]:
            position = position.play(parse_turn(text, position))


def test_a_proven_win_is_written_so() -> None:
    assert "\n      #1  " in printed(WIN, *FAST)
    assert objects(WIN, *FAST)[0]["lines"][0]["score"] == {"mate": 1}


def test_a_finished_game_is_said_to_be_over() -> None:
    assert printed(OVER) == f"Position: {OVER}\nThe game is over: 0-1 (captured)\n"
    (found,) = objects(OVER)
    assert found["outcome"] == {"result": "0-1", "reason": "captured"}
    assert found["best"] is None


def test_the_best_turn_is_drawn_on_the_board() -> None:
    output = printed(MIDDLE, "--board", *FAST)
    position = parse_position(MIDDLE)
    assert output.startswith(draw_text(position, parse_turn(best_turn(output), position)))
    ascii_only = printed(MIDDLE, "--board", *FAST, PYTHONIOENCODING="ascii")
    assert ascii_only.startswith(
        draw_text(position, parse_turn(best_turn(ascii_only), position), unicode=False)
    )


def test_limits_of_nodes_and_time_end_a_search() -> None:
    assert "Best turn: " in printed("--nodes", "50")
    assert "Best turn: " in printed("--time", "0.05")


def test_expected_turns_are_compared_and_counted() -> None:
    best = best_turn(printed(WIN, *FAST))
    other = next(str(turn) for turn in parse_position(WIN).legal_turns if str(turn) != best)
    lines = [
        f'{WIN} bm {best}; id "right";',
        f"{WIN} bm {other};",
        f"{WIN} am {best};",
        f"{WIN} am {other};",
        WIN,
    ]
    output = printed("-", *FAST, stdin="\n".join(lines))
    assert output.count(f"Best turn: {best}, as expected\n") == 2
    assert f"Best turn: {best}; expected: {other}\n" in output
    assert f"Best turn: {best}; expected: not {best}\n" in output
    assert f"Position: {WIN} (right)\n" in output
    assert output.endswith("\n\nFound 2 of 4.\n")
    done = thrive("analyze", "-", "--json", *FAST, stdin="\n".join(lines))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each.get("found") for each in found] == [True, False, False, True, None]
    assert found[0]["id"] == "right"
    assert done.stderr == "Found 2 of 4.\n"


def test_a_position_is_answered_before_the_next_line_of_standard_input_comes() -> None:
    with start("analyze", "-", *FAST) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for text in (WIN, MIDDLE):
            process.stdin.write(f"{text}\n")
            process.stdin.flush()
            while not process.stdout.readline().startswith("Best turn: "):
                pass
        process.stdin.close()
        assert process.wait(60) == 0


# The engine


def test_the_engine_is_told_that_it_analyses_and_what_was_asked(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = f"tee {shlex.quote(str(log))} | {shlex.quote(sys.executable)} -m thrive_engine"
    words = ["--option", "Hash=32", "--option", "Clear Hash", "--multipv", "2", "--nodes", "9"]
    printed(MIDDLE, *words, "--engine", shlex.join(["sh", "-c", script]))
    said = log.read_text().splitlines()
    assert "setoption name UCI_AnalyseMode value true" in said
    assert said.index("setoption name Hash value 32") < said.index("ucinewgame")
    assert "setoption name Clear Hash" in said
    assert "setoption name MultiPV value 2" in said
    assert f"position fen {MIDDLE}" in said
    assert "go nodes 9" in said


def test_what_an_engine_says_is_never_printed_as_it_came(tmp_path: Path) -> None:
    infos = f"info depth 1 score cp 5 pv {LEGAL} \x1b[31mred\x07"
    engine = write_engine(tmp_path / "engine.py", infos, f"bestmove {LEGAL}")
    output = printed("--engine", engine)
    assert "\x1b" not in output
    assert "\x07" not in output
    assert f"{LEGAL} (bad turn '\\x1b[31mred\\x07': " in output
    line = objects("--engine", engine)[0]["lines"][0]
    assert line["pv"] == [LEGAL]
    assert line["error"].startswith("bad turn")


def test_a_score_that_is_a_bound_is_shown_as_one(tmp_path: Path) -> None:
    infos = f"info depth 1 score cp 5 lowerbound pv {LEGAL}\ninfo depth 1 multipv 2 pv {LEGAL}"
    engine = write_engine(tmp_path / "engine.py", infos, f"bestmove {LEGAL}")
    assert ">=+0.05" in printed("--engine", engine)
    first, second = objects("--engine", engine)[0]["lines"]
    assert first["bound"] == "lowerbound"
    assert second["score"] is None


def test_an_engine_without_infos_has_a_best_turn_all_the_same(tmp_path: Path) -> None:
    engine = write_engine(tmp_path / "engine.py", "", f"bestmove {LEGAL}")
    assert printed("--engine", engine) == f"Position: {START}\nBest turn: {LEGAL}\n"


def test_an_illegal_answer_fails_its_position_and_the_rest_goes_on(tmp_path: Path) -> None:
    engine = write_engine(tmp_path / "engine.py", "", f"bestmove {LEGAL}")
    done = thrive("analyze", "-", "--engine", engine, stdin=f"{WIN} bm a2a3;\n{START}\n")
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"<stdin>:1: engine 'Par\\x1brot' answered: illegal turn '{LEGAL}'"
    )
    assert done.stderr.count("\n") == 1
    assert done.stdout.endswith(f"Best turn: {LEGAL}\n\nFound 0 of 1.\n")


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("exits-at-once", "exited with code 3; stderr: no licence found"),
        ("crashes", "was ended by SIGSEGV"),
        ("exits-in-search", "exited with code 4; stderr: out of ideas"),
        ("floods-errors-and-exits", "exited with code 5"),
        ("endless", "a line is longer than 65536 bytes"),
        ("illegal", "illegal turn 'a1f6+a1a'"),
        ("empty", "'bestmove' names no turn"),
        ("encoding", "is not UTF-8"),
        ("half-line", "in the middle of the line 'bestmove a'"),
        ("double-fork", "exited with code 6"),
    ],
)
def test_a_bad_engine_is_one_line_and_exit_code_1(mode: str, reason: str) -> None:
    mark = Mark()
    done = thrive("analyze", "--engine", command_of(mode), **mark.env)
    assert (done.returncode, done.stdout) == (1, "")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.rstrip("\n").isprintable()
    assert mark.vanish()


def test_an_engine_that_is_not_there_is_named() -> None:
    assert "engine 'no-such-engine --fast': start: " in refused(
        "--engine", "no-such-engine --fast", code=1
    )
    assert "No closing quotation" in refused("--engine", "'", code=1)


def test_the_line_of_a_list_at_which_an_engine_fails_is_named() -> None:
    message = refused("-", "--engine", command_of("crashes"), stdin=f"\n{WIN}\n", code=1)
    assert message.startswith("Error: <stdin>:2: engine 'Gallery crashes': ")


# Misuse and bad input


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nonsense"], "bad position 'nonsense': side to move"),
        (["startpos", "x y z"], "bad position 'x y z'"),
        (["--time", "0"], "0 is not in the range 0.001 to 1000000"),
        (["--time", "nan"], "nan is not in the range"),
        (["--time", "soon"], "'soon' is not a valid float"),
        (["--nodes", "0"], "0 is not in the range"),
        (["--depth", "-1"], "-1 is not in the range"),
        (["--option", "=3"], "'=3' is not NAME=VALUE"),
        (["--option", "Hsah=3"], f"({life()})' has no option 'Hsah'"),
        (["--option", "Hash=0"], "option Hash: 0 is out of range, which is 1 to 4096"),
        (["--option", "Hash"], "option Hash: a value is missing"),
        (["--multipv", "1000"], "option MultiPV: 1000 is out of range"),
        (["--multipv", "2", "--engine", "GOOD"], "'Gallery good' has no option 'MultiPV'"),
        (["--json", "--board"], "choose one of them"),
    ],
)
def test_misuse_is_refused_with_exit_code_2(words: list[str], reason: str) -> None:
    words = [command_of("good") if word == "GOOD" else word for word in words]
    assert reason in refused(*words, code=2)


def test_bad_lines_of_a_list_are_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "positions.epd"
    file.write_bytes(f"nonsense\n{WIN}\n{WIN} bm a1a2;\n\xff\xfe\n{WIN} xx 1;".encode("latin-1"))
    done = thrive("analyze", "-f", str(file), *FAST)
    assert done.returncode == 1
    assert done.stdout.count("Best turn: ") == 1
    errors = done.stderr.splitlines()
    assert [line.split(":")[:2] for line in errors] == [[str(file), n] for n in "1345"]
    assert errors[0].startswith(f"{file}:1:9: bad position 'nonsense': side to move: ")


def test_a_file_that_is_not_there_is_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    missing = tmp_path / "missing.epd"
    done = thrive("analyze", OVER, "-f", str(missing))
    assert done.returncode == 1
    assert done.stderr == f"{missing}: No such file or directory\n"
    assert "The game is over" in done.stdout


# Interruption and terminals


def test_ctrl_c_ends_with_the_best_so_far_and_leaves_no_process() -> None:
    mark = Mark()
    with Terminal("analyze", MIDDLE, MIDDLE, "--time", "600", env=mark.env) as terminal:
        terminal.wait_for("score")
        terminal.wait_for("f2f3")
        terminal.enter("\x03")
        assert terminal.finish() == 1
        assert terminal.text.count("Best turn: ") == 1
        assert "Traceback" not in terminal.text
    assert mark.vanish()


def test_an_interruption_in_a_pipe_ends_with_the_best_so_far(tmp_path: Path) -> None:
    mark = Mark()
    log = tmp_path / "log"
    script = f"tee {shlex.quote(str(log))} | {shlex.quote(sys.executable)} -m thrive_engine"
    engine = shlex.join(["sh", "-c", script])
    with start("analyze", "--time", "600", "--json", "--engine", engine, env=mark.env) as process:
        while "go" not in (log.read_text() if log.exists() else ""):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "")
    assert parse_turn(json.loads(out)["best"], START)
    assert mark.vanish()


def test_an_interruption_while_waiting_for_positions_leaves_no_process() -> None:
    mark = Mark()
    with start("analyze", "-", *FAST, env=mark.env) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{OVER}\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in err
    assert mark.vanish()


def test_a_terminal_shows_the_lines_in_place_while_the_search_goes_on() -> None:
    with Terminal("analyze", MIDDLE, "--time", "2", "--multipv", "3") as terminal:
        terminal.wait_for("Position: ")
        terminal.wait_for("\x1b[5A\r\x1b[J")
        assert "Best turn: " not in terminal.text
        assert terminal.finish() == 0
        shown = terminal.text
    final = shown.rpartition("\x1b[J")[2].replace("\r\n", "\n")
    assert final.startswith(f"Position: {MIDDLE}\n")
    assert len(final.splitlines()) == 6
    assert "Best turn: \x1b[32m" in final


def test_no_line_of_the_live_view_is_wider_than_the_terminal() -> None:
    with Terminal("analyze", "--time", "1") as terminal:
        terminal.finish()
        live = terminal.text.rpartition("\x1b[J")[0]
    assert max(map(len, io.StringIO(live.replace("\x1b[J", "\n")))) <= 102


@pytest.mark.parametrize(("env", "is_live"), [({"NO_COLOR": "1"}, True), ({"TERM": "dumb"}, False)])
def test_no_color_means_no_colours_and_a_dumb_terminal_no_escapes(
    env: dict[str, str], is_live: bool
) -> None:
    with Terminal("analyze", "--time", "0.5", env=env) as terminal:
        assert terminal.finish() == 0
        assert "Best turn: " in terminal.text
        assert ("\x1b[J" in terminal.text) == is_live
        assert not re.search(r"\x1b\[[0-9;]*m", terminal.text)


def test_json_in_a_terminal_is_json_alone() -> None:
    with Terminal("analyze", *FAST, "--json") as terminal:
        assert terminal.finish() == 0
        assert json.loads(terminal.text)["position"] == str(START)
