/* Evaluating an entry's rules for one call. */
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/api_internal.h"

/* The parts of a tensor result as they are stated. */
struct outcome {
    struct lw_value shape, dtype, range, device, grad, owner, value;
    bool has[RULE_IS + 1];
    enum lw_relation relation;
    uint32_t of;
};

struct run {
    struct lw_apis *apis;
    const struct lw_api_call *call;
    struct lw_api_result *result;
    struct rule_env env;
    struct outcome out;
    int depth;
    struct lw_err *err;
};

/* ---- Problems ---------------------------------------------------------------------------- */

/* The argument behind a name of the rules, or -1. */
static int arg_named(const struct run *r, struct lw_str name)
{
    const struct lw_api_part *part = &r->call->api->side[r->call->side];
    for (uint32_t i = 0; i < part->param_count; i++)
        if (lw_str_eq(part->params[i].name, name))
            return r->result->bound.from[i];
    return -1;
}

/* The first two arguments that an expression speaks of. */
static void blame(const struct run *r, const struct rule_expr *e, int found[2], int depth)
{
    if (!e || depth <= 0)
        return;
    if (e->op == RULE_NAME) {
        int arg = arg_named(r, e->text);
        if (arg >= 0 && found[0] < 0)
            found[0] = arg;
        else if (arg >= 0 && arg != found[0] && found[1] < 0)
            found[1] = arg;
    }
    blame(r, e->a, found, depth - 1);
    blame(r, e->b, found, depth - 1);
    blame(r, e->c, found, depth - 1);
    for (uint32_t i = 0; i < e->n; i++)
        blame(r, e->items[i], found, depth - 1);
}

static struct lw_str compose(struct run *r, const struct rule_statement *s)
{
    struct lw_buf b;
    lw_buf_init(&b, r->apis->mem, 4096);
    for (uint32_t i = 0; i < s->piece_count; i++) {
        lw_buf_add(&b, s->message[i].text);
        if (!s->message[i].expr)
            continue;
        struct lw_value v = rule_eval(&r->env, s->message[i].expr);
        if (v.kind == LW_V_STR && v.str.p)
            lw_buf_add(&b, v.str);
        else
            lw_v_print(r->env.dims, v, &b);
    }
    struct lw_str text = {NULL, 0};
    if (b.failed != LW_ENOMEM)
        text = lw_arena_copy(r->call->arena, lw_buf_str(&b));
    lw_buf_release(&b);
    return text;
}

/* a == b could not be told: from here on it is taken for true. */
static void assume(struct run *r, const struct rule_expr *e, int depth)
{
    if (depth <= 0)
        return;
    if (e->op == RULE_AND) {
        assume(r, e->a, depth - 1);
        assume(r, e->b, depth - 1);
    } else if (e->op == RULE_EQ) {
        struct lw_value a = rule_eval(&r->env, e->a), b = rule_eval(&r->env, e->b);
        if (a.kind == LW_V_INT && b.kind == LW_V_INT)
            lw_dim_assume_eq(r->env.dims, a.dim, b.dim);
    }
}

static int check_need(struct run *r, const struct rule_statement *s)
{
    lw_tri holds = rule_truth(&r->env, rule_eval(&r->env, s->expr));
    if (holds == LW_TRI_MAYBE && r->call->assume)
        assume(r, s->expr, 8);
    if (holds != LW_TRI_NO)
        return 0;
    int found[2] = {-1, -1};
    blame(r, s->expr, found, 12);
    struct lw_problem p = {.rule = s->id,
                           .severity = s->severity,
                           .message = compose(r, s),
                           .param = -1,
                           .arg = found[0],
                           .other_arg = found[1]};
    for (uint32_t i = 0; found[0] >= 0 && i < r->result->bound.n; i++)
        if (r->result->bound.from[i] == found[0])
            p.param = (int)i;
    if (!p.message.p || api_problem(r->call, r->result, &p) < 0)
        return lw_err_nomem(r->err);
    return 0;
}

