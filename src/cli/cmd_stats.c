/* stats: tests, effect sizes, agreement, regression and association rules over a CSV file. */
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/stats.h"
#include "numeric/contingency.h"
#include "numeric/fit.h"
#include "numeric/means.h"
#include "numeric/ranktest.h"

static struct lw_sample sample(const struct stats_data *d, size_t g)
{
    return (struct lw_sample){d->group[g].x, d->group[g].n};
}

static enum lw_exactness exactness(const struct cli *cli)
{
    const char *exact = cli_value(cli, "exact");
    if (!exact || strcmp(exact, "auto") == 0)
        return LW_EXACT_AUTO;
    return strcmp(exact, "yes") == 0 ? LW_EXACT_YES : LW_EXACT_NO;
}

static struct stats_result result_of(const struct lw_test *t, const char *hypothesis,
                                     const char *statistic)
{
    return (struct stats_result){.hypothesis = hypothesis,
                                 .statistic_name = statistic,
                                 .statistic = t->statistic,
                                 .df = t->df > 0 ? t->df : NAN,
                                 .df2 = t->df2 > 0 ? t->df2 : NAN,
                                 .p = t->p,
                                 .exact = t->exact,
                                 .effect = NAN,
                                 .low = NAN,
                                 .high = NAN};
}

/* The plain sentence: "<yes>" or "<no>" with the p-value and the level. */
static int conclude(struct stats_data *d, struct stats_result *r, const char *yes,
                    const char *no, struct lw_err *err)
{
    double alpha;
    if (stats_number(d->cli, "alpha", 0.05, 1e-12, 0.5, &alpha, err) < 0)
        return err->code;
    struct lw_str p = stats_p(d->cli, r->p);
    bool significant = r->p < alpha;
    r->sentence = lw_arena_printf(&d->cli->arena, "%s (%.*s, level %g).",
                                  significant ? yes : no, LW_F(p), alpha);
    return stats_print(d, r, err);
}

static const char *two_groups(struct stats_data *d, const char *fmt)
{
    struct lw_str s =
        lw_arena_printf(&d->cli->arena, fmt, LW_F(d->group[0].name), LW_F(d->group[1].name));
    return s.p ? s.p : "";
}

/* ---- Means
 * ---------------------------------------------------------------------------------------- */

/* The closing sentence of a test of two groups, one-sided as --tail says. `means` speaks of
 * their means; `in` is "" or " in pairs". */
static int conclude_two(struct stats_data *d, struct stats_result *r, bool means,
                        const char *in, struct lw_err *err)
{
    struct lw_arena *arena = &d->cli->arena;
    struct lw_str a = d->group[0].name, b = d->group[1].name;
    enum lw_tail tail = stats_tail(d->cli);
    struct lw_str text[2]; /* not significant, significant */
    for (int yes = 0; yes < 2; yes++) {
        if (tail == LW_TAIL_TWO)
            text[yes] = lw_arena_printf(arena, "%s'%.*s' and '%.*s' %sdiffer significantly%s",
                                        means ? "The means of " : "", LW_F(a), LW_F(b),
                                        yes ? "" : "do not ", in);
        else
            text[yes] = lw_arena_printf(arena, "%s'%.*s' is %ssignificantly %s than %s'%.*s'%s",
                                        means ? "The mean of " : "", LW_F(a), yes ? "" : "not ",
                                        tail == LW_TAIL_LESS ? "smaller" : "larger",
                                        means ? "that of " : "", LW_F(b), in);
        if (!text[yes].p)
            return lw_err_nomem(err);
    }
    return conclude(d, r, text[1].p, text[0].p, err);
}

static void add_cohen(struct stats_data *d, struct stats_result *r)
{
    struct lw_effect cohen, hedges;
    struct lw_err ignored;
    if (lw_cohen_d(&cohen, &hedges, sample(d, 0), sample(d, 1), &ignored) < 0)
        return;
    r->effect_name = "Cohen's d";
    r->effect = cohen.value;
    r->low = cohen.low;
    r->high = cohen.high;
    r->reading = lw_cohen_reading(cohen.value);
    stats_note(r, lw_arena_printf(&d->cli->arena, "Hedges' g = %.4g", hedges.value));
}

