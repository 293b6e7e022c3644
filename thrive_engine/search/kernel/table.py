"""The transposition table: what was found about positions, shared by all threads of a search.

It has no locks. An entry is two words, the key mixed with the data and the data: of an entry that
two threads wrote at once the words don't fit together, and it is passed over. The data are, from
the lowest bit, the turn (38 bits), the value (16), the depth (6), the bound (2) and the age (1).
"""

try:
    import cython
except ImportError:
    from thrive_engine.search.kernel import plain as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free
    from cython.cimports.libc.string import memset


@cython.final
@cython.cclass
class Table:
    """So many megabytes of entries, two to a place."""

    words: cython.p_ulonglong
    places: cython.ulonglong
    age: cython.ulonglong

    def __init__(self, megabytes: int) -> None:
        places = 1 << (megabytes * 32768).bit_length() - 1
        self.places = places
        self.age = 0
        if cython.compiled:
            self.words = cython.cast(cython.p_ulonglong, calloc(places * 4, 8))
            if not self.words:
                raise MemoryError(f"{megabytes} MB")
        else:
            self.words = [0] * (4 * places)

    def __dealloc__(self) -> None:
        if cython.compiled:
            free(self.words)

    def clear(self) -> None:
        """Forget everything."""
        if cython.compiled:
            memset(self.words, 0, self.places * 32)
        else:
            self.words = [0] * (4 * self.places)
        self.age = 0

    def grow_old(self) -> None:
        """A new search begins: older entries may go first."""
        self.age ^= 1

    def fullness(self) -> int:
        """How much is in use, per mille, by a sample."""
        sample = min(1000, self.places)
        used = sum(self.words[4 * i + 1] != 0 for i in range(sample))
        return used * 1000 // sample

    # Everything below runs without the interpreter.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def get(self, key: cython.ulonglong) -> cython.ulonglong:
        """The data about a position, or 0."""
        at: cython.ulonglong = (key & (self.places - 1)) * 4
        data: cython.ulonglong = self.words[at + 1]
        if data and self.words[at] ^ data == key:
            return data
        data = self.words[at + 3]
        if data and self.words[at + 2] ^ data == key:
            return data
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(
        self,
        key: cython.ulonglong,
        turn: cython.ulonglong,
        value: cython.int,
        depth: cython.int,
        bound: cython.int,
    ) -> cython.void:
        """Keep what was found: in the first entry if it is deep, else in the second."""
        at: cython.ulonglong = (key & (self.places - 1)) * 4
        high: cython.ulonglong = value + 32768
        deep: cython.ulonglong = depth if depth > 0 else 0
        kind: cython.ulonglong = bound
        old: cython.ulonglong = self.words[at + 1]
        data: cython.ulonglong = turn | high << 38 | deep << 54 | kind << 60 | self.age << 62
        if (
            old
            and self.words[at] ^ old != key
            and old >> 62 == self.age
            and (old >> 54 & 63) > deep
        ):
            at += 2
        self.words[at] = key ^ data
        self.words[at + 1] = data
