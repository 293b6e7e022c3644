"""Opening books: turns that were thought about beforehand, and are played at once.

A book is a text file in ASCII, ``books/<game>.txt``. A line is a position and the turns to choose
from, each with its weight: ``<key> <turn>=<weight> <turn>=<weight>...``. Positions that are
symmetric share a line: its key, 16 hexadecimal digits, is the least ``key`` of them all, and its
turns are those of the position that has this key. Lines that begin with ``#`` are remarks.
tools/make_book.py makes it.
"""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from thrive_engine.errors import TextError
from thrive_engine.games.base import Rules

Weights = dict[str, int]
"""Turns by their texts, each with its weight, which is at least 1."""
Book = dict[int, Weights]
"""The turns of positions by their keys."""
_FOLDER = Path(__file__).parent / "books"


@cache
def load_book(game: str) -> Book:
    """The book of a game; an empty one where there is none."""
    path = _FOLDER / f"{game}.txt"
    return parse_book(path.read_text(encoding="ascii").splitlines()) if path.exists() else {}


def choose(book: Book, rules: Rules, position: Any, seed: int) -> Any | None:
    """A turn of the book for a position, or None; the same for the same seed."""
    if not book:
        return None
    key, symmetry = canonical(rules, position)
    weights = book.get(key)
    if weights is None:
        return None
    random = Random(f"{seed} {key}")  # noqa: S311 a game
    text = random.choices(list(weights), list(weights.values()))[0]
    try:
        return symmetry(rules.parse_turn(text, symmetry(position)))
    except TextError:  # two positions with one key
        return None


def canonical(rules: Rules, position: Any) -> tuple[int, Callable[[Any], Any]]:
    """The key of a position in a book, and the symmetry that leads to the position of that key."""
    keys = [(symmetry(position).key, symmetry) for symmetry in rules.symmetries]
    return min(keys, key=lambda each: each[0])


def parse_book(lines: Iterable[str]) -> Book:
    book: Book = {}
    for line in lines:
        if line and not line.startswith("#"):
            key, *turns = line.split()
            pairs = (turn.rsplit("=", 1) for turn in turns)
            book[int(key, 16)] = {text: int(weight) for text, weight in pairs}
    return book


def format_book(book: Book) -> Iterable[str]:
    """The lines of a book, in the order of the keys."""
    for key, weights in sorted(book.items()):
        yield " ".join([f"{key:016x}", *(f"{text}={weight}" for text, weight in weights.items())])
