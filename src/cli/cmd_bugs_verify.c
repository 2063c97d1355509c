/* bugs verify and bugs test: run bugs. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/table.h"
#include "catalog/bug.h"
#include "cli/bugs.h"
#include "cli/bugs_print.h"
#include "cli/verifying.h"
#include "verify/judge.h"
#include "verify/verify.h"

#define RUN_OPTIONS                                                                         \
    {"backend", 0, "B", "host|venv|conda|podman|docker",                                    \
     "where to run (default: host, this machine's Python in the sandbox)"},                 \
        {"wheels", 0, "DIR", NULL, "venv: install from the wheels of this folder"},         \
        {"image", 0, "NAME", NULL, "podman, docker: an image that has what the bug needs"}, \
    {                                                                                       \
        "weak-isolation", 0, NULL, NULL, "run added bugs even if they cannot be confined"   \
    }

/* What these options say. */
static void read_run_options(const struct cli *cli, struct lw_verifier *v)
{
    const char *backend = cli_value(cli, "backend");
    if (backend)
        LW_BUG_ON(!lw_backend_parse(lw_str(backend), &v->backend)); /* a choice of the option */
    v->options.wheels = cli_value(cli, "wheels");
    v->options.image = cli_value(cli, "image");
    v->allow_weak = cli_flag(cli, "weak-isolation");
}

