/* Where ways of the program meet: are values the same, and one value for what each way left. */
#include "base/str.h"
#include "check/engine/engine.h"

/* ---- the same -----------------------------------------------------------------------------
 */

enum { SAME_LOOKS = 4096 }; /* values that are compared before two count as different */

static bool same_at(struct lw_value a, struct lw_value b, unsigned *looks);

static bool same_items(struct lw_seq a, struct lw_seq b, unsigned *looks)
{
    if (a.n != b.n || a.open != b.open)
        return false;
    for (uint32_t i = 0; i < a.n && a.items != b.items; i++)
        if (!same_at(a.items[i], b.items[i], looks))
            return false;
    return true;
}

/* Tuples of tuples may be as large as two to the number of statements: the looks are counted,
 * and with them the depth. */
static bool same_at(struct lw_value a, struct lw_value b, unsigned *looks)
{
    if (a.kind != b.kind || *looks == 0)
        return false;
    --*looks;
    switch ((int)a.kind) {
    case LW_V_BOOL: return a.tri == b.tri;
    case LW_V_INT: return a.dim == b.dim && a.dim != LW_DIM_UNKNOWN;
    case LW_V_FLOAT:
        return a.interval.lo == b.interval.lo && a.interval.hi == b.interval.hi &&
               a.interval.flags == b.interval.flags;
    case LW_V_STR: return a.str.p && b.str.p && lw_str_eq(a.str, b.str);
    case LW_V_TUPLE:
    case LW_V_LIST:
    case LW_V_SLICE: return same_items(a.seq, b.seq, looks);
    case LW_V_DTYPE: return a.dtypes == b.dtypes;
    case LW_V_DEVICE: return a.device == b.device;
    case LW_V_TENSOR:
        return a.tensor == b.tensor || (a.tensor->id && a.tensor->id == b.tensor->id);
    case LW_V_SHAPE: return a.shape == b.shape;
    case LW_V_DICT: return a.dict == b.dict;
    case LW_V_UNKNOWN:
    case LW_V_ABSENT:
    case LW_V_NONE:
    case LW_V_ELLIPSIS: return true;
    default: return a.opaque == b.opaque;
    }
}

bool ck_same(struct lw_value a, struct lw_value b)
{
    unsigned looks = SAME_LOOKS;
    return same_at(a, b, &looks);
}

/* ---- joining ------------------------------------------------------------------------------
 */

static struct lw_value join_items(struct ck *c, struct lw_value a, struct lw_value b)
{
    struct lw_seq s = a.seq, t = b.seq;
    struct lw_value out = {.kind = a.kind, .line = a.line};
    if (s.n == t.n && !s.open && !t.open) {
        struct lw_value *items = ck_values(c, s.n);
        if (!items)
            return lw_v_unknown();
        for (uint32_t i = 0; i < s.n; i++)
            items[i] = ck_join(c, s.items[i], t.items[i]);
        out.seq = (struct lw_seq){.items = items, .n = s.n};
        return out;
    }
    struct lw_value any = s.n == 0 ? ck_join_items(c, t) : ck_join_items(c, s);
    if (s.n && t.n)
        any = ck_join(c, any, ck_join_items(c, t));
    struct lw_value *one = ck_values(c, 1);
    if (!one)
        return lw_v_unknown();
    *one = any;
    out.seq = (struct lw_seq){.items = one, .n = s.n || t.n ? 1 : 0, .open = true};
    return out;
}

bool ck_is_vague(struct ck *c, struct lw_value key)
{
    return ck_equal(c, key, key) != LW_TRI_YES;
}

/* The value of the very key, whatever stands behind it. */
static bool find_pair(struct ck *c, const struct lw_dict *d, struct lw_value key,
                      struct lw_value *out)
{
    for (uint32_t i = d->n; i-- > 0;)
        if (ck_equal(c, d->keys[i], key) == LW_TRI_YES) {
            *out = d->values[i];
            return true;
        }
    return false;
}

/* The pairs of both; those whose key is not known are one pair behind the others, because what
 * stands before it may have been overwritten. */
