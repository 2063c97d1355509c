/* Making values, looking inside, comparing them. */
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/traits.h"

/* ---- making -------------------------------------------------------------------------------
 */

struct ck_object *ck_new(struct ck *c, enum ck_kind kind, uint32_t node)
{
    LW_BUG_ON(kind < CK_LIST || kind > CK_LAZY);
    struct ck_object *o = lw_arena_alloc(c->arena, sizeof *o);
    if (!o) {
        c->stopped = true;
        return NULL;
    }
    o->kind = (uint8_t)kind;
    o->id = ++c->objects;
    o->node = node;
    o->file = c->frame ? c->frame->file : NULL;
    o->place = ck_place(c, node);
    o->contents.id = ++c->heap.slots;
    o->contents.value = lw_v_absent();
    o->self = lw_v_absent();
    return o;
}

struct ck_object *ck_copy(struct ck *c, const struct ck_object *o)
{
    LW_BUG_ON(!o || o->kind < CK_LIST || o->kind > CK_LAZY);
    struct ck_object *copy = ck_new(c, (enum ck_kind)o->kind, o->node);
    if (!copy)
        return NULL;
    uint32_t id = copy->id, contents = copy->contents.id;
    struct ck_fields none = {0};
    *copy = *o;
    copy->id = id;
    copy->contents.id = contents;
    copy->contents.seen = 0;
    copy->fields = none;
    copy->traits = NULL;
    for (const struct ck_slot *s = o->fields.first; s; s = s->next)
        heap_set(&c->heap, fields_put(&c->heap, &copy->fields, s->name), s->value);
    for (const struct ck_slot *s = o->traits; s; s = s->next)
        heap_set(&c->heap, slots_put(&c->heap, &copy->traits, s->name), s->value);
    return copy;
}

struct lw_value ck_value(struct ck_object *o)
{
    if (!o)
        return lw_v_unknown();
    return (struct lw_value){.kind = o->kind, .line = o->place, .opaque = o};
}

struct lw_value *ck_values(struct ck *c, size_t n)
{
    struct lw_value *v = lw_arena_array(c->arena, n ? n : 1, sizeof *v);
    if (!v)
        c->stopped = true;
    return v;
}

struct lw_str ck_text(struct ck *c, const char *fmt, ...)
{
    char text[2048];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    struct lw_str s = lw_arena_copy(c->arena, lw_str_n(text, length));
    return s.p ? s : LW_S("");
}

struct lw_value ck_int(struct ck *c, int64_t n)
{
    return lw_v_dim(lw_dim_big(c->dims, n));
}

bool ck_int_of(struct ck *c, struct lw_value v, int64_t *n)
{
    if (v.kind == LW_V_INT)
        return lw_dim_is_int(c->dims, v.dim, n);
    if (v.kind == LW_V_BOOL && v.tri != LW_TRI_MAYBE) {
        *n = v.tri == LW_TRI_YES;
        return true;
    }
    return false;
}

bool ck_number_of(struct ck *c, struct lw_value v, double *x)
{
    int64_t n;
    if (ck_int_of(c, v, &n)) {
        *x = (double)n;
        return true;
    }
    if (v.kind == LW_V_FLOAT && lw_iv_is_number(v.interval)) {
        *x = v.interval.lo;
        return true;
    }
    return false;
}

struct lw_value ck_make_seq(struct ck *c, enum lw_value_kind kind, const struct lw_value *items,
                            size_t n, bool open)
{
    struct lw_value *copy = ck_values(c, n);
    if (!copy)
        return lw_v_unknown();
    if (n)
        memcpy(copy, items, n * sizeof *copy);
    struct lw_value v = lw_v_seq(kind, copy, n);
    v.seq.open = open;
    return v;
}

struct lw_value ck_tuple(struct ck *c, const struct lw_value *items, size_t n)
{
    return ck_make_seq(c, LW_V_TUPLE, items, n, false);
}

