/* The tests of `lacewing stats` with a form of result of their own. */
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/map.h"
#include "base/num.h"
#include "base/str.h"
#include "base/table.h"
#include "cli/stats.h"
#include "numeric/assoc.h"
#include "numeric/describe.h"
#include "numeric/glm.h"
#include "numeric/resample.h"

static bool is_listed(const struct cli *cli, const char *option, struct lw_str name)
{
    const char *list = cli_value(cli, option);
    struct lw_str rest = lw_str(list), item;
    while (list && lw_str_split(&rest, ',', &item))
        if (lw_str_eq(lw_str_trim(item), name))
            return true;
    return false;
}

/* ---- Regression
 * ---------------------------------------------------------------------------------- */

/* The predictors as numbers: a numeric column is one, a factor is a 0/1 column for every
 * category but the first. */
struct design {
    double *x; /* (rows, columns) */
    double *y;
    struct lw_str *name; /* (columns) */
    size_t rows, columns;
    size_t left_out;
};

struct predictor {
    size_t column;
    bool factor;
    uint32_t *code;
    struct lw_str *level;
    size_t levels;
};

static int choose_predictors(struct stats_data *d, size_t outcome, struct predictor *p,
                             size_t *count, struct lw_err *err)
{
    if (stats_columns(d, false, err) < 0)
        return err->code;
    *count = 0;
    for (size_t c = 0; c < d->columns; c++) {
        const struct lw_column *col = &d->frame.column[d->column[c]];
        if (d->column[c] == outcome)
            continue;
        struct predictor *now = &p[(*count)++];
        *now = (struct predictor){.column = d->column[c],
                                  .factor =
                                      !col->numeric || is_listed(d->cli, "factor", col->name)};
        if (!now->factor)
            continue;
        struct stats_data one = *d;
        size_t rows;
        one.column[0] = d->column[c];
        if (col->missing)
            return lw_err_set(err, LW_EINVAL, "factor '%.*s' has missing values",
                              LW_F(col->name));
        if (stats_codes(&one, 1, &now->code, &rows, &now->level, &now->levels, err) < 0)
            return err->code;
    }
    if (*count == 0)
        return lw_err_set(err, LW_EINVAL, "there is no predictor column");
    return 0;
}

static int build_design(struct stats_data *d, size_t outcome, const struct predictor *p,
                        size_t count, struct design *out, struct lw_err *err)
{
    const struct lw_column *y = &d->frame.column[outcome];
    for (size_t i = 0; i < count; i++)
        out->columns += p[i].factor ? p[i].levels - 1 : 1;
    out->x = lw_arena_array(&d->cli->arena, d->frame.rows * out->columns, sizeof *out->x);
    out->y = lw_arena_array(&d->cli->arena, d->frame.rows, sizeof *out->y);
    out->name = lw_arena_array(&d->cli->arena, out->columns, sizeof *out->name);
    if (!out->x || !out->y || !out->name)
        return lw_err_nomem(err);
    size_t k = 0;
    for (size_t i = 0; i < count; i++) {
        struct lw_str name = d->frame.column[p[i].column].name;
        for (size_t l = 1; p[i].factor && l < p[i].levels; l++)
            out->name[k++] =
                lw_arena_printf(&d->cli->arena, "%.*s = %.*s", LW_F(name), LW_F(p[i].level[l]));
        if (!p[i].factor)
            out->name[k++] = name;
    }
    for (size_t r = 0; r < d->frame.rows; r++) {
        double *row = out->x + out->rows * out->columns;
        bool gone = isnan(y->num[r]);
        k = 0;
        for (size_t i = 0; i < count; i++) {
            for (size_t l = 1; p[i].factor && l < p[i].levels; l++)
                row[k++] = p[i].code[r] == l;
            if (!p[i].factor) {
                row[k] = d->frame.column[p[i].column].num[r];
                gone = gone || isnan(row[k++]);
            }
        }
        if (gone)
            out->left_out++;
        else
            out->y[out->rows++] = y->num[r];
    }
    return 0;
}

