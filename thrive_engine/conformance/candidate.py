"""The engine under test, with what the steps ask of it again and again.

Whatever the engine gets wrong is a ConformanceError, what it does not offer a NotOfferedError.
"""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from thrive_engine.conformance.dialogue import Dialogue
from thrive_engine.conformance.samples import START
from thrive_engine.errors import ConformanceError, NotOfferedError, ProtocolError, TextError, quote
from thrive_engine.game import Game
from thrive_engine.games import thrive
from thrive_engine.games.base import Rules
from thrive_engine.lines import NO_TURN, Option, format_value, parse_bestmove, parse_option

AT_ONCE = 1.0
"""What spec/protocol.md calls at once, in seconds, with room for a busy machine."""
LAG = 0.05
"""The seconds by which a busy machine may make an answer seem later than the engine gave it."""
PAUSE = 0.2
"""For so many seconds an engine is watched that must not say anything."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The seconds that an engine has."""

    start: float = 10.0
    """From the start of its process to ``uciok``."""
    answer: float = 5.0
    """For any answer that need not come at once."""


@dataclass(frozen=True, slots=True)
class Search:
    """What an engine said to a ``go``: its info lines, its answer, and after how many seconds."""

    lines: tuple[str, ...]
    turn: str
    ponder: str | None
    seconds: float

    @property
    def infos(self) -> list[str]:
        """The info lines that are not for people."""
        return [line for line in self.lines if not is_remark(line)]


