"""Starting up: ``import thrive_engine`` and ``thrive --help``, against ``import click``."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from benchmarks.timing import verdict

RUNS = 25
PYTHON = sys.executable
THRIVE = str(Path(PYTHON).with_name("thrive"))


def main() -> None:
    commands = {
        "import click": ([PYTHON, "-c", "import click"], None, ""),
        "import thrive_engine": ([PYTHON, "-c", "import thrive_engine"], 1.5, ""),
        "thrive --help": ([THRIVE, "--help"], 2.5, "Usage: thrive"),
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(RUNS):  # in turns, so that a slow moment hits all alike
        for name, (command, _, output) in commands.items():
            seconds[name].append(_run(command, output))
    base = median(seconds["import click"])
    for name, (_, target, _) in commands.items():
        ratio = median(seconds[name]) / base
        goal = "" if target is None else f", {ratio:.2f}x of import click (target at most {target}x"
        goal += "" if target is None else f": {verdict(ratio <= target)})"
        print(f"startup: {name}: {1000 * median(seconds[name]):.0f} ms of CPU{goal}")


def _run(command: Sequence[str], output: str) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    assert done.stdout.startswith(output)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
