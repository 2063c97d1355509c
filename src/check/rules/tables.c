/* What the tables of data/api find wrong with a call or an operator, unless the program gives a
 * reason to doubt it, and data/ranges.ini with a setting. */
#include "base/str.h"
#include "check/engine/lineage.h"
#include "check/engine/text.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/models/versions.h"
#include "check/query/excuse.h"
#include "check/rules/ranges.h"
#include "check/rules/rules.h"
#include "check/rules/watch.h"

static bool speaks_of_arguments(struct lw_str rule)
{
    return lw_str_eq(rule, LW_S("api/unknown-argument")) ||
           lw_str_eq(rule, LW_S("api/missing-argument")) ||
           lw_str_eq(rule, LW_S("api/duplicate-argument")) ||
           lw_str_eq(rule, LW_S("api/too-many-arguments"));
}

/* PyTorch takes numpy's names of arguments too, and the names of its own *sizes. */
static bool is_other_name(const struct lw_arg *arg)
{
    static const char *const known[] = {"axis",  "keepdims", "x",       "a",
                                        "x1",    "x2",       "size",    "dims",
                                        "shape", "repeats",  "indices", "dim"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_eq(arg->name, lw_str(known[i])))
            return true;
    return false;
}

/* Arithmetic of PyTorch takes plain numbers for tensors. */
static bool takes_numbers(struct lw_str name)
{
    static const char *const known[] = {"torch.add", "torch.sub",       "torch.mul",
                                        "torch.div", "torch.remainder", "torch.fmod"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_has_prefix(name, lw_str(known[i])))
            return true;
    return false;
}

/* with arg_scope(…): arguments that no call shows. */
static bool has_scopes(const struct ck *c)
{
    const struct ck_file *f = c->frame->file;
    return ck_file_shows(c, f, "name *arg_scope*") || ck_file_shows(c, f, "name *argscope*");
}

/* Is the function called through a variable of another name? */
static bool is_indirect(const struct ck *c, const struct ck_problems *e, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (node == LW_NO_NODE || !e->spelt.n || lw_tree_kind(t, node) != LW_NODE_CALL)
        return false;
    uint32_t f = lw_tree_get(t, node, LW_ROLE_FUNC);
    if (f == LW_NO_NODE)
        return false;
    struct lw_str own = lw_tree_text(t, f);
    own = lw_str_from(own, (size_t)(lw_str_find_last_char(own, '.') + 1));
    return !lw_str_has_suffix(e->spelt, own);
}