/* Methods that bring a tensor to the device of another one. */
static bool is_between_devices(struct lw_str name)
{
    static const char *const names[] = {"torch.Tensor.copy_", "torch.Tensor.type_as",
                                        "torch.Tensor.to", "torch.Tensor.set_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lw_str_eq(name, lw_str(names[i])))
            return true;
    return false;
}

/* Tensors of one call live on one device; a number-like CPU tensor is allowed everywhere. */
static int check_devices(struct run *r)
{
    int first = -1;
    uint32_t device = 0;
    bool operator_ = lw_str_has_prefix(r->call->api->name, LW_S("operator."));
    if ((r->call->api->framework != LW_TORCH && !operator_) ||
        is_between_devices(r->call->api->name))
        return 0;
    for (uint32_t i = 0; i < r->result->bound.n; i++) {
        struct lw_value v = r->result->bound.slots[i];
        if (v.kind >= LW_V_OPAQUE && r->call->plain)
            v = r->call->plain(r->call->engine, v);
        if (v.kind != LW_V_TENSOR || v.tensor->framework != LW_TORCH ||
            !lw_set_is_one(v.tensor->device) || v.tensor->shape.gap >= 0 ||
            v.tensor->shape.n == 0)
            continue;
        int from = r->result->bound.from[i];
        if (device && device != v.tensor->device &&
            (device | v.tensor->device) != (LW_CUDA | LW_CHOSEN_DEVICE)) {
            struct lw_problem p = {
                .rule = LW_S("type/device-mix"),
                /* "cuda" if there is one: without a GPU they are the same */
                .severity = (device | v.tensor->device) & LW_CHOSEN_DEVICE ? LW_SEV_WARNING
                                                                           : LW_SEV_ERROR,
                .message = lw_arena_printf(
                    r->call->arena,
                    "the tensors are on different devices, %s and %s: move them to one device "
                    "with to()",
                    lw_device_name(device), lw_device_name(v.tensor->device)),
                .param = (int)i,
                .arg = from,
                .other_arg = first};
            return !p.message.p || api_problem(r->call, r->result, &p) < 0
                       ? lw_err_nomem(r->err)
                       : 0;
        }
        device = v.tensor->device;
        first = from;
    }
    return 0;
}

/* ---- Statements -------------------------------------------------------------------------- */

static int run_part(struct run *r, const struct lw_rule_part *part);

static int run_family(struct run *r, const struct rule_statement *s)
{
    const struct rule_family *f = api_family(r->apis, s->family, r->err);
    if (!f)
        return r->err->code == LW_ENOMEM ? LW_ENOMEM : 0;
    struct lw_value args[16];
    uint32_t n = f->formal_count < 16 ? f->formal_count : 16;
    for (uint32_t i = 0; i < n; i++)
        args[i] = i < s->n ? rule_eval(&r->env, s->items[i]) : lw_v_unknown();
    for (uint32_t i = 0; i < n; i++)
        rule_bind(&r->env, f->formals[i], args[i]);
    if (++r->depth > 8)
        return 0;
    int rc = run_part(r, &f->part);
    r->depth--;
    return rc;
}

static void set_relation(struct run *r, const struct rule_statement *s)
{
    static const char *const names[] = {"none", "max",  "min",     "sum",
                                        "mean", "norm", "shifted", "exp_shifted"};
    struct lw_value v = rule_eval(&r->env, s->expr);
    if (v.kind != LW_V_TENSOR)
        return;
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        if (lw_str_eq(s->name, lw_str(names[i])))
            r->out.relation = (enum lw_relation)i;
    r->out.of = v.tensor->id;
}

static int run_statement(struct run *r, const struct rule_statement *s)
{
    struct outcome *o = &r->out;
    struct lw_value *into = NULL;
    switch (s->kind) {
    case RULE_LET: rule_bind(&r->env, s->name, rule_eval(&r->env, s->expr)); return 0;
    case RULE_NEED: return check_need(r, s);
    case RULE_IS: return run_family(r, s);
    case RULE_RELATION: set_relation(r, s); return 0;
    case RULE_SHAPE: into = &o->shape; break;
    case RULE_DTYPE: into = &o->dtype; break;
    case RULE_RANGE: into = &o->range; break;
    case RULE_DEVICE: into = &o->device; break;
    case RULE_GRAD: into = &o->grad; break;
    case RULE_OWNER: into = &o->owner; break;
    case RULE_RETURN: into = &o->value; break;
    }
    *into = rule_eval(&r->env, s->expr);
    o->has[s->kind] = true;
    return 0;
}

static int run_part(struct run *r, const struct lw_rule_part *part)
{
    for (uint32_t i = 0; i < part->n; i++) {
        int rc = run_statement(r, &part->statements[i]);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* ---- Results ----------------------------------------------------------------------------- */

/* What the tensors among the arguments have in common. */
struct inherited {
    uint32_t frameworks, devices;
    lw_tri grad;
    bool any;
    uint8_t flags; /* of their intervals */
    bool unknown;  /* an argument that is not known may be a tensor of any kind */
};

static void inherit_value(struct run *r, struct lw_value v, struct inherited *in, int depth)
{
    if (v.kind >= LW_V_OPAQUE && r->call->plain)
        v = r->call->plain(r->call->engine, v);
    if (v.kind == LW_V_TENSOR) {
        in->frameworks |= v.tensor->framework;
        in->devices |= v.tensor->device;
        in->flags |= v.tensor->range.flags;
        in->grad = in->any ? lw_tri_or(in->grad, v.tensor->grad) : v.tensor->grad;
        in->any = true;
    } else if (v.kind == LW_V_FLOAT && lw_iv_is_number(v.interval) && isinf(v.interval.lo)) {
        in->flags |= LW_IV_INF; /* inf as a constant is meant */
    } else if (lw_v_is_seq(v) && depth > 0) {
        in->unknown |= v.seq.open;
        for (uint32_t i = 0; i < v.seq.n && i < 64; i++)
            inherit_value(r, v.seq.items[i], in, depth - 1);
    } else if (v.kind == LW_V_UNKNOWN || v.kind >= LW_V_OPAQUE) {
        in->unknown = true;
    }
}

static struct inherited inherit(struct run *r)
{
    struct inherited in = {.grad = LW_TRI_NO};
    for (uint32_t i = 0; i < r->result->bound.n; i++)
        if (r->result->bound.from[i] >= 0) /* defaults are no tensors */
            inherit_value(r, r->result->bound.slots[i], &in, 2);
    in.unknown |= r->result->bound.incomplete;
    return in;
}

/* Whose tensor an operator or a function makes. */
static uint32_t owner(const struct run *r, const struct inherited *in)
{
    uint32_t fw = r->call->api->framework;
    if (fw == LW_TF)
        return in->frameworks & LW_KERAS ? in->frameworks & (LW_KERAS | LW_TF) : fw;
    if (fw)
        return fw;
    uint32_t seen = in->frameworks & ~(uint32_t)LW_PYTHON;
    if (seen & ~(uint32_t)LW_NUMPY)
        seen &= ~(uint32_t)LW_NUMPY;
    return seen ? seen : in->frameworks ? in->frameworks : LW_FRAMEWORK_UNKNOWN;
}

static lw_tri as_grad(const struct run *r, const struct lw_tensor *t,
                      const struct inherited *in)
{
    if (t->framework != LW_TORCH)
        return LW_TRI_MAYBE;
    if (!(t->dtype & (LW_FLOATS | LW_COMPLEX)))
        return LW_TRI_NO;
    lw_tri grad = in->any ? in->grad : LW_TRI_NO;
    struct lw_str role = lw_api_fact(r->call->api, "role");
    if (r->call->side == LW_API_CALL &&
        (lw_str_eq(role, LW_S("dense")) || lw_str_eq(role, LW_S("conv")) ||
         lw_str_eq(role, LW_S("recurrent")) || lw_str_eq(role, LW_S("embedding"))))
        return LW_TRI_YES;
    /* A module may have weights of its own. */
    bool unsure =
        in->unknown || (r->call->side == LW_API_CALL && r->call->api->kind == LW_API_LAYER);
    return grad == LW_TRI_NO && unsure ? LW_TRI_MAYBE : grad;
}

/* `requires_grad=True` of a call makes a leaf that an optimiser changes. */
static bool asks_training(struct run *r)
{
    const struct lw_api_part *part = &r->call->api->side[r->call->side];
    for (uint32_t i = 0; i < part->param_count; i++)
        if (lw_str_eq(part->params[i].name, LW_S("requires_grad")))
            return r->out.has[RULE_GRAD] &&
                   rule_truth(&r->env, r->result->bound.slots[i]) == LW_TRI_YES;
    return false;
}

/* `dtype=…` of a call, where it is given, is the type of the result. */
static void asked_dtype(const struct run *r, struct lw_tensor *t)
{
    const struct lw_api_part *part = &r->call->api->side[r->call->side];
    for (uint32_t i = 0; i < part->param_count; i++) {
        struct lw_value v = r->result->bound.slots[i];
        if (!lw_str_eq(part->params[i].name, LW_S("dtype")) || r->result->bound.from[i] < 0 ||
            v.kind == LW_V_NONE)
            continue;
        if (v.kind >= LW_V_OPAQUE && r->call->plain)
            v = r->call->plain(r->call->engine, v);
        lw_dtypes d = LW_DTYPE_UNKNOWN;
        if (v.kind == LW_V_DTYPE)
            d = v.dtypes;
        else if (v.kind == LW_V_STR && v.str.p)
            d = lw_dtype_parse(v.str, r->call->api->framework);
        t->dtype = d ? d : LW_DTYPE_UNKNOWN;
    }
}

/* Finite values in, infinite or undefined ones out, and no rule of the entry has said so. */
static void check_numbers(struct run *r, const struct lw_tensor *t, const struct inherited *in)
{
    uint8_t fresh = (uint8_t)(t->range.flags & ~in->flags & (LW_IV_INF | LW_IV_NAN));
    if (!fresh || !(t->range.flags & LW_IV_KNOWN) || !(t->dtype & LW_FLOATS) ||
        t->dtype & ~(lw_dtypes)LW_FLOATS)
        return;
    lw_dtypes narrow = t->dtype & LW_F16    ? LW_F16
                       : t->dtype & LW_BF16 ? LW_BF16
                       : t->dtype & LW_F32  ? LW_F32
                                            : LW_F64;
    for (size_t i = 0; i < r->result->problem_count; i++)
        if (lw_str_has_prefix(r->result->problems[i].rule, LW_S("numeric/")))
            return;
    bool nan = (fresh & LW_IV_NAN) != 0;
    struct lw_problem p = {
        .rule = nan ? LW_S("numeric/undefined") : LW_S("numeric/overflow"),
        .severity = LW_SEV_WARNING,
        .message = lw_arena_printf(r->call->arena,
                                   nan ? "the result can be NaN in %s"
                                       : "the result can overflow %s and become Inf",
                                   lw_dtype_name(narrow)),
        .param = -1,
        .arg = -1,
        .other_arg = -1};
    if (p.message.p)
        api_problem(r->call, r->result, &p);
}

static struct lw_value make_tensor(struct run *r)
{
    struct outcome *o = &r->out;
    struct inherited in = inherit(r);
    struct lw_tensor t = lw_tensor_unknown(owner(r, &in));
    int64_t mask;
    if (o->has[RULE_OWNER] && o->owner.kind == LW_V_INT &&
        lw_dim_is_int(r->env.dims, o->owner.dim, &mask))
        t.framework = (uint8_t)mask;
    if (o->has[RULE_SHAPE])
        t.shape = rule_shape(&r->env, o->shape);
    if (o->dtype.kind == LW_V_DTYPE && o->has[RULE_DTYPE])
        t.dtype = o->dtype.dtypes ? o->dtype.dtypes : LW_DTYPE_UNKNOWN;
    asked_dtype(r, &t);
    if (o->has[RULE_RANGE])
        t.range = lw_iv_as(rule_interval(&r->env, o->range), t.dtype);
    t.device = (uint8_t)(in.devices ? in.devices : LW_CPU);
    /* distribution.sample() is where the distribution is */
    bool of_object = r->call->api->kind == LW_API_METHOD && !in.any;
    if ((in.unknown || of_object) && t.framework != LW_NUMPY)
        t.device = LW_DEVICE_UNKNOWN;
    if (o->has[RULE_DEVICE] && o->device.kind == LW_V_DEVICE)
        t.device = (uint8_t)o->device.device;
    else if (o->has[RULE_DEVICE])
        t.device = LW_DEVICE_UNKNOWN;
    t.grad = (uint8_t)as_grad(r, &t, &in);
    if (o->has[RULE_GRAD])
        t.grad = (uint8_t)rule_truth(&r->env, o->grad);
    t.variable = LW_TRI_NO;
    if (asks_training(r) && t.grad == LW_TRI_YES) {
        t.variable = LW_TRI_YES; /* its values are those of training, not of its beginning */
        t.range = lw_iv_as(lw_iv_unbounded(LW_WHY_WEIGHT, r->call->line), t.dtype);
    }
    if (t.range.why == LW_WHY_WEIGHT &&
        lw_str_eq(lw_api_fact(r->call->api, "weight"), LW_S("yes")))
        t.variable = LW_TRI_YES;
    t.relation = (uint8_t)o->relation;
    t.of = o->of;
    t.line = r->call->line;
    check_numbers(r, &t, &in);
    return lw_v_tensor(r->call->arena, &t);
}

static bool makes_object(const struct lw_api *api)
{
    switch (api->kind) {
    case LW_API_CLASS:
    case LW_API_LAYER:
    case LW_API_MODEL:
    case LW_API_OPTIMIZER:
    case LW_API_SCHEDULER:
    case LW_API_INITIALIZER:
    case LW_API_REGULARIZER:
    case LW_API_CALLBACK:
    case LW_API_TRANSFORM: return true;
    case LW_API_LOSS:
    case LW_API_DATASET:
    case LW_API_METRIC: return api->side[LW_API_CALL].present;
    default: return false;
    }
}

static struct lw_value make_object(struct run *r)
{
    struct lw_object *o = lw_arena_alloc(r->call->arena, sizeof *o);
    if (!o)
        return lw_v_unknown();
    *o = (struct lw_object){r->call->api, r->result->bound.slots, r->call->line};
    return (struct lw_value){.kind = LW_V_OBJECT, .line = r->call->line, .object = o};
}

static void make_result(struct run *r)
{
    const struct outcome *o = &r->out;
    if (o->has[RULE_RETURN] && o->value.kind != LW_V_ABSENT) /* absent: not in this case */
        r->result->value = o->value;
    else if (o->has[RULE_SHAPE] || o->has[RULE_DTYPE] || o->has[RULE_RANGE])
        r->result->value = make_tensor(r);
    else if (r->call->side == LW_API_CONSTRUCT && makes_object(r->call->api))
        r->result->value = make_object(r);
    else
        return;
    r->result->analysed = true;
}

/* ---- Calls ------------------------------------------------------------------------------- */

static void bind_params(struct rule_env *env, const struct lw_api_part *part,
                        const struct lw_value *slots)
{
    for (uint32_t i = 0; i < part->param_count; i++)
        rule_bind(env, part->params[i].name, slots ? slots[i] : lw_v_unknown());
}

static int constant_value(struct run *r)
{
    const struct rule_expr *e;
    int rc = rule_parse(r->call->arena, r->call->api->value, &e, r->err);
    if (rc < 0)
        return rc == LW_ENOMEM ? rc : 0;
    r->result->value = rule_eval(&r->env, e);
    r->result->analysed = true;
    return 0;
}

static int evaluate(struct run *r)
{
    const struct lw_api *api = r->call->api;
    if (r->call->side == LW_API_CALL)
        bind_params(&r->env, &api->side[LW_API_CONSTRUCT], r->call->config);
    bind_params(&r->env, &api->side[r->call->side], r->result->bound.slots);
    if (api->value.n)
        return constant_value(r);
    int rc = check_devices(r);
    if (rc == 0)
        rc = run_part(r, api->side[r->call->side].rules);
    if (rc == 0)
        make_result(r);
    return rc;
}

int lw_api_call(struct lw_apis *apis, const struct lw_api_call *call,
                struct lw_api_result *result, struct lw_err *err)
{
    int rc = lw_api_bind(apis, call, result, err);
    if (rc < 0)
        return rc;
    if (apis->depth >= 4) /* wrappers of wrappers of layers */
        return 0;
    struct rule_name names[RULE_MAX_NAMES]; /* not cleared: few are used */
    struct run r = {.apis = apis,
                    .call = call,
                    .result = result,
                    .err = err,
                    .env = {.apis = apis,
                            .dims = apis->dims,
                            .arena = call->arena,
                            .framework = call->api->framework,
                            .line = call->line,
                            .names = names,
                            .plain = call->plain,
                            .engine = call->engine}};
    apis->depth++;
    rc = evaluate(&r);
    apis->depth--;
    for (size_t i = 0; rc == 0 && i < r.env.inner_count; i++) {
        struct lw_problem p = r.env.inner[i]; /* of the wrapped layer: the call is to blame */
        p.param = p.arg = p.other_arg = -1;
        rc = api_problem(call, result, &p);
    }
    return rc;
}

int lw_api_operator(struct lw_apis *apis, struct lw_str op, struct lw_value left,
                    struct lw_value right, const struct lw_api_call *where,
                    struct lw_api_result *result, struct lw_err *err)
{
    static const struct {
        const char *op, *binary, *unary;
    } table[] = {
        {"+", "operator.add", "operator.pos"},
        {"-", "operator.sub", "operator.neg"},
        {"*", "operator.mul", NULL},
        {"/", "operator.truediv", NULL},
        {"//", "operator.floordiv", NULL},
        {"%", "operator.mod", NULL},
        {"**", "operator.pow", NULL},
        {"@", "operator.matmul", NULL},
        {"<", "operator.lt", NULL},
        {"<=", "operator.lt", NULL},
        {">", "operator.lt", NULL},
        {">=", "operator.lt", NULL},
        {"==", "operator.eq", NULL},
        {"!=", "operator.eq", NULL},
        {"&", "operator.and", NULL},
        {"|", "operator.and", NULL},
        {"^", "operator.and", NULL},
        {"~", NULL, "operator.invert"},
        {"<<", "operator.shift", NULL},
        {">>", "operator.shift", NULL},
    };
    memset(result, 0, sizeof *result);
    bool unary = right.kind == LW_V_ABSENT;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *name = unary ? table[i].unary : table[i].binary;
        if (!lw_str_eq(op, lw_str(table[i].op)) || !name)
            continue;
        struct lw_arg args[2] = {{.value = left}, {.value = right}};
        struct lw_api_call call = *where;
        call.api = lw_api_find(apis, lw_str(name), NULL);
        call.side = LW_API_CONSTRUCT;
        call.args = args;
        call.arg_count = unary ? 1 : 2;
        return call.api ? lw_api_call(apis, &call, result, err) : 0;
    }
    return 0;
}
