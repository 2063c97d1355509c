/* Bugs in SQLite: listing, finding, storing. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "catalog/bug.h"
#include "catalog/select.h"
#include "catalog/sqlite_internal.h"

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

struct selecting {
    struct facet_filter filter;
    struct select select;
    sqlite3_stmt *stmt;
    bool by_hand; /* the query's own filter is asked for each bug */
};

static int begin_select(struct selecting *x, struct sqlite_store *me, const struct lw_query *q,
                        enum select_what what, struct lw_err *err)
{
    *x = (struct selecting){0};
    lw_buf_init(&x->select.sql, me->mem, 0);
    lw_buf_init(&x->select.match, me->mem, 0);
    int rc = facet_filter(&x->filter, &me->sql, q, me->mem, err);
    if (rc == 0)
        rc = select_build(&x->select, me->mem, q, &x->filter, what, err);
    x->by_hand = q->accept && !x->filter.by_environment;
    if (rc == 0)
        rc = sql_prepare(&me->sql, lw_buf_z(&x->select.sql), &x->stmt, err);
    for (size_t i = 0; rc == 0 && i < x->select.bound.n; i++)
        sql_bind_text(x->stmt, (int)i + 1, x->select.bound.v[i]);
    return rc;
}

static void end_select(struct selecting *x, struct sqlite_store *me)
{
    if (x->stmt)
        sqlite3_reset(x->stmt);
    select_release(&x->select);
    lw_vec_release(me->mem, &x->filter.environments);
}

int sqlite_list(struct store *s, const struct lw_query *q, lw_bug_fn each, void *data,
                struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    struct selecting x;
    uint64_t accepted = 0;
    int rc = begin_select(&x, me, q, SELECT_BUGS, err);
    while (rc == 0 && (rc = sql_step(&me->sql, x.stmt, err)) > 0) {
        struct lw_bug bug = {0};
        read_columns(x.stmt, false, &bug);
        rc = 0;
        if (x.by_hand) {
            if (!q->accept(q->accept_data, &bug) || accepted++ < q->offset)
                continue;
            if (q->limit && accepted - q->offset > q->limit)
                break;
        }
        rc = each(data, &bug);
    }
    end_select(&x, me);
    return rc;
}

static int count_one(void *data, const struct lw_bug *bug)
{
    (void)bug;
    ++*(uint64_t *)data;
    return 0;
}

