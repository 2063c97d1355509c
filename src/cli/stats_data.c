/* The data behind `lacewing stats`, as the options choose it, and how results are printed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/num.h"
#include "base/str.h"
#include "base/table.h"
#include "cli/stats.h"
#include "numeric/describe.h"
#include "numeric/rank.h"

/* ---- Options --------------------------------------------------------------------------------
 */

int stats_number(const struct cli *cli, const char *name, double otherwise, double least,
                 double most, double *out, struct lw_err *err)
{
    const char *text = cli_value(cli, name);
    *out = otherwise;
    if (!text)
        return 0;
    if (!lw_parse_double(lw_str(text), out) || !(*out >= least && *out <= most))
        return lw_err_set(err, LW_EINVAL, "--%s must be a number from %g to %g, not '%s'", name,
                          least, most, text);
    return 0;
}

enum lw_tail stats_tail(const struct cli *cli)
{
    const char *tail = cli_value(cli, "tail");
    if (!tail || strcmp(tail, "two") == 0)
        return LW_TAIL_TWO;
    return strcmp(tail, "less") == 0 ? LW_TAIL_LESS : LW_TAIL_GREATER;
}

/* ---- Columns and groups
 * -------------------------------------------------------------------------- */

static int add_column(struct stats_data *d, size_t column, bool numeric, struct lw_err *err)
{
    const struct lw_column *c = &d->frame.column[column];
    if (numeric && !c->numeric)
        return lw_err_set(err, LW_EINVAL, "column '%.*s' is not numeric", LW_F(c->name));
    if (d->columns == STATS_GROUPS)
        return lw_err_set(err, LW_ELIMIT, "more than %d columns; select some with --columns",
                          STATS_GROUPS);
    d->column[d->columns++] = column;
    return 0;
}

int stats_columns(struct stats_data *d, bool numeric, struct lw_err *err)
{
    const char *chosen = cli_value(d->cli, "columns");
    const char *by = cli_value(d->cli, "by");
    size_t split = d->frame.columns;
    if (by && lw_frame_find(&d->frame, lw_str(by), &split, err) < 0)
        return err->code;
    d->columns = 0;
    if (!chosen) {
        for (size_t c = 0; c < d->frame.columns; c++)
            if (c != split && (!numeric || d->frame.column[c].numeric) &&
                add_column(d, c, numeric, err) < 0)
                return err->code;
        return 0;
    }
    struct lw_str rest = lw_str(chosen), name;
    while (lw_str_split(&rest, ',', &name)) {
        size_t column;
        if (lw_frame_find(&d->frame, lw_str_trim(name), &column, err) < 0 ||
            add_column(d, column, numeric, err) < 0)
            return err->code;
    }
    return 0;
}

static int add_group(struct stats_data *d, struct lw_str name, struct lw_err *err)
{
    if (d->groups == STATS_GROUPS)
        return lw_err_set(err, LW_ELIMIT, "more than %d groups", STATS_GROUPS);
    double *x = lw_arena_array(&d->cli->arena, d->frame.rows, sizeof *x);
    if (!x)
        return lw_err_nomem(err);
    d->group[d->groups++] = (struct stats_group){name, x, 0};
    return 0;
}

/* One group a column. */
static int groups_of_columns(struct stats_data *d, bool paired, struct lw_err *err)
{
    for (size_t g = 0; g < d->columns; g++)
        if (add_group(d, d->frame.column[d->column[g]].name, err) < 0)
            return err->code;
    for (size_t r = 0; r < d->frame.rows; r++) {
        size_t gone = 0;
        for (size_t g = 0; g < d->columns; g++)
            gone += isnan(d->frame.column[d->column[g]].num[r]) ? 1 : 0;
        if (paired && gone) {
            d->left_out++;
            continue;
        }
        d->left_out += gone;
        for (size_t g = 0; g < d->columns; g++) {
            double v = d->frame.column[d->column[g]].num[r];
            if (!isnan(v))
                d->group[g].x[d->group[g].n++] = v;
        }
    }
    return 0;
}

