# What the kernel takes from C: constants as macros, single instructions, and loops over vectors that
# the compiler unrolls. machine.py is the same in Python, name by name.

cdef extern from *:
    """
    #include <stdlib.h>
    #include <string.h>

    #define THRIVE_BOARD 0x3f3f3f3f3f3fULL
    #define THRIVE_FULL 0x1f1f1b1f1fULL
    #define THRIVE_NOBODY 12
    #define THRIVE_GONE 63
    #define THRIVE_MOVEMENTS 144
    #define THRIVE_TURN 0x3fffffffffULL
    #define THRIVE_PLIES 64
    #define THRIVE_PEGS 144
    #define THRIVE_FEW 12
    #define THRIVE_PAIRS 66
    #define THRIVE_WIN 30000
    #define THRIVE_DECIDED 29000
    #define THRIVE_HOPELESS 20000
    #define THRIVE_EXACT 1
    #define THRIVE_LOWER 2
    #define THRIVE_UPPER 3
    #define THRIVE_PROVES 0
    #define THRIVE_STATIC_DEPTH 1
    #define THRIVE_STATIC_MARGIN 2
    #define THRIVE_PASS_DEPTH 3
    #define THRIVE_PASS_MARGIN 4
    #define THRIVE_PASS_LESS 5
    #define THRIVE_SUICIDE_DEPTH 6
    #define THRIVE_MOVEMENTS_A_DEPTH 7
    #define THRIVE_FEWEST_MOVEMENTS 8
    #define THRIVE_PAIR_MARGIN 9
    #define THRIVE_UNREDUCED 10
    #define THRIVE_WIDTH 11
    #define THRIVE_WIDENING 12
    #define THRIVE_HALF_WIDTH 13
    #define THRIVE_QUARTER_WIDTH 14
    #define THRIVE_LESS_BY_TWO 15
    #define THRIVE_LESS_BY_THREE 16
    #define THRIVE_LESS_BY_FOUR 17
    #define THRIVE_CAPTURES 18
    #define THRIVE_CAPTURES_WITH_PEGS 19
    #define THRIVE_UNITS 32
    #define THRIVE_STATES 80
    #define THRIVE_INPUTS 4000
    #define THRIVE_RACE 3680
    #define THRIVE_SPOTS (46 * 37)
    #define THRIVE_BIG 5
    #define THRIVE_MOST_WORTH 9000

    static CYTHON_INLINE int thrive_popcount(unsigned long long x) {
    #if defined(__x86_64__) && defined(__GNUC__)
        __asm__("popcntq %0, %0" : "+r"(x) : : "cc");
        return (int)x;
    #elif defined(__GNUC__)
        return __builtin_popcountll(x);
    #else
        int n = 0;
        for (; x; x &= x - 1) n++;
        return n;
    #endif
    }

    static CYTHON_INLINE int thrive_lowest(unsigned long long x) {
    #if defined(__GNUC__)
        return __builtin_ctzll(x);
    #else
        int n = 0;
        while (!(x >> n & 1)) n++;
        return n;
    #endif
    }

    static CYTHON_INLINE unsigned long long thrive_bit(int square) { return 1ULL << square; }

    static CYTHON_INLINE unsigned long long thrive_reach(unsigned long long pegs, int square) {
        return pegs << square >> 18 & THRIVE_BOARD;
    }

    static CYTHON_INLINE int thrive_has_popcount(void) {
    #if defined(__x86_64__) && defined(__GNUC__)
        return __builtin_cpu_supports("popcnt") != 0;
    #else
        return 1;
    #endif
    }

    static CYTHON_INLINE unsigned long long thrive_mix(unsigned long long x) {
        x *= 0x9e3779b97f4a7c15ULL;
        x ^= x >> 29;
        x *= 0xbf58476d1ce4e5b9ULL;
        return x ^ x >> 32;
    }

    /* The weights: they are set once, before anything is searched. */
    static short thrive_units[THRIVE_INPUTS * THRIVE_UNITS];
    static short thrive_linear[THRIVE_INPUTS];
    static short thrive_spots[2 * THRIVE_SPOTS];
    static short thrive_output[2 * THRIVE_UNITS];
    static short thrive_bias[THRIVE_UNITS + 1];

    static short thrive_short(const unsigned char *data) {
        return (short)(data[0] | data[1] << 8);
    }

    static const unsigned char *thrive_fill(short *to, int count, const unsigned char *data) {
        int i;
        for (i = 0; i < count; i++) to[i] = thrive_short(data + 2 * i);
        return data + 2 * count;
    }

    static void thrive_set_weights(const unsigned char *data) {
        data = thrive_fill(thrive_units, THRIVE_INPUTS * THRIVE_UNITS, data);
        data = thrive_fill(thrive_linear, THRIVE_INPUTS, data);
        data = thrive_fill(thrive_spots, 2 * THRIVE_SPOTS, data);
        data = thrive_fill(thrive_output, 2 * THRIVE_UNITS, data);
        thrive_fill(thrive_bias, THRIVE_UNITS + 1, data);
    }

    static CYTHON_INLINE int thrive_linear_weight(int input) { return thrive_linear[input]; }
    static CYTHON_INLINE int thrive_spot_weight(int spot) { return thrive_spots[spot]; }
    static CYTHON_INLINE int thrive_bias_weight(int unit) { return thrive_bias[unit]; }

    static CYTHON_INLINE void thrive_copy(short *units, int to, int from) {
        memcpy(units + to, units + from, 2 * THRIVE_UNITS * sizeof(short));
    }

    static CYTHON_INLINE void thrive_copy_bytes(unsigned char *data, int to, int from, int count) {
        memcpy(data + to, data + from, count);
    }

    static CYTHON_INLINE void thrive_change(short *units, int at, int old, int new_) {
        const short *minus = thrive_units + THRIVE_UNITS * old;
        const short *plus = thrive_units + THRIVE_UNITS * new_;
        int i;
        units += at;
        for (i = 0; i < THRIVE_UNITS; i++) units[i] = (short)(units[i] + plus[i] - minus[i]);
    }

    static CYTHON_INLINE int thrive_half(const short *units, const short *weights) {
        int i, sum = 0;
        for (i = 0; i < THRIVE_UNITS; i++) {
            short x = units[i];
            x = x > 0 ? x : 0;
            x = x < 127 ? x : 127;
            sum += x * weights[i];
        }
        return sum;
    }

    static CYTHON_INLINE int thrive_sum(const short *units, int mine, int theirs) {
        return (thrive_half(units + mine, thrive_output)
                + thrive_half(units + theirs, thrive_output + THRIVE_UNITS)) >> 7;
    }

    static CYTHON_INLINE int thrive_sum_if(
            const short *units, int mine, int theirs, int old_mine, int new_mine, int old_theirs,
            int new_theirs) {
        short changed[2 * THRIVE_UNITS];
        const short *a = units + mine, *b = units + theirs;
        const short *am = thrive_units + THRIVE_UNITS * old_mine;
        const short *ap = thrive_units + THRIVE_UNITS * new_mine;
        const short *bm = thrive_units + THRIVE_UNITS * old_theirs;
        const short *bp = thrive_units + THRIVE_UNITS * new_theirs;
        int i;
        for (i = 0; i < THRIVE_UNITS; i++) changed[i] = (short)(a[i] + ap[i] - am[i]);
        for (i = 0; i < THRIVE_UNITS; i++)
            changed[THRIVE_UNITS + i] = (short)(b[i] + bp[i] - bm[i]);
        return thrive_sum(changed, 0, THRIVE_UNITS);
    }
    """
    const unsigned long long BOARD "THRIVE_BOARD"
    const unsigned long long FULL "THRIVE_FULL"
    const unsigned long long TURN "THRIVE_TURN"
    const int NOBODY "THRIVE_NOBODY"
    const int GONE "THRIVE_GONE"
    const int MOVEMENTS "THRIVE_MOVEMENTS"
    const int PLIES "THRIVE_PLIES"
    const int PEGS "THRIVE_PEGS"
    const int FEW "THRIVE_FEW"
    const int PAIRS "THRIVE_PAIRS"
    const int WIN "THRIVE_WIN"
    const int DECIDED "THRIVE_DECIDED"
    const int HOPELESS "THRIVE_HOPELESS"
    const int EXACT "THRIVE_EXACT"
    const int LOWER "THRIVE_LOWER"
    const int UPPER "THRIVE_UPPER"
    const int PROVES "THRIVE_PROVES"
    const int STATIC_DEPTH "THRIVE_STATIC_DEPTH"
    const int STATIC_MARGIN "THRIVE_STATIC_MARGIN"
    const int PASS_DEPTH "THRIVE_PASS_DEPTH"
    const int PASS_MARGIN "THRIVE_PASS_MARGIN"
    const int PASS_LESS "THRIVE_PASS_LESS"
    const int SUICIDE_DEPTH "THRIVE_SUICIDE_DEPTH"
    const int MOVEMENTS_A_DEPTH "THRIVE_MOVEMENTS_A_DEPTH"
    const int FEWEST_MOVEMENTS "THRIVE_FEWEST_MOVEMENTS"
    const int PAIR_MARGIN "THRIVE_PAIR_MARGIN"
    const int UNREDUCED "THRIVE_UNREDUCED"
    const int WIDTH "THRIVE_WIDTH"
    const int WIDENING "THRIVE_WIDENING"
    const int HALF_WIDTH "THRIVE_HALF_WIDTH"
    const int QUARTER_WIDTH "THRIVE_QUARTER_WIDTH"
    const int LESS_BY_TWO "THRIVE_LESS_BY_TWO"
    const int LESS_BY_THREE "THRIVE_LESS_BY_THREE"
    const int LESS_BY_FOUR "THRIVE_LESS_BY_FOUR"
    const int CAPTURES "THRIVE_CAPTURES"
    const int CAPTURES_WITH_PEGS "THRIVE_CAPTURES_WITH_PEGS"
    const int UNITS "THRIVE_UNITS"
    const int STATES "THRIVE_STATES"
    const int INPUTS "THRIVE_INPUTS"
    const int RACE "THRIVE_RACE"
    const int SPOTS "THRIVE_SPOTS"
    const int BIG "THRIVE_BIG"
    const int MOST_WORTH "THRIVE_MOST_WORTH"

    int popcount "thrive_popcount"(unsigned long long x) noexcept nogil
    int lowest "thrive_lowest"(unsigned long long x) noexcept nogil
    unsigned long long bit_of "thrive_bit"(int square) noexcept nogil
    unsigned long long reach_of "thrive_reach"(unsigned long long pegs, int square) noexcept nogil
    int has_popcount "thrive_has_popcount"() noexcept nogil
    unsigned long long mix "thrive_mix"(unsigned long long x) noexcept nogil

    void set_weights "thrive_set_weights"(const unsigned char *data) noexcept nogil
    int linear_weight "thrive_linear_weight"(int input) noexcept nogil
    int spot_weight "thrive_spot_weight"(int spot) noexcept nogil
    int bias_weight "thrive_bias_weight"(int unit) noexcept nogil
    void copy_units "thrive_copy"(short *units, int to, int from_) noexcept nogil
    void copy_bytes "thrive_copy_bytes"(unsigned char *data, int to, int from_, int count) noexcept nogil
    void change_input "thrive_change"(short *units, int at, int old, int new) noexcept nogil
    int sum_units "thrive_sum"(const short *units, int mine, int theirs) noexcept nogil
    int sum_units_if "thrive_sum_if"(
        const short *units, int mine, int theirs, int old_mine, int new_mine, int old_theirs,
        int new_theirs) noexcept nogil
