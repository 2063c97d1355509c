/* check: what is wrong in a program, before it is run. */
#include "base/err.h"
#include "base/ini.h"
#include "base/path.h"
#include "base/str.h"
#include "check/check.h"
#include "check/print.h"
#include "cli/cli.h"
#include "knowledge/api.h"

static struct lw_str text_of(const struct cli *cli, const char *option)
{
    const char *z = cli_value(cli, option);
    return z ? lw_str(z) : (struct lw_str){0};
}

/* ---- .lacewing.ini ------------------------------------------------------------------------
 */

/* The nearest one in the folder of the first path, or above it. */
static bool find_settings(struct cli *cli, struct lw_buf *path)
{
    bool folder = cli->arg_count && lw_file_kind(cli->args[0]) == LW_FILE_FOLDER;
    struct lw_check_above above = lw_check_above(lw_str(cli->arg_count ? cli->args[0] : "-"));
    if (folder)
        above.folder = lw_str(cli->args[0]);
    while (lw_check_above_next(&above, &cli->arena)) {
        lw_path_append(path, above.folder, LW_S(".lacewing.ini"));
        if (lw_file_kind(lw_buf_z(path)) == LW_FILE_REGULAR)
            return true;
    }
    return false;
}

static int take_setting(const struct lw_ini *ini, const struct lw_ini_entry *e,
                        struct lw_check_options *o, struct lw_err *err)
{
    if (lw_str_eq(e->key, LW_S("select"))) {
        if (!o->select.n)
            o->select = e->value;
    } else if (lw_str_eq(e->key, LW_S("ignore"))) {
        if (!o->ignore.n)
            o->ignore = e->value;
    } else if (lw_str_eq(e->key, LW_S("target"))) {
        if (!o->target.given)
            return lw_check_target_parse(&o->target, e->value, err);
    } else
        return lw_ini_error(ini, e, err, "not a setting of [check]: select, ignore, target");
    return 0;
}

static int read_settings(struct cli *cli, struct lw_check_options *o, struct lw_err *err)
{
    struct lw_buf path;
    struct lw_str text;
    struct lw_ini ini;
    lw_buf_init(&path, cli->ctx.mem, 65536);
    int rc = 0;
    if (find_settings(cli, &path)) {
        struct lw_str name = lw_arena_copy(&cli->arena, lw_buf_str(&path));
        rc = lw_file_read(&cli->arena, lw_buf_z(&path), 1 << 20, &text, err);
        if (rc == 0)
            rc = lw_ini_parse(&ini, &cli->arena, name, text, err);
        for (size_t i = 0; rc == 0 && i < ini.n; i++)
            if (lw_str_eq(ini.entries[i].section, LW_S("check")))
                rc = take_setting(&ini, &ini.entries[i], o, err);
    }
    lw_buf_release(&path);
    return rc;
}

/* ---- what is asked instead of a check -----------------------------------------------------
 */

static int explain(struct cli *cli, const struct lw_check_rules *rules, struct lw_err *err)
{
    struct lw_check_options one = {.select = text_of(cli, "explain")};
    const struct lw_check_rule *rule = lw_check_rule_find(rules, one.select);
    int rc = rule ? 0 : lw_check_options_check(&one, rules, err);
    if (rc < 0)
        return rc;
    if (!rule)
        return lw_err_set(err, LW_EINVAL, "'%.*s' is a category; --explain wants a rule",
                          LW_F(one.select));
    lw_check_print_rule(&cli->out, &cli->term, rule);
    return 0;
}

static int show_api(struct cli *cli, struct lw_err *err)
{
    struct lw_dims dims;
    struct lw_apis *apis = NULL;
    lw_dims_init(&dims, cli->ctx.mem);
    int rc = lw_apis_load(&apis, cli->ctx.mem, &dims, err);
    if (rc == 0)
        rc = lw_api_print(apis, text_of(cli, "api"), &cli->out, err);
    lw_apis_free(apis);
    lw_dims_release(&dims);
    return rc;
}

/* ---- checking -----------------------------------------------------------------------------
 */

/* A file that is named twice, or by itself and by its folder, is checked once. */
static int drop_doubles(struct cli *cli, lw_str_vec *files, struct lw_err *err)
{
    struct lw_map seen;
    size_t n = 0;
    bool ok = true;
    lw_map_init(&seen, cli->ctx.mem);
    for (size_t i = 0; ok && i < files->n; i++) {
        bool is_new = false;
        ok = lw_map_put(&seen, files->v[i], &is_new) != NULL;
        if (is_new)
            files->v[n++] = files->v[i];
    }
    lw_map_release(&seen);
    files->n = ok ? n : files->n;
    return ok ? 0 : lw_err_nomem(err);
}

static int list_files(struct cli *cli, lw_str_vec *files, struct lw_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < cli->arg_count; i++) {
        size_t before = files->n;
        rc = lw_check_files(files, &cli->arena, cli->ctx.mem, cli->args[i], err);
        if (rc == 0 && files->n == before)
            lw_log(&cli->ctx.log, LW_LOG_WARNING,
                   "no .py or .ipynb files in '%s' that .gitignore does not name",
                   cli->args[i]);
    }
    return rc < 0 ? rc : drop_doubles(cli, files, err);
}

