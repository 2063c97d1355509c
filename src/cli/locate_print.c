/* Views of an evaluation: text, JSON, CSV, LaTeX, HTML. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/table.h"
#include "cli/locate.h"

/* ---- Groups of reports ------------------------------------------------------------------- */

/* Reports whose `column` has `value`. */
struct group {
    struct lw_str column, value;
};

static struct lw_str value_in(const struct lw_judged *r, struct lw_str column)
{
    if (lw_str_eq(column, LW_S("project")))
        return r->line->ticket.project;
    return lw_set_column(r->line, column);
}

static bool is_in_group(const struct lw_judged *r, const void *data)
{
    const struct group *g = data;
    return lw_str_eq(value_in(r, g->column), g->value);
}

static struct lw_figures figures_of(const struct locate_result *result, size_t technique,
                                    const struct group *g)
{
    return lw_eval_figures(result->eval, technique, g ? is_in_group : NULL, g);
}

/* The different values of a column in order of appearance; `*n` of them. NULL: no memory. */
static const struct lw_str *values_of(struct cli *cli, const struct lw_eval *e,
                                      struct lw_str column, size_t *n)
{
    struct lw_str *v = lw_arena_array(&cli->arena, e->report_count + 1, sizeof *v);
    *n = 0;
    for (size_t i = 0; v && i < e->report_count; i++) {
        struct lw_str value = value_in(&e->reports[i], column);
        size_t k = 0;
        while (k < *n && !lw_str_eq(v[k], value))
            k++;
        if (k == *n && !e->reports[i].skipped)
            v[(*n)++] = value;
    }
    return v;
}

static const char *name_of(const struct locate_result *result, size_t technique)
{
    return result->eval->setups[technique].technique->name;
}

static size_t judged(const struct lw_eval *e)
{
    return e->report_count - e->skipped;
}

static const char *metric_name(enum lw_eval_metric metric)
{
    return metric == LW_METRIC_AP ? "ap" : "rr";
}

/* Calls `fn` for all reports together, then for each value of `project` and each column of
 * --by. */
typedef void group_fn(struct cli *cli, const struct locate_result *result,
                      const struct group *g, void *data);

static int each_group(struct cli *cli, const struct locate_result *result,
                      struct lw_str columns, group_fn *fn, void *data, struct lw_err *err)
{
    struct group g;
    while (lw_str_split(&columns, ',', &g.column)) {
        size_t n;
        const struct lw_str *values = values_of(cli, result->eval, g.column, &n);
        if (!values)
            return lw_err_nomem(err);
        for (size_t i = 0; i < n; i++) {
            g.value = values[i];
            fn(cli, result, &g, data);
        }
    }
    return 0;
}

