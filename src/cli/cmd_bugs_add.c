/* bugs add: a bug of the user's own. */
#include "base/err.h"
#include "base/str.h"
#include "cli/bugs_print.h"
#include "cli/verifying.h"
#include "verify/accept.h"

enum { ACCEPTANCE_RUNS = 10 };

static const struct cli_option options[] = {
    {"repeat", 0, "N", NULL, "run each side N times (default: 10); all must agree"},
    {"weak-isolation", 0, NULL, NULL, "run it even where it cannot be confined"},
    {NULL, 0, NULL, NULL, NULL},
};

static int run(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    struct lw_verifier v = {0};
    struct lw_verification evidence;
    uint64_t repeat;
    int rc = cli_number(cli, "repeat", ACCEPTANCE_RUNS, 1, 1000, &repeat, err);
    if (rc == 0)
        rc = bugs_open(cli, &catalog, err);
    if (rc == 0)
        rc = lw_verifier_init(&v, &cli->ctx, catalog, err);
    if (rc == 0) {
        v.repeat = (unsigned)repeat;
        v.allow_weak = cli_flag(cli, "weak-isolation");
        rc = lw_accept_folder(&v, cli->args[0], &cli->arena, &evidence, err);
    }
    if (rc == 0 && cli_wants(cli, "json")) {
        struct lw_jsonw w;
        lw_jsonw_init(&w, &cli->out, false);
        bugs_json_verification(&w, &evidence);
    } else if (rc == 0) {
        lw_putf(&cli->out, "added %.*s: reproduced in %u of %u runs\n", LW_F(evidence.id),
                v.repeat, v.repeat);
    }
    lw_verifier_release(&v);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example examples[] = {
    {"lacewing bugs add my-bug", "the folder my-bug, in the layout of docs/formats.md"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_add = {
    .name = "bugs add",
    .usage = "DIR",
    .summary = "add a bug of your own, if it reproduces",
    .details =
        "The folder is checked, then both sides are run ten times in the sandbox. The bug "
        "is added only when buggy fails for the stated reason and fixed passes every time.",
    .options = options,
    .examples = examples,
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
