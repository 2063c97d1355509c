/* Rules about kinds of values. */
#include <math.h>

#include "base/str.h"
#include "check/models/module.h"
#include "check/models/versions.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

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
            "values from %g to %g do not fit into %s (%g to %g) and wrap around: use a wider "
            "type",
            t->range.lo, t->range.hi, lw_dtype_name(now->dtype), least, most);
}

/* ---- lists of tensors ---------------------------------------------------------------------
 */

/* torch.tensor([a, b]) of tensors with several elements. */
static void watch_list(struct ck *c, const struct ck_event *e)
{
    static const char *const known[] = {"torch.tensor", "torch.as_tensor", "torch.FloatTensor",
                                        "torch.LongTensor"};
    struct lw_seq seq;
    int64_t n;
    bool makes = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        makes |= lw_str_eq(e->call->name, lw_str(known[i]));
    if (!makes || !e->call->n || e->call->args[0].value.kind != CK_LIST ||
        !ck_sequence(c, e->call->args[0].value, &seq) || !seq.n)
        return;
    const struct lw_tensor *t = ck_tensor_of(seq.items[0]);
    if (!t || t->framework != LW_TORCH || !lw_shape_has_rank(&t->shape) || t->shape.n == 0)
        return;
    bool many = false;
    for (uint32_t i = 0; i < t->shape.n; i++)
        many |= lw_dim_is_int(c->dims, t->shape.d[i], &n) && n > 1;
    if (many)
        ck_find(c, e->node, "type/list-of-tensors", &seq.items[0], 1,
                "a list of tensors of shape %.*s cannot be converted to one tensor: use "
                "torch.stack()",
                LW_F(ck_show_shape(c, &t->shape)));
}

static void make_stack(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node);
    if (!text_is(fix_callee_name(f, f->node), "tensor") ||
        lw_tree_get(f->t, f->node, LW_ROLE_KEYWORDS) != LW_NO_NODE)
        return;
    struct lw_str name = fix_sibling(f, callee, LW_S("stack"));
    fix_say(f, "use torch.stack");
    if (name.n)
        fix_node(f, callee, name);
}

/* np.asarray(x), np.mean(x) of what requires gradients. */
static void watch_to_numpy(struct ck *c, const struct ck_event *e)
{
    struct lw_seq seq;
    if (!e->call->api || !lw_str_eq(e->call->api->package, LW_S("numpy")) ||
        !lw_str_has_prefix(e->call->name, LW_S("numpy.")) || ck_is_driven(c) ||
        c->frame->guarded)
        return;
    for (size_t i = 0; i < e->call->n; i++) {
        struct lw_value v = e->call->args[i].value;
        if (v.kind == CK_LIST && ck_sequence(c, v, &seq) && seq.n)
            v = seq.items[0];
        const struct lw_tensor *t = ck_tensor_of(v);
        if (!t || t->framework != LW_TORCH || t->grad != LW_TRI_YES)
            continue;
        ck_find(c, e->node, "type/numpy-of-grad", &v, 1,
                "numpy cannot convert a tensor that requires gradients: call detach() first");
        return;
    }
}

/* numpy() of what is on the GPU or requires gradients. */
static void make_detached(struct fix *f)
{
    uint32_t x = fix_is_call(f, f->node) ? fix_operand(f, f->node) : LW_NO_NODE;
    if (x == LW_NO_NODE)
        return;
    fix_say(f, "call detach() first");
    fix_suffix(f, x, ".detach()");
}

/* ---- indices ------------------------------------------------------------------------------
 */

static bool is_float_index(struct lw_value v)
{
    if (v.kind == LW_V_FLOAT)
        return isfinite(v.interval.lo) && isfinite(v.interval.hi);
    for (uint32_t i = 0; v.kind == LW_V_SLICE && i < v.seq.n; i++)
        if (v.seq.items[i].kind == LW_V_FLOAT && is_float_index(v.seq.items[i]))
            return true;
    for (uint32_t i = 0; v.kind == LW_V_TUPLE && i < v.seq.n; i++)
        if (v.seq.items[i].kind != LW_V_TUPLE && is_float_index(v.seq.items[i]))
            return true;
    return false;
}

