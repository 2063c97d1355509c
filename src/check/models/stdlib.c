/* Python's library: numbers, chance, copies, and the containers that replay buffers, shuffled
 * lists and rows with names are made of. */
#include <math.h>

#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/traits.h"
#include "check/models/models.h"

/* ---- math ---------------------------------------------------------------------------------
 */

/* math.f(x) of a known number. */
static void math_of(struct ck *c, const struct ck_call *call, struct lw_value *value,
                    double (*f)(double), bool whole)
{
    double x;
    if (!ck_number_of(c, ck_arg(call, 0, NULL), &x)) {
        *value = whole ? lw_v_dim(LW_DIM_UNKNOWN) : lw_v_interval(lw_iv_unknown());
        return;
    }
    double y = f(x);
    *value = whole && fabs(y) < 9e15 ? ck_int(c, (int64_t)y) : lw_v_float(y);
}

#define MATH(name, fn, whole)                                                                 \
    static void math_##name(struct ck *c, const struct ck_call *call, struct lw_value *value) \
    {                                                                                         \
        math_of(c, call, value, fn, whole);                                                   \
    }
MATH(sqrt, sqrt, false)
MATH(log, log, false)
MATH(log2, log2, false)
MATH(exp, exp, false)
MATH(floor, floor, true)
MATH(ceil, ceil, true)

/* ---- random -------------------------------------------------------------------------------
 */

static void random_int(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    int64_t least = LW_DIM_LEAST, most = LW_DIM_MOST;
    ck_int_of(c, ck_arg(call, 0, "a"), &least);
    ck_int_of(c, ck_arg(call, 1, "b"), &most);
    *value = lw_v_dim(lw_dim_symbol(c->dims, LW_S("random"), least, most));
}

static void random_choice(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = ck_join_items(c, ck_iterate(c, ck_arg(call, 0, NULL), call->node));
}

static void random_float(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    double lo = 0, hi = 1;
    struct lw_value a = ck_arg(call, 0, "a"), b = ck_arg(call, 1, "b");
    *value = lw_v_interval(lw_iv_unknown());
    if ((a.kind != LW_V_ABSENT && !ck_number_of(c, a, &lo)) ||
        (b.kind != LW_V_ABSENT && !ck_number_of(c, b, &hi)))
        return;
    *value = lw_v_interval(lw_iv_between(lo < hi ? lo : hi, lo < hi ? hi : lo));
}

/* `count` items of what a sequence holds, in any order. */
static struct lw_value draw(struct ck *c, struct lw_value from, struct lw_value count,
                            uint32_t node)
{
    struct lw_seq drawn = {.n = 1, .open = true};
    struct lw_value any = ck_join_items(c, ck_iterate(c, from, node));
    int64_t n;
    if (ck_int_of(c, count, &n) && n >= 0 && n <= CK_MAX_ITEMS)
        drawn = (struct lw_seq){.n = (uint32_t)n};
    struct lw_value *items = ck_values(c, drawn.n ? drawn.n : 1);
    if (!items)
        return lw_v_unknown();
    for (uint32_t i = 0; i < drawn.n; i++)
        items[i] = any;
    drawn.items = items;
    if (drawn.open && count.kind == LW_V_INT)
        drawn.length = count.dim;
    return ck_new_list(c, CK_LIST, drawn, node);
}

static void random_sample(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = draw(c, ck_arg(call, 0, "population"), ck_arg(call, 1, "k"), call->node);
}

static void random_choices(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value count = ck_arg(call, SIZE_MAX, "k");
    *value = draw(c, ck_arg(call, 0, "population"),
                  count.kind == LW_V_ABSENT ? ck_int(c, 1) : count, call->node);
}

static void random_range(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    int64_t least = 0, most = LW_DIM_MOST;
    struct lw_value end = ck_arg(call, 1, "stop");
    if (end.kind == LW_V_ABSENT)
        end = ck_arg(call, 0, "start");
    else if (!ck_int_of(c, ck_arg(call, 0, "start"), &least))
        least = LW_DIM_LEAST;
    if (ck_int_of(c, end, &most))
        most--;
    if (least > most)
        return;
    *value = lw_v_dim(lw_dim_symbol(c->dims, LW_S("random"), least, most));
}

