/* A list says all about its drive: a job starts as soon as the one before it has started and it fits. States are kept
 * at every fourth place to go on from. */

#include <stdlib.h>
#include <string.h>
#include "grid.h"
#include "lists.h"

#define PLACED 4 /* what it costs to place a job, in steps along a list, beside the running ones passed */
#define KEPT 4 /* what it costs to keep a state, beside its running jobs */

static void copy(state_t *to, const state_t *from) {
    to->now = from->now;
    to->used = from->used;
    to->running = from->running;
    memcpy(to->end, from->end, from->running * sizeof *to->end);
    memcpy(to->rate, from->rate, from->running * sizeof *to->rate);
}

void put(polish_t *of, const drive_t *drive, state_t *s, int32_t job) {
    const int64_t grid = of->grid, rate = of->rate[job];
    int32_t running = s->running;
    while (running == drive->agents || s->used + rate > drive->capacity) {
        s->now = on_grid(s->end[running - 1], grid);
        while (running && s->end[running - 1] <= s->now) s->used -= s->rate[--running];
    }
    const int64_t end = s->now + of->duration[job];
    int32_t at = running++;
    for (; at && s->end[at - 1] < end; at--) s->end[at] = s->end[at - 1], s->rate[at] = s->rate[at - 1];
    s->end[at] = end;
    s->rate[at] = rate;
    s->used += rate;
    s->running = running;
    of->work += PLACED + (running - at) / 2;
}

int64_t end_of(const state_t *s) {
    return s->running ? s->end[0] : s->now;
}

double progress_of(const drive_t *drive, const state_t *s) {
    double sum = (double)s->now * (double)drive->capacity;
    for (int32_t k = 0; k < s->running; k++) sum += (double)(s->end[k] - s->now) * (double)s->rate[k];
    return sum;
}

void put_until(polish_t *of, drive_t *drive, int64_t from, int64_t until) {
    for (int64_t k = from; k < until; k++) put(of, drive, &drive->trial, drive->job[k]);
}

int64_t begin(drive_t *drive, int64_t at) {
    copy(&drive->trial, &drive->kept[at / STEP]);
    return at / STEP * STEP;
}

void keep(polish_t *of, drive_t *drive, int64_t at) {
    for (int64_t k = begin(drive, at);; k++) {
        if (k % STEP == 0) {
            copy(&drive->kept[k / STEP], &drive->trial);
            drive->progress[k / STEP] = progress_of(drive, &drive->trial);
            of->work += KEPT + drive->trial.running;
        }
        if (k >= drive->length) break;
        put(of, drive, &drive->trial, drive->job[k]);
    }
    drive->end = end_of(&drive->trial);
}

int prepare_drive(const polish_t *of, drive_t *drive, int32_t d) {
    const int64_t states = of->jobs / STEP + 3;
    drive->capacity = of->max_rate[d] + of->tolerance;
    drive->agents = of->max_agents[d] < of->jobs ? of->max_agents[d] : (int32_t)of->jobs;
    drive->job = malloc((of->jobs + 1) * sizeof *drive->job);
    drive->best = malloc((of->jobs + 1) * sizeof *drive->best);
    drive->progress = calloc(states, sizeof *drive->progress);
    drive->kept = calloc(states, sizeof *drive->kept);
    int64_t *room = malloc(2 * (states + 1) * drive->agents * sizeof *room);
    drive->trial.end = room; /* all of it: what is freed */
    if (!drive->job || !drive->best || !drive->progress || !drive->kept || !room) return 0;
    for (int64_t k = 0; k <= states; k++) {
        state_t *state = k < states ? &drive->kept[k] : &drive->trial;
        state->end = room + 2 * (k < states ? k + 1 : 0) * drive->agents;
        state->rate = state->end + drive->agents;
    }
    return 1;
}

void release_drive(drive_t *drive) {
    free(drive->job);
    free(drive->best);
    free(drive->progress);
    free(drive->kept);
    free(drive->trial.end);
}
