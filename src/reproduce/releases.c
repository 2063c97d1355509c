#include "reproduce/releases.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/version.h"
#include "source/names.h"
#include "triage/table.h"
#include "triage/versions.h"

enum { COLUMN_PACKAGE, COLUMN_VERSION, COLUMN_DATE, COLUMN_PYTHON, COLUMN_NUMPY, COLUMNS };

enum { PACKAGES_MAX = 24 };

struct tables {
    struct triage_table releases;
    struct triage_table modules; /* data/python_modules.csv: module, …, package of pip */
};

/* The package that has the top-level module; empty: part of Python, or not known. */
static struct lw_str package_of(const struct tables *t, struct lw_str module)
{
    for (size_t i = 0; i < t->modules.n; i++)
        if (lw_str_eq(triage_table_row(&t->modules, i)[0], module))
            return triage_table_row(&t->modules, i)[3];
    return LW_S("");
}

/* The release that a report of that date would have; `below` is a bound such as "<1.24". */
static const struct lw_str *release_for(const struct tables *t, struct lw_str package,
                                        struct lw_str date, struct lw_str below)
{
    const struct lw_str *best = NULL;
    for (size_t i = 0; i < t->releases.n; i++) {
        const struct lw_str *row = triage_table_row(&t->releases, i);
        bool early = date.n < 10 || lw_str_cmp(row[COLUMN_DATE], lw_str_part(date, 0, 10)) <= 0;
        if (lw_str_eq(row[COLUMN_PACKAGE], package) && early &&
            (below.n == 0 || lw_version_meets(row[COLUMN_VERSION], below)))
            best = row;
    }
    return best;
}

/* The row of a stated version, or of the one that its first two parts name. */
static const struct lw_str *release_of(const struct tables *t, struct lw_str package,
                                       struct lw_str version)
{
    ptrdiff_t dot = lw_str_find_char(version, '.');
    size_t n = dot < 0 ? version.n : (size_t)dot + 1;
    while (n < version.n && version.p[n] >= '0' && version.p[n] <= '9')
        n++;
    for (size_t i = 0; i < t->releases.n; i++) {
        const struct lw_str *row = triage_table_row(&t->releases, i);
        struct lw_str minor = lw_str_part(version, 0, n);
        if (lw_str_eq(row[COLUMN_PACKAGE], package) &&
            lw_str_has_prefix(row[COLUMN_VERSION], minor) &&
            (row[COLUMN_VERSION].n == minor.n || row[COLUMN_VERSION].p[minor.n] == '.'))
            return row;
    }
    return NULL;
}

/* "1.13.1" of "1.13.1+cpu"; empty when it is no plain version. */
static struct lw_str plain_version(struct lw_str v)
{
    size_t n = 0;
    while (n < v.n && ((v.p[n] >= '0' && v.p[n] <= '9') || v.p[n] == '.'))
        n++;
    while (n > 0 && v.p[n - 1] == '.')
        n--;
    return lw_str_part(v, 0, n);
}

/* A version is known to exist when it is in the table; of others only the minor one is kept. */
static void put_package(struct lw_buf *out, const struct tables *t, struct lw_str package,
                        const lw_report *report, struct lw_str below, struct lw_str *python,
                        struct lw_str *numpy)
{
    struct lw_str stated = plain_version(lw_stated_version(report, package));
    const struct lw_str *row =
        stated.n ? release_of(t, package, stated)
                 : release_for(t, package, lw_report_open_date(report), below);
    lw_buf_add(out, package);
    if (stated.n > 0)
        lw_buf_addf(out, "==%.*s", LW_F(stated));
    else if (row)
        lw_buf_addf(out, "==%.*s", LW_F(row[COLUMN_VERSION]));
    lw_buf_add_char(out, '\n');
    if (row && python->n == 0)
        *python = row[COLUMN_PYTHON];
    if (row && numpy->n == 0)
        *numpy = row[COLUMN_NUMPY];
}

static bool is_listed(const struct lw_str *v, size_t n, struct lw_str name)
{
    for (size_t i = 0; i < n; i++)
        if (lw_str_eq(v[i], name))
            return true;
    return false;
}

/* The packages that the program imports, the framework first. */
static int find_packages(const struct tables *t, struct lw_str program, struct lw_mem *mem,
                         struct lw_str *out, size_t *count, struct lw_err *err)
{
    struct lw_tree tree;
    lw_tree_init(&tree, mem);
    int rc = lw_tree_parse(&tree, program, err);
    for (uint32_t n = 0; rc == 0 && n < tree.nodes.n && *count < PACKAGES_MAX; n++) {
        enum lw_node_kind kind = lw_tree_kind(&tree, n);
        uint32_t first, end;
        struct lw_str module = {0};
        if (kind == LW_NODE_IMPORT_FROM && lw_tree_import_module(&tree, n, &first, &end) == 0 &&
            first < end)
            module = lw_tree_token_text(&tree, first);
        else if (kind == LW_NODE_ALIAS &&
                 lw_tree_kind(&tree, lw_tree_parent(&tree, n)) == LW_NODE_IMPORT)
            module = lw_tree_token_text(&tree, lw_tree_node(&tree, n)->first);
        struct lw_str package = package_of(t, module);
        if (package.n > 0 && !is_listed(out, *count, package))
            out[(*count)++] = package;
    }
    for (size_t i = 1; i < *count; i++)
        if (lw_str_eq(out[i], LW_S("torch")) || lw_str_eq(out[i], LW_S("tensorflow"))) {
            struct lw_str framework = out[i];
            out[i] = out[0];
            out[0] = framework;
        }
    lw_tree_release(&tree);
    return rc;
}

static int put_packages(struct lw_bug *bug, const struct tables *t,
                        const struct lw_str *packages, size_t count, const lw_report *report,
                        struct lw_arena *arena, struct lw_err *err)
{
    struct lw_buf out;
    struct lw_str python = plain_version(lw_stated_version(report, LW_S("python"))),
                  numpy = {0};
    lw_buf_init(&out, arena->mem, 1 << 16);
    for (size_t i = 0; i < count; i++) {
        bool is_numpy = lw_str_eq(packages[i], LW_S("numpy"));
        put_package(&out, t, packages[i], report, is_numpy ? numpy : LW_S(""), &python, &numpy);
    }
    bug->requirements = lw_arena_copy(arena, lw_buf_str(&out));
    bug->python_version = python.n ? lw_arena_printf(arena, "==%.*s", LW_F(python)) : LW_S("");
    int rc =
        out.failed || !bug->requirements.p || !bug->python_version.p ? lw_err_nomem(err) : 0;
    lw_buf_release(&out);
    return rc;
}

int rp_environment(struct lw_bug *bug, struct lw_str program, const lw_report *report,
                   struct lw_arena *arena, struct lw_err *err)
{
    struct tables t;
    struct lw_str packages[PACKAGES_MAX];
    size_t count = 0;
    int rc = triage_table_load(&t.releases, arena, LW_S("data/reproduce/releases.csv"), COLUMNS,
                               err);
    if (rc == 0)
        rc = triage_table_load(&t.modules, arena, LW_S("data/python_modules.csv"), 4, err);
    if (rc == 0)
        rc = find_packages(&t, program, arena->mem, packages, &count, err);
    return rc < 0 ? rc : put_packages(bug, &t, packages, count, report, arena, err);
}
