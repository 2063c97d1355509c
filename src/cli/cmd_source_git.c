/* source history, source blame: who changed a file of a git repository, and when. */
#include "cli/source_git.h"

#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"
#include "source/git_blame.h"
#include "source/git_history.h"

/* ---- Shared -------------------------------------------------------------------------------
 */

int source_git_open(struct cli *cli, lw_git **git, struct lw_err *err)
{
    return lw_git_open(git, &cli->ctx, cli->args[0], err);
}

int source_git_rev(lw_git *git, const char *rev, struct lw_git_id *commit, struct lw_err *err)
{
    return lw_git_resolve(git, lw_str(rev ? rev : "HEAD"), commit, err);
}

void source_git_close(struct cli *cli, lw_git *git)
{
    if (!git)
        return;
    for (int k = 0; k < LW_GIT_TROUBLES; k++) {
        unsigned long long n = lw_git_trouble_count(git, (enum lw_git_trouble)k);
        if (n)
            lw_log(&cli->ctx.log, LW_LOG_WARNING, "%llu object%s %s %s and skipped", n,
                   n == 1 ? "" : "s", n == 1 ? "is" : "are",
                   lw_git_trouble_name((enum lw_git_trouble)k));
    }
    if (lw_git_is_shallow(git))
        lw_log(&cli->ctx.log, LW_LOG_WARNING,
               "the repository is a shallow clone: its history is incomplete");
    lw_git_close(git);
}

const char *source_git_day(const struct lw_git_person *person, char out[SOURCE_DATE])
{
    char text[LW_TIME_TEXT];
    lw_print_time(person->time + person->zone * 60, text);
    snprintf(out, SOURCE_DATE, "%.10s", text);
    return out;
}

void source_git_json_commit(struct lw_jsonw *w, const struct lw_git_id *id,
                            const struct lw_git_commit *commit)
{
    char hex[LW_GIT_ID_TEXT], time[LW_TIME_TEXT];
    lw_json_key_text(w, "commit", lw_str(lw_git_id_print(id, hex)));
    bool known = commit != NULL;
    lw_json_key_text_or_null(w, "author", known ? commit->author.name : LW_S(""));
    lw_json_key_text_or_null(w, "email", known ? commit->author.email : LW_S(""));
    lw_json_key_text_or_null(
        w, "author_date", known ? lw_str(lw_print_time(commit->author.time, time)) : LW_S(""));
    lw_json_key_text_or_null(
        w, "date", known ? lw_str(lw_print_time(commit->committer.time, time)) : LW_S(""));
    lw_json_key_text_or_null(w, "subject", known ? lw_git_subject(commit) : LW_S(""));
}

static void json_id(struct lw_jsonw *w, const char *key, uint32_t mode,
                    const struct lw_git_id *id)
{
    char hex[LW_GIT_ID_TEXT];
    lw_json_key_text_or_null(w, key, mode ? lw_str(lw_git_id_print(id, hex)) : LW_S(""));
}

void source_git_json_change(struct lw_jsonw *w, const struct lw_git_change *c)
{
    char status[2] = {(char)c->status, '\0'}, mode[16];
    lw_json_key_text(w, "status", lw_str(status));
    lw_json_key(w, "similarity");
    if (c->status == LW_GIT_RENAMED || c->status == LW_GIT_COPIED)
        lw_json_int(w, c->similarity);
    else
        lw_json_null(w);
    lw_json_key_text(w, "path", c->path);
    lw_json_key_text_or_null(w, "old_path", c->old_path);
    snprintf(mode, sizeof mode, "%06o", c->old_mode);
    lw_json_key_text(w, "old_mode", lw_str(mode));
    snprintf(mode, sizeof mode, "%06o", c->mode);
    lw_json_key_text(w, "mode", lw_str(mode));
    json_id(w, "old_id", c->old_mode, &c->old_id);
    json_id(w, "id", c->mode, &c->id);
}

static enum lw_colour colour_of(enum lw_git_status status)
{
    switch (status) {
    case LW_GIT_ADDED: return LW_GREEN;
    case LW_GIT_DELETED: return LW_RED;
    case LW_GIT_RENAMED:
    case LW_GIT_COPIED: return LW_CYAN;
    default: return LW_YELLOW;
    }
}

