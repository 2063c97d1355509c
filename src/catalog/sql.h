/*
 * sql - the few SQLite calls we need, with our errors, and statements prepared once.
 */
#ifndef LW_CATALOG_SQL_H
#define LW_CATALOG_SQL_H

#include <sqlite3.h>
#include <stdatomic.h>

#include "base/map.h"
#include "base/arena.h"
#include "lacewing.h"

enum { SQL_LASTING = 32 };

struct sql {
    sqlite3 *db;
    const char *path;          /* borrowed, for messages */
    const atomic_bool *cancel; /* ends a wait for another writer; may be NULL */
    struct lw_arena arena;     /* holds the texts of prepared statements */
    struct lw_map prepared;    /* text -> sqlite3_stmt * */
    struct {
        const char *text;
        sqlite3_stmt *stmt;
    } lasting[SQL_LASTING]; /* some of `prepared`, by the address of their texts */
    unsigned wait_seconds;
};

/* Makes statements wait for other writers, up to `seconds` or until canceled. */
void sql_wait_for_others(struct sql *s, unsigned seconds);

/* Translates the last failure of the database. */
int sql_error(struct sql *s, struct lw_err *err);

/* Runs statements without parameters or results. */
int sql_run(struct sql *s, const char *text, struct lw_err *err);

/* A prepared statement, reset and unbound, kept for the next time. */
int sql_prepare(struct sql *s, const char *text, sqlite3_stmt **stmt, struct lw_err *err);

/* The same for a text that lasts as long as `s` and does not change, such as a literal: found
 * by its address. */
int sql_prepare_lasting(struct sql *s, const char *text, sqlite3_stmt **stmt,
                        struct lw_err *err);

void sql_bind_text(sqlite3_stmt *stmt, int at, struct lw_str text);
void sql_bind_blob(sqlite3_stmt *stmt, int at, struct lw_str bytes);

/* 1 with a row, 0 at the end, or negative. */
int sql_step(struct sql *s, sqlite3_stmt *stmt, struct lw_err *err);
/* For statements without rows: steps, resets. */
int sql_done(struct sql *s, sqlite3_stmt *stmt, struct lw_err *err);

/* Text of a column, borrowed until the next step. */
struct lw_str sql_text(sqlite3_stmt *stmt, int column);

void sql_release(struct sql *s);

#endif
