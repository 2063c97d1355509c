#include "triage/evaluate.h"

#include <math.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/pool.h"
#include "base/str.h"
#include "numeric/rng.h"

/* ---- The dataset --------------------------------------------------------------------------
 */

enum { ID, TITLE, TYPE, TAGS, DESCRIPTION, SOURCE, COLUMNS };

static const char *const column_names[] = {"id",   "title",       "type",
                                           "tags", "description", "source"};

static int find_columns(const struct lw_csv *csv, size_t *at, struct lw_err *err)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        at[c] = SIZE_MAX;
        for (size_t i = 0; i < csv->fields.n; i++)
            if (lw_str_eq(csv->fields.v[i], lw_str(column_names[c])))
                at[c] = i;
        if (at[c] == SIZE_MAX && c <= TYPE)
            return lw_err_set(err, LW_EINVAL, "%.*s: there is no column '%s'", LW_F(csv->name),
                              column_names[c]);
    }
    return 0;
}

static struct lw_str field(const struct lw_csv *csv, const size_t *at, size_t column)
{
    return at[column] < csv->fields.n ? csv->fields.v[at[column]] : (struct lw_str){0};
}

static int add_row(struct lw_labelled_set *set, const struct lw_csv *csv, const size_t *at,
                   struct lw_err *err)
{
    struct lw_arena *a = &set->arena;
    struct lw_str type = field(csv, at, TYPE), source = field(csv, at, SOURCE);
    if (type.n == 0)
        return 0;
    struct lw_labelled row = {
        .id = lw_arena_copy(a, field(csv, at, ID)),
        .title = lw_arena_copy(a, field(csv, at, TITLE)),
        .tags = lw_arena_copy(a, field(csv, at, TAGS)),
        .description = lw_arena_copy(a, field(csv, at, DESCRIPTION)),
        .source = lw_arena_copy(a, source.n ? source : LW_S("stackoverflow")),
        .type = lw_bug_type_find(type),
    };
    if (row.type >= LW_TYPE_UNKNOWN)
        return lw_err_set(err, LW_EINVAL, "%.*s:%llu: there is no type '%.*s'", LW_F(csv->name),
                          (unsigned long long)csv->line, LW_F(type));
    if (!row.id.p || !row.title.p || !row.tags.p || !row.description.p || !row.source.p ||
        lw_vec_push(a->mem, &set->rows, row) < 0)
        return lw_err_nomem(err);
    return 0;
}

int lw_labelled_load(struct lw_labelled_set *set, struct lw_mem *mem, const char *path,
                     struct lw_err *err)
{
    struct lw_csv csv;
    size_t at[COLUMNS];
    *set = (struct lw_labelled_set){0};
    lw_arena_init(&set->arena, mem, 0);
    int rc = lw_csv_open_file(&csv, mem, path, ',', err);
    if (rc < 0)
        return rc;
    rc = lw_csv_next(&csv, err);
    if (rc == 0)
        rc = lw_err_set(err, LW_EINVAL, "%s: the file is empty", path);
    else if (rc > 0)
        rc = find_columns(&csv, at, err);
    while (rc == 0 && (rc = lw_csv_next(&csv, err)) > 0)
        rc = add_row(set, &csv, at, err);
    lw_csv_close(&csv);
    if (rc == 0 && set->rows.n == 0)
        rc = lw_err_set(err, LW_EINVAL, "%s: no row has a type", path);
    return rc;
}

void lw_labelled_release(struct lw_labelled_set *set)
{
    lw_vec_release(set->arena.mem, &set->rows);
    lw_arena_release(&set->arena);
}

/* ---- Rows to learn from -------------------------------------------------------------------
 */

/* A post is learnt from twice: with its tags, and without. */
struct views {
    struct lw_arena arena;
    lw_report_tables *words;
    struct lw_feature_tables tables;
    struct lw_type_row *rows; /* two a labelled row; the second has no features without tags */
    size_t n;
};

static struct lw_str with_tags(struct lw_arena *arena, const struct lw_labelled *row)
{
    struct lw_buf text;
    struct lw_str tags = row->tags, one, out;
    lw_buf_init(&text, arena->mem, 0);
    lw_buf_addf(&text, "%.*s\n\nTags:", LW_F(row->description));
    while (lw_str_split(&tags, ';', &one))
        lw_buf_addf(&text, " %.*s,", LW_F(one));
    lw_buf_add_char(&text, '\n');
    out = lw_arena_copy(arena, lw_buf_str(&text));
    lw_buf_release(&text);
    return out;
}

