"""The client against an engine that nobody here wrote, of a game that nobody here knows."""

import os
import shutil
import signal
from collections.abc import Iterator

import pytest
from marked import Mark

from thrive_engine.client import SimpleEngine, Timeouts
from thrive_engine.errors import EngineError, Fault, ProtocolError
from thrive_engine.search.base import Limit

STOCKFISH = shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")
"""Debian installs it in /usr/games."""

pytestmark = pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"
SHORT = Limit(movetime=0.1)


@pytest.fixture
def mark() -> Iterator[Mark]:
    mark = Mark()
    yield mark
    assert mark.vanish()


@pytest.fixture
def stockfish(mark: Mark) -> Iterator[SimpleEngine]:
    assert STOCKFISH is not None
    with SimpleEngine.start([STOCKFISH], env=mark.env) as engine:
        yield engine


def test_it_tells_its_name_and_its_options(stockfish: SimpleEngine) -> None:
    assert stockfish.name.startswith("Stockfish")
    assert stockfish.author
    assert stockfish.options["Hash"].type == "spin"
    assert stockfish.options["Hash"].min == 1
    assert stockfish.options["Ponder"].default is False
    assert stockfish.options["Clear Hash"].type == "button"


def test_options_are_set_and_wrong_ones_refused(stockfish: SimpleEngine) -> None:
    stockfish.configure({"Hash": 1, "MultiPV": 3, "Clear Hash": None, "UCI_ShowWDL": True})
    with pytest.raises(ProtocolError, match="option Hash: 0 is out of range, which is 1 to"):
        stockfish.configure({"Hash": 0})
    with pytest.raises(ProtocolError, match="has no option 'Cash'"):
        stockfish.configure({"Cash": 1})
    answer = stockfish.play(None, [], Limit(depth=6))
    assert [info.multipv for info in answer.infos] == [1, 2, 3]
    assert answer.info is not None
    assert answer.info.wdl is not None
    assert sum(answer.info.wdl) == 1000


@pytest.mark.parametrize(
    "limit",
    [
        Limit(movetime=0.05),
        Limit(depth=5),
        Limit(nodes=2000),
        Limit(clocks=(2.0, 2.0), increments=(0.01, 0.01)),
        Limit(clocks=(2.0, 2.0), movestogo=20, depth=8),
        Limit(depth=5, turns=("a2a3", "h2h3")),
    ],
)
def test_it_answers_to_every_limit(stockfish: SimpleEngine, limit: Limit) -> None:
    answer = stockfish.play(None, [], limit)
    assert len(answer.turn) == 4
    assert answer.info is not None
    assert answer.info.pv[0] == answer.turn
    assert answer.info.depth >= 1
    if limit.turns:
        assert answer.turn in limit.turns


def test_it_finds_the_mate_from_a_position(stockfish: SimpleEngine) -> None:
    answer = stockfish.play(MATE_IN_ONE, [], Limit(mate=1))
    assert answer.turn == "d1d8"
    assert answer.info is not None
    assert str(answer.info.score) == "mate 1"


def test_it_plays_a_game_with_itself(stockfish: SimpleEngine) -> None:
    for _ in range(2):
        stockfish.new_game()
        turns: list[str] = []
        while len(turns) < 20:
            turns.append(stockfish.play(None, turns, Limit(depth=3)).turn)


def test_an_analysis_goes_on_until_it_is_stopped(stockfish: SimpleEngine) -> None:
    depths = []
    with stockfish.analyse(None, ["e2e4"], Limit(infinite=True)) as analysis:
        for info in analysis:
            if info.pv:
                depths.append(info.depth)
            if info.depth >= 8:
                break
        stockfish.ping()
        answer = analysis.stop()
    assert depths == sorted(depths)
    assert len(answer.turn) == 4


def test_it_ponders(stockfish: SimpleEngine) -> None:
    stockfish.configure({"Ponder": True})
    first = stockfish.play(None, [], SHORT, ponder=True)
    assert first.ponder is not None
    hit = stockfish.play(None, [first.turn, first.ponder], SHORT, ponder=True)
    missed = stockfish.play(None, [first.turn, first.ponder, hit.turn, "0000"], SHORT)
    assert len(missed.turn) == 4


def test_it_quits(stockfish: SimpleEngine) -> None:
    assert stockfish.quit() == 0


def test_it_quits_in_a_search(stockfish: SimpleEngine) -> None:
    stockfish.analyse(None, [], Limit(infinite=True))
    assert stockfish.quit() == 0


def test_its_death_in_a_search_is_told(stockfish: SimpleEngine, mark: Mark) -> None:
    analysis = stockfish.analyse(None, [], Limit(infinite=True))
    os.kill(stockfish.pid, signal.SIGKILL)
    with pytest.raises(EngineError, match=r": search \(go infinite\): was ended by SIGKILL$") as e:
        analysis.wait()
    assert e.value.fault is Fault.CRASHED
    assert mark.pids == []


def test_its_silence_is_told(mark: Mark) -> None:
    assert STOCKFISH is not None
    timeouts = Timeouts(ready=0.2, stop=0.2)
    with SimpleEngine.start([STOCKFISH], timeouts=timeouts, env=mark.env) as stockfish:
        analysis = stockfish.analyse(None, [], Limit(infinite=True))
        os.kill(stockfish.pid, signal.SIGSTOP)
        with pytest.raises(
            EngineError, match=r"stop \(go infinite\): no bestmove within 0.2 s"
        ) as e:
            analysis.stop()
        assert e.value.fault is Fault.STALLED
        assert mark.pids == []
