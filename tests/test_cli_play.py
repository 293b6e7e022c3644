import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from marked import Mark, gallery
from terminal import THRIVE, Terminal, start, thrive, write_engine

from thrive_engine import START, Game
from thrive_engine.cli import COMMANDS
from thrive_engine.games.thrive import draw_text
from thrive_engine.record import Record, read_record, read_records
from thrive_engine.search.life import life
from thrive_engine.version import VERSION

NAME = f"thrive-engine {VERSION} ({life()})"
FAST = ("--time", "0.05", "--option", "Searcher=greedy")
WIN = "5Br/6/6/Br5/Wh5/5Wh w 1"
"""White wins by a2a3."""
FULL = "B~1B~1B~1/6/6/6/6/W~1W~1W~1 w 1"
FIRST = "a1a2+a2gi"


def play(*words: str, typed: str) -> subprocess.CompletedProcess[str]:
    return thrive("play", *FAST, *words, stdin=typed)


def played(*words: str, typed: str) -> str:
    done = play(*words, typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*words: str) -> str:
    """What is said on stderr, where no game is played."""
    done = thrive("play", *words)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def saved(path: Path) -> Record:
    record = read_record(path.read_text())
    assert record.errors == []
    return record


def parrot(tmp_path: Path, *answers: str) -> list[str]:
    """An engine without options whose answers go round."""
    bestmoves = [f"bestmove {answer}" for answer in answers]
    engine = write_engine(tmp_path / "engine.py", "", *bestmoves)
    return ["--time", "0.05", "--engine", engine]


# Turns


def test_the_help_begins_as_the_list_of_commands_says() -> None:
    assert COMMANDS["play"] in thrive("play", "--help").stdout.splitlines()[2]


def test_a_game_begins_with_the_players_and_the_board() -> None:
    output = played(typed="")
    assert output.startswith(
        f"You play White against {NAME} at full strength (--level 500 to 2000).\n"
    )
    assert draw_text(START) in output
    assert output.endswith("The game is unfinished.\n")


def test_a_turn_is_played_and_answered(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    output = played("--save", str(file), typed=f"{FIRST}\nquit\n")
    record = saved(file)
    assert str(record.turns[0]) == FIRST
    assert len(record.turns) == 2
    assert f"1. You: {FIRST}\n1... {NAME}: {record.turns[1]}\n" in output
    game = Game()
    game.play(FIRST)
    assert draw_text(game.position, record.turns[1]) in output


@pytest.mark.parametrize(
    "typed",
    [
        f"{FIRST}#\n\n{FIRST}",
        "a1a2+a2ig",
        " A1A2  a2g +a2I ",
        "a1a2\na2gi",
        "a1a2\na2g\na2i",
        "a1a2+a2g\n+\n+a2i",
        "b1b2\na1a2\na2gi",
        "b1b2+b2g\nundo\na1a2+a2gi",
    ],
)
def test_a_turn_may_be_spelled_in_many_ways_and_built_in_parts(typed: str) -> None:
    assert f"1. You: {FIRST}\n" in played("--ascii", typed=typed)


def test_half_a_turn_shows_what_may_follow() -> None:
    output = played("--ascii", typed="?\na1a2\na2g\n")
    assert "Movements: a1a2 b1b2 c1c2 d1d2 e1e2 f1f2\n" in output
    assert "After a1a2 a peg: a square and one of its free holes, like a2a.\n  a2: a b c" in output
    assert "After a1a2+a2g a peg: " in output
    assert "  a2: a b c d e f i j k l n o p q r s t u v w x y\n  b1: a b c" in output


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (
            "b1c3",
            "illegal turn 'b1c3': movement 'b1c3' (column 1): no peg of b1 leads to c3; legal:",
        ),
        ("xyz", "bad turn 'xyz': movement 'xyz' (column 1): a movement is two squares"),
        (
            "a1a2\na2h",
            "illegal turn 'a1a2+a2h': peg 'a2h' (column 6): hole h of a2 has a peg already",
        ),
        ("a1a2\na2", 'no hole is named after a2; try "?" or "help"'),
        ("a1a2+a2gij", "illegal turn 'a1a2+a2gij': peg 'a2j'"),
        ("\x1b[A\x00", "bad turn '\\x1b[a\\x00'"),
    ],
)
def test_what_is_no_turn_is_refused_in_one_line(typed: str, reason: str) -> None:
    output = played("--ascii", typed=typed)
    assert any(reason in line for line in output.splitlines())
    assert "You: " not in output


def test_bytes_that_are_no_text_are_refused_like_any_other() -> None:
    done = thrive("play", *FAST, stdin=b"\xff\xfe\n")
    assert done.returncode == 0
    assert "bad turn '\\\\xff\\\\xfe'" in done.stdout