static int make_view(struct views *v, const struct lw_labelled *row, bool tags,
                     struct lw_err *err)
{
    lw_report *report;
    struct lw_type_row *out = &v->rows[v->n++];
    *out = (struct lw_type_row){.type = row->type, .fold = row->fold, .weight = 1};
    if (tags && row->tags.n == 0)
        return 0;
    struct lw_str text = tags ? with_tags(&v->arena, row) : row->description;
    int rc = lw_report_parse(&report, v->arena.mem, v->words, row->title, text, err);
    if (rc < 0)
        return rc;
    lw_features features = {0};
    rc = lw_features_read(&features, &v->tables, report, tags, &v->arena);
    /* Words are borrowed from the report: nobody asks for them here. */
    for (size_t i = 0; i < features.n; i++)
        features.v[i].word = features.v[i].name;
    lw_report_free(report);
    out->features = features;
    return rc < 0 ? lw_err_nomem(err) : 0;
}

static int make_views(struct views *v, struct lw_mem *mem, const struct lw_labelled_set *set,
                      struct lw_err *err)
{
    *v = (struct views){0};
    lw_arena_init(&v->arena, mem, 0);
    v->rows = lw_arena_array(&v->arena, 2 * set->rows.n + 1, sizeof *v->rows);
    int rc = lw_feature_tables_load(&v->tables, mem, err);
    if (rc == 0)
        rc = lw_report_tables_new(&v->words, mem, err);
    if (rc == 0 && !v->rows)
        rc = lw_err_nomem(err);
    for (size_t i = 0; i < set->rows.n && rc == 0; i++) {
        rc = make_view(v, &set->rows.v[i], false, err);
        if (rc == 0)
            rc = make_view(v, &set->rows.v[i], true, err);
    }
    return rc;
}

static void release_views(struct views *v)
{
    lw_report_tables_free(v->words);
    lw_feature_tables_release(&v->tables);
    for (size_t i = 0; i < v->n; i++)
        lw_vec_release(v->arena.mem, &v->rows[i].features);
    lw_arena_release(&v->arena);
}

/* Within a source, each type that occurs has the same sum of weights. */
static void balance(struct views *v, const struct lw_labelled_set *set)
{
    for (size_t i = 0; i < set->rows.n; i++) {
        const struct lw_labelled *row = &set->rows.v[i];
        size_t all = 0, same = 0;
        bool seen[LW_TYPES] = {0};
        size_t types = 0;
        for (size_t k = 0; k < set->rows.n; k++) {
            const struct lw_labelled *other = &set->rows.v[k];
            if (!lw_str_eq(row->source, other->source))
                continue;
            all++;
            same += other->type == row->type;
            types += !seen[other->type];
            seen[other->type] = true;
        }
        double weight = (double)all / (double)(types * same);
        v->rows[2 * i].weight = weight;
        v->rows[2 * i + 1].weight = v->rows[2 * i + 1].features.n ? weight : 0;
    }
}

/* ---- Folds --------------------------------------------------------------------------------
 */

/* Types are spread evenly over the folds, in an order that the seed decides. */
static int make_folds(struct lw_labelled_set *set, unsigned folds, uint64_t seed,
                      struct lw_err *err)
{
    struct lw_rng rng;
    size_t n = set->rows.n;
    uint32_t *order = lw_arena_array(&set->arena, n + 1, sizeof *order);
    uint32_t next = 0;
    if (!order)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    lw_rng_init(&rng, seed, 0);
    lw_rng_shuffle(&rng, order, n);
    for (unsigned type = 0; type < LW_TYPES; type++)
        for (size_t i = 0; i < n; i++)
            if (set->rows.v[order[i]].type == type)
                set->rows.v[order[i]].fold = folds ? next++ % folds : 0;
    return 0;
}

struct folding {
    const struct lw_ctx *ctx;
    struct lw_labelled_set *set;
    const struct views *views;
    bool no_tags;
};

