/* triage: what a bug report is about, what it tells, and what it lacks. */
#include "base/err.h"
#include "base/progress.h"
#include "base/str.h"
#include "base/table.h"
#include "cli/commands.h"
#include "cli/triage.h"

/* What printing a set adds up. */
struct counts {
    size_t reports, skipped, extrinsic, with_error;
    size_t type[LW_TYPES + 1];
    size_t component[LW_COMPONENTS];
};

struct session {
    struct cli *cli;
    lw_triager *triager;
    struct lw_report_set among;
    lw_similar_index *index; /* NULL: no --among */
    struct lw_progress progress;
    struct lw_table table;
    struct lw_jsonw json;
    struct counts counts;
};

static int open_session(struct session *s, struct cli *cli, struct lw_err *err)
{
    const char *among = cli_value(cli, "among");
    *s = (struct session){.cli = cli};
    int rc = lw_triager_new(&s->triager, cli->ctx.mem, err);
    if (rc == 0 && among)
        rc = lw_report_set_load(&s->among, cli->ctx.mem, among, err);
    if (rc == 0 && among)
        rc = lw_similar_new(&s->index, &cli->ctx, &s->among, err);
    return rc;
}

static void close_session(struct session *s)
{
    lw_similar_free(s->index);
    if (s->among.arena.mem || s->among.items.v)
        lw_report_set_release(&s->among);
    else
        lw_arena_release(&s->among.arena);
    lw_triager_free(s->triager);
}

static int find_similar(struct session *s, struct triage_shown *shown, struct lw_err *err)
{
    shown->similar_count = TRIAGE_SIMILAR;
    if (s->index)
        return lw_similar_find(s->index, shown->report, shown->id, shown->similar,
                               &shown->similar_count, err);
    shown->similar_count = 0;
    return 0;
}

/* ---- One report ---------------------------------------------------------------------------
 */

static void print_one(struct session *s, const struct triage_shown *shown)
{
    struct cli *cli = s->cli;
    bool lines = cli_wants(cli, "json-lines");
    if (cli_flag(cli, "as-comment")) {
        triage_comment(cli, shown);
    } else if (lines || cli_wants(cli, "json")) {
        lw_jsonw_init(&s->json, &cli->out, lines);
        triage_json(&s->json, shown);
    } else {
        triage_text(cli, shown);
    }
}

static int run_one(struct session *s, const char *path, struct lw_err *err)
{
    const struct lw_report_item item = {.name = lw_str(path)};
    struct triage_shown shown = {0};
    struct lw_triage triage;
    lw_report *report = NULL;
    int rc = lw_report_item_read(&report, s->cli->ctx.mem, NULL, &item, err);
    if (rc == 0)
        rc = lw_triage_report(&triage, s->triager, report, &s->cli->arena, err);
    shown.report = report;
    shown.triage = &triage;
    if (rc == 0)
        rc = find_similar(s, &shown, err);
    if (rc == 0)
        print_one(s, &shown);
    lw_report_free(report);
    return rc;
}

/* ---- A set --------------------------------------------------------------------------------
 */

static const struct lw_table_column columns[] = {
    {"report", false, true},  {"type", false, false}, {"score", true, false},
    {"origin", false, false}, {"error", false, true}, {"missing", false, true},
};

static void add_cells(struct lw_table *table, const struct triage_shown *shown)
{
    const struct lw_triage *t = shown->triage;
    struct lw_buf missing;
    lw_buf_init(&missing, table->arena.mem, 0);
    for (size_t i = 0; i < t->lack_count && i < 3; i++)
        lw_buf_addf(&missing, "%s%.*s", i ? ", " : "", LW_F(t->lack[i].key));
    lw_table_cell(table, shown->id);
    lw_table_cell(table, lw_str(lw_bug_type_name(t->type.type)));
    lw_table_cellf(table, "%.2f",
                   t->type.type < LW_TYPE_UNKNOWN ? t->type.score[t->type.type] : 0);
    lw_table_cell(table, t->origin.extrinsic ? t->origin.suspect : LW_S("intrinsic"));
    lw_table_cell(table, t->error         ? lw_fact_name(t->error)
                         : t->is_explicit ? LW_S("yes")
                                          : LW_S("silent"));
    lw_table_cell(table, lw_buf_str(&missing));
    lw_buf_release(&missing);
}

static void count(struct counts *c, const struct lw_triage *t)
{
    c->reports++;
    c->type[t->type.type]++;
    c->extrinsic += t->origin.extrinsic;
    c->with_error += t->is_explicit;
    for (size_t k = 0; k < LW_COMPONENTS; k++)
        c->component[k] += t->component[k].present;
}