/* Long sequences are one item that stands for all. */
static struct lw_seq shorten(struct ck *c, struct lw_seq seq)
{
    if (seq.n <= CK_MAX_ITEMS)
        return seq;
    struct lw_value *one = ck_values(c, 1);
    lw_dim length = seq.open ? LW_DIM_UNKNOWN : lw_dim_int((int32_t)seq.n);
    if (!one)
        return (struct lw_seq){.open = true};
    *one = ck_join_items(c, seq);
    return (struct lw_seq){.items = one, .n = 1, .open = true, .length = length};
}

struct lw_value ck_new_list(struct ck *c, enum ck_kind kind, struct lw_seq seq, uint32_t node)
{
    struct ck_object *o = ck_new(c, kind, node);
    if (!o)
        return lw_v_unknown();
    o->contents.value = (struct lw_value){.kind = LW_V_LIST, .seq = shorten(c, seq)};
    return ck_value(o);
}

struct lw_value ck_new_dict(struct ck *c, const struct lw_dict *dict, uint32_t node)
{
    struct ck_object *o = ck_new(c, CK_DICT, node);
    if (!o)
        return lw_v_unknown();
    static const struct lw_dict empty;
    o->contents.value = (struct lw_value){.kind = LW_V_DICT, .dict = dict ? dict : &empty};
    return ck_value(o);
}

struct lw_value ck_new_name(struct ck *c, struct lw_str dotted)
{
    struct lw_map_entry *e = lw_map_find(&c->library, dotted);
    if (e)
        return ck_value((struct ck_object *)(uintptr_t)e->value);
    struct ck_object *o = ck_new(c, CK_NAME, LW_NO_NODE);
    struct lw_api_use *use = lw_arena_alloc(c->arena, sizeof *use);
    struct lw_str copy = lw_arena_copy(c->arena, dotted);
    if (!o || !use || !copy.p)
        return lw_v_unknown();
    o->place = 0;
    o->name = copy;
    o->api = lw_api_find(c->apis, copy, use);
    o->use = use;
    e = lw_map_put(&c->library, copy, NULL);
    if (e)
        e->value = (uintptr_t)o;
    return ck_value(o);
}

struct lw_value ck_tensor(struct ck *c, const struct lw_tensor *t)
{
    return lw_v_tensor(c->arena, t);
}

struct lw_value ck_any_tensor(struct ck *c, uint32_t framework, uint32_t node)
{
    struct lw_tensor t = lw_tensor_unknown(framework);
    t.line = ck_place(c, node);
    return ck_tensor(c, &t);
}

/* ---- looking inside -----------------------------------------------------------------------
 */

static bool shape_items(struct ck *c, const struct lw_shape *s, struct lw_seq *out)
{
    if (!lw_shape_has_rank(s))
        return false;
    struct lw_value *items = ck_values(c, s->n);
    if (!items)
        return false;
    for (uint32_t i = 0; i < s->n; i++)
        items[i] = lw_v_dim(s->d[i]);
    *out = (struct lw_seq){.items = items, .n = s->n};
    return true;
}

bool ck_sequence(struct ck *c, struct lw_value v, struct lw_seq *out)
{
    switch ((int)v.kind) {
    case LW_V_TUPLE:
    case LW_V_LIST: *out = v.seq; return true;
    case CK_LIST:
    case CK_SET: {
        const struct ck_object *o = ck_object_of(v);
        if (o->contents.value.kind != LW_V_LIST)
            return false;
        *out = o->contents.value.seq;
        return true;
    }
    case LW_V_SHAPE: return shape_items(c, v.shape, out);
    case CK_INSTANCE: { /* ModuleList, Sequential: kept in a list */
        struct lw_value items = ck_trait(ck_object_of(v), TRAIT_ITEMS);
        return items.kind == CK_LIST && ck_sequence(c, items, out);
    }
    default: return false;
    }
}

