/* Partial sessions and the rule that continues them; see partial.c. */

#include <stdint.h>
#include "pilot.h"

/* What the rule knows of a job. The last two are the most of its and of those of all slower ones. */
typedef struct {
    int64_t rate;
    double duration, bias, longest, highest_bias;
} row_t;

typedef struct {
    int64_t start;
    int32_t rank, drive;
} start_t;

typedef struct {
    int64_t end;
    int32_t rank, drive;
} event_t;

/* A partial session. */
typedef struct {
    int64_t now, makespan, free;
    int64_t judged;   /* the makespan of the session that the rule makes of it */
    uint64_t hash;    /* of the starts, in whatever order */
    double wasted;    /* what the drives could have written until now, less what they did */
    int32_t waiting, running, head;
    int32_t *ranks;   /* of the waiting jobs: the first of the columns, which are copied by themselves */
    uint64_t *listed; /* a bit for each job, in the list's order, 1 while it waits; all are 0 before `head` */
    event_t *events;  /* the last to end first */
    int64_t *free_rate;
    int32_t *free_agents;
    start_t *starts;  /* in their order */
} state_t;

/* The jobs as the rule knows them. */
typedef struct {
    pilot_t *of;
    int64_t words, agents;  /* of `listed`, and that can run at once */
    double total, capacity; /* of all jobs, and of all drives together */
    row_t *plain;           /* of each job */
    const row_t *rows;      /* those that the rule goes by now: their biases may differ */
    int32_t *job_of, *rank_of;
} filling_t;

/* Fill in the rows and the ranks, for which there is room; 0 without memory. */
int filling_prepare(filling_t *f);

/* The bytes that the columns of a state take, and a state with no start in so many. */
int64_t partial_bytes(const filling_t *f);
void partial_clear(const filling_t *f, state_t *s, char *room);

/* All but the starts. */
void partial_copy(filling_t *f, state_t *to, const state_t *from);

/* Go on with a session, up to an instant; 0 if it does not end before `cut_off`. */
int partial_go_on(filling_t *f, state_t *s, int64_t until, int64_t cut_off);