int sqlite_count(struct store *s, const struct lw_query *q, uint64_t *total, struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    struct selecting x;
    *total = 0;
    int rc = begin_select(&x, me, q, SELECT_COUNT, err);
    if (rc == 0 && x.by_hand) {
        struct lw_query all = *q;
        all.offset = 0;
        rc = sqlite_list(s, &all, count_one, total, err);
    } else if (rc == 0 && (rc = sql_step(&me->sql, x.stmt, err)) > 0) {
        *total = (uint64_t)sqlite3_column_int64(x.stmt, 0);
        rc = 0;
    }
    end_select(&x, me);
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
    if (sql_prepare_lasting(&me->sql,
                            "SELECT side, commit_id, low, high FROM version WHERE bug = ?",
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

/* The number of the bug with that id; 0 when there is none. */
int sqlite_number_of(struct sqlite_store *me, struct lw_str id, sqlite3_int64 *num,
                     struct lw_err *err)
{
    sqlite3_stmt *stmt;
    *num = 0;
    if (sql_prepare_lasting(&me->sql, "SELECT num FROM bug WHERE id = ?", &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, id);
    int rc = sql_step(&me->sql, stmt, err);
    if (rc > 0)
        *num = sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
    return rc < 0 ? rc : 0;
}

/* Among many new bugs most are not there yet: one narrow look tells, and is not repeated when
 * the bug is stored. The transaction keeps others from adding it meanwhile. */
static int is_absent(struct sqlite_store *me, struct lw_str id, bool *absent,
                     struct lw_err *err)
{
    sqlite3_int64 num = 1;
    if (me->many.on && sqlite_number_of(me, id, &num, err) < 0)
        return err->code;
    *absent = num == 0;
    lw_buf_clear(&me->many.absent);
    if (*absent)
        lw_buf_add(&me->many.absent, id);
    return 0;
}

static int no_such_bug(struct lw_str id, struct lw_err *err)
{
    return lw_err_set(err, LW_ENOENT, "there is no bug '%.*s' in the catalogue", LW_F(id));
}

/* Made once, as it is the same for every bug. */
static int prepare_find(struct sqlite_store *me, sqlite3_stmt **stmt, struct lw_err *err)
{
    if (!me->find) {
        struct lw_buf text;
        lw_buf_init(&text, me->mem, 0);
        lw_buf_addz(&text, "SELECT ");
        select_columns(&text, true);
        lw_buf_addz(&text, ", b.expect, b.seeds, e.seconds, e.memory_mb, b.num FROM bug b "
                           "JOIN environment e ON e.bug = b.num WHERE b.id = ?");
        struct lw_str kept = text.failed ? (struct lw_str){NULL, 0}
                                         : lw_arena_copy(&me->sql.arena, lw_buf_str(&text));
        lw_buf_release(&text);
        if (!kept.p)
            return lw_err_nomem(err);
        me->find = kept.p;
    }
    return sql_prepare_lasting(&me->sql, me->find, stmt, err);
}

int sqlite_find(struct store *s, struct lw_str id, struct lw_arena *arena, struct lw_bug *bug,
                struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    sqlite3_stmt *stmt;
    bool absent = false;
    if (is_absent(me, id, &absent, err) < 0)
        return err->code;
    if (absent)
        return no_such_bug(id, err);
    if (prepare_find(me, &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, id);
    int rc = sql_step(&me->sql, stmt, err);
    if (rc == 0)
        return no_such_bug(id, err);
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

/* The statement, made once: it is the same for every bug. */
static int upsert_statement(struct sqlite_store *me, enum bug_table table, const char *key,
                            const char *const *names, size_t name_count, sqlite3_stmt **stmt,
                            struct lw_err *err)
{
    if (!me->upsert[table]) {
        struct lw_buf text;
        lw_buf_init(&text, me->mem, 0);
        upsert_text(&text, table, table == BUG_IN_BUG ? "bug" : "environment", key, names,
                    name_count);
        struct lw_str kept = text.failed ? (struct lw_str){NULL, 0}
                                         : lw_arena_copy(&me->sql.arena, lw_buf_str(&text));
        lw_buf_release(&text);
        if (!kept.p)
            return lw_err_nomem(err);
        me->upsert[table] = kept.p;
    }
    return sql_prepare_lasting(&me->sql, me->upsert[table], stmt, err);
}

/* Binds the fields of `table` from parameter `at` on; returns the next one. */
static int bind_fields(sqlite3_stmt *stmt, enum bug_table table, int at,
                       const struct lw_bug *bug)
{
    for (size_t i = 0; i < bug_field_count; i++)
        if (bug_fields[i].table == table)
            sql_bind_text(stmt, at++, bug_text_of(bug, &bug_fields[i]));
    return at;
}

static int put_row(struct sqlite_store *me, sqlite3_int64 num, const struct lw_bug *bug,
                   int64_t facets, struct lw_str words, struct lw_err *err)
{
    static const char *const names[] = {"expect",  "seeds",  "support_level",
                                        "trusted", "facets", "facet_words"};
    sqlite3_stmt *stmt;
    if (upsert_statement(me, BUG_IN_BUG, "num", names, 6, &stmt, err) < 0)
        return err->code;
    if (num)
        sqlite3_bind_int64(stmt, 1, num);
    int at = bind_fields(stmt, BUG_IN_BUG, 2, bug);
    sqlite3_bind_int64(stmt, at++, bug->expect);
    sqlite3_bind_int64(stmt, at++, bug->seeds);
    sqlite3_bind_int64(stmt, at++, bug->support_level);
    sqlite3_bind_int64(stmt, at++, bug->trusted);
    sqlite3_bind_int64(stmt, at++, facets);
    sql_bind_text(stmt, at, words);
    return sql_done(&me->sql, stmt, err);
}

static int put_environment(struct sqlite_store *me, sqlite3_int64 num, const struct lw_bug *bug,
                           struct lw_err *err)
{
    static const char *const names[] = {"seconds", "memory_mb"};
    sqlite3_stmt *stmt;
    if (upsert_statement(me, BUG_IN_ENVIRONMENT, "bug", names, 2, &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, num);
    int at = bind_fields(stmt, BUG_IN_ENVIRONMENT, 2, bug);
    sqlite3_bind_int64(stmt, at++, bug->seconds);
    sqlite3_bind_int64(stmt, at, bug->memory_mb);
    return sql_done(&me->sql, stmt, err);
}

static int put_sides(struct sqlite_store *me, sqlite3_int64 num, const struct lw_bug *bug,
                     struct lw_err *err)
{
    for (int side = LW_BUGGY; side <= LW_FIXED; side++) {
        sqlite3_stmt *stmt;
        if (sql_prepare_lasting(&me->sql,
                                "INSERT INTO version(bug, side, commit_id, low, high) "
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

/* The sides and files of a bug that is about to be stored anew. Not "OR REPLACE" on insertion:
 * a statement that may have to be undone alone makes the text index write out what it has
 * gathered, which took half of the time of an import. */
static int drop_parts(struct sqlite_store *me, sqlite3_int64 num, struct lw_err *err)
{
    static const char *const statements[] = {"DELETE FROM file WHERE bug = ?",
                                             "DELETE FROM version WHERE bug = ?"};
    for (size_t i = 0; i < 2; i++) {
        sqlite3_stmt *stmt;
        if (sql_prepare_lasting(&me->sql, statements[i], &stmt, err) < 0)
            return err->code;
        sqlite3_bind_int64(stmt, 1, num);
        if (sql_done(&me->sql, stmt, err) < 0)
            return err->code;
    }
    return 0;
}

static int put_files(struct sqlite_store *me, sqlite3_int64 num, const lw_file_vec *files,
                     struct lw_err *err)
{
    sqlite3_stmt *stmt;
    for (size_t i = 0; files && i < files->n; i++) {
        if (sql_prepare_lasting(&me->sql,
                                "INSERT INTO file(bug, path, content) VALUES(?, ?, ?)", &stmt,
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

#define TEXT_COLUMNS "id, title, error_message, description, root_cause, report, facet_words"

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
    if (sql_prepare_lasting(&me->sql, text, &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, num);
    return sql_done(&me->sql, stmt, err);
}

/* The same for a bug at hand, without reading it back. */
static int index_bug(struct sqlite_store *me, sqlite3_int64 num, const struct lw_bug *bug,
                     struct lw_str words, struct lw_err *err)
{
    const struct lw_str texts[] = {
        bug->id,     bug->title, bug->error_message, bug->description, bug->root_cause,
        bug->report, words};
    sqlite3_stmt *stmt;
    if (bug->retracted.n)
        return 0;
    if (sql_prepare_lasting(&me->sql,
                            "INSERT INTO bug_text(rowid, " TEXT_COLUMNS
                            ") VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                            &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, num);
    for (int i = 0; i < 7; i++)
        sql_bind_text(stmt, i + 2, texts[i]);
    return sql_done(&me->sql, stmt, err);
}

/* The names of a list with commas become rows. */
static int put_names(struct sqlite_store *me, enum store_relation kind, struct lw_str id,
                     struct lw_str list, struct lw_err *err)
{
    LW_VEC(struct lw_str) names = {0};
    struct lw_str name;
    int rc = 0;
    while (rc == 0 && lw_str_split(&list, ',', &name)) {
        name = lw_str_trim(name);
        if (name.n && lw_vec_push(me->mem, &names, name) < 0)
            rc = lw_err_nomem(err);
    }
    if (rc == 0 && names.n)
        rc = sqlite_relate(&me->base, kind, id, names.v, names.n, err);
    lw_vec_release(me->mem, &names);
    return rc;
}

static int put_all(struct sqlite_store *me, const struct lw_bug *bug, const lw_file_vec *files,
                   struct lw_buf *words, struct lw_err *err)
{
    sqlite3_int64 num = 0;
    int64_t facets;
    bool is_new = me->many.absent.n && lw_str_eq(lw_buf_str(&me->many.absent), bug->id);
    if ((!is_new && sqlite_number_of(me, bug->id, &num, err) < 0) ||
        facets_of(&me->facets, &me->sql, bug, &facets, words, err) < 0 ||
        (num && (index_text(me, true, num, err) < 0 || drop_parts(me, num, err) < 0)) ||
        put_row(me, num, bug, facets, lw_buf_str(words), err) < 0)
        return err->code;
    if (num == 0)
        num = sqlite3_last_insert_rowid(me->sql.db);
    if (index_bug(me, num, bug, lw_buf_str(words), err) < 0 ||
        put_environment(me, num, bug, err) < 0 || put_sides(me, num, bug, err) < 0 ||
        put_names(me, STORE_SIMILAR, bug->id, bug->similar, err) < 0 ||
        put_names(me, STORE_TOOL, bug->id, bug->tools, err) < 0)
        return err->code;
    return put_files(me, num, files, err);
}

int sqlite_put_bug(struct store *s, const struct lw_bug *bug, const lw_file_vec *files,
                   struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    struct lw_buf words;
    lw_buf_init(&words, me->mem, 0);
    int rc = put_all(me, bug, files, &words, err);
    lw_buf_release(&words);
    return rc < 0 ? rc : sqlite_many_stored(me, err);
}

/* ---- Older catalogues ---------------------------------------------------------------------
 */

static int renumber_one(struct sqlite_store *me, sqlite3_int64 num, const struct lw_bug *bug,
                        struct lw_buf *words, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    int64_t facets;
    lw_buf_clear(words);
    if (facets_of(&me->facets, &me->sql, bug, &facets, words, err) < 0 ||
        sql_prepare_lasting(&me->sql,
                            "UPDATE bug SET facets = ?, facet_words = ? WHERE num = ?", &stmt,
                            err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, facets);
    sql_bind_text(stmt, 2, lw_buf_str(words));
    sqlite3_bind_int64(stmt, 3, num);
    if (sql_done(&me->sql, stmt, err) < 0)
        return err->code;
    return index_text(me, false, num, err);
}

int sqlite_renumber(struct sqlite_store *me, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    struct lw_buf words;
    lw_buf_init(&words, me->mem, 0);
    int rc =
        sql_prepare_lasting(&me->sql,
                            "SELECT b.num, b.source, b.type, b.leaf, b.category, b.symptom, "
                            "b.property, b.framework, e.modules, e.framework_version, "
                            "e.python_version FROM bug b JOIN environment e ON e.bug = b.num",
                            &stmt, err);
    while (rc == 0 && (rc = sql_step(&me->sql, stmt, err)) > 0) {
        struct lw_bug bug = {
            .source = sql_text(stmt, 1),
            .type = sql_text(stmt, 2),
            .leaf = sql_text(stmt, 3),
            .category = sql_text(stmt, 4),
            .symptom = sql_text(stmt, 5),
            .property = sql_text(stmt, 6),
            .framework = sql_text(stmt, 7),
            .modules = sql_text(stmt, 8),
            .framework_version = sql_text(stmt, 9),
            .python_version = sql_text(stmt, 10),
        };
        rc = renumber_one(me, sqlite3_column_int64(stmt, 0), &bug, &words, err);
    }
    lw_buf_release(&words);
    return rc;
}

/* ---- The rest ------------------------------------------------------------------------------
 */

static int set_retracted(struct sqlite_store *me, sqlite3_int64 num, struct lw_str reason,
                         struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare_lasting(&me->sql, "UPDATE bug SET retracted = ? WHERE num = ?", &stmt,
                            err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, reason);
    sqlite3_bind_int64(stmt, 2, num);
    return sql_done(&me->sql, stmt, err);
}

int sqlite_retract(struct store *s, struct lw_str id, struct lw_str reason, struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    sqlite3_int64 num;
    if (sqlite_number_of(me, id, &num, err) < 0)
        return err->code;
    if (num == 0)
        return lw_err_set(err, LW_ENOENT, "there is no bug '%.*s' in the catalogue", LW_F(id));
    if (index_text(me, true, num, err) < 0 || set_retracted(me, num, reason, err) < 0)
        return err->code;
    return index_text(me, false, num, err);
}

int sqlite_files(struct store *s, struct lw_str id, store_file_fn each, void *data,
                 struct lw_err *err)
{
    sqlite3_stmt *stmt;
    int rc = sql_prepare_lasting(
        &sqlite_of(s)->sql,
        "SELECT path, content FROM file WHERE bug = (SELECT num FROM bug WHERE "
        "id = ?) ORDER BY path",
        &stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_text(stmt, 1, id);
    while (rc == 0 && (rc = sql_step(&sqlite_of(s)->sql, stmt, err)) > 0)
        rc = each(data, sql_text(stmt, 0), sql_text(stmt, 1), err);
    sqlite3_reset(stmt);
    return rc;
}

int sqlite_facet(struct store *s, const char *field, store_pair_fn each, void *data,
                 struct lw_err *err)
{
    const struct bug_field *f = bug_field_find(lw_str(field));
    LW_BUG_ON(!f);
    struct lw_buf text;
    sqlite3_stmt *stmt = NULL;
    lw_buf_init(&text, sqlite_of(s)->mem, 0);
    lw_buf_addf(&text,
                "SELECT %s.%s, count(*) AS n FROM bug b%s "
                "WHERE b.retracted = '' GROUP BY 1 ORDER BY n DESC, 1",
                f->table == BUG_IN_BUG ? "b" : "e", field,
                f->table == BUG_IN_BUG ? "" : " JOIN environment e ON e.bug = b.num");
    int rc = text.failed ? lw_err_nomem(err)
                         : sql_prepare(&sqlite_of(s)->sql, lw_buf_z(&text), &stmt, err);
    while (rc == 0 && (rc = sql_step(&sqlite_of(s)->sql, stmt, err)) > 0)
        rc = each(data, sql_text(stmt, 0), (uint64_t)sqlite3_column_int64(stmt, 1));
    if (stmt)
        sqlite3_reset(stmt);
    lw_buf_release(&text);
    return rc;
}
int sqlite_similar_ids(struct store *s, struct lw_str id, struct lw_arena *arena,
                       struct lw_str nearest[3], struct lw_err *err)
{
    size_t distance[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    size_t limit = id.n / 3 + 1;
    sqlite3_stmt *stmt;
    memset(nearest, 0, 3 * sizeof *nearest);
    int rc = sql_prepare_lasting(
        &sqlite_of(s)->sql, "SELECT id FROM bug WHERE retracted = '' ORDER BY id", &stmt, err);
    while (rc == 0 && (rc = sql_step(&sqlite_of(s)->sql, stmt, err)) > 0) {
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

/* ---- Facets --------------------------------------------------------------------------------
 */

struct tally {
    int64_t code;
    uint64_t count;
    struct lw_str name;
};

struct tallies {
    struct lw_arena arena;
    uint64_t *counts[STORE_FACETS]; /* by code */
};

/* One walk over the narrow index counts all fields. */
static int count_codes(struct sqlite_store *me, struct tallies *t, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    for (int f = 0; f < STORE_FACETS; f++) {
        t->counts[f] = lw_arena_array(&t->arena, (size_t)facet_mask((enum facet)f) + 1,
                                      sizeof **t->counts);
        if (!t->counts[f])
            return lw_err_nomem(err);
    }
    if (sql_prepare_lasting(&me->sql, "SELECT facets FROM bug WHERE retracted = ''", &stmt,
                            err) < 0)
        return err->code;
    int rc;
    while ((rc = sql_step(&me->sql, stmt, err)) > 0) {
        int64_t facets = sqlite3_column_int64(stmt, 0);
        for (int f = 0; f < STORE_FACETS; f++)
            t->counts[f][facets >> facet_shift((enum facet)f) & facet_mask((enum facet)f)]++;
    }
    return rc;
}

static int most_first(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return lw_str_cmp(x->name, y->name);
}

/* The names of one field's codes that bugs have. */
static int name_codes(struct sqlite_store *me, struct tallies *t, int f, struct tally *out,
                      size_t *n, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare_lasting(&me->sql,
                            "SELECT code, name FROM word WHERE kind = ? ORDER BY code", &stmt,
                            err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, lw_str(facet_names[f]));
    int rc;
    *n = 0;
    while ((rc = sql_step(&me->sql, stmt, err)) > 0) {
        int64_t code = sqlite3_column_int64(stmt, 0);
        if (t->counts[f][code] == 0)
            continue;
        out[*n] = (struct tally){code, t->counts[f][code],
                                 lw_arena_copy(&t->arena, sql_text(stmt, 1))};
        if (!out[(*n)++].name.p) {
            rc = lw_err_nomem(err);
            break;
        }
    }
    sqlite3_reset(stmt);
    uint64_t crowd = t->counts[f][facet_mask((enum facet)f)];
    if (rc == 0 && crowd)
        out[(*n)++] = (struct tally){facet_mask((enum facet)f), crowd, LW_S("(others)")};
    return rc;
}

static int report_facet(struct sqlite_store *me, struct tallies *t, int f, store_facet_fn each,
                        void *data, struct lw_err *err)
{
    size_t n = 0, room = (size_t)facet_mask((enum facet)f) + 1;
    struct tally *sorted = lw_arena_array(&t->arena, room, sizeof *sorted);
    if (!sorted)
        return lw_err_nomem(err);
    int rc = name_codes(me, t, f, sorted, &n, err);
    if (rc == 0 && n)
        qsort(sorted, n, sizeof *sorted, most_first);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = each(data, (size_t)f, sorted[i].name, sorted[i].count);
    return rc;
}

int sqlite_facets(struct store *s, store_facet_fn each, void *data, struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    struct tallies t = {0};
    lw_arena_init(&t.arena, me->mem, 0);
    int rc = count_codes(me, &t, err);
    for (int f = 0; rc == 0 && f < STORE_FACETS; f++)
        rc = report_facet(me, &t, f, each, data, err);
    lw_arena_release(&t.arena);
    return rc;
}
