#include "numeric/fold.h"

#include "base/arena.h"
#include "base/err.h"
#include "numeric/rank.h"

int lw_folds_by_group(struct lw_mem *mem, const uint32_t *group, size_t n, size_t groups,
                      size_t folds, uint32_t *fold, struct lw_err *err)
{
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    double *size = lw_arena_array(&arena, groups, sizeof *size);
    uint32_t *order = lw_arena_array(&arena, groups, sizeof *order);
    uint32_t *home = lw_arena_array(&arena, groups, sizeof *home);
    size_t *load = lw_arena_array(&arena, folds, sizeof *load);
    int rc = size && order && home && load ? 0 : lw_err_nomem(err);
    size_t present = 0;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        if (group[i] >= groups)
            rc = lw_err_set(err, LW_EINVAL, "row %zu has no group", i + 1);
        else
            present += size[group[i]]++ == 0;
    }
    if (rc == 0 && (folds < 2 || present < folds))
        rc = lw_err_set(err, LW_EINVAL, "%zu groups cannot fill %zu folds", present, folds);
    if (rc == 0 && lw_sort_order(mem, size, groups, order) < 0)
        rc = lw_err_nomem(err);
    for (size_t g = groups; rc == 0 && g-- > 0;) { /* largest first, to the emptiest fold */
        size_t best = 0;
        for (size_t f = 1; f < folds; f++)
            best = load[f] < load[best] ? f : best;
        home[order[g]] = (uint32_t)best;
        load[best] += (size_t)size[order[g]];
    }
    for (size_t i = 0; rc == 0 && i < n; i++)
        fold[i] = home[group[i]];
    lw_arena_release(&arena);
    return rc;
}

int lw_fold_by_time(struct lw_time_fold *out, size_t n, size_t folds, size_t k,
                    struct lw_err *err)
{
    size_t each = folds ? n / (folds + 1) : 0;
    if (each == 0 || k >= folds)
        return lw_err_set(err, LW_EINVAL, "%zu rows cannot fill %zu folds", n, folds);
    *out = (struct lw_time_fold){n - (folds - k) * each, n - (folds - k - 1) * each};
    return 0;
}
