/* The jobs of each drive as a list, for annealing: see lists.c and polish.c. */

#include <stdint.h>
#include "kernel.h"
#include "polish.h"

#define STEP 4 /* places from one kept state to the next */

/* A drive between two starts. */
typedef struct {
    int64_t now, used;
    int32_t running;
    int64_t *end, *rate; /* of the running jobs, the last to end first */
} state_t;

typedef struct {
    int32_t *job, *best; /* the list, and that of the best schedule */
    int64_t length, best_length, end;
    int64_t capacity;
    int32_t agents;
    state_t *kept, trial;
    double *progress; /* at each kept state: see `progress_of` */
} drive_t;

/* Room for the list of a drive and its states; 0 without memory. */
int prepare_drive(const polish_t *of, drive_t *drive, int32_t d);
void release_drive(drive_t *drive);

/* Begin the trial at the last kept state at or before a place; gives its place. */
int64_t begin(drive_t *drive, int64_t at);

/* Start a job as soon as it fits. */
void put(polish_t *of, const drive_t *drive, state_t *s, int32_t job);

/* Put the list's jobs from where the trial is on into it, up to a place. */
void put_until(polish_t *of, drive_t *drive, int64_t from, int64_t until);

/* Keep the states from a place on, and the end. */
void keep(polish_t *of, drive_t *drive, int64_t at);

int64_t end_of(const state_t *s);

/* What the drive could have written until now, and what is still to be written of what runs: of two states after
 * the same jobs the one with less of it has wasted less. */
double progress_of(const drive_t *drive, const state_t *s);
