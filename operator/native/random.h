/* Pseudo-random numbers (Marsaglia's xorshift), the same on every machine for the same seed. */

#include <stdint.h>

/* A state that never becomes 0, from where there would be no way out. */
static inline uint64_t seeded(uint64_t seed) {
    const uint64_t state = seed * 2654435761u + 88172645463325252u;
    return state ? state : 1;
}

static inline uint64_t random_bits(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Between 0 and 1, neither included. */
static inline double uniform(uint64_t *state) {
    return ((double)(random_bits(state) >> 11) + 0.5) / 9007199254740992.0;
}
