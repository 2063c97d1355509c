/* bugs diff: the fix. */
#include "base/err.h"
#include "base/linediff.h"
#include "base/str.h"
#include "cli/bugs.h"

static const struct cli_option options[] = {
    {"full", 0, NULL, NULL, "whole files, not only the lines around the changes"},
    {NULL, 0, NULL, NULL, NULL},
};

struct diffing {
    struct cli *cli;
    lw_file_vec files;
    struct lw_jsonw json;
    bool as_json;
    size_t changes;
};

static struct lw_str content_of(const struct diffing *d, struct lw_str folder,
                                struct lw_str name)
{
    struct lw_str path = lw_arena_printf(&d->cli->arena, "%.*s%.*s", LW_F(folder), LW_F(name));
    const struct lw_file *f = path.p ? lw_file_find(&d->files, path) : NULL;
    return f ? f->content : (struct lw_str){NULL, 0};
}

static int diff_file(struct diffing *d, struct lw_str name, struct lw_err *err)
{
    struct cli *cli = d->cli;
    struct lw_str old_text = content_of(d, LW_S("buggy/"), name);
    struct lw_str new_text = content_of(d, LW_S("fixed/"), name);
    struct lw_str old_name =
        old_text.p ? lw_arena_printf(&cli->arena, "buggy/%.*s", LW_F(name)) : LW_S("/dev/null");
    struct lw_str new_name =
        new_text.p ? lw_arena_printf(&cli->arena, "fixed/%.*s", LW_F(name)) : LW_S("/dev/null");
    struct lw_buf text;
    struct lw_term plain = {.file = stdout};
    bool changed;
    lw_buf_init(&text, cli->ctx.mem, 0);
    struct lw_sink to = d->as_json ? lw_sink_buf(&text) : cli->out;
    int rc = lw_linediff_print(&to, d->as_json ? &plain : &cli->term, cli->ctx.mem, old_name,
                               old_text, new_name, new_text,
                               cli_flag(cli, "full") ? SIZE_MAX / 4 : 3, &changed, err);
    if (rc == 0 && changed && d->as_json) {
        lw_json_object(&d->json);
        lw_json_key_text(&d->json, "path", name);
        lw_json_key_text(&d->json, "diff", lw_buf_str(&text));
        lw_json_end(&d->json);
    }
    if (!d->as_json)
        cli->out = to;
    d->changes += changed;
    lw_buf_release(&text);
    return rc;
}

/* Names of both sides, each once, in byte order: both lists are sorted. */
static int diff_all(struct diffing *d, struct lw_err *err)
{
    struct lw_str buggy = LW_S("buggy/"), fixed = LW_S("fixed/");
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < d->files.n; i++) {
        struct lw_str path = d->files.v[i].path;
        if (lw_str_has_prefix(path, buggy))
            rc = diff_file(d, lw_str_from(path, buggy.n), err);
        else if (lw_str_has_prefix(path, fixed) &&
                 !content_of(d, buggy, lw_str_from(path, fixed.n)).p)
            rc = diff_file(d, lw_str_from(path, fixed.n), err);
    }
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    const struct lw_bug *bug;
    enum lw_side side;
    struct diffing d = {.cli = cli, .as_json = cli_wants(cli, "json")};
    int rc = bugs_find(cli, &catalog, &bug, &side, err);
    if (rc == 0)
        rc = catalog_files(catalog, bug->id, &cli->arena, &d.files, err);
    if (rc == 0 && d.files.n == 0)
        rc = lw_err_set(err, LW_EINVAL,
                        "the catalogue holds no files of '%.*s'; its program lives in %.*s",
                        LW_F(bug->id), LW_F(bug->git_url));
    if (rc == 0) {
        lw_jsonw_init(&d.json, &cli->out, false);
        if (d.as_json)
            lw_json_array(&d.json);
        rc = diff_all(&d, err);
        if (rc == 0 && d.as_json)
            lw_json_end(&d.json);
    }
    lw_vec_release(cli->ctx.mem, &d.files);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example examples[] = {
    {"lacewing bugs diff pt-linear-in-features", "the lines that mend it"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_diff = {
    .name = "bugs diff",
    .usage = "ID",
    .summary = "the fix, from buggy to fixed",
    .options = options,
    .examples = examples,
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
