cdef class Board:
    cdef int[12] square
    cdef unsigned long long[12] pegs
    cdef int[64] who
    cdef unsigned long long[2] occupied
    cdef int[2] count
    cdef int side
    cdef unsigned long long key
    cdef int height
    cdef int[130] captured
    cdef unsigned long long[130] keys
    cdef unsigned long long[130] halfway
    cdef int[18720] found

    cdef unsigned long long piece_key(self, int i) noexcept nogil
    cdef int movements(self, int *found, int at) noexcept nogil
    cdef void make(self, int movement) noexcept nogil
    cdef void unmake(self, int movement) noexcept nogil
    cdef void place(self, int first, int second) noexcept nogil
    cdef void remove(self, int first, int second) noexcept nogil
    cdef bint has_full(self, int side) noexcept nogil
    cdef bint is_over(self) noexcept nogil
    cdef int winner(self, int mover) noexcept nogil
    cdef int holes(self, int side) noexcept nogil
    cdef int fullest(self, int side) noexcept nogil
    cdef int free_pegs(self, int *found, int at) noexcept nogil
    cdef unsigned long long pairs_after(self, int movement) noexcept nogil
    cdef unsigned long long counted(self) noexcept nogil
    cdef unsigned long long walk_counting(self, int depth) noexcept nogil
    cdef unsigned long long walk(self, int depth) noexcept nogil
    cdef unsigned long long walk_on(self, int depth, bint counting) noexcept nogil
    cdef unsigned long long walk_pegs(self, int depth, bint counting) noexcept nogil
    cdef unsigned long long walk_placed(
        self, int depth, int first, int second, bint counting) noexcept nogil
