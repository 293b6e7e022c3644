"""The command line as its users run it: in a pipe, and in a terminal."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

PATIENCE = 60.0
"""Seconds after which what should have come is a failure."""
THRIVE = [sys.executable, "-c", "from thrive_engine.cli import main; main()"]


def clean_env(env: Mapping[str, str]) -> dict[str, str]:
    """An environment in which the tests see the same, wherever they run."""
    kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    return {**kept, "PYTHONIOENCODING": "utf-8", "TERM": "xterm", **env}


def thrive(*words: str, stdin: str | bytes = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run ``thrive`` to its end, with pipes."""
    done = subprocess.run(
        [*THRIVE, *words],
        input=stdin if isinstance(stdin, bytes) else stdin.encode(),
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        env=clean_env(env),
    )
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def start(*words: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start ``thrive`` with pipes, to be talked to."""
    return subprocess.Popen(
        [*THRIVE, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=clean_env(env or {}),
    )


class Terminal:
    """``thrive`` in a terminal of its own, 100 columns wide."""

    def __init__(self, *words: str, env: Mapping[str, str] | None = None) -> None:
        self.text = ""
        self._leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", _IN_TERMINAL, *words],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=clean_env(env or {}),
            start_new_session=True,
        )
        os.close(follower)

    def enter(self, text: str) -> None:
        os.write(self._leader, text.encode())

    def wait_for(self, text: str) -> None:
        """Wait until the text is on the screen, after what was waited for before."""
        end = time.monotonic() + PATIENCE
        while text not in self.text:
            assert time.monotonic() < end, f"{text!r} did not come: {self.text!r}"
            assert self._read(), f"{text!r} did not come before the end: {self.text!r}"
        self.text = self.text[self.text.index(text) + len(text) :]

    def finish(self) -> int:
        """Read all that is still to come; the exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._leader], [], [], PATIENCE)
        try:
            data = os.read(self._leader, 1 << 16) if ready else b""
        except OSError:  # that is how the end of a terminal is told
            data = b""
        self.text += data.decode(errors="replace")
        return bool(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self._leader)


_IN_TERMINAL = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from thrive_engine.cli import main
main()
"""


def write_engine(path: Path, infos: str, *bestmoves: str) -> str:
    """The command of an engine that says the same, whatever it is asked; its answers go round."""
    path.write_text(_PARROT.format(infos=infos, bestmoves=bestmoves), encoding="utf-8")
    return f"{sys.executable} -I -S {path}"


_PARROT = """
import sys
from itertools import cycle
bestmoves = cycle({bestmoves!r})
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print("id name Par\\x1brot\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        print({infos!r} + "\\n" + next(bestmoves), flush=True)
    elif word == "quit":
        break
"""
