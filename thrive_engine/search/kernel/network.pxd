from thrive_engine.search.kernel.board cimport Board

cdef class Network:
    cdef int frame
    cdef short[16640] units
    cdef int[520] worth
    cdef unsigned char[12480] state
    cdef unsigned char[24960] attackers
    cdef int[2080] race
    cdef int[48] gains

    cdef int input_of(self, int view, int square, int state) noexcept nogil
    cdef int spot_of(self, int view, int i, int square, int bit) noexcept nogil
    cdef int spot(self, int view, int i, int square, int bit) noexcept nogil
    cdef void look(self, Board board) noexcept nogil
    cdef void open_frame(self) noexcept nogil
    cdef void close_frame(self) noexcept nogil
    cdef void moved(self, Board board, int movement) noexcept nogil
    cdef void placed(self, Board board, int first, int second) noexcept nogil
    cdef void pegged(self, Board board, int peg) noexcept nogil
    cdef void count_reach(self, unsigned long long squares, int i, int step) noexcept nogil
    cdef void add_spots(self, unsigned long long pegs, int i, int square, int step) noexcept nogil
    cdef int state_of(self, Board board, int square, int white, int black) noexcept nogil
    cdef void refresh(self, Board board, int square) noexcept nogil
    cdef int number(self, int view, int square, int state) noexcept nogil
    cdef void replace(self, int at, int view, int old, int new) noexcept nogil
    cdef void refresh_race(self, Board board) noexcept nogil
    cdef void set_fill(self, Board board, int filled, int other, int more) noexcept nogil
    cdef int race_gain(self, Board board, int base, int pegs) noexcept nogil
    cdef void set_race(self, int view, int which, int number) noexcept nogil
    cdef int evaluate(self, Board board) noexcept nogil
    cdef int raw(self, int side) noexcept nogil
    cdef int gain(self, Board board, int square, int base) noexcept nogil
