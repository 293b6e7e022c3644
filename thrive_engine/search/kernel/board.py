"""The rules on integers, made for a search: a position that turns are made on and taken back.

A square is ``8 * rank + file``. The pegs of a piece are a mask with the same stride, its centre at
bit 18, so that ``((pegs << square) >> 18) & BOARD`` is where the piece can go. White's pieces are
0 to 5, Black's 6 to 11. A movement is ``origin << 6 | target``, 0 where no piece can move. A peg is
``1 << 12 | square << 6 | bit``, with the bit of its hole; 0 is no peg. A turn is
``movement << 26 | peg << 13 | peg``.
"""

try:
    import cython
except ImportError:
    from thrive_engine.search.kernel import plain as cython

if cython.compiled:
    from cython.cimports.thrive_engine.search.kernel.machine import (
        FULL,
        GONE,
        MOVEMENTS,
        NOBODY,
        bit_of,
        has_popcount,
        lowest,
        mix,
        popcount,
        reach_of,
    )
else:
    from thrive_engine.search.kernel.machine import (
        FULL,
        GONE,
        MOVEMENTS,
        NOBODY,
        bit_of,
        has_popcount,
        lowest,
        mix,
        popcount,
        reach_of,
    )

COMPILED = bool(cython.compiled)
CAN_RUN = bool(has_popcount())
"""Whether this processor has the instructions that are compiled in."""
MOST_TURNS = 128
"""How many turns can be made on a board before the first is taken back."""