static void glm_json(struct stats_data *d, const struct lw_glm *g, const struct design *x)
{
    struct lw_jsonw w;
    stats_json_begin(&w, d);
    lw_json_key_int(&w, "rows", (int64_t)x->rows);
    lw_json_key_int(&w, "left_out", (int64_t)x->left_out);
    lw_json_key_bool(&w, "separated", g->separated);
    lw_json_key_double(&w, "log_likelihood", g->log_likelihood);
    lw_json_key_double(&w, "null_log_likelihood", g->null_log_likelihood);
    lw_json_key_double(&w, "aic", g->aic);
    lw_json_key_double(&w, "df", g->df);
    lw_json_key_double(&w, "pseudo_r2", g->r2);
    lw_json_key(&w, "coefficients");
    lw_json_array(&w);
    for (size_t i = 0; i < g->count; i++) {
        const struct lw_coefficient *c = &g->coef[i];
        lw_json_object(&w);
        lw_json_key_text(&w, "name", i ? x->name[i - 1] : LW_S("(intercept)"));
        lw_json_key_bool(&w, "aliased", c->aliased);
        lw_json_key_double(&w, "estimate", c->estimate);
        lw_json_key_double(&w, "std_error", c->se);
        lw_json_key_double(&w, "z", c->z);
        lw_json_key_double(&w, "p", c->p);
        lw_json_key_double(&w, "odds_ratio", c->odds_ratio);
        lw_json_key_double(&w, "odds_low", c->odds_low);
        lw_json_key_double(&w, "odds_high", c->odds_high);
        lw_json_end(&w);
    }
    lw_json_end(&w);
    lw_json_end(&w);
}

static int glm_text(struct stats_data *d, const struct lw_glm *g, const struct design *x,
                    struct lw_err *err)
{
    static const struct lw_table_column columns[] = {{"predictor", false, true},
                                                     {"estimate", true},
                                                     {"std. error", true},
                                                     {"z", true},
                                                     {"p", true},
                                                     {"odds ratio", true},
                                                     {"95 % interval", true}};
    struct lw_table t;
    lw_table_init(&t, d->cli->ctx.mem, columns, 7);
    for (size_t i = 0; i < g->count; i++) {
        const struct lw_coefficient *c = &g->coef[i];
        lw_table_cell(&t, i ? x->name[i - 1] : LW_S("(intercept)"));
        if (c->aliased) {
            lw_table_cellf(&t, "left out");
            for (int k = 0; k < 5; k++)
                lw_table_cellf(&t, "-");
            continue;
        }
        lw_table_cellf(&t, "%.4f", c->estimate);
        lw_table_cellf(&t, "%.4f", c->se);
        lw_table_cellf(&t, "%.3f", c->z);
        lw_table_cellf(&t, c->p < 0.001 ? "%.2g" : "%.4f", c->p);
        lw_table_cellf(&t, "%.4g", c->odds_ratio);
        lw_table_cellf(&t, "%.3g to %.3g", c->odds_low, c->odds_high);
    }
    int rc = lw_table_print(&t, &d->cli->out, &d->cli->term, err);
    lw_table_release(&t);
    struct lw_sink *out = &d->cli->out;
    lw_putf(out, "\nhypothesis: each coefficient is 0, the others being in the model\n");
    lw_putf(out,
            "fit:        log likelihood %.4f (%.4f without predictors), AIC %.2f, "
            "McFadden's R2 %.3f, %zu rows\n\n",
            g->log_likelihood, g->null_log_likelihood, g->aic, g->r2, x->rows);
    bool any = false;
    for (size_t i = 1; i < g->count; i++)
        if (!g->separated && g->coef[i].p < 0.05) {
            lw_putz(out, any ? " " : "");
            lw_put_safe(out, x->name[i - 1], false);
            lw_putf(out, " multiplies the odds by %.3g.", g->coef[i].odds_ratio);
            any = true;
        }
    if (g->separated)
        lw_putz(out, "The predictors separate the outcomes: no finite estimate exists, and the "
                     "standard errors are meaningless.");
    else if (!any)
        lw_putz(out, "No predictor has a significant effect (level 0.05).");
    lw_putz(out, "\n");
    if (x->left_out)
        lw_putf(out, "note: %zu rows with a missing value left out\n", x->left_out);
    return rc;
}