static int run_fold(void *data, size_t fold, unsigned worker, struct lw_err *err)
{
    struct folding *f = data;
    struct lw_type_model model;
    struct lw_arena arena;
    (void)worker;
    lw_arena_init(&arena, f->ctx->mem, 0);
    int rc = lw_type_model_fit(&model, f->ctx->mem, f->views->rows, f->views->n, (uint32_t)fold,
                               err);
    for (size_t i = 0; i < f->set->rows.n && rc == 0; i++) {
        struct lw_labelled *row = &f->set->rows.v[i];
        const struct lw_type_row *view = &f->views->rows[2 * i];
        struct lw_type_verdict verdict;
        if (row->fold != fold)
            continue;
        if (!f->no_tags && view[1].features.n > 0)
            view++;
        if (lw_type_model_judge(&verdict, &model, &view->features, &arena) < 0)
            rc = lw_err_nomem(err);
        row->guess = verdict.type;
        memcpy(row->margin, verdict.margin, sizeof row->margin);
    }
    lw_arena_release(&arena);
    lw_type_model_release(&model);
    return rc;
}

/* ---- Temperature --------------------------------------------------------------------------
 */

/* The loss of the rows that are not in fold `without`. */
static double loss_at(const struct lw_labelled_set *set, uint32_t without, double temperature)
{
    double sum = 0, score[LW_TYPES];
    for (size_t i = 0; i < set->rows.n; i++) {
        const struct lw_labelled *row = &set->rows.v[i];
        if (row->fold == without)
            continue;
        lw_type_scores(row->margin, temperature, score);
        sum -= log(fmax(score[row->type], 1e-12));
    }
    return sum;
}

/* The least loss between 0.1 and 10, by golden section over the logarithm. */
static double find_temperature(const struct lw_labelled_set *set, uint32_t without)
{
    const double golden = 0.6180339887498949;
    double low = log(0.1), high = log(10);
    for (int i = 0; i < 40; i++) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (loss_at(set, without, exp(a)) < loss_at(set, without, exp(b)))
            high = b;
        else
            low = a;
    }
    return exp((low + high) / 2);
}

static void calibrate(struct lw_labelled_set *set, unsigned folds)
{
    for (uint32_t fold = 0; fold < folds; fold++) {
        double temperature = find_temperature(set, fold);
        for (size_t i = 0; i < set->rows.n; i++)
            if (set->rows.v[i].fold == fold)
                lw_type_scores(set->rows.v[i].margin, temperature, set->rows.v[i].score);
    }
}

/* ---- Figures ------------------------------------------------------------------------------
 */

void lw_wilson(double p, double n, double *low, double *high)
{
    double z = 1.959963984540054;
    double centre = p + z * z / (2 * n),
           spread = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    *low = n > 0 ? (centre - spread) / (1 + z * z / n) : NAN;
    *high = n > 0 ? (centre + spread) / (1 + z * z / n) : NAN;
}

static double f1(const struct lw_type_eval *e, size_t type, bool *occurs)
{
    size_t real = 0, said = 0, hit = e->confusion[type][type];
    for (size_t k = 0; k <= LW_TYPES; k++)
        real += e->confusion[type][k];
    for (size_t k = 0; k < LW_TYPES; k++)
        said += e->confusion[k][type];
    *occurs = real > 0;
    return real + said ? 2.0 * (double)hit / (double)(real + said) : 0;
}

static void add_to_bin(struct lw_type_eval *e, const struct lw_labelled *row)
{
    double best = row->guess < LW_TYPE_UNKNOWN ? row->score[row->guess] : 0;
    size_t b = (size_t)(best * LW_CALIBRATION_BINS);
    struct lw_calibration_bin *bin =
        &e->bin[b < LW_CALIBRATION_BINS ? b : LW_CALIBRATION_BINS - 1];
    bin->n++;
    bin->right += row->guess == row->type;
    bin->mean_score += best;
}

