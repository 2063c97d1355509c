/* Rules about arguments of library calls that are of the wrong kind. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static void watch_epochs(struct ck *c, const struct ck_event *e)
{
    struct lw_value epochs = ck_arg(e->call, SIZE_MAX, "epochs");
    if (epochs.kind == LW_V_FLOAT)
        ck_find(c, e->node, "type/argument-kind", &epochs, 1,
                "epochs must be an integer, but this is a float: use // or int()");
}

static void watch_kinds(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_PACKED_INPUT)
        ck_find(c, e->node, "type/argument-kind", NULL, 0,
                "%.*s takes a tensor, but this is a PackedSequence: unpack it with "
                "pad_packed_sequence() first",
                LW_F(e->object->api->name));
    else if (e->fault == CK_FAULT_NORMALIZED_IMAGE)
        ck_find_at(c, e->file, e->node, "type/argument-kind", NULL, 0,
                   "Normalize expects tensors, but gets images here: put ToTensor() before it");
}

/* TensorDataset(array) */
static void watch_dataset(struct ck *c, const struct ck_event *e)
{
    if (!lw_str_eq(e->call->name, LW_S("torch.utils.data.TensorDataset")))
        return;
    for (size_t i = 0; i < e->call->n && !e->call->args[i].star; i++) {
        struct lw_value v = e->call->args[i].value;
        if (v.kind == LW_V_TENSOR && v.tensor->framework == LW_NUMPY)
            ck_find(
                c, e->node, "type/foreign-array", &v, 1,
                "TensorDataset takes tensors, but this is a numpy array: use torch.from_numpy");
    }
}

/* ---- compile() -----------------------------------------------------------------------------
 */

static void watch_loss(struct ck *c, const struct ck_event *e)
{
    struct lw_value loss = model_trait(e->object, MODEL_LOSS);
    if (loss.kind == LW_V_TENSOR && !c->frame->guarded)
        ck_find(c, e->node, "type/argument-kind", &loss, 1,
                "'loss' of compile() is a function or a name, but this is a tensor: pass the "
                "function itself, or use add_loss()");
}

/* ---- models -------------------------------------------------------------------------------
 */

static bool is_layer(struct ck *c, struct lw_value v)
{
    const struct ck_object *o = ck_as(v, CK_INSTANCE);
    return o && !o->of && o->api && ck_is_keras_layer(c, o);
}

/* Model(inputs, Dense(2)): the layer itself, not what it gives. */
static void watch_model(struct ck *c, const struct ck_event *e)
{
    static const char *const sides[] = {"inputs", "outputs"};
    if (!lw_str_eq(e->call->name, LW_S("keras.Model")) &&
        !lw_str_eq(e->call->name, LW_S("keras.models.Model")))
        return;
    for (size_t i = 0; i < 2; i++) {
        struct lw_value v = ck_slot_value(e->call, sides[i]);
        if (is_layer(c, v))
            ck_find(c, e->node, "type/argument-kind", &v, 1,
                    "'%s' of a model must be tensors, but this is a layer that was not called",
                    sides[i]);
    }
}

/* Sequential(a, b) instead of Sequential([a, b]). */
static void watch_sequential(struct ck *c, const struct ck_event *e)
{
    if ((!lw_str_eq(e->call->name, LW_S("keras.Sequential")) &&
         !lw_str_eq(e->call->name, LW_S("keras.models.Sequential"))) ||
        e->call->n < 2 || !is_layer(c, e->call->args[0].value) || e->call->args[1].name.n)
        return; /* Sequential(layer, name=…) was taken for a list of one */
    ck_find(c, e->node, "type/argument-kind", NULL, 0,
            "Sequential takes one list of layers: write Sequential([…])");
}

/* ---- callbacks ----------------------------------------------------------------------------
 */

static void watch_callbacks(struct ck *c, const struct ck_event *e)
{
    struct lw_value callbacks = ck_arg(e->call, SIZE_MAX, "callbacks");
    if (callbacks.kind == LW_V_STR || callbacks.kind == LW_V_INT)
        ck_find(c, e->node, "type/argument-kind", &callbacks, 1,
                "'callbacks' must be a list of callback objects, but this is a %s",
                callbacks.kind == LW_V_STR ? "text" : "number");
}

/* ---- optimizers of PyTorch -----------------------------------------------------------------
 */

/* A schedule of something that is no optimizer. */
static void watch_scheduler(struct ck *c, const struct ck_event *e)
{
    struct lw_value of = ck_slot_value(e->call, "optimizer");
    const struct ck_object *o = ck_as(of, CK_INSTANCE);
    if (!e->call->api || e->call->api->kind != LW_API_SCHEDULER || !o ||
        !lw_str_has_prefix(e->call->name, LW_S("torch.optim.lr_scheduler.")) ||
        !ck_is_torch_module(c, o))
        return;
    ck_find(c, e->node, "type/argument-kind", &of, 1,
            "the scheduler takes the optimizer, but this is a module");
}

/* Adam(model.parameters), Adam(model), Adam(x) */
static void watch_parameters(struct ck *c, const struct ck_event *e)
{
    struct lw_value params =
        look_makes_optimizer(e->call) ? ck_slot_value(e->call, "params") : lw_v_absent();
    if (params.kind == CK_BOUND || params.kind == CK_METHOD || params.kind == CK_FUNCTION) {
        ck_hint(c, (struct ck_hint){.meant = LW_S("()")});
        ck_find(c, e->node, "type/argument-kind", NULL, 0,
                "the optimizer gets a method instead of parameters: call the method, "
                "parameters()");
    } else if (params.kind == LW_V_TENSOR) {
        ck_hint(c, (struct ck_hint){.meant = LW_S("[]")});
        ck_find(c, e->node, "type/argument-kind", &params, 1,
                "the optimizer takes a list of tensors, but this is one tensor: write [x]");
    } else if (ck_as(params, CK_INSTANCE) && ck_is_torch_module(c, ck_object_of(params))) {
        ck_hint(c, (struct ck_hint){.meant = LW_S(".parameters()")});
        ck_find(c, e->node, "type/argument-kind", &params, 1,
                "the optimizer takes the parameters of the module: write .parameters()");
    }
}

