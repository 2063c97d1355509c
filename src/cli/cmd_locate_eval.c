/* locate eval: how well techniques find the files of a set of reports. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/locate.h"

/* One JSON line per report and technique. */
static void print_outcome(struct lw_jsonw *w, const struct lw_eval *e,
                          const struct lw_judged *r, size_t technique)
{
    const struct lw_outcome *o = &r->outcomes[technique];
    lw_json_object(w);
    lw_json_key_text(w, "project", r->line->ticket.project);
    lw_json_key_text(w, "id", r->line->ticket.id);
    lw_json_key_text(w, "technique", lw_str(e->setups[technique].technique->name));
    lw_json_key(w, "first_rank");
    if (o->rank_count)
        lw_json_int(w, o->ranks[0]);
    else
        lw_json_null(w);
    lw_json_key_double(w, "ap", o->ap);
    lw_json_key(w, "ranks_of_truth");
    lw_json_array(w);
    for (uint32_t i = 0; i < o->rank_count; i++)
        lw_json_int(w, o->ranks[i]);
    lw_json_end(w);
    lw_json_key_int(w, "candidates", r->candidates);
    lw_json_end(w);
}

static int write_per_report(struct cli *cli, const struct lw_eval *e, struct lw_err *err)
{
    const char *path = cli_value(cli, "per-report");
    struct lw_buf text;
    struct lw_jsonw w;
    if (!path)
        return 0;
    lw_buf_init(&text, cli->ctx.mem, 0);
    struct lw_sink sink = lw_sink_buf(&text);
    for (size_t i = 0; i < e->report_count; i++)
        for (size_t t = 0; t < e->setup_count && !e->reports[i].skipped; t++) {
            lw_jsonw_init(&w, &sink, true);
            print_outcome(&w, e, &e->reports[i], t);
        }
    int rc =
        text.failed ? lw_err_nomem(err) : lw_file_write(path, lw_buf_str(&text), 0666, err);
    lw_buf_release(&text);
    return rc;
}

static int summarize(struct cli *cli, struct locate_result *result, struct lw_err *err)
{
    struct lw_eval *e = result->eval;
    struct lw_eval_interval *intervals =
        lw_arena_array(&cli->arena, e->setup_count, sizeof *intervals);
    int rc = intervals ? 0 : lw_err_nomem(err);
    result->intervals = intervals;
    for (size_t t = 0; t < e->setup_count && rc == 0; t++)
        rc = lw_eval_intervals(e, &cli->ctx, t, &intervals[t], err);
    if (rc == 0 && cli_flag(cli, "compare"))
        rc = lw_eval_compare(e, &cli->arena, &result->comparisons, &result->comparison_count,
                             err);
    return rc;
}

static enum lw_model_choice model_choice(const struct cli *cli)
{
    const char *text = cli_value(cli, "model");
    if (!text || strcmp(text, "auto") == 0)
        return LW_MODEL_AUTO;
    return strcmp(text, "lopo") == 0 ? LW_MODEL_LOPO : LW_MODEL_SHIPPED;
}

/* One learnt technique, or it would not be clear whose model it is. */
static int check_save(const struct cli *cli, const struct lw_eval_options *options,
                      struct lw_err *err)
{
    size_t learnt = 0;
    for (size_t i = 0; i < options->setup_count; i++)
        learnt += options->setups[i].technique->learner != NULL;
    if (cli_value(cli, "save-model") && learnt != 1)
        return lw_err_set(err, LW_EINVAL, "--save-model needs one learnt technique, not %zu",
                          learnt);
    return 0;
}

