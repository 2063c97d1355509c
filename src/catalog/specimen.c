#include "catalog/specimen.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/num.h"
#include "base/path.h"
#include "base/str.h"
#include "catalog/bug.h"
#include "catalog/member.h"
#include "catalog/sides.h"
#include "knowledge/embedded.h"

struct reading {
    struct lw_bug *bug;
    struct lw_arena *arena;
    const lw_file_vec *files;
    struct lw_str where;
    const struct lw_vocabulary *words;
    struct lw_ini ini;
    bool in_git; /* it names a repository instead of bringing its program */
    struct lw_err *err;
};

const struct lw_file *lw_file_find(const lw_file_vec *files, struct lw_str path)
{
    for (size_t i = 0; i < files->n; i++)
        if (lw_str_eq(files->v[i].path, path))
            return &files->v[i];
    return NULL;
}

/* Keys of bug.ini beside those of the field table. */
static const struct {
    const char *section, *key;
} other_keys[] = {
    {"run", "seconds"},         {"run", "memory_mb"}, {"expect", "kind"}, {"expect", "seeds"},
    {"expect", "buggy"},        {"expect", "fixed"},  {"git", "buggy"},   {"git", "fixed"},
    {"group", "support_level"}, {"group", "similar"}, {"group", "tools"}, {"bug", "source"},
};

static bool is_known_key(const struct lw_ini_entry *e)
{
    for (size_t i = 0; i < bug_field_count; i++)
        if (bug_fields[i].section && lw_str_eq(e->section, lw_str(bug_fields[i].section)) &&
            lw_str_eq(e->key, lw_str(bug_fields[i].key)))
            return true;
    for (size_t i = 0; i < sizeof other_keys / sizeof *other_keys; i++)
        if (lw_str_eq(e->section, lw_str(other_keys[i].section)) &&
            lw_str_eq(e->key, lw_str(other_keys[i].key)))
            return true;
    return false;
}

static int check_keys(struct reading *r)
{
    for (size_t i = 0; i < r->ini.n; i++)
        if (!is_known_key(&r->ini.entries[i]))
            return lw_ini_error(&r->ini, &r->ini.entries[i], r->err,
                                "there is no such key in [%.*s]; see docs/formats.md",
                                LW_F(r->ini.entries[i].section));
    return 0;
}

/* A program that lives in a repository is not run by us. */
static bool is_about_running(const struct bug_field *f)
{
    return strcmp(f->section, "run") == 0 || strcmp(f->key, "modules") == 0;
}

static int read_field(struct reading *r, const struct bug_field *f)
{
    struct lw_str *value = bug_text(r->bug, f);
    const struct lw_ini_entry *e = lw_ini_find(&r->ini, f->section, f->key);
    *value = e ? e->value : LW_S("");
    bool required = f->required && !(r->in_git && is_about_running(f));
    if (required && lw_ini_need(&r->ini, f->section, f->key, value, r->err) < 0)
        return r->err->code;
    if (e && f->vocabulary && value->n && !lw_vocabulary_has(r->words, f->vocabulary, *value)) {
        lw_vocabulary_refuse(r->words, f->vocabulary, *value, r->err);
        return lw_err_context(r->err, "%.*s:%u", LW_F(r->ini.name), e->line);
    }
    return 0;
}

static int read_number(struct reading *r, const char *section, const char *key,
                       int64_t otherwise, int64_t most, int64_t *out)
{
    const struct lw_ini_entry *e = lw_ini_find(&r->ini, section, key);
    *out = otherwise;
    if (!e || (lw_parse_i64(e->value, out) && *out >= 1 && *out <= most))
        return 0;
    return lw_ini_error(&r->ini, e, r->err, "'%.*s' is not a whole number from 1 to %lld",
                        LW_F(e->value), (long long)most);
}

