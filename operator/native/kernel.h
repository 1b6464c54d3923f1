/* What Python sees of the kernel; see kernel.c, order.c and so on. */

enum { RULE_BLOCKING = 0, RULE_SEARCHING = 1, RULE_FILLING = 2 };

typedef struct {
    int32_t kind;
    int64_t target;         /* RULE_FILLING: nanoseconds by which the session is to end */
    double urgency;         /* RULE_FILLING: what a job's share of the time left weighs */
    const double *bias;     /* RULE_FILLING: of each job, in the list's order */
    double even;            /* RULE_FILLING: how much of its part of the room each other free agent is left */
    double waste;           /* RULE_FILLING: what the share of the room weighs that a job and a second one leave */
    const int32_t *by_rate; /* RULE_FILLING: the jobs, the slowest first, of one rate the last of the list */
    int64_t look_ahead;     /* RULE_FILLING: of how many waiting jobs that fit all are compared */
    int64_t fastest;        /* RULE_FILLING: of more, how many of the fastest are */
    int64_t classes;        /* RULE_FILLING: and by how many classes of rates the longest of each */
    int64_t passed;         /* RULE_FILLING: for each of these, how many are looked at where some are hidden */
    const int32_t *sequence; /* of a planned order, NULL without: the jobs in the order of their starts, */
    const int32_t *drive_of; /* the drive of each */
    const int64_t *start;    /* and when it starts */
    int64_t slack;           /* nanoseconds by which a session may be off its plan */
    int64_t work;           /* what is added to: in steps along lists, all that was done */
} rule_t;

enum { SESSION_CUT_OFF = -1, SESSION_FITS_NOWHERE = -2, SESSION_NO_MEMORY = -3, SESSION_TOO_LARGE = -4 };

int64_t run_session(
    int64_t jobs, const int64_t *duration, const int64_t *lasting, const int64_t *rate,
    int32_t hosts, const int32_t *host_of, const int32_t *max_streams,
    int32_t drives, const int64_t *max_rate, const int32_t *max_agents,
    rule_t *rule, int64_t tolerance, int64_t grid, int64_t cut_off,
    int32_t *drive_of, int64_t *start, int64_t *end);

/* `bias` becomes `around` with draws of a spread, and with so much of a shape as it leans to it. */
void draw_biases(int64_t jobs, const double *around, double spread, const double *shape, double lean,
                 uint64_t seed, double *bias);

int32_t ascending(int64_t length, const int64_t *column);

typedef struct {
    int64_t ties;    /* runs of equal rows, or SESSION_NO_MEMORY */
    int64_t fastest; /* the highest rate */
} order_t;

order_t order_jobs(int64_t jobs, int64_t *duration, int64_t *rate, int64_t *place, int64_t *ties);

enum { KNAPSACK_NO_MEMORY = -1, PATTERNS_NO_MEMORY = -1 };

/* The most that kinds of jobs weigh together on one drive: at most `places` jobs, or as many as their rates allow
 * with 0; their levels, rates in parts of a drive's, add up to `capacity` at the most; of each kind there are at
 * most its copies. `taken` becomes how many of each. No sum of weights exceeds 31 bits, even of more jobs than
 * there are places for, if their rates allow them. */
int64_t heaviest(
    int32_t kinds, const int32_t *weight, const int32_t *level, const int32_t *copies,
    int32_t places, int32_t capacity, int32_t *taken);

typedef struct {
    int32_t kinds;
    const double *time;     /* of all jobs of a kind together */
    const int32_t *level, *copies;
    int32_t sacks;          /* drives that are unlike each other */
    const int32_t *places, *capacity, *drives;
    int32_t at_once;        /* how many jobs at the most run on one drive, by rates alone */
    double to_beat;         /* what is proved already, in the unit of `time` */
    double worth_it;        /* by what part more must be proved to be worth the work */
    double close_enough;    /* the part by which what is proved may miss the best */
    double steady;          /* what the best weights so far count beside the duals */
    int64_t work;           /* entries of knapsacks and of the basis that may be computed */
} patterns_t;

/* Weights of the kinds that prove much: `best`. `steady` are good ones to begin with, 1 for all that runs at once. */
int32_t best_weights(const patterns_t *of, double *steady, int32_t *best);

enum { FEW_JOBS = 16, FEW_DRIVES = 16, SHORTEST_UNKNOWN = -1 };

typedef struct {
    int32_t jobs;         /* the longest first, alike ones beside each other; all sums of durations within 62 bits */
    const int64_t *duration, *rate;
    int32_t drives;       /* alike ones beside each other */
    const int64_t *max_rate;
    const int32_t *max_agents;
    int32_t weighings;
    const double *weight; /* of each weighing, of each job: what runs at once weighs 1 at the most */
    int64_t step;         /* every session ends at a multiple of it */
    int64_t below;        /* a multiple of it */
    int64_t work;         /* how many entries may be looked at; those that were are taken off */
} few_t;

/* How long the shortest session lasts that ends before `below`, or that, unless it takes more than the work. */
int64_t shortest(few_t *of);
