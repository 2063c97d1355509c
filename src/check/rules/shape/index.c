/* Rules about axes and items that a tensor or a shape does not have, and what is stored there.
 */
#include "base/num.h"
#include "base/str.h"
#include "check/models/versions.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* np.array(self.rows) of a list that is empty: other methods fill it. */
static bool is_filled_elsewhere(struct ck *c, struct lw_value v)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    int64_t rows;
    if (!o || o->node == LW_NO_NODE || !lw_shape_has_rank(&v.tensor->shape) ||
        v.tensor->shape.n != 1 || !lw_dim_is_int(c->dims, v.tensor->shape.d[0], &rows) || rows)
        return false;
    const struct lw_tree *t = &o->file->tree;
    uint32_t list = lw_tree_kind(t, o->node) == LW_NODE_CALL
                        ? lw_tree_each(t, o->node, LW_ROLE_ARGS, LW_NO_NODE)
                        : LW_NO_NODE;
    return list != LW_NO_NODE && lw_tree_kind(t, list) == LW_NODE_ATTRIBUTE;
}

static void bad_index(struct ck *c, struct lw_value v, struct lw_str message, uint32_t node)
{
    const struct lw_tensor *t = v.tensor;
    bool scalar = t->framework == LW_TORCH && lw_shape_has_rank(&t->shape) && t->shape.n == 0;
    if (is_filled_elsewhere(c, v))
        return;
    if (!scalar) {
        /* What the place depends on may keep the index within bounds. */
        ck_find_as(c, node, LW_S("shape/index"),
                   ck_is_certain(c) ? LW_SEVERITY_ERROR : LW_SEVERITY_NOTE, &v, 1, message);
        return;
    }
    /* loss.data[0] was the way until PyTorch 0.4, and with it Variable(). */
    ck_find_as(c, node, LW_S("shape/index"),
               !ck_is_gone(c, LW_S("torch"), LW_S("0.5")) ? LW_SEVERITY_NOTE
               : ck_shows(c, "call Variable")             ? LW_SEVERITY_WARNING
                                                          : LW_SEVERITY_ERROR,
               &v, 1,
               LW_S("too many indices: since PyTorch 1.0 a 0-dimensional tensor cannot be "
                    "indexed; use item()"));
}

/* loss.data[0], loss[0] of a value without axes: loss.item() */
static void make_item(struct fix *f)
{
    const struct lw_tensor *x = fix_cause(f, 0);
    uint32_t value = fix_kind(f, f->node) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(f->t, f->node, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (!x || x->shape.n != 0 || x->framework != LW_TORCH || value == LW_NO_NODE ||
        !text_is(fix_text(f, lw_tree_get(f->t, f->node, LW_ROLE_SLICE)), "0"))
        return;
    if (fix_kind(f, value) == LW_NODE_ATTRIBUTE && text_is(fix_name(f, value), "data"))
        value = lw_tree_get(f->t, value, LW_ROLE_VALUE);
    fix_say(f, "use item()");
    fix_replace(f, lw_tree_end(f->t, value), lw_tree_end(f->t, f->node), LW_S(".item()"));
}

/* An item of an array of texts or objects, which may have a length. */
static bool may_be_text(const struct lw_tensor *t)
{
    return t->framework == LW_NUMPY && (t->dtype & (LW_OBJECT | LW_TEXT)) != 0;
}

static void watch_index(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_ITEM_RANGE && e->a.kind == LW_V_SHAPE)
        ck_find(c, e->node, "shape/axis-out-of-range", &e->a, 1,
                "the shape has %u dimension%s: there is no dimension %lld", e->count,
                e->count == 1 ? "" : "s", (long long)e->at);
    else if (e->fault == CK_FAULT_INDEX)
        bad_index(c, e->a, e->name, e->node);
    else if (e->fault == CK_FAULT_SCALAR_ITERATION && !c->frame->guarded &&
             !c->frame->uncertain && !may_be_text(e->a.tensor))
        ck_find(c, e->node, "shape/scalar-iteration", &e->a, 1,
                "a 0-d tensor (shape ()) cannot be iterated over: keep the batch dimension");
}

/* ---- unpacking ----------------------------------------------------------------------------
 */

static void watch_unpacked_shape(struct ck *c, const struct ck_event *e)
{
    if (!e->seq.open && e->seq.n != e->count && e->value.kind == LW_V_SHAPE)
        ck_find(c, e->node, "shape/unpack-rank", &e->value, 1,
                "%u values are unpacked into %u %s", e->seq.n, e->count,
                e->count == 1 ? "name" : "names");
}

/* ---- storing -------------------------------------------------------------------------------
 */

/* x[index] = value: the index must fit, and the value must stretch to the place. */
static void watch_store(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *x = ck_tensor_of(e->a);
    struct lw_tensor v;
    struct lw_shape both;
    if (!x || (x->framework != LW_NUMPY && x->framework != LW_TORCH) || c->frame->guarded ||
        !lw_shape_has_rank(&x->shape))
        return;
    struct lw_value place = ck_subscript(c, e->a, e->b, e->node);
    if (place.kind != LW_V_TENSOR || !lw_shape_has_rank(&place.tensor->shape) ||
        !ck_to_tensor(c, e->value, &v) || !lw_shape_has_rank(&v.shape))
        return;
    const struct lw_shape *into = &place.tensor->shape;
    for (uint32_t i = 0; i < v.shape.n; i++)
        if (lw_dim_eq(c->dims, v.shape.d[i], lw_dim_int(0)) == LW_TRI_YES)
            return; /* a list that was filled in a loop of unknown length */
    bool wrong = lw_shape_broadcast(c->dims, into, &v.shape, &both) == LW_TRI_NO;
    for (uint32_t i = 0; !wrong && v.shape.n <= into->n && i < v.shape.n; i++) {
        lw_dim a = into->d[into->n - 1 - i], b = v.shape.d[v.shape.n - 1 - i];
        wrong = lw_dim_eq(c->dims, a, b) == LW_TRI_NO &&
                lw_dim_eq(c->dims, b, lw_dim_int(1)) == LW_TRI_NO;
    }
    struct lw_value causes[2] = {place, e->value};
    if (wrong)
        ck_find(c, e->node, "shape/broadcast", causes, 2,
                "a value of shape %.*s cannot be assigned to a slice of shape %.*s",
                LW_F(ck_show_shape(c, &v.shape)), LW_F(ck_show_shape(c, into)));
}

const struct ck_rule rules_shape_index[] = {
    {"shape/axis-out-of-range shape/index shape/scalar-iteration", CK_EV_FAULT, watch_index,
     .pure = true},
    {"shape/unpack-rank", CK_EV_UNPACK, watch_unpacked_shape},
    {"shape/broadcast shape/index", CK_EV_STORE, watch_store, .pure = true},
    {"shape/index", .fix = make_item},
    {0},
};
