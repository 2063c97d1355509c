/* check: what is wrong in a program, before it is run. */
#include "base/err.h"
#include "base/ini.h"
#include "base/linediff.h"
#include "base/path.h"
#include "base/str.h"
#include "check/check.h"
#include "check/fix/apply.h"
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

/* A mistake is reported with its line. */
static int take_setting(const struct lw_ini *ini, const struct lw_ini_entry *e,
                        const struct lw_check_rules *rules, struct lw_check_options *o,
                        struct lw_err *err)
{
    struct lw_check_options one = {0};
    int rc = 0;
    if (!lw_str_eq(e->section, LW_S("check")))
        return lw_ini_error(ini, e, err, "there is no section [%.*s], only [check]",
                            LW_F(e->section));
    if (lw_str_eq(e->key, LW_S("select")))
        one.select = e->value;
    else if (lw_str_eq(e->key, LW_S("ignore")))
        one.ignore = e->value;
    else if (lw_str_eq(e->key, LW_S("target")))
        rc = lw_check_target_parse(&one.target, e->value, err);
    else
        return lw_ini_error(ini, e, err, "not a setting of [check]: select, ignore, target");
    if (rc == 0)
        rc = lw_check_options_check(&one, rules, err);
    if (rc < 0) {
        struct lw_err why = *err;
        return lw_ini_error(ini, e, err, "%s", why.text);
    }
    if (!o->select.n)
        o->select = one.select;
    if (!o->ignore.n)
        o->ignore = one.ignore;
    if (!o->target.given && one.target.given)
        o->target = one.target;
    return 0;
}

