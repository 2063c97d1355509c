/* Rules about kinds of values that need more than one call. */
#include "base/str.h"
#include "check/lib_module.h"
#include "check/rules.h"
#include "check/versions.h"

/* ---- numbers that do not fit --------------------------------------------------------------
 */

static bool is_cast(struct lw_str name)
{
    static const char *const known[] = {
        "numpy.ndarray.astype", "torch.Tensor.to",   "torch.Tensor.byte", "torch.Tensor.char",
        "torch.Tensor.short",   "torch.Tensor.type", "tensorflow.cast",   "torch.Tensor.int"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_eq(name, lw_str(known[i])))
            return true;
    return false;
}

/* Numbers up to 599 as uint8: they wrap around. */
static void watch_cast(struct ck *c, const struct ck_event *e)
{
    double least, most;
    struct lw_value from =
        e->call->self.kind == LW_V_TENSOR ? e->call->self : ck_arg(e->call, 0, "x");
    const struct lw_tensor *t = ck_tensor_of(from), *now = ck_tensor_of(e->value);
    if (!t || !now || !is_cast(e->call->name) || !lw_set_is_one(now->dtype) ||
        !(now->dtype & LW_INTS) || !(t->range.flags & LW_IV_KNOWN) ||
        lw_set_within(t->dtype, LW_INTS) != LW_TRI_YES || t->range.hi > 1e15 ||
        t->range.lo < -1e15 || !lw_dtype_limits(now->dtype, &least, &most) ||
        (t->range.lo >= least && t->range.hi <= most))
        return;
    ck_find(c, e->node, "type/narrowing", &from, 1,
            "values from %g to %g do not fit into %s (%g to %g): they wrap around", t->range.lo,
            t->range.hi, lw_dtype_name(now->dtype), least, most);
}

/* ---- unsigned differences -----------------------------------------------------------------
 */

static bool is_unsigned(const struct lw_tensor *t)
{
    const lw_dtypes all = LW_U8 | LW_U16 | LW_U32 | LW_U64;
    return t && lw_set_within(t->dtype, all) == LW_TRI_YES;
}

/* abs(a - b) of unsigned integers: a - b has wrapped around before. */
static void watch_absolute(struct ck *c, const struct ck_event *e)
{
    struct lw_str name = e->call->name;
    bool absolute =
        lw_str_has_suffix(name, LW_S(".abs")) || lw_str_has_suffix(name, LW_S(".absolute")) ||
        lw_str_has_suffix(name, LW_S(".square")) || lw_str_eq(name, LW_S("builtins.abs"));
    struct lw_value x =
        e->call->self.kind == LW_V_TENSOR ? e->call->self : ck_arg(e->call, 0, "x");
    const struct ck_origin *o = absolute ? ck_origin_of(c, x) : NULL;
    if (!o || o->in_count != 2 || !is_unsigned(ck_tensor_of(x)) ||
        !(lw_str_eq(o->op, LW_S("-")) || lw_str_has_suffix(o->op, LW_S(".subtract"))))
        return;
    ck_find(c, e->node, "type/unsigned-difference", &x, 1,
            "the difference of unsigned integers (%s) wraps around below 0 before its absolute "
            "value is taken; convert to a signed type first",
            lw_dtype_name(x.tensor->dtype));
}

/* ---- tensors as truth values --------------------------------------------------------------
 */

static void on_truth(struct ck *c, struct lw_value v, uint32_t node)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    int64_t n, many = 0;
    if (!t || !lw_shape_has_rank(&t->shape) || c->frame->guarded ||
        !(t->framework == LW_TORCH || t->framework == LW_NUMPY || t->framework == LW_TF))
        return;
    for (uint32_t i = 0; i < t->shape.n; i++) {
        int64_t least, most;
        lw_dim_bounds(c->dims, t->shape.d[i], &least, &most);
        if (!lw_dim_is_int(c->dims, t->shape.d[i], &n))
            n = least;
        if (n == 0)
            return;
        many |= n > 1;
    }
    if (many)
        ck_find(c, node, "type/ambiguous-truth", &v, 1,
                "a tensor of shape %.*s is neither true nor false; use any() or all()",
                LW_F(ck_show_shape(c, &t->shape)));
}

lw_tri ck_test(struct ck *c, uint32_t node)
{
    struct lw_value v = ck_eval(c, node);
    if (v.kind == LW_V_TENSOR)
        on_truth(c, v, node);
    return ck_truth(c, v);
}

/* ---- operands -----------------------------------------------------------------------------
 */

static const char *plain_kind(struct lw_value v)
{
    switch ((int)v.kind) {
    case LW_V_NONE: return "None";
    case LW_V_INT: return "int";
    case LW_V_FLOAT: return "float";
    case LW_V_STR: return "str";
    case LW_V_TUPLE: return "tuple";
    case CK_LIST: return "list";
    case CK_DICT: return "dict";
    default: return NULL;
    }
}

/* list + tuple, str + int: what Python itself refuses. */
void ck_on_operands(struct ck *c, enum lw_op op, struct lw_value a, struct lw_value b,
                    uint32_t node)
{
    const char *x = plain_kind(a), *y = plain_kind(b);
    if (op != LW_OP_ADD || !x || !y || x == y || c->frame->guarded)
        return;
    bool numbers = (a.kind == LW_V_INT || a.kind == LW_V_FLOAT) &&
                   (b.kind == LW_V_INT || b.kind == LW_V_FLOAT);
    /* What is None in a function may be something else in another call. */
    bool vague = (a.kind == LW_V_NONE || b.kind == LW_V_NONE) &&
                 (c->frame->function || c->frame->uncertain);
    const struct lw_tree *t = &c->frame->file->tree;
    bool extends =
        a.kind == CK_LIST && node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_AUG_ASSIGN;
    if (numbers || vague || extends || ck_is_driven(c))
        return;
    struct lw_value causes[2] = {a, b};
    ck_find(c, node, "type/operand-kinds", causes, 2, "%s + %s: Python does not add these", x,
            y);
}

/* ---- Keras tensors in TensorFlow functions ------------------------------------------------
 */

static bool inside_layer(struct ck *c)
{
    for (const struct ck_frame *f = c->frame; f; f = f->up) {
        const struct ck_object *self = ck_as(f->self, CK_INSTANCE);
        if (self && ck_is_keras_layer(c, self))
            return true;
    }
    return false;
}

/* Keras 3 refuses its symbolic tensors in functions of TensorFlow. */
static void watch_symbolic(struct ck *c, const struct ck_event *e)
{
    int v[2];
    if (!e->call->api || !lw_str_eq(e->call->api->package, LW_S("tensorflow")) ||
        !lw_str_has_prefix(e->call->api->name, LW_S("tensorflow.")) ||
        e->call->api->kind == LW_API_METHOD || inside_layer(c))
        return;
    for (size_t i = 0; i < e->call->n; i++) {
        const struct lw_tensor *t = ck_tensor_of(e->call->args[i].value);
        if (!t || t->framework != LW_KERAS || !ck_version_of(c, LW_S("keras"), v) || v[0] < 3)
            continue;
        ck_find(c, e->node, "type/symbolic-to-tensorflow", &e->call->args[i].value, 1,
                "Keras 3 does not take its symbolic tensors as arguments of %.*s; use a layer, "
                "keras.ops, or wrap it in a layer of your own",
                LW_F(e->call->api->name));
        return;
    }
}

const struct ck_rule ck_rules_type[] = {
    {CK_EV_CALL, watch_cast},
    {CK_EV_CALL, watch_absolute},
    {CK_EV_CALL, watch_symbolic},
    {0, NULL},
};
