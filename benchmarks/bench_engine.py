"""The engine as its front end feels it: starting, answering, stopping, keeping time, ending.

Times by the clock, not of the CPU: they are what a front end waits for. Where the machine is busy
with other things they say little.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter, sleep
from typing import Self

from benchmarks.timing import verdict
from thrive_engine.games.thrive import START, parse_turn

ENGINE = (sys.executable, "-m", "thrive_engine")
CLICK = (sys.executable, "-c", "import click")
STARTS = 25
STOPS = 100
TURNS = 50
ENDS = 15
PINGS = 300
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}
"""Bytecode is kept, as it is where nobody says otherwise."""


def main() -> None:
    """Print each figure beside its target."""
    _bench_start()
    for searcher in ("pvs", "alphabeta", "mcts"):
        with _Process() as engine:
            engine.send("setoption name OwnBook value false")
            engine.ask(f"setoption name Searcher value {searcher}", "isready", until="readyok")
            _bench_stop(engine, searcher)
            _bench_movetime(engine, searcher)
            _bench_isready(engine, searcher)
    _bench_end("quit", lambda engine: engine.send("quit"))
    _bench_end("the end of input", lambda engine: engine.close_input())


def _bench_start() -> None:
    def start() -> None:
        with _Process() as engine:
            engine.ask("uci", until="uciok")
            seconds["engine"].append(engine.age)

    def load_click() -> None:
        begin = perf_counter()
        subprocess.run(CLICK, check=True, env=ENVIRONMENT, stdin=subprocess.DEVNULL)
        seconds["click"].append(perf_counter() - begin)

    seconds: dict[str, list[float]] = {}
    for runs in (2, STARTS):  # the first ones write bytecode
        seconds = {"engine": [], "click": []}
        for _ in range(runs):
            start()
            load_click()
    ours, theirs = median(seconds["engine"]), median(seconds["click"])
    print(
        f"engine: from spawn to uciok: median {1000 * ours:.0f} ms, import click"
        f" {1000 * theirs:.0f} ms, {ours / theirs:.2f}x (target at most 3x:"
        f" {verdict(ours <= 3 * theirs)})"
    )


def _bench_stop(engine: "_Process", searcher: str) -> None:
    times = []
    for number in range(STOPS):
        engine.send("go infinite")
        sleep(0.02 + 0.002 * number)
        begin = perf_counter()
        _require_legal(engine.ask("stop", until="bestmove .*"))
        times.append(perf_counter() - begin)
    in_time = sum(seconds <= 0.05 for seconds in times)
    goal = f"{in_time} of {STOPS} within 50 ms (target 99 of 100"
    met = verdict(in_time * 100 >= 99 * STOPS)
    print(f"engine: {searcher}: stop to bestmove: {_spread(times)}; {goal}: {met})")


def _bench_movetime(engine: "_Process", searcher: str) -> None:
    times = []
    for _ in range(TURNS):
        begin = perf_counter()
        _require_legal(engine.ask("go movetime 100", until="bestmove .*"))
        times.append(perf_counter() - begin)
    in_time = sum(abs(seconds - 0.1) <= 0.01 for seconds in times)
    goal = f"{in_time} of {TURNS} within 90 to 110 ms (target all"
    print(
        f"engine: {searcher}: go movetime 100: {_spread(times)},"
        f" least {1000 * min(times):.1f}; {goal}: {verdict(in_time == TURNS)})"
    )


def _bench_isready(engine: "_Process", searcher: str) -> None:
    engine.send("go infinite")
    times = []
    for _ in range(PINGS):
        sleep(0.005)
        begin = perf_counter()
        engine.ask("isready", until="readyok")
        times.append(perf_counter() - begin)
    engine.ask("stop", until="bestmove .*")
    met = verdict(max(times) <= 0.1)
    print(f"engine: {searcher}: isready in search: {_spread(times)} (target at most 100 ms: {met})")


def _bench_end(name: str, end: Callable[["_Process"], None]) -> None:
    times = []
    for number in range(ENDS):
        with _Process() as engine:
            engine.ask("isready", until="readyok")
            if number % 2:
                engine.send("go infinite")
                sleep(0.1)
            begin = perf_counter()
            end(engine)
            assert engine.wait() == 0
            times.append(perf_counter() - begin)
    met = verdict(max(times) <= 0.2)
    print(f"engine: exit after {name}, idle or in search: {_spread(times)} (at most 200 ms: {met})")


def _require_legal(lines: list[str]) -> None:
    parse_turn(lines[-1].split()[1], START)


def _spread(times: list[float]) -> str:
    ordered = [1000 * seconds for seconds in sorted(times)]
    most = ordered[len(ordered) * 99 // 100]
    return f"median {median(ordered):.1f} ms, 99 % {most:.1f}, most {ordered[-1]:.1f}"


class _Process:
    """The engine, and how long it has been there."""

    def __init__(self) -> None:
        self._begin = perf_counter()
        self._process = subprocess.Popen(
            ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT
        )

    @property
    def age(self) -> float:
        return perf_counter() - self._begin

    def send(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self._process.stdin.flush()

    def ask(self, *lines: str, until: str) -> list[str]:
        """Send lines, and take the answer up to a line that matches."""
        assert self._process.stdout is not None
        self.send(*lines)
        answer = []
        for line in self._process.stdout:
            answer.append(line.decode().rstrip())
            if re.fullmatch(until, answer[-1]):
                return answer
        raise AssertionError(f"the engine has ended after {answer[-3:]}")

    def close_input(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def wait(self) -> int:
        return self._process.wait(10)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdout is not None
        self.close_input()
        self.wait()
        self._process.stdout.close()


if __name__ == "__main__":
    main()
