"""The engine without a protocol: options, positions, searches and counts."""

import time
from collections.abc import Callable, Iterator
from threading import Timer

import pytest

from thrive_engine import START, IllegalTurnError, NotationError, parse_position
from thrive_engine.engine import Engine
from thrive_engine.errors import ProtocolError, SearcherError, TextError
from thrive_engine.games import thrive
from thrive_engine.games.base import count_turns
from thrive_engine.search import BUILT_IN
from thrive_engine.search.base import Info, Limit, Score, Stop
from thrive_engine.search.strength import ELO_MIN
from thrive_engine.thinking import WON, Thinking

FULL = "B~B~4/6/6/6/6/4W~W~ w 70"
"""Over: both have two pieces, and full ones."""
SHUFFLE = "B~B~B~3/6/6/6/6/3W~W~W~ w 70"
"""No hole is left: pieces go to and fro."""
TO_AND_FRO = ["d1d3", "a6a4", "d3d1", "a4a6"]
ONE_AWAY = "4BrBr/6/6/6/6/W~cwWh4 w 40"
"""White wins by filling a1."""


def engine_with(**options: str) -> Engine:
    engine = Engine()
    for name, value in options.items():
        engine.set_option(name.replace("_", " ") if name.startswith("Move") else name, value)
    return engine


def answered(engine: Engine, limit: Limit) -> tuple[list[Info], Thinking]:
    thinking = engine.think(limit)
    return list(thinking), thinking


def state(engine: Engine) -> tuple[object, ...]:
    return engine.game.positions, *(engine.option(name) for name in engine.options)


# Options


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Hash", "0"),
        ("Hash", "4097"),
        ("Hash", "many"),
        ("Hash", None),
        ("Threads", "65"),
        ("MultiPV", "257"),
        ("MultiPV", "-1"),
        ("Ponder", "yes"),
        ("Move Overhead", "5001"),
        ("UCI_Elo", "3000"),
        ("UCI_Variant", "chess"),
        ("Searcher", "oracle"),
        ("Seed", "99999999999999999999"),
        ("Nonsense", "1"),
    ],
)
def test_a_refused_option_leaves_everything_as_it_was(name: str, text: str | None) -> None:
    engine = engine_with(Hash="32", MultiPV="3")
    before = state(engine)
    with pytest.raises(ProtocolError):
        engine.set_option(name, text)
    assert state(engine) == before


def test_names_of_options_are_the_same_in_upper_and_lower_case() -> None:
    engine = engine_with(mULTIpv="7")
    assert engine.option("MultiPV") == 7


@pytest.mark.parametrize("name", ["Hash", "Threads", "MultiPV", "Ponder", "Searcher", "Seed"])
def test_every_option_accepts_its_own_default(name: str) -> None:
    engine = Engine()
    engine.set_option(name, str(engine.option(name)))
    assert state(engine) == state(Engine())


def test_a_searcher_that_is_gone_leaves_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_with(Searcher="greedy")
    option = engine.options["searcher"]
    choices = (*option.choices, "gone")
    monkeypatch.setitem(
        engine.options, "searcher", type(option)("Searcher", "combo", "", choices=choices)
    )
    with pytest.raises(SearcherError, match="no searcher 'gone'"):
        engine.set_option("Searcher", "gone")
    assert engine.option("Searcher") == "greedy"


# Positions


@pytest.mark.parametrize(
    ("start", "turns", "error"),
    [
        ("nonsense", [], NotationError),
        (None, ["a1a3+a3gi"], IllegalTurnError),
        (None, ["a1a2+a2gi", "a1a2+a2gi"], IllegalTurnError),
        (None, ["a1a2+a2gi", "x"], NotationError),
        (None, ["a1a2"], IllegalTurnError),
        (FULL, ["e1e2"], IllegalTurnError),
    ],
)
def test_a_refused_position_leaves_the_one_before(
    start: str | None, turns: list[str], error: type[TextError]
) -> None:
    engine = Engine()
    engine.set_position(None, ["b1b2+b2gi"])
    before = state(engine)
    with pytest.raises(error):
        engine.set_position(start, turns)
    assert state(engine) == before


def test_a_new_game_begins_at_the_start_and_keeps_the_options() -> None:
    engine = engine_with(MultiPV="3")
    engine.set_position(FULL, [])
    engine.new_game()
    assert engine.game.position == START
    assert engine.option("MultiPV") == 3


