"""Runs every benchmark, or those that are named: ``python -m benchmarks rules startup``."""

import sys
from importlib import import_module
from pathlib import Path


def main(wanted: list[str]) -> None:
    names = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    unknown = [name for name in wanted if f"bench_{name}" not in names]
    if unknown:
        known = " ".join(name.removeprefix("bench_") for name in names)
        sys.exit(f"no benchmark {' '.join(unknown)}; there are: {known}")
    for name in names:
        if not wanted or name.removeprefix("bench_") in wanted:
            import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
