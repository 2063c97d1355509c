#include "triage/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "numeric/linear.h"
#include "triage/table.h"

/* How a group is weighted. `idf`: words, by TF-IDF with unit length. `least`: reports that must
 * have a feature for it to be learnt. Chosen by cross-validation on the labelled posts and
 * reports. */
static const struct {
    double weight;
    bool idf;
    uint32_t least;
} groups[LW_FEATURE_GROUPS] = {
    [LW_FEATURES_TITLE_CONCEPTS] = {0.7, false, 1},
    [LW_FEATURES_TITLE_WORDS] = {1.0, true, 2},
    [LW_FEATURES_SORT_CONCEPTS] = {0.5, false, 1},
    [LW_FEATURES_SORT_WORDS] = {0.7, true, 2},
    [LW_FEATURES_PROSE_CONCEPTS] = {1.0, false, 2},
    [LW_FEATURES_PROSE_WORDS] = {1.0, true, 3},
    [LW_FEATURES_ERROR_CONCEPTS] = {0.5, false, 2},
    [LW_FEATURES_FRAME_CONCEPTS] = {0.5, false, 2},
    [LW_FEATURES_CODE_CONCEPTS] = {0.5, false, 2},
    [LW_FEATURES_PATH_WORDS] = {0.7, true, 3},
    [LW_FEATURES_FACTS] = {0.3, false, 2},
    [LW_FEATURES_TAGS] = {1.0, false, 1},
};

static const double cost = 1; /* C of the regression */

/* ---- From features to numbers -------------------------------------------------------------
 */

struct cell {
    uint32_t column;
    uint32_t feature; /* its number in the list */
    double value;
};

/* The known features as weighted numbers; `cells` has room for all. */
static size_t vectorise(const struct lw_map *columns, const double *idf,
                        const lw_features *features, struct cell *cells)
{
    double length[LW_FEATURE_GROUPS] = {0};
    size_t n = 0;
    for (size_t i = 0; i < features->n; i++) {
        const struct lw_feature *f = &features->v[i];
        uint64_t column = lw_map_get(columns, f->name, UINT64_MAX);
        if (column == UINT64_MAX)
            continue;
        double x = f->value * (groups[f->group].idf ? idf[column] : 1);
        length[f->group] += x * x;
        cells[n++] = (struct cell){(uint32_t)column, (uint32_t)i, x};
    }
    for (size_t i = 0; i < n; i++) {
        enum lw_feature_group g = features->v[cells[i].feature].group;
        cells[i].value *= groups[g].weight / (groups[g].idf ? sqrt(length[g]) : 1);
    }
    return n;
}

static int by_column(const void *a, const void *b)
{
    uint32_t x = ((const struct cell *)a)->column, y = ((const struct cell *)b)->column;
    return (x > y) - (x < y);
}

/* ---- Learning -----------------------------------------------------------------------------
 */

/* Rows that are learnt from, with the features they have. */
struct learning {
    struct lw_type_model *model;
    const struct lw_type_row **rows;
    size_t n;
    struct lw_arena scratch;
    struct lw_map seen;                  /* name to how many rows have it */
    LW_VEC(enum lw_feature_group) group; /* by entry of `seen` */
};

static int count_features(struct learning *l)
{
    struct lw_mem *mem = l->scratch.mem;
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; k < l->rows[i]->features.n; k++) {
            const struct lw_feature *f = &l->rows[i]->features.v[k];
            bool is_new;
            struct lw_map_entry *e = lw_map_put(&l->seen, f->name, &is_new);
            if (!e || (is_new && lw_vec_push(mem, &l->group, f->group) < 0))
                return LW_ENOMEM;
            e->value++;
        }
    return 0;
}

static int choose_columns(struct learning *l)
{
    struct lw_type_model *m = l->model;
    m->idf = lw_arena_array(&m->arena, l->seen.n + 1, sizeof *m->idf);
    if (!m->idf)
        return LW_ENOMEM;
    for (size_t i = 0; i < l->seen.n; i++) {
        const struct lw_map_entry *e = &l->seen.entries[i];
        if (e->value < groups[l->group.v[i]].least)
            continue;
        struct lw_str name = lw_arena_copy(&m->arena, e->key);
        struct lw_map_entry *c = name.p ? lw_map_put(&m->columns, name, NULL) : NULL;
        if (!c)
            return LW_ENOMEM;
        m->idf[m->count] = log((1.0 + (double)l->n) / (1.0 + (double)e->value)) + 1;
        c->value = m->count++;
    }
    return 0;
}

