/* bugs similar: bugs with the same root cause and kind of fix. */
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "base/table.h"
#include "catalog/group.h"
#include "cli/bugs.h"

static const struct cli_option options[] = {
    {"mirror", 0, "DIR", NULL,
     "folder with clones of the bugs' repositories, to compare these too"},
    {"limit", 0, "N", NULL, "at most N bugs (default: 10)"},
    {NULL, 0, NULL, NULL, NULL},
};

struct neighbour {
    size_t at;
    double alike;
    bool group, stated;
};

struct looking {
    struct cli *cli;
    struct lw_fixes fixes;
    size_t me;
    struct neighbour *all;
};

/* The bugs its source states as similar. */
static int note_stated(void *data, struct lw_str id, uint64_t count)
{
    (void)count;
    struct looking *l = data;
    ptrdiff_t at = lw_fixes_find(&l->fixes, id);
    if (at >= 0)
        l->all[at].stated = true;
    return 0;
}

/* Groups first, then what is most alike, then by id. */
static int nearest_first(const void *a, const void *b)
{
    const struct neighbour *x = a, *y = b;
    bool near_x = x->group || x->stated, near_y = y->group || y->stated;
    if (near_x != near_y)
        return near_x ? -1 : 1;
    if (x->alike != y->alike)
        return x->alike < y->alike ? 1 : -1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static int compare(struct looking *l, lw_catalog *catalog, struct lw_err *err)
{
    struct store *store = catalog->store;
    size_t n = l->fixes.v.n;
    l->all = lw_arena_array(&l->cli->arena, n + 1, sizeof *l->all);
    if (!l->all)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++)
        l->all[i] = (struct neighbour){i, i == l->me ? 0 : lw_fixes_alike(&l->fixes, l->me, i),
                                       lw_fixes_same_group(&l->fixes, l->me, i), false};
    int rc = store->ops->similar(store, l->fixes.v.v[l->me].id, note_stated, l, err);
    if (rc == 0 && n)
        qsort(l->all, n, sizeof *l->all, nearest_first);
    return rc;
}

static bool is_near(const struct neighbour *x)
{
    return x->group || x->stated || x->alike > 0;
}

static void print_json(struct looking *l, uint64_t limit)
{
    struct lw_jsonw w;
    lw_jsonw_init(&w, &l->cli->out, false);
    lw_json_array(&w);
    for (size_t i = 0; i < l->fixes.v.n && i < limit && is_near(&l->all[i]); i++) {
        const struct lw_fix *f = &l->fixes.v.v[l->all[i].at];
        lw_json_object(&w);
        lw_json_key_text(&w, "id", f->id);
        lw_json_key_text(&w, "title", f->title);
        lw_json_key_text_or_null(&w, "leaf", f->leaf);
        lw_json_key_double(&w, "similarity", l->all[i].alike);
        lw_json_key_bool(&w, "same_group", l->all[i].group || l->all[i].stated);
        lw_json_key_bool(&w, "by_fix", l->all[i].group);
        lw_json_key_bool(&w, "stated", l->all[i].stated);
        lw_json_end(&w);
    }
    lw_json_end(&w);
}

static int print_text(struct looking *l, uint64_t limit, struct lw_err *err)
{
    static const struct lw_table_column columns[] = {{"id", false, false},
                                                     {"fix", true, false},
                                                     {"group", false, false},
                                                     {"leaf", false, true},
                                                     {"title", false, true}};
    struct lw_table table;
    size_t n = 0;
    lw_table_init(&table, l->cli->ctx.mem, columns, 5);
    for (; n < l->fixes.v.n && n < limit && is_near(&l->all[n]); n++) {
        const struct neighbour *x = &l->all[n];
        const struct lw_fix *f = &l->fixes.v.v[x->at];
        lw_table_cell_coloured(&table, f->id, LW_BOLD);
        lw_table_cellf(&table, "%.2f", x->alike);
        lw_table_cell(&table, x->group || x->stated ? LW_S("same") : LW_S(""));
        lw_table_cell(&table, f->leaf);
        lw_table_cell(&table, f->title);
    }
    int rc = n ? lw_table_print(&table, &l->cli->out, &l->cli->term, err) : 0;
    if (n == 0)
        lw_log(&l->cli->ctx.log, LW_LOG_INFO, "no bug in the catalogue has a similar fix");
    lw_table_release(&table);
    return rc;
}

static int look(struct looking *l, lw_catalog *catalog, struct lw_str id, struct lw_err *err)
{
    uint64_t limit;
    if (cli_number(l->cli, "limit", 10, 1, 100000, &limit, err) < 0)
        return err->code;
    ptrdiff_t at = lw_fixes_find(&l->fixes, id);
    if (at < 0)
        return lw_err_set(err, LW_EINVAL, "'%.*s' is retracted", LW_F(id));
    l->me = (size_t)at;
    int rc = compare(l, catalog, err);
    if (rc == 0 && cli_wants(l->cli, "json"))
        print_json(l, limit);
    else if (rc == 0)
        rc = print_text(l, limit, err);
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    const struct lw_bug *bug;
    struct looking l = {.cli = cli};
    int rc = bugs_find(cli, &catalog, &bug, NULL, err);
    if (rc == 0) {
        struct lw_str id = lw_arena_copy(&cli->arena, bug->id);
        rc = id.p ? lw_fixes_load(&l.fixes, catalog, cli_value(cli, "mirror"), err)
                  : lw_err_nomem(err);
        if (rc == 0)
            rc = look(&l, catalog, id, err);
        lw_fixes_release(&l.fixes);
    }
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example examples[] = {
    {"lacewing bugs similar pt-double-softmax", "bugs that are fixed in the same way"},
    {"lacewing bugs similar keras2672 --mirror ~/mirrors", "with the bugs in repositories"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_similar = {
    .name = "bugs similar",
    .usage = "ID",
    .summary = "bugs with the same root cause and kind of fix",
    .details =
        "Fixes are compared by the shape of their edits on the syntax tree (1 = the same "
        "edit). Two bugs are in one group when their category is the same and their fixes are "
        "similar enough, or when their source says so; the size of the group is the support "
        "level.",
    .options = options,
    .examples = examples,
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
