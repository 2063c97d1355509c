/* bugs detect: run detection tools on a bug. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "catalog/bug.h"
#include "cli/bugs.h"
#include "cli/verifying.h"
#include "verify/detect.h"

static const struct cli_option options[] = {
    {"tool", 0, "NAME", NULL, "this tool (default: all that support the bug)"},
    {"tools", 0, "DIR", NULL, "a folder with descriptions of more tools"},
    {"list-tools", 0, NULL, NULL, "list the tools, and whether they support the bug"},
    {"version", 0, "V", "buggy|fixed|both", "which side (default: buggy)"},
    {"weak-isolation", 0, NULL, NULL, "run it even if it cannot be confined"},
    BUGS_MIRROR_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

struct detecting {
    struct cli *cli;
    lw_catalog *catalog;
    const struct lw_bug *bug;
    struct lw_verifier v;
    lw_tool_vec tools;
    lw_file_vec files;
    lw_git *git;
    struct lw_jsonw json;
    bool as_json;
    size_t found, failed;
};

static void json_finding(struct lw_jsonw *w, const struct lw_finding *f)
{
    lw_json_object(w);
    lw_json_key_text(w, "path", f->path);
    lw_json_key_int(w, "line", f->line);
    lw_json_key_text_or_null(w, "rule", f->rule);
    lw_json_key_text_or_null(w, "category", f->category);
    lw_json_key_text(w, "severity", lw_str(lw_severity_name(f->severity)));
    lw_json_key_double(w, "confidence", f->confidence);
    lw_json_key_text(w, "message", f->message);
    lw_json_end(w);
}

static void print_json(struct detecting *d, const struct lw_tool *tool, enum lw_side side,
                       const struct lw_detection *x)
{
    lw_json_object(&d->json);
    lw_json_key_text(&d->json, "tool", tool->name);
    lw_json_key_text(&d->json, "version", lw_str(lw_side_name(side)));
    lw_json_key_text(&d->json, "state", lw_str(lw_detection_state_name(x->state)));
    lw_json_key_text_or_null(&d->json, "reason", x->reason);
    lw_json_key_double(&d->json, "seconds", x->seconds);
    lw_json_key(&d->json, "findings");
    lw_json_array(&d->json);
    for (size_t i = 0; i < x->findings.n; i++)
        json_finding(&d->json, &x->findings.v[i]);
    lw_json_end(&d->json);
    lw_json_end(&d->json);
}

static void print_text(struct detecting *d, const struct lw_tool *tool, enum lw_side side,
                       const struct lw_detection *x)
{
    struct cli *cli = d->cli;
    lw_putf(&cli->out, "%s%.*s%s on %s: %s", lw_colour(&cli->term, LW_BOLD), LW_F(tool->name),
            lw_colour(&cli->term, LW_PLAIN), lw_side_name(side),
            lw_detection_state_name(x->state));
    if (x->reason.n) {
        lw_putz(&cli->out, ": ");
        lw_put_safe(&cli->out, x->reason, false);
    }
    lw_putz(&cli->out, "\n");
    for (size_t i = 0; i < x->findings.n; i++) {
        const struct lw_finding *f = &x->findings.v[i];
        lw_putz(&cli->out, "  ");
        lw_put_safe(&cli->out, f->path, false);
        lw_putf(&cli->out, ":%u: %s: ", f->line, lw_severity_name(f->severity));
        lw_put_safe(&cli->out, f->message, false);
        if (f->rule.n) {
            lw_putz(&cli->out, " [");
            lw_put_safe(&cli->out, f->rule, false);
            lw_putz(&cli->out, "]");
        }
        lw_putz(&cli->out, "\n");
    }
}

static int detect_one(struct detecting *d, const struct lw_tool *tool, enum lw_side side,
                      bool only, struct lw_err *err)
{
    struct lw_detection x;
    int rc = lw_detect(&x, &d->v, tool, d->bug, &d->files, d->git, side, &d->cli->arena, err);
    if (rc == 0) {
        d->found += x.state == LW_DETECT_FOUND;
        d->failed += x.state == LW_DETECT_FAILED;
        if (d->as_json)
            print_json(d, tool, side, &x);
        else
            print_text(d, tool, side, &x);
        if (only && x.state == LW_DETECT_MISSING)
            rc = lw_err_set(err, LW_EMISSING, "%.*s cannot run here: %.*s", LW_F(tool->name),
                            LW_F(x.reason));
        if (only && x.state == LW_DETECT_UNSUPPORTED)
            rc = lw_err_set(err, LW_EINVAL, "%.*s does not support '%.*s': %.*s",
                            LW_F(tool->name), LW_F(d->bug->id), LW_F(x.reason));
    }
    lw_vec_release(d->v.ctx.mem, &x.findings);
    return rc;
}

static int detect_all(struct detecting *d, struct lw_err *err)
{
    const char *version = cli_value(d->cli, "version"), *name = cli_value(d->cli, "tool");
    const bool wanted[2] = {!version || strcmp(version, "fixed") != 0,
                            version && strcmp(version, "buggy") != 0};
    const struct lw_tool *only = name ? lw_tool_find(&d->tools, lw_str(name)) : NULL;
    int rc = 0;
    if (name && !only)
        return lw_err_set(err, LW_EINVAL,
                          "there is no tool '%s'; 'lacewing bugs detect ID --list-tools' shows "
                          "all",
                          name);
    lw_jsonw_init(&d->json, &d->cli->out, false);
    if (d->as_json)
        lw_json_array(&d->json);
    for (size_t i = 0; rc == 0 && i < d->tools.n; i++)
        for (enum lw_side side = LW_BUGGY; rc == 0 && side <= LW_FIXED; side++)
            if (wanted[side] && (!only || only == &d->tools.v[i]))
                rc = detect_one(d, &d->tools.v[i], side, only != NULL, err);
    if (d->as_json)
        lw_json_end(&d->json);
    return rc;
}

static void list_tools(struct detecting *d)
{
    struct cli *cli = d->cli;
    for (size_t i = 0; i < d->tools.n; i++) {
        const struct lw_tool *t = &d->tools.v[i];
        struct lw_str why = lw_tool_unsupported(t, d->bug, &cli->arena);
        bugs_put_padded(cli, t->name, 20);
        lw_putz(&cli->out, " ");
        lw_put_safe(&cli->out, t->title, false);
        if (why.n) {
            lw_putz(&cli->out, " (does not support this bug: ");
            lw_put_safe(&cli->out, why, false);
            lw_putz(&cli->out, ")");
        }
        lw_putz(&cli->out, "\n");
    }
}

static int prepare(struct detecting *d, struct lw_err *err)
{
    struct cli *cli = d->cli;
    int rc = lw_tools_load(&d->tools, &cli->arena, cli->ctx.mem, cli_value(cli, "tools"), err);
    if (rc < 0 || cli_flag(cli, "list-tools"))
        return rc;
    if (d->bug->git_url.n)
        rc = bugs_open_mirror(cli, d->bug, &d->git, err);
    else
        rc = catalog_files(d->catalog, d->bug->id, &cli->arena, &d->files, err);
    if (rc == 0 && !d->git && d->files.n == 0)
        rc = lw_err_set(err, LW_EINVAL, "the catalogue has no files of '%.*s'",
                        LW_F(d->bug->id));
    if (rc == 0)
        rc = lw_verifier_init(&d->v, &cli->ctx, d->catalog, err);
    d->v.allow_weak = cli_flag(cli, "weak-isolation");
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    struct detecting d = {.cli = cli, .as_json = cli_wants(cli, "json")};
    int rc = bugs_find(cli, &d.catalog, &d.bug, NULL, err);
    if (rc == 0)
        rc = prepare(&d, err);
    if (rc == 0 && cli_flag(cli, "list-tools"))
        list_tools(&d);
    else if (rc == 0)
        rc = detect_all(&d, err);
    lw_verifier_release(&d.v);
    lw_git_close(d.git);
    lw_vec_release(cli->ctx.mem, &d.tools);
    lw_vec_release(cli->ctx.mem, &d.files);
    lw_catalog_close(d.catalog);
    return rc < 0 ? rc : d.found || d.failed;
}

static const struct cli_example examples[] = {
    {"lacewing bugs detect pt-linear-in-features --tool pyflakes", "does it see the bug?"},
    {"lacewing bugs detect pt-linear-in-features --version both", "all tools, on both sides"},
    {"lacewing bugs detect keras2672 --mirror ~/mirrors", "on the files that the fix touches"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_detect = {
    .name = "bugs detect",
    .usage = "ID",
    .summary = "run detection tools on a bug",
    .details = "Tools are described by data/tools/*.ini (docs/formats.md); each runs in the "
               "sandbox, in "
               "a folder that holds one side of the bug. What it finds is stored, and counted "
               "by 'bugs "
               "show'. Exit code 1 when a tool found something or failed, 3 when the only one "
               "named is "
               "not installed.",
    .options = options,
    .examples = examples,
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
