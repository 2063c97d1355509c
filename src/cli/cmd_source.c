/* source: what the Python front end sees in a file. */
#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "source/print.h"
#include "source/print_names.h"
#include "source/text.h"

/* A file as the front end sees it, parsed. */
struct sight {
    struct cli *cli;
    struct lw_source source;
    struct lw_tree tree;
    struct lw_project *project; /* with --root, else NULL */
};

/* One way of looking at a file. `w` is NULL for text. */
typedef int (*view)(struct sight *s, struct lw_jsonw *w, struct lw_err *err);

static int show_file(struct sight *s, view show_it, struct lw_jsonw *w, const char *path,
                     struct lw_err *err)
{
    struct cli *cli = s->cli;
    struct lw_arena_mark mark = lw_arena_mark(&cli->arena);
    lw_tree_init(&s->tree, cli->ctx.mem);
    int rc = lw_source_load(&s->source, &cli->arena, path, err);
    if (rc == 0)
        rc = lw_tree_parse(&s->tree, s->source.text, err);
    if (rc == 0 && w) {
        lw_json_object(w);
        lw_json_key_text(w, "path", s->source.path);
        rc = show_it(s, w, err);
        lw_json_errors(w, &s->tree);
        lw_json_end(w);
    } else if (rc == 0) {
        if (cli->arg_count > 1)
            lw_putf(&cli->out, "# %s\n", path);
        rc = show_it(s, NULL, err);
    }
    lw_tree_release(&s->tree);
    lw_arena_rewind(&cli->arena, mark);
    return rc;
}

static int show(struct cli *cli, view show_it, struct lw_project *project, struct lw_err *err)
{
    struct lw_jsonw w;
    struct sight s = {.cli = cli, .project = project};
    bool json = cli_wants(cli, "json");
    lw_jsonw_init(&w, &cli->out, true);
    if (json) {
        lw_json_object(&w);
        lw_json_key(&w, "files");
        lw_json_array(&w);
    }
    int rc = 0;
    for (size_t i = 0; i < cli->arg_count && rc == 0; i++)
        rc = show_file(&s, show_it, json ? &w : NULL, cli->args[i], err);
    if (rc == 0 && json) {
        lw_json_end(&w);
        lw_json_end(&w);
    }
    return rc;
}

/* ---- tokens, tree ----------------------------------------------------------------------- */

static int view_tokens(struct sight *s, struct lw_jsonw *w, struct lw_err *err)
{
    (void)err;
    if (w) {
        lw_json_tokens(w, &s->tree);
        return 0;
    }
    lw_print_tokens(&s->cli->out, &s->tree);
    lw_print_errors(&s->cli->out, &s->tree, s->source.path);
    return 0;
}