static void finish(struct lw_type_eval *e)
{
    size_t hits = 0, types = 0;
    for (size_t k = 0; k < LW_TYPES; k++) {
        bool occurs;
        double score = f1(e, k, &occurs);
        hits += e->confusion[k][k];
        types += occurs;
        e->macro_f1 += occurs ? score : 0;
    }
    e->accuracy = (double)hits / (double)e->n;
    e->macro_f1 /= (double)types;
    e->log_loss /= (double)e->n;
    for (size_t b = 0; b < LW_CALIBRATION_BINS; b++) {
        struct lw_calibration_bin *bin = &e->bin[b];
        bin->low = (double)b / LW_CALIBRATION_BINS;
        bin->high = (double)(b + 1) / LW_CALIBRATION_BINS;
        if (bin->n == 0)
            continue;
        e->calibration_error += fabs(bin->mean_score - (double)bin->right) / (double)e->n;
        bin->mean_score /= (double)bin->n;
    }
    lw_wilson(e->accuracy, (double)e->n, &e->low, &e->high);
}

void lw_type_figures(struct lw_type_eval *out, const struct lw_labelled_set *set,
                     struct lw_str source)
{
    *out = (struct lw_type_eval){0};
    for (size_t i = 0; i < set->rows.n; i++) {
        const struct lw_labelled *row = &set->rows.v[i];
        if (source.n && !lw_str_eq(source, row->source))
            continue;
        out->n++;
        out->confusion[row->type][row->guess]++;
        out->log_loss -= log(fmax(row->score[row->type], 1e-12));
        add_to_bin(out, row);
    }
    if (out->n > 0)
        finish(out);
}

/* ---- The model of the whole set -----------------------------------------------------------
 */

/* One line a source: its name and all ids. */
static int list_trained(struct lw_type_model *m, const struct lw_labelled_set *set)
{
    struct lw_map sources;
    struct lw_buf line;
    int rc = 0;
    lw_map_init(&sources, m->arena.mem);
    lw_buf_init(&line, m->arena.mem, 0);
    m->trained = lw_arena_array(&m->arena, set->rows.n + 1, sizeof *m->trained);
    for (size_t i = 0; i < set->rows.n && rc == 0 && m->trained; i++) {
        bool is_new;
        struct lw_str source = set->rows.v[i].source;
        if (!lw_map_put(&sources, source, &is_new))
            rc = LW_ENOMEM;
        if (rc < 0 || !is_new)
            continue;
        lw_buf_clear(&line);
        lw_buf_add(&line, source);
        for (size_t k = i; k < set->rows.n; k++)
            if (lw_str_eq(source, set->rows.v[k].source))
                lw_buf_addf(&line, " %.*s", LW_F(set->rows.v[k].id));
        m->trained[m->trained_count] = lw_arena_copy(&m->arena, lw_buf_str(&line));
        rc = m->trained[m->trained_count++].p ? 0 : LW_ENOMEM;
    }
    lw_buf_release(&line);
    lw_map_release(&sources);
    return m->trained ? rc : LW_ENOMEM;
}

static int learn_all(struct folding *f, unsigned folds, struct lw_buf *out, struct lw_err *err)
{
    struct lw_type_model model;
    int rc =
        lw_type_model_fit(&model, f->ctx->mem, f->views->rows, f->views->n, UINT32_MAX, err);
    if (rc == 0 && list_trained(&model, f->set) < 0)
        rc = lw_err_nomem(err);
    if (rc == 0) {
        model.temperature = folds ? find_temperature(f->set, UINT32_MAX) : 1;
        lw_type_model_print(out, &model);
    }
    lw_type_model_release(&model);
    return rc;
}

int lw_type_evaluate(struct lw_type_eval *out, const struct lw_ctx *ctx,
                     struct lw_labelled_set *set, const struct lw_type_eval_options *options,
                     struct lw_err *err)
{
    struct views views;
    struct folding f = {ctx, set, &views, options->no_tags};
    const struct lw_pool pool = {.count = options->folds,
                                 .jobs = ctx->jobs,
                                 .cancel = ctx->cancel,
                                 .data = &f,
                                 .work = run_fold};
    int rc = make_folds(set, options->folds, ctx->seed, err);
    if (rc < 0)
        return rc;
    rc = make_views(&views, ctx->mem, set, err);
    if (rc == 0) {
        balance(&views, set);
        rc = lw_pool_run(&pool, err);
    }
    if (rc == 0) {
        calibrate(set, options->folds);
        lw_type_figures(out, set, (struct lw_str){0});
    }
    if (rc == 0 && options->model_out)
        rc = learn_all(&f, options->folds, options->model_out, err);
    release_views(&views);
    return rc;
}
