/* bugs stats and bugs words: what the catalogue holds, and the words it uses. */
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "catalog/catalog.h"
#include "cli/bugs.h"
#include "knowledge/vocabulary.h"

enum { BAR = 40, VALUE = 44 };

/* The order of the tables; the numbers are those of store_facet_names. */
static const size_t shown[] = {0, 1, 3, 2, 4, 5, 6};
enum { SHOWN = sizeof shown / sizeof *shown, ENVIRONMENT = STORE_FACETS - 1 };

struct tally {
    struct lw_str value;
    uint64_t count;
};

typedef LW_VEC(struct tally) tally_vec;

struct counting {
    struct cli *cli;
    struct lw_jsonw json;
    bool as_json;
    uint64_t total;
    tally_vec facets[STORE_FACETS];
    tally_vec versions; /* "pytorch >=1.8" */
    tally_vec evidence;
};

static int push(struct counting *c, tally_vec *to, struct lw_str value, uint64_t count)
{
    struct tally t = {lw_arena_copy(&c->cli->arena, value), count};
    return t.value.p && lw_vec_push(c->cli->ctx.mem, to, t) == 0 ? 0 : LW_ENOMEM;
}

/* An environment is modules, framework, version of it and of Python, one a line. */
static int add_version(struct counting *c, struct lw_str environment, uint64_t count)
{
    struct lw_str modules = {0}, framework = {0}, version = {0};
    lw_str_split(&environment, '\n', &modules);
    lw_str_split(&environment, '\n', &framework);
    lw_str_split(&environment, '\n', &version);
    struct lw_str name = lw_arena_printf(&c->cli->arena, "%.*s %.*s", LW_F(framework),
                                         LW_F(version.n ? version : LW_S("(any)")));
    for (size_t i = 0; name.p && i < c->versions.n; i++)
        if (lw_str_eq(c->versions.v[i].value, name)) {
            c->versions.v[i].count += count;
            return 0;
        }
    return name.p ? push(c, &c->versions, name, count) : LW_ENOMEM;
}

static int add_facet(void *data, size_t facet, struct lw_str value, uint64_t count)
{
    struct counting *c = data;
    if (facet == ENVIRONMENT)
        return add_version(c, value, count);
    if (facet == 0)
        c->total += count;
    return push(c, &c->facets[facet], value, count);
}

static int add_evidence(void *data, struct lw_str value, uint64_t count)
{
    struct counting *c = data;
    return push(c, &c->evidence, value, count);
}

static int most_first(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return lw_str_cmp(x->value, y->value);
}

static void text_row(struct counting *c, const struct tally *t, uint64_t whole)
{
    struct cli *cli = c->cli;
    /* On a narrow terminal the bar gives way first. */
    unsigned columns = cli->term.columns ? cli->term.columns : 100;
    size_t room = columns > VALUE + 11 ? columns - VALUE - 11 : 0;
    size_t most = room < BAR ? room : BAR;
    size_t bar = whole ? (size_t)(t->count * most / whole) : 0;
    lw_putz(&cli->out, "  ");
    bugs_put_padded(cli, t->value, VALUE);
    lw_putf(&cli->out, " %6llu", (unsigned long long)t->count);
    if (most) {
        lw_putf(&cli->out, "  %s", lw_colour(&cli->term, LW_CYAN));
        lw_put_fill(&cli->out, '#', bar || !t->count ? bar : 1);
        lw_putz(&cli->out, lw_colour(&cli->term, LW_PLAIN));
    }
    lw_putz(&cli->out, "\n");
}

