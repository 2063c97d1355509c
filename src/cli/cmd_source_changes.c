/* source changes, source log: what commits of a git repository changed. */
#include "base/err.h"
#include "base/str.h"
#include "cli/source_git.h"
#include "source/git_walk.h"

struct printing {
    struct cli *cli;
    lw_git *git;
    struct lw_jsonw json;
    bool as_json, patch;
    struct lw_git_diff_options diff;
    bool in_hunk; /* of the JSON */
    uint64_t added, deleted;
    struct lw_err *err;
};

static int read_diff_options(struct printing *p)
{
    uint64_t similarity;
    int rc = cli_number(p->cli, "similarity", 50, 1, 100, &similarity, p->err);
    p->diff.similarity = (unsigned)similarity;
    p->diff.no_renames = cli_flag(p->cli, "no-renames");
    return rc;
}

/* ---- Lines --------------------------------------------------------------------------------
 */

static int count_line(void *data, const struct lw_git_line *line)
{
    struct printing *p = data;
    p->added += line->origin == '+';
    p->deleted += line->origin == '-';
    return 0;
}

static void end_hunk(struct printing *p)
{
    if (p->in_hunk) {
        lw_json_end(&p->json);
        lw_json_end(&p->json);
    }
    p->in_hunk = false;
}

static int json_hunk(void *data, const struct lw_git_hunk *h)
{
    struct printing *p = data;
    end_hunk(p);
    lw_json_object(&p->json);
    lw_json_key_int(&p->json, "old_start", h->old_start);
    lw_json_key_int(&p->json, "old_count", h->old_count);
    lw_json_key_int(&p->json, "start", h->new_start);
    lw_json_key_int(&p->json, "count", h->new_count);
    lw_json_key(&p->json, "lines");
    lw_json_array(&p->json);
    p->in_hunk = true;
    return p->cli->out.error != 0;
}

static int json_line(void *data, const struct lw_git_line *line)
{
    struct printing *p = data;
    struct lw_str text =
        lw_arena_printf(&p->cli->arena, "%c%.*s", line->origin, LW_F(line->text));
    if (!text.p)
        return lw_err_nomem(p->err);
    lw_json_text(&p->json, text);
    return 0;
}

static int text_hunk(void *data, const struct lw_git_hunk *h)
{
    struct printing *p = data;
    lw_putf(&p->cli->out, "%s@@ -%u,%u +%u,%u @@%s\n", lw_colour(&p->cli->term, LW_CYAN),
            h->old_start, h->old_count, h->new_start, h->new_count,
            lw_colour(&p->cli->term, LW_PLAIN));
    return p->cli->out.error != 0;
}

static int text_line(void *data, const struct lw_git_line *line)
{
    struct printing *p = data;
    const struct lw_term *term = &p->cli->term;
    struct lw_str text = line->text;
    bool ended = text.n && text.p[text.n - 1] == '\n';
    enum lw_colour colour = line->origin == '+'   ? LW_GREEN
                            : line->origin == '-' ? LW_RED
                                                  : LW_PLAIN;
    text.n -= ended;
    lw_putf(&p->cli->out, "%s%c", lw_colour(term, colour), line->origin);
    lw_put_safe(&p->cli->out, text, true);
    lw_putf(&p->cli->out, "%s\n%s", lw_colour(term, LW_PLAIN),
            ended ? "" : "\\ No newline at end of file\n");
    return 0;
}

/* ---- changes ------------------------------------------------------------------------------
 */

static int json_change(struct printing *p, const struct lw_git_change *c)
{
    enum lw_git_content content;
    struct lw_git_patch_fns count = {.line = count_line, .data = p};
    struct lw_git_patch_fns lines = {json_hunk, json_line, p};
    p->added = p->deleted = 0;
    int rc = lw_git_patch(p->git, c, 0, &count, &content, p->err);
    lw_json_object(&p->json);
    source_git_json_change(&p->json, c);
    lw_json_key_bool(&p->json, "binary", content == LW_GIT_BINARY);
    lw_json_key_int(&p->json, "added", (int64_t)p->added);
    lw_json_key_int(&p->json, "deleted", (int64_t)p->deleted);
    if (p->patch) {
        lw_json_key(&p->json, "hunks");
        lw_json_array(&p->json);
        if (rc == 0)
            rc = lw_git_patch(p->git, c, 3, &lines, &content, p->err);
        end_hunk(p);
        lw_json_end(&p->json);
    }
    lw_json_end(&p->json);
    return rc;
}

