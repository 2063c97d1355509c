/* Rules about axes that mean something else than the operation takes them for. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/places.h"
#include "check/rules/rules.h"

/* ---- reshape where a transpose is meant ---------------------------------------------------
 */

/* The dimensions other than 1. */
static struct lw_shape without_ones(struct ck *c, const struct lw_shape *s)
{
    struct lw_shape out = {0};
    int64_t n;
    for (uint32_t i = 0; i < s->n; i++)
        if (!lw_dim_is_int(c->dims, s->d[i], &n) || n != 1)
            out.d[out.n++] = s->d[i];
    return out;
}

/* The same sizes in another order, and not all of one size. */
static bool is_reordered(struct ck *c, const struct lw_shape *from, const struct lw_shape *to)
{
    struct lw_shape a = without_ones(c, from), b = without_ones(c, to);
    bool moved = false;
    uint32_t used = 0;
    if (a.n != b.n || a.n < 2)
        return false;
    for (uint32_t i = 0; i < b.n; i++) {
        uint32_t k = 0;
        while (k < a.n &&
               ((used & 1u << k) || lw_dim_eq(c->dims, a.d[k], b.d[i]) != LW_TRI_YES))
            k++;
        if (k == a.n)
            return false;
        used |= 1u << k;
        moved |= lw_dim_eq(c->dims, a.d[i], b.d[i]) != LW_TRI_YES;
    }
    return moved;
}

/* Written out or counted up: examples of what reshape does. */
static bool is_toy(struct ck *c, struct lw_value v)
{
    static const char *const toys[] = {"arange",   "array", "tensor", "range", "linspace",
                                       "constant", "zeros", "ones",   "empty"};
    const struct ck_origin *o = lineage_made_by(c, v, toys, sizeof toys / sizeof *toys);
    for (unsigned i = 0; i < 4 && o && o->in[0].kind == LW_V_TENSOR; i++) {
        v = o->in[0]; /* a copy of it */
        o = lineage_made_by(c, v, toys, sizeof toys / sizeof *toys);
    }
    return (o && o->in[0].kind != CK_INSTANCE) ||
           (ck_tensor_of(v) && v.tensor->variable == LW_TRI_YES);
}

/* A row or column was put on for it: the shift of relative positions, where numbers are meant
 * to slip from row to row. */
static bool is_padded(struct ck *c, struct lw_value v)
{
    static const char *const pads[] = {"cat", "concat", "concatenate", "pad"};
    return lineage_made_by(c, v, pads, sizeof pads / sizeof *pads) != NULL;
}

static void watch_reshape(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"reshape", "view", "Reshape"};
    if (!text_is_any(text_tail(e->call->name), names, 3))
        return;
    struct lw_value x = lineage_operand(e->call);
    const struct lw_tensor *from = ck_tensor_of(x), *to = ck_tensor_of(e->value);
    if (!from || !to || !lw_shape_has_rank(&from->shape) || !lw_shape_has_rank(&to->shape) ||
        is_toy(c, x) || is_padded(c, x) || !is_reordered(c, &from->shape, &to->shape))
        return;
    ck_find(c, e->node, "architecture/reshape-not-permute", &x, 1,
            "shape %.*s becomes %.*s, but reshape does not move axes and mixes rows, columns "
            "and channels: use permute() or transpose()",
            LW_F(ck_show_shape(c, &from->shape)), LW_F(ck_show_shape(c, &to->shape)));
}

/* if self.bidirectional or self.num_layers > 1: the state has several rows for a sample. */
static bool is_known_several(const struct ck *c, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    for (uint32_t n = lw_tree_parent(t, node); n != LW_NO_NODE; n = lw_tree_parent(t, n)) {
        if (lw_tree_kind(t, n) == LW_NODE_FUNCTION)
            return false;
        if (lw_tree_kind(t, n) != LW_NODE_IF)
            continue;
        uint32_t body = lw_tree_get(t, n, LW_ROLE_BODY);
        struct lw_str test = lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TEST));
        uint32_t otherwise = lw_tree_get(t, n, LW_ROLE_ORELSE);
        if (body != LW_NO_NODE && lw_str_find(test, LW_S("bidirectional")) != LW_NPOS &&
            lw_str_find(test, LW_S("not ")) == LW_NPOS &&
            (otherwise == LW_NO_NODE || lw_tree_start(t, node) < lw_tree_start(t, otherwise)))
            return true;
    }
    return false;
}

