"""Engines that know the turns of one game and behave well in all but one thing.

``python -S -E actor.py ROLE TURN...``: see gallery.py. A role may have an argument: ``mate=2``.
"""

import os
import signal
import sys
import time
from collections.abc import Callable

from gallery import Engine, main, say


class Actor(Engine):
    """Greets in one line, and says nothing but its turn."""

    def greet(self) -> None:
        say("id name Actor", "option name Ponder type check default false", "uciok")

    def go(self, line: str) -> None:
        self.is_waiting = "ponder" in line
        if not self.is_waiting:
            self.answer()


class Scores(Actor):
    """``cp=-900``, ``mate=2``: says that on every turn; ``cp=100,-900`` on one after the other."""

    def __init__(self, kind: str, scores: str) -> None:
        super().__init__()
        self.kind = kind
        self.scores = scores.split(",")

    def answer(self) -> None:
        score = self.scores.pop(0) if len(self.scores) > 1 else self.scores[0]
        if score:
            say(f"info depth 1 score {self.kind} {score} pv a")
        super().answer()


class Sleeps(Actor):
    """``sleeps=0.5``: answers so many seconds after ``go``."""

    def __init__(self, seconds: str) -> None:
        super().__init__()
        self.seconds = float(seconds)

    def answer(self) -> None:
        time.sleep(self.seconds)
        super().answer()


class Patient(Actor):
    """``patient=PATH``: answers when nine tenths of its ``movetime`` have passed.

    It writes to a file how many seconds it took by its own clock.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def go(self, line: str) -> None:
        begin = time.perf_counter()
        words = line.split()
        time.sleep(0.9 * int(words[words.index("movetime") + 1]) / 1000)
        elapsed = time.perf_counter() - begin
        self.answer()
        os.write(self.file, f"{elapsed:.6f}\n".encode())


class Leaves(Actor):
    """Exits as soon as it has answered."""

    def answer(self) -> None:
        super().answer()
        os._exit(8)


class LeavesLater(Actor):
    """Exits a moment after it has answered, while the other one thinks."""

    def answer(self) -> None:
        super().answer()
        time.sleep(0.1)
        os._exit(9)


class LeavesPondering(Actor):
    def go(self, line: str) -> None:
        if "ponder" in line:
            os._exit(10)
        super().go(line)


class IgnoresPonder(Actor):
    """Does not stop to ponder when it is told to."""

    def stop(self) -> None:
        """Goes on."""


class Late(Actor):
    """Answers once more while the other one thinks."""

    def answer(self) -> None:
        super().answer()
        time.sleep(0.1)
        super().answer()


class Says(Actor):
    """``says=TEXT``: its turn is this text, with Python's escapes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text.encode().decode("unicode_escape")

    def greet(self) -> None:
        say(f"id name {self.text}", "uciok")

    def answer(self) -> None:
        say(f"info string {self.text}", f"bestmove {self.text}")


class Hog(Actor):
    """Takes more and more memory."""

    def answer(self) -> None:
        taken = []
        try:
            while True:
                taken.append(bytearray(16 << 20))
        except MemoryError:
            taken.clear()
            os.write(2, b"no more memory\n")
            os._exit(11)


class Forks(Actor):
    """Starts a tree of processes, each in a session of its own, deaf to TERM, its parent gone."""

    def begin(self) -> None:
        for _ in range(4):
            if os.fork() == 0:
                self.branch(2)
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(600)

    def branch(self, depth: int) -> None:
        os.setsid()
        for _ in range(2 if depth else 0):
            if os.fork() == 0:
                if os.fork():
                    os._exit(0)
                self.branch(depth - 1)
                return


class Writes(Actor):
    """``writes=PATH``: answers only if it can write there; ``reads=PATH``, read."""

    def __init__(self, mode: str, path: str) -> None:
        super().__init__()
        self.mode, self.path = mode, path

    def answer(self) -> None:
        with open(self.path, self.mode, encoding="utf-8"):
            super().answer()


class Connects(Actor):
    """``connects=PORT``: answers only if it can connect to a port of this machine."""

    def __init__(self, port: str) -> None:
        super().__init__()
        self.port = int(port)

    def answer(self) -> None:
        import socket

        socket.create_connection(("127.0.0.1", self.port), timeout=2)
        super().answer()


ROLES: dict[str, Callable[..., Engine]] = {
    "good": Actor,
    "cp": lambda scores: Scores("cp", scores),
    "mate": lambda scores: Scores("mate", scores),
    "sleeps": Sleeps,
    "patient": Patient,
    "leaves": Leaves,
    "leaves-later": LeavesLater,
    "leaves-pondering": LeavesPondering,
    "ignores-ponder": IgnoresPonder,
    "late": Late,
    "says": Says,
    "hog": Hog,
    "forks": Forks,
    "writes": lambda path: Writes("w", path),
    "reads": lambda path: Writes("r", path),
    "connects": Connects,
}


def act(role: str) -> None:
    name, _, argument = role.partition("=")
    make = ROLES[name]
    main(make(argument) if argument else make())


if __name__ == "__main__":
    act(sys.argv[1])
