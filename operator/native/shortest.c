/* The shortest session of few jobs, by branch and bound: each job in turn starts on some drive as early as it fits,
 * none before the one placed last. That leads to every session in which no job alone can start earlier on its drive,
 * and of the shortest ones, that of the least sum of starts is such a session.
 */

#include <stdint.h>
#include <string.h>
#include "kernel.h"

#define MARGIN 1e-9 /* what sums of floating point may be off by, and more */
#define CHANGES (2 * FEW_JOBS + 1)

/* What is free on a drive from each change on, the last of which is for ever. */
typedef struct {
    int32_t changes;
    int64_t from[CHANGES], rate[CHANGES];
    int32_t agents[CHANGES];
} free_t;

typedef struct {
    const few_t *of;
    int32_t waiting; /* how many jobs have no place yet */
    int64_t end[FEW_JOBS];
    int8_t placed[FEW_JOBS];
    free_t free[FEW_DRIVES];
    int64_t limit; /* what is still of interest ends by this */
    int64_t work;
} search_t;

static int64_t earliest(search_t *s, int32_t job, const free_t *on) {
    const int64_t rate = s->of->rate[job], duration = s->of->duration[job];
    int64_t start = 0;
    s->work += on->changes;
    for (int32_t i = 0; i < on->changes; i++)
        if (on->rate[i] < rate || !on->agents[i]) start = i + 1 < on->changes ? on->from[i + 1] : INT64_MAX;
        else if (i + 1 < on->changes && on->from[i + 1] - start >= duration) break;
    return start;
}

/* The place of a change at an instant, which is made if there is none. */
static int32_t change_at(free_t *on, int64_t instant) {
    int32_t i = on->changes;
    while (on->from[i - 1] > instant) i--;
    if (on->from[i - 1] == instant) return i - 1;
    int32_t after = on->changes++ - i;
    memmove(on->from + i + 1, on->from + i, after * sizeof *on->from);
    memmove(on->rate + i + 1, on->rate + i, after * sizeof *on->rate);
    memmove(on->agents + i + 1, on->agents + i, after * sizeof *on->agents);
    on->from[i] = instant, on->rate[i] = on->rate[i - 1], on->agents[i] = on->agents[i - 1];
    return i;
}

static void place(free_t *on, int64_t start, int64_t end, int64_t rate) {
    int32_t first = change_at(on, start), last = change_at(on, end);
    for (int32_t i = first; i < last; i++) on->rate[i] -= rate, on->agents[i]--;
}

/* Of drives that are alike and idle, which follow each other, either does. */
static int second_idle(const search_t *s, int32_t drive) {
    const few_t *of = s->of;
    return drive && s->free[drive].changes == 1 && s->free[drive - 1].changes == 1 &&
           of->max_rate[drive] == of->max_rate[drive - 1] && of->max_agents[drive] == of->max_agents[drive - 1];
}

/* Of jobs that are alike, which follow each other, the first starts first. */
static int waits_for_its_like(const search_t *s, int32_t job) {
    return job && !s->placed[job - 1] && s->of->duration[job] == s->of->duration[job - 1] &&
           s->of->rate[job] == s->of->rate[job - 1];
}

/* When a job starts at the latest. */
static int64_t last_start(const search_t *s, int32_t job) {
    int64_t start = s->limit - s->of->duration[job];
    /* A session may run backwards as well, so the longest starts in the first half of what it leaves. */
    return job || start < 0 ? start : start / 2;
}

/* Whether what waits may be done by the limit if it starts at an instant or later. */
static int hopeful(search_t *s, int64_t instant) {
    const few_t *of = s->of;
    const double *weight = of->weight, left = (double)(s->limit - instant) * (1 + MARGIN);
    double times[FEW_JOBS];
    for (int32_t job = 0; job < of->jobs; job++) {
        if (!s->placed[job] && instant > last_start(s, job)) return 0;
        int64_t time = s->placed[job] ? s->end[job] - instant : of->duration[job];
        times[job] = time > 0 ? (double)time : 0;
    }
    s->work += (int64_t)of->weighings * of->jobs;
    for (int32_t i = 0; i < of->weighings; i++, weight += of->jobs) {
        double work = 0;
        for (int32_t job = 0; job < of->jobs; job++) work += weight[job] * times[job];
        if (work > left) return 0;
    }
    return 1;
}

static void keep(search_t *s) {
    int64_t ends = 0;
    for (int32_t job = 0; job < s->of->jobs; job++)
        if (s->end[job] > ends) ends = s->end[job];
    s->limit = ends - s->of->step;
}

static void place_next(search_t *s, int64_t latest, int32_t last) {
    const few_t *of = s->of;
    int64_t starts[FEW_JOBS][FEW_DRIVES], next = INT64_MAX;
    if (!s->waiting) {
        keep(s);
        return;
    }
    for (int32_t job = 0; job < of->jobs; job++) {
        int64_t soonest = INT64_MAX;
        for (int32_t drive = 0; !s->placed[job] && drive < of->drives; drive++) {
            int64_t start = starts[job][drive] = earliest(s, job, &s->free[drive]);
            /* What fits before all that is still to come would start earlier in a session of the least sum. */
            if (start < latest && start + of->duration[job] <= latest) return;
            if (start < latest) start = latest;
            if (start < soonest) soonest = start;
        }
        if (!s->placed[job] && soonest > last_start(s, job)) return;
        if (soonest < next) next = soonest;
    }
    if (next > latest && !hopeful(s, next)) return;
    for (int32_t job = 0; job < of->jobs; job++) {
        if (s->placed[job] || waits_for_its_like(s, job)) continue;
        for (int32_t drive = 0; drive < of->drives && s->work <= of->work; drive++) {
            int64_t start = starts[job][drive];
            if (start < latest || (start == latest && job < last) || start > last_start(s, job)) continue;
            if (second_idle(s, drive)) continue;
            s->end[job] = start + of->duration[job];
            s->placed[job] = 1, s->waiting--;
            if (hopeful(s, start)) {
                free_t before = s->free[drive];
                place(&s->free[drive], start, s->end[job], of->rate[job]);
                place_next(s, start, job);
                s->free[drive] = before;
            }
            s->placed[job] = 0, s->waiting++;
        }
    }
}

int64_t shortest(few_t *of) {
    search_t s = {.of = of, .waiting = of->jobs, .limit = of->below - of->step};
    if (of->jobs > FEW_JOBS || of->drives > FEW_DRIVES) return SHORTEST_UNKNOWN;
    for (int32_t drive = 0; drive < of->drives; drive++) {
        s.free[drive].changes = 1;
        s.free[drive].rate[0] = of->max_rate[drive];
        s.free[drive].agents[0] = of->max_agents[drive];
    }
    if (hopeful(&s, 0)) place_next(&s, 0, -1);
    of->work -= s.work;
    return of->work < 0 ? SHORTEST_UNKNOWN : s.limit + of->step;
}
