/* Makers for layers: activations, widths, and what stands between layer and loss. */
#include "base/str.h"
#include "check/fix/layers.h"
#include "check/query/look.h"
#include "check/query/model_view.h"

uint32_t fix_made_at(const struct fix *f, const struct ck_object *o)
{
    return o && o->file == f->file && o->node < f->t->nodes.n && fix_is_call(f, o->node)
               ? o->node
               : LW_NO_NODE;
}

uint32_t fix_add_statement(const struct fix *f, uint32_t layer)
{
    uint32_t call = lw_tree_parent(f->t, layer), s = lw_tree_statement(f->t, layer);
    return lw_str_eq(fix_callee_name(f, call), LW_S("add")) && fix_kind(f, s) == LW_NODE_EXPR &&
                   lw_tree_get(f->t, s, LW_ROLE_VALUE) == call
               ? s
               : LW_NO_NODE;
}

bool fix_is_layer_item(const struct fix *f, uint32_t layer)
{
    uint32_t up = lw_tree_parent(f->t, layer);
    if (fix_kind(f, up) == LW_NODE_LIST)
        return true;
    return lw_str_eq(fix_callee_name(f, up), LW_S("Sequential")) &&
           lw_tree_node(f->t, layer)->role == LW_ROLE_ARGS;
}

/* ---- taking an activation away ------------------------------------------------------------
 */

/* f(x) or x.f(): what it is applied to. */
static uint32_t operand(const struct fix *f, uint32_t call, bool method)
{
    return method ? syntax_owner(f->t, call) : fix_argument(f, call, NULL, 0);
}

/* x = f(x, …) as a whole, or only the call of f. */
static void unapply(struct fix *f, uint32_t call, uint32_t inner)
{
    uint32_t s = lw_tree_parent(f->t, call);
    bool same =
        fix_kind(f, s) == LW_NODE_ASSIGN && lw_tree_get(f->t, s, LW_ROLE_VALUE) == call &&
        lw_str_eq(fix_text(f, lw_tree_get(f->t, s, LW_ROLE_TARGETS)), fix_text(f, inner));
    if (same)
        fix_remove_statement(f, s);
    else
        fix_only(f, call, inner);
}

static bool is_activation(struct lw_str name, struct lw_str activation)
{
    return lw_str_eq_nocase(name, activation) ||
           (text_is(activation, "relu") && lw_str_eq_nocase(name, LW_S("relu6")));
}

/* Is the layer kept under the very name that is called: self.act = ReLU(), self.act(x)? */
static bool is_called(const struct fix *f, uint32_t call, uint32_t made)
{
    uint32_t s = lw_tree_parent(f->t, made), callee = fix_callee(f, call);
    if (callee == made)
        return true;
    return fix_kind(f, s) == LW_NODE_ASSIGN && lw_tree_get(f->t, s, LW_ROLE_VALUE) == made &&
           lw_str_eq(fix_name(f, lw_tree_get(f->t, s, LW_ROLE_TARGETS)), fix_name(f, callee));
}

void fix_remove_activation(struct fix *f, uint32_t node, const struct ck_object *layer,
                           struct lw_str name)
{
    uint32_t made = fix_made_at(f, layer);
    uint32_t given = fix_argument(f, made, "activation", -1);
    if (given != LW_NO_NODE) {
        fix_remove_argument(f, made, given);
    } else if (made != LW_NO_NODE && is_activation(fix_callee_name(f, made), name) &&
               fix_is_layer_item(f, made)) {
        fix_remove_item(f, lw_tree_parent(f->t, made), made);
    } else if (made != LW_NO_NODE && fix_add_statement(f, made) != LW_NO_NODE) {
        fix_remove_statement(f, fix_add_statement(f, made));
    } else if (fix_is_call(f, node)) {
        bool own = is_activation(fix_callee_name(f, node), name);
        bool made_here = made != LW_NO_NODE && is_activation(fix_callee_name(f, made), name) &&
                         is_called(f, node, made);
        uint32_t first = fix_argument(f, node, NULL, 0), owner = syntax_owner(f->t, node);
        if (!own && !made_here)
            return;
        bool method = own && !made_here && owner != LW_NO_NODE && !fix_is_module(f, owner);
        uint32_t inner = operand(f, node, method);
        if (method && first != LW_NO_NODE && fix_kind(f, first) != LW_NODE_NUMBER &&
            fix_kind(f, first) != LW_NODE_UNARY_OP)
            return;
        if (inner != LW_NO_NODE)
            unapply(f, node, inner);
    }
}

