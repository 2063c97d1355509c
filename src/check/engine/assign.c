/* What an assignment does to its target: names, attributes, items, tuples of them. */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/library.h"

static const struct lw_tree *tree_of(const struct ck *c)
{
    return &c->frame->file->tree;
}

/* What was learnt about a value holds for every variable of the scope that holds it. */
static void refine(struct ck *c, struct lw_value old, struct lw_value now)
{
    for (struct ck_slot *s = c->frame->env->vars.first; s; s = s->next)
        if (s->value.kind == old.kind && ck_same(s->value, old))
            heap_set(&c->heap, s, now);
}

/* x.shape[k:]: how many dimensions lie before; x.shape goes to `*from`. */
static size_t skipped(struct ck *c, uint32_t *from)
{
    const struct lw_tree *t = tree_of(c);
    int64_t k;
    if (*from == LW_NO_NODE || lw_tree_kind(t, *from) != LW_NODE_SUBSCRIPT)
        return 0;
    uint32_t slice = lw_tree_get(t, *from, LW_ROLE_SLICE);
    *from = lw_tree_get(t, *from, LW_ROLE_VALUE);
    if (slice == LW_NO_NODE || lw_tree_kind(t, slice) != LW_NODE_SLICE ||
        lw_tree_get(t, slice, LW_ROLE_UPPER) != LW_NO_NODE ||
        lw_tree_get(t, slice, LW_ROLE_STEP) != LW_NO_NODE ||
        !ck_int_of(c, ck_eval(c, lw_tree_get(t, slice, LW_ROLE_LOWER)), &k) || k < 0 || k > 4) {
        *from = LW_NO_NODE;
        return 0;
    }
    return (size_t)k;
}

/* `b, t, h = x.shape` tells the rank of x. */
static struct lw_value learn_rank(struct ck *c, struct lw_value shape, uint32_t from, size_t n)
{
    const struct lw_tree *t = tree_of(c);
    size_t before = skipped(c, &from);
    n += before;
    struct lw_shape s = lw_shape_of_rank(n);
    for (size_t i = 0; i < n && i < LW_SHAPE_MAX; i++)
        s.d[i] = lw_dim_symbol(c->dims, LW_S("n"), 0, LW_DIM_MOST);
    if (from != LW_NO_NODE && lw_tree_kind(t, from) == LW_NODE_CALL)
        from = lw_tree_get(t, from, LW_ROLE_FUNC);
    if (from == LW_NO_NODE || lw_tree_kind(t, from) != LW_NODE_ATTRIBUTE)
        return shape;
    struct lw_value owner = ck_eval(c, lw_tree_get(t, from, LW_ROLE_VALUE));
    if (owner.kind == LW_V_TENSOR && !lw_shape_has_rank(&owner.tensor->shape)) {
        struct lw_tensor now = *owner.tensor;
        now.shape = s;
        refine(c, owner, ck_tensor(c, &now));
    }
    s = lw_shape_slice(&s, (int64_t)before, (int64_t)n);
    return lw_v_shape(c->arena, &s);
}

static void unpack(struct ck *c, uint32_t target, struct lw_value v, uint32_t from)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t count = lw_tree_count(t, target, LW_ROLE_ELTS), star = LW_NO_NODE, before = 0;
    for (uint32_t n = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, target, LW_ROLE_ELTS, n)) {
        if (lw_tree_kind(t, n) == LW_NODE_STARRED)
            star = n;
        else if (star == LW_NO_NODE)
            before++;
    }
    if (v.kind == LW_V_SHAPE && !lw_shape_has_rank(v.shape) && star == LW_NO_NODE)
        v = learn_rank(c, v, from, count);
    struct lw_seq seq = ck_iterate(c, v, from);
    if (star == LW_NO_NODE)
        ck_emit(
            c,
            &(struct ck_event){
                .kind = CK_EV_UNPACK, .node = target, .value = v, .seq = seq, .count = count});
    struct lw_value any = seq.open || seq.n == 0 ? ck_join_items(c, seq) : lw_v_unknown();
    uint32_t after = star == LW_NO_NODE ? 0 : count - before - 1, i = 0;
    bool exact = !seq.open && (star == LW_NO_NODE ? seq.n == count : seq.n >= count - 1);
    for (uint32_t n = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, target, LW_ROLE_ELTS, n)) {
        if (n == star) {
            struct lw_seq rest = {.open = true};
            if (exact)
                rest =
                    (struct lw_seq){.items = seq.items + before, .n = seq.n - before - after};
            ck_assign(c, lw_tree_get(t, n, LW_ROLE_VALUE), ck_new_list(c, CK_LIST, rest, n),
                      from);
            i = exact ? seq.n - after : i;
            continue;
        }
        bool has = exact || (seq.open && i + 1 < seq.n);
        ck_assign(c, n, has && i < seq.n ? seq.items[i] : any, from);
        i++;
    }
}

