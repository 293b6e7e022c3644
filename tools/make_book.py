"""Makes the opening book: ``python tools/make_book.py -o thrive_engine/search/books/thrive.txt``.

The engine walks through openings that it plays against itself. A position that is new to it, or
to one symmetric to it, is searched once; the turns whose values are near the best one's go into the
book, and the walk goes on with one of them, drawn by weight. With ``--nodes`` and the same seed the
same book is made on every machine.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import click

from thrive_engine.games import thrive
from thrive_engine.search import load_searcher
from thrive_engine.search.base import Info, Request, Stop
from thrive_engine.search.book import Book, Weights, canonical, format_book

HEAD = """\
# The opening book of Thrive; its format: thrive_engine/search/book.py. It was made by
# tools/make_book.py {words}
"""


@click.command()
@click.option("--output", "-o", type=click.Path(path_type=Path), required=True)
@click.option("--walks", default=100, show_default=True, help="Openings to walk through.")
@click.option("--turns", default=8, show_default=True, help="Turns of both sides in an opening.")
@click.option("--nodes", type=int, help="Nodes for each position.")
@click.option("--seconds", type=float, help="Seconds for each position.")
@click.option("--lines", default=8, show_default=True, help="The most turns of a position.")
@click.option("--margin", default=10, show_default=True, help="Hundredths below the best turn.")
@click.option("--hash", "hash_mb", default=64, show_default=True, help="Megabytes of the table.")
@click.option("--seed", default=0, show_default=True)
def main(
    *,
    output: Path,
    walks: int,
    turns: int,
    nodes: int | None,
    seconds: float | None,
    lines: int,
    margin: int,
    hash_mb: int,
    seed: int,
) -> None:
    """Make an opening book."""
    if nodes is None and seconds is None:
        raise click.UsageError("say --nodes or --seconds for each position")
    author = _Author(nodes, seconds, lines, margin, hash_mb)
    random = Random(seed)
    for walk in range(walks):
        author.walk(turns, random)
        click.echo(f"walk {walk + 1} of {walks}: {len(author.book)} positions", err=True)
    given = {"walks": walks, "turns": turns, "nodes": nodes, "seconds": seconds, "lines": lines}
    given |= {"margin": margin, "hash": hash_mb, "seed": seed}
    words = " ".join(f"--{name} {value}" for name, value in given.items() if value is not None)
    text = HEAD.format(words=words) + "".join(f"{line}\n" for line in format_book(author.book))
    output.write_text(text, encoding="ascii")


class _Author:
    """Searches positions, each once, and keeps what is worth playing in them."""

    def __init__(
        self, nodes: int | None, seconds: float | None, lines: int, margin: int, hash_mb: int
    ) -> None:
        self.book: Book = {}
        self._searcher = load_searcher(thrive.searcher)
        self._nodes, self._seconds = nodes, seconds
        self._lines, self._margin, self._hash_mb = lines, margin, hash_mb

    def walk(self, turns: int, random: Random) -> None:
        """One opening, as far as there is something to choose."""
        position = thrive.start
        for _ in range(turns):
            key, symmetry = canonical(thrive, position)
            position = symmetry(position)
            if key not in self.book:
                weights = self._think(position)
                if not weights:
                    return
                self.book[key] = weights
            weights = self.book[key]
            text = random.choices(list(weights), list(weights.values()))[0]
            position = position.play(thrive.parse_turn(text, position))

    def _think(self, position: Any) -> Weights:
        """The turns of a position that are worth playing, best first; none in decided games."""
        if position.outcome is not None:
            return {}
        self._searcher.forget()
        latest = dict(self._lines_of(position))
        best = latest[1]
        if best.score is None or best.score.cp is None:
            return {}
        found: Weights = {}
        for info in latest.values():
            if info.score is not None and info.score.cp is not None:
                behind = best.score.cp - info.score.cp
                if behind <= self._margin:
                    found[str(info.pv[0])] = max(round(100 * (1 - behind / (self._margin + 1))), 1)
        return found

    def _lines_of(self, position: Any) -> Iterator[tuple[int, Info]]:
        request = Request(
            thrive, position, nodes=self._nodes, multipv=self._lines, hash_mb=self._hash_mb
        )
        for info in self._searcher.search(request, Stop(self._seconds, self._seconds)):
            if info.pv:
                yield info.multipv, info


if __name__ == "__main__":
    main()
