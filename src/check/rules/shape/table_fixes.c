/* Fixes of what the tables of data/api find wrong with the shapes of a call. */
#include "base/str.h"
#include "check/fix/layers.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* A number, or an expression of numbers: nothing that something else depends on. */
static bool is_number(const struct fix *f, uint32_t node)
{
    for (uint32_t n = node; n != LW_NO_NODE; n = lw_tree_next(f->t, node, n, false))
        if (fix_kind(f, n) != LW_NODE_NUMBER && fix_kind(f, n) != LW_NODE_BIN_OP)
            return false;
    return node != LW_NO_NODE;
}

static bool has_size(struct fix *f, const struct lw_tensor *t, int64_t size)
{
    int64_t n;
    for (uint32_t i = 1; i < t->shape.n; i++)
        if (fix_size_at(f, t, i, &n) && n == size)
            return true;
    return false;
}

/* "32 * 26 * 26" of what was flattened to `size`, where the program writes a product; else the
 * number itself. */
static struct lw_str width_text(struct fix *f, uint32_t given, int64_t size)
{
    struct lw_value v = f->causes[0];
    struct lw_str text = ck_text(f->c, "%lld", (long long)size);
    for (unsigned i = 0; i < 3 && fix_kind(f, given) == LW_NODE_BIN_OP; i++) {
        const struct ck_origin *o = ck_origin_of(f->c, v);
        const struct lw_tensor *t = o && o->in_count ? ck_tensor_of(o->in[0]) : NULL;
        int64_t n, all = 1;
        struct lw_str product = {0};
        if (!t)
            return text;
        for (uint32_t k = 1; k < t->shape.n && all; k++) {
            all = fix_size_at(f, t, k, &n) && all <= size / n ? all * n : 0;
            product = ck_text(f->c, "%.*s%s%lld", LW_F(product), k > 1 ? " * " : "",
                              all ? (long long)n : 0);
        }
        if (t->shape.n > 2 && all == size)
            return product;
        v = o->in[0];
    }
    return text;
}

/* The input has `axis` of another size than the layer was made for. */
static void set_width(struct fix *f, const char *param, uint32_t axis)
{
    const struct lw_tensor *t = f->cause_count ? ck_tensor_of(f->causes[0]) : NULL;
    uint32_t made = fix_made_at(f, f->hint->object), given = fix_argument(f, made, param, 0);
    int64_t size, old;
    if (!t || given == LW_NO_NODE || !is_number(f, given) || !fix_size_at(f, t, axis, &size) ||
        !ck_int_of(f->c, ck_config(f->hint->object, param), &old) || has_size(f, t, old))
        return; /* an axis that has the size: their order is wrong, not the layer */
    fix_say(f, "create the layer for %lld input feature%s", (long long)size,
            size == 1 ? "" : "s");
    fix_node(f, given, width_text(f, given, size));
}

/* What a flattening would make of the input. */
static int64_t flat_size(struct fix *f, const struct lw_tensor *t)
{
    int64_t all = 1, n;
    for (uint32_t i = 1; i < t->shape.n; i++) {
        if (!fix_size_at(f, t, i, &n))
            return 0;
        all *= n;
    }
    return all;
}

static void make_features(struct fix *f)
{
    const struct lw_tensor *t = f->cause_count ? ck_tensor_of(f->causes[0]) : NULL;
    int64_t want;
    if (!t || !lw_shape_has_rank(&t->shape) || !f->hint->object ||
        !ck_int_of(f->c, ck_config(f->hint->object, "in_features"), &want))
        return;
    if (t->shape.n == 2) {
        set_width(f, "in_features", 1);
        return;
    }
    if (t->shape.n < 3 || flat_size(f, t) != want)
        return;
    uint32_t made = fix_made_at(f, f->hint->object), first = fix_argument(f, f->node, NULL, 0);
    fix_say(f, "flatten the input");
    if (made != LW_NO_NODE && fix_is_layer_item(f, made)) {
        struct lw_str layer = fix_sibling(f, fix_callee(f, made), LW_S("Flatten"));
        if (layer.n)
            fix_insert(f, lw_tree_start(f->t, made), ck_text(f->c, "%.*s(), ", LW_F(layer)));
        return;
    }
    struct lw_str name = fix_spell(f, LW_S("torch.flatten"));
    struct lw_value called = ck_eval(f->c, fix_callee(f, f->node));
    if (name.n && first != LW_NO_NODE && ck_object_of(called) == f->hint->object)
        fix_around(f, first, ck_text(f->c, "%.*s(", LW_F(name)).p, ", 1)");
}