class Candidate:
    """An engine, started when it is first used and again whenever it has failed."""

    def __init__(
        self,
        command: list[str],
        runner: asyncio.Runner,
        deadlines: Deadlines,
        rules: Rules = thrive,
    ) -> None:
        self.deadlines = deadlines
        self.rules = rules
        self.greeting: list[str] = []
        """The lines before ``uciok``."""
        self.options: dict[str, Option] = {}
        self._command = command
        self._runner = runner
        self._dialogue: Dialogue | None = None
        self._offered: dict[str, bool] = {}
        self._go_began = 0.0
        self.game = self.game_of(START)

    # The process

    def restart(self) -> None:
        """Start the engine anew and shake hands with it."""
        self.close()
        self._dialogue = Dialogue(self._command, self._runner)
        self.talk.send("uci")
        self.greeting = self.until("uciok", self.deadlines.start)[:-1]
        self.options = {}
        for line in self.greeting:
            if line.split()[:1] == ["option"]:
                self._learn_option(line)

    def begin(self) -> None:
        """Make it ready for a step: alive, at the start of a new game, and nothing unread."""
        dialogue = self._dialogue
        if dialogue is None or not dialogue.is_live:
            self.restart()
        self.talk.begin_record()
        self.ask("ucinewgame")
        self.set_up(START)

    def close(self) -> None:
        """End it, by force, with all that it started."""
        if self._dialogue is not None:
            self._dialogue.close()
            self._dialogue = None

    @property
    def talk(self) -> Dialogue:
        """The dialogue with its process."""
        assert self._dialogue is not None
        return self._dialogue

    def record(self) -> tuple[str, ...]:
        """What was said in this step."""
        return () if self._dialogue is None else self._dialogue.record()

    # Lines

    def until(self, last: str, seconds: float | None = None) -> list[str]:
        """The lines up to one that begins with a word, that one included."""
        seconds = self.deadlines.answer if seconds is None else seconds
        end = perf_counter() + seconds
        lines: list[str] = []
        while not lines or first_word(lines[-1]) != last:
            line = self.talk.poll(max(end - perf_counter(), 0.0))
            if line is None or self.talk.arrived > end:
                self.talk.require_live()
                raise ConformanceError(f"no {last} within {seconds:g} s")
            lines.append(line)
        return lines

    def ask(self, *lines: str) -> list[str]:
        """Send lines while nothing is searched, and take all that is said to them."""
        self.talk.send(*lines, "isready")
        return self.settle()

    def settle(self) -> list[str]:
        """What is said before the ``readyok`` that was asked for; a bestmove must not be in it."""
        said = self.until("readyok")[:-1]
        for line in said:
            if first_word(line) == "bestmove":
                raise ConformanceError(f"{quote(line)} without a go")
        return said

    def expect_silence(self, *lines: str) -> None:
        """Send lines to which nothing is to be said, but remarks."""
        said = [line for line in self.ask(*lines) if not is_remark(line)]
        require(not said, f"nothing is to be said to this, and not {quote('|'.join(said))}")

    def expect_refusal(self, line: str) -> None:
        """Send a line that must be refused with one remark and nothing else."""
        said = self.ask(line)
        shown = quote(line, 60)
        require(bool(said), f"{shown} is not refused: no info string says what is wrong")
        require(len(said) == 1 and is_remark(said[0]), f"{shown} is not refused by one info string")

    # Positions

    def set_up(self, start: str, *turns: str) -> None:
        """Have a position set up, which is not to be refused, and know it from now on."""
        self.expect_silence(position_line(start, *turns))
        self.game = self.game_of(start, *turns)

    def expect_position(self) -> None:
        """Whether the engine is in the position that we think: by what it says, and plays."""
        if self.offers("d"):
            said = self.read_fields("d")
            expected = str(self.game.position)
            fen = said.get("Fen", "")
            require(fen == expected, f"d says that the position is {quote(fen)}, not {expected}")
        self.go("depth 1")

    def game_of(self, start: str, *turns: str) -> Game:
        """The game that begins so, by our rules."""
        game = Game(self.rules.parse_position(start), self.rules)
        for turn in turns:
            game.play(turn)
        return game

    # Searches

    def go(self, words: str, seconds: float | None = None) -> Search:
        """Search the present position; the answer is judged by the rules."""
        search = self.search(words, seconds)
        self.judge(search.turn)
        return search

    def search(self, words: str, seconds: float | None = None) -> Search:
        """Search the present position, whatever the answer is."""
        self.begin_go(words)
        return self.finish_go(seconds)

    def begin_go(self, words: str) -> None:
        """Begin a search."""
        self._go_began = perf_counter()
        self.talk.send(f"go {words}")

    def finish_go(self, seconds: float | None = None) -> Search:
        """Take the answer of a search, and pass over what else may come with it."""
        *lines, last = self.until("bestmove", seconds)
        took = self.talk.arrived - self._go_began
        turn, ponder = parse_bestmove(last)
        self.talk.send("isready")
        self.until("readyok")
        strange = [line for line in lines if first_word(line) != "info"]
        require(not strange, f"{quote('|'.join(strange))} in a search")
        return Search(tuple(lines), turn, ponder, took)

    def expect_thinking(self) -> None:
        """Whether the search goes on, for a while."""
        end = perf_counter() + PAUSE
        while (left := end - perf_counter()) > 0:
            line = self.talk.poll(left)
            if line is not None and first_word(line) == "bestmove":
                raise ConformanceError(f"{quote(line)} before it was asked for")

    def judge(self, text: str) -> Any:
        """The turn of a bestmove, if it is legal and canonical; no turn where the game is over."""
        outcome = self.game.outcome
        if outcome is not None:
            require(text == NO_TURN, f"bestmove {quote(text)}: the game is over: {outcome}")
            return None
        require(text != NO_TURN, f"bestmove 0000, and there are legal turns in {self._here}")
        return self.read_turn("bestmove", text, self.game)

    def read_turn(self, name: str, text: str, game: Game) -> Any:
        """The turn of a text that an engine wrote: legal, and in its canonical spelling."""
        try:
            turn = self.rules.parse_turn(text, game.position)
        except TextError as error:
            raise ConformanceError(f"{name}: {error}, in {game.position}") from None
        require(str(turn) == text, f"{name}: {quote(text)} is not canonical, which is {turn}")
        return turn

    @property
    def _here(self) -> str:
        return str(self.game.position)

    # What only some engines offer

    def option(self, name: str) -> Option:
        """The option of a name."""
        option = self.options.get(name.lower())
        if option is None:
            raise NotOfferedError(f"there is no option {name}")
        return option

    @contextmanager
    def setting(self, name: str, value: object) -> Iterator[None]:
        """An option with another value, for a while."""
        option = self.option(name)
        self.ask(f"setoption name {option.name} value {value}")
        yield
        self.ask(set_to_default(option))

    def need(self, extension: str) -> None:
        """Only go on where the engine offers an extension of the protocol."""
        if not self.offers(extension):
            raise NotOfferedError(f"{extension} is not offered")

    def offers(self, extension: str) -> bool:
        """Whether the engine offers an extension; it is tried once."""
        if extension not in self._offered:
            self._offered[extension] = _PROBES[extension](self)
        return self._offered[extension]

    def read_fields(self, command: str) -> dict[str, str]:
        """The lines ``Name: value`` that are said to a command."""
        pairs = (line.partition(": ") for line in self.ask(command))
        return {name: value for name, colon, value in pairs if colon}

    def perft(self, depth: int) -> dict[str, int]:
        """What ``go perft`` counts, by movement; the sum is checked."""
        counts = self.try_perft(depth)
        if counts is None:
            raise ConformanceError(f"go perft {depth} is answered with a bestmove")
        return counts

    def try_perft(self, depth: int) -> dict[str, int] | None:
        """The counts; None where the engine takes it for another ``go``."""
        self.talk.send(f"go perft {depth}")
        counts: dict[str, int] = {}
        end = perf_counter() + self.deadlines.answer
        while (line := self.talk.poll(max(end - perf_counter(), 0.0))) is not None:
            if first_word(line) == "bestmove":
                return None
            match = re.fullmatch(r"(Nodes searched|\S+): ([0-9]{1,18})", line)
            if match is not None and match[1] == "Nodes searched":
                total = sum(counts.values())
                require(total == int(match[2]), f"{quote(line)}, but the counts add up to {total}")
                return counts
            if match is not None:
                counts[match[1]] = int(match[2])
            if self.talk.arrived > end:
                break
        self._end_perft(depth)
        return None

    def _end_perft(self, depth: int) -> None:
        """Stop what may be a perft that takes too long, or a search that would never end."""
        self.talk.require_live()
        self.talk.send("stop", "isready")
        said = self.until("readyok")
        if not any(first_word(line) == "bestmove" for line in said):
            raise ConformanceError(f"go perft {depth}: no 'Nodes searched' in time")

    def _learn_option(self, line: str) -> None:
        try:
            option = parse_option(line)
        except ProtocolError:
            return
        self.options[option.name.lower()] = option