bool ck_pairs(struct lw_value v, const struct lw_dict **out)
{
    const struct ck_object *o = ck_as(v, CK_DICT);
    if (v.kind == LW_V_DICT)
        *out = v.dict;
    else if (o && o->contents.value.kind == LW_V_DICT)
        *out = o->contents.value.dict;
    else
        return false;
    return true;
}

bool ck_dict_get(struct ck *c, struct lw_value dict, struct lw_value key, struct lw_value *out)
{
    const struct lw_dict *d;
    if (!ck_pairs(dict, &d))
        return false;
    for (uint32_t i = d->n; i-- > 0;) {
        lw_tri same = ck_equal(c, d->keys[i], key);
        if (same == LW_TRI_YES) {
            *out = d->values[i];
            return true;
        }
        if (same == LW_TRI_MAYBE)
            return false;
    }
    return false;
}

struct lw_value ck_join_items(struct ck *c, struct lw_seq seq)
{
    if (seq.n == 0)
        return lw_v_unknown();
    struct lw_value v = seq.items[0];
    for (uint32_t i = 1; i < seq.n && v.kind != LW_V_UNKNOWN; i++)
        v = ck_join(c, v, seq.items[i]);
    return v;
}

/* ---- truth and equality -------------------------------------------------------------------
 */

lw_tri ck_truth(struct ck *c, struct lw_value v)
{
    int64_t n;
    struct lw_seq seq;
    const struct lw_dict *pairs;
    switch ((int)v.kind) {
    case LW_V_NONE: return LW_TRI_NO;
    case LW_V_BOOL: return v.tri;
    case LW_V_INT:
        if (lw_dim_is_int(c->dims, v.dim, &n))
            return lw_tri_of(n != 0);
        return LW_TRI_MAYBE;
    case LW_V_FLOAT:
        return lw_iv_is_number(v.interval) ? lw_tri_of(v.interval.lo != 0) : LW_TRI_MAYBE;
    case LW_V_STR: return v.str.p ? lw_tri_of(v.str.n > 0) : LW_TRI_MAYBE;
    case CK_FUNCTION:
    case CK_CLASS:
    case CK_MODULE:
    case CK_BOUND:
    case CK_METHOD: return LW_TRI_YES;
    case CK_NAME: /* a function or class, as far as it is known */
        return ck_object_of(v)->api && ck_object_of(v)->api->kind != LW_API_CONSTANT
                   ? LW_TRI_YES
                   : LW_TRI_MAYBE;
    case LW_V_TUPLE:
    case LW_V_LIST:
    case CK_LIST:
    case CK_SET:
        if (!ck_sequence(c, v, &seq))
            return LW_TRI_MAYBE;
        return seq.open ? LW_TRI_MAYBE : lw_tri_of(seq.n > 0);
    case CK_INSTANCE: return ck_instance_truth(c, ck_object_of(v));
    case CK_DICT: /* no more than that it holds nothing: the way round is not sure */
        return ck_pairs(v, &pairs) && !pairs->open && pairs->n == 0 ? LW_TRI_NO : LW_TRI_MAYBE;
    default: return LW_TRI_MAYBE;
    }
}

static lw_tri equal_items(struct ck *c, struct lw_seq a, struct lw_seq b)
{
    if (a.open || b.open)
        return LW_TRI_MAYBE;
    if (a.n != b.n)
        return LW_TRI_NO;
    lw_tri all = LW_TRI_YES;
    for (uint32_t i = 0; i < a.n && all != LW_TRI_NO; i++)
        all = ck_step(c) ? lw_tri_and(all, ck_equal(c, a.items[i], b.items[i])) : LW_TRI_MAYBE;
    return all;
}

static bool is_plain(struct lw_value v)
{
    return v.kind == LW_V_NONE || v.kind == LW_V_BOOL || v.kind == LW_V_INT ||
           v.kind == LW_V_FLOAT || v.kind == LW_V_STR;
}

static bool is_builtin(struct lw_value v)
{
    return lw_str_has_prefix(ck_object_of(v)->name, LW_S("builtins."));
}

