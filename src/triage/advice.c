#include "triage/advice.h"

#include <stdlib.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "numeric/assoc.h"

enum { KINDS = LW_ADVICE_SUB_FAULT + 1, TYPES_MAX = 16 };

static const char *const kind_names[] = {"information", "action", "sub-fault"};

struct book {
    struct lw_advice type[TYPES_MAX];
    size_t count;
    struct lw_advice pooled;
};

struct lw_advice_table {
    struct lw_mem *mem;
    struct lw_arena arena;
    struct book book[KINDS];
};

/* The transactions of one kind while they are being read. Items are numbered as they come; a
 * type is an item as well, marked in `is_type`. */
struct reading {
    struct lw_mem *mem;
    struct lw_arena *arena;
    struct lw_map names;
    LW_VEC(bool) is_type;
    LW_VEC(size_t) start;
    LW_VEC(uint32_t) item;
};

static int add_name(struct reading *r, struct lw_str name, bool is_type, uint32_t *number)
{
    /* A type and an item may have the same name ("model"). */
    struct lw_str key = lw_arena_printf(r->arena, "%c%.*s", is_type ? '>' : ' ', LW_F(name));
    bool is_new;
    struct lw_map_entry *e = key.p ? lw_map_put(&r->names, key, &is_new) : NULL;
    if (!e)
        return LW_ENOMEM;
    if (is_new) {
        e->value = r->is_type.n;
        if (lw_vec_push(r->mem, &r->is_type, is_type) < 0)
            return LW_ENOMEM;
    }
    *number = (uint32_t)e->value;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int add_transaction(struct reading *r, struct lw_str type, struct lw_str items)
{
    size_t first = r->item.n;
    struct lw_str one;
    uint32_t number;
    if (lw_vec_push(r->mem, &r->start, first) < 0 || add_name(r, type, true, &number) < 0 ||
        lw_vec_push(r->mem, &r->item, number) < 0)
        return LW_ENOMEM;
    while (lw_str_split(&items, ';', &one))
        if (one.n > 0 &&
            (add_name(r, one, false, &number) < 0 || lw_vec_push(r->mem, &r->item, number) < 0))
            return LW_ENOMEM;
    qsort(r->item.v + first, r->item.n - first, sizeof *r->item.v, by_number);
    return 0;
}

/* The study's tables come out when a GitHub bug without any edit action is left out. */
static bool is_counted(enum lw_advice_kind kind, struct lw_str source, struct lw_str items)
{
    return kind != LW_ADVICE_ACTION || items.n > 0 || !lw_str_eq(source, LW_S("github"));
}

static int read_kind(struct reading *r, enum lw_advice_kind kind, struct lw_err *err)
{
    const struct lw_str name = LW_S("data/triage/transactions.csv");
    struct lw_str text = {0};
    struct lw_csv csv;
    lw_embedded_find(name, &text);
    int rc = lw_csv_open_text(&csv, r->mem, name, ',', text, err);
    while (rc == 0 && (rc = lw_csv_next(&csv, err)) > 0) {
        const struct lw_str *f = csv.fields.v;
        if (csv.fields.n != 4)
            rc = lw_err_set(err, LW_EBUG, "transactions.csv needs four columns");
        else if (lw_str_eq(f[0], lw_str(kind_names[kind])) && is_counted(kind, f[1], f[3]))
            rc = add_transaction(r, f[2], f[3]) < 0 ? lw_err_nomem(err) : 0;
        else
            rc = 0;
    }
    lw_csv_close(&csv);
    if (rc == 0 && lw_vec_push(r->mem, &r->start, r->item.n) < 0)
        rc = lw_err_nomem(err);
    return rc;
}

static struct lw_str item_name(const struct reading *r, uint32_t item)
{
    return lw_str_from(r->names.entries[item].key, 1);
}

/* ---- Rules --------------------------------------------------------------------------------
 */

/* Confidence falling; equal ones by how often the item occurs with any type. */
struct ranked {
    struct lw_advice_rule rule;
    uint32_t overall;
};

static int by_confidence(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->rule.confidence != y->rule.confidence)
        return x->rule.confidence < y->rule.confidence ? 1 : -1;
    if (x->overall != y->overall)
        return x->overall < y->overall ? 1 : -1;
    return lw_str_cmp(x->rule.item, y->rule.item);
}

static struct ranked rank(const struct reading *r, const struct lw_itemsets *sets,
                          uint32_t item, uint32_t count, uint32_t n)
{
    double all = (double)(r->start.n - 1);
    double confidence = n ? (double)count / n : 0;
    return (struct ranked){{.item = item_name(r, item),
                            .count = count,
                            .n = n,
                            .support = (double)count / all,
                            .confidence = confidence,
                            .weak = confidence < LW_ADVICE_WEAK},
                           lw_itemsets_count(sets, &item, 1)};
}

static int keep(struct lw_advice *out, struct reading *r, struct ranked *ranked, size_t n)
{
    struct lw_advice_rule *rules = lw_arena_array(r->arena, n + 1, sizeof *rules);
    if (!rules)
        return LW_ENOMEM;
    qsort(ranked, n, sizeof *ranked, by_confidence);
    for (size_t i = 0; i < n; i++)
        rules[i] = ranked[i].rule;
    out->rules = rules;
    out->count = n;
    return 0;
}