static int read_settings(struct cli *cli, const struct lw_check_rules *rules,
                         struct lw_check_options *o, struct lw_err *err)
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
            rc = take_setting(&ini, &ini.entries[i], rules, o, err);
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
        return lw_err_set(err, LW_EINVAL, "'%.*s' is a category; --explain needs a rule",
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

/* ---- files ---------------------------------------------------------------------------------
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

typedef LW_VEC(struct lw_fixed) fixed_vec;

static void print_result(struct cli *cli, const struct lw_check_result *r,
                         const struct lw_check_rules *rules, const fixed_vec *fixed)
{
    const struct lw_fixed none = {0}, *list = fixed->n ? fixed->v : &none;
    if (cli_wants(cli, "json"))
        lw_check_print_json(&cli->out, r, cli_flag(cli, "fix") ? list : NULL, fixed->n);
    else if (cli_wants(cli, "sarif"))
        lw_check_print_sarif(&cli->out, cli->ctx.mem, r, rules);
    else if (cli_wants(cli, "github"))
        lw_check_print_github(&cli->out, cli->ctx.mem, r);
    else
        lw_check_print_text(&cli->out, &cli->term, cli->ctx.mem, r, cli_flag(cli, "statistics"),
                            cli_flag(cli, "fix"));
}

/* What could not be read is talk, not a result; JSON has it among its fields as well. */
static void tell_errors(struct cli *cli, const struct lw_check_result *r)
{
    for (size_t i = 0; i < r->errors.n; i++)
        lw_log(&cli->ctx.log, LW_LOG_ERROR, "%.*s", LW_F(r->errors.v[i].message));
}

static bool has_rule(const struct lw_check_result *r, struct lw_str rule)
{
    for (size_t i = 0; i < r->findings.n; i++)
        if (lw_str_eq(r->findings.v[i].rule, rule))
            return true;
    return false;
}

/* A file that could not be read completely may have bugs that were not seen: warn, for the
 * first few of many. */
static void tell_broken(struct cli *cli, const struct lw_check_result *r)
{
    enum { TOLD = 5 };
    if (has_rule(r, LW_S("syntax/error")))
        return; /* it was selected, and says more */
    for (size_t i = 0; i < r->broken.n && i < TOLD; i++) {
        const struct lw_check_broken *b = &r->broken.v[i];
        char cell[32] = "", more[48] = "";
        if (b->cell)
            snprintf(cell, sizeof cell, ":cell %u", b->cell);
        if (b->count > 1)
            snprintf(more, sizeof more, " (and %zu more)", b->count - 1);
        lw_log(&cli->ctx.log, LW_LOG_WARNING,
               "%.*s%s:%u:%u: %s%s%s; the rest of the file was checked", LW_F(b->path), cell,
               b->line, b->column + 1, b->python2 ? "" : "syntax error: ", b->message, more);
    }
    if (r->broken.n > TOLD)
        lw_log(&cli->ctx.log, LW_LOG_WARNING, "%zu more file%s with syntax errors",
               r->broken.n - TOLD, r->broken.n == TOLD + 1 ? "" : "s");
}

static int exit_code(const struct cli *cli, const struct lw_check_result *r)
{
    bool serious = false;
    if (cli_flag(cli, "require-complete") && r->incomplete.n)
        return 2;
    for (size_t i = 0; i < r->findings.n; i++)
        serious |= r->findings.v[i].severity != LW_SEVERITY_NOTE;
    if (serious)
        return cli_flag(cli, "exit-zero") ? 0 : 1;
    return r->errors.n && !r->findings.n ? 2 : 0;
}

/* ---- fixing --------------------------------------------------------------------------------
 */

struct fixing {
    struct cli *cli;
    const struct lw_check_rules *rules;
    const struct lw_check_options *options;
    fixed_vec fixed;
};

static bool is_fixable(const struct lw_check_result *r, struct lw_str path)
{
    for (size_t i = 0; i < r->findings.n; i++)
        if (r->findings.v[i].fix.edit_count && lw_str_eq(r->findings.v[i].path, path))
            return true;
    return false;
}

enum { MOST_TOGETHER = 200 }; /* files that are checked again for every fix */

/* Has the file, among the others, findings with fixes that it does not have alone? */
static bool is_more(const struct lw_check_result *r, const struct lw_fixed *one)
{
    size_t n = 0;
    for (size_t i = 0; i < r->findings.n; i++)
        n += r->findings.v[i].fix.edit_count && lw_str_eq(r->findings.v[i].path, one->path);
    return n > one->fixable;
}

/* Once more, among the files that use it. */
static int fix_together(struct fixing *f, struct lw_fixed *one, const lw_str_vec *files,
                        struct lw_err *err)
{
    struct lw_mem *mem = f->cli->ctx.mem;
    struct lw_fixed more;
    int rc = lw_check_fix_file(&more, &f->cli->arena, &f->cli->ctx, f->rules, f->options,
                               one->path, one->after, files->v, files->n, err);
    for (size_t i = 0; rc == 0 && i < more.findings.n; i++)
        if (lw_vec_push(mem, &one->findings, more.findings.v[i]) < 0)
            rc = lw_err_nomem(err);
    if (rc == 0) {
        one->after = more.after;
        one->left_out = more.left_out;
    }
    lw_fixed_release(&more, mem);
    return rc;
}

/* A file that cannot be fixed is reported, and the others are still fixed. */
static int fix_bytes(struct fixing *f, struct lw_check_result *r, struct lw_str path,
                     struct lw_str bytes, const lw_str_vec *files, struct lw_err *err)
{
    struct cli *cli = f->cli;
    struct lw_fixed one;
    int rc = lw_check_fix_file(&one, &cli->arena, &cli->ctx, f->rules, f->options, path, bytes,
                               NULL, 0, err);
    if (rc == 0 && files && files->n > 1 && files->n <= MOST_TOGETHER && is_more(r, &one))
        rc = fix_together(f, &one, files, err);
    if (rc == 0 && one.findings.n && cli_flag(cli, "fix") && !lw_str_eq(path, LW_S("-")))
        rc = lw_file_rewrite(path.p, bytes, one.after, err);
    if (rc == 0 && one.left_out)
        lw_log(&cli->ctx.log, LW_LOG_INFO,
               "%zu fix%s not applied to '%.*s': a new error or warning would appear",
               one.left_out, one.left_out == 1 ? "" : "es", LW_F(path));
    if (rc == 0 && one.findings.n)
        rc = lw_vec_push(cli->ctx.mem, &f->fixed, one) < 0 ? lw_err_nomem(err) : 0;
    else
        lw_fixed_release(&one, cli->ctx.mem);
    if (rc == 0 || rc == LW_ENOMEM || rc == LW_ECANCEL)
        return rc;
    struct lw_check_error e = {path, lw_arena_copy(&r->arena, lw_str(err->text))};
    *err = (struct lw_err){0};
    r->unwritten++;
    return lw_vec_push(r->mem, &r->errors, e) < 0 ? lw_err_nomem(err) : 0;
}

/* Fixes the files that were asked for; modules that they import are not changed. */
static int fix_files(struct fixing *f, struct lw_check_result *r, const lw_str_vec *files,
                     struct lw_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < files->n; i++) {
        struct lw_str bytes;
        if (!is_fixable(r, files->v[i]))
            continue;
        rc = lw_file_read(&f->cli->arena, files->v[i].p, LW_SOURCE_MAX, &bytes, err);
        if (rc == 0)
            rc = fix_bytes(f, r, files->v[i], bytes, files, err);
    }
    return rc;
}