/* One group a category of --by. */
static int groups_by(struct stats_data *d, const char *by, struct lw_err *err)
{
    size_t split;
    if (lw_frame_find(&d->frame, lw_str(by), &split, err) < 0)
        return err->code;
    if (d->columns != 1)
        return lw_err_set(err, LW_EINVAL,
                          "--by splits one column: select it with --columns (%zu are selected)",
                          d->columns);
    struct stats_data pick = *d;
    pick.column[0] = split;
    uint32_t *code;
    size_t rows, classes;
    struct lw_str *names;
    if (stats_codes(&pick, 1, &code, &rows, &names, &classes, err) < 0)
        return err->code;
    for (size_t g = 0; g < classes; g++)
        if (add_group(d, names[g], err) < 0)
            return err->code;
    const struct lw_column *c = &d->frame.column[d->column[0]];
    const struct lw_column *s = &d->frame.column[split];
    for (size_t r = 0, k = 0; r < d->frame.rows; r++) {
        bool gone = s->numeric ? isnan(s->num[r]) : s->code[r] == LW_MISSING;
        uint32_t g = gone ? 0 : code[k++];
        if (gone || isnan(c->num[r]))
            d->left_out++;
        else
            d->group[g].x[d->group[g].n++] = c->num[r];
    }
    return 0;
}

int stats_groups(struct stats_data *d, bool paired, size_t least, size_t most,
                 struct lw_err *err)
{
    const char *by = cli_value(d->cli, "by");
    if (stats_columns(d, true, err) < 0)
        return err->code;
    if (by && paired)
        return lw_err_set(err, LW_EINVAL,
                          "paired tests compare two columns of a row: --by cannot be used");
    int rc = by ? groups_by(d, by, err) : groups_of_columns(d, paired, err);
    if (rc < 0)
        return rc;
    if (d->groups < least || d->groups > most)
        return lw_err_set(err, LW_EINVAL,
                          least == most ? "this test takes %zu sample%s, but %zu are selected; "
                                          "select with --columns or --by"
                                        : "this test takes at least %zu sample%s, but "
                                          "%zu are selected; select with --columns or --by",
                          least, least == 1 ? "" : "s", d->groups);
    return 0;
}

/* ---- Categories
 * ---------------------------------------------------------------------------------- */

static struct lw_str label_of(struct stats_data *d, const struct lw_column *c, size_t row)
{
    if (!c->numeric)
        return c->code[row] == LW_MISSING ? (struct lw_str){0} : c->levels[c->code[row]];
    char text[LW_DOUBLE_TEXT];
    if (isnan(c->num[row]))
        return (struct lw_str){0};
    return lw_arena_copy(&d->cli->arena, lw_str(lw_print_double(c->num[row], text)));
}

/* Numbers by value, other names by their first appearance, which `place` has. */
static int order_labels(struct stats_data *d, const struct lw_map *map, uint32_t *rank,
                        struct lw_err *err)
{
    size_t n = map->n;
    double *key = lw_arena_array(&d->cli->arena, n, sizeof *key);
    uint32_t *order = lw_arena_array(&d->cli->arena, n, sizeof *order);
    if (!key || !order)
        return lw_err_nomem(err);
    bool numbers = true;
    for (size_t i = 0; i < n; i++)
        numbers = numbers && lw_parse_double(map->entries[i].key, &key[i]);
    for (size_t i = 0; !numbers && i < n; i++)
        key[i] = (double)i;
    if (lw_sort_order(d->cli->ctx.mem, key, n, order) < 0)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++)
        rank[order[i]] = (uint32_t)i;
    return 0;
}