/* The rules with `type` on the left-hand side. */
static int type_rules(struct lw_advice *out, struct reading *r, const struct lw_itemsets *sets,
                      const lw_rule_vec *mined, uint32_t type)
{
    struct ranked *ranked = lw_arena_array(r->arena, r->names.n + 1, sizeof *ranked);
    size_t n = 0;
    if (!ranked)
        return LW_ENOMEM;
    *out =
        (struct lw_advice){.type = item_name(r, type), .n = lw_itemsets_count(sets, &type, 1)};
    for (size_t i = 0; i < mined->n; i++) {
        const struct lw_rule *m = &mined->v[i];
        const struct lw_itemset *set = &sets->set.v[m->set];
        const uint32_t *item = sets->item.v + set->at;
        if (set->n == 2 && (item[0] == type || item[1] == type))
            ranked[n++] = rank(r, sets, m->right, m->count, m->left_count);
    }
    return keep(out, r, ranked, n);
}

/* How often each item occurs at all. */
static int pooled_rules(struct lw_advice *out, struct reading *r,
                        const struct lw_itemsets *sets)
{
    struct ranked *ranked = lw_arena_array(r->arena, r->names.n + 1, sizeof *ranked);
    size_t n = 0;
    uint32_t all = (uint32_t)(r->start.n - 1);
    if (!ranked)
        return LW_ENOMEM;
    *out = (struct lw_advice){.pooled = true, .n = all};
    for (uint32_t i = 0; i < r->is_type.n; i++)
        if (!r->is_type.v[i])
            ranked[n++] = rank(r, sets, i, lw_itemsets_count(sets, &i, 1), all);
    return keep(out, r, ranked, n);
}

static int fill_book(struct book *book, struct reading *r, const struct lw_itemsets *sets,
                     const lw_rule_vec *mined)
{
    int rc = pooled_rules(&book->pooled, r, sets);
    for (uint32_t i = 0; i < r->is_type.n && rc == 0; i++)
        if (r->is_type.v[i] && book->count < TYPES_MAX)
            rc = type_rules(&book->type[book->count++], r, sets, mined, i);
    return rc;
}

static int mine(struct book *book, struct reading *r, struct lw_err *err)
{
    struct lw_transactions t = {
        .n = r->start.n - 1, .items = r->is_type.n, .start = r->start.v, .item = r->item.v};
    const struct lw_assoc_options options = {.min_support = 0.5 / (double)(t.n + 1),
                                             .max_length = 2};
    struct lw_itemsets sets = {0};
    lw_rule_vec mined = {0};
    int rc = lw_apriori(&sets, r->mem, &t, &options, err);
    if (rc == 0)
        rc = lw_rules(&mined, &sets, &t, 0, r->is_type.v, err);
    if (rc == 0 && fill_book(book, r, &sets, &mined) < 0)
        rc = lw_err_nomem(err);
    lw_vec_release(r->mem, &mined);
    lw_itemsets_release(&sets);
    return rc;
}

static int load_book(struct lw_advice_table *t, enum lw_advice_kind kind, struct lw_err *err)
{
    struct reading r = {.mem = t->mem, .arena = &t->arena};
    lw_map_init(&r.names, t->mem);
    int rc = read_kind(&r, kind, err);
    if (rc == 0)
        rc = mine(&t->book[kind], &r, err);
    lw_vec_release(r.mem, &r.is_type);
    lw_vec_release(r.mem, &r.start);
    lw_vec_release(r.mem, &r.item);
    lw_map_release(&r.names);
    return rc;
}

int lw_advice_new(lw_advice_table **out, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_arena arena;
    *out = NULL;
    lw_arena_init(&arena, mem, 0);
    struct lw_advice_table *t = lw_arena_alloc(&arena, sizeof *t);
    if (!t)
        return lw_err_nomem(err);
    t->mem = mem;
    t->arena = arena;
    int rc = 0;
    for (int kind = 0; kind < KINDS && rc == 0; kind++)
        rc = load_book(t, (enum lw_advice_kind)kind, err);
    if (rc < 0) {
        lw_advice_free(t);
        return rc;
    }
    *out = t;
    return 0;
}

void lw_advice_free(lw_advice_table *t)
{
    if (!t)
        return;
    struct lw_arena arena = t->arena; /* the table itself lies in it */
    lw_arena_release(&arena);
}

const struct lw_advice *lw_advice_find(const lw_advice_table *t, enum lw_advice_kind kind,
                                       struct lw_str type)
{
    const struct book *book = &t->book[kind];
    for (size_t i = 0; i < book->count; i++)
        if (lw_str_eq(book->type[i].type, type) &&
            (kind == LW_ADVICE_SUB_FAULT || book->type[i].n >= LW_ADVICE_LEAST))
            return &book->type[i];
    return kind == LW_ADVICE_SUB_FAULT ? NULL : &book->pooled;
}
