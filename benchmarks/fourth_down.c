/* Hand-written C version of 4th Down!: the reference for the speed of the compiled rules.
 *
 * It has the same rules with default options, the same generator, the same statistics and the
 * coach `book` on both sides. Usage: fourth_down GAMES SEED; prints games, seconds, home wins,
 * away wins, ties and the digest of all final positions, which must equal Hashmark's.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef int64_t i64;

enum { COIN_TOSS, DRIVE, FOURTH_DOWN, UNTIMED_DOWN, TRY, OVER };
enum { BALANCED, RUN_FIRST, PASS_FIRST, GO_FOR_IT, FIELD_GOAL, PUNT, END_HALF, ONE_POINT, TWO_POINT };
enum {
    POINTS, DRIVES, YARDS_GAINED, BLOCKS_USED, TOUCHDOWNS, FIELD_GOALS, FIELD_GOALS_TRIED, SAFETIES,
    TURNOVERS, LOST_ON_DOWNS, FOURTHS_TRIED, FOURTHS_MADE, PUNTS, ONES, ONES_TRIED, TWOS, TWOS_TRIED,
    STATISTICS
};
enum { TD = 1000, NEVER = 1000, FULL_CLOCK = 180 };

static const int YARDS[3][21] = {
    {0, -10, 0, 3, 5, 6, 7, 9, 12, 15, 18, 25, 32, 38, 45, 55, 68, 80, TD, TD, TD},
    {0, -2, 0, 2, 3, 4, 6, 8, 10, 12, 15, 18, 22, 26, 30, 34, 38, 42, 60, 90, TD},
    {0, -10, -5, 0, 5, 8, 12, 15, 18, 22, 28, 35, 42, 50, 60, 70, 80, 90, TD, TD, TD},
};
static const int BLOCKS[3][21] = {
    {0, 4, 5, 6, 6, 7, 8, 9, 10, 11, 18, 19, 22, 26, 31, 34, 38, 40, 0, 0, 0},
    {0, 12, 12, 12, 12, 12, 12, 12, 15, 17, 18, 20, 22, 24, 27, 32, 35, 38, 40, 45, 0},
    {0, 2, 3, 4, 4, 5, 6, 7, 8, 9, 12, 15, 17, 20, 24, 29, 36, 40, 0, 0, 0},
};
static const int LOST_UP_TO[3] = {2, 1, 4};
static const int CONVERSION[21] = {0, -10, -5, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, 14, 20, 30, TD};
static const int MAKE[21] = {0, 0, 15, 20, 25, 30, 30, 30, 30, 35, 35, 35, 35, 40, 40, 40, 40, 45, 45, 45, 45};
static int TIME_CAP[3][101], ROW_THAT_FITS[3][FULL_CLOCK + 1], MISSED_UP_TO[101];

typedef struct {
    int32_t phase, period, clock, possession, spot, score[2], down, to_go, received_first, untimed, winner;
    u64 dice, stride;
    int32_t stats[2][STATISTICS];
} Position;

static const u64 STRIDE = 0x9E3779B97F4A7C15ull;

static inline u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline u64 stream_start(u64 seed, u64 game, u64 stream) {
    return mix(mix(mix(seed + STRIDE) + game * STRIDE) + stream * STRIDE);
}

static inline u64 stream_stride(u64 start) { return (mix(start + STRIDE) << 1) ^ STRIDE; }

static inline int roll(Position *g, const u64 n) {
    for (;;) {
        g->dice += g->stride;
        u64 product = (mix(g->dice) >> 32) * n, low = product & 0xFFFFFFFFull;
        if (low >= n || low >= 0x100000000ull % n) return (int)(product >> 32) + 1;
    }
}

static inline int to_goal(const Position *g) { return 100 - g->spot; }

static void first_and_ten(Position *g, int team, int spot) {
    g->phase = DRIVE; g->possession = team; g->spot = spot; g->down = 0; g->to_go = 0;
}

static void end_half(Position *g) {
    g->untimed = 0;
    if (g->period == 1) {
        g->period = 2;
        g->clock = FULL_CLOCK;
        first_and_ten(g, 1 - g->received_first, 30);
        return;
    }
    g->phase = OVER; g->clock = 0; g->possession = -1; g->spot = 0; g->down = 0; g->to_go = 0;
    g->winner = g->score[0] > g->score[1] ? 0 : g->score[1] > g->score[0] ? 1 : 2;
}

static void begin_drive(Position *g, int team, int spot) {
    if (g->clock == 0) end_half(g); else first_and_ten(g, team, spot);
}

static void safety(Position *g) {
    int other = 1 - g->possession;
    g->score[other] += 2;
    g->stats[other][POINTS] += 2; g->stats[other][SAFETIES]++;
    begin_drive(g, other, 30);
}

static void touchdown(Position *g) {
    g->score[g->possession] += 6;
    g->stats[g->possession][POINTS] += 6; g->stats[g->possession][TOUCHDOWNS]++;
    g->phase = TRY; g->spot = 0; g->down = 0; g->to_go = 0;
}

static void advance(Position *g, int gain, int blocks) {
    g->clock -= blocks;
    g->spot += gain;
    int32_t *s = g->stats[g->possession];
    s[DRIVES]++; s[YARDS_GAINED] += gain; s[BLOCKS_USED] += blocks;
}

static void turnover(Position *g) {
    int spot = g->spot >= 100 ? 20 : to_goal(g);
    g->stats[g->possession][TURNOVERS]++;
    begin_drive(g, 1 - g->possession, spot);
}

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

static void drive_that_fits(Position *g, int style, int gain, int blocks) {
    if (g->spot + gain <= 0) {
        advance(g, gain, blocks);
        safety(g);
    } else if (gain >= to_goal(g)) {
        advance(g, to_goal(g), min(blocks, TIME_CAP[style][to_goal(g)]));
        if (roll(g, 20) <= LOST_UP_TO[style]) turnover(g); else touchdown(g);
    } else {
        advance(g, gain, blocks);
        if (roll(g, 20) <= LOST_UP_TO[style]) {
            turnover(g);
        } else {
            int to_go = style == RUN_FIRST ? roll(g, 8) : style == BALANCED ? roll(g, 10) : roll(g, 20);
            g->phase = FOURTH_DOWN;
            g->down = 4;
            g->to_go = min(to_go, to_goal(g));
        }
    }
}

static void drive_cut_short(Position *g, int style) {
    int row = ROW_THAT_FITS[style][g->clock], gain = YARDS[style][row], blocks = BLOCKS[style][row];
    if (row == 0) {
        g->stats[g->possession][DRIVES]++;
        g->phase = UNTIMED_DOWN;
    } else if (g->spot + gain <= 0) {
        advance(g, gain, blocks);
        safety(g);
    } else if (gain >= to_goal(g)) {
        advance(g, to_goal(g), min(blocks, TIME_CAP[style][to_goal(g)]));
        touchdown(g);
    } else {
        advance(g, gain, blocks);
        if (roll(g, 20) <= LOST_UP_TO[style]) turnover(g); else g->phase = UNTIMED_DOWN;
    }
}

static void drive(Position *g, int style) {
    int row = roll(g, 20), gain = YARDS[style][row], blocks = BLOCKS[style][row];
    if (gain == TD) {
        gain = to_goal(g);
        blocks = min(roll(g, 20), TIME_CAP[style][gain]);
    }
    if (blocks <= g->clock) drive_that_fits(g, style, gain, blocks); else drive_cut_short(g, style);
}

static void go_for_it(Position *g) {
    int gain = CONVERSION[roll(g, 20)], team = g->possession;
    int32_t *s = g->stats[team];
    s[FOURTHS_TRIED]++;
    if (gain >= to_goal(g)) {
        s[FOURTHS_MADE]++; s[YARDS_GAINED] += to_goal(g);
        touchdown(g);
    } else if (g->spot + gain <= 0) {
        s[YARDS_GAINED] += gain;
        safety(g);
    } else if (gain >= g->to_go) {
        s[FOURTHS_MADE]++; s[YARDS_GAINED] += gain;
        begin_drive(g, team, g->spot + gain);
    } else {
        s[LOST_ON_DOWNS]++; s[YARDS_GAINED] += gain;
        begin_drive(g, 1 - team, to_goal(g) - gain);
    }
}

static int kick(Position *g) {
    int32_t *s = g->stats[g->possession];
    s[FIELD_GOALS_TRIED]++;
    if (roll(g, 20) <= MISSED_UP_TO[to_goal(g)]) return 0;
    g->score[g->possession] += 3;
    s[POINTS] += 3; s[FIELD_GOALS]++;
    return 1;
}

static void fourth_down(Position *g, int call) {
    int other = 1 - g->possession, distance = to_goal(g);
    if (call == GO_FOR_IT) {
        go_for_it(g);
    } else if (call == FIELD_GOAL) {
        if (kick(g)) begin_drive(g, other, 30); else begin_drive(g, other, max(distance + 7, 20));
    } else {
        g->stats[g->possession][PUNTS]++;
        begin_drive(g, other, max(60 - g->spot, 20));
    }
}

static void untimed_down(Position *g, int call) {
    if (call == FIELD_GOAL) {
        kick(g);
        end_half(g);
    } else if (call == GO_FOR_IT) {
        int gain = min(CONVERSION[roll(g, 20)], to_goal(g));
        g->stats[g->possession][YARDS_GAINED] += gain;
        if (gain == to_goal(g)) { g->untimed = 1; touchdown(g); } else end_half(g);
    } else {
        end_half(g);
    }
}

static void try_points(Position *g, int call) {
    int32_t *s = g->stats[g->possession];
    int one = call == ONE_POINT;
    s[one ? ONES_TRIED : TWOS_TRIED]++;
    if (one ? roll(g, 20) > MISSED_UP_TO[15] : roll(g, 10) > 6) {
        int points = one ? 1 : 2;
        g->score[g->possession] += points;
        s[POINTS] += points; s[one ? ONES : TWOS]++;
    }
    if (g->untimed) end_half(g); else begin_drive(g, 1 - g->possession, 30);
}

/* The coach `book`. */
static int book(const Position *g) {
    int lead = g->score[g->possession] - g->score[1 - g->possession];
    int late = g->period == 2 && g->clock <= 60, trailing = late && lead < 0, goal = to_goal(g);
    if (g->phase == DRIVE) return trailing ? PASS_FIRST : late && lead > 0 ? RUN_FIRST : BALANCED;
    if (g->phase == TRY) return late && lead <= -1 ? TWO_POINT : ONE_POINT;
    if (g->phase == UNTIMED_DOWN) {
        if (g->period == 2 && lead > 0) return END_HALF;
        return goal <= 45 && !(g->period == 2 && lead < -3) ? FIELD_GOAL : GO_FOR_IT;
    }
    if (trailing && lead < -3) return GO_FOR_IT;
    if (g->to_go <= 3 && (goal <= 40 || trailing)) return GO_FOR_IT;
    if (g->to_go <= 5 && goal <= 5) return GO_FOR_IT;
    if (goal <= 40) return FIELD_GOAL;
    if (g->to_go <= 5 && trailing) return GO_FOR_IT;
    return g->to_go <= 2 && g->spot >= 50 ? GO_FOR_IT : PUNT;
}

