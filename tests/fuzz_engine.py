"""A long run of nonsense through the pipe of a real engine: ``python tests/fuzz_engine.py``.

Mutated commands, random bytes and overlong lines, with and without a search under way. The engine
must not end, say nothing on standard error, answer ``isready`` within 100 ms, and know its position
after every round of refusals. The last lines are the figures; the exit code is 1 where it failed.
Where the system tells (Linux), the figures are also given without the waits of threads for a core:
on a busy machine they show whose fault a late answer was.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

from click import echo

from thrive_engine.game import Game

ENGINE = (sys.executable, "-m", "thrive_engine")
ROUND = 250
"""Lines between two looks at the engine."""
SEARCHES = 8
"""One round in so many has a search under way."""
PINGS = 5
SLOWEST = 0.1
"""The seconds in which ``isready`` must be answered."""
PATIENCE = 60.0

START = "BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh w 1"
SEEDS = f"""
uci|ugi|isready|debug on|debug off|ucinewgame|uginewgame|stop|ponderhit|d|eval|bench|quit
setoption name Hash value 32|setoption name MultiPV value 3|setoption name Clear Hash
setoption name Searcher value mcts|setoption name Searcher value greedy
setoption name UCI_LimitStrength value true|setoption name UCI_Elo value 900
setoption name Ponder value true|setoption name Seed value 7
position startpos|position startpos moves a1a2+a2gi b6b5+b5ab|position fen {START}
position fen 4BrBr/6/6/6/6/W~cwWh4 w 40 moves b1b2+a1wc#
position fen 5B/4B1/3Wi2/6/6/W5 w 9 moves d4e5
go depth 1|go nodes 10|go movetime 5|go wtime 10 btime 10 winc 1 binc 1 movestogo 3
go infinite|go ponder|go infinite searchmoves a1a2 b1b2+b2gi|go p1time 5 p2time 5
go perft 1|go perft 3|go mate 2
legal|legal a1a2|legal a1a2+a2g|legal count|legal check a1a2+a2gi
query p1turn|query gameover|query result
"""
COMMANDS = [line.encode() for line in SEEDS.replace("\n", "|").split("|") if line]
PIECES = [
    b" ",
    b"  ",
    b"\t",
    b"\r",
    b"\x00",
    b"\xff",
    b"\xc3\x28",
    b"\xe2\x80\xa8",
    b"+",
    b"#",
    b"~",
    b"x",
]
PIECES += [
    b"-1",
    b"0",
    b"99999999999999999999",
    b"1e9",
    b"moves",
    b"value",
    b"name",
    b"\x1b[0m",
    b"m",
    b"0000",
]


def main() -> None:
    """Run, print the figures, and exit with 1 where anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    echo(f"seed {options.seed}, {options.lines:,} lines")
    run = Run(random.Random(options.seed))
    begin = time.monotonic()
    while run.sent < options.lines:
        run.round()
        if run.rounds % 400 == 0:
            seconds = time.monotonic() - begin
            echo(f"{run.sent:,} lines, {run.heard:,} answers, {seconds:.0f} s")
    run.end()
    echo(f"{run.sent:,} lines sent, {run.heard:,} heard, {run.rounds:,} positions as they were")
    echo(figures("isready when idle", run.idle))
    echo(figures("isready in search", run.busy))
    echo(figures("the same without waiting for a core", run.own))
    if max(run.idle + run.busy) > SLOWEST:
        sys.exit(f"isready took more than {1000 * SLOWEST:.0f} ms")