static int t_test_of(struct stats_data *d, bool welch, struct lw_err *err)
{
    struct lw_test t;
    if (stats_groups(d, false, 2, 2, err) < 0 ||
        lw_ttest(&t, sample(d, 0), sample(d, 1), welch, stats_tail(d->cli), err) < 0)
        return err->code;
    struct stats_result r =
        result_of(&t, two_groups(d, "the means of '%.*s' and '%.*s' are equal"), "t");
    add_cohen(d, &r);
    return conclude_two(d, &r, true, "", err);
}

static int run_t(struct stats_data *d, struct lw_err *err)
{
    return t_test_of(d, false, err);
}

static int run_welch(struct stats_data *d, struct lw_err *err)
{
    return t_test_of(d, true, err);
}

static int run_paired(struct stats_data *d, struct lw_err *err)
{
    struct lw_test t;
    if (stats_groups(d, true, 2, 2, err) < 0 ||
        lw_ttest_paired(&t, sample(d, 0), sample(d, 1), stats_tail(d->cli), err) < 0)
        return err->code;
    struct stats_result r =
        result_of(&t, two_groups(d, "the mean difference of '%.*s' and '%.*s' is 0"), "t");
    r.effect_name = "d of the differences";
    r.effect = t.statistic / sqrt((double)d->group[0].n);
    r.reading = lw_cohen_reading(r.effect);
    return conclude_two(d, &r, false, " in pairs", err);
}

static void samples_of(const struct stats_data *d, struct lw_sample *out)
{
    for (size_t g = 0; g < d->groups; g++)
        out[g] = sample(d, g);
}

static int run_anova(struct stats_data *d, struct lw_err *err)
{
    struct lw_sample s[STATS_GROUPS];
    struct lw_test t;
    if (stats_groups(d, false, 2, STATS_GROUPS, err) < 0)
        return err->code;
    samples_of(d, s);
    if (lw_anova(&t, s, d->groups, err) < 0)
        return err->code;
    struct stats_result r = result_of(&t, "all samples have the same mean", "F");
    r.effect_name = "eta squared";
    r.effect = t.estimate;
    r.reading = t.estimate < 0.01   ? "negligible"
                : t.estimate < 0.06 ? "small"
                : t.estimate < 0.14 ? "medium"
                                    : "large";
    return conclude(d, &r, "At least one mean differs significantly from another",
                    "The means do not differ significantly", err);
}

static int run_rm_anova(struct stats_data *d, struct lw_err *err)
{
    struct lw_sample s[STATS_GROUPS];
    struct lw_rm_anova t;
    if (stats_groups(d, true, 2, STATS_GROUPS, err) < 0)
        return err->code;
    samples_of(d, s);
    if (lw_rm_anova(&t, d->cli->ctx.mem, s, d->groups, err) < 0)
        return err->code;
    struct stats_result r = result_of(&t.test, "all conditions have the same mean", "F");
    r.effect_name = "partial eta squared";
    r.effect = t.test.estimate;
    struct lw_str p = stats_p(d->cli, t.p_corrected);
    stats_note(&r, lw_arena_printf(&d->cli->arena,
                                   "Greenhouse-Geisser epsilon = %.4g, corrected %.*s",
                                   t.epsilon, LW_F(p)));
    return conclude(d, &r, "At least one condition differs significantly from another",
                    "The conditions do not differ significantly", err);
}

/* ---- Ranks
 * ------------------------------------------------------------------------------------------ */

static void add_cliff(struct stats_data *d, struct stats_result *r)
{
    struct lw_cliff c;
    struct lw_err ignored;
    if (lw_cliff(&c, d->cli->ctx.mem, sample(d, 0), sample(d, 1), &ignored) < 0)
        return;
    r->effect_name = "Cliff's delta";
    r->effect = c.delta;
    r->low = c.low;
    r->high = c.high;
    r->reading = lw_cliff_reading(c.delta);
}

static int run_mann_whitney(struct stats_data *d, struct lw_err *err)
{
    struct lw_test t;
    if (stats_groups(d, false, 2, 2, err) < 0 ||
        lw_mann_whitney(&t, d->cli->ctx.mem, sample(d, 0), sample(d, 1), stats_tail(d->cli),
                        exactness(d->cli), err) < 0)
        return err->code;
    struct stats_result r = result_of(
        &t, two_groups(d, "values of '%.*s' and '%.*s' are equally likely to be larger"), "U");
    add_cliff(d, &r);
    return conclude_two(d, &r, false, "", err);
}

