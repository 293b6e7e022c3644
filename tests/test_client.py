"""The client against the gallery: a good engine, and many that are not. See tests/engines."""

import asyncio
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import active_count

import pytest
from marked import GALLERY, Mark, gallery

from thrive_engine import START, Game, IllegalTurnError, parse_turn
from thrive_engine.client import Answer, Command, Engine, SimpleEngine, Timeouts
from thrive_engine.errors import EngineError, Fault, ProtocolError
from thrive_engine.search.base import Info, Limit, Score

HASTY = Timeouts(handshake=10, ready=1, option=1, margin=0.2, stop=0.2, quit=0.2, terminate=0.2)
SHORT = Limit(movetime=0.1)
ENDLESS = Limit(infinite=True)

Start = Callable[..., SimpleEngine]


@pytest.fixture
def mark() -> Iterator[Mark]:
    """Whatever carries the mark must be gone at the end."""
    mark = Mark()
    yield mark
    assert mark.vanish()


@pytest.fixture
def start(mark: Mark) -> Iterator[Start]:
    """Starts an engine of the gallery and closes it at the end."""
    engines = []

    def start(mode: str, timeouts: Timeouts = HASTY, **options: object) -> SimpleEngine:
        command: Command = gallery(mode)
        engine = SimpleEngine.start(command, timeouts=timeouts, env=mark.env, **options)  # type: ignore[arg-type]
        engines.append(engine)
        return engine

    yield start
    for engine in engines:
        engine.close()


@pytest.fixture
def good(start: Start) -> SimpleEngine:
    return start("good", Timeouts())


def log_of(lines: list[str], wanted: str) -> Callable[[str, str], None]:
    def log(stream: str, line: str) -> None:
        if stream == wanted:
            lines.append(line)

    return log


# The good engine


def test_the_handshake_tells_name_author_and_options(good: SimpleEngine) -> None:
    assert good.name == "Gallery good"
    assert good.author == "nobody"
    assert list(good.options) == ["Hash", "Ponder", "Style", "Book", "Clear Hash"]
    assert good.options["Hash"].max == 1024


def test_an_answer_has_turn_ponder_and_the_last_infos(good: SimpleEngine) -> None:
    answer = good.play(None, ["x", "y"], SHORT)
    assert (answer.turn, answer.ponder) == ("a2", "b3")
    assert answer.infos == (
        Info(depth=3, multipv=1, score=Score(cp=30), pv=("a2", "b")),
        Info(depth=3, multipv=2, score=Score(cp=-5), pv=("c2",)),
    )
    assert answer.info == answer.infos[0]
    assert 0 < answer.elapsed < 20


def test_an_answer_without_infos_has_none() -> None:
    assert Answer("a", None, (), 0.1).info is None


def test_what_is_sent_is_uci(start: Start) -> None:
    sent: list[str] = []
    engine = start("good", Timeouts(), log=log_of(sent, "stdin"))
    engine.configure({"hash": 32, "Ponder": True, "style": "WILD and fast", "Clear Hash": None})
    engine.new_game()
    engine.play("some position", ["x"], Limit(clocks=(1, 2.5), depth=3))
    engine.quit()
    assert sent == [
        "uci",
        "setoption name Hash value 32",
        "setoption name Ponder value true",
        "setoption name Style value WILD and fast",
        "setoption name Clear Hash",
        "isready",
        "ucinewgame",
        "isready",
        "position fen some position moves x",
        "isready",
        "go wtime 1000 btime 2500 depth 3",
        "quit",
    ]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("Hsah", 1, "has no option 'Hsah'"),
        ("Broken", 1, "has no option 'Broken'"),
        ("Hash", 0, "0 is out of range, which is 1 to 1024"),
        ("Hash", "many", "'many' is not a whole number from 1 to 1024"),
        ("Hash", None, "a value is missing"),
        ("Ponder", 3, "'3' is not true or false"),
        ("Style", "odd", "'odd' is not one of calm, wild and fast"),
        ("Book", "a\nquit", "is more than one line"),
    ],
)
def test_an_option_that_the_engine_has_not_is_refused_before_anything_is_sent(
    start: Start, name: str, value: object, reason: str
) -> None:
    sent: list[str] = []
    engine = start("good", log=log_of(sent, "stdin"))
    with pytest.raises(ProtocolError, match=reason):
        engine.configure({"Ponder": True, name: value})  # type: ignore[dict-item]
    assert sent == ["uci"]
    engine.ping()