class Run:
    """An engine, what was sent to it, and how fast it answered."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.sent = self.heard = self.rounds = 0
        self.idle: list[float] = []
        self.busy: list[float] = []
        self.own: list[float] = []
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 it lives as long as the engine
        self._process = subprocess.Popen(
            ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
        )
        self._answers: Queue[tuple[float, str]] = Queue()
        Thread(target=self._listen, daemon=True).start()

    def round(self) -> None:
        """Set a position up, talk nonsense, perhaps in search, and see that all is well."""
        self.rounds += 1
        searches = self.rounds % SEARCHES == 0
        position = self._random_position()
        searcher = self.rng.choice([b"alphabeta", b"mcts"])
        self._send(
            b"setoption name MultiPV value 1",
            b"setoption name UCI_LimitStrength value false",
            b"setoption name Searcher value " + searcher,
            f"position fen {position}".encode(),
        )
        if searches:
            self._send(b"go infinite")
        self._send(*(line for line in self._nonsense() if not searches or not _ends_search(line)))
        self._meet()
        for _ in range(PINGS):
            (self.busy if searches else self.idle).append(self._ping())
        self._send(b"stop")
        if searches:
            self._wait("bestmove ")
        self._send(b"position ?", b"d")  # the first waits for the end of a search
        fen = self._wait("Fen: ")
        assert fen == f"Fen: {position}", f"{position} has become {fen}"
        self._meet()
        assert not self._errors.tell(), self._failure()

    def end(self) -> None:
        """The end of input in the middle of a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"go inf")
        self._process.stdin.close()
        assert self._process.wait(PATIENCE) == 0, self._failure()
        self._errors.seek(0)
        assert self._errors.read() == b"", self._failure()

    def _random_position(self) -> object:
        game = Game()
        for _ in range(self.rng.randrange(12)):
            draft = game.position.draft
            while draft.turn is None:
                draft = draft.add(self.rng.choice(draft.choices))
            game.play(draft.turn)
            if game.outcome is not None:
                return Game().position
        return game.position

    def _nonsense(self) -> Iterator[bytes]:
        for _ in range(ROUND):
            line = self._line().replace(b"\n", b" ")
            word = first_word(line)
            if word == "position":
                line += b" ?"  # so that it is refused
            elif word in ("quit", "ucinewgame", "uginewgame"):
                line = b"not " + line
            yield line

    def _line(self) -> bytes:
        chance = self.rng.random()
        if chance < 0.0003:
            return self.rng.randbytes(64) * self.rng.randrange(1000, 30_000)
        if chance < 0.15:
            return self.rng.randbytes(self.rng.randrange(80))
        line = self.rng.choice(COMMANDS)
        if chance < 0.25:
            return line
        for _ in range(self.rng.randrange(1, 5)):
            line = self._mutate(line)
        return line

    def _mutate(self, line: bytes) -> bytes:
        rng = self.rng
        at = rng.randrange(len(line) + 1)
        match rng.randrange(8):
            case 0:
                return line[:at] + rng.choice(PIECES) + line[at:]
            case 1:
                return line[:at] + line[at + rng.randrange(1, 6) :]
            case 2:
                return line[:at] + rng.randbytes(1) + line[at + 1 :]
            case 3:
                return line[:at] + rng.choice(COMMANDS)[rng.randrange(12) :]
            case 4:
                return line[:at]
            case 5:
                return line[:at] + line[at:] * rng.randrange(2, 30)
            case 6:
                return line[:at] + rng.choice(PIECES) * rng.randrange(2, 200) + line[at:]
        words = line.split(b" ")
        rng.shuffle(words)
        return b" ".join(words)

    # The pipe

    def _send(self, *lines: bytes) -> None:
        assert self._process.stdin is not None
        self.sent += len(lines)
        try:
            self._process.stdin.write(b"\n".join(lines) + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise AssertionError(self._failure()) from None

    def _ping(self) -> float:
        time.sleep(0.003)  # a question that waits in line already would be answered sooner
        waited = self._waited()
        begin = time.perf_counter()
        self._send(b"isready")
        at, line = self._answer()
        while line != "readyok":
            at, line = self._answer()
        waits = [wait - waited.get(thread, 0) for thread, wait in self._waited().items()]
        self.own.append(max(0.0, at - begin - max(waits, default=0)))
        return at - begin

    def _waited(self) -> dict[str, float]:
        """The seconds that each thread, ours and the engine's, has waited for a core."""
        waited = {}
        for process in ("self", self._process.pid):
            for path in Path(f"/proc/{process}/task").glob("*/schedstat"):
                with suppress(OSError):  # the thread has ended
                    waited[str(path)] = int(path.read_text().split()[1]) / 1e9
        return waited

    def _meet(self) -> None:
        """Wait until all that was sent is answered."""
        self._send(b"meet%d" % self.sent)
        self._wait(f"info string unknown command 'meet{self.sent - 1}'")

    def _wait(self, prefix: str) -> str:
        while True:
            _, line = self._answer()
            if line.startswith(prefix):
                return line

    def _answer(self) -> tuple[float, str]:
        try:
            return self._answers.get(timeout=PATIENCE)
        except Empty:
            raise AssertionError(f"silent for {PATIENCE} s; {self._failure()}") from None

    def _listen(self) -> None:
        assert self._process.stdout is not None
        wanted = ("readyok", "bestmove ", "Fen: ", "info string unknown command 'meet")
        for line in self._process.stdout:
            text = line.decode("ascii").rstrip("\n")
            self.heard += 1
            if text.startswith(wanted):
                self._answers.put((time.perf_counter(), text))

    def _failure(self) -> str:
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace")[-2000:]
        return f"exit code {self._process.poll()}, standard error: {said!r}"


def first_word(line: bytes) -> str:
    """The word that the engine takes for the command."""
    return (line.decode("utf-8", "backslashreplace").split(maxsplit=1) or [""])[0]


def _ends_search(line: bytes) -> bool:
    return first_word(line) in ("stop", "ponderhit")


def figures(name: str, seconds: list[float]) -> str:
    """Median, 99 % and maximum of times."""
    ordered = [1000 * second for second in sorted(seconds)]
    at = {"median": len(ordered) // 2, "99 %": len(ordered) * 99 // 100, "maximum": -1}
    words = ", ".join(f"{word} {ordered[place]:.2f} ms" for word, place in at.items())
    return f"{name}: {words} ({len(ordered):,} times)"


if __name__ == "__main__":
    main()
