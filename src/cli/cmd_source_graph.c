/* source graph, source slice: what happens inside functions and between them. */
#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "cli/cli.h"
#include "source/cpg.h"
#include "source/print.h"
#include "source/slice.h"

/* A file with its flow and calls. */
struct analysis {
    struct cli *cli;
    struct lw_source source;
    struct lw_tree tree;
    struct lw_names names;
    struct lw_flow flow;
    struct lw_calls calls;
};

static void analysis_init(struct analysis *a, struct cli *cli)
{
    struct lw_mem *mem = cli->ctx.mem;
    a->cli = cli;
    lw_tree_init(&a->tree, mem);
    lw_names_init(&a->names, mem);
    lw_flow_init(&a->flow, mem);
    lw_calls_init(&a->calls, mem);
}

static void analysis_release(struct analysis *a)
{
    lw_calls_release(&a->calls);
    lw_flow_release(&a->flow);
    lw_names_release(&a->names);
    lw_tree_release(&a->tree);
}

static int analyse(struct analysis *a, const char *path, struct lw_err *err)
{
    int rc = lw_source_load(&a->source, &a->cli->arena, path, err);
    if (rc == 0)
        rc = lw_tree_parse(&a->tree, a->source.text, err);
    if (rc == 0)
        rc = lw_names_build(&a->names, &a->tree, err);
    if (rc == 0)
        rc = lw_flow_build(&a->flow, &a->names, err);
    if (rc == 0)
        rc = lw_calls_build(&a->calls, &a->flow, err);
    return rc;
}

/* ---- graph ------------------------------------------------------------------------------ */

struct graphs {
    struct cli *cli;
    struct lw_str kind;
    struct lw_project *project; /* with --root, else NULL */
    struct lw_jsonw *w;         /* with --format json, else NULL */
    bool dot;
};

static int fill_cpg(struct lw_view *v, struct analysis *a, struct lw_err *err)
{
    struct lw_cpg cpg;
    lw_cpg_init(&cpg, a->cli->ctx.mem);
    int rc = lw_cpg_build(&cpg, &a->calls, err);
    if (rc == 0)
        lw_view_cpg(v, &cpg, &a->tree);
    lw_cpg_release(&cpg);
    return rc;
}

static int fill_view(const struct graphs *g, struct lw_view *v, struct analysis *a,
                     struct lw_err *err)
{
    struct lw_module *m = lw_project_of(g->project, a->source.path);
    if (lw_str_eq(g->kind, LW_S("cpg")))
        return fill_cpg(v, a, err);
    if (lw_str_eq(g->kind, LW_S("calls")))
        return lw_view_calls(v, &a->calls, &a->tree, g->project, m, err);
    if (lw_str_eq(g->kind, LW_S("imports")))
        return lw_view_imports(v, &a->tree, a->source.path, g->project, m, err);
    if (lw_str_eq(g->kind, LW_S("dataflow")))
        lw_view_data(v, &a->flow, &a->tree);
    else
        lw_view_control(v, &a->flow, &a->tree);
    return 0;
}

static int print_view(const struct graphs *g, struct lw_view *v, struct lw_str path,
                      struct lw_err *err)
{
    struct cli *cli = g->cli;
    if (g->dot)
        return lw_view_dot(v, &cli->out, path, err);
    if (!g->w) {
        if (cli->arg_count > 1)
            lw_putf(&cli->out, "# %.*s\n", LW_F(path));
        return lw_view_print(v, &cli->out, (struct lw_str){"", 0}, err);
    }
    lw_json_object(g->w);
    lw_json_key_text(g->w, "path", path);
    lw_json_key_text(g->w, "graph", g->kind);
    int rc = lw_view_json(v, g->w, err);
    lw_json_end(g->w);
    return rc;
}

static int graph_file(const struct graphs *g, const char *path, struct lw_err *err)
{
    struct lw_arena_mark mark = lw_arena_mark(&g->cli->arena);
    struct analysis a;
    struct lw_view v;
    analysis_init(&a, g->cli);
    lw_view_init(&v, g->cli->ctx.mem);
    int rc = analyse(&a, path, err);
    if (rc == 0)
        rc = fill_view(g, &v, &a, err);
    if (rc == 0)
        rc = print_view(g, &v, a.source.path, err);
    lw_view_release(&v);
    analysis_release(&a);
    lw_arena_rewind(&g->cli->arena, mark);
    return rc;
}