static int deliver(void *data, const struct lw_triaged *one, struct lw_err *err)
{
    struct session *s = data;
    struct triage_shown shown = {one->item->id, one->report, one->triage, {{{0}, 0}}, 0};
    lw_progress_step(&s->progress, 1, one->item->id);
    if (!one->report || one->err.code < 0) {
        s->counts.skipped++;
        lw_progress_hide(&s->progress);
        lw_log(&s->cli->ctx.log, LW_LOG_WARNING, "%s", one->err.text);
        return 0;
    }
    int rc = find_similar(s, &shown, err);
    if (rc < 0)
        return rc;
    count(&s->counts, one->triage);
    if (cli_wants(s->cli, "json-lines")) {
        lw_jsonw_init(&s->json, &s->cli->out, true);
        triage_json(&s->json, &shown);
    } else if (cli_wants(s->cli, "json")) {
        triage_json(&s->json, &shown);
    } else {
        add_cells(&s->table, &shown);
    }
    return 0;
}

static void print_share(struct lw_sink *out, const char *name, size_t n, size_t all)
{
    lw_putf(out, "  %-16s%5zu  %5.1f %%\n", name, n, all ? 100.0 * (double)n / (double)all : 0);
}

static void print_counts(struct cli *cli, const struct counts *c)
{
    struct lw_sink *out = &cli->out;
    lw_putf(out, "\n%zu report%s\ntypes\n", c->reports, c->reports == 1 ? "" : "s");
    for (unsigned k = 0; k <= LW_TYPES; k++)
        if (c->type[k] > 0)
            print_share(out, lw_bug_type_name((enum lw_bug_type)k), c->type[k], c->reports);
    lw_putz(out, "they tell\n");
    for (unsigned k = 0; k < LW_COMPONENTS; k++)
        print_share(out, lw_component_name((enum lw_component)k), c->component[k], c->reports);
    lw_putz(out, "and\n");
    print_share(out, "show an error", c->with_error, c->reports);
    print_share(out, "are extrinsic", c->extrinsic, c->reports);
}

static int finish_set(struct session *s, struct lw_err *err)
{
    struct cli *cli = s->cli;
    int rc = 0;
    if (cli_wants(cli, "json")) {
        lw_json_end(&s->json);
    } else if (!cli_wants(cli, "json-lines")) {
        rc = lw_table_print(&s->table, &cli->out, &cli->term, err);
        print_counts(cli, &s->counts);
    }
    if (s->counts.skipped > 0)
        lw_log(&cli->ctx.log, LW_LOG_WARNING, "%zu report%s skipped", s->counts.skipped,
               s->counts.skipped == 1 ? " was" : "s were");
    return rc;
}

static int run_set(struct session *s, const char *path, struct lw_err *err)
{
    struct cli *cli = s->cli;
    struct lw_report_set set;
    if (cli_flag(cli, "as-comment"))
        return lw_err_set(err, LW_EINVAL, "--as-comment needs one report, not a set");
    int rc = lw_report_set_load(&set, cli->ctx.mem, path, err);
    if (rc == 0) {
        lw_table_init(&s->table, cli->ctx.mem, columns, sizeof columns / sizeof *columns);
        lw_progress_init(&s->progress, cli->ctx.talk, cli->ctx.clock, "triage", set.items.n);
        lw_jsonw_init(&s->json, &cli->out, false);
        if (cli_wants(cli, "json"))
            lw_json_array(&s->json);
        rc = lw_triage_set(&cli->ctx, s->triager, &set, deliver, s, err);
        lw_progress_finish(&s->progress);
        if (rc == 0)
            rc = finish_set(s, err);
        lw_table_release(&s->table);
    }
    lw_report_set_release(&set);
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    struct session s;
    const char *path = cli->args[0];
    int rc = open_session(&s, cli, err);
    if (rc == 0)
        rc = lw_is_report_set(path) ? run_set(&s, path, err) : run_one(&s, path, err);
    close_session(&s);
    return rc;
}

static const struct cli_option options[] = {
    {"as-comment", 0, NULL, NULL, "print a comment that asks for what is missing"},
    {"among", 0, "SET.jsonl", NULL, "name similar reports of this set"},
    {"format", 0, "F", "text|json|json-lines", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_triage = {
    .name = "triage",
    .usage = "FILE|DIR|SET.jsonl",
    .summary = "classify a bug report, and say what it states and what it lacks",
    .details =
        "A report is Markdown or plain text whose first line is the summary, JSON of an issue "
        "or a question, HTML, or an e-mail. Its type (model, tensor, training, gpu, api, data, "
        "other) comes from a learnt model, with the words that decided. The origin is "
        "intrinsic unless a sentence mentions an outside cause: another library, the "
        "environment, hardware, data. Stated versions are checked against each other.\n\n"
        "Questions ask for what is missing, the most useful first by the rules of 'lacewing "
        "hints'. A folder or a file of JSON lines gives a table and counts.",
    .options = options,
    .examples =
        (const struct cli_example[]){
            {"lacewing triage report.md", "one report"},
            {"lacewing triage report.md --as-comment",
             "a comment that asks for what is missing"},
            {"lacewing triage reports.jsonl --format json-lines", "a set, one object a line"},
            {"lacewing triage report.md --among reports.jsonl", "similar earlier reports"},
            {NULL, NULL}},
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