def test_a_text_of_two_lines_is_refused_and_does_no_harm(good: SimpleEngine) -> None:
    with pytest.raises(ProtocolError, match="more than one line"):
        good.play("x\nquit", [], SHORT)
    with pytest.raises(ProtocolError, match="more than one line"):
        good.play(None, [], Limit(depth=1, turns=("a\nquit",)))
    assert good.play(None, [], SHORT).turn == "a0"


def test_an_analysis_streams_infos_until_it_is_stopped(good: SimpleEngine) -> None:
    with good.analyse(None, ["x"], ENDLESS) as analysis:
        infos = [next(analysis) for _ in range(7)]
        good.ping()
        answer = analysis.stop()
    assert [info.depth for info in infos] == [1, 1, 2, 2, 3, 3, 0]
    assert infos[-1].string == "thinking"
    assert answer.turn == "a1"
    assert analysis.stop() == analysis.wait() == answer


def test_an_analysis_ends_with_the_answer(good: SimpleEngine) -> None:
    analysis = good.analyse(None, [], SHORT)
    assert len(list(analysis)) == 7
    assert analysis.wait().turn == "a0"


def test_stop_ends_what_goes_on(good: SimpleEngine) -> None:
    assert good.stop() is None
    good.analyse(None, ["x"], ENDLESS)
    answer = good.stop()
    assert answer is not None
    assert answer.turn == "a1"
    assert good.stop() is None


def test_a_new_search_stops_the_one_before(good: SimpleEngine) -> None:
    old = good.analyse(None, [], ENDLESS)
    assert good.play(None, ["x"], SHORT).turn == "a1"
    assert old.wait().turn == "a0"


def test_ponderhit_gives_the_answer_of_the_pondering(good: SimpleEngine) -> None:
    good.ponder(None, ["x", "y"], SHORT)
    assert good.ponderhit().turn == "a2"
    with pytest.raises(ProtocolError, match="engine 'Gallery good' does not ponder"):
        good.ponderhit()


def test_play_ponders_on_and_hits_when_the_expected_turn_came(start: Start) -> None:
    sent: list[str] = []
    engine = start("good", Timeouts(), log=log_of(sent, "stdin"))
    engine.play(None, [], SHORT, ponder=True)
    engine.play(None, ["a0", "b1"], SHORT, ponder=True)
    engine.play(None, ["a0", "b1", "a2", "other"], SHORT)
    words = [line for line in sent if line.split()[0] not in ("isready", "position", "uci")]
    assert words == [
        "go movetime 100",
        "go ponder movetime 100",
        "ponderhit",
        "go ponder movetime 100",
        "stop",
        "go movetime 100",
    ]


def test_quit_returns_the_exit_code(start: Start) -> None:
    assert start("good").quit() == 0
    assert start("quits-badly").quit() == 7


def test_after_quit_every_call_says_so(good: SimpleEngine) -> None:
    good.quit()
    for call in (good.quit, good.ping, good.stop, good.new_game):
        with pytest.raises(EngineError, match="engine 'Gallery good': quit: it has been quit"):
            call()
    good.close()
    with pytest.raises(EngineError, match="it has been quit"):
        good.play(None, [], SHORT)
    good.close()


def test_a_command_can_be_a_line_of_words(mark: Mark, tmp_path: Path) -> None:
    (tmp_path / "my engine.py").symlink_to(GALLERY)
    line = f"{sys.executable} -I -S 'my engine.py' good"
    with SimpleEngine.start(line, cwd=tmp_path, env=mark.env) as engine:
        assert engine.name == "Gallery good"


