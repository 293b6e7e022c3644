import json
import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from runs import begin, copy, numbers

from thrive_engine.arena.event import Event
from thrive_engine.arena.job import Job, Played
from thrive_engine.arena.journal import Journal, read_journal
from thrive_engine.arena.local import share_cpus
from thrive_engine.arena.match import MOST_TRIES, Match, Workers
from thrive_engine.arena.replay import check_games
from thrive_engine.arena.standing import Standing, read_standing
from thrive_engine.arena.store import Store
from thrive_engine.errors import ArenaError

FOUR = ("ada", "bob", "cleo", "dan")


def ignore(_: Standing, __: Event) -> None:
    """Tell nobody."""


def play(store: Store, concurrency: int = 2, tell: Any = ignore) -> Standing:
    with ThreadPoolExecutor(concurrency) as executor:
        return Match(store, Workers(executor, concurrency), tell).run()


def lines(standing: Standing) -> list[tuple[str, float]]:
    return [(line.player, line.points) for line in standing.summary().table]


@pytest.mark.parametrize(
    ("kind", "rounds", "games"),
    [("gauntlet", {}, 6), ("round-robin", {}, 12), ("swiss", {"rounds": 3}, 12)],
)
def test_a_format_plays_its_games_once_and_nothing_depends_on_how_many_at_a_time(
    tmp_path: Path, kind: str, rounds: dict[str, Any], games: int
) -> None:
    one = begin(tmp_path, names=FOUR, format=kind, pairs=1, **rounds)
    two = copy(one, "two")
    standings = [play(one, 1), play(two, 2)]
    assert sorted(numbers(one)) == sorted(numbers(two)) == list(range(1, games + 1))
    assert lines(standings[0]) == lines(standings[1])
    assert sum(points for _, points in lines(standings[0])) == games
    assert one.games.read_bytes() == two.games.read_bytes()
    assert all(standing.is_complete for standing in standings)


def test_a_knockout_goes_on_until_one_is_left(tmp_path: Path) -> None:
    one = begin(tmp_path, names=FOUR, format="knockout", pairs=1)
    two = copy(one, "two")
    standing = play(one, 1)
    assert standing.summary().winner in FOUR
    assert play(two, 2).summary().winner == standing.summary().winner
    assert len(standing.games) >= 6
    assert one.games.read_bytes() == two.games.read_bytes()


def test_a_pair_is_two_games_from_one_opening_with_colours_swapped(tmp_path: Path) -> None:
    standing = play(begin(tmp_path, pairs=3))
    for first in (1, 3, 5):
        one, two = standing.games[first], standing.games[first + 1]
        assert (one.players, two.players) == (("ada", "bob"), ("bob", "ada"))
        assert one.opening == two.opening
    assert len({game.opening for game in standing.games.values()}) == 3


def test_what_is_told_is_what_is_in_the_journal(tmp_path: Path) -> None:
    store, told = begin(tmp_path, pairs=2), list[Event]()
    standing = play(store, tell=lambda _, event: told.append(event))
    assert json.loads(json.dumps(told)) == list(read_journal(store.journal))
    again = read_standing(store)
    assert again.games == standing.games
    assert again.summary() == standing.summary()


def test_a_test_stops_by_itself_at_the_same_pair_however_many_games_at_a_time(
    tmp_path: Path,
) -> None:
    test = {"elo0": -200, "elo1": 200, "alpha": 0.2, "beta": 0.2}
    one = begin(tmp_path, sprt=test, pairs=200)
    two = copy(one, "two")
    first, second = play(one, 1), play(two, 2)
    assert first.decided is not None
    assert first.decided == second.decided
    assert len(first.counted()) == 2 * (first.decided + 1) < 400
    assert one.games.read_bytes() == two.games.read_bytes()
    summary = first.summary()
    assert summary.test is not None
    assert "accepted" in summary.test.words
    assert summary.is_complete
    before = one.journal.read_bytes()
    play(one)
    assert one.journal.read_bytes() == before


class Unreliable(Executor):
    """An executor that spoils what it is given, where it is told to."""

    def __init__(self, spoil: Callable[[Job, int], BaseException | None]) -> None:
        self._threads = ThreadPoolExecutor(2)
        self._spoil = spoil
        self._given: Counter[int] = Counter()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        (job,) = args
        self._given[job.number] += 1
        error = self._spoil(job, self._given[job.number])
        if error is None:
            return self._threads.submit(fn, job)
        future: Future[Any] = Future()
        future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._threads.shutdown(wait, cancel_futures=cancel_futures)


def run_unreliably(store: Store, spoil: Callable[[Job, int], BaseException | None]) -> Standing:
    with Unreliable(spoil) as executor:
        return Match(store, Workers(executor, 2), ignore).run()