/* ---- containers ---------------------------------------------------------------------------
 */

/* A list; one with a largest length forgets its first items. */
static void deque(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value from = ck_arg(call, 0, "iterable"), most = ck_arg(call, 1, "maxlen");
    struct lw_seq seq = {0};
    if (from.kind != LW_V_ABSENT && from.kind != LW_V_NONE)
        seq = ck_iterate(c, from, call->node);
    seq.open |= most.kind != LW_V_ABSENT && most.kind != LW_V_NONE;
    *value = ck_new_list(c, CK_LIST, seq, call->node);
}

/* namedtuple('Step', 'state action'), namedtuple('Step', ('state', 'action')): a class whose
 * instances are rows; record.c makes them. */
static void named_tuple(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value names = ck_arg(call, 1, "field_names");
    struct lw_seq seq;
    LW_VEC(struct lw_value) found = {0};
    bool known = names.kind == LW_V_STR && names.str.p;
    struct lw_str text = known ? names.str : LW_S("");
    if (known) {
        for (size_t i = 0, start = 0; i <= text.n; i++)
            if (i == text.n || text.p[i] == ' ' || text.p[i] == ',' || text.p[i] == '\n') {
                struct lw_value name = lw_v_str(lw_str_part(text, start, i - start));
                if (i > start && lw_vec_push(c->mem, &found, name) < 0)
                    known = false;
                start = i + 1;
            }
    } else if (ck_sequence(c, names, &seq) && !seq.open) {
        known = true;
        for (uint32_t i = 0; i < seq.n; i++)
            known &= seq.items[i].kind == LW_V_STR && seq.items[i].str.p &&
                     lw_vec_push(c->mem, &found, seq.items[i]) == 0;
    }
    struct ck_object *cls = known && found.n ? ck_new(c, CK_CLASS, call->node) : NULL;
    if (cls) {
        cls->file = c->frame->file;
        cls->open = true;
        cls->name = LW_S("namedtuple");
        ck_set_trait(c, cls, TRAIT_FIELDS, ck_tuple(c, found.v, found.n));
        *value = ck_value(cls);
    }
    lw_vec_release(c->mem, &found);
}

/* ---- copies, and what passes things on ------------------------------------------------------
 */

static void copy_deep(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value v = ck_arg(call, 0, NULL);
    struct ck_object *o = ck_object_of(v);
    *value = v;
    if (!o || (o->kind != CK_LIST && o->kind != CK_DICT && o->kind != CK_INSTANCE))
        return;
    struct ck_object *copy = ck_copy(c, o);
    if (copy)
        *value = ck_value(copy);
}

/* tqdm(x) and its like. */
static void first_argument(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    (void)c;
    struct lw_value v = ck_arg(call, 0, "iterable");
    *value = v.kind == LW_V_ABSENT ? lw_v_unknown() : v;
}

static void partial(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    (void)c;
    (void)call;
    *value = lw_v_unknown();
}

/* clang-format off */
const struct ck_handler ck_handlers_stdlib[] = {
    {"collections.deque", deque},
    {"collections.namedtuple", named_tuple},
    {"copy.copy", copy_deep},
    {"copy.deepcopy", copy_deep},
    {"functools.partial", partial},
    {"math.ceil", math_ceil},
    {"math.exp", math_exp},
    {"math.floor", math_floor},
    {"math.log", math_log},
    {"math.log2", math_log2},
    {"math.sqrt", math_sqrt},
    {"random.choice", random_choice},
    {"random.choices", random_choices},
    {"random.randint", random_int},
    {"random.random", random_float},
    {"random.randrange", random_range},
    {"random.sample", random_sample},
    {"random.uniform", random_float},
    {"tqdm.auto.tqdm", first_argument},
    {"tqdm.notebook.tqdm", first_argument},
    {"tqdm.tqdm", first_argument},
    {"tqdm.tqdm_notebook", first_argument},
    {NULL, NULL},
};
/* clang-format on */
