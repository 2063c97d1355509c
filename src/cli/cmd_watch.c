/* watch: runs the user's own program with the recorder attached. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/path.h"
#include "base/str.h"
#include "cli/commands.h"

/* Where the recorder lies, seen from the folder of the program: built, and installed. */
static const char *const record_places[] = {"python", LW_RECORD_FROM_BIN};

static int find_recorder(struct cli *cli, const char **folder, struct lw_err *err)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self);
    struct lw_str here = n > 0 ? lw_path_parent(lw_str_n(self, (size_t)n)) : (struct lw_str){0};
    for (size_t i = 0; i < sizeof record_places / sizeof *record_places; i++) {
        struct lw_str place =
            lw_arena_printf(&cli->arena, "%.*s/%s", LW_F(here), record_places[i]);
        struct lw_str library =
            lw_arena_printf(&cli->arena, "%.*s/lacewing/liblacewing-record.so", LW_F(place));
        if (!library.p)
            return lw_err_nomem(err);
        if (lw_file_kind(library.p) == LW_FILE_REGULAR) {
            *folder = place.p;
            return 0;
        }
    }
    return lw_err_set(err, LW_EMISSING,
                      "the recorder is not installed beside the program; install Lacewing with "
                      "'make install', or run the program in its build folder");
}

/* The file to write: the one asked for, or the first of run.lwt, run-2.lwt ... that is free. */
static int choose_file(struct cli *cli, const char **path, struct lw_err *err)
{
    const char *wanted = cli_value(cli, "out");
    if (wanted) {
        *path = wanted;
        return lw_file_kind(wanted) == LW_FILE_REGULAR && unlink(wanted) < 0
                   ? lw_err_system(err, errno, "cannot replace", lw_str(wanted))
                   : 0;
    }
    *path = "run.lwt";
    for (unsigned i = 2; lw_file_kind(*path) != LW_FILE_NONE; i++) {
        struct lw_str next = lw_arena_printf(&cli->arena, "run-%u.lwt", i);
        if (!next.p)
            return lw_err_nomem(err);
        *path = next.p;
    }
    return 0;
}

/* "3%" or "3": percent of the time of the run. */
static int read_budget(const struct cli *cli, double *percent, struct lw_err *err)
{
    const char *text = cli_value(cli, "budget");
    struct lw_str s = lw_str(text ? text : "3");
    if (s.n && s.p[s.n - 1] == '%')
        s.n--;
    if (!lw_parse_double(s, percent) || !(*percent > 0 && *percent <= 100))
        return lw_err_set(err, LW_EINVAL,
                          "'--budget %s' is invalid; use a share of the time such as 3%%",
                          text);
    return 0;
}

static int set_variable(struct cli *cli, const char *name, struct lw_str value,
                        struct lw_err *err)
{
    struct lw_str text = value.p ? lw_arena_copy(&cli->arena, value) : value;
    return !text.p || setenv(name, text.p, 1) < 0 ? lw_err_nomem(err) : 0;
}

/* The recorder may be asked from another folder: the path of the trace is a whole one. */
static struct lw_str whole_path(struct cli *cli, const char *file)
{
    char here[4096];
    if (file[0] == '/' || !getcwd(here, sizeof here))
        return lw_str(file);
    return lw_arena_printf(&cli->arena, "%s/%s", here, file);
}

static int set_environment(struct cli *cli, const char *folder, const char *file,
                           struct lw_err *err)
{
    const char *before = getenv("PYTHONPATH");
    double percent = 0;
    uint64_t every = 0;
    int rc = read_budget(cli, &percent, err);
    if (rc == 0)
        rc = cli_number(cli, "every", 0, 1, 1000000000, &every, err);
    if (rc == 0)
        rc = set_variable(cli, "PYTHONPATH",
                          lw_arena_printf(&cli->arena, "%s/lacewing/startup:%s%s%s", folder,
                                          folder, before && *before ? ":" : "",
                                          before ? before : ""),
                          err);
    if (rc == 0)
        rc = set_variable(cli, "LACEWING_TRACE", whole_path(cli, file), err);
    if (rc == 0)
        rc = set_variable(cli, "LACEWING_BUDGET", lw_arena_printf(&cli->arena, "%g", percent),
                          err);
    if (rc == 0)
        rc = set_variable(cli, "LACEWING_EVERY",
                          lw_arena_printf(&cli->arena, "%llu", (unsigned long long)every), err);
    return rc;
}

/* The program takes our place: terminal, exit code and signals are its own (exec() gives back
 * the default of those that we hear). */
static int run_watch(struct cli *cli, struct lw_err *err)
{
    const char *folder, *file;
    int rc = find_recorder(cli, &folder, err);
    if (rc == 0)
        rc = choose_file(cli, &file, err);
    if (rc == 0)
        rc = set_environment(cli, folder, file, err);
    if (rc < 0)
        return rc;
    char **argv = lw_arena_array(&cli->arena, cli->arg_count + 1, sizeof *argv);
    if (!argv)
        return lw_err_nomem(err);
    for (size_t i = 0; i < cli->arg_count; i++)
        argv[i] = (char *)cli->args[i];
    execvp(argv[0], argv);
    return lw_err_system(err, errno, "cannot start", lw_str(argv[0]));
}

const struct cli_command cmd_watch = {
    .name = "watch",
    .usage = "-- PROGRAM [ARG...]",
    .summary = "run a training program and record what happens in it",
    .details =
        "The program runs as it would without Lacewing: not confined, with its own terminal, "
        "signals and exit code. When it imports torch, the recorder attaches itself; the "
        "program "
        "need not be changed. The trace holds the loss of each step, and of sampled steps the "
        "statistics of outputs, gradients, parameters and updates, with the order of the calls "
        "that make up training.\n\n"
        "A process that the program starts writes a trace of its own, FILE with its rank or "
        "number in the name.",
    .options =
        (const struct cli_option[]){
            {"out", 'o', "FILE", NULL,
             "the trace to write (default: run.lwt, or the next free run-N.lwt)"},
            {"every", 0, "N", NULL, "record every Nth step in full (default: by --budget)"},
            {"budget", 0, "P%", NULL,
             "share of the time that recording may take (default: 3%)"},
            {NULL, 0, NULL, NULL, NULL}},
    .examples =
        (const struct cli_example[]){
            {"lacewing watch -- python3 train.py --epochs 3", "records into run.lwt"},
            {"lacewing watch --every 1 --out all.lwt -- python3 train.py",
             "every step in full"},
            {NULL, NULL}},
    .min_args = 1,
    .max_args = CLI_MANY,
    .run = run_watch,
};
