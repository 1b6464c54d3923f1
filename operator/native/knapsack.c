/* What weighs most of all that may run on a drive at once: a knapsack of rate with so many places. */

#include <stdint.h>
#include <stdlib.h>
#include "kernel.h"

typedef struct {
    int32_t places; /* 0 where rates alone limit how many there are */
    int32_t capacity;
    int64_t row, table;
    int64_t *most; /* the heaviest of so many places and so much room, by place and room */
} sack_t;

/* Put up to `copies` of a kind in, one after the other; `took` notes where one more copy weighs more. */
static void put_in(sack_t *s, uint8_t *took, int64_t weight, int32_t level, int32_t copies) {
    for (int32_t copy = 0; copy < copies; copy++) {
        for (int32_t place = s->places; place >= (s->places ? 1 : 0); place--) {
            int64_t *with = s->most + place * s->row;
            const int64_t *without = place ? with - s->row : with;
            uint8_t *noted = took ? took + copy * s->table + place * s->row : NULL;
            for (int64_t room = s->capacity; room >= level; room--) {
                int64_t weighs = without[room - level] + weight;
                if (weighs <= with[room]) continue;
                with[room] = weighs;
                if (noted) noted[room] = 1;
            }
        }
    }
}

/* How many copies of a kind may be in it at all. */
static int32_t useful(const sack_t *s, int64_t weight, int32_t level, int32_t copies) {
    if (weight <= 0 || level > s->capacity) return 0;
    if (s->places && copies > s->places) copies = s->places;
    return level && copies > s->capacity / level ? s->capacity / level : copies;
}

int64_t heaviest(int32_t kinds, const int64_t *weight, const int32_t *level, const int32_t *copies,
                 int32_t places, int32_t capacity, int32_t *taken) {
    sack_t s = {.places = places, .capacity = capacity, .row = (int64_t)capacity + 1};
    s.table = (places + 1) * s.row;
    int64_t all = 0, result = KNAPSACK_NO_MEMORY;
    for (int32_t k = 0; k < kinds; k++) all += useful(&s, weight[k], level[k], copies[k]);
    s.most = calloc(s.table, sizeof *s.most);
    uint8_t *took = taken ? calloc(all + 1, s.table) : NULL;
    if (s.most && (took || !taken)) {
        uint8_t *noted = took;
        for (int32_t k = 0; k < kinds; k++) {
            int32_t fit = useful(&s, weight[k], level[k], copies[k]);
            put_in(&s, noted, weight[k], level[k], fit);
            if (noted) noted += fit * s.table;
        }
        result = s.most[s.table - 1];
        int32_t place = places, room = capacity;
        for (int32_t k = kinds - 1; taken && k >= 0; k--) {
            taken[k] = 0;
            for (int32_t fit = useful(&s, weight[k], level[k], copies[k]); fit; fit--) {
                noted -= s.table;
                if (!noted[place * s.row + room]) continue;
                taken[k]++;
                if (places) place--;
                room -= level[k];
            }
        }
    }
    free(s.most);
    free(took);
    return result;
}
