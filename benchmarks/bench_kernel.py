"""The kernel against the same in C, two threads against one, and how far a second goes.

The C program and a plain alpha-beta on the kernel's board are compiled for the occasion. Against C
CPU time counts, in rounds of both in turns; threads and depth are what the clock shows, so that
they say little where the machine is busy with other things: two processes of the C program, which
share nothing, show what two cores have to give.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from types import ModuleType
from typing import Any

from benchmarks.timing import verdict
from thrive_engine.games.thrive import Position, parse_position
from thrive_engine.search import kernel

HERE = Path(__file__).parent
ROOT = Path(kernel.__path__[0]).parents[2]
ENGINE = (sys.executable, "-m", "thrive_engine")
ROUNDS = 9
MOST_RATIO = 1.2
LEAST_SPEED_UP = 1.7
START = "BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh w 1"
MIDDLE = "Br1Bqr2Br/2Br3/1Bw1W~cw2/2Wghi2Bdr/W4Wh/Wh5 w 12"
LATE = "6/6/3B~bcdefW~cdei1/1W~ghk3B~abcd/3B~horB~kq1/1W~fl4 b 52"
TWO_AGAINST_TWO = "4BqrwBgrsv/6/6/6/6/WghiWdhnv4 w 20"
TASKS = (
    ("perft 2, from a late position", "perft", LATE, 2),
    ("perft 1, from the start", "perft", START, 1),
    ("alpha-beta, middle game", "alphabeta", MIDDLE, 5),
    ("alpha-beta, from the start", "alphabeta", START, 5),
)
SECOND = {"from the start": START, "middle game": MIDDLE, "two against two": TWO_AGAINST_TWO}
Round = tuple[int, int, float]
"""The result of a task, the nodes, and the seconds of CPU time."""


def main() -> None:
    if not kernel.COMPILED:
        print("kernel: it is not compiled here")
        return
    with TemporaryDirectory() as folder:
        program, alphabeta = _compile_c(Path(folder)), _compile_alphabeta(Path(folder))
        for name, task, text, depth in TASKS:
            position = parse_position(text)
            _bench_task(
                name,
                lambda: _run_c(program, task, position, depth),  # noqa: B023 called at once
                lambda: _run_kernel(alphabeta, task, position, depth),  # noqa: B023 as above
            )
        _bench_threads(program)
    for name, text in SECOND.items():
        info = _think(text, threads=1)
        print(f"kernel: depth {info['depth']}, {info['nodes']:,} nodes after 1 s, {name}")


def _bench_task(name: str, in_c: Callable[[], Round], in_kernel: Callable[[], Round]) -> None:
    ratios, speeds = [], []
    for _ in range(ROUNDS):
        expected, found = in_c(), in_kernel()
        assert found[:2] == expected[:2], (name, found, expected)
        ratios.append(found[2] / expected[2])
        speeds.append((found[1] or found[0]) / found[2])
    ratio = median(ratios)
    print(
        f"kernel: {name}: {ratio:.2f}x of C's time (at most {MOST_RATIO}: "
        f"{verdict(ratio <= MOST_RATIO)}), {median(speeds):,.0f} a second"
    )


def _run_c(program: Path, task: str, position: Position, depth: int) -> Round:
    done = subprocess.run(_command(program, task, position, depth), stdout=-1, check=True)
    result, nodes, seconds = done.stdout.split()
    return int(result), int(nodes), float(seconds)


def _command(program: Path, task: str, position: Position, depth: int) -> list[str]:
    pieces = [*map(str, position.white), "-", *map(str, position.black)]
    return [str(program), task, str(depth), "1", str(int(position.side)), *pieces]


def _run_kernel(alphabeta: ModuleType, task: str, position: Position, depth: int) -> Round:
    board = kernel.Board()
    board.set_up(list(position.white), list(position.black), int(position.side))
    search = alphabeta.AlphaBeta(board)
    begin = process_time()
    result, nodes = (board.perft(depth), 0) if task == "perft" else search.value(depth)
    return result, nodes, process_time() - begin


def _compile_c(folder: Path) -> Path:
    program = folder / "kernel"
    subprocess.run(
        ["cc", "-O3", "-march=native", "-o", program, HERE / "kernel.c"],
        check=True,
    )
    return program


def _compile_alphabeta(folder: Path) -> ModuleType:
    """The plain alpha-beta, compiled as the kernel is."""
    name = "kernel_alphabeta"
    source = shutil.copy(HERE / f"{name}.py", folder)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "CFLAGS": "-O3 -fno-wrapv -g0"}
    subprocess.run(
        [sys.executable, "-m", "Cython.Build.Cythonize", "--inplace", "--quiet", source],
        check=True,
        env=environment,
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )
    spec = spec_from_file_location(name, folder / f"{name}{EXTENSION_SUFFIXES[0]}")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _bench_threads(program: Path) -> None:
    """The nodes of two threads in a second, beside what the cores have to give."""
    speed_ups, cores = [], []
    for _ in range(3):
        one, two = (_think(MIDDLE, threads)["nodes"] for threads in (1, 2))
        speed_ups.append(two / one)
        alone, both = (_wait_for_c(program, processes) for processes in (1, 2))
        cores.append(2 * alone / both)
    speed_up = median(speed_ups)
    print(
        f"kernel: two threads search {speed_up:.2f}x the nodes of one (at least {LEAST_SPEED_UP} "
        f"where two cores are free: {verdict(speed_up >= LEAST_SPEED_UP)}); "
        f"two processes of C do {median(cores):.2f}x of one's work"
    )


def _wait_for_c(program: Path, processes: int) -> float:
    command = _command(program, "alphabeta", parse_position(START), 5)
    begin = perf_counter()
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(processes)]
    for process in running:
        process.wait()
    return perf_counter() - begin


def _think(text: str, threads: int) -> dict[str, int]:
    """What the engine tells last when it thinks for a second."""
    with _engine() as ask:
        ask(f"setoption name Threads value {threads}", "isready", until="readyok")
        lines = ask(f"position fen {text}", "go movetime 1000", until="bestmove")
    told = [line for line in lines if line.startswith("info depth")][-1]
    return {name: int(value) for name, value in re.findall(r"(depth|nodes) (\d+)", told)}


@contextmanager
def _engine() -> Iterator[Callable[..., list[str]]]:
    with subprocess.Popen(
        ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        stdin: Any = process.stdin
        stdout: Any = process.stdout

        def ask(*commands: str, until: str) -> list[str]:
            stdin.writelines(f"{command}\n" for command in commands)
            lines = list[str]()
            while not (lines and lines[-1].startswith(until)):
                lines.append(stdout.readline())
                assert lines[-1], "the engine has ended"
            return lines

        ask("uci", "setoption name OwnBook value false", "isready", until="readyok")
        yield ask
        stdin.write("quit\n")


if __name__ == "__main__":
    main()
