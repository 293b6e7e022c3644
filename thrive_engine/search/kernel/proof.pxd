from thrive_engine.search.kernel.board cimport Board

cdef class Proof:
    cdef int[144] found
    cdef int[144] ours
    cdef int[144] theirs
    cdef int[16] fillers
    cdef unsigned long long[864] needs

    cdef unsigned long long win(self, Board board) noexcept nogil
    cdef unsigned long long capture(self, Board board, int side) noexcept nogil
    cdef unsigned long long win_by(self, Board board, int movement) noexcept nogil
    cdef unsigned long long shifted(self, int movement) noexcept nogil
    cdef unsigned long long filling(self, Board board) noexcept nogil
    cdef bint threatens(self, Board board, int side) noexcept nogil
    cdef bint takes_and_fills(self, Board board, int side) noexcept nogil
    cdef bint sheds_and_fills(self, Board board, int side) noexcept nogil
    cdef bint can_shed(self, Board board, int side, int i, int kept) noexcept nogil
    cdef bint is_lost(self, Board board) noexcept nogil
    cdef unsigned long long win_in_two(self, Board board) noexcept nogil
    cdef bint must_shed(self, Board board, int side) noexcept nogil
    cdef bint takes(self, Board board, int side) noexcept nogil
    cdef unsigned long long answer_all(self, Board board) noexcept nogil
    cdef int list_needs(self, Board board, int side) noexcept nogil
    cdef unsigned long long fill_up(self, Board board) noexcept nogil
    cdef int list_fillers(self, Board board) noexcept nogil
    cdef bint holds(self, Board board, int first, int second) noexcept nogil
    cdef int need(self, Board board, int side, int at) noexcept nogil
    cdef unsigned long long hit(self, Board board, int needs) noexcept nogil
    cdef unsigned long long second(
        self, Board board, int needs, int piece, unsigned long long hole) noexcept nogil
