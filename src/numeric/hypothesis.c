#include "numeric/hypothesis.h"

#include <math.h>

#include "base/err.h"

int lw_sample_check(struct lw_sample s, size_t least, const char *name, struct lw_err *err)
{
    if (s.n < least)
        return lw_err_set(err, LW_EINVAL, "%s has %zu value%s, at least %zu are needed", name,
                          s.n, s.n == 1 ? "" : "s", least);
    for (size_t i = 0; i < s.n; i++)
        if (!isfinite(s.x[i]))
            return lw_err_set(err, LW_EINVAL, "%s: value %zu is not a finite number", name,
                              i + 1);
    return 0;
}

double lw_tail_p(enum lw_tail tail, double lower, double upper)
{
    switch (tail) {
    case LW_TAIL_LESS: return fmin(1, lower);
    case LW_TAIL_GREATER: return fmin(1, upper);
    case LW_TAIL_TWO: break;
    }
    return fmin(1, 2 * fmin(lower, upper));
}
