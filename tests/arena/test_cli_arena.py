"""thrive arena, as a user runs it."""

import json
import os
import pty
import select
import subprocess
from pathlib import Path

import pytest
from runs import ARENA, arena, begin, numbers, resume, tournament_values

from thrive_engine.arena.rating import Estimate
from thrive_engine.arena.store import Store
from thrive_engine.cli.watch import duration, elo_text
from thrive_engine.games import thrive

TABLE = "player  points  games  won  drawn  lost"


def engine_words(folder: Path) -> list[str]:
    values = tournament_values(folder)
    words = []
    for engine in values["engines"]:
        words += ["--engine", f"cmd={' '.join(engine['cmd'])}", f"name={engine['name']}"]
    return [*words, "--nodes", "1", "--openings", str(folder / "openings.txt")]


def refused(*words: object, code: int = 2) -> str:
    done = arena(*words)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_match_is_played_from_options_and_kept_in_a_directory(tmp_path: Path) -> None:
    target = tmp_path / "match"
    done = arena("run", *engine_words(tmp_path), "--pairs", 2, "--concurrency", 2, "-o", target)
    assert (done.returncode, done.stderr) == (0, "")
    first, *games = done.stdout.splitlines()
    assert first == f"match of 2 engines, 4 games, in {target}"
    assert [line.split()[0] for line in games[:4]] == ["1/4", "2/4", "3/4", "4/4"]
    assert games[4].startswith(TABLE)
    assert "4 games played, complete" in done.stdout
    assert sorted(each.name for each in target.iterdir()) == [
        "config.json",
        "games.pgn",
        "journal.jsonl",
        "logs",
    ]
    assert len(list((target / "logs").iterdir())) == 8
    assert arena("status", target).stdout == "\n".join(games[4:]) + "\n"


def test_a_match_is_played_from_a_file(tmp_path: Path) -> None:
    store = begin(tmp_path)
    players = json.loads(store.config.read_text())["players"]
    toml = tmp_path / "match.toml"
    engines = "".join(
        f"[[engines]]\nname = {json.dumps(each['name'])}\ncmd = {json.dumps(each['command'])}\n"
        for each in players
    )
    toml.write_text(f'event = "File"\npairs = 1\n[openings]\nfile = "openings.txt"\n{engines}')
    done = arena("run", toml, "--nodes", 1, "-o", tmp_path / "filed", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    begun, *games, standing = map(json.loads, done.stdout.splitlines())
    assert begun["event"] == "begin"
    assert {game["number"] for game in games} == {1, 2}
    assert all("record" not in game for game in games)
    assert (standing["event"], standing["title"], standing["played"]) == ("standing", "File", 2)
    assert standing["is_complete"]


def test_a_test_says_how_long_it_is_expected_to_take(tmp_path: Path) -> None:
    words = (*engine_words(tmp_path), "--sprt", "elo0=0,elo1=200", "--pairs", 1)
    done = arena("run", *words, "-o", tmp_path / "test")
    assert (done.returncode, done.stderr) == (0, "")
    planned, expected, *rest = done.stdout.splitlines()
    assert planned == f"match of 2 engines, up to 2 games, in {tmp_path / 'test'}"
    assert expected == (
        "expected: 16 games if 0 normalised Elo is true, 16 if 200 is, 27 at worst in between"
    )
    assert any("goes on, likely for" in line for line in rest)


def test_announced_wins_are_told(tmp_path: Path) -> None:
    words = ("--engine", "greedy", "--engine", "random", "--nodes", 50, "--pairs", 1)
    done = arena("run", *words, "-o", tmp_path / "told")
    assert "announced wins: greedy " in done.stdout


def test_built_in_engines_play_by_name_and_by_elo(tmp_path: Path) -> None:
    words = ("--engine", "greedy", "--engine", "600", "name=weak", "option.Seed=3")
    done = arena("run", *words, "--nodes", 20, "--pairs", 1, "-o", tmp_path / "built")
    assert (done.returncode, done.stderr) == (0, "")
    config = json.loads((tmp_path / "built" / "config.json").read_text())
    assert config["players"][1]["options"][-1] == ["Seed", "3"]
    assert numbers(Store(tmp_path / "built")) == [1, 2]


def test_games_are_played_again_and_printed(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=1)
    resume(store)
    assert arena("replay", store.directory).stdout == "2 games, all as the journal says\n"
    record = arena("replay", store.directory, 2).stdout
    assert record.startswith('[Event "?"]\n')
    assert record in store.games.read_text()
    assert "game 3 is not in it" in refused("replay", store.directory, 3)


def test_a_replay_of_what_is_not_true_fails(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=1)
    resume(store)
    text = store.journal.read_text()
    store.journal.write_text(text.replace('"turns":', '"turns":1'))
    done = arena("replay", store.directory)
    assert done.returncode == 1
    assert "number of turns: the journal says" in done.stdout
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"players":', '"plyers":', "this game has no key 'players'"),
        ('"ada"', '"eve"', "'eve' does not play in this tournament"),
        ('"turns":', '"turns":-', "the turns of this game can't be -"),
    ],
)
def test_a_journal_with_a_harmed_line_is_one_line_that_says_where(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    store = begin(tmp_path, pairs=1)
    resume(store)
    store.journal.write_text(store.journal.read_text().replace(old, new))
    for command in ("status", "report", "replay", "resume"):
        message = refused(command, store.directory, code=1)
        assert message.startswith(f"Error: {store.journal}:2: {said}")


def test_resuming_what_is_complete_plays_nothing(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=1)
    resume(store)
    before = store.journal.read_bytes()
    assert resume(store).startswith(TABLE)
    assert store.journal.read_bytes() == before


def test_status_before_the_first_game_is_no_error(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=1)
    done = arena("status", store.directory)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ada: no games yet" in done.stdout
    assert json.loads(arena("status", store.directory, "--json").stdout)["played"] == 0


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=1)
    two = ("--engine", "greedy", "--engine", "random")
    assert "two or more are needed" in refused("run", "--engine", "greedy")
    assert "engine 1: an engine needs a limit" in refused("run", *two)
    assert "sprt: 'x' is not KEY=VALUE" in refused("run", *two, "--nodes", 1, "--sprt", "x")
    again = refused("run", *two, "--nodes", 1, "-o", store.directory, code=1)
    assert "there is a tournament in it already" in again
    (tmp_path / "empty").mkdir()
    for command in ("resume", "status", "replay", "report"):
        assert "there is no tournament in it" in refused(command, tmp_path / "empty", code=1)
    store.config.write_text("{}")
    assert "config.json: this is no tournament" in refused("resume", store.directory, code=1)