struct matrix {
    struct lw_sparse x;
    uint32_t *label;
    double *weight;
};

static int make_matrix(struct learning *l, struct matrix *out)
{
    size_t most = 1;
    for (size_t i = 0; i < l->n; i++)
        most += l->rows[i]->features.n;
    size_t *start = lw_arena_array(&l->scratch, l->n + 1, sizeof *start);
    uint32_t *column = lw_arena_array(&l->scratch, most, sizeof *column);
    double *value = lw_arena_array(&l->scratch, most, sizeof *value);
    struct cell *cells = lw_arena_array(&l->scratch, most, sizeof *cells);
    out->label = lw_arena_array(&l->scratch, l->n + 1, sizeof *out->label);
    out->weight = lw_arena_array(&l->scratch, l->n + 1, sizeof *out->weight);
    if (!start || !column || !value || !cells || !out->label || !out->weight)
        return LW_ENOMEM;
    size_t at = 0;
    for (size_t i = 0; i < l->n; i++) {
        size_t n = vectorise(&l->model->columns, l->model->idf, &l->rows[i]->features, cells);
        qsort(cells, n, sizeof *cells, by_column);
        start[i] = at;
        for (size_t k = 0; k < n; k++, at++) {
            column[at] = cells[k].column;
            value[at] = cells[k].value;
        }
        out->label[i] = l->rows[i]->type;
        out->weight[i] = l->rows[i]->weight;
    }
    start[l->n] = at;
    out->x = (struct lw_sparse){l->n, l->model->count, start, column, value};
    return 0;
}

static int fit(struct learning *l, struct lw_err *err)
{
    struct matrix m;
    struct lw_linear linear;
    if (count_features(l) < 0 || choose_columns(l) < 0 || make_matrix(l, &m) < 0)
        return lw_err_nomem(err);
    const struct lw_linear_options options = {.c = cost, .tolerance = 1e-3, .weight = m.weight};
    int rc = lw_logistic_fit(&linear, &l->model->arena, &m.x, m.label, LW_TYPES, &options, err);
    if (rc < 0)
        return rc;
    l->model->weight = linear.weight;
    memcpy(l->model->bias, linear.bias, sizeof l->model->bias);
    return 0;
}

static void init(struct lw_type_model *m, struct lw_mem *mem)
{
    *m = (struct lw_type_model){.temperature = 1};
    lw_arena_init(&m->arena, mem, 0);
    lw_map_init(&m->columns, mem);
}

int lw_type_model_fit(struct lw_type_model *out, struct lw_mem *mem,
                      const struct lw_type_row *rows, size_t n, uint32_t without,
                      struct lw_err *err)
{
    struct learning l = {.model = out};
    init(out, mem);
    lw_arena_init(&l.scratch, mem, 0);
    lw_map_init(&l.seen, mem);
    l.rows = lw_arena_array(&l.scratch, n + 1, sizeof *l.rows);
    for (size_t i = 0; i < n && l.rows; i++)
        if (rows[i].fold != without)
            l.rows[l.n++] = &rows[i];
    int rc = l.rows ? fit(&l, err) : lw_err_nomem(err);
    lw_vec_release(mem, &l.group);
    lw_map_release(&l.seen);
    lw_arena_release(&l.scratch);
    return rc;
}

void lw_type_model_release(struct lw_type_model *m)
{
    lw_map_release(&m->columns);
    lw_arena_release(&m->arena);
}

/* ---- Judging ------------------------------------------------------------------------------
 */

void lw_type_scores(const double *margin, double temperature, double *score)
{
    double most = margin[0], sum = 0;
    for (size_t k = 1; k < LW_TYPES; k++)
        most = fmax(most, margin[k]);
    for (size_t k = 0; k < LW_TYPES; k++)
        sum += score[k] = exp((margin[k] - most) / temperature);
    for (size_t k = 0; k < LW_TYPES; k++)
        score[k] /= sum;
}

