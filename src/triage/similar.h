/*
 * similar - earlier reports that read like this one.
 *
 * Reports are compared by the cosine of the TF-IDF weights of their terms (locate/terms.h).
 * An index belongs to one thread.
 */
#ifndef LW_TRIAGE_SIMILAR_H
#define LW_TRIAGE_SIMILAR_H

#include "triage/set.h"

typedef struct lw_similar_index lw_similar_index;

struct lw_similar {
    struct lw_str id; /* borrowed from the set */
    double score;     /* 0…1 */
};

/* The set is borrowed. Reports that cannot be read are left out. */
int lw_similar_new(lw_similar_index **out, const struct lw_ctx *ctx,
                   const struct lw_report_set *set, struct lw_err *err);
void lw_similar_free(lw_similar_index *x);

/* The best `*n` others than `id` (in: room, out: how many), the most similar first. */
int lw_similar_find(lw_similar_index *x, const lw_report *r, struct lw_str id,
                    struct lw_similar *out, size_t *n, struct lw_err *err);

#endif