static int run_wilcoxon(struct stats_data *d, struct lw_err *err)
{
    struct lw_test t;
    if (stats_groups(d, true, 2, 2, err) < 0 ||
        lw_wilcoxon(&t, d->cli->ctx.mem, sample(d, 0), sample(d, 1), stats_tail(d->cli),
                    exactness(d->cli), false, err) < 0)
        return err->code;
    struct stats_result r =
        result_of(&t, two_groups(d, "'%.*s' - '%.*s' is symmetric about 0"), "W+");
    r.df = NAN;
    r.effect_name = "rank-biserial correlation";
    r.effect = t.estimate;
    stats_note(&r, lw_arena_printf(&d->cli->arena, "%g pairs differ", t.df));
    return conclude_two(d, &r, false, " in pairs", err);
}

static int run_kruskal(struct stats_data *d, struct lw_err *err)
{
    struct lw_sample s[STATS_GROUPS];
    struct lw_test t;
    if (stats_groups(d, false, 2, STATS_GROUPS, err) < 0)
        return err->code;
    samples_of(d, s);
    if (lw_kruskal(&t, d->cli->ctx.mem, s, d->groups, err) < 0)
        return err->code;
    struct stats_result r = result_of(&t, "all samples come from the same distribution", "H");
    r.effect_name = "epsilon squared";
    r.effect = t.estimate;
    return conclude(d, &r, "At least one sample differs significantly from another",
                    "The samples do not differ significantly", err);
}

static int run_cohen(struct stats_data *d, struct lw_err *err)
{
    struct lw_effect cohen, hedges;
    if (stats_groups(d, false, 2, 2, err) < 0 ||
        lw_cohen_d(&cohen, &hedges, sample(d, 0), sample(d, 1), err) < 0)
        return err->code;
    struct stats_result r = {
        .hypothesis = "none: an effect size", .df = NAN, .df2 = NAN, .p = NAN};
    add_cohen(d, &r);
    r.sentence = lw_arena_printf(&d->cli->arena,
                                 "The means differ by %.3g pooled standard "
                                 "deviations: a %s effect.",
                                 fabs(cohen.value), r.reading);
    return stats_print(d, &r, err);
}

static int run_cliff(struct stats_data *d, struct lw_err *err)
{
    struct lw_cliff c;
    if (stats_groups(d, false, 2, 2, err) < 0 ||
        lw_cliff(&c, d->cli->ctx.mem, sample(d, 0), sample(d, 1), err) < 0)
        return err->code;
    struct stats_result r = {
        .hypothesis = "none: an effect size", .df = NAN, .df2 = NAN, .p = NAN};
    add_cliff(d, &r);
    r.sentence = lw_arena_printf(
        &d->cli->arena,
        "A value of '%.*s' is larger than one of '%.*s' in %.1f %% more "
        "pairs than it is smaller: a %s effect.",
        LW_F(d->group[0].name), LW_F(d->group[1].name), 100 * c.delta, r.reading);
    return stats_print(d, &r, err);
}

/* ---- Fit
 * -----------------------------------------------------------------------------------------------
 */

static int run_shapiro(struct stats_data *d, struct lw_err *err)
{
    struct lw_test t;
    if (stats_groups(d, false, 1, 1, err) < 0 ||
        lw_shapiro(&t, d->cli->ctx.mem, sample(d, 0), err) < 0)
        return err->code;
    struct stats_result r = result_of(&t, "the sample comes from a normal distribution", "W");
    if (d->group[0].n > 5000)
        stats_note(&r, LW_S("p is an extrapolation beyond 5,000 values"));
    return conclude(d, &r, "The sample is not normal",
                    "Nothing speaks against a normal distribution", err);
}

static int run_ks(struct stats_data *d, struct lw_err *err)
{
    struct lw_test t;
    if (stats_groups(d, false, 2, 2, err) < 0 ||
        lw_ks_two(&t, d->cli->ctx.mem, sample(d, 0), sample(d, 1), exactness(d->cli), err) < 0)
        return err->code;
    struct stats_result r = result_of(&t, "both samples come from the same distribution", "D");
    return conclude(d, &r, two_groups(d, "'%.*s' and '%.*s' differ in distribution"),
                    two_groups(d, "'%.*s' and '%.*s' do not differ significantly"), err);
}

/* ---- Tables
 * ---------------------------------------------------------------------------------------------
 */

/* The counts: --table takes the chosen columns as they are, else two columns of categories are
 * counted against each other. */