def require(holds: bool, reason: str) -> None:
    """ConformanceError where it does not hold."""
    if not holds:
        raise ConformanceError(reason)


def first_word(line: str) -> str:
    return line.split(maxsplit=1)[0] if line.strip() else ""


def is_remark(line: str) -> bool:
    """Whether a line is for people."""
    return line.split()[:2] == ["info", "string"]


def position_line(start: str, *turns: str) -> str:
    """The ``position`` command."""
    head = "position startpos" if start == START else f"position fen {start}"
    return " ".join([head, "moves", *turns]) if turns else head


def set_to_default(option: Option) -> str:
    """The line that gives an option its default."""
    return f"setoption name {option.name} value {format_value(option.default)}"


def _answers(*lines: str, word: str) -> Callable[[Candidate], bool]:
    def probe(engine: Candidate) -> bool:
        return any(first_word(line) == word for line in engine.ask(*lines))

    return probe


def _has_eval(engine: Candidate) -> bool:
    return any(line and not is_remark(line) for line in engine.ask("eval"))


def _has_perft(engine: Candidate) -> bool:
    return engine.try_perft(1) is not None


_PROBES: dict[str, Callable[[Candidate], bool]] = {
    "d": _answers("d", word="Fen:"),
    "legal": _answers("legal count", word="legal"),
    "ugi": _answers("ugi", word="ugiok"),
    "query": _answers("query p1turn", word="response"),
    "eval": _has_eval,
    "perft": _has_perft,
}
