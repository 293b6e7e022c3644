"""The searchers: legal, exact about wins, repeatable, obedient to their limits and to Stop."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from subprocess import run
from threading import Timer
from time import perf_counter
from typing import Any

import pytest

import thrive_engine.search as registry
from thrive_engine import START, Position, parse_draft, parse_position, parse_turn
from thrive_engine.errors import SearcherError
from thrive_engine.games import thrive
from thrive_engine.search import load_searcher, mcts, searcher_names
from thrive_engine.search.base import Info, Request, Score, Stop, wdl
from thrive_engine.search.strength import ELO_MAX, ELO_MIN, weaken

NAMES = ("pvs", "alphabeta", "mcts", "greedy", "random")
THINKERS = ("pvs", "alphabeta", "mcts", "greedy")
HUGE = f"6/1BwBwBwBw1/2BwBw2/{6 * 'Waeghiklnqrs'}/6/6 w 1"
POSITIONS = {
    "start": "BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh w 1",
    "nobody can move": "BrBr4/6/6/6/6/WuWv4 w 1",
    "no pegs at all": "BB4/6/6/6/6/WWW3 w 1",
    "one hole": "B~B~B~3/6/6/6/6/W~W~W~a3 w 1",
    "no hole": "B~B~B~3/6/6/6/6/W~W~W~3 w 1",
    "the movement can end the game": "2BrBr2/2Wh3/6/6/6/WhWh4 w 7",
    "two against two": "4B~abcBr/6/6/6/6/W~abcdWh4 w 20",
    "only an own piece can be taken": "BrBr4/6/6/6/W5/Wh5 w 1",
    "many turns": HUGE,
    "black to move": "1Bdhr1Bjqrw2/Bcrs2Bafnpr2/3Bhipru2/6/2WhjtvWcdhjWhk1/3Wh2 b 9",
}


def search(
    name: str, position: Position, seconds: float | None = None, **limits: Any
) -> list[Info]:
    request = Request(thrive, position, **limits)
    return list(load_searcher(name).search(request, Stop(seconds, seconds)))


def answer(infos: list[Info]) -> Info:
    return [info for info in infos if info.multipv == 1][-1]


def lines(infos: list[Info]) -> list[Info]:
    """The last snapshot of each line."""
    latest = {info.multipv: info for info in infos}
    return [latest[number] for number in sorted(latest)]


def worth(info: Info) -> float:
    assert info.score is not None
    if info.score.mate is None:
        return info.score.cp or 0
    return 1e6 - info.score.mate if info.score.mate > 0 else -1e6 - info.score.mate


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS)
def test_every_line_is_legal(name: str, text: str) -> None:
    infos = search(name, parse_position(text), nodes=300, multipv=3)
    for info in infos:
        position = parse_position(text)
        for turn in info.pv:
            position = position.play(turn)
    assert answer(infos).pv


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS)
def test_a_search_that_is_stopped_before_it_begins_answers(name: str, text: str) -> None:
    position = parse_position(text)
    stop = Stop()
    stop.ask()
    infos = list(load_searcher(name).search(Request(thrive, position), stop))
    assert answer(infos).pv[0] in position.legal_turns


@pytest.mark.parametrize("name", ["alphabeta", "mcts"])
@pytest.mark.parametrize("text", [POSITIONS["start"], HUGE], ids=["start", "many turns"])
def test_stop_is_heard_at_once(name: str, text: str) -> None:
    stop = Stop()
    asked: list[float] = []

    def ask() -> None:
        asked.append(perf_counter())
        stop.ask()

    Timer(0.3, ask).start()
    infos = list(load_searcher(name).search(Request(thrive, parse_position(text)), stop))
    assert perf_counter() - asked[0] < 0.5
    assert infos


@pytest.mark.parametrize("name", NAMES)
def test_the_same_request_gives_the_same_nodes_and_answer(name: str) -> None:
    position = parse_position(POSITIONS["black to move"])
    for limits in ({"nodes": 700}, {"depth": 3}):
        first, second = (answer(search(name, position, seed=5, **limits)) for _ in range(2))
        assert (first.pv, first.score, first.nodes) == (second.pv, second.score, second.nodes)


def test_seeds_draw_different_turns() -> None:
    turns = {answer(search("random", START, seed=seed)).pv[0] for seed in range(20)}
    assert len(turns) > 15


@pytest.mark.parametrize("name", NAMES)
def test_nodes_are_honoured(name: str) -> None:
    for nodes in (1, 2, 50, 333):
        assert 0 <= answer(search(name, START, nodes=nodes)).nodes <= nodes


@pytest.mark.parametrize("name", NAMES)
def test_depth_is_honoured_and_ends_the_search(name: str) -> None:
    assert answer(search(name, START, depth=2)).depth <= 2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS)
def test_as_many_lines_as_are_asked_for_as_far_as_there_are_turns(name: str, text: str) -> None:
    position = parse_position(text)
    found = lines(search(name, position, nodes=400, multipv=40))
    assert [info.multipv for info in found] == list(range(1, len(found) + 1))
    assert len({info.pv[0] for info in found}) == len(found)
    if name != "random":
        assert len(found) == min(40, len(position.legal_turns))
        assert found == sorted(found, key=lambda info: -worth(info))


@pytest.mark.parametrize("name", NAMES)
def test_only_turns_that_begin_with_a_root_are_searched(name: str) -> None:
    roots = tuple(parse_draft(text, START) for text in ("a1a2", "c1c2+c2a", "f1f2+f2ab"))
    found = lines(search(name, START, nodes=400, multipv=30, roots=roots))
    assert len(found) == 30 or name == "random"
    for info in found:
        turn = info.pv[0]
        assert (
            str(turn).startswith("a1a2")
            or (str(turn).startswith("c1c2") and roots[1].pegs[0] in turn.pegs)
            or str(turn) == "f1f2+f2ab"
        )


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_turn_as_the_only_root_is_the_answer(name: str) -> None:
    root = parse_draft("b1b2+b2ai", START)
    assert str(answer(search(name, START, nodes=50, roots=(root,))).pv[0]) == "b1b2+b2ai"


@pytest.mark.parametrize("name", THINKERS)
@pytest.mark.parametrize(
    "text",
    [
        "2BrBr2/2Wh3/6/6/6/WhWh4 w 7",
        "4B~abcBr/6/6/6/6/W~abWh4 w 20",
        "4B~abcBr/6/6/6/6/W~aWh4 w 20",
        "B~Br1Br2/1Wr4/6/6/4W~1/6 b 30",
        "Br2Br2/Wh5/6/6/1W~cW~3/6 w 30",
    ],
)
def test_a_win_in_one_turn_is_found_at_once(name: str, text: str) -> None:
    position = parse_position(text)
    infos = search(name, position, nodes=1)
    assert answer(infos).score == Score(mate=1)
    outcome = position.play(answer(infos).pv[0]).outcome
    assert outcome is not None
    assert outcome.winner == position.player


@pytest.mark.parametrize("name", THINKERS)
def test_a_piece_that_is_given_away_is_taken(name: str) -> None:
    position = parse_position("BrBrBrBrBr1/6/5Bgo/5Wbh/6/WhWhWhWhWh1 w 5")
    assert str(answer(search(name, position, nodes=400)).pv[0]).startswith("f3f4")


# Proofs

SPARSE_LOSS = "6/6/6/B~1B~B~2/6/WhWh4 w 9"


@cache
def wins_within(position: Position, turns: int) -> bool:
    """Whether the side to move wins in so many turns of its own, whatever the other does."""
    for turn in position.legal_turns:
        after = position.play_unchecked(turn)
        if after.outcome is not None:
            if after.outcome.winner == position.player:
                return True
        elif turns > 1 and loses_within(after, turns - 1):
            return True
    return False


@cache
def loses_within(position: Position, turns: int) -> bool:
    for turn in position.legal_turns:
        after = position.play_unchecked(turn)
        if after.outcome is not None:
            if after.outcome.winner == position.player:
                return False
        elif not wins_within(after, turns):
            return False
    return True


def nearly_full(seed: int) -> Position:
    """A position with few turns: some full pieces, some with few pegs, and nearly no hole."""
    random = Random(seed)
    while True:
        squares = random.sample(list(thrive.Square), 6)
        sides = [thrive.Side.WHITE] * random.choice([2, 3]) + [thrive.Side.BLACK] * 3
        pieces = {}
        for square, side in zip(squares, sides, strict=False):
            empty = random.sample("abcdefghijklnopqrstuvwxy", random.choice([0, 0, 0, 1]))
            letters = "".join(sorted(set("abcdefghijklnopqrstuvwxy") - set(empty)))
            pieces[square] = thrive.Piece.of(side, letters)
        position = Position.of(pieces, random.choice(list(thrive.Side)))
        if position.outcome is None:
            return position


@pytest.mark.parametrize("seed", range(16))
def test_a_claimed_win_or_loss_is_true_by_brute_force(seed: int) -> None:
    position = nearly_full(seed)
    for info in search("alphabeta", position, nodes=1500, multipv=2):
        if info.multipv == 1 and info.score is not None and info.score.mate is not None:
            mate = info.score.mate
            assert abs(mate) <= 2, "too deep to be checked here"
            assert wins_within(position, mate) if mate > 0 else loses_within(position, -mate)


def test_some_of_these_claims_are_made() -> None:
    scores = [answer(search("alphabeta", nearly_full(seed), nodes=600)).score for seed in range(16)]
    mates = {score.mate for score in scores if score is not None}
    assert {1, 2, -1} <= mates


@pytest.mark.parametrize("seed", range(6))
def test_a_search_for_a_win_in_two_finds_it_exactly_when_there_is_one(seed: int) -> None:
    position = nearly_full(100 + seed)
    score = answer(search("alphabeta", position, mate=2)).score
    assert score is not None
    assert (score.mate in (1, 2)) is wins_within(position, 2)


def test_a_loss_that_candidates_alone_suggest_is_not_claimed() -> None:
    position = parse_position(POSITIONS["black to move"])
    for info in search("alphabeta", position, nodes=3000):
        assert info.score is not None
        assert info.score.mate is None


def test_a_loss_is_proven_by_trying_every_turn() -> None:
    position = parse_position(SPARSE_LOSS)
    assert len(position.legal_turns) > 500
    assert loses_within(position, 1)
    assert answer(search("alphabeta", position, depth=2)).score == Score(mate=-1)


@pytest.mark.parametrize("name", THINKERS)
def test_the_third_repetition_is_a_draw(name: str) -> None:
    position = parse_position("B~B~B~3/6/6/6/6/W~W~W~3 w 1")
    turn = parse_turn("a1a2", position)
    after = position.play(turn)
    root = parse_draft("a1a2", position)
    drawn = (after.identity, position.identity, after.identity)
    score = answer(search(name, position, nodes=200, roots=(root,), history=drawn)).score
    assert score is not None
    assert score.cp is not None
    assert abs(score.cp) <= 30


# Strength and the registry


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("elo", [ELO_MIN, 1200, ELO_MAX])
def test_a_weaker_player_plays_legal_turns_and_the_same_with_the_same_seed(
    name: str, elo: int
) -> None:
    position = parse_position(POSITIONS["black to move"])

    def play(seed: int) -> Info:
        searcher = weaken(load_searcher(name), elo, seed)
        return answer(list(searcher.search(Request(thrive, position, nodes=300), Stop())))

    assert play(3).pv[0] in position.legal_turns
    assert play(3).pv == play(3).pv


def test_a_weak_player_varies_and_a_strong_one_hardly() -> None:
    position = parse_position(POSITIONS["black to move"])

    def turns(elo: int) -> set[Any]:
        request = Request(thrive, position, nodes=500)
        players = [weaken(load_searcher("alphabeta"), elo, seed) for seed in range(8)]
        return {answer(list(player.search(request, Stop()))).pv[0] for player in players}

    assert len(turns(ELO_MIN)) > len(turns(ELO_MAX))


def test_wdl_adds_up_and_grows_with_the_score() -> None:
    scores = [Score(mate=-3), *(Score(cp=cp) for cp in range(-3000, 3001, 50)), Score(mate=2)]
    rates = [wdl(score) for score in scores]
    assert all(sum(rate) == 1000 and min(rate) >= 0 for rate in rates)
    assert [won for won, _, _ in rates] == sorted(won for won, _, _ in rates)
    assert wdl(Score(cp=0)) == (500, 0, 500)
    assert wdl(Score(mate=0)) == (0, 0, 1000)


def test_the_built_in_searchers_are_listed_and_load_nothing_before_they_are_asked_for() -> None:
    assert searcher_names()[:5] == ["pvs", "alphabeta", "mcts", "greedy", "random"]
    code = (
        "import sys, thrive_engine.search as s; s.searcher_names();"
        "print(*[m for m in sys.modules if m.startswith('thrive_engine.search.')])"
    )
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["thrive_engine.search.base"]


def test_an_unknown_searcher_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(SearcherError, match="no searcher 'deep'; there are pvs, alphabeta"):
        load_searcher("deep")


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that is installed beside ours and brings one good searcher and three bad ones."""
    info = tmp_path / "clever_thrive-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: clever-thrive\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[thrive_engine.searchers]\n"
        "clever = clever_thrive:Clever\n"
        "absent = clever_absent:Clever\n"
        "broken = clever_broken:Clever\n"
        "greedy = clever_thrive:Clever\n"
    )
    (tmp_path / "clever_thrive.py").write_text(
        "from thrive_engine.search.greedy import GreedySearcher as Clever\n"
    )
    (tmp_path / "clever_broken.py").write_text("class E(Exception): pass\nraise E('no licence')\n")
    monkeypatch.syspath_prepend(tmp_path)
    registry._brought.cache_clear()
    yield
    registry._brought.cache_clear()


@pytest.mark.usefixtures("brought")
def test_another_package_brings_a_searcher() -> None:
    assert searcher_names()[5:] == ["absent", "broken", "clever"]
    request = replace(Request(thrive, START), nodes=10)
    assert answer(list(load_searcher("clever").search(request, Stop()))).pv
    assert type(load_searcher("greedy")).__module__ == "thrive_engine.search.greedy"


@pytest.mark.usefixtures("brought")
@pytest.mark.parametrize(
    ("name", "reason"),
    [("absent", "ModuleNotFoundError: No module named"), ("broken", "E: no licence")],
)
def test_a_searcher_that_cannot_be_loaded_is_an_error_that_names_its_package(
    name: str, reason: str
) -> None:
    with pytest.raises(SearcherError, match=f"'{name}' of clever-thrive .*{reason}"):
        load_searcher(name)


def test_a_tree_of_simulations_grows_no_larger_than_its_memory() -> None:
    search = mcts._Search(Request(thrive, thrive.START, nodes=3000), Stop())
    search.most_nodes = 500
    assert len(list(search.run())) > 0
    assert search.simulations == 3000
    assert search.size < 1000
