"""A client that nobody here wrote drives the engine: python-chess's ``chess.engine``."""

import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import chess
import chess.engine
import pytest
from chess.engine import Limit, SimpleEngine
from dialogue import ENGINE
from python_chess_adapter import ThriveBoard, ThriveMove

from thrive_engine import parse_position

FINISHED = parse_position("4BrBr/6/6/6/1Wh4/W~5 b 40")
SHORT = parse_position("2BdhrBghi2/6/6/3Wcdhi2/2W~cdefg3/6 w 30")
"""A position from which games are short."""


@pytest.fixture
def engine(caplog: pytest.LogCaptureFixture) -> Iterator[Any]:
    """The engine; every warning of python-chess about it is a failure."""
    caplog.set_level(logging.DEBUG, "chess.engine")
    with SimpleEngine.popen_uci(list(ENGINE)) as engine:
        engine.configure({"OwnBook": False})
        yield engine
    assert [record.getMessage() for record in caplog.records if record.levelno >= 30] == []


@pytest.fixture
def sent(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """The lines that python-chess has sent so far."""
    return lambda: [
        message.partition(": << ")[2] for message in caplog.messages if ": << " in message
    ]


def test_it_reads_who_we_are_and_every_option(engine: Any) -> None:
    assert engine.id["name"].startswith("thrive-engine")
    assert engine.options["UCI_Variant"].type == "combo"
    assert engine.options["UCI_Variant"].var == ["thrive"]
    assert engine.options["MultiPV"].max == 256
    assert engine.options["Clear Hash"].type == "button"
    engine.ping()


@pytest.mark.parametrize("searcher", ["random", "greedy", "alphabeta", "mcts"])
def test_it_plays_a_whole_game(engine: Any, searcher: str) -> None:
    engine.configure({"Searcher": searcher, "Hash": 4})
    board = ThriveBoard(SHORT)
    game = object()
    while not board.is_game_over() and len(board.move_stack) < 60:
        result = engine.play(board, Limit(nodes=30), game=game)
        assert result.ponder is None
        board.push(result.move)
    assert board.is_game_over()
    assert not engine.play(board, Limit(nodes=1), game=game).move


def test_it_plays_from_the_start_by_the_clock(engine: Any, sent: Callable[[], list[str]]) -> None:
    board = ThriveBoard()
    for _ in range(6):
        clock = Limit(white_clock=0.3, black_clock=0.3, white_inc=0.01, black_inc=0.01)
        board.push(engine.play(board, clock).move)
    assert len(board.move_stack) == 6
    assert "go wtime 300 btime 300 winc 10 binc 10" in sent()


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.02),
        Limit(depth=2),
        Limit(nodes=5),
        Limit(mate=1, time=0.05),
        Limit(white_clock=0.0, black_clock=-5.0),
        Limit(white_clock=1, black_clock=1, remaining_moves=10, depth=1),
    ],
)
def test_every_limit_is_understood(engine: Any, limit: Limit) -> None:
    board = ThriveBoard()
    board.push(engine.play(board, limit).move)


def test_it_sets_options_and_we_take_them(engine: Any, sent: Callable[[], list[str]]) -> None:
    engine.configure(
        {"Hash": 64, "UCI_ShowWDL": True, "Clear Hash": None, "Move Overhead": 50, "Seed": 3}
    )
    info = engine.analyse(ThriveBoard(), Limit(depth=1))
    assert info["wdl"].relative.total() == 1000
    assert "setoption name UCI_ShowWDL value true" in sent()
    with pytest.raises(chess.engine.EngineError):
        engine.configure({"Nonsense": 1})
    with pytest.raises(chess.engine.EngineError):
        engine.configure({"Hash": 0})


def test_a_level_can_be_set(engine: Any) -> None:
    board = ThriveBoard()
    level = {"UCI_LimitStrength": True, "UCI_Elo": 800}
    board.push(engine.play(board, Limit(time=0.05), options=level).move)


