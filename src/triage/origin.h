/*
 * origin - does the bug lie in the project (intrinsic) or outside of it (extrinsic)?
 *
 * Intrinsic is the rule. Extrinsic needs a sentence that speaks of an outside cause: a phrase
 * of data/triage/origin.csv, for another library together with its name
 * (data/triage/packages.txt) and, for weak phrases, a version. Lists of versions and tracebacks
 * are no evidence.
 */
#ifndef LW_TRIAGE_ORIGIN_H
#define LW_TRIAGE_ORIGIN_H

#include "base/arena.h"
#include "report/report.h"
#include "triage/versions.h"

struct lw_origin {
    bool extrinsic;
    struct lw_str suspect; /* "third-party", "environment", "hardware", "requirement", "data" */
    struct lw_str name;    /* the library, system or device; may be empty */
    struct lw_str version; /* as stated; may be empty */
    struct lw_str evidence; /* the sentence */
};

typedef struct lw_origin_tables lw_origin_tables;

int lw_origin_tables_new(lw_origin_tables **out, struct lw_mem *mem, struct lw_err *err);
void lw_origin_tables_free(lw_origin_tables *t);

/* `prose` are the sentences of people. Texts are borrowed from it, the report and the tables.
 */
void lw_origin_read(struct lw_origin *out, const lw_origin_tables *t, const lw_report *r,
                    struct lw_str prose, const struct lw_stated_versions *versions);

#endif
