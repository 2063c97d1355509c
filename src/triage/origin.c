#include "triage/origin.h"

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "triage/sentences.h"
#include "triage/table.h"

enum { SUSPECT, STRENGTH, PHRASE, COLUMNS };
enum { SENTENCES_MAX = 60, SENTENCE_MAX = 400 };

struct lw_origin_tables {
    struct lw_arena arena;
    struct triage_table phrases;
    struct lw_map packages; /* name of a package or another name to the package's */
    struct lw_str *package; /* by value of the map */
};

static int load_packages(struct lw_origin_tables *t)
{
    struct lw_str text = {0}, line, name;
    size_t n = 0;
    lw_embedded_find(LW_S("data/triage/packages.txt"), &text);
    t->package = lw_arena_array(&t->arena, text.n + 1, sizeof *t->package);
    while (t->package && lw_str_line(&text, &line)) {
        if (line.n == 0 || line.p[0] == '#')
            continue;
        for (bool first = true; lw_str_split(&line, ' ', &name); first = false) {
            struct lw_map_entry *e = lw_map_put(&t->packages, name, NULL);
            if (!e)
                return LW_ENOMEM;
            if (first)
                t->package[n++] = name;
            e->value = n - 1;
        }
    }
    return t->package ? 0 : LW_ENOMEM;
}

int lw_origin_tables_new(lw_origin_tables **out, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    struct lw_origin_tables *t = lw_arena_alloc(&arena, sizeof *t);
    *out = t;
    if (!t)
        return lw_err_nomem(err);
    t->arena = arena;
    lw_map_init(&t->packages, mem);
    if (load_packages(t) < 0)
        return lw_err_nomem(err);
    return triage_table_load(&t->phrases, &t->arena, LW_S("data/triage/origin.csv"), COLUMNS,
                             err);
}

void lw_origin_tables_free(lw_origin_tables *t)
{
    if (!t)
        return;
    lw_map_release(&t->packages);
    struct lw_arena arena = t->arena; /* the tables lie in it */
    lw_arena_release(&arena);
}

/* ---- Sentences ----------------------------------------------------------------------------
 */

struct looking {
    const lw_origin_tables *tables;
    const lw_report *report;
    struct lw_str own; /* "owner/name" of the project's repository; may be empty */
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-' || c == '.' || c == '/';
}

/* The next word of a sentence as package names are spelt, in small letters in `low`. */
static bool next_name(struct lw_str *rest, char *low, size_t room, struct lw_str *name)
{
    size_t i = 0, n = 0;
    while (i < rest->n && !is_name(rest->p[i]))
        i++;
    for (; i < rest->n && is_name(rest->p[i]); i++)
        if (n < room)
            low[n++] = lower(rest->p[i]);
    while (n > 0 && (low[n - 1] == '.' || low[n - 1] == '/' || low[n - 1] == '-'))
        n--;
    *rest = lw_str_from(*rest, i);
    *name = lw_str_n(low, n);
    return n > 0 || rest->n > 0;
}

static bool is_number(char c)
{
    return c >= '0' && c <= '9';
}

static bool has_version(struct lw_str s)
{
    for (size_t i = 1; i + 1 < s.n; i++)
        if (s.p[i] == '.' && is_number(s.p[i - 1]) && is_number(s.p[i + 1]))
            return true;
    return false;
}

/* A library that the sentence names and that is not the project itself; empty: none. */
static struct lw_str find_library(const struct looking *l, struct lw_str sentence)
{
    char low[64];
    struct lw_str rest = sentence, name;
    while (rest.n > 0 && next_name(&rest, low, sizeof low, &name)) {
        const struct lw_map_entry *e = lw_map_find(&l->tables->packages, name);
        struct lw_str package = e ? l->tables->package[e->value] : (struct lw_str){0};
        if (e && (l->own.n == 0 || lw_find_nocase(l->own, package) < 0) &&
            (l->own.n == 0 || lw_find_nocase(l->own, name) < 0))
            return package;
    }
    return (struct lw_str){0};
}

/* "works on Linux but not on Windows": a system alone is where it happened, not why. */
static bool contrasts(struct lw_str sentence)
{
    static const char *const words[] = {"only",       "but not",     "works on",
                                        "works fine", "not on",      "whereas",
                                        "while on",   "on linux it", "unlike"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lw_find_phrase(sentence, lw_str(words[i])) >= 0)
            return true;
    return false;
}

static bool speaks_against(const struct looking *l, const struct lw_str *row,
                           struct lw_str sentence, bool title, struct lw_origin *out)
{
    bool third = lw_str_eq(row[SUSPECT], LW_S("third-party"));
    bool system = lw_str_eq(row[SUSPECT], LW_S("environment"));
    struct lw_str library = third ? find_library(l, sentence) : (struct lw_str){0};
    if ((third && library.n == 0) || (system && !title && !contrasts(sentence)))
        return false;
    if (lw_str_eq(row[STRENGTH], LW_S("weak")) && !has_version(sentence))
        return false;
    *out = (struct lw_origin){.extrinsic = true,
                              .suspect = row[SUSPECT],
                              .name = third ? library : row[PHRASE],
                              .evidence = sentence};
    if (third)
        out->version = lw_stated_version(l->report, library);
    return true;
}

static bool read_sentence(const struct looking *l, struct lw_str sentence, bool title,
                          struct lw_origin *out)
{
    const struct triage_table *p = &l->tables->phrases;
    char low[SENTENCE_MAX];
    sentence = lw_str_part(sentence, 0, SENTENCE_MAX);
    for (size_t i = 0; i < sentence.n; i++)
        low[i] = lower(sentence.p[i]);
    for (size_t i = 0; i < p->n; i++) {
        const struct lw_str *row = triage_table_row(p, i);
        if (lw_str_find(lw_str_n(low, sentence.n), row[PHRASE]) < 0)
            continue;
        if (lw_str_eq(row[STRENGTH], LW_S("weak")) && lw_find_phrase(sentence, row[PHRASE]) < 0)
            continue;
        if (speaks_against(l, row, sentence, title, out))
            return true;
    }
    return false;
}

/* The repository that links of the report point to most plainly: the first with a file in it.
 */
static struct lw_str own_repository(const lw_report *r)
{
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_LINK, f));)
        if (f->link.repo.n > 0 && f->link.path.n > 0)
            return f->link.repo;
    return (struct lw_str){0};
}

/* Versions that do not go together are a cause of their own where a library cannot be loaded.
 */
static void blame_conflict(struct lw_origin *out, const lw_report *r,
                           const struct lw_stated_versions *v)
{
    for (const struct lw_fact *f = NULL;
         v->conflict_count > 0 && (f = lw_report_next(r, LW_FACT_ERROR, f));)
        if (lw_str_eq(lw_fact_name(f), LW_S("library"))) {
            *out = (struct lw_origin){.extrinsic = true,
                                      .suspect = LW_S("environment"),
                                      .name = v->conflict[0].with,
                                      .version = v->conflict[0].found,
                                      .evidence = lw_fact_value(f)};
            return;
        }
}

void lw_origin_read(struct lw_origin *out, const lw_origin_tables *t, const lw_report *r,
                    struct lw_str prose, const struct lw_stated_versions *versions)
{
    struct looking l = {t, r, own_repository(r)};
    struct lw_str sentence;
    *out = (struct lw_origin){0};
    if (read_sentence(&l, lw_report_summary(r), true, out))
        return;
    for (int i = 0; i < SENTENCES_MAX && lw_sentence_next(&prose, &sentence); i++)
        if (read_sentence(&l, sentence, false, out))
            return;
    blame_conflict(out, r, versions);
}