/* Rows of the state of a recurrent layer for each sample: layers times directions; 0: not
 * known. */
static int64_t state_rows(struct ck *c, const struct ck_object *layer)
{
    static const char *const kinds[] = {"LSTM", "GRU", "RNN"};
    int64_t layers = 0;
    if (!layer || layer->of || !layer->api || layer->api->framework != LW_TORCH ||
        !text_is_any(text_tail(layer->api->name), kinds, 3))
        return -1;
    lw_tri both = ck_truth(c, ck_config(layer, "bidirectional"));
    if (!ck_int_of(c, ck_config(layer, "num_layers"), &layers) || both == LW_TRI_MAYBE)
        return 0;
    return both == LW_TRI_YES ? 2 * layers : layers;
}

/* view(something, -1) */
static bool is_rest_last(const struct ck *c, uint32_t call)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t first = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    uint32_t second = first == LW_NO_NODE ? first : lw_tree_each(t, call, LW_ROLE_ARGS, first);
    return second != LW_NO_NODE && text_is(lw_tree_text(t, second), "-1") &&
           !text_is(lw_tree_text(t, first), "-1");
}

/* The state of a recurrent layer is (layers * directions, batch, width): view(batch, -1) puts
 * the rows of other samples side by side. */
static void watch_state(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"reshape", "view"};
    int64_t size;
    if (!text_is_any(text_tail(e->call->name), names, 2))
        return;
    struct lw_value x = lineage_operand(e->call);
    const struct lw_tensor *from = ck_tensor_of(x), *to = ck_tensor_of(e->value);
    const struct ck_origin *o = ck_origin_of(c, x);
    int64_t rows = from && to && o ? state_rows(c, o->layer) : -1;
    bool known = from && lw_shape_has_rank(&from->shape);
    if (rows < 0 || rows == 1 || (known && from->shape.n != 3) ||
        !lw_shape_has_rank(&to->shape) || (rows == 0 && !is_known_several(c, e->node)))
        return;
    if (rows > 1 &&
        (!lw_dim_is_int(c->dims, lw_shape_at(&from->shape, 0), &size) || size != rows))
        return; /* the output, not the state */
    /* view(batch, -1): of data that is not known the first size is taken for the batch */
    bool batch =
        known ? lw_dim_eq(c->dims, to->shape.d[0], from->shape.d[1]) == LW_TRI_YES
              : is_rest_last(c, e->node) && !lw_dim_is_int(c->dims, to->shape.d[0], &size);
    bool column = to->shape.n == 3 && lw_dim_is_int(c->dims, to->shape.d[2], &size) &&
                  size == 1 && !lw_dim_is_int(c->dims, to->shape.d[0], &size);
    if (!(to->shape.n == 2 && batch) && !column)
        return;
    ck_find(c, e->node, "architecture/reshape-not-permute", &x, 1,
            "the hidden state has shape (layers * directions, batch, features), so this mixes "
            "different samples: use permute(1, 0, 2) first, or cat([h[-2], h[-1]], 1)");
}

/* ---- positions along the batch ------------------------------------------------------------
 */

static bool is_batch_first(struct ck *c, const struct ck_object *o, unsigned depth)
{
    static const char *const inner[] = {"encoder_layer", "decoder_layer"};
    if (!o || o->of || !o->api || depth > 2)
        return false;
    if (ck_truth(c, ck_config(o, "batch_first")) == LW_TRI_YES &&
        ck_config(o, "batch_first").kind == LW_V_BOOL)
        return true;
    for (size_t i = 0; i < 2; i++)
        if (is_batch_first(c, ck_as(ck_config(o, inner[i]), CK_INSTANCE), depth + 1))
            return true;
    return false;
}

