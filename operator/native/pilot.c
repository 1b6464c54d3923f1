/* The pilot method (Duin and Voss 1999): a narrow beam search, with sessions completed by a rule for judges.
 *
 * The session's time is cut into pieces. At the end of each some partial sessions are kept, those that the
 * rule completes best. Each is continued to the end of the next piece in several ways: by the rule as it is,
 * and by the rule with a random bias for each job, whose sessions are others and about as good. The rule is
 * `Filling` with all jobs compared that fit. The best session that it ever completes is the result.
 */

#include <stdlib.h>
#include <string.h>
#include "random.h"
#include "kernel.h"
#include "partial.h"

#define NEVER ((int64_t)1 << 62)

typedef struct {
    pilot_t *of;
    filling_t filling;
    row_t *biased;
    state_t **kept, **next; /* the best first; one more than are kept, to make a new one in */
    state_t *trial;
    int64_t width;          /* how many are kept now, */
    int64_t found;          /* and how many are found for the next piece */
    uint64_t *seen;         /* a table of the hashes of this piece */
    int64_t slots;
    int64_t best;           /* the makespan */
    int32_t *drive_of;      /* of the best session */
    int64_t *start;
    uint64_t random;
} work_t;

static void note(work_t *w, const start_t *starts, int64_t from, int64_t until) {
    for (int64_t k = from; k < until; k++) {
        const int32_t job = w->filling.job_of[starts[k].rank];
        w->drive_of[job] = starts[k].drive;
        w->start[job] = starts[k].start;
    }
}

/* Judge a partial session by what the rule makes of it; 0 if that does not end before `cut_off`. */
static int judge(work_t *w, state_t *s, int64_t cut_off) {
    const int64_t started = w->of->jobs - s->waiting;
    partial_copy(&w->filling, w->trial, s);
    w->filling.rows = w->filling.plain;
    if (!partial_go_on(&w->filling, w->trial, NEVER, cut_off)) return 0;
    s->judged = w->trial->makespan;
    if (s->judged >= w->best) return 1;
    w->best = s->judged;
    note(w, s->starts, 0, started);
    note(w, w->trial->starts, started, w->of->jobs);
    return 1;
}

/* Draw a bias for each waiting job. */
static void draw(work_t *w, const state_t *s) {
    const double spread = w->of->spread * uniform(&w->random);
    double highest = -1e300;
    for (int32_t k = 0; k < s->waiting; k++) {
        row_t *row = &w->biased[s->ranks[k]];
        row->bias = w->filling.plain[s->ranks[k]].bias + spread * (uniform(&w->random) - 0.5);
        row->highest_bias = highest = row->bias > highest ? row->bias : highest;
    }
    w->of->work += 2 * s->waiting;
}

/* Whether a session is not among those of this piece yet; then it is from now on. */
static int is_new(work_t *w, uint64_t hash) {
    uint64_t slot = hash % (uint64_t)w->slots;
    for (; w->seen[slot]; slot = (slot + 1) % (uint64_t)w->slots)
        if (w->seen[slot] == hash) return 0;
    w->seen[slot] = hash;
    return 1;
}

/* Keep the session that was made behind those found, if it is one of the best and no other is as long. */
static void keep(work_t *w) {
    state_t *made = w->next[w->found];
    int64_t at = w->found;
    while (at && w->next[at - 1]->judged > made->judged) at--;
    if (at && w->next[at - 1]->judged == made->judged) return;
    memmove(w->next + at + 1, w->next + at, (w->found - at) * sizeof *w->next);
    w->next[at] = made;
    if (w->found < w->of->width) w->found++;
}

/* Continue a session to an instant. Without a bias the rule makes of it what it made of it before. */
static void continue_one(work_t *w, const state_t *from, int is_biased, int64_t until) {
    const int64_t cut_off = w->found == w->of->width ? w->next[w->found - 1]->judged : NEVER;
    state_t *made = w->next[w->found];
    if (!is_biased && from->judged >= cut_off) return;
    if (is_biased) draw(w, from);
    partial_copy(&w->filling, made, from);
    w->filling.rows = is_biased ? w->biased : w->filling.plain;
    if (!partial_go_on(&w->filling, made, until, cut_off) || !is_new(w, made->hash)) return;
    memcpy(made->starts, from->starts, (w->of->jobs - from->waiting) * sizeof *made->starts);
    if (!is_biased || judge(w, made, cut_off)) keep(w);
}

/* The work is shared out to the pieces, as else none would be left for the last ones: in proportion to the
 * time that is left of the session, since it is to be completed. Where the share of a piece is used up, its
 * sessions are continued in fewer ways. */
static void search(work_t *w) {
    pilot_t *of = w->of;
    const int64_t until = of->work + of->budget;
    const int64_t piece = of->makespan / of->pieces;
    for (int32_t k = of->pieces; k && w->width && of->work < until && w->best > of->enough; k--) {
        const int64_t enough = of->work + (until - of->work) / (k + 1) * 2;
        w->found = 0;
        memset(w->seen, 0, w->slots * sizeof *w->seen);
        for (int32_t r = 0; r < of->tries && w->best > of->enough; r++)
            for (int64_t i = 0; i < w->width && of->work < enough && w->best > of->enough; i++)
                continue_one(w, w->kept[i], r > 0, k > 1 ? piece * (of->pieces - k + 1) : NEVER);
        state_t **kept = w->kept;
        w->kept = w->next;
        w->next = kept;
        w->width = w->found;
    }
}

/* Looks for a shorter session than one that is known: its makespan, with the drive and the start of each job.
 * If none is found it is the known one, and nothing is written. SESSION_NO_MEMORY without memory. */
int64_t pilot(pilot_t *of, int32_t *drive_of, int64_t *start) {
    work_t w = {.of = of, .filling = {.of = of, .words = of->jobs / 64 + 1}, .best = of->makespan,
                .slots = 2 * (int64_t)of->width * of->tries + 1, .drive_of = drive_of, .start = start,
                .random = seeded(of->seed)};
    filling_t *f = &w.filling;
    const int64_t each = of->width + 1, states = 2 * each + 1;
    int64_t result = SESSION_NO_MEMORY;
    for (int32_t d = 0; d < of->drives; d++) f->agents += of->max_agents[d];
    if (f->agents > of->jobs) f->agents = of->jobs;
    const int64_t bytes = partial_bytes(f);
    row_t *rows = malloc(2 * of->jobs * sizeof *rows);
    int32_t *names = malloc(2 * of->jobs * sizeof *names);
    state_t *all = calloc(states, sizeof *all), **order = malloc(states * sizeof *order);
    char *room = malloc(states * bytes);
    w.seen = malloc(w.slots * sizeof *w.seen);
    if (rows && names && all && order && room && w.seen) {
        f->plain = rows, w.biased = rows + of->jobs;
        f->job_of = names, f->rank_of = names + of->jobs;
        w.kept = order, w.next = order + each, w.trial = &all[2 * each];
        for (int64_t k = 0; k < states; k++) partial_clear(f, order[k] = &all[k], room + k * bytes);
        if (filling_prepare(f)) {
            memcpy(w.biased, f->plain, of->jobs * sizeof *rows);
            w.width = of->budget > 0 && of->makespan > of->enough && judge(&w, w.kept[0], NEVER);
            search(&w);
            result = w.best;
        }
    }
    free(rows);
    free(names);
    free(all);
    free(order);
    free(room);
    free(w.seen);
    return result;
}