/* ---- whole numbers -------------------------------------------------------------------------
 */

/* range(n / 2) */
static void watch_range(struct ck *c, const struct ck_event *e)
{
    if (!lw_str_eq(e->call->name, LW_S("builtins.range")) || c->frame->guarded ||
        ck_is_driven(c))
        return;
    for (size_t i = 0; i < e->call->n; i++)
        if (e->call->args[i].value.kind == LW_V_FLOAT) {
            ck_find(
                c, e->node, "type/argument-kind", &e->call->args[i].value, 1,
                "range() takes integers, but this is a float: use // instead of /, or int()");
            return;
        }
}

static uint32_t value_of(const struct fix *f, uint32_t argument)
{
    return fix_kind(f, argument) == LW_NODE_KEYWORD ? lw_tree_get(f->t, argument, LW_ROLE_VALUE)
                                                    : argument;
}

/* np.zeros(3, 4) -> np.zeros((3, 4)); np.concatenate(a, b) -> np.concatenate((a, b)) */
static void join_arguments(struct fix *f)
{
    uint32_t a = fix_argument(f, f->node, NULL, 0), b = fix_argument(f, f->node, NULL, 1);
    if (b == LW_NO_NODE || fix_argument(f, f->node, NULL, 2) != LW_NO_NODE)
        return;
    fix_say(f, "pass them as one tuple");
    fix_insert(f, lw_tree_start(f->t, a), LW_S("("));
    fix_insert(f, lw_tree_end(f->t, b), LW_S(")"));
}

/* An argument of the wrong kind where one spelling is surely meant. */
static void replace_kind(struct fix *f)
{
    static const char *const joined[] = {"zeros",       "ones",   "empty",
                                         "concatenate", "vstack", "hstack"};
    struct lw_str name = fix_name(f, fix_callee(f, f->node));
    uint32_t arg = fix_problem_argument(f), value = value_of(f, arg);
    const struct lw_problem *p = f->hint->problem;
    enum lw_value_kind kind = p->arg >= 0 && (size_t)p->arg < f->hint->arg_count
                                  ? f->hint->args[p->arg].value.kind
                                  : LW_V_UNKNOWN;
    struct lw_str key = fix_kind(f, arg) == LW_NODE_KEYWORD ? fix_name(f, arg) : name;
    if (p->arg == 1 && text_is_any(name, joined, sizeof joined / sizeof *joined)) {
        join_arguments(f);
    } else if (kind == LW_V_INT && (text_is(key, "input_shape") || text_is(key, "shape") ||
                                    text_is(key, "batch_input_shape"))) {
        fix_say(f, "pass a tuple");
        if (lw_tree_node(f->t, value)->flags & LW_NODE_PAREN)
            fix_insert(f, lw_tree_end(f->t, value), LW_S(","));
        else
            fix_around(f, value, "(", ",)");
    } else if (text_is(name, "ReLU") && kind == LW_V_TENSOR) {
        fix_say(f, "create the layer, then call it");
        fix_insert(f, lw_tree_end(f->t, fix_callee(f, f->node)), LW_S("()"));
    } else if (text_is(name, "load_state_dict") && kind == LW_V_STR) {
        struct lw_str load = fix_spell(f, LW_S("torch.load"));
        fix_say(f, "load the file with torch.load() first");
        if (load.n)
            fix_around(f, value, ck_text(f->c, "%.*s(", LW_F(load)).p, ")");
    }
}

/* What an optimizer or the like is given: x -> x.parameters(), x(), [x]. */
static void make_argument_kind(struct fix *f)
{
    uint32_t first = fix_argument(f, f->node, "params", 0);
    struct lw_str how = f->hint->meant;
    if (f->hint->problem) {
        replace_kind(f);
        return;
    }
    if (!how.n || first == LW_NO_NODE)
        return;
    if (lw_str_eq(how, LW_S("[]"))) {
        fix_say(f, "pass a list: [%.*s]", LW_F(fix_text(f, first)));
        fix_around(f, first, "[", "]");
    } else {
        fix_say(f, "write %.*s%.*s", LW_F(fix_text(f, first)), LW_F(how));
        fix_suffix(f, first, how.p);
    }
}

const struct ck_rule rules_type_argument_kind[] = {
    {"type/argument-kind", CK_EV_FIT | CK_EV_PREDICT, watch_epochs, .pure = true},
    {"type/argument-kind", CK_EV_FAULT, watch_kinds, .pure = true},
    {"type/foreign-array", CK_EV_CALL, watch_dataset, .pure = true, .calls = ".TensorDataset"},
    {"type/argument-kind", CK_EV_COMPILE, watch_loss},
    {"type/argument-kind", CK_EV_CALL, watch_model, .calls = ".Model"},
    {"type/argument-kind", CK_EV_CALL, watch_sequential, .calls = ".Sequential"},
    {"type/argument-kind", CK_EV_FIT, watch_callbacks},
    {"type/argument-kind", CK_EV_CALL, watch_scheduler, .calls = "torch.optim.lr_scheduler.*"},
    {"type/argument-kind", CK_EV_CALL, watch_parameters, .calls = "@optimizer"},
    {"type/argument-kind", CK_EV_CALL, watch_range, .pure = true, .calls = "builtins.range"},
    {"type/argument-kind", .fix = make_argument_kind},
    {0},
};
