/* source: what the Python front end sees in a file. */
#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "source/print.h"
#include "source/text.h"

/* One way of looking at a file; `tree` has been parsed. */
struct view {
    void (*text)(struct cli *cli, struct lw_source *s, struct lw_tree *t);
    void (*json)(struct lw_jsonw *w, struct lw_source *s, struct lw_tree *t);
};

static int show_file(struct cli *cli, const struct view *view, struct lw_jsonw *w,
                     const char *path, struct lw_err *err)
{
    struct lw_arena_mark mark = lw_arena_mark(&cli->arena);
    struct lw_tree tree;
    struct lw_source s;
    lw_tree_init(&tree, cli->ctx.mem);
    int rc = lw_source_load(&s, &cli->arena, path, err);
    if (rc == 0)
        rc = lw_tree_parse(&tree, s.text, err);
    if (rc == 0 && w) {
        lw_json_object(w);
        lw_json_key_text(w, "path", s.path);
        view->json(w, &s, &tree);
        lw_json_errors(w, &tree);
        lw_json_end(w);
    } else if (rc == 0) {
        if (cli->arg_count > 1)
            lw_putf(&cli->out, "# %s\n", path);
        view->text(cli, &s, &tree);
    }
    lw_tree_release(&tree);
    lw_arena_rewind(&cli->arena, mark);
    return rc;
}

static int show(struct cli *cli, const struct view *view, struct lw_err *err)
{
    struct lw_jsonw w;
    bool json = cli_wants(cli, "json");
    lw_jsonw_init(&w, &cli->out, true);
    if (json) {
        lw_json_object(&w);
        lw_json_key(&w, "files");
        lw_json_array(&w);
    }
    int rc = 0;
    for (size_t i = 0; i < cli->arg_count && rc == 0; i++)
        rc = show_file(cli, view, json ? &w : NULL, cli->args[i], err);
    if (rc == 0 && json) {
        lw_json_end(&w);
        lw_json_end(&w);
    }
    return rc;
}

/* ---- tokens, tree ----------------------------------------------------------------------- */

static void tokens_text(struct cli *cli, struct lw_source *s, struct lw_tree *t)
{
    lw_print_tokens(&cli->out, t);
    lw_print_errors(&cli->out, t, s->path);
}

static void tokens_json(struct lw_jsonw *w, struct lw_source *s, struct lw_tree *t)
{
    (void)s;
    lw_json_tokens(w, t);
}

static int run_tokens(struct cli *cli, struct lw_err *err)
{
    return show(cli, &(struct view){tokens_text, tokens_json}, err);
}

static void tree_text(struct cli *cli, struct lw_source *s, struct lw_tree *t)
{
    lw_print_tree(&cli->out, t);
    lw_print_errors(&cli->out, t, s->path);
}

static void tree_json(struct lw_jsonw *w, struct lw_source *s, struct lw_tree *t)
{
    (void)s;
    lw_json_tree(w, t);
}

static int run_tree(struct cli *cli, struct lw_err *err)
{
    return show(cli, &(struct view){tree_text, tree_json}, err);
}

const struct cli_command cmd_source = {
    .name = "source",
    .usage = "COMMAND",
    .summary = "show what the Python front end sees",
};

static const struct cli_example tokens_examples[] = {
    {"lacewing source tokens train.py", "the tokens, comments and prompts of a file"},
    {NULL, NULL},
};

const struct cli_command cmd_source_tokens = {
    .name = "source tokens",
    .usage = "FILE...",
    .summary = "print the tokens of Python files and notebooks",
    .examples = tokens_examples,
    .min_args = 1,
    .max_args = CLI_MANY,
    .run = run_tokens,
};

static const struct cli_example tree_examples[] = {
    {"lacewing source tree --format json train.py", "the syntax tree for another program"},
    {NULL, NULL},
};

const struct cli_command cmd_source_tree = {
    .name = "source tree",
    .usage = "FILE...",
    .summary = "print the syntax tree of Python files and notebooks",
    .details = "Broken files have a tree too: what could not be read is an Error node, and the "
               "errors are listed after the tree.",
    .examples = tree_examples,
    .min_args = 1,
    .max_args = CLI_MANY,
    .run = run_tree,
};
