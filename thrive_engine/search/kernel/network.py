"""The evaluation: a small network over the attack map, kept up to date while turns are made.

Each square has one of 80 states: who stands there, small or big, and how many pieces of each side
can go there, 0 to 3 or more. A peg changes the state of one square, so its worth is a small
difference. Further inputs are the numbers of pieces and how far each side is on the way to a full
piece; see docs/evaluation.md. Both sides have their view of the position, the board turned for
Black. A worth is in sixteenths of a hundredth of a piece until ``evaluate`` gives it.
"""

try:
    import cython
except ImportError:
    from thrive_engine.search.kernel import plain as cython

if cython.compiled:
    from cython.cimports.thrive_engine.search.kernel.board import Board
    from cython.cimports.thrive_engine.search.kernel.machine import (
        BIG,
        BOARD,
        GONE,
        INPUTS,
        MOST_WORTH,
        NOBODY,
        RACE,
        SPOTS,
        STATES,
        UNITS,
        bias_weight,
        bit_of,
        change_input,
        copy_bytes,
        copy_units,
        linear_weight,
        lowest,
        popcount,
        reach_of,
        set_weights,
        spot_weight,
        sum_units,
        sum_units_if,
    )
else:
    from thrive_engine.search.kernel.board import Board
    from thrive_engine.search.kernel.machine import (
        BIG,
        BOARD,
        GONE,
        INPUTS,
        MOST_WORTH,
        NOBODY,
        RACE,
        SPOTS,
        STATES,
        UNITS,
        bias_weight,
        bit_of,
        change_input,
        copy_bytes,
        copy_units,
        linear_weight,
        lowest,
        popcount,
        reach_of,
        set_weights,
        spot_weight,
        sum_units,
        sum_units_if,
    )

WEIGHTS = 2 * (INPUTS * UNITS + INPUTS + 2 * SPOTS + 2 * UNITS + UNITS + 1)
"""The bytes of a set of weights."""


def load_weights(data: bytes) -> None:
    """Set the weights of all networks of this process."""
    if len(data) != WEIGHTS:
        raise ValueError(f"weights have {WEIGHTS} bytes, not {len(data)}")
    set_weights(data)


