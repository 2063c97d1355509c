/* Any bytes as a report become a program that parses, or one clear error; any bytes as a
 * snippet are repaired so that they parse. */
#include <stdlib.h>

#include "base/str.h"
#include "reproduce/reproduce.h"
#include "reproduce/snippet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_parse(struct lw_str program)
{
    struct lw_tree tree;
    struct lw_err err;
    lw_tree_init(&tree, NULL);
    if (lw_tree_parse(&tree, program, &err) < 0 || tree.lexed.errors.n > 0)
        abort();
    lw_tree_release(&tree);
}

static void try_report(struct lw_str text)
{
    const struct lw_reproduce_options options = {.budget = 1, .max_tries = 1};
    const struct lw_ctx ctx = {0};
    struct lw_reproduction r;
    struct lw_arena arena;
    struct lw_err err = {0};
    lw_report *report;
    if (lw_report_read(&report, NULL, NULL, LW_S("fuzz"), text, &err) < 0)
        return;
    lw_arena_init(&arena, NULL, 0);
    if (lw_reproduce(&r, &ctx, report, &options, &arena, &err) == 0)
        must_parse(r.program);
    else if (err.code != LW_EINVAL || err.text[0] == '\0')
        abort();
    lw_arena_release(&arena);
    lw_report_free(report);
}

static void try_snippet(struct lw_str text)
{
    struct lw_arena arena;
    struct rp_program p;
    struct lw_err err = {0};
    lw_arena_init(&arena, NULL, 0);
    rp_program_init(&p, &arena, NULL, NULL, 0);
    if (rp_snippet_repair(&p, text, &err) < 0)
        abort();
    must_parse(p.body);
    rp_program_release(&p);
    lw_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_str text = lw_str_n((const char *)data, size);
    try_report(text);
    try_snippet(text);
    return 0;
}
