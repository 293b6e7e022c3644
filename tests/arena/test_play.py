"""Whole games: real engines, real pipes, real clocks."""

import os
import sys
import threading
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from time import monotonic

import pytest
from marked import Mark
from scenes import CALM, LINE, OPENING, WIN, actor, gallery_player, job_of, play

from thrive_engine.arena.job import Adjudication, Control, Player
from thrive_engine.arena.play import abandoned, play_game, stop_games
from thrive_engine.errors import StoppedError
from thrive_engine.record import Eval, Record, read_records

CLOCK = Control(time=20, increment=1)
HASTY = Control(depth=1, patience=1)


@pytest.fixture(autouse=True)
def _marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing that a test starts outlives it."""
    mark = Mark()
    name, _, value = mark.text.partition("=")
    monkeypatch.setenv(name, value)
    yield
    monkeypatch.delenv(name)
    assert mark.vanish()


def read(text: str) -> Record:
    """The one record in a text, which must be as it was written."""
    [record] = read_records(StringIO(text))
    assert record.errors == []
    assert str(record) == text
    return record


# Games that go well


def test_a_game_ends_by_the_rules() -> None:
    game = play(actor("good", name="A"), actor("good", name="B"))
    assert (game.number, game.players, game.opening) == (7, ("A", "B"), OPENING)
    assert (game.result, game.termination, game.reason) == ("0-1", "captured", "captured")
    assert (game.turns, len(game.overhead), game.faults) == (6, 6, ())
    assert (game.claims, game.foretold) == (((0, 0), (0, 0)), None)
    assert all(0 < each <= total for each, total in zip(game.slowest, game.seconds, strict=True))


def test_the_record_has_names_turns_scores_clocks_and_the_end() -> None:
    event = {"event": 'The "Cup"', "date": "2024.01.02"}
    game = play(actor("cp=5", CLOCK, name="A"), actor("mate=-3", name='B "b"'), **event)
    record = read(game.record)
    assert [record.tags[name] for name in ("Event", "Date", "Round", "White", "Black")] == [
        'The "Cup"', "2024.01.02", "1", "A", 'B "b"',
    ]  # fmt: skip
    assert (record.result, record.tags["Termination"]) == ("0-1", "captured")
    assert tuple(map(str, record.turns)) == LINE
    nodes = list(record.mainline())
    assert [node.eval for node in nodes] == [Eval(cp=5), Eval(mate=3)] * 3
    assert [node.clk is None for node in nodes] == [False, True] * 3
    assert [20 < (node.clk or 0) < 24 for node in nodes[::2]] == [True] * 3


def test_each_player_has_its_own_control(tmp_path: Path) -> None:
    white, black = Control(time=30, increment=1, turns=2), Control(movetime=5, nodes=8)
    game = play(actor("good", white, name="A"), actor("good", black), logs=str(tmp_path))
    assert game.termination == "captured"
    mine, other = (path.read_text() for path in sorted(tmp_path.iterdir()))
    told = [line.split("> ")[1].split() for line in mine.splitlines() if "> go" in line]
    assert [words[-1] for words in told] == ["2", "1", "2"]
    assert all("btime" not in words for words in told)
    assert [int(words[2]) / 1000 for words in told] == pytest.approx([30, 31, 62], abs=1)
    assert other.count("> go nodes 8 movetime 5000\n") == 3


def test_our_own_engine_can_be_told_its_options() -> None:
    ours = (sys.executable, "-m", "thrive_engine")
    players = [
        Player(name, ours, Control(depth=1), (("searcher", name), ("Hash", "1")))
        for name in ("greedy", "random")
    ]
    game = play(*players)
    assert game.faults == ()
    assert game.result in ("1-0", "0-1")


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system has no affinity")
def test_an_engine_runs_on_its_processors() -> None:
    [cpu, *_] = os.sched_getaffinity(0)
    code = "import os, sys; sys.exit(f'on {os.sched_getaffinity(0)}')"
    job = job_of(Player("x", (sys.executable, "-c", code), CALM), actor("good"), cpus=(cpu,))
    assert play_game(job).reason.endswith(f"; stderr: on {{{cpu}}}")


# Time


def test_who_answers_too_late_loses_on_time() -> None:
    slow = actor("sleeps=0.3", Control(movetime=0.05, margin=0.05))
    game = play(actor("good"), slow)
    assert (game.result, game.termination, game.turns) == ("1-0", "time", 1)
    assert game.faults[0][0] == "sleeps"


def test_who_has_little_time_is_not_given_the_time_of_the_other() -> None:
    hurried = gallery_player("stalls", Control(time=0.1, margin=0.1))
    begin = monotonic()
    game = play(hurried, actor("good", Control(time=3600)))
    assert (game.result, game.termination) == ("0-1", "stall")
    assert monotonic() - begin < 30


def test_a_clock_runs_down_over_the_turns() -> None:
    slow = actor("sleeps=0.2", Control(time=0.5, margin=0.02))
    game = play(slow, actor("good"))
    assert (game.result, game.termination) == ("0-1", "time")
    assert game.turns in (2, 4)
    assert "of 0." in game.reason or "no bestmove within 0." in game.reason


def test_increments_keep_a_clock_alive() -> None:
    slow = actor("sleeps=0.1", Control(time=0.3, increment=0.3, margin=1))
    assert play(slow, actor("good")).termination == "captured"


def test_an_answer_within_the_margin_counts() -> None:
    slow = actor("sleeps=0.1", Control(movetime=0.05, margin=20))
    assert play(slow, actor("good")).termination == "captured"


# Pondering


def words_of(path: Path) -> list[str]:
    """What an engine was told, but for its positions and questions."""
    sent = [line.split("> ")[1] for line in path.read_text().splitlines() if "> " in line[:12]]
    passed = ("uci", "isready", "position", "setoption", "ucinewgame", "quit")
    return [" ".join(line.split()[:2]) for line in sent if line.split()[0] not in passed]


def test_an_engine_ponders_and_hits(tmp_path: Path) -> None:
    ponders = actor("good", CLOCK, ponder=True, name="A")
    slow = actor("sleeps=0.2", name="B")
    game = play(ponders, slow, logs=str(tmp_path))
    assert game.termination == "captured"
    words = words_of(min(tmp_path.iterdir()))
    assert words == ["go wtime", "go ponder", "ponderhit", "go ponder", "ponderhit"]


def test_while_an_engine_ponders_its_clock_stands_still() -> None:
    ponders = actor("good", Control(time=0.5, margin=0.5), ponder=True)
    game = play(ponders, actor("sleeps=0.5"))
    assert game.termination == "captured"
    assert game.seconds[0] < 1 < game.seconds[1]


def test_an_engine_that_pondered_on_another_turn_is_stopped(tmp_path: Path) -> None:
    expects = (LINE[0], "e2e1+c4ey", LINE[2], "c4d2+d2y+e1y", LINE[4])
    ponders = actor("good", CLOCK, expects, ponder=True, name="A")
    game = play(ponders, actor("good", name="B"), logs=str(tmp_path))
    assert game.termination == "captured"
    assert words_of(min(tmp_path.iterdir())) == [
        "go wtime", "go ponder", "stop", "go wtime", "go ponder", "ponderhit",
    ]  # fmt: skip


def test_what_can_not_be_pondered_on_is_not(tmp_path: Path) -> None:
    expects = (LINE[0], "e2e6+c4ey", LINE[2], "rubbish", LINE[4])
    ponders = actor("good", CLOCK, expects, ponder=True, name="A")
    assert play(ponders, actor("good", name="B"), logs=str(tmp_path)).termination == "captured"
    assert words_of(min(tmp_path.iterdir())) == ["go wtime"] * 3


def test_who_dies_while_it_ponders_loses_in_its_next_turn() -> None:
    game = play(actor("leaves-pondering", CLOCK, ponder=True), actor("sleeps=0.2"))
    assert (game.result, game.termination, game.turns) == ("0-1", "crash", 2)
    assert "exited with code 10" in game.reason


def test_who_goes_on_to_ponder_stalls() -> None:
    expects = (LINE[0], "e2e1+c4ey", LINE[2])
    stuck = actor("ignores-ponder", CLOCK, expects, ponder=True)
    game = play(stuck, actor("good"))
    assert (game.result, game.termination, game.turns) == ("0-1", "stall", 2)
    assert "no bestmove within 2 s after stop" in game.reason


# Who is to blame


def test_the_reason_names_the_part_of_an_illegal_turn() -> None:
    turn = "d2d1+c3i+e2o"
    game = play(actor(f"says={turn}"), actor("good"))
    assert (game.result, game.termination) == ("0-1", "illegal")
    assert game.reason == (
        "says: illegal turn 'd2d1+c3i+e2o': peg 'e2o' (column 10): "
        "the piece on e2 is the opponent's; legal: c3 d1"
    )
    assert game.faults == (("says", f"illegal: {game.reason.removeprefix('says: ')}"),)


def test_who_says_that_there_is_no_turn_is_not_believed() -> None:
    game = play(actor("good"), actor("says=0000"))
    assert (game.result, game.termination) == ("1-0", "illegal")
    assert game.reason == "says: bestmove 0000: it says that there is no turn"


def test_who_dies_while_the_other_thinks_loses_in_its_next_turn() -> None:
    game = play(actor("leaves-later"), actor("sleeps=0.4"))
    assert (game.result, game.termination, game.turns) == ("0-1", "crash", 2)
    assert game.reason == "leaves-later: idle (after go depth 1): exited with code 9"


def test_who_answers_while_the_other_thinks_loses_in_its_next_turn() -> None:
    game = play(actor("late"), actor("sleeps=0.4"))
    assert (game.result, game.termination, game.turns) == ("0-1", "protocol", 2)
    assert "a second time for the same go" in game.reason


def test_an_answer_that_is_too_many_is_not_taken_for_that_to_the_next_go() -> None:
    game = play(actor("late"), actor("good"))
    assert (game.result, game.termination, game.turns) == ("0-1", "protocol", 2)
    assert "a second time for the same go" in game.reason


def test_who_has_won_has_won_whatever_it_does_then() -> None:
    game = play(actor("leaves", line=WIN), actor("good"))
    assert (game.result, game.termination, game.reason) == ("1-0", "captured", "captured")
    assert [name for name, _ in game.faults] in ([], ["leaves"])


def test_who_has_lost_has_lost_whatever_the_winner_does_then() -> None:
    game = play(actor("good", line=WIN), gallery_player("stubborn"))
    assert (game.result, game.termination) == ("1-0", "captured")
    assert [(name, what.split(":")[0]) for name, what in game.faults] == [("stubborn", "protocol")]


def test_nobody_wins_where_both_have_failed() -> None:
    game = play(actor("leaves-later", name="A"), actor("sleeps=600", HASTY, name="B"))
    assert (game.result, game.termination) == ("*", "abandoned")
    assert game.reason.startswith("both failed; B: search (go depth 1): no bestmove")
    assert sorted(name for name, _ in game.faults) == ["A", "B"]


def test_who_can_not_start_forfeits() -> None:
    game = play(actor("good"), Player("x", ("/no/such/engine",), CALM))
    assert (game.result, game.termination, game.turns) == ("1-0", "crash", 0)
    reason = "start: No such file or directory"
    assert game.reason == f"x: {reason}"
    assert game.faults == (("x", f"crash: {reason}"),)
    assert read(game.record).tags["Termination"] == "crash"


def test_where_nobody_can_start_the_game_is_abandoned() -> None:
    game = play(Player("x", ("/no/x",), CALM), Player("y", ("/no/y",), CALM))
    assert (game.result, game.termination) == ("*", "abandoned")
    assert [name for name, _ in game.faults] == ["x", "y"]


def test_an_option_that_an_engine_has_not_forfeits() -> None:
    game = play(actor("good", options=(("Hsah", "1"),)), actor("good", name="B"))
    assert (game.result, game.termination) == ("0-1", "protocol")
    assert game.reason == "good: engine 'Actor' has no option 'Hsah'"


def test_a_game_has_a_deadline() -> None:
    game = play(actor("sleeps=600"), actor("good"), deadline=1.5)
    assert (game.result, game.termination) == ("*", "abandoned")
    assert game.reason == "the game was not over after 1.5 s"
    assert game.faults == ()


def test_a_game_can_be_abandoned_without_being_played() -> None:
    game = abandoned(job_of(actor("good"), actor("good", name="B")), "3 workers\nfailed")
    assert (game.result, game.termination, game.reason) == ("*", "abandoned", r"3 workers\nfailed")
    assert read(game.record).result == "*"


# Engine text


@pytest.mark.parametrize(
    "text",
    [
        r"x}{y[%eval 9.00]",
        r"\x1b[31mred\x07",
        r"quo\"te'\\",
        r"\u202eback\u2028wards",
        r";a#b$1(c)",
        "<script>alert(1)</script>",
        "\N{SNOWMAN}" * 9,
    ],
)
def test_engine_text_is_never_raw(
    text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    game = play(actor("good"), actor(f"says={text}"), logs=str(tmp_path))
    assert (game.result, game.termination) == ("1-0", "illegal")
    shown = [game.reason, *(what for _, what in game.faults), game.record.replace("\n", "")]
    shown += [line for path in tmp_path.iterdir() for line in path.read_text().splitlines()]
    assert all(line.isascii() and line.isprintable() for line in shown)
    record = read(game.record)
    assert record.end.eval is None
    assert len(record.turns) == 1
    assert capfd.readouterr() == ("", "")


def test_scores_that_no_engine_means_are_not_written() -> None:
    game = play(actor("cp=999999999999999999"), actor("mate=999999999999"))
    assert [node.eval for node in read(game.record).mainline()] == [None] * 6


def test_a_log_can_not_leave_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    play(actor("good", name="../../x\n"), actor("good", name="y"), logs=str(folder))
    assert sorted(path.name for path in folder.iterdir()) == [
        "000007-1-..-..-x-.log", "000007-2-y.log",
    ]  # fmt: skip
    assert list(tmp_path.iterdir()) == [folder]


# Claims and adjudication


@pytest.mark.parametrize(
    ("white", "black", "claims"),
    [
        ("good", "mate=3,2,1", ((0, 0), (3, 0))),
        ("good", "mate=2", ((0, 0), (2, 1))),
        ("mate=5", "good", ((0, 3), (0, 0))),
        ("good", "mate=-3", ((0, 0), (0, 0))),
        ("mate=1", "mate=1", ((0, 3), (1, 2))),
    ],
)
def test_announced_wins_are_counted_for_each_seat(
    white: str, black: str, claims: tuple[tuple[int, int], ...]
) -> None:
    assert play(actor(white), actor(black)).claims == claims


def test_an_announced_win_that_was_cut_off_is_neither_kept_nor_broken() -> None:
    rule = Adjudication(length=3)
    assert play(actor("mate=3"), actor("mate=1"), adjudication=rule).claims == (
        (0, 0),
        (0, 1),
    )
    game = play(actor("mate=3"), actor("says=x", name="x"))
    assert game.claims == ((0, 0), (0, 0))


def test_who_is_lost_by_its_own_score_resigns() -> None:
    rule = Adjudication(resign_score=800, resign_turns=2)
    game = play(actor("cp=-900", name="A"), actor("cp=900", name="B"), adjudication=rule)
    assert (game.result, game.termination, game.turns) == ("0-1", "adjudication", 3)
    assert game.reason == "A: lost by its own score for 2 turns"
    assert (game.faults, game.foretold) == ((), None)
    assert read(game.record).end.comments == [game.reason]


def test_a_game_that_is_even_is_drawn() -> None:
    rule = Adjudication(draw_score=10, draw_turns=2, draw_from=4)
    game = play(actor("cp=-9"), actor("cp=9"), adjudication=rule)
    assert (game.result, game.termination, game.turns) == ("1/2-1/2", "adjudication", 4)


def test_a_game_that_is_too_long_is_drawn() -> None:
    game = play(actor("good"), actor("good"), adjudication=Adjudication(length=3))
    assert (game.result, game.termination, game.turns) == ("1/2-1/2", "adjudication", 3)
    assert game.reason == "not over after 3 turns"


def test_a_share_of_the_games_is_played_out_and_the_verdict_kept() -> None:
    rule = Adjudication(length=3, played_out=1.0)
    game = play(actor("good"), actor("good"), adjudication=rule)
    assert (game.result, game.termination, game.foretold) == ("0-1", "captured", "1/2-1/2")
    failed = play(
        actor("good"),
        actor("sleeps=600", HASTY),
        adjudication=Adjudication(length=1, played_out=1.0),
    )
    assert (failed.termination, failed.foretold) == ("stall", None)


# Stopping


@pytest.mark.parametrize("role", ["sleeps=600", "forks"])
def test_games_can_be_stopped_from_another_thread_within_two_seconds(role: str) -> None:
    jobs = [job_of(actor(role), actor("sleeps=600")) for _ in range(2)]
    ends: list[object] = []

    def run(number: int) -> None:
        try:
            ends.append(play_game(jobs[number]))
        except StoppedError as error:
            ends.append(str(error))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    threading.Event().wait(1.0)
    begin = monotonic()
    stop_games()
    for thread in threads:
        thread.join()
    assert monotonic() - begin < 2
    assert ends == ["game 7 was stopped"] * 2


def test_stopping_where_no_game_is_played_does_nothing() -> None:
    stop_games()
    assert play(actor("good"), actor("good")).termination == "captured"
