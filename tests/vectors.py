"""Reads spec/vectors: two sets of the same five files."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "spec" / "vectors"
SETS = ("first", "second")


def read_cases(name: str) -> list[Any]:
    """The cases of a file in both sets, in order."""
    return [case for folder in SETS for case in _read(FOLDER / folder / name)]


def _read(path: Path) -> list[Any]:
    text = path.read_text(encoding="ascii")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    cases: list[Any] = json.loads(text)
    return cases