/* table[:x.size(0)], table[:x.shape[0]], table[:len(x)] */
static bool is_cut_by_first_axis(const struct ck_origin *o)
{
    static const char *const sizes[] = {".size(0)", ".shape[0]"};
    const struct lw_tree *t = &o->file->tree;
    uint32_t slice = text_is(o->op, "[]") && lw_tree_kind(t, o->node) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(t, o->node, LW_ROLE_SLICE)
                         : LW_NO_NODE;
    if (slice != LW_NO_NODE && lw_tree_kind(t, slice) == LW_NODE_TUPLE)
        slice = lw_tree_get(t, slice, LW_ROLE_ELTS);
    if (slice == LW_NO_NODE || lw_tree_kind(t, slice) != LW_NODE_SLICE ||
        lw_tree_get(t, slice, LW_ROLE_LOWER) != LW_NO_NODE)
        return false;
    uint32_t upper = lw_tree_get(t, slice, LW_ROLE_UPPER);
    struct lw_str text = upper == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, upper);
    return lw_str_has_suffix(text, lw_str(sizes[0])) ||
           lw_str_has_suffix(text, lw_str(sizes[1])) ||
           (lw_str_has_prefix(text, LW_S("len(")) && lw_str_has_suffix(text, LW_S(")")));
}

static void watch_positions(struct ck *c, const struct ck_event *e)
{
    static const char *const keeps[] = {"Dropout", "dropout", "LayerNorm", "layer_norm"};
    if (!is_batch_first(c, e->object, 0) || !e->call->n)
        return;
    struct lw_value x = e->call->args[0].value;
    const struct ck_origin *o = ck_origin_of(c, x);
    for (unsigned i = 0; i < 4 && o && text_is_any(text_tail(o->op), keeps, 4); i++)
        o = o->in_count ? ck_origin_of(c, o->in[0]) : NULL;
    if (!o || !text_is(o->op, "+"))
        return;
    for (uint32_t i = 0; i < o->in_count; i++) {
        const struct ck_origin *table = ck_origin_of(c, lineage_through(c, o->in[i]));
        if (!table || !is_cut_by_first_axis(table))
            continue;
        ck_find_at(
            c, table->file, table->node, "architecture/position-by-batch", &o->in[i], 1,
            "with batch_first=True the first axis is the batch, so every time step gets the "
            "same position: store the table as (1, length, features) and slice it by size(1)");
        return;
    }
}

/* ---- the last step of a padded sequence ---------------------------------------------------
 */

static bool is_padding(struct ck *c, const struct ck_origin *o)
{
    if (text_is(text_tail(o->op), "pad_sequence"))
        return true;
    struct lw_value where = lineage_slot(o, "padding");
    (void)c;
    return text_is(text_tail(o->op), "pad_sequences") && where.kind == LW_V_STR &&
           where.str.p && text_is(where.str, "post");
}

struct padded {
    struct ck *c;
    bool found, packed;
};

static bool visit_padding(void *data, struct lw_value v, const struct ck_origin *o)
{
    static const char *const ends[] = {"pack_padded_sequence", "pack_sequence", "flip"};
    struct padded *p = data;
    (void)v;
    if (!o)
        return true;
    p->packed |= text_is_any(text_tail(o->op), ends, 3);
    p->found |= is_padding(p->c, o);
    return !p->packed && !p->found;
}

static bool comes_from_padding(struct ck *c, struct lw_value v)
{
    struct padded p = {.c = c};
    lineage_walk(c, v, visit_padding, &p);
    return p.found && !p.packed;
}

