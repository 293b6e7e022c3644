"""The engine: a game, options and a searcher. It yields Info and prints nothing."""

import gc
from collections.abc import Iterator
from typing import Any

from thrive_engine.errors import IllegalTurnError, ProtocolError, SearcherError, quote
from thrive_engine.game import Game
from thrive_engine.games import GAMES, thrive
from thrive_engine.games.base import Position, Rules
from thrive_engine.lines import Option, OptionValue
from thrive_engine.search import load_searcher, searcher_names
from thrive_engine.search.base import Limit, Request, Searcher, Stop
from thrive_engine.search.book import choose, load_book
from thrive_engine.search.guard import Guarded
from thrive_engine.search.strength import ELO_MAX, ELO_MIN, weaken
from thrive_engine.thinking import Clock, Thinking

NAME = "thrive-engine"
BENCH_DEPTH = 4


class Engine:
    """What a front end sets up and asks: options, a position, searches.

    Whatever is refused (ProtocolError, TextError) leaves everything as it was.
    """

    def __init__(self, rules: Rules = thrive) -> None:
        self.rules = rules
        self.options = {option.name.lower(): option for option in _options(rules)}
        self._values = {name: option.default for name, option in self.options.items()}
        self.game = Game(rules=rules)
        self._searcher: Guarded | None = None

    def set_option(self, name: str, text: str | None) -> None:
        """Give an option the value that a text means, or ProtocolError."""
        option = self.options.get(name.lower())
        if option is None:
            raise ProtocolError(f"no option is called {quote(name)}")
        value = option.read(text)
        if option.type == "button":
            self.forget()
            return
        if option.name == "Searcher":
            self._searcher = _load(str(value))
        self._values[name.lower()] = value

    def option(self, name: str) -> OptionValue:
        """The present value of an option."""
        return self._values[name.lower()]

    def new_game(self) -> None:
        """Begin a new game from the start, with nothing remembered."""
        self.game = Game(rules=self.rules)
        self.forget()

    def forget(self) -> None:
        """Forget what earlier searches found."""
        if self._searcher is None:
            return
        try:
            self._searcher.forget()
        except SearcherError:
            self._searcher = None  # a new one has nothing to forget
            raise
        finally:
            gc.collect()

    def set_position(self, start: str | None, turns: list[str]) -> None:
        """Set up a position, without a text the start, and play turns from it, or TextError."""
        game = Game(None if start is None else self.rules.parse_position(start), self.rules)
        for turn in turns:
            game.play(turn)
        self.game = game

    def make_ready(self) -> None:
        """Load what the next search needs."""
        if self._searcher is None:
            self._searcher = _load(str(self.option("Searcher")))

    def think(self, limit: Limit) -> "Thinking":
        """A search of the present position; it begins when it is iterated over.

        Its time begins now, before anything is loaded.
        """
        clock = Clock(limit, self.game.position.player, self._number("Move Overhead") / 1000)
        self.make_ready()
        assert self._searcher is not None
        searcher: Searcher = self._searcher
        seed = self._number("Seed")
        analysing = bool(self.option("UCI_AnalyseMode"))
        if self.option("UCI_LimitStrength") and not analysing:
            searcher = weaken(searcher, self._number("UCI_Elo"), seed)
        position = self.game.position
        request = Request(
            self.rules,
            position,
            tuple(each.identity for each in self.game.positions[:-1]),
            depth=limit.depth,
            nodes=limit.nodes,
            mate=limit.mate,
            multipv=self._number("MultiPV"),
            by_movement=bool(self.option("MultiPV Movements")),
            roots=tuple(
                self.rules.parse_draft(text, position) for text in dict.fromkeys(limit.turns)
            ),
            seed=seed,
            hash_mb=self._number("Hash"),
            threads=self._number("Threads"),
        )
        return Thinking(
            searcher,
            request,
            clock,
            self.game.outcome,
            known=self._book_line(limit),
            shows_wdl=bool(self.option("UCI_ShowWDL")),
        )

    def draft(self, text: str) -> Any:
        """The half-built turn of a text in the present position, or TextError."""
        self._require_going(text)
        return self.rules.parse_draft(text, self.game.position)

    def check(self, text: str) -> Any:
        """The turn of a text, legal in the present position, or TextError."""
        self._require_going(text)
        return self.rules.parse_turn(text, self.game.position)

    def count(self) -> int:
        """The number of legal turns."""
        return len(self.game.position.legal_turns) if self.game.outcome is None else 0

    def explain(self) -> Iterator[str]:
        """The static evaluation of the present position: its features, a line each, and the sum.

        It is the searcher's own where it has one.
        """
        position = self.game.position
        features = None
        if self.game.outcome is None:
            self.make_ready()
            assert self._searcher is not None
            features = self._searcher.explain(position)
        features = features or self.rules.explain(position)
        yield "".join(f"{name:>10}" for name in ("Feature", *self.rules.players))
        for name, values in features:
            yield "".join([f"{name:>10}", *(f"{value / 100:>+10.2f}" for value in values)])
        total = sum(2 * values[position.player] - sum(values) for _, values in features)
        yield ""
        yield f"Evaluation: {total / 100:+.2f} for the side to move"

    def perft(self, depth: int, stop: Stop) -> Iterator[tuple[str, int]]:
        """The sequences of ``depth`` turns by the first part of the first; it ends when stopped."""
        position = self.game.position
        if self.game.outcome is not None or depth < 1:
            return
        for part in position.draft.choices:
            turns = position.draft.add(part).turns
            if depth == 1:
                yield str(part), len(turns)
                continue
            count = 0
            for turn in turns:
                count += _count(position.play_unchecked(turn), depth - 1, stop)
                if stop.is_due:
                    return
            yield str(part), count

    def bench(self, stop: Stop) -> Iterator[tuple[str, int]]:
        """Search fixed positions to a fixed depth: each one's text and nodes.

        Their sum is the signature of the search: equal on every machine, compiled or not.
        """
        self.make_ready()
        assert self._searcher is not None
        for text in self.rules.bench:
            self._searcher.forget()
            request = Request(self.rules, self.rules.parse_position(text), depth=BENCH_DEPTH)
            nodes = 0
            for info in self._searcher.search(request, stop):
                nodes = info.nodes
            if stop.is_due:
                return
            yield text, nodes
        self._searcher.forget()

    def _book_line(self, limit: Limit) -> tuple[Any, ...]:
        """The turn of the book for the present position and the expected answer, if there are any.

        The book is the best searcher's, in games by the clock: whoever limits the search otherwise
        wants to see a search.
        """
        is_play = limit.movetime is not None or bool(limit.clocks)
        is_search = limit.infinite or limit.ponder or limit.turns or self._number("MultiPV") > 1
        for other in (limit.depth, limit.nodes, limit.mate):
            is_search = is_search or other is not None
        for name in ("UCI_AnalyseMode", "UCI_LimitStrength"):
            is_search = is_search or bool(self.option(name))
        is_best = self.option("Searcher") == self.rules.searcher
        if not (self.option("OwnBook") and is_best and is_play) or is_search:
            return ()
        book, position, line = load_book(self.rules.name), self.game.position, list[Any]()
        while len(line) < 2 and (turn := choose(book, self.rules, position, self._number("Seed"))):
            line.append(turn)
            position = position.play(turn)
        return tuple(line)

    def _require_going(self, text: str) -> None:
        outcome = self.game.outcome
        if outcome is not None:
            raise IllegalTurnError(text, "", 0, f"the game is over: {outcome}")

    def _number(self, name: str) -> int:
        value = self.option(name)
        assert isinstance(value, int)
        return value