static void join_pairs(struct ck *c, struct lw_value a, struct lw_value b, struct lw_dict *d,
                       struct lw_value *keys, struct lw_value *values)
{
    const struct lw_dict *x = a.dict, *y = b.dict;
    struct lw_value vague = lw_v_absent(), other;
    bool many = false;
    for (uint32_t i = 0; i < y->n; i++) {
        if (ck_is_vague(c, y->keys[i]))
            vague = ck_join(c, vague, y->values[i]);
        else if (!find_pair(c, x, y->keys[i], &other)) {
            many |= x->n + d->n >= CK_MAX_ITEMS;
            if (many)
                continue;
            keys[x->n + d->n] = y->keys[i];
            values[x->n + d->n++] = y->values[i];
        }
    }
    uint32_t extra = d->n;
    d->n = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        if (vague.kind != LW_V_ABSENT && ck_is_vague(c, x->keys[i])) {
            vague = ck_join(c, vague, x->values[i]);
            continue;
        }
        keys[d->n] = x->keys[i];
        bool both = find_pair(c, y, x->keys[i], &other);
        values[d->n++] = both ? ck_join(c, x->values[i], other) : x->values[i];
    }
    for (uint32_t i = 0; i < extra; i++) {
        keys[d->n] = keys[x->n + i];
        values[d->n++] = values[x->n + i];
    }
    if (vague.kind != LW_V_ABSENT) {
        keys[d->n] = lw_v_unknown();
        values[d->n++] = vague;
    }
    d->open = x->open || y->open || x->n != y->n || many;
}

static struct lw_value join_dicts(struct ck *c, struct lw_value a, struct lw_value b)
{
    struct lw_dict *d = lw_arena_alloc(c->arena, sizeof *d);
    size_t room = (size_t)a.dict->n + b.dict->n + 1;
    struct lw_value *keys = ck_values(c, room), *values = ck_values(c, room);
    if (!d || !keys || !values)
        return lw_v_unknown();
    c->steps += room / 8; /* large ones cost more than a step */
    join_pairs(c, a, b, d, keys, values);
    d->keys = keys;
    d->values = values;
    return (struct lw_value){.kind = LW_V_DICT, .line = a.line, .dict = d};
}

static struct lw_value join_tensors(struct ck *c, struct lw_value a, struct lw_value b)
{
    struct lw_tensor t = c->widening ? lw_tensor_widen(c->dims, a.tensor, b.tensor)
                                     : lw_tensor_join(c->dims, a.tensor, b.tensor);
    t.id = 0;
    struct lw_value v = ck_tensor(c, &t);
    const struct ck_origin *x = ck_origin_of(c, a), *y = ck_origin_of(c, b);
    if (x && y && lw_str_eq(x->op, y->op))
        v = ck_originate(c, v, x);
    if (c->ways.live)
        ways_join_tensors(c, a, b, v);
    return v;
}

static bool alike(struct ck *c, struct lw_value a, struct lw_value b, unsigned depth);

/* Has `y` what `x` has? */
static bool alike_traits(struct ck *c, const struct ck_object *x, const struct ck_object *y,
                         unsigned depth)
{
    for (const struct ck_slot *s = x->traits; s; s = s->next)
        if (!alike(c, s->value, slots_get(y->traits, s->name), depth))
            return false;
    return true;
}

/* Objects that differ in nothing that matters. */
static bool alike(struct ck *c, struct lw_value a, struct lw_value b, unsigned depth)
{
    if (ck_same(a, b) || depth > 4)
        return true;
    if (a.kind != b.kind || !ck_is_object(a))
        return a.kind == b.kind && a.kind == LW_V_TENSOR &&
               lw_shape_eq(c->dims, &a.tensor->shape, &b.tensor->shape) == LW_TRI_YES;
    const struct ck_object *x = ck_object_of(a), *y = ck_object_of(b);
    if (x->of != y->of || x->api != y->api || x->item_count != y->item_count ||
        x->fields.n != y->fields.n || x->kind == CK_FUNCTION || x->kind == CK_CLASS)
        return false;
    for (uint32_t i = 0; i < x->item_count; i++)
        if (!alike(c, x->items[i], y->items[i], depth + 1))
            return false;
    for (struct ck_slot *s = x->fields.first; s; s = s->next) {
        struct ck_slot *t = fields_find(&y->fields, s->name);
        if (!t || !alike(c, s->value, t->value, depth + 1))
            return false;
    }
    if (!alike_traits(c, x, y, depth + 1) || !alike_traits(c, y, x, depth + 1))
        return false;
    struct lw_value u = x->contents.value, v = y->contents.value;
    if (u.kind != v.kind || u.kind == LW_V_DICT)
        return u.kind == v.kind && u.dict == v.dict;
    if (u.kind != LW_V_LIST)
        return true;
    if (u.seq.n != v.seq.n || u.seq.open != v.seq.open)
        return false;
    for (uint32_t i = 0; i < u.seq.n; i++)
        if (!alike(c, u.seq.items[i], v.seq.items[i], depth + 1))
            return false;
    return true;
}

/* The joined list or dict stands where one of the two was made, perhaps in another file. */
static struct lw_value made_as(struct lw_value v, const struct ck_object *x)
{
    struct ck_object *o = ck_object_of(v);
    if (o) {
        o->file = x->file;
        o->place = x->place;
    }
    return v;
}