def test_the_process_is_of_its_own_session_and_limited(start: Start) -> None:
    engine = start("good", resources={resource.RLIMIT_NOFILE: 50, resource.RLIMIT_CORE: 0})
    assert os.getsid(engine.pid) == engine.pid != os.getsid(0)
    assert resource.prlimit(engine.pid, resource.RLIMIT_NOFILE) == (50, 50)
    assert resource.prlimit(engine.pid, resource.RLIMIT_CORE) == (0, 0)


def test_the_engine_inherits_no_other_file(good: SimpleEngine) -> None:
    assert sorted(os.listdir(f"/proc/{good.pid}/fd")) == ["0", "1", "2"]


def test_many_engines_leave_no_file_and_no_thread_behind(mark: Mark) -> None:
    def play(mode: str) -> None:
        with SimpleEngine.start(gallery(mode), timeouts=HASTY, env=mark.env) as engine:
            try:
                engine.play(None, [], SHORT)
            except EngineError:
                return

    play("good")
    files, threads = len(os.listdir("/proc/self/fd")), active_count()
    for mode in ("good", "crashes", "half-line", "good", "stubborn"):
        play(mode)
    assert len(os.listdir("/proc/self/fd")) == files
    assert active_count() == threads


def test_our_own_engine_plays_a_game_with_itself(mark: Mark) -> None:
    game = Game()
    command = [sys.executable, "-m", "thrive_engine"]
    with SimpleEngine.start(command, env=mark.env) as engine:
        engine.configure({"Searcher": "random"})
        engine.new_game()
        while game.outcome is None and len(game.turns) < 20:
            game.play(engine.play(game.start, game.turns, Limit(depth=1)).turn)
        assert len(game.turns) > 5
        assert engine.quit() == 0


# The others


@pytest.mark.parametrize(
    ("mode", "fault", "message"),
    [
        ("unready", Fault.NOT_READY,
         "new game (ucinewgame): no readyok within 1 s; stderr: still loading the book"),
        ("stalls", Fault.STALLED,
         "search (go movetime 100): no bestmove within 0.3 s, nor within 0.2 s after stop"
         "; stderr: searching | and searching | I would rather not"),
        ("exits-in-search", Fault.EXITED,
         "search (go movetime 100): exited with code 4; stderr: out of ideas"),
        ("crashes", Fault.CRASHED, "search (go movetime 100): was ended by SIGSEGV"),
        ("aborts", Fault.CRASHED,
         "search (go movetime 100): was ended by SIGABRT; stderr: assertion failed"),
        ("closes-output", Fault.CLOSED,
         "search (go movetime 100): closed its output, and lives"),
        ("closes-input", Fault.CLOSED,
         "search (go movetime 100): closed its input, and lives"),
        ("floods-errors-and-exits", Fault.EXITED,
         "search (go movetime 100): exited with code 5"
         rf"; stderr: \x1b[31mblah\x07 | {'x' * 100}... (1000 characters) | drowned"),
        ("endless", Fault.OVERLONG,
         "search (go movetime 100): a line is longer than 65536 bytes"),
        ("half-line", Fault.EXITED,
         "search (go movetime 100): exited with code 0 in the middle of the line 'bestmove a'"),
        ("double-fork", Fault.EXITED, "search (go movetime 100): exited with code 6"),
        ("two-answers", Fault.UNASKED,
         "search (go movetime 100): said 'bestmove a0 ponder b1' a second time for the same go"),
        ("last-game", Fault.UNASKED,
         "new game (ucinewgame): said 'bestmove a2 ponder b3' for the last game"
         ": it came after ucinewgame"),
        ("unasked", Fault.UNASKED,
         "new game (ucinewgame): said 'bestmove a0 ponder b1' before any go"),
        ("empty", Fault.NO_TURN, "search (go movetime 100): 'bestmove' names no turn"),
        ("encoding", Fault.ENCODING,
         r"search (go movetime 100): the line 'bestmove \\xff\\xfe' is not UTF-8"),
    ],
)  # fmt: skip
def test_each_bad_engine_gets_its_own_error_and_is_gone(
    start: Start, mark: Mark, mode: str, fault: Fault, message: str
) -> None:
    engine = start(mode, HASTY if mode in ("unready", "stalls") else Timeouts())
    with pytest.raises(EngineError) as caught:
        play_two_games(engine)
    error = caught.value
    assert str(error) == f"engine 'Gallery {mode}': {message}"
    assert error.fault is fault
    assert mark.pids == []
    for call in (engine.ping, engine.stop, engine.quit):
        with pytest.raises(EngineError) as again:
            call()
        assert again.value is error


