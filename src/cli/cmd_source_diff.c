/* source diff: what changed between two versions of a Python file, on the syntax tree. */
#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "source/edit_fix.h"
#include "source/text.h"
#include "source/treediff.h"

struct version {
    struct lw_source source;
    struct lw_tree tree;
};

static int load(struct version *v, struct cli *cli, const char *path, struct lw_err *err)
{
    int rc = lw_source_load(&v->source, &cli->arena, path, err);
    return rc < 0 ? rc : lw_tree_parse(&v->tree, v->source.text, err);
}

static void json_hunks(struct lw_jsonw *w, const lw_fix_vec *hunks)
{
    lw_json_key(w, "hunks");
    lw_json_array(w);
    for (size_t i = 0; i < hunks->n; i++) {
        const struct lw_fix_hunk *h = &hunks->v[i];
        lw_json_object(w);
        lw_json_key_text(w, "sort", lw_str(lw_fix_sort_name((enum lw_fix_sort)h->sort)));
        lw_json_key_int(w, "old_line", h->old_first);
        lw_json_key_int(w, "old_count", h->old_count);
        lw_json_key_int(w, "new_line", h->new_first);
        lw_json_key_int(w, "new_count", h->new_count);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static int print_json(struct cli *cli, struct lw_treediff *d, struct version *a,
                      struct version *b, struct lw_err *err)
{
    struct lw_jsonw w;
    bool exact;
    lw_fix_vec hunks = {0};
    int rc = lw_treediff_check(d, &exact, err);
    if (rc == 0)
        rc = lw_fix_hunks(&hunks, cli->ctx.mem, b->source.path, d, &a->tree, &b->tree, err);
    if (rc < 0) {
        lw_vec_release(cli->ctx.mem, &hunks);
        return rc;
    }
    lw_jsonw_init(&w, &cli->out, true);
    lw_json_object(&w);
    lw_json_key_text(&w, "old", a->source.path);
    lw_json_key_text(&w, "new", b->source.path);
    lw_json_key_bool(&w, "exact", exact);
    lw_treediff_json(&w, d, &a->tree, &b->tree);
    json_hunks(&w, &hunks);
    lw_json_end(&w);
    lw_vec_release(cli->ctx.mem, &hunks);
    return 0;
}

static int print(struct cli *cli, struct lw_treediff *d, struct version *a, struct version *b,
                 struct lw_err *err)
{
    uint64_t context;
    int rc = cli_number(cli, "context", 3, 0, 100000, &context, err);
    if (rc < 0)
        return rc;
    if (cli_wants(cli, "json"))
        return print_json(cli, d, a, b, err);
    if (cli_wants(cli, "side"))
        return lw_treediff_side(&cli->out, &cli->term, d, &a->tree, &b->tree, (uint32_t)context,
                                err);
    lw_treediff_print(&cli->out, &cli->term, d, &a->tree, &b->tree);
    return 0;
}

static int run_diff(struct cli *cli, struct lw_err *err)
{
    struct version a, b;
    struct lw_treediff d;
    lw_tree_init(&a.tree, cli->ctx.mem);
    lw_tree_init(&b.tree, cli->ctx.mem);
    lw_treediff_init(&d, cli->ctx.mem);
    int rc = load(&a, cli, cli->args[0], err);
    if (rc == 0)
        rc = load(&b, cli, cli->args[1], err);
    if (rc == 0)
        rc = lw_treediff_build(&d, &a.tree, &b.tree, err);
    if (rc == 0)
        rc = print(cli, &d, &a, &b, err);
    lw_treediff_release(&d);
    lw_tree_release(&b.tree);
    lw_tree_release(&a.tree);
    return rc;
}

static const struct cli_option diff_options[] = {
    {"format", 0, "F", "text|side|json", "how to print"},
    {"context", 0, "N", NULL, "lines shown around a change in two columns (default: 3)"},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct cli_example diff_examples[] = {
    {"lacewing source diff old.py new.py", "inserts, deletes, updates and moves"},
    {"lacewing source diff --format side old.py new.py", "both versions side by side"},
    {NULL, NULL},
};

const struct cli_command cmd_source_diff = {
    .name = "source diff",
    .usage = "OLD NEW",
    .summary = "compare two versions of a Python file by their syntax trees",
    .details =
        "Layout, comments and redundant brackets do not count. With --format side, + marks "
        "inserted code, - deleted, ~ updated and > moved code.",
    .options = diff_options,
    .examples = diff_examples,
    .min_args = 2,
    .max_args = 2,
    .run = run_diff,
};
