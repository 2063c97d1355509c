/*
 * typical - how large the values of a tensor usually are, column by column.
 *
 * Ranges say what can happen: a normal distribution has none. Mean and deviation are carried
 * instead from the calls that draw numbers through arithmetic, as the first two moments of
 * independent operands. That is rough on purpose: rules compare orders of magnitude.
 */
#ifndef LW_CHECK_QUERY_TYPICAL_H
#define LW_CHECK_QUERY_TYPICAL_H

#include "check/engine/engine.h"

enum { TYPICAL_COLUMNS = 16 };

struct typical {
    unsigned n; /* 1: all columns are alike */
    double mean[TYPICAL_COLUMNS], deviation[TYPICAL_COLUMNS];
};

/* False when it is not known. */
bool typical_of(struct ck *c, struct lw_value v, struct typical *out);

/* The size of values of a column: two deviations around the mean. */
double typical_size(const struct typical *t, unsigned column);

#endif
