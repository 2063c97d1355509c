/* Arguments to parameters, with what is certainly wrong about them. */
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/api_internal.h"

int api_problem(const struct lw_api_call *call, struct lw_api_result *result,
                const struct lw_problem *problem)
{
    size_t n = result->problem_count;
    if ((n & (n - 1)) == 0) { /* grows at powers of two */
        struct lw_problem *more = lw_arena_array(call->arena, n ? 2 * n : 1, sizeof *more);
        if (!more)
            return LW_ENOMEM;
        if (n)
            memcpy(more, result->problems, n * sizeof *more);
        result->problems = more;
    }
    result->problems[result->problem_count++] = *problem;
    return 0;
}

struct binding {
    struct lw_apis *apis;
    const struct lw_api_call *call;
    const struct lw_api_part *part;
    struct lw_api_result *result;
    struct lw_value *slots;
    int *from;
    bool incomplete;
    int rc;
};

static void report(struct binding *b, const char *rule, enum lw_severity severity, int param,
                   int arg, struct lw_str message)
{
    struct lw_problem p = {.rule = lw_str(rule),
                           .severity = severity,
                           .message = message,
                           .param = param,
                           .arg = arg,
                           .other_arg = -1};
    if (!message.p || api_problem(b->call, b->result, &p) < 0)
        b->rc = LW_ENOMEM;
}

/* "torch.nn.Linear" -> "Linear" */
static struct lw_str short_name(struct lw_str name)
{
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    return dot < 0 ? name : lw_str_from(name, (size_t)dot + 1);
}

static int next_positional(const struct binding *b, int slot)
{
    int n = (int)b->part->param_count;
    while (slot < n && (b->part->params[slot].keyword_only || b->part->params[slot].keywords))
        slot++;
    return slot < n ? slot : -1;
}

/* The arguments from `first` on as a list, for *args. */
static void bind_rest(struct binding *b, int slot, size_t first)
{
    const struct lw_api_call *call = b->call;
    struct lw_value *items = lw_arena_array(call->arena, call->arg_count, sizeof *items);
    size_t n = 0;
    bool open = false;
    if (!items) {
        b->rc = LW_ENOMEM;
        return;
    }
    for (size_t i = first; i < call->arg_count; i++) {
        if (call->args[i].name.n)
            continue;
        if (call->args[i].star)
            open = true;
        else
            items[n++] = call->args[i].value;
    }
    b->slots[slot] = lw_v_seq(LW_V_TUPLE, items, n);
    b->slots[slot].seq.open = open;
    b->from[slot] = n || open ? (int)first : -1;
}

static void bind_positional(struct binding *b)
{
    const struct lw_api_call *call = b->call;
    int slot = next_positional(b, 0);
    size_t given = 0, taken = 0;
    for (size_t i = 0; i < call->arg_count; i++) {
        const struct lw_arg *a = &call->args[i];
        if (a->name.n)
            continue;
        given++;
        if (slot >= 0 && b->part->params[slot].variadic) {
            bind_rest(b, slot, i);
            return;
        }
        if (a->star) { /* how many there are is not known */
            b->incomplete = true;
            return;
        }
        if (slot < 0) {
            if (given > taken && !b->incomplete)
                report(b, "api/too-many-arguments", LW_SEV_ERROR, -1, (int)i,
                       lw_arena_printf(
                           call->arena, "%.*s takes %zu positional argument%s, but gets more",
                           LW_F(short_name(call->api->name)), taken, taken == 1 ? "" : "s"));
            return;
        }
        b->slots[slot] = a->value;
        b->from[slot] = (int)i;
        taken++;
        slot = next_positional(b, slot + 1);
    }
    if (slot >= 0 && b->part->params[slot].variadic)
        bind_rest(b, slot, call->arg_count);
}

/* Of the problem reported last. */
static void set_meant(struct binding *b, struct lw_str meant)
{
    if (b->result->problem_count)
        b->result->problems[b->result->problem_count - 1].meant = meant;
}

/* The parameter of that spelling, old ones too; -1: none. */
static int param_named(const struct binding *b, struct lw_str name,
                       const struct lw_api_old **old)
{
    *old = NULL;
    for (uint32_t i = 0; i < b->part->param_count; i++) {
        const struct lw_api_param *p = &b->part->params[i];
        if (!p->keywords && lw_str_eq(p->name, name))
            return (int)i;
        for (uint32_t k = 0; k < p->old_count; k++) {
            if (lw_str_eq(p->old[k].name, name)) {
                *old = &p->old[k];
                return (int)i;
            }
        }
    }
    return -1;
}

