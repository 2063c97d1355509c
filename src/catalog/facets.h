/*
 * facets - the values that bugs are filtered by, as small numbers.
 *
 * Each value of a filterable field gets a code when it is first stored (table `word`), and the
 * codes of a bug stand side by side in one 63-bit number. So any combination of filters is one
 * comparison, `(facets & mask) = value`, on a narrow index, and a count of all values of all
 * fields is one walk over it. In the text index the codes are words of their own, each led by a
 * private-use character that no text holds, so that filters and words meet in one expression.
 *
 * A field that runs out of codes gives the last one to all further values; a filter for such a
 * value looks at the text itself as well.
 */
#ifndef LW_CATALOG_FACETS_H
#define LW_CATALOG_FACETS_H

#include "base/buf.h"
#include "base/vec.h"
#include "catalog/sql.h"
#include "lacewing.h"

enum facet {
    FACET_SOURCE,
    FACET_TYPE,
    FACET_LEAF,
    FACET_CATEGORY,
    FACET_SYMPTOM,
    FACET_PROPERTY,
    FACET_FRAMEWORK,
    FACET_ENVIRONMENT, /* modules and versions together: what decides whether it can run */
    FACETS
};

/* "source", "type", …: also the column of the bug. */
extern const char *const facet_names[FACETS];

/* Where the code stands in the number. */
unsigned facet_shift(enum facet f);
int64_t facet_mask(enum facet f); /* not shifted */

/* The codes known so far, remembered between bugs; forget them when a transaction is undone. */
struct facets {
    struct lw_arena arena;
    struct lw_map known; /* "kind\nname" -> code */
};

void facets_init(struct facets *f, struct lw_mem *mem);
void facets_release(struct facets *f);
void facets_forget(struct facets *f);

/* The bug's number and its words for the text index (appended to `words`); new values are
 * stored, so this belongs into a transaction. */
int facets_of(struct facets *f, struct sql *sql, const struct lw_bug *bug, int64_t *number,
              struct lw_buf *words, struct lw_err *err);

/* What a query asks of the number. */
struct facet_filter {
    int64_t mask, value;
    bool crowded[FACETS]; /* the text must be looked at as well */
    bool by_environment;  /* only those environments: */
    LW_VEC(int64_t) environments;
};

/* Turns the filters of the query into numbers; where the query's own filter looks only at the
 * environment it is asked once for each there is. Release with lw_vec_release(environments). */
int facet_filter(struct facet_filter *out, struct sql *sql, const struct lw_query *q,
                 struct lw_mem *mem, struct lw_err *err);

/* Writes the word of a code. */
void facet_word(struct lw_buf *to, enum facet f, int64_t code);

/* The filter's text of a query, or the field of a bug. */
struct lw_str facet_asked(const struct lw_query *q, enum facet f);

#endif
