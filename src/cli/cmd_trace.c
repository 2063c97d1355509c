/* trace: looking at recorded training runs. */
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/log.h"
#include "base/num.h"
#include "base/str.h"
#include "base/table.h"
#include "cli/commands.h"
#include "trace/trace.h"

const struct cli_command cmd_trace = {
    .name = "trace",
    .usage = "",
    .summary = "look at recorded training runs",
    .examples =
        (const struct cli_example[]){{"lacewing trace info run.lwt", "what was recorded"},
                                     {NULL, NULL}},
};

/* ---- trace info -------------------------------------------------------------------------- */

static void put_number(struct lw_table *t, double x)
{
    if (isnan(x))
        lw_table_cell(t, LW_S("-"));
    else
        lw_table_cellf(t, "%.4g", x);
}

static bool is_scalar(const struct lw_trace_series *s)
{
    return s->points != NULL || s->name.role == LW_SERIES_METRIC ||
           s->name.role == LW_SERIES_SETTING;
}

static void put_series_row(struct lw_table *t, const struct lw_trace_series *s)
{
    lw_table_cell(t, s->name.name);
    lw_table_cell(t, lw_str(lw_trace_role_name(s->name.role)));
    lw_table_cellf(t, "%zu", s->n);
    if (!s->n) {
        for (int i = 0; i < 5; i++)
            lw_table_cell(t, LW_S("-"));
    } else if (is_scalar(s)) {
        put_number(t, s->points[0].value);
        put_number(t, s->points[s->n - 1].value);
        for (int i = 0; i < 3; i++)
            lw_table_cell(t, LW_S(""));
    } else {
        const struct lw_tensor_stats *last = &s->rows[s->n - 1].stats;
        put_number(t, s->rows[0].stats.mean);
        put_number(t, last->mean);
        put_number(t, last->sd);
        put_number(t, last->min);
        put_number(t, last->max);
    }
}

static int print_series(struct cli *cli, const lw_trace *t, struct lw_err *err)
{
    static const struct lw_table_column columns[] = {
        {"name", false, true},       {"kind", false, false},     {"recorded", true, false},
        {"first mean", true, false}, {"last mean", true, false}, {"sd", true, false},
        {"min", true, false},        {"max", true, false},
    };
    struct lw_table table;
    lw_table_init(&table, cli->ctx.mem, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < lw_trace_series_count(t); i++)
        put_series_row(&table, lw_trace_series_at(t, i));
    int rc = lw_table_print(&table, &cli->out, &cli->term, err);
    lw_table_release(&table);
    return rc;
}

static int info_text(struct cli *cli, const lw_trace *t, struct lw_err *err)
{
    const json_t *meta = lw_trace_meta(t);
    const json_t *framework = json_object_get(meta, "framework");
    const json_t *seconds = json_object_get(meta, "seconds");
    lw_putf(&cli->out, "%u steps, %zu series, %zu events", lw_trace_steps(t) + 1,
            lw_trace_series_count(t), lw_trace_event_count(t));
    if (json_is_number(seconds))
        lw_putf(&cli->out, ", %.1f s", json_number_value(seconds));
    if (framework) {
        lw_putz(&cli->out, ", ");
        lw_put_safe(&cli->out, lw_json_member(framework, "name"), false);
        lw_put_char(&cli->out, ' ');
        lw_put_safe(&cli->out, lw_json_member(framework, "version"), false);
    }
    lw_put_char(&cli->out, '\n');
    if (!json_is_true(json_object_get(meta, "closed")))
        lw_putz(&cli->out, "The run has not ended, or ended without closing the trace.\n");
    return print_series(cli, t, err);
}

static void put_stats(struct lw_jsonw *w, const struct lw_tensor_stats *s)
{
    lw_json_object(w);
    lw_json_key_int(w, "n", (int64_t)s->n);
    lw_json_key_int(w, "seen", s->seen);
    lw_json_key_int(w, "nan", s->nan);
    lw_json_key_int(w, "inf", s->inf);
    lw_json_key_int(w, "zeros", s->zeros);
    lw_json_key_double(w, "min", (double)s->min);
    lw_json_key_double(w, "max", (double)s->max);
    lw_json_key_double(w, "mean", (double)s->mean);
    lw_json_key_double(w, "median", (double)s->median);
    lw_json_key_double(w, "sd", (double)s->sd);
    lw_json_key_double(w, "skewness", (double)s->skewness);
    lw_json_key_double(w, "kurtosis", (double)s->kurtosis);
    lw_json_key_double(w, "norm", (double)s->norm);
    lw_json_key_double(w, "sparsity", (double)s->sparsity);
    lw_json_end(w);
}

