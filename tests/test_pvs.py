"""The searcher over the kernel: what it alone can do, and its claims held against the rules.

What all searchers must keep is in test_search.py, and the kernel's own tests are in test_kernel_*.
"""

from dataclasses import replace
from random import Random
from threading import Timer, active_count
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import pytest
from dialogue import Talk
from test_search import (
    POSITIONS,
    SPARSE_LOSS,
    answer,
    lines,
    loses_within,
    nearly_full,
    wins_within,
    worth,
)

from thrive_engine import START, Position, parse_draft, parse_position, parse_turn
from thrive_engine.engine import Engine
from thrive_engine.errors import SearcherError
from thrive_engine.games import thrive
from thrive_engine.search import kernel
from thrive_engine.search.base import Info, Limit, Request, Score, Stop
from thrive_engine.search.bridge import code_of, setup_of, turn_of
from thrive_engine.search.kernel.tuning import knobs
from thrive_engine.search.pvs import DEEPEST, PvsSearcher
from thrive_engine.search.root import Root, _width
from thrive_engine.search.strength import ELO_MAX, ELO_MIN, weaken

MIDDLE = parse_position("Br1Bqr2Br/2Br3/1Bw1W~cw2/2Wghi2Bdr/W4Wh/Wh5 w 12")
TWO = parse_position("5Babdery/1Baekoprt4/5Wdhnvx/3Blprx2/Wabeghlnopstu5/6 b 12")
"""Black wins in two turns."""


def search(position: Position, seconds: float | None = None, **limits: Any) -> list[Info]:
    request = Request(thrive, position, **limits)
    return list(PvsSearcher().search(request, Stop(seconds, seconds)))


def random_positions(count: int) -> list[Position]:
    """Positions of all ages, from games of random turns."""
    random, found = Random(7), list[Position]()
    while len(found) < count:
        position = START
        for _ in range(random.randrange(70)):
            after = thrive.sample(position.draft, random.randrange).position
            if after.outcome is not None:
                break
            position = after
        found.append(position)
    return found


# Turns and lines


@pytest.mark.parametrize("position", random_positions(40), ids=str)
def test_in_any_position_the_whole_line_is_legal(position: Position) -> None:
    for info in search(position, nodes=1500):
        after = position
        for turn in info.pv:
            after = after.play(turn)


@pytest.mark.parametrize("position", random_positions(10), ids=str)
def test_turns_go_to_the_kernel_and_back(position: Position) -> None:
    for turn in list(position.legal_turns)[::97]:
        assert turn_of(code_of(turn)) == turn


def test_the_nodes_are_exactly_those_allowed() -> None:
    for nodes in (1, 7, 1000, 12_345):
        assert answer(search(MIDDLE, nodes=nodes)).nodes == nodes


def test_a_searcher_that_has_forgotten_searches_as_a_new_one() -> None:
    searcher, request = PvsSearcher(), Request(thrive, MIDDLE, nodes=20_000)

    def told() -> list[tuple[object, ...]]:
        infos = searcher.search(request, Stop())
        return [(info.depth, info.score, info.nodes, info.pv) for info in infos]

    first = told()
    searcher.forget()
    assert told() == first
    assert told() != first, "what was found before is used"


def test_the_lines_are_different_and_the_best_first() -> None:
    found = lines(search(MIDDLE, nodes=30_000, multipv=12))
    assert [info.multipv for info in found] == list(range(1, 13))
    assert len({info.pv[0] for info in found}) == 12
    assert found == sorted(found, key=lambda info: -worth(info))
    assert len({info.depth for info in found}) == 1


@pytest.mark.parametrize("multipv", [1, 4, 200])
def test_by_movement_every_line_begins_with_another(multipv: int) -> None:
    found = lines(search(MIDDLE, nodes=30_000, multipv=multipv, by_movement=True))
    movements = [info.pv[0].movement for info in found]
    assert len(set(movements)) == len(movements) == min(multipv, len(MIDDLE.legal_movements))
    assert found == sorted(found, key=lambda info: -worth(info))


