/* What waits, in the list's order: a tree of the least rates, so that the first job that fits is found without a
 * walk past those that do not. Where hosts limit their streams there is a second tree of the jobs by host, and one of
 * the first job of each host that is shown, so that there is no walk past thousands that are hidden either. */

#include <stdlib.h>
#include "session.h"

#define TAKEN INT64_MAX
#define WALKED 8 /* so many hidden jobs are passed one by one */

/* The nodes above the leaves of a tree of minima. */
static void grow(int64_t *tree, int64_t leaves) {
    for (int64_t node = leaves - 1; node; node--) {
        const int64_t a = tree[2 * node], b = tree[2 * node + 1];
        tree[node] = a < b ? a : b;
    }
}

/* The list's tree; 0 without memory. */
int plant(session_t *s) {
    for (s->leaves = 1; s->leaves < s->jobs;) s->leaves *= 2;
    s->least = malloc(2 * s->leaves * sizeof *s->least);
    if (!s->least) return 0;
    for (int64_t i = 0; i < s->leaves; i++) s->least[s->leaves + i] = i < s->jobs ? s->rate[i] : TAKEN;
    grow(s->least, s->leaves);
    return 1;
}

/* The jobs of each host beside each other, those of no host behind them, once the list is planted; 0 without
 * memory. */
int group_by_host(session_t *s, int32_t hosts, const int32_t *host_of, const int32_t *max_streams) {
    const int32_t groups = hosts + 1;
    for (s->group_leaves = 1; s->group_leaves < groups;) s->group_leaves *= 2;
    s->group_of = malloc((s->jobs + 1) * sizeof *s->group_of);
    s->place = malloc((s->jobs + 1) * sizeof *s->place);
    s->at = malloc((s->jobs + 1) * sizeof *s->at);
    s->begins = calloc(groups + 2, sizeof *s->begins);
    s->group_head = malloc(groups * sizeof *s->group_head);
    s->free_streams = malloc(groups * sizeof *s->free_streams);
    s->first = malloc(2 * s->group_leaves * sizeof *s->first);
    s->least_by_host = malloc(2 * s->leaves * sizeof *s->least_by_host);
    if (!s->group_of || !s->place || !s->at || !s->begins || !s->group_head || !s->free_streams) return 0;
    if (!s->first || !s->least_by_host) return 0;
    s->groups = groups;
    int32_t *next = s->begins + 1; /* where the next job of each group goes; then where the next group begins */
    for (int64_t job = 0; job < s->jobs; job++) {
        s->group_of[job] = hosts && host_of[job] >= 0 ? host_of[job] : hosts;
        next[s->group_of[job] + 1]++;
    }
    for (int32_t group = 0; group < groups; group++) {
        next[group + 1] += next[group];
        s->group_head[group] = next[group];
        s->free_streams[group] = group < hosts ? max_streams[group] : INT32_MAX;
    }
    for (int64_t job = 0; job < s->jobs; job++) {
        const int32_t place = next[s->group_of[job]]++;
        s->place[job] = place;
        s->at[place] = (int32_t)job;
    }
    for (int64_t leaf = 0; leaf < s->group_leaves; leaf++)
        s->first[s->group_leaves + leaf] =
            leaf < groups && s->begins[leaf] < s->begins[leaf + 1] ? s->at[s->begins[leaf]] : TAKEN;
    grow(s->first, s->group_leaves);
    for (int64_t leaf = 0; leaf < s->leaves; leaf++)
        s->least_by_host[s->leaves + leaf] = leaf < s->jobs ? s->rate[s->at[leaf]] : TAKEN;
    grow(s->least_by_host, s->leaves);
    return 1;
}

static void set_leaf(int64_t *tree, int64_t leaf, int64_t value) {
    tree[leaf] = value;
    for (int64_t node = leaf / 2; node; node /= 2) {
        const int64_t a = tree[2 * node], b = tree[2 * node + 1], least = a < b ? a : b;
        if (tree[node] == least) break;
        tree[node] = least;
    }
}

void take_from_tree(session_t *s, int64_t job) {
    set_leaf(s->least, s->leaves + job, TAKEN);
    if (s->groups) set_leaf(s->least_by_host, s->leaves + s->place[job], TAKEN);
}

/* The first job of a group counts while its host takes streams. */
static void note_first(session_t *s, int32_t group) {
    const int32_t end = s->begins[group + 1];
    int32_t head = s->group_head[group];
    while (head < end && s->least_by_host[s->leaves + head] == TAKEN) head++;
    s->group_head[group] = head;
    set_leaf(s->first, s->group_leaves + group, s->free_streams[group] && head < end ? s->at[head] : TAKEN);
}

void begin_stream(session_t *s, int64_t job) {
    const int32_t group = s->group_of[job];
    s->free_streams[group]--;
    note_first(s, group);
}

void end_stream(session_t *s, int64_t job) {
    const int32_t group = s->group_of[job];
    if (!s->free_streams[group]++) note_first(s, group);
}

/* The leaf below a node that is the first with at most `room`; there is one. */
static int64_t leftmost(const int64_t *tree, int64_t leaves, int64_t node, int64_t room) {
    while (node < leaves) {
        node *= 2;
        if (tree[node] > room) node++;
    }
    return node - leaves;
}

/* The first leaf from one on with at most `room`; one behind all if there is none. */
static int64_t first_from(const int64_t *tree, int64_t leaves, int64_t leaf, int64_t room) {
    int64_t node = leaves + leaf;
    while (tree[node] > room) {
        while (node & 1) node /= 2;
        if (!node) return leaves;
        node++;
    }
    return leftmost(tree, leaves, node, room);
}

/* The best becomes the first job that fits of the groups below a node, if that is before it. */
static void search_groups(const session_t *s, rule_t *rule, int64_t room, int64_t node, int64_t *best) {
    rule->work++;
    if (s->first[node] >= *best) return;
    if (node < s->group_leaves) {
        const int64_t child = 2 * node + (s->first[2 * node + 1] < s->first[2 * node]);
        search_groups(s, rule, room, child, best);
        search_groups(s, rule, room, child ^ 1, best);
        return;
    }
    const int64_t group = node - s->group_leaves;
    const int64_t place = first_from(s->least_by_host, s->leaves, s->group_head[group], room);
    if (place < s->begins[group + 1] && s->at[place] < *best) *best = s->at[place];
}

int64_t first_that_fits(const session_t *s, rule_t *rule, int64_t room) {
    if (s->least[1] > room) return -1;
    int64_t job = leftmost(s->least, s->leaves, 1, room), best = TAKEN;
    for (int passed = 0; passed < WALKED; passed++) {
        if (!hidden(s, job)) return job;
        rule->work++;
        if (job + 1 >= s->jobs || (job = first_from(s->least, s->leaves, job + 1, room)) >= s->jobs) return -1;
    }
    search_groups(s, rule, room, 1, &best);
    return best == TAKEN ? -1 : best;
}

int64_t first_shown(const session_t *s, int64_t room) {
    const int64_t job = s->first[1];
    return job != TAKEN && s->rate[job] <= room ? job : -1;
}