static int count_table(struct stats_data *d, double **table, size_t *rows, size_t *columns,
                       struct lw_err *err)
{
    if (cli_flag(d->cli, "table")) {
        if (stats_columns(d, true, err) < 0)
            return err->code;
        *rows = d->frame.rows;
        *columns = d->columns;
        *table = lw_arena_array(&d->cli->arena, *rows * *columns, sizeof **table);
        if (!*table)
            return lw_err_nomem(err);
        for (size_t r = 0; r < *rows; r++)
            for (size_t c = 0; c < *columns; c++)
                (*table)[r * *columns + c] = d->frame.column[d->column[c]].num[r];
        return 0;
    }
    if (stats_columns(d, false, err) < 0)
        return err->code;
    if (d->columns != 2)
        return lw_err_set(
            err, LW_EINVAL,
            "this test needs two columns of categories (--columns A,B), or counts "
            "(--table)");
    uint32_t *code[2];
    size_t n, classes[2];
    struct lw_str *names;
    /* Rows missing either are dropped; then each column keeps the categories it has. */
    if (stats_codes(d, 2, code, &n, &names, &classes[0], err) < 0)
        return err->code;
    size_t *seen = lw_arena_array(&d->cli->arena, 2 * classes[0], sizeof *seen);
    if (!seen)
        return lw_err_nomem(err);
    for (size_t c = 0; c < 2; c++) {
        size_t *at = seen + c * classes[0], used = 0;
        for (size_t r = 0; r < n; r++)
            at[code[c][r]] = 1;
        for (size_t k = 0; k < classes[0]; k++)
            at[k] = at[k] ? used++ : 0;
        *(c ? columns : rows) = used;
    }
    *table = lw_arena_array(&d->cli->arena, *rows * *columns, sizeof **table);
    if (!*table)
        return lw_err_nomem(err);
    for (size_t r = 0; r < n; r++)
        (*table)[seen[code[0][r]] * *columns + seen[classes[0] + code[1][r]]]++;
    return 0;
}

static int two_by_two(struct stats_data *d, double **table, struct lw_err *err)
{
    size_t rows, columns;
    if (count_table(d, table, &rows, &columns, err) < 0)
        return err->code;
    if (rows != 2 || columns != 2)
        return lw_err_set(err, LW_EINVAL,
                          "this test needs a 2 x 2 table, but this one is %zu x %zu", rows,
                          columns);
    return 0;
}

static int run_chi2(struct stats_data *d, struct lw_err *err)
{
    double *table, least;
    size_t rows, columns;
    struct lw_test t;
    if (count_table(d, &table, &rows, &columns, err) < 0 ||
        lw_chi2_table(&t, table, rows, columns, cli_flag(d->cli, "yates"), &least, err) < 0)
        return err->code;
    struct stats_result r = result_of(&t, "rows and columns are independent", "chi-square");
    r.effect_name = "Cramér's V";
    r.effect = t.estimate;
    r.reading = t.estimate < 0.1   ? "negligible"
                : t.estimate < 0.3 ? "small"
                : t.estimate < 0.5 ? "medium"
                                   : "large";
    if (least < 5)
        stats_note(&r, lw_arena_printf(&d->cli->arena,
                                       "an expected count is %.3g, below 5: prefer Fisher's "
                                       "exact test for a 2 x 2 table",
                                       least));
    return conclude(d, &r, "Rows and columns depend on each other",
                    "Rows and columns show no significant dependence", err);
}

static int run_fisher(struct stats_data *d, struct lw_err *err)
{
    double *table;
    struct lw_test t;
    struct lw_odds o;
    if (two_by_two(d, &table, err) < 0 || lw_fisher(&t, table, stats_tail(d->cli), err) < 0 ||
        lw_odds_ratio(&o, table, err) < 0)
        return err->code;
    struct stats_result r = result_of(&t, "rows and columns are independent", NULL);
    r.effect_name = "odds ratio";
    r.effect = o.ratio;
    r.low = o.low;
    r.high = o.high;
    return conclude(d, &r, "Rows and columns depend on each other",
                    "Rows and columns show no significant dependence", err);
}

