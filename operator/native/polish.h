/* What Python sees of the polishing of schedules; see polish.c. */

typedef struct {
    int64_t jobs;
    const int64_t *duration, *rate;
    int32_t drives;
    const int64_t *max_rate;
    const int32_t *max_agents;
    int64_t tolerance; /* by which sums of rates may exceed a drive's */
    int64_t grid;      /* nanoseconds; jobs start at multiples of it */
    int64_t enough;    /* a makespan than which none shorter is looked for */
    double heat;       /* the part of the makespan, divided by the jobs, that a worse schedule may cost at first */
    uint64_t seed;
    int64_t budget;    /* the work that may be done */
    int64_t work;      /* what is added to: the work that was done */
} polish_t;

int64_t polish(polish_t *of, int32_t *order, int32_t *drive_of, int64_t *start);