/* A list of parts, one of which is a list with nothing in it. */
static bool holds_vacant(struct ck *c, struct lw_value parts)
{
    struct lw_seq seq;
    if (parts.kind == LW_V_TENSOR || !ck_sequence(c, parts, &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++)
        if (seq.items[i].kind == CK_LIST && ck_is_vacant(seq.items[i]))
            return true;
    return false;
}

/* What is asked of all arguments, for each problem: looked at once. */
struct arguments {
    bool other_names; /* some are numpy's names */
    bool spread;      /* there is a **dict of which not all is known */
};

static struct arguments look_at_arguments(const struct ck_problems *e)
{
    struct arguments all = {0};
    for (size_t i = 0; i < e->arg_count; i++) {
        all.other_names |= e->args[i].name.n && is_other_name(&e->args[i]);
        all.spread |= e->args[i].name.n && e->args[i].star;
    }
    return all;
}

/* An argument that the function takes in another version, or that is not what it seems. */
static bool is_argument_doubtful(struct ck *c, const struct lw_problem *p,
                                 const struct ck_problems *e, const struct arguments *all,
                                 uint32_t node, const struct lw_arg *arg)
{
    if (c->frame->guarded ||
        (e->spelt.n && !lw_str_eq(ck_canonical(c, e->spelt), e->api->name)))
        return true; /* one record for several functions: their arguments may differ */
    if (has_scopes(c) || (c->frame->uncertain > c->frame->looping &&
                          (e->side == LW_API_CALL || is_indirect(c, e, node))))
        return true;
    bool twice = lw_str_eq(p->rule, LW_S("api/duplicate-argument"));
    if (e->api->framework == LW_TORCH && !twice && all->other_names)
        return true;
    if (!lw_str_eq(p->rule, LW_S("api/unknown-argument")) || !arg)
        return false;
    return (all->spread &&
            ck_is_spread_of_open(e->args, e->arg_count, (size_t)(arg - e->args))) ||
           /* DTensor: every weight of a Keras layer has one */
           (lw_str_has_suffix(arg->name, LW_S("_layout")) && e->api->framework != LW_TORCH);
}

/* An argument of a kind that it does not have in every run, or in every version. */
static bool is_kind_doubtful(struct ck *c, const struct ck_problems *e,
                             const struct lw_arg *arg)
{
    int kind = arg ? (int)arg->value.kind : LW_V_UNKNOWN;
    /* What is None or a number in a function may be something else in another call. */
    if (kind == LW_V_NONE && c->frame->function)
        return true;
    /* Where two values of which nothing is known are compared the result may be a tensor. */
    if (kind == LW_V_BOOL && arg->value.tri == LW_TRI_MAYBE)
        return true;
    if (arg && takes_numbers(e->name) &&
        (kind == LW_V_INT || kind == LW_V_FLOAT || kind == LW_V_BOOL))
        return true;
    /* Input(shape=8): tf.keras of TensorFlow 2 took it until Keras 3 came. */
    return lw_str_has_suffix(e->api->name, LW_S(".Input")) &&
           lw_str_has_prefix(e->spelt, LW_S("tensorflow.")) &&
           !ck_is_gone(c, LW_S("keras"), LW_S("3.0"));
}

/* Problems that the tables are sure of and that are none, seen from the program. */
static bool is_doubtful(struct ck *c, const struct lw_problem *p, const struct ck_problems *e,
                        const struct arguments *all, uint32_t node)
{
    const struct lw_arg *args = e->args;
    size_t n = e->arg_count;
    const struct lw_arg *arg = p->arg >= 0 && (size_t)p->arg < n ? &args[p->arg] : NULL;
    const struct lw_tensor *t = arg ? ck_tensor_of(arg->value) : NULL;
    const struct lw_tensor *self = ck_tensor_of(e->self);
    if (self && !lw_set_is_one(self->framework) && lw_str_has_prefix(p->rule, LW_S("type/")))
        return true; /* the method of one library, where it is not known whose tensor it is */
    if (self && e->api->framework == LW_TORCH && !ck_shows(c, "name *torch*") &&
        !ck_shows(c, "name nn"))
        return true; /* a program of another library */
    if (speaks_of_arguments(p->rule) && is_argument_doubtful(c, p, e, all, node, arg))
        return true;
    /* Argument scopes decide about layouts; an equality that is tested settles sizes. */
    if (lw_str_has_prefix(p->rule, LW_S("shape/")) &&
        ((has_scopes(c) && e->api->framework != LW_TORCH) || c->frame->matched))
        return true;
    if (lw_str_eq(p->rule, LW_S("type/dtype-mix")) &&
        (lw_str_has_prefix(e->spelt, LW_S("keras.ops.")) ||
         ck_shows(c, "name *enable_numpy_behavior")))
        return true; /* Keras 3 converts, and TensorFlow where it is asked to */
    if (lw_str_eq(p->rule, LW_S("type/argument-kind")))
        return is_kind_doubtful(c, e, arg);
    if (lw_str_eq(p->rule, LW_S("shape/concat")) && c->frame->uncertain && n &&
        holds_vacant(c, args[0].value))
        return true; /* `if first: all = part`, `else: all = concatenate((all, part))` */
    if (lw_str_eq(p->rule, LW_S("shape/embedding-range")))
        return !t || t->range.hi > 1e9;
    if (lw_str_eq(p->rule, LW_S("type/symbolic-to-numpy")))
        return !t || t->framework != LW_KERAS || ck_is_driven(c) || ck_shows(c, "name *jax*");
    if (lw_str_eq(p->rule, LW_S("type/foreign-array")))
        return t && t->framework != LW_NUMPY && t->framework != LW_TORCH;
    return false;
}

/* An argument that was renamed or removed is wrong only in the versions after that. */
static enum lw_severity severity_of(struct ck *c, const struct lw_problem *p,
                                    const struct ck_problems *e, const struct lw_arg *args,
                                    size_t n)
{
    bool renamed = lw_str_eq(p->rule, LW_S("api/renamed-argument"));
    bool removed = lw_str_eq(p->rule, LW_S("api/removed-argument"));
    const struct lw_api_part *part = &e->api->side[e->side];
    if ((!renamed && !removed) || p->param < 0 || (uint32_t)p->param >= part->param_count ||
        p->arg < 0 || (size_t)p->arg >= n)
        return p->severity;
    const struct lw_api_param *param = &part->params[p->param];
    struct lw_str version = removed ? param->removed : (struct lw_str){0};
    for (uint32_t k = 0; renamed && k < param->old_count; k++)
        if (lw_str_eq(param->old[k].name, args[p->arg].name))
            version = param->old[k].removed;
    const struct ck_object *self = ck_as(e->self, CK_INSTANCE);
    enum lw_severity s =
        ck_gone_severity(c, e->api->package, version, self ? self->spelt : e->spelt);
    /* Beside Keras and TensorFlow the present version of a library is meant. */
    bool present = removed && !lw_str_eq(e->api->package, LW_S("keras")) &&
                   !lw_str_eq(e->api->package, LW_S("tensorflow"));
    return present ? LW_SEVERITY_WARNING : s;
}

/* What a rule of many functions blames has no name here: it is what is divided by, or what the
 * function is applied to. */
static bool is_excused(struct ck *c, const struct lw_problem *p, const struct ck_problems *e,
                       const struct lw_arg *args, size_t n, uint32_t node,
                       enum lw_severity *severity)
{
    if (n == 0)
        return false;
    bool division = lw_str_eq(p->rule, LW_S("numeric/division-by-zero"));
    const struct lw_arg *arg = p->arg >= 0 && (size_t)p->arg < n ? &args[p->arg]
                               : division && n > 1               ? &args[1]
                                                                 : &args[0];
    struct ck_alarm alarm = {.rule = p->rule,
                             .api = e->api,
                             .node = node,
                             .first = args[0].value,
                             .value = arg->value,
                             .operand = arg->node == LW_NO_NODE ? node : arg->node};
    return ck_is_excused(c, &alarm, severity);
}

/* What has the wrong type got it where it was made or cast, not where that is noticed. */
static uint32_t cause_of(struct ck *c, const struct lw_problem *p, struct lw_value v)
{
    static const char *const typed[] = {"type/target-dtype", "type/layer-input-dtype",
                                        "type/loss-input-dtype", "type/embedding-index"};
    const struct lw_tensor *t = ck_tensor_of(v);
    bool torch = t && t->framework == LW_TORCH;
    return torch && text_is_any(p->rule, typed, sizeof typed / sizeof *typed)
               ? lineage_typed_at(c, v)
               : 0;
}

static void report_call(struct ck *c, const struct ck_problems *e, uint32_t node)
{
    struct arguments all = look_at_arguments(e);
    for (size_t i = 0; i < e->n; i++) {
        const struct lw_problem *p = &e->v[i];
        size_t n = e->arg_count, count = 0;
        enum lw_severity severity = severity_of(c, p, e, e->args, n);
        struct lw_value causes[2];
        if (is_doubtful(c, p, e, &all, node) ||
            is_excused(c, p, e, e->args, n, node, &severity))
            continue;
        if (p->arg >= 0 && (size_t)p->arg < n)
            causes[count++] = e->args[p->arg].value;
        if (p->other_arg >= 0 && (size_t)p->other_arg < n)
            causes[count++] = e->args[p->other_arg].value;
        ck_blame(c, count ? cause_of(c, p, causes[0]) : 0);
        ck_hint(c, (struct ck_hint){.api = e->api,
                                    .side = e->side,
                                    .object = e->object,
                                    .problem = p,
                                    .args = e->args,
                                    .arg_count = n,
                                    .meant = p->meant});
        ck_find_as(c, node, p->rule, severity, causes, count, p->message);
    }
}

/* ---- operators ----------------------------------------------------------------------------
 */

/* Tables of pandas are joined by their labels, whatever their sizes. */
static bool is_aligned(struct lw_value a, struct lw_value b, struct lw_str rule)
{
    return a.kind == LW_V_TENSOR && b.kind == LW_V_TENSOR && a.tensor->framework == LW_PANDAS &&
           b.tensor->framework == LW_PANDAS && lw_str_has_prefix(rule, LW_S("shape/"));
}

/* What decides whether the operation is defined: the divisor, the base of a power. */
static uint32_t operand_of(const struct ck *c, enum lw_op op, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    enum lw_node_kind kind = lw_tree_kind(t, node);
    if (kind == LW_NODE_BIN_OP)
        return lw_tree_get(t, node, op == LW_OP_POW ? LW_ROLE_LEFT : LW_ROLE_RIGHT);
    if (kind == LW_NODE_AUG_ASSIGN && op != LW_OP_POW)
        return lw_tree_get(t, node, LW_ROLE_VALUE);
    return node;
}

static void report_operator(struct ck *c, const struct ck_event *e)
{
    struct lw_value a = e->a, b = e->b, causes[2] = {a, b};
    bool both = a.kind == LW_V_TENSOR && b.kind == LW_V_TENSOR &&
                a.tensor->framework == LW_TF && b.tensor->framework == LW_TF &&
                lw_set_is_one(a.tensor->dtype) && lw_set_is_one(b.tensor->dtype) &&
                !ck_shows(c, "name *enable_numpy_behavior");
    struct ck_alarm alarm = {.node = e->node,
                             .first = a,
                             .value = e->op == LW_OP_POW ? a : b,
                             .operand = operand_of(c, e->op, e->node)};
    for (size_t i = 0; i < e->problems->n; i++) {
        const struct lw_problem *p = &e->problems->v[i];
        enum lw_severity severity = p->severity;
        alarm.rule = p->rule;
        if ((both || !lw_str_eq(p->rule, LW_S("type/dtype-mix"))) &&
            !is_aligned(a, b, p->rule) && !ck_is_excused(c, &alarm, &severity))
            ck_find_as(c, e->node, p->rule, severity, causes, 2, p->message);
    }
}

static void watch_problems(struct ck *c, const struct ck_event *e)
{
    if (e->problems->api)
        report_call(c, e->problems, e->node);
    else
        report_operator(c, e);
}

/* ---- settings ------------------------------------------------------------------------------
 */

/* Numbers beyond the bounds of data/ranges.ini. */
static void watch_bounds(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *api = e->call->api;
    const struct lw_check_ranges *table = c->watch->plan->rules->ranges;
    double x;
    if (!api || e->call->self.kind == CK_INSTANCE)
        return;
    for (size_t i = 0; i < table->n; i++) {
        const struct lw_check_range *r = &table->v[i];
        if (!lw_check_range_is_of(r, api))
            continue;
        struct lw_value v = ck_slot_value(e->call, r->setting.p);
        if (v.kind == LW_V_ABSENT || v.kind == LW_V_NONE || v.kind == LW_V_BOOL ||
            !ck_number_of(c, v, &x) || !lw_check_range_excludes(r, x))
            continue;
        ck_find(c, e->node, r->rule.p, NULL, 0, "%s=%g: %s", r->setting.p, x, r->effect.p);
    }
}

const struct ck_rule rules_tables[] = {
    {"*", CK_EV_PROBLEMS, watch_problems, .pure = true},
    {"*", CK_EV_CALL, watch_bounds},
    {0},
};
