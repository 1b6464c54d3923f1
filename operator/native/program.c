/* The least time of patterns that give each kind of jobs its time, by column generation: the simplex method on the
 * basis' inverse, with a knapsack a drive to find the pattern that helps most. Floating point: whoever uses the
 * weights that come of it proves in whole numbers what they prove.
 */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "kernel.h"
#include "knapsack.h"

#define ZERO 1e-9
#define LITTLE 1e-7 /* a pattern that promises less is not worth its place in the basis */
#define POOL(kinds) (1000 + 8 * (int64_t)(kinds)) /* patterns that are kept at the most */
#define LARGEST_WEIGHT (1 << 30)

typedef struct {
    int32_t kinds;
    double *inverse; /* of the basis, row by row */
    double *times, *costs, *duals, *gains, *entered;
    int32_t *weight, *pattern, *taken; /* what is being priced */
    int32_t *pool;                     /* the patterns found so far: pairs of a kind and its copies */
    int64_t *ends;                     /* of each pattern in the pool */
    int64_t pooled;
    sack_t *sacks;
    double capacity; /* what the pattern weighs */
    int64_t work;
} program_t;

static double least(const program_t *p) {
    double sum = 0;
    for (int32_t k = 0; k < p->kinds; k++) sum += p->costs[k] * p->times[k];
    return sum;
}

/* How often a kind fits when it is alone. */
static int32_t alone(const program_t *p, const patterns_t *of, int32_t kind) {
    int32_t copies = 0;
    for (int32_t i = 0; i < of->sacks; i++)
        copies += of->drives[i] * useful(&p->sacks[i], of->level[kind], of->copies[kind]);
    return copies;
}

static void begin(program_t *p, const patterns_t *of) {
    memset(p->inverse, 0, (size_t)p->kinds * p->kinds * sizeof *p->inverse);
    for (int32_t k = 0; k < p->kinds; k++) {
        double copies = alone(p, of, k);
        p->inverse[(int64_t)k * p->kinds + k] = p->duals[k] = 1 / copies;
        p->times[k] = of->time[k] / copies;
        p->costs[k] = 1;
    }
}

/* Take the pattern into the basis; 0 if that brings nothing. */
static int enter(program_t *p, double cost) {
    const int32_t kinds = p->kinds, *pattern = p->pattern;
    int32_t leaving = -1;
    double reduced = cost;
    p->work += (int64_t)kinds * kinds;
    memset(p->gains, 0, kinds * sizeof *p->gains);
    for (int32_t k = 0; k < kinds; k++) {
        if (!pattern[k]) continue;
        reduced -= p->duals[k] * pattern[k];
        for (int32_t row = 0; row < kinds; row++) p->gains[row] += p->inverse[(int64_t)row * kinds + k] * pattern[k];
    }
    for (int32_t row = 0; row < kinds; row++)
        if (p->gains[row] > ZERO &&
            (leaving < 0 || p->times[row] * p->gains[leaving] < p->times[leaving] * p->gains[row]))
            leaving = row;
    if (leaving < 0 || reduced > -ZERO) return 0;
    double ratio = p->times[leaving] / p->gains[leaving], *own = p->inverse + (int64_t)leaving * kinds;
    for (int32_t k = 0; k < kinds; k++) p->entered[k] = own[k] / p->gains[leaving];
    for (int32_t row = 0; row < kinds; row++) {
        double gain = p->gains[row], *old = p->inverse + (int64_t)row * kinds;
        if (!gain || row == leaving) continue;
        for (int32_t k = 0; k < kinds; k++) old[k] -= gain * p->entered[k];
        p->times[row] = fmax(0, p->times[row] - gain * ratio);
    }
    memcpy(own, p->entered, kinds * sizeof *own);
    p->times[leaving] = ratio;
    p->costs[leaving] = cost;
    for (int32_t k = 0; k < kinds; k++) p->duals[k] += reduced * p->entered[k];
    return 1;
}

/* To run for longer than needed is no harm, so no job weighs less than nothing: 0 if one does that can't be helped,
 * or not within the work, since bases of which some have no time may follow each other in a circle. */
static int mend(program_t *p, const patterns_t *of) {
    while (p->work <= of->work) {
        int32_t worst = 0;
        for (int32_t k = 1; k < p->kinds; k++)
            if (p->duals[k] < p->duals[worst]) worst = k;
        if (p->duals[worst] >= -ZERO) return 1;
        memset(p->pattern, 0, p->kinds * sizeof *p->pattern);
        p->pattern[worst] = -1;
        if (!enter(p, 0)) return 0;
    }
    return 0;
}

/* The heaviest pattern by some weights, made whole numbers; what they prove. */
static double price(program_t *p, const patterns_t *of, const double *weights) {
    double most = 0, proved = 0;
    p->capacity = 0;
    for (int32_t k = 0; k < p->kinds; k++) most = fmax(most, weights[k]);
    for (int32_t k = 0; k < p->kinds; k++) {
        p->weight[k] = most > 0 && weights[k] > 0 ? (int32_t)(weights[k] / most * (LARGEST_WEIGHT / of->at_once)) : 0;
        p->pattern[k] = 0;
        proved += p->weight[k] * of->time[k];
    }
    for (int32_t i = 0; i < of->sacks; i++) {
        p->capacity += (double)of->drives[i] * fill(&p->sacks[i], p->kinds, p->weight, of->level, of->copies, p->taken);
        for (int32_t k = 0; k < p->kinds; k++) p->pattern[k] += of->drives[i] * p->taken[k];
        p->work += p->sacks[i].work;
        p->sacks[i].work = 0;
    }
    return p->capacity > 0 ? proved / p->capacity : 0;
}