def play_two_games(engine: SimpleEngine) -> None:
    engine.new_game()
    engine.play(None, [], SHORT)
    engine.play(None, ["a0", "b1"], SHORT)
    engine.new_game()
    engine.play(None, [], SHORT)


def test_an_engine_that_never_answers_fails_in_the_handshake(start: Start, mark: Mark) -> None:
    command = " ".join(gallery("silent"))
    with pytest.raises(EngineError, match=r": handshake \(uci\): no uciok within 0.3 s$") as caught:
        start("silent", Timeouts(handshake=0.3))
    assert caught.value.fault is Fault.HANDSHAKE
    assert caught.value.engine == command
    assert mark.pids == []


def test_an_engine_that_exits_at_once_fails_in_the_handshake(start: Start, mark: Mark) -> None:
    wanted = r"handshake \(uci\): exited with code 3; stderr: no licence found$"
    with pytest.raises(EngineError, match=wanted):
        start("exits-at-once")
    assert mark.pids == []


def test_a_late_answer_is_told_from_none(start: Start, mark: Mark) -> None:
    engine = start("late", Timeouts(margin=0.2))
    wanted = r": no bestmove within 0.3 s, only after stop, \d+\.\d{3} s after go$"
    with pytest.raises(EngineError, match=wanted) as caught:
        engine.play(None, [], SHORT)
    assert caught.value.fault is Fault.LATE
    assert mark.pids == []


def test_a_stop_that_is_not_obeyed_is_named(start: Start) -> None:
    engine = start("stalls")
    analysis = engine.analyse(None, [], ENDLESS)
    wanted = r"stop \(go infinite\): no bestmove within 0.2 s after stop"
    with pytest.raises(EngineError, match=wanted):
        analysis.stop()
    with pytest.raises(EngineError, match=wanted):
        next(analysis)


def test_pondering_that_fails_is_met_by_the_next_call(start: Start) -> None:
    engine = start("good")
    assert engine.play(None, [], SHORT, ponder=True).turn == "a0"
    os.kill(engine.pid, signal.SIGKILL)
    wanted = r"(ponder|search) \(go ponder movetime 100\): was ended by SIGKILL"
    with pytest.raises(EngineError, match=wanted):
        engine.play(None, ["a0", "b1"], SHORT)


def test_an_engine_that_dies_between_commands_is_noticed(start: Start, mark: Mark) -> None:
    engine = start("good")
    engine.play(None, [], SHORT)
    os.kill(engine.pid, signal.SIGTERM)
    assert mark.vanish()
    with pytest.raises(EngineError, match=r"idle \(after go movetime 100\): was ended by SIGTERM$"):
        engine.play(None, [], SHORT)


def test_an_engine_that_ignores_quit_and_term_is_killed(start: Start, mark: Mark) -> None:
    engine = start("stubborn")
    assert engine.play(None, [], SHORT).turn == "a0"
    wanted = "quit: still there 0.2 s after quit and 0.2 s after the end of its input; stderr: not"
    with pytest.raises(EngineError, match=wanted) as caught:
        engine.quit()
    assert caught.value.fault is Fault.NOT_QUIT
    assert mark.pids == []


