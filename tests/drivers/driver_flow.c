/*
 * Reads paths, one a line, and prints for each one line of JSON: sizes of its flow and the
 * processor time to make it, and before that its names. Ends with a message when something does
 * not hold that should (flow_invariants.h).
 */
#include <time.h>

#include "../fuzz/flow_invariants.h"
#include "source/text.h"

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct state {
    struct lw_tree tree;
    struct lw_names names;
    struct lw_flow flow;
};

static int look_at(struct state *s, struct lw_arena *arena, const char *path)
{
    struct lw_source source;
    struct lw_err err;
    if (lw_source_load(&source, arena, path, &err) < 0 ||
        lw_tree_parse(&s->tree, source.text, &err) < 0)
        return -1;
    double start = seconds();
    if (lw_names_build(&s->names, &s->tree, &err) < 0)
        return -1;
    double before = seconds();
    if (lw_flow_build(&s->flow, &s->names, &err) < 0)
        return -1;
    double after = seconds();
    check_flow(&s->flow);
    const struct lw_flow *f = &s->flow;
    printf(
        "{\"bytes\": %zu, \"tokens\": %zu, \"graphs\": %zu, \"blocks\": %zu, \"edges\": %zu, "
        "\"points\": %zu, \"events\": %zu, \"merges\": %zu, \"ms\": %.3f, \"names_ms\": "
        "%.3f}\n",
        source.text.n, s->tree.lexed.tokens.n, f->graphs.n, f->blocks.n, f->edges.n,
        f->points.n, f->events.n, f->merges.n, (after - before) * 1000,
        (before - start) * 1000);
    return 0;
}

int main(void)
{
    static char line[16384];
    struct lw_arena arena;
    struct state s;
    lw_arena_init(&arena, NULL, 0);
    lw_tree_init(&s.tree, NULL);
    lw_names_init(&s.names, NULL);
    lw_flow_init(&s.flow, NULL);
    while (fgets(line, sizeof line, stdin)) {
        lw_arena_clear(&arena);
        line[strcspn(line, "\n")] = '\0';
        if (look_at(&s, &arena, line) < 0)
            printf("{\"error\": true}\n");
        (void)fflush(stdout);
    }
    lw_flow_release(&s.flow);
    lw_names_release(&s.names);
    lw_tree_release(&s.tree);
    lw_arena_release(&arena);
    return 0;
}