static void put_series_json(struct lw_jsonw *w, const struct lw_trace_series *s)
{
    lw_json_object(w);
    lw_json_key_text(w, "name", s->name.name);
    lw_json_key_text(w, "kind", lw_str(lw_trace_role_name(s->name.role)));
    lw_json_key_text_or_null(w, "layer", s->name.layer);
    lw_json_key_text_or_null(w, "path", s->name.path);
    lw_json_key_int(w, "line", s->name.line);
    lw_json_key_int(w, "recorded", (int64_t)s->n);
    lw_json_key(w, "last");
    if (!s->n)
        lw_json_null(w);
    else if (is_scalar(s))
        lw_json_double(w, s->points[s->n - 1].value);
    else
        put_stats(w, &s->rows[s->n - 1].stats);
    lw_json_end(w);
}

static void info_json(struct cli *cli, const lw_trace *t)
{
    struct lw_jsonw w;
    lw_jsonw_init(&w, &cli->out, false);
    lw_json_object(&w);
    lw_json_key_int(&w, "steps", (int64_t)lw_trace_steps(t) + 1);
    lw_json_key_int(&w, "events", (int64_t)lw_trace_event_count(t));
    lw_json_key_bool(&w, "closed", json_is_true(json_object_get(lw_trace_meta(t), "closed")));
    lw_json_key_text_or_null(&w, "lost", lw_trace_lost(t));
    lw_json_key(&w, "meta");
    lw_json_copy(&w, lw_trace_meta(t));
    lw_json_key(&w, "series");
    lw_json_array(&w);
    for (size_t i = 0; i < lw_trace_series_count(t); i++)
        put_series_json(&w, lw_trace_series_at(t, i));
    lw_json_end(&w);
    lw_json_end(&w);
}

static int open_trace(struct cli *cli, lw_trace **t, struct lw_err *err)
{
    int rc = lw_trace_read(t, cli->ctx.mem, cli->args[0], err);
    if (rc == 0 && lw_trace_lost(*t).n)
        lw_log(&cli->ctx.log, LW_LOG_WARNING, "'%s': %.*s", cli->args[0],
               LW_F(lw_trace_lost(*t)));
    return rc;
}

static int run_info(struct cli *cli, struct lw_err *err)
{
    lw_trace *t = NULL;
    int rc = open_trace(cli, &t, err);
    if (rc == 0 && cli_wants(cli, "json"))
        info_json(cli, t);
    else if (rc == 0)
        rc = info_text(cli, t, err);
    lw_trace_free(t);
    return rc;
}

const struct cli_command cmd_trace_info = {
    .name = "trace info",
    .usage = "FILE",
    .summary = "what a trace holds: steps, series, first and last values",
    .details =
        "A trace that is still being written, was cut short or is damaged is read as far "
        "as it goes; a warning says what is missing.",
    .examples =
        (const struct cli_example[]){
            {"lacewing trace info run.lwt", "a table of all series"},
            {"lacewing trace info run.lwt --format json", "with the facts about the run"},
            {NULL, NULL}},
    .min_args = 1,
    .max_args = 1,
    .run = run_info,
};

/* ---- trace export ------------------------------------------------------------------------ */

static const char *const stats_columns[] = {"n",        "seen",     "nan",  "inf",     "zeros",
                                            "min",      "max",      "mean", "median",  "sd",
                                            "skewness", "kurtosis", "norm", "sparsity"};
enum { STATS_COLUMNS = sizeof stats_columns / sizeof *stats_columns };

static void put_csv_number(struct lw_sink *out, double x)
{
    char text[LW_DOUBLE_TEXT];
    lw_csv_put(out, lw_str(isnan(x) ? "nan" : lw_print_double(x, text)), false);
}

