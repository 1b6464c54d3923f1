/* A session while it is simulated: what kernel.c and planned.c share. */

#include <stdint.h>
#include "kernel.h"

typedef struct {
    int64_t end;
    int64_t job;
    int32_t drive;
} event_t;

typedef struct {
    int64_t jobs;
    const int64_t *duration, *lasting, *rate;
    int32_t drives;
    const int64_t *max_rate;
    const int32_t *max_agents;
    int64_t *free_rate;
    int32_t *free_agents;
    event_t *events; /* a heap: the earliest end first, at one instant the first job of the list */
    int64_t running, waiting;
    int64_t head;     /* for a rule that blocks, while it takes the jobs one by one: the next */
    uint8_t *started; /* for a planned order */
    int64_t followed; /* how many have started of its first */

    int64_t leaves;   /* waiting.c: of the tree, 0 without one */
    int64_t *least;   /* the least rate that waits below each node; the leaves are the list */
    int32_t groups;   /* hosts that limit their streams, and one for what has none; 0 where jobs aren't grouped */
    int32_t *group_of, *place, *at; /* of each job its group, and its place by groups; the job at each place */
    int64_t *least_by_host;         /* as `least`; the leaves are the places */
    int32_t *begins, *group_head;   /* the first place of each group, and the first that waits or one before it */
    int32_t *free_streams;          /* of each group */
    int64_t group_leaves, *first;   /* a tree: the first job that waits and is not hidden below each node */

    int32_t *by_rate; /* filling.c: what waits, the slowest first, of one rate the last of the list */
    double *highest;  /* of each job, the highest bias of it and of those before it by rate */
    int32_t *after, *prior; /* rings of what waits of each class of rates, in order; NULL for few */
} session_t;

/* Whether a job is passed over, since its host sends all the streams that it may. */
static inline int hidden(const session_t *s, int64_t job) {
    return s->groups && !s->free_streams[s->group_of[job]];
}

/* waiting.c */
int group_by_host(session_t *s, int32_t hosts, const int32_t *host_of, const int32_t *max_streams);
int plant(session_t *s);
void take_from_tree(session_t *s, int64_t job);
void begin_stream(session_t *s, int64_t job);
void end_stream(session_t *s, int64_t job);

/* The first job of the list that waits, is not hidden and asks for at most `room`; -1 without one. */
int64_t first_that_fits(const session_t *s, rule_t *rule, int64_t room);

/* The first that waits and is not hidden, if it asks for at most `room`; -1 otherwise. */
int64_t first_shown(const session_t *s, int64_t room);

/* filling.c */
int sort_by_rate(session_t *s, const rule_t *rule);
void take_from_rates(session_t *s, rule_t *rule, int64_t job);
int64_t best_filling(session_t *s, rule_t *rule, int64_t room, int32_t agents, int64_t now);

/* planned.c */
enum { HOLD = -1, OFF_PLAN = -2 };

#define NEVER_DUE INT64_MAX

/* The next job of the planned order and its drive, HOLD while it does not fit, OFF_PLAN where the order is left. */
int64_t next_planned(session_t *s, rule_t *rule, int64_t tolerance, int64_t now, int32_t *drive);

/* When the order may be left, or kept again, though nothing ends, while jobs wait; NEVER_DUE if only an end can. */
int64_t next_due(const session_t *s, rule_t *rule, int64_t now);