static int print_result(struct cli *cli, const struct lw_check_result *r,
                        const struct lw_check_rules *rules, struct lw_err *err)
{
    if (cli_wants(cli, "json"))
        lw_check_print_json(&cli->out, r);
    else if (cli_wants(cli, "sarif"))
        lw_check_print_sarif(&cli->out, r, rules);
    else if (cli_wants(cli, "github"))
        lw_check_print_github(&cli->out, r);
    else
        return lw_check_print_text(&cli->out, &cli->term, cli->ctx.mem, r,
                                   cli_flag(cli, "statistics"), err);
    return 0;
}

/* What could not be read is talk, not a result; JSON has it among its fields as well. */
static void tell_errors(struct cli *cli, const struct lw_check_result *r)
{
    for (size_t i = 0; i < r->errors.n; i++)
        lw_log(&cli->ctx.log, LW_LOG_ERROR, "%.*s", LW_F(r->errors.v[i].message));
}

static int exit_code(const struct cli *cli, const struct lw_check_result *r)
{
    bool serious = false;
    for (size_t i = 0; i < r->findings.n; i++)
        serious |= r->findings.v[i].severity != LW_SEVERITY_NOTE;
    if (serious)
        return cli_flag(cli, "exit-zero") ? 0 : 1;
    return r->errors.n && !r->findings.n ? 2 : 0;
}

static int check_files(struct cli *cli, const struct lw_check_rules *rules, struct lw_err *err)
{
    struct lw_check_options options = {.select = text_of(cli, "select"),
                                       .ignore = text_of(cli, "ignore"),
                                       .trace_values = cli_flag(cli, "trace-values")};
    struct lw_check_result result;
    lw_str_vec files = {0};
    int rc = 0;
    if (cli_value(cli, "target"))
        rc = lw_check_target_parse(&options.target, text_of(cli, "target"), err);
    if (rc == 0)
        rc = read_settings(cli, &options, err);
    if (rc == 0)
        rc = lw_check_options_check(&options, rules, err);
    if (rc == 0)
        rc = list_files(cli, &files, err);
    lw_check_result_init(&result, cli->ctx.mem);
    if (rc == 0)
        rc = lw_check_run(&result, &cli->ctx, rules, &options, files.v, files.n, err);
    if (rc == 0)
        rc = print_result(cli, &result, rules, err);
    if (rc == 0) {
        tell_errors(cli, &result);
        rc = exit_code(cli, &result);
    }
    lw_check_result_release(&result);
    lw_vec_release(cli->ctx.mem, &files);
    return rc;
}

static int run_check(struct cli *cli, struct lw_err *err)
{
    struct lw_check_rules rules;
    if (cli_value(cli, "api"))
        return show_api(cli, err);
    int rc = lw_check_rules_load(&rules, cli->ctx.mem, err);
    if (rc < 0)
        return rc;
    if (cli_value(cli, "explain"))
        rc = explain(cli, &rules, err);
    else if (cli_flag(cli, "list-rules") && cli_wants(cli, "json"))
        lw_check_print_rules_json(&cli->out, &rules);
    else if (cli_flag(cli, "list-rules"))
        lw_check_print_rules(&cli->out, &rules);
    else if (cli->arg_count == 0)
        rc = lw_err_set(err, LW_EINVAL, "check wants a file or folder; '-' is standard input");
    else
        rc = check_files(cli, &rules, err);
    lw_check_rules_release(&rules);
    return rc;
}

static const struct cli_option options[] = {
    {"select", 0, "RULES", NULL, "only these rules or categories, separated by commas"},
    {"ignore", 0, "RULES", NULL, "not these rules or categories"},
    {"target", 0, "VERSIONS", NULL,
     "what the program runs with: tensorflow=2.0,torch=1.13 (default: as the nearest "
     "requirements.txt or the like says)"},
    {"explain", 0, "RULE", NULL, "what a rule is about, with an example"},
    {"list-rules", 0, NULL, NULL, "all rules"},
    {"api", 0, "NAME", NULL, "what is known about a function or class"},
    {"statistics", 0, NULL, NULL, "also how much was analysed, and what was not known"},
    {"trace-values", 0, NULL, NULL, "with json: the shapes inferred for variables"},
    {"exit-zero", 0, NULL, NULL, "end with 0 also when something was found"},
    {"format", 0, "F", "text|json|sarif|github", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct cli_example examples[] = {
    {"lacewing check train.py", "what is wrong in a program"},
    {"lacewing check src --ignore api --format sarif", "a folder, for a code host"},
    {"lacewing check - <train.py", "a program or notebook from standard input"},
    {"lacewing check old.py --target tensorflow=1.15", "for an old version"},
    {"lacewing check --explain shape/matmul-inner", "what a rule means"},
    {"lacewing check --api torch.nn.Linear", "what is known about a layer"},
    {NULL, NULL},
};

const struct cli_command cmd_check = {
    .name = "check",
    .usage = "PATH...",
    .summary = "find what is wrong in a deep-learning program without running it",
    .details =
        "Follows the program through its functions, classes and imported modules with symbolic "
        "shapes, and reports what cannot work: shapes that do not fit, wrong types, calls that "
        "the library does not have or that are missing. Folders are searched for .py and "
        ".ipynb "
        "files that .gitignore does not name; '-' is standard input.\n\n"
        "A comment \"# lacewing: ignore[rule] why\" silences a finding on its line. Settings "
        "are "
        "read from the nearest .lacewing.ini: [check] select, ignore, target.\n\n"
        "Ends with 1 when there are errors or warnings, 2 when a file cannot be read.",
    .options = options,
    .examples = examples,
    .min_args = 0,
    .max_args = CLI_MANY,
    .run = run_check,
};