def test_the_third_repetition_ends_the_game() -> None:
    engine = Engine()
    engine.set_position(SHUFFLE, TO_AND_FRO)
    assert engine.game.outcome is None
    engine.set_position(SHUFFLE, TO_AND_FRO * 2)
    assert str(engine.game.outcome) == "1/2-1/2 (repetition)"
    infos, thinking = answered(engine, Limit(depth=3))
    assert [info.score for info in infos] == [Score(cp=0)]
    assert thinking.turn is None
    assert engine.count() == 0
    assert list(engine.perft(2, Stop())) == []
    with pytest.raises(IllegalTurnError, match="the game is over: 1/2-1/2"):
        engine.check("d1d3")
    with pytest.raises(IllegalTurnError, match="the game is over: 1/2-1/2"):
        engine.set_position(SHUFFLE, [*TO_AND_FRO * 2, "d1d3"])


@pytest.mark.parametrize(
    ("position", "score"),
    [
        ("4BrBr/6/6/6/1Wh4/W~5 b 40", Score(mate=0)),
        ("4BrBr/6/6/6/1Wh4/W~5 w 40", Score(cp=WON)),
    ],
)
def test_a_finished_game_has_a_score_and_no_turn(position: str, score: Score) -> None:
    engine = Engine()
    engine.set_position(position, [])
    infos, thinking = answered(engine, Limit(movetime=1.0))
    assert [info.score for info in infos] == [score]
    assert (thinking.turn, thinking.ponder) == (None, None)


# Searching


@pytest.mark.parametrize("searcher", BUILT_IN)
@pytest.mark.parametrize(
    "limit",
    [
        Limit(depth=1),
        Limit(nodes=1),
        Limit(movetime=0.0),
        Limit(movetime=-1.0),
        Limit(clocks=(0.0, 0.0)),
        Limit(clocks=(-5.0, -5.0), increments=(-1.0, -1.0)),
        Limit(mate=1, movetime=0.1),
        Limit(clocks=(1.0, 1.0), movestogo=1, depth=1),
    ],
)
def test_every_limit_ends_with_a_legal_turn(searcher: str, limit: Limit) -> None:
    _, thinking = answered(engine_with(Searcher=searcher), limit)
    assert thinking.turn in START.legal_turns


@pytest.mark.parametrize("searcher", ["alphabeta", "mcts"])
@pytest.mark.parametrize("wide", ["depth", "nodes", "movetime", "clocks"])
@pytest.mark.parametrize("narrow", ["depth", "nodes", "movetime", "clocks"])
def test_of_two_limits_the_smaller_wins(searcher: str, wide: str, narrow: str) -> None:
    large = {"depth": 50, "nodes": 10**12, "movetime": 1e6, "clocks": (1e6, 1e6)}
    small = {"depth": 1, "nodes": 5, "movetime": 0.02, "clocks": (0.05, 0.05)}
    both = {wide: large[wide], narrow: small[narrow]}
    begin = time.perf_counter()
    _, thinking = answered(engine_with(Searcher=searcher), Limit(**both))  # type: ignore[arg-type]
    assert thinking.turn in START.legal_turns
    assert time.perf_counter() - begin < 20, "the larger limit takes days"


@pytest.mark.parametrize("searcher", BUILT_IN)
def test_only_the_turns_asked_for_are_searched(searcher: str) -> None:
    engine = engine_with(Searcher=searcher, MultiPV="5")
    movements = Limit(depth=1, turns=("c1c2", "e1e2"))
    infos, _ = answered(engine, movements)
    assert {str(info.pv[0])[:4] for info in infos} <= {"c1c2", "e1e2"}
    whole = Limit(depth=1, turns=("d1d2+d2ba", "d1d2+d2cd", "d1d2+d2ab"))
    infos, thinking = answered(engine, whole)
    assert {str(info.pv[0]) for info in infos} == {"d1d2+d2ab", "d1d2+d2cd"}
    assert str(thinking.turn) in ("d1d2+d2ab", "d1d2+d2cd")
    mixed = Limit(depth=1, turns=("a1a2+a2g", "f1f2+f2ab"))
    infos, _ = answered(engine, mixed)
    assert all(
        str(info.pv[0]) == "f1f2+f2ab" or parts_of(info.pv[0]) >= {"a1a2", "a2g"} for info in infos
    )


def parts_of(turn: object) -> set[str]:
    """The movement and the pegs of a turn, as texts."""
    movement, *groups = str(turn).split("+")
    return {movement, *(group[:2] + hole for group in groups for hole in group[2:])}


@pytest.mark.parametrize("turns", [("a1a3",), ("a1a2", "nonsense"), ("a1a2+a2gi", "0000")])
def test_bad_turns_to_search_are_refused(turns: tuple[str, ...]) -> None:
    engine = Engine()
    with pytest.raises(TextError):
        engine.think(Limit(turns=turns))


def test_a_turn_named_a_thousand_times_is_searched_once() -> None:
    begin = time.perf_counter()
    infos, _ = answered(Engine(), Limit(depth=1, turns=("a1a2",) * 10_000))
    assert infos
    assert time.perf_counter() - begin < 20