lw_tri ck_equal(struct ck *c, struct lw_value a, struct lw_value b)
{
    double x, y;
    struct lw_seq s, t;
    if (a.kind == LW_V_UNKNOWN || b.kind == LW_V_UNKNOWN)
        return LW_TRI_MAYBE;
    if (ck_number_of(c, a, &x) && ck_number_of(c, b, &y))
        return lw_tri_of(x == y);
    if (a.kind == LW_V_INT && b.kind == LW_V_INT)
        return lw_dim_eq(c->dims, a.dim, b.dim);
    if (a.kind == LW_V_STR && b.kind == LW_V_STR)
        return a.str.p && b.str.p ? lw_tri_of(lw_str_eq(a.str, b.str)) : LW_TRI_MAYBE;
    if (a.kind == LW_V_DTYPE && b.kind == LW_V_DTYPE && lw_set_is_one(a.dtypes) &&
        lw_set_is_one(b.dtypes))
        return lw_tri_of(a.dtypes == b.dtypes);
    if (c->join_depth < CK_MAX_JOIN && ck_sequence(c, a, &s) && ck_sequence(c, b, &t)) {
        c->join_depth++;
        lw_tri same = equal_items(c, s, t);
        c->join_depth--;
        return same;
    }
    if (ck_is_object(a) && ck_is_object(b) && a.opaque == b.opaque)
        return LW_TRI_YES;
    if (a.kind == CK_NAME && b.kind == CK_NAME && is_builtin(a) && is_builtin(b))
        return lw_tri_of(lw_str_eq(ck_object_of(a)->name, ck_object_of(b)->name));
    lw_tri same_class = ck_same_class(a, b);
    if (same_class != LW_TRI_MAYBE)
        return same_class;
    if (is_plain(a) && is_plain(b) && a.kind != b.kind &&
        (a.kind == LW_V_NONE || b.kind == LW_V_NONE || a.kind == LW_V_STR ||
         b.kind == LW_V_STR))
        return LW_TRI_NO;
    if ((a.kind == LW_V_NONE) != (b.kind == LW_V_NONE) &&
        (a.kind == LW_V_STR || b.kind == LW_V_STR || ck_is_object(a) || ck_is_object(b)))
        return LW_TRI_NO;
    return LW_TRI_MAYBE;
}

/* ---- as the tables see it -----------------------------------------------------------------
 */

static struct lw_value plain_object(struct ck *c, struct ck_object *o)
{
    struct lw_object *p = lw_arena_alloc(c->arena, sizeof *p);
    if (!p)
        return lw_v_unknown();
    *p = (struct lw_object){.api = o->api, .config = o->items, .line = o->place};
    return (struct lw_value){.kind = LW_V_OBJECT, .line = o->place, .object = p};
}