/* "project" and the columns asked for. */
static struct lw_str all_columns(struct cli *cli, const struct locate_result *result)
{
    return lw_arena_printf(&cli->arena, "project%s%.*s", result->by.n ? "," : "",
                           LW_F(result->by));
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void json_figures(struct lw_jsonw *w, const struct lw_figures *f)
{
    lw_json_key_double(w, "top1", f->top1);
    lw_json_key_double(w, "top5", f->top5);
    lw_json_key_double(w, "top10", f->top10);
    lw_json_key_double(w, "mrr", f->mrr);
    lw_json_key_double(w, "map", f->map);
    lw_json_key_int(w, "reports", (int64_t)f->reports);
}

static int json_groups(struct cli *cli, struct lw_jsonw *w, const struct locate_result *result,
                       size_t technique, struct lw_str column, struct lw_err *err)
{
    size_t n;
    const struct lw_str *values = values_of(cli, result->eval, column, &n);
    struct lw_str key = lw_arena_printf(&cli->arena, "by_%.*s", LW_F(column));
    if (!values || !key.p)
        return lw_err_nomem(err);
    lw_json_key(w, key.p);
    lw_json_object(w);
    for (size_t i = 0; i < n; i++) {
        struct group g = {column, values[i]};
        struct lw_figures f = figures_of(result, technique, &g);
        struct lw_str name = lw_arena_copy(&cli->arena, values[i]);
        if (!name.p)
            return lw_err_nomem(err);
        lw_json_key(w, name.p);
        lw_json_object(w);
        json_figures(w, &f);
        lw_json_end(w);
    }
    lw_json_end(w);
    return 0;
}

static void json_interval(struct lw_jsonw *w, const char *key, double low, double high)
{
    lw_json_key(w, key);
    lw_json_array(w);
    lw_json_double(w, low);
    lw_json_double(w, high);
    lw_json_end(w);
}

static int json_technique(struct cli *cli, struct lw_jsonw *w,
                          const struct locate_result *result, size_t t, struct lw_err *err)
{
    struct lw_figures f = figures_of(result, t, NULL);
    const struct lw_eval_interval *ci = &result->intervals[t];
    struct lw_str columns = all_columns(cli, result), column;
    int rc = columns.p ? 0 : lw_err_nomem(err);
    lw_json_object(w);
    lw_json_key_text(w, "name", lw_str(name_of(result, t)));
    json_figures(w, &f);
    lw_json_key_double(w, "seconds", result->eval->seconds[t]);
    json_interval(w, "map_ci", ci->map_low, ci->map_high);
    json_interval(w, "mrr_ci", ci->mrr_low, ci->mrr_high);
    json_interval(w, "top1_ci", ci->top1_low, ci->top1_high);
    while (rc == 0 && lw_str_split(&columns, ',', &column))
        rc = json_groups(cli, w, result, t, column, err);
    lw_json_end(w);
    return rc;
}

static void json_comparison(struct lw_jsonw *w, const struct locate_result *result,
                            const struct lw_comparison *c)
{
    lw_json_object(w);
    lw_json_key_text(w, "a", lw_str(name_of(result, c->a)));
    lw_json_key_text(w, "b", lw_str(name_of(result, c->b)));
    lw_json_key_text(w, "metric", lw_str(metric_name(c->metric)));
    lw_json_key_double(w, "p", c->p);
    lw_json_key_double(w, "effect", c->effect);
    lw_json_key_text(w, "test", LW_S("wilcoxon, holm"));
    lw_json_key_double(w, "difference", c->difference);
    lw_json_key_double(w, "p_t", c->p_t);
    lw_json_key_double(w, "cohen_d", c->cohen_d);
    lw_json_end(w);
}

static void json_index(struct lw_jsonw *w, const struct lw_eval *e)
{
    lw_json_key(w, "index");
    lw_json_object(w);
    lw_json_key_int(w, "blobs", (int64_t)e->index.blobs);
    lw_json_key_int(w, "blobs_read", (int64_t)e->index.blobs_read);
    lw_json_key_int(w, "bytes_read", (int64_t)e->index.bytes_read);
    lw_json_key_int(w, "commits_listed", (int64_t)e->index.commits_listed);
    lw_json_key_int(w, "segments", (int64_t)e->index.segments);
    lw_json_key_int(w, "segments_damaged", (int64_t)e->index.segments_damaged);
    lw_json_key_double(w, "seconds", e->seconds_index);
    lw_json_end(w);
}

static int print_json(struct cli *cli, const struct locate_result *result, struct lw_err *err)
{
    const struct lw_eval *e = result->eval;
    struct lw_jsonw w;
    int rc = 0;
    lw_jsonw_init(&w, &cli->out, false);
    lw_json_object(&w);
    lw_json_key_text(&w, "dataset", lw_str(result->dataset));
    lw_json_key_int(&w, "reports", (int64_t)judged(e));
    lw_json_key_int(&w, "passed_over", (int64_t)e->skipped);
    lw_json_key_double(&w, "seconds", e->seconds_total);
    json_index(&w, e);
    lw_json_key(&w, "techniques");
    lw_json_array(&w);
    for (size_t t = 0; t < e->setup_count && rc == 0; t++)
        rc = json_technique(cli, &w, result, t, err);
    if (rc < 0)
        return rc;
    lw_json_end(&w);
    lw_json_key(&w, "comparisons");
    lw_json_array(&w);
    for (size_t i = 0; i < result->comparison_count; i++)
        json_comparison(&w, result, &result->comparisons[i]);
    lw_json_end(&w);
    lw_json_end(&w);
    return 0;
}

/* ---- Text -------------------------------------------------------------------------------- */

static int text_overall(struct cli *cli, const struct locate_result *result, struct lw_err *err)
{
    static const struct lw_table_column columns[] = {
        {"technique", false, false}, {"Top@1", true, false},  {"Top@5", true, false},
        {"Top@10", true, false},     {"MRR", true, false},    {"MAP", true, false},
        {"95 %", false, false},      {"seconds", true, false}};
    struct lw_table table;
    lw_table_init(&table, cli->ctx.mem, columns, sizeof columns / sizeof *columns);
    for (size_t t = 0; t < result->eval->setup_count; t++) {
        struct lw_figures f = figures_of(result, t, NULL);
        lw_table_cell(&table, lw_str(name_of(result, t)));
        lw_table_cellf(&table, "%.4f", f.top1);
        lw_table_cellf(&table, "%.4f", f.top5);
        lw_table_cellf(&table, "%.4f", f.top10);
        lw_table_cellf(&table, "%.4f", f.mrr);
        lw_table_cellf(&table, "%.4f", f.map);
        lw_table_cellf(&table, "%.3f to %.3f", result->intervals[t].map_low,
                       result->intervals[t].map_high);
        lw_table_cellf(&table, "%.2f", result->eval->seconds[t]);
    }
    int rc = lw_table_print(&table, &cli->out, &cli->term, err);
    lw_table_release(&table);
    return rc;
}

struct map_rows {
    struct lw_table table;
};

static void text_row(struct cli *cli, const struct locate_result *result, const struct group *g,
                     void *data)
{
    struct map_rows *rows = data;
    (void)cli;
    struct lw_figures f = figures_of(result, 0, g);
    lw_table_cell(&rows->table, g->value.n ? g->value : LW_S("(none)"));
    lw_table_cellf(&rows->table, "%zu", f.reports);
    for (size_t t = 0; t < result->eval->setup_count; t++)
        lw_table_cellf(&rows->table, "%.4f", figures_of(result, t, g).map);
}

/* MAP of each technique by the values of one column. */
static int text_by(struct cli *cli, const struct locate_result *result, struct lw_str column,
                   struct lw_err *err)
{
    struct lw_table_column *columns =
        lw_arena_array(&cli->arena, LW_TABLE_COLUMNS, sizeof *columns);
    struct lw_str title = lw_arena_printf(&cli->arena, "MAP by %.*s", LW_F(column));
    struct map_rows rows;
    if (!columns || !title.p)
        return lw_err_nomem(err);
    columns[0] = (struct lw_table_column){title.p, false, true};
    columns[1] = (struct lw_table_column){"reports", true, false};
    for (size_t t = 0; t < result->eval->setup_count; t++)
        columns[t + 2] = (struct lw_table_column){name_of(result, t), true, false};
    lw_table_init(&rows.table, cli->ctx.mem, columns, result->eval->setup_count + 2);
    int rc = each_group(cli, result, column, text_row, &rows, err);
    lw_put_char(&cli->out, '\n');
    if (rc == 0)
        rc = lw_table_print(&rows.table, &cli->out, &cli->term, err);
    lw_table_release(&rows.table);
    return rc;
}

static int text_comparisons(struct cli *cli, const struct locate_result *result,
                            struct lw_err *err)
{
    static const struct lw_table_column columns[] = {
        {"compared", false, false}, {"metric", false, false}, {"difference", true, false},
        {"p (Holm)", true, false},  {"effect", true, false},  {"p (t)", true, false},
        {"Cohen's d", true, false}};
    struct lw_table table;
    lw_table_init(&table, cli->ctx.mem, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < result->comparison_count; i++) {
        const struct lw_comparison *c = &result->comparisons[i];
        lw_table_cellf(&table, "%s - %s", name_of(result, c->a), name_of(result, c->b));
        lw_table_cellf(&table, "%s", metric_name(c->metric));
        lw_table_cellf(&table, "%+.4f", c->difference);
        lw_table_cellf(&table, "%.3g", c->p);
        lw_table_cellf(&table, "%+.3f", c->effect);
        lw_table_cellf(&table, "%.3g", c->p_t);
        lw_table_cellf(&table, "%+.3f", c->cohen_d);
    }
    lw_put_char(&cli->out, '\n');
    int rc = lw_table_print(&table, &cli->out, &cli->term, err);
    lw_table_release(&table);
    return rc;
}

static int print_text(struct cli *cli, const struct locate_result *result, struct lw_err *err)
{
    const struct lw_eval *e = result->eval;
    struct lw_str columns = all_columns(cli, result), column;
    int rc = columns.p ? text_overall(cli, result, err) : lw_err_nomem(err);
    while (rc == 0 && lw_str_split(&columns, ',', &column))
        rc = text_by(cli, result, column, err);
    if (rc == 0 && result->comparison_count)
        rc = text_comparisons(cli, result, err);
    if (rc == 0)
        lw_putf(&cli->out, "\n%zu reports of %zu projects, %.1f s\n", judged(e),
                e->project_count, e->seconds_total);
    return rc;
}

/* ---- CSV --------------------------------------------------------------------------------- */

static void csv_text(struct lw_sink *out, struct lw_str text)
{
    bool quote = false;
    for (size_t i = 0; i < text.n; i++)
        quote |= strchr(",\"\n\r", text.p[i]) != NULL;
    if (quote)
        lw_put_char(out, '"');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"')
            lw_put_char(out, '"');
        lw_put_char(out, text.p[i]);
    }
    if (quote)
        lw_put_char(out, '"');
}

