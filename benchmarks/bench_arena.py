"""The arena: what it adds to a turn, whether it is fair to a slow engine, and games a second.

``python -m benchmarks.bench_arena 2000`` plays so many turns with the slow engine. On a busy
machine an engine may sleep longer than it asked for, so its own clock is told too. The floor for
games a second is two processes that only echo lines, over bare asyncio.
"""

import asyncio
import sys
from collections.abc import Callable
from functools import cache, partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.timing import verdict
from thrive_engine.arena.job import Control, Job, Played, Player, Settings
from thrive_engine.arena.local import local_workers
from thrive_engine.arena.play import play_game
from thrive_engine.game import Game
from thrive_engine.games import thrive

ACTOR = Path(__file__).parent.parent / "tests" / "engines" / "actor.py"
ECHO = "import os\nwhile line := os.read(0, 65536): os.write(1, line)"
BUDGET = 0.1
OVERHEAD = 0.005
PATIENT_TURNS = 200
CONCURRENCY = 2
LONG, SHORT = 100, 6
ROUNDS = 7


def main(patient_turns: int = PATIENT_TURNS) -> None:
    _measure_overhead()
    _try_patience(patient_turns)
    for turns in (LONG, SHORT):
        _compare_with_floor(turns)


def _measure_overhead() -> None:
    for at_a_time in (1, CONCURRENCY):
        games = _play_all(partial(_play, "good", LONG, Control(depth=1)), ROUNDS, at_a_time)
        _report_overhead(f"games at a time: {at_a_time}, engines that answer at once", games)


def _try_patience(turns: int) -> None:
    """An engine that answers when 90 % of its time have passed must never lose on time."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "seconds"
        games = _play_all(partial(_play_patiently, file), -(-turns // LONG), CONCURRENCY)
        own = [float(line) for line in file.read_text().splitlines()]
    lost = sum(game.termination == "time" for game in games)
    assert len(own) == sum(game.turns for game in games) + lost
    print(
        f"arena: {len(own)} turns at 90 % of {1000 * BUDGET:.0f} ms, {CONCURRENCY} games at a "
        f"time: {lost} lost on time (target 0: {verdict(lost == 0)}); the slowest took "
        f"{1000 * max(max(game.slowest) for game in games):.1f} ms; by the engine's own clock "
        f"{sum(seconds > BUDGET for seconds in own)} took too long, at most "
        f"{1000 * max(own):.1f} ms"
    )
    _report_overhead(f"games at a time: {CONCURRENCY}, engines that take their time", games)


def _play_all(play: Callable[[], Played], games: int, at_a_time: int) -> list[Played]:
    """Play so many games where the arena does."""
    with local_workers(at_a_time) as workers:
        return [future.result() for future in [workers.executor.submit(play) for _ in range(games)]]


def _play_patiently(file: Path) -> Played:
    game = _play(f"patient={file}", LONG, Control(movetime=BUDGET))
    assert game.termination in ("captured", "own capture", "filled", "time"), game.reason
    return game


def _report_overhead(when: str, games: list[Played]) -> None:
    overhead = [seconds for game in games for seconds in game.overhead]
    most = quantiles(overhead, n=100)[-1]
    print(
        f"arena: {len(overhead)} turns, {when}: the arena added {1000 * median(overhead):.2f} ms "
        f"to a turn, {1000 * most:.2f} ms to the slowest in 100 "
        f"(target under {1000 * OVERHEAD:.0f} ms: {verdict(most < OVERHEAD)})"
    )


def _compare_with_floor(turns: int) -> None:
    ours, floor = list[float](), list[float]()
    for _ in range(ROUNDS):  # in turns, so that a slow moment hits both alike
        begin = perf_counter()
        _play("good", turns, Control(depth=1))
        ours.append(perf_counter() - begin)
        begin = perf_counter()
        asyncio.run(_echo_game(turns))
        floor.append(perf_counter() - begin)
    ratio = median(ours) / median(floor)
    print(
        f"arena: {1 / median(ours):.2f} games/s of {turns} turns, one at a time; "
        f"two echoing processes {1 / median(floor):.2f}/s; {ratio:.2f}x the time of that floor"
    )


def _play(role: str, turns: int, control: Control) -> Played:
    opening, line = _line(turns)
    command = (sys.executable, "-S", "-E", str(ACTOR), role, *line)
    players = tuple(Player(name, command, control) for name in ("A", "B"))
    game = play_game(Job(1, "1", opening, players, Settings()))
    assert game.turns == turns or game.termination == "time", game.reason
    return game


@cache
def _line(turns: int) -> tuple[str, tuple[str, ...]]:
    """The opening and the turns of a game that is over after so many turns."""
    for seed in count():
        game, random = Game(), Random(seed)
        while game.outcome is None:
            game.play(thrive.sample(game.position.draft, random.randrange).turn)
        if len(game.turns) >= turns:
            return str(game.positions[-1 - turns]), tuple(map(str, game.turns[-turns:]))
    raise AssertionError("some game is long enough")


async def _echo_game(turns: int) -> None:
    """Start two processes, send each its lines and wait for them, and end both."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-S", "-E", "-c", ECHO)
    players = [
        await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe) for _ in range(2)
    ]
    for turn in range(turns):
        player = players[turn % 2]
        assert player.stdin is not None
        assert player.stdout is not None
        line = b"bestmove %d\n" % turn
        player.stdin.write(line)
        assert await player.stdout.readline() == line
    for player in players:
        assert player.stdin is not None
        player.stdin.close()
        assert await player.wait() == 0


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
