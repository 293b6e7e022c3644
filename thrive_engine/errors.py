"""Every exception of the package.

ThriveEngineError
├── TextError (ValueError)       what is wrong with a text: its part, its place, the reason
│   ├── NotationError            the text is not well formed
│   └── IllegalTurnError         the turn is well formed, and not legal in its position
├── PositionError (ValueError)   pieces that no position can have
├── RecordError (ValueError)     what is wrong in a record or a list of positions, and where
├── ProtocolError (ValueError)   a line of the protocol that is not as it must be
├── ArenaError (ValueError)      a tournament, or a part of one, that can't be as it is described
├── StoppedError                 a game was stopped before its end, by us
├── SearcherError                a searcher that is not there, or cannot be loaded
├── EngineError                  an engine's process failed; its Fault says in which way
├── ConformanceError             an engine does not keep the protocol or the rules
└── NotOfferedError              an engine does not offer an extension of the protocol
"""

from enum import Enum


class ThriveEngineError(Exception):
    """The root of every error that this package raises on purpose."""


class PositionError(ThriveEngineError, ValueError):
    """These pieces make no position: too many, too few, or one against one."""


class ProtocolError(ThriveEngineError, ValueError):
    """A line of the protocol, or a value in it, that is not as spec/protocol.md says."""


class ArenaError(ThriveEngineError, ValueError):
    """A tournament, or a part of one, that can't be as it is described."""


class StoppedError(ThriveEngineError):
    """A game was stopped before its end; nothing of it is kept."""


class RecordError(ThriveEngineError, ValueError):
    """What is wrong in a record, or in a list of positions, and where.

    ``line`` and ``column`` count from 1; both are 0 where nothing was read.
    """

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(line, column, reason)
        self.line = line
        self.column = column
        self.reason = reason

    def __str__(self) -> str:
        where = f"line {self.line}, column {self.column}: " if self.line else ""
        return f"{where}{self.reason}"


class SearcherError(ThriveEngineError):
    """There is no searcher of this name, or the package that brings it fails to load it."""


class TextError(ThriveEngineError, ValueError):
    """What is wrong with a text, in one line and as attributes.

    ``text`` is what was read, ``part`` the part of it that is wrong (``"peg 'c3g'"``), ``place``
    where that part begins (counted from 0), ``reason`` why it is refused, and ``legal`` what
    would have been accepted there (empty where that would be long).
    """

    kind = "text"

    def __init__(
        self, text: str, part: str, place: int, reason: str, legal: tuple[str, ...] = ()
    ) -> None:
        super().__init__(text, part, place, reason, legal)
        self.text = text
        self.part = part
        self.place = place
        self.reason = reason
        self.legal = legal

    def __str__(self) -> str:
        where = f"{self.part} (column {self.place + 1}): " if self.part else ""
        legal = f"; legal: {' '.join(self.legal)}" if self.legal else ""
        return f"{self.kind} {quote(self.text)}: {where}{self.reason}{legal}"


class NotationError(TextError):
    """A text that is not well formed: no position, turn, piece, square or hole is written so."""

    def __init__(
        self,
        text: str,
        part: str,
        place: int,
        reason: str,
        legal: tuple[str, ...] = (),
        *,
        kind: str = "bad notation",
    ) -> None:
        super().__init__(text, part, place, reason, legal)
        self.kind = kind


class IllegalTurnError(TextError):
    """A well-formed turn, or the beginning of one, that the position does not allow."""

    kind = "illegal turn"


def quote(text: str, limit: int = 100) -> str:
    """The text in quotes, on one line, printable anywhere, and never long.

    >>> quote("a1a2\\n")
    "'a1a2\\\\n'"
    """
    if len(text) <= limit:
        return ascii(text)
    return f"{text[:limit]!a}... ({len(text)} characters)"


class ConformanceError(ThriveEngineError):
    """An engine does not do what spec/protocol.md and the rules of the game ask."""


class NotOfferedError(ThriveEngineError):
    """An engine does not offer what only some engines do."""


class Fault(Enum):
    """The ways in which an engine's process fails."""

    START = "could not be started"
    HANDSHAKE = "no uciok in time"
    NOT_READY = "no readyok in time"
    LATE = "bestmove too late"
    STALLED = "no bestmove"
    EXITED = "exited"
    CRASHED = "ended by a signal"
    CLOSED = "closed a pipe"
    OVERLONG = "overlong line"
    ENCODING = "not UTF-8"
    NO_TURN = "bestmove without a turn"
    UNASKED = "bestmove without go"
    NOT_QUIT = "did not quit"
    QUIT = "used after quit"


class EngineError(ThriveEngineError):
    """An engine failed: which engine, in which way, at which step, why, and its last words.

    ``step`` names the command too: ``search (go movetime 100)``. ``stderr`` are the last lines
    that the engine wrote there, oldest first.
    """

    def __init__(
        self, engine: str, fault: Fault, step: str, reason: str, stderr: tuple[str, ...] = ()
    ) -> None:
        super().__init__(engine, fault, step, reason, stderr)
        self.engine = engine
        self.fault = fault
        self.step = step
        self.reason = reason
        self.stderr = stderr

    @property
    def story(self) -> str:
        """All but the engine's name."""
        words = " | ".join(shorten(line) for line in self.stderr[-3:])
        said = f"; stderr: {words}" if words else ""
        return f"{self.step}: {self.reason}{said}"

    def __str__(self) -> str:
        return f"engine {quote(self.engine)}: {self.story}"


def shorten(text: str, limit: int = 100) -> str:
    """Like ``quote``, without the quotes."""
    shown = ascii(text[:limit])[1:-1]
    return shown if len(text) <= limit else f"{shown}... ({len(text)} characters)"