static void csv_rows(struct cli *cli, const struct locate_result *result, const struct group *g,
                     void *data)
{
    (void)data;
    for (size_t t = 0; t < result->eval->setup_count; t++) {
        struct lw_figures f = figures_of(result, t, g);
        lw_putf(&cli->out, "%s,", name_of(result, t));
        csv_text(&cli->out, g ? g->column : LW_S("all"));
        lw_put_char(&cli->out, ',');
        csv_text(&cli->out, g ? g->value : LW_S(""));
        lw_putf(&cli->out, ",%zu,%.6f,%.6f,%.6f,%.6f,%.6f\n", f.reports, f.top1, f.top5,
                f.top10, f.mrr, f.map);
    }
}

static int print_csv(struct cli *cli, const struct locate_result *result, struct lw_err *err)
{
    struct lw_str columns = all_columns(cli, result);
    if (!columns.p)
        return lw_err_nomem(err);
    lw_putz(&cli->out, "technique,column,value,reports,top1,top5,top10,mrr,map\n");
    csv_rows(cli, result, NULL, NULL);
    return each_group(cli, result, columns, csv_rows, NULL, err);
}

/* ---- LaTeX ------------------------------------------------------------------------------- */

static void latex_text(struct lw_sink *out, struct lw_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (strchr("&%$#_{}", text.p[i]))
            lw_put_char(out, '\\');
        if (text.p[i] == '\\' || text.p[i] == '^' || text.p[i] == '~')
            lw_putf(out, "\\char`\\%c", text.p[i]);
        else
            lw_put_char(out, text.p[i]);
    }
}

