/* Storing many bugs in one transaction: memory instead of time, and indices built at the end.
 */
#include "base/err.h"
#include "base/str.h"
#include "catalog/sqlite_internal.h"

enum {
    FEWEST = 1000, /* bugs for which indices are worth building anew … */
    SHARE = 8      /* … and at least one eighth of what is there already */
};

/* The text index's own settings: how it merges (FTS5's default is 4), and how many bytes of
 * words it gathers before it writes them out (as the schema says). */
static void set_text_index(struct lw_buf *sql, int automerge, int gathered)
{
    static const char form[] = "INSERT INTO bug_text(bug_text, rank) VALUES('%s', %d);\n";
    lw_buf_addf(sql, form, "automerge", automerge);
    lw_buf_addf(sql, form, "hashsize", gathered);
}

int sqlite_expect_many(struct store *s, bool many, struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    sqlite3_stmt *stmt;
    me->many.on = many;
    me->many.until_late = 0;
    lw_buf_clear(&me->many.absent);
    if (sql_run(&me->sql,
                many ? "PRAGMA cache_size = -52000; PRAGMA foreign_keys = OFF"
                     : "PRAGMA cache_size = -2000; PRAGMA foreign_keys = ON",
                err) < 0)
        return err->code;
    if (!many)
        return 0;
    if (sql_prepare(&me->sql, "SELECT count(*) FROM bug", &stmt, err) < 0)
        return err->code;
    int rc = sql_step(&me->sql, stmt, err);
    if (rc > 0)
        me->many.until_late = FEWEST + (uint64_t)sqlite3_column_int64(stmt, 0) / SHARE;
    sqlite3_reset(stmt);
    return rc < 0 ? rc : 0;
}

/* Writes down how to drop the indices of the bugs and how to make them again. Those that keep
 * ids unique have no text: they stay. */
static int read_indices(struct sqlite_store *me, struct lw_buf *drop, struct lw_buf *make,
                        struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(&me->sql,
                    "SELECT name, sql FROM sqlite_master "
                    "WHERE type = 'index' AND tbl_name = 'bug' AND sql IS NOT NULL",
                    &stmt, err) < 0)
        return err->code;
    int rc;
    while ((rc = sql_step(&me->sql, stmt, err)) > 0) {
        struct lw_str name = sql_text(stmt, 0), text = sql_text(stmt, 1);
        lw_buf_addf(drop, "DROP INDEX \"%.*s\";\n", LW_F(name));
        lw_buf_addf(make, "%.*s;\n", LW_F(text));
    }
    sqlite3_reset(stmt);
    return rc < 0 ? rc : drop->failed || make->failed ? lw_err_nomem(err) : 0;
}

/* Rows go into three B-trees in random order; sorting them once at the end is a third of the
 * work. The text index merges its parts again and again; without, they are few enough for
 * queries (at most 15 of a size), and later writes merge them little by little. A transaction
 * that fails takes all this back. */
int sqlite_many_stored(struct sqlite_store *me, struct lw_err *err)
{
    lw_buf_clear(&me->many.absent);
    if (me->many.until_late == 0 || --me->many.until_late > 0)
        return 0;
    struct lw_buf drop;
    lw_buf_init(&drop, me->mem, 0);
    lw_buf_clear(&me->many.make);
    set_text_index(&drop, 0, 14 << 20);
    set_text_index(&me->many.make, 4, 8 << 20);
    int rc = read_indices(me, &drop, &me->many.make, err);
    if (rc == 0)
        rc = sql_run(&me->sql, lw_buf_z(&drop), err);
    if (rc < 0)
        lw_buf_clear(&me->many.make);
    lw_buf_release(&drop);
    return rc;
}

int sqlite_many_finish(struct sqlite_store *me, struct lw_err *err)
{
    int rc = me->many.make.n ? sql_run(&me->sql, lw_buf_z(&me->many.make), err) : 0;
    lw_buf_clear(&me->many.make);
    return rc;
}