static int run_set(struct cli *cli, const struct lw_set *set, struct lw_err *err)
{
    struct lw_eval eval = {0};
    struct locate_result result = {.eval = &eval, .dataset = cli_value(cli, "dataset")};
    struct lw_eval_options options = {
        .repos = cli_value(cli, "repos"),
        .projects = lw_str(cli_value(cli, "projects")),
        .model = model_choice(cli),
    };
    result.by = lw_str(cli_value(cli, "by"));
    int rc = locate_index_options(cli, &options.index, err);
    if (rc == 0)
        rc = locate_setups(cli, "all", &options.setups, &options.setup_count, err);
    if (rc == 0)
        rc = check_save(cli, &options, err);
    if (rc < 0)
        return rc;
    struct lw_buf model;
    lw_buf_init(&model, cli->ctx.mem, 0);
    options.model_out = cli_value(cli, "save-model") ? &model : NULL;
    rc = lw_eval_run(&eval, &cli->ctx, set, &options, err);
    locate_say_passed_over(cli, &eval.index);
    if (rc == 0 && options.model_out)
        rc = lw_file_write(cli_value(cli, "save-model"), lw_buf_str(&model), 0666, err);
    lw_buf_release(&model);
    if (rc == 0)
        rc = write_per_report(cli, &eval, err);
    if (rc == 0)
        rc = summarize(cli, &result, err);
    if (rc == 0)
        rc = locate_print(cli, &result, err);
    lw_eval_release(&eval);
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    struct lw_set set;
    if (!cli_value(cli, "dataset") || !cli_value(cli, "repos"))
        return lw_err_set(err, LW_EINVAL, "'locate eval' needs --dataset and --repos");
    int rc = lw_set_load(&set, cli->ctx.mem, cli_value(cli, "dataset"), err);
    if (rc == 0)
        rc = run_set(cli, &set, err);
    lw_set_release(&set);
    return rc;
}

static const struct cli_option options[] = {
    {"dataset", 0, "SET.jsonl", NULL, "reports with the files of their fixes; may be gzipped"},
    {"repos", 0, "DIR", NULL, "folder with the repositories, one folder `owner+name` each"},
    {"technique", 0, "T,...", NULL, "techniques to evaluate (default: all)"},
    {"projects", 0, "P,...", NULL, "only reports of these projects"},
    {"set", 0, "T.NAME=X,...", NULL, "change parameters of techniques"},
    {"model", 0, "M", "auto|shipped|lopo",
     "model of learnt techniques: shipped, or learnt on the other projects (default: auto)"},
    {"by", 0, "COLUMN,...", NULL, "also print figures for each value of these report members"},
    {"compare", 0, NULL, NULL, "test the differences between techniques"},
    {"per-report", 0, "FILE", NULL, "write the ranks of each report as JSON lines"},
    {"save-model", 0, "FILE", NULL, "write a model learnt on the whole set"},
    {"languages", 0, "L,...", NULL, "languages of the candidates (default: python)"},
    {"cache", 0, "DIR", NULL, "keep the index here (default: $XDG_CACHE_HOME/lacewing)"},
    {"no-cache", 0, NULL, NULL, "do not use a cache"},
    {"cache-limit", 0, "MB", NULL, "maximum size of the cache (default: 4096)"},
    {"format", 0, "F", "text|json|csv|latex|html", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_locate_eval = {
    .name = "locate eval",
    .usage = "--dataset SET.jsonl --repos DIR",
    .summary = "compare techniques on reports whose fixes are known",
    .details =
        "A line of the set is {project, id, open_date, summary, description, buggy_commit, "
        "fix_commit, truth: [paths]}. For each report the files of the buggy commit are "
        "ranked; "
        "Top@1, Top@5, Top@10, the mean reciprocal rank (MRR) and the mean average precision "
        "(MAP) of the changed files are printed.\n\n"
        "A report sees only earlier reports that were fixed before it was opened, and only "
        "commits that are not newer. A learnt technique is never tested on a project it learnt "
        "from.\n\n"
        "--compare tests every pair of techniques with Wilcoxon's signed ranks on the average "
        "precision and the reciprocal rank of the same reports, corrected by Holm.",
    .options = options,
    .examples =
        (const struct cli_example[]){
            {"lacewing locate eval --dataset reports.jsonl --repos mirrors", "all techniques"},
            {"lacewing locate eval --dataset reports.jsonl.gz --repos mirrors --technique "
             "bm25,bluir --compare",
             "two of them, with a significance test"},
            {NULL, NULL}},
    .min_args = 0,
    .max_args = 0,
    .run = run,
};