static void latex_figures(struct lw_sink *out, const struct lw_figures *f)
{
    lw_putf(out, " & %.3f & %.3f & %.3f & %.3f & %.3f \\\\\n", f->top1, f->top5, f->top10,
            f->mrr, f->map);
}

static void latex_group(struct cli *cli, const struct locate_result *result,
                        const struct group *g, void *data)
{
    (void)data;
    lw_putz(&cli->out, "\\midrule\n\\multicolumn{6}{l}{");
    latex_text(&cli->out, g->column);
    lw_putz(&cli->out, ": ");
    latex_text(&cli->out, g->value);
    lw_putz(&cli->out, "} \\\\\n");
    for (size_t t = 0; t < result->eval->setup_count; t++) {
        struct lw_figures f = figures_of(result, t, g);
        latex_text(&cli->out, lw_str(name_of(result, t)));
        latex_figures(&cli->out, &f);
    }
}

static int print_latex(struct cli *cli, const struct locate_result *result, struct lw_err *err)
{
    struct lw_str columns = all_columns(cli, result);
    if (!columns.p)
        return lw_err_nomem(err);
    lw_putf(
        &cli->out,
        "%% %zu reports; needs \\usepackage{booktabs}\n\\begin{tabular}{lrrrrr}\n\\toprule\n"
        "Technique & Top@1 & Top@5 & Top@10 & MRR & MAP \\\\\n\\midrule\n",
        judged(result->eval));
    for (size_t t = 0; t < result->eval->setup_count; t++) {
        struct lw_figures f = figures_of(result, t, NULL);
        latex_text(&cli->out, lw_str(name_of(result, t)));
        latex_figures(&cli->out, &f);
    }
    int rc = each_group(cli, result, columns, latex_group, NULL, err);
    lw_putz(&cli->out, "\\bottomrule\n\\end{tabular}\n");
    return rc;
}

/* ---- HTML -------------------------------------------------------------------------------- */

static void html_text(struct lw_sink *out, struct lw_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        switch (text.p[i]) {
        case '&': lw_putz(out, "&amp;"); break;
        case '<': lw_putz(out, "&lt;"); break;
        case '>': lw_putz(out, "&gt;"); break;
        case '"': lw_putz(out, "&quot;"); break;
        default: lw_put_char(out, text.p[i]);
        }
    }
}

static void html_row(struct cli *cli, const struct locate_result *result, size_t t)
{
    struct lw_figures f = figures_of(result, t, NULL);
    const struct lw_eval_interval *ci = &result->intervals[t];
    lw_putf(&cli->out,
            "<tr><td>%s</td><td>%.4f</td><td>%.4f</td><td>%.4f</td><td>%.4f</td><td>%.4f</td>"
            "<td>%.3f – %.3f</td></tr>\n",
            name_of(result, t), f.top1, f.top5, f.top10, f.mrr, f.map, ci->map_low,
            ci->map_high);
}