# Commands


def test_undo_takes_back_both_turns(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    output = played("--save", str(file), "--ascii", typed=f"undo\nb1b2+b2gi\nundo\n{FIRST}\n")
    assert output.count("There is no turn of yours to take back.\n") == 1
    assert output.count(draw_text(START, unicode=False)) == 2
    assert str(saved(file).turns[0]) == FIRST


def test_undo_leaves_the_first_turn_of_an_engine(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    words = [*parrot(tmp_path, FIRST, "b1b2+b2gi"), "--side", "black", "--save", str(file)]
    done = thrive("play", *words, stdin="undo\na6a5+a5qs\nundo\nundo\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("There is no turn of yours to take back.\n") == 2
    assert [str(turn) for turn in saved(file).turns] == [FIRST]


def test_a_hint_is_a_legal_turn_and_changes_nothing() -> None:
    output = played("--level", "600", "--ascii", typed="hint\nhint\n")
    first, second = re.findall(r"Hint: (\S+) \([+-][0-9.]+\)", output)
    assert first == second
    Game().play(first)


def test_board_shows_a_half_built_turn_too() -> None:
    output = played(typed="a1a2\nboard\n")
    draft = START.draft.add(START.draft.choices[0])
    assert draw_text(draft.position) in output


def test_help_lists_the_commands() -> None:
    assert "  resign  give the game up\n" in played(typed="help\n")


def test_resigning_loses_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    output = played("--save", str(file), typed=f"{FIRST}\nResign\n")
    assert output.endswith(f"You resign: 0-1.\nSaved to {file}.\n")
    assert saved(file).result == "0-1"


def test_resigning_before_any_turn_is_saved_too(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    played("--save", str(file), typed="resign\n")
    assert (saved(file).result, saved(file).turns) == ("0-1", ())


# Sides, levels, positions, ends


def test_as_black_the_engine_begins(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    output = played("--side", "black", "--save", str(file), typed="quit\n")
    record = saved(file)
    assert f"1. {NAME}: {record.turns[0]}\n" in output
    assert (record.tags["White"], record.tags["Black"]) == (NAME, "Player")


def test_a_random_side_is_one_of_the_two() -> None:
    assert re.match("You play (White|Black) against", played("--side", "random", typed=""))


def test_a_level_is_told_to_the_engine_and_recorded(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    output = played("--level", "700", "--save", str(file), typed=FIRST)
    assert " at level 700 (--level 500 to 2000).\n" in output
    assert saved(file).tags["BlackElo"] == "700"


def test_a_win_is_told_with_its_reason(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    output = played("--position", WIN, "--save", str(file), typed="a2a3\n")
    assert "1. You: a2xa3#\n" in output
    assert output.endswith(f"You win: 1-0 (captured).\nSaved to {file}.\n")
    assert (saved(file).result, str(saved(file).root.position)) == ("1-0", WIN)


def test_a_loss_is_told_with_its_reason(tmp_path: Path) -> None:
    words = parrot(tmp_path, "a2a3")
    done = thrive("play", *words, "--position", WIN, "--side", "black")
    assert done.stdout.endswith("You lose: 1-0 (captured).\n")
    assert done.returncode == 0


def test_a_third_repetition_is_told_to_be_a_draw(tmp_path: Path) -> None:
    words = [*parrot(tmp_path, "a6a5", "a5a6"), "--position", FULL]
    done = thrive("play", *words, stdin="a1a2\na2a1\n" * 2)
    assert done.stdout.endswith("The game is a draw: 1/2-1/2 (repetition).\n")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--level", "80"], "--level: option UCI_Elo: 80 is out of range, which is 500 to 2000"),
        (["--level", "700", "--engine", "GOOD"], "has no option 'UCI_LimitStrength'"),
        (["--level", "easy"], "'easy' is not a valid integer"),
        (["--side", "green"], "'green' is not one of 'white', 'black', 'random'"),
        (["--position", "x"], "bad position 'x'"),
        (["--position", "Br1Br3/6/6/6/6/W5 w 3"], "the game is over in this position: 0-1"),
        (["--time", "0"], "0 is not in the range"),
        (["--option", "Hsah=1"], "has no option 'Hsah'"),
        (["--save", "/"], "--save: / is no file"),
        (["--save", "no/where/game.thr"], "--save: no file can be written in no/where"),
    ],
)
def test_misuse_is_refused_with_exit_code_2(words: list[str], reason: str) -> None:
    words = [shlex.join(gallery("good")) if word == "GOOD" else word for word in words]
    assert reason in refused(*words)


# Saving


def test_a_game_is_saved_behind_the_games_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "games.thr"
    for text in (FIRST, "b1b2+b2gi"):
        played("--save", str(file), typed=text)
    with file.open() as stream:
        records = list(read_records(stream))
    assert [str(record.turns[0]) for record in records] == [FIRST, "b1b2+b2gi"]
    assert [record.errors for record in records] == [[], []]
    assert list(tmp_path.iterdir()) == [file]


def test_without_a_turn_nothing_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    assert "Saved" not in played("--save", str(file), typed="quit\n")
    assert not file.exists()


def test_a_file_that_is_no_text_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    file.write_bytes(b"\xff\xfe")
    assert "it is not UTF-8" in refused("--save", str(file))
    assert file.read_bytes() == b"\xff\xfe"


def test_every_turn_is_saved_at_once(tmp_path: Path) -> None:
    file, mark = tmp_path / "game.thr", Mark()
    with start("play", *FAST, "--save", str(file), env=mark.env) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{FIRST}\n?\n")
        process.stdin.flush()
        lines = iter(process.stdout.readline, "")
        assert any(line.startswith("Movements: ") for line in lines)
        process.kill()
        process.communicate(timeout=60)
    assert len(saved(file).turns) == 2
    assert mark.vanish()


def test_a_game_that_cannot_be_saved_is_printed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with start("play", *FAST, "--save", str(folder / "game.thr"), "--ascii") as process:
        assert process.stdout is not None
        process.stdout.readline()
        shutil.rmtree(folder)
        out, err = process.communicate(f"{FIRST}\nquit\n", timeout=60)
    assert process.returncode == 1
    record = read_record(out.partition("The game is unfinished.\n")[2])
    assert str(record.turns[0]) == FIRST
    assert err.startswith("Not saved: ")
    assert "No such file or directory" in err


# Bad engines, interruption, terminals


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("crashes", "was ended by SIGSEGV"),
        ("illegal", "answered: illegal turn 'a1f6+a1a'"),
        ("closes-output", "closed its output, and lives"),
        ("encoding", "is not UTF-8"),
    ],
)
def test_an_engine_that_fails_leaves_a_saved_game(tmp_path: Path, mode: str, reason: str) -> None:
    file, mark = tmp_path / "game.thr", Mark()
    words = ["--time", "0.05", "--save", str(file), "--engine", shlex.join(gallery(mode))]
    done = thrive("play", *words, stdin=f"{FIRST}\n", **mark.env)
    assert done.returncode == 1
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout.endswith(f"The game is unfinished.\nSaved to {file}.\n")
    assert [str(turn) for turn in saved(file).turns] == [FIRST]
    assert mark.vanish()


def test_the_name_of_an_engine_is_never_printed_as_it_came(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    words = [*parrot(tmp_path, "a6a5+a5qs"), "--save", str(file)]
    output = thrive("play", *words, stdin=f"{FIRST}\n").stdout
    assert "against Par\\x1brot at full strength.\n" in output
    assert "\x1b" not in output
    assert "\x1b" not in file.read_text()


@pytest.mark.parametrize("is_thinking", [True, False])
def test_ctrl_c_is_quit(tmp_path: Path, is_thinking: bool) -> None:
    file, mark = tmp_path / "game.thr", Mark()
    with start(
        "play", "--time", "600" if is_thinking else "0.05", "--save", str(file), env=mark.env
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{FIRST}\n")
        process.stdin.flush()
        wanted = "1. You: " if is_thinking else "1... "
        assert any(line.startswith(wanted) for line in iter(process.stdout.readline, ""))
        while not file.exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.endswith(f"The game is unfinished.\nSaved to {file}.\n")
    assert str(saved(file).turns[0]) == FIRST
    assert mark.vanish()


def test_a_person_at_a_terminal_is_prompted(tmp_path: Path) -> None:
    file = tmp_path / "game.thr"
    with Terminal("play", *FAST, "--save", str(file)) as terminal:
        terminal.wait_for("1. White> ")
        terminal.enter("a1a2\n")
        terminal.wait_for("1. a1a2> ")
        terminal.enter("a2g\n")
        terminal.wait_for("1. a1a2+a2g> ")
        terminal.enter("a2i\n")
        terminal.wait_for("2. White> ")
        terminal.enter("\x04")
        assert terminal.finish() == 0
        assert terminal.text.replace("\r\n", "\n").endswith(
            f"The game is unfinished.\nSaved to {file}.\n"
        )
    assert len(saved(file).turns) == 2


def test_a_closed_standard_input_is_the_end_of_input() -> None:
    words = shlex.join([*THRIVE, "play", *FAST])
    done = subprocess.run(
        ["sh", "-c", f"{words} <&-"], capture_output=True, check=False, timeout=60, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("The game is unfinished.\n")
