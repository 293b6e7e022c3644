"""The clock of one player: what it may use, what it has used, and when it is too late."""

from math import inf

from thrive_engine.arena.job import Control


class Clock:
    """A clock that is told how long each turn took. Times are seconds.

    The increment comes after a turn, and the time for the next ``turns`` turns after the last of
    these. A turn within the margin is in time, and takes no more than the clock has.
    """

    def __init__(self, control: Control) -> None:
        self._control = control
        self._turns = 0
        self.left = inf if control.time is None else control.time
        """Infinite where the player has no clock."""

    @property
    def allowed(self) -> float:
        """What the next turn may take, the margin not counted; infinite without any time."""
        movetime = self._control.movetime
        return self.left if movetime is None else min(self.left, movetime)

    @property
    def turns_left(self) -> int | None:
        """How many turns are to be played until the clock gets more time."""
        turns = self._control.turns
        return None if turns is None else turns - self._turns % turns

    def spend(self, elapsed: float) -> bool:
        """Take the time of a turn; whether the turn came in time."""
        if elapsed > self.allowed + self._control.margin:
            self.left = max(0.0, self.left - elapsed)
            return False
        is_last = self.turns_left == 1
        self._turns += 1
        self.left = max(0.0, self.left - elapsed) + self._control.increment
        if is_last:
            self.left += self._control.time or 0.0
        return True