/* Checks what the files are now. What went wrong before is still wrong. */
static int check_again(struct fixing *f, struct lw_check_result *r, const lw_str_vec *files,
                       struct lw_err *err)
{
    struct lw_check_result now;
    lw_check_result_init(&now, r->mem);
    int rc = lw_check_run(&now, &f->cli->ctx, f->rules, f->options, files->v, files->n, err);
    now.unwritten = r->unwritten;
    for (size_t i = r->errors.n - r->unwritten; rc == 0 && i < r->errors.n; i++) {
        struct lw_check_error e = {r->errors.v[i].path,
                                   lw_arena_copy(&now.arena, r->errors.v[i].message)};
        if (lw_vec_push(now.mem, &now.errors, e) < 0)
            rc = lw_err_nomem(err);
    }
    lw_check_result_release(r);
    *r = now;
    return rc;
}

/* A module that only shows its mistake in a file that imports it is not changed unasked. */
static void tell_not_named(struct cli *cli, const struct lw_check_result *r,
                           const lw_str_vec *files)
{
    struct lw_str last = {0};
    for (size_t i = 0; i < r->findings.n; i++) {
        const struct lw_finding *f = &r->findings.v[i];
        bool named = !f->fix.edit_count || lw_str_eq(f->path, last);
        for (size_t k = 0; !named && k < files->n; k++)
            named = lw_str_eq(files->v[k], f->path);
        if (named)
            continue;
        last = f->path;
        lw_log(&cli->ctx.log, LW_LOG_INFO,
               "'%.*s' was not named and is not changed; name it too to fix it", LW_F(f->path));
    }
}

/* What is left, where standard output has the program. */
static int tell_findings(struct cli *cli, struct lw_check_result *r, struct lw_str bytes,
                         struct lw_err *err)
{
    struct lw_sink out = lw_sink_file(stderr);
    struct lw_str path = lw_str_has_prefix(bytes, LW_S("{")) ? LW_S("-.ipynb") : LW_S("-");
    int rc = lw_source_decode(&r->input, &r->arena, path, bytes, err);
    if (rc == 0)
        lw_check_print_text(&out, &cli->ctx.talk, cli->ctx.mem, r, cli_flag(cli, "statistics"),
                            true);
    return rc;
}

/* A program or notebook from standard input: the fixed one, or the difference, goes out. */
static int fix_input(struct fixing *f, struct lw_check_result *r, struct lw_err *err)
{
    struct cli *cli = f->cli;
    struct lw_str bytes, path = LW_S("-");
    int rc = lw_file_read(&cli->arena, "-", LW_SOURCE_MAX, &bytes, err);
    if (rc == 0)
        rc = lw_check_text(r, &cli->ctx, f->rules, f->options, path, bytes, err);
    if (rc == 0)
        rc = fix_bytes(f, r, path, bytes, NULL, err);
    if (rc == 0 && cli_flag(cli, "fix")) {
        struct lw_str after = f->fixed.n ? f->fixed.v[0].after : bytes;
        lw_put(&cli->out, after);
        lw_check_result_release(r);
        lw_check_result_init(r, cli->ctx.mem);
        rc = lw_check_text(r, &cli->ctx, f->rules, f->options, path, after, err);
        if (rc == 0)
            rc = tell_findings(cli, r, after, err);
    }
    return rc;
}

