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
#define SET_UP 4 /* what a job costs before and after a session, in steps along the list */
#define START 100 /* what its start and end cost, */
#define BY_HOST 50 /* more where hosts limit their streams, */
#define LOOKED 8  /* and so many drives that are looked at */
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

/* A job that starts no longer waits. */
static void take(session_t *s, rule_t *rule, int64_t job) {
    if (s->started) s->started[job] = 1;
    if (s->leaves) take_from_tree(s, job);
    if (s->by_rate) take_from_rates(s, rule, job);
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
    const int64_t room = s->free_rate[*drive] + tolerance;
    int64_t job;
    if (rule->kind == RULE_BLOCKING && !s->groups) return s->rate[s->head] <= room ? s->head++ : -1;
    if (rule->kind == RULE_BLOCKING) job = first_shown(s, room);
    else if (rule->kind == RULE_FILLING) job = best_filling(s, rule, room, s->free_agents[*drive], now);
    else job = first_that_fits(s, rule, room);
    if (job >= 0) take(s, rule, job);
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
            if (s->groups) begin_stream(s, job);
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
            if (s->groups) end_stream(s, ended.job);
        }
    }
}

static int too_large(const int64_t *column, int64_t length) {
    int64_t largest = 0;
    for (int64_t i = 0; i < length; i++) largest = column[i] > largest ? column[i] : largest;
    return largest > LARGEST;
}

/* What the rule needs besides its session's columns; 0 without memory. */
static int prepare(session_t *s, const rule_t *rule, int32_t hosts, const int32_t *host_of, const int32_t *max_streams) {
    int64_t agents = 0;
    for (int32_t d = 0; d < s->drives; d++) agents += s->max_agents[d];
    s->free_rate = malloc(s->drives * sizeof *s->free_rate);
    s->free_agents = malloc(s->drives * sizeof *s->free_agents);
    s->events = malloc(((agents < s->jobs ? agents : s->jobs) + 1) * sizeof *s->events);
    if (!s->free_rate || !s->free_agents || !s->events) return 0;
    memcpy(s->free_rate, s->max_rate, s->drives * sizeof *s->max_rate);
    memcpy(s->free_agents, s->max_agents, s->drives * sizeof *s->max_agents);
    if (rule->sequence && !(s->started = calloc(s->jobs + 1, sizeof *s->started))) return 0;
    /* What blocks takes the first of the list, unless that is hidden, or a plan has taken others. */
    const int by_host = hosts > 0 || (rule->sequence && rule->kind == RULE_BLOCKING);
    if ((by_host || rule->kind != RULE_BLOCKING) && !plant(s)) return 0;
    if (by_host && !group_by_host(s, hosts, host_of, max_streams)) return 0;
    return rule->kind != RULE_FILLING || sort_by_rate(s, rule);
}

static void release(session_t *s) {
    free(s->free_rate);
    free(s->free_agents);
    free(s->events);
    free(s->started);
    free(s->least);
    free(s->least_by_host);
    free(s->group_of);
    free(s->place);
    free(s->at);
    free(s->begins);
    free(s->group_head);
    free(s->free_streams);
    free(s->first);
    free(s->by_rate);
    free(s->highest);
    free(s->after);
    free(s->prior);
}

/* `duration` is what is planned, by which the rule decides, and `lasting` what it takes in truth. */
int64_t run_session(int64_t jobs, const int64_t *duration, const int64_t *lasting, const int64_t *rate,
                    int32_t hosts, const int32_t *host_of, const int32_t *max_streams,
                    int32_t drives, const int64_t *max_rate, const int32_t *max_agents, rule_t *rule,
                    int64_t tolerance, int64_t grid, int64_t cut_off,
                    int32_t *drive_of, int64_t *start, int64_t *end) {
    session_t s = {.jobs = jobs, .duration = duration, .lasting = lasting, .rate = rate, .drives = drives,
                   .max_rate = max_rate, .max_agents = max_agents, .waiting = jobs};
    int64_t result = SESSION_NO_MEMORY;
    if (too_large(duration, jobs) || too_large(lasting, jobs) || too_large(rate, jobs) || too_large(max_rate, drives))
        return SESSION_TOO_LARGE;
    if (prepare(&s, rule, hosts, host_of, max_streams)) {
        result = run(&s, rule, tolerance, grid, cut_off, drive_of, start, end);
        rule->work += SET_UP * jobs + (START + (s.groups ? BY_HOST : 0) + drives / LOOKED) * (jobs - s.waiting);
    }
    release(&s);
    return result;
}
