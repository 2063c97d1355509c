/*
 * vocabulary - the words of the catalogue: types, categories, symptoms, taxonomy leaves, …
 *
 * Loaded from data/vocabulary.csv, data/taxonomy.csv (kind "leaf") and data/fix_patterns.csv
 * (kind "fix_pattern"). Words are static text.
 */
#ifndef LW_KNOWLEDGE_VOCABULARY_H
#define LW_KNOWLEDGE_VOCABULARY_H

#include "base/arena.h"
#include "base/map.h"
#include "lacewing.h"

struct lw_vocabulary {
    struct lw_arena arena;
    struct lw_map words; /* "kind\nname" -> 1 */
};

int lw_vocabulary_load(struct lw_vocabulary *v, struct lw_mem *mem, struct lw_err *err);
void lw_vocabulary_release(struct lw_vocabulary *v);

bool lw_vocabulary_has(const struct lw_vocabulary *v, const char *kind, struct lw_str name);

/* Fills `err` with "'x' is not a <kind>; did you mean 'y'?" or the list of words where it is
 * short; returns LW_EINVAL. */
int lw_vocabulary_refuse(const struct lw_vocabulary *v, const char *kind, struct lw_str name,
                         struct lw_err *err);

#endif
