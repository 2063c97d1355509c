/*
 * triage - what a bug report is about, what it tells, and what it lacks.
 *
 * In: a report (report/report.h). Out: `struct lw_triage`, whose texts are borrowed from the
 * report, the triager and the arena. A triager holds the tables and the model; it is read-only
 * once made and shared by all threads.
 */
#ifndef LW_TRIAGE_TRIAGE_H
#define LW_TRIAGE_TRIAGE_H

#include "report/report.h"
#include "triage/advice.h"
#include "triage/model.h"
#include "triage/origin.h"
#include "triage/versions.h"

typedef struct lw_triager lw_triager;

int lw_triager_new(lw_triager **out, struct lw_mem *mem, struct lw_err *err);
/* NULL is fine. */
void lw_triager_free(lw_triager *t);

enum {
    LW_EVIDENCE_MAX = 5,
    LW_LACKS_MAX = 10,
    LW_METRICS_MAX = 16,
    LW_SHOWN_INFORMATION = 3,
    LW_SHOWN_ACTIONS = 5
};

struct lw_component_report {
    bool present;
    struct lw_str evidence[LW_EVIDENCE_MAX];
    size_t count;
};

/* Something that the report lacks, with the question that asks for it. */
struct lw_lack {
    struct lw_str key; /* "data", "framework-version" */
    struct lw_str question;
    double confidence; /* of the rule type -> key; 0 where no rule speaks */
};

struct lw_reported_metric {
    struct lw_str name, value; /* the last value */
};

struct lw_triage {
    struct lw_str summary;
    struct lw_type_verdict type;
    struct lw_str leaf;      /* of the taxonomy; empty where none is evident */
    struct lw_str sub_fault; /* "loss", "layer", …; may be empty */
    struct lw_origin origin;
    bool is_explicit;
    const struct lw_fact *error; /* the last EXCEPTION or ERROR; NULL: none */
    struct lw_stated_versions versions;
    struct lw_component_report component[LW_COMPONENTS];
    struct lw_lack lack[LW_LACKS_MAX]; /* the most useful first */
    size_t lack_count;
    const struct lw_advice *information, *actions; /* never NULL */
    const struct lw_advice *sub_actions;           /* NULL: no sub-fault is evident */
    struct lw_str focus;
    struct lw_reported_metric metric[LW_METRICS_MAX];
    size_t metric_count;
};

int lw_triage_report(struct lw_triage *out, const lw_triager *t, const lw_report *r,
                     struct lw_arena *arena, struct lw_err *err);

/* The origin alone, without a triager and its model: for commands that only warn. Texts are in
 * `arena` or borrowed from the report. */
int lw_report_origin(struct lw_origin *out, const lw_report *r, struct lw_arena *arena,
                     struct lw_err *err);

/* What reports are read with. */
const lw_report_tables *lw_triager_tables(const lw_triager *t);
/* The rules for a type, and for a sub-fault. */
const lw_advice_table *lw_triager_advice(const lw_triager *t);
/* The question that asks for a key of data/triage/questions.csv; empty: none. */
struct lw_str lw_triager_question(const lw_triager *t, struct lw_str key);

#endif
