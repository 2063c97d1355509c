/* bugs import and bugs export: other collections, and our own archives. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/leftover.h"
#include "base/str.h"
#include "catalog/exchange.h"
#include "cli/bugs.h"
#include "cli/verifying.h"

static int need_format(struct cli *cli, const char *option, const char *otherwise,
                       const struct lw_format **format, struct lw_err *err)
{
    const char *name = cli_value(cli, option);
    if (!name && !otherwise)
        return lw_err_set(err, LW_EINVAL, "'%s' needs --%s; see 'lacewing %s --help'",
                          cli->command->name, option, cli->command->name);
    *format = lw_format_find(lw_str(name ? name : otherwise));
    LW_BUG_ON(!*format); /* checked by the option's choices */
    return 0;
}

static const struct cli_option import_options[] = {
    {"from", 0, "FORMAT",
     "gdefects4dl|defect4ml|bugsinpy|denchmark|islam2020|swebench|lacewing", "what it is"},
    {NULL, 0, NULL, NULL, NULL},
};

static void report_import(struct cli *cli, const struct lw_imported *result)
{
    if (cli_wants(cli, "json")) {
        struct lw_jsonw w;
        lw_jsonw_init(&w, &cli->out, false);
        lw_json_object(&w);
        lw_json_key_int(&w, "added", (int64_t)result->added);
        lw_json_key_int(&w, "present", (int64_t)result->present);
        lw_json_end(&w);
        return;
    }
    lw_putf(&cli->out, "%llu added, %llu already present\n", (unsigned long long)result->added,
            (unsigned long long)result->present);
}