int stats_glm(struct stats_data *d, struct lw_err *err)
{
    const char *name = cli_value(d->cli, "outcome");
    size_t outcome, count = 0;
    struct predictor p[STATS_GROUPS];
    struct design x = {0};
    struct lw_glm g;
    if (!name)
        return lw_err_set(err, LW_EINVAL, "glm needs --outcome, the column to explain");
    if (lw_frame_find(&d->frame, lw_str(name), &outcome, err) < 0)
        return err->code;
    if (!d->frame.column[outcome].numeric)
        return lw_err_set(err, LW_EINVAL, "the outcome '%s' is not a column of 0 and 1", name);
    if (choose_predictors(d, outcome, p, &count, err) < 0 ||
        build_design(d, outcome, p, count, &x, err) < 0 ||
        lw_glm_logit(&g, &d->cli->arena, x.x, x.y, x.rows, x.columns, err) < 0)
        return err->code;
    if (cli_wants(d->cli, "json")) {
        glm_json(d, &g, &x);
        return 0;
    }
    return glm_text(d, &g, &x, err);
}

/* ---- Association rules
 * --------------------------------------------------------------------------------- */

struct baskets {
    struct lw_map items; /* name to number */
    LW_VEC(size_t) start;
    LW_VEC(uint32_t) item;
};

static int add_item(struct baskets *b, struct lw_mem *mem, struct lw_str name,
                    struct lw_err *err)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&b->items, name, &is_new);
    if (!e)
        return lw_err_nomem(err);
    if (is_new)
        e->value = b->items.n - 1;
    return lw_vec_push(mem, &b->item, (uint32_t)e->value) < 0 ? lw_err_nomem(err) : 0;
}

