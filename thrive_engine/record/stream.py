"""Text as a stream of lines, however long they are and whatever their bytes."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

PIECE = 1 << 16
"""A line is read in pieces of at most this many characters."""


Piece = tuple[str, int, int, bool]
"""A line, or a part of a long one: its line and column, and whether it ends its line."""


def pieces(stream: IO[str] | IO[bytes]) -> Iterator[Piece]:
    """The lines of a stream, counted from 1.

    Bytes are read as UTF-8, each that is none as U+FFFD. A mark of the byte order in front is
    dropped.
    """
    with _as_text(stream) as text:
        line, column = 1, 1
        while piece := text.readline(PIECE):
            is_last = piece.endswith("\n") or len(piece) < PIECE
            yield piece, line, column, is_last
            line, column = (line + 1, 1) if is_last else (line, column + len(piece))


@contextmanager
def _as_text(stream: IO[str] | IO[bytes]) -> Iterator[IO[str]]:
    if isinstance(stream.read(0), str):
        yield stream  # type: ignore[misc]  # read(0) told which of the two it is
        return
    wrapper = io.TextIOWrapper(stream, encoding="utf-8", errors="replace")  # type: ignore[type-var]  # as above
    try:
        yield wrapper
    finally:
        # So that the stream, which is its owner's, is not closed with its wrapper.
        if not stream.closed:
            wrapper.detach()