static int run_import(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    const struct lw_format *format = NULL;
    struct lw_imported result = {0};
    int rc = need_format(cli, "from", NULL, &format, err);
    if (rc == 0)
        rc = bugs_open(cli, &catalog, err);
    if (rc == 0) {
        rc = lw_import(catalog, format, cli->args[0], &result, err);
        struct lw_str rest = lw_buf_str(&result.report), line;
        while (lw_str_line(&rest, &line))
            lw_log(&cli->ctx.log, LW_LOG_ERROR, "%.*s", LW_F(line));
        if (rc == 0)
            report_import(cli, &result);
        lw_buf_release(&result.report);
    }
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example import_examples[] = {
    {"lacewing bugs import Database.xml --from gdefects4dl", "the list of gDefects4DL"},
    {"lacewing bugs import bugs.tar.zst --from lacewing", "what 'bugs export' wrote"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_import = {
    .name = "bugs import",
    .usage = "FILE|DIR",
    .summary = "import bugs from another collection",
    .details =
        "All or nothing: when anything is refused, each refusal is reported with its line and "
        "the "
        "catalogue stays as it was. Bugs that are already present are skipped. Imported bugs "
        "are not trusted, and nothing is known about them until 'bugs verify' has run them.",
    .options = import_options,
    .examples = import_examples,
    .min_args = 1,
    .max_args = 1,
    .run = run_import,
};

/* ---- bugs export --------------------------------------------------------------------------
 */

static const struct cli_option export_options[] = {
    {"to", 0, "FORMAT", "csv|json|gdefects4dl|defect4ml|bugsinpy|swebench|lacewing",
     "output format (default: json)"},
    {"out", 0, "PATH", NULL, "the file, or for defect4ml the new folder"},
    {NULL, 0, NULL, NULL, NULL},
};

/* A file beside the target that takes its place when it is whole. */
static int export_to_file(struct cli *cli, lw_catalog *catalog, const struct lw_format *format,
                          const struct lw_str *ids, size_t count, const char *path,
                          struct lw_err *err)
{
    struct lw_str aside = lw_arena_printf(&cli->arena, "%s.lacewing-%ld", path, (long)getpid());
    struct lw_leftover left;
    if (!aside.p)
        return lw_err_nomem(err);
    lw_leftover_begin();
    FILE *file = fopen(aside.p, "wbxe");
    int number = errno;
    lw_leftover_end(&left, file ? aside.p : NULL);
    if (!file)
        return lw_err_system(err, number, "cannot create", lw_str(path));
    struct lw_sink out = lw_sink_file(file);
    int rc = lw_export(catalog, format, ids, count, &out, NULL, err);
    if (rc == 0)
        rc = lw_sink_finish(&out, err);
    if (fclose(file) != 0 && rc == 0)
        rc = lw_err_system(err, errno, "cannot write", lw_str(path));
    if (rc == 0 && rename(aside.p, path) < 0)
        rc = lw_err_system(err, errno, "cannot create", lw_str(path));
    if (rc < 0)
        unlink(aside.p);
    lw_leftover_drop(&left);
    return rc;
}

/* A folder beside the target, likewise. */
static int export_to_folder(struct cli *cli, lw_catalog *catalog,
                            const struct lw_format *format, const struct lw_str *ids,
                            size_t count, const char *path, struct lw_err *err)
{
    if (!path)
        return lw_err_set(err, LW_EINVAL, "this format writes a folder; use --out DIR");
    if (lw_file_kind(path) != LW_FILE_NONE)
        return lw_err_set(err, LW_EINVAL, "'%s' exists; choose a new folder", path);
    struct lw_leftover left;
    struct lw_err ignored;
    struct lw_str name = lw_str(path);
    while (name.n > 1 && name.p[name.n - 1] == '/')
        name.n--;
    struct lw_str aside =
        lw_arena_printf(&cli->arena, "%.*s.lacewing-%ld", LW_F(name), (long)getpid());
    if (!aside.p)
        return lw_err_nomem(err);
    lw_leftover_begin();
    lw_leftover_end(&left, aside.p);
    int rc = lw_dir_make(aside.p, err);
    if (rc == 0)
        rc = lw_export(catalog, format, ids, count, NULL, aside.p, err);
    if (rc == 0 && rename(aside.p, path) < 0)
        rc = lw_err_system(err, errno, "cannot create", lw_str(path));
    if (rc < 0)
        lw_dir_remove(aside.p, &ignored);
    lw_leftover_drop(&left);
    return rc;
}

static int export_all(struct cli *cli, lw_catalog *catalog, const struct lw_format *format,
                      struct lw_err *err)
{
    const char *path = cli_value(cli, "out");
    struct lw_str *ids = NULL;
    size_t count = 0;
    if (cli->arg_count && verifying_ids(cli, catalog, false, &ids, &count, err) < 0)
        return err->code;
    if (lw_format_needs_folder(format))
        return export_to_folder(cli, catalog, format, ids, count, path, err);
    if (path)
        return export_to_file(cli, catalog, format, ids, count, path, err);
    bool is_archive = format == lw_format_find(LW_S("lacewing"));
    if (is_archive && cli->term.is_tty)
        return lw_err_set(err, LW_EINVAL,
                          "an archive cannot be written to a terminal; use --out FILE");
    return lw_export(catalog, format, ids, count, &cli->out, NULL, err);
}

static int run_export(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    const struct lw_format *format;
    int rc = need_format(cli, "to", "json", &format, err);
    if (rc == 0)
        rc = bugs_open(cli, &catalog, err);
    if (rc == 0)
        rc = export_all(cli, catalog, format, err);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example export_examples[] = {
    {"lacewing bugs export --to csv", "all bugs as a table"},
    {"lacewing bugs export --to lacewing --out bugs.tar.zst", "all bugs with their programs"},
    {"lacewing bugs export --to defect4ml --out artefacts pt-deep-sigmoid",
     "one as a defect4ML artefact"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_export = {
    .name = "bugs export",
    .usage = "[ID...]",
    .summary = "write bugs for other tools",
    .details =
        "Bugs that are not retracted, ordered by id; the same catalogue gives the same bytes. "
        "Formats of other collections hold only some of the bugs: gdefects4dl those that live "
        "in repositories, defect4ml those whose programs are in the catalogue.",
    .options = export_options,
    .examples = export_examples,
    .max_args = CLI_MANY,
    .run = run_export,
};