/* [:, -1] or [-1] of the steps, whichever axis they are; [-1] of the states. */
static bool is_last_step(struct ck *c, struct lw_value index, bool batch_first)
{
    int64_t n;
    if (index.kind == LW_V_TUPLE) {
        if (index.seq.n <= batch_first)
            return false;
        if (batch_first && index.seq.items[0].kind != LW_V_SLICE)
            return false;
        index = index.seq.items[batch_first];
    }
    return ck_int_of(c, index, &n) && n == -1;
}

static void watch_last_step(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *o = ck_origin_of(c, e->a);
    if (!o || !o->layer || o->layer->of || !o->in_count || !o->api ||
        !text_is(lw_api_fact(o->api, "role"), "recurrent") ||
        e->a.tensor->framework != LW_TORCH)
        return;
    struct lw_value first = ck_config(o->layer, "batch_first");
    if (first.kind != LW_V_BOOL || first.tri == LW_TRI_MAYBE ||
        !is_last_step(c, e->b, first.tri == LW_TRI_YES) || !comes_from_padding(c, o->in[0]))
        return;
    ck_find(c, e->node, "architecture/last-step-is-padding", &e->a, 1,
            "the sequences are padded at the end, so the last time step of short ones is "
            "padding: take the step at lengths - 1, or pack the sequences");
}

/* Keras: the same for a recurrent layer that gives its last step. */
static void watch_padded_fit(struct ck *c, const struct ck_event *e)
{
    const struct mv_chain *chain = mv_of_model(c, e->object);
    const struct mv_stage *last = NULL;
    if (!chain || !comes_from_padding(c, ck_arg(e->call, 0, "x")))
        return;
    for (size_t i = 0; i < chain->n && !last; i++) {
        const struct mv_stage *s = &chain->stage[i];
        struct lw_value mask = s->layer ? ck_config(s->layer, "mask_zero") : lw_v_absent();
        if (text_is(s->role, "mask") || s->kind == MV_POOL || !s->layer ||
            (mask.kind != LW_V_ABSENT && ck_truth(c, mask) != LW_TRI_NO))
            return;
        if (text_is(s->role, "wrapper"))
            return;
        struct lw_value all = ck_config(s->layer, "return_sequences");
        if (text_is(s->role, "recurrent") && all.kind == LW_V_BOOL && all.tri == LW_TRI_NO)
            last = s;
    }
    if (!last || ck_shows(c, "name *Masking*") || ck_shows(c, "keyword *mask"))
        return;
    ck_find_at(c, last->file, last->node, "architecture/last-step-is-padding", NULL, 0,
               "the sequences are padded at the end without a mask, so this layer reads "
               "padding last: use Embedding(mask_zero=True), or pad at the start");
}

/* Embedding(mask_zero=True), then a layer that drops the mask, then one that wants it. */
static void watch_mask(struct ck *c, const struct ck_event *e)
{
    const struct mv_chain *chain = mv_of_model(c, e->object);
    const struct mv_stage *dropped = NULL;
    bool masked = false;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        struct lw_value mask = s->layer ? ck_config(s->layer, "mask_zero") : lw_v_absent();
        masked |=
            text_is(s->role, "mask") || (mask.kind == LW_V_BOOL && mask.tri == LW_TRI_YES);
        if (masked && !dropped &&
            (text_is(s->role, "conv") || s->kind == MV_POOL || text_is(s->role, "reshape")))
            dropped = s;
        if (!dropped || !text_is(s->role, "recurrent"))
            continue;
        ck_find_at(c, dropped->file, dropped->node, "architecture/mask-lost", NULL, 0,
                   "this layer drops the padding mask, so the recurrent layer after it reads "
                   "padding as data: put it after the recurrent layer, or do not pad");
        return;
    }
}

/* ---- a residual that is gone --------------------------------------------------------------
 */

