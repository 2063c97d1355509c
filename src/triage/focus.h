/*
 * focus - the sentence of a report that tells most about a component.
 *
 * Sentences and the key phrases of the components (data/triage/keyphrases.csv) are compared by
 * the cosine of their TF-IDF weights, and by the same cosine among the larger half of the
 * topics that the sentences of the report span (latent semantic analysis). The two are added
 * up.
 */
#ifndef LW_TRIAGE_FOCUS_H
#define LW_TRIAGE_FOCUS_H

#include "base/arena.h"
#include "triage/table.h"
#include "triage/types.h"

struct lw_focus_tables {
    struct triage_table phrases; /* component, phrases */
};

int lw_focus_load(struct lw_focus_tables *t, struct lw_arena *arena, struct lw_err *err);

/* The best sentence of `text` for the components, in the order of their importance; borrowed
 * from it, empty when none has a word of them. LW_ENOMEM is the only failure. */
int lw_focus_find(struct lw_str *out, const struct lw_focus_tables *t, struct lw_str text,
                  const enum lw_component *components, size_t count, struct lw_arena *arena);

#endif
