/*
 * The SQLite store's own header: what sqlite_store.c and sqlite_look.c (opening), sqlite_bugs.c
 * (bugs), sqlite_many.c (imports) and sqlite_runs.c (what is known about bugs) share. Nobody
 * else includes it.
 */
#ifndef LW_CATALOG_SQLITE_INTERNAL_H
#define LW_CATALOG_SQLITE_INTERNAL_H

#include "base/buf.h"
#include "catalog/facets.h"
#include "catalog/sql.h"
#include "catalog/store.h"

enum {
    STORE_APPLICATION =
        0x4c574331,  /* application_id "LWC1", so that file(1) and we know our files */
    STORE_FORMAT = 2 /* user_version */
};

/* Refuses what is at `path` when it is foreign, newer or damaged, and changes nothing on the
 * way: not a byte, not a time, no file beside it. 0 also when there is nothing yet.
 * (sqlite_look.c) */
int sqlite_look(const char *path, struct lw_mem *mem, struct lw_err *err);

/* While many bugs are stored (sqlite_many.c). */
struct sqlite_many {
    bool on;
    uint64_t until_late;  /* bugs until the indices are dropped; 0: they stay */
    struct lw_buf make;   /* how to make them again before the commit */
    struct lw_buf absent; /* an id that was looked for in vain since the last bug was stored */
};

struct sqlite_store {
    struct store base;
    struct sql sql;
    struct facets facets;
    struct lw_mem *mem;
    const char *upsert[2]; /* statements over the field table, made on first use */
    const char *find;
    struct sqlite_many many;
};

static inline struct sqlite_store *sqlite_of(struct store *s)
{
    return (struct sqlite_store *)(void *)s;
}

/* The number of the bug with that id; 0 when there is none. */
int sqlite_number_of(struct sqlite_store *me, struct lw_str id, sqlite3_int64 *num,
                     struct lw_err *err);

/* As the store_ops of the same names. */
int sqlite_list(struct store *s, const struct lw_query *q, lw_bug_fn each, void *data,
                struct lw_err *err);
int sqlite_count(struct store *s, const struct lw_query *q, uint64_t *total,
                 struct lw_err *err);
int sqlite_find(struct store *s, struct lw_str id, struct lw_arena *arena, struct lw_bug *bug,
                struct lw_err *err);
int sqlite_put_bug(struct store *s, const struct lw_bug *bug, const lw_file_vec *files,
                   struct lw_err *err);
int sqlite_retract(struct store *s, struct lw_str id, struct lw_str reason, struct lw_err *err);
int sqlite_files(struct store *s, struct lw_str id, store_file_fn each, void *data,
                 struct lw_err *err);
int sqlite_facet(struct store *s, const char *field, store_pair_fn each, void *data,
                 struct lw_err *err);
int sqlite_facets(struct store *s, store_facet_fn each, void *data, struct lw_err *err);
int sqlite_similar_ids(struct store *s, struct lw_str id, struct lw_arena *arena,
                       struct lw_str nearest[3], struct lw_err *err);
int sqlite_put_verification(struct store *s, const struct store_verification *v,
                            struct lw_err *err);
int sqlite_verifications(struct store *s, struct lw_str id, uint64_t limit,
                         store_verification_fn each, void *data, struct lw_err *err);
int sqlite_evidence(struct store *s, store_pair_fn each, void *data, struct lw_err *err);
int sqlite_tools(struct store *s, struct lw_str id, store_pair_fn each, void *data,
                 struct lw_err *err);
int sqlite_similar(struct store *s, struct lw_str id, store_pair_fn each, void *data,
                   struct lw_err *err);
int sqlite_relate(struct store *s, enum store_relation kind, struct lw_str id,
                  const struct lw_str *names, size_t count, struct lw_err *err);
int sqlite_set_support(struct store *s, struct lw_str id, int64_t level, struct lw_err *err);
int sqlite_put_detection(struct store *s, const struct store_detection *d, struct lw_err *err);
int sqlite_detections(struct store *s, struct lw_str id, store_detection_fn each, void *data,
                      struct lw_err *err);
int sqlite_submit(struct store *s, const struct store_submission *sub, uint64_t *number,
                  struct lw_err *err);
int sqlite_submissions(struct store *s, uint64_t number, store_submission_fn each, void *data,
                       struct lw_err *err);
int sqlite_decide(struct store *s, uint64_t number, struct lw_str state, struct lw_str reason,
                  struct lw_err *err);

/* As the store_op; a bug was stored; the transaction is about to end. */
int sqlite_expect_many(struct store *s, bool many, struct lw_err *err);
int sqlite_many_stored(struct sqlite_store *me, struct lw_err *err);
int sqlite_many_finish(struct sqlite_store *me, struct lw_err *err);

/* Numbers all bugs anew and fills the text index: for a catalogue of an older format. */
int sqlite_renumber(struct sqlite_store *me, struct lw_err *err);

#endif
