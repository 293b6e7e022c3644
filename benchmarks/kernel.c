/* What bench_kernel.py measures the kernel against: the same board, perft and alpha-beta in C.
 *
 * kernel perft|alphabeta DEPTH ROUNDS SIDE WHITE... - BLACK...
 *
 * Pieces are packed as in the kernel, square << 37 | pegs. Prints the result, the nodes and the
 * seconds of processor time of each round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long long u64;

#define BOARD 0x3f3f3f3f3f3fULL
#define FULL 0x1f1f1b1f1fULL
#define NOBODY 12
#define GONE 63
#define MOVEMENTS 144
#define TURNS 130
#define FEW 4
#define WIN 30000

typedef struct {
    int square[12];
    u64 pegs[12];
    int who[64];
    u64 occupied[2];
    int count[2];
    int side;
    u64 key;
    int height;
    int captured[TURNS];
    u64 keys[TURNS];
    u64 halfway[TURNS];
} Position;

static u64 nodes;

static inline u64 bit(int square) { return 1ULL << square; }

static inline u64 mix(u64 x) {
    x *= 0x9e3779b97f4a7c15ULL;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ULL;
    return x ^ x >> 32;
}

static inline u64 piece_key(const Position *p, int i) {
    return mix((p->pegs[i] << 7) + (u64)(p->square[i] * 2 + (i >= 6)) + 2);
}

static inline u64 reach(const Position *p, int i) {
    return p->pegs[i] << p->square[i] >> 18 & BOARD;
}

static int movements(const Position *p, int *found) {
    int count = 0;
    for (int i = 6 * p->side; i < 6 * p->side + 6; i++) {
        if (p->square[i] == GONE) continue;
        for (u64 to = reach(p, i); to; to &= to - 1)
            found[count++] = p->square[i] << 6 | __builtin_ctzll(to);
    }
    if (!count) found[count++] = 0;
    return count;
}

static void make(Position *p, int movement) {
    int origin = movement >> 6, target = movement & 63, victim = NOBODY;
    p->keys[p->height] = p->key;
    if (movement) {
        int i = p->who[origin];
        victim = p->who[target];
        p->key ^= piece_key(p, i);
        if (victim != NOBODY) {
            p->key ^= piece_key(p, victim);
            p->occupied[victim >= 6] ^= bit(target);
            p->count[victim >= 6]--;
            p->square[victim] = GONE;
        }
        p->who[origin] = NOBODY;
        p->who[target] = i;
        p->occupied[p->side] ^= bit(origin) | bit(target);
        p->square[i] = target;
        p->key ^= piece_key(p, i);
    }
    p->captured[p->height] = victim;
    p->halfway[p->height] = p->key;
    p->height++;
}

static void unmake(Position *p, int movement) {
    int origin = movement >> 6, target = movement & 63;
    p->height--;
    p->key = p->keys[p->height];
    if (!movement) return;
    int victim = p->captured[p->height], i = p->who[target];
    p->who[origin] = i;
    p->who[target] = victim;
    p->square[i] = origin;
    p->occupied[p->side] ^= bit(origin) | bit(target);
    if (victim != NOBODY) {
        p->square[victim] = target;
        p->occupied[victim >= 6] ^= bit(target);
        p->count[victim >= 6]++;
    }
}

static void place(Position *p, int first, int second) {
    if (first) {
        int i = p->who[first >> 6 & 63];
        p->key ^= piece_key(p, i);
        p->pegs[i] |= bit(first & 63);
        if (second) {
            int j = p->who[second >> 6 & 63];
            if (j != i) p->key ^= piece_key(p, i) ^ piece_key(p, j);
            p->pegs[j] |= bit(second & 63);
            p->key ^= piece_key(p, j);
        } else {
            p->key ^= piece_key(p, i);
        }
    }
    p->side ^= 1;
    p->key ^= mix(1);
}

static void take_away(Position *p, int first, int second) {
    p->side ^= 1;
    p->key = p->halfway[p->height - 1];
    if (first) p->pegs[p->who[first >> 6 & 63]] ^= bit(first & 63);
    if (second) p->pegs[p->who[second >> 6 & 63]] ^= bit(second & 63);
}

static int has_full(const Position *p, int side) {
    for (int i = 6 * side; i < 6 * side + 6; i++)
        if (p->pegs[i] == FULL && p->square[i] != GONE) return 1;
    return 0;
}

static int is_over(const Position *p) {
    if (p->count[0] == 1 || p->count[1] == 1) return 1;
    return p->count[0] == 2 && p->count[1] == 2 && (has_full(p, 0) || has_full(p, 1));
}

static int winner(const Position *p, int mover) {
    if (p->count[0] == 1) return 1;
    if (p->count[1] == 1) return 0;
    return has_full(p, mover) ? mover : 1 - mover;
}

static int free_pegs(const Position *p, int *found) {
    int count = 0;
    for (int i = 6 * p->side; i < 6 * p->side + 6; i++) {
        if (p->square[i] == GONE) continue;
        for (u64 empty = FULL & ~p->pegs[i]; empty; empty &= empty - 1)
            found[count++] = 4096 | p->square[i] << 6 | __builtin_ctzll(empty);
    }
    return count;
}

static u64 perft(Position *p, int depth);

static u64 perft_placed(Position *p, int depth, int first, int second) {
    place(p, first, second);
    u64 total = perft(p, depth - 1);
    take_away(p, first, second);
    return total;
}

static u64 perft_pegs(Position *p, int depth) {
    int pegs[MOVEMENTS], count = free_pegs(p, pegs);
    u64 total = 0;
    if (count < 2) return perft_placed(p, depth, count ? pegs[0] : 0, 0);
    for (int i = 0; i < count - 1; i++)
        for (int j = i + 1; j < count; j++) total += perft_placed(p, depth, pegs[i], pegs[j]);
    return total;
}

static u64 perft(Position *p, int depth) {
    if (depth == 0) return 1;
    if (is_over(p)) return 0;
    int found[MOVEMENTS], count = movements(p, found);
    u64 total = 0;
    for (int i = 0; i < count; i++) {
        make(p, found[i]);
        if (is_over(p)) {
            p->side ^= 1;
            total += perft(p, depth - 1);
            p->side ^= 1;
        } else {
            total += perft_pegs(p, depth);
        }
        unmake(p, found[i]);
    }
    return total;
}

static int evaluate(const Position *p) {
    int worth[2] = {0, 0};
    for (int i = 0; i < 12; i++) {
        if (p->square[i] == GONE) continue;
        worth[i >= 6] += 100 + 4 * __builtin_popcountll(reach(p, i)) + __builtin_popcountll(p->pegs[i]);
    }
    return worth[p->side] - worth[1 - p->side];
}

static int search(Position *p, int depth, int alpha, int beta);

static int search_placed(Position *p, int first, int second, int depth, int alpha, int beta) {
    int side = p->side, value;
    place(p, first, second);
    if (is_over(p)) value = winner(p, side) == side ? WIN : -WIN;
    else value = -search(p, depth - 1, -beta, -alpha);
    take_away(p, first, second);
    return value;
}

static int search_pegs(Position *p, int depth, int alpha, int beta) {
    int pegs[MOVEMENTS], count = free_pegs(p, pegs);
    if (count < 2) return search_placed(p, count ? pegs[0] : 0, 0, depth, alpha, beta);
    if (count > FEW) count = FEW;
    for (int i = 0; i < count - 1; i++) {
        for (int j = i + 1; j < count; j++) {
            int value = search_placed(p, pegs[i], pegs[j], depth, alpha, beta);
            if (value > alpha) alpha = value;
            if (alpha >= beta) return alpha;
        }
    }
    return alpha;
}

static int search(Position *p, int depth, int alpha, int beta) {
    nodes++;
    if (depth == 0) return evaluate(p);
    int found[MOVEMENTS], count = movements(p, found);
    for (int i = 0; i < count && alpha < beta; i++) {
        int value;
        make(p, found[i]);
        if (is_over(p)) value = winner(p, p->side) == p->side ? WIN : -WIN;
        else value = search_pegs(p, depth, alpha, beta);
        unmake(p, found[i]);
        if (value > alpha) alpha = value;
    }
    return alpha;
}

static void set_up(Position *p, int side, int count, char **words) {
    memset(p, 0, sizeof *p);
    for (int i = 0; i < 12; i++) p->square[i] = GONE;
    for (int i = 0; i < 64; i++) p->who[i] = NOBODY;
    int at = 0;
    for (int n = 0; n < count; n++) {
        if (!strcmp(words[n], "-")) {
            at = 6;
            continue;
        }
        u64 packed = strtoull(words[n], NULL, 10);
        p->square[at] = (int)(packed >> 37);
        p->pegs[at] = packed & 0x1fffffffffULL;
        p->who[p->square[at]] = at;
        p->occupied[at >= 6] |= bit(p->square[at]);
        p->count[at >= 6]++;
        p->key ^= piece_key(p, at++);
    }
    p->side = side;
    if (side) p->key ^= mix(1);
}

static double processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc < 7) return 2;
    static Position p;
    int depth = atoi(argv[2]);
    for (int round = 0; round < atoi(argv[3]); round++) {
        set_up(&p, atoi(argv[4]), argc - 5, argv + 5);
        u64 key = p.key;
        nodes = 0;
        double begin = processor_time();
        long long result = !strcmp(argv[1], "perft") ? (long long)perft(&p, depth)
                                                     : search(&p, depth, -WIN, WIN);
        double seconds = processor_time() - begin;
        if (p.key != key) return 1;
        printf("%lld %llu %.9f\n", result, nodes, seconds);
    }
    return 0;
}