static void step(Position *g) {
    if (g->phase == COIN_TOSS) {
        g->received_first = roll(g, 2) - 1;
        begin_drive(g, g->received_first, 30);
        return;
    }
    int call = book(g);
    if (g->phase == DRIVE) drive(g, call);
    else if (g->phase == FOURTH_DOWN) fourth_down(g, call);
    else if (g->phase == TRY) try_points(g, call);
    else untimed_down(g, call);
}

static u64 fold(const Position *g) {
    u64 d = STRIDE;
    const int32_t values[] = {g->phase, g->period, g->clock, g->possession, g->spot, g->score[0], g->score[1],
                              g->down, g->to_go, g->received_first, g->untimed, g->winner};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) d = mix(d ^ (u64)(i64)values[i]);
    return d;
}

static void fill_tables(void) {
    for (int style = 0; style < 3; style++) {
        for (int distance = 0; distance <= 100; distance++) {
            TIME_CAP[style][distance] = NEVER;
            for (int row = 20; row >= 1; row--)
                if (YARDS[style][row] != TD && YARDS[style][row] >= distance)
                    TIME_CAP[style][distance] = BLOCKS[style][row];
        }
        for (int clock = 0; clock <= FULL_CLOCK; clock++)
            for (int row = 1; row <= 20; row++)
                if (YARDS[style][row] != TD && BLOCKS[style][row] <= clock - 1) ROW_THAT_FITS[style][clock] = row;
    }
    for (int distance = 0; distance <= 100; distance++)
        for (int r = 1; r <= 20; r++) MISSED_UP_TO[distance] += MAKE[r] < distance;
}