/* A type that stands for an element type: np.float32, float. */
static struct lw_value plain_name(const struct ck_object *o)
{
    static const struct {
        const char *name;
        lw_dtypes dtype;
    } types[] = {{"builtins.bool", LW_BOOL},
                 {"builtins.complex", LW_C128},
                 {"builtins.float", LW_F64},
                 {"builtins.int", LW_I64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (lw_str_eq(o->name, lw_str(types[i].name)))
            return lw_v_dtype(types[i].dtype);
    if (!o->api)
        return lw_v_unknown();
    lw_dtypes dtype = o->api->kind == LW_API_CLASS && o->api->value.n
                          ? lw_dtype_parse(o->api->value, LW_NUMPY)
                          : 0;
    if (dtype)
        return lw_v_dtype(dtype);
    return (struct lw_value){.kind = LW_V_API, .line = o->place, .api = o->api};
}

struct lw_value ck_plain(struct ck *c, struct lw_value v)
{
    struct ck_object *o = ck_object_of(v);
    if (!o)
        return v;
    switch ((enum ck_kind)o->kind) {
    case CK_LIST:
    case CK_SET:
    case CK_DICT:
        return o->contents.value.kind == LW_V_ABSENT ? lw_v_unknown() : o->contents.value;
    case CK_NAME: return plain_name(o);
    case CK_INSTANCE: return o->api && o->items && !o->of ? plain_object(c, o) : v;
    default: return v;
    }
}

/* Lists inside lists are objects too: made plain for the conversion to an array. */
static struct lw_value deep_plain(struct ck *c, struct lw_value v, unsigned depth)
{
    struct lw_value p = ck_plain(c, v);
    if (!lw_v_is_seq(p) || depth > 8)
        return p;
    bool nested = false;
    for (uint32_t i = 0; i < p.seq.n; i++)
        nested |= ck_is_object(p.seq.items[i]) || lw_v_is_seq(p.seq.items[i]);
    if (!nested)
        return p;
    struct lw_value *items = ck_values(c, p.seq.n);
    if (!items)
        return lw_v_unknown();
    for (uint32_t i = 0; i < p.seq.n; i++)
        items[i] = deep_plain(c, p.seq.items[i], depth + 1);
    for (uint32_t i = 0; p.seq.open && i < p.seq.n; i++)
        if (lw_v_is_seq(items[i]) && !items[i].seq.n && !items[i].seq.open)
            items[i] = lw_v_unknown(); /* filled in a pass of the loop that is behind us */
    p.seq.items = items;
    return p;
}

struct lw_value ck_plain_rows(struct ck *c, struct lw_value v)
{
    struct lw_value p = ck_plain(c, v);
    bool rows = lw_v_is_seq(p) && p.seq.n > 0;
    for (uint32_t i = 0; rows && i < p.seq.n; i++)
        rows = p.seq.items[i].kind == CK_LIST;
    return rows ? deep_plain(c, v, 0) : p;
}

bool ck_to_tensor(struct ck *c, struct lw_value v, struct lw_tensor *out)
{
    lw_tri ragged;
    if (v.kind == LW_V_TENSOR) {
        *out = *v.tensor;
        return true;
    }
    return lw_v_to_tensor(c->dims, deep_plain(c, v, 0), out, &ragged);
}

/* ---- text ---------------------------------------------------------------------------------
 */

struct lw_str ck_show_shape(struct ck *c, const struct lw_shape *s)
{
    struct lw_buf b;
    lw_buf_init(&b, c->mem, 4096);
    lw_shape_print(c->dims, s, &b);
    struct lw_str text = lw_arena_copy(c->arena, lw_buf_str(&b));
    lw_buf_release(&b);
    return text.p ? text : LW_S("?");
}

struct lw_str ck_show(struct ck *c, struct lw_value v)
{
    struct lw_buf b;
    lw_buf_init(&b, c->mem, 4096);
    lw_v_print(c->dims, ck_plain(c, v), &b);
    struct lw_str text = lw_arena_copy(c->arena, lw_buf_str(&b));
    lw_buf_release(&b);
    return text.p ? text : LW_S("?");
}

static const char *tensor_name(const struct lw_tensor *t)
{
    switch (t->framework) {
    case LW_NUMPY: return "numpy array";
    case LW_TORCH: return "torch tensor";
    case LW_KERAS: return "Keras tensor";
    case LW_PANDAS: return "data frame";
    default: return "tensor";
    }
}

const char *ck_kind_name(struct ck *c, struct lw_value v)
{
    (void)c;
    switch ((int)v.kind) {
    case LW_V_NONE: return "None";
    case LW_V_BOOL: return "bool";
    case LW_V_INT: return "int";
    case LW_V_FLOAT: return "float";
    case LW_V_STR: return "text";
    case LW_V_TUPLE: return "tuple";
    case CK_LIST:
    case LW_V_LIST: return "list";
    case CK_DICT:
    case LW_V_DICT: return "dict";
    case LW_V_TENSOR: return tensor_name(v.tensor);
    case CK_FUNCTION:
    case CK_METHOD:
    case CK_BOUND: return "function";
    case CK_CLASS: return "class";
    case CK_MODULE: return "module";
    default: return "object";
    }
}