/* ---- graph of a whole project ------------------------------------------------------------ */

/* Adds the calls or imports of one module. */
static int add_module(const struct graphs *g, struct lw_view *v, struct lw_module *m,
                      struct lw_err *err)
{
    struct lw_flow flow;
    struct lw_calls calls;
    if (lw_str_eq(g->kind, LW_S("imports")))
        return lw_view_imports(v, &m->tree, m->path, g->project, m, err);
    lw_flow_init(&flow, g->cli->ctx.mem);
    lw_calls_init(&calls, g->cli->ctx.mem);
    int rc = lw_flow_build(&flow, &m->names, err);
    if (rc == 0)
        rc = lw_calls_build(&calls, &flow, err);
    if (rc == 0)
        rc = lw_view_calls(v, &calls, &m->tree, g->project, m, err);
    lw_calls_release(&calls);
    lw_flow_release(&flow);
    return rc;
}

/* Files that cannot be read are reported and left out. */
static int add_modules(const struct graphs *g, struct lw_view *v, struct lw_err *err)
{
    int rc = 0;
    for (size_t i = 0; i < g->project->module_count && rc == 0; i++) {
        struct lw_module *m = &g->project->modules[i];
        rc = lw_project_load(g->project, m, err);
        if (rc == 0) {
            rc = add_module(g, v, m, err);
        } else if (rc != LW_ENOMEM) {
            lw_log(&g->cli->ctx.log, LW_LOG_WARNING, "%s", err->text);
            rc = 0;
        }
    }
    return rc;
}

static int graph_project(struct graphs *g, struct lw_err *err)
{
    struct cli *cli = g->cli;
    struct lw_str root = lw_str(g->project->root);
    struct lw_jsonw w;
    struct lw_view v;
    lw_view_init(&v, cli->ctx.mem);
    int rc = add_modules(g, &v, err);
    if (rc == 0 && cli_wants(cli, "json")) {
        lw_jsonw_init(&w, &cli->out, true);
        lw_json_object(&w);
        lw_json_key_text(&w, "root", root);
        lw_json_key_text(&w, "graph", g->kind);
        rc = lw_view_json(&v, &w, err);
        lw_json_end(&w);
    } else if (rc == 0 && cli_wants(cli, "dot")) {
        rc = lw_view_dot(&v, &cli->out, root, err);
    } else if (rc == 0) {
        rc = lw_view_print(&v, &cli->out, (struct lw_str){"", 0}, err);
    }
    lw_view_release(&v);
    return rc;
}

static int graph_files(struct graphs *g, struct lw_err *err)
{
    struct cli *cli = g->cli;
    struct lw_jsonw w;
    int rc = 0;
    lw_jsonw_init(&w, &cli->out, true);
    g->w = cli_wants(cli, "json") ? &w : NULL;
    g->dot = cli_wants(cli, "dot");
    if (g->w) {
        lw_json_object(&w);
        lw_json_key(&w, "files");
        lw_json_array(&w);
    }
    for (size_t i = 0; i < cli->arg_count && rc == 0; i++)
        rc = graph_file(g, cli->args[i], err);
    if (g->w && rc == 0) {
        lw_json_end(&w);
        lw_json_end(&w);
    }
    g->w = NULL;
    return rc;
}

static int run_graph(struct cli *cli, struct lw_err *err)
{
    const char *root = cli_value(cli, "root"), *kind = cli_value(cli, "kind");
    struct graphs g = {.cli = cli, .kind = lw_str(kind ? kind : "cfg")};
    struct lw_project project;
    bool across = lw_str_eq(g.kind, LW_S("calls")) || lw_str_eq(g.kind, LW_S("imports"));
    if (cli->arg_count == 0 && !(root && across))
        return lw_err_set(err, LW_EINVAL,
                          "name a FILE, or a project with --root and --kind calls or imports");
    if (!root)
        return graph_files(&g, err);
    int rc = lw_project_open(&project, cli->ctx.mem, root, err);
    if (rc < 0)
        return rc;
    g.project = &project;
    rc = cli->arg_count ? graph_files(&g, err) : graph_project(&g, err);
    lw_project_close(&project);
    return rc;
}