static void json_cells(struct lw_jsonw *w, const struct lw_notebook *nb)
{
    lw_json_key(w, "cells");
    lw_json_array(w);
    for (uint32_t i = 0; i < nb->cell_count; i++) {
        lw_json_object(w);
        lw_json_key_int(w, "cell", nb->cells[i].number);
        lw_json_key_int(w, "first_line", nb->cells[i].first_line);
        lw_json_key_int(w, "lines", nb->cells[i].line_count);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static int view_tree(struct sight *s, struct lw_jsonw *w, struct lw_err *err)
{
    (void)err;
    if (w) {
        if (s->source.notebook.cell_count)
            json_cells(w, &s->source.notebook);
        lw_json_tree(w, &s->tree);
        return 0;
    }
    lw_print_tree(&s->cli->out, &s->tree);
    lw_print_errors(&s->cli->out, &s->tree, s->source.path);
    return 0;
}

/* ---- names, units, metrics -------------------------------------------------------------- */

static int view_names(struct sight *s, struct lw_jsonw *w, struct lw_err *err)
{
    struct lw_names names;
    lw_names_init(&names, s->cli->ctx.mem);
    int rc = lw_names_build(&names, &s->tree, err);
    if (rc == 0 && w)
        rc = lw_json_names(w, &s->tree, &names, s->project, s->source.path, err);
    else if (rc == 0)
        rc = lw_print_names(&s->cli->out, &s->tree, &names, s->project, s->source.path, err);
    lw_names_release(&names);
    return rc;
}

static int view_units(struct sight *s, struct lw_jsonw *w, struct lw_err *err)
{
    struct lw_names names;
    struct lw_units units;
    lw_names_init(&names, s->cli->ctx.mem);
    lw_units_init(&units, s->cli->ctx.mem);
    int rc = lw_names_build(&names, &s->tree, err);
    if (rc == 0)
        rc = lw_units_build(&units, &names, err);
    if (rc == 0 && w)
        lw_json_units(w, &s->tree, &units);
    else if (rc == 0)
        lw_print_units(&s->cli->out, &s->tree, &units);
    lw_units_release(&units);
    lw_names_release(&names);
    return rc;
}

static int view_metrics(struct sight *s, struct lw_jsonw *w, struct lw_err *err)
{
    struct lw_mem *mem = s->cli->ctx.mem;
    lw_metrics_vec rows = {0};
    int rc = lw_metrics_build(&rows, mem, &s->tree, err);
    if (rc == 0 && w)
        lw_json_metrics(w, &s->tree, &rows);
    else if (rc == 0)
        rc = lw_print_metrics(&s->cli->out, &s->cli->term, mem, &s->tree, &rows, err);
    lw_vec_release(mem, &rows);
    return rc;
}

static int run_tokens(struct cli *cli, struct lw_err *err)
{
    return show(cli, view_tokens, NULL, err);
}

static int run_tree(struct cli *cli, struct lw_err *err)
{
    return show(cli, view_tree, NULL, err);
}

static int run_names(struct cli *cli, struct lw_err *err)
{
    const char *root = cli_value(cli, "root");
    struct lw_project project;
    if (!root)
        return show(cli, view_names, NULL, err);
    int rc = lw_project_open(&project, cli->ctx.mem, root, err);
    if (rc < 0)
        return rc;
    rc = show(cli, view_names, &project, err);
    lw_project_close(&project);
    return rc;
}

static int run_units(struct cli *cli, struct lw_err *err)
{
    return show(cli, view_units, NULL, err);
}

static int run_metrics(struct cli *cli, struct lw_err *err)
{
    return show(cli, view_metrics, NULL, err);
}

static const struct cli_example source_examples[] = {
    {"lacewing source tree train.py", "the syntax tree, with errors"},
    {"lacewing source metrics train.py", "size and complexity per function"},
    {NULL, NULL},
};

const struct cli_command cmd_source = {
    .name = "source",
    .usage = "COMMAND",
    .summary = "show what the Python front end sees",
    .examples = source_examples,
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

static const struct cli_option names_options[] = {
    {"root", 0, "DIR", NULL, "follow imports into the Python files below DIR"},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct cli_example names_examples[] = {
    {"lacewing source names train.py", "scopes, symbols and the calls they resolve to"},
    {"lacewing source names --root . pkg/model.py", "the same, across the files of a project"},
    {NULL, NULL},
};

const struct cli_command cmd_source_names = {
    .name = "source names",
    .usage = "FILE...",
    .summary = "print scopes, bindings and what calls resolve to",
    .options = names_options,
    .examples = names_examples,
    .min_args = 1,
    .max_args = CLI_MANY,
    .run = run_names,
};

static const struct cli_example units_examples[] = {
    {"lacewing source units model.py",
     "classes, functions, variables, comments, strings, APIs"},
    {NULL, NULL},
};

const struct cli_command cmd_source_units = {
    .name = "source units",
    .usage = "FILE...",
    .summary = "print the units that localization indexes, with their sub-tokens",
    .examples = units_examples,
    .min_args = 1,
    .max_args = CLI_MANY,
    .run = run_units,
};

static const struct cli_example metrics_examples[] = {
    {"lacewing source metrics model.py", "lines and complexity of the file and its functions"},
    {NULL, NULL},
};

const struct cli_command cmd_source_metrics = {
    .name = "source metrics",
    .usage = "FILE...",
    .summary = "print size and complexity per function and file",
    .examples = metrics_examples,
    .min_args = 1,
    .max_args = CLI_MANY,
    .run = run_metrics,
};
