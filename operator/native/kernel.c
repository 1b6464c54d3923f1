/* The event loop of scheduling/simulator.py for rules that never overload a drive, fifty times as fast.
 *
 * Jobs come in the list's order, times in nanoseconds and rates in micro-bytes a second, so all sums are exact.
 * The tests hold it to the Python loop, to the last assignment.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "grid.h"
#include "session.h"

#define NO_AGENT INT64_MIN
#define TAKEN INT64_MAX
#define SET_UP 4 /* what a job costs before and after a session, in steps along the list */
#define START 100 /* what its start and end cost, */
#define LOOKED 8  /* and so many drives that are looked at */
#define MOVED 16 /* how many entries are moved along in a step */
#define LARGEST ((int64_t)1 << 61) /* sums of two such still go into 64 bits */

static int before(const event_t *a, const event_t *b) {
    return a->end != b->end ? a->end < b->end : a->job < b->job;
}

static void push(session_t *s, event_t event) {
    int64_t at = s->running++;
    while (at && before(&event, &s->events[(at - 1) / 2])) {
        s->events[at] = s->events[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->events[at] = event;
}

static event_t pop(session_t *s) {
    event_t first = s->events[0], last = s->events[--s->running];
    int64_t at = 0, child;
    while ((child = 2 * at + 1) < s->running) {
        if (child + 1 < s->running && before(&s->events[child + 1], &s->events[child])) child++;
        if (!before(&s->events[child], &last)) break;
        s->events[at] = s->events[child];
        at = child;
    }
    if (s->running) s->events[at] = last;
    return first;
}

/* The first drive, in the pool's order, with a free agent and within the tolerance of the most free rate. */
static int32_t roomiest(const session_t *s, int64_t tolerance) {
    int64_t most = NO_AGENT;
    for (int32_t d = 0; d < s->drives; d++)
        if (s->free_agents[d] && s->free_rate[d] > most) most = s->free_rate[d];
    if (most == NO_AGENT) return -1;
    for (int32_t d = 0; d < s->drives; d++)
        if (s->free_agents[d] && s->free_rate[d] >= most - tolerance) return d;
    return -1;
}

static void note_highest(const session_t *s, const rule_t *rule) {
    double highest = -1e300;
    for (int64_t i = 0; i < s->jobs; i++) {
        const int32_t job = rule->by_rate[i];
        if (rule->bias[job] > highest) highest = rule->bias[job];
        s->highest[job] = highest;
    }
}

/* A class is a run of the jobs by rate, all equally long; its ring begins behind the jobs' entries. */
static void sort_into_classes(session_t *s, const rule_t *rule) {
    const int32_t jobs = (int32_t)s->jobs;
    int32_t *class_of = s->prior; /* until the job is in its ring */
    for (int64_t i = 0; i < jobs; i++) class_of[rule->by_rate[i]] = (int32_t)(i * rule->classes / jobs);
    for (int32_t ring = jobs; ring < jobs + rule->classes; ring++) s->after[ring] = s->prior[ring] = ring;
    for (int32_t job = 0; job < jobs; job++) {
        const int32_t ring = jobs + class_of[job], last = s->prior[ring];
        s->after[last] = s->prior[ring] = job;
        s->prior[job] = last;
        s->after[job] = ring;
    }
}

static void plant(session_t *s) {
    for (int64_t i = 0; i < s->leaves; i++) s->least[s->leaves + i] = i < s->jobs ? s->rate[i] : TAKEN;
    for (int64_t i = s->leaves - 1; i; i--) {
        int64_t a = s->least[2 * i], b = s->least[2 * i + 1];
        s->least[i] = a < b ? a : b;
    }
}

static void take_from_tree(session_t *s, int64_t job) {
    int64_t node = s->leaves + job;
    s->least[node] = TAKEN;
    for (node /= 2; node; node /= 2) {
        int64_t a = s->least[2 * node], b = s->least[2 * node + 1], least = a < b ? a : b;
        if (s->least[node] == least) break;
        s->least[node] = least;
    }
}

/* The first job of the list that waits and asks for at most `room`; there is one. */
static int64_t first_that_fits(const session_t *s, int64_t room) {
    int64_t node = 1;
    while (node < s->leaves) {
        node *= 2;
        if (s->least[node] > room) node++;
    }
    return node - s->leaves;
}

/* The first job of the list that waits, is not hidden and asks for at most `room`, -1 without one. */
static int64_t first_shown(const session_t *s, rule_t *rule, int64_t room) {
    for (int64_t job = s->head; job < s->jobs; job = s->next[job], rule->work++) {
        if (hidden(s, job)) continue;
        if (s->rate[job] <= room) return job;
        if (rule->kind == RULE_BLOCKING) break;
    }
    return -1;
}

/* What a job's share of the room counts, up to what rate, and so on. */
typedef struct {
    double of_room, of_time, most, of_gap;
} scale_t;

static double filled_by(const session_t *s, const scale_t *scale, int64_t job) {
    const double rate = (double)s->rate[job];
    return (rate < scale->most ? rate : scale->most) * scale->of_room;
}

static double score(const session_t *s, const rule_t *rule, const scale_t *scale, int64_t job) {
    return filled_by(s, scale, job) + (double)s->duration[job] * scale->of_time + rule->bias[job];
}

/* How many of the waiting jobs ask for at most `room`. */
static int64_t within(const session_t *s, int64_t room) {
    int64_t low = 0, high = s->waiting;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (s->rate[s->by_rate[middle]] <= room) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The fastest job at or before a place by rate that is not hidden; -1 without one. */
static int64_t fastest_shown(const session_t *s, int64_t at) {
    while (at >= 0 && hidden(s, s->by_rate[at])) at--;
    return at;
}

/* What a job and the best second one beside it leave of the room. `seconds` is how many jobs fit into what a job at
 * least as fast leaves, and becomes how many fit into what this one leaves. */
static int64_t gap_beside(const session_t *s, int64_t at, int64_t room, int64_t *seconds) {
    const int64_t left = room - s->rate[s->by_rate[at]];
    while (*seconds < s->waiting && s->rate[s->by_rate[*seconds]] <= left) ++*seconds;
    int64_t beside = fastest_shown(s, *seconds - 1);
    if (beside == at) beside = fastest_shown(s, at - 1);
    return beside < 0 ? left : left - s->rate[s->by_rate[beside]];
}

/* The best of the jobs that fit, of which `longest` is one; with each goes what it and the best second one beside
 * it leave of the room. They are compared from the fastest on, until none of the others can score more. -1 if they
 * are more than are compared. */
static int64_t best_by_rate(const session_t *s, rule_t *rule, const scale_t *scale, int64_t room, int32_t agents,
                            int64_t longest) {
    const int64_t fit = within(s, room);
    const int gaps = rule->waste > 0;
    int64_t shown = 0, chosen = -1, at = fit - 1;
    double best = -1e300;
    if (!s->host_of && fit > rule->look_ahead) return -1;
    int64_t seconds = gaps && fit ? within(s, room - s->rate[s->by_rate[at]]) : 0;
    for (; at >= 0; at--) {
        const int64_t job = s->by_rate[at];
        if (hidden(s, job)) continue;
        if (++shown > rule->look_ahead) return -1;
        if (!s->host_of && filled_by(s, scale, job) + (double)s->duration[longest] * scale->of_time + s->highest[job] < best)
            break;
        double scores = score(s, rule, scale, job);
        if (gaps) {
            const int64_t left = agents > 1 ? gap_beside(s, at, room, &seconds) : room - s->rate[job];
            scores -= (double)left * scale->of_gap;
        }
        if (scores > best || (scores == best && job < chosen)) best = scores, chosen = job;
    }
    rule->work += (fit - at) * (2 + gaps);
    return chosen;
}

/* The better of a job and the best so far; of two that are as good, the first of the list. */
typedef struct {
    int64_t job;
    double score;
} best_t;

static void compare(const session_t *s, const rule_t *rule, const scale_t *scale, int64_t job, best_t *best) {
    double scores = score(s, rule, scale, job);
    if (scores > best->score || (scores == best->score && job < best->job)) *best = (best_t){job, scores};
}

/* The best of some that fit: the longest, the fastest, and the longest of each class of rates that fits
 * whole. */
static int64_t best_of_some(const session_t *s, rule_t *rule, const scale_t *scale, int64_t room,
                            int64_t longest) {
    best_t best = {longest, score(s, rule, scale, longest)};
    int64_t steps = 0, shown = 0;
    for (int64_t at = within(s, room) - 1; at >= 0 && shown < rule->fastest; at--, steps++) {
        if (hidden(s, s->by_rate[at])) continue;
        compare(s, rule, scale, s->by_rate[at], &best);
        shown++;
    }
    for (int64_t class = 0; class < rule->classes; class++, steps++) {
        const int64_t last = ((class + 1) * s->jobs + rule->classes - 1) / rule->classes - 1;
        if (s->rate[rule->by_rate[last]] > room) break;
        int64_t job = s->after[s->jobs + class];
        for (; job < s->jobs && hidden(s, job); steps++) job = s->after[job];
        if (job < s->jobs) compare(s, rule, scale, job, &best);
    }
    rule->work += 2 * steps;
    return best.job;
}

/* The waiting job that fills the room best, weighed against how much of the time left it needs; the longest goes
 * first if its time has come. -1 if all that fit are hidden. */
static int64_t best_filling(session_t *s, rule_t *rule, int64_t room, int32_t agents, int64_t now) {
    int64_t longest = s->host_of ? first_shown(s, rule, room) : first_that_fits(s, room);
    if (longest < 0 || now + s->duration[longest] >= rule->target) return longest;
    const double of_room = 1.0 / (double)(room ? room : 1), left = (double)(rule->target - now);
    const double most = (double)room * (1.0 - rule->even * (double)(agents - 1) / (double)agents);
    const scale_t scale = {of_room, rule->urgency / left, most, rule->waste * of_room};
    int64_t best = best_by_rate(s, rule, &scale, room, agents, longest);
    return best < 0 ? best_of_some(s, rule, &scale, room, longest) : best;
}

/* Where a waiting job is by rate. */
static int64_t place_by_rate(const session_t *s, int64_t job) {
    int64_t low = 0, high = s->waiting - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2, other = s->by_rate[middle];
        if (s->rate[other] < s->rate[job] || (s->rate[other] == s->rate[job] && other > job)) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* A job that starts no longer waits. */
static void take(session_t *s, rule_t *rule, int64_t job) {
    if (s->started) s->started[job] = 1;
    if (s->leaves) take_from_tree(s, job);
    if (s->next) {
        int64_t after = s->next[job], before = s->previous[job];
        *(before < 0 ? &s->head : &s->next[before]) = after;
        s->previous[after] = before;
    }
    if (s->after) {
        s->after[s->prior[job]] = s->after[job];
        s->prior[s->after[job]] = s->prior[job];
    }
    if (s->by_rate) {
        const int64_t at = place_by_rate(s, job), behind = s->waiting - at - 1;
        memmove(s->by_rate + at, s->by_rate + at + 1, behind * sizeof *s->by_rate);
        rule->work += behind / MOVED;
    }
}

/* The next job to start and its drive, -1 while nothing may start. */
static int64_t choose(session_t *s, rule_t *rule, int64_t tolerance, int64_t now, int32_t *drive) {
    if (rule->sequence) {
        const int64_t next = next_planned(s, rule, tolerance, now, drive);
        if (next >= 0) take(s, rule, next);
        if (next != OFF_PLAN) return next;
    }
    *drive = roomiest(s, tolerance);
    if (*drive < 0) return -1;
    int64_t room = s->free_rate[*drive] + tolerance, job;
    if (rule->kind == RULE_BLOCKING && !s->next) return s->rate[s->head] <= room ? s->head++ : -1;
    if (s->leaves && s->least[1] > room) return -1;
    if (rule->kind == RULE_FILLING) job = best_filling(s, rule, room, s->free_agents[*drive], now);
    else if (s->next) job = first_shown(s, rule, room);
    else job = first_that_fits(s, room);
    if (job < 0) return -1;
    take(s, rule, job);
    return job;
}

static int64_t run(session_t *s, rule_t *rule, int64_t tolerance, int64_t grid, int64_t cut_off,
                   int32_t *drive_of, int64_t *start, int64_t *end) {
    int64_t now = 0, makespan = 0, job;
    int32_t drive;
    for (;;) {
        while (s->waiting && (job = choose(s, rule, tolerance, now, &drive)) >= 0) {
            s->waiting--;
            s->free_agents[drive]--;
            s->free_rate[drive] -= s->rate[job];
            if (s->host_of && s->host_of[job] >= 0) s->free_streams[s->host_of[job]]--;
            drive_of[job] = drive;
            start[job] = now;
            end[job] = now + s->lasting[job];
            if (end[job] > makespan) makespan = end[job];
            if (makespan >= cut_off) return SESSION_CUT_OFF;
            push(s, (event_t){end[job], job, drive});
        }
        if (!s->running) return s->waiting ? SESSION_FITS_NOWHERE : makespan;
        const int64_t due = s->waiting && rule->sequence ? next_due(s, rule, now) : NEVER_DUE;
        now = on_grid(due < s->events[0].end ? due : s->events[0].end, grid);
        while (s->running && s->events[0].end <= now) {
            event_t ended = pop(s);
            s->free_agents[ended.drive]++;
            s->free_rate[ended.drive] += s->rate[ended.job];
            if (s->host_of && s->host_of[ended.job] >= 0) s->free_streams[s->host_of[ended.job]]++;
        }
    }
}

static int too_large(const int64_t *column, int64_t length) {
    int64_t largest = 0;
    for (int64_t i = 0; i < length; i++) largest = column[i] > largest ? column[i] : largest;
    return largest > LARGEST;
}

/* `duration` is what is planned, by which the rule decides, and `lasting` what it takes in truth. */
int64_t run_session(int64_t jobs, const int64_t *duration, const int64_t *lasting, const int64_t *rate,
                    int32_t hosts, const int32_t *host_of, const int32_t *max_streams,
                    int32_t drives, const int64_t *max_rate, const int32_t *max_agents, rule_t *rule,
                    int64_t tolerance, int64_t grid, int64_t cut_off,
                    int32_t *drive_of, int64_t *start, int64_t *end) {
    session_t s = {.jobs = jobs, .duration = duration, .lasting = lasting, .rate = rate, .drives = drives,
                   .max_rate = max_rate, .max_agents = max_agents, .waiting = jobs, .host_of = hosts ? host_of : NULL};
    int64_t agents = 0, result = SESSION_NO_MEMORY;
    const int walks = hosts > 0 || (rule->sequence && rule->kind == RULE_BLOCKING);
    const int fills = rule->kind == RULE_FILLING;
    const int64_t rings = fills && jobs > rule->look_ahead ? jobs + rule->classes : 0;
    if (too_large(duration, jobs) || too_large(lasting, jobs) || too_large(rate, jobs) || too_large(max_rate, drives))
        return SESSION_TOO_LARGE;
    for (int32_t d = 0; d < drives; d++) agents += max_agents[d];
    if (agents > jobs) agents = jobs;
    if (rule->kind != RULE_BLOCKING)
        for (s.leaves = 1; s.leaves < jobs;) s.leaves *= 2;
    s.free_rate = malloc(drives * sizeof *s.free_rate);
    s.free_agents = malloc(drives * sizeof *s.free_agents);
    s.free_streams = malloc((hosts + 1) * sizeof *s.free_streams);
    s.events = malloc((agents + 1) * sizeof *s.events);
    s.least = malloc((2 * s.leaves + 1) * sizeof *s.least);
    s.started = rule->sequence ? calloc(jobs + 1, sizeof *s.started) : NULL;
    s.by_rate = fills ? malloc((jobs + 1) * sizeof *s.by_rate) : NULL;
    s.highest = fills ? malloc((jobs + 1) * sizeof *s.highest) : NULL;
    s.after = rings ? malloc(rings * sizeof *s.after) : NULL;
    s.prior = rings ? malloc(rings * sizeof *s.prior) : NULL;
    s.next = walks ? malloc((jobs + 1) * sizeof *s.next) : NULL;
    s.previous = walks ? malloc((jobs + 1) * sizeof *s.previous) : NULL;
    if (s.free_rate && s.free_agents && s.free_streams && s.events && s.least && ((s.next && s.previous) || !walks) &&
        ((s.by_rate && s.highest) || !fills) && ((s.after && s.prior) || !rings) && (s.started || !rule->sequence)) {
        memcpy(s.free_rate, max_rate, drives * sizeof *max_rate);
        memcpy(s.free_agents, max_agents, drives * sizeof *max_agents);
        memcpy(s.free_streams, max_streams, hosts * sizeof *max_streams);
        if (s.leaves) plant(&s);
        for (int64_t i = 0; walks && i < jobs; i++) s.next[i] = i + 1, s.previous[i] = i - 1;
        if (fills) memcpy(s.by_rate, rule->by_rate, jobs * sizeof *s.by_rate), note_highest(&s, rule);
        if (rings) sort_into_classes(&s, rule);
        result = run(&s, rule, tolerance, grid, cut_off, drive_of, start, end);
        rule->work += SET_UP * jobs + (START + drives / LOOKED) * (jobs - s.waiting);
    }
    free(s.free_rate);
    free(s.free_agents);
    free(s.free_streams);
    free(s.events);
    free(s.least);
    free(s.next);
    free(s.by_rate);
    free(s.highest);
    free(s.after);
    free(s.prior);
    free(s.started);
    free(s.previous);
    return result;
}