static enum lw_bug_type largest(const double *v)
{
    size_t best = 0;
    for (size_t k = 1; k < LW_TYPES; k++)
        if (v[k] > v[best])
            best = k;
    return (enum lw_bug_type)best;
}

/* Against the mean of the other types. */
static double speaks_for(const struct lw_type_model *m, size_t type, const struct cell *c)
{
    double sum = 0;
    for (size_t k = 0; k < LW_TYPES; k++)
        sum += m->weight[k * m->count + c->column];
    double own = m->weight[type * m->count + c->column];
    return c->value * (own - (sum - own) / (LW_TYPES - 1));
}

static int by_weight(const void *a, const void *b)
{
    const struct lw_type_reason *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return lw_str_cmp(x->word, y->word);
}

/* The words that spoke for the type, those of several features added up. */
static int find_reasons(struct lw_type_verdict *out, const struct lw_type_model *m,
                        const lw_features *features, const struct cell *cells, size_t n,
                        struct lw_arena *arena)
{
    struct lw_map words;
    struct lw_type_reason *all = lw_arena_array(arena, n + 1, sizeof *all);
    if (!all)
        return LW_ENOMEM;
    lw_map_init(&words, arena->mem);
    for (size_t i = 0; i < n; i++) {
        struct lw_str word = features->v[cells[i].feature].word;
        struct lw_map_entry *e = word.n ? lw_map_put(&words, word, NULL) : NULL;
        if (!e)
            continue;
        size_t at = (size_t)(e - words.entries);
        all[at].word = word;
        all[at].weight += speaks_for(m, out->type, &cells[i]);
    }
    qsort(all, words.n, sizeof *all, by_weight);
    for (size_t i = 0; i < words.n && i < LW_REASONS_MAX && all[i].weight > 0; i++)
        out->reason[out->reason_count++] = all[i];
    lw_map_release(&words);
    return 0;
}

int lw_type_model_judge(struct lw_type_verdict *out, const struct lw_type_model *m,
                        const lw_features *features, struct lw_arena *arena)
{
    struct cell *cells = lw_arena_array(arena, features->n + 1, sizeof *cells);
    *out = (struct lw_type_verdict){.type = LW_TYPE_UNKNOWN};
    if (!cells)
        return LW_ENOMEM;
    size_t n = vectorise(&m->columns, m->idf, features, cells), words = 0;
    memcpy(out->margin, m->bias, sizeof out->margin);
    for (size_t i = 0; i < n; i++) {
        words += features->v[cells[i].feature].word.n > 0;
        for (size_t k = 0; k < LW_TYPES; k++)
            out->margin[k] += cells[i].value * m->weight[k * m->count + cells[i].column];
    }
    lw_type_scores(out->margin, m->temperature, out->score);
    if (words == 0)
        return 0;
    out->type = largest(out->margin);
    return find_reasons(out, m, features, cells, n, arena);
}

/* ---- Files --------------------------------------------------------------------------------
 */

/* Weights below this change no verdict that was looked at, and are left out. */
static const double negligible = 0.04;

static bool matters(const struct lw_type_model *m, size_t column)
{
    for (size_t k = 0; k < LW_TYPES; k++)
        if (fabs(m->weight[k * m->count + column]) >= negligible)
            return true;
    return false;
}

void lw_type_model_print(struct lw_buf *out, const struct lw_type_model *m)
{
    lw_buf_addf(out, "lacewing-triage 1\ntemperature %.4f\nbias", m->temperature);
    for (size_t k = 0; k < LW_TYPES; k++)
        lw_buf_addf(out, " %.4f", m->bias[k]);
    for (size_t i = 0; i < m->trained_count; i++)
        lw_buf_addf(out, "\ntrained %.*s", LW_F(m->trained[i]));
    for (size_t i = 0; i < m->columns.n; i++) {
        const struct lw_map_entry *e = &m->columns.entries[i];
        if (!matters(m, e->value))
            continue;
        lw_buf_addf(out, "\nfeature %.*s\t%.2f", LW_F(e->key), m->idf[e->value]);
        for (size_t k = 0; k < LW_TYPES; k++)
            lw_buf_addf(out, " %.2f", m->weight[k * m->count + e->value]);
    }
    lw_buf_add_char(out, '\n');
}

