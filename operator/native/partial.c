/* Partial sessions: the rule `Filling` of kernel.c, for states that are copied. Of the jobs that fit, all are
 * compared.
 *
 * Jobs are called by their rank: their place by rate, the slowest first, of one rate the last of the list.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "grid.h"
#include "partial.h"

#define START 20 /* what a job's start and end cost, in steps along a list, */
#define LOOKED 8 /* and so many drives that are looked at */
#define MOVED 16 /* how many words are moved along in a step */

typedef struct {
    int64_t rate;
    int32_t job;
} ranked_t;

static int slower(const void *a, const void *b) {
    const ranked_t *x = a, *y = b;
    if (x->rate != y->rate) return x->rate < y->rate ? -1 : 1;
    return x->job > y->job ? -1 : x->job < y->job;
}

int filling_prepare(filling_t *f) {
    const pilot_t *of = f->of;
    double longest = 0, highest = -1e300;
    ranked_t *ranked = malloc(of->jobs * sizeof *ranked);
    if (!ranked) return 0;
    for (int64_t i = 0; i < of->jobs; i++) ranked[i] = (ranked_t){of->rate[i], (int32_t)i};
    qsort(ranked, of->jobs, sizeof *ranked, slower);
    for (int64_t i = 0; i < of->jobs; i++) {
        const int32_t job = f->job_of[i] = ranked[i].job;
        const double duration = (double)of->duration[job];
        f->rank_of[job] = (int32_t)i;
        longest = duration > longest ? duration : longest;
        highest = of->bias[job] > highest ? of->bias[job] : highest;
        f->plain[i] = (row_t){of->rate[job], duration, of->bias[job], longest, highest};
        f->total += duration * (double)of->rate[job];
    }
    for (int32_t d = 0; d < of->drives; d++) f->capacity += (double)of->max_rate[d] + (double)of->tolerance;
    free(ranked);
    return 1;
}

int64_t partial_bytes(const filling_t *f) {
    const pilot_t *of = f->of;
    const int64_t words = f->words + of->drives + (of->jobs + of->drives + 1) / 2;
    return words * 8 + of->jobs * (int64_t)sizeof(start_t) + f->agents * (int64_t)sizeof(event_t);
}

static void lay_out(const filling_t *f, state_t *s, char *room) {
    const pilot_t *of = f->of;
    s->starts = (start_t *)room;
    s->events = (event_t *)(s->starts + of->jobs);
    s->listed = (uint64_t *)(s->events + f->agents);
    s->free_rate = (int64_t *)(s->listed + f->words);
    s->ranks = (int32_t *)(s->free_rate + of->drives);
    s->free_agents = s->ranks + of->jobs;
}

void partial_clear(const filling_t *f, state_t *s, char *room) {
    const pilot_t *of = f->of;
    lay_out(f, s, room);
    memset(s->listed, 0, f->words * sizeof *s->listed);
    for (int64_t i = 0; i < of->jobs; i++) {
        s->ranks[i] = (int32_t)i;
        s->listed[i / 64] |= (uint64_t)1 << i % 64;
    }
    for (int32_t d = 0; d < of->drives; d++) {
        s->free_rate[d] = of->max_rate[d];
        s->free_agents[d] = of->max_agents[d];
        s->free += of->max_rate[d];
    }
    s->waiting = (int32_t)of->jobs;
}

void partial_copy(filling_t *f, state_t *to, const state_t *from) {
    memcpy(to, from, offsetof(state_t, ranks));
    memcpy(to->ranks, from->ranks, from->waiting * sizeof *to->ranks);
    memcpy(to->listed, from->listed, f->words * sizeof *to->listed);
    memcpy(to->events, from->events, from->running * sizeof *to->events);
    memcpy(to->free_rate, from->free_rate, f->of->drives * sizeof *to->free_rate);
    memcpy(to->free_agents, from->free_agents, f->of->drives * sizeof *to->free_agents);
    f->of->work += (from->waiting / 2 + f->words + 2 * from->running + 2 * f->of->drives) / MOVED;
}

/* As in kernel.c. */
static int32_t roomiest(const pilot_t *of, const state_t *s) {
    int32_t found = -1;
    int64_t most = INT64_MIN;
    for (int32_t d = 0; d < of->drives; d++)
        if (s->free_agents[d] && s->free_rate[d] > most) most = s->free_rate[d], found = d;
    for (int32_t d = 0; d < found; d++)
        if (s->free_agents[d] && s->free_rate[d] >= most - of->tolerance) return d;
    return found;
}

