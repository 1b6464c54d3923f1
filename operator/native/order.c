/* The paper's OrdObjList: the longest job first, of equal durations the fastest first. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "kernel.h"

typedef struct {
    int64_t duration, rate, place;
} row_t;

static int after(const row_t *a, const row_t *b) {
    return a->duration != b->duration ? a->duration < b->duration : a->rate < b->rate;
}

/* A merge sort, since qsort of the C library calls a function for each comparison. */
static void sort(row_t *rows, row_t *spare, int64_t length) {
    if (length < 2) return;
    int64_t middle = length / 2, left = 0, right = middle;
    sort(rows, spare, middle);
    sort(rows + middle, spare, length - middle);
    memcpy(spare, rows, middle * sizeof *rows);
    for (int64_t i = 0; left < middle; i++)
        rows[i] = right < length && after(&spare[left], &rows[right]) ? rows[right++] : spare[left++];
}

/* Sorts both columns in place. `place` tells where each row was, and `ties` where runs of equal rows begin and
 * end, whose order only their names decide. */
order_t order_jobs(int64_t jobs, int64_t *duration, int64_t *rate, int64_t *place, int64_t *ties) {
    order_t order = {0, 0};
    int64_t began = 0;
    row_t *rows = malloc((2 * jobs + 1) * sizeof *rows);
    if (!rows) return (order_t){SESSION_NO_MEMORY, 0};
    for (int64_t i = 0; i < jobs; i++) rows[i] = (row_t){duration[i], rate[i], i};
    sort(rows, rows + jobs, jobs);
    for (int64_t i = 0; i < jobs; i++) {
        duration[i] = rows[i].duration;
        rate[i] = rows[i].rate;
        place[i] = rows[i].place;
        if (rate[i] > order.fastest) order.fastest = rate[i];
        if (i + 1 < jobs && !after(&rows[i + 1], &rows[i])) continue;
        if (i > began) {
            ties[2 * order.ties] = began;
            ties[2 * order.ties++ + 1] = i + 1;
        }
        began = i + 1;
    }
    free(rows);
    return order;
}

/* Whether no row is less than the one before it. */
int32_t ascending(int64_t length, const int64_t *column) {
    for (int64_t i = 1; i < length; i++)
        if (column[i] < column[i - 1]) return 0;
    return 1;
}
