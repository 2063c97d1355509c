/* bugs checkout and bugs environment: a bug as files to work with. */
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/path.h"
#include "base/str.h"
#include "catalog/bug.h"
#include "catalog/checkout.h"
#include "catalog/environment.h"
#include "cli/bugs.h"

static int need(struct cli *cli, const char *name, const char **value, struct lw_err *err)
{
    *value = cli_value(cli, name);
    if (*value && **value)
        return 0;
    return lw_err_set(err, LW_EINVAL, "'%s' needs --%s; see 'lacewing %s --help'",
                      cli->command->name, name, cli->command->name);
}

static void report(struct cli *cli, const char *what, struct lw_str path, size_t count)
{
    if (cli_wants(cli, "json")) {
        struct lw_jsonw w;
        lw_jsonw_init(&w, &cli->out, false);
        lw_json_object(&w);
        lw_json_key_text(&w, "path", path);
        lw_json_key_int(&w, "files", (int64_t)count);
        lw_json_end(&w);
    } else {
        lw_putf(&cli->out, "%s ", what);
        lw_put_safe(&cli->out, path, false);
        lw_putz(&cli->out, "\n");
    }
}

static const struct cli_option checkout_options[] = {
    {"version", 0, "V", "buggy|fixed",
     "which side (default: buggy, or as the id's b or f says)"},
    {"into", 0, "DIR", NULL, "the new folder"},
    BUGS_MIRROR_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

static int checkout_git(struct cli *cli, lw_catalog *catalog, const struct lw_bug *bug,
                        enum lw_side side, const char *into, size_t *count, struct lw_err *err)
{
    lw_git *git;
    size_t passed_over = 0;
    int rc = bugs_open_mirror(cli, bug, &git, err);
    if (rc == 0)
        rc = lw_checkout_git(catalog, git, bug, side, into, count, &passed_over, err);
    if (rc == 0 && passed_over)
        lw_log(&cli->ctx.log, LW_LOG_WARNING,
               "%zu links, submodules or files that the mirror lacks were left out",
               passed_over);
    lw_git_close(git);
    return rc;
}

static int run_checkout(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    const struct lw_bug *bug;
    enum lw_side side = LW_BUGGY;
    const char *into, *version = cli_value(cli, "version");
    size_t count;
    int rc = need(cli, "into", &into, err);
    if (rc == 0)
        rc = bugs_find(cli, &catalog, &bug, &side, err);
    if (rc == 0 && version)
        side = strcmp(version, "buggy") == 0 ? LW_BUGGY : LW_FIXED;
    if (rc == 0)
        rc = bug->git_url.n ? checkout_git(cli, catalog, bug, side, into, &count, err)
                            : lw_checkout(catalog, bug, side, into, &count, err);
    if (rc == 0) {
        report(cli, lw_side_name(side), lw_str(into), count);
        if (bug->command.n)
            lw_log(&cli->ctx.log, LW_LOG_INFO, "run it with: cd %s && python3 %.*s", into,
                   LW_F(bug->command));
    }
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example checkout_examples[] = {
    {"lacewing bugs checkout pt-linear-in-features --version buggy --into work",
     "the buggy program in the new folder work"},
    {"lacewing bugs checkout keras2672f --mirror ~/mirrors --into work",
     "the fixed version of a bug that lives in a repository"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_checkout = {
    .name = "bugs checkout",
    .usage = "ID",
    .summary = "write a bug's program into a folder",
    .options = checkout_options,
    .examples = checkout_examples,
    .min_args = 1,
    .max_args = 1,
    .run = run_checkout,
};

static const struct cli_option environment_options[] = {
    {"as", 0, "KIND", "conda|pip|container|script", "what to write"},
    {"into", 0, "DIR", NULL, "the folder (made if needed)"},
    {NULL, 0, NULL, NULL, NULL},
};

static int run_environment(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    const struct lw_bug *bug;
    const char *into = NULL, *as = NULL;
    enum lw_environment_kind kind;
    enum lw_side side;
    struct lw_str text;
    struct lw_buf path;
    lw_buf_init(&path, cli->ctx.mem, 4096);
    int rc = need(cli, "as", &as, err);
    if (rc == 0)
        rc = need(cli, "into", &into, err);
    if (rc == 0)
        rc = bugs_find(cli, &catalog, &bug, &side, err);
    if (rc == 0) {
        LW_BUG_ON(
            !lw_environment_parse(lw_str(as), &kind)); /* checked by the option's choices */
        rc = lw_environment_text(&text, &cli->arena, bug, kind, err);
    }
    if (rc == 0)
        rc = lw_dir_make(into, err);
    if (rc == 0) {
        lw_path_append(&path, lw_str(into), lw_str(lw_environment_file(kind)));
        rc = path.failed ? lw_err_nomem(err)
                         : lw_file_write(lw_buf_z(&path), text,
                                         kind == LW_ENV_SCRIPT ? 0755 : 0644, err);
    }
    if (rc == 0)
        report(cli, as, lw_buf_str(&path), 1);
    lw_buf_release(&path);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example environment_examples[] = {
    {"lacewing bugs environment pt-linear-in-features --as container --into work",
     "writes work/Containerfile"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_environment = {
    .name = "bugs environment",
    .usage = "ID",
    .summary = "write what a bug needs for pip, conda or a container",
    .options = environment_options,
    .examples = environment_examples,
    .min_args = 1,
    .max_args = 1,
    .run = run_environment,
};