@cython.final
@cython.cclass
class Board:
    """A position. What is public to Python is checked; the rest trusts its caller."""

    square: cython.int[12]
    pegs: cython.ulonglong[12]
    who: cython.int[64]
    """The piece on a square, or NOBODY."""
    occupied: cython.ulonglong[2]
    count: cython.int[2]
    side: cython.int
    """Who is to move: 0 is White."""
    key: cython.ulonglong
    """A hash of all that counts for repetition, kept up to date."""
    height: cython.int
    """The turns that were made and not taken back."""
    captured: cython.int[130]
    keys: cython.ulonglong[130]
    """The key before each turn."""
    halfway: cython.ulonglong[130]
    """The key between the movement and the pegs of each turn."""
    found: cython.int[18720]

    def __init__(self) -> None:
        self.square = [GONE] * 12
        self.pegs = [0] * 12
        self.who = [NOBODY] * 64
        self.occupied = [0] * 2
        self.count = [0] * 2
        self.captured = [NOBODY] * 130
        self.keys = [0] * 130
        self.halfway = [0] * 130
        self.found = [0] * 18720
        self.side = 0
        self.key = 0
        self.height = 0

    def set_up(self, white: list, black: list, side: int) -> None:
        """Set up pieces, each ``square << 37 | pegs``."""
        i: cython.int
        self.__init__()
        for color, pieces in ((0, white), (6, black)):
            for i, packed in enumerate(pieces):
                self.square[color + i] = packed >> 37
                self.pegs[color + i] = packed & 0x1FFFFFFFFF
                self.who[self.square[color + i]] = color + i
        self.side = side
        for i in range(12):
            if self.square[i] != GONE:
                self.occupied[0 if i < 6 else 1] |= bit_of(self.square[i])
                self.count[0 if i < 6 else 1] += 1
                self.key ^= self.piece_key(i)
        if side:
            self.key ^= mix(1)

    def pieces(self, side: int) -> list:
        """The pieces of a side, packed as in ``set_up``, in ascending order."""
        i: cython.int
        place: cython.ulonglong
        found = []
        for i in range(12):
            if self.square[i] != GONE and (i >= 6) == side:
                place = self.square[i]
                found.append(place << 37 | self.pegs[i])
        return sorted(found)

    @property
    def identity(self) -> int:
        return self.key

    @property
    def to_move(self) -> int:
        return self.side

    @property
    def state(self) -> int:
        """Who has won: 1 for White, 2 for Black, 0 for nobody so far."""
        return 1 + self.winner(1 - self.side) if self.is_over() else 0

    def list_movements(self) -> list:
        """The legal movements; only 0 where no piece can move, none where the game is over."""
        if self.is_over():
            return []
        count = self.movements(self.found, 0)
        return [self.found[i] for i in range(count)]

    def play(self, turn: int) -> None:
        """Make a turn that is known to be legal."""
        self.make(turn >> 26)
        self.place(turn >> 13 & 8191, turn & 8191)

    def take_back(self, turn: int) -> None:
        self.remove(turn >> 13 & 8191, turn & 8191)
        self.unmake(turn >> 26)

    def count_turns(self) -> int:
        """The number of legal turns, by counting."""
        return self.counted()

    def perft(self, depth: int) -> int:
        """The sequences of so many turns, leaf by leaf."""
        left: cython.int = depth
        total: cython.ulonglong
        if cython.compiled:
            with cython.nogil:
                total = self.walk(left)
        else:
            total = self.walk(left)
        return total

    def perft_counting(self, depth: int) -> int:
        """The sequences of so many turns; the last ones are counted, not made."""
        left: cython.int = depth
        total: cython.ulonglong
        if cython.compiled:
            with cython.nogil:
                total = self.walk_counting(left)
        else:
            total = self.walk_counting(left)
        return total

    # Everything below runs without the interpreter.

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def piece_key(self, i: cython.int) -> cython.ulonglong:
        place: cython.ulonglong = self.square[i] * 2 + (1 if i >= 6 else 0)
        return mix((self.pegs[i] << 7) + place + 2)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def movements(self, found: cython.p_int, at: cython.int) -> cython.int:
        """Write the legal movements into an array, from a place on; how many there are."""
        i: cython.int
        first: cython.int = 6 * self.side
        count: cython.int = 0
        targets: cython.ulonglong
        for i in range(first, first + 6):
            if self.square[i] == GONE:
                continue
            targets = reach_of(self.pegs[i], self.square[i])
            while targets:
                found[at + count] = self.square[i] << 6 | lowest(targets)
                count += 1
                targets &= targets - 1
        if count == 0:
            found[at] = 0
            count = 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def make(self, movement: cython.int) -> cython.void:
        """Make the first half of a turn; the side stays to move."""
        origin: cython.int = movement >> 6
        target: cython.int = movement & 63
        i: cython.int
        victim: cython.int = NOBODY
        self.keys[self.height] = self.key
        if movement != 0:
            i = self.who[origin]
            victim = self.who[target]
            self.key ^= self.piece_key(i)
            if victim != NOBODY:
                self.key ^= self.piece_key(victim)
                self.occupied[0 if victim < 6 else 1] ^= bit_of(target)
                self.count[0 if victim < 6 else 1] -= 1
                self.square[victim] = GONE
            self.who[origin] = NOBODY
            self.who[target] = i
            self.occupied[self.side] ^= bit_of(origin) | bit_of(target)
            self.square[i] = target
            self.key ^= self.piece_key(i)
        self.captured[self.height] = victim
        self.halfway[self.height] = self.key
        self.height += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def unmake(self, movement: cython.int) -> cython.void:
        origin: cython.int = movement >> 6
        target: cython.int = movement & 63
        i: cython.int
        victim: cython.int
        self.height -= 1
        self.key = self.keys[self.height]
        if movement == 0:
            return
        victim = self.captured[self.height]
        i = self.who[target]
        self.who[origin] = i
        self.who[target] = victim
        self.square[i] = origin
        self.occupied[self.side] ^= bit_of(origin) | bit_of(target)
        if victim != NOBODY:
            self.square[victim] = target
            self.occupied[0 if victim < 6 else 1] ^= bit_of(target)
            self.count[0 if victim < 6 else 1] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, first: cython.int, second: cython.int) -> cython.void:
        """Make the second half of a turn: place the pegs and give the turn to the other side."""
        i: cython.int
        j: cython.int
        if first:
            i = self.who[first >> 6 & 63]
            self.key ^= self.piece_key(i)
            self.pegs[i] |= bit_of(first & 63)
            if second:
                j = self.who[second >> 6 & 63]
                if j != i:
                    self.key ^= self.piece_key(i)
                    self.key ^= self.piece_key(j)
                self.pegs[j] |= bit_of(second & 63)
                self.key ^= self.piece_key(j)
            else:
                self.key ^= self.piece_key(i)
        self.side ^= 1
        self.key ^= mix(1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def remove(self, first: cython.int, second: cython.int) -> cython.void:
        self.side ^= 1
        self.key = self.halfway[self.height - 1]
        if first:
            self.pegs[self.who[first >> 6 & 63]] ^= bit_of(first & 63)
        if second:
            self.pegs[self.who[second >> 6 & 63]] ^= bit_of(second & 63)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def has_full(self, side: cython.int) -> cython.bint:
        i: cython.int
        for i in range(6 * side, 6 * side + 6):
            if self.pegs[i] == FULL and self.square[i] != GONE:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_over(self) -> cython.bint:
        """Whether the game has ended, after either half of a turn."""
        if self.count[0] == 1 or self.count[1] == 1:
            return True
        if self.count[0] == 2 and self.count[1] == 2:
            return self.has_full(0) or self.has_full(1)
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def winner(self, mover: cython.int) -> cython.int:
        """Who has won a game that is over, in which this side has just moved."""
        if self.count[0] == 1:
            return 1
        if self.count[1] == 1:
            return 0
        return mover if self.has_full(mover) else 1 - mover

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def holes(self, side: cython.int) -> cython.int:
        """The empty holes of a side's pieces."""
        i: cython.int
        total: cython.int = 0
        for i in range(6 * side, 6 * side + 6):
            if self.square[i] != GONE:
                total += 24 - popcount(self.pegs[i])
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fullest(self, side: cython.int) -> cython.int:
        """The pegs of a side's fullest piece."""
        i: cython.int
        pegs: cython.int
        most: cython.int = 0
        for i in range(6 * side, 6 * side + 6):
            if self.square[i] != GONE:
                pegs = popcount(self.pegs[i])
                if pegs > most:
                    most = pegs
        return most

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def free_pegs(self, found: cython.p_int, at: cython.int) -> cython.int:
        """Write every peg that the side can place into an array; how many there are."""
        i: cython.int
        count: cython.int = 0
        empty: cython.ulonglong
        for i in range(6 * self.side, 6 * self.side + 6):
            if self.square[i] == GONE:
                continue
            empty = FULL & ~self.pegs[i]
            while empty:
                found[at + count] = 4096 | self.square[i] << 6 | lowest(empty)
                count += 1
                empty &= empty - 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pairs_after(self, movement: cython.int) -> cython.ulonglong:
        """In how many ways a turn that begins with a movement can end."""
        holes: cython.ulonglong
        total: cython.ulonglong = 1
        self.make(movement)
        if not self.is_over():
            holes = self.holes(self.side)
            if holes > 1:
                total = holes * (holes - 1) // 2
        self.unmake(movement)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def counted(self) -> cython.ulonglong:
        i: cython.int
        count: cython.int
        at: cython.int = self.height * MOVEMENTS
        total: cython.ulonglong = 0
        if self.is_over():
            return 0
        count = self.movements(self.found, at)
        for i in range(count):
            total += self.pairs_after(self.found[at + i])
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk_counting(self, depth: cython.int) -> cython.ulonglong:
        if depth == 0:
            return 1
        if depth == 1:
            return self.counted()
        return self.walk_on(depth, True)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk(self, depth: cython.int) -> cython.ulonglong:
        if depth == 0:
            return 1
        return self.walk_on(depth, False)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk_on(self, depth: cython.int, counting: cython.bint) -> cython.ulonglong:
        i: cython.int
        count: cython.int
        movement: cython.int
        at: cython.int = self.height * MOVEMENTS
        total: cython.ulonglong = 0
        if self.is_over():
            return 0
        count = self.movements(self.found, at)
        for i in range(count):
            movement = self.found[at + i]
            self.make(movement)
            if self.is_over():
                self.side ^= 1
                total += self.walk_counting(depth - 1) if counting else self.walk(depth - 1)
                self.side ^= 1
            else:
                total += self.walk_pegs(depth, counting)
            self.unmake(movement)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk_pegs(self, depth: cython.int, counting: cython.bint) -> cython.ulonglong:
        """Everything that follows a movement."""
        i: cython.int
        j: cython.int
        count: cython.int
        pegs: cython.int[144]
        total: cython.ulonglong = 0
        if not cython.compiled:
            pegs = [0] * 144
        count = self.free_pegs(pegs, 0)
        if count < 2:
            return self.walk_placed(depth, pegs[0] if count else 0, 0, counting)
        for i in range(count - 1):
            for j in range(i + 1, count):
                total += self.walk_placed(depth, pegs[i], pegs[j], counting)
        return total

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def walk_placed(
        self, depth: cython.int, first: cython.int, second: cython.int, counting: cython.bint
    ) -> cython.ulonglong:
        total: cython.ulonglong
        self.place(first, second)
        total = self.walk_counting(depth - 1) if counting else self.walk(depth - 1)
        self.remove(first, second)
        return total
