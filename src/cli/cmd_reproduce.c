/* reproduce: from a bug report to a program that shows the bug. */
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/bugs.h"
#include "cli/commands.h"
#include "reproduce/folder.h"
#include "reproduce/reproduce.h"
#include "triage/set.h"

/* ---- Reading -------------------------------------------------------------------------------
 */

/* The report of a bug of the catalogue. */
static int read_bug(struct cli *cli, lw_report **report, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    const struct lw_bug *bug;
    lw_file_vec files = {0};
    struct lw_str text = {0};
    int rc = bugs_find(cli, &catalog, &bug, NULL, err);
    if (rc == 0)
        rc = catalog_files(catalog, bug->id, &cli->arena, &files, err);
    for (size_t i = 0; i < files.n && rc == 0; i++)
        if (lw_str_eq(files.v[i].path, LW_S("report.md")))
            text = files.v[i].content;
    if (rc == 0 && text.n == 0)
        rc = lw_err_set(err, LW_EINVAL, "bug '%.*s' has no report", LW_F(bug->id));
    if (rc == 0)
        rc = lw_report_read(report, cli->ctx.mem, NULL, LW_S("report.md"), text, err);
    lw_vec_release(cli->ctx.mem, &files);
    lw_catalog_close(catalog);
    return rc;
}

static int read_report(struct cli *cli, lw_report **report, struct lw_err *err)
{
    const char *name = cli->args[0];
    const struct lw_report_item item = {.name = lw_str(name)};
    struct lw_err other = {0};
    if (lw_file_kind(name) != LW_FILE_NONE || strcmp(name, "-") == 0)
        return lw_report_item_read(report, cli->ctx.mem, NULL, &item, err);
    int rc = read_bug(cli, report, &other);
    if (rc == LW_ENOENT)
        return lw_err_set(err, LW_EINVAL, "'%s' is neither a file nor a bug of the catalogue",
                          name);
    if (rc < 0)
        *err = other;
    return rc;
}

static int read_skip(struct cli *cli, unsigned *skip, struct lw_err *err)
{
    const char *list = cli_value(cli, "skip");
    struct lw_str rest = lw_str(list), name;
    *skip = 0;
    while (list && lw_str_split(&rest, ',', &name)) {
        enum lw_action action = lw_action_find(lw_str_trim(name));
        if ((int)action == LW_ACTIONS)
            return lw_err_set(err, LW_EINVAL,
                              "there is no edit action '%.*s'; 'lacewing help reproduce' lists "
                              "them",
                              LW_F(name));
        *skip |= 1u << action;
    }
    return 0;
}

static int read_options(struct cli *cli, struct lw_reproduce_options *o, struct lw_err *err)
{
    uint64_t budget, tries;
    *o = (struct lw_reproduce_options){.run = cli_flag(cli, "run") || cli_flag(cli, "minimize"),
                                       .minimize = cli_flag(cli, "minimize"),
                                       .allow_weak = cli_flag(cli, "weak-isolation")};
    if (cli_number(cli, "budget", 60, 1, 86400, &budget, err) < 0 ||
        cli_number(cli, "max-tries", 12, 1, 1000, &tries, err) < 0)
        return err->code;
    o->budget = (double)budget;
    o->max_tries = (uint32_t)tries;
    return read_skip(cli, &o->skip, err);
}

/* ---- Printing ------------------------------------------------------------------------------
 */

static void put_line(struct cli *cli, const char *key, struct lw_str value)
{
    if (value.n == 0)
        return;
    lw_putf(&cli->out, "%s: ", key);
    lw_put_safe(&cli->out, value, false);
    lw_put_char(&cli->out, '\n');
}

static void put_reported(struct cli *cli, const struct lw_reported *r)
{
    if (r->is_explicit)
        lw_putz(&cli->out, "reported: "), lw_put_safe(&cli->out, r->type, false),
            lw_putz(&cli->out, ": "), lw_put_safe(&cli->out, r->message, false),
            lw_put_char(&cli->out, '\n');
    else if (r->metric.n > 0)
        lw_putz(&cli->out, "reported: "), lw_put_safe(&cli->out, r->metric, false),
            lw_put_char(&cli->out, ' '), lw_put_safe(&cli->out, r->value, false),
            lw_put_char(&cli->out, '\n');
}

