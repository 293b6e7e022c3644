"""How much of its time a player gives to a turn."""

from thrive_engine.search.base import Limit

TURNS_LEFT = 18
"""How many turns of its own a player expects to need; strong games last 12 to 18 in all."""
LAST_TURN = 0.9
ANY_TURN = 0.6
"""The most of its clock that a turn may take: the last one before new time comes, and any other."""
ANSWERING = 0.002
"""The seconds between the end of a search and its answer at the other end of the pipe."""


def allot(limit: Limit, seat: int, overhead: float) -> tuple[float | None, float | None]:
    """The seconds in which a search may begin new work, and those in which it must end.

    None is without limit. A clock that has run out, or is about to, leaves no time at all: the
    search answers with the first turn it has.
    """
    soft = hard = None
    if seat < len(limit.clocks) and limit.clocks[seat] < float("inf"):
        increment = limit.increments[seat] if seat < len(limit.increments) else 0.0
        turns = min(limit.movestogo or TURNS_LEFT, 2 * TURNS_LEFT)
        left = max(0.0, limit.clocks[seat] - overhead)
        share = left / turns + 0.75 * max(0.0, increment)
        hard = min(2.5 * share, (LAST_TURN if turns == 1 else ANY_TURN) * left)
        soft = min(0.6 * share, hard)
    if limit.movetime is not None:
        movetime = max(0.0, limit.movetime - ANSWERING)
        hard = movetime if hard is None else min(hard, movetime)
    return soft, hard