static int run_odds(struct stats_data *d, struct lw_err *err)
{
    double *table;
    struct lw_odds o;
    if (two_by_two(d, &table, err) < 0 || lw_odds_ratio(&o, table, err) < 0)
        return err->code;
    struct lw_test t = {.p = o.p};
    struct stats_result r = result_of(&t, "the odds are equal in both rows", NULL);
    r.effect_name = "odds ratio";
    r.effect = o.ratio;
    r.low = o.low;
    r.high = o.high;
    if (o.corrected)
        stats_note(&r, LW_S("a cell is empty: 1/2 was added to all four"));
    return conclude(d, &r, "The odds differ significantly",
                    "The odds do not differ significantly", err);
}

static int run_mcnemar(struct stats_data *d, struct lw_err *err)
{
    double *table;
    struct lw_test t;
    if (two_by_two(d, &table, err) < 0)
        return err->code;
    bool exact = exactness(d->cli) == LW_EXACT_YES ||
                 (exactness(d->cli) == LW_EXACT_AUTO && table[1] + table[2] < 1000);
    if (lw_mcnemar(&t, table[1], table[2], exact, err) < 0)
        return err->code;
    struct stats_result r = result_of(&t, "both columns say yes equally often",
                                      exact ? "smaller count" : "chi-square");
    r.effect_name = "ratio of the pairs that differ";
    r.effect = t.estimate;
    stats_note(&r, lw_arena_printf(&d->cli->arena, "%g pairs differ one way, %g the other",
                                   table[1], table[2]));
    return conclude(d, &r, "The two columns differ significantly",
                    "The two columns do not differ significantly", err);
}

/* ---- Agreement
 * --------------------------------------------------------------------------------------- */

static enum lw_kappa_weights weights_of(const struct cli *cli)
{
    const char *w = cli_value(cli, "weights");
    if (!w || strcmp(w, "plain") == 0)
        return LW_KAPPA_PLAIN;
    return strcmp(w, "linear") == 0 ? LW_KAPPA_LINEAR : LW_KAPPA_QUADRATIC;
}

/* The mean over rows of the kappa between the first and the second half of the columns; rows
 * for which kappa is not defined are left out and reported. */
static int kappa_by_row(struct stats_data *d, struct lw_err *err)
{
    if (stats_columns(d, false, err) < 0)
        return err->code;
    if (!cli_value(d->cli, "columns") && d->columns % 2 == 1) {
        d->columns--; /* the first column is the item's name */
        memmove(d->column, d->column + 1, d->columns * sizeof *d->column);
    }
    if (d->columns < 4 || d->columns % 2)
        return lw_err_set(err, LW_EINVAL,
                          "--per-row needs an even number of columns, the first "
                          "rater's and then the second's");
    uint32_t *code[STATS_GROUPS];
    size_t rows, k, half = d->columns / 2, used = 0;
    struct lw_str *names;
    if (stats_codes(d, d->columns, code, &rows, &names, &k, err) < 0)
        return err->code;
    double *table = lw_arena_array(&d->cli->arena, k * k, sizeof *table), sum = 0;
    if (!table)
        return lw_err_nomem(err);
    for (size_t r = 0; r < rows; r++) {
        struct lw_kappa one;
        struct lw_err ignored;
        memset(table, 0, k * k * sizeof *table);
        for (size_t c = 0; c < half; c++)
            table[code[c][r] * k + code[half + c][r]]++;
        if (lw_kappa(&one, table, k, weights_of(d->cli), &ignored) < 0)
            continue;
        sum += one.kappa;
        used++;
    }
    if (used == 0)
        return lw_err_set(err, LW_EINVAL, "kappa is not defined in any row");
    struct stats_result r = {.hypothesis = "none: a measure of agreement",
                             .df = NAN,
                             .df2 = NAN,
                             .p = NAN,
                             .effect_name = "mean kappa",
                             .effect = sum / (double)used,
                             .low = NAN,
                             .high = NAN,
                             .reading = lw_kappa_reading(sum / (double)used)};
    r.sentence =
        lw_arena_printf(&d->cli->arena,
                        "Over %zu of %zu rows the raters agree by %.1f %% beyond chance: "
                        "%s.",
                        used, rows, 100 * r.effect, r.reading);
    return stats_print(d, &r, err);
}