def test_the_best_line_is_the_same_by_movement_and_by_turn() -> None:
    plain = answer(search(MIDDLE, depth=4))
    by_movement = answer(search(MIDDLE, depth=4, by_movement=True))
    assert (plain.pv, plain.score) == (by_movement.pv, by_movement.score)


def test_every_turn_that_begins_with_a_peg_is_searched() -> None:
    root = parse_draft("a1a2+a2y", START)
    found = lines(search(START, depth=1, multipv=256, roots=(root,)))
    assert {info.pv[0] for info in found} == set(root.turns)


def test_every_legal_turn_is_searched_in_the_limit() -> None:
    position = parse_position("3BrBrBr/6/6/6/1Whn1W~abcdefghi2/W~aW~b4 w 60")
    search = kernel.Search(kernel.Table(1), kernel.Control(), knobs())
    search.set_up(*setup_of(position.identity), [])
    root = Root(search, Request(thrive, position))
    root.gather(Stop(), [])
    assert len(root.turns) < len(position.legal_turns)
    root._bring_more(_width(DEEPEST))
    assert root.is_whole
    assert {turn_of(turn.code) for turn in root.turns} == set(position.legal_turns)


# Wins and losses


def test_a_win_in_two_is_found_at_once_and_is_one() -> None:
    infos = search(TWO, nodes=1)
    assert answer(infos).score == Score(mate=2)


@pytest.mark.parametrize("seed", range(24))
def test_a_claimed_win_or_loss_is_true_by_brute_force(seed: int) -> None:
    position = nearly_full(seed)
    for info in search(position, nodes=3000, multipv=2):
        mate = None if info.score is None or info.multipv > 1 else info.score.mate
        if mate is not None and abs(mate) <= 2:
            assert wins_within(position, mate) if mate > 0 else loses_within(position, -mate)


def test_some_of_these_claims_are_made() -> None:
    scores = [answer(search(nearly_full(seed), nodes=600)).score for seed in range(16)]
    assert {1, 2, -1} <= {score.mate for score in scores if score is not None}


def test_a_loss_is_proven_by_trying_every_turn() -> None:
    assert answer(search(parse_position(SPARSE_LOSS), depth=3)).score == Score(mate=-1)


def test_a_turn_after_which_the_other_side_wins_is_avoided() -> None:
    position = parse_position("5Br/6/6/Br5/6/Wh1Whl3 w 1")
    turn = answer(search(position, nodes=5000)).pv[0]
    after = position.play(turn)
    assert after.outcome is not None or not list(thrive.wins(after.draft))


def test_a_search_for_a_win_ends_when_it_is_found_or_cannot_be() -> None:
    assert answer(search(TWO, mate=2)).score == Score(mate=2)
    assert answer(search(START, mate=1)).score != Score(mate=1)


# Limits, threads, and other games


def test_stop_is_heard_with_any_number_of_threads() -> None:
    for threads in (1, 3):
        stop, asked = Stop(), list[float]()

        def ask(stop: Stop = stop, asked: list[float] = asked) -> None:
            asked.append(perf_counter())
            stop.ask()

        Timer(0.2, ask).start()
        infos = list(PvsSearcher().search(Request(thrive, MIDDLE, threads=threads), stop))
        assert perf_counter() - asked[0] < 1
        assert answer(infos).pv[0] in MIDDLE.legal_turns


def test_threads_end_with_their_search() -> None:
    before = active_count()
    searcher = PvsSearcher()
    for threads in (2, 4, 1):
        for depth, nodes in ((4, None), (None, 5000)):
            request = Request(thrive, MIDDLE, threads=threads, depth=depth, nodes=nodes)
            found = answer(list(searcher.search(request, Stop())))
            assert found.pv[0] in MIDDLE.legal_turns
            assert nodes is None or found.nodes <= nodes
    assert active_count() == before