static struct lw_seq put_item(struct ck *c, struct lw_seq seq, struct lw_value index,
                              struct lw_value v)
{
    int64_t at;
    if (ck_int_of(c, index, &at) && at < 0)
        at += seq.n;
    else if (!ck_int_of(c, index, &at))
        at = -1;
    struct lw_value copy = ck_make_seq(c, LW_V_LIST, seq.items, seq.n, seq.open);
    if (copy.kind != LW_V_LIST)
        return (struct lw_seq){.open = true};
    struct lw_value *items = (struct lw_value *)(uintptr_t)copy.seq.items;
    for (uint32_t i = 0; i < seq.n; i++)
        if (at < 0)
            items[i] = ck_join(c, items[i], v);
        else if (i == at)
            items[i] = v;
    return copy.seq;
}

static void put_pair(struct ck *c, struct ck_object *o, struct lw_value key, struct lw_value v)
{
    const struct lw_dict *d = o->contents.value.dict;
    struct lw_dict *now = lw_arena_alloc(c->arena, sizeof *now);
    struct lw_value *keys = ck_values(c, (size_t)d->n + 1);
    struct lw_value *values = ck_values(c, (size_t)d->n + 1);
    if (!now || !keys || !values)
        return;
    bool found = false;
    bool vague = key.kind == LW_V_UNKNOWN || (key.kind == LW_V_STR && !key.str.p);
    bool again = vague && d->n > 0 && ck_is_vague(c, d->keys[d->n - 1]);
    for (uint32_t i = 0; i < d->n; i++) {
        keys[i] = d->keys[i];
        lw_tri same = ck_equal(c, d->keys[i], key);
        found |= same == LW_TRI_YES;
        values[i] = same == LW_TRI_YES     ? v
                    : same == LW_TRI_MAYBE ? ck_join(c, d->values[i], v)
                                           : d->values[i];
    }
    *now = (struct lw_dict){keys, values, d->n, d->open || vague};
    found |= again; /* the last pair stands for all keys that are not known */
    if (!found && d->n < CK_MAX_ITEMS) {
        keys[d->n] = key;
        values[d->n] = v;
        now->n++;
    } else if (!found)
        now->open = true;
    heap_set(&c->heap, &o->contents, (struct lw_value){.kind = LW_V_DICT, .dict = now});
}

static void assign_item(struct ck *c, uint32_t target, struct lw_value v)
{
    const struct lw_tree *t = tree_of(c);
    struct lw_value owner = ck_eval(c, lw_tree_get(t, target, LW_ROLE_VALUE));
    struct lw_value index = ck_eval(c, lw_tree_get(t, target, LW_ROLE_SLICE));
    struct ck_object *o = ck_object_of(owner);
    if (owner.kind == CK_LIST && index.kind == LW_V_SLICE) { /* its length may change */
        struct lw_value any = lw_v_unknown();
        struct lw_value open = ck_make_seq(c, LW_V_LIST, &any, 1, true);
        heap_set(&c->heap, &o->contents, open.kind == LW_V_LIST ? open : lw_v_unknown());
    } else if (owner.kind == CK_LIST && o->contents.value.kind == LW_V_LIST) {
        struct lw_seq seq = put_item(c, o->contents.value.seq, index, v);
        heap_set(&c->heap, &o->contents, (struct lw_value){.kind = LW_V_LIST, .seq = seq});
    } else if (owner.kind == CK_DICT && o->contents.value.kind == LW_V_DICT)
        put_pair(c, o, index, v);
    else if (owner.kind == CK_INSTANCE) {
        struct lw_arg args[2] = {{.value = index, .node = target},
                                 {.value = v, .node = target}};
        ck_call_method(c, owner, "__setitem__", args, 2, target);
    } else if (owner.kind == LW_V_TENSOR && owner.tensor->framework == LW_PANDAS)
        c->models->frame_store(c, lw_tree_get(t, target, LW_ROLE_VALUE), owner);
    else if (owner.kind == LW_V_TENSOR) {
        ck_emit(c,
                &(struct ck_event){
                    .kind = CK_EV_STORE, .node = target, .a = owner, .b = index, .value = v});
        ck_store_item(c, target, index, v);
    }
}