static void make_channels(struct fix *f)
{
    const struct lw_tensor *t = f->cause_count ? ck_tensor_of(f->causes[0]) : NULL;
    int64_t groups;
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n > 2 && f->hint->object &&
        ck_int_of(f->c, ck_config(f->hint->object, "groups"), &groups) && groups == 1)
        set_width(f, "in_channels", 1);
}

static void make_norm(struct fix *f)
{
    const struct lw_tensor *t = f->cause_count ? ck_tensor_of(f->causes[0]) : NULL;
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n > 1 && f->hint->object &&
        f->hint->object->api && lw_str_find(f->hint->object->api->name, LW_S("BatchNorm")) >= 0)
        set_width(f, "num_features", 1);
}

static void make_recurrent(struct fix *f)
{
    const struct lw_tensor *t = f->cause_count ? ck_tensor_of(f->causes[0]) : NULL;
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n > 1)
        set_width(f, "input_size", t->shape.n - 1u);
}

/* backward() of many losses: of their mean. */
static void make_mean(struct fix *f)
{
    uint32_t owner = syntax_owner(f->t, f->node);
    if (owner == LW_NO_NODE || fix_argument(f, f->node, NULL, 0) != LW_NO_NODE)
        return;
    fix_say(f, "call mean() on the losses");
    fix_suffix(f, owner, ".mean()");
}

/* x.view(32, 64) of another number of samples: x.view(-1, 64) */
static void make_any_batch(struct fix *f)
{
    bool reshapes = text_is(fix_callee_name(f, f->node), "view") ||
                    text_is(fix_callee_name(f, f->node), "reshape");
    uint32_t owner = reshapes ? syntax_owner(f->t, f->node) : LW_NO_NODE;
    const struct lw_tensor *x = fix_cause(f, 0);
    if (owner == LW_NO_NODE || fix_is_module(f, owner) || !x || x->shape.n < 2)
        return;
    int64_t all = 1, rest = 1, n;
    for (uint32_t i = 0; i < x->shape.n; i++) {
        if (!lw_dim_is_int(f->c->dims, x->shape.d[i], &n))
            return;
        all *= n;
    }
    uint32_t first = fix_argument(f, f->node, NULL, 0), a = first;
    while ((a = lw_tree_each(f->t, f->node, LW_ROLE_ARGS, a)) != LW_NO_NODE) {
        if (!ck_int_of(f->c, ck_eval(f->c, a), &n) || n <= 0 || n > all)
            return;
        rest *= n;
    }
    if (first == LW_NO_NODE || rest <= 1 || all % rest ||
        !lw_dim_is_int(f->c->dims, x->shape.d[0], &n) || n != all / rest)
        return;
    fix_say(f, "use -1 for the batch size");
    fix_node(f, first, LW_S("-1"));
}

const struct ck_rule rules_shape_table_fixes[] = {
    {"shape/linear-in-features", .fix = make_features},
    {"shape/conv-channels", .fix = make_channels},
    {"shape/norm-features", .fix = make_norm},
    {"shape/rnn-input-size", .fix = make_recurrent},
    {"shape/backward-scalar", .fix = make_mean},
    {"shape/reshape-elements", .fix = make_any_batch},
    {0},
};
