#include "triage/origin.h"

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "triage/sentences.h"
#include "triage/table.h"

enum { SUSPECT, STRENGTH, PHRASE, COLUMNS };
enum { SENTENCES_MAX = 60, SENTENCE_MAX = 400, ERRORS_MAX = 3 };

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
    struct lw_str own;     /* name of the project's repository; may be empty */
    struct lw_str package; /* that it is, if it is one of the tables' */
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

static struct lw_str known_package(const lw_origin_tables *t, struct lw_str name)
{
    const struct lw_map_entry *e = lw_map_find(&t->packages, name);
    return e ? t->package[e->value] : (struct lw_str){0};
}

/* The package of that name, unless it is the project itself; empty: none. */
static struct lw_str other_package(const struct looking *l, struct lw_str name)
{
    struct lw_str package = known_package(l->tables, name);
    bool own = package.n && (lw_str_eq(package, l->package) || lw_str_eq(name, l->own));
    return own ? (struct lw_str){0} : package;
}

/* A library that the sentence names and that is not the project itself; empty: none. */
static struct lw_str find_library(const struct looking *l, struct lw_str sentence)
{
    char low[64];
    struct lw_str rest = sentence, name;
    while (rest.n > 0 && next_name(&rest, low, sizeof low, &name)) {
        struct lw_str package = other_package(l, name);
        if (package.n)
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
        if (lw_str_eq(row[STRENGTH], LW_S("error")) ||
            lw_str_find(lw_str_n(low, sentence.n), row[PHRASE]) < 0)
            continue;
        if (lw_str_eq(row[STRENGTH], LW_S("weak")) && lw_find_phrase(sentence, row[PHRASE]) < 0)
            continue;
        if (speaks_against(l, row, sentence, title, out))
            return true;
    }
    return false;
}

/* ---- A version in the title ---------------------------------------------------------------
 */

/* "2.2.0rc1", "v1.4", "4" */
static bool is_version(struct lw_str s)
{
    size_t i = s.n > 1 && s.p[0] == 'v';
    if (i == s.n || !is_number(s.p[i]))
        return false;
    for (; i < s.n; i++)
        if (s.p[i] == '/' || s.p[i] == '_' || s.p[i] == '-')
            return false;
    return true;
}

/* Takes the version off "tf-2.2" or "python3.6"; empty where there is none. */
static struct lw_str cut_version(struct lw_str *name)
{
    size_t i = 0;
    while (i < name->n && !is_number(name->p[i]))
        i++;
    struct lw_str version = lw_str_from(*name, i);
    name->n = i > 0 && name->p[i - 1] == '-' ? i - 1 : i;
    return is_version(version) ? version : (struct lw_str){0};
}

static bool blame_version(const struct looking *l, struct lw_str name, struct lw_str title,
                          struct lw_origin *out)
{
    bool python = lw_str_eq(name, LW_S("python")) || lw_str_eq(name, LW_S("py"));
    struct lw_str package = python ? LW_S("python") : other_package(l, name);
    if (!package.n)
        return false;
    *out = (struct lw_origin){.extrinsic = true,
                              .suspect = python ? LW_S("environment") : LW_S("third-party"),
                              .name = package,
                              .version = lw_stated_version(l->report, package),
                              .evidence = title};
    return true;
}

/* The title of a project's issue names a version of another library: "fails with tqdm 4.36". */
static bool read_title_version(const struct looking *l, struct lw_str title,
                               struct lw_origin *out)
{
    char low[2][64];
    struct lw_str rest = title, name, before = {0};
    const char *end = rest.p;
    for (unsigned i = 0; rest.n > 0 && next_name(&rest, low[i % 2], 64, &name); i++) {
        bool device = rest.p > end && *end == ':'; /* "cuda:0" */
        end = rest.p;
        if (before.n && !device && is_version(name) && blame_version(l, before, title, out))
            return true;
        before = name;
        if (known_package(l->tables, name).n == 0 && cut_version(&name).n > 0 &&
            blame_version(l, name, title, out))
            return true;
    }
    return false;
}

/* ---- Errors -------------------------------------------------------------------------------
 */