/* The operation that activated the value, through what keeps values. */
static const struct ck_origin *activation_of(struct ck *c, struct lw_value v,
                                             struct lw_str *name)
{
    for (unsigned i = 0; i < 8 && v.kind == LW_V_TENSOR; i++) {
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o)
            return NULL;
        bool opaque = false;
        *name = o->api ? lw_api_fact(o->api, "activation") : (struct lw_str){0};
        if (!name->n && o->layer && !o->layer->of)
            *name = mv_activation(c, ck_config(o->layer, "activation"), &opaque);
        if (name->n)
            return o;
        if (opaque || !o->in_count)
            return NULL;
        v = o->in[0];
    }
    return NULL;
}

/* A loss that activates gets values that are activated already. */
static void make_logits(struct fix *f)
{
    struct lw_str name = {0};
    struct lw_value v = f->cause_count ? f->causes[0] : lw_v_absent();
    if (v.kind != LW_V_TENSOR)
        return;
    uint32_t node = f->node;
    bool own =
        fix_is_call(f, node) && lw_str_eq_nocase(fix_callee_name(f, node), LW_S("softmax"));
    if (own) { /* softmax of softmax: the outer one goes */
        fix_say(f, "leave out the second softmax");
        fix_remove_activation(f, node, NULL, LW_S("softmax"));
        return;
    }
    const struct ck_origin *o = activation_of(f->c, v, &name);
    if (!o || o->file != f->file ||
        (!lw_str_eq(name, LW_S("softmax")) && !lw_str_eq(name, LW_S("sigmoid"))))
        return;
    fix_say(f, "leave out the %.*s before the loss", LW_F(name));
    fix_remove_activation(f, o->node, o->layer, name);
}

static void make_linear_output(struct fix *f)
{
    if (!f->hint->was.n)
        return;
    fix_say(f, "leave the last layer linear");
    fix_remove_activation(f, f->node, f->hint->object, f->hint->was);
}

/* relu cannot reach negative targets, of which no scale is known. */
static void make_unbounded(struct fix *f)
{
    const struct lw_tensor *y = f->cause_count ? ck_tensor_of(f->causes[0]) : NULL;
    if (y && text_is(f->hint->was, "relu") && y->range.lo < 0)
        make_linear_output(f);
}

/* ---- another activation ---------------------------------------------------------------------
 */

uint32_t fix_activation_string(const struct fix *f, uint32_t call, struct lw_str was)
{
    uint32_t given = fix_argument(f, call, "activation", -1);
    if (given == LW_NO_NODE && lw_str_eq(fix_callee_name(f, call), LW_S("Activation")))
        given = fix_argument(f, call, NULL, 0);
    return given != LW_NO_NODE && fix_is_string(f, given, was) ? given : LW_NO_NODE;
}

uint32_t fix_layer_call(const struct fix *f)
{
    uint32_t made = fix_made_at(f, f->hint->object);
    if (made != LW_NO_NODE)
        return made;
    /* Dense(3)(x) */
    uint32_t callee = fix_callee(f, f->node);
    return fix_is_call(f, callee) ? callee : f->node;
}

void fix_swap_activation(struct fix *f, uint32_t call, struct lw_str was, struct lw_str is)
{
    uint32_t given = fix_activation_string(f, call, was);
    if (given == LW_NO_NODE)
        return;
    fix_say(f, "use the activation '%.*s'", LW_F(is));
    fix_quoted(f, given, is);
}

void fix_swap_function(struct fix *f, uint32_t call, const char *was, const char *is)
{
    static const char *const axes[] = {"dim", "axis"};
    uint32_t callee = fix_callee(f, call), second = fix_argument(f, call, NULL, 1);
    if (fix_kind(f, callee) != LW_NODE_ATTRIBUTE || !text_is(fix_name(f, callee), was) ||
        !fix_is_module(f, syntax_owner(f->t, call)))
        return;
    fix_say(f, "use %s", is);
    fix_token(f, lw_tree_name_token(f->t, callee), lw_str(is));
    for (size_t i = 0; i < 2; i++) {
        uint32_t axis = fix_argument(f, call, axes[i], -1);
        if (axis != LW_NO_NODE)
            fix_remove_argument(f, call, axis);
    }
    if (second != LW_NO_NODE)
        fix_remove_argument(f, call, second);
}