int stats_codes(struct stats_data *d, size_t count, uint32_t **code, size_t *rows,
                struct lw_str **names, size_t *classes, struct lw_err *err)
{
    struct lw_map map;
    lw_map_init(&map, d->cli->ctx.mem);
    int rc = 0;
    *rows = 0;
    for (size_t c = 0; c < count; c++) {
        code[c] = lw_arena_array(&d->cli->arena, d->frame.rows, sizeof *code[c]);
        rc = code[c] ? rc : lw_err_nomem(err);
    }
    for (size_t r = 0; rc == 0 && r < d->frame.rows; r++) {
        struct lw_str label[STATS_GROUPS];
        bool gone = false;
        for (size_t c = 0; c < count; c++) {
            label[c] = label_of(d, &d->frame.column[d->column[c]], r);
            gone = gone || label[c].n == 0;
        }
        if (gone) {
            d->left_out++;
            continue;
        }
        for (size_t c = 0; rc == 0 && c < count; c++) {
            bool is_new;
            struct lw_map_entry *e = lw_map_put(&map, label[c], &is_new);
            if (!e) {
                rc = lw_err_nomem(err);
                break;
            }
            if (is_new)
                e->value = map.n - 1;
            code[c][*rows] = (uint32_t)e->value;
        }
        ++*rows;
    }
    uint32_t *rank = lw_arena_array(&d->cli->arena, map.n, sizeof *rank);
    *names = lw_arena_array(&d->cli->arena, map.n, sizeof **names);
    if (rc == 0 && (!rank || !*names))
        rc = lw_err_nomem(err);
    if (rc == 0)
        rc = order_labels(d, &map, rank, err);
    for (size_t i = 0; rc == 0 && i < map.n; i++)
        (*names)[rank[i]] = map.entries[i].key;
    for (size_t c = 0; rc == 0 && c < count; c++)
        for (size_t r = 0; r < *rows; r++)
            code[c][r] = rank[code[c][r]];
    *classes = map.n;
    lw_map_release(&map);
    return rc;
}

/* ---- Printing
 * ---------------------------------------------------------------------------------------- */

void stats_note(struct stats_result *r, struct lw_str note)
{
    if (r->notes < STATS_NOTES && note.n)
        r->note[r->notes++] = note;
}

struct lw_str stats_p(struct cli *cli, double p)
{
    if (p == 0)
        return LW_S("p < 1e-300");
    return lw_arena_printf(&cli->arena, p < 0.001 ? "p = %.3g" : "p = %.4f", p);
}

void stats_json_begin(struct lw_jsonw *w, struct stats_data *d)
{
    lw_jsonw_init(w, &d->cli->out, false);
    lw_json_object(w);
    lw_json_key_text(w, "test", lw_str(d->cli->args[0]));
    if (d->cli->arg_count > 1)
        lw_json_key_text(w, "file", lw_str(d->cli->args[1]));
}

static void json_number(struct lw_jsonw *w, const char *key, double x)
{
    if (!isnan(x))
        lw_json_key_double(w, key, x);
}

