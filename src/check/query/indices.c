#include "check/query/indices.h"

#include "base/str.h"
#include "check/engine/lineage.h"
#include "check/engine/text.h"

static const char key;

/* Does anything on the way to the table count or add up from row to row? */
static bool visit_table(void *data, struct lw_value v, const struct ck_origin *o)
{
    static const char *const ordered[] = {"arange", "linspace", "logspace", "cumprod",
                                          "cumsum", "range",    "sort"};
    bool *drawn = data;
    if (v.kind == LW_V_TENSOR && v.tensor->variable == LW_TRI_YES)
        *drawn = true;
    if (!o)
        return true;
    struct lw_str name = text_tail(o->op);
    *drawn |= text_is(name, "randn") || text_is(name, "normal") || text_is(name, "rand");
    return !text_is_any(name, ordered, sizeof ordered / sizeof *ordered);
}

static bool is_noted(const struct indices *s, uint32_t id)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->ids[i] == id)
            return true;
    return false;
}

void indices_note(struct ck *c, struct lw_value table, struct lw_value index)
{
    struct indices *s = ck_state(c, &key, sizeof *s);
    const struct lw_tensor *t = ck_tensor_of(index);
    int64_t rows;
    if (!s || !t || !t->id || lw_set_within(t->dtype, LW_INTS) != LW_TRI_YES ||
        s->n == INDICES_MOST || !lineage_known_range(t) || table.kind != LW_V_TENSOR ||
        !lw_shape_has_rank(&table.tensor->shape) || !table.tensor->shape.n ||
        !lw_dim_is_int(c->dims, table.tensor->shape.d[0], &rows) ||
        lineage_top(t) + 1 != (double)rows || /* each number has its row */
        is_noted(s, t->id))
        return;
    bool drawn = false;
    s->unordered[s->n] = lineage_walk(c, table, visit_table, &drawn) && drawn;
    s->ids[s->n++] = t->id;
}

const struct indices *indices_of(struct ck *c)
{
    return ck_state(c, &key, sizeof(struct indices));
}