static void make_sigmoid(struct fix *f)
{
    fix_swap_activation(f, fix_layer_call(f), LW_S("softmax"), LW_S("sigmoid"));
    if (!f->n && fix_is_call(f, f->node))
        fix_swap_function(f, f->node, "softmax", "sigmoid");
}

/* Softmax between layers: relu. */
static void make_relu(struct fix *f)
{
    uint32_t call = fix_layer_call(f);
    if (fix_activation_string(f, call, LW_S("softmax")) != LW_NO_NODE) {
        fix_swap_activation(f, call, LW_S("softmax"), LW_S("relu"));
        return;
    }
    bool layer = lw_str_eq(fix_callee_name(f, call), LW_S("Softmax"));
    uint32_t callee = fix_callee(f, call);
    if (!layer || callee == LW_NO_NODE)
        return;
    struct lw_str relu = fix_sibling(f, callee, LW_S("ReLU"));
    if (!relu.n)
        return;
    fix_say(f, "use ReLU in hidden layers");
    fix_node(f, call, ck_text(f->c, "%.*s()", LW_F(relu)));
}

uint32_t fix_only_call(const struct fix *f, const char *name)
{
    uint32_t found = LW_NO_NODE;
    const struct lw_tree *t = f->t;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (!fix_is_call(f, n) || !text_is(fix_callee_name(f, n), name))
            continue;
        if (found != LW_NO_NODE)
            return LW_NO_NODE;
        found = n;
    }
    return found;
}

/* The loss of torch that takes what the network gives. */
static bool swap_loss(struct fix *f, const char *was, const char *is)
{
    uint32_t call = fix_only_call(f, was);
    if (call == LW_NO_NODE)
        return false;
    struct lw_str name = fix_sibling(f, fix_callee(f, call), lw_str(is));
    if (!name.n)
        return false;
    fix_say(f, "use %s, which takes logits", is);
    fix_node(f, fix_callee(f, call), name);
    return true;
}

/* No activation before a loss that takes probabilities. */
static void make_probabilities(struct fix *f)
{
    uint32_t call = fix_layer_call(f);
    struct lw_str want = f->hint->meant;
    const struct lw_api *api = f->hint->object ? f->hint->object->api : NULL;
    bool keras = api && lw_str_has_prefix(api->name, LW_S("keras.")) &&
                 text_is(lw_api_fact(api, "role"), "dense");
    if (keras && want.n && call != LW_NO_NODE) {
        fix_say(f, "give the last layer the activation '%.*s'", LW_F(want));
        fix_set_argument(f, call, "activation", ck_text(f->c, "'%.*s'", LW_F(want)).p);
    } else if (!f->hint->was.n && api && api->framework == LW_TORCH) {
        if (!swap_loss(f, "NLLLoss", "CrossEntropyLoss") &&
            !swap_loss(f, "nll_loss", "cross_entropy") &&
            !swap_loss(f, "BCELoss", "BCEWithLogitsLoss"))
            (void)swap_loss(f, "binary_cross_entropy", "binary_cross_entropy_with_logits");
    } else if (lw_str_eq(f->hint->was, LW_S("softmax")) && fix_is_call(f, f->node) &&
               lw_str_eq(fix_callee_name(f, f->node), LW_S("softmax"))) {
        fix_say(f, "use log_softmax");
        fix_token(f, lw_tree_name_token(f->t, fix_callee(f, f->node)), LW_S("log_softmax"));
    } else if (lw_str_eq(f->hint->was, LW_S("softmax")) &&
               lw_str_eq(fix_callee_name(f, call), LW_S("Softmax"))) {
        struct lw_str name = fix_sibling(f, fix_callee(f, call), LW_S("LogSoftmax"));
        fix_say(f, "use LogSoftmax");
        if (name.n)
            fix_node(f, fix_callee(f, call), name);
    }
}

uint32_t fix_only_string(const struct fix *f, const char *content)
{
    uint32_t found = LW_NO_NODE;
    const struct lw_tree *t = f->t;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (!fix_is_string(f, n, lw_str(content)))
            continue;
        if (found != LW_NO_NODE)
            return LW_NO_NODE;
        found = n;
    }
    return found;
}

void fix_swap_loss(struct fix *f, const char *was, const char *is)
{
    uint32_t loss = fix_only_string(f, was);
    if (loss == LW_NO_NODE)
        return;
    fix_say(f, "use the loss '%s'", is);
    fix_quoted(f, loss, lw_str(is));
}