static int text_change(struct printing *p, const struct lw_git_change *c)
{
    static const char *const instead[] = {"", "  (binary)", "  (no content)"};
    enum lw_git_content content;
    struct lw_git_patch_fns count = {.line = count_line, .data = p};
    struct lw_git_patch_fns lines = {text_hunk, text_line, p};
    p->added = p->deleted = 0;
    int rc = lw_git_patch(p->git, c, 0, &count, &content, p->err);
    if (rc < 0)
        return rc;
    source_git_put_change(p->cli, c);
    if (content == LW_GIT_TEXT)
        lw_putf(&p->cli->out, "  +%llu -%llu", (unsigned long long)p->added,
                (unsigned long long)p->deleted);
    lw_putf(&p->cli->out, "%s\n", instead[content]);
    return p->patch ? lw_git_patch(p->git, c, 3, &lines, &content, p->err) : 0;
}

static int print_changes(struct printing *p, const struct lw_git_changes *changes)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < changes->n && !p->cli->out.error; i++) {
        struct lw_arena_mark mark = lw_arena_mark(&p->cli->arena);
        rc = p->as_json ? json_change(p, &changes->v[i]) : text_change(p, &changes->v[i]);
        lw_arena_rewind(&p->cli->arena, mark);
    }
    if (changes->renames_skipped)
        lw_log(&p->cli->ctx.log, LW_LOG_WARNING,
               "too many files were added and deleted to compare all for renames");
    return rc;
}

/* With one revision what it did to its first parent. */
static int find_changes(struct printing *p, struct lw_git_id *old_id, struct lw_git_id *new_id,
                        struct lw_git_changes *changes)
{
    struct cli *cli = p->cli;
    int rc = source_git_rev(p->git, cli->args[1], new_id, p->err);
    *old_id = (struct lw_git_id){0};
    if (rc < 0)
        return rc;
    if (cli->arg_count < 3) {
        struct lw_git_commit commit;
        rc = lw_git_commit(p->git, &cli->arena, new_id, &commit, p->err);
        if (rc == 0 && commit.parent_count)
            *old_id = commit.parents[0];
        return rc == 0
                   ? lw_git_diff_commit(p->git, &cli->arena, new_id, &p->diff, changes, p->err)
                   : rc;
    }
    *old_id = *new_id;
    rc = source_git_rev(p->git, cli->args[2], new_id, p->err);
    return rc == 0 ? lw_git_diff(p->git, &cli->arena, old_id, new_id, &p->diff, changes, p->err)
                   : rc;
}

static int run_changes(struct cli *cli, struct lw_err *err)
{
    struct printing p = {.cli = cli, .as_json = cli_wants(cli, "json"), .err = err};
    struct lw_git_changes changes;
    struct lw_git_id old_id, new_id;
    char hex[LW_GIT_ID_TEXT];
    p.patch = cli_flag(cli, "patch");
    p.diff.under = lw_str(cli_value(cli, "path"));
    int rc = read_diff_options(&p);
    if (rc == 0)
        rc = source_git_open(cli, &p.git, err);
    if (rc == 0)
        rc = find_changes(&p, &old_id, &new_id, &changes);
    lw_jsonw_init(&p.json, &cli->out, false);
    if (rc == 0 && p.as_json) {
        bool none = lw_git_id_is_zero(&old_id);
        lw_json_object(&p.json);
        lw_json_key_text(&p.json, "repo", lw_str(cli->args[0]));
        lw_json_key_text_or_null(&p.json, "old",
                                 none ? LW_S("") : lw_str(lw_git_id_print(&old_id, hex)));
        lw_json_key_text(&p.json, "new", lw_str(lw_git_id_print(&new_id, hex)));
        lw_json_key(&p.json, "changes");
        lw_json_array(&p.json);
    }
    if (rc == 0)
        rc = print_changes(&p, &changes);
    if (rc == 0 && p.as_json) {
        lw_json_end(&p.json);
        lw_json_end(&p.json);
    }
    source_git_close(cli, p.git);
    return rc;
}