static struct lw_value join_objects(struct ck *c, struct lw_value a, struct lw_value b)
{
    const struct ck_object *x = ck_object_of(a), *y = ck_object_of(b);
    if ((a.kind == CK_LIST || a.kind == CK_SET) && x->contents.value.kind == LW_V_LIST &&
        y->contents.value.kind == LW_V_LIST) {
        struct lw_value v = join_items(c, x->contents.value, y->contents.value);
        return v.kind == LW_V_LIST
                   ? made_as(ck_new_list(c, (enum ck_kind)a.kind, v.seq, x->node), x)
                   : v;
    }
    if (a.kind == CK_DICT && x->contents.value.kind == LW_V_DICT &&
        y->contents.value.kind == LW_V_DICT) {
        struct lw_value v = join_dicts(c, x->contents.value, y->contents.value);
        return v.kind == LW_V_DICT ? made_as(ck_new_dict(c, v.dict, x->node), x) : v;
    }
    return a.kind == CK_INSTANCE && alike(c, a, b, 0) ? a : lw_v_unknown();
}

static struct lw_value join_inside(struct ck *c, struct lw_value a, struct lw_value b);

struct lw_value ck_join(struct ck *c, struct lw_value a, struct lw_value b)
{
    /* Fewer looks further inside, where the same values come by again and again. */
    unsigned looks = SAME_LOOKS >> (c->join_depth < 8 ? c->join_depth : 8);
    if (same_at(a, b, &looks))
        return a;
    bool deep = a.kind == b.kind && (a.kind == LW_V_TUPLE || a.kind == LW_V_LIST ||
                                     a.kind == LW_V_DICT || ck_is_object(a));
    if (!deep)
        return join_inside(c, a, b);
    /* Lists may hold themselves, and tuples of tuples be larger than anything that was run. */
    if (c->join_depth >= CK_MAX_JOIN || !ck_step(c))
        return lw_v_unknown();
    c->join_depth++;
    struct lw_value v = join_inside(c, a, b);
    c->join_depth--;
    return v;
}

/* Whole numbers of known ends: what may be either lies between them. */
static lw_dim join_dims(struct ck *c, lw_dim a, lw_dim b)
{
    int64_t low[2], high[2];
    lw_dim d = lw_dim_join(c->dims, a, b);
    if (d != LW_DIM_UNKNOWN || a == LW_DIM_UNKNOWN || b == LW_DIM_UNKNOWN)
        return d;
    lw_dim_bounds(c->dims, a, &low[0], &high[0]);
    lw_dim_bounds(c->dims, b, &low[1], &high[1]);
    int64_t least = low[0] < low[1] ? low[0] : low[1];
    int64_t most = high[0] > high[1] ? high[0] : high[1];
    bool moves = low[0] != low[1] || high[0] != high[1];
    if (least <= LW_DIM_LEAST || most >= LW_DIM_MOST || (c->widening && moves))
        return d;
    return lw_dim_symbol(c->dims, LW_S("either"), least, most);
}

static struct lw_value join_inside(struct ck *c, struct lw_value a, struct lw_value b)
{
    if (a.kind == LW_V_ABSENT || b.kind == LW_V_ABSENT)
        return a.kind == LW_V_ABSENT ? b : a;
    if (a.kind != b.kind)
        return lw_v_unknown();
    struct lw_value v = {.kind = a.kind, .line = a.line};
    switch ((int)a.kind) {
    case LW_V_BOOL: v.tri = LW_TRI_MAYBE; return v;
    case LW_V_INT: v.dim = join_dims(c, a.dim, b.dim); return v;
    case LW_V_FLOAT:
        v.interval = c->widening ? lw_iv_widen(a.interval, b.interval)
                                 : lw_iv_join(a.interval, b.interval);
        return v;
    case LW_V_STR: v.str = (struct lw_str){0}; return v;
    case LW_V_TUPLE:
    case LW_V_LIST: return join_items(c, a, b);
    case LW_V_DICT: return join_dicts(c, a, b);
    case LW_V_TENSOR: return join_tensors(c, a, b);
    case LW_V_SHAPE: {
        struct lw_shape s = lw_shape_join(c->dims, a.shape, b.shape);
        return lw_v_shape(c->arena, &s);
    }
    case LW_V_DTYPE: v.dtypes = a.dtypes | b.dtypes; return v;
    case LW_V_DEVICE: /* cuda or cpu: the program chooses */
        v.device = a.device == LW_DEVICE_UNKNOWN || b.device == LW_DEVICE_UNKNOWN
                       ? LW_DEVICE_UNKNOWN
                       : LW_CHOSEN_DEVICE;
        return v;
    default: return ck_is_object(a) ? join_objects(c, a, b) : lw_v_unknown();
    }
}

struct lw_value ck_join_slot(void *c, struct lw_value a, struct lw_value b)
{
    return ck_join(c, a, b);
}