/* What the variable or attribute at `node` stands for from now on. */
static void replace(struct ck *c, uint32_t node, struct lw_value now)
{
    const struct lw_tree *t = tree_of(c);
    if (lw_tree_kind(t, node) == LW_NODE_NAME)
        heap_set(&c->heap, ck_slot_of(c, node), now);
    else if (lw_tree_kind(t, node) == LW_NODE_ATTRIBUTE)
        ck_set_attr(c, ck_eval(c, lw_tree_get(t, node, LW_ROLE_VALUE)), lw_tree_name(t, node),
                    now);
}

/* w.requires_grad = False */
static void set_grad(struct ck *c, uint32_t owner_node, struct lw_value owner,
                     struct lw_value v)
{
    struct lw_tensor changed = *owner.tensor;
    changed.grad = (uint8_t)ck_truth(c, v);
    if (changed.grad == LW_TRI_YES)
        changed.variable = LW_TRI_YES; /* what needed no gradient before is a leaf */
    replace(c, owner_node, lw_v_tensor(c->arena, &changed));
}

/* w.data = w.data[:, 0]: the same tensor with another content, of any shape. */
static void set_data(struct ck *c, uint32_t owner_node, struct lw_value owner,
                     struct lw_value v)
{
    struct lw_tensor changed = *owner.tensor, any = lw_tensor_unknown(LW_TORCH);
    const struct lw_tensor *data = v.kind == LW_V_TENSOR ? v.tensor : &any;
    changed.shape = data->shape;
    changed.dtype = data->dtype;
    changed.device = data->device;
    changed.range = data->range;
    changed.relation = 0;
    replace(c, owner_node, lw_v_tensor(c->arena, &changed));
}

static void assign_attribute(struct ck *c, uint32_t target, struct lw_value v)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t owner_node = lw_tree_get(t, target, LW_ROLE_VALUE);
    struct lw_value owner = ck_eval(c, owner_node);
    struct lw_str name = lw_tree_name(t, target);
    ck_emit(c, &(struct ck_event){.kind = CK_EV_ASSIGN, .node = target, .value = v});
    if (owner.kind == LW_V_TENSOR && lw_str_eq(name, LW_S("requires_grad")))
        set_grad(c, owner_node, owner, v);
    else if (owner.kind == LW_V_TENSOR && lw_str_eq(name, LW_S("data")))
        set_data(c, owner_node, owner, v);
    else
        ck_set_attr(c, owner, name, v);
}

void ck_assign(struct ck *c, uint32_t target, struct lw_value v, uint32_t from)
{
    const struct lw_tree *t = tree_of(c);
    if (target == LW_NO_NODE)
        return;
    switch (lw_tree_kind(t, target)) {
    case LW_NODE_NAME:
        ck_emit(c, &(struct ck_event){.kind = CK_EV_ASSIGN, .node = target, .value = v});
        heap_set(&c->heap, ck_slot_of(c, target), v);
        return;
    case LW_NODE_ATTRIBUTE: assign_attribute(c, target, v); return;
    case LW_NODE_TUPLE:
    case LW_NODE_LIST:
        if (c->depth++ < CK_MAX_DEPTH)
            unpack(c, target, v, from);
        c->depth--;
        return;
    case LW_NODE_SUBSCRIPT: assign_item(c, target, v); return;
    case LW_NODE_STARRED:
        ck_assign(c, lw_tree_get(t, target, LW_ROLE_VALUE), lw_v_unknown(), from);
        return;
    default: return;
    }
}