static int run_kappa(struct stats_data *d, struct lw_err *err)
{
    if (cli_flag(d->cli, "per-row"))
        return kappa_by_row(d, err);
    double *table;
    size_t k, columns;
    if (cli_flag(d->cli, "table")) {
        if (count_table(d, &table, &k, &columns, err) < 0)
            return err->code;
        if (k != columns)
            return lw_err_set(err, LW_EINVAL, "kappa needs a square table, not %zu x %zu", k,
                              columns);
    } else {
        uint32_t *code[2];
        size_t n;
        struct lw_str *names;
        if (stats_columns(d, false, err) < 0)
            return err->code;
        if (d->columns != 2)
            return lw_err_set(err, LW_EINVAL,
                              "kappa needs two columns, one for each rater (--columns A,B)");
        if (stats_codes(d, 2, code, &n, &names, &k, err) < 0)
            return err->code;
        table = lw_arena_array(&d->cli->arena, k * k, sizeof *table);
        if (!table)
            return lw_err_nomem(err);
        for (size_t r = 0; r < n; r++)
            table[code[0][r] * k + code[1][r]]++;
    }
    struct lw_kappa kappa;
    if (lw_kappa(&kappa, table, k, weights_of(d->cli), err) < 0)
        return err->code;
    struct stats_result r = {.hypothesis = "none: a measure of agreement",
                             .df = NAN,
                             .df2 = NAN,
                             .p = NAN,
                             .effect_name = "kappa",
                             .effect = kappa.kappa,
                             .low = kappa.low,
                             .high = kappa.high,
                             .reading = lw_kappa_reading(kappa.kappa)};
    r.sentence = lw_arena_printf(&d->cli->arena,
                                 "The raters agree in %.1f %% of the cases, %.1f %% beyond "
                                 "chance: %s.",
                                 100 * kappa.agreement, 100 * kappa.kappa, r.reading);
    return stats_print(d, &r, err);
}

/* ---- The command
 * ----------------------------------------------------------------------------------------- */

const struct stats_test stats_tests[] = {
    {"t-test", "means of two samples, equal variances (Student)", run_t},
    {"welch", "means of two samples, any variances", run_welch},
    {"paired-t", "mean difference of pairs", run_paired},
    {"anova", "means of several samples", run_anova},
    {"rm-anova", "means of several conditions on the same subjects", run_rm_anova},
    {"mann-whitney", "two samples by rank, with Cliff's delta", run_mann_whitney},
    {"wilcoxon", "pairs by signed rank", run_wilcoxon},
    {"kruskal", "several samples by rank", run_kruskal},
    {"shapiro", "is a sample normal", run_shapiro},
    {"ks", "two distributions (Kolmogorov-Smirnov)", run_ks},
    {"chi2", "independence of two columns, or of a table", run_chi2},
    {"fisher", "the same for 2 x 2, exact", run_fisher},
    {"mcnemar", "two columns of yes and no on the same cases", run_mcnemar},
    {"odds", "odds ratio with interval", run_odds},
    {"kappa", "agreement of two raters", run_kappa},
    {"cohen-d", "effect size of two means", run_cohen},
    {"cliff", "effect size of two rankings", run_cliff},
    {"glm", "binomial regression with logit link", stats_glm},
    {"apriori", "association rules", stats_apriori},
    {"bootstrap", "interval of a mean or median", stats_bootstrap},
    {"describe", "moments and quantiles of columns", stats_describe},
    {"adjust", "p-values of several tests (Holm, Benjamini-Hochberg)", stats_adjust},
    {"cochran", "how large a sample has to be (no file)", stats_cochran, true},
    {"sample", "draw rows, simple or stratified", stats_sample},
    {0},
};

static int unknown_test(const char *name, struct lw_err *err)
{
    char list[600];
    size_t n = 0;
    const struct stats_test *near = NULL;
    list[0] = '\0';
    for (const struct stats_test *t = stats_tests; t->name; t++) {
        size_t length = strlen(t->name);
        if (n + length + 3 < sizeof list) {
            memcpy(list + n, n ? ", " : "", n ? 2 : 0);
            n += n ? 2 : 0;
            memcpy(list + n, t->name, length + 1);
            n += length;
        }
        if (!near && lw_str_distance(lw_str(name), lw_str(t->name), 2) <= 2)
            near = t;
    }
    if (near)
        return lw_err_set(err, LW_EINVAL, "there is no test '%s'; did you mean '%s'?", name,
                          near->name);
    return lw_err_set(err, LW_EINVAL, "there is no test '%s'; the tests are %s", name, list);
}

static int read_frame(struct stats_data *d, const char *path, struct lw_err *err)
{
    struct lw_csv csv;
    int rc = lw_csv_open_file(&csv, d->cli->ctx.mem, path, ',', err);
    if (rc < 0)
        return rc;
    rc = lw_frame_read(&d->frame, &d->cli->arena, &csv, 0, err);
    lw_csv_close(&csv);
    return rc;
}