static void keep(program_t *p) {
    int64_t end = p->pooled ? p->ends[p->pooled - 1] : 0;
    for (int32_t k = 0; k < p->kinds; k++)
        if (p->pattern[k]) p->pool[end++] = k, p->pool[end++] = p->pattern[k];
    p->ends[p->pooled++] = end;
}

static void recall(program_t *p, int64_t kept) {
    memset(p->pattern, 0, p->kinds * sizeof *p->pattern);
    for (int64_t at = kept ? p->ends[kept - 1] : 0; at < p->ends[kept]; at += 2) p->pattern[p->pool[at]] = p->pool[at + 1];
}

/* Come to the least time of the patterns found so far; 0 where floating point fails or the work is done. */
static int settle(program_t *p, const patterns_t *of) {
    for (;;) {
        double lowest = -LITTLE;
        int64_t best = -1, at = 0;
        if (!mend(p, of)) return 0;
        for (int64_t kept = 0; kept < p->pooled; kept++) {
            double reduced = 1;
            for (; at < p->ends[kept]; at += 2) reduced -= p->duals[p->pool[at]] * p->pool[at + 1];
            if (reduced < lowest) lowest = reduced, best = kept;
        }
        p->work += at;
        if (best < 0) return 1;
        recall(p, best);
        if (!enter(p, 1)) return 1;
    }
}

/* A pattern of the kinds that have time left, the fastest first. */
static int fill_greedily(program_t *p, const patterns_t *of, const double *left) {
    int some = 0;
    memset(p->pattern, 0, p->kinds * sizeof *p->pattern);
    for (int32_t i = 0; i < of->sacks; i++) {
        int32_t room = of->capacity[i], places = of->places[i] ? of->places[i] : INT32_MAX;
        for (int32_t k = 0; k < p->kinds && places; k++) {
            if (left[k] <= 0) continue;
            for (int32_t copy = 0; copy < of->copies[k] && places && of->level[k] <= room; copy++) {
                p->pattern[k] += of->drives[i];
                room -= of->level[k], places--, some = 1;
            }
        }
    }
    return some;
}

/* Patterns to begin with: the fastest beside each other until one of them has had its time, and so on. */
static void pool_greedily(program_t *p, const patterns_t *of, double *left) {
    const int32_t *pattern = p->pattern;
    memcpy(left, of->time, p->kinds * sizeof *left);
    for (; fill_greedily(p, of, left); keep(p)) {
        int32_t first = -1;
        for (int32_t k = 0; k < p->kinds; k++)
            if (pattern[k] && (first < 0 || left[k] * pattern[first] < left[first] * pattern[k])) first = k;
        double shortest = left[first] / pattern[first];
        for (int32_t k = 0; k < p->kinds; k++) left[k] -= shortest * pattern[k];
        left[first] = 0;
    }
}

static void generate(program_t *p, const patterns_t *of, double *steady, double *mixed, int32_t *best) {
    double proved = 0, share = 1;
    begin(p, of);
    pool_greedily(p, of, mixed);
    while (settle(p, of) && p->work < of->work && p->pooled < POOL(p->kinds)) {
        if (least(p) <= fmax(of->to_beat * (1 + of->worth_it), proved * (1 + of->close_enough))) break;
        for (int32_t k = 0; k < p->kinds; k++) mixed[k] = share * steady[k] + (1 - share) * p->duals[k];
        double proves = price(p, of, mixed);
        if (proves > proved) {
            proved = proves;
            memcpy(best, p->weight, p->kinds * sizeof *best);
            for (int32_t k = 0; k < p->kinds; k++) steady[k] = p->weight[k] / p->capacity;
        }
        keep(p);
        int entered = enter(p, 1);
        if (!entered && !share) break;
        share = entered ? of->steady : 0;
    }
}

int32_t best_weights(const patterns_t *of, double *steady, int32_t *best) {
    const int64_t kinds = of->kinds;
    program_t p = {.kinds = of->kinds};
    double *columns = malloc((kinds + 6) * kinds * sizeof *columns);
    int32_t *counts = malloc((2 * POOL(kinds) + 3) * kinds * sizeof *counts), opened = 0;
    p.sacks = calloc(of->sacks, sizeof *p.sacks);
    p.ends = malloc(POOL(kinds) * sizeof *p.ends);
    if (columns && counts && p.sacks && p.ends)
        while (opened < of->sacks && open_sack(&p.sacks[opened], of->kinds, of->level, of->copies,
                                               of->places[opened], of->capacity[opened]))
            opened++;
    if (opened == of->sacks) {
        p.inverse = columns + 6 * kinds;
        p.times = columns, p.costs = columns + kinds, p.duals = columns + 2 * kinds;
        p.gains = columns + 3 * kinds, p.entered = columns + 4 * kinds;
        p.weight = counts, p.pattern = counts + kinds, p.taken = counts + 2 * kinds, p.pool = counts + 3 * kinds;
        generate(&p, of, steady, columns + 5 * kinds, best);
    }
    for (int32_t i = 0; p.sacks && i < of->sacks; i++) close_sack(&p.sacks[i]);
    free(columns);
    free(counts);
    free(p.sacks);
    free(p.ends);
    return opened == of->sacks ? 0 : PATTERNS_NO_MEMORY;
}