static void watch_subscript(struct ck *c, const struct ck_event *e)
{
    struct lw_value v = e->a, index = e->b;
    uint32_t node = e->node;
    bool sequence = v.kind == LW_V_TENSOR
                        ? v.tensor->framework == LW_NUMPY || v.tensor->framework == LW_TORCH ||
                              v.tensor->framework == LW_TF
                        : v.kind == CK_LIST || v.kind == LW_V_TUPLE;
    const struct lw_tensor *t = v.kind == LW_V_TENSOR ? ck_tensor_of(index) : NULL;
    bool floats = t && lw_set_within(t->dtype, LW_FLOATS) == LW_TRI_YES &&
                  (t->framework == LW_TORCH || t->framework == LW_NUMPY);
    if (!sequence || !(floats || is_float_index(index)) || c->frame->guarded || ck_is_driven(c))
        return;
    if (floats) {
        ck_find(c, node, "type/index-dtype", &index, 1,
                "the index is a tensor of floats (%s); use long() or an integer type",
                lw_dtype_name(t->dtype));
        return;
    }
    ck_find(c, node, "type/index-dtype", &index, 1,
            "an index or slice bound is a float: use // instead of /, or int()");
}

/* a / b -> a // b, the only division inside. */
static void make_floor(struct fix *f)
{
    uint32_t division = LW_NO_NODE;
    uint32_t top = f->hint->problem ? fix_problem_value(f) : f->node;
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(f->t, top, n, false))
        if (fix_kind(f, n) == LW_NODE_BIN_OP && lw_tree_node(f->t, n)->op == LW_OP_DIV) {
            if (division != LW_NO_NODE)
                return;
            division = n;
        }
    if (division == LW_NO_NODE)
        return;
    uint32_t token = lw_tree_node(f->t, lw_tree_get(f->t, division, LW_ROLE_LEFT))->last + 1;
    while (f->t->lexed.tokens.v[token].kind == LW_TOK_RPAREN)
        token++;
    if (f->t->lexed.tokens.v[token].kind != LW_TOK_SLASH)
        return;
    fix_say(f, "divide with //");
    fix_token(f, token, LW_S("//"));
}

static void make_index(struct fix *f)
{
    struct lw_value v = f->cause_count ? f->causes[0] : lw_v_absent();
    uint32_t index = fix_kind(f, f->node) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(f->t, f->node, LW_ROLE_SLICE)
                         : LW_NO_NODE;
    if (f->hint->problem)
        fix_to_integers(f);
    else if (!fix_is_torch(v))
        make_floor(f);
    else if (fix_kind(f, index) == LW_NODE_NAME || fix_is_call(f, index) ||
             fix_kind(f, index) == LW_NODE_ATTRIBUTE)
        fix_convert(f, index, ".long()");
}

/* ---- storing ------------------------------------------------------------------------------
 */

