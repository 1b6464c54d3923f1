/* When jobs may start. */

#include <stdint.h>

/* The first instant of the grid that is not before one; without a grid a division would cost as much as a start. */
static inline int64_t on_grid(int64_t instant, int64_t grid) {
    return grid == 1 ? instant : (instant + grid - 1) / grid * grid;
}