static void put_csv_head(struct lw_sink *out, const struct lw_trace_series *s, uint32_t step)
{
    char text[16];
    snprintf(text, sizeof text, "%u", step);
    lw_csv_put(out, lw_str(text), true);
    lw_csv_put(out, lw_str(lw_trace_role_name(s->name.role)), false);
    lw_csv_put(out, s->name.name, false);
}

static void put_csv_row(struct lw_sink *out, const struct lw_tensor_stats *s)
{
    const double v[STATS_COLUMNS] = {(double)s->n,
                                     s->seen,
                                     s->nan,
                                     s->inf,
                                     s->zeros,
                                     (double)s->min,
                                     (double)s->max,
                                     (double)s->mean,
                                     (double)s->median,
                                     (double)s->sd,
                                     (double)s->skewness,
                                     (double)s->kurtosis,
                                     (double)s->norm,
                                     (double)s->sparsity};
    lw_csv_put(out, LW_S(""), false);
    lw_csv_put(out, LW_S(""), false);
    for (size_t i = 0; i < STATS_COLUMNS; i++)
        put_csv_number(out, v[i]);
}

static void put_csv_point(struct lw_sink *out, const struct lw_trace_point *p)
{
    put_csv_number(out, (double)p->time);
    put_csv_number(out, p->value);
    for (size_t i = 0; i < STATS_COLUMNS; i++)
        lw_csv_put(out, LW_S(""), false);
}

static void export_csv(struct lw_sink *out, const lw_trace *t)
{
    lw_putz(out, "step,kind,name,time,value");
    for (size_t i = 0; i < STATS_COLUMNS; i++)
        lw_csv_put(out, lw_str(stats_columns[i]), false);
    lw_csv_end_row(out);
    for (size_t i = 0; i < lw_trace_series_count(t); i++) {
        const struct lw_trace_series *s = lw_trace_series_at(t, i);
        for (size_t k = 0; k < s->n; k++) {
            put_csv_head(out, s, is_scalar(s) ? s->points[k].step : s->rows[k].step);
            if (is_scalar(s))
                put_csv_point(out, &s->points[k]);
            else
                put_csv_row(out, &s->rows[k].stats);
            lw_csv_end_row(out);
        }
    }
}

static void export_json_lines(struct lw_sink *out, const lw_trace *t)
{
    struct lw_jsonw w;
    for (size_t i = 0; i < lw_trace_series_count(t); i++) {
        const struct lw_trace_series *s = lw_trace_series_at(t, i);
        for (size_t k = 0; k < s->n; k++) {
            lw_jsonw_init(&w, out, true);
            lw_json_object(&w);
            lw_json_key_int(&w, "step", is_scalar(s) ? s->points[k].step : s->rows[k].step);
            lw_json_key_text(&w, "kind", lw_str(lw_trace_role_name(s->name.role)));
            lw_json_key_text(&w, "name", s->name.name);
            if (is_scalar(s)) {
                lw_json_key_double(&w, "time", (double)s->points[k].time);
                lw_json_key_double(&w, "value", s->points[k].value);
            } else {
                lw_json_key(&w, "statistics");
                put_stats(&w, &s->rows[k].stats);
            }
            lw_json_end(&w);
        }
    }
}

static int run_export(struct cli *cli, struct lw_err *err)
{
    const char *to = cli_value(cli, "to");
    lw_trace *t = NULL;
    int rc = open_trace(cli, &t, err);
    if (rc == 0 && to && strcmp(to, "json-lines") == 0)
        export_json_lines(&cli->out, t);
    else if (rc == 0)
        export_csv(&cli->out, t);
    lw_trace_free(t);
    return rc;
}

const struct cli_command cmd_trace_export = {
    .name = "trace export",
    .usage = "FILE",
    .summary = "print a trace in another form",
    .options = (const struct cli_option[]){{"to", 0, "FORM", "csv|json-lines",
                                            "the form (default: csv)"},
                                           {NULL, 0, NULL, NULL, NULL}},
    .examples = (const struct cli_example[]){{"lacewing trace export run.lwt > run.csv",
                                              "a row for each number or tensor"},
                                             {NULL, NULL}},
    .min_args = 1,
    .max_args = 1,
    .run = run_export,
};
