/* What weighs most of all that may run on a drive at once: a knapsack of rate with so many places. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "kernel.h"
#include "knapsack.h"

/* Compiled for wider vectors as well, which is chosen when the program is loaded, where that can be. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define WIDEST
#endif

int32_t useful(const sack_t *s, int32_t level, int32_t copies) {
    if (level > s->capacity) return 0;
    if (s->places && copies > s->places) copies = s->places;
    return level && copies > s->capacity / level ? s->capacity / level : copies;
}

int open_sack(sack_t *s, int32_t kinds, const int32_t *level, const int32_t *copies, int32_t places,
              int32_t capacity) {
    int64_t all = 0;
    *s = (sack_t){.places = places, .capacity = capacity, .row = (int64_t)capacity + 1};
    s->table = (places + 1) * s->row;
    for (int32_t k = 0; k < kinds; k++) all += useful(s, level[k], copies[k]);
    s->most = malloc(s->table * sizeof *s->most);
    s->other = malloc(s->table * sizeof *s->other);
    s->took = malloc((all + 1) * s->table);
    return s->most && s->other && s->took;
}

void close_sack(sack_t *s) {
    free(s->most);
    free(s->other);
    free(s->took);
}

/* One more copy: from each room that is left beside it, what fits with it, or without it where that weighs no less. */
WIDEST static void put_in_place(int32_t *restrict with, const int32_t *restrict beside, uint8_t *restrict took,
                                int32_t weight, int32_t rooms) {
    for (int32_t room = 0; room < rooms; room++) {
        const int32_t weighs = beside[room] + weight;
        took[room] = weighs > with[room];
        with[room] = weighs > with[room] ? weighs : with[room];
    }
}

/* Likewise, to another row than the one that says what fits without it. */
WIDEST static void put_in_row(int32_t *restrict with, const int32_t *without, const int32_t *beside,
                              uint8_t *restrict took, int32_t weight, int32_t rooms) {
    for (int32_t room = 0; room < rooms; room++) {
        const int32_t weighs = beside[room] + weight;
        took[room] = weighs > without[room];
        with[room] = weighs > without[room] ? weighs : without[room];
    }
}

static void put_in(sack_t *s, int32_t places, uint8_t *took, int32_t weight, int32_t level) {
    const int32_t rooms = s->capacity - level + 1;
    if (!places) {
        int32_t *without = s->most, *with = s->other;
        memcpy(with, without, level * sizeof *with);
        put_in_row(with + level, without + level, without, took + level, weight, rooms);
        s->most = with, s->other = without;
    }
    for (int32_t place = places; place; place--) {
        int32_t *with = s->most + place * s->row;
        put_in_place(with + level, with - s->row, took + place * s->row + level, weight, rooms);
    }
}

/* Fill so many places; the number of jobs that are taken. */
static int32_t fill_places(sack_t *s, int32_t places, int32_t kinds, const int32_t *weight, const int32_t *level,
                           const int32_t *copies, int32_t *taken) {
    const int64_t table = (places + 1) * s->row;
    uint8_t *took = s->took;
    int64_t all = 0;
    memset(s->most, 0, table * sizeof *s->most);
    for (int32_t k = 0; k < kinds; k++)
        for (int32_t copy = weight[k] > 0 ? useful(s, level[k], copies[k]) : 0; copy; copy--, took += table, all++)
            put_in(s, places, took, weight[k], level[k]);
    int32_t jobs = 0, room = s->capacity;
    for (int32_t k = kinds - 1; k >= 0; k--) {
        taken[k] = 0;
        for (int32_t copy = weight[k] > 0 ? useful(s, level[k], copies[k]) : 0; copy; copy--) {
            took -= table;
            if (room < level[k] || (places && jobs == places)) continue;
            if (!took[(places ? places - jobs : 0) * s->row + room]) continue;
            taken[k]++, jobs++;
            room -= level[k];
        }
    }
    s->work += table * all;
    s->weighs = s->most[table - 1];
    return jobs;
}

int32_t fill(sack_t *s, int32_t kinds, const int32_t *weight, const int32_t *level, const int32_t *copies,
             int32_t *taken) {
    /* Mostly rates are what is short: where the jobs that fill it best find places, that is all. */
    if (fill_places(s, 0, kinds, weight, level, copies, taken) > s->places && s->places)
        fill_places(s, s->places, kinds, weight, level, copies, taken);
    return s->weighs;
}

int64_t heaviest(int32_t kinds, const int32_t *weight, const int32_t *level, const int32_t *copies,
                 int32_t places, int32_t capacity, int32_t *taken) {
    sack_t s;
    int64_t result = KNAPSACK_NO_MEMORY;
    if (open_sack(&s, kinds, level, copies, places, capacity)) result = fill(&s, kinds, weight, level, copies, taken);
    close_sack(&s);
    return result;
}