@cython.final
@cython.cclass
class Network:
    """The evaluation of a board. Every half of a turn is told to it, and opens a frame."""

    frame: cython.int
    units: cython.short[16640]
    """64 a frame: White's view and Black's."""
    worth: cython.int[520]
    """What needs no hidden unit, 2 a frame: for White and for Black."""
    state: cython.uchar[12480]
    """48 a frame: the state of each square in White's view."""
    attackers: cython.uchar[24960]
    """96 a frame: how many pieces of White, then of Black, can go to each square."""
    race: cython.int[2080]
    """8 a frame: the inputs that tell how far the sides are, 4 for each view."""
    gains: cython.int[48]

    def __init__(self) -> None:
        self.frame = 0
        self.units = [0] * 16640
        self.worth = [0] * 520
        self.state = [0] * 12480
        self.attackers = [0] * 24960
        self.race = [0] * 2080
        self.gains = [0] * 48

    def set_up(self, board: Board) -> None:
        """Look at a board afresh."""
        self.look(board)

    def judge(self, board: Board) -> int:
        """The evaluation of the board for the side to move."""
        return self.evaluate(board)

    def inputs(self, board: Board) -> list:
        """The inputs that are on, in the view of the side to move, and in that of the other."""
        views = []
        for view in (board.side, 1 - board.side):
            squares = [self.input_of(view, s, self.state[s]) for s in range(46) if BOARD >> s & 1]
            views.append(squares + [self.race[4 * view + i] for i in range(4)])
        return views

    def spots(self, board: Board) -> list:
        """The pegs on the board, as numbers, in the view of the side to move."""
        found = []
        for i in range(12):
            if board.square[i] == GONE:
                continue
            for bit in range(37):
                if board.pegs[i] >> bit & 1:
                    found.append(self.spot_of(board.side, i, board.square[i], bit))
        return found

    # Everything below runs without the interpreter.

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def input_of(self, view: cython.int, square: cython.int, state: cython.int) -> cython.int:
        """The number of an input: a square and its state, in the view of a side."""
        occupant: cython.int
        if view == 0:
            return square * STATES + state
        occupant = state >> 4
        if occupant:
            occupant = occupant + 2 if occupant < 3 else occupant - 2
        return (45 - square) * STATES + (occupant << 4 | (state & 3) << 2 | (state >> 2 & 3))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def spot_of(
        self, view: cython.int, i: cython.int, square: cython.int, bit: cython.int
    ) -> cython.int:
        """The number of a peg: its square and hole, in the view of a side."""
        owner: cython.int = 0 if i < 6 else 1
        if view == 0:
            return (owner ^ view) * SPOTS + square * 37 + bit
        return (owner ^ view) * SPOTS + (45 - square) * 37 + 36 - bit

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def spot(
        self, view: cython.int, i: cython.int, square: cython.int, bit: cython.int
    ) -> cython.int:
        """The weight of a peg. Only this module has the weights: others ask here."""
        return spot_weight(self.spot_of(view, i, square, bit))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look(self, board: Board) -> cython.void:
        i: cython.int
        s: cython.int
        squares: cython.ulonglong = BOARD
        self.frame = 0
        for i in range(UNITS):
            self.units[i] = bias_weight(i)
            self.units[UNITS + i] = bias_weight(i)
        self.worth[0] = self.worth[1] = bias_weight(UNITS)
        for i in range(96):
            self.attackers[i] = 0
        for i in range(8):
            self.race[i] = 0
        for i in range(12):
            if board.square[i] != GONE:
                self.count_reach(reach_of(board.pegs[i], board.square[i]), i, 1)
                self.add_spots(board.pegs[i], i, board.square[i], 1)
        while squares:
            s = lowest(squares)
            squares &= squares - 1
            self.state[s] = 255
            self.refresh(board, s)
        self.refresh_race(board)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def open_frame(self) -> cython.void:
        f: cython.int = self.frame
        i: cython.int
        copy_units(self.units, 64 * f + 64, 64 * f)
        copy_bytes(self.state, 48 * f + 48, 48 * f, 48)
        copy_bytes(self.attackers, 96 * f + 96, 96 * f, 96)
        self.worth[2 * f + 2] = self.worth[2 * f]
        self.worth[2 * f + 3] = self.worth[2 * f + 1]
        for i in range(8):
            self.race[8 * f + 8 + i] = self.race[8 * f + i]
        self.frame = f + 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def close_frame(self) -> cython.void:
        self.frame -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def moved(self, board: Board, movement: cython.int) -> cython.void:
        """A movement has just been made on the board."""
        origin: cython.int = movement >> 6
        target: cython.int = movement & 63
        i: cython.int
        victim: cython.int
        before: cython.ulonglong
        after: cython.ulonglong
        dirty: cython.ulonglong
        s: cython.int
        self.open_frame()
        if movement == 0:
            return
        i = board.who[target]
        victim = board.captured[board.height - 1]
        before = reach_of(board.pegs[i], origin)
        after = reach_of(board.pegs[i], board.square[i])
        dirty = before | after | bit_of(origin) | bit_of(target)
        self.count_reach(before, i, -1)
        self.count_reach(after, i, 1)
        self.add_spots(board.pegs[i], i, origin, -1)
        self.add_spots(board.pegs[i], i, target, 1)
        if victim != NOBODY:
            before = reach_of(board.pegs[victim], target)
            dirty |= before
            self.count_reach(before, victim, -1)
            self.add_spots(board.pegs[victim], victim, target, -1)
            self.refresh_race(board)
        while dirty:
            s = lowest(dirty)
            dirty &= dirty - 1
            self.refresh(board, s)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def placed(self, board: Board, first: cython.int, second: cython.int) -> cython.void:
        """Pegs have just been placed on the board."""
        self.open_frame()
        if first:
            self.pegged(board, first)
            if second:
                self.pegged(board, second)
            self.refresh_race(board)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pegged(self, board: Board, peg: cython.int) -> cython.void:
        square: cython.int = peg >> 6 & 63
        i: cython.int = board.who[square]
        target: cython.ulonglong = reach_of(bit_of(peg & 63), square)
        spot: cython.int
        f: cython.int = 2 * self.frame
        spot = self.spot_of(0, i, square, peg & 63)
        self.worth[f] += spot_weight(spot)
        spot = self.spot_of(1, i, square, peg & 63)
        self.worth[f + 1] += spot_weight(spot)
        if target:
            self.count_reach(target, i, 1)
            self.refresh(board, lowest(target))
        self.refresh(board, square)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count_reach(
        self, squares: cython.ulonglong, i: cython.int, step: cython.int
    ) -> cython.void:
        at: cython.int = 96 * self.frame + (0 if i < 6 else 48)
        while squares:
            self.attackers[at + lowest(squares)] += step
            squares &= squares - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_spots(
        self, pegs: cython.ulonglong, i: cython.int, square: cython.int, step: cython.int
    ) -> cython.void:
        f: cython.int = 2 * self.frame
        bit: cython.int
        while pegs:
            bit = lowest(pegs)
            pegs &= pegs - 1
            self.worth[f] += step * spot_weight(self.spot_of(0, i, square, bit))
            self.worth[f + 1] += step * spot_weight(self.spot_of(1, i, square, bit))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def state_of(
        self, board: Board, square: cython.int, white: cython.int, black: cython.int
    ) -> cython.int:
        """The state of a square that so many pieces of the sides can go to."""
        i: cython.int = board.who[square]
        occupant: cython.int = 0
        if i != NOBODY:
            occupant = 1 if i < 6 else 3
            if popcount(board.pegs[i]) >= BIG:
                occupant += 1
        if white > 3:
            white = 3
        if black > 3:
            black = 3
        return occupant << 4 | white << 2 | black

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def refresh(self, board: Board, square: cython.int) -> cython.void:
        """Bring the input of a square up to date."""
        f: cython.int = self.frame
        at: cython.int = 96 * f + square
        old: cython.int = self.state[48 * f + square]
        new: cython.int = self.state_of(board, square, self.attackers[at], self.attackers[at + 48])
        if new != old:
            self.state[48 * f + square] = new
            self.replace(64 * f, 0, self.number(0, square, old), self.number(0, square, new))
            self.replace(64 * f, 1, self.number(1, square, old), self.number(1, square, new))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def number(self, view: cython.int, square: cython.int, state: cython.int) -> cython.int:
        """Like ``input_of``; of no state, the input whose weights are 0."""
        return INPUTS - 1 if state == 255 else self.input_of(view, square, state)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def replace(
        self, at: cython.int, view: cython.int, old: cython.int, new: cython.int
    ) -> cython.void:
        change_input(self.units, at + UNITS * view, old, new)
        self.worth[2 * self.frame + view] += linear_weight(new) - linear_weight(old)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def refresh_race(self, board: Board) -> cython.void:
        """Bring the inputs up to date that count pieces and the pegs of the fullest ones."""
        self.set_fill(board, board.fullest(0), board.fullest(1), 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def set_fill(
        self, board: Board, filled: cython.int, other: cython.int, more: cython.int
    ) -> cython.void:
        """Set these inputs for White's and Black's fullest pieces; the mover's has some more."""
        white: cython.int = board.count[0]
        black: cython.int = board.count[1]
        lead: cython.int
        stage: cython.int = 0
        if board.side == 0:
            filled = filled + more if filled + more < 24 else 24
        else:
            other = other + more if other + more < 24 else 24
        lead = (25 - other) // 2 - (25 - filled) // 2
        if white + black == 4:
            stage = 3
        elif white + black == 5:
            stage = 2
        elif white + black < 8:
            stage = 1
        if lead > 7:
            lead = 7
        elif lead < -7:
            lead = -7
        self.set_race(0, 0, white * 7 + black)
        self.set_race(0, 1, 49 + stage * 25 + filled)
        self.set_race(0, 2, 149 + stage * 25 + other)
        self.set_race(0, 3, 249 + stage * 15 + 7 + lead)
        self.set_race(1, 0, black * 7 + white)
        self.set_race(1, 1, 49 + stage * 25 + other)
        self.set_race(1, 2, 149 + stage * 25 + filled)
        self.set_race(1, 3, 249 + stage * 15 + 7 - lead)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def set_race(self, view: cython.int, which: cython.int, number: cython.int) -> cython.void:
        at: cython.int = 8 * self.frame + 4 * view + which
        old: cython.int = self.race[at]
        new: cython.int = RACE + number
        if new != old:
            self.race[at] = new
            self.replace(64 * self.frame, view, INPUTS - 1 if old == 0 else old, new)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def evaluate(self, board: Board) -> cython.int:
        """What the board is worth to the side to move, in hundredths of a piece."""
        worth: cython.int = self.raw(board.side) >> 4
        if worth > MOST_WORTH:
            return MOST_WORTH
        if worth < -MOST_WORTH:
            return -MOST_WORTH
        return worth

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def raw(self, side: cython.int) -> cython.int:
        """What the position is worth to a side that is to move."""
        at: cython.int = 64 * self.frame
        return (
            sum_units(self.units, at + UNITS * side, at + UNITS * (1 - side))
            + self.worth[2 * self.frame + side]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gain(self, board: Board, square: cython.int, base: cython.int) -> cython.int:
        """What it is worth to the side to move that one more of its pieces can go to a square.

        ``base`` is what the position would be worth to the other side, were it its turn.
        """
        f: cython.int = self.frame
        side: cython.int = board.side
        other: cython.int = 1 - side
        at: cython.int = 96 * f + square
        old: cython.int = self.state[48 * f + square]
        new: cython.int = self.state_of(
            board, square, self.attackers[at] + other, self.attackers[at + 48] + side
        )
        mine_old: cython.int
        mine_new: cython.int
        their_old: cython.int
        their_new: cython.int
        worth: cython.int
        if old == new:
            return 0
        mine_old = self.input_of(other, square, old)
        mine_new = self.input_of(other, square, new)
        their_old = self.input_of(side, square, old)
        their_new = self.input_of(side, square, new)
        worth = sum_units_if(
            self.units,
            64 * f + UNITS * other,
            64 * f + UNITS * side,
            mine_old,
            mine_new,
            their_old,
            their_new,
        )
        worth += self.worth[2 * f + other] + linear_weight(mine_new) - linear_weight(mine_old)
        return base - worth

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def race_gain(self, board: Board, base: cython.int, pegs: cython.int) -> cython.int:
        """What it is worth to the side to move that its fullest piece has some pegs more."""
        worth: cython.int
        self.open_frame()
        self.set_fill(board, board.fullest(0), board.fullest(1), pegs)
        worth = base - self.raw(1 - board.side)
        self.close_frame()
        return worth