/* x = f(x) before `node`, in the same function. */
static bool is_overwritten(struct ck *c, uint32_t node, struct lw_str name)
{
    struct ck_file *f = c->frame->file;
    const struct lw_tree *t = &f->tree;
    uint32_t function = lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
    uint32_t first = function == LW_NO_NODE ? 0 : lw_tree_start(t, function);
    struct places_list remade = places_of(c, f, PLACES_REMADE, name);
    size_t low = places_before(f, remade, first); /* the first in the function */
    return low < remade.n && lw_tree_start(t, remade.v[low]) < lw_tree_start(t, node);
}

static void check_itself(struct ck *c, uint32_t a, uint32_t b, struct lw_value v, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (a == LW_NO_NODE || b == LW_NO_NODE || lw_tree_kind(t, a) != LW_NODE_NAME ||
        lw_tree_kind(t, b) != LW_NODE_NAME ||
        !lw_str_eq(lw_tree_name(t, a), lw_tree_name(t, b)) || v.kind != LW_V_TENSOR ||
        !is_overwritten(c, node, lw_tree_name(t, a)))
        return;
    ck_find(c, node, "architecture/added-to-itself", &v, 1,
            "'%.*s' is added to itself, because the layers of the block have overwritten it: "
            "keep the input of the block under another name",
            LW_F(lw_tree_name(t, a)));
}

static void watch_sum(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->op != LW_OP_ADD || e->a.kind != LW_V_TENSOR || e->b.kind != LW_V_TENSOR ||
        lw_tree_kind(t, e->node) != LW_NODE_BIN_OP || e->a.tensor->framework == LW_NUMPY)
        return;
    check_itself(c, lw_tree_get(t, e->node, LW_ROLE_LEFT),
                 lw_tree_get(t, e->node, LW_ROLE_RIGHT), e->a, e->node);
}

/* x += x */
static void watch_augmented(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (lw_tree_kind(t, e->node) != LW_NODE_AUG_ASSIGN ||
        lw_tree_node(t, e->node)->op != LW_OP_ADD || e->a.kind != LW_V_TENSOR ||
        e->a.tensor->framework == LW_NUMPY)
        return;
    check_itself(c, lw_tree_get(t, e->node, LW_ROLE_TARGET),
                 lw_tree_get(t, e->node, LW_ROLE_VALUE), e->a, e->node);
}

/* add([x, x]), Add()([x, x]) */
static void watch_merge(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"add", "Add"};
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str name = e->object && e->object->api ? e->object->api->name : e->call->name;
    uint32_t list = e->call->n ? e->call->args[0].node : LW_NO_NODE;
    if (list == LW_NO_NODE || !text_is_any(text_tail(name), names, 2) ||
        lw_tree_kind(t, list) != LW_NODE_LIST || lw_tree_count(t, list, LW_ROLE_ELTS) != 2)
        return;
    uint32_t a = lw_tree_get(t, list, LW_ROLE_ELTS);
    check_itself(c, a, lw_tree_each(t, list, LW_ROLE_ELTS, a), e->value, e->node);
}

const struct ck_rule rules_architecture_axes[] = {
    {"architecture/reshape-not-permute", CK_EV_CALL | CK_EV_LAYER, watch_reshape, .pure = true,
     .calls = ".reshape .view .Reshape"},
    {"architecture/reshape-not-permute", CK_EV_CALL, watch_state, .pure = true,
     .calls = ".reshape .view"},
    {"architecture/position-by-batch", CK_EV_LAYER, watch_positions, .pure = true},
    {"architecture/last-step-is-padding", CK_EV_INDEX, watch_last_step, .pure = true},
    {"architecture/last-step-is-padding", CK_EV_FIT, watch_padded_fit, .pure = true},
    {"architecture/mask-lost", CK_EV_COMPILE, watch_mask, .pure = true},
    {"architecture/added-to-itself", CK_EV_OPERATOR, watch_sum, .pure = true},
    {"architecture/added-to-itself", CK_EV_AUGMENTED, watch_augmented, .pure = true},
    {"architecture/added-to-itself", CK_EV_CALL | CK_EV_LAYER, watch_merge, .pure = true},
    {0},
};
