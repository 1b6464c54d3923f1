/* A planned order, kept as long as a session goes as planned: scheduling/planned.py in the kernel. */

#include "session.h"

/* Whether each drive is as it is to be now, give or take the slack: nothing has ended long before its time, and
 * nothing runs long after it. */
static int is_on_plan(const session_t *s, rule_t *rule, int64_t now) {
    for (int32_t d = 0; d < s->drives; d++) {
        int64_t least = 0, most = 0;
        int32_t least_agents = 0, most_agents = 0;
        for (int64_t k = 0; k < s->followed; k++) {
            const int64_t job = rule->sequence[k], end = rule->start[job] + s->duration[job];
            if (rule->drive_of[job] != d) continue;
            if (end > now + rule->slack) least += s->rate[job], least_agents++;
            if (end > now - rule->slack) most += s->rate[job], most_agents++;
        }
        const int64_t used = s->max_rate[d] - s->free_rate[d];
        const int32_t agents = s->max_agents[d] - s->free_agents[d];
        if (used < least || used > most || agents < least_agents || agents > most_agents) return 0;
    }
    rule->work += s->drives * s->followed;
    return 1;
}

int64_t next_due(const session_t *s, rule_t *rule, int64_t now) {
    int64_t next = NEVER_DUE;
    if (s->followed != s->jobs - s->waiting) return next;
    for (int64_t k = 0; k <= s->followed; k++) {
        const int64_t job = rule->sequence[k], end = rule->start[job] + s->duration[job];
        const int64_t early = k < s->followed ? end - rule->slack : NEVER_DUE;
        const int64_t late = k < s->followed ? end + rule->slack : rule->start[job] + rule->slack + 1;
        if (early > now && early < next) next = early;
        if (late > now && late < next) next = late;
    }
    rule->work += s->followed;
    return next;
}

int64_t next_planned(session_t *s, rule_t *rule, int64_t tolerance, int64_t now, int32_t *drive) {
    while (s->followed < s->jobs && s->started[rule->sequence[s->followed]]) s->followed++;
    if (s->followed != s->jobs - s->waiting) return OFF_PLAN;
    const int64_t job = rule->sequence[s->followed];
    if (hidden(s, job) || now > rule->start[job] + rule->slack || !is_on_plan(s, rule, now)) return OFF_PLAN;
    *drive = rule->drive_of[job];
    return s->free_agents[*drive] && s->rate[job] <= s->free_rate[*drive] + tolerance ? job : HOLD;
}