def test_a_name_that_would_paint_the_terminal_is_shown_plainly(tmp_path: Path) -> None:
    words = engine_words(tmp_path)
    words[words.index("name=ada")] = "name=\x1b[31m[red]ada/é"
    done = arena("run", *words, "--pairs", 1, "-o", tmp_path / "painted")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "?[31m[red]ada-é" in done.stdout
    assert b"\x1b" not in (tmp_path / "painted" / "games.pgn").read_bytes()


@pytest.mark.parametrize("colour", [True, False])
def test_a_terminal_shows_a_live_table(tmp_path: Path, colour: bool) -> None:
    store = begin(tmp_path, pairs=3, delay=0.02, sprt={"elo0": 0, "elo1": 10})
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    env.pop("NO_COLOR", None)
    output = on_terminal(store, env if colour else {**env, "NO_COLOR": "1"})
    assert "player" in output
    assert "LLR" in output
    assert "6 games played, complete" in output
    assert ("\x1b[32m" in output) == colour


def on_terminal(store: Store, env: dict[str, str]) -> str:
    """What resuming writes to a terminal."""
    reading, writing = pty.openpty()
    process = subprocess.Popen(
        [*ARENA, "resume", str(store.directory)], stdout=writing, stderr=writing, env=env
    )
    os.close(writing)
    output = b""
    while select.select([reading], [], [], 60)[0]:
        try:
            data = os.read(reading, 65536)
        except OSError:
            break
        if not data:
            break
        output += data
    os.close(reading)
    assert process.wait(60) == 0
    return output.decode()


def test_openings_are_made_by_seed_unique_and_balanced(tmp_path: Path) -> None:
    words = ("openings", "--count", 6, "--plies", 3, "--seed", 4)
    made = arena(*words).stdout.splitlines()
    assert len({thrive.parse_position(line).symmetry_key for line in made}) == 6
    target = tmp_path / "openings.txt"
    assert arena(*words, "-o", target).stdout == ""
    assert target.read_text().splitlines() == made
    glance = arena(*words, "--balance", 10).stdout.splitlines()
    assert all(abs(thrive.evaluate(thrive.parse_position(line))) <= 10 for line in glance)
    judged = arena(*words, "--balance", 30, "--engine", "alphabeta", "nodes=50")
    assert (judged.returncode, judged.stderr) == (0, "")
    assert len(judged.stdout.splitlines()) == 6


def test_openings_by_an_engine_that_is_none_are_one_line() -> None:
    assert "is no built-in engine" in refused("openings", "--balance", 1, "--engine", "x", code=1)


def test_numbers_for_people() -> None:
    assert (duration(59.6), duration(7384)) == ("1:00", "2:03:04")
    assert elo_text(Estimate(35, 10, 60)) == "+35 +- 25"
    assert elo_text(Estimate(900, 250, 2400, is_open=True)) == ">= +250"
    assert elo_text(Estimate(-900, -2400, -250, is_open=True)) == "<= -250"
    assert elo_text(Estimate(300, -216, 2400, is_open=True)) == "?"