int main(int argc, char **argv) {
    i64 games = argc > 1 ? atoll(argv[1]) : 1000000;
    u64 seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, digest = 0;
    i64 wins[3] = {0}, sums[2][STATISTICS] = {{0}}, squares[2][STATISTICS] = {{0}}, margins = 0, squared = 0;
    struct timespec a, b;
    fill_tables();
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (i64 i = 0; i < games; i++) {
        Position g;
        memset(&g, 0, sizeof g);
        g.period = 1; g.clock = FULL_CLOCK; g.possession = g.received_first = g.winner = -1;
        g.dice = stream_start(seed, (u64)i, 0);
        g.stride = stream_stride(g.dice);
        while (g.phase != OVER) step(&g);
        digest += mix(fold(&g) + (u64)i);
        i64 margin = g.score[0] - g.score[1];
        wins[margin > 0 ? 0 : margin < 0 ? 1 : 2]++;
        margins += margin; squared += margin * margin;
        for (int t = 0; t < 2; t++)
            for (int k = 0; k < STATISTICS; k++) {
                i64 v = g.stats[t][k];
                sums[t][k] += v; squares[t][k] += v * v;
            }
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    double seconds = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
    i64 check = margins ^ squared;
    for (int t = 0; t < 2; t++) for (int k = 0; k < STATISTICS; k++) check ^= sums[t][k] ^ squares[t][k];
    printf("{\"games\": %lld, \"seconds\": %.6f, \"home_wins\": %lld, \"away_wins\": %lld, \"ties\": %lld, "
           "\"digest\": \"%016llx\", \"check\": %lld}\n",
           (long long)games, seconds, (long long)wins[0], (long long)wins[1], (long long)wins[2],
           (unsigned long long)digest, (long long)check);
    return 0;
}
