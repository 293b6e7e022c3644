"""The engine at the other side of the board: its turns, its level, and its hints."""

from thrive_engine.cli.engine import has_option, read_answer, score_text
from thrive_engine.cli.types import Misuse
from thrive_engine.client import SimpleEngine
from thrive_engine.errors import ProtocolError, shorten
from thrive_engine.game import Game
from thrive_engine.games import thrive
from thrive_engine.search.base import Limit


class Opponent:
    """An engine that plays at a level, an Elo, or with all its strength."""

    def __init__(self, engine: SimpleEngine, limit: Limit, level: int | None) -> None:
        self.name = shorten(engine.name) or "the engine"
        self.level = level
        self._engine = engine
        self._limit = limit
        if level is not None:
            try:
                engine.configure({"UCI_LimitStrength": True, "UCI_Elo": level})
            except ProtocolError as error:
                raise Misuse(f"--level: {error}") from None
        engine.new_game()

    @property
    def strength(self) -> str:
        """What it plays at, and what it could play at."""
        elo = {name.lower(): option for name, option in self._engine.options.items()}.get("uci_elo")
        levels = "" if elo is None else f" (--level {elo.min} to {elo.max})"
        return f"{'full strength' if self.level is None else f'level {self.level}'}{levels}"

    def turn(self, game: Game) -> thrive.Turn:
        """Its turn in a game; EngineError or BadAnswer where it has none."""
        return self._think(game)[0]

    def hint(self, game: Game) -> str:
        """The turn that it would play here with all its strength, and the score."""
        self._analyse(True)
        turn, score = self._think(game)
        self._analyse(False)
        return f"{turn} ({score})" if score else str(turn)

    def _analyse(self, yes: bool) -> None:
        """Neither a limit of strength nor a book, or back to play."""
        if self.level is not None:
            self._engine.configure({"UCI_LimitStrength": not yes})
        if has_option(self._engine, "UCI_AnalyseMode"):
            self._engine.configure({"UCI_AnalyseMode": yes})

    def _think(self, game: Game) -> tuple[thrive.Turn, str]:
        answer = self._engine.play(game.start, game.turns, self._limit)
        turn = read_answer(self._engine, answer.turn, game.position)
        return turn, "" if answer.info is None else score_text(answer.info)
