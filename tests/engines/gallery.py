"""Engines of a game without rules, one good and the others each bad in their own way.

``python -I -S gallery.py MODE [TURN...]``: what a mode does differently is in the table MODES. The
engine answers ``go`` with the turn ``a<n>``, n being the number of turns before it, or with the
n-th of the turns that it was given, counted from 0.
"""

import os
import signal
import sys
import time
from collections.abc import Callable

MEGABYTE = 1 << 20
OPTIONS = """\
option name Hash type spin default 16 min 1 max 1024
option name Ponder type check default false
option name Style type combo default calm var calm var wild and fast
option name Book type string default <empty>
option name Clear Hash type button
option name Broken type nothing
"""


def main(engine: "Engine") -> None:
    engine.begin()
    for line in sys.stdin:
        engine.handle(line.strip())
    engine.end_of_input()


class Engine:
    """The good one. Its search is over at once, unless it must wait for ``stop``."""

    def __init__(self) -> None:
        self.turns = 0
        self.is_waiting = False

    def begin(self) -> None:
        """Before anything is read."""

    def handle(self, line: str) -> None:
        word = line.partition(" ")[0]
        if word == "uci":
            self.greet()
        elif word == "isready":
            self.ready()
        elif word == "ucinewgame":
            self.new_game()
        elif word == "position":
            self.turns = len(line.partition(" moves ")[2].split())
        elif word == "go":
            self.go(line)
        elif word in ("stop", "ponderhit"):
            self.stop()
        elif word == "quit":
            self.quit()

    def greet(self) -> None:
        say(f"id name Gallery {sys.argv[1]}", "id author nobody", OPTIONS + "uciok")

    def ready(self) -> None:
        say("readyok")

    def new_game(self) -> None:
        """Nothing is kept from game to game."""

    def go(self, line: str) -> None:
        for depth in (1, 2, 3):
            say(f"info depth {depth} multipv 1 score cp {10 * depth} pv a{self.turns} b")
            say(f"info depth {depth} multipv 2 score cp -5 pv c{self.turns}")
        say("info string thinking")
        self.is_waiting = "infinite" in line or "ponder" in line
        if not self.is_waiting:
            self.answer()

    def stop(self) -> None:
        if self.is_waiting:
            self.is_waiting = False
            self.answer()

    def answer(self) -> None:
        given = dict(enumerate(sys.argv[2:]))
        turn = given.get(self.turns, f"a{self.turns}")
        say(f"bestmove {turn} ponder {given.get(self.turns + 1, f'b{self.turns + 1}')}")

    def quit(self) -> None:
        sys.exit(0)

    def end_of_input(self) -> None:
        """It leaves."""


class Silent(Engine):
    def handle(self, line: str) -> None:
        del line


class Unready(Engine):
    def ready(self) -> None:
        warn("still loading the book")


class Stalls(Engine):
    def go(self, line: str) -> None:
        warn("searching", "and searching")

    def stop(self) -> None:
        warn("I would rather not")


class Late(Engine):
    def go(self, line: str) -> None:
        self.is_waiting = True


class ExitsAtOnce(Engine):
    def begin(self) -> None:
        warn("no licence found")
        sys.exit(3)


class ExitsInSearch(Engine):
    def go(self, line: str) -> None:
        warn("out of ideas")
        sys.exit(4)


class Crashes(Engine):
    def go(self, line: str) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)


class Aborts(Engine):
    def go(self, line: str) -> None:
        warn("assertion failed")
        os.abort()


class ClosesOutput(Engine):
    def go(self, line: str) -> None:
        os.close(1)
        time.sleep(600)


class ClosesInput(Engine):
    def go(self, line: str) -> None:
        os.close(0)
        time.sleep(600)


class Stubborn(Engine):
    """Neither quit nor the end of input nor TERM ends it."""

    def begin(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def quit(self) -> None:
        warn("not yet")

    def end_of_input(self) -> None:
        time.sleep(600)


class FloodsErrors(Engine):
    def go(self, line: str) -> None:
        for _ in range(8):
            os.write(2, b"\x1b[31mblah\x07\n" * (MEGABYTE // 11))
        os.write(2, b"x" * MEGABYTE)
        self.answer()


class FloodsErrorsAndExits(FloodsErrors):
    def answer(self) -> None:
        warn("", "drowned")
        sys.exit(5)


class Endless(Engine):
    def go(self, line: str) -> None:
        for _ in range(64):
            write_all(1, b"x" * MEGABYTE)
        time.sleep(600)


class HalfLine(Engine):
    def go(self, line: str) -> None:
        os.write(1, b"bestmove a")
        sys.exit(0)


class DoubleFork(Engine):
    """It leaves a process behind that holds both pipes open, in a session of its own."""

    def begin(self) -> None:
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        os.wait()

    def go(self, line: str) -> None:
        sys.exit(6)


class TwoAnswers(Engine):
    def answer(self) -> None:
        super().answer()
        super().answer()


class LastGame(Engine):
    """It answers once more when the next game begins."""

    def new_game(self) -> None:
        if self.turns:
            self.answer()


class Unasked(Engine):
    def ready(self) -> None:
        self.answer()
        super().ready()


class Illegal(Engine):
    def answer(self) -> None:
        say("bestmove a1f6+a1a")


class Empty(Engine):
    def answer(self) -> None:
        say("bestmove")


class Encoding(Engine):
    def answer(self) -> None:
        os.write(1, b"bestmove \xff\xfe\n")


class QuitsBadly(Engine):
    def quit(self) -> None:
        sys.exit(7)


class Chatty(Engine):
    """It floods its output with infos until it is stopped."""

    def go(self, line: str) -> None:
        os.set_blocking(0, False)
        while b"stop" not in (sys.stdin.buffer.read() or b""):
            say(*(f"info depth {depth} score cp 1 pv a b c" for depth in range(1, 1000)))
        os.set_blocking(0, True)
        self.answer()


MODES: dict[str, Callable[[], Engine]] = {
    "good": Engine,
    "silent": Silent,
    "unready": Unready,
    "stalls": Stalls,
    "late": Late,
    "exits-at-once": ExitsAtOnce,
    "exits-in-search": ExitsInSearch,
    "crashes": Crashes,
    "aborts": Aborts,
    "closes-output": ClosesOutput,
    "closes-input": ClosesInput,
    "stubborn": Stubborn,
    "floods-errors": FloodsErrors,
    "floods-errors-and-exits": FloodsErrorsAndExits,
    "endless": Endless,
    "half-line": HalfLine,
    "double-fork": DoubleFork,
    "two-answers": TwoAnswers,
    "last-game": LastGame,
    "unasked": Unasked,
    "illegal": Illegal,
    "empty": Empty,
    "encoding": Encoding,
    "quits-badly": QuitsBadly,
    "chatty": Chatty,
}


def say(*lines: str) -> None:
    write_all(1, "".join(f"{line}\n" for line in lines).encode())


def warn(*lines: str) -> None:
    write_all(2, "".join(f"{line}\n" for line in lines).encode())


def write_all(stream: int, data: bytes) -> None:
    while data:
        data = data[os.write(stream, data) :]


if __name__ == "__main__":
    main(MODES[sys.argv[1]]())