static const struct cli_option changes_options[] = {
    {"patch", 'p', NULL, NULL, "also print the changed lines"},
    {"path", 0, "PATH", NULL, "only this file or folder"},
    {"no-renames", 0, NULL, NULL, "show renames as an added and a deleted file"},
    {"similarity", 0, "PERCENT", NULL,
     "how much a renamed file must still have in common (default: 50)"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_source_changes = {
    .name = "source changes",
    .usage = "REPO REV [REV]",
    .summary = "files and lines that changed between two commits",
    .details = "With one REV, prints what it changed compared with its first parent; with two, "
               "what changed from the first to the second. The changes are those of `git diff "
               "-M`.",
    .options = changes_options,
    .examples =
        (const struct cli_example[]){{"lacewing source changes . HEAD~5 HEAD", "the files"},
                                     {"lacewing source changes . HEAD -p", "and the lines"},
                                     {NULL, NULL}},
    .min_args = 2,
    .max_args = 3,
    .run = run_changes,
};

/* ---- log ----------------------------------------------------------------------------------
 */

static void log_json(struct printing *p, const struct lw_git_commit *commit,
                     const struct lw_git_changes *changes)
{
    char hex[LW_GIT_ID_TEXT];
    lw_json_object(&p->json);
    source_git_json_commit(&p->json, &commit->id, commit);
    lw_json_key(&p->json, "parents");
    lw_json_array(&p->json);
    for (size_t i = 0; i < commit->parent_count; i++)
        lw_json_text(&p->json, lw_str(lw_git_id_print(&commit->parents[i], hex)));
    lw_json_end(&p->json);
    lw_json_key(&p->json, "changes");
    lw_json_array(&p->json);
    for (size_t i = 0; i < changes->n; i++) {
        lw_json_object(&p->json);
        source_git_json_change(&p->json, &changes->v[i]);
        lw_json_end(&p->json);
    }
    lw_json_end(&p->json);
    lw_json_end(&p->json);
}

static void log_text(struct printing *p, const struct lw_git_commit *commit,
                     const struct lw_git_changes *changes)
{
    struct cli *cli = p->cli;
    char hex[LW_GIT_ID_TEXT], day[SOURCE_DATE];
    lw_putf(&cli->out, "%s%s%s %s ", lw_colour(&cli->term, LW_YELLOW),
            lw_git_id_print(&commit->id, hex), lw_colour(&cli->term, LW_PLAIN),
            source_git_day(&commit->author, day));
    lw_put_safe(&cli->out, commit->author.name, false);
    lw_putz(&cli->out, "  ");
    lw_put_safe(&cli->out, lw_git_subject(commit), false);
    lw_put_char(&cli->out, '\n');
    for (size_t i = 0; i < changes->n; i++) {
        lw_putz(&cli->out, "    ");
        source_git_put_change(cli, &changes->v[i]);
        lw_put_char(&cli->out, '\n');
    }
}

static int put_commit(void *data, const struct lw_git_step *step)
{
    struct printing *p = data;
    struct lw_arena *arena = &p->cli->arena;
    struct lw_arena_mark mark = lw_arena_mark(arena);
    struct lw_git_commit commit;
    struct lw_git_changes changes = {0};
    int rc = lw_git_commit(p->git, arena, &step->id, &commit, p->err);
    if (rc == 0 && (step->parent_count <= 1 || cli_flag(p->cli, "first-parent"))) {
        int diff = lw_git_diff_commit(p->git, arena, &step->id, &p->diff, &changes, p->err);
        rc = diff == LW_ENOENT || diff == LW_ECORRUPT || diff == LW_ELIMIT ? 0 : diff;
    }
    if (rc == 0 && p->as_json)
        log_json(p, &commit, &changes);
    else if (rc == 0)
        log_text(p, &commit, &changes);
    lw_arena_rewind(arena, mark);
    return rc < 0 ? rc : p->cli->out.error != 0;
}

static int run_log(struct cli *cli, struct lw_err *err)
{
    struct printing p = {.cli = cli, .as_json = cli_wants(cli, "json"), .err = err};
    struct lw_git_id commit;
    struct lw_git_walk_options walk = {
        .from = &commit,
        .from_count = 1,
        .order = cli_flag(cli, "topological") ? LW_GIT_TOPOLOGICAL : LW_GIT_BY_DATE,
        .first_parent = cli_flag(cli, "first-parent"),
    };
    int rc = read_diff_options(&p);
    if (rc == 0)
        rc = cli_number(cli, "limit", 0, 1, UINT32_MAX, &walk.limit, err);
    if (rc == 0)
        rc = source_git_open(cli, &p.git, err);
    if (rc == 0)
        rc = source_git_rev(p.git, cli_value(cli, "rev"), &commit, err);
    lw_jsonw_init(&p.json, &cli->out, false);
    if (rc == 0 && p.as_json)
        lw_json_array(&p.json);
    if (rc == 0)
        rc = lw_git_walk(p.git, &walk, put_commit, &p, err);
    if (rc == 0 && p.as_json)
        lw_json_end(&p.json);
    source_git_close(cli, p.git);
    return rc;
}

static const struct cli_option log_options[] = {
    {"rev", 0, "REV", NULL, "start at this commit, branch or tag (default: HEAD)"},
    {"limit", 0, "N", NULL, "at most N commits"},
    {"first-parent", 0, NULL, NULL,
     "follow merges to their first parent only, and compare with it"},
    {"topological", 0, NULL, NULL,
     "print no commit before its children, and do not mix "
     "branches"},
    {"no-renames", 0, NULL, NULL, "show renames as an added and a deleted file"},
    {"similarity", 0, "PERCENT", NULL,
     "how much a renamed file must still have in common (default: 50)"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_source_log = {
    .name = "source log",
    .usage = "REPO",
    .summary = "commits and the files they changed",
    .details = "As `git log --raw -M`: merges are listed without files, unless --first-parent "
               "is given.",
    .options = log_options,
    .examples =
        (const struct cli_example[]){{"lacewing source log . --limit 10", "the newest ten"},
                                     {NULL, NULL}},
    .min_args = 1,
    .max_args = 1,
    .run = run_log,
};
