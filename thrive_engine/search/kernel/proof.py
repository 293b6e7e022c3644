"""Wins that need no search: every turn of the other side is covered, so what is said is proven.

A turn's pegs matter to the other side's next capture not at all, since pieces jump: after any
movement of the loser, whatever its pegs, the winner's capture is still there. So a win in two needs
a look at every movement of the loser, not at every turn, and the pegs that the winner must place
are those that answer each of these movements: a set of two that hits all of them.
"""

try:
    import cython
except ImportError:
    from thrive_engine.search.kernel import plain as cython

if cython.compiled:
    from cython.cimports.thrive_engine.search.kernel.board import Board
    from cython.cimports.thrive_engine.search.kernel.machine import (
        FULL,
        GONE,
        bit_of,
        lowest,
        popcount,
        reach_of,
    )
else:
    from thrive_engine.search.kernel.board import Board
    from thrive_engine.search.kernel.machine import (
        FULL,
        GONE,
        bit_of,
        lowest,
        popcount,
        reach_of,
    )


@cython.final
@cython.cclass
class Proof:
    """Finds proven wins on a board, which it leaves as it was."""

    found: cython.int[144]
    ours: cython.int[144]
    theirs: cython.int[144]
    fillers: cython.int[16]
    needs: cython.ulonglong[864]
    """The pegs that answer each movement of the loser: 6 masks each, one for every piece."""

    def __init__(self) -> None:
        self.found = [0] * 144
        self.ours = [0] * 144
        self.theirs = [0] * 144
        self.fillers = [0] * 16
        self.needs = [0] * 864

    def find_win(self, board: Board) -> int:
        """A turn that wins at once, or 0."""
        return self.win(board)

    def find_win_in_two(self, board: Board) -> int:
        """A turn after which the next one wins whatever the other side does, or 0."""
        return self.win_in_two(board)

    def is_proven_lost(self, board: Board) -> bool:
        """Whether the other side wins with its next turn, whatever the side to move does."""
        return self.is_lost(board)

    # Everything below runs without the interpreter.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def win(self, board: Board) -> cython.ulonglong:
        side: cython.int = board.side
        turn: cython.ulonglong
        count: cython.int
        i: cython.int
        turn = self.capture(board, side)
        if turn:
            return turn
        if board.count[0] + board.count[1] > 5 or board.fullest(side) < 22:
            return 0
        count = board.movements(self.found, 0)
        for i in range(count):
            turn = self.win_by(board, self.found[i])
            if turn:
                return turn
        return 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def capture(self, board: Board, side: cython.int) -> cython.ulonglong:
        """The capture by which a side wins, were it its turn, or 0."""
        i: cython.int
        hit: cython.ulonglong
        if board.count[1 - side] != 2:
            return 0
        for i in range(6 * side, 6 * side + 6):
            if board.square[i] != GONE:
                hit = reach_of(board.pegs[i], board.square[i]) & board.occupied[1 - side]
                if hit:
                    hit = board.square[i] << 6 | lowest(hit)
                    return hit << 26
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def win_by(self, board: Board, movement: cython.int) -> cython.ulonglong:
        """The turn that begins with a movement and wins, or 0."""
        turn: cython.ulonglong = 0
        side: cython.int = board.side
        board.make(movement)
        if board.is_over():
            if board.winner(side) == side:
                turn = movement
                turn <<= 26
        elif board.count[0] == 2 and board.count[1] == 2:
            turn = self.filling(board)
            if turn:
                turn |= self.shifted(movement)
        board.unmake(movement)
        return turn

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def shifted(self, movement: cython.int) -> cython.ulonglong:
        turn: cython.ulonglong = movement
        return turn << 26

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def filling(self, board: Board) -> cython.ulonglong:
        """Two pegs of the side to move that fill a piece, or 0."""
        i: cython.int
        j: cython.int
        first: cython.ulonglong
        second: cython.ulonglong
        empty: cython.ulonglong
        begin: cython.int = 6 * board.side
        for i in range(begin, begin + 6):
            if board.square[i] == GONE or popcount(board.pegs[i]) < 22:
                continue
            empty = FULL & ~board.pegs[i]
            if empty == 0:
                continue
            first = 4096 | board.square[i] << 6 | lowest(empty)
            empty &= empty - 1
            if empty:
                return first << 13 | 4096 | board.square[i] << 6 | lowest(empty)
            for j in range(begin, begin + 6):
                empty = FULL & ~board.pegs[j]
                if j != i and board.square[j] != GONE and empty:
                    second = 4096 | board.square[j] << 6 | lowest(empty)
                    return first << 13 | second
            return first << 13
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def threatens(self, board: Board, side: cython.int) -> cython.bint:
        """Whether a side wins if it is its turn, whatever pegs the other one has just placed."""
        pieces: cython.int = board.count[0] + board.count[1]
        if self.capture(board, side):
            return True
        if pieces > 5 or board.fullest(side) < 22:
            return False
        if pieces == 4:
            return True
        if board.count[side] == 2:
            return self.takes_and_fills(board, side)
        return self.sheds_and_fills(board, side)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def takes_and_fills(self, board: Board, side: cython.int) -> cython.bint:
        """Whether a side of two wins against three by a capture, since it has a full piece then.

        A full piece of the enemy, which may place two pegs before, must be the one captured, unless
        the side's own is full already.
        """
        i: cython.int
        pegs: cython.int
        full: cython.int = 0
        nearly: cython.int = 0
        hit: cython.ulonglong = 0
        danger: cython.ulonglong = 0
        for i in range(6 * side, 6 * side + 6):
            if board.square[i] != GONE:
                hit |= reach_of(board.pegs[i], board.square[i])
        hit &= board.occupied[1 - side]
        if hit == 0 or board.has_full(side):
            return hit != 0
        for i in range(6 - 6 * side, 12 - 6 * side):
            if board.square[i] == GONE:
                continue
            pegs = popcount(board.pegs[i])
            if pegs >= 22:
                danger |= bit_of(board.square[i])
            if pegs == 24:
                full += 1
            elif pegs == 23:
                nearly += 1
        if nearly == 2 or (full > 0 and danger & (danger - 1)):
            return False
        return danger & ~hit == 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sheds_and_fills(self, board: Board, side: cython.int) -> cython.bint:
        """Whether a side of three wins against two by capturing a piece of its own.

        Then it has a full piece, or fills one; the enemy must not fill one before that.
        """
        i: cython.int
        j: cython.int
        least: cython.int = 22 if board.fullest(1 - side) < 22 else 24
        for i in range(6 * side, 6 * side + 6):
            if board.square[i] == GONE or popcount(board.pegs[i]) < least:
                continue
            for j in range(6 * side, 6 * side + 6):
                if board.square[j] != GONE and self.can_shed(board, side, j, i):
                    return True
        return False

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def can_shed(
        self, board: Board, side: cython.int, i: cython.int, kept: cython.int
    ) -> cython.bint:
        """Whether a piece can capture one of its own side that is not to be kept."""
        hit: cython.ulonglong = reach_of(board.pegs[i], board.square[i])
        return hit & board.occupied[side] & ~bit_of(board.square[kept]) != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_lost(self, board: Board) -> cython.bint:
        """Every movement of the side to move, which can't win at once, leaves a win."""
        side: cython.int = board.side
        i: cython.int
        count: cython.int
        lost: cython.bint = True
        if board.count[side] > 3:
            return False
        count = board.movements(self.ours, 0)
        for i in range(count):
            board.make(self.ours[i])
            if board.is_over():
                lost = board.winner(side) != side
            else:
                lost = self.threatens(board, 1 - side)
            board.unmake(self.ours[i])
            if not lost:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def win_in_two(self, board: Board) -> cython.ulonglong:
        """For a side that can't win at once."""
        side: cython.int = board.side
        enemies: cython.int = board.count[1 - side]
        movement: cython.int
        count: cython.int
        i: cython.int
        turn: cython.ulonglong = 0
        must_take: cython.bint = enemies == 3
        if enemies > 3:
            return 0
        if must_take and board.count[side] < 4 and board.fullest(side) >= 20:
            must_take = False
        if must_take and self.must_shed(board, 1 - side):
            must_take = False
        if must_take and not self.takes(board, side):
            return 0
        count = board.movements(self.ours, 0)
        for i in range(count):
            movement = self.ours[i]
            if must_take and not board.occupied[1 - side] & bit_of(movement & 63):
                continue
            board.make(movement)
            if not board.is_over():
                turn = self.answer_all(board)
            board.unmake(movement)
            if turn:
                return turn & 0x3FFFFFF | self.shifted(movement)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def must_shed(self, board: Board, side: cython.int) -> cython.bint:
        """Whether all that a side can do is to capture its own pieces."""
        i: cython.int
        reached: cython.ulonglong = 0
        for i in range(6 * side, 6 * side + 6):
            if board.square[i] != GONE:
                reached |= reach_of(board.pegs[i], board.square[i])
        return reached != 0 and reached & ~board.occupied[side] == 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def takes(self, board: Board, side: cython.int) -> cython.bint:
        """Whether a side can capture."""
        i: cython.int
        for i in range(6 * side, 6 * side + 6):
            if (
                board.square[i] != GONE
                and reach_of(board.pegs[i], board.square[i]) & board.occupied[1 - side]
            ):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def answer_all(self, board: Board) -> cython.ulonglong:
        """The pegs, after a movement, that leave a win after every movement of the other side.

        There may be no hole for a peg, so that a bit above the pegs tells whether there is a win.
        """
        side: cython.int = board.side
        needs: cython.int
        safe: cython.bint
        pegs: cython.ulonglong = 0
        board.side = 1 - side
        safe = self.win(board) == 0
        needs = self.list_needs(board, side) if safe else -1
        board.side = side
        if needs == 0 and board.holes(side) == 0:
            return bit_of(26)
        if needs >= 0:
            pegs = self.hit(board, needs)
        # A piece that gets full can also spoil the other side's win, but not where two face two.
        if pegs == 0 and (safe or board.count[0] + board.count[1] == 5):
            pegs = self.fill_up(board)
        return pegs

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_needs(self, board: Board, side: cython.int) -> cython.int:
        """Note what a side needs after each movement of the other one, which is to move.

        How many movements need a peg, or -1 where one of them has no answer.
        """
        i: cython.int
        need: cython.int
        needs: cython.int = 0
        count: cython.int = board.movements(self.theirs, 0)
        for i in range(count):
            board.make(self.theirs[i])
            need = self.need(board, side, 6 * needs)
            board.unmake(self.theirs[i])
            if need < 0:
                return -1
            needs += need
        return needs

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill_up(self, board: Board) -> cython.ulonglong:
        """Two pegs that (nearly) fill pieces, so that nothing stops the next ones; or 0."""
        i: cython.int
        j: cython.int
        count: cython.int
        first: cython.ulonglong
        if board.count[0] + board.count[1] > 5 or board.fullest(board.side) < 20:
            return 0
        count = self.list_fillers(board)
        for i in range(count - 1):
            for j in range(i + 1, count):
                if self.holds(board, self.fillers[i], self.fillers[j]):
                    first = self.fillers[i]
                    return first << 13 | self.fillers[j]
        if count == 1 and self.holds(board, self.fillers[0], 0):
            first = self.fillers[0]
            return first << 13
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_fillers(self, board: Board) -> cython.int:
        """List the pegs that lead to full pieces; and another, since two must be placed."""
        i: cython.int
        pegs: cython.int
        count: cython.int = 0
        empty: cython.ulonglong
        other: cython.int = 0
        is_race: cython.bint = board.count[0] + board.count[1] == 4
        for i in range(6 * board.side, 6 * board.side + 6):
            empty = FULL & ~board.pegs[i]
            if board.square[i] == GONE or empty == 0:
                continue
            pegs = popcount(board.pegs[i])
            if pegs < 20 or (is_race and pegs != 20):
                other = 4096 | board.square[i] << 6 | lowest(empty)
                continue
            while empty:
                self.fillers[count] = 4096 | board.square[i] << 6 | lowest(empty)
                count += 1
                empty &= empty - 1
        if count and other:
            self.fillers[count] = other
            count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def holds(self, board: Board, first: cython.int, second: cython.int) -> cython.bint:
        """Whether, with these pegs placed, every movement of the other side leaves a win."""
        side: cython.int = board.side
        i: cython.int = board.who[first >> 6 & 63]
        j: cython.int = board.who[second >> 6 & 63] if second else i
        held: cython.bint
        board.pegs[i] |= bit_of(first & 63)
        if second:
            board.pegs[j] |= bit_of(second & 63)
        board.side = 1 - side
        held = self.win(board) == 0 and self.list_needs(board, side) == 0
        board.side = side
        board.pegs[i] ^= bit_of(first & 63)
        if second:
            board.pegs[j] ^= bit_of(second & 63)
        return held

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def need(self, board: Board, side: cython.int, at: cython.int) -> cython.int:
        """Note the pegs that let a side win after the other's movement.

        0 where none is needed, 1 where one is, -1 where none helps.
        """
        i: cython.int
        j: cython.int
        filled: cython.int
        two: cython.bint = board.count[0] == 2 and board.count[1] == 2
        take: cython.bint = board.count[1 - side] == 2
        any_peg: cython.ulonglong = 0
        mask: cython.ulonglong
        if board.is_over():
            return 0 if board.winner(1 - side) == side else -1
        if self.threatens(board, side):
            return 0
        if board.count[side] == 2 and board.count[1 - side] == 3 and board.fullest(side) >= 22:
            take = board.fullest(1 - side) < 22 or board.has_full(side)
        for j in range(6):
            i = 6 * side + j
            mask = 0
            if board.square[i] != GONE:
                if take:
                    mask = (board.occupied[1 - side] << 18) >> board.square[i]
                filled = popcount(board.pegs[i])
                if two and filled == 21:
                    mask = FULL
                mask &= FULL & ~board.pegs[i]
            self.needs[at + j] = mask
            any_peg |= mask
        return 1 if any_peg else -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hit(self, board: Board, needs: cython.int) -> cython.ulonglong:
        """Two pegs that answer all needs, or 0."""
        begin: cython.int = 6 * board.side
        fewest: cython.int = 0
        least: cython.int = 1000
        size: cython.int
        i: cython.int
        j: cython.int
        mask: cython.ulonglong
        pegs: cython.ulonglong
        for i in range(needs):
            size = 0
            for j in range(6):
                size += popcount(self.needs[6 * i + j])
            if size < least:
                least = size
                fewest = i
        for j in range(6):
            mask = FULL if needs == 0 else self.needs[6 * fewest + j]
            if board.square[begin + j] == GONE:
                continue
            mask &= ~board.pegs[begin + j]
            while mask:
                pegs = self.second(board, needs, j, mask & (~mask + 1))
                if pegs:
                    return pegs
                mask &= mask - 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def second(
        self, board: Board, needs: cython.int, piece: cython.int, hole: cython.ulonglong
    ) -> cython.ulonglong:
        """A first peg with a second one that answers what it does not, or 0."""
        begin: cython.int = 6 * board.side
        i: cython.int
        j: cython.int
        mask: cython.ulonglong
        first: cython.ulonglong = 4096 | board.square[begin + piece] << 6 | lowest(hole)
        alone: cython.bint = board.holes(board.side) == 1
        for i in range(needs):
            if not self.needs[6 * i + piece] & hole:
                alone = False
        if alone:
            return first << 13
        for j in range(6):
            if board.square[begin + j] == GONE:
                continue
            mask = FULL & ~board.pegs[begin + j]
            if j == piece:
                mask &= ~hole
            for i in range(needs):
                if not self.needs[6 * i + piece] & hole:
                    mask &= self.needs[6 * i + j]
            if mask:
                return first << 13 | 4096 | board.square[begin + j] << 6 | lowest(mask)
        return 0
