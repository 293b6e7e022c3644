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
    needs: cython.ulonglong[864]
    """The pegs that answer each movement of the loser: 6 masks each, one for every piece."""

    def __init__(self) -> None:
        self.found = [0] * 144
        self.ours = [0] * 144
        self.theirs = [0] * 144
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
        if self.capture(board, side):
            return True
        return board.count[0] == 2 and board.count[1] == 2 and board.fullest(side) >= 22

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_lost(self, board: Board) -> cython.bint:
        """Every movement of the side to move, which can't win at once, leaves a win."""
        side: cython.int = board.side
        i: cython.int
        count: cython.int
        lost: cython.bint = True
        if board.count[side] != 2:
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
        if enemies > 3:
            return 0
        if enemies == 3 and not self.takes(board, side):
            return 0
        count = board.movements(self.ours, 0)
        for i in range(count):
            movement = self.ours[i]
            if enemies == 3 and not board.occupied[1 - side] & bit_of(movement & 63):
                continue
            board.make(movement)
            if not board.is_over():
                turn = self.answer_all(board)
            board.unmake(movement)
            if turn:
                return turn | self.shifted(movement)
        return 0

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
        """The pegs, after a movement, that leave a win after every movement of the other side."""
        side: cython.int = board.side
        needs: cython.int
        pegs: cython.ulonglong = 0
        board.side = 1 - side
        if self.win(board) == 0:
            needs = self.list_needs(board, side)
            board.side = side
            if needs >= 0:
                pegs = self.hit(board, needs)
            if pegs == 0:
                pegs = self.fill_up(board)
        board.side = side
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
        """Two pegs into a piece that two more will fill, if nothing stops it; or 0."""
        side: cython.int = board.side
        i: cython.int
        first: cython.ulonglong
        second: cython.ulonglong
        rest: cython.ulonglong
        empty: cython.ulonglong
        if board.count[0] != 2 or board.count[1] != 2:
            return 0
        for i in range(6 * side, 6 * side + 6):
            if board.square[i] == GONE or popcount(board.pegs[i]) != 20:
                continue
            empty = FULL & ~board.pegs[i]
            while empty:
                first = empty & (~empty + 1)
                empty ^= first
                rest = empty
                while rest:
                    second = rest & (~rest + 1)
                    rest ^= second
                    if self.holds(board, i, first | second):
                        return (
                            (4096 | board.square[i] << 6 | lowest(first)) << 13
                            | 4096
                            | board.square[i] << 6
                            | lowest(second)
                        )
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def holds(self, board: Board, i: cython.int, pegs: cython.ulonglong) -> cython.bint:
        """Whether, with these pegs in a piece, every movement of the other side leaves a win."""
        side: cython.int = board.side
        needs: cython.int
        board.pegs[i] |= pegs
        board.side = 1 - side
        needs = self.list_needs(board, side)
        board.side = side
        board.pegs[i] ^= pegs
        return needs == 0

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
        any_peg: cython.ulonglong = 0
        mask: cython.ulonglong
        if board.is_over():
            return 0 if board.winner(1 - side) == side else -1
        if self.threatens(board, side):
            return 0
        for j in range(6):
            i = 6 * side + j
            mask = 0
            if board.square[i] != GONE:
                if board.count[1 - side] == 2:
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
