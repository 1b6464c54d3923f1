/* Simulated annealing of a schedule: which drive each job is on, and in which order the jobs of a drive start.
 *
 * Each drive is a list of its own (lists.c), and any schedule in which nothing could start earlier is such lists. A
 * change concerns one drive or two, from the first changed place on. Most changes are seen to be bad a few jobs after
 * them: by then the drive is behind where it was with as many.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "lists.h"
#include "random.h"

#define CHANGED 50     /* what a change costs beside the jobs that are placed anew */
#define LATEST 3       /* a change concerns two drives, so the last of the others is one of so many */
#define DRIVES_NOTED 4 /* how many drives, or jobs of the best schedule, are noted in a step */
#define NOTED 2        /* how many places are noted in a step */
#define OF_ALL 0.1     /* what the ends of all drives count beside the last one */
#define ALIKE 0.5      /* how often jobs alike in rate or duration are swapped, and not any two */
#define FARTHEST 10    /* places by which a job is moved where it is not moved anywhere */

/* A change of one list or of two: what is undone is the change back. */
typedef struct {
    enum { SWAP, MOVE, MOVE_OVER } kind;
    drive_t *a, *b;
    int64_t i, j; /* the places: on `a` and on `b`, which may be one drive */
} change_t;

typedef struct {
    polish_t *of;
    drive_t *drives;
    int32_t *alike[2], *rank[2]; /* the jobs by rate and by duration, and the place of each there */
    int32_t *drive_of;
    int64_t *place_of;
    uint64_t random;
    const drive_t *latest[LATEST]; /* the drives that end last, and NULL where there are no more */
    double ends;                   /* the sum of the ends of all */
} work_t;

static int64_t below(work_t *w, int64_t limit) {
    return (int64_t)(random_bits(&w->random) % (uint64_t)limit);
}

/* Note which drives end last. */
static void note_ends(work_t *w) {
    w->ends = 0;
    for (int k = 0; k < LATEST; k++) w->latest[k] = NULL;
    for (int32_t d = 0; d < w->of->drives; d++) {
        const drive_t *drive = &w->drives[d];
        int k = LATEST;
        w->ends += (double)drive->end;
        for (; k && (!w->latest[k - 1] || w->latest[k - 1]->end < drive->end); k--)
            if (k < LATEST) w->latest[k] = w->latest[k - 1];
        if (k < LATEST) w->latest[k] = drive;
    }
    w->of->work += w->of->drives / DRIVES_NOTED;
}

/* What the lists cost with other ends of the drives that a change concerns. */
static double cost(const work_t *w, const change_t *change, double end_a, double end_b) {
    const drive_t *a = change->a, *b = change->b;
    double last = end_a > end_b ? end_a : end_b, sum = w->ends - (double)a->end + end_a;
    if (a != b) sum += end_b - (double)b->end;
    for (int k = 0; k < LATEST && w->latest[k]; k++) {
        const drive_t *drive = w->latest[k];
        if (drive != a && drive != b && (double)drive->end > last) last = (double)drive->end;
    }
    return last + OF_ALL * sum;
}

static void apply(const change_t *change) {
    drive_t *a = change->a, *b = change->b;
    const int64_t i = change->i, j = change->j;
    const int32_t job = a->job[i];
    if (change->kind == SWAP) {
        a->job[i] = b->job[j];
        b->job[j] = job;
        return;
    }
    a->length--;
    memmove(a->job + i, a->job + i + 1, (a->length - i) * sizeof *a->job);
    memmove(b->job + j + 1, b->job + j, (b->length - j) * sizeof *b->job);
    b->length++;
    b->job[j] = job;
}

static void undo(const change_t *change) {
    change_t back = {change->kind, change->b, change->a, change->j, change->i};
    apply(&back);
}

/* A swap with a job of nearly the same rate or duration, wherever that is. */
static int swap_alike(work_t *w, change_t *change) {
    const int by = below(w, 4) == 0;
    const int32_t job = change->a->job[change->i];
    int64_t off = 1 + (int64_t)(-4 * log(uniform(&w->random)));
    const int64_t at = w->rank[by][job] + (random_bits(&w->random) & 1 ? off : -off);
    if (at < 0 || at >= w->of->jobs) return 0;
    const int32_t other = w->alike[by][at];
    change->kind = SWAP;
    change->b = &w->drives[w->drive_of[other]];
    change->j = w->place_of[other];
    return 1;
}

