cdef class Table:
    cdef unsigned long long *words
    cdef unsigned long long places
    cdef unsigned long long age

    cdef unsigned long long get(self, unsigned long long key) noexcept nogil
    cdef void put(
        self, unsigned long long key, unsigned long long turn, int value, int depth, int bound
    ) noexcept nogil
