/*
 * versions - the libraries of a report, and whether their versions go together.
 *
 * Versions are those that the report states, else those that its API spellings tell
 * (data/triage/spellings.csv, the TensorFlow symbols of data/api). What goes together is in
 * data/triage/compatibility.csv, each line with its source.
 */
#ifndef LW_TRIAGE_VERSIONS_H
#define LW_TRIAGE_VERSIONS_H

#include "base/arena.h"
#include "report/report.h"

struct lw_framework {
    struct lw_str name;     /* of the package: "tensorflow", "torch", "keras" */
    struct lw_str version;  /* as stated, "<2" where a spelling tells it; may be empty */
    struct lw_str inferred; /* the spelling that tells it; empty where it is stated */
};

struct lw_conflict {
    struct lw_str package, version; /* "tensorflow", "1.13.1" */
    struct lw_str with, found;      /* "cuda", "10.2" */
    struct lw_str needs, source;    /* "==10.0.*", where that is said */
};

enum { LW_FRAMEWORKS_MAX = 8, LW_CONFLICTS_MAX = 8 };

struct lw_stated_versions {
    struct lw_framework framework[LW_FRAMEWORKS_MAX];
    size_t framework_count;
    struct lw_conflict conflict[LW_CONFLICTS_MAX];
    size_t conflict_count;
};

typedef struct lw_version_tables lw_version_tables;

int lw_version_tables_new(lw_version_tables **out, struct lw_mem *mem, struct lw_err *err);
void lw_version_tables_free(lw_version_tables *t);

/* Texts are borrowed from the report and the tables. */
void lw_versions_read(struct lw_stated_versions *out, const lw_version_tables *t,
                      const lw_report *r);

/* The version that the report states for a package, "cuda" or "python"; empty: none. */
struct lw_str lw_stated_version(const lw_report *r, struct lw_str package);

#endif
