/* Rules about data that a program writes back into its source. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- data sets that are changed by reading ------------------------------------------------
 */

/* x[i], x[a:b]: the same memory. */
static bool is_view_index(struct lw_value index)
{
    if (index.kind == LW_V_TUPLE) {
        for (uint32_t i = 0; i < index.seq.n; i++)
            if (index.seq.items[i].kind != LW_V_SLICE && index.seq.items[i].kind != LW_V_INT)
                return false;
        return index.seq.n > 0;
    }
    return index.kind == LW_V_SLICE || index.kind == LW_V_INT;
}

static bool is_field_of(const struct ck_object *o, struct lw_value v)
{
    for (const struct ck_slot *s = o->fields.first; s; s = s->next)
        if (s->value.kind == LW_V_TENSOR && s->value.tensor->id &&
            s->value.tensor->id == v.tensor->id)
            return true;
    return false;
}

/* Is what the statement changes used like an array elsewhere in the function? */
static bool is_array_name(struct ck *c, const struct lw_tree *t, uint32_t function,
                          uint32_t node)
{
    if (lw_tree_kind(t, node) != LW_NODE_AUG_ASSIGN)
        return lw_tree_kind(t, node) == LW_NODE_SUBSCRIPT;
    struct lw_str name = lw_tree_text(t, lw_tree_get(t, node, LW_ROLE_TARGET));
    struct lw_str whole = lw_tree_text(t, function);
    return lw_str_find(whole, ck_text(c, "from_numpy(%.*s", LW_F(name))) != LW_NPOS ||
           lw_str_find(whole, ck_text(c, " %.*s[", LW_F(name))) != LW_NPOS ||
           lw_str_find(whole, ck_text(c, "%.*s.shape", LW_F(name))) != LW_NPOS ||
           lw_str_find(whole, ck_text(c, "%.*s.transpose", LW_F(name))) != LW_NPOS;
}

/* Is `v` a part of an array that self keeps, and this the method that hands out items? */
static bool is_row_of_self(struct ck *c, struct lw_value v, uint32_t node)
{
    const struct ck_frame *f = c->frame;
    const struct ck_object *self = ck_as(f->self, CK_INSTANCE);
    const struct ck_origin *o = ck_origin_of(c, v);
    if (!self || !f->function || !text_is(text_tail(f->function->name), "__getitem__") || !o ||
        !text_is(o->op, "[]") || o->in[0].kind != LW_V_TENSOR || !is_view_index(o->in[1]) ||
        !is_field_of(self, o->in[0]))
        return false;
    /* A number taken from a numpy array is a copy. */
    if (v.tensor->framework == LW_TORCH || lw_shape_has_rank(&v.tensor->shape))
        return v.tensor->framework == LW_TORCH || v.tensor->shape.n > 0;
    return is_array_name(c, &f->file->tree, f->function->node, node);
}

static void report_written(struct ck *c, struct lw_value v, uint32_t node)
{
    ck_find(c, node, "data/written-back", &v, 1,
            "this changes the item stored in the dataset, not a copy, so the next epoch reads "
            "the changed item: copy it first, or compute a new value");
}

/* row = self.rows[index]; row -= mean; from_numpy(row), of arrays that are not known. */
static bool is_unknown_row(struct ck *c, uint32_t node)
{
    const struct ck_frame *f = c->frame;
    const struct lw_tree *t = &f->file->tree;
    if (!f->function || !text_is(text_tail(f->function->name), "__getitem__") ||
        lw_tree_kind(t, node) != LW_NODE_AUG_ASSIGN)
        return false;
    uint32_t top = f->function->node;
    struct lw_str name = lw_tree_text(t, lw_tree_get(t, node, LW_ROLE_TARGET));
    if (lw_str_find(lw_tree_text(t, top), ck_text(c, "from_numpy(%.*s", LW_F(name))) == LW_NPOS)
        return false;
    bool taken = false; /* by the last assignment before */
    for (uint32_t n = lw_tree_next(t, top, top, false);
         n != LW_NO_NODE && lw_tree_start(t, n) < lw_tree_start(t, node);
         n = lw_tree_next(t, top, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN ||
            !lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name))
            continue;
        uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
        taken = lw_tree_kind(t, value) == LW_NODE_SUBSCRIPT &&
                lw_tree_kind(t, lw_tree_get(t, value, LW_ROLE_SLICE)) == LW_NODE_NAME &&
                lw_str_has_prefix(lw_tree_text(t, value), LW_S("self."));
    }
    return taken;
}

static void watch_row_change(struct ck *c, const struct ck_event *e)
{
    if (e->a.kind == LW_V_TENSOR ? is_row_of_self(c, e->a, e->node)
                                 : e->a.kind == LW_V_UNKNOWN && is_unknown_row(c, e->node))
        report_written(c, e->a, e->node);
}

/* row.mul_(…) */
static void watch_row_method(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->call->self.kind != LW_V_TENSOR || e->node == LW_NO_NODE ||
        syntax_owner(t, e->node) == LW_NO_NODE)
        return;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, e->node, LW_ROLE_FUNC));
    if (name.n > 1 && name.p[name.n - 1] == '_' && name.p[0] != '_' &&
        !text_is(name, "requires_grad_") && is_row_of_self(c, e->call->self, e->node))
        report_written(c, e->call->self, e->node);
}

const struct ck_rule rules_data_written_back[] = {
    {"data/written-back", CK_EV_AUGMENTED | CK_EV_STORE, watch_row_change},
    {"data/written-back", CK_EV_CALL, watch_row_method},
    {0},
};
