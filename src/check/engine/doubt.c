/* Tests that tell kinds of values apart: `if isinstance(x, PIL.Image)`, `if is_sparse(x)`.
 * Where it is not known how such a test ends, what is known about x comes from other callers
 * than those that go this way: inside it says nothing. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"

static const struct lw_tree *tree_of(const struct ck *c)
{
    return &c->frame->file->tree;
}

/* The last part of what is called: `is_sparse` of `utils.is_sparse(x)`. */
static struct lw_str callee_name(const struct lw_tree *t, uint32_t call)
{
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (f == LW_NO_NODE ||
        (lw_tree_kind(t, f) != LW_NODE_NAME && lw_tree_kind(t, f) != LW_NODE_ATTRIBUTE))
        return (struct lw_str){0};
    return lw_tree_name(t, f);
}

static bool begins(struct lw_str name, const char *word)
{
    while (name.n && name.p[0] == '_')
        name = lw_str_from(name, 1);
    return lw_str_has_prefix(name, lw_str(word));
}

/* Does the function ask what its argument is, not what is in it? */
static bool asks_kind(struct lw_str name)
{
    static const char *const values[] = {"isnan", "isinf", "isfinite", "isclose", "isin"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (lw_str_eq(name, lw_str(values[i])))
            return false;
    return begins(name, "is") || begins(name, "has") || lw_str_eq(name, LW_S("callable"));
}

/* isinstance(x, torch.Tensor) holds: a tensor is what x is taken for. */
static bool confirms(const struct lw_tree *t, uint32_t call, struct lw_value v)
{
    struct lw_str text = lw_tree_text(t, call);
    return v.kind == LW_V_TENSOR &&
           (lw_str_find(text, LW_S("isinstance")) >= 0 ||
            lw_str_find(text, LW_S("is_tensor")) >= 0) &&
           (lw_str_find(text, LW_S("ensor")) >= 0 || lw_str_find(text, LW_S("rray")) >= 0);
}

/* Of a variable, or of an attribute of one; NULL: there is none. */
static struct ck_slot *slot_asked(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    if (lw_tree_kind(t, node) == LW_NODE_NAME)
        return ck_slot_of(c, node);
    uint32_t owner = lw_tree_kind(t, node) == LW_NODE_ATTRIBUTE
                         ? lw_tree_get(t, node, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (owner == LW_NO_NODE || lw_tree_kind(t, owner) != LW_NODE_NAME)
        return NULL;
    const struct ck_object *o = ck_as(ck_lookup(c, owner), CK_INSTANCE);
    return o ? ck_field_slot(c, o, lw_tree_name(t, node)) : NULL;
}

static void doubt(struct ck *c, struct ck_doubts *d, uint32_t name, uint32_t call)
{
    struct ck_slot *slot = slot_asked(c, name);
    if (!slot || d->n == CK_MAX_DOUBTS || slot->value.kind == LW_V_UNKNOWN ||
        slot->value.kind == LW_V_ABSENT || confirms(tree_of(c), call, slot->value))
        return;
    d->v[d->n].slot = slot;
    d->v[d->n++].was = slot->value;
    heap_set(&c->heap, slot, lw_v_unknown());
}

/* isinstance(v[0], …), is_known(x.shape): what v and x are is asked, too, where they are
 * tensors or lists. */
static void doubt_whole(struct ck *c, struct ck_doubts *d, uint32_t node, uint32_t call)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t n = node;
    for (unsigned i = 0; i < 4 && n != LW_NO_NODE; i++) {
        if (lw_tree_kind(t, n) != LW_NODE_ATTRIBUTE && lw_tree_kind(t, n) != LW_NODE_SUBSCRIPT)
            break;
        n = lw_tree_get(t, n, LW_ROLE_VALUE);
    }
    if (n == LW_NO_NODE || n == node || lw_tree_kind(t, n) != LW_NODE_NAME)
        return;
    struct lw_value v = ck_lookup(c, n);
    if (v.kind == LW_V_TENSOR || v.kind == CK_LIST || v.kind == LW_V_TUPLE)
        doubt(c, d, n, call);
}

void ck_doubt(struct ck *c, struct ck_doubts *d, uint32_t test)
{
    LW_BUG_ON(d->n > CK_MAX_DOUBTS);
    const struct lw_tree *t = tree_of(c);
    for (uint32_t n = test; n != LW_NO_NODE; n = lw_tree_next(t, test, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || !asks_kind(callee_name(t, n)))
            continue;
        uint32_t x = lw_tree_get(t, n, LW_ROLE_ARGS);
        if (x != LW_NO_NODE)
            doubt(c, d, x, n);
        doubt_whole(c, d, x, n);
        uint32_t f = lw_tree_get(t, n, LW_ROLE_FUNC);
        doubt_whole(c, d, f, n); /* a.shape.is_compatible_with(b.shape) */
    }
}

void ck_doubt_end(struct ck *c, struct ck_doubts *d)
{
    LW_BUG_ON(d->n > CK_MAX_DOUBTS);
    while (d->n > 0) {
        d->n--;
        if (d->v[d->n].slot->value.kind == LW_V_UNKNOWN)
            heap_set(&c->heap, d->v[d->n].slot, d->v[d->n].was);
    }
}