@pytest.mark.parametrize("searcher", BUILT_IN)
def test_multipv_shows_so_many_different_turns_best_first(searcher: str) -> None:
    infos, thinking = answered(engine_with(Searcher=searcher, MultiPV="4"), Limit(depth=2))
    last = infos[-4:]
    assert [info.multipv for info in last] == [1, 2, 3, 4]
    assert len({info.pv[0] for info in last}) == 4
    assert last[0].pv[0] == thinking.turn
    values = [
        info.score.cp for info in last if info.score is not None and info.score.cp is not None
    ]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("searcher", BUILT_IN)
def test_there_are_no_more_lines_than_turns(searcher: str) -> None:
    engine = engine_with(Searcher=searcher, MultiPV="256")
    engine.set_position("3BrBrBr/6/6/6/6/W~W~W~ay3 w 60", [])
    infos, _ = answered(engine, Limit(depth=1))
    assert max(info.multipv for info in infos) <= engine.count() == 32


@pytest.mark.parametrize("searcher", ["alphabeta", "mcts", "greedy"])
def test_wdl_is_shown_when_asked_for_and_adds_up(searcher: str) -> None:
    engine = engine_with(Searcher=searcher)
    assert all(info.wdl is None for info in answered(engine, Limit(depth=1))[0])
    engine.set_option("UCI_ShowWDL", "true")
    infos, _ = answered(engine, Limit(depth=1))
    assert all(info.wdl is not None and sum(info.wdl) == 1000 for info in infos)


@pytest.mark.parametrize("searcher", ["alphabeta", "mcts", "greedy"])
def test_a_win_is_found_and_sure(searcher: str) -> None:
    engine = engine_with(Searcher=searcher, UCI_ShowWDL="true")
    engine.set_position(ONE_AWAY, [])
    infos, thinking = answered(engine, Limit(depth=2))
    assert (infos[-1].score, infos[-1].wdl) == (Score(mate=1), (1000, 0, 0))
    outcome = parse_position(ONE_AWAY).play(thinking.turn).outcome  # type: ignore[arg-type]
    assert outcome is not None
    assert outcome.winner == 0


def test_a_weak_player_looks_at_less_and_not_always_at_the_best() -> None:
    strong = Engine()
    weak = engine_with(UCI_LimitStrength="true", UCI_Elo=str(ELO_MIN))
    best = answered(strong, Limit(depth=2))[1].turn
    played = set()
    for seed in range(6):
        weak.set_option("Seed", str(seed))
        infos, thinking = answered(weak, Limit(depth=20))
        assert infos[-1].nodes < 1000
        assert thinking.turn in START.legal_turns
        played.add(thinking.turn)
    assert played != {best}


def test_the_strength_is_not_limited_in_analysis() -> None:
    analysing = engine_with(UCI_LimitStrength="true", UCI_Elo=str(ELO_MIN), UCI_AnalyseMode="true")
    infos, _ = answered(analysing, Limit(depth=2))
    assert infos[-1].nodes == answered(Engine(), Limit(depth=2))[0][-1].nodes


@pytest.mark.parametrize("searcher", BUILT_IN)
def test_the_same_seed_gives_the_same_answer(searcher: str) -> None:
    def lines(seed: str) -> list[tuple[object, ...]]:
        engine = engine_with(Searcher=searcher, Seed=seed)
        return [(info.pv, info.score) for info in answered(engine, Limit(depth=2))[0][-1:]]

    assert lines("5") == lines("5")


# Waiting


WAITING = [
    Limit(infinite=True, depth=1),
    Limit(ponder=True, depth=1),
    Limit(ponder=True, movetime=0.0),
]


@pytest.mark.parametrize("limit", WAITING)
@pytest.mark.parametrize("position", [None, ONE_AWAY, FULL])
def test_infinite_and_ponder_do_not_end_before_they_are_told(
    limit: Limit, position: str | None
) -> None:
    engine = Engine()
    engine.set_position(position, [])
    thinking = engine.think(limit)
    assert ends_only_after(thinking, thinking.stop)


def test_ponderhit_ends_a_search_that_has_nothing_more_to_do() -> None:
    thinking = Engine().think(Limit(ponder=True, depth=1))
    assert ends_only_after(thinking, thinking.ponderhit)


def test_ponderhit_lets_the_time_of_the_turn_begin() -> None:
    thinking = Engine().think(Limit(ponder=True, movetime=0.1))
    assert ends_only_after(thinking, thinking.ponderhit, more=0.05)


def test_ponderhit_does_not_end_an_infinite_search() -> None:
    thinking = Engine().think(Limit(ponder=True, infinite=True, depth=1))
    timer = Timer(0.05, thinking.ponderhit)
    timer.start()
    assert ends_only_after(thinking, thinking.stop, wait=0.3)
    timer.join()


