#include "driver.h"

#include "numeric/dist.h"
#include "numeric/special.h"

static struct lw_dist dist_of(struct call *c)
{
    struct lw_str kind = call_word(c, 0);
    double a = call_num(c, 1), b = call_num(c, 2), d = call_num(c, 3);
    if (lw_str_eq(kind, LW_S("normal")))
        return lw_dist_normal(a, b);
    if (lw_str_eq(kind, LW_S("t")))
        return lw_dist_t(a);
    if (lw_str_eq(kind, LW_S("f")))
        return lw_dist_f(a, b);
    if (lw_str_eq(kind, LW_S("chi2")))
        return lw_dist_chi2(a);
    if (lw_str_eq(kind, LW_S("binomial")))
        return lw_dist_binomial(a, b);
    if (lw_str_eq(kind, LW_S("range")))
        return lw_dist_range(a, b);
    return lw_dist_hypergeometric(a, b, d);
}

/* dist KIND A B C [x,…]  ->  density lower upper for each x */
static int dist_at(struct call *c)
{
    struct lw_dist d = dist_of(c);
    for (size_t i = 0; c->n > 4 && i < c->arg[4].n; i++) {
        put(lw_dist_density(d, c->arg[4].v[i]));
        put(lw_dist_lower(d, c->arg[4].v[i]));
        put(lw_dist_upper(d, c->arg[4].v[i]));
    }
    return 0;
}

/* quantile KIND A B C [p,…]  ->  lower-tail and upper-tail quantile for each p */
static int quantile_at(struct call *c)
{
    struct lw_dist d = dist_of(c);
    for (size_t i = 0; c->n > 4 && i < c->arg[4].n; i++) {
        put(lw_dist_quantile(d, c->arg[4].v[i]));
        put(lw_dist_upper_quantile(d, c->arg[4].v[i]));
    }
    return 0;
}

static int log_choose(struct call *c)
{
    put(lw_log_choose(call_num(c, 0), call_num(c, 1)));
    return 0;
}

const struct command distribution_commands[] = {
    {"dist", dist_at}, {"quantile", quantile_at}, {"log-choose", log_choose}, {0}};
