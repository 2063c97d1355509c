/* bugs list: filter, search, page. */
#include <string.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/str.h"
#include "base/table.h"
#include "catalog/bug.h"
#include "cli/bugs.h"
#include "cli/bugs_print.h"
#include "knowledge/vocabulary.h"
#include "verify/available.h"

static const struct cli_option options[] = {
    {"type", 0, "T", NULL, "only this type: model, tensor, training, gpu, api, data, other"},
    {"leaf", 0, "L", NULL, "only this leaf of the fault taxonomy"},
    {"category", 0, "C", NULL, "only this category: shape, type, numeric, api, ..."},
    {"framework", 0, "F", NULL, "only this framework: pytorch, numpy, keras, tensorflow"},
    {"symptom", 0, "S", NULL, "only this symptom: crash, nan, no-learning, ..."},
    {"property", 0, "P", NULL, "only this violated property: correctness, efficiency, ..."},
    {"source", 0, "S", NULL, "only bugs of this source: specimen, submission, ..."},
    {"tool", 0, "NAME", NULL, "only bugs that this tool is known to find"},
    {"runnable", 0, NULL, NULL, "only bugs that can run on this machine"},
    {"text", 0, "WORDS", NULL, "all these words occur in title, error, description or report"},
    {"sort", 0, "FIELD", NULL,
     "order by a field (default: id); -FIELD for descending; relevance with --text"},
    {"limit", 0, "N", NULL, "at most N bugs"},
    {"offset", 0, "N", NULL, "leave out the first N"},
    {"format", 0, "F", "text|json|csv", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

struct listing {
    struct cli *cli;
    lw_available *available;
    struct lw_table table;
    struct lw_jsonw json;
    uint64_t count;
};

/* Columns in the order of the table; `least` is the width of a terminal that shows it: on a
 * narrower one it is left out, so that the ids, which are copied and typed, are never cut. */
static const struct {
    struct lw_table_column column;
    unsigned least;
} columns[] = {
    {{"id", false, false}, 0},      {{"category", false, true}, 81},
    {{"symptom", false, true}, 61}, {{"framework", false, true}, 101},
    {{"runs", false, false}, 71},   {{"title", false, true}, 40},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool is_shown(const struct cli *cli, size_t column)
{
    return cli->term.columns == 0 || cli->term.columns >= columns[column].least;
}

/* Fills `shown` with the columns that fit; returns their number. */
static size_t choose_columns(const struct cli *cli, struct lw_table_column shown[COLUMNS])
{
    size_t n = 0;
    for (size_t i = 0; i < COLUMNS; i++)
        if (is_shown(cli, i))
            shown[n++] = columns[i].column;
    return n;
}

static int text_row(void *data, const struct lw_bug *bug)
{
    struct listing *l = data;
    bool runs = lw_available_bug(l->available, bug);
    const struct {
        struct lw_str text;
        enum lw_colour colour;
    } cells[COLUMNS] = {
        {bug->id, LW_BOLD},
        {bug->category, LW_PLAIN},
        {bug->symptom, LW_PLAIN},
        {bug->framework, LW_PLAIN},
        {runs ? LW_S("yes") : LW_S("no"), runs ? LW_GREEN : LW_DIM},
        {bug->title, LW_PLAIN},
    };
    for (size_t i = 0; i < COLUMNS; i++)
        if (is_shown(l->cli, i))
            lw_table_cell_coloured(&l->table, cells[i].text, cells[i].colour);
    l->count++;
    return 0;
}

static int json_row(void *data, const struct lw_bug *bug)
{
    struct listing *l = data;
    lw_json_object(&l->json);
    bugs_json_fields(&l->json, bug, lw_available_bug(l->available, bug));
    lw_json_end(&l->json);
    return l->cli->out.error ? LW_EIO : 0;
}

static int csv_row(void *data, const struct lw_bug *bug)
{
    struct listing *l = data;
    struct lw_sink *out = &l->cli->out;
    for (size_t i = 0; i < bugs_list_field_count; i++)
        lw_csv_put(out, bug_text_of(bug, bug_field_find(lw_str(bugs_list_fields[i]))), i == 0);
    lw_putf(out, ",%lld,%s\n", (long long)bug->support_level,
            lw_available_bug(l->available, bug) ? "true" : "false");
    return out->error ? LW_EIO : 0;
}

/* A word given for a filter must be one of the vocabulary: a typing mistake is no empty list.
 */
static int read_filters(struct cli *cli, struct lw_query *q, struct lw_err *err)
{
    const struct {
        const char *name;
        struct lw_str *to;
    } filters[] = {
        {"type", &q->type},           {"leaf", &q->leaf},       {"category", &q->category},
        {"framework", &q->framework}, {"symptom", &q->symptom}, {"property", &q->property},
        {"source", &q->source},
    };
    struct lw_vocabulary words = {0};
    bool loaded = false;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof filters / sizeof *filters; i++) {
        const char *value = cli_value(cli, filters[i].name);
        if (!value)
            continue;
        if (!loaded)
            rc = lw_vocabulary_load(&words, cli->ctx.mem, err);
        loaded = loaded || rc == 0;
        *filters[i].to = lw_str(value);
        if (rc == 0 && !lw_vocabulary_has(&words, filters[i].name, lw_str(value)))
            rc = lw_vocabulary_refuse(&words, filters[i].name, lw_str(value), err);
    }
    if (loaded)
        lw_vocabulary_release(&words);
    return rc;
}

static int read_query(struct cli *cli, struct lw_query *q, struct lw_err *err)
{
    if (read_filters(cli, q, err) < 0 ||
        cli_number(cli, "limit", 0, 1, UINT32_MAX, &q->limit, err) < 0 ||
        cli_number(cli, "offset", 0, 0, UINT32_MAX, &q->offset, err) < 0)
        return err->code;
    q->tool = lw_str(cli_value(cli, "tool"));
    q->text = lw_str(cli_value(cli, "text"));
    q->sort = lw_str(cli_value(cli, "sort"));
    return 0;
}

/* How many there are in all is of interest up to a point, and counting further takes time: so
 * many beyond those shown. */
enum { COUNTED = 1000 };

static void put_footer(const struct listing *l, uint64_t offset, uint64_t total)
{
    const struct lw_log *log = &l->cli->ctx.log;
    bool more = total > offset + l->count + COUNTED;
    if (offset == 0 && l->count == total)
        lw_log(log, LW_LOG_INFO, "%llu bug%s", (unsigned long long)total,
               total == 1 ? "" : "s");
    else if (offset + l->count < total)
        lw_log(log, LW_LOG_INFO, "%llu of %s%llu bugs; continue with --offset %llu",
               (unsigned long long)l->count, more ? "more than " : "",
               (unsigned long long)(more ? total - 1 : total),
               (unsigned long long)(offset + l->count));
    else
        lw_log(log, LW_LOG_INFO, "%llu of %llu bugs", (unsigned long long)l->count,
               (unsigned long long)total);
}

static int print_text(struct listing *l, lw_catalog *catalog, const struct lw_query *q,
                      struct lw_err *err)
{
    struct cli *cli = l->cli;
    uint64_t total = 0;
    struct lw_table_column fitting[COLUMNS];
    size_t fitting_count = choose_columns(cli, fitting);
    lw_table_init(&l->table, cli->ctx.mem, fitting, fitting_count);
    int rc = lw_catalog_list(catalog, q, text_row, l, err);
    bool is_all = q->offset == 0 && (q->limit == 0 || l->count < q->limit);
    struct lw_query counted = *q;
    counted.limit = q->offset + l->count + COUNTED + 1;
    if (rc == 0 && is_all)
        total = l->count;
    else if (rc == 0)
        rc = lw_catalog_count(catalog, &counted, &total, err);
    if (rc == 0 && l->count)
        rc = lw_table_print(&l->table, &cli->out, &cli->term, err);
    if (rc == 0)
        put_footer(l, q->offset, total);
    lw_table_release(&l->table);
    return rc;
}

static int print_list(struct listing *l, lw_catalog *catalog, const struct lw_query *q,
                      struct lw_err *err)
{
    struct cli *cli = l->cli;
    if (cli_wants(cli, "json")) {
        lw_jsonw_init(&l->json, &cli->out, false);
        lw_json_array(&l->json);
        int rc = lw_catalog_list(catalog, q, json_row, l, err);
        if (rc == 0)
            lw_json_end(&l->json);
        return rc;
    }
    if (cli_wants(cli, "csv")) {
        for (size_t i = 0; i < bugs_list_field_count; i++)
            lw_csv_put(&cli->out, lw_str(bugs_list_fields[i]), i == 0);
        lw_putz(&cli->out, ",support_level,runnable\n");
        return lw_catalog_list(catalog, q, csv_row, l, err);
    }
    return print_text(l, catalog, q, err);
}

static int run(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    struct lw_query q = {0};
    struct listing l = {.cli = cli};
    int rc = read_query(cli, &q, err);
    if (rc == 0)
        rc = bugs_open(cli, &catalog, err);
    if (rc == 0)
        rc = lw_available_new(&l.available, &cli->ctx, err);
    if (cli_flag(cli, "runnable")) {
        q.accept = lw_available_bug;
        q.accept_data = l.available;
        q.accept_by_environment = true;
    }
    if (rc == 0)
        rc = print_list(&l, catalog, &q, err);
    if (rc == 0)
        rc = lw_available_failure(l.available, err);
    lw_available_free(l.available);
    lw_catalog_close(catalog);
    return cli->out.error ? 0 : rc; /* a failed write is reported by the caller */
}

static const struct cli_example examples[] = {
    {"lacewing bugs list --category shape --runnable", "shape bugs that can run here"},
    {"lacewing bugs list --text \"cross entropy\" --format json", "search, for a program"},
    {"lacewing bugs list --sort -support_level --limit 10", "the most general first"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_list = {
    .name = "bugs list",
    .usage = "",
    .summary = "list bugs, all or those that match the options",
    .options = options,
    .examples = examples,
    .run = run,
};
