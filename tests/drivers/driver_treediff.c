/*
 * Reads lines "OLD<TAB>NEW" (paths) and prints for each one line of JSON: whether the edit
 * script is exact, its size and the size of the line difference in changed tokens, and the
 * time.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
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
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
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

/* Sums up the hunks "@@ -a,b +c,d @@" of a difference without context. */
static uint64_t line_tokens(struct lw_buf *text, struct version *a, struct version *b)
{
    struct lw_str rest = lw_buf_str(text), line;
    uint64_t sum = 0;
    while (lw_str_line(&rest, &line)) {
        uint64_t v[4] = {0, 1, 0, 1};
        if (!lw_str_has_prefix(line, LW_S("@@ -")))
            continue;
        size_t i = 4;
        for (int k = 0; k < 4; k++) {
            uint64_t x = 0;
            for (; i < line.n && line.p[i] >= '0' && line.p[i] <= '9'; i++)
                x = x * 10 + (uint64_t)(line.p[i] - '0');
            v[k] = x;
            if (i < line.n && line.p[i] != ',' && k % 2 == 0)
                v[++k] = 1;
            while (i < line.n && (line.p[i] == ',' || line.p[i] == ' ' || line.p[i] == '+'))
                i++;
        }
        sum += tokens_on(&a->tree, v[0], v[1]) + tokens_on(&b->tree, v[2], v[3]);
    }
    return sum;
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
    struct lw_buf text;
    struct lw_term term = {0};
    bool exact = false, changed = false;
    uint64_t moved = 0;
    double before = seconds();
    int rc = lw_treediff_build(d, &a->tree, &b->tree, &err);
    double after = seconds();
    if (rc == 0)
        rc = lw_treediff_check(d, &exact, &err);
    lw_buf_init(&text, NULL, 0);
    struct lw_sink sink = lw_sink_buf(&text);
    (void)lw_linediff_print(&sink, &term, NULL, LW_S("a"), a->source.text, LW_S("b"),
                            b->source.text, 0, &changed, &err);
    for (size_t i = 0; i < d->edits.n; i++)
        if (d->edits.v[i].kind == LW_EDIT_MOVE)
            moved += d->edits.v[i].new_node != LW_NO_NODE
                         ? d->new_label[d->edits.v[i].new_node].size
                         : 0;
    printf("{\"exact\": %s, \"edits\": %zu, \"tokens\": %" PRIu64 ", \"moved\": %" PRIu64
           ", \"line_tokens\": %" PRIu64 ", \"nodes\": %zu, \"coarse\": %s, \"ms\": %.3f}\n",
           rc == 0 && exact ? "true" : "false", d->edits.n, lw_treediff_size(d), moved,
           line_tokens(&text, a, b), a->tree.nodes.n + b->tree.nodes.n,
           d->coarse ? "true" : "false", (after - before) * 1000);
    lw_buf_release(&text);
}

int main(void)
{
    static char line[16384];
    struct lw_arena arena;
    struct version a, b;
    struct lw_treediff d;
    lw_arena_init(&arena, NULL, 0);
    lw_tree_init(&a.tree, NULL);
    lw_tree_init(&b.tree, NULL);
    lw_treediff_init(&d, NULL);
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