static bool takes_keywords(const struct binding *b)
{
    for (uint32_t i = 0; i < b->part->param_count; i++)
        if (b->part->params[i].keywords)
            return true;
    return false;
}

static struct lw_str nearest_param(const struct binding *b, struct lw_str name)
{
    struct lw_str best = {NULL, 0};
    size_t limit = lw_str_typo_limit(name), best_distance = limit + 1;
    for (uint32_t i = 0; i < b->part->param_count; i++) {
        size_t d = lw_str_distance(name, b->part->params[i].name, limit);
        if (d < best_distance) {
            best_distance = d;
            best = b->part->params[i].name;
        }
    }
    return best;
}

static void unknown_keyword(struct binding *b, int arg)
{
    struct lw_str name = b->call->args[arg].name, near = nearest_param(b, name);
    struct lw_arena *arena = b->call->arena;
    struct lw_str who = short_name(b->call->api->name);
    report(b, "api/unknown-argument", LW_SEV_ERROR, -1, arg,
           near.n
               ? lw_arena_printf(arena, "%.*s has no argument '%.*s'; did you mean '%.*s'?",
                                 LW_F(who), LW_F(name), LW_F(near))
               : lw_arena_printf(arena, "%.*s has no argument '%.*s'", LW_F(who), LW_F(name)));
    set_meant(b, near);
}

static bool is_given(const struct binding *b, struct lw_str param)
{
    for (uint32_t i = 0; i < b->part->param_count; i++)
        if (lw_str_eq(b->part->params[i].name, param))
            return b->from[i] >= 0;
    for (size_t i = 0; i < b->call->arg_count; i++)
        if (lw_str_eq(b->call->args[i].name, param))
            return true;
    return false;
}

/* A keyword that goes to **kwargs and is one letter away from a parameter that nobody gives. */
static void strange_keyword(struct binding *b, int arg)
{
    struct lw_str name = b->call->args[arg].name, near = nearest_param(b, name);
    if (!near.n || name.n < 4 || lw_str_distance(name, near, 2) != 1 || is_given(b, near))
        return;
    char last = name.p[name.n - 1];
    if (last >= '0' && last <= '9')
        return;
    report(b, "api/unknown-argument", LW_SEV_WARNING, -1, arg,
           lw_arena_printf(b->call->arena, "%.*s has no argument '%.*s'; did you mean '%.*s'?",
                           LW_F(short_name(b->call->api->name)), LW_F(name), LW_F(near)));
}