/* What stands in quotes behind `words`; empty: nothing. */
static struct lw_str quoted_behind(struct lw_str text, struct lw_str words)
{
    ptrdiff_t at = lw_str_find(text, words);
    if (at < 0)
        return (struct lw_str){0};
    struct lw_str rest = lw_str_from(text, (size_t)at + words.n);
    if (rest.n == 0 || (rest.p[0] != '\'' && rest.p[0] != '"'))
        return (struct lw_str){0};
    ptrdiff_t end = lw_str_find_char(lw_str_from(rest, 1), rest.p[0]);
    return end < 0 ? (struct lw_str){0} : lw_str_part(rest, 1, (size_t)end);
}

/* The module that lacks a name: "module 'a.b' has no attribute", "cannot import name 'c' from
 * 'a.b'", "No module named 'a.b'" (a module of a package that is there). */
static struct lw_str lacking_module(struct lw_str message)
{
    struct lw_str module = {0};
    if (lw_str_find(message, LW_S("has no attribute")) >= 0)
        module = quoted_behind(message, LW_S("module "));
    else if (lw_str_find(message, LW_S("cannot import name")) >= 0)
        module = quoted_behind(message, LW_S(" from "));
    else
        module = quoted_behind(message, LW_S("No module named "));
    bool submodule = lw_str_find_char(module, '.') >= 0;
    return submodule || lw_str_find(message, LW_S("No module named")) < 0 ? module
                                                                          : (struct lw_str){0};
}

/* A library of which a module or name is gone: it was right until the library changed. */
static bool blame_lack(const struct looking *l, struct lw_str message, struct lw_origin *out)
{
    struct lw_str module = lacking_module(message), top;
    if (!lw_str_split(&module, '.', &top) || !(top = other_package(l, top)).n)
        return false;
    *out = (struct lw_origin){.extrinsic = true,
                              .suspect = LW_S("third-party"),
                              .name = top,
                              .version = lw_stated_version(l->report, top),
                              .evidence = message};
    return true;
}

static bool blame_message(const struct looking *l, struct lw_str message, struct lw_origin *out)
{
    const struct triage_table *p = &l->tables->phrases;
    message = lw_str_part(message, 0, SENTENCE_MAX);
    for (size_t i = 0; i < p->n; i++) {
        const struct lw_str *row = triage_table_row(p, i);
        if (!lw_str_eq(row[STRENGTH], LW_S("error")) ||
            lw_find_nocase(message, row[PHRASE]) < 0)
            continue;
        *out = (struct lw_origin){.extrinsic = true,
                                  .suspect = row[SUSPECT],
                                  .name = row[PHRASE],
                                  .evidence = message};
        return true;
    }
    return l->own.n > 0 && blame_lack(l, message, out);
}

/* The last exceptions of the report: those before are often handled. */
static bool read_errors(const struct looking *l, struct lw_origin *out)
{
    const lw_report *r = l->report;
    size_t n = lw_report_count(r, LW_FACT_EXCEPTION), i = 0;
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_EXCEPTION, f)); i++)
        if (i + ERRORS_MAX >= n && blame_message(l, lw_fact_value(f), out))
            return true;
    return false;
}

/* ---- All of it ----------------------------------------------------------------------------
 */

/* The project that the file names, else the repository that links of the report point to most
 * plainly: the first with a file in it. */
static struct lw_str own_repository(const lw_report *r)
{
    struct lw_str own = lw_report_project(r), owner;
    for (const struct lw_fact *f = NULL;
         own.n == 0 && (f = lw_report_next(r, LW_FACT_LINK, f));)
        if (f->link.repo.n > 0 && f->link.path.n > 0) {
            own = f->link.repo;
            lw_str_split(&own, '/', &owner);
        }
    return own;
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
    struct lw_str sentence, title = lw_report_summary(r), own = own_repository(r);
    struct looking l = {t, r, own, known_package(t, own)};
    *out = (struct lw_origin){0};
    if (read_sentence(&l, title, true, out) ||
        (own.n > 0 && read_title_version(&l, lw_str_part(title, 0, SENTENCE_MAX), out)))
        return;
    for (int i = 0; i < SENTENCES_MAX && lw_sentence_next(&prose, &sentence); i++)
        if (read_sentence(&l, sentence, false, out))
            return;
    if (!read_errors(&l, out))
        blame_conflict(out, r, versions);
}