static int run_stats(struct cli *cli, struct lw_err *err)
{
    const struct stats_test *test = stats_tests;
    while (test->name && strcmp(test->name, cli->args[0]) != 0)
        test++;
    if (!test->name)
        return unknown_test(cli->args[0], err);
    if (!test->no_file && cli->arg_count < 2)
        return lw_err_set(err, LW_EINVAL, "'%s' needs a CSV file", test->name);
    struct stats_data *d = lw_arena_alloc(&cli->arena, sizeof *d);
    if (!d)
        return lw_err_nomem(err);
    d->cli = cli;
    if (!test->no_file && read_frame(d, cli->args[1], err) < 0)
        return err->code;
    return test->run(d, err);
}

static const struct cli_option options[] = {
    {"columns", 'c', "A,B", NULL,
     "the columns to use, by name or number (default: all suitable ones)"},
    {"by", 0, "COLUMN", NULL, "split the chosen column into samples by this one"},
    {"tail", 0, "T", "two|less|greater",
     "alternative hypothesis: the first sample differs, is smaller or is larger"},
    {"exact", 0, "E", "auto|yes|no",
     "compute exact p-values (default: auto, where that is "
     "cheap)"},
    {"alpha", 0, "A", NULL, "level of significance in the closing sentence (default: 0.05)"},
    {"table", 0, NULL, NULL, "the columns are a table of counts, not cases"},
    {"yates", 0, NULL, NULL, "chi2: correct a 2 x 2 table for continuity"},
    {"weights", 0, "W", "plain|linear|quadratic", "kappa: weights of near misses"},
    {"per-row", 0, NULL, NULL, "kappa: mean over rows; first half of the columns is one rater"},
    {"outcome", 0, "COLUMN", NULL, "glm: the column of 0 and 1 to explain"},
    {"factor", 0, "A,B", NULL, "glm: columns to treat as categories"},
    {"support", 0, "S", NULL, "apriori: minimum fraction of transactions (default: 0.1)"},
    {"confidence", 0, "C", NULL,
     "apriori: minimum confidence (default: 0.5); cochran: level "
     "(default: 0.95)"},
    {"length", 0, "N", NULL, "apriori: maximum items in a set (default: no limit)"},
    {"antecedent", 0, "A,B", NULL,
     "apriori: only rules whose left side is made of these items"},
    {"algorithm", 0, "A", "apriori|fp-growth", "apriori: how to find the sets (same result)"},
    {"margin", 0, "E", NULL, "cochran: margin of error (default: 0.05)"},
    {"share", 0, "P", NULL, "cochran: expected proportion (default: 0.5)"},
    {"population", 0, "N", NULL, "cochran: size of the population (default: infinite)"},
    {"size", 0, "K", NULL, "sample: how many rows"},
    {"strata", 0, "COLUMN", NULL, "sample: in proportion to the categories of this column"},
    {"statistic", 0, "S", "mean|median", "bootstrap: of what (default: mean)"},
    {"format", 0, "F", "text|json", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct cli_example examples[] = {
    {"lacewing stats mann-whitney runs.csv --columns ours,theirs", "two columns by rank"},
    {"lacewing stats welch runs.csv --columns seconds --by tool",
     "one column split by another"},
    {"lacewing stats glm survey.csv --outcome reproduced --factor experience",
     "which predictors matter"},
    {"lacewing stats apriori actions.csv --support 0.1 --length 2",
     "items that occur together"},
    {"lacewing stats cochran --population 3412", "how many rows to sample"},
    {NULL, NULL},
};

const struct cli_command cmd_stats = {
    .name = "stats",
    .usage = "TEST [FILE.csv]",
    .summary = "statistical tests, effect sizes, regression and association rules",
    .details =
        "Tests: t-test, welch, paired-t, anova, rm-anova, mann-whitney, wilcoxon, kruskal, "
        "shapiro, ks, chi2, fisher, mcnemar, odds, kappa, cohen-d, cliff, glm, apriori, "
        "bootstrap, describe, adjust, cochran, sample.\n\n"
        "The file has a header row; empty fields, NA and ? are missing and left out. See "
        "docs/statistics.md for every test, its assumptions and its source.",
    .options = options,
    .examples = examples,
    .min_args = 1,
    .max_args = 2,
    .run = run_stats,
};
