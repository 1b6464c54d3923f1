/* The rule that fills drives: scheduling/filling.py in the kernel, by the same sums to the last bit. */

#include <stdlib.h>
#include <string.h>
#include "session.h"

#define MOVED 16 /* how many entries are moved along in a step */

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
static int64_t fastest_shown(const session_t *s, rule_t *rule, int64_t at) {
    if (!s->groups) return at;
    for (; at >= 0 && hidden(s, s->by_rate[at]); at--) rule->work++;
    return at;
}

/* What a job and the best second one beside it leave of the room. `seconds` is how many jobs fit into what a job at
 * least as fast leaves, and becomes how many fit into what this one leaves. */
static int64_t gap_beside(const session_t *s, rule_t *rule, int64_t at, int64_t room, int64_t *seconds) {
    const int64_t left = room - s->rate[s->by_rate[at]];
    while (*seconds < s->waiting && s->rate[s->by_rate[*seconds]] <= left) ++*seconds;
    int64_t beside = fastest_shown(s, rule, *seconds - 1);
    if (beside == at) beside = fastest_shown(s, rule, at - 1);
    return beside < 0 ? left : left - s->rate[s->by_rate[beside]];
}

/* The best of the jobs that fit, of which `longest` is one; with each goes what it and the best second one beside it
 * leave of the room. They are compared from the fastest on, until none of the others can score more. */
static int64_t best_of_all(const session_t *s, rule_t *rule, const scale_t *scale, int64_t room, int32_t agents,
                           int64_t longest, int64_t fit) {
    const int gaps = rule->waste > 0;
    const double of_longest = (double)s->duration[longest] * scale->of_time;
    int64_t chosen = -1, at = fastest_shown(s, rule, fit - 1);
    int64_t seconds = gaps ? within(s, room - s->rate[s->by_rate[at]]) : 0, compared = 1;
    double best = -1e300;
    for (; at >= 0; at = fastest_shown(s, rule, at - 1), compared++) {
        const int64_t job = s->by_rate[at];
        if (filled_by(s, scale, job) + of_longest + s->highest[job] < best) break;
        double scores = score(s, rule, scale, job);
        if (gaps) {
            const int64_t left = agents > 1 ? gap_beside(s, rule, at, room, &seconds) : room - s->rate[job];
            scores -= (double)left * scale->of_gap;
        }
        if (scores > best || (scores == best && job < chosen)) best = scores, chosen = job;
    }
    rule->work += compared * (2 + gaps);
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

/* The best of some that fit: the longest, the fastest, and the longest of each class of rates that fits whole.
 * For each of these only so many are looked at until one is not hidden. */
static int64_t best_of_some(const session_t *s, rule_t *rule, const scale_t *scale, int64_t room,
                            int64_t longest, int64_t fit) {
    best_t best = {longest, score(s, rule, scale, longest)};
    const int64_t passed = s->groups ? rule->passed : 1;
    int64_t steps = 0, shown = 0;
    for (int64_t at = fit - 1; at >= 0 && at >= fit - rule->fastest * passed && shown < rule->fastest; at--, steps++) {
        if (hidden(s, s->by_rate[at])) continue;
        compare(s, rule, scale, s->by_rate[at], &best);
        shown++;
    }
    for (int64_t class = 0; class < rule->classes; class++, steps++) {
        const int64_t last = ((class + 1) * s->jobs + rule->classes - 1) / rule->classes - 1;
        if (s->rate[rule->by_rate[last]] > room) break;
        int64_t job = s->after[s->jobs + class], left = passed;
        for (; job < s->jobs && hidden(s, job) && --left; steps++) job = s->after[job];
        if (left && job < s->jobs) compare(s, rule, scale, job, &best);
    }
    rule->work += 2 * steps;
    return best.job;
}

/* The waiting job that fills the room best, weighed against how much of the time left it needs; the longest goes
 * first if its time has come. -1 if none fits, or all that do are hidden. */
int64_t best_filling(session_t *s, rule_t *rule, int64_t room, int32_t agents, int64_t now) {
    const int64_t longest = first_that_fits(s, rule, room);
    if (longest < 0 || now + s->duration[longest] >= rule->target) return longest;
    const double of_room = 1.0 / (double)(room ? room : 1), left = (double)(rule->target - now);
    const double most = (double)room * (1.0 - rule->even * (double)(agents - 1) / (double)agents);
    const scale_t scale = {of_room, rule->urgency / left, most, rule->waste * of_room};
    const int64_t fit = within(s, room);
    if (fit > rule->look_ahead) return best_of_some(s, rule, &scale, room, longest, fit);
    return best_of_all(s, rule, &scale, room, agents, longest, fit);
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

/* A job no longer waits. */
void take_from_rates(session_t *s, rule_t *rule, int64_t job) {
    const int64_t at = place_by_rate(s, job), behind = s->waiting - at - 1;
    memmove(s->by_rate + at, s->by_rate + at + 1, behind * sizeof *s->by_rate);
    rule->work += behind / MOVED;
    if (!s->after) return;
    s->after[s->prior[job]] = s->after[job];
    s->prior[s->after[job]] = s->prior[job];
}

/* The jobs by rate, and in classes if they may be too many to compare all; 0 without memory. */
int sort_by_rate(session_t *s, const rule_t *rule) {
    const int64_t rings = s->jobs > rule->look_ahead ? s->jobs + rule->classes : 0;
    s->by_rate = malloc((s->jobs + 1) * sizeof *s->by_rate);
    s->highest = malloc((s->jobs + 1) * sizeof *s->highest);
    s->after = rings ? malloc(rings * sizeof *s->after) : NULL;
    s->prior = rings ? malloc(rings * sizeof *s->prior) : NULL;
    if (!s->by_rate || !s->highest || (rings && !(s->after && s->prior))) return 0;
    memcpy(s->by_rate, rule->by_rate, s->jobs * sizeof *s->by_rate);
    note_highest(s, rule);
    if (rings) sort_into_classes(s, rule);
    return 1;
}