/* Ascending, without repetition. */
static void tidy_basket(struct baskets *b, size_t from)
{
    uint32_t *v = b->item.v;
    for (size_t i = from + 1; i < b->item.n; i++) {
        uint32_t x = v[i];
        size_t j = i;
        for (; j > from && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
    size_t k = from;
    for (size_t i = from; i < b->item.n; i++)
        if (i == from || v[i] != v[k - 1])
            v[k++] = v[i];
    b->item.n = k;
}

/* A 0/1 column is an item where it is 1; a column of words has an item "column=word", or one
 * for each word of a list "a;b;c". */
static int read_basket(struct stats_data *d, struct baskets *b, size_t row, struct lw_err *err)
{
    struct lw_mem *mem = d->cli->ctx.mem;
    for (size_t c = 0; c < d->columns; c++) {
        const struct lw_column *col = &d->frame.column[d->column[c]];
        if (col->numeric) {
            if (isnan(col->num[row]) || col->num[row] == 0)
                continue;
            if (col->num[row] != 1)
                return lw_err_set(
                    err, LW_EINVAL,
                    "column '%.*s' contains %g; apriori needs columns of 0 and 1, or of words",
                    LW_F(col->name), col->num[row]);
            if (add_item(b, mem, col->name, err) < 0)
                return err->code;
            continue;
        }
        struct lw_str text = lw_frame_text(&d->frame, d->column[c], row), word;
        bool list = lw_str_find_char(text, ';') != LW_NPOS;
        while (text.n && list && lw_str_split(&text, ';', &word))
            if (lw_str_trim(word).n && add_item(b, mem, lw_str_trim(word), err) < 0)
                return err->code;
        if (text.n && !list) {
            struct lw_str item = d->columns == 1 ? text
                                                 : lw_arena_printf(&d->cli->arena, "%.*s=%.*s",
                                                                   LW_F(col->name), LW_F(text));
            if (!item.p)
                return lw_err_nomem(err);
            if (add_item(b, mem, item, err) < 0)
                return err->code;
        }
    }
    return 0;
}

static void put_rule_json(struct lw_jsonw *w, const struct baskets *b,
                          const struct lw_itemsets *sets, const struct lw_rule *r)
{
    const struct lw_itemset *s = &sets->set.v[r->set];
    lw_json_object(w);
    lw_json_key(w, "antecedent");
    lw_json_array(w);
    for (size_t i = 0; i < s->n; i++)
        if (sets->item.v[s->at + i] != r->right)
            lw_json_text(w, b->items.entries[sets->item.v[s->at + i]].key);
    lw_json_end(w);
    lw_json_key_text(w, "consequent", b->items.entries[r->right].key);
    lw_json_key_int(w, "count", r->count);
    lw_json_key_int(w, "antecedent_count", r->left_count);
    lw_json_key_double(w, "support", r->support);
    lw_json_key_double(w, "confidence", r->confidence);
    lw_json_key_double(w, "lift", r->lift);
    lw_json_end(w);
}

static void put_rules_json(struct stats_data *d, const struct baskets *b,
                           const struct lw_itemsets *sets, const lw_rule_vec *rules)
{
    struct lw_jsonw w;
    stats_json_begin(&w, d);
    lw_json_key_int(&w, "transactions", (int64_t)b->start.n - 1);
    lw_json_key_int(&w, "items", (int64_t)b->items.n);
    lw_json_key(&w, "itemsets");
    lw_json_array(&w);
    for (size_t i = 0; i < sets->set.n; i++) {
        const struct lw_itemset *s = &sets->set.v[i];
        lw_json_object(&w);
        lw_json_key(&w, "items");
        lw_json_array(&w);
        for (size_t k = 0; k < s->n; k++)
            lw_json_text(&w, b->items.entries[sets->item.v[s->at + k]].key);
        lw_json_end(&w);
        lw_json_key_int(&w, "count", s->count);
        lw_json_key_double(&w, "support", (double)s->count / (double)(b->start.n - 1));
        lw_json_end(&w);
    }
    lw_json_end(&w);
    lw_json_key(&w, "rules");
    lw_json_array(&w);
    for (size_t i = 0; i < rules->n; i++)
        put_rule_json(&w, b, sets, &rules->v[i]);
    lw_json_end(&w);
    lw_json_end(&w);
}

static int put_rules_text(struct stats_data *d, const struct baskets *b,
                          const struct lw_itemsets *sets, const lw_rule_vec *rules,
                          struct lw_err *err)
{
    static const struct lw_table_column columns[] = {
        {"antecedent", false, true}, {"consequent", false, true}, {"count", true},
        {"support", true},           {"confidence", true},        {"lift", true}};
    struct lw_table t;
    struct lw_buf left;
    lw_table_init(&t, d->cli->ctx.mem, columns, 6);
    lw_buf_init(&left, d->cli->ctx.mem, 0);
    for (size_t i = 0; i < rules->n; i++) {
        const struct lw_rule *r = &rules->v[i];
        const struct lw_itemset *s = &sets->set.v[r->set];
        lw_buf_clear(&left);
        for (size_t k = 0; k < s->n; k++)
            if (sets->item.v[s->at + k] != r->right) {
                lw_buf_addz(&left, left.n ? ", " : "");
                lw_buf_add(&left, b->items.entries[sets->item.v[s->at + k]].key);
            }
        lw_table_cell(&t, lw_buf_str(&left));
        lw_table_cell(&t, b->items.entries[r->right].key);
        lw_table_cellf(&t, "%u/%u", r->count, r->left_count);
        lw_table_cellf(&t, "%.4f", r->support);
        lw_table_cellf(&t, "%.4f", r->confidence);
        lw_table_cellf(&t, "%.3f", r->lift);
    }
    int rc = rules->n ? lw_table_print(&t, &d->cli->out, &d->cli->term, err) : 0;
    lw_table_release(&t);
    lw_buf_release(&left);
    lw_putf(&d->cli->out,
            "%s%zu rules from %zu frequent sets in %zu transactions of %zu items\n",
            rules->n ? "\n" : "", rules->n, sets->set.n, b->start.n - 1, b->items.n);
    return rc;
}

/* Which items may stand on the left; LW_EINVAL for a name that is not an item. */
static int allowed_items(struct stats_data *d, const struct baskets *b, bool **out,
                         struct lw_err *err)
{
    const char *list = cli_value(d->cli, "antecedent");
    *out = NULL;
    if (!list)
        return 0;
    *out = lw_arena_array(&d->cli->arena, b->items.n, sizeof **out);
    if (!*out)
        return lw_err_nomem(err);
    struct lw_str rest = lw_str(list), name;
    while (lw_str_split(&rest, ',', &name)) {
        struct lw_map_entry *e = lw_map_find(&b->items, lw_str_trim(name));
        if (!e)
            return lw_err_set(err, LW_EINVAL, "there is no item '%.*s'", LW_F(name));
        (*out)[e->value] = true;
    }
    return 0;
}

static int find_rules(struct stats_data *d, struct baskets *b, struct lw_itemsets *sets,
                      lw_rule_vec *rules, struct lw_err *err)
{
    struct lw_mem *mem = d->cli->ctx.mem;
    const char *algorithm = cli_value(d->cli, "algorithm");
    double support, confidence;
    uint64_t length;
    bool *allowed;
    if (stats_number(d->cli, "support", 0.1, 1e-9, 1, &support, err) < 0 ||
        stats_number(d->cli, "confidence", 0.5, 0, 1, &confidence, err) < 0 ||
        cli_number(d->cli, "length", 0, 1, 64, &length, err) < 0 ||
        stats_columns(d, false, err) < 0 || lw_vec_push(mem, &b->start, (size_t)0) < 0)
        return err->code ? err->code : lw_err_nomem(err);
    for (size_t r = 0; r < d->frame.rows; r++) {
        size_t from = b->item.n;
        if (read_basket(d, b, r, err) < 0)
            return err->code;
        tidy_basket(b, from);
        if (lw_vec_push(mem, &b->start, b->item.n) < 0)
            return lw_err_nomem(err);
    }
    struct lw_transactions t = {b->start.n - 1, b->items.n, b->start.v, b->item.v};
    struct lw_assoc_options o = {.min_support = support, .max_length = (size_t)length};
    if (allowed_items(d, b, &allowed, err) < 0)
        return err->code;
    int rc = algorithm && strcmp(algorithm, "fp-growth") == 0
                 ? lw_fp_growth(sets, mem, &t, &o, err)
                 : lw_apriori(sets, mem, &t, &o, err);
    return rc == 0 ? lw_rules(rules, sets, &t, confidence, allowed, err) : rc;
}

int stats_apriori(struct stats_data *d, struct lw_err *err)
{
    struct lw_mem *mem = d->cli->ctx.mem;
    struct baskets b = {0};
    struct lw_itemsets sets = {.mem = mem};
    lw_rule_vec rules = {0};
    lw_map_init(&b.items, mem);
    err->code = 0;
    int rc = find_rules(d, &b, &sets, &rules, err);
    if (rc == 0 && cli_wants(d->cli, "json"))
        put_rules_json(d, &b, &sets, &rules);
    else if (rc == 0)
        rc = put_rules_text(d, &b, &sets, &rules, err);
    lw_vec_release(mem, &rules);
    lw_itemsets_release(&sets);
    lw_vec_release(mem, &b.start);
    lw_vec_release(mem, &b.item);
    lw_map_release(&b.items);
    return rc;
}

/* ---- Samples
 * ---------------------------------------------------------------------------------------------
 */

int stats_cochran(struct stats_data *d, struct lw_err *err)
{
    double level, margin, share, population, n;
    if (stats_number(d->cli, "confidence", 0.95, 0.01, 0.999999, &level, err) < 0 ||
        stats_number(d->cli, "margin", 0.05, 1e-6, 0.99, &margin, err) < 0 ||
        stats_number(d->cli, "share", 0.5, 1e-6, 0.999999, &share, err) < 0 ||
        stats_number(d->cli, "population", 0, 0, 1e15, &population, err) < 0 ||
        lw_cochran(&n, level, margin, share, population, err) < 0)
        return err->code;
    if (cli_wants(d->cli, "json")) {
        struct lw_jsonw w;
        stats_json_begin(&w, d);
        lw_json_key_double(&w, "confidence", level);
        lw_json_key_double(&w, "margin", margin);
        lw_json_key_double(&w, "share", share);
        lw_json_key_double(&w, "population", population);
        lw_json_key_double(&w, "size", n);
        lw_json_end(&w);
        return 0;
    }
    lw_putf(&d->cli->out,
            "A proportion near %g is estimated within %g at %g %% confidence by %.0f", share,
            margin, 100 * level, n);
    if (population > 0)
        lw_putf(&d->cli->out, " of %.0f", population);
    lw_putz(&d->cli->out, " cases.\n");
    return 0;
}

static void put_field(struct stats_data *d, size_t column, size_t row, bool first)
{
    const struct lw_column *c = &d->frame.column[column];
    if (c->numeric && !isnan(c->num[row])) {
        char text[LW_DOUBLE_TEXT];
        lw_csv_put(&d->cli->out, lw_str(lw_print_double(c->num[row], text)), first);
    } else {
        lw_csv_put(&d->cli->out, lw_frame_text(&d->frame, column, row), first);
    }
}

/* Prints the chosen rows as CSV, or their numbers as JSON. */
static void put_sample(struct stats_data *d, const uint32_t *row, size_t k)
{
    if (cli_wants(d->cli, "json")) {
        struct lw_jsonw w;
        stats_json_begin(&w, d);
        lw_json_key_int(&w, "seed", (int64_t)d->cli->ctx.seed);
        lw_json_key_int(&w, "population", (int64_t)d->frame.rows);
        lw_json_key(&w, "rows");
        lw_json_array(&w);
        for (size_t i = 0; i < k; i++)
            lw_json_int(&w, (int64_t)row[i] + 1);
        lw_json_end(&w);
        lw_json_end(&w);
        return;
    }
    for (size_t c = 0; c < d->frame.columns; c++)
        lw_csv_put(&d->cli->out, d->frame.column[c].name, c == 0);
    lw_csv_end_row(&d->cli->out);
    for (size_t i = 0; i < k; i++) {
        for (size_t c = 0; c < d->frame.columns; c++)
            put_field(d, c, row[i], c == 0);
        lw_csv_end_row(&d->cli->out);
    }
}

int stats_sample(struct stats_data *d, struct lw_err *err)
{
    const char *strata = cli_value(d->cli, "strata");
    uint64_t size;
    size_t n = d->frame.rows;
    if (!cli_value(d->cli, "size"))
        return lw_err_set(err, LW_EINVAL, "sample needs --size");
    if (cli_number(d->cli, "size", 0, 0, n, &size, err) < 0)
        return err->code;
    size_t k = (size_t)size;
    uint32_t *row = lw_arena_array(&d->cli->arena, k, sizeof *row);
    if (!row)
        return lw_err_nomem(err);
    int rc;
    if (strata) {
        uint32_t *code;
        size_t rows, classes;
        struct lw_str *names;
        if (lw_frame_find(&d->frame, lw_str(strata), &d->column[0], err) < 0)
            return err->code;
        if (d->frame.column[d->column[0]].missing)
            return lw_err_set(err, LW_EINVAL, "column '%s' has missing values", strata);
        if (stats_codes(d, 1, &code, &rows, &names, &classes, err) < 0)
            return err->code;
        rc = lw_sample_stratified(d->cli->ctx.mem, code, n, classes, k, d->cli->ctx.seed, row,
                                  err);
    } else {
        rc = lw_sample_simple(d->cli->ctx.mem, n, k, d->cli->ctx.seed, row, err);
    }
    if (rc == 0)
        put_sample(d, row, k);
    return rc;
}

/* ---- Descriptions
 * ----------------------------------------------------------------------------------------- */

struct description {
    struct lw_moments m;
    double q1, median, q3;
};

static struct description describe(struct stats_group *g)
{
    struct description s;
    lw_moments_init(&s.m);
    lw_moments_add(&s.m, g->x, g->n);
    s.q1 = lw_quantile(g->x, g->n, 0.25);
    s.median = lw_quantile(g->x, g->n, 0.5);
    s.q3 = lw_quantile(g->x, g->n, 0.75);
    return s;
}

static void describe_json(struct stats_data *d)
{
    struct lw_jsonw w;
    stats_json_begin(&w, d);
    lw_json_key_int(&w, "left_out", (int64_t)d->left_out);
    lw_json_key(&w, "samples");
    lw_json_array(&w);
    for (size_t g = 0; g < d->groups; g++) {
        struct description s = describe(&d->group[g]);
        lw_json_object(&w);
        lw_json_key_text(&w, "name", d->group[g].name);
        lw_json_key_int(&w, "n", (int64_t)s.m.n);
        lw_json_key_double(&w, "min", s.m.min);
        lw_json_key_double(&w, "q1", s.q1);
        lw_json_key_double(&w, "median", s.median);
        lw_json_key_double(&w, "q3", s.q3);
        lw_json_key_double(&w, "max", s.m.max);
        lw_json_key_double(&w, "mean", s.m.n ? s.m.mean : NAN);
        lw_json_key_double(&w, "variance", lw_moments_variance(&s.m, 1));
        lw_json_key_double(&w, "sd", lw_moments_sd(&s.m, 1));
        lw_json_key_double(&w, "skewness", lw_moments_skewness(&s.m));
        lw_json_key_double(&w, "kurtosis", lw_moments_kurtosis(&s.m));
        lw_json_key_double(&w, "sparsity", lw_moments_sparsity(&s.m));
        lw_json_end(&w);
    }
    lw_json_end(&w);
    lw_json_end(&w);
}

int stats_describe(struct stats_data *d, struct lw_err *err)
{
    static const struct lw_table_column columns[] = {
        {"sample", false, true}, {"n", true},    {"min", true}, {"median", true},
        {"max", true},           {"mean", true}, {"sd", true},  {"skewness", true},
        {"kurtosis", true},      {"zeros", true}};
    if (stats_groups(d, false, 1, STATS_GROUPS, err) < 0)
        return err->code;
    if (cli_wants(d->cli, "json")) {
        describe_json(d);
        return 0;
    }
    struct lw_table t;
    lw_table_init(&t, d->cli->ctx.mem, columns, 10);
    for (size_t g = 0; g < d->groups; g++) {
        struct description s = describe(&d->group[g]);
        lw_table_cell(&t, d->group[g].name);
        lw_table_cellf(&t, "%zu", d->group[g].n);
        double v[] = {s.m.min,
                      s.median,
                      s.m.max,
                      s.m.n ? s.m.mean : NAN,
                      lw_moments_sd(&s.m, 1),
                      lw_moments_skewness(&s.m),
                      lw_moments_kurtosis(&s.m)};
        for (size_t i = 0; i < sizeof v / sizeof *v; i++)
            lw_table_cellf(&t, "%.5g", v[i]);
        lw_table_cellf(&t, "%.1f %%", 100 * lw_moments_sparsity(&s.m));
    }
    int rc = lw_table_print(&t, &d->cli->out, &d->cli->term, err);
    lw_table_release(&t);
    if (d->left_out)
        lw_putf(&d->cli->out, "note: %zu missing value%s left out\n", d->left_out,
                d->left_out == 1 ? "" : "s");
    return rc;
}

int stats_adjust(struct stats_data *d, struct lw_err *err)
{
    static const struct lw_table_column columns[] = {
        {"p", true}, {"Holm", true}, {"Benjamini-Hochberg", true}};
    if (stats_groups(d, false, 1, 1, err) < 0)
        return err->code;
    size_t n = d->group[0].n;
    double *p = d->group[0].x;
    double *holm = lw_arena_array(&d->cli->arena, n, sizeof *holm);
    double *bh = lw_arena_array(&d->cli->arena, n, sizeof *bh);
    if (!holm || !bh)
        return lw_err_nomem(err);
    if (lw_holm(d->cli->ctx.mem, p, n, holm, err) < 0 ||
        lw_benjamini_hochberg(d->cli->ctx.mem, p, n, bh, err) < 0)
        return err->code;
    if (cli_wants(d->cli, "json")) {
        struct lw_jsonw w;
        stats_json_begin(&w, d);
        lw_json_key(&w, "values");
        lw_json_array(&w);
        for (size_t i = 0; i < n; i++) {
            lw_json_object(&w);
            lw_json_key_double(&w, "p", p[i]);
            lw_json_key_double(&w, "holm", holm[i]);
            lw_json_key_double(&w, "benjamini_hochberg", bh[i]);
            lw_json_end(&w);
        }
        lw_json_end(&w);
        lw_json_end(&w);
        return 0;
    }
    struct lw_table t;
    lw_table_init(&t, d->cli->ctx.mem, columns, 3);
    for (size_t i = 0; i < n; i++) {
        lw_table_cellf(&t, "%.4g", p[i]);
        lw_table_cellf(&t, "%.4g", holm[i]);
        lw_table_cellf(&t, "%.4g", bh[i]);
    }
    int rc = lw_table_print(&t, &d->cli->out, &d->cli->term, err);
    lw_table_release(&t);
    return rc;
}

int stats_bootstrap(struct stats_data *d, struct lw_err *err)
{
    const char *what = cli_value(d->cli, "statistic");
    bool median = what && strcmp(what, "median") == 0;
    struct lw_bootstrap how = {.seed = d->cli->ctx.seed,
                               .jobs = d->cli->ctx.jobs,
                               .statistic = median ? lw_statistic_median : lw_statistic_mean};
    struct lw_interval i;
    if (stats_groups(d, false, 1, 1, err) < 0 ||
        lw_bootstrap(&i, d->cli->ctx.mem, (struct lw_sample){d->group[0].x, d->group[0].n},
                     &how, err) < 0)
        return err->code;
    struct stats_result r = {.hypothesis = "none: an interval",
                             .df = NAN,
                             .df2 = NAN,
                             .p = NAN,
                             .effect_name = median ? "median" : "mean",
                             .effect = i.value,
                             .low = i.low,
                             .high = i.high};
    r.sentence =
        lw_arena_printf(&d->cli->arena,
                        "With 95 %% confidence the %s lies between %.5g and %.5g "
                        "(9,999 resamples, seed %llu).",
                        r.effect_name, i.low, i.high, (unsigned long long)d->cli->ctx.seed);
    return stats_print(d, &r, err);
}