/* A change drawn at random; 0 if what was drawn can't be. */
static int propose(work_t *w, change_t *change) {
    const polish_t *of = w->of;
    drive_t *a = change->a = change->b = &w->drives[below(w, of->drives)];
    if (!a->length) return 0;
    const int64_t i = change->i = below(w, a->length);
    if (uniform(&w->random) < ALIKE) {
        if (!swap_alike(w, change)) return 0;
    } else if (of->drives > 1 && uniform(&w->random) < 0.5) {
        drive_t *b = change->b = &w->drives[below(w, of->drives)];
        if (a == b) return 0;
        change->kind = uniform(&w->random) < 0.7 ? SWAP : MOVE_OVER;
        if (change->kind == SWAP && !b->length) return 0;
        change->j = below(w, b->length + (change->kind == MOVE_OVER));
    } else {
        const int64_t off = 1 + below(w, FARTHEST);
        change->kind = uniform(&w->random) < 0.5 ? SWAP : MOVE;
        change->j = uniform(&w->random) < 0.5 ? below(w, a->length) : i + (random_bits(&w->random) & 1 ? off : -off);
        if (change->j < 0 || change->j >= a->length || change->j == i) return 0;
    }
    if (change->a == change->b) return 1;
    return of->rate[a->job[i]] <= change->b->capacity &&
           (change->kind == MOVE_OVER || of->rate[change->b->job[change->j]] <= a->capacity);
}

/* The drive's end if what follows the change loses no more time than it did. */
static double foreseen(work_t *w, drive_t *drive, int64_t *at, int64_t changed) {
    const int64_t until = (changed / STEP + 2) * STEP;
    if (until > drive->length) return (double)drive->end;
    put_until(w->of, drive, *at, until);
    *at = until;
    const double behind = progress_of(drive, &drive->trial) - drive->progress[until / STEP];
    return (double)drive->end + behind / (double)drive->capacity;
}

/* Whether a change, which is applied, costs no more than a limit; the cost becomes what it costs. */
static int is_within(work_t *w, const change_t *change, double limit, double *costs) {
    drive_t *a = change->a, *b = change->b;
    const int64_t first = a == b && change->j < change->i ? change->j : change->i;
    const int64_t last = a == b && change->j > change->i ? change->j : change->i;
    int64_t at_a = begin(a, first), at_b = a == b ? 0 : begin(b, change->j);
    if (change->kind != MOVE_OVER) {
        const double end_a = foreseen(w, a, &at_a, last);
        const double end_b = a == b ? end_a : foreseen(w, b, &at_b, change->j);
        if (cost(w, change, end_a, end_b) > limit) return 0;
    }
    put_until(w->of, a, at_a, a->length);
    if (a != b) put_until(w->of, b, at_b, b->length);
    *costs = cost(w, change, (double)end_of(&a->trial), (double)end_of(&b->trial));
    return *costs <= limit;
}

static void note_places(work_t *w, const drive_t *drive, int64_t from) {
    for (int64_t k = from; k < drive->length; k++) {
        w->drive_of[drive->job[k]] = (int32_t)(drive - w->drives);
        w->place_of[drive->job[k]] = k;
    }
    w->of->work += (drive->length - from) / NOTED;
}

static void note_best(work_t *w) {
    for (int32_t d = 0; d < w->of->drives; d++) {
        drive_t *drive = &w->drives[d];
        memcpy(drive->best, drive->job, drive->length * sizeof *drive->best);
        drive->best_length = drive->length;
    }
    w->of->work += w->of->jobs / DRIVES_NOTED;
}

static int64_t anneal(work_t *w) {
    polish_t *of = w->of;
    note_ends(w);
    int64_t best = w->latest[0]->end;
    double now = (double)best + OF_ALL * w->ends, costs;
    change_t change;
    const double hottest = of->heat * (double)best / (double)of->jobs;
    const int64_t began = of->work;
    note_best(w);
    while (of->work - began < of->budget && best > of->enough) {
        const double left = 1 - (double)(of->work - began) / (double)of->budget;
        of->work += CHANGED;
        if (!propose(w, &change)) continue;
        const double limit = now - hottest * left * left * log(uniform(&w->random));
        apply(&change);
        if (!is_within(w, &change, limit, &costs)) {
            undo(&change);
            continue;
        }
        now = costs;
        const int64_t first = change.a == change.b && change.j < change.i ? change.j : change.i;
        keep(w->of, change.a, first);
        note_places(w, change.a, first);
        if (change.a != change.b) {
            keep(w->of, change.b, change.j);
            note_places(w, change.b, change.j);
        }
        note_ends(w);
        if (w->latest[0]->end >= best) continue;
        best = w->latest[0]->end;
        note_best(w);
    }
    return best;
}

