/* bugs add, bugs review, bugs retract: the life of a bug. */
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "base/table.h"
#include "cli/bugs_print.h"
#include "cli/verifying.h"
#include "verify/accept.h"

enum { ACCEPTANCE_RUNS = 10 };

#define ACCEPT_OPTIONS                                                               \
    {"repeat", 0, "N", NULL, "run each side N times (default: 10); all must agree"}, \
    {                                                                                \
        "weak-isolation", 0, NULL, NULL, "run it even if it cannot be confined"      \
    }

static const struct cli_option add_options[] = {
    {"propose", 0, NULL, NULL, "only queue it for 'bugs review'; nothing is run"},
    ACCEPT_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

static void print_accepted(struct cli *cli, const struct lw_verification *e)
{
    if (cli_wants(cli, "json")) {
        struct lw_jsonw w;
        lw_jsonw_init(&w, &cli->out, false);
        bugs_json_verification(&w, e);
        return;
    }
    lw_putf(&cli->out, "added %.*s: reproduced in %" PRIu64 " of %" PRIu64 " runs\n",
            LW_F(e->id), e->agreed, e->times);
}

/* From a path, or with a number from the queue. */
static int accept(struct cli *cli, lw_catalog *catalog, const char *path, uint64_t number,
                  struct lw_err *err)
{
    struct lw_verifier v = {0};
    struct lw_verification evidence;
    uint64_t repeat;
    int rc = cli_number(cli, "repeat", ACCEPTANCE_RUNS, 1, 1000, &repeat, err);
    if (rc == 0)
        rc = lw_verifier_init(&v, &cli->ctx, catalog, err);
    if (rc == 0) {
        v.repeat = (unsigned)repeat;
        v.measure = true;
        v.allow_weak = cli_flag(cli, "weak-isolation");
        rc = path ? lw_accept_path(&v, path, &cli->arena, &evidence, err)
                  : lw_accept_submission(&v, number, &cli->arena, &evidence, err);
    }
    if (rc == 0)
        print_accepted(cli, &evidence);
    lw_verifier_release(&v);
    return rc;
}

static int propose(struct cli *cli, lw_catalog *catalog, struct lw_err *err)
{
    struct lw_str id;
    uint64_t number;
    int rc = lw_propose_path(catalog, cli->args[0], &cli->arena, &id, &number, err);
    if (rc == 0)
        lw_putf(&cli->out, "%.*s waits as submission %" PRIu64 "\n", LW_F(id), number);
    return rc;
}

static int run_add(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    int rc = bugs_open(cli, &catalog, err);
    if (rc == 0)
        rc = cli_flag(cli, "propose") ? propose(cli, catalog, err)
                                      : accept(cli, catalog, cli->args[0], 0, err);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example add_examples[] = {
    {"lacewing bugs add my-bug", "the folder my-bug, in the layout of docs/formats.md"},
    {"lacewing bugs add my-bug.tar.zst --propose", "let somebody else decide"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_add = {
    .name = "bugs add",
    .usage = "DIR|ARCHIVE",
    .summary = "add a bug of your own, if it reproduces",
    .details =
        "The folder or archive (tar, tar.gz, tar.zst, zip) is checked, then both sides are run "
        "ten times in the sandbox. The bug is added only when buggy fails for the stated "
        "reason "
        "and fixed passes every time.",
    .options = add_options,
    .examples = add_examples,
    .min_args = 1,
    .max_args = 1,
    .run = run_add,
};

/* ---- bugs review ----------------------------------------------------------------------------
 */

static const struct cli_option review_options[] = {
    {"reason", 0, "TEXT", NULL, "why it is rejected"},
    ACCEPT_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

struct reviewing {
    struct cli *cli;
    struct lw_table table;
    struct lw_jsonw json;
    bool as_json;
    size_t count;
};

static int list_submission(void *data, const struct store_submission *s)
{
    struct reviewing *r = data;
    char at[LW_TIME_TEXT];
    r->count++;
    if (r->as_json) {
        lw_json_object(&r->json);
        lw_json_key_int(&r->json, "number", (int64_t)s->number);
        lw_json_key_text(&r->json, "id", s->bug_id);
        lw_json_key_text(&r->json, "state", s->state);
        lw_json_key_text_or_null(&r->json, "reason", s->reason);
        lw_json_key_text(&r->json, "at", lw_str(lw_print_time(s->at, at)));
        lw_json_end(&r->json);
        return 0;
    }
    lw_table_cellf(&r->table, "%" PRIu64, s->number);
    lw_table_cell(&r->table, s->bug_id);
    lw_table_cell(&r->table, s->state);
    lw_table_cell(&r->table, lw_str(lw_print_time(s->at, at)));
    lw_table_cell(&r->table, s->reason);
    return 0;
}

static int list_all(struct cli *cli, lw_catalog *catalog, struct lw_err *err)
{
    static const struct lw_table_column columns[] = {{"number", true, false},
                                                     {"id", false, false},
                                                     {"state", false, false},
                                                     {"since", false, true},
                                                     {"reason", false, true}};
    struct reviewing r = {.cli = cli, .as_json = cli_wants(cli, "json")};
    struct store *store = catalog->store;
    lw_table_init(&r.table, cli->ctx.mem, columns, 5);
    lw_jsonw_init(&r.json, &cli->out, false);
    if (r.as_json)
        lw_json_array(&r.json);
    int rc = store->ops->submissions(store, 0, list_submission, &r, err);
    if (r.as_json)
        lw_json_end(&r.json);
    else if (rc == 0 && r.count)
        rc = lw_table_print(&r.table, &cli->out, &cli->term, err);
    else if (rc == 0)
        lw_log(&cli->ctx.log, LW_LOG_INFO, "there are no proposed bugs");
    lw_table_release(&r.table);
    return rc;
}

static int reject(struct cli *cli, lw_catalog *catalog, uint64_t number, struct lw_err *err)
{
    struct store *store = catalog->store;
    const char *reason = cli_value(cli, "reason");
    if (!reason || !*reason)
        return lw_err_set(err, LW_EINVAL, "give a reason: --reason TEXT");
    int rc = store->ops->begin(store, err);
    if (rc < 0)
        return rc;
    rc = store->ops->decide(store, number, LW_S("rejected"), lw_str(reason), err);
    if (rc == 0)
        rc = store->ops->commit(store, err);
    else
        store->ops->rollback(store);
    if (rc == 0)
        lw_putf(&cli->out, "rejected submission %" PRIu64 "\n", number);
    return rc;
}

static int run_review(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    uint64_t number = 0;
    const char *verb = cli->arg_count ? cli->args[0] : NULL;
    bool known = verb && (strcmp(verb, "accept") == 0 || strcmp(verb, "reject") == 0);
    if (verb && (!known || cli->arg_count != 2 ||
                 !lw_parse_u64(lw_str(cli->args[1]), &number) || number == 0))
        return lw_err_set(err, LW_EINVAL,
                          "use 'lacewing bugs review', 'bugs review accept N' or 'bugs review "
                          "reject N --reason TEXT'");
    int rc = bugs_open(cli, &catalog, err);
    if (rc == 0 && !verb)
        rc = list_all(cli, catalog, err);
    else if (rc == 0)
        rc = *verb == 'a' ? accept(cli, catalog, NULL, number, err)
                          : reject(cli, catalog, number, err);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example review_examples[] = {
    {"lacewing bugs review", "the proposed bugs and their state"},
    {"lacewing bugs review accept 3",
     "run submission 3 ten times and take it if it reproduces"},
    {"lacewing bugs review reject 4 --reason \"needs a network\"", "it stays in the list"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_review = {
    .name = "bugs review",
    .usage = "[accept|reject N]",
    .summary = "accept or reject proposed bugs",
    .details =
        "Accepting a submission runs it like 'bugs add': it is added only if it reproduces.",
    .options = review_options,
    .examples = review_examples,
    .max_args = 2,
    .run = run_review,
};

/* ---- bugs retract ---------------------------------------------------------------------------
 */

static const struct cli_option retract_options[] = {
    {"reason", 0, "TEXT", NULL, "why it is withdrawn"},
    {NULL, 0, NULL, NULL, NULL},
};

static int retract(struct cli *cli, lw_catalog *catalog, const struct lw_bug *bug,
                   const char *reason, struct lw_err *err)
{
    struct store *store = catalog->store;
    if (bug->retracted.n)
        return lw_err_set(err, LW_EINVAL, "'%.*s' is retracted already: %.*s", LW_F(bug->id),
                          LW_F(bug->retracted));
    int rc = store->ops->begin(store, err);
    if (rc < 0)
        return rc;
    rc = store->ops->retract(store, bug->id, lw_str(reason), err);
    if (rc == 0)
        rc = store->ops->commit(store, err);
    else
        store->ops->rollback(store);
    if (rc == 0)
        lw_putf(&cli->out, "retracted %.*s\n", LW_F(bug->id));
    return rc;
}

static int run_retract(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    const struct lw_bug *bug;
    const char *reason = cli_value(cli, "reason");
    if (!reason || !*reason)
        return lw_err_set(err, LW_EINVAL, "give a reason: --reason TEXT");
    int rc = bugs_find(cli, &catalog, &bug, NULL, err);
    if (rc == 0)
        rc = retract(cli, catalog, bug, reason, err);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example retract_examples[] = {
    {"lacewing bugs retract my-bug --reason \"shows another bug\"", "it is no longer listed"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_retract = {
    .name = "bugs retract",
    .usage = "ID",
    .summary = "withdraw a bug, with a reason",
    .details = "It stays in the catalogue: 'bugs show' shows the reason, and its id is never "
               "given to another bug. Listings, counts and exports leave it out.",
    .options = retract_options,
    .examples = retract_examples,
    .min_args = 1,
    .max_args = 1,
    .run = run_retract,
};
