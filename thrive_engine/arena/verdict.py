"""How a game ended, and the words for what engines do wrong."""

from dataclasses import dataclass

from thrive_engine.arena.job import Ending
from thrive_engine.errors import EngineError, Fault, ProtocolError

LONGEST = 300
"""The characters of a reason that are kept."""

_ENDINGS = {
    Fault.START: Ending.CRASH,
    Fault.EXITED: Ending.CRASH,
    Fault.CRASHED: Ending.CRASH,
    Fault.HANDSHAKE: Ending.STALL,
    Fault.NOT_READY: Ending.STALL,
    Fault.STALLED: Ending.STALL,
    Fault.LATE: Ending.TIME,
}
"""All other faults are against the protocol."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a game ended. Without a winner it was drawn, or has no result."""

    winner: int | None
    termination: str
    """A word of the game's rules, or the value of an Ending."""
    reason: str
    is_drawn: bool = False
    loser: int | None = None
    """The seat that the reason is about."""

    def result(self, seats: int) -> str:
        """The result as records write it."""
        if self.winner is not None:
            return "-".join("1" if seat == self.winner else "0" for seat in range(seats))
        return "1/2-1/2" if self.is_drawn else "*"


def lost(loser: int, seats: int, ending: Ending, reason: str) -> Verdict:
    """The verdict on a game that a seat has lost; among more than two, nobody has won it."""
    winner = 1 - loser if seats == 2 else None
    return Verdict(winner, ending.value, one_line(reason), loser=loser)


def ending_of(error: EngineError | ProtocolError, *, is_timed: bool = True) -> Ending:
    """The word for an engine's error.

    An engine that answers only to ``stop`` has run out of time if it had any (``is_timed``). It
    stalls if it had none, or does not answer at all.
    """
    if isinstance(error, ProtocolError):
        return Ending.PROTOCOL
    if error.fault is Fault.LATE and not is_timed:
        return Ending.STALL
    return _ENDINGS.get(error.fault, Ending.PROTOCOL)


def one_line(text: str) -> str:
    """A text that may have come from an engine, on one line, printable anywhere, never long.

    >>> one_line("red\\x1b[31m\\n")
    'red\\\\x1b[31m\\\\n'
    """
    shown = "".join(char if " " <= char <= "~" else ascii(char)[1:-1] for char in text[:LONGEST])
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}..."
