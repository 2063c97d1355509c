/*
 * fold - cross-validation that does not leak: by group, and by time.
 */
#ifndef LW_NUMERIC_FOLD_H
#define LW_NUMERIC_FOLD_H

#include "base/mem.h"
#include "lacewing.h"

/* fold[i] in 0…folds-1, all rows of a group in the same fold, folds as equal in size as the
 * largest-first rule makes them. group[i] < groups. LW_EINVAL with fewer groups than folds. */
int lw_folds_by_group(struct lw_mem *mem, const uint32_t *group, size_t n, size_t groups,
                      size_t folds, uint32_t *fold, struct lw_err *err);

/* Rows in order of time: fold k trains on all rows before `train_end` and tests on
 * train_end…test_end-1, where every test stretch has n/(folds + 1) rows. */
struct lw_time_fold {
    size_t train_end, test_end;
};
int lw_fold_by_time(struct lw_time_fold *out, size_t n, size_t folds, size_t k,
                    struct lw_err *err);

#endif
