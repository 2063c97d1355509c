/*
 * evaluate - how well techniques find the files of a set of reports.
 *
 * In: a set, the folder of its repositories, techniques. Out: for each report and technique the
 * places of the files that the fix changed, and the usual figures over them. Learnt techniques
 * see only lessons of other projects. Same input, same figures, on any number of threads.
 */
#ifndef LW_LOCATE_EVALUATE_H
#define LW_LOCATE_EVALUATE_H

#include "locate/dataset.h"
#include "locate/technique.h"

enum lw_model_choice {
    LW_MODEL_AUTO,    /* shipped where it was learnt on no project of the set, else lopo */
    LW_MODEL_SHIPPED, /* whatever it was learnt on */
    LW_MODEL_LOPO,    /* leave one project out */
};

struct lw_eval_options {
    const char *repos;      /* folder of repositories */
    struct lw_str projects; /* "a+b,c+d"; empty = all */
    struct lw_index_options index;
    struct lw_setup *setups;
    size_t setup_count;
    enum lw_model_choice model;
    struct lw_buf *model_out; /* gets a model learnt on the whole set, to be shipped; or NULL */
};

/* One report under one technique. */
struct lw_outcome {
    const uint32_t *ranks; /* places of the changed files, ascending, from 1 */
    uint32_t rank_count;
    double ap; /* average precision */
    double rr; /* reciprocal rank of the first; 0 when none was ranked */
};

struct lw_judged {
    const struct lw_set_line *line;
    uint32_t project;            /* number of its project */
    uint32_t candidates;         /* files that were ranked */
    bool skipped;                /* repository or commit missing: in no figure */
    struct lw_outcome *outcomes; /* by technique */
};

struct lw_figures {
    double top1, top5, top10, mrr, map;
    size_t reports;
};

struct lw_eval {
    struct lw_mem *mem;
    struct lw_arena arena;
    const struct lw_set *set;      /* borrowed */
    const struct lw_setup *setups; /* borrowed */
    size_t setup_count;
    struct lw_judged *reports; /* in the order of the set, without those not asked for */
    size_t report_count;
    struct lw_str *projects; /* names, in order of appearance */
    size_t project_count;
    size_t skipped;
    double *seconds; /* by technique: scoring, all threads together */
    double seconds_index, seconds_total;
    struct lw_index_figures index; /* of all projects together */
};

int lw_eval_run(struct lw_eval *e, const struct lw_ctx *ctx, const struct lw_set *set,
                const struct lw_eval_options *options, struct lw_err *err);
void lw_eval_release(struct lw_eval *e);

/* Figures of a technique over the reports for which `wants` says yes (NULL: all). */
struct lw_figures lw_eval_figures(const struct lw_eval *e, size_t technique,
                                  bool (*wants)(const struct lw_judged *r, const void *data),
                                  const void *data);

/* Ranks: candidates by falling score, then by place, in `order`. */
void lw_rank(const double *scores, size_t n, uint32_t *order);

/* ---- Comparisons ------------------------------------------------------------------------- */

enum lw_eval_metric { LW_METRIC_AP, LW_METRIC_RR };

struct lw_comparison {
    size_t a, b; /* techniques */
    enum lw_eval_metric metric;
    double difference; /* of the means, a - b */
    double p;          /* Wilcoxon signed ranks, two-sided, adjusted by Holm over all */
    double p_t;        /* paired t-test, adjusted by Holm over all */
    double effect;     /* matched-pairs rank-biserial correlation */
    double cohen_d;    /* of the differences */
};

/* All pairs under both metrics; in `arena`. */
int lw_eval_compare(const struct lw_eval *e, struct lw_arena *arena,
                    const struct lw_comparison **out, size_t *n, struct lw_err *err);

struct lw_eval_interval {
    double map_low, map_high, mrr_low, mrr_high, top1_low, top1_high;
};

/* 95 % intervals by bootstrap over the reports. */
int lw_eval_intervals(const struct lw_eval *e, const struct lw_ctx *ctx, size_t technique,
                      struct lw_eval_interval *out, struct lw_err *err);

#endif