static void json_groups(struct lw_jsonw *w, struct stats_data *d)
{
    lw_json_key(w, "samples");
    lw_json_array(w);
    for (size_t g = 0; g < d->groups; g++) {
        struct lw_moments m;
        lw_moments_init(&m);
        lw_moments_add(&m, d->group[g].x, d->group[g].n);
        lw_json_object(w);
        lw_json_key_text(w, "name", d->group[g].name);
        lw_json_key_int(w, "n", (int64_t)d->group[g].n);
        lw_json_key_double(w, "mean", m.n ? m.mean : NAN);
        lw_json_key_double(w, "sd", lw_moments_sd(&m, 1));
        lw_json_key_double(w, "median", lw_median(d->group[g].x, d->group[g].n));
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void print_json(struct stats_data *d, const struct stats_result *r)
{
    struct lw_jsonw w;
    stats_json_begin(&w, d);
    lw_json_key_text(&w, "hypothesis", lw_str(r->hypothesis));
    if (d->groups)
        json_groups(&w, d);
    lw_json_key_int(&w, "left_out", (int64_t)d->left_out);
    if (r->statistic_name) {
        lw_json_key_text(&w, "statistic_name", lw_str(r->statistic_name));
        lw_json_key_double(&w, "statistic", r->statistic);
    }
    json_number(&w, "df", r->df);
    json_number(&w, "df2", r->df2);
    if (!isnan(r->p)) {
        lw_json_key_double(&w, "p", r->p);
        lw_json_key_bool(&w, "exact", r->exact);
    }
    if (r->effect_name) {
        lw_json_key(&w, "effect");
        lw_json_object(&w);
        lw_json_key_text(&w, "name", lw_str(r->effect_name));
        lw_json_key_double(&w, "value", r->effect);
        json_number(&w, "low", r->low);
        json_number(&w, "high", r->high);
        if (r->reading)
            lw_json_key_text(&w, "reading", lw_str(r->reading));
        lw_json_end(&w);
    }
    lw_json_key_text(&w, "conclusion", r->sentence);
    lw_json_key(&w, "notes");
    lw_json_array(&w);
    for (size_t i = 0; i < r->notes; i++)
        lw_json_text(&w, r->note[i]);
    lw_json_end(&w);
    lw_json_end(&w);
}

static int print_groups(struct stats_data *d, struct lw_err *err)
{
    static const struct lw_table_column columns[] = {
        {"sample", false, true}, {"n", true}, {"mean", true}, {"sd", true}, {"median", true}};
    struct lw_table t;
    lw_table_init(&t, d->cli->ctx.mem, columns, 5);
    for (size_t g = 0; g < d->groups; g++) {
        struct lw_moments m;
        lw_moments_init(&m);
        lw_moments_add(&m, d->group[g].x, d->group[g].n);
        lw_table_cell(&t, d->group[g].name);
        lw_table_cellf(&t, "%zu", d->group[g].n);
        lw_table_cellf(&t, "%.5g", m.n ? m.mean : NAN);
        lw_table_cellf(&t, "%.5g", lw_moments_sd(&m, 1));
        lw_table_cellf(&t, "%.5g", lw_median(d->group[g].x, d->group[g].n));
    }
    int rc = lw_table_print(&t, &d->cli->out, &d->cli->term, err);
    lw_table_release(&t);
    lw_put_char(&d->cli->out, '\n');
    return rc;
}

static void print_statistic(struct stats_data *d, const struct stats_result *r)
{
    struct lw_sink *out = &d->cli->out;
    if (!r->statistic_name)
        return;
    lw_putf(out, "statistic:  %s = %.6g", r->statistic_name, r->statistic);
    if (!isnan(r->df) && !isnan(r->df2))
        lw_putf(out, ", degrees of freedom %.6g and %.6g", r->df, r->df2);
    else if (!isnan(r->df))
        lw_putf(out, ", degrees of freedom %.6g", r->df);
    lw_putz(out, "\n");
}

int stats_print(struct stats_data *d, const struct stats_result *r, struct lw_err *err)
{
    struct lw_sink *out = &d->cli->out;
    if (cli_wants(d->cli, "json")) {
        print_json(d, r);
        return 0;
    }
    if (d->groups && print_groups(d, err) < 0)
        return err->code;
    lw_putz(out, "hypothesis: ");
    lw_put_safe(out, lw_str(r->hypothesis), false);
    lw_put_char(out, '\n');
    print_statistic(d, r);
    if (!isnan(r->p)) {
        struct lw_str p = stats_p(d->cli, r->p);
        lw_putf(out, "p-value:    %.*s%s\n", LW_F(p), r->exact ? " (exact)" : "");
    }
    if (r->effect_name) {
        lw_putf(out, "effect:     %s = %.4g", r->effect_name, r->effect);
        if (!isnan(r->low))
            lw_putf(out, ", 95 %% interval %.4g to %.4g", r->low, r->high);
        if (r->reading)
            lw_putf(out, " (%s)", r->reading);
        lw_putz(out, "\n");
    }
    lw_putz(out, "\n");
    lw_put_safe(out, r->sentence, false);
    lw_putz(out, "\n");
    if (d->left_out)
        lw_putf(out, "note: %zu missing value%s left out\n", d->left_out,
                d->left_out == 1 ? "" : "s");
    for (size_t i = 0; i < r->notes; i++) {
        lw_putz(out, "note: ");
        lw_put_safe(out, r->note[i], false);
        lw_putz(out, "\n");
    }
    return 0;
}