static void swap_regression(struct fix *f, const char *is)
{
    static const char *const losses[] = {"mse", "mean_squared_error", "mae",
                                         "mean_absolute_error"};
    uint32_t compile = fix_only_call(f, "compile");
    for (size_t i = 0; i < sizeof losses / sizeof *losses && !f->n; i++) {
        uint32_t loss = fix_only_string(f, losses[i]);
        if (compile != LW_NO_NODE && loss != LW_NO_NODE && syntax_inside(f->t, loss, compile))
            fix_swap_loss(f, losses[i], is);
    }
}

static void make_fitting(struct fix *f)
{
    struct lw_str was = f->hint->was, want = f->hint->meant;
    if (!want.n) { /* the activation of a classifier, and a loss of regression */
        swap_regression(f, text_is(was, "softmax") ? "categorical_crossentropy"
                                                   : "binary_crossentropy");
        return;
    }
    if (lw_str_eq(want, was))
        return;
    fix_swap_activation(f, fix_layer_call(f), was, want);
    if (!f->n && fix_is_call(f, f->node) && text_is(want, "sigmoid") && text_is(was, "relu"))
        fix_swap_function(f, f->node, "relu", "sigmoid");
}

/* ---- arguments of layers
 * ----------------------------------------------------------------------
 */

void fix_drop_argument(struct fix *f, const char *name)
{
    uint32_t call = fix_layer_call(f), given = fix_argument(f, call, name, -1);
    if (given == LW_NO_NODE)
        return;
    fix_say(f, "leave out %s=%.*s", name, LW_F(fix_text(f, given)));
    fix_remove_argument(f, call, given);
}

static void make_random_init(struct fix *f)
{
    fix_drop_argument(f, "kernel_initializer");
}

static void make_bounded(struct fix *f)
{
    fix_drop_argument(f, "activation");
}

static void make_flatten(struct fix *f)
{
    uint32_t call = fix_layer_call(f);
    if (!fix_is_call(f, call))
        return;
    struct lw_str name = fix_sibling(f, fix_callee(f, call), LW_S("Flatten"));
    uint32_t s = fix_add_statement(f, call), up = lw_tree_parent(f->t, call);
    if (!name.n)
        return;
    fix_say(f, "flatten the maps before the dense layer");
    if (s != LW_NO_NODE)
        fix_line_before(
            f, s,
            ck_text(f->c, "%.*s(%.*s())", LW_F(fix_text(f, fix_callee(f, up))), LW_F(name)));
    else if (fix_is_layer_item(f, call))
        fix_insert(f, lw_tree_start(f->t, call), ck_text(f->c, "%.*s(), ", LW_F(name)));
    else if (fix_callee(f, up) == call)
        fix_around(f, fix_argument(f, up, NULL, 0), ck_text(f->c, "%.*s()(", LW_F(name)).p,
                   ")");
    else
        f->failed = true;
}

/* Dropout behind the last layer changes places with it. */
static void make_dropout_before(struct fix *f)
{
    uint32_t s = fix_is_call(f, f->node) ? fix_add_statement(f, f->node) : LW_NO_NODE;
    uint32_t before = s == LW_NO_NODE ? LW_NO_NODE : fix_neighbour(f, s, false);
    if (before == LW_NO_NODE || lw_str_find(fix_text(f, before), LW_S("Dense(")) < 0)
        return;
    fix_say(f, "put the dropout before the last layer");
    fix_move_before(f, s, before);
}

/* binary_crossentropy on several classes. */
static void make_categorical(struct fix *f)
{
    uint32_t loss = fix_find_string(f, f->node, LW_S("binary_crossentropy"));
    if (loss == LW_NO_NODE)
        return;
    fix_say(f, "use categorical_crossentropy");
    fix_quoted(f, loss, LW_S("categorical_crossentropy"));
}

/* ---- widths ---------------------------------------------------------------------------------
 */

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
    fix_say(f, "make the layer for %lld input%s", (long long)size, size == 1 ? "" : "s");
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

/* view() of permuted axes. */
static void make_reshape(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node);
    if (!lw_str_eq(fix_callee_name(f, f->node), LW_S("view")))
        return;
    fix_say(f, "use reshape()");
    fix_token(f, lw_tree_name_token(f->t, callee), LW_S("reshape"));
}