/* One bar per technique; the length is MAP. */
static void html_bars(struct cli *cli, const struct locate_result *result,
                      const struct group *g, void *data)
{
    (void)data;
    struct lw_figures first = figures_of(result, 0, g);
    lw_putz(&cli->out, "<h3>");
    html_text(&cli->out, g->value.n ? g->value : LW_S("(none)"));
    lw_putf(&cli->out, " <small>%zu reports</small></h3>\n", first.reports);
    for (size_t t = 0; t < result->eval->setup_count; t++) {
        struct lw_figures f = figures_of(result, t, g);
        lw_putf(&cli->out,
                "<div class=\"row\"><span class=\"name\">%s</span><span class=\"bar b%zu\" "
                "style=\"width:%.1f%%\"></span><span class=\"value\">%.3f</span></div>\n",
                name_of(result, t), t % 6, f.map * 70, f.map);
    }
}

static void html_comparisons(struct cli *cli, const struct locate_result *result)
{
    if (!result->comparison_count)
        return;
    lw_putz(&cli->out, "<h2>Comparisons</h2>\n<table><tr><th>a</th><th>b</th><th>metric</th>"
                       "<th>difference</th><th>p (Wilcoxon, Holm)</th><th>effect</th></tr>\n");
    for (size_t i = 0; i < result->comparison_count; i++) {
        const struct lw_comparison *c = &result->comparisons[i];
        lw_putf(&cli->out,
                "<tr><td>%s</td><td>%s</td><td>%s</td><td>%+.4f</td><td>%.3g</td>"
                "<td>%+.3f</td></tr>\n",
                name_of(result, c->a), name_of(result, c->b), metric_name(c->metric),
                c->difference, c->p, c->effect);
    }
    lw_putz(&cli->out, "</table>\n");
}

static const char html_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<title>lacewing locate eval</title>\n<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}\n"
    "table{border-collapse:collapse}td,th{padding:.2rem .7rem;border-bottom:1px solid #ccc;"
    "text-align:right}td:first-child,th:first-child{text-align:left}\n"
    "h3{margin:1.2rem 0 .2rem}small{font-weight:normal;color:#666}\n"
    ".row{display:flex;align-items:center;gap:.5rem;height:1.3rem}.name{width:7rem}\n"
    ".bar{height:.8rem;display:inline-block}.value{color:#444}\n"
    ".b0{background:#4477aa}.b1{background:#66ccee}.b2{background:#228833}"
    ".b3{background:#ccbb44}.b4{background:#ee6677}.b5{background:#aa3377}\n"
    "</style></head><body>\n";

static int print_html(struct cli *cli, const struct locate_result *result, struct lw_err *err)
{
    struct lw_str columns = all_columns(cli, result), column;
    int rc = columns.p ? 0 : lw_err_nomem(err);
    lw_putz(&cli->out, html_head);
    lw_putz(&cli->out, "<h1>From bug reports to files</h1>\n<p>");
    html_text(&cli->out, lw_str(result->dataset));
    lw_putf(&cli->out,
            ": %zu reports.</p>\n<table><tr><th>technique</th><th>Top@1</th>"
            "<th>Top@5</th><th>Top@10</th><th>MRR</th><th>MAP</th><th>95 %%</th></tr>\n",
            judged(result->eval));
    for (size_t t = 0; t < result->eval->setup_count; t++)
        html_row(cli, result, t);
    lw_putz(&cli->out, "</table>\n");
    html_comparisons(cli, result);
    while (rc == 0 && lw_str_split(&columns, ',', &column)) {
        lw_putz(&cli->out, "<h2>MAP by ");
        html_text(&cli->out, column);
        lw_putz(&cli->out, "</h2>\n");
        rc = each_group(cli, result, column, html_bars, NULL, err);
    }
    lw_putz(&cli->out, "</body></html>\n");
    return rc;
}

int locate_print(struct cli *cli, const struct locate_result *result, struct lw_err *err)
{
    static const struct {
        const char *name;
        int (*print)(struct cli *cli, const struct locate_result *result, struct lw_err *err);
    } formats[] = {
        {"json", print_json}, {"csv", print_csv}, {"latex", print_latex}, {"html", print_html}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (cli_wants(cli, formats[i].name))
            return formats[i].print(cli, result, err);
    return print_text(cli, result, err);
}
