#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "catalog/sqlite_internal.h"
#include "knowledge/embedded.h"

enum { WAIT_SECONDS = 20 /* for other writers */ };

static void close_store(struct store *s)
{
    struct sqlite_store *me = sqlite_of(s);
    sql_release(&me->sql);
    facets_release(&me->facets);
    lw_buf_release(&me->many.make);
    lw_buf_release(&me->many.absent);
    lw_mem_free(me->mem, me, sizeof *me);
}

static int begin(struct store *s, struct lw_err *err)
{
    return sql_run(&sqlite_of(s)->sql, "BEGIN IMMEDIATE", err);
}

static void rollback(struct store *s)
{
    sqlite3_exec(sqlite_of(s)->sql.db, "ROLLBACK", NULL, NULL, NULL);
    lw_buf_clear(&sqlite_of(s)->many.make);
    lw_buf_clear(&sqlite_of(s)->many.absent);
    facets_forget(&sqlite_of(s)->facets); /* codes given since then are gone */
}

static int commit(struct store *s, struct lw_err *err)
{
    int rc = sqlite_many_finish(sqlite_of(s), err);
    if (rc == 0)
        rc = sql_run(&sqlite_of(s)->sql, "COMMIT", err);
    if (rc < 0)
        rollback(s);
    return rc;
}

static int get_meta(struct store *s, const char *key, struct lw_arena *arena,
                    struct lw_str *value, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(&sqlite_of(s)->sql, "SELECT value FROM meta WHERE key = ?", &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, lw_str(key));
    int rc = sql_step(&sqlite_of(s)->sql, stmt, err);
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
    if (sql_prepare(&sqlite_of(s)->sql, "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)",
                    &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, lw_str(key));
    sql_bind_text(stmt, 2, value);
    return sql_done(&sqlite_of(s)->sql, stmt, err);
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
        "SELECT 'detection ' || num || ' lacks findings' FROM detection d WHERE findings != "
        "(SELECT count(*) FROM finding f WHERE f.detection = d.num)",
    };
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        sqlite3_stmt *stmt;
        int rc = sql_prepare(&sqlite_of(s)->sql, looks[i], &stmt, err);
        while (rc == 0 && (rc = sql_step(&sqlite_of(s)->sql, stmt, err)) > 0) {
            struct lw_str line = sql_text(stmt, 0);
            rc = lw_str_eq(line, LW_S("ok")) ? 0 : each(data, line, 1);
        }
        if (rc < 0)
            return rc;
        sqlite3_reset(stmt);
    }
    return 0;
}

const char *const store_facet_names[STORE_FACETS] = {
    "source", "type", "leaf", "category", "symptom", "property", "framework", "environment"};

