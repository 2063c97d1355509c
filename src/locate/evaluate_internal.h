/*
 * evaluate_internal - an evaluation while it runs.
 */
#ifndef LW_LOCATE_EVALUATE_INTERNAL_H
#define LW_LOCATE_EVALUATE_INTERNAL_H

#include "base/file.h"
#include "base/progress.h"
#include "locate/evaluate.h"

/* What is kept of a report after its project is closed. */
struct lesson {
    uint32_t *truth; /* candidates that were changed, ascending; owned */
    size_t truth_count;
    uint32_t *ranks; /* room for the places under each technique */
    size_t rank_room;
    struct lw_features **features; /* by technique; NULL where nothing is learnt; owned */
};

struct evaluation;

struct worker {
    struct lw_snapshot snapshot;
    struct lw_arena arena;
    struct lw_texts texts;
    bool ready;
    double seconds[LW_TECHNIQUES_MAX];
};

struct project {
    struct evaluation *v;
    uint32_t number;
    struct lw_arena arena;
    uint32_t *reports; /* numbers of lw_eval.reports, by opening date */
    uint32_t *commits; /* by report: number in the index */
    size_t count;
    struct lw_ticket *tickets; /* by report, with their terms */
    struct lw_fixed *fixed;    /* by fix date */
    size_t fixed_count;
    lw_index *index;
    struct lw_history *history;
    void **shared; /* by technique */
    struct worker *workers;
    struct lw_index_figures figures; /* kept after the index is closed */
    double seconds_index;
    double seconds[LW_TECHNIQUES_MAX];
};

struct evaluation {
    struct lw_eval *e;
    const struct lw_ctx *ctx;
    struct lw_ctx inner; /* with the threads that one project may use */
    const struct lw_eval_options *options;
    struct lw_arena scratch;
    lw_str_vec folders;       /* names in the folder of repositories */
    struct lesson *lessons;   /* by report */
    struct project *projects; /* the largest first */
    void *
        shipped[LW_TECHNIQUES_MAX]; /* by technique: the model in the program, or NULL; owned */
    bool
        at_once; /* the shipped models may judge every project: nothing is kept to learn from */
    struct lw_progress progress;
};

/* Places of the changed files under the scores. */
void ev_judge(struct lw_outcome *o, uint32_t *ranks, const double *scores, size_t n,
              const uint32_t *truth, size_t truth_count);

/* evaluate_learn.c: models for the learnt techniques, and their outcomes. */

/* Loads what is shipped and decides `at_once`. */
int ev_load_models(struct evaluation *v, struct lw_err *err);
void ev_release_models(struct evaluation *v);
/* Judges a described report by a model. From any thread. */
int ev_judge_by(struct evaluation *v, size_t technique, size_t report, const void *model,
                struct lw_err *err);
void ev_forget(struct evaluation *v, size_t technique, size_t report);
/* Learns and judges all that was not judged at once. */
int ev_learn(struct evaluation *v, struct lw_err *err);

#endif