static int print_differences(struct fixing *f, struct lw_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < f->fixed.n; i++) {
        const struct lw_fixed *one = &f->fixed.v[i];
        bool changed;
        rc = lw_linediff_print(&f->cli->out, &f->cli->term, f->cli->ctx.mem, one->path,
                               one->before, one->path, one->after, 3, &changed, err);
    }
    return rc;
}

static void tell_fixed(struct fixing *f)
{
    struct cli *cli = f->cli;
    bool lines = cli_wants(cli, "text") && cli_flag(cli, "fix");
    for (size_t i = 0; i < f->fixed.n; i++) {
        const struct lw_fixed *one = &f->fixed.v[i];
        if (lines)
            lw_check_print_fixed(&cli->out, &cli->term, one);
        else if (!cli_wants(cli, "json"))
            lw_log(&cli->ctx.log, LW_LOG_INFO, "fixed %zu finding%s in '%.*s'", one->findings.n,
                   one->findings.n == 1 ? "" : "s", LW_F(one->path));
    }
}

static int run_and_print(struct fixing *f, struct lw_check_result *r, const lw_str_vec *files,
                         struct lw_err *err)
{
    struct cli *cli = f->cli;
    bool fix = cli_flag(cli, "fix"), diff = cli_flag(cli, "diff");
    bool input = files->n == 1 && lw_str_eq(files->v[0], LW_S("-"));
    if ((fix || diff) && input) {
        int rc = fix_input(f, r, err);
        return rc < 0 || fix ? rc : print_differences(f, err);
    }
    int rc = lw_check_run(r, &cli->ctx, f->rules, f->options, files->v, files->n, err);
    if (rc == 0 && (fix || diff))
        rc = fix_files(f, r, files, err);
    if (rc < 0)
        return rc;
    if (diff)
        return print_differences(f, err);
    if (fix && f->fixed.n)
        rc = check_again(f, r, files, err);
    if (rc < 0)
        return rc;
    tell_fixed(f);
    if (fix)
        tell_not_named(cli, r, files);
    print_result(cli, r, f->rules, &f->fixed);
    return 0;
}

/* ---- checking -----------------------------------------------------------------------------
 */

static int check_usage(struct cli *cli, const lw_str_vec *files, struct lw_err *err)
{
    bool fix = cli_flag(cli, "fix"), diff = cli_flag(cli, "diff");
    if (fix && diff)
        return lw_err_set(err, LW_EINVAL,
                          "--fix changes files, --diff only shows the changes: use "
                          "one of them");
    if (diff && !cli_wants(cli, "text"))
        return lw_err_set(err, LW_EINVAL,
                          "--diff prints a diff: it cannot be used with --format");
    for (size_t i = 0; i < files->n; i++) {
        if (!lw_str_eq(files->v[i], LW_S("-")) || (!fix && !diff))
            continue;
        if (files->n > 1)
            return lw_err_set(err, LW_EINVAL,
                              "with --fix or --diff, '-' cannot be combined "
                              "with other files");
        if (fix && !cli_wants(cli, "text"))
            return lw_err_set(
                err, LW_EINVAL,
                "--fix of '-' prints the program: it cannot be used with --format");
    }
    return 0;
}

static void release_fixed(struct fixing *f)
{
    for (size_t i = 0; i < f->fixed.n; i++)
        lw_fixed_release(&f->fixed.v[i], f->cli->ctx.mem);
    lw_vec_release(f->cli->ctx.mem, &f->fixed);
}

/* --profile is a list of rules that has a name. */
static int take_profile(struct cli *cli, const struct lw_check_rules *rules,
                        struct lw_check_options *options, struct lw_err *err)
{
    const struct lw_check_profile *profile;
    if (!cli_value(cli, "profile"))
        return 0;
    if (options->select.n)
        return lw_err_set(err, LW_EINVAL, "--profile and --select cannot be used together");
    int rc = lw_check_profile_find(&profile, rules, text_of(cli, "profile"), err);
    if (rc == 0)
        options->select = profile->rules;
    return rc;
}

