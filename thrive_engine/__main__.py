"""``thrive-engine``, ``python -m thrive_engine``: the engine on standard input and output."""

import gc
import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from thrive_engine.engine import Engine
from thrive_engine.lines import LONGEST
from thrive_engine.protocol import Server

SWITCH = 0.001
"""The seconds for which a search may keep a line that has arrived waiting."""


def main() -> None:
    """Answer every line of standard input until ``quit`` or its end."""
    if sys.stdin is None or sys.stdout is None:
        sys.exit("thrive-engine: it speaks on standard input and output, and one of them is closed")
    sys.setswitchinterval(SWITCH)
    _spare_long_pauses()
    server = Server(Engine(), partial(_write, sys.stdout.buffer))
    # Nothing but the protocol is on standard output, whatever a searcher prints.
    sys.stdout = sys.stderr
    try:
        for line in _lines(sys.stdin.buffer):
            if line is None:
                server.say_too_long(LONGEST)
            else:
                server.handle(line)
            if server.is_over:
                break
        server.close()
    except (KeyboardInterrupt, OSError):
        pass
    # A search that is still ending must not keep the process: its front end has gone.
    os._exit(0)


def _spare_long_pauses() -> None:
    """Let the collector of cycles look at young objects only.

    A look at all that a search remembers takes hundreds of milliseconds, in which no line is
    answered. What is old is looked at when the engine forgets.
    """
    gc.freeze()
    gc.set_threshold(700, 10, 1_000_000_000)


def _lines(stream: BinaryIO) -> Iterator[str | None]:
    """The lines of a stream; None for one that is too long, of which nothing is kept."""
    while line := stream.readline(LONGEST + 2):
        if len(line.rstrip(b"\r\n")) <= LONGEST:
            yield line.decode("utf-8", "backslashreplace")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST)
        yield None


def _write(stream: BinaryIO, line: str) -> None:
    try:
        stream.write(f"{line}\n".encode("ascii", "backslashreplace"))
        stream.flush()
    except OSError:  # nobody listens any more
        os._exit(1)


if __name__ == "__main__":
    main()
