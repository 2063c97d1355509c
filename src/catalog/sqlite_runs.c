/* What is known about the bugs in SQLite: verdicts, tools, neighbours, submissions. */
#include <inttypes.h>

#include "base/err.h"
#include "base/str.h"
#include "catalog/sqlite_internal.h"

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

int sqlite_put_verification(struct store *s, const struct store_verification *v,
                            struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    sqlite3_int64 bug;
    sqlite3_stmt *stmt;
    if (sqlite_number_of(me, v->bug_id, &bug, err) < 0 ||
        sql_prepare(&me->sql,
                    "INSERT INTO verification(bug, backend, isolation, verdict, reason, at, "
                    "times, agreed) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                    &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, bug);
    sql_bind_text(stmt, 2, v->backend);
    sql_bind_text(stmt, 3, v->isolation);
    sql_bind_text(stmt, 4, v->verdict);
    sql_bind_text(stmt, 5, v->reason);
    sqlite3_bind_int64(stmt, 6, v->at);
    sqlite3_bind_int64(stmt, 7, (sqlite3_int64)v->times);
    sqlite3_bind_int64(stmt, 8, (sqlite3_int64)v->agreed);
    if (sql_done(&me->sql, stmt, err) < 0)
        return err->code;
    sqlite3_int64 num = sqlite3_last_insert_rowid(me->sql.db);
    for (size_t i = 0; i < v->run_count; i++)
        if (put_run(me, bug, num, v->at, &v->runs[i], err) < 0)
            return err->code;
    return 0;
}

/* The two runs of a verdict; texts borrowed until the next one is read. */
static int read_runs(struct sqlite_store *me, sqlite3_int64 verification, sqlite3_stmt **stmt,
                     struct store_run runs[2], size_t *count, struct lw_arena *arena,
                     struct lw_err *err)
{
    int rc;
    *count = 0;
    if (sql_prepare(&me->sql,
                    "SELECT side, ended, exit, signal, seconds, cpu_seconds, peak_bytes, "
                    "isolation, failure FROM run WHERE verification = ? ORDER BY side LIMIT 2",
                    stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(*stmt, 1, verification);
    while ((rc = sql_step(&me->sql, *stmt, err)) > 0) {
        runs[(*count)++] = (struct store_run){
            .side = sqlite3_column_int(*stmt, 0) ? LW_FIXED : LW_BUGGY,
            .ended = lw_arena_copy(arena, sql_text(*stmt, 1)),
            .exit = sqlite3_column_int(*stmt, 2),
            .signal = sqlite3_column_int(*stmt, 3),
            .seconds = sqlite3_column_double(*stmt, 4),
            .cpu_seconds = sqlite3_column_double(*stmt, 5),
            .peak_bytes = (uint64_t)sqlite3_column_int64(*stmt, 6),
            .isolation = lw_arena_copy(arena, sql_text(*stmt, 7)),
            .failure = lw_arena_copy(arena, sql_text(*stmt, 8)),
        };
        const struct store_run *run = &runs[*count - 1];
        if (!run->ended.p || !run->isolation.p || !run->failure.p) {
            rc = lw_err_nomem(err);
            break;
        }
    }
    sqlite3_reset(*stmt);
    return rc;
}

int sqlite_verifications(struct store *s, struct lw_str id, uint64_t limit,
                         store_verification_fn each, void *data, struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    struct lw_arena arena;
    sqlite3_stmt *stmt, *inner;
    int rc = sql_prepare(&me->sql,
                         "SELECT backend, isolation, verdict, reason, at, times, agreed, num "
                         "FROM verification WHERE bug = (SELECT num FROM bug WHERE id = ?) "
                         "ORDER BY num DESC LIMIT ?",
                         &stmt, err);
    if (rc < 0)
        return rc;
    lw_arena_init(&arena, me->mem, 0);
    sql_bind_text(stmt, 1, id);
    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)limit);
    while (rc == 0 && (rc = sql_step(&me->sql, stmt, err)) > 0) {
        struct store_run runs[2];
        struct store_verification v = {
            .bug_id = id,
            .backend = sql_text(stmt, 0),
            .isolation = sql_text(stmt, 1),
            .verdict = sql_text(stmt, 2),
            .reason = sql_text(stmt, 3),
            .at = sqlite3_column_int64(stmt, 4),
            .times = (uint64_t)sqlite3_column_int64(stmt, 5),
            .agreed = (uint64_t)sqlite3_column_int64(stmt, 6),
            .runs = runs,
        };
        lw_arena_clear(&arena);
        rc = read_runs(me, sqlite3_column_int64(stmt, 7), &inner, runs, &v.run_count, &arena,
                       err);
        if (rc == 0)
            rc = each(data, &v);
    }
    sqlite3_reset(stmt);
    lw_arena_release(&arena);
    return rc;
}

int sqlite_evidence(struct store *s, store_pair_fn each, void *data, struct lw_err *err)
{
    static const char *const questions[] = {
        /* The latest verdict counts. */
        "SELECT verdict, count(*) FROM verification v JOIN bug b ON b.num = v.bug "
        "WHERE b.retracted = '' AND v.num = (SELECT max(num) FROM verification w "
        "WHERE w.bug = v.bug) GROUP BY 1 ORDER BY 1",
        /* A difference: looking for the verdicts of each bug takes ten times as long. */
        "SELECT 'never run', (SELECT count(*) FROM bug WHERE retracted = '') - "
        "(SELECT count(*) FROM (SELECT DISTINCT bug FROM verification) JOIN bug ON num = bug "
        "WHERE retracted = '')",
        "SELECT 'all runs', coalesce(sum(times), 0) FROM verification WHERE verdict != "
        "'unavailable'",
        "SELECT 'runs as stated', coalesce(sum(agreed), 0) FROM verification WHERE verdict != "
        "'unavailable'",
    };
    struct sqlite_store *me = sqlite_of(s);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        sqlite3_stmt *stmt;
        int rc = sql_prepare(&me->sql, questions[i], &stmt, err);
        while (rc == 0 && (rc = sql_step(&me->sql, stmt, err)) > 0)
            rc = each(data, sql_text(stmt, 0), (uint64_t)sqlite3_column_int64(stmt, 1));
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int related(struct store *s, const char *text, struct lw_str id, store_pair_fn each,
                   void *data, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    int rc = sql_prepare(&sqlite_of(s)->sql, text, &stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_text(stmt, 1, id);
    while (rc == 0 && (rc = sql_step(&sqlite_of(s)->sql, stmt, err)) > 0)
        rc = each(data, sql_text(stmt, 0), 1);
    sqlite3_reset(stmt);
    return rc;
}

int sqlite_tools(struct store *s, struct lw_str id, store_pair_fn each, void *data,
                 struct lw_err *err)
{
    return related(s,
                   "SELECT tool FROM bug_tool WHERE bug = (SELECT num FROM bug WHERE id = ?) "
                   "ORDER BY tool",
                   id, each, data, err);
}

int sqlite_similar(struct store *s, struct lw_str id, store_pair_fn each, void *data,
                   struct lw_err *err)
{
    return related(
        s,
        "SELECT other_id FROM similar WHERE bug = (SELECT num FROM bug WHERE id = ?) "
        "ORDER BY other_id",
        id, each, data, err);
}

int sqlite_relate(struct store *s, enum store_relation kind, struct lw_str id,
                  const struct lw_str *names, size_t count, struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    sqlite3_int64 num;
    sqlite3_stmt *stmt;
    bool similar = kind == STORE_SIMILAR;
    if (sqlite_number_of(me, id, &num, err) < 0 ||
        sql_prepare(&me->sql,
                    similar ? "DELETE FROM similar WHERE bug = ?"
                            : "DELETE FROM bug_tool WHERE bug = ?",
                    &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, num);
    if (sql_done(&me->sql, stmt, err) < 0)
        return err->code;
    for (size_t i = 0; i < count; i++) {
        if (sql_prepare(&me->sql,
                        similar ? "INSERT OR IGNORE INTO similar(bug, other_id) VALUES(?, ?)"
                                : "INSERT OR IGNORE INTO bug_tool(bug, tool) VALUES(?, ?)",
                        &stmt, err) < 0)
            return err->code;
        sqlite3_bind_int64(stmt, 1, num);
        sql_bind_text(stmt, 2, names[i]);
        if (sql_done(&me->sql, stmt, err) < 0)
            return err->code;
    }
    return 0;
}

int sqlite_set_support(struct store *s, struct lw_str id, int64_t level, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(&sqlite_of(s)->sql, "UPDATE bug SET support_level = ? WHERE id = ?", &stmt,
                    err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, level);
    sql_bind_text(stmt, 2, id);
    return sql_done(&sqlite_of(s)->sql, stmt, err);
}

/* ---- Detections ----------------------------------------------------------------------------
 */

static int put_finding(struct sqlite_store *me, sqlite3_int64 bug, sqlite3_int64 detection,
                       const struct store_detection *d, const struct lw_finding *f,
                       struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(
            &me->sql,
            "INSERT INTO finding(bug, side, tool, path, line, rule, category, severity, "
            "confidence, message, at, detection) "
            "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, bug);
    sqlite3_bind_int(stmt, 2, (int)d->side);
    sql_bind_text(stmt, 3, d->tool);
    sql_bind_text(stmt, 4, f->path);
    sqlite3_bind_int64(stmt, 5, f->line);
    sql_bind_text(stmt, 6, f->rule);
    sql_bind_text(stmt, 7, f->category);
    sql_bind_text(stmt, 8, lw_str(lw_severity_name(f->severity)));
    sqlite3_bind_double(stmt, 9, f->confidence);
    sql_bind_text(stmt, 10, f->message);
    sqlite3_bind_int64(stmt, 11, d->at);
    sqlite3_bind_int64(stmt, 12, detection);
    return sql_done(&me->sql, stmt, err);
}

int sqlite_put_detection(struct store *s, const struct store_detection *d, struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    sqlite3_int64 bug;
    sqlite3_stmt *stmt;
    if (sqlite_number_of(me, d->bug_id, &bug, err) < 0 ||
        sql_prepare(&me->sql,
                    "INSERT INTO detection(bug, side, tool, findings, seconds, at) "
                    "VALUES(?, ?, ?, ?, ?, ?)",
                    &stmt, err) < 0)
        return err->code;
    sqlite3_bind_int64(stmt, 1, bug);
    sqlite3_bind_int(stmt, 2, (int)d->side);
    sql_bind_text(stmt, 3, d->tool);
    sqlite3_bind_int64(stmt, 4, (sqlite3_int64)d->finding_count);
    sqlite3_bind_double(stmt, 5, d->seconds);
    sqlite3_bind_int64(stmt, 6, d->at);
    if (sql_done(&me->sql, stmt, err) < 0)
        return err->code;
    sqlite3_int64 num = sqlite3_last_insert_rowid(me->sql.db);
    for (size_t i = 0; i < d->finding_count; i++)
        if (put_finding(me, bug, num, d, &d->findings[i], err) < 0)
            return err->code;
    return 0;
}

int sqlite_detections(struct store *s, struct lw_str id, store_detection_fn each, void *data,
                      struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    sqlite3_stmt *stmt;
    int rc = sql_prepare(&me->sql,
                         "SELECT tool, side, findings, seconds, at FROM detection WHERE num IN "
                         "(SELECT max(num) FROM detection WHERE bug = "
                         "(SELECT num FROM bug WHERE id = ?) GROUP BY tool, side) "
                         "ORDER BY tool, side",
                         &stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_text(stmt, 1, id);
    while (rc == 0 && (rc = sql_step(&me->sql, stmt, err)) > 0) {
        struct store_detection d = {
            .bug_id = id,
            .tool = sql_text(stmt, 0),
            .side = sqlite3_column_int(stmt, 1) ? LW_FIXED : LW_BUGGY,
            .finding_count = (size_t)sqlite3_column_int64(stmt, 2),
            .seconds = sqlite3_column_double(stmt, 3),
            .at = sqlite3_column_int64(stmt, 4),
        };
        rc = each(data, &d);
    }
    sqlite3_reset(stmt);
    return rc;
}

/* ---- Submissions ---------------------------------------------------------------------------
 */

int sqlite_submit(struct store *s, const struct store_submission *sub, uint64_t *number,
                  struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    sqlite3_stmt *stmt;
    if (sql_prepare(&me->sql,
                    "INSERT INTO submission(bug_id, state, reason, archive, at) "
                    "VALUES(?, ?, ?, ?, ?)",
                    &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, sub->bug_id);
    sql_bind_text(stmt, 2, sub->state);
    sql_bind_text(stmt, 3, sub->reason);
    sql_bind_blob(stmt, 4, sub->archive);
    sqlite3_bind_int64(stmt, 5, sub->at);
    if (sql_done(&me->sql, stmt, err) < 0)
        return err->code;
    *number = (uint64_t)sqlite3_last_insert_rowid(me->sql.db);
    return 0;
}

int sqlite_submissions(struct store *s, uint64_t number, store_submission_fn each, void *data,
                       struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    sqlite3_stmt *stmt;
    uint64_t seen = 0;
    int rc = sql_prepare(&me->sql,
                         number ? "SELECT num, bug_id, state, reason, at, archive "
                                  "FROM submission WHERE num = ?"
                                : "SELECT num, bug_id, state, reason, at, x'' "
                                  "FROM submission ORDER BY num",
                         &stmt, err);
    if (rc < 0)
        return rc;
    if (number)
        sqlite3_bind_int64(stmt, 1, (sqlite3_int64)number);
    while (rc == 0 && (rc = sql_step(&me->sql, stmt, err)) > 0) {
        struct store_submission sub = {
            .number = (uint64_t)sqlite3_column_int64(stmt, 0),
            .bug_id = sql_text(stmt, 1),
            .state = sql_text(stmt, 2),
            .reason = sql_text(stmt, 3),
            .at = sqlite3_column_int64(stmt, 4),
            .archive = sql_text(stmt, 5),
        };
        seen++;
        rc = each(data, &sub);
    }
    sqlite3_reset(stmt);
    if (rc == 0 && number && !seen)
        return lw_err_set(
            err, LW_ENOENT,
            "there is no submission %" PRIu64 "; 'lacewing bugs review' shows all", number);
    return rc;
}

int sqlite_decide(struct store *s, uint64_t number, struct lw_str state, struct lw_str reason,
                  struct lw_err *err)
{
    struct sqlite_store *me = sqlite_of(s);
    sqlite3_stmt *stmt;
    /* What was decided needs its archive no longer: an accepted bug has its files. */
    if (sql_prepare(&me->sql,
                    "UPDATE submission SET state = ?, reason = ?, archive = NULL "
                    "WHERE num = ? AND state = 'waiting'",
                    &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, state);
    sql_bind_text(stmt, 2, reason);
    sqlite3_bind_int64(stmt, 3, (sqlite3_int64)number);
    if (sql_done(&me->sql, stmt, err) < 0)
        return err->code;
    if (sqlite3_changes(me->sql.db) == 0)
        return lw_err_set(err, LW_EINVAL, "submission %" PRIu64 " is already decided", number);
    return 0;
}