/* x[0] = 1 of a TensorFlow tensor. */
static void watch_store(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *t = ck_tensor_of(e->a);
    if (!t || (t->framework != LW_TF && t->framework != LW_KERAS) || c->frame->guarded ||
        e->b.kind == LW_V_STR) /* a dict that a data set yields */
        return;
    ck_find(c, e->node, "type/item-assignment", &e->a, 1,
            "TensorFlow tensors are immutable: use tf.tensor_scatter_nd_update, tf.where, or "
            "assign() of a variable");
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

/* abs(a - b) of unsigned numbers. */
static void make_signed(struct fix *f)
{
    const struct lw_tensor *x = fix_cause(f, 0);
    uint32_t owner = syntax_owner(f->t, f->node);
    uint32_t minus = owner != LW_NO_NODE && !fix_is_module(f, owner)
                         ? owner
                         : fix_argument(f, f->node, NULL, 0);
    if (!x || fix_kind(f, minus) != LW_NODE_BIN_OP ||
        lw_tree_node(f->t, minus)->op != LW_OP_SUB)
        return;
    fix_say(f, "convert to a signed type first");
    fix_suffix(f, lw_tree_get(f->t, minus, LW_ROLE_LEFT),
               x->framework == LW_TORCH ? ".int()" : ".astype(int)");
}

/* ---- tensors as truth values --------------------------------------------------------------
 */

static void watch_truth(struct ck *c, const struct ck_event *e)
{
    struct lw_value v = e->a;
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
        ck_find(c, e->node, "type/ambiguous-truth", &v, 1,
                "the truth value of a tensor of shape %.*s is ambiguous: use any() or all()",
                LW_F(ck_show_shape(c, &t->shape)));
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
static void watch_addition(struct ck *c, const struct ck_event *e)
{
    struct lw_value a = e->a, b = e->b;
    uint32_t node = e->node;
    const char *x = plain_kind(a), *y = plain_kind(b);
    if (!x || !y || x == y || c->frame->guarded)
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
    ck_find(c, node, "type/operand-kinds", causes, 2,
            "Python cannot add %s and %s: convert "
            "one of them",
            x, y);
}

/* torch.max(x, 1) == y: a pair of values and indices is compared with a tensor. */
static void watch_pair(struct ck *c, const struct ck_event *e)
{
    struct lw_value pair = e->a.kind == LW_V_TUPLE ? e->a : e->b;
    struct lw_value other = e->a.kind == LW_V_TUPLE ? e->b : e->a;
    if (pair.kind != LW_V_TUPLE || pair.seq.open || pair.seq.n < 2 ||
        pair.seq.items[0].kind != LW_V_TENSOR || other.kind != LW_V_TENSOR ||
        other.tensor->framework != LW_TORCH ||
        pair.seq.items[0].tensor->framework != LW_TORCH || c->frame->guarded)
        return;
    ck_find(c, e->node, "type/operand-kinds", &other, 1,
            "one operand is a tuple of %u tensors, the other a tensor: unpack the tuple first",
            pair.seq.n);
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
        struct lw_value arg = e->call->args[i].value;
        struct lw_seq seq;
        if (arg.kind == CK_LIST && ck_sequence(c, arg, &seq) && seq.n)
            arg = seq.items[0];
        const struct lw_tensor *t = ck_tensor_of(arg);
        if (!t || t->framework != LW_KERAS || !ck_version_of(c, LW_S("keras"), v) || v[0] < 3)
            continue;
        ck_find(c, e->node, "type/symbolic-to-tensorflow", &e->call->args[i].value, 1,
                "Keras 3 does not accept its symbolic tensors as arguments of %.*s: use a "
                "layer, keras.ops, or a layer class of your own",
                LW_F(e->call->api->name));
        return;
    }
}

/* ---- sizes of layers ----------------------------------------------------------------------
 */

/* Dense(n / 2): Keras on its own wants whole numbers, tf.keras rounds. */
static void watch_units(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"units", "filters", "output_dim", "input_dim"};
    const struct lw_api *api = e->call->api;
    const struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!api || api->kind != LW_API_LAYER || !o || o->of ||
        !lw_str_has_prefix(o->spelt, LW_S("keras.")))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lw_value v = ck_config(o, names[i]);
        if (v.kind != LW_V_FLOAT || e->node == LW_NO_NODE)
            continue;
        struct lw_str message =
            ck_text(c, "%s of %.*s must be an integer, but this is a float: use // or int()",
                    names[i], LW_F(text_tail(api->name)));
        ck_find_as(c, e->node, LW_S("type/float-size"), LW_SEVERITY_WARNING, &v, 1, message);
        return;
    }
}

/* ---- iterators where arrays are made ------------------------------------------------------
 */

static bool is_builtin(struct ck *c, uint32_t name)
{
    const struct ck_slot *s = ck_bound_slot(c, name);
    return !s || s->value.kind == LW_V_ABSENT;
}

/* What Python 3 hands out step by step: "map", "values()"…; NULL: something else. */
static const char *iterator_kind(struct ck *c, uint32_t node)
{
    static const char *const builtins[] = {"map", "filter", "zip"};
    static const char *const views[] = {"values", "keys", "items"};
    const struct lw_tree *t = &c->frame->file->tree;
    if (lw_tree_kind(t, node) == LW_NODE_GENERATOR)
        return "a generator";
    if (lw_tree_kind(t, node) != LW_NODE_CALL)
        return NULL;
    uint32_t f = lw_tree_get(t, node, LW_ROLE_FUNC);
    struct lw_str name = f == LW_NO_NODE ? (struct lw_str){0} : lw_tree_name(t, f);
    if (f != LW_NO_NODE && lw_tree_kind(t, f) == LW_NODE_NAME && is_builtin(c, f))
        for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
            if (lw_str_eq(name, lw_str(builtins[i])))
                return builtins[i];
    if (f != LW_NO_NODE && lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE &&
        lw_tree_get(t, node, LW_ROLE_ARGS) == LW_NO_NODE)
        for (size_t i = 0; i < sizeof views / sizeof *views; i++)
            if (lw_str_eq(name, lw_str(views[i])) &&
                ck_eval(c, lw_tree_get(t, f, LW_ROLE_VALUE)).kind == CK_DICT)
                return views[i];
    return NULL;
}

