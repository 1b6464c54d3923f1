/* A session while it is simulated: what kernel.c and planned.c share. */

#include <stdint.h>
#include "kernel.h"

typedef struct {
    int64_t end;
    int64_t job;
    int32_t drive;
} event_t;

typedef struct {
    int64_t jobs, leaves;
    const int64_t *duration, *lasting, *rate;
    int32_t drives;
    const int64_t *max_rate;
    const int32_t *max_agents;
    int64_t *free_rate;
    int32_t *free_agents;
    event_t *events; /* a heap: the earliest end first, at one instant the first job of the list */
    int64_t running;
    int64_t *least; /* a tree over the list: the least rate that waits below each node */
    int64_t waiting, head;
    int64_t *next, *previous; /* the list of what waits, for rules that walk it */
    const int32_t *host_of; /* -1 where no host limits its streams; NULL where none does at all */
    int32_t *free_streams;
    int32_t *by_rate; /* what waits, for the rule that fills: see rule_t */
    double *highest;  /* of each job, the highest bias of it and of those before it by rate */
    int32_t *after, *prior; /* rings of what waits of each class of rates, in order; NULL for few */
    int64_t followed; /* how many have started of the planned order's first */
    uint8_t *started;
} session_t;

/* Whether a job is passed over, since its host sends all the streams that it may. */
static inline int hidden(const session_t *s, int64_t job) {
    return s->host_of && s->host_of[job] >= 0 && !s->free_streams[s->host_of[job]];
}

enum { HOLD = -1, OFF_PLAN = -2 };

#define NEVER_DUE INT64_MAX

/* The next job of the planned order and its drive, HOLD while it does not fit, OFF_PLAN where the order is left. */
int64_t next_planned(session_t *s, rule_t *rule, int64_t tolerance, int64_t now, int32_t *drive);

/* When the order may be left, or kept again, though nothing ends, while jobs wait; NEVER_DUE if only an end can. */
int64_t next_due(const session_t *s, rule_t *rule, int64_t now);