def test_close_ends_a_stubborn_engine_without_a_word(start: Start, mark: Mark) -> None:
    start("stubborn").close()
    assert mark.pids == []


def test_what_a_double_fork_leaves_is_gone_after_a_clean_quit(start: Start, mark: Mark) -> None:
    engine = start("double-fork")
    assert len(mark.pids) == 3
    assert engine.quit() == 0
    assert mark.pids == []


def test_a_flood_of_errors_stops_nothing_and_little_of_it_is_kept(start: Start) -> None:
    noted: list[str] = []
    engine = start("floods-errors", Timeouts(), log=log_of(noted, "stderr"))
    assert engine.play(None, [], SHORT).turn == "a0"
    engine.ping()
    assert len(noted) > 500_000
    assert noted[0] == "\x1b[31mblah\x07"


def test_a_flood_of_infos_stops_nothing_and_little_of_it_is_kept(start: Start) -> None:
    engine = start("chatty", Timeouts())
    analysis = engine.analyse(None, [], ENDLESS)
    time.sleep(0.2)
    assert analysis.stop().turn == "a0"
    assert len(list(analysis)) <= 1000


def test_an_illegal_turn_is_for_the_rules_to_refuse(start: Start) -> None:
    answer = start("illegal").play(None, [], SHORT)
    with pytest.raises(IllegalTurnError):
        parse_turn(answer.turn, START)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-engine --now", "engine 'no-such-engine --now': start: No such file or directory"),
        (["/"], "engine '/': start: Permission denied"),
        ("", "engine '': start: the command is empty"),
        ("'a", 'engine "\'a": start: No closing quotation'),
        (["a\0b"], r"engine 'a\x00b': start: embedded null byte"),
    ],
)
def test_a_command_that_cannot_be_started_says_why(command: Command, reason: str) -> None:
    with pytest.raises(EngineError) as caught:
        SimpleEngine.start(command)
    assert str(caught.value) == reason
    assert caught.value.fault is Fault.START


def test_a_folder_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="start: No such file or directory"):
        SimpleEngine.start(gallery("good"), cwd=tmp_path / "none")


def test_an_error_can_be_sent_to_another_process() -> None:
    error = EngineError("x", Fault.EXITED, "search (go)", "exited with code 1", ("a",))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


# Whose death is whose


