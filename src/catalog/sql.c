#include "catalog/sql.h"

#include <errno.h>

#include "base/err.h"
#include "base/str.h"

enum { WAIT_STEP_MS = 10 };

static bool is_canceled(const struct sql *s)
{
    return s->cancel && atomic_load(s->cancel);
}

/* SQLite's own wait cannot be interrupted. */
static int wait_a_moment(void *data, int calls)
{
    const struct sql *s = data;
    if (is_canceled(s) || (unsigned)calls >= s->wait_seconds * 1000 / WAIT_STEP_MS)
        return 0;
    sqlite3_sleep(WAIT_STEP_MS);
    return 1;
}

void sql_wait_for_others(struct sql *s, unsigned seconds)
{
    s->wait_seconds = seconds;
    sqlite3_busy_handler(s->db, wait_a_moment, s);
}

static int disk_is_full(const struct sql *s, struct lw_err *err)
{
    return lw_err_set(err, LW_EIO,
                      "catalogue '%s' cannot grow: the disk is full; nothing was changed",
                      s->path);
}

int sql_error(struct sql *s, struct lw_err *err)
{
    switch (sqlite3_errcode(s->db)) {
    case SQLITE_NOMEM: return lw_err_nomem(err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        if (is_canceled(s))
            return lw_err_set(err, LW_ECANCEL, "interrupted");
        return lw_err_set(err, LW_EBUSY,
                          "catalogue '%s' is in use by another process; try again", s->path);
    case SQLITE_FULL: return disk_is_full(s, err);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return lw_err_set(err, LW_EIO,
                          "catalogue '%s' is read-only; use --catalog PATH for one of your own",
                          s->path);
    case SQLITE_CANTOPEN:
        if (lw_errno_is_lack(sqlite3_system_errno(s->db)))
            return lw_err_system(err, sqlite3_system_errno(s->db), "cannot open catalogue",
                                 lw_str(s->path));
        return lw_err_set(err, LW_EIO, "cannot open catalogue '%s': %s", s->path,
                          sqlite3_system_errno(s->db) ? "permission or path" : "no such file");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return lw_err_set(
            err, LW_ECORRUPT,
            "catalogue '%s' is damaged or not a catalogue; move it away to have a new "
            "one created",
            s->path);
    case SQLITE_IOERR:
        if (sqlite3_system_errno(s->db) == ENOSPC || sqlite3_system_errno(s->db) == EDQUOT ||
            sqlite3_extended_errcode(s->db) == SQLITE_IOERR_SHMSIZE)
            return disk_is_full(s, err);
        if (lw_errno_is_lack(sqlite3_system_errno(s->db)))
            return lw_err_system(err, sqlite3_system_errno(s->db),
                                 "cannot read or write catalogue", lw_str(s->path));
        return lw_err_set(err, LW_EIO, "catalogue '%s': reading or writing failed: %s", s->path,
                          sqlite3_errmsg(s->db));
    case SQLITE_ERROR: /* our statements are right for our tables, so the tables are not ours */
        return lw_err_set(
            err, LW_ECORRUPT,
            "catalogue '%s' is damaged (%s); move it away to have a new one created", s->path,
            sqlite3_errmsg(s->db));
    default:
        return lw_err_set(err, LW_EBUG, "catalogue '%s': %s", s->path, sqlite3_errmsg(s->db));
    }
}

int sql_run(struct sql *s, const char *text, struct lw_err *err)
{
    return sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK ? 0 : sql_error(s, err);
}

static int again(sqlite3_stmt *stmt)
{
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return 0;
}

int sql_prepare(struct sql *s, const char *text, sqlite3_stmt **stmt, struct lw_err *err)
{
    struct lw_map_entry *e = lw_map_find(&s->prepared, lw_str(text));
    if (e) {
        *stmt = (sqlite3_stmt *)(uintptr_t)e->value;
        return again(*stmt);
    }
    if (sqlite3_prepare_v3(s->db, text, -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL) != SQLITE_OK)
        return sql_error(s, err);
    struct lw_str key = lw_arena_copy(&s->arena, lw_str(text));
    e = key.p ? lw_map_put(&s->prepared, key, NULL) : NULL;
    if (!e) {
        sqlite3_finalize(*stmt);
        *stmt = NULL;
        return lw_err_nomem(err);
    }
    e->value = (uintptr_t)*stmt;
    return 0;
}

int sql_prepare_lasting(struct sql *s, const char *text, sqlite3_stmt **stmt,
                        struct lw_err *err)
{
    size_t at = ((uintptr_t)text >> 3) % SQL_LASTING;
    if (s->lasting[at].text == text) {
        *stmt = s->lasting[at].stmt;
        return again(*stmt);
    }
    if (sql_prepare(s, text, stmt, err) < 0)
        return err->code;
    s->lasting[at].text = text;
    s->lasting[at].stmt = *stmt;
    return 0;
}

void sql_bind_text(sqlite3_stmt *stmt, int at, struct lw_str text)
{
    sqlite3_bind_text64(stmt, at, text.p ? text.p : "", text.n, SQLITE_STATIC, SQLITE_UTF8);
}

void sql_bind_blob(sqlite3_stmt *stmt, int at, struct lw_str bytes)
{
    sqlite3_bind_blob64(stmt, at, bytes.p ? bytes.p : "", bytes.n, SQLITE_STATIC);
}

int sql_step(struct sql *s, sqlite3_stmt *stmt, struct lw_err *err)
{
    switch (sqlite3_step(stmt)) {
    case SQLITE_ROW: return 1;
    case SQLITE_DONE: sqlite3_reset(stmt); return 0;
    default: {
        int rc = sql_error(s, err);
        sqlite3_reset(stmt);
        return rc;
    }
    }
}

int sql_done(struct sql *s, sqlite3_stmt *stmt, struct lw_err *err)
{
    int rc = sql_step(s, stmt, err);
    sqlite3_reset(stmt);
    return rc < 0 ? rc : 0;
}

struct lw_str sql_text(sqlite3_stmt *stmt, int column)
{
    const char *p = (const char *)sqlite3_column_blob(stmt, column);
    return lw_str_n(p ? p : "", (size_t)sqlite3_column_bytes(stmt, column));
}

void sql_release(struct sql *s)
{
    for (size_t i = 0; i < s->prepared.n; i++)
        sqlite3_finalize((sqlite3_stmt *)(uintptr_t)s->prepared.entries[i].value);
    lw_map_release(&s->prepared);
    lw_arena_release(&s->arena);
    sqlite3_close(s->db);
}
