/* triage eval: how well triage tells types of bugs apart. */
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/table.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "triage/evaluate.h"
#include "triage/plot.h"

/* The sources of the set, each once; at most `most`. */
static size_t list_sources(const struct lw_labelled_set *set, struct lw_str *out, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < set->rows.n; i++) {
        size_t k = 0;
        while (k < n && !lw_str_eq(out[k], set->rows.v[i].source))
            k++;
        if (k == n && n < most)
            out[n++] = set->rows.v[i].source;
    }
    return n;
}

enum { SOURCES_MAX = 8 };

/* ---- Text ---------------------------------------------------------------------------------
 */

static int print_confusion(struct cli *cli, const struct lw_type_eval *e, struct lw_err *err)
{
    static const struct lw_table_column columns[] = {
        {"type", false, false},      {"reports", true, false},     {"as model", true, false},
        {"as tensor", true, false},  {"as training", true, false}, {"as gpu", true, false},
        {"as api", true, false},     {"as data", true, false},     {"as other", true, false},
        {"as unknown", true, false},
    };
    struct lw_table table;
    lw_table_init(&table, cli->ctx.mem, columns, sizeof columns / sizeof *columns);
    for (unsigned type = 0; type < LW_TYPES; type++) {
        size_t n = 0;
        for (size_t k = 0; k <= LW_TYPES; k++)
            n += e->confusion[type][k];
        if (n == 0)
            continue;
        lw_table_cell(&table, lw_str(lw_bug_type_name((enum lw_bug_type)type)));
        lw_table_cellf(&table, "%zu", n);
        for (size_t k = 0; k <= LW_TYPES; k++)
            lw_table_cellf(&table, "%zu", e->confusion[type][k]);
    }
    int rc = lw_table_print(&table, &cli->out, &cli->term, err);
    lw_table_release(&table);
    return rc;
}

static int print_calibration(struct cli *cli, const struct lw_type_eval *e, struct lw_err *err)
{
    static const struct lw_table_column columns[] = {{"best score", false, false},
                                                     {"reports", true, false},
                                                     {"mean score", true, false},
                                                     {"right", true, false},
                                                     {"", false, false}};
    struct lw_table table;
    lw_table_init(&table, cli->ctx.mem, columns, 5);
    for (size_t b = 0; b < LW_CALIBRATION_BINS; b++) {
        const struct lw_calibration_bin *bin = &e->bin[b];
        if (bin->n == 0)
            continue;
        double right = (double)bin->right / (double)bin->n;
        lw_table_cellf(&table, "%.1f to %.1f", bin->low, bin->high);
        lw_table_cellf(&table, "%zu", bin->n);
        lw_table_cellf(&table, "%.3f", bin->mean_score);
        lw_table_cellf(&table, "%.3f", right);
        lw_table_cellf(&table, "%.*s", (int)(right * 30 + 0.5),
                       "##############################");
    }
    int rc = lw_table_print(&table, &cli->out, &cli->term, err);
    lw_table_release(&table);
    return rc;
}

static void print_figures(struct cli *cli, const struct lw_type_eval *e, struct lw_str source)
{
    lw_putf(&cli->out,
            "%.*s%sreports %zu accuracy %.3f (%.3f to %.3f) macro_f1 %.3f log_loss %.3f "
            "calibration_error %.3f\n",
            LW_F(source), source.n ? ": " : "", e->n, e->accuracy, e->low, e->high, e->macro_f1,
            e->log_loss, e->calibration_error);
}

static int print_text(struct cli *cli, const struct lw_labelled_set *set,
                      const struct lw_type_eval *e, struct lw_err *err)
{
    struct lw_str source[SOURCES_MAX];
    size_t n = list_sources(set, source, SOURCES_MAX);
    int rc = print_confusion(cli, e, err);
    lw_put_char(&cli->out, '\n');
    if (rc == 0)
        rc = print_calibration(cli, e, err);
    lw_put_char(&cli->out, '\n');
    for (size_t i = 0; i < n && n > 1; i++) {
        struct lw_type_eval one;
        lw_type_figures(&one, set, source[i]);
        print_figures(cli, &one, source[i]);
    }
    print_figures(cli, e, (struct lw_str){0});
    return rc;
}

/* ---- JSON ---------------------------------------------------------------------------------
 */