void source_git_put_change(struct cli *cli, const struct lw_git_change *c)
{
    struct lw_sink *out = &cli->out;
    bool moved = c->status == LW_GIT_RENAMED || c->status == LW_GIT_COPIED;
    lw_putf(out, "%s%c%s ", lw_colour(&cli->term, colour_of(c->status)), (char)c->status,
            lw_colour(&cli->term, LW_PLAIN));
    if (moved)
        lw_putf(out, "%3u %% ", c->similarity);
    if (moved) {
        lw_put_safe(out, c->old_path, false);
        lw_putz(out, " => ");
    }
    lw_put_safe(out, c->path, false);
}

/* ---- history ------------------------------------------------------------------------------
 */

struct listing {
    struct cli *cli;
    lw_git *git;
    struct lw_jsonw json;
    bool as_json;
    const struct lw_git_id *from; /* of a history: the commit asked about */
    uint64_t count;
    struct lw_err *err;
};

/* With the first commit, so that a path that never was prints nothing but its error. */
static void begin_history(struct listing *l)
{
    char hex[LW_GIT_ID_TEXT];
    lw_json_object(&l->json);
    lw_json_key_text(&l->json, "repo", lw_str(l->cli->args[0]));
    lw_json_key_text(&l->json, "rev", lw_str(lw_git_id_print(l->from, hex)));
    lw_json_key_text(&l->json, "path", lw_str(l->cli->args[1]));
    lw_json_key(&l->json, "commits");
    lw_json_array(&l->json);
}

static void text_touch(struct listing *l, const struct lw_git_touch *t,
                       const struct lw_git_commit *commit)
{
    struct cli *cli = l->cli;
    char hex[LW_GIT_ID_TEXT], day[SOURCE_DATE];
    lw_putf(&cli->out, "%s%.12s%s %s ", lw_colour(&cli->term, LW_YELLOW),
            lw_git_id_print(&t->commit, hex), lw_colour(&cli->term, LW_PLAIN),
            commit ? source_git_day(&commit->author, day) : "unknown   ");
    source_git_put_change(cli, &t->change);
    lw_putz(&cli->out, "  ");
    lw_put_safe(&cli->out, commit ? lw_git_subject(commit) : LW_S("?"), false);
    lw_put_char(&cli->out, '\n');
}

static int put_touch(void *data, const struct lw_git_touch *t)
{
    struct listing *l = data;
    struct lw_arena_mark mark = lw_arena_mark(&l->cli->arena);
    struct lw_git_commit commit;
    int rc = lw_git_commit(l->git, &l->cli->arena, &t->commit, &commit, l->err);
    if (l->count++ == 0 && l->as_json)
        begin_history(l);
    if (rc == 0 && l->as_json) {
        lw_json_object(&l->json);
        source_git_json_commit(&l->json, &t->commit, &commit);
        source_git_json_change(&l->json, &t->change);
        lw_json_end(&l->json);
    } else if (rc == 0) {
        text_touch(l, t, &commit);
    }
    lw_arena_rewind(&l->cli->arena, mark);
    return rc < 0 ? rc : l->cli->out.error != 0;
}

static int print_history(struct listing *l, const struct lw_git_id *commit,
                         const struct lw_git_history_options *options)
{
    struct cli *cli = l->cli;
    l->from = commit;
    lw_jsonw_init(&l->json, &cli->out, false);
    int rc =
        lw_git_history(l->git, commit, lw_str(cli->args[1]), options, put_touch, l, l->err);
    if (rc == 0 && l->count == 0 && !cli->out.error)
        return lw_err_set(l->err, LW_ENOENT, "no commit contains '%s'", cli->args[1]);
    if (rc == 0 && l->as_json) {
        lw_json_end(&l->json);
        lw_json_end(&l->json);
    }
    return rc;
}

