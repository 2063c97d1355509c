/*
 * evaluate - how well types are told apart, by cross-validation, and learning the model.
 *
 * A dataset is a CSV file with the columns id, title and type, and perhaps tags (separated by
 * ";"), description and source (for the list of what a model was trained on). Rows without a
 * type are left out. Words, weights and temperature of a fold come from the other folds alone.
 */
#ifndef LW_TRIAGE_EVALUATE_H
#define LW_TRIAGE_EVALUATE_H

#include "base/ctx.h"
#include "triage/model.h"

struct lw_labelled {
    struct lw_str id, source, title, tags, description;
    enum lw_bug_type type;
    uint32_t fold;
    /* What came out. */
    enum lw_bug_type guess;
    double margin[LW_TYPES], score[LW_TYPES];
};

struct lw_labelled_set {
    struct lw_arena arena;
    LW_VEC(struct lw_labelled) rows;
};

/* "-" is standard input. Messages name the line. */
int lw_labelled_load(struct lw_labelled_set *set, struct lw_mem *mem, const char *path,
                     struct lw_err *err);
void lw_labelled_release(struct lw_labelled_set *set);

struct lw_type_eval_options {
    unsigned folds;           /* 2 and more; 0: none, only the model is learnt */
    bool no_tags;             /* judge by title and description alone */
    struct lw_buf *model_out; /* a model learnt on the whole set; NULL: none */
};

/* A bin of the calibration table: reports whose best score lies in [low, high). */
struct lw_calibration_bin {
    double low, high;
    size_t n, right;
    double mean_score;
};

enum { LW_CALIBRATION_BINS = 10 };

struct lw_type_eval {
    size_t n;
    double accuracy, macro_f1, log_loss, calibration_error;
    double low, high;                         /* Wilson's 95 % interval of the accuracy */
    size_t confusion[LW_TYPES][LW_TYPES + 1]; /* by truth, then guess */
    struct lw_calibration_bin bin[LW_CALIBRATION_BINS];
};

/* Fills guesses and scores of the set's rows and the figures over them. */
int lw_type_evaluate(struct lw_type_eval *out, const struct lw_ctx *ctx,
                     struct lw_labelled_set *set, const struct lw_type_eval_options *options,
                     struct lw_err *err);

/* Wilson's 95 % interval of a share `p` of `n`; not a number when n is 0. */
void lw_wilson(double p, double n, double *low, double *high);

/* The figures over the rows of one source (empty: of all). */
void lw_type_figures(struct lw_type_eval *out, const struct lw_labelled_set *set,
                     struct lw_str source);

#endif
