#include "triage/versions.h"

#include "base/err.h"
#include "base/str.h"
#include "base/version.h"
#include "triage/symbols.h"
#include "triage/table.h"

/* Packages that count as frameworks, the most telling first. */
static const char *const frameworks[] = {"tensorflow", "torch",       "keras",   "lightning",
                                         "mxnet",      "jax",         "chainer", "theano",
                                         "caffe",      "transformers"};
enum { KNOWN = sizeof frameworks / sizeof *frameworks };

struct lw_version_tables {
    struct lw_arena arena;
    struct triage_table needs;     /* package, versions, with, needs, source */
    struct triage_table spellings; /* spelling, framework, versions, note */
};

int lw_version_tables_new(lw_version_tables **out, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    struct lw_version_tables *t = lw_arena_alloc(&arena, sizeof *t);
    *out = t;
    if (!t)
        return lw_err_nomem(err);
    t->arena = arena;
    int rc =
        triage_table_load(&t->needs, &t->arena, LW_S("data/triage/compatibility.csv"), 5, err);
    if (rc == 0)
        rc = triage_table_load(&t->spellings, &t->arena, LW_S("data/triage/spellings.csv"), 4,
                               err);
    return rc;
}

void lw_version_tables_free(lw_version_tables *t)
{
    if (!t)
        return;
    struct lw_arena arena = t->arena; /* the tables lie in it */
    lw_arena_release(&arena);
}

/* An environment has a few hundred packages; what is repeated behind them is not looked at. */
enum { STATED_MAX = 2000 };

struct lw_str lw_stated_version(const lw_report *r, struct lw_str package)
{
    size_t i = 0;
    for (const struct lw_fact *f = NULL;
         i++ < STATED_MAX && (f = lw_report_next(r, LW_FACT_VERSION, f));)
        if (lw_str_eq(lw_fact_name(f), package))
            return lw_fact_value(f);
    return (struct lw_str){0};
}

/* ---- Frameworks ---------------------------------------------------------------------------
 */

static struct lw_framework *find(struct lw_stated_versions *v, struct lw_str name)
{
    for (size_t i = 0; i < v->framework_count; i++)
        if (lw_str_eq(v->framework[i].name, name))
            return &v->framework[i];
    return NULL;
}

static void put(struct lw_stated_versions *v, struct lw_str name, struct lw_str version,
                struct lw_str inferred)
{
    struct lw_framework *f = find(v, name);
    if (!f && v->framework_count < LW_FRAMEWORKS_MAX) {
        f = &v->framework[v->framework_count++];
        *f = (struct lw_framework){.name = name};
    }
    if (f && f->version.n == 0) {
        f->version = version;
        f->inferred = inferred;
    }
}

/* Whether any fact of the kind has the name. */
static bool names(const lw_report *r, enum lw_fact_kind kind, struct lw_str name)
{
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, kind, f));)
        if (lw_str_eq(lw_fact_name(f), name))
            return true;
    return false;
}

static void read_stated(struct lw_stated_versions *v, const lw_report *r)
{
    for (size_t i = 0; i < KNOWN; i++) {
        struct lw_str name = lw_str(frameworks[i]), version = lw_stated_version(r, name);
        if (version.n > 0 || names(r, LW_FACT_IMPORT, name) || names(r, LW_FACT_LIBRARY, name))
            put(v, name, version, (struct lw_str){0});
    }
}

/* The spelling of a name or a dotted name; a module's spelling stands for all in it. */
static bool is_spelt(struct lw_str text, struct lw_str spelling)
{
    return lw_str_eq(text, spelling) ||
           (lw_str_has_prefix(text, spelling) && text.n > spelling.n &&
            text.p[spelling.n] == '.' && lw_str_find_char(spelling, '.') >= 0);
}

static void look_up(struct lw_stated_versions *v, const lw_version_tables *t,
                    struct lw_str text)
{
    for (size_t i = 0; i < t->spellings.n; i++) {
        const struct lw_str *row = triage_table_row(&t->spellings, i);
        struct lw_framework *f = find(v, row[1]);
        if (is_spelt(text, row[0]) && (!f || f->version.n == 0))
            put(v, row[1], row[2], text);
    }
    if (triage_is_tensorflow_1(text))
        put(v, LW_S("tensorflow"), LW_S("<2"), text);
}

static bool is_dotted(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '.';
}

/* Looks up every name and dotted name of a text. */
static void read_names(struct lw_stated_versions *v, const lw_version_tables *t,
                       struct lw_str text)
{
    for (size_t i = 0; i < text.n;) {
        size_t start = i;
        while (i < text.n && is_dotted(text.p[i]))
            i++;
        if (i > start + 2)
            look_up(v, t, lw_str_n(text.p + start, i - start));
        i += i == start;
    }
}

static void read_spellings(struct lw_stated_versions *v, const lw_version_tables *t,
                           const lw_report *r)
{
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_MODULE, f));)
        look_up(v, t, f->text);
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_NAME, f));)
        look_up(v, t, f->text);
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_CODE, f));)
        read_names(v, t, f->text);
}

/* ---- Conflicts ----------------------------------------------------------------------------
 */

static void check(struct lw_stated_versions *v, const struct lw_str *row, const lw_report *r)
{
    struct lw_str version = lw_stated_version(r, row[0]), with = lw_stated_version(r, row[2]);
    if (version.n == 0 || with.n == 0 || v->conflict_count == LW_CONFLICTS_MAX)
        return;
    if (lw_version_meets(version, row[1]) && !lw_version_meets(with, row[3]))
        v->conflict[v->conflict_count++] =
            (struct lw_conflict){row[0], version, row[2], with, row[3], row[4]};
}

void lw_versions_read(struct lw_stated_versions *out, const lw_version_tables *t,
                      const lw_report *r)
{
    *out = (struct lw_stated_versions){0};
    read_stated(out, r);
    read_spellings(out, t, r);
    for (size_t i = 0; i < t->needs.n; i++)
        check(out, triage_table_row(&t->needs, i), r);
}