/* ---- losses and targets
 * -----------------------------------------------------------------------
 */

static bool same_shape(struct fix *f, const struct lw_tensor *a, const struct lw_tensor *b)
{
    for (uint32_t i = 0; i < a->shape.n && a->shape.n == b->shape.n; i++)
        if (lw_dim_eq(f->c->dims, a->shape.d[i], b->shape.d[i]) != LW_TRI_YES)
            return false;
    return a->shape.n == b->shape.n;
}

/* (n, 1) against (n,): the target gets the missing axis. */
static bool is_column(struct fix *f, const struct lw_tensor *out, const struct lw_tensor *y)
{
    int64_t one;
    return out->shape.n == 2 && y->shape.n == 1 && fix_size_at(f, out, 1, &one) && one == 1 &&
           lw_dim_eq(f->c->dims, out->shape.d[0], y->shape.d[0]) == LW_TRI_YES;
}

/* A loss of torch that is called: its target, in the shape it takes. */
static void reshape_target(struct fix *f, const struct lw_tensor *out,
                           const struct lw_tensor *y)
{
    bool index = lw_str_eq(lw_api_fact(f->hint->api, "target"), LW_S("index"));
    uint32_t target = fix_argument(f, f->node, "target", 1);
    int64_t classes;
    if (target == LW_NO_NODE || !out || !y || !lw_shape_has_rank(&out->shape) ||
        !lw_shape_has_rank(&y->shape))
        return;
    if (index && out->shape.n == 2 && same_shape(f, out, y) &&
        fix_size_at(f, out, 1, &classes) && classes > 1) {
        fix_say(f, "give the numbers of the classes");
        fix_suffix(f, target, ".argmax(dim=1)");
    } else if (!index && is_column(f, out, y)) {
        fix_say(f, "give the target the same shape");
        fix_suffix(f, target, ".unsqueeze(1)");
    }
}

/* Class numbers or one column per class, as the targets are. */
static void make_loss_of_targets(struct fix *f)
{
    const struct lw_tensor *out = f->cause_count > 1 ? ck_tensor_of(f->causes[0]) : NULL;
    const struct lw_tensor *y = f->cause_count > 1 ? ck_tensor_of(f->causes[1]) : NULL;
    int64_t classes, width = 1;
    if (f->hint->api && f->hint->api->framework == LW_TORCH) {
        const struct lw_arg *args = f->hint->args;
        size_t n = f->hint->arg_count;
        for (size_t i = 0; i < n && i < 2; i++)
            if (args[i].name.n)
                return;
        if (n >= 2)
            reshape_target(f, ck_tensor_of(args[n - 2].value), ck_tensor_of(args[n - 1].value));
        return;
    }
    if (f->hint->problem || !out || !y || !lw_shape_has_rank(&out->shape) ||
        !lw_shape_has_rank(&y->shape) || out->shape.n != 2 ||
        !fix_size_at(f, out, 1, &classes) || classes < 2 || y->shape.n > 2 ||
        (y->shape.n == 2 && !fix_size_at(f, y, 1, &width)))
        return;
    if (width == 1)
        fix_swap_loss(f, "categorical_crossentropy", "sparse_categorical_crossentropy");
    else if (width == classes)
        fix_swap_loss(f, "sparse_categorical_crossentropy", "categorical_crossentropy");
}

const struct fix_rule fix_rules_layers[] = {
    {"api/binary-accuracy", make_categorical},
    {"architecture/double-sigmoid", make_logits},
    {"architecture/double-softmax", make_logits},
    {"architecture/dropout-on-output", make_dropout_before},
    {"architecture/hidden-softmax", make_relu},
    {"architecture/logits-into-probability-loss", make_probabilities},
    {"architecture/loss-activation", make_fitting},
    {"architecture/missing-flatten", make_flatten},
    {"architecture/output-range", make_unbounded},
    {"architecture/relu-output", make_linear_output},
    {"architecture/softmax-one-unit", make_sigmoid},
    {"shape/conv-channels", make_channels},
    {"shape/linear-in-features", make_features},
    {"shape/norm-features", make_norm},
    {"shape/output-target-shape", make_loss_of_targets},
    {"shape/rnn-input-size", make_recurrent},
    {"shape/silent-broadcast", make_loss_of_targets},
    {"shape/view-strides", make_reshape},
    {"training/constant-initializer", make_random_init},
    {"training/unbounded-recurrence", make_bounded},
    {NULL, NULL},
};
