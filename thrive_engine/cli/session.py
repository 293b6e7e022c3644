"""A game between a person, who types, and an engine."""

from collections.abc import Callable
from datetime import date
from itertools import groupby
from textwrap import wrap

import click

from thrive_engine.cli.board import draw_board
from thrive_engine.cli.opponent import Opponent
from thrive_engine.cli.saving import RecordFile
from thrive_engine.cli.terminal import Keyboard
from thrive_engine.errors import TextError
from thrive_engine.game import Game
from thrive_engine.games import thrive
from thrive_engine.notation import parse_draft
from thrive_engine.record import Record, write_record

WORDS = """\
  ?       show what may follow; an empty line does too
  board   draw the board
  undo    take back the part of a turn, or your last turn and the engine's
  hint    ask the engine what it would play with all its strength
  resign  give the game up
  quit    leave the game unfinished
  help    show these commands"""


class Session:
    """A game that is played in the terminal, line by line."""

    def __init__(
        self,
        game: Game,
        seat: int,
        opponent: Opponent,
        file: RecordFile | None,
        unicode: bool | None,
    ) -> None:
        self._game = game
        self._seat = seat
        self._opponent = opponent
        self._file = file
        self._unicode = unicode
        self._keyboard = Keyboard()
        self._draft: thrive.Draft = game.position.draft
        self._is_left = False
        self._is_resigned = False
        self._words: dict[str, Callable[[], None]] = {
            "": self._show_choices,
            "?": self._show_choices,
            "board": self._show_board,
            "undo": self._undo,
            "hint": lambda: click.echo(f"Hint: {opponent.hint(game)}"),
            "resign": self._resign,
            "quit": self._leave,
            "help": lambda: click.echo(WORDS),
        }

    def run(self) -> bool:
        """Play until the game is over or left; whether it could be saved where that was asked."""
        click.echo(
            f"You play {self._side} against {self._opponent.name} at {self._opponent.strength}."
        )
        click.echo('Type a turn like a1a2+a2gi, or "help".\n')
        try:
            self._play()
        except KeyboardInterrupt:
            click.echo()
            self._is_left = True
        finally:
            is_saved = self._finish()
        return is_saved

    def _play(self) -> None:
        if self._is_my_turn:
            self._show_board()
        while not self._is_left and self._game.outcome is None:
            if self._is_my_turn:
                self._ask()
            else:
                self._add(self._opponent.turn(self._game), self._opponent.name)

    @property
    def _is_my_turn(self) -> bool:
        return bool(self._game.position.player == self._seat)

    def _ask(self) -> None:
        line = self._keyboard.read_line(f"{self._number}{str(self._draft) or self._side}> ")
        if line is None:
            self._leave()
            return
        act = self._words.get(line.strip().lower())
        if act is not None:
            act()
            return
        try:
            self._draft = _continued(self._draft, line, self._game.position)
        except TextError as error:
            more = "" if error.legal else '; try "?" or "help"'
            click.echo(f"{error}{more}")
            return
        if self._draft.turn is None:
            self._show_choices()
        else:
            self._add(self._draft.turn, "You")

    @property
    def _side(self) -> str:
        return thrive.players[self._seat]

    @property
    def _number(self) -> str:
        number, is_first = thrive.numbering(self._game.position)
        return f"{number}. " if is_first else f"{number}... "

    def _add(self, turn: thrive.Turn, player: str) -> None:
        click.echo(f"{self._number}{player}: {self._game.position.annotate(turn)}")
        self._game.play(turn)
        self._draft = self._game.position.draft
        self._save()
        if self._is_my_turn or self._game.outcome is not None:
            self._show_board()

    def _show_choices(self) -> None:
        texts = [str(choice) for choice in self._draft.choices]
        if self._draft.stage == "movement":
            click.echo("\n".join(wrap(f"Movements: {' '.join(texts)}", 76, subsequent_indent="  ")))
            return
        click.echo(
            f"After {self._draft} a peg: a square and one of its free holes, like {texts[0]}."
        )
        for square, pegs in groupby(texts, key=lambda text: text[:2]):
            click.echo(f"  {square}: {' '.join(peg[2:] for peg in pegs)}")

    def _show_board(self) -> None:
        game = self._game
        if str(self._draft):
            board = draw_board(self._draft.position, None, self._unicode)
        elif game.turns:
            board = draw_board(game.positions[-2], game.turns[-1], self._unicode)
        else:
            board = draw_board(game.position, None, self._unicode)
        click.echo(f"{board}\n")

    def _undo(self) -> None:
        if str(self._draft):
            self._draft = self._game.position.draft
            self._show_choices()
            return
        seats = [position.player for position in self._game.positions[:-1]]
        if self._seat not in seats:
            click.echo("There is no turn of yours to take back.")
            return
        while self._game.undo() and not self._is_my_turn:
            pass
        self._draft = self._game.position.draft
        self._save()
        self._show_board()

    def _resign(self) -> None:
        self._is_resigned = self._is_left = True

    def _leave(self) -> None:
        self._is_left = True

    def _save(self) -> bool:
        return self._file is None or self._file.save(self._record())

    def _finish(self) -> bool:
        """Save the game and say how it ended; if it can't be saved, it is printed instead."""
        file = self._file
        if file is None or not (self._game.turns or self._is_resigned or file.is_used):
            click.echo(self._ending())
            return True
        is_saved = self._save()
        click.echo(self._ending())
        if is_saved:
            click.echo(f"Saved to {file.name}.")
        else:
            click.echo(f"\n{write_record(self._record())}", nl=False)
        return is_saved

    def _ending(self) -> str:
        outcome = self._game.outcome
        if outcome is None:
            return f"You resign: {self._lost}." if self._is_resigned else "The game is unfinished."
        if outcome.winner is None:
            return f"The game is a draw: {outcome}."
        return f"You {'win' if outcome.winner == self._seat else 'lose'}: {outcome}."

    @property
    def _lost(self) -> str:
        """The result when the person has lost."""
        return "-".join("0" if seat == self._seat else "1" for seat in range(len(thrive.players)))

    def _record(self) -> Record:
        tags = {"Date": f"{date.today():%Y.%m.%d}"}
        for player in thrive.players:
            tags[player] = "Player" if player == self._side else self._opponent.name
            if player != self._side and self._opponent.level is not None:
                tags[f"{player}Elo"] = str(self._opponent.level)
        if self._is_resigned:
            tags["Result"] = self._lost
        return Record.from_game(self._game, tags)


def _continued(draft: thrive.Draft, line: str, position: thrive.Position) -> thrive.Draft:
    """The draft with what a person typed after it, or a new one: blanks and capitals don't matter.

    The error is that of the continuation, unless there is nothing to continue.
    """
    text = "+".join(line.lower().replace("+", " ").split())
    if not text:
        return draft
    if not str(draft):
        return parse_draft(text, position)
    try:
        return parse_draft(f"{draft}+{text}", position)
    except TextError:
        try:
            return parse_draft(text, position)
        except TextError:
            pass
        raise
