/*
 * model - the learnt linear model of bug types.
 *
 * Logistic regression, one type against the rest, over the features of features.h. Words are
 * weighted by TF-IDF and each group of features has unit length or a bounded size, so that long
 * reports count no more than short ones. Scores are a softmax over the seven margins, sharpened
 * by a temperature that was fitted on margins of reports outside the training fold.
 *
 * A model is a text file:
 *
 *     lacewing-triage 1
 *     temperature 0.91
 *     bias -1.2 …                        one number a type, in the order of types.h
 *     trained stackoverflow 59278771 …   what it was trained on: a source, then ids
 *     feature title gpu<TAB>3.1 0.2 …    its inverse document frequency, then a weight a type
 */
#ifndef LW_TRIAGE_MODEL_H
#define LW_TRIAGE_MODEL_H

#include "base/buf.h"
#include "triage/features.h"
#include "triage/types.h"

struct lw_type_model {
    struct lw_arena arena;
    struct lw_map columns; /* name of a feature to its number */
    size_t count;          /* features */
    double *idf;           /* (count) */
    double *weight;        /* (types, count) */
    double bias[LW_TYPES];
    double temperature;
    struct lw_str *trained; /* lines "source id id …" */
    size_t trained_count;
};

/* A report with its type. */
struct lw_type_row {
    lw_features features;
    uint32_t type; /* enum lw_bug_type */
    double weight; /* of its loss */
    uint32_t fold; /* rows of the same report are in the same fold */
};

/* Learns from the rows that are not in fold `without` (UINT32_MAX: from all). The model copies
 * what it needs. */
int lw_type_model_fit(struct lw_type_model *out, struct lw_mem *mem,
                      const struct lw_type_row *rows, size_t n, uint32_t without,
                      struct lw_err *err);
void lw_type_model_release(struct lw_type_model *m);

int lw_type_model_parse(struct lw_type_model *out, struct lw_mem *mem, struct lw_str text,
                        struct lw_err *err);
void lw_type_model_print(struct lw_buf *out, const struct lw_type_model *m);

/* How much a word spoke for the type that was chosen, against the mean of the others. */
struct lw_type_reason {
    struct lw_str word;
    double weight;
};

enum { LW_REASONS_MAX = 8 };

struct lw_type_verdict {
    enum lw_bug_type type; /* UNKNOWN when no known feature speaks */
    double margin[LW_TYPES];
    double score[LW_TYPES]; /* sum 1 */
    struct lw_type_reason reason[LW_REASONS_MAX];
    size_t reason_count;
};

/* Words are borrowed from the features. */
int lw_type_model_judge(struct lw_type_verdict *out, const struct lw_type_model *m,
                        const lw_features *features, struct lw_arena *arena);

/* The scores of margins at a temperature. */
void lw_type_scores(const double *margin, double temperature, double *score);

#endif