static int read_range(struct reading *r, enum lw_side side)
{
    struct lw_str text;
    const char *key = lw_side_name(side);
    if (lw_ini_need(&r->ini, "expect", key, &text, r->err) < 0)
        return r->err->code;
    if (lw_range_parse(text, &r->bug->range[side]))
        return 0;
    return lw_ini_error(&r->ini, lw_ini_find(&r->ini, "expect", key), r->err,
                        "'%.*s' is not a range such as 0.9..1, 3..inf or nan", LW_F(text));
}

static int read_metric(struct reading *r)
{
    struct lw_bug *bug = r->bug;
    bug->expect = LW_EXPECT_METRIC;
    if (lw_ini_need(&r->ini, "expect", "metric", &bug->metric, r->err) < 0 ||
        read_range(r, LW_BUGGY) < 0 || read_range(r, LW_FIXED) < 0)
        return r->err->code;
    if (!lw_range_apart(&bug->range[LW_BUGGY], &bug->range[LW_FIXED]))
        return lw_ini_error(&r->ini, lw_ini_find(&r->ini, "expect", "fixed"), r->err,
                            "the ranges of buggy and fixed must not overlap");
    struct lw_str buggy = lw_range_print(r->arena, &bug->range[LW_BUGGY]);
    struct lw_str fixed = lw_range_print(r->arena, &bug->range[LW_FIXED]);
    if (!buggy.p || !fixed.p)
        return lw_err_nomem(r->err);
    bug->error_message = lw_arena_printf(r->arena, "%.*s in %.*s instead of %.*s",
                                         LW_F(bug->metric), LW_F(buggy), LW_F(fixed));
    return bug->error_message.p ? 0 : lw_err_nomem(r->err);
}

static int read_explicit(struct reading *r)
{
    struct lw_bug *bug = r->bug;
    bug->expect = LW_EXPECT_EXPLICIT;
    if (lw_ini_need(&r->ini, "expect", "exception", &bug->exception, r->err) < 0)
        return r->err->code;
    bug->error_message = lw_arena_printf(r->arena, "%.*s%s%.*s", LW_F(bug->exception),
                                         bug->message.n ? ": " : "", LW_F(bug->message));
    return bug->error_message.p ? 0 : lw_err_nomem(r->err);
}

static int read_expectation(struct reading *r)
{
    struct lw_str kind;
    r->bug->seeds = 5;
    if (r->in_git && !lw_ini_find(&r->ini, "expect", "kind"))
        return 0;
    if (lw_ini_need(&r->ini, "expect", "kind", &kind, r->err) < 0 ||
        read_number(r, "expect", "seeds", 5, 100, &r->bug->seeds) < 0)
        return r->err->code;
    if (lw_str_eq(kind, LW_S("explicit")))
        return read_explicit(r);
    if (lw_str_eq(kind, LW_S("metric")))
        return read_metric(r);
    return lw_ini_error(&r->ini, lw_ini_find(&r->ini, "expect", "kind"), r->err,
                        "'%.*s' is invalid; use explicit or metric", LW_F(kind));
}

static int need_file(struct reading *r, const char *folder, struct lw_str name,
                     const struct lw_file **found)
{
    struct lw_str path = lw_arena_printf(r->arena, "%s%.*s", folder, LW_F(name));
    if (!path.p)
        return lw_err_nomem(r->err);
    *found = lw_file_find(r->files, path);
    if (*found)
        return 0;
    return lw_err_set(r->err, LW_EINVAL, "%.*s: the file '%s' is missing", LW_F(r->where),
                      path.p);
}

static bool is_commit(struct lw_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!(text.p[i] >= '0' && text.p[i] <= '9') && !(text.p[i] >= 'a' && text.p[i] <= 'f'))
            return false;
    return text.n == 40;
}

static int read_commit(struct reading *r, enum lw_side side, struct lw_str *commit)
{
    const char *key = lw_side_name(side);
    if (lw_ini_need(&r->ini, "git", key, commit, r->err) < 0)
        return r->err->code;
    if (is_commit(*commit))
        return 0;
    return lw_ini_error(&r->ini, lw_ini_find(&r->ini, "git", key), r->err,
                        "'%.*s' is not a full commit hash (40 lower-case hexadecimal "
                        "digits)",
                        LW_F(*commit));
}