static const struct store_ops ops = {
    .close = close_store,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .get_meta = get_meta,
    .put_meta = put_meta,
    .expect_many = sqlite_expect_many,
    .check = check,
    .list = sqlite_list,
    .count = sqlite_count,
    .find = sqlite_find,
    .put_bug = sqlite_put_bug,
    .retract = sqlite_retract,
    .files = sqlite_files,
    .facets = sqlite_facets,
    .facet = sqlite_facet,
    .put_verification = sqlite_put_verification,
    .verifications = sqlite_verifications,
    .evidence = sqlite_evidence,
    .tools = sqlite_tools,
    .similar = sqlite_similar,
    .relate = sqlite_relate,
    .set_support = sqlite_set_support,
    .put_detection = sqlite_put_detection,
    .detections = sqlite_detections,
    .submit = sqlite_submit,
    .submissions = sqlite_submissions,
    .decide = sqlite_decide,
    .similar_ids = sqlite_similar_ids,
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
static int migrate(struct sqlite_store *me, struct lw_err *err)
{
    struct sql *s = &me->sql;
    int64_t version = 0;
    char text[96];
    if (sql_run(s, "BEGIN IMMEDIATE", err) < 0)
        return err->code;
    int rc = pragma_number(s, "PRAGMA user_version", &version, err);
    for (int64_t next = version + 1; rc == 0 && next <= STORE_FORMAT; next++) {
        char path[40];
        struct lw_str schema;
        snprintf(path, sizeof path, "data/schema/%03d.sql", (int)next);
        LW_BUG_ON(!lw_embedded_find(lw_str(path), &schema));
        rc = sql_run(s, schema.p, err);
    }
    if (rc == 0 && version > 0 && version < STORE_FORMAT)
        rc = sqlite_renumber(me, err);
    snprintf(text, sizeof text, "PRAGMA user_version = %d; PRAGMA application_id = %d",
             STORE_FORMAT, STORE_APPLICATION);
    if (rc == 0)
        rc = sql_run(s, text, err);
    if (rc == 0)
        rc = sql_run(s, "COMMIT", err);
    if (rc < 0)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

/* Does the catalogue, which was looked at before, need to be made or brought up to date? Other
 * processes may have made it since, or changed it: LW_ECORRUPT when it is not ours now. */
static int check_file(struct sql *s, bool *outdated, struct lw_err *err)
{
    int64_t application = 0, version = 0, tables = 0;
    int rc = sql_run(s, "BEGIN", err); /* at one moment */
    if (rc == 0)
        rc = pragma_number(s, "SELECT count(*) FROM sqlite_master", &tables, err);
    if (rc == 0)
        rc = pragma_number(s, "PRAGMA application_id", &application, err);
    if (rc == 0)
        rc = pragma_number(s, "PRAGMA user_version", &version, err);
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    if (rc < 0)
        return rc;
    bool is_new = tables == 0 && application == 0 && version == 0;
    if (!is_new && (application != STORE_APPLICATION || version < 1 || version > STORE_FORMAT))
        return lw_err_set(err, LW_ECORRUPT,
                          "catalogue '%s' was changed by another program just now; try again",
                          s->path);
    *outdated = version < STORE_FORMAT;
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
    /* Nobody asks SQLite how much memory it holds, and counting takes a lock for each piece of
     * it: 6 % of an import. Refused, which does not matter, once SQLite is in use. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (rc == 0 && sqlite3_open_v2(read_only ? lw_buf_z(&uri) : s->path, &s->db,
                                   flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        rc = s->db ? sql_error(s, err) : LW_ENOMEM;
    lw_buf_release(&uri);
    return rc == LW_ENOMEM ? lw_err_nomem(err) : rc;
}

/* While another process makes the same change SQLite says busy at once, without a wait. */
static int use_log(struct sql *s, struct lw_err *err)
{
    enum { STEP_MS = 10 };
    int rc = LW_EBUSY;
    for (int i = 0; rc == LW_EBUSY && i < WAIT_SECONDS * 1000 / STEP_MS; i++) {
        if (i > 0)
            sqlite3_sleep(STEP_MS);
        rc = sql_run(s, "PRAGMA journal_mode = WAL", err);
    }
    return rc;
}

static int set_up(struct sqlite_store *me, bool read_only, struct lw_err *err)
{
    struct sql *s = &me->sql;
    bool outdated = false;
    sql_wait_for_others(s, WAIT_SECONDS);
    /* A temporary file would lie in TMPDIR for ever if we are killed before it is unlinked. */
    if (sql_run(s, "PRAGMA temp_store = MEMORY", err) < 0 || check_file(s, &outdated, err) < 0)
        return err->code;
    if (read_only && outdated)
        return lw_err_set(
            err, LW_EIO,
            "catalogue '%s' is of an older format and read-only; use --catalog PATH", s->path);
    if (read_only)
        return 0;
    /* Larger pages make a new catalogue a sixth faster to fill; what there is keeps its own. */
    if (sql_run(s, "PRAGMA page_size = 16384", err) < 0 || use_log(s, err) < 0 ||
        sql_run(s,
                "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; "
                "PRAGMA trusted_schema = OFF",
                err) < 0)
        return err->code;
    return outdated ? migrate(me, err) : 0;
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
    facets_init(&me->facets, ctx->mem);
    lw_buf_init(&me->many.make, ctx->mem, 0);
    lw_buf_init(&me->many.absent, ctx->mem, 0);
    bool read_only = is_read_only(path);
    int rc = sqlite_look(path, ctx->mem, err);
    if (rc == 0)
        rc = open_file(&me->sql, ctx->mem, read_only, err);
    if (rc == 0)
        rc = set_up(me, read_only, err);
    if (rc < 0) {
        close_store(&me->base);
        return rc;
    }
    *s = &me->base;
    return 0;
}