static void print_text(struct cli *cli, const struct lw_reproduction *r, const char *into)
{
    static const char *const basis[] = {"", " (assumed)", " (stand-in)"};
    put_line(cli, "verdict", lw_str(lw_verdict_name(r->verdict)));
    put_line(cli, "reason", r->reason);
    put_reported(cli, &r->reported);
    put_line(cli, "observed", r->observed);
    if (r->lines_before > 0)
        lw_putf(&cli->out, "minimized: from %u to %u lines\n", r->lines_before, r->lines_after);
    lw_putz(&cli->out, r->step_count ? "edit actions:\n" : "");
    for (size_t i = 0; i < r->step_count; i++) {
        lw_putf(&cli->out, "  line %u: %s: ", r->steps[i].line,
                lw_action_name(r->steps[i].action));
        lw_put_safe(&cli->out, r->steps[i].why, false);
        lw_putf(&cli->out, "%s\n", basis[r->steps[i].basis]);
    }
    if (into)
        put_line(cli, "written to", lw_str(into));
    else
        lw_put_char(&cli->out, '\n'), lw_put_safe(&cli->out, r->program, true);
}

/* ---- The command ---------------------------------------------------------------------------
 */

static int finish(struct cli *cli, const struct lw_reproduction *r, const lw_report *report,
                  const struct lw_reproduce_options *options, struct lw_err *err)
{
    const char *into = cli_value(cli, "into");
    int rc = into ? lw_reproduction_write(r, report, into, cli->ctx.mem, err) : 0;
    if (rc < 0)
        return rc;
    if (cli_wants(cli, "json")) {
        struct lw_jsonw w;
        lw_jsonw_init(&w, &cli->out, false);
        lw_reproduction_json(&w, r);
    } else {
        print_text(cli, r, into);
    }
    if (!options->run || r->verdict == LW_REPRODUCED)
        return 0;
    return r->verdict == LW_UNAVAILABLE ? 3 : 1;
}

static int run(struct cli *cli, struct lw_err *err)
{
    struct lw_reproduce_options options;
    struct lw_reproduction result;
    lw_report *report = NULL;
    const char *into = cli_value(cli, "into");
    int rc = read_options(cli, &options, err);
    if (rc == 0 && into) /* before the runs, which take long */
        rc = lw_dir_check_new(cli->ctx.mem, into, err);
    if (rc == 0)
        rc = read_report(cli, &report, err);
    if (rc == 0)
        rc = lw_reproduce(&result, &cli->ctx, report, &options, &cli->arena, err);
    if (rc == 0)
        rc = finish(cli, &result, report, &options, err);
    lw_report_free(report);
    return rc;
}

static const struct cli_option options[] = {
    {"into", 0, "DIR", NULL, "write program and environment into this new or empty folder"},
    {"run", 0, NULL, NULL, "run it in the sandbox and compare with the report"},
    {"minimize", 0, NULL, NULL, "run it, and shrink it while the same error remains"},
    {"skip", 0, "ACTION,...", NULL, "do without these edit actions"},
    {"budget", 0, "S", NULL, "seconds for all runs together (default: 60)"},
    {"max-tries", 0, "N", NULL, "maximum number of programs to try (default: 12)"},
    {"weak-isolation", 0, NULL, NULL, "run it even if it cannot be confined"},
    {"format", 0, "F", "text|json", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_reproduce = {
    .name = "reproduce",
    .usage = "FILE|ID",
    .summary = "turn a bug report into a program that shows the bug",
    .details =
        "The code of the report becomes a program that parses; names that nothing binds get "
        "imports or stand-ins whose shapes follow from the report and the program. Each change "
        "is one of ten edit actions: input-data-generation, neural-network-construction, "
        "hyperparameter-initialization, import-addition, logging, obsolete-parameter-removal, "
        "compiler-error-resolution, dataset-procurement, model-download, version-migration."
        "\n\n"
        "With --run the program is executed in the sandbox. An error is reproduced when its "
        "type "
        "and message are those of the report; a silent bug when the mean of the reported "
        "metric "
        "over five seeds is within 5 % of the report. A run that fails otherwise guides the "
        "next "
        "try. The exit code is 0 when the bug is reproduced, 1 when it is not, 3 when the "
        "framework is not installed.",
    .options = options,
    .examples =
        (const struct cli_example[]){
            {"lacewing reproduce report.md", "print the program and the edit actions"},
            {"lacewing reproduce report.md --into repro --run", "write a folder and run it"},
            {"lacewing reproduce report.md --minimize --into repro",
             "the smallest program that raises the error"},
            {"lacewing reproduce report.md --skip logging", "without one of the edit actions"},
            {NULL, NULL}},
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