typedef struct {
    int64_t key;
    int32_t job;
} row_t;

static int by_key(const void *a, const void *b) {
    const row_t *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

/* The jobs by a key of theirs; 0 without memory. */
static int sort(int32_t *jobs, int64_t length, const int64_t *key) {
    row_t *rows = malloc(length * sizeof *rows);
    if (!rows) return 0;
    for (int64_t i = 0; i < length; i++) rows[i] = (row_t){key[i], (int32_t)i};
    qsort(rows, length, sizeof *rows, by_key);
    for (int64_t i = 0; i < length; i++) jobs[i] = rows[i].job;
    free(rows);
    return 1;
}

/* The lists of a schedule; 0 without memory. */
static int prepare(work_t *w, const int32_t *drive_of, const int64_t *start) {
    const polish_t *of = w->of;
    const int64_t *keys[2] = {of->rate, of->duration};
    int32_t *by_start = w->rank[0]; /* not yet needed for ranks */
    for (int32_t d = 0; d < of->drives; d++)
        if (!prepare_drive(of, &w->drives[d], d)) return 0;
    if (!sort(by_start, of->jobs, start)) return 0;
    for (int64_t i = 0; i < of->jobs; i++) {
        drive_t *drive = &w->drives[drive_of[by_start[i]]];
        drive->job[drive->length++] = by_start[i];
    }
    for (int by = 0; by < 2; by++) {
        if (!sort(w->alike[by], of->jobs, keys[by])) return 0;
        for (int64_t i = 0; i < of->jobs; i++) w->rank[by][w->alike[by][i]] = (int32_t)i;
    }
    for (int32_t d = 0; d < of->drives; d++) {
        keep(w->of, &w->drives[d], 0);
        note_places(w, &w->drives[d], 0);
    }
    return 1;
}

/* The lists of the best schedule, when each job starts, and where. */
static void tell(work_t *w, int32_t *order, int32_t *drive_of, int64_t *start) {
    for (int32_t d = 0; d < w->of->drives; d++) {
        drive_t *drive = &w->drives[d];
        begin(drive, 0);
        for (int64_t k = 0; k < drive->best_length; k++) {
            const int32_t job = drive->best[k];
            put(w->of, drive, &drive->trial, job);
            *order++ = job;
            drive_of[job] = d;
            start[job] = drive->trial.now;
        }
    }
}

/* Makes a schedule shorter, if it finds out how: `drive_of` and `start` are its, and become the shorter one's;
 * `order` becomes the jobs of the first drive in the order in which they wait for each other, then the next one's.
 * The makespan, or SESSION_NO_MEMORY. Nothing in the schedule may start later than it could. */
int64_t polish(polish_t *of, int32_t *order, int32_t *drive_of, int64_t *start) {
    int64_t makespan = SESSION_NO_MEMORY;
    work_t w = {.of = of, .random = seeded(of->seed)};
    int32_t *columns = malloc(5 * of->jobs * sizeof *columns);
    w.place_of = malloc(of->jobs * sizeof *w.place_of);
    w.drives = calloc(of->drives, sizeof *w.drives);
    if (columns && w.place_of && w.drives) {
        for (int by = 0; by < 2; by++) {
            w.alike[by] = columns + 2 * by * of->jobs;
            w.rank[by] = w.alike[by] + of->jobs;
        }
        w.drive_of = columns + 4 * of->jobs;
        if (prepare(&w, drive_of, start)) {
            makespan = anneal(&w);
            tell(&w, order, drive_of, start);
        }
        for (int32_t d = 0; d < of->drives; d++) release_drive(&w.drives[d]);
    }
    free(columns);
    free(w.place_of);
    free(w.drives);
    return makespan;
}
