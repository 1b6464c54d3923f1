/* Draws for the search of biases: see rulesearch.py. */

#include "random.h"
#include "kernel.h"

void draw_biases(int64_t jobs, const double *around, double spread, const double *shape, double lean,
                 uint64_t seed, double *bias) {
    uint64_t state = seeded(seed);
    for (int64_t i = 0; i < jobs; i++) bias[i] = around[i] + spread * (uniform(&state) - 0.5) + lean * shape[i];
}