def test_a_game_whose_worker_died_is_played_again(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=3)
    standing = run_unreliably(
        store, lambda job, times: OSError("killed") if job.number in (2, 5) and times < 3 else None
    )
    assert sorted(numbers(store)) == [1, 2, 3, 4, 5, 6]
    assert standing.summary().replayed == 4
    assert standing.summary().abandoned == 0


def test_a_game_that_no_worker_survives_is_abandoned_and_the_rest_is_played(
    tmp_path: Path,
) -> None:
    store = begin(tmp_path, pairs=2)
    standing = run_unreliably(
        store, lambda job, _: OSError("killed\n\x1b") if job.number == 3 else None
    )
    (game,) = store.read_games([3])
    assert (game.result, game.termination) == ("*", "abandoned")
    assert game.reason == rf"{MOST_TRIES} workers failed; the last: OSError: killed\n\x1b"
    assert sorted(numbers(store)) == [1, 2, 3, 4]
    assert standing.summary().abandoned == 1
    assert standing.is_complete
    assert list(check_games(store, standing)) == []


def test_workers_that_can_play_nothing_end_the_run_and_no_game_is_given_up(
    tmp_path: Path,
) -> None:
    store = begin(tmp_path, pairs=2)
    with pytest.raises(ArenaError, match="no worker can play: ImportError: no thrive_engine"):
        run_unreliably(store, lambda *_: ImportError("no thrive_engine"))
    assert numbers(store) == []
    play(store)
    assert sorted(numbers(store)) == [1, 2, 3, 4]


def test_a_cluster_that_is_lost_is_told_and_the_journal_stays(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=3)

    class Dropping(Unreliable):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if args[0].number < 4:
                return super().submit(fn, *args)
            future: Future[Any] = Future()
            future.cancel()
            return future

    with Dropping(lambda *_: None) as executor, pytest.raises(ArenaError, match="dropped"):
        Match(store, Workers(executor, 1), ignore).run()
    assert numbers(store) == [1, 2, 3]
    play(store)
    assert sorted(numbers(store)) == [1, 2, 3, 4, 5, 6]


def test_a_result_that_comes_twice_is_kept_once(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=1)

    class Repeating(Unreliable):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Played] = super().submit(fn, *args)
            game, other = future.result(), Future[Played]()
            other.set_result(game)
            match._flying[other] = args[0]
            match._done.put(other)
            return future

    with Repeating(lambda *_: None) as executor:
        match = Match(store, Workers(executor, 1), ignore)
        match.run()
    assert numbers(store) == [1, 2]


def test_stopping_keeps_what_is_finished_and_resuming_plays_the_rest(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=6, delay=0.05)
    with ThreadPoolExecutor(2) as executor:
        match = Match(store, Workers(executor, 2), ignore)
        timer = Timer(1.0, match.stop)
        timer.start()
        standing = match.run()
        timer.cancel()
    kept = numbers(store)
    assert len(kept) == len(standing.games) < 12
    assert list(check_games(store, standing)) == []
    play(store)
    assert numbers(store)[: len(kept)] == kept
    assert sorted(numbers(store)) == list(range(1, 13))


def test_a_file_of_games_that_was_harmed_is_repaired(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=2)
    standing = play(store)
    whole = store.games.read_bytes()
    for harmed in (whole[:-10], whole + b"x", b""):
        store.games.write_bytes(harmed)
        assert "differs from the journal" in "".join(check_games(store, standing))
        play(store)
        assert store.games.read_bytes() == whole
    store.games.unlink()
    play(store)
    assert store.games.read_bytes() == whole


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"result": "1/2-1/2"}, "result: the journal says '1/2-1/2', the rules say"),
        ({"termination": "time"}, "termination: the journal says 'time', the rules say"),
        ({"turns": 99}, "number of turns: the journal says 99"),
        ({"record": "1. a1a1 *\n"}, "game 1: "),
        ({"record": ""}, "its record can't be played"),
    ],
)
def test_a_replay_finds_what_is_not_true(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    store = begin(tmp_path, pairs=1)
    play(store)
    events = list(read_journal(store.journal))
    for event in events:
        if event.get("number") == 1:
            event.update(change)
    store.journal.write_text("".join(f"{json.dumps(event)}\n" for event in events))
    assert said in "\n".join(check_games(store, read_standing(store)))


def test_a_running_tournament_cannot_be_run_twice(tmp_path: Path) -> None:
    store = begin(tmp_path, pairs=1)
    with Journal(store.journal), pytest.raises(ArenaError, match="another arena"):
        play(store)


def test_processors_are_shared_where_there_are_enough() -> None:
    cpus = sorted(os.sched_getaffinity(0))
    assert share_cpus(1) == share_cpus(len(cpus) + 1) == ()
    if len(cpus) > 1:
        shares = share_cpus(2)
        assert len(shares) == 2
        assert set(shares[0]).isdisjoint(shares[1])
        assert all(share and set(share) <= set(cpus) for share in shares)
