"""Our own engine, each time with one behaviour altered: ``python variants.py MODE``.

What a mode does is in the table MODES; the name of its class says it.
"""

import os
import re
import sys
import time
from collections.abc import Callable

from thrive_engine.engine import Engine
from thrive_engine.protocol import Server


def main(mode: str) -> None:
    variant = MODES[mode]()
    for line in sys.stdin:
        variant.hear(line.rstrip("\n"))
        if variant.server.is_over:
            break
    variant.server.close()
    sys.stdout.flush()
    os._exit(0)


class Faithful:
    """The engine as it is."""

    def __init__(self) -> None:
        self.server = Server(Engine(), self.say)

    def hear(self, line: str) -> None:
        self.server.handle(line)

    def say(self, line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


class Miscounts(Faithful):
    """One turn too many follows a1a2."""

    extra = 0

    def say(self, line: str) -> None:
        name, _, count = line.partition(": ")
        if name == "a1a2":
            self.extra = 1
            line = f"a1a2: {int(count) + 1}"
        elif name == "Nodes searched":
            line = f"{name}: {int(count) + self.extra}"
            self.extra = 0
        super().say(line)


class MiscountsSum(Faithful):
    def say(self, line: str) -> None:
        name, _, count = line.partition(": ")
        super().say(f"{name}: {int(count) + 1}" if name == "Nodes searched" else line)


class Replaces(Faithful):
    """Says something else in place of what matches."""

    pattern = ""
    by = ""

    def say(self, line: str) -> None:
        super().say(re.sub(self.pattern, self.by, line))


class PlaysIllegally(Replaces):
    pattern, by = r"^bestmove \S+", "bestmove a1f6+a1ab"


class SpellsOddly(Replaces):
    pattern, by = r"^(bestmove \S+)\+(\S+)\+(\S+)", r"\1+\3+\2"


class PondersAlways(Replaces):
    pattern, by = r"^(bestmove (\S+))", r"\1 ponder \2"


class SaysFractions(Replaces):
    pattern, by = r" nps (\d+)", r" nps \1.5"


class ClaimsMate(Replaces):
    pattern, by = r" score cp -?\d+", " score mate 1"


class ExtendsLine(Replaces):
    pattern, by = r"( pv .*)$", r"\1 a1a2+a2gi"


class SwapsResult(Replaces):
    pattern, by = r"^Result: 1-0", "Result: 0-1"


class HidesMovement(Replaces):
    pattern, by = r"^(legal movement \S+) \S+", r"\1"


class RefusesSilently(Faithful):
    def say(self, line: str) -> None:
        if not line.startswith("info string unknown command"):
            super().say(line)


class RepeatsLine(Faithful):
    """Shows the same turn under each number."""

    best = ""

    def say(self, line: str) -> None:
        head, _, turns = line.partition(" pv ")
        if " multipv 1 " in head:
            self.best = turns
        super().say(f"{head} pv {self.best}" if " multipv 2 " in head else line)


class AnswersTwice(Faithful):
    def say(self, line: str) -> None:
        super().say(line)
        if line.startswith("bestmove"):
            super().say(line)


class Clamps(Faithful):
    def hear(self, line: str) -> None:
        super().hear(re.sub(r"(name MultiPV value) (257|1\d{17})$", r"\1 256", line))


class LosesPosition(Faithful):
    """Goes back to the start when it refuses a position."""

    def say(self, line: str) -> None:
        super().say(line)
        if line.startswith("info string position:"):
            self.server.handle("position startpos")


class RepairsTurns(Faithful):
    """Plays the turns before an illegal one, and says nothing."""

    def hear(self, line: str) -> None:
        if line.startswith("position"):
            while " moves " in line and self.is_refused(line):
                line = line.rpartition(" ")[0]
        super().hear(line)

    def is_refused(self, line: str) -> bool:
        said: list[str] = []
        Server(Engine(), said.append).handle(line)
        return bool(said)


class IsReadyLate(Faithful):
    is_searching = False

    def hear(self, line: str) -> None:
        self.is_searching = line == "go infinite" or self.is_searching
        if line == "isready" and self.is_searching:
            time.sleep(1.5)
        super().hear(line)

    def say(self, line: str) -> None:
        self.is_searching = self.is_searching and not line.startswith("bestmove")
        super().say(line)


class Impatient(Faithful):
    def hear(self, line: str) -> None:
        super().hear("go depth 1" if line == "go infinite" else line)


class Stays(Faithful):
    def hear(self, line: str) -> None:
        if line != "quit":
            super().hear(line)


class Plain(Faithful):
    """Offers nothing beyond UCI."""

    def hear(self, line: str) -> None:
        word = line.partition(" ")[0]
        if word in ("d", "eval", "bench", "legal", "ugi", "uginewgame", "query"):
            line = f"no-{line}"
        super().hear("go depth none" if line.startswith("go perft") else line)


MODES: dict[str, Callable[[], Faithful]] = {
    "faithful": Faithful,
    "miscounts": Miscounts,
    "miscounts-sum": MiscountsSum,
    "plays-illegally": PlaysIllegally,
    "spells-oddly": SpellsOddly,
    "ponders-always": PondersAlways,
    "says-fractions": SaysFractions,
    "claims-mate": ClaimsMate,
    "extends-line": ExtendsLine,
    "swaps-result": SwapsResult,
    "hides-movement": HidesMovement,
    "refuses-silently": RefusesSilently,
    "repeats-line": RepeatsLine,
    "answers-twice": AnswersTwice,
    "clamps": Clamps,
    "loses-position": LosesPosition,
    "repairs-turns": RepairsTurns,
    "is-ready-late": IsReadyLate,
    "impatient": Impatient,
    "stays": Stays,
    "plain": Plain,
}


if __name__ == "__main__":
    main(sys.argv[1])