PARENT = """
import os, sys, time
from thrive_engine.client import SimpleEngine
engine = SimpleEngine.start(sys.argv[2:])
if sys.argv[1] == "forking" and os.fork() == 0:
    time.sleep(30)
print(engine.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("mode", ["good", "stubborn", "double-fork"])
def test_the_tree_dies_with_a_parent_that_is_killed(mark: Mark, mode: str) -> None:
    parent = start_parent(mark, "plain", mode)
    parent.kill()
    parent.communicate()
    assert mark.vanish()


def test_the_tree_dies_with_its_parent_though_a_fork_holds_the_socket(mark: Mark) -> None:
    parent = start_parent(mark, "forking", "stubborn")
    before = set(mark.pids)
    parent.kill()
    parent.wait()
    end = time.monotonic() + 20
    while len(set(mark.pids) & before) > 1 and time.monotonic() < end:
        time.sleep(0.02)
    [fork] = set(mark.pids) & before
    os.kill(fork, signal.SIGKILL)
    parent.communicate()


def start_parent(mark: Mark, kind: str, mode: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PARENT, kind, *gallery(mode)]
    parent = subprocess.Popen(command, env=mark.env, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    assert int(parent.stdout.readline()) in mark.pids
    return parent


def test_an_engine_whose_supervisor_is_killed_dies_too(start: Start, mark: Mark) -> None:
    engine = start("stalls", Timeouts())
    [supervisor] = set(mark.pids) - {engine.pid}
    os.kill(supervisor, signal.SIGKILL)
    with pytest.raises(EngineError, match="its supervisor was ended, and the engine with it"):
        engine.play(None, [], ENDLESS)
    assert mark.vanish()


def test_a_supervisor_that_is_stopped_cannot_save_the_engine(start: Start, mark: Mark) -> None:
    engine = start("stubborn", Timeouts(quit=0.1, terminate=0.1, kill=0.3))
    [supervisor] = set(mark.pids) - {engine.pid}
    os.kill(supervisor, signal.SIGSTOP)
    engine.close()
    assert mark.vanish()


# Asynchronously


def test_a_call_that_is_cancelled_leaves_the_engine_ready(mark: Mark) -> None:
    async def main() -> None:
        async with await Engine.start(gallery("good"), env=mark.env) as engine:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(engine.play(None, [], ENDLESS), 0.2)
            assert (await engine.play(None, ["x"], SHORT)).turn == "a1"
            assert engine.error is None

    asyncio.run(main())


def test_a_start_that_is_cancelled_leaves_nothing(mark: Mark) -> None:
    async def main() -> None:
        for delay in (0.001, 0.02, 0.3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(Engine.start(gallery("silent"), env=mark.env), delay)
            assert mark.pids == []

    asyncio.run(main())


def test_many_engines_play_on_one_loop(mark: Mark) -> None:
    async def play(count: int) -> list[str]:
        async with await Engine.start(gallery("good"), env=mark.env) as engine:
            return [(await engine.play(None, ["x"] * n, SHORT)).turn for n in range(count)]

    async def main() -> list[list[str]]:
        return await asyncio.gather(*(play(10) for _ in range(8)))

    assert asyncio.run(main()) == [[f"a{n}" for n in range(10)]] * 8


def test_an_analysis_is_a_stream_that_its_block_stops(mark: Mark) -> None:
    async def main() -> None:
        async with await Engine.start(gallery("good"), env=mark.env) as engine:
            async with await engine.analyse(None, [], ENDLESS) as analysis:
                async for info in analysis:
                    if info.depth == 2:
                        break
            assert (await analysis.wait()).turn == "a0"
            assert [info.depth async for info in analysis] == [2, 3, 3, 0]

    asyncio.run(main())


def test_calls_at_the_same_time_take_turns(mark: Mark) -> None:
    async def main() -> None:
        async with await Engine.start(gallery("good"), env=mark.env) as engine:
            await asyncio.gather(*(engine.ping() for _ in range(5)), engine.new_game())
            plays = (engine.play(None, ["x"] * n, SHORT) for n in range(5))
            assert [answer.turn for answer in await asyncio.gather(*plays)] == [
                f"a{n}" for n in range(5)
            ]

    asyncio.run(main())


def test_all_who_wait_hear_of_the_failure(mark: Mark) -> None:
    async def main() -> None:
        engine = await Engine.start(gallery("stalls"), env=mark.env)
        analysis = await engine.analyse(None, [], ENDLESS)
        waiting = asyncio.gather(
            analysis.wait(), engine.new_game(), engine.play(None, [], SHORT), return_exceptions=True
        )
        await asyncio.sleep(0.1)
        os.kill(engine.pid, signal.SIGKILL)
        assert [type(result) for result in await waiting] == [EngineError] * 3
        assert str(engine.error) == (
            "engine 'Gallery stalls': stop (go infinite): was ended by SIGKILL"
            "; stderr: searching | and searching | I would rather not"
        )

    asyncio.run(main())


# Interrupted


@pytest.fixture
def interruption() -> Iterator[None]:
    """A KeyboardInterrupt, a moment from now."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    yield
    signal.signal(signal.SIGALRM, before)


def test_a_start_that_is_interrupted_leaves_nothing(mark: Mark, interruption: None) -> None:
    with pytest.raises(KeyboardInterrupt):
        SimpleEngine.start(gallery("silent"), env=mark.env)
    assert mark.pids == []


def test_a_search_that_is_interrupted_is_stopped(good: SimpleEngine, interruption: None) -> None:
    with pytest.raises(KeyboardInterrupt):
        good.play(None, [], ENDLESS)
    assert good.play(None, ["x"], SHORT).turn == "a1"