/* Where an exported bug came from. */
static int read_source(struct reading *r)
{
    const struct lw_ini_entry *e = lw_ini_find(&r->ini, "bug", "source");
    r->bug->source = e ? e->value : LW_S("submission");
    if (lw_vocabulary_has(r->words, "source", r->bug->source))
        return 0;
    lw_vocabulary_refuse(r->words, "source", r->bug->source, r->err);
    return lw_err_context(r->err, "%.*s:%u", LW_F(r->ini.name), e->line);
}

/* What the source of an entry says about its neighbours. */
static int read_group(struct reading *r)
{
    r->bug->similar = lw_ini_get(&r->ini, "group", "similar");
    r->bug->tools = lw_ini_get(&r->ini, "group", "tools");
    return read_number(r, "group", "support_level", 1, 1000000, &r->bug->support_level);
}

static int check_git(struct reading *r)
{
    const struct lw_file *report = lw_file_find(r->files, LW_S("report.md"));
    const struct lw_file *requirements = lw_file_find(r->files, LW_S("requirements.txt"));
    r->bug->report = report ? report->content : LW_S("");
    r->bug->requirements = requirements ? requirements->content : LW_S("");
    if (!lw_str_has_prefix(r->bug->git_url, LW_S("https://")) &&
        !lw_str_has_prefix(r->bug->git_url, LW_S("file:///")))
        return lw_ini_error(&r->ini, lw_ini_find(&r->ini, "git", "url"), r->err,
                            "'%.*s' is not the https:// address of a repository",
                            LW_F(r->bug->git_url));
    if (read_commit(r, LW_BUGGY, &r->bug->buggy_commit) < 0 ||
        read_commit(r, LW_FIXED, &r->bug->fixed_commit) < 0)
        return r->err->code;
    if (lw_str_eq(r->bug->buggy_commit, r->bug->fixed_commit))
        return lw_ini_error(&r->ini, lw_ini_find(&r->ini, "git", "fixed"), r->err,
                            "buggy and fixed are the same commit");
    return 0;
}

static int check_sides(struct reading *r)
{
    bool same;
    if (lw_sides_same(r->files, r->arena->mem, &same, r->err) < 0)
        return r->err->code;
    if (!same)
        return 0;
    return lw_err_set(r->err, LW_EINVAL, "%.*s: buggy and fixed are the same program",
                      LW_F(r->where));
}

static int check_files(struct reading *r)
{
    const struct lw_file *f, *report, *requirements;
    if (r->in_git)
        return check_git(r);
    if (need_file(r, "buggy/", r->bug->command, &f) < 0 ||
        need_file(r, "fixed/", r->bug->command, &f) < 0 ||
        need_file(r, "", r->bug->test, &f) < 0 ||
        need_file(r, "", LW_S("report.md"), &report) < 0 ||
        need_file(r, "", LW_S("requirements.txt"), &requirements) < 0)
        return r->err->code;
    r->bug->report = report->content;
    r->bug->requirements = requirements->content;
    if (check_sides(r) < 0)
        return r->err->code;
    for (size_t i = 0; i < r->files->n; i++) {
        struct lw_str path = r->files->v[i].path;
        if (lw_str_eq(lw_path_name(path), r->bug->test) && path.n > r->bug->test.n &&
            !lw_str_has_prefix(path, LW_S("data/")))
            return lw_err_set(r->err, LW_EINVAL,
                              "%.*s: '%.*s' would be hidden by the test of the same name",
                              LW_F(r->where), LW_F(path));
    }
    return 0;
}

