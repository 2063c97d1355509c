/*
 * Reads lines "OLD<TAB>NEW" (paths) and prints for each one line of JSON: whether the edit
 * script is exact, its size and the size of the line difference in changed tokens, and the
 * processor time. An argument is the bound on the work of a difference.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/linediff.h"
#include "base/str.h"
#include "source/text.h"
#include "source/treediff.h"

struct version {
    struct lw_source source;
    struct lw_tree tree;
};

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Tokens, without line ends and indentation, that touch lines first … first + count - 1. */
static uint64_t tokens_on(struct lw_tree *t, uint64_t first, uint64_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < t->lexed.tokens.n; i++) {
        const struct lw_token *tok = &t->lexed.tokens.v[i];
        uint64_t line = lw_tree_position(t, tok->start).line;
        uint64_t last = lw_tree_position(t, tok->end).line;
        sum += tok->kind > LW_TOK_DEDENT && last >= first && line < first + count;
    }
    return sum;
}

struct counter {
    struct version *a, *b;
    uint64_t sum;
};

static int add_hunk(void *data, const struct lw_line_hunk *h)
{
    struct counter *c = data;
    c->sum += tokens_on(&c->a->tree, h->old_first + 1, h->old_count) +
              tokens_on(&c->b->tree, h->new_first + 1, h->new_count);
    return 0;
}

static int load(struct version *v, struct lw_arena *arena, const char *path)
{
    struct lw_err err;
    if (lw_source_load(&v->source, arena, path, &err) < 0)
        return -1;
    return lw_tree_parse(&v->tree, v->source.text, &err);
}

static void compare(struct version *a, struct version *b, struct lw_treediff *d)
{
    struct lw_err err;
    struct counter lines = {a, b, 0};
    bool exact = false;
    uint64_t moved = 0;
    double before = seconds();
    int rc = lw_treediff_build(d, &a->tree, &b->tree, &err);
    double after = seconds();
    if (rc == 0)
        rc = lw_treediff_check(d, &exact, &err);
    (void)lw_linediff(NULL, a->source.text, b->source.text, 0, add_hunk, &lines, &err);
    for (size_t i = 0; i < d->edits.n; i++)
        if (d->edits.v[i].kind == LW_EDIT_MOVE)
            moved += d->edits.v[i].new_node != LW_NO_NODE
                         ? d->new_label[d->edits.v[i].new_node].size
                         : 0;
    printf("{\"exact\": %s, \"edits\": %zu, \"tokens\": %" PRIu64 ", \"moved\": %" PRIu64
           ", \"line_tokens\": %" PRIu64 ", \"nodes\": %zu, \"coarse\": %s, \"ms\": %.3f}\n",
           rc == 0 && exact ? "true" : "false", d->edits.n, lw_treediff_size(d), moved,
           lines.sum, a->tree.nodes.n + b->tree.nodes.n, d->coarse ? "true" : "false",
           (after - before) * 1000);
}

int main(int argc, char **argv)
{
    static char line[16384];
    struct lw_arena arena;
    struct version a, b;
    struct lw_treediff d;
    lw_arena_init(&arena, NULL, 0);
    lw_tree_init(&a.tree, NULL);
    lw_tree_init(&b.tree, NULL);
    lw_treediff_init(&d, NULL);
    if (argc > 1)
        d.most_work = strtoull(argv[1], NULL, 10);
    while (fgets(line, sizeof line, stdin)) {
        char *tab = strchr(line, '\t'), *end = strchr(line, '\n');
        lw_arena_clear(&arena);
        if (!tab || !end)
            continue;
        *tab = *end = '\0';
        if (load(&a, &arena, line) < 0 || load(&b, &arena, tab + 1) < 0)
            printf("{\"error\": true}\n");
        else
            compare(&a, &b, &d);
        (void)fflush(stdout);
    }
    lw_treediff_release(&d);
    lw_tree_release(&a.tree);
    lw_tree_release(&b.tree);
    lw_arena_release(&arena);
    return 0;
}
