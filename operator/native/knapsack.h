/* Knapsacks of one size that are filled again and again; see knapsack.c. */

#include <stdint.h>

typedef struct {
    int32_t places, capacity; /* places are 0 where rates alone limit how many jobs there are */
    int64_t row, table;       /* entries of one place, and of all */
    int32_t *most;            /* the heaviest of so many places and so much room, by place and room */
    int32_t *other;           /* where the next of them go */
    uint8_t *took;            /* for each copy that was put in, by place and room: whether that weighs more */
    int32_t weighs;           /* what it was filled with last */
    int64_t work;             /* entries computed so far */
} sack_t;

int open_sack(sack_t *sack, int32_t kinds, const int32_t *level, const int32_t *copies, int32_t places,
              int32_t capacity);
void close_sack(sack_t *sack);

/* How many copies of a kind may be in it at once. */
int32_t useful(const sack_t *sack, int32_t level, int32_t copies);

/* The most that kinds of jobs weigh together, and how many of each that are. */
int32_t fill(sack_t *sack, int32_t kinds, const int32_t *weight, const int32_t *level, const int32_t *copies,
             int32_t *taken);