static int check_id(struct reading *r, struct lw_str expected_id)
{
    const struct lw_ini_entry *e = lw_ini_find(&r->ini, "bug", "id");
    if (!lw_bug_id_ok(r->bug->id))
        return lw_ini_error(&r->ini, e, r->err,
                            "'%.*s' is not an id: letters, digits, '.', '_', '-', at most 100",
                            LW_F(r->bug->id));
    if (expected_id.n && !lw_str_eq(expected_id, r->bug->id))
        return lw_ini_error(&r->ini, e, r->err, "'%.*s' differs from the folder's name '%.*s'",
                            LW_F(r->bug->id), LW_F(expected_id));
    return 0;
}

int lw_specimen_read(struct lw_bug *bug, struct lw_arena *arena, const lw_file_vec *files,
                     struct lw_str where, struct lw_str expected_id,
                     const struct lw_vocabulary *words, struct lw_err *err)
{
    struct reading r = {
        .bug = bug, .arena = arena, .files = files, .where = where, .words = words, .err = err};
    *bug = (struct lw_bug){.source = LW_S("submission"), .support_level = 1};
    const struct lw_file *ini = lw_file_find(files, LW_S("bug.ini"));
    if (!ini)
        return lw_err_set(err, LW_EINVAL, "%.*s: the file 'bug.ini' is missing", LW_F(where));
    struct lw_str name = lw_arena_printf(arena, "%.*s/bug.ini", LW_F(where));
    if (!name.p)
        return lw_err_nomem(err);
    if (lw_ini_parse(&r.ini, arena, name, ini->content, err) < 0 || check_keys(&r) < 0)
        return err->code;
    r.in_git = lw_ini_find(&r.ini, "git", "url") != NULL;
    for (size_t i = 0; i < bug_field_count; i++)
        if (bug_fields[i].section && read_field(&r, &bug_fields[i]) < 0)
            return err->code;
    if (check_id(&r, expected_id) < 0 ||
        read_number(&r, "run", "seconds", 60, 3600, &bug->seconds) < 0 ||
        read_number(&r, "run", "memory_mb", 2048, 1 << 20, &bug->memory_mb) < 0 ||
        read_expectation(&r) < 0 || read_group(&r) < 0 || read_source(&r) < 0)
        return err->code;
    return check_files(&r);
}

int lw_specimen_load(lw_file_vec *files, struct lw_arena *arena, struct lw_mem *mem,
                     const char *folder, struct lw_err *err)
{
    lw_str_vec names = {0};
    struct member_names taken;
    struct lw_buf path;
    size_t left = LW_SPECIMEN_BYTES;
    member_names_init(&taken, mem);
    lw_buf_init(&path, mem, 8192);
    int rc = lw_dir_walk(arena, mem, folder, true, LW_SPECIMEN_FILES, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        struct lw_file f = {.path = names.v[i]};
        const char *why = NULL;
        if (member_is_left_out(f.path))
            continue;
        rc = member_names_claim(&taken, f.path, false, &why, err);
        if (rc == 0 && why)
            rc = member_refuse(lw_str(folder), f.path, why, err);
        if (rc == 0)
            rc = lw_path_join(&path, lw_str(folder), f.path, err);
        if (rc == 0)
            rc = lw_file_read(arena, lw_buf_z(&path), left, &f.content, err);
        left -= f.content.n;
        if (rc == 0 && lw_vec_push(mem, files, f) < 0)
            rc = lw_err_nomem(err);
    }
    lw_buf_release(&path);
    member_names_release(&taken);
    lw_vec_release(mem, &names);
    return rc;
}

int lw_specimen_embedded(lw_file_vec *files, struct lw_mem *mem, struct lw_str id,
                         struct lw_err *err)
{
    char prefix[160];
    snprintf(prefix, sizeof prefix, "specimens/%.*s/", LW_F(id));
    struct lw_str path, content, front = lw_str(prefix);
    for (size_t i = lw_embedded_first(front); lw_embedded_at(i, &path, &content); i++) {
        if (!lw_str_has_prefix(path, front))
            break;
        struct lw_file f = {lw_str_from(path, front.n), content};
        if (lw_vec_push(mem, files, f) < 0)
            return lw_err_nomem(err);
    }
    return 0;
}