/* Python 2 made lists of them. */
static bool is_python_2(const struct ck *c)
{
    const struct lw_tree *t = &c->frame->file->tree;
    for (uint32_t n = 0; n < t->nodes.n; n++)
        if (lw_tree_kind(t, n) == LW_NODE_PRINT)
            return true;
    return false;
}

/* np.array(map(f, x)): an array of one object. */
static void watch_iterator(struct ck *c, const struct ck_event *e)
{
    static const char *const makers[] = {"numpy.array",         "numpy.asarray",
                                         "torch.tensor",        "torch.as_tensor",
                                         "torch.Tensor",        "torch.LongTensor",
                                         "tensorflow.constant", "tensorflow.convert_to_tensor",
                                         "numpy.mean",          "numpy.stack",
                                         "torch.FloatTensor",   "torch.stack"};
    bool makes = false;
    if (!e->call->n || e->call->args[0].star || e->call->args[0].node == LW_NO_NODE)
        return;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        makes |= lw_str_eq(e->call->name, lw_str(makers[i]));
    const char *kind = makes && !c->frame->guarded && e->node != LW_NO_NODE
                           ? iterator_kind(c, e->call->args[0].node)
                           : NULL;
    if (kind && !is_python_2(c))
        ck_find(c, e->node, "type/array-of-iterator", NULL, 0,
                "%.*s gets %s%s, which is not a list in Python 3: wrap it in list()",
                LW_F(e->call->name), kind, strchr(kind, ' ') ? "" : "()");
}

/* x /= 255 of whole numbers: fractions do not fit where they are to be stored. */
static void watch_quotient(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct lw_tensor *x = ck_tensor_of(e->a);
    if (!x || lw_tree_node(t, e->node)->op != LW_OP_DIV || c->frame->guarded ||
        x->framework != LW_NUMPY || lw_set_within(x->dtype, LW_INTS) != LW_TRI_YES ||
        !lw_shape_has_rank(&x->shape) || x->shape.n == 0 || is_python_2(c))
        return;
    ck_find(c, e->node, "type/inplace-division", &e->a, 1,
            "/= cannot store fractions in an integer array, so numpy raises an error: write x "
            "= x / …, or convert with astype('float32') first");
}

const struct ck_rule rules_type_values[] = {
    {"type/array-of-iterator", CK_EV_CALL, watch_iterator, .pure = true,
     .calls = ".array .asarray .tensor .as_tensor .Tensor .LongTensor .constant "
              ".convert_to_tensor .mean .stack .FloatTensor"},
    {"type/float-size", CK_EV_CALL, watch_units, make_floor, .pure = true},
    {"type/narrowing", CK_EV_CALL, watch_cast, .pure = true,
     .calls = ".astype .to .byte .char .short .type .cast .int"},
    {"type/unsigned-difference", CK_EV_CALL, watch_absolute, make_signed, .pure = true,
     .calls = ".abs .absolute .square"},
    {"type/symbolic-to-tensorflow", CK_EV_CALL, watch_symbolic, .pure = true},
    {"type/list-of-tensors", CK_EV_CALL, watch_list, make_stack, .pure = true,
     .calls = ".tensor .as_tensor .FloatTensor .LongTensor"},
    {"type/numpy-of-grad", CK_EV_CALL, watch_to_numpy, make_detached, .pure = true,
     .calls = "numpy.*"},
    {"type/item-assignment", CK_EV_STORE, watch_store, .pure = true},
    {"type/operand-kinds", CK_EV_OPERATOR, watch_pair, .pure = true},
    {"type/inplace-division", CK_EV_AUGMENTED, watch_quotient, .pure = true},
    {"type/index-dtype", CK_EV_SUBSCRIPT, watch_subscript, make_index, .pure = true},
    {"type/ambiguous-truth", CK_EV_TRUTH, watch_truth, .pure = true},
    {"type/operand-kinds", CK_EV_ADDITION, watch_addition, .pure = true},
    {0},
};
