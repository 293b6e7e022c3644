"""Reading records as a stream, one game at a time, as spec/records.md says.

Nothing here recurses, and no text makes it raise: what is wrong goes to the errors of its record.
"""

import re
from collections.abc import Callable, Iterator
from io import StringIO
from typing import IO

from thrive_engine.errors import RecordError, TextError, quote
from thrive_engine.games import thrive
from thrive_engine.games.base import Rules
from thrive_engine.record.builder import LIMITS, Builder, Limits, Place
from thrive_engine.record.node import WHITE_SPACE
from thrive_engine.record.stream import Piece, pieces
from thrive_engine.record.tree import TAG_NAME, Record, is_result, unquoted

_TOKEN = re.compile(
    r"""
      [0-9]*+\.++                                   # the number of a turn
    | [^ \t\r\n\v\f!?$;{}()\[\]]++                  # a turn, a result, or a number without dots
    | \{ [^}]*+ \}?                                 # a comment, or the beginning of one
    | ; [^\n]*+                                     # a comment to the end of the line
    | \[ (?: [^"\]] | " [^"\\]*+ (?: \\. [^"\\]*+ )*+ "? )*+ \]?   # a tag
    | \$ [0-9]*+ | [!?]++                           # a glyph
    | [()}\]]
    """,
    re.VERBOSE,
)
_NUMBER = re.compile(r"[0-9]*\.+|[1-9][0-9]*")
_STRING = r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"'
_SPACE = f"[{WHITE_SPACE}]*"
_TAG = re.compile(rf"\[{_SPACE}({TAG_NAME}){_SPACE}{_STRING}{_SPACE}\]")
_TAG_BEGINS = re.compile(rf'{_SPACE}\[{_SPACE}{TAG_NAME}{_SPACE}"')
_SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_MOST_GLYPHS = 255


def read_records(
    stream: IO[str] | IO[bytes], rules: Rules = thrive, limits: Limits = LIMITS
) -> Iterator[Record]:
    """The games of a stream of text or bytes, each as soon as it is read, with its errors.

    Bytes are read as UTF-8, and those that are none as U+FFFD. The stream is read ahead of the
    game that is returned, and is not closed.
    """
    reader = _Reader(rules, limits)
    for piece in pieces(stream):
        reader.read(piece)
        if reader.finished:
            yield from reader.finished
            reader.finished.clear()
    reader.end()
    yield from reader.finished


def read_record(text: str, rules: Rules = thrive, limits: Limits = LIMITS) -> Record:
    """The only game of a text, with its errors; RecordError where there is none, or a second."""
    records = list(read_records(StringIO(text), rules, limits))
    if len(records) != 1:
        raise RecordError(0, 0, f"there are {len(records) or 'no'} games in the text, not one")
    return records[0]


