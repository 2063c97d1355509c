#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "catalog/bug.h"
#include "catalog/select.h"
#include "catalog/sql.h"
#include "catalog/store.h"
#include "knowledge/embedded.h"

enum {
    APPLICATION = 0x4c574331, /* "LWC1", so that file(1) and we know our files */
    SCHEMA_VERSION = 1,
    WAIT_SECONDS = 20 /* for other writers */
};

struct sqlite_store {
    struct store base;
    struct sql sql;
    struct lw_mem *mem;
};

static struct sqlite_store *of(struct store *s)
{
    return (struct sqlite_store *)(void *)s;
}

static void close_store(struct store *s)
{
    struct sqlite_store *me = of(s);
    sql_release(&me->sql);
    lw_mem_free(me->mem, me, sizeof *me);
}

static int begin(struct store *s, struct lw_err *err)
{
    return sql_run(&of(s)->sql, "BEGIN IMMEDIATE", err);
}

static int commit(struct store *s, struct lw_err *err)
{
    int rc = sql_run(&of(s)->sql, "COMMIT", err);
    if (rc < 0)
        sqlite3_exec(of(s)->sql.db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

static void rollback(struct store *s)
{
    sqlite3_exec(of(s)->sql.db, "ROLLBACK", NULL, NULL, NULL);
}

static int get_meta(struct store *s, const char *key, struct lw_arena *arena,
                    struct lw_str *value, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(&of(s)->sql, "SELECT value FROM meta WHERE key = ?", &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, lw_str(key));
    int rc = sql_step(&of(s)->sql, stmt, err);
    *value = LW_S("");
    if (rc > 0) {
        *value = lw_arena_copy(arena, sql_text(stmt, 0));
        rc = value->p ? 0 : lw_err_nomem(err);
    }
    sqlite3_reset(stmt);
    return rc;
}

static int put_meta(struct store *s, const char *key, struct lw_str value, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(&of(s)->sql, "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)", &stmt,
                    err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, lw_str(key));
    sql_bind_text(stmt, 2, value);
    return sql_done(&of(s)->sql, stmt, err);
}

/* The text fields in the order of the table, then support_level and trusted. Returns the next
 * column. */
static int read_columns(sqlite3_stmt *stmt, bool all, struct lw_bug *bug)
{
    int column = 0;
    for (size_t i = 0; i < bug_field_count; i++)
        if (all || bug_fields[i].in_list)
            *bug_text(bug, &bug_fields[i]) = sql_text(stmt, column++);
    bug->support_level = sqlite3_column_int64(stmt, column++);
    bug->trusted = sqlite3_column_int(stmt, column++) != 0;
    return column;
}

static int prepare_select(struct sqlite_store *me, const struct lw_query *q,
                          enum select_what what, struct select *select, sqlite3_stmt **stmt,
                          struct lw_err *err)
{
    int rc = select_build(select, me->mem, q, what, err);
    if (rc == 0)
        rc = sql_prepare(&me->sql, lw_buf_z(&select->sql), stmt, err);
    for (size_t i = 0; rc == 0 && i < select->bound.n; i++)
        sql_bind_text(*stmt, (int)i + 1, select->bound.v[i]);
    return rc;
}

static int list(struct store *s, const struct lw_query *q, lw_bug_fn each, void *data,
                struct lw_err *err)
{
    struct sqlite_store *me = of(s);
    struct select select;
    sqlite3_stmt *stmt = NULL;
    uint64_t accepted = 0;
    int rc = prepare_select(me, q, SELECT_BUGS, &select, &stmt, err);
    while (rc == 0 && (rc = sql_step(&me->sql, stmt, err)) > 0) {
        struct lw_bug bug = {0};
        read_columns(stmt, false, &bug);
        rc = 0;
        if (q->accept) {
            if (!q->accept(q->accept_data, &bug) || accepted++ < q->offset)
                continue;
            if (q->limit && accepted - q->offset > q->limit)
                break;
        }
        rc = each(data, &bug);
    }
    if (stmt)
        sqlite3_reset(stmt);
    select_release(&select);
    return rc;
}

static int count_one(void *data, const struct lw_bug *bug)
{
    (void)bug;
    ++*(uint64_t *)data;
    return 0;
}

static int count(struct store *s, const struct lw_query *q, uint64_t *total, struct lw_err *err)
{
    struct sqlite_store *me = of(s);
    struct select select;
    sqlite3_stmt *stmt = NULL;
    *total = 0;
    if (q->accept) {
        struct lw_query all = *q;
        all.offset = 0;
        return list(s, &all, count_one, total, err);
    }
    int rc = prepare_select(me, q, SELECT_COUNT, &select, &stmt, err);
    if (rc == 0 && (rc = sql_step(&me->sql, stmt, err)) > 0) {
        *total = (uint64_t)sqlite3_column_int64(stmt, 0);
        rc = 0;
    }
    if (stmt)
        sqlite3_reset(stmt);
    select_release(&select);
    return rc;
}

/* Copies the texts, which end with the statement, into the arena. */
static int keep_texts(struct lw_bug *bug, struct lw_arena *arena, struct lw_err *err)
{
    for (size_t i = 0; i < bug_field_count; i++) {
        struct lw_str *text = bug_text(bug, &bug_fields[i]);
        *text = lw_arena_copy(arena, *text);
        if (!text->p)
            return lw_err_nomem(err);
    }
    return 0;
}

static int read_sides(struct sqlite_store *me, sqlite3_int64 num, struct lw_arena *arena,
                      struct lw_bug *bug, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(&me->sql, "SELECT side, commit_id, low, high FROM version WHERE bug = ?",
                    &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, num);
    int rc;
    while ((rc = sql_step(&me->sql, stmt, err)) > 0) {
        int side = sqlite3_column_int(stmt, 0);
        struct lw_str *commit_id = side == LW_BUGGY ? &bug->buggy_commit : &bug->fixed_commit;
        *commit_id = lw_arena_copy(arena, sql_text(stmt, 1));
        struct lw_range *range = &bug->range[side == LW_FIXED];
        range->is_nan = sqlite3_column_type(stmt, 2) == SQLITE_NULL;
        range->low = sqlite3_column_double(stmt, 2);
        range->high = sqlite3_column_double(stmt, 3);
        if (!commit_id->p) {
            rc = lw_err_nomem(err);
            break;
        }
    }
    sqlite3_reset(stmt);
    return rc;
}

static int prepare_find(struct sqlite_store *me, sqlite3_stmt **stmt, struct lw_err *err)
{
    struct lw_buf text;
    lw_buf_init(&text, me->mem, 0);
    lw_buf_addz(&text, "SELECT ");
    select_columns(&text, true);
    lw_buf_addz(&text, ", b.expect, b.seeds, e.seconds, e.memory_mb, b.num FROM bug b "
                       "JOIN environment e ON e.bug = b.num WHERE b.id = ?");
    int rc =
        text.failed ? lw_err_nomem(err) : sql_prepare(&me->sql, lw_buf_z(&text), stmt, err);
    lw_buf_release(&text);
    return rc;
}

static int find(struct store *s, struct lw_str id, struct lw_arena *arena, struct lw_bug *bug,
                struct lw_err *err)
{
    struct sqlite_store *me = of(s);
    sqlite3_stmt *stmt;
    if (prepare_find(me, &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, id);
    int rc = sql_step(&me->sql, stmt, err);
    if (rc == 0)
        return lw_err_set(err, LW_ENOENT, "there is no bug '%.*s' in the catalogue", LW_F(id));
    if (rc < 0)
        return rc;
    *bug = (struct lw_bug){0};
    int column = read_columns(stmt, true, bug);
    bug->expect = (enum lw_expect)sqlite3_column_int(stmt, column++);
    bug->seeds = sqlite3_column_int64(stmt, column++);
    bug->seconds = sqlite3_column_int64(stmt, column++);
    bug->memory_mb = sqlite3_column_int64(stmt, column++);
    sqlite3_int64 num = sqlite3_column_int64(stmt, column);
    rc = keep_texts(bug, arena, err);
    sqlite3_reset(stmt);
    return rc < 0 ? rc : read_sides(me, num, arena, bug, err);
}

/* The number of the bug with that id; 0 when there is none. */
static int number_of(struct sqlite_store *me, struct lw_str id, sqlite3_int64 *num,
                     struct lw_err *err)
{
    sqlite3_stmt *stmt;
    *num = 0;
    if (sql_prepare(&me->sql, "SELECT num FROM bug WHERE id = ?", &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, id);
    int rc = sql_step(&me->sql, stmt, err);
    if (rc > 0)
        *num = sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
    return rc < 0 ? rc : 0;
}

/* "INSERT INTO bug(num, …) VALUES(…) ON CONFLICT(num) DO UPDATE SET …" over the field table. */
static void upsert_text(struct lw_buf *text, enum bug_table table, const char *name,
                        const char *key, const char *const *numbers, size_t number_count)
{
    struct lw_buf marks, updates;
    lw_buf_init(&marks, text->mem, 0);
    lw_buf_init(&updates, text->mem, 0);
    lw_buf_addf(text, "INSERT INTO %s(%s", name, key);
    for (size_t i = 0; i < bug_field_count + number_count; i++) {
        if (i < bug_field_count && bug_fields[i].table != table)
            continue;
        const char *column =
            i < bug_field_count ? bug_fields[i].name : numbers[i - bug_field_count];
        lw_buf_addf(text, ", %s", column);
        lw_buf_addz(&marks, ", ?");
        lw_buf_addf(&updates, "%s%s = excluded.%s", updates.n ? ", " : "", column, column);
    }
    lw_buf_addf(text, ") VALUES(?%s) ON CONFLICT(%s) DO UPDATE SET %s", lw_buf_z(&marks), key,
                lw_buf_z(&updates));
    if (marks.failed || updates.failed)
        text->failed = LW_ENOMEM;
    lw_buf_release(&updates);
    lw_buf_release(&marks);
}

static int upsert(struct sqlite_store *me, enum bug_table table, const char *key,
                  const char *const *names, const sqlite3_int64 *values, size_t value_count,
                  sqlite3_int64 num, const struct lw_bug *bug, struct lw_err *err)
{
    struct lw_buf text;
    sqlite3_stmt *stmt;
    lw_buf_init(&text, me->mem, 0);
    upsert_text(&text, table, table == BUG_IN_BUG ? "bug" : "environment", key, names,
                value_count);
    int rc =
        text.failed ? lw_err_nomem(err) : sql_prepare(&me->sql, lw_buf_z(&text), &stmt, err);
    lw_buf_release(&text);
    if (rc < 0)
        return rc;
    int at = 1;
    if (num)
        sqlite3_bind_int64(stmt, at, num);
    at++;
    for (size_t i = 0; i < bug_field_count; i++)
        if (bug_fields[i].table == table)
            sql_bind_text(stmt, at++, bug_text_of(bug, &bug_fields[i]));
    for (size_t i = 0; i < value_count; i++)
        sqlite3_bind_int64(stmt, at++, values[i]);
    return sql_done(&me->sql, stmt, err);
}

static int put_sides(struct sqlite_store *me, sqlite3_int64 num, const struct lw_bug *bug,
                     struct lw_err *err)
{
    for (int side = LW_BUGGY; side <= LW_FIXED; side++) {
        sqlite3_stmt *stmt;
        if (sql_prepare(&me->sql,
                        "INSERT OR REPLACE INTO version(bug, side, commit_id, low, high) "
                        "VALUES(?, ?, ?, ?, ?)",
                        &stmt, err) < 0)
            return err->code;
        sqlite3_bind_int64(stmt, 1, num);
        sqlite3_bind_int(stmt, 2, side);
        sql_bind_text(stmt, 3, side == LW_BUGGY ? bug->buggy_commit : bug->fixed_commit);
        if (bug->expect == LW_EXPECT_METRIC && !bug->range[side].is_nan) {
            sqlite3_bind_double(stmt, 4, bug->range[side].low);
            sqlite3_bind_double(stmt, 5, bug->range[side].high);
        }
        if (sql_done(&me->sql, stmt, err) < 0)
            return err->code;
    }
    return 0;
}

static int put_files(struct sqlite_store *me, sqlite3_int64 num, const lw_file_vec *files,
                     struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(&me->sql, "DELETE FROM file WHERE bug = ?", &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, num);
    if (sql_done(&me->sql, stmt, err) < 0)
        return err->code;
    for (size_t i = 0; files && i < files->n; i++) {
        if (sql_prepare(&me->sql, "INSERT INTO file(bug, path, content) VALUES(?, ?, ?)", &stmt,
                        err) < 0)
            return err->code;
        sqlite3_bind_int64(stmt, 1, num);
        sql_bind_text(stmt, 2, files->v[i].path);
        sql_bind_blob(stmt, 3, files->v[i].content);
        if (sql_done(&me->sql, stmt, err) < 0)
            return err->code;
    }
    return 0;
}

#define TEXT_COLUMNS "id, title, error_message, description, root_cause, report"

/* The text index keeps no texts of its own: what leaves it must be named as it was. Only living
 * bugs are in it. */
static int index_text(struct sqlite_store *me, bool remove, sqlite3_int64 num,
                      struct lw_err *err)
{
    sqlite3_stmt *stmt;
    const char *text = remove ? "INSERT INTO bug_text(bug_text, rowid, " TEXT_COLUMNS ") "
                                "SELECT 'delete', num, " TEXT_COLUMNS " FROM bug "
                                "WHERE num = ? AND retracted = ''"
                              : "INSERT INTO bug_text(rowid, " TEXT_COLUMNS ") "
                                "SELECT num, " TEXT_COLUMNS " FROM bug "
                                "WHERE num = ? AND retracted = ''";
    if (sql_prepare(&me->sql, text, &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, num);
    return sql_done(&me->sql, stmt, err);
}

static int put_bug(struct store *s, const struct lw_bug *bug, const lw_file_vec *files,
                   struct lw_err *err)
{
    static const char *const of_bug[] = {"expect", "seeds", "support_level", "trusted"};
    static const char *const of_environment[] = {"seconds", "memory_mb"};
    const sqlite3_int64 bug_values[] = {bug->expect, bug->seeds, bug->support_level,
                                        bug->trusted};
    const sqlite3_int64 environment_values[] = {bug->seconds, bug->memory_mb};
    struct sqlite_store *me = of(s);
    sqlite3_int64 num;
    if (number_of(me, bug->id, &num, err) < 0 || (num && index_text(me, true, num, err) < 0) ||
        upsert(me, BUG_IN_BUG, "num", of_bug, bug_values, 4, num, bug, err) < 0)
        return err->code;
    if (num == 0)
        num = sqlite3_last_insert_rowid(me->sql.db);
    if (index_text(me, false, num, err) < 0 ||
        upsert(me, BUG_IN_ENVIRONMENT, "bug", of_environment, environment_values, 2, num, bug,
               err) < 0 ||
        put_sides(me, num, bug, err) < 0)
        return err->code;
    return put_files(me, num, files, err);
}

static int set_retracted(struct sqlite_store *me, sqlite3_int64 num, struct lw_str reason,
                         struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(&me->sql, "UPDATE bug SET retracted = ? WHERE num = ?", &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, reason);
    sqlite3_bind_int64(stmt, 2, num);
    return sql_done(&me->sql, stmt, err);
}

static int retract(struct store *s, struct lw_str id, struct lw_str reason, struct lw_err *err)
{
    struct sqlite_store *me = of(s);
    sqlite3_int64 num;
    if (number_of(me, id, &num, err) < 0)
        return err->code;
    if (num == 0)
        return lw_err_set(err, LW_ENOENT, "there is no bug '%.*s' in the catalogue", LW_F(id));
    if (index_text(me, true, num, err) < 0 || set_retracted(me, num, reason, err) < 0)
        return err->code;
    return index_text(me, false, num, err);
}

static int files(struct store *s, struct lw_str id, store_file_fn each, void *data,
                 struct lw_err *err)
{
    sqlite3_stmt *stmt;
    int rc =
        sql_prepare(&of(s)->sql,
                    "SELECT path, content FROM file WHERE bug = (SELECT num FROM bug WHERE "
                    "id = ?) ORDER BY path",
                    &stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_text(stmt, 1, id);
    while (rc == 0 && (rc = sql_step(&of(s)->sql, stmt, err)) > 0)
        rc = each(data, sql_text(stmt, 0), sql_text(stmt, 1), err);
    sqlite3_reset(stmt);
    return rc;
}

static int facet(struct store *s, const char *field, store_pair_fn each, void *data,
                 struct lw_err *err)
{
    const struct bug_field *f = bug_field_find(lw_str(field));
    LW_BUG_ON(!f);
    struct lw_buf text;
    sqlite3_stmt *stmt = NULL;
    lw_buf_init(&text, of(s)->mem, 0);
    lw_buf_addf(&text,
                "SELECT %s.%s, count(*) AS n FROM bug b%s "
                "WHERE b.retracted = '' GROUP BY 1 ORDER BY n DESC, 1",
                f->table == BUG_IN_BUG ? "b" : "e", field,
                f->table == BUG_IN_BUG ? "" : " JOIN environment e ON e.bug = b.num");
    int rc =
        text.failed ? lw_err_nomem(err) : sql_prepare(&of(s)->sql, lw_buf_z(&text), &stmt, err);
    while (rc == 0 && (rc = sql_step(&of(s)->sql, stmt, err)) > 0)
        rc = each(data, sql_text(stmt, 0), (uint64_t)sqlite3_column_int64(stmt, 1));
    if (stmt)
        sqlite3_reset(stmt);
    lw_buf_release(&text);
    return rc;
}

static int put_run(struct sqlite_store *me, sqlite3_int64 bug, sqlite3_int64 verification,
                   int64_t at, const struct store_run *run, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(&me->sql,
                    "INSERT INTO run(bug, verification, side, ended, exit, signal, seconds, "
                    "cpu_seconds, peak_bytes, isolation, failure, at) "
                    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, bug);
    sqlite3_bind_int64(stmt, 2, verification);
    sqlite3_bind_int(stmt, 3, (int)run->side);
    sql_bind_text(stmt, 4, run->ended);
    sqlite3_bind_int(stmt, 5, run->exit);
    sqlite3_bind_int(stmt, 6, run->signal);
    sqlite3_bind_double(stmt, 7, run->seconds);
    sqlite3_bind_double(stmt, 8, run->cpu_seconds);
    sqlite3_bind_int64(stmt, 9, (sqlite3_int64)run->peak_bytes);
    sql_bind_text(stmt, 10, run->isolation);
    sql_bind_text(stmt, 11, run->failure);
    sqlite3_bind_int64(stmt, 12, at);
    return sql_done(&me->sql, stmt, err);
}

static int put_verification(struct store *s, const struct store_verification *v,
                            struct lw_err *err)
{
    struct sqlite_store *me = of(s);
    sqlite3_int64 bug;
    sqlite3_stmt *stmt;
    if (number_of(me, v->bug_id, &bug, err) < 0 ||
        sql_prepare(&me->sql,
                    "INSERT INTO verification(bug, backend, isolation, verdict, reason, at) "
                    "VALUES(?, ?, ?, ?, ?, ?)",
                    &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, bug);
    sql_bind_text(stmt, 2, v->backend);
    sql_bind_text(stmt, 3, v->isolation);
    sql_bind_text(stmt, 4, v->verdict);
    sql_bind_text(stmt, 5, v->reason);
    sqlite3_bind_int64(stmt, 6, v->at);
    if (sql_done(&me->sql, stmt, err) < 0)
        return err->code;
    sqlite3_int64 num = sqlite3_last_insert_rowid(me->sql.db);
    for (size_t i = 0; i < v->run_count; i++)
        if (put_run(me, bug, num, v->at, &v->runs[i], err) < 0)
            return err->code;
    return 0;
}

static int verifications(struct store *s, struct lw_str id, uint64_t limit,
                         store_verification_fn each, void *data, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    int rc = sql_prepare(&of(s)->sql,
                         "SELECT backend, isolation, verdict, reason, at FROM verification "
                         "WHERE bug = (SELECT num FROM bug WHERE id = ?) "
                         "ORDER BY num DESC LIMIT ?",
                         &stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_text(stmt, 1, id);
    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)limit);
    while (rc == 0 && (rc = sql_step(&of(s)->sql, stmt, err)) > 0) {
        struct store_verification v = {
            .bug_id = id,
            .backend = sql_text(stmt, 0),
            .isolation = sql_text(stmt, 1),
            .verdict = sql_text(stmt, 2),
            .reason = sql_text(stmt, 3),
            .at = sqlite3_column_int64(stmt, 4),
        };
        rc = each(data, &v);
    }
    sqlite3_reset(stmt);
    return rc;
}

static int related(struct store *s, const char *text, struct lw_str id, store_pair_fn each,
                   void *data, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    int rc = sql_prepare(&of(s)->sql, text, &stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_text(stmt, 1, id);
    while (rc == 0 && (rc = sql_step(&of(s)->sql, stmt, err)) > 0)
        rc = each(data, sql_text(stmt, 0), 1);
    sqlite3_reset(stmt);
    return rc;
}

static int tools(struct store *s, struct lw_str id, store_pair_fn each, void *data,
                 struct lw_err *err)
{
    return related(s,
                   "SELECT tool FROM bug_tool WHERE bug = (SELECT num FROM bug WHERE id = ?) "
                   "ORDER BY tool",
                   id, each, data, err);
}

static int similar(struct store *s, struct lw_str id, store_pair_fn each, void *data,
                   struct lw_err *err)
{
    return related(
        s,
        "SELECT other_id FROM similar WHERE bug = (SELECT num FROM bug WHERE id = ?) "
        "ORDER BY other_id",
        id, each, data, err);
}

static int similar_ids(struct store *s, struct lw_str id, struct lw_arena *arena,
                       struct lw_str nearest[3], struct lw_err *err)
{
    size_t distance[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    size_t limit = id.n / 3 + 1;
    sqlite3_stmt *stmt;
    memset(nearest, 0, 3 * sizeof *nearest);
    int rc = sql_prepare(&of(s)->sql, "SELECT id FROM bug WHERE retracted = '' ORDER BY id",
                         &stmt, err);
    while (rc == 0 && (rc = sql_step(&of(s)->sql, stmt, err)) > 0) {
        struct lw_str other = sql_text(stmt, 0);
        size_t d = lw_str_distance(id, other, limit);
        if (d > limit && id.n >= 3 && lw_str_find(other, id) != LW_NPOS)
            d = limit;
        rc = 0;
        size_t at = 3;
        while (at > 0 && d < distance[at - 1])
            at--;
        if (d > limit || at == 3)
            continue;
        struct lw_str copy = lw_arena_copy(arena, other);
        if (!copy.p) {
            rc = lw_err_nomem(err);
            break;
        }
        memmove(nearest + at + 1, nearest + at, (2 - at) * sizeof *nearest);
        memmove(distance + at + 1, distance + at, (2 - at) * sizeof *distance);
        nearest[at] = copy;
        distance[at] = d;
    }
    sqlite3_reset(stmt);
    return rc;
}

static int check(struct store *s, store_pair_fn each, void *data, struct lw_err *err)
{
    /* Rows that point nowhere have no text of their own. */
    static const char *const looks[] = {
        "PRAGMA integrity_check",
        "SELECT 'row ' || coalesce(rowid || ' ', '') || 'of ' || \"table\" || ' belongs to no "
        "' "
        "|| parent "
        "FROM pragma_foreign_key_check",
        "SELECT 'bug ' || id || ' has no environment' FROM bug "
        "WHERE num NOT IN (SELECT bug FROM environment)",
        "SELECT 'verification ' || num || ' has no runs' FROM verification v WHERE verdict != "
        "'unavailable' AND (SELECT count(*) FROM run r WHERE r.verification = v.num) != 2",
    };
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        sqlite3_stmt *stmt;
        int rc = sql_prepare(&of(s)->sql, looks[i], &stmt, err);
        while (rc == 0 && (rc = sql_step(&of(s)->sql, stmt, err)) > 0) {
            struct lw_str line = sql_text(stmt, 0);
            rc = lw_str_eq(line, LW_S("ok")) ? 0 : each(data, line, 1);
        }
        if (rc < 0)
            return rc;
        sqlite3_reset(stmt);
    }
    return 0;
}

static const struct store_ops ops = {
    .close = close_store,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .get_meta = get_meta,
    .put_meta = put_meta,
    .list = list,
    .count = count,
    .find = find,
    .put_bug = put_bug,
    .retract = retract,
    .files = files,
    .facet = facet,
    .put_verification = put_verification,
    .verifications = verifications,
    .tools = tools,
    .similar = similar,
    .check = check,
    .similar_ids = similar_ids,
};

/* ---- Opening ------------------------------------------------------------------------------
 */

static int pragma_number(struct sql *s, const char *text, int64_t *value, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(s->db, text, -1, &stmt, NULL) != SQLITE_OK)
        return sql_error(s, err);
    int rc = sqlite3_step(stmt) == SQLITE_ROW ? 0 : sql_error(s, err);
    if (rc == 0)
        *value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return rc;
}

/* Brings an empty or older file to our version, in one transaction. */
static int migrate(struct sql *s, struct lw_err *err)
{
    int64_t version = 0;
    char text[96];
    if (sql_run(s, "BEGIN IMMEDIATE", err) < 0)
        return err->code;
    int rc = pragma_number(s, "PRAGMA user_version", &version, err);
    for (int64_t next = version + 1; rc == 0 && next <= SCHEMA_VERSION; next++) {
        char path[40];
        struct lw_str schema;
        snprintf(path, sizeof path, "data/schema/%03d.sql", (int)next);
        LW_BUG_ON(!lw_embedded_find(lw_str(path), &schema));
        rc = sql_run(s, schema.p, err);
    }
    snprintf(text, sizeof text, "PRAGMA user_version = %d; PRAGMA application_id = %d",
             SCHEMA_VERSION, APPLICATION);
    if (rc == 0)
        rc = sql_run(s, text, err);
    if (rc == 0)
        rc = sql_run(s, "COMMIT", err);
    if (rc < 0)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

/* Ours, and not from the future? Nothing is written before that is known. */
static int check_file(struct sql *s, bool *outdated, struct lw_err *err)
{
    int64_t application, version, tables;
    if (pragma_number(s, "PRAGMA application_id", &application, err) < 0 ||
        pragma_number(s, "PRAGMA user_version", &version, err) < 0 ||
        pragma_number(s, "SELECT count(*) FROM sqlite_master", &tables, err) < 0)
        return err->code;
    if (application != APPLICATION && tables > 0)
        return lw_err_set(err, LW_EINVAL,
                          "'%s' is a data base of another program; use --catalog PATH",
                          s->path);
    if (version > SCHEMA_VERSION)
        return lw_err_set(
            err, LW_ECORRUPT,
            "catalogue '%s' was made by a newer lacewing (format %lld, this program "
            "knows %d); update lacewing, or use --catalog PATH",
            s->path, (long long)version, SCHEMA_VERSION);
    *outdated = version < SCHEMA_VERSION;
    return 0;
}

/* A catalogue that cannot be written may still be read: without a log beside it, as it stands.
 */
static bool is_read_only(const char *path)
{
    if (access(path, F_OK) != 0)
        return false;
    if (access(path, W_OK) != 0)
        return true;
    struct lw_str all = lw_str(path);
    ptrdiff_t slash = lw_str_find_last_char(all, '/');
    char folder[4096];
    if (slash < 0)
        return access(".", W_OK) != 0;
    if ((size_t)slash >= sizeof folder)
        return false;
    memcpy(folder, path, (size_t)slash);
    folder[slash] = '\0';
    return access(slash ? folder : "/", W_OK) != 0;
}

/* "file:PATH?mode=ro" with what a URI cannot hold as %NN. A log beside the file belongs to
 * others who write; where there is none, none can be made either, and none is needed. */
static void read_only_uri(struct lw_buf *uri, const char *path)
{
    lw_buf_addf(uri, "%s-wal", path);
    bool has_log = !uri->failed && access(lw_buf_z(uri), F_OK) == 0;
    lw_buf_clear(uri);
    lw_buf_addz(uri, "file:");
    for (; *path; path++) {
        bool special = strchr("?#%", *path) != NULL || (unsigned char)*path < 0x21;
        if (special)
            lw_buf_addf(uri, "%%%02X", (unsigned)(unsigned char)*path);
        else
            lw_buf_add_char(uri, *path);
    }
    lw_buf_addz(uri, has_log ? "?mode=ro" : "?mode=ro&immutable=1");
}

static int open_file(struct sql *s, struct lw_mem *mem, bool read_only, struct lw_err *err)
{
    struct lw_buf uri;
    lw_buf_init(&uri, mem, 0);
    if (read_only)
        read_only_uri(&uri, s->path);
    int flags = read_only ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                          : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int rc = uri.failed ? LW_ENOMEM : 0;
    if (rc == 0 && sqlite3_open_v2(read_only ? lw_buf_z(&uri) : s->path, &s->db,
                                   flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        rc = s->db ? sql_error(s, err) : LW_ENOMEM;
    lw_buf_release(&uri);
    return rc == LW_ENOMEM ? lw_err_nomem(err) : rc;
}

static int set_up(struct sql *s, bool read_only, struct lw_err *err)
{
    bool outdated = false;
    sql_wait_for_others(s, WAIT_SECONDS);
    if (check_file(s, &outdated, err) < 0)
        return err->code;
    if (read_only && outdated)
        return lw_err_set(
            err, LW_EIO,
            "catalogue '%s' is of an older format and read-only; use --catalog PATH", s->path);
    if (read_only)
        return 0;
    if (sql_run(s,
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
                "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF",
                err) < 0)
        return err->code;
    return outdated ? migrate(s, err) : 0;
}

int sqlite_store_open(struct store **s, const struct lw_ctx *ctx, const char *path,
                      struct lw_err *err)
{
    struct sqlite_store *me = lw_mem_alloc(ctx->mem, sizeof *me);
    if (!me)
        return lw_err_nomem(err);
    me->base.ops = &ops;
    me->mem = ctx->mem;
    me->sql.path = path;
    me->sql.cancel = ctx->cancel;
    lw_arena_init(&me->sql.arena, ctx->mem, 0);
    lw_map_init(&me->sql.prepared, ctx->mem);
    bool read_only = is_read_only(path);
    int rc = open_file(&me->sql, ctx->mem, read_only, err);
    if (rc == 0)
        rc = set_up(&me->sql, read_only, err);
    if (rc < 0) {
        close_store(&me->base);
        return rc;
    }
    *s = &me->base;
    return 0;
}