static const struct cli_option verify_options[] = {
    {"all", 0, NULL, NULL, "every bug of the catalogue"},
    {"repeat", 0, "N", NULL, "run each N times; a change of verdict makes it flaky"},
    RUN_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

struct verifying {
    struct cli *cli;
    struct lw_jsonw json;
    size_t reproduced, failed, unavailable;
    bool single;
    struct lw_str missing; /* why the only one is unavailable */
};

static void print_line(struct cli *cli, const struct lw_verification *v)
{
    static const enum lw_colour colours[] = {LW_GREEN, LW_RED, LW_YELLOW, LW_DIM};
    lw_putf(&cli->out, "%s%-15s%s ", lw_colour(&cli->term, colours[v->verdict]),
            lw_verdict_name(v->verdict), lw_colour(&cli->term, LW_PLAIN));
    bugs_put_padded(cli, v->id, 28);
    if (v->verdict != LW_UNAVAILABLE)
        lw_putf(&cli->out, " %6.1f s", v->side[0].seconds + v->side[1].seconds);
    const struct lw_str text = v->reason.n ? v->reason : v->side[LW_BUGGY].failure;
    lw_putz(&cli->out, "  ");
    lw_put_safe(&cli->out, text, false);
    lw_put_char(&cli->out, '\n');
    fflush(stdout);
}

static int each(void *data, const struct lw_bug *bug, const struct lw_verification *v)
{
    (void)bug;
    struct verifying *state = data;
    if (cli_wants(state->cli, "json"))
        bugs_json_verification(&state->json, v);
    else
        print_line(state->cli, v);
    if (v->verdict == LW_REPRODUCED)
        state->reproduced++;
    else if (v->verdict == LW_UNAVAILABLE)
        state->unavailable++;
    else
        state->failed++;
    if (state->single && v->verdict == LW_UNAVAILABLE)
        state->missing = lw_arena_copy(&state->cli->arena, v->reason);
    return 0;
}

static void summarise(const struct verifying *state)
{
    struct lw_buf line;
    lw_buf_init(&line, NULL, 0);
    lw_buf_addf(&line, "%zu reproduced", state->reproduced);
    if (state->failed)
        lw_buf_addf(&line, ", %zu not", state->failed);
    if (state->unavailable)
        lw_buf_addf(&line, ", %zu unavailable here", state->unavailable);
    lw_log(&state->cli->ctx.log, LW_LOG_INFO, "%s", lw_buf_z(&line));
    lw_buf_release(&line);
}

static int verify_ids(struct cli *cli, lw_catalog *catalog, struct verifying *state,
                      struct lw_err *err)
{
    struct lw_verifier v;
    struct lw_str *ids;
    size_t count;
    uint64_t repeat;
    if (cli_number(cli, "repeat", 1, 1, 1000, &repeat, err) < 0 ||
        verifying_ids(cli, catalog, cli_flag(cli, "all"), &ids, &count, err) < 0 ||
        lw_verifier_init(&v, &cli->ctx, catalog, err) < 0)
        return err->code;
    read_run_options(cli, &v);
    v.repeat = (unsigned)repeat;
    v.measure = true;
    state->single = count == 1 && !cli_flag(cli, "all");
    verifying_warn(cli, &v);
    lw_jsonw_init(&state->json, &cli->out, false);
    if (cli_wants(cli, "json"))
        lw_json_array(&state->json);
    int rc = lw_verifier_many(&v, ids, count, each, state, err);
    if (cli_wants(cli, "json"))
        lw_json_end(&state->json);
    lw_verifier_release(&v);
    return rc;
}

static int run_verify(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    struct verifying state = {.cli = cli};
    if (cli->arg_count == 0 && !cli_flag(cli, "all"))
        return lw_err_set(err, LW_EINVAL, "name the bugs to verify, or use --all");
    if (cli->arg_count && cli_flag(cli, "all"))
        return lw_err_set(err, LW_EINVAL, "name bugs or use --all, not both");
    int rc = bugs_open(cli, &catalog, err);
    if (rc == 0)
        rc = verify_ids(cli, catalog, &state, err);
    lw_catalog_close(catalog);
    if (rc < 0)
        return rc;
    summarise(&state);
    if (state.single && state.unavailable)
        return lw_err_set(err, LW_EMISSING, "%.*s cannot run here: %.*s",
                          LW_F(lw_str(cli->args[0])), LW_F(state.missing));
    return state.failed ? 1 : 0;
}

static const struct cli_example verify_examples[] = {
    {"lacewing bugs verify --all", "all bugs; those that cannot run here are skipped"},
    {"lacewing bugs verify pt-linear-in-features --format json", "one, with its evidence"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_verify = {
    .name = "bugs verify",
    .usage = "[ID...]",
    .summary = "run bugs: buggy must fail for the stated reason, fixed must pass",
    .details =
        "Each side runs in a sandbox without network, with limits on time, memory, "
        "processes and output. The evidence is stored in the catalogue and shown by 'bugs "
        "show'. Environments of the back ends venv and conda, and images of podman and docker, "
        "are "
        "made once and kept; $LACEWING_ENGINE_ARGS adds arguments to 'podman run'. Exit code 1 "
        "when a bug did not reproduce, 3 when the only bug named cannot "
        "run on this machine.",
    .options = verify_options,
    .examples = verify_examples,
    .max_args = CLI_MANY,
    .run = run_verify,
};

/* ---- bugs test ----------------------------------------------------------------------------
 */

static const struct cli_option test_options[] = {
    {"version", 0, "V", "buggy|fixed|both", "which side (default: both)"},
    RUN_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

static void print_output(struct cli *cli, enum lw_side side, const struct lw_run *run,
                         const struct lw_side_result *result)
{
    lw_putf(&cli->out, "%s== %s: exit %d, %.1f s, %s%s\n", lw_colour(&cli->term, LW_BOLD),
            lw_side_name(side), run->exit, run->seconds,
            result->as_stated ? "as stated" : "not as stated", lw_colour(&cli->term, LW_PLAIN));
    lw_put_safe(&cli->out, run->out, true);
    lw_put_safe(&cli->out, run->err, true);
    if (run->out_cut || run->err_cut)
        lw_putz(&cli->out, "\n[output truncated]\n");
}

static void json_output(struct lw_jsonw *w, enum lw_side side, const struct lw_run *run,
                        const struct lw_side_result *result)
{
    lw_json_object(w);
    lw_json_key_text(w, "version", lw_str(lw_side_name(side)));
    lw_json_key_int(w, "exit", run->exit);
    lw_json_key_text(w, "ended", lw_str(lw_run_end_name(run->end)));
    lw_json_key_double(w, "seconds", run->seconds);
    lw_json_key_double(w, "cpu_seconds", run->cpu_seconds);
    lw_json_key_int(w, "peak_bytes", (int64_t)run->peak_bytes);
    lw_json_key_bool(w, "as_stated", result->as_stated);
    lw_json_key_text_or_null(w, "failure", result->failure);
    lw_json_key_text(w, "isolation", run->isolation);
    lw_json_key_text(w, "stdout", run->out);
    lw_json_key_text(w, "stderr", run->err);
    lw_json_end(w);
}

static int test_sides(struct cli *cli, const struct lw_verifier *v, const struct lw_bug *bug,
                      const lw_file_vec *files, const bool wanted[2], struct lw_err *err)
{
    struct lw_jsonw w;
    bool as_json = cli_wants(cli, "json"), all_as_stated = true;
    int rc = 0;
    lw_jsonw_init(&w, &cli->out, false);
    if (as_json)
        lw_json_array(&w);
    for (enum lw_side side = LW_BUGGY; rc == 0 && side <= LW_FIXED; side++) {
        struct lw_run run;
        struct lw_side_result result;
        if (!wanted[side])
            continue;
        rc = lw_verifier_run(v, bug, files, side, &cli->arena, &run, err);
        if (rc == 0)
            rc = lw_judge(&result, &cli->arena, bug, side, &run, err);
        if (rc == 0 && as_json)
            json_output(&w, side, &run, &result);
        else if (rc == 0)
            print_output(cli, side, &run, &result);
        all_as_stated = all_as_stated && rc == 0 && result.as_stated;
    }
    if (as_json && rc == 0)
        lw_json_end(&w);
    return rc < 0 ? rc : !all_as_stated;
}

static int run_test(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    const struct lw_bug *bug;
    struct lw_verifier v = {0};
    lw_file_vec files = {0};
    const char *version = cli_value(cli, "version");
    enum { NO_SIDE = 2 };
    enum lw_side side = (enum lw_side)NO_SIDE;
    int rc = bugs_find(cli, &catalog, &bug, &side, err);
    if (rc == 0)
        rc = lw_verifier_init(&v, &cli->ctx, catalog, err);
    if (rc == 0)
        rc = catalog_files(catalog, bug->id, &cli->arena, &files, err);
    if (rc == 0 && files.n == 0)
        rc =
            lw_err_set(err, LW_EMISSING, "the catalogue has no files of '%.*s'", LW_F(bug->id));
    if (rc == 0) {
        bool both = version ? strcmp(version, "both") == 0 : (int)side == NO_SIDE;
        if (version && !both)
            side = strcmp(version, "buggy") == 0 ? LW_BUGGY : LW_FIXED;
        const bool wanted[2] = {both || side == LW_BUGGY, both || side == LW_FIXED};
        read_run_options(cli, &v);
        verifying_warn(cli, &v);
        rc = test_sides(cli, &v, bug, &files, wanted, err);
    }
    lw_vec_release(cli->ctx.mem, &files);
    lw_verifier_release(&v);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example test_examples[] = {
    {"lacewing bugs test pt-linear-in-features --version buggy", "see it fail"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_test = {
    .name = "bugs test",
    .usage = "ID",
    .summary = "run a bug's test and show what it prints",
    .details =
        "Exit code 0 when each side did what the bug states: buggy failed for the stated "
        "reason, fixed passed.",
    .options = test_options,
    .examples = test_examples,
    .min_args = 1,
    .max_args = 1,
    .run = run_test,
};
