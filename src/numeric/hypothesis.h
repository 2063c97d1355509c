/*
 * hypothesis - what all tests share: the result, and the refusal of unusable samples.
 *
 * NaN policy of every test: a NaN or an infinity in the data is refused with LW_EINVAL and its
 * place; so is a sample that is too small or, where the statistic would be 0/0, constant. A
 * test that succeeds gives finite numbers, except where a comment says otherwise.
 *
 * Samples are borrowed and unchanged. `mem` is for scratch, freed before return.
 */
#ifndef LW_NUMERIC_HYPOTHESIS_H
#define LW_NUMERIC_HYPOTHESIS_H

#include "base/mem.h"
#include "lacewing.h"

enum lw_tail {
    LW_TAIL_TWO,  /* the samples differ */
    LW_TAIL_LESS, /* the first is smaller */
    LW_TAIL_GREATER
};

enum lw_exactness {
    LW_EXACT_AUTO, /* exact where that is cheap, else the normal approximation */
    LW_EXACT_YES,  /* LW_ELIMIT where it would take too long */
    LW_EXACT_NO
};

struct lw_test {
    double statistic;
    double df, df2;  /* 0 where the test has none */
    double p;        /* of the tail asked for */
    double estimate; /* what the statistic is about: a difference, a correlation, a V */
    double se;       /* of the estimate, 0 where there is none */
    bool exact;
};

/* A sample as one argument. */
struct lw_sample {
    const double *x;
    size_t n;
};

/* LW_EINVAL when `n` is below `least` or a value is not finite; `name` is for the message. */
int lw_sample_check(struct lw_sample s, size_t least, const char *name, struct lw_err *err);

/* From the two tails of a statistic's distribution at its value. */
double lw_tail_p(enum lw_tail tail, double lower, double upper);

#endif