def ends_only_after(
    thinking: Thinking, release: Callable[[], None], *, wait: float = 0.15, more: float = 0.0
) -> bool:
    """Whether a search ends after it is released, and not before."""
    released: list[float] = []

    def let_go() -> None:
        released.append(time.perf_counter())
        release()

    timer = Timer(wait, let_go)
    timer.start()
    for _ in thinking:
        pass
    ended = time.perf_counter()
    was_released = bool(released)
    timer.join()
    return was_released and ended >= released[0] + more


# A searcher that misbehaves


class Foreign:
    """A searcher of another package, which does what it is given to do."""

    def __init__(self, act: Callable[[], Iterator[Info]]) -> None:
        self._act = act

    def search(self, request: object, stop: object) -> Iterator[Info]:
        return self._act()

    def forget(self) -> None:
        raise RuntimeError("I remember")


def raising() -> Iterator[Info]:
    yield Info(pv=(next(iter(START.legal_turns)),))
    raise ZeroDivisionError("halves")


def leaving() -> Iterator[Info]:
    raise SystemExit(3)


def saying(info: object) -> Callable[[], Iterator[Info]]:
    return lambda: iter([info])  # type: ignore[list-item]


LEGAL = next(iter(START.legal_turns))
ILLEGAL = thrive.parse_turn("a1a6+a6gi")


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (raising, "ZeroDivisionError: halves"),
        (leaving, "SystemExit: 3"),
        (saying("hello"), "'hello'\" is no Info"),
        (saying(Info(pv=(ILLEGAL,))), "turn 'a1a6+a6gi' is not legal"),
        (saying(Info(pv=("a1a2+a2gi",))), "turn 'a1a2+a2gi' is not legal"),
        (saying(Info(pv=(LEGAL,), time=float("nan"))), "time is nan"),
        (saying(Info(pv=(LEGAL,), nodes=1.5)), "nodes is 1.5, no whole number"),  # type: ignore[arg-type]
        (saying(Info(pv=(LEGAL,), score=5)), "score is '5'"),  # type: ignore[arg-type]
    ],
)
def test_a_searcher_that_fails_is_named_and_a_legal_turn_played(
    act: Callable[[], Iterator[Info]], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thrive_engine.engine.load_searcher", lambda name: Foreign(act))
    infos, thinking = answered(engine_with(Searcher="greedy"), Limit())
    assert infos[-1].string.startswith("searcher 'greedy' failed: ")
    assert words in infos[-1].string
    assert thinking.turn in START.legal_turns


def test_a_searcher_that_leaves_the_turns_asked_for_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "thrive_engine.engine.load_searcher", lambda _: Foreign(saying(Info(pv=(LEGAL,))))
    )
    infos, thinking = answered(Engine(), Limit(turns=("f1f2+f2ab",)))
    assert "is none of those to be searched" in infos[-1].string
    assert str(thinking.turn) == "f1f2+f2ab"


def test_a_searcher_that_yields_nothing_still_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thrive_engine.engine.load_searcher", lambda _: Foreign(lambda: iter(())))
    _, thinking = answered(Engine(), Limit())
    assert thinking.turn in START.legal_turns


def test_a_searcher_that_cannot_forget_is_loaded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thrive_engine.engine.load_searcher", lambda _: Foreign(raising))
    engine = Engine()
    engine.set_position(ONE_AWAY, [])
    engine.make_ready()
    with pytest.raises(SearcherError, match="RuntimeError: I remember"):
        engine.new_game()
    assert engine.game.position == START
    engine.new_game()


# Counts


@pytest.mark.parametrize("depth", [1, 2])
def test_perft_counts_what_the_rules_count(depth: int) -> None:
    engine = Engine()
    engine.set_position("B~B~B~ab3/6/6/6/6/3W~W~W~y w 70", [])
    counts = dict(engine.perft(depth, Stop()))
    assert sum(counts.values()) == count_turns(engine.game.position, depth)
    assert list(counts) == [str(part) for part in engine.game.position.draft.choices]


@pytest.mark.parametrize("depth", [0, -1])
def test_perft_of_nothing_is_nothing(depth: int) -> None:
    assert list(Engine().perft(depth, Stop())) == []


def test_perft_of_any_depth_can_be_stopped() -> None:
    engine = Engine()
    engine.set_position(SHUFFLE, [])
    assert list(engine.perft(10**9, Stop(hard=0.3))) == []


def test_bench_has_the_same_nodes_each_time() -> None:
    first, second = Engine(), Engine()
    first.set_position(ONE_AWAY, [])
    counts = list(first.bench(Stop()))
    assert [text for text, _ in counts] == list(thrive.bench)
    assert counts == list(second.bench(Stop()))
    assert str(first.game.position) == ONE_AWAY


def test_bench_ends_when_stopped() -> None:
    assert len(list(Engine().bench(Stop(hard=0.0)))) < len(thrive.bench)