static int run_history(struct cli *cli, struct lw_err *err)
{
    struct listing l = {.cli = cli, .as_json = cli_wants(cli, "json"), .err = err};
    struct lw_git_id commit;
    struct lw_git_history_options options = {
        .no_follow = cli_flag(cli, "no-follow") || cli_flag(cli, "full"),
        .no_copies = cli_flag(cli, "renames-only"),
        .full = cli_flag(cli, "full"),
        .first_parent = cli_flag(cli, "first-parent"),
    };
    int rc = cli_number(cli, "limit", 0, 1, UINT32_MAX, &options.limit, err);
    if (rc == 0)
        rc = source_git_open(cli, &l.git, err);
    if (rc == 0)
        rc = source_git_rev(l.git, cli_value(cli, "rev"), &commit, err);
    if (rc == 0)
        rc = print_history(&l, &commit, &options);
    source_git_close(cli, l.git);
    return rc;
}

static const struct cli_option history_options[] = {
    {"rev", 0, "REV", NULL, "start at this commit, branch or tag (default: HEAD)"},
    {"limit", 0, "N", NULL, "at most N commits"},
    {"no-follow", 0, NULL, NULL, "do not follow renames, as `git log -- PATH`"},
    {"renames-only", 0, NULL, NULL, "follow renames, but not copies"},
    {"full", 0, NULL, NULL, "all branches, also those whose changes were dropped in a merge"},
    {"first-parent", 0, NULL, NULL, "follow merges to their first parent only"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_source_history = {
    .name = "source history",
    .usage = "REPO PATH",
    .summary = "commits that changed a file, through renames",
    .details =
        "REPO is a git repository, bare or not, or a folder with one in `.git`, `repo` or "
        "`repo/.git`. Nothing is checked out and nothing outside REPO is read. What is "
        "missing or damaged is skipped.\n\n"
        "The commits are those of `git log --follow`.",
    .options = history_options,
    .examples =
        (const struct cli_example[]){{"lacewing source history . src/model.py", "newest first"},
                                     {NULL, NULL}},
    .min_args = 2,
    .max_args = 2,
    .run = run_history,
};

/* ---- blame --------------------------------------------------------------------------------
 */

/* "7" or "7,20". */
static int read_lines(struct cli *cli, struct lw_git_blame_options *options, struct lw_err *err)
{
    const char *text = cli_value(cli, "lines");
    if (!text)
        return 0;
    struct lw_str rest = lw_str(text), first = {0};
    uint64_t from, to;
    bool good = lw_str_split(&rest, ',', &first) && lw_parse_u64(first, &from) && from > 0 &&
                from < UINT32_MAX;
    to = good ? from : 0;
    if (good && rest.n)
        good = lw_parse_u64(rest, &to) && to >= from && to < UINT32_MAX;
    if (!good)
        return lw_err_set(err, LW_EINVAL, "--lines needs 'N' or 'FIRST,LAST', not '%s'", text);
    options->first = (uint32_t)from;
    options->last = (uint32_t)to;
    return 0;
}

static const struct lw_git_commit *commit_of(struct listing *l, const struct lw_git_id *id,
                                             struct lw_git_commit *commit)
{
    struct lw_err ignored = {0};
    return lw_git_commit(l->git, &l->cli->arena, id, commit, &ignored) == 0 ? commit : NULL;
}

static void json_span(struct listing *l, const struct lw_git_blame_span *s)
{
    struct lw_git_commit commit;
    lw_json_object(&l->json);
    lw_json_key_int(&l->json, "line", s->line);
    lw_json_key_int(&l->json, "count", s->count);
    source_git_json_commit(&l->json, &s->commit, commit_of(l, &s->commit, &commit));
    lw_json_key_text(&l->json, "path", s->path);
    lw_json_key_int(&l->json, "origin_line", s->origin_line);
    lw_json_end(&l->json);
}

static void text_span(struct listing *l, const struct lw_git_blame_span *s, struct lw_str *text)
{
    enum { NAME = 18 };
    struct cli *cli = l->cli;
    struct lw_git_commit found;
    const struct lw_git_commit *commit = commit_of(l, &s->commit, &found);
    char hex[LW_GIT_ID_TEXT], day[SOURCE_DATE];
    struct lw_str name = lw_utf8_fit(commit ? commit->author.name : LW_S("?"), NAME), line;
    for (uint32_t i = 0; i < s->count && lw_str_line(text, &line); i++) {
        lw_putf(&cli->out, "%s%.12s%s ", lw_colour(&cli->term, LW_YELLOW),
                lw_git_id_print(&s->commit, hex), lw_colour(&cli->term, LW_PLAIN));
        lw_put_safe(&cli->out, name, false);
        lw_put_fill(&cli->out, ' ', NAME - lw_utf8_columns(name));
        lw_putf(&cli->out, " %s %5u  ",
                commit ? source_git_day(&commit->author, day) : "unknown   ", s->line + i);
        lw_put_safe(&cli->out, line, true);
        lw_put_char(&cli->out, '\n');
    }
}

static int print_blame_text(struct listing *l, const struct lw_git_id *commit,
                            const struct lw_git_blame *blame)
{
    enum { MAX_FILE = 64 << 20 };
    struct lw_git_entry entry;
    struct lw_str text, line;
    int rc = lw_git_tree_find(l->git, commit, lw_str(l->cli->args[1]), &entry, l->err);
    if (rc == 0)
        rc = lw_git_blob(l->git, &l->cli->arena, &entry.id, MAX_FILE, &text, l->err);
    for (uint32_t i = 1; rc == 0 && blame->n && i < blame->v[0].line; i++)
        lw_str_line(&text, &line);
    for (size_t i = 0; rc == 0 && i < blame->n; i++) {
        struct lw_arena_mark mark = lw_arena_mark(&l->cli->arena);
        text_span(l, &blame->v[i], &text);
        lw_arena_rewind(&l->cli->arena, mark);
    }
    return rc;
}

static void print_blame_json(struct listing *l, const struct lw_git_id *commit,
                             const struct lw_git_blame *blame)
{
    char hex[LW_GIT_ID_TEXT];
    lw_jsonw_init(&l->json, &l->cli->out, false);
    lw_json_object(&l->json);
    lw_json_key_text(&l->json, "repo", lw_str(l->cli->args[0]));
    lw_json_key_text(&l->json, "rev", lw_str(lw_git_id_print(commit, hex)));
    lw_json_key_text(&l->json, "path", lw_str(l->cli->args[1]));
    lw_json_key(&l->json, "spans");
    lw_json_array(&l->json);
    for (size_t i = 0; i < blame->n; i++) {
        struct lw_arena_mark mark = lw_arena_mark(&l->cli->arena);
        json_span(l, &blame->v[i]);
        lw_arena_rewind(&l->cli->arena, mark);
    }
    lw_json_end(&l->json);
    lw_json_end(&l->json);
}

static int run_blame(struct cli *cli, struct lw_err *err)
{
    struct listing l = {.cli = cli, .as_json = cli_wants(cli, "json"), .err = err};
    struct lw_git_blame_options options = {0};
    struct lw_git_blame blame;
    struct lw_git_id commit;
    int rc = read_lines(cli, &options, err);
    if (rc == 0)
        rc = source_git_open(cli, &l.git, err);
    if (rc == 0)
        rc = source_git_rev(l.git, cli_value(cli, "rev"), &commit, err);
    if (rc == 0)
        rc = lw_git_blame(l.git, &cli->arena, &commit, lw_str(cli->args[1]), &options, &blame,
                          err);
    if (rc == 0 && l.as_json)
        print_blame_json(&l, &commit, &blame);
    else if (rc == 0)
        rc = print_blame_text(&l, &commit, &blame);
    source_git_close(cli, l.git);
    return rc;
}

static const struct cli_option blame_options[] = {
    {"rev", 0, "REV", NULL, "the file in this commit, branch or tag (default: HEAD)"},
    {"lines", 0, "FIRST,LAST", NULL, "only these lines"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_source_blame = {
    .name = "source blame",
    .usage = "REPO PATH",
    .summary = "which commit wrote each line of a file",
    .details = "The answer is that of `git blame`: through renames of the whole file; lines "
               "moved between files are not followed.",
    .options = blame_options,
    .examples =
        (const struct cli_example[]){
            {"lacewing source blame . src/model.py --lines 10,20", "who wrote these lines"},
            {NULL, NULL}},
    .min_args = 2,
    .max_args = 2,
    .run = run_blame,
};
