/* demo: the main job in small, on the bugs that come with the program. */
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/table.h"
#include "cli/bugs_print.h"
#include "cli/verifying.h"
#include "verify/available.h"

struct board {
    struct cli *cli;
    struct lw_table table;
    struct lw_jsonw json;
    size_t reproduced, failed, unavailable;
};

static const struct lw_table_column columns[] = {
    {"bug", false, false},         {"category", false, true},      {"symptom", false, true},
    {"buggy fails", false, false}, {"fixed passes", false, false}, {"seconds", true, false},
    {"what happens", false, true},
};

static void put_answer(struct lw_table *t, const struct lw_side_result *side)
{
    if (!side->ran)
        lw_table_cell_coloured(t, LW_S("-"), LW_DIM);
    else
        lw_table_cell_coloured(t, side->as_stated ? LW_S("yes") : LW_S("no"),
                               side->as_stated ? LW_GREEN : LW_RED);
}

static int add_row(void *data, const struct lw_bug *bug, const struct lw_verification *v)
{
    struct board *b = data;
    b->reproduced += v->verdict == LW_REPRODUCED;
    b->unavailable += v->verdict == LW_UNAVAILABLE;
    b->failed += v->verdict == LW_NOT_REPRODUCED || v->verdict == LW_FLAKY;
    if (cli_wants(b->cli, "json")) {
        bugs_json_verification(&b->json, v);
        return 0;
    }
    lw_table_cell_coloured(&b->table, v->id, LW_BOLD);
    lw_table_cell(&b->table, bug->category);
    lw_table_cell(&b->table, bug->symptom);
    put_answer(&b->table, &v->side[LW_BUGGY]);
    put_answer(&b->table, &v->side[LW_FIXED]);
    if (v->side[LW_BUGGY].ran)
        lw_table_cellf(&b->table, "%.1f", v->side[0].seconds + v->side[1].seconds);
    else
        lw_table_cell(&b->table, LW_S("-"));
    lw_table_cell(&b->table, v->reason.n ? v->reason : v->side[LW_BUGGY].failure);
    return 0;
}

static void put_next_steps(struct cli *cli, const struct board *b, double seconds)
{
    lw_putf(&cli->out,
            "\n%zu of %zu bugs reproduced in %.0f s: the buggy program failed for the "
            "stated reason, the fixed one passed.\n",
            b->reproduced, b->reproduced + b->failed + b->unavailable, seconds);
    if (b->unavailable)
        lw_putf(&cli->out,
                "%zu could not run here; 'lacewing bugs show ID' says what is missing.\n",
                b->unavailable);
    lw_putz(&cli->out,
            "\nTry next:\n"
            "  lacewing bugs list                     what is in the catalogue\n"
            "  lacewing bugs show ID                  one bug: cause, error, evidence\n"
            "  lacewing bugs diff ID                  how it is fixed\n"
            "  lacewing bugs checkout ID --into DIR   work on it yourself\n"
            "  lacewing help                          everything else\n");
}

/* The first runnable bug of every category and of every symptom: the whole range in a minute.
 */
struct sampling {
    lw_available *available;
    struct lw_arena *arena;
    struct lw_map seen;
    bool failed; /* out of memory */
};

static bool is_sample(void *data, const struct lw_bug *bug)
{
    struct sampling *s = data;
    const struct lw_str words[] = {bug->category, bug->symptom};
    bool is_wanted = false;
    if (!lw_available_bug(s->available, bug))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (lw_map_find(&s->seen, words[i]))
            continue;
        struct lw_str kept = lw_arena_copy(s->arena, words[i]);
        s->failed |= !kept.p || !lw_map_put(&s->seen, kept, NULL);
        is_wanted = true;
    }
    return is_wanted;
}

static int choose(struct cli *cli, lw_catalog *catalog, struct lw_str **ids, size_t *count,
                  struct lw_err *err)
{
    struct lw_query q = {.source = LW_S("specimen")};
    struct sampling s = {.arena = &cli->arena};
    if (cli_flag(cli, "all"))
        return verifying_all(cli, catalog, &q, ids, count, err);
    int rc = lw_available_new(&s.available, &cli->ctx, err);
    if (rc < 0)
        return rc;
    lw_map_init(&s.seen, cli->ctx.mem);
    q.accept = is_sample;
    q.accept_data = &s;
    rc = verifying_all(cli, catalog, &q, ids, count, err);
    if (rc == 0)
        rc = lw_available_failure(s.available, err);
    lw_map_release(&s.seen);
    lw_available_free(s.available);
    return rc == 0 && s.failed ? lw_err_nomem(err) : rc;
}

static int verify_chosen(struct cli *cli, lw_catalog *catalog, struct board *b,
                         struct lw_err *err)
{
    struct lw_verifier v;
    struct lw_str *ids;
    size_t count;
    if (choose(cli, catalog, &ids, &count, err) < 0 ||
        lw_verifier_init(&v, &cli->ctx, catalog, err) < 0)
        return err->code;
    verifying_warn(cli, &v);
    if (count)
        lw_log(&cli->ctx.log, LW_LOG_INFO,
               "running %zu bugs, each buggy and fixed, in the sandbox", count);
    int rc = lw_verifier_many(&v, ids, count, add_row, b, err);
    lw_verifier_release(&v);
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    struct board b = {.cli = cli};
    double started = cli->ctx.clock.seconds(cli->ctx.clock.data);
    bool as_json = cli_wants(cli, "json");
    lw_table_init(&b.table, cli->ctx.mem, columns, sizeof columns / sizeof *columns);
    lw_jsonw_init(&b.json, &cli->out, false);
    int rc = bugs_open(cli, &catalog, err);
    if (rc == 0) {
        if (as_json)
            lw_json_array(&b.json);
        rc = verify_chosen(cli, catalog, &b, err);
        if (as_json)
            lw_json_end(&b.json);
    }
    bool is_empty = b.reproduced + b.failed + b.unavailable == 0;
    if (rc == 0 && !as_json && !is_empty) {
        rc = lw_table_print(&b.table, &cli->out, &cli->term, err);
        put_next_steps(cli, &b, cli->ctx.clock.seconds(cli->ctx.clock.data) - started);
    }
    lw_table_release(&b.table);
    lw_catalog_close(catalog);
    if (rc < 0)
        return rc;
    if (b.reproduced + b.failed == 0)
        return lw_err_set(
            err, LW_EMISSING,
            "no bug can run on this machine; install PyTorch and NumPy for Python, for example "
            "'apt-get install python3-torch python3-numpy'");
    return b.failed ? 1 : 0;
}

static const struct cli_option options[] = {
    {"all", 0, NULL, NULL, "every bug that comes with the program (some minutes)"},
    {NULL},
};

static const struct cli_example examples[] = {
    {"lacewing demo", "a bug of every category and symptom, about a minute"},
    {"lacewing demo --all", "all of them"},
    {NULL, NULL},
};

const struct cli_command cmd_demo = {
    .name = "demo",
    .usage = "",
    .summary = "verify the bugs that come with the program and show a scoreboard",
    .options = options,
    .examples = examples,
    .run = run,
};