static bool parse_numbers(struct lw_str text, double *out, size_t n)
{
    struct lw_str one;
    for (size_t i = 0; i < n; i++)
        if (!lw_str_split(&text, ' ', &one) || !lw_parse_double(one, &out[i]) ||
            !isfinite(out[i]))
            return false;
    return text.n == 0;
}

static int parse_feature(struct lw_type_model *m, struct lw_str line, double *rows)
{
    struct lw_str name;
    double *row = rows + m->count * (LW_TYPES + 1);
    bool is_new;
    if (!lw_str_split(&line, '\t', &name) || !parse_numbers(line, row, LW_TYPES + 1))
        return LW_ECORRUPT;
    name = lw_arena_copy(&m->arena, name);
    struct lw_map_entry *e = name.p ? lw_map_put(&m->columns, name, &is_new) : NULL;
    if (!e)
        return LW_ENOMEM;
    if (!is_new)
        return LW_ECORRUPT;
    e->value = m->count++;
    return 0;
}

static int parse_line(struct lw_type_model *m, struct lw_str line, double *rows)
{
    struct lw_str key;
    if (!lw_str_split(&line, ' ', &key))
        return LW_ECORRUPT;
    if (lw_str_eq(key, LW_S("feature")))
        return parse_feature(m, line, rows);
    if (lw_str_eq(key, LW_S("trained"))) {
        m->trained[m->trained_count] = lw_arena_copy(&m->arena, line);
        return m->trained[m->trained_count++].p ? 0 : LW_ENOMEM;
    }
    if (lw_str_eq(key, LW_S("bias")))
        return parse_numbers(line, m->bias, LW_TYPES) ? 0 : LW_ECORRUPT;
    if (lw_str_eq(key, LW_S("temperature")))
        return parse_numbers(line, &m->temperature, 1) && m->temperature > 0 ? 0 : LW_ECORRUPT;
    return LW_ECORRUPT;
}

/* From a row a feature to one array of weights a type. */
static int turn(struct lw_type_model *m, const double *rows)
{
    m->idf = lw_arena_array(&m->arena, m->count + 1, sizeof *m->idf);
    m->weight = lw_arena_array(&m->arena, (m->count + 1) * LW_TYPES, sizeof *m->weight);
    if (!m->idf || !m->weight)
        return LW_ENOMEM;
    for (size_t i = 0; i < m->count; i++) {
        m->idf[i] = rows[i * (LW_TYPES + 1)];
        for (size_t k = 0; k < LW_TYPES; k++)
            m->weight[k * m->count + i] = rows[i * (LW_TYPES + 1) + 1 + k];
    }
    return 0;
}

int lw_type_model_parse(struct lw_type_model *out, struct lw_mem *mem, struct lw_str text,
                        struct lw_err *err)
{
    size_t lines = triage_count_lines(text), number = 1;
    struct lw_arena scratch;
    struct lw_str line;
    init(out, mem);
    lw_arena_init(&scratch, mem, 0);
    double *rows = lw_arena_array(&scratch, lines + 1, (LW_TYPES + 1) * sizeof *rows);
    out->trained = lw_arena_array(&out->arena, lines + 1, sizeof *out->trained);
    int rc = rows && out->trained ? 0 : LW_ENOMEM;
    if (rc == 0 && (!lw_str_line(&text, &line) || !lw_str_eq(line, LW_S("lacewing-triage 1"))))
        rc = LW_ECORRUPT;
    for (; rc == 0 && lw_str_line(&text, &line); number++)
        rc = parse_line(out, line, rows);
    if (rc == 0)
        rc = turn(out, rows);
    lw_arena_release(&scratch);
    if (rc == LW_ECORRUPT)
        return lw_err_set(err, LW_ECORRUPT, "the type model is damaged in line %zu", number);
    return rc < 0 ? lw_err_nomem(err) : 0;
}