static void json_bins(struct lw_jsonw *w, const struct lw_type_eval *e)
{
    lw_json_key(w, "calibration");
    lw_json_array(w);
    for (size_t b = 0; b < LW_CALIBRATION_BINS; b++) {
        const struct lw_calibration_bin *bin = &e->bin[b];
        if (bin->n == 0)
            continue;
        lw_json_object(w);
        lw_json_key_double(w, "low", bin->low);
        lw_json_key_double(w, "high", bin->high);
        lw_json_key_int(w, "reports", (int64_t)bin->n);
        lw_json_key_double(w, "mean_score", bin->mean_score);
        lw_json_key_double(w, "right", (double)bin->right / (double)bin->n);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void json_confusion(struct lw_jsonw *w, const struct lw_type_eval *e)
{
    lw_json_key(w, "confusion");
    lw_json_object(w);
    for (unsigned type = 0; type < LW_TYPES; type++) {
        lw_json_key(w, lw_bug_type_name((enum lw_bug_type)type));
        lw_json_object(w);
        for (unsigned k = 0; k <= LW_TYPES; k++)
            lw_json_key_int(w, lw_bug_type_name((enum lw_bug_type)k),
                            (int64_t)e->confusion[type][k]);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void print_json(struct cli *cli, const struct lw_type_eval *e)
{
    struct lw_jsonw w;
    lw_jsonw_init(&w, &cli->out, false);
    lw_json_object(&w);
    lw_json_key_int(&w, "reports", (int64_t)e->n);
    lw_json_key_double(&w, "accuracy", e->accuracy);
    lw_json_key_double(&w, "low", e->low);
    lw_json_key_double(&w, "high", e->high);
    lw_json_key_double(&w, "macro_f1", e->macro_f1);
    lw_json_key_double(&w, "log_loss", e->log_loss);
    lw_json_key_double(&w, "calibration_error", e->calibration_error);
    json_confusion(&w, e);
    json_bins(&w, e);
    lw_json_end(&w);
}

static int save_plot(struct cli *cli, const struct lw_type_eval *e, struct lw_err *err)
{
    struct lw_buf plot;
    lw_buf_init(&plot, cli->ctx.mem, 0);
    lw_calibration_plot(&plot, e);
    int rc = plot.failed ? lw_err_nomem(err)
                         : lw_file_write(cli_value(cli, "plot"), lw_buf_str(&plot), 0666, err);
    lw_buf_release(&plot);
    return rc;
}

static int run_set(struct cli *cli, struct lw_labelled_set *set, uint64_t folds,
                   struct lw_err *err)
{
    struct lw_type_eval eval;
    struct lw_buf model;
    lw_buf_init(&model, cli->ctx.mem, 0);
    const struct lw_type_eval_options options = {
        .folds = (unsigned)folds,
        .no_tags = cli_flag(cli, "no-tags"),
        .model_out = cli_value(cli, "save-model") ? &model : NULL};
    int rc = lw_type_evaluate(&eval, &cli->ctx, set, &options, err);
    if (rc == 0 && options.model_out)
        rc = lw_file_write(cli_value(cli, "save-model"), lw_buf_str(&model), 0666, err);
    lw_buf_release(&model);
    if (rc == 0 && cli_value(cli, "plot"))
        rc = save_plot(cli, &eval, err);
    if (rc == 0 && cli_wants(cli, "json"))
        print_json(cli, &eval);
    else if (rc == 0)
        rc = print_text(cli, set, &eval, err);
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    struct lw_labelled_set set;
    uint64_t folds;
    if (!cli_value(cli, "dataset"))
        return lw_err_set(err, LW_EINVAL, "'triage eval' needs --dataset");
    int rc = cli_number(cli, "folds", 10, 2, 100, &folds, err);
    if (rc < 0)
        return rc;
    rc = lw_labelled_load(&set, cli->ctx.mem, cli_value(cli, "dataset"), err);
    if (rc == 0)
        rc = run_set(cli, &set, folds, err);
    lw_labelled_release(&set);
    return rc;
}

static const struct cli_option options[] = {
    {"dataset", 0, "FILE.csv", NULL, "reports with the columns id, title, type"},
    {"folds", 0, "N", NULL, "parts of the cross-validation (default: 10)"},
    {"no-tags", 0, NULL, NULL, "judge without the column tags"},
    {"save-model", 0, "FILE", NULL, "write a model learnt on the whole set"},
    {"plot", 0, "FILE.svg", NULL, "draw the calibration: scores against shares"},
    {"format", 0, "F", "text|json", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_triage_eval = {
    .name = "triage eval",
    .usage = "--dataset FILE.csv",
    .summary = "cross-validate the type model on labelled reports",
    .details =
        "The file has the columns id, title and type, and perhaps tags (separated by ';'), "
        "description and source. Rows without a type are left out.\n\n"
        "Words, weights and temperature for a part come from the other parts alone. Accuracy "
        "has a 95 % interval (Wilson); macro_f1 is the mean F1 of the types that occur; the "
        "calibration table compares the best score with how often it is right.",
    .options = options,
    .examples =
        (const struct cli_example[]){
            {"lacewing triage eval --dataset posts.csv --folds 10", "with tags"},
            {"lacewing triage eval --dataset posts.csv --no-tags", "by the titles alone"},
            {NULL, NULL}},
    .min_args = 0,
    .max_args = 0,
    .run = run,
};