def test_a_search_that_is_left_ends_its_threads() -> None:
    before = active_count()
    infos = PvsSearcher().search(Request(thrive, MIDDLE, threads=3), Stop())
    next(infos)
    next(infos)
    infos.close()  # type: ignore[attr-defined]
    assert active_count() == before


def test_time_that_is_given_later_ends_the_search() -> None:
    stop = Stop()
    Timer(0.1, lambda: stop.allow(0.05, 0.1)).start()
    begin = perf_counter()
    assert answer(list(PvsSearcher().search(Request(thrive, MIDDLE), stop))).pv
    assert perf_counter() - begin < 5


def test_another_size_of_the_table_is_taken_at_the_next_search() -> None:
    searcher = PvsSearcher()
    for megabytes in (1, 64, 1):
        request = Request(thrive, MIDDLE, nodes=3000, hash_mb=megabytes)
        assert answer(list(searcher.search(request, Stop()))).nodes == 3000


def test_another_game_is_refused_in_one_line() -> None:
    rules: Any = SimpleNamespace(name="grow")
    with pytest.raises(SearcherError, match="searcher 'pvs' plays thrive, not grow"):
        list(PvsSearcher().search(replace(Request(thrive, START), rules=rules), Stop()))


def test_a_position_that_stood_before_is_a_draw() -> None:
    position = parse_position("B~B~B~3/6/6/6/6/W~W~W~3 w 1")
    after = position.play(parse_turn("a1a2", position))
    roots = (parse_draft("a1a2", position),)
    score = answer(search(position, depth=1, roots=roots, history=(after.identity,))).score
    assert score == Score(cp=0)


# Evaluation, strength


@pytest.mark.parametrize("position", random_positions(30), ids=str)
def test_the_parts_of_the_evaluation_add_up_to_it(position: Position) -> None:
    searcher = PvsSearcher()
    board, network = kernel.Board(), kernel.Network()
    board.set_up(*setup_of(position.identity))
    network.set_up(board)
    parts = searcher.explain(position)
    total = sum(2 * values[position.player] - sum(values) for _, values in parts)
    assert max(-9000, min(9000, total)) == network.judge(board)
    exchanged = [(name, values[::-1]) for name, values in parts]
    assert searcher.explain(position.turned()) == exchanged


@pytest.mark.parametrize("elo", [ELO_MIN, 1000, 1500, ELO_MAX])
def test_a_weaker_player_takes_the_win_it_sees(elo: int) -> None:
    position = parse_position(POSITIONS["the movement can end the game"])
    for seed in range(5):
        player = weaken(PvsSearcher(), elo, seed)
        infos = list(player.search(Request(thrive, position), Stop()))
        outcome = position.play(answer(infos).pv[0]).outcome
        assert outcome is not None
        assert outcome.winner == position.player


# As a process


def test_a_game_is_played_against_itself_over_a_pipe() -> None:
    position, turns = START, list[str]()
    with Talk() as talk:
        while position.outcome is None and len(turns) < 120:
            talk.send(f"position startpos moves {' '.join(turns)}")
            word, turn = talk.ask("go nodes 1500", until="bestmove .*")[-1].split()
            assert word == "bestmove"
            position = position.play(parse_turn(turn, position))
            turns.append(turn)
    assert position.outcome is not None


def test_threads_and_movements_over_a_pipe() -> None:
    with Talk() as talk:
        talk.send("setoption name Threads value 2", "setoption name MultiPV value 3")
        talk.send("setoption name MultiPV Movements value true")
        said = talk.ask("go movetime 200", until="bestmove .*")
    turns = [line.split(" pv ")[1].split()[0] for line in said if " pv " in line][-3:]
    assert len({turn[:4] for turn in turns}) == 3


def test_pondering_goes_on_until_the_hit() -> None:
    engine = Engine()
    thinking = engine.think(Limit(ponder=True, clocks=(1.0, 1.0)))
    Timer(0.2, thinking.ponderhit).start()
    begin = perf_counter()
    infos = list(thinking)
    assert 0.2 <= perf_counter() - begin < 5
    assert infos
    assert thinking.turn in START.legal_turns
