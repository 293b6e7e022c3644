"""Steps: every limit of a search, and how searches begin and end."""

import re

from thrive_engine.conformance import samples
from thrive_engine.conformance.candidate import (
    AT_ONCE,
    LAG,
    PAUSE,
    Candidate,
    first_word,
    is_remark,
    require,
)
from thrive_engine.conformance.samples import CAPTURE, MIDDLE, NO_HOLE, OPENING, ROUND, START
from thrive_engine.conformance.step import Step, step
from thrive_engine.errors import ConformanceError, NotOfferedError, quote
from thrive_engine.lines import NO_TURN

STEPS: list[Step] = []
SCORES = {(0.0, 1.0): "mate 0", (0.5, 0.5): "cp 0", (1.0, 0.0): "cp 30000"}
"""What is said of a game that is over, by the scores of the side to move and the other one."""


@step(STEPS, needs="isready")
def go_depth(engine: Candidate) -> None:
    """go depth 1 is answered with a bestmove."""
    engine.search("depth 1")


@step(STEPS)
def bestmove_legal(engine: Candidate) -> None:
    """The bestmove is a legal turn in its canonical spelling."""
    for text in samples.GOING:
        engine.set_up(text)
        engine.go("depth 1")
        engine.go("depth 2 movetime 100")


@step(STEPS)
def bestmove_alone(engine: Candidate) -> None:
    """Nothing follows the turn of a bestmove while the option Ponder is off."""
    for words in ("depth 1", "depth 2"):
        search = engine.search(words)
        require(search.ponder is None, "bestmove names a turn to ponder on, and Ponder is off")


@step(STEPS)
def one_bestmove(engine: Candidate) -> None:
    """Every go is answered with exactly one bestmove."""
    for _ in range(3):
        engine.talk.send("go depth 1")
        engine.until("bestmove")
        while (line := engine.talk.poll(PAUSE)) is not None:
            require(first_word(line) != "bestmove", f"a second answer to go: {quote(line)}")
        engine.expect_silence()


@step(STEPS)
def go_nodes(engine: Candidate) -> None:
    """go nodes ends by itself."""
    for nodes in (1, 500):
        engine.go(f"nodes {nodes}")


@step(STEPS)
def go_movetime(engine: Candidate) -> None:
    """go movetime ends when the time is over."""
    for milliseconds in (1, 50, 200):
        engine.go(f"movetime {milliseconds}", milliseconds / 1000 + AT_ONCE)


@step(STEPS)
def go_clock(engine: Candidate) -> None:
    """A search by the clock ends before the player's time does, for either player."""
    engine.go("wtime 2000 btime 2000 winc 20 binc 20", 2.0 + LAG)
    engine.go("wtime 2000 btime 3600000", 2.0 + LAG)
    engine.go("wtime 1000 btime 1000 movestogo 1", 1.0 + LAG)
    engine.set_up(START, *OPENING[:1])
    engine.go("wtime 3600000 btime 2000", 2.0 + LAG)


@step(STEPS)
def go_no_time(engine: Candidate) -> None:
    """With no time left, or less than none, a legal turn is answered at once."""
    for words in ("wtime 0 btime 0", "wtime -500 btime 1000", "wtime 1 btime 1", "movetime 0"):
        engine.go(words, AT_ONCE)


@step(STEPS)
def go_combined(engine: Candidate) -> None:
    """Of several limits the first one reached ends the search."""
    for words in (
        "movetime 3600000 depth 1",
        "depth 100 nodes 100000000000 movetime 50",
        "wtime 3600000 btime 3600000 depth 1",
        "nodes 1 wtime 3600000 btime 3600000 movetime 3600000",
    ):
        engine.go(words)


@step(STEPS)
def go_mate(engine: Candidate) -> None:
    """go mate is understood, beside another limit."""
    engine.set_up(CAPTURE)
    engine.go("mate 1 movetime 1000")


@step(STEPS)
def win_in_one(engine: Candidate) -> None:
    """A win in one turn is played. No engine must be so strong, but it should."""
    engine.set_up(CAPTURE)
    search = engine.go("depth 2 movetime 1000")
    if search.turn != "d4e5":
        raise NotOfferedError(f"it plays {search.turn} where d4e5 wins at once")


@step(STEPS)
def go_infinite(engine: Candidate) -> None:
    """go infinite is not answered before stop, and then at once."""
    for text in (START, CAPTURE, samples.OWN_CAPTURE):
        engine.set_up(text)
        engine.begin_go("infinite")
        engine.expect_thinking()
        _stop(engine)


@step(STEPS)
def go_alone(engine: Candidate) -> None:
    """go without a limit is answered, after stop at the latest."""
    engine.begin_go("")
    _stop(engine)


@step(STEPS)
def stop_again_and_again(engine: Candidate) -> None:
    """Each of many searches that are stopped as they begin is answered."""
    for _ in range(10):
        engine.begin_go("infinite")
        _stop(engine)


@step(STEPS)
def stop_idle(engine: Candidate) -> None:
    """stop and ponderhit mean nothing while nothing is searched."""
    engine.expect_silence("stop", "ponderhit", "stop")
    engine.expect_position()


