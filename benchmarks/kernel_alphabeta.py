"""A plain alpha-beta on the kernel's board, like the one in kernel.c; bench_kernel.py compiles it.

It uses the board as the kernel's own search does: from another module, by its C functions.
"""

import cython

if cython.compiled:
    from cython.cimports.thrive_engine.search.kernel.board import Board
    from cython.cimports.thrive_engine.search.kernel.machine import GONE, popcount, reach_of
else:
    from thrive_engine.search.kernel.board import Board
    from thrive_engine.search.kernel.machine import GONE, popcount, reach_of


@cython.final
@cython.cclass
class AlphaBeta:
    """Every movement of a position, and after it the pairs of the first four pegs."""

    board: Board
    nodes: cython.ulonglong

    def __init__(self, board: Board) -> None:
        self.board = board
        self.nodes = 0

    def value(self, depth: int) -> tuple[int, int]:
        """The value of the position, and the nodes it took."""
        left: cython.int = depth
        found: cython.int
        self.nodes = 0
        with cython.nogil:
            found = self.search(left, -30000, 30000)
        return found, self.nodes

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self, depth: cython.int, alpha: cython.int, beta: cython.int) -> cython.int:
        found: cython.int[144]
        i: cython.int
        value: cython.int
        count: cython.int
        self.nodes += 1
        if depth == 0:
            return self.evaluate()
        count = self.board.movements(found, 0)
        for i in range(count):
            self.board.make(found[i])
            if self.board.is_over():
                value = self.outcome(self.board.side)
            else:
                value = self.search_pegs(depth, alpha, beta)
            self.board.unmake(found[i])
            if value > alpha:
                alpha = value
            if alpha >= beta:
                break
        return alpha

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search_pegs(self, depth: cython.int, alpha: cython.int, beta: cython.int) -> cython.int:
        pegs: cython.int[144]
        i: cython.int
        j: cython.int
        value: cython.int
        count: cython.int = self.board.free_pegs(pegs, 0)
        if count < 2:
            return self.search_placed(pegs[0] if count else 0, 0, depth, alpha, beta)
        if count > 4:
            count = 4
        for i in range(count - 1):
            for j in range(i + 1, count):
                value = self.search_placed(pegs[i], pegs[j], depth, alpha, beta)
                if value > alpha:
                    alpha = value
                if alpha >= beta:
                    return alpha
        return alpha

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def search_placed(
        self,
        first: cython.int,
        second: cython.int,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
    ) -> cython.int:
        side: cython.int = self.board.side
        value: cython.int
        self.board.place(first, second)
        if self.board.is_over():
            value = self.outcome(side)
        else:
            value = -self.search(depth - 1, -beta, -alpha)
        self.board.remove(first, second)
        return value

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def outcome(self, side: cython.int) -> cython.int:
        return 30000 if self.board.winner(side) == side else -30000

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def evaluate(self) -> cython.int:
        worth: cython.int[2]
        i: cython.int
        square: cython.int
        pegs: cython.ulonglong
        worth[0] = worth[1] = 0
        for i in range(12):
            square = self.board.square[i]
            if square != GONE:
                pegs = self.board.pegs[i]
                worth[1 if i >= 6 else 0] += (
                    100 + 4 * popcount(reach_of(pegs, square)) + popcount(pegs)
                )
        return worth[self.board.side] - worth[1 - self.board.side]