def _load(name: str) -> Guarded:
    return Guarded(load_searcher(name), name)


def _count(position: Position, depth: int, stop: Stop) -> int:
    """The sequences of ``depth`` turns; any number where stopped. However deep, no recursion."""
    if depth == 1:
        return len(position.legal_turns)
    total = 0
    path = [(position, iter(position.legal_turns))]
    while path and not stop.is_due:
        above, turns = path[-1]
        turn = next(turns, None)
        if turn is None:
            path.pop()
            continue
        below = above.play_unchecked(turn)
        if len(path) == depth - 1:
            total += len(below.legal_turns)
        else:
            path.append((below, iter(below.legal_turns)))
    return total


def _options(rules: Rules) -> list[Option]:
    about = "thrive-engine, an engine for Thrive; MIT licence"
    return [
        Option("Hash", "spin", 16, 1, 4096),
        Option("Clear Hash", "button"),
        Option("Threads", "spin", 1, 1, 64),
        Option("MultiPV", "spin", 1, 1, 256),
        Option("MultiPV Movements", "check", False),
        Option("Ponder", "check", False),
        Option("Move Overhead", "spin", 10, 0, 5000),
        Option("OwnBook", "check", True),
        Option("UCI_ShowWDL", "check", False),
        Option("UCI_AnalyseMode", "check", False),
        Option("UCI_LimitStrength", "check", False),
        Option("UCI_Elo", "spin", ELO_MAX, ELO_MIN, ELO_MAX),
        Option("UCI_EngineAbout", "string", about),
        Option("UCI_Variant", "combo", rules.name, choices=tuple(GAMES)),
        Option("Searcher", "combo", rules.searcher, choices=tuple(searcher_names())),
        Option("Seed", "spin", 0, 0, 2**31 - 1),
    ]