static int check_files(struct cli *cli, const struct lw_check_rules *rules, struct lw_err *err)
{
    struct lw_check_options options = {.select = text_of(cli, "select"),
                                       .ignore = text_of(cli, "ignore"),
                                       .trace_values = cli_flag(cli, "trace-values")};
    struct fixing f = {.cli = cli, .rules = rules, .options = &options};
    struct lw_check_result result;
    lw_str_vec files = {0};
    int rc = 0;
    if (cli_value(cli, "target"))
        rc = lw_check_target_parse(&options.target, text_of(cli, "target"), err);
    if (rc == 0)
        rc = take_profile(cli, rules, &options, err);
    if (rc == 0)
        rc = read_settings(cli, rules, &options, err);
    if (rc == 0)
        rc = lw_check_options_check(&options, rules, err);
    if (rc == 0)
        rc = list_files(cli, &files, err);
    if (rc == 0)
        rc = check_usage(cli, &files, err);
    lw_check_result_init(&result, cli->ctx.mem);
    if (rc == 0)
        rc = run_and_print(&f, &result, &files, err);
    if (rc == 0) {
        tell_errors(cli, &result);
        tell_broken(cli, &result);
        rc = exit_code(cli, &result);
    }
    release_fixed(&f);
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
        rc = lw_err_set(err, LW_EINVAL, "check needs a file or folder; '-' is standard input");
    else
        rc = check_files(cli, &rules, err);
    lw_check_rules_release(&rules);
    return rc;
}

static const struct cli_option options[] = {
    {"select", 0, "RULES", NULL, "only these rules or categories, separated by commas"},
    {"profile", 0, "TOOL", "neuralint|debar|shapeflow",
     "only the rules that correspond to those of a published tool"},
    {"ignore", 0, "RULES", NULL, "all but these rules or categories"},
    {"target", 0, "VERSIONS", NULL,
     "versions the program runs with: tensorflow=2.0,torch=1.13 (default: from the nearest "
     "requirements.txt or similar file)"},
    {"fix", 0, NULL, NULL, "apply safe fixes to the files"},
    {"diff", 0, NULL, NULL, "print what --fix would change, and change nothing"},
    {"explain", 0, "RULE", NULL, "explain a rule, with an example"},
    {"list-rules", 0, NULL, NULL, "all rules"},
    {"api", 0, "NAME", NULL, "print what is known about a function or class"},
    {"statistics", 0, NULL, NULL, "also print how much was analysed and what is unknown"},
    {"trace-values", 0, NULL, NULL, "with json: the shapes inferred for variables"},
    {"exit-zero", 0, NULL, NULL, "exit with 0 even if something was found"},
    {"require-complete", 0, NULL, NULL, "exit with 2 if a file was not analysed to its end"},
    {"format", 0, "F", "text|json|sarif|github", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct cli_example examples[] = {
    {"lacewing check train.py", "what is wrong in a program"},
    {"lacewing check src --ignore api --format sarif", "a folder, for a code host"},
    {"lacewing check --diff train.py", "what --fix would change"},
    {"lacewing check --fix - <train.py", "print the fixed program"},
    {"lacewing check - <train.py", "a program or notebook from standard input"},
    {"lacewing check old.py --target tensorflow=1.15", "for an old version"},
    {"lacewing check --explain shape/matmul-inner", "what a rule means"},
    {"lacewing check --api torch.nn.Linear", "what is known about a layer"},
    {NULL, NULL},
};

const struct cli_command cmd_check = {
    .name = "check",
    .usage = "PATH...",
    .summary = "find bugs in a deep-learning program without running it",
    .details =
        "Follows the program through its functions, classes and imported modules with symbolic "
        "shapes, types and value ranges, and reports bugs: shapes that do not match, wrong "
        "types, "
        "calls that fail or are missing, and mistakes in data, layers and training. Folders "
        "are "
        "searched for .py and .ipynb files that .gitignore does not name; '-' is standard "
        "input.\n\n"
        "A comment \"# lacewing: ignore[rule] why\" silences a finding on its line. Settings "
        "are read from the nearest .lacewing.ini: [check] select, ignore, target.\n\n"
        "--fix applies the fixes that findings have, until there are none left, and prints the "
        "findings that remain. A fix that would cause a new error or warning is not applied. "
        "Only the files named are changed, not the modules they import.\n\n"
        "The exit code is 1 when there are errors or warnings, and 2 when a file cannot be "
        "read, "
        "or with --require-complete when a file was not analysed to its end.",
    .options = options,
    .examples = examples,
    .min_args = 0,
    .max_args = CLI_MANY,
    .run = run_check,
};