@step(STEPS)
def go_ponder(engine: Candidate) -> None:
    """go ponder is not answered before ponderhit, and then within its limits."""
    engine.set_up(START, *OPENING[:2])
    for words in ("movetime 20", "wtime 1000 btime 1000"):
        engine.begin_go(f"ponder {words}")
        engine.expect_thinking()
        engine.talk.send("ponderhit")
        engine.judge(engine.finish_go(1.0 + AT_ONCE).turn)


@step(STEPS)
def ponder_stop(engine: Candidate) -> None:
    """stop ends pondering too."""
    engine.set_up(START, *OPENING[:2])
    engine.begin_go("ponder wtime 1000 btime 1000")
    engine.expect_thinking()
    _stop(engine)


@step(STEPS)
def ponder_turn(engine: Candidate) -> None:
    """With Ponder on, the turn after ponder is legal after the bestmove."""
    with engine.setting("Ponder", "true"):
        for text in (START, CAPTURE):
            engine.set_up(text)
            search = engine.go("depth 2")
            if search.ponder is not None:
                game = engine.game_of(text, search.turn)
                require(game.outcome is None, f"ponder {search.ponder} after the end of the game")
                engine.read_turn("ponder", search.ponder, game)


@step(STEPS)
def searchmoves_turns(engine: Candidate) -> None:
    """Of the turns after searchmoves one is played."""
    turns = ["f1f2+a1y+f2u", "e1e2+b1xy", "d1d2+d2ab"]
    for chosen in (turns, turns[:1], turns[1:2]):
        search = engine.go(f"searchmoves {' '.join(chosen)} depth 1")
        require(search.turn in chosen, f"bestmove {search.turn} is not among searchmoves")


@step(STEPS)
def searchmoves_movements(engine: Candidate) -> None:
    """A movement after searchmoves stands for all turns that begin with it."""
    engine.set_up(MIDDLE)
    for movements in (["a1a2"], ["c3b4", "f2f3"]):
        search = engine.go(f"depth 1 searchmoves {' '.join(movements)}")
        begun = search.turn.partition("+")[0] in movements
        require(begun, f"bestmove {search.turn} does not begin with any of searchmoves")


@step(STEPS)
def searchmoves_illegal(engine: Candidate) -> None:
    """go with illegal searchmoves is refused, and answered with bestmove 0000."""
    for turn in ("a1a3", "a1a2+a2hi", "nonsense"):
        _expect_refused_go(engine, f"searchmoves {turn} depth 1")
        engine.expect_position()


@step(STEPS)
def go_bad_number(engine: Candidate) -> None:
    """go with a number that is none is refused, and answered with bestmove 0000."""
    for words in ("depth deep", "depth", "movetime 1.5", "nodes 1e6 depth 1", "wtime x btime 1"):
        _expect_refused_go(engine, words)
    engine.expect_position()


@step(STEPS)
def go_over(engine: Candidate) -> None:
    """Where the game is over, go is answered at once with bestmove 0000, after the score."""
    for start, turns in (*((text, ()) for text in samples.OVER), (NO_HOLE, ROUND * 2)):
        engine.set_up(start, *turns)
        search = engine.go("", AT_ONCE)
        outcome = engine.game.outcome
        assert outcome is not None
        player = engine.game.position.player
        expected = SCORES[outcome.scores[player], outcome.scores[1 - player]]
        said = [re.search(r"\bscore (\S+ \S+)", line) for line in search.infos]
        scores = [match[1] for match in said if match]
        require(scores == [expected], f"the score is {expected}, not {quote(', '.join(scores))}")


@step(STEPS)
def go_over_infinite(engine: Candidate) -> None:
    """Also where the game is over, go infinite is not answered before stop."""
    engine.set_up(samples.WHITE_FILLED)
    engine.begin_go("infinite")
    engine.expect_thinking()
    _stop(engine)


@step(STEPS)
def isready_in_search(engine: Candidate) -> None:
    """isready is answered at once in the middle of a search."""
    engine.begin_go("infinite")
    for _ in range(5):
        engine.talk.send("isready")
        said = engine.until("readyok", AT_ONCE)
        require("bestmove" not in map(first_word, said), "isready ends the search")
    _stop(engine)


@step(STEPS)
def busy(engine: Candidate) -> None:
    """In the middle of a search position, go, setoption and ucinewgame are refused."""
    engine.set_up(START, *OPENING[:1])
    engine.begin_go("infinite")
    for line in ("position startpos", "go depth 1", "setoption name Clear Hash", "ucinewgame"):
        engine.talk.send(line, "isready")
        said = engine.until("readyok", AT_ONCE)
        require("bestmove" not in map(first_word, said), f"{line} ends the search")
        require(any(map(is_remark, said)), f"{line} is not refused while a search runs")
    _stop(engine)
    engine.expect_position()


def _stop(engine: Candidate) -> None:
    engine.talk.send("stop")
    engine.judge(engine.finish_go(AT_ONCE).turn)


def _expect_refused_go(engine: Candidate, words: str) -> None:
    search = engine.search(words)
    require(search.turn == NO_TURN, f"go {words} is answered with bestmove {quote(search.turn)}")
    if len(search.lines) != 1 or not is_remark(search.lines[0]):
        raise ConformanceError(f"go {words} is not refused by one info string")