/* How many of the waiting jobs ask for at most `room`. */
static int32_t within(const filling_t *f, const state_t *s, int64_t room) {
    int32_t low = 0, high = s->waiting;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (f->plain[s->ranks[middle]].rate <= room) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Where a waiting job is among them. */
static int32_t place_of(const state_t *s, int32_t rank) {
    int32_t low = 0, high = s->waiting - 1;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (s->ranks[middle] < rank) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int64_t first_listed(const state_t *s) {
    return 64 * (int64_t)s->head + __builtin_ctzll(s->listed[s->head]);
}

/* The place of the longest that fits if its time has come, else -1. */
static int32_t urgent(filling_t *f, const state_t *s, int64_t room) {
    const pilot_t *of = f->of;
    for (int64_t word = s->head; word < f->words; word++)
        for (uint64_t bits = s->listed[word]; bits; bits &= bits - 1) {
            const int64_t job = 64 * word + __builtin_ctzll(bits);
            if (s->now + of->duration[job] < of->target) return -1;
            f->of->work++;
            if (of->rate[job] <= room) return place_of(s, f->rank_of[job]);
        }
    return -1;
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

/* The place of the best of the jobs that fit, with kernel.c's scores. They are compared from the fastest on,
 * until none of the others can score more. */
static int32_t best_of(filling_t *f, const state_t *s, int32_t fit, int64_t room, int32_t agents) {
    const pilot_t *of = f->of;
    const double of_room = 1.0 / (double)(room ? room : 1);
    const double of_time = of->urgency / (double)(of->target - s->now);
    const double most = (double)room * (1.0 - of->even * (double)(agents - 1) / (double)agents);
    const double of_gap = of->waste * of_room, longest = (double)of->duration[first_listed(s)];
    const int gaps = of->waste > 0;
    const row_t *rows = f->rows;
    int32_t chosen = -1, at = fit - 1;
    int32_t second = gaps && agents > 1 ? within(f, s, room - rows[s->ranks[at]].rate) - 1 : -1;
    double best = -1e300;
    for (; at >= 0; at--) {
        const row_t *row = &rows[s->ranks[at]];
        const double filled = lesser((double)row->rate, most) * of_room;
        if (filled + lesser(row->longest, longest) * of_time + row->highest_bias < best) break;
        double score = filled + row->duration * of_time + row->bias;
        if (score < best) continue;
        if (gaps) {
            const int64_t left = room - row->rate;
            if (agents > 1)
                while (second + 1 < fit && rows[s->ranks[second + 1]].rate <= left) second++;
            const int32_t beside = second == at ? at - 1 : second;
            score -= (double)(beside < 0 ? left : left - rows[s->ranks[beside]].rate) * of_gap;
        }
        const int is_first = score == best && f->job_of[s->ranks[at]] < f->job_of[s->ranks[chosen]];
        if (score > best || is_first) best = score, chosen = at;
    }
    f->of->work += (fit - at) * (1 + gaps);
    return chosen;
}

static uint64_t hash_of(const start_t *start) {
    uint64_t hash = (uint64_t)start->start * 0x9E3779B97F4A7C15u;
    hash ^= ((uint64_t)start->rank << 32 | (uint32_t)start->drive) * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u;
    return hash ^ hash >> 32;
}

static void begin(filling_t *f, state_t *s, int32_t at, int32_t drive) {
    const int32_t rank = s->ranks[at], job = f->job_of[rank];
    const int64_t rate = f->of->rate[job], end = s->now + f->of->duration[job];
    const start_t start = {s->now, rank, drive};
    s->starts[f->of->jobs - s->waiting] = start;
    s->hash += hash_of(&start);
    s->waiting--;
    memmove(s->ranks + at, s->ranks + at + 1, (s->waiting - at) * sizeof *s->ranks);
    s->listed[job / 64] &= ~((uint64_t)1 << job % 64);
    while (s->head < f->words && !s->listed[s->head]) s->head++;
    s->free_agents[drive]--;
    s->free_rate[drive] -= rate;
    s->free -= rate;
    if (end > s->makespan) s->makespan = end;
    int32_t place = s->running++;
    for (; place && s->events[place - 1].end < end; place--) s->events[place] = s->events[place - 1];
    s->events[place] = (event_t){end, rank, drive};
    f->of->work += START + f->of->drives / LOOKED + (s->running - place) / 2 + (s->waiting - at) / 2 / MOVED;
}

/* Whether what was wasted, or the longest job that waits, lets no session with this beginning end in time. */
static int is_hopeless(const filling_t *f, const state_t *s, int64_t cut_off) {
    if (f->total + s->wasted >= (double)cut_off * f->capacity) return 1;
    return s->waiting && s->now + f->of->duration[first_listed(s)] >= cut_off;
}

/* Start what is to start now; 0 if no session ends before `cut_off`. */
static int start_now(filling_t *f, state_t *s, int64_t cut_off) {
    while (s->waiting) {
        const int32_t drive = roomiest(f->of, s);
        if (drive < 0) break;
        const int64_t room = s->free_rate[drive] + f->of->tolerance;
        const int32_t fit = within(f, s, room);
        if (!fit) break;
        int32_t at = urgent(f, s, room);
        if (at < 0) at = best_of(f, s, fit, room, s->free_agents[drive]);
        begin(f, s, at, drive);
        if (s->makespan >= cut_off) return 0;
    }
    return 1;
}

int partial_go_on(filling_t *f, state_t *s, int64_t until, int64_t cut_off) {
    const int64_t grid = f->of->grid;
    while (start_now(f, s, cut_off)) {
        if (!s->running) return !s->waiting;
        const int64_t now = on_grid(s->events[s->running - 1].end, grid);
        if (now > until) return 1;
        s->wasted += (double)s->free * (double)(now - s->now);
        s->now = now;
        while (s->running && s->events[s->running - 1].end <= now) {
            const event_t *ended = &s->events[--s->running];
            const int64_t rate = f->plain[ended->rank].rate;
            s->free_agents[ended->drive]++;
            s->free_rate[ended->drive] += rate;
            s->free += rate;
        }
        if (is_hopeless(f, s, cut_off)) return 0;
    }
    return 0;
}