static void put_table(struct counting *c, const char *name, const tally_vec *rows,
                      uint64_t whole)
{
    struct cli *cli = c->cli;
    if (c->as_json) {
        lw_json_key(&c->json, name);
        lw_json_array(&c->json);
    } else if (rows->n) {
        lw_putf(&cli->out, "\n%s%s%s\n", lw_colour(&cli->term, LW_BOLD), name,
                lw_colour(&cli->term, LW_PLAIN));
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (!c->as_json) {
            text_row(c, &rows->v[i], whole);
            continue;
        }
        lw_json_object(&c->json);
        lw_json_key_text(&c->json, "value", rows->v[i].value);
        lw_json_key_int(&c->json, "bugs", (int64_t)rows->v[i].count);
        lw_json_end(&c->json);
    }
    if (c->as_json)
        lw_json_end(&c->json);
}

/* "never run" as "never_run". */
static const char *json_key(struct counting *c, struct lw_str name)
{
    struct lw_str copy = lw_arena_copy(&c->cli->arena, name);
    for (char *p = (char *)(uintptr_t)copy.p; p && *p; p++)
        if (*p == ' ' || *p == '-')
            *p = '_';
    return copy.p ? copy.p : "";
}

/* Verdicts are of bugs, the two sums of runs: their share is how steady the runs were. */
static void put_evidence(struct counting *c)
{
    struct cli *cli = c->cli;
    uint64_t runs = 0, agreed = 0;
    if (c->as_json) {
        lw_json_key(&c->json, "evidence");
        lw_json_object(&c->json);
    } else if (c->total) {
        lw_putf(&cli->out, "\n%slatest verdict%s\n", lw_colour(&cli->term, LW_BOLD),
                lw_colour(&cli->term, LW_PLAIN));
    }
    for (size_t i = 0; i < c->evidence.n; i++) {
        const struct tally *t = &c->evidence.v[i];
        bool is_runs = lw_str_eq(t->value, LW_S("all runs"));
        bool is_agreed = lw_str_eq(t->value, LW_S("runs as stated"));
        runs = is_runs ? t->count : runs;
        agreed = is_agreed ? t->count : agreed;
        if (c->as_json)
            lw_json_key_int(&c->json, json_key(c, t->value), (int64_t)t->count);
        else if (!is_runs && !is_agreed && t->count)
            text_row(c, t, c->total);
    }
    if (c->as_json)
        lw_json_end(&c->json);
    else if (runs)
        lw_putf(&cli->out, "\n%llu runs of both sides, %llu as stated (%.2f %%)\n",
                (unsigned long long)runs, (unsigned long long)agreed,
                100.0 * (double)agreed / (double)runs);
}

static void print_stats(struct counting *c)
{
    lw_jsonw_init(&c->json, &c->cli->out, false);
    if (c->as_json) {
        lw_json_object(&c->json);
        lw_json_key_int(&c->json, "bugs", (int64_t)c->total);
    } else {
        lw_putf(&c->cli->out, "%llu bugs\n", (unsigned long long)c->total);
    }
    for (size_t i = 0; i < SHOWN; i++)
        put_table(c, store_facet_names[shown[i]], &c->facets[shown[i]], c->total);
    if (c->versions.n)
        qsort(c->versions.v, c->versions.n, sizeof *c->versions.v, most_first);
    put_table(c, "version", &c->versions, c->total);
    put_evidence(c);
    if (c->as_json)
        lw_json_end(&c->json);
}

static int count_all(struct counting *c, lw_catalog *catalog, struct lw_err *err)
{
    struct store *store = catalog->store;
    int rc = store->ops->facets(store, add_facet, c, err);
    if (rc == 0)
        rc = store->ops->evidence(store, add_evidence, c, err);
    return rc == LW_ENOMEM ? lw_err_nomem(err) : rc;
}

static int run_stats(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    struct counting c = {.cli = cli, .as_json = cli_wants(cli, "json")};
    int rc = bugs_open(cli, &catalog, err);
    if (rc == 0)
        rc = count_all(&c, catalog, err);
    if (rc == 0)
        print_stats(&c);
    for (size_t i = 0; i < STORE_FACETS; i++)
        lw_vec_release(cli->ctx.mem, &c.facets[i]);
    lw_vec_release(cli->ctx.mem, &c.versions);
    lw_vec_release(cli->ctx.mem, &c.evidence);
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