def test_multipv_gives_different_lines_that_are_all_legal(engine: Any) -> None:
    board = ThriveBoard()
    infos = engine.analyse(board, Limit(depth=2), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert len({info["pv"][0] for info in infos}) == 3
    scores = [info["score"].white().score(mate_score=10**6) for info in infos]
    assert scores == sorted(scores, reverse=True)
    for info in infos:
        assert {"depth", "seldepth", "nodes", "nps", "hashfull", "time"} <= info.keys()
        line = board.copy()
        for move in info["pv"]:
            line.push(move)


def test_root_moves_are_searched_alone_as_turns_and_as_movements(engine: Any) -> None:
    board = ThriveBoard()
    whole = [board.parse_uci("c1c2+c2ab"), board.parse_uci("d1d2+d2ab")]
    assert engine.play(board, Limit(nodes=50), root_moves=whole).move in whole

    class Movement(ThriveMove):
        def uci(self) -> str:
            return "e1e2"

    result = engine.play(board, Limit(nodes=50), root_moves=[Movement(0)])
    assert result.move.uci().startswith("e1e2+")


def test_an_analysis_without_end_is_stopped(engine: Any, sent: Callable[[], list[str]]) -> None:
    with engine.analysis(ThriveBoard()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 2:
                break
        engine_is_still_searching = analysis.would_block() or not analysis.empty()
        analysis.stop()
        best = analysis.wait()
    assert engine_is_still_searching
    assert ThriveBoard().parse_uci(best.move.uci()) == best.move
    assert sent()[-1] == "stop"
    assert "go infinite" in sent()


def test_an_analysis_is_interrupted_by_the_next_command(engine: Any) -> None:
    board = ThriveBoard()
    with engine.analysis(board):
        time.sleep(0.05)
        board.push(engine.play(board, Limit(depth=1)).move)
    engine.analyse(board, Limit(depth=1))


def test_a_guess_that_comes_true_is_a_ponderhit(engine: Any, sent: Callable[[], list[str]]) -> None:
    board, game = ThriveBoard(), object()
    limit = Limit(white_clock=2, black_clock=2)
    result = engine.play(board, limit, game=game, ponder=True)
    assert result.ponder, "the first answer comes with a guess"
    board.push(result.move)
    board.push(result.ponder)
    time.sleep(0.05)
    board.push(engine.play(board, limit, game=game, ponder=True).move)
    assert sent().count("ponderhit") == 1
    assert any(line.startswith("go ponder ") for line in sent())


def test_a_guess_that_was_wrong_is_stopped_and_forgotten(
    engine: Any, sent: Callable[[], list[str]]
) -> None:
    board, game = ThriveBoard(), object()
    limit = Limit(white_clock=2, black_clock=2)
    result = engine.play(board, limit, game=game, ponder=True)
    board.push(result.move)
    turns = iter(board.position.legal_turns)
    other = next(move for turn in turns if (move := ThriveMove(turn)) != result.ponder)
    board.push(other)
    board.push(engine.play(board, limit, game=game).move)
    assert "stop" in sent()
    assert "ponderhit" not in sent()


def test_without_ponder_bestmove_has_two_words(
    engine: Any, caplog: pytest.LogCaptureFixture
) -> None:
    engine.play(ThriveBoard(), Limit(depth=3))
    (answer,) = [text for text in caplog.messages if ">> bestmove" in text]
    assert len(answer.partition(">> ")[2].split()) == 2


def test_a_finished_game_has_no_move_and_a_score(engine: Any) -> None:
    board = ThriveBoard(FINISHED)
    assert not engine.play(board, Limit(time=0.1)).move
    assert engine.analyse(board, Limit(depth=1))["score"].relative == chess.engine.Mate(0)


def test_many_games_one_after_the_other_are_kept_apart(engine: Any) -> None:
    for _ in range(5):
        board = ThriveBoard()
        for _ in range(2):
            board.push(engine.play(board, Limit(nodes=5), game=id(board)).move)


def test_it_ends_when_it_is_told_to() -> None:
    engine = SimpleEngine.popen_uci(list(ENGINE))
    engine.quit()
    assert engine.protocol.returncode.result() == 0