/* Arguments that did not only get another name: the same value means something else. */
static const char *changed_meaning(struct lw_str old)
{
    static const char *const changes[][2] = {
        {"consume_less", ", as a number: 0 for 'cpu', 1 for 'mem', 2 for 'gpu'"},
        {"dim_ordering", ", with 'channels_first' for 'th' and 'channels_last' for 'tf'"},
        {"keep_prob", " and is the fraction to drop: write 1 - keep_prob"},
        {"nb_val_samples", " and counts batches, not samples"},
        {"period", " and counts batches, not epochs"},
        {"samples_per_epoch", " and counts batches, not samples"},
        {"val_samples", " and counts batches, not samples"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (lw_str_eq(old, lw_str(changes[i][0])))
            return changes[i][1];
    return "";
}

/* What does the work of an argument that is gone. */
static const char *successor(struct lw_str old)
{
    static const char *const names[][2] = {
        {"decay", "; use a schedule for the learning rate"},
        {"dim_ordering", "; use data_format, 'channels_first' for 'th'"},
        {"dropout", "; use a Dropout layer"},
        {"every_n_val_epochs", "; use every_n_epochs"},
        {"grayscale", "; use color_mode='grayscale'"},
        {"normed", "; use density"},
        {"period", "; use every_n_epochs"},
        {"volatile", "; use torch.no_grad()"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lw_str_eq(old, lw_str(names[i][0])))
            return names[i][1];
    return "";
}

static void renamed_keyword(struct binding *b, int arg, int slot, const struct lw_api_old *old)
{
    struct lw_arena *arena = b->call->arena;
    const struct lw_api *api = b->call->api;
    struct lw_str version = old->removed.n ? old->removed : old->deprecated;
    if (!version.n)
        return; /* an accepted second name */
    report(b, "api/renamed-argument", LW_SEV_NOTE, slot, arg,
           lw_arena_printf(
               arena, "argument '%.*s' of %.*s was renamed to '%.*s' in %.*s %.*s%s",
               LW_F(old->name), LW_F(short_name(api->name)), LW_F(b->part->params[slot].name),
               LW_F(api->package), LW_F(version), changed_meaning(old->name)));
    set_meant(b, b->part->params[slot].name);
}

/* x.permute(dims=(0, 2, 1)): what is meant for *dims stands in it alone. */
static void bind_keyword(struct binding *b, int slot, int arg)
{
    const struct lw_api_param *p = &b->part->params[slot];
    b->slots[slot] = b->call->args[arg].value;
    b->from[slot] = arg;
    if (p->variadic) {
        struct lw_value *item = lw_arena_alloc(b->call->arena, sizeof *item);
        if (!item) {
            b->rc = LW_ENOMEM;
            return;
        }
        *item = b->call->args[arg].value;
        b->slots[slot] = lw_v_seq(LW_V_TUPLE, item, 1);
    }
    if (p->removed.n)
        report(b, "api/removed-argument", LW_SEV_NOTE, slot, arg,
               lw_arena_printf(
                   b->call->arena, "argument '%.*s' of %.*s was removed in %.*s %.*s%s",
                   LW_F(p->name), LW_F(short_name(b->call->api->name)),
                   LW_F(b->call->api->package), LW_F(p->removed), successor(p->name)));
}

static void bind_keywords(struct binding *b)
{
    for (size_t i = 0; i < b->call->arg_count; i++) {
        const struct lw_arg *a = &b->call->args[i];
        const struct lw_api_old *old;
        if (!a->name.n)
            continue;
        if (a->star) {
            b->incomplete = true;
            continue;
        }
        int slot = param_named(b, a->name, &old);
        if (slot < 0) {
            if (takes_keywords(b))
                strange_keyword(b, (int)i);
            else
                unknown_keyword(b, (int)i);
            continue;
        }
        if (b->from[slot] >= 0 && !b->part->params[slot].variadic)
            report(b, "api/duplicate-argument", LW_SEV_ERROR, slot, (int)i,
                   lw_arena_printf(b->call->arena, "%.*s gets the argument '%.*s' twice",
                                   LW_F(short_name(b->call->api->name)), LW_F(a->name)));
        if (old)
            renamed_keyword(b, (int)i, slot, old);
        bind_keyword(b, slot, (int)i);
    }
}

static void fill_defaults(struct binding *b)
{
    for (uint32_t i = 0; i < b->part->param_count; i++) {
        const struct lw_api_param *p = &b->part->params[i];
        if (b->from[i] >= 0 || p->variadic)
            continue;
        b->slots[i] = b->incomplete ? lw_v_unknown() : p->initial;
        if (p->keywords)
            b->slots[i] = lw_v_unknown();
        else if (p->required && !b->incomplete)
            report(b, "api/missing-argument", LW_SEV_ERROR, (int)i, -1,
                   lw_arena_printf(b->call->arena, "%.*s needs the argument '%.*s'",
                                   LW_F(short_name(b->call->api->name)), LW_F(p->name)));
    }
}

/* ---- Kinds ------------------------------------------------------------------------------- */

/* What the parameter would have to accept for this value; 0: cannot tell. */
static uint32_t kinds_of(struct lw_value v)
{
    switch (v.kind) {
    case LW_V_NONE: return LW_P_NONE;
    case LW_V_BOOL: return LW_P_BOOL | LW_P_INT | LW_P_FLOAT | LW_P_ARRAY | LW_P_SHAPE;
    case LW_V_INT: return LW_P_INT | LW_P_FLOAT | LW_P_BOOL | LW_P_ARRAY | LW_P_SHAPE;
    case LW_V_FLOAT: return LW_P_FLOAT | LW_P_ARRAY | LW_P_BOOL;
    case LW_V_STR: return LW_P_STR | LW_P_ARRAY | LW_P_DTYPE | LW_P_SEQ;
    case LW_V_TUPLE:
    case LW_V_LIST: return LW_P_SEQ | LW_P_SHAPE | LW_P_ARRAY;
    case LW_V_SHAPE: return LW_P_SEQ | LW_P_SHAPE | LW_P_ARRAY;
    case LW_V_DICT: return LW_P_OBJECT | LW_P_SEQ;
    case LW_V_TENSOR: /* sizes and numbers may be given as tensors of rank 0 or 1 */
        if (lw_shape_has_rank(&v.tensor->shape) && v.tensor->shape.n > 1)
            return LW_P_TENSOR | LW_P_ARRAY | LW_P_SEQ | LW_P_OBJECT;
        return LW_P_TENSOR | LW_P_ARRAY | LW_P_SEQ | LW_P_INT | LW_P_FLOAT | LW_P_SHAPE |
               LW_P_BOOL | LW_P_OBJECT;
    default: return 0;
    }
}

static const char *kind_word(struct lw_value v)
{
    switch (v.kind) {
    case LW_V_NONE: return "None";
    case LW_V_BOOL: return "a bool";
    case LW_V_INT: return "an int";
    case LW_V_FLOAT: return "a float";
    case LW_V_STR: return "a string";
    case LW_V_TUPLE: return "a tuple";
    case LW_V_LIST: return "a list";
    case LW_V_DICT: return "a dict";
    case LW_V_TENSOR:
        return v.tensor->framework == LW_NUMPY   ? "a numpy array"
               : v.tensor->framework == LW_KERAS ? "a symbolic tensor"
                                                 : "a tensor";
    default: return "another object";
    }
}

static const char *wanted_word(uint32_t accepts)
{
    static const struct {
        uint32_t bit;
        const char *word;
    } words[] = {
        {LW_P_TENSOR, "a tensor"},     {LW_P_INT, "an int"},      {LW_P_SHAPE, "a shape"},
        {LW_P_FLOAT, "a number"},      {LW_P_BOOL, "a bool"},     {LW_P_STR, "a string"},
        {LW_P_ARRAY, "an array"},      {LW_P_SEQ, "a sequence"},  {LW_P_DTYPE, "a dtype"},
        {LW_P_CALLABLE, "a function"}, {LW_P_OBJECT, "an object"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (accepts & words[i].bit)
            return words[i].word;
    return "something else";
}

static void wrong_kind(struct binding *b, int slot, const char *rule)
{
    const struct lw_api_param *p = &b->part->params[slot];
    struct lw_value v = b->slots[slot];
    if (b->call->plain)
        v = b->call->plain(b->call->engine, v);
    report(b, rule, LW_SEV_ERROR, slot, b->from[slot],
           lw_arena_printf(b->call->arena, "argument '%.*s' of %.*s should be %s, not %s",
                           LW_F(p->name), LW_F(short_name(b->call->api->name)),
                           wanted_word(p->accepts), kind_word(v)));
}

/* Arrays of one library where another's tensors are wanted. */
static void check_owner(struct binding *b, int slot, const struct lw_tensor *t)
{
    uint32_t fw = b->call->api->framework;
    bool strict = (b->part->params[slot].accepts & LW_P_TENSOR) != 0;
    if (strict && fw == LW_TORCH && !(t->framework & (LW_TORCH | LW_PYTHON)) && t->framework)
        wrong_kind(b, slot, "type/foreign-array");
    if (fw == LW_NUMPY && t->framework == LW_KERAS)
        wrong_kind(b, slot, "type/symbolic-to-numpy");
}

static void check_choice(struct binding *b, int slot, struct lw_str text)
{
    const struct lw_api_param *p = &b->part->params[slot];
    struct lw_str who = short_name(b->call->api->name), near = {NULL, 0};
    if (p->choice_kind.n) {
        if (lw_api_find_choice(b->apis, p->choice_kind, text))
            return;
        struct lw_str prefix = lw_arena_printf(b->call->arena, "@%.*s", LW_F(p->choice_kind));
        near = lw_api_nearest(b->apis, prefix, text);
    } else {
        for (uint32_t i = 0; i < p->choice_count; i++)
            if (lw_str_eq_nocase(p->choices[i], text))
                return;
        size_t limit = lw_str_typo_limit(text);
        for (uint32_t i = 0; i < p->choice_count && !near.n; i++)
            if (lw_str_distance(text, p->choices[i], limit) <= limit)
                near = p->choices[i];
    }
    struct lw_arena *arena = b->call->arena;
    report(b, "api/unknown-choice", LW_SEV_ERROR, slot, b->from[slot],
           near.n ? lw_arena_printf(
                        arena, "unknown value '%.*s' for '%.*s' of %.*s; did you mean '%.*s'?",
                        LW_F(text), LW_F(p->name), LW_F(who), LW_F(near))
                  : lw_arena_printf(arena, "unknown value '%.*s' for '%.*s' of %.*s",
                                    LW_F(text), LW_F(p->name), LW_F(who)));
    set_meant(b, near);
}

/* (16 / 4, 8): sizes are whole numbers. */
static bool has_float(struct lw_value v)
{
    for (uint32_t i = 0; lw_v_is_seq(v) && i < v.seq.n; i++)
        if (v.seq.items[i].kind == LW_V_FLOAT)
            return true;
    return false;
}

static void check_sizes(struct binding *b, int slot, struct lw_value v)
{
    const struct lw_api_param *p = &b->part->params[slot];
    bool sizes = (p->accepts & LW_P_SHAPE) != 0 || lw_str_eq(p->name, LW_S("size")) ||
                 lw_str_eq(p->name, LW_S("shape"));
    bool fills = lw_str_eq(p->name, LW_S("size")) && p->variadic; /* torch.zeros((2.0, 3)) */
    if (!(p->accepts & (LW_P_FLOAT | LW_P_ANY)) && sizes &&
        (has_float(v) || (fills && v.seq.n == 1 && has_float(v.seq.items[0]))))
        report(b, "type/float-size", LW_SEV_ERROR, slot, b->from[slot],
               lw_arena_printf(b->call->arena,
                               "'%.*s' of %.*s contains a float; use // instead of /, "
                               "or int()",
                               LW_F(p->name), LW_F(short_name(b->call->api->name))));
}

static void check_kind(struct binding *b, int slot)
{
    const struct lw_api_param *p = &b->part->params[slot];
    struct lw_value v = b->slots[slot];
    if (v.kind >= LW_V_OPAQUE && b->call->plain)
        v = b->call->plain(b->call->engine, v);
    if (b->from[slot] >= 0)
        check_sizes(b, slot, v);
    if (b->from[slot] >= 0 && v.kind == LW_V_INT && lw_str_eq(p->name, LW_S("dtype"))) {
        report(b, "type/argument-kind", LW_SEV_ERROR, slot, b->from[slot],
               lw_arena_printf(b->call->arena,
                               "argument 'dtype' of %.*s is a number; pass several sizes as "
                               "one tuple",
                               LW_F(short_name(b->call->api->name))));
        return;
    }
    if (b->from[slot] < 0 || p->variadic || p->keywords)
        return;
    if (v.kind == LW_V_STR && v.str.p && (p->choices || p->choice_kind.n) &&
        !(p->accepts & LW_P_STR)) {
        check_choice(b, slot, v.str);
        return;
    }
    if (v.kind == LW_V_TENSOR)
        check_owner(b, slot, v.tensor);
    uint32_t kinds = kinds_of(v);
    if (!p->accepts || (p->accepts & LW_P_ANY) || p->choice_kind.n || !kinds ||
        (kinds & p->accepts))
        return;
    if (v.kind == LW_V_FLOAT && v.interval.lo == v.interval.hi &&
        v.interval.lo == floor(v.interval.lo) && b->call->api->framework != LW_TORCH)
        return; /* 64.0 where 64 is meant: many libraries take it */
    if (p->accepts == LW_P_TENSOR && b->call->api->framework != LW_TORCH &&
        v.kind != LW_V_STR && v.kind != LW_V_NONE)
        return;
    wrong_kind(b, slot, "type/argument-kind");
}

int lw_api_bind(struct lw_apis *apis, const struct lw_api_call *call,
                struct lw_api_result *result, struct lw_err *err)
{
    struct binding b = {
        .apis = apis, .call = call, .part = &call->api->side[call->side], .result = result};
    memset(result, 0, sizeof *result);
    uint32_t n = b.part->param_count;
    b.slots = lw_arena_array(call->arena, n, sizeof *b.slots);
    b.from = lw_arena_array(call->arena, n, sizeof *b.from);
    if (!b.slots || !b.from)
        return lw_err_nomem(err);
    for (uint32_t i = 0; i < n; i++)
        b.from[i] = -1;
    if (b.part->present) {
        bind_positional(&b);
        bind_keywords(&b);
        fill_defaults(&b);
        for (uint32_t i = 0; i < n; i++)
            check_kind(&b, (int)i);
    }
    result->bound = (struct lw_bound){b.slots, b.from, n, b.incomplete};
    return b.rc < 0 ? lw_err_nomem(err) : 0;
}
