/* bugs stats and bugs words: what the catalogue holds, and the words it uses. */
#include "base/err.h"
#include "base/str.h"
#include "catalog/catalog.h"
#include "cli/bugs.h"
#include "knowledge/vocabulary.h"

static const char *const facets[] = {"source",  "type",     "category", "leaf",
                                     "symptom", "property", "framework"};
enum { FACETS = sizeof facets / sizeof *facets, BAR = 40 };

struct counting {
    struct cli *cli;
    struct lw_jsonw *json;
    uint64_t total;
};

static int text_count(void *data, struct lw_str value, uint64_t count)
{
    struct counting *c = data;
    size_t bar = c->total ? (size_t)(count * BAR / c->total) : 0;
    lw_putz(&c->cli->out, "  ");
    bugs_put_padded(c->cli, value, 44);
    lw_putf(&c->cli->out, " %6llu  %s", (unsigned long long)count,
            lw_colour(&c->cli->term, LW_CYAN));
    lw_put_fill(&c->cli->out, '#', bar ? bar : 1);
    lw_putf(&c->cli->out, "%s\n", lw_colour(&c->cli->term, LW_PLAIN));
    return 0;
}

static int json_count(void *data, struct lw_str value, uint64_t count)
{
    struct counting *c = data;
    lw_json_object(c->json);
    lw_json_key_text(c->json, "value", value);
    lw_json_key_int(c->json, "bugs", (int64_t)count);
    lw_json_end(c->json);
    return 0;
}

static int print_stats(struct cli *cli, lw_catalog *catalog, struct lw_err *err)
{
    struct lw_jsonw w;
    struct counting c = {.cli = cli, .json = &w};
    bool as_json = cli_wants(cli, "json");
    int rc = lw_catalog_count(catalog, &(struct lw_query){0}, &c.total, err);
    lw_jsonw_init(&w, &cli->out, false);
    if (as_json) {
        lw_json_object(&w);
        lw_json_key_int(&w, "bugs", (int64_t)c.total);
    } else if (rc == 0) {
        lw_putf(&cli->out, "%llu bugs\n", (unsigned long long)c.total);
    }
    for (size_t i = 0; rc == 0 && i < FACETS; i++) {
        if (as_json) {
            lw_json_key(&w, facets[i]);
            lw_json_array(&w);
        } else {
            lw_putf(&cli->out, "\n%s%s%s\n", lw_colour(&cli->term, LW_BOLD), facets[i],
                    lw_colour(&cli->term, LW_PLAIN));
        }
        rc = catalog->store->ops->facet(catalog->store, facets[i],
                                        as_json ? json_count : text_count, &c, err);
        if (as_json)
            lw_json_end(&w);
    }
    if (as_json)
        lw_json_end(&w);
    return rc;
}

static int run_stats(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    int rc = bugs_open(cli, &catalog, err);
    if (rc == 0)
        rc = print_stats(cli, catalog, err);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example stats_examples[] = {
    {"lacewing bugs stats", "how many bugs of each kind"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_stats = {
    .name = "bugs stats",
    .usage = "",
    .summary = "count the bugs by type, category, symptom, ...",
    .examples = stats_examples,
    .run = run_stats,
};

/* Splits entry `i` into kind and name; true when the kind is the one asked for, or none is. */
static bool is_wanted(const struct lw_vocabulary *words, size_t i, struct lw_str kind,
                      struct lw_str *k, struct lw_str *name)
{
    *name = words->words.entries[i].key;
    lw_str_split(name, '\n', k);
    return kind.n == 0 || lw_str_eq(kind, *k);
}

static void print_words(struct cli *cli, const struct lw_vocabulary *words, struct lw_str kind)
{
    struct lw_jsonw w;
    struct lw_str k, name;
    bool as_json = cli_wants(cli, "json");
    lw_jsonw_init(&w, &cli->out, false);
    if (as_json)
        lw_json_array(&w);
    for (size_t i = 0; i < words->words.n; i++) {
        if (!is_wanted(words, i, kind, &k, &name))
            continue;
        if (as_json) {
            lw_json_object(&w);
            lw_json_key_text(&w, "kind", k);
            lw_json_key_text(&w, "name", name);
            lw_json_end(&w);
        } else {
            lw_putf(&cli->out, "%-12.*s %.*s\n", LW_F(k), LW_F(name));
        }
    }
    if (as_json)
        lw_json_end(&w);
}

static int run_words(struct cli *cli, struct lw_err *err)
{
    struct lw_vocabulary words;
    struct lw_str kind = cli->arg_count ? lw_str(cli->args[0]) : LW_S(""), k, name;
    bool any = false;
    if (lw_vocabulary_load(&words, cli->ctx.mem, err) < 0)
        return err->code;
    for (size_t i = 0; !any && i < words.words.n; i++)
        any = is_wanted(&words, i, kind, &k, &name);
    if (any)
        print_words(cli, &words, kind);
    lw_vocabulary_release(&words);
    if (any)
        return 0;
    return lw_err_set(err, LW_EINVAL,
                      "there are no words of kind '%.*s'; 'lacewing bugs words' shows all",
                      LW_F(kind));
}

static const struct cli_example words_examples[] = {
    {"lacewing bugs words symptom", "the symptoms a bug can have"},
    {"lacewing bugs words leaf", "the leaves of the fault taxonomy"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_words = {
    .name = "bugs words",
    .usage = "[KIND]",
    .summary = "the words used for type, leaf, category, symptom, ...",
    .examples = words_examples,
    .max_args = 1,
    .run = run_words,
};
