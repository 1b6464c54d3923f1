/* What Python sees of the pilot method; see pilot.c. */

typedef struct {
    int64_t jobs; /* the longest first, none faster than every drive */
    const int64_t *duration, *rate;
    const double *bias; /* the rule's parameters: see rule_t */
    int64_t target;
    double urgency, even, waste;
    int32_t drives;
    const int64_t *max_rate;
    const int32_t *max_agents;
    int64_t tolerance; /* by which sums of rates may exceed a drive's */
    int64_t grid;      /* nanoseconds; jobs start at multiples of it */
    int64_t makespan;  /* of the session to begin with */
    int64_t enough;    /* a makespan than which none shorter is looked for */
    int32_t width;     /* how many partial sessions are kept, */
    int32_t tries;     /* in how many ways each is continued, */
    int32_t pieces;    /* and into how many pieces the session's time is cut */
    double spread;     /* between the highest and the lowest random bias, at the most */
    uint64_t seed;
    int64_t budget;    /* the work that may be done, but for what the last few sessions take */
    int64_t work;      /* what is added to: the work that was done */
} pilot_t;

int64_t pilot(pilot_t *of, int32_t *drive_of, int64_t *start);