class _Reader:
    """Takes a text line by line, and puts every game that has ended into ``finished``."""

    def __init__(self, rules: Rules, limits: Limits) -> None:
        self.rules = rules
        self.limits = limits
        self.finished: list[Record] = []
        self._game = Builder(rules, limits)
        self._size = 0
        self._comment: list[str] | None = None
        """The parts of the comment that is open."""
        self._comment_at: Place = (1, 1)
        self._comment_size = 0
        self._after_empty = False
        """Whether the line before was empty."""
        self._carried = ""
        """The end of a piece that the next piece of its line may continue."""
        self._ignores_line = False
        self._set_line("", 1, 1, 0)

    def read(self, piece: Piece) -> None:
        """Take the next line, or the next piece of a long one."""
        text, line, column, is_last = piece
        if self._ignores_line:
            self._ignores_line = not is_last
            return
        if self._carried:
            text, column = self._carried + text, column - len(self._carried)
            self._carried = ""
        self._count(len(text), (line, column))
        start = self._begin(text, column) if self._comment is None else self._continue(text, column)
        if start < len(text):
            self._set_line(text, line, column, start)
            self._take_line(is_last)
        if is_last:
            self._ignores_line = False

    def end(self) -> None:
        """The text has ended."""
        if self._carried:
            self.read(("", self._line, self._column + len(self._text), True))
        if self._comment is not None:
            self._fail(self._comment_at, "the comment is not closed")
        if self._game.began or self._game.tags or self._game.record.errors:
            self._finish()

    # Lines

    def _begin(self, text: str, column: int) -> int:
        """Where the tokens of a line begin; at its end if it has none."""
        if column > 1:
            return 0
        if not text.strip(WHITE_SPACE):
            self._after_empty = True
            return len(text)
        start = 1 if text[0] == "\ufeff" else 0
        self._ignores_line = text.startswith("%", start)
        return len(text) if self._ignores_line else start

    def _continue(self, text: str, column: int) -> int:
        """Where the tokens of a line begin that a comment runs into; at its end if it has none."""
        if column == 1 and self._after_empty and _TAG_BEGINS.match(text):
            self._fail(self._comment_at, "the comment is not closed")
            self._comment = None
            return 0
        self._after_empty = column == 1 and not text.strip(WHITE_SPACE)
        end = text.find("}")
        self._extend_comment(text if end < 0 else text[:end])
        if end < 0:
            return len(text)
        self._close_comment()
        return end + 1

    def _take_line(self, is_last: bool) -> None:
        tokens = _TOKEN.findall(self._text, self._start)
        if not is_last and tokens and self._text.endswith(tokens[-1]) and tokens[-1][0] != "{":
            self._carry(tokens)
        taken = 0
        while taken < len(tokens):
            taken = self._skip(tokens, taken) if self._game.broken else self._take(tokens, taken)
        if is_last and self._comment is None:
            self._after_empty = False

    def _carry(self, tokens: list[str]) -> None:
        """Keep the last token for the next piece, which may continue it."""
        self._carried = tokens[-1]
        if len(self._carried) > self.limits.text:
            self._carried = ""
            self._ignores_line = True
            self._fail(self._place(len(tokens) - 1), self._too_long("word, tag or comment"))
        tokens.pop()

    def _set_line(self, text: str, line: int, column: int, start: int) -> None:
        self._text = text
        self._line = line
        self._column = column
        self._start = start
        self._scan: Iterator[re.Match[str]] | None = None
        self._scanned = -1
        self._found = 0

    def _place(self, index: int) -> Place:
        """Where a token of the line begins; asked for in ascending order."""
        if self._scan is None:
            self._scan = _TOKEN.finditer(self._text, self._start)
        while self._scanned < index:
            self._found = next(self._scan).start()
            self._scanned += 1
        return self._line, self._column + self._found

    def _count(self, length: int, place: Place) -> None:
        self._size += length
        if self._size > self.limits.size:
            self._fail(place, f"the game has more than {self.limits.size} characters")

    def _fail(self, place: Place, reason: str) -> None:
        """End the game that is being read, unless it is broken already."""
        if not self._game.broken:
            self._game.fail(place, reason)

    def _finish(self) -> None:
        self.finished.append(self._game.finish())
        self._game = Builder(self.rules, self.limits)
        self._size = 0

    # Tokens

    def _take(self, tokens: list[str], index: int) -> int:
        """Take tokens up to the first that breaks the game; the index of the one after it."""
        for at in range(index, len(tokens)):
            token = tokens[at]
            take = _TAKERS.get(token[0])
            try:
                if take is None:
                    self._game.turn(token)
                else:
                    take(self, token, at)
            except TextError as error:
                line, column = self._place(at)
                self._fail((line, column + error.place), reason_of(error))
            except RecordError as error:
                self._fail(self._place(at), error.reason)
            if self._game.broken:
                return at + 1
        return len(tokens)

    def _skip(self, tokens: list[str], index: int) -> int:
        """Pass over the rest of a broken game; the index of the first token of the next."""
        for at in range(index, len(tokens)):
            token = tokens[at]
            if token[0] in "{;":
                self._take_comment(token, at)
            elif token[0] == "[" and at == 0 and _TAG_BEGINS.match(token):
                if self._is_new_game(at):
                    self._finish()
                    return at
            else:
                self._game.began = True
                if is_result(token, self.rules):
                    self._take_result(token, at)
                    return at + 1
        return len(tokens)

    def _take_number(self, token: str, at: int) -> None:
        """A number, which says nothing, or a result, or a turn that begins like one."""
        if _NUMBER.fullmatch(token):
            return
        if is_result(token, self.rules):
            self._take_result(token, at)
        else:
            self._game.turn(token)

    def _take_result(self, token: str, at: int) -> None:
        self._game.result(token, self._place(at))
        self._finish()

    def _take_glyph(self, token: str, _: int) -> None:
        number = _SUFFIXES.get(token)
        if number is None:
            digits = token[1:]
            if not 1 <= len(digits) <= 3 or token[0] != "$" or int(digits) > _MOST_GLYPHS:
                reason = f"a glyph is $0 to ${_MOST_GLYPHS}, or one of {' '.join(_SUFFIXES)}"
                raise RecordError(0, 0, f"glyph {quote(token, 20)}: {reason}")
            number = int(digits)
        self._game.glyph(number)

    def _take_opening(self, _: str, at: int) -> None:
        self._game.open(self._place(at))

    def _take_closing(self, _: str, __: int) -> None:
        self._game.close()

    def _take_stray(self, token: str, _: int) -> None:
        self._game.began = True
        raise RecordError(0, 0, f"'{token}' closes nothing")

    # Tags

    def _take_tag(self, token: str, at: int) -> None:
        match = _TAG.fullmatch(token)
        if match is None and self._game.began:
            raise RecordError(
                0, 0, f"{quote(token.strip(WHITE_SPACE), 40)} is neither a tag nor a turn"
            )
        if self._is_new_game(at):
            self._finish()
        game = self._game
        if len(game.tags) + len(game.record.errors) >= self.limits.tags:
            raise RecordError(0, 0, f"the game has more than {self.limits.tags} tags")
        if match is None:
            found = quote(token.strip(WHITE_SPACE), 40)
            game.error(self._place(at), f'tag {found}: a tag is written [Name "value"]')
            return
        name = match[1]
        if name == "Result":
            game.result_at = self._place(at)
        try:
            game.tag(name, unquoted(match[2]))
        except TextError as error:
            line, column = self._place(at)
            place = line, column + match.start(2) + error.place
            game.error(place, f"tag {name}: {reason_of(error)}")
        except RecordError as error:
            game.error(self._place(at), error.reason)

    def _is_new_game(self, at: int) -> bool:
        """Whether a tag belongs to the next game: after turns, or first after an empty line."""
        game = self._game
        if game.began:
            return True
        is_first = at == 0 and self._column == 1 and self._after_empty
        return is_first and bool(game.tags or game.record.errors)

    # Comments

    def _take_comment(self, token: str, at: int) -> None:
        if token[0] == "{" and token[-1] != "}":
            self._comment = []
            self._comment_at = self._place(at)
            self._comment_size = 0
            self._extend_comment(token[1:])
        elif len(token) > self.limits.text:
            self._fail(self._place(at), self._too_long("comment"))
        elif not self._game.broken:
            self._game.comment(token[1:] if token[0] == ";" else token[1:-1])

    def _extend_comment(self, text: str) -> None:
        self._comment_size += len(text)
        if self._comment_size > self.limits.text:
            self._fail(self._comment_at, self._too_long("comment"))
            self._comment = []
        elif self._comment is not None and not self._game.broken:
            self._comment.append(text)

    def _close_comment(self) -> None:
        if self._comment is not None and not self._game.broken:
            self._game.comment("".join(self._comment))
        self._comment = None

    def _too_long(self, what: str) -> str:
        return f"the {what} has more than {self.limits.text} characters"


def reason_of(error: TextError) -> str:
    """The error in one line, without the place, which is told as the record's line and column."""
    part = f"{error.part}: " if error.part else ""
    legal = f"; legal: {' '.join(error.legal)}" if error.legal else ""
    return f"{error.kind} {quote(error.text)}: {part}{error.reason}{legal}"


_TAKERS: dict[str, Callable[[_Reader, str, int], None]] = {
    **dict.fromkeys("0123456789.*", _Reader._take_number),
    **dict.fromkeys("{;", _Reader._take_comment),
    **dict.fromkeys("$!?", _Reader._take_glyph),
    **dict.fromkeys("}]", _Reader._take_stray),
    "(": _Reader._take_opening,
    ")": _Reader._take_closing,
    "[": _Reader._take_tag,
}
"""What a token is, by its first character; any other begins a turn."""
