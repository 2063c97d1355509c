/* bugs diff and bugs history: the fix, and the commits that brought it. */
#include "base/err.h"
#include "base/linediff.h"
#include "base/str.h"
#include "catalog/mirror.h"
#include "cli/bugs.h"
#include "cli/source_git.h"
#include "source/git_walk.h"
#include "source/text.h"
#include "source/treediff.h"

static const struct cli_option options[] = {
    {"full", 0, NULL, NULL,
     "whole files; of a bug in a repository the whole commit, with tests and comments"},
    {"side-by-side", 0, NULL, NULL, "both versions side by side"},
    BUGS_MIRROR_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

enum { CONTEXT = 3 };

struct diffing {
    struct cli *cli;
    const struct lw_bug *bug;
    lw_change_vec changes;
    struct lw_jsonw json;
    bool as_json;
};

/* ---- Two columns ---------------------------------------------------------------------------
 */

static int put_side_by_side(struct diffing *d, const struct lw_change *c, struct lw_err *err)
{
    struct cli *cli = d->cli;
    struct lw_mem *mem = cli->ctx.mem;
    struct lw_tree trees[2];
    struct lw_treediff diff;
    int rc = 0;
    lw_tree_init(&trees[0], mem);
    lw_tree_init(&trees[1], mem);
    lw_treediff_init(&diff, mem);
    for (int side = LW_BUGGY; rc == 0 && side <= LW_FIXED; side++) {
        struct lw_source source;
        struct lw_str text = c->text[side].p ? c->text[side] : LW_S("");
        rc = lw_source_decode(&source, &cli->arena, c->path, text, err);
        if (rc == 0)
            rc = lw_tree_parse(&trees[side], source.text, err);
    }
    if (rc == 0)
        rc = lw_treediff_build(&diff, &trees[0], &trees[1], err);
    if (rc == 0) {
        lw_putf(&cli->out, "%s", lw_colour(&cli->term, LW_BOLD));
        lw_put_safe(&cli->out, c->path, false);
        lw_putf(&cli->out, "%s\n", lw_colour(&cli->term, LW_PLAIN));
        rc = lw_treediff_side(&cli->out, &cli->term, &diff, &trees[0], &trees[1],
                              cli_flag(cli, "full") && !d->bug->git_url.n ? 100000 : CONTEXT,
                              err);
    }
    lw_treediff_release(&diff);
    lw_tree_release(&trees[1]);
    lw_tree_release(&trees[0]);
    return rc;
}

/* ---- Unified -------------------------------------------------------------------------------
 */

static struct lw_str name_of(struct diffing *d, const struct lw_change *c, enum lw_side side)
{
    if (!c->text[side].p)
        return LW_S("/dev/null");
    return lw_arena_printf(&d->cli->arena, "%s/%.*s", side == LW_BUGGY ? "buggy" : "fixed",
                           LW_F(c->path));
}

static int put_unified(struct diffing *d, const struct lw_change *c, struct lw_err *err)
{
    struct cli *cli = d->cli;
    struct lw_buf text;
    struct lw_term plain = {.file = stdout};
    bool changed;
    bool whole = cli_flag(cli, "full") && !d->bug->git_url.n;
    lw_buf_init(&text, cli->ctx.mem, 0);
    struct lw_sink to = d->as_json ? lw_sink_buf(&text) : cli->out;
    int rc =
        lw_linediff_print(&to, d->as_json ? &plain : &cli->term, cli->ctx.mem,
                          name_of(d, c, LW_BUGGY), c->text[LW_BUGGY], name_of(d, c, LW_FIXED),
                          c->text[LW_FIXED], whole ? SIZE_MAX / 4 : CONTEXT, &changed, err);
    if (rc == 0 && changed && d->as_json) {
        lw_json_object(&d->json);
        lw_json_key_text(&d->json, "path", c->path);
        lw_json_key_text(&d->json, "diff", lw_buf_str(&text));
        lw_json_end(&d->json);
    }
    if (!d->as_json)
        cli->out = to;
    lw_buf_release(&text);
    return rc;
}

/* ---- The command ---------------------------------------------------------------------------
 */

static int read_git(struct diffing *d, struct lw_err *err)
{
    struct cli *cli = d->cli;
    lw_git *git;
    int rc = bugs_open_mirror(cli, d->bug, &git, err);
    if (rc == 0)
        rc = lw_mirror_changes(git, d->bug, &cli->arena, cli->ctx.mem, &d->changes, err);
    if (rc == 0 && !cli_flag(cli, "full"))
        rc = lw_changes_isolate(&d->changes, &cli->arena, cli->ctx.mem, err);
    lw_git_close(git);
    return rc;
}

static int read_files(struct diffing *d, lw_catalog *catalog, struct lw_err *err)
{
    struct cli *cli = d->cli;
    lw_file_vec files = {0};
    int rc = catalog_files(catalog, d->bug->id, &cli->arena, &files, err);
    if (rc == 0 && files.n == 0)
        rc = lw_err_set(err, LW_EINVAL, "the catalogue has no files of '%.*s'",
                        LW_F(d->bug->id));
    if (rc == 0)
        rc = lw_specimen_changes(&files, cli->ctx.mem, &d->changes, err);
    lw_vec_release(cli->ctx.mem, &files);
    return rc;
}

static int print_changes(struct diffing *d, struct lw_err *err)
{
    bool beside = cli_flag(d->cli, "side-by-side");
    int rc = 0;
    lw_jsonw_init(&d->json, &d->cli->out, false);
    if (d->as_json)
        lw_json_array(&d->json);
    for (size_t i = 0; rc == 0 && i < d->changes.n; i++) {
        const struct lw_change *c = &d->changes.v[i];
        bool is_python = lw_str_has_suffix(c->path, LW_S(".py"));
        rc = beside && is_python && !d->as_json ? put_side_by_side(d, c, err)
                                                : put_unified(d, c, err);
    }
    if (rc == 0 && d->as_json)
        lw_json_end(&d->json);
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    enum lw_side side;
    struct diffing d = {.cli = cli, .as_json = cli_wants(cli, "json")};
    int rc = bugs_find(cli, &catalog, &d.bug, &side, err);
    if (rc == 0)
        rc = d.bug->git_url.n ? read_git(&d, err) : read_files(&d, catalog, err);
    if (rc == 0)
        rc = print_changes(&d, err);
    lw_vec_release(cli->ctx.mem, &d.changes);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example examples[] = {
    {"lacewing bugs diff pt-linear-in-features", "the lines that fix it"},
    {"lacewing bugs diff pt-linear-in-features --side-by-side", "in two columns"},
    {"lacewing bugs diff keras2672 --mirror ~/mirrors --full", "the whole commit"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_diff = {
    .name = "bugs diff",
    .usage = "ID",
    .summary = "the fix, from buggy to fixed",
    .details =
        "Of a bug that lives in a repository only the fix is shown: no tests, and no hunks "
        "that change comments, docstrings or layout alone; --full shows the whole commit. The "
        "repository is looked up in --mirror DIR (or $LACEWING_MIRROR) as owner+name, or DIR "
        "is the repository itself. Nothing is fetched without --fetch.",
    .options = options,
    .examples = examples,
    .min_args = 1,
    .max_args = 1,
    .run = run,
};

/* ---- bugs history --------------------------------------------------------------------------
 */

struct telling {
    struct cli *cli;
    lw_git *git;
    struct lw_jsonw json;
    bool as_json;
    size_t count;
    struct lw_err *err;
};

static int tell_step(void *data, const struct lw_git_step *step)
{
    struct telling *t = data;
    struct lw_git_commit commit;
    char day[SOURCE_DATE], id[LW_GIT_ID_TEXT];
    int rc = lw_git_commit(t->git, &t->cli->arena, &step->id, &commit, t->err);
    if (rc < 0)
        return rc;
    t->count++;
    if (t->as_json) {
        lw_json_object(&t->json);
        source_git_json_commit(&t->json, &step->id, &commit);
        lw_json_end(&t->json);
        return 0;
    }
    lw_putf(&t->cli->out, "%s%.12s%s  %s  ", lw_colour(&t->cli->term, LW_YELLOW),
            lw_git_id_print(&step->id, id), lw_colour(&t->cli->term, LW_PLAIN),
            source_git_day(&commit.author, day));
    lw_put_safe(&t->cli->out, lw_git_subject(&commit), false);
    lw_putz(&t->cli->out, "\n");
    return 0;
}

/* From the fixed commit back to the buggy one, which comes last. */
static int tell(struct telling *t, const struct lw_bug *bug, struct lw_err *err)
{
    struct lw_git_id ids[2];
    if (lw_git_resolve(t->git, bug->buggy_commit, &ids[LW_BUGGY], err) < 0 ||
        lw_git_resolve(t->git, bug->fixed_commit, &ids[LW_FIXED], err) < 0)
        return err->code;
    const struct lw_git_walk_options between = {
        .from = &ids[LW_FIXED], .from_count = 1, .hide = &ids[LW_BUGGY], .hide_count = 1};
    const struct lw_git_walk_options last = {
        .from = &ids[LW_BUGGY], .from_count = 1, .limit = 1};
    lw_jsonw_init(&t->json, &t->cli->out, false);
    if (t->as_json)
        lw_json_array(&t->json);
    int rc = lw_git_walk(t->git, &between, tell_step, t, err);
    if (rc == 0)
        rc = lw_git_walk(t->git, &last, tell_step, t, err);
    if (t->as_json)
        lw_json_end(&t->json);
    return rc;
}

static int run_history(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    const struct lw_bug *bug;
    enum lw_side side;
    struct telling t = {.cli = cli, .as_json = cli_wants(cli, "json"), .err = err};
    int rc = bugs_find(cli, &catalog, &bug, &side, err);
    if (rc == 0)
        rc = bugs_open_mirror(cli, bug, &t.git, err);
    if (rc == 0)
        rc = tell(&t, bug, err);
    lw_git_close(t.git);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_option history_options[] = {
    BUGS_MIRROR_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

static const struct cli_example history_examples[] = {
    {"lacewing bugs history keras2672 --mirror ~/mirrors", "from the fixed commit back"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_history = {
    .name = "bugs history",
    .usage = "ID",
    .summary = "the commits from buggy to fixed",
    .details = "Newest first; the last one is the buggy commit itself. Only bugs that live in "
               "a repository have a history; 'lacewing bugs diff --help' says how the "
               "repository is found.",
    .options = history_options,
    .examples = history_examples,
    .min_args = 1,
    .max_args = 1,
    .run = run_history,
};