static const struct cli_option graph_options[] = {
    {"kind", 0, "KIND", "cfg|dataflow|calls|imports|cpg", "which graph (default: cfg)"},
    {"root", 0, "DIR", NULL, "follow calls and imports into the Python files below DIR"},
    {"format", 0, "F", "text|json|dot", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct cli_example graph_examples[] = {
    {"lacewing source graph train.py", "the blocks of each function and the control flow"},
    {"lacewing source graph --kind dataflow train.py", "which definition reaches which use"},
    {"lacewing source graph --kind calls --root . --format dot pkg/model.py",
     "the calls of one file across the project, as a drawing"},
    {"lacewing source graph --kind imports --root .",
     "the imports between all files of the project"},
    {NULL, NULL},
};

const struct cli_command cmd_source_graph = {
    .name = "source graph",
    .usage = "[FILE...]",
    .summary = "print control flow, data flow, calls, imports or the code property graph",
    .details = "cfg prints one block a node: its statements with what they use (x), define "
               "(=x), change "
               "(~x) or delete (!x); a name that nothing in the file defines is marked x?.\n\n"
               "Without a FILE, --root with --kind calls or imports prints one graph of all "
               "files of the project.\n\n"
               "The definitions of all nodes and edges are in docs/graphs.md.",
    .options = graph_options,
    .examples = graph_examples,
    .min_args = 0,
    .max_args = CLI_MANY,
    .run = run_graph,
};

/* ---- slice ------------------------------------------------------------------------------ */

/* FILE:LINE; the path in the arena. */
static int split_place(struct cli *cli, const char **path, uint32_t *line, struct lw_err *err)
{
    struct lw_str arg = lw_str(cli->args[0]);
    ptrdiff_t colon = lw_str_find_last_char(arg, ':');
    uint64_t number = 0;
    if (colon <= 0 || !lw_parse_u64(lw_str_from(arg, (size_t)colon + 1), &number) ||
        number == 0 || number > UINT32_MAX)
        return lw_err_set(err, LW_EINVAL, "expected FILE:LINE, not '%s'", cli->args[0]);
    struct lw_str copy = lw_arena_copy(&cli->arena, lw_str_part(arg, 0, (size_t)colon));
    if (!copy.p)
        return lw_err_nomem(err);
    *path = copy.p;
    *line = (uint32_t)number;
    return 0;
}

static void print_slice(struct cli *cli, const struct analysis *a, const struct lw_slice *s,
                        bool forward)
{
    struct lw_jsonw w;
    if (!cli_wants(cli, "json")) {
        lw_slice_print(&cli->out, &cli->term, s, a->source.text);
        return;
    }
    lw_jsonw_init(&w, &cli->out, true);
    lw_json_object(&w);
    lw_json_key_text(&w, "path", a->source.path);
    lw_json_key_text(&w, "direction", forward ? LW_S("forward") : LW_S("backward"));
    lw_slice_json(&w, s);
    lw_json_end(&w);
}

static int run_slice(struct cli *cli, struct lw_err *err)
{
    const char *path = NULL;
    uint32_t line = 0;
    struct analysis a;
    struct lw_slice s;
    bool forward = cli_flag(cli, "forward");
    int rc = split_place(cli, &path, &line, err);
    if (rc < 0)
        return rc;
    analysis_init(&a, cli);
    lw_slice_init(&s, cli->ctx.mem);
    rc = analyse(&a, path, err);
    if (rc == 0)
        rc = lw_slice_build(&s, &a.calls, &a.tree, line, forward, err);
    if (rc == LW_ENOENT)
        (void)lw_err_context(err, "%s", path);
    if (rc == 0)
        print_slice(cli, &a, &s, forward);
    lw_slice_release(&s);
    analysis_release(&a);
    return rc;
}

static const struct cli_option slice_options[] = {
    {"forward", 0, NULL, NULL, "what the line influences, instead of what influences it"},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct cli_example slice_examples[] = {
    {"lacewing source slice train.py:40", "what line 40 depends on"},
    {"lacewing source slice --forward train.py:12", "what depends on line 12"},
    {NULL, NULL},
};

const struct cli_command cmd_source_slice = {
    .name = "source slice",
    .usage = "FILE:LINE",
    .summary = "print the lines that a line depends on, or that depend on it",
    .details =
        "The given statement is marked *, the lines of its slice >. Data and control "
        "dependence are followed inside functions, and through calls between functions of the "
        "file.",
    .options = slice_options,
    .examples = slice_examples,
    .min_args = 1,
    .max_args = 1,
    .run = run_slice,
};
