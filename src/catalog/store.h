/*
 * store - where bugs, files, runs and verdicts are kept.
 *
 * One table of operations; SQLite implements it (sqlite_store.c), another database can. All
 * functions return 0 or a negative code with one line in `err`. A store belongs to one thread.
 * Writes happen inside `begin` … `commit`; a process that dies in between leaves nothing.
 */
#ifndef LW_CATALOG_STORE_H
#define LW_CATALOG_STORE_H

#include "base/arena.h"
#include "base/ctx.h"
#include "base/finding.h"
#include "catalog/specimen.h"
#include "lacewing.h"

/* What one run left behind, and the verdict over two of them. */
struct store_run {
    enum lw_side side;
    struct lw_str ended; /* "exited", "time-limit", … */
    int exit, signal;
    double seconds, cpu_seconds;
    uint64_t peak_bytes;
    struct lw_str isolation, failure;
};

struct store_verification {
    struct lw_str bug_id, backend, isolation, verdict, reason;
    int64_t at;
    uint64_t times, agreed; /* how often both sides were run, and behaved as stated */
    const struct store_run *runs;
    size_t run_count;
};

/* A tool was run on one side of a bug. */
struct store_detection {
    struct lw_str bug_id, tool;
    enum lw_side side;
    double seconds;
    int64_t at;
    const struct lw_finding *findings;
    size_t finding_count;
};

/* A bug that waits for a decision, or the decision. */
struct store_submission {
    uint64_t number;
    struct lw_str bug_id, state, reason; /* "waiting", "accepted", "rejected" */
    struct lw_str archive;               /* a .tar.zst; empty in listings */
    int64_t at;
};

enum store_relation { STORE_SIMILAR, STORE_TOOL };

typedef int (*store_file_fn)(void *data, struct lw_str path, struct lw_str content,
                             struct lw_err *err);
typedef int (*store_pair_fn)(void *data, struct lw_str value, uint64_t count);
typedef int (*store_verification_fn)(void *data, const struct store_verification *v);
typedef int (*store_detection_fn)(void *data, const struct store_detection *d);
typedef int (*store_submission_fn)(void *data, const struct store_submission *s);
/* `facet` counts from 0 in the order of store_facet_names. */
typedef int (*store_facet_fn)(void *data, size_t facet, struct lw_str value, uint64_t count);

struct store;

struct store_ops {
    void (*close)(struct store *s);
    int (*begin)(struct store *s, struct lw_err *err);
    int (*commit)(struct store *s, struct lw_err *err);
    void (*rollback)(struct store *s);
    /* Empty text when the key is absent; in `arena`. */
    int (*get_meta)(struct store *s, const char *key, struct lw_arena *arena,
                    struct lw_str *value, struct lw_err *err);
    int (*put_meta)(struct store *s, const char *key, struct lw_str value, struct lw_err *err);
    int (*list)(struct store *s, const struct lw_query *q, lw_bug_fn each, void *data,
                struct lw_err *err);
    int (*count)(struct store *s, const struct lw_query *q, uint64_t *count,
                 struct lw_err *err);
    /* LW_ENOENT when there is none. Texts in `arena`. */
    int (*find)(struct store *s, struct lw_str id, struct lw_arena *arena, struct lw_bug *bug,
                struct lw_err *err);
    /* Adds the bug, or replaces the one with its id and its files; its runs are kept. */
    int (*put_bug)(struct store *s, const struct lw_bug *bug, const lw_file_vec *files,
                   struct lw_err *err);
    int (*retract)(struct store *s, struct lw_str id, struct lw_str reason, struct lw_err *err);
    /* Files in byte order of their paths, borrowed during the call of `each`. */
    int (*files)(struct store *s, struct lw_str id, store_file_fn each, void *data,
                 struct lw_err *err);
    /* All values of the fields that can be filtered by, with the number of living bugs of each:
     * field by field, most first. One walk over a narrow index. */
    int (*facets)(struct store *s, store_facet_fn each, void *data, struct lw_err *err);
    /* The values of any listed field with the number of living bugs of each, most first. */
    int (*facet)(struct store *s, const char *field, store_pair_fn each, void *data,
                 struct lw_err *err);
    int (*put_verification)(struct store *s, const struct store_verification *v,
                            struct lw_err *err);
    /* The latest verdicts of a bug, newest first, each with its runs. */
    int (*verifications)(struct store *s, struct lw_str id, uint64_t limit,
                         store_verification_fn each, void *data, struct lw_err *err);
    /* The tools known to find a bug, or the ids of similar bugs, in byte order. */
    int (*tools)(struct store *s, struct lw_str id, store_pair_fn each, void *data,
                 struct lw_err *err);
    int (*similar)(struct store *s, struct lw_str id, store_pair_fn each, void *data,
                   struct lw_err *err);
    /* The latest verdict of each living bug, counted: "reproduced", …; "runs", "as stated". */
    int (*evidence)(struct store *s, store_pair_fn each, void *data, struct lw_err *err);
    /* Replaces the similar bugs, or the tools, of a bug. */
    int (*relate)(struct store *s, enum store_relation kind, struct lw_str id,
                  const struct lw_str *names, size_t count, struct lw_err *err);
    int (*set_support)(struct store *s, struct lw_str id, int64_t level, struct lw_err *err);
    int (*put_detection)(struct store *s, const struct store_detection *d, struct lw_err *err);
    /* The latest detection of each tool and side, by tool. */
    int (*detections)(struct store *s, struct lw_str id, store_detection_fn each, void *data,
                      struct lw_err *err);
    /* Puts a submission (its number and time of no interest) at the end of the queue. */
    int (*submit)(struct store *s, const struct store_submission *sub, uint64_t *number,
                  struct lw_err *err);
    /* The submission of that number with its archive (LW_ENOENT), or with 0 all, without. */
    int (*submissions)(struct store *s, uint64_t number, store_submission_fn each, void *data,
                       struct lw_err *err);
    /* Decides about a waiting one; LW_EINVAL when it was decided before. */
    int (*decide)(struct store *s, uint64_t number, struct lw_str state, struct lw_str reason,
                  struct lw_err *err);
    /* Many new bugs will be put: takes memory (60 MB) instead of time, and the caller's word
     * that nothing points nowhere. Outside a transaction; `many` false ends it. */
    int (*expect_many)(struct store *s, bool many, struct lw_err *err);
    /* Looks at the whole store; each trouble is one line (borrowed during the call). */
    int (*check)(struct store *s, store_pair_fn each, void *data, struct lw_err *err);
    /* The ids nearest to a mistyped one, at most 3. */
    int (*similar_ids)(struct store *s, struct lw_str id, struct lw_arena *arena,
                       struct lw_str nearest[3], struct lw_err *err);
};

struct store {
    const struct store_ops *ops;
};

/* The last one is "environment": modules, framework, its version and Python's, one a line. */
enum { STORE_FACETS = 8 };
extern const char *const store_facet_names[STORE_FACETS];

/* Opens or creates the SQLite file. A newer, foreign or damaged file is refused unchanged. */
int sqlite_store_open(struct store **s, const struct lw_ctx *ctx, const char *path,
                      struct lw_err *err);

#endif
