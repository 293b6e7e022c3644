"""The engine's side of the protocol: lines in, lines out. See spec/protocol.md.

No input ends the server or leaves it silent. What is refused is said in one ``info string`` and
changes nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from threading import Lock, Thread

from thrive_engine.engine import NAME, Engine
from thrive_engine.errors import (
    ProtocolError,
    SearcherError,
    TextError,
    ThriveEngineError,
    quote,
)
from thrive_engine.lines import format_bestmove, format_info, parse_go, parse_setoption
from thrive_engine.search.base import Info, Limit, Stop
from thrive_engine.search.life import life
from thrive_engine.version import VERSION

WIDTH = 1000
"""About how many characters of an answer to ``legal`` go on a line."""
PATIENCE = 2.0
"""The seconds that a command waits, once, for a search that is ending."""
FAREWELL = 0.15
"""The seconds that the end of the server waits for the answer of a search."""


class Server:
    """Speaks for an engine: ``handle`` takes a line, ``write`` is given the lines to send.

    Searches run in a thread, so that ``handle`` returns at once; ``write`` is never called twice
    at a time.
    """

    def __init__(self, engine: Engine, write: Callable[[str], None]) -> None:
        self.is_over = False
        self._engine = engine
        self._send = write
        self._lock = Lock()
        self._task: _Task | None = None
        self._debugs = False
        self._commands: dict[str, Callable[[str], None]] = {
            "uci": lambda _: self._introduce("uciok"),
            "ugi": lambda _: self._introduce("ugiok"),
            "debug": self._debug,
            "isready": lambda _: self._isready(),
            "setoption": self._setoption,
            "ucinewgame": lambda _: self._new_game(),
            "uginewgame": lambda _: self._new_game(),
            "position": self._position,
            "go": self._go,
            "stop": lambda _: self._stop(),
            "ponderhit": lambda _: self._ponderhit(),
            "quit": lambda _: self.close(),
            "d": lambda _: self._describe(),
            "eval": lambda _: self._evaluate(),
            "bench": lambda _: self._bench(),
            "legal": self._legal,
            "query": self._query,
        }

    def handle(self, line: str) -> None:
        """Answer one line, whatever it says."""
        command, *rest = line.split(maxsplit=1) or [""]
        act = self._commands.get(command)
        try:
            if act is not None:
                act(rest[0].rstrip() if rest else "")
            elif command:
                self._say(f"unknown command {quote(command)}")
        except ThriveEngineError as error:
            self._say(f"{command}: {error}")

    def close(self) -> None:
        """End: a search is stopped, and its answer is waited for a moment."""
        self.is_over = True
        if self._task is not None:
            self._task.stop()
            self._task.join(FAREWELL)

    def say_too_long(self, limit: int) -> None:
        """Refuse a line that was too long to be stored."""
        self._say(f"a line of over {limit} bytes is refused")

    # Setting up

    def _introduce(self, last: str) -> None:
        self._write(
            f"id name {NAME} {VERSION} ({life()})",
            "id author the thrive-engine authors",
            *map(str, self._engine.options.values()),
            last,
        )

    def _debug(self, rest: str) -> None:
        if rest not in ("on", "off"):
            raise ProtocolError(f"{quote(rest)} is not on or off")
        self._debugs = rest == "on"

    def _isready(self) -> None:
        try:
            if not self._is_busy():
                self._engine.make_ready()
        except ThriveEngineError as error:
            self._say(f"isready: {error}")
        self._write("readyok")

    def _setoption(self, rest: str) -> None:
        self._require_idle()
        name, value = parse_setoption(rest)
        self._engine.set_option(name, value)

    def _new_game(self) -> None:
        self._require_idle()
        self._engine.new_game()

    def _position(self, rest: str) -> None:
        self._require_idle()
        words = rest.split()
        at = words.index("moves") if "moves" in words else len(words)
        head, turns = words[:at], words[at + 1 :]
        if head == ["startpos"]:
            self._engine.set_position(None, turns)
        elif head[:1] == ["fen"]:
            self._engine.set_position(" ".join(head[1:]), turns)
        else:
            raise ProtocolError("it is 'position startpos|fen <position> [moves <turn>...]'")

    # Searching

    def _go(self, rest: str) -> None:
        self._require_idle()
        try:
            limit, perft = parse_go(rest)
            if perft is not None:
                self._perft(perft)
            else:
                self._think(limit)
        except ThriveEngineError as error:
            self._say(f"go: {error}")
            self._write(format_bestmove(None))

    def _think(self, limit: Limit) -> None:
        thinking = self._engine.think(limit)
        if self._debugs:
            self._say(f"{limit}; seconds to begin new work, and to end: {thinking.times}")
        ponders = bool(self._engine.option("Ponder"))

        def answer() -> Iterable[str]:
            yield format_bestmove(thinking.turn, thinking.ponder if ponders else None)

        lines = map(format_info, thinking)
        self._task = _Task(lines, answer, self._write, thinking.stop, thinking.ponderhit)

    def _perft(self, depth: int) -> None:
        stop, counts = Stop(), list[int]()

        def lines() -> Iterator[str]:
            for part, count in self._engine.perft(depth, stop):
                counts.append(count)
                yield f"{part}: {count}"

        def total() -> Iterable[str]:
            word = "stopped" if stop.is_due else f"Nodes searched: {sum(counts)}"
            return "", word

        self._task = _Task(lines(), total, self._write, stop.ask)

    def _bench(self) -> None:
        self._require_idle()
        self._engine.make_ready()
        stop, counts = Stop(), list[int]()

        def lines() -> Iterator[str]:
            try:
                for text, nodes in self._engine.bench(stop):
                    counts.append(nodes)
                    yield f"{text}: {nodes}"
            except SearcherError as error:
                stop.ask()
                yield format_info(Info(string=f"bench: {error}"))

        def total() -> Iterable[str]:
            if stop.is_due:
                return "", "stopped"
            nodes = sum(counts)
            speed = f"Nodes/second: {int(nodes / max(stop.elapsed, 1e-6))}"
            return "", f"Nodes searched: {nodes}", speed, f"Kernel: {life()}"

        self._task = _Task(lines(), total, self._write, stop.ask)

    def _stop(self) -> None:
        if self._task is not None:
            self._task.stop()

    def _ponderhit(self) -> None:
        if self._is_busy() and self._task is not None:
            self._task.ponderhit()

    def _is_busy(self) -> bool:
        return self._task is not None and self._task.is_alive()

    def _require_idle(self) -> None:
        task = self._task
        if task is None:
            return
        if task.is_ending:
            task.join(task.patience)
            task.patience = 0.0
        if task.is_alive():
            obeys = "stop it first" if not task.is_ending else "it was told to stop, and goes on"
            raise ProtocolError(f"a search is running; {obeys}")

    # Looking at the position

    def _describe(self) -> None:
        game, rules = self._engine.game, self._engine.rules
        position, outcome = game.position, game.outcome
        self._write(
            *rules.draw_text(position, unicode=False).splitlines(),
            f"Fen: {position}",
            f"Key: {position.key:016x}",
            f"Turns: {self._engine.count()}",
            f"Result: {outcome or '*'}",
        )

    def _evaluate(self) -> None:
        self._write(*self._engine.explain())

    def _legal(self, rest: str) -> None:
        word, text = (*rest.split(maxsplit=1), "", "")[:2]
        try:
            if word == "count":
                self._write(f"legal count {self._engine.count()}")
            elif word == "check":
                self._write(f"legal yes {self._engine.check(text)}")
            elif self._engine.game.outcome is not None and not rest:
                self._write("legal end 0")
            else:
                self._legal_parts(rest)
        except TextError as error:
            self._write(f"legal no {error}")

    def _legal_parts(self, text: str) -> None:
        """What may follow, some on each line, and how many there are."""
        draft = self._engine.draft(text)
        lines = [] if draft.turn is None else [f"legal turn {draft.turn}"]
        parts = [str(part) for part in draft.choices]
        per_line = WIDTH // max(map(len, parts), default=WIDTH)
        lines += [
            " ".join([f"legal {draft.stage}", *parts[at : at + per_line]])
            for at in range(0, len(parts), per_line)
        ]
        self._write(*lines, f"legal end {len(parts)}")

    def _query(self, rest: str) -> None:
        game = self._engine.game
        outcome = game.outcome
        if rest == "p1turn":
            self._write(f"response {str(game.position.player == 0).lower()}")
        elif rest == "gameover":
            self._write(f"response {str(outcome is not None).lower()}")
        elif rest == "result" and outcome is None:
            self._write("response none")
        elif rest == "result" and outcome is not None:
            winner = outcome.winner
            self._write("response draw" if winner is None else f"response p{winner + 1}win")
        else:
            raise ProtocolError(f"{quote(rest)} is not p1turn, gameover or result")

    def _say(self, text: str) -> None:
        self._write(format_info(Info(string=text)))

    def _write(self, *lines: str) -> None:
        """Send lines; no other thread's come between them."""
        with self._lock:
            for line in lines:
                self._send(line)


class _Task:
    """A search in its thread: it writes its lines and then, as it ends, its last ones."""

    def __init__(
        self,
        lines: Iterator[str],
        last: Callable[[], Iterable[str]],
        write: Callable[[str], None],
        stop: Callable[[], None],
        ponderhit: Callable[[], None] = lambda: None,
    ) -> None:
        self.is_ending = False
        self.patience = PATIENCE
        self.ponderhit = ponderhit
        self._lines, self._last, self._write, self._stop = lines, last, write, stop
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for line in self._lines:
            self._write(line)
        self.is_ending = True
        for line in self._last():
            self._write(line)

    def stop(self) -> None:
        self.is_ending = True
        self._stop()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def join(self, timeout: float) -> None:
        self._thread.join(timeout)
