/* Statements: branches are run apart and joined, loops are run twice and widened. */
#include "base/str.h"
#include "check/engine.h"
#include "check/lib.h"
#include "check/rules.h"

static struct lw_tree *tree_of(struct ck *c)
{
    return &c->frame->file->tree;
}

static enum ck_flow exec(struct ck *c, uint32_t node);

enum ck_flow ck_exec_block(struct ck *c, uint32_t node, enum lw_role role)
{
    const struct lw_tree *t = tree_of(c);
    for (uint32_t n = lw_tree_each(t, node, role, LW_NO_NODE); n != LW_NO_NODE && ck_step(c);
         n = lw_tree_each(t, node, role, n)) {
        if (!lw_node_is_statement(lw_tree_kind(t, n)))
            continue;
        enum ck_flow flow = exec(c, n);
        if (flow != CK_NEXT)
            return flow;
    }
    return CK_NEXT;
}

/* ---- branches -----------------------------------------------------------------------------
 */

static void save(struct ck *c, ck_saved *to, size_t mark)
{
    if (lw_vec_push(c->mem, to, heap_snapshot(&c->heap, mark)) < 0)
        c->stopped = true;
}

/* Keeps the state where it is needed again, before it is taken back. */
static void save_flow(struct ck *c, enum ck_flow flow)
{
    struct ck_loop *loop = c->frame->loop;
    if (flow == CK_RETURN)
        save(c, &c->frame->returns, c->frame->mark);
    else if (flow == CK_BREAK && loop)
        save(c, &loop->breaks, loop->mark);
    else if (flow == CK_CONTINUE && loop)
        save(c, &loop->continues, loop->pass_mark);
}

void ck_branch_end(struct ck *c, struct ck_branches *b, size_t mark, enum ck_flow flow)
{
    if (flow != CK_NEXT)
        save_flow(c, flow);
    struct ck_changes changes = heap_take(&c->heap, mark);
    if (flow == CK_NEXT && b->live_count < CK_MAX_BRANCHES)
        b->live[b->live_count++] = changes;
}

enum ck_flow ck_branches_join(struct ck *c, struct ck_branches *b)
{
    if (b->live_count == 0)
        return CK_DEAD;
    heap_merge(&c->heap, b->live, b->live_count, ck_join_slot, c);
    return CK_NEXT;
}

/* ---- assignment ---------------------------------------------------------------------------
 */

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
        ck_on_unpack(c, target, v, seq, count, from);
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
        ck_frame_store(c, lw_tree_get(t, target, LW_ROLE_VALUE), owner);
    else if (owner.kind == LW_V_TENSOR) {
        ck_on_store(c, target, owner, index, v);
        ck_store_item(c, target, index, v);
    }
}

/* `w.requires_grad = False`, `layer.weight.requires_grad = False`: what w stands for from now
 * on. */
static void set_grad(struct ck *c, uint32_t owner_node, struct lw_value owner,
                     struct lw_value v)
{
    const struct lw_tree *t = tree_of(c);
    struct lw_tensor changed = *owner.tensor;
    changed.grad = (uint8_t)ck_truth(c, v);
    if (changed.grad == LW_TRI_YES)
        changed.variable = LW_TRI_YES; /* what needed no gradient before is a leaf */
    struct lw_value now = lw_v_tensor(c->arena, &changed);
    if (lw_tree_kind(t, owner_node) == LW_NODE_NAME) {
        heap_set(&c->heap, ck_slot_of(c, owner_node), now);
    } else if (lw_tree_kind(t, owner_node) == LW_NODE_ATTRIBUTE) {
        uint32_t holder = lw_tree_get(t, owner_node, LW_ROLE_VALUE);
        if (lw_tree_kind(t, holder) == LW_NODE_NAME)
            ck_set_attr(c, ck_eval(c, holder), lw_tree_name(t, owner_node), now);
    }
}

void ck_assign(struct ck *c, uint32_t target, struct lw_value v, uint32_t from)
{
    const struct lw_tree *t = tree_of(c);
    if (target == LW_NO_NODE)
        return;
    switch (lw_tree_kind(t, target)) {
    case LW_NODE_NAME:
        ck_on_assign(c, target, v, from);
        heap_set(&c->heap, ck_slot_of(c, target), v);
        return;
    case LW_NODE_ATTRIBUTE: {
        uint32_t owner_node = lw_tree_get(t, target, LW_ROLE_VALUE);
        struct lw_value owner = ck_eval(c, owner_node);
        ck_on_assign(c, target, v, from);
        if (owner.kind == LW_V_TENSOR &&
            lw_str_eq(lw_tree_name(t, target), LW_S("requires_grad")))
            set_grad(c, owner_node, owner, v);
        else
            ck_set_attr(c, owner, lw_tree_name(t, target), v);
        return;
    }
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

static enum ck_flow exec_assign(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t value = lw_tree_get(t, node, LW_ROLE_VALUE);
    struct lw_value v = ck_eval(c, value);
    for (uint32_t n = lw_tree_each(t, node, LW_ROLE_TARGETS, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, node, LW_ROLE_TARGETS, n))
        ck_assign(c, n, v, value);
    return CK_NEXT;
}

static enum ck_flow exec_augmented(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t target = lw_tree_get(t, node, LW_ROLE_TARGET);
    struct lw_value a = ck_eval(c, target);
    struct lw_value b = ck_eval(c, lw_tree_get(t, node, LW_ROLE_VALUE));
    enum lw_op op = (enum lw_op)lw_tree_node(t, node)->op;
    ck_on_augmented(c, node, a, b);
    if (a.kind == CK_LIST && op == LW_OP_ADD) {
        struct ck_object *o = ck_object_of(a);
        struct lw_value sum = ck_binary(c, op, a, b, node);
        struct ck_object *now = ck_as(sum, CK_LIST);
        heap_set(&c->heap, &o->contents, now ? now->contents.value : lw_v_unknown());
        return CK_NEXT;
    }
    struct lw_value v = ck_binary(c, op, a, b, node);
    v = ck_in_place(c, a, v, node);
    ck_assign(c, target, v, node);
    return CK_NEXT;
}

static enum ck_flow exec_annotated(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t value = lw_tree_get(t, node, LW_ROLE_VALUE);
    uint32_t target = lw_tree_get(t, node, LW_ROLE_TARGET);
    uint32_t annotation = lw_tree_get(t, node, LW_ROLE_ANNOTATION);
    if (value == LW_NO_NODE)
        return CK_NEXT;
    struct lw_value v = ck_eval(c, value);
    if (v.kind == LW_V_UNKNOWN ||
        (v.kind == LW_V_TENSOR && !lw_shape_has_rank(&v.tensor->shape)))
        v = ck_annotated(c, annotation, v, NULL);
    ck_assign(c, target, v, value);
    return CK_NEXT;
}

static enum ck_flow exec_delete(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    for (uint32_t n = lw_tree_each(t, node, LW_ROLE_TARGETS, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, node, LW_ROLE_TARGETS, n)) {
        if (lw_tree_kind(t, n) == LW_NODE_NAME) {
            heap_set(&c->heap, ck_slot_of(c, n), lw_v_unknown());
        } else if (lw_tree_kind(t, n) == LW_NODE_SUBSCRIPT) {
            struct lw_value v = ck_eval(c, lw_tree_get(t, n, LW_ROLE_VALUE));
            struct ck_object *o = ck_object_of(v);
            if (v.kind == CK_LIST || v.kind == CK_DICT)
                heap_set(&c->heap, &o->contents, lw_v_unknown());
        }
    }
    return CK_NEXT;
}

/* ---- conditions ---------------------------------------------------------------------------
 */

/* In the branch where the test holds: what that says about a variable. */
static void learn_value(struct ck *c, uint32_t test, bool holds)
{
    const struct lw_tree *t = tree_of(c);
    const struct lw_node *n = lw_tree_node(t, test);
    if (n->kind == LW_NODE_UNARY_OP && n->op == LW_OP_NOT) {
        learn_value(c, lw_tree_get(t, test, LW_ROLE_OPERAND), !holds);
        return;
    }
    if (n->kind == LW_NODE_BOOL_OP && n->op == (holds ? LW_OP_AND : LW_OP_OR)) {
        for (uint32_t v = lw_tree_each(t, test, LW_ROLE_VALUES, LW_NO_NODE); v != LW_NO_NODE;
             v = lw_tree_each(t, test, LW_ROLE_VALUES, v))
            learn_value(c, v, holds);
        return;
    }
    if (n->kind != LW_NODE_COMPARE || n->count != 3 ||
        lw_tree_kind(t, n->child) != LW_NODE_NAME)
        return;
    enum lw_op op = (enum lw_op)lw_tree_node(t, n->child + 1)->op;
    bool equal =
        holds ? op == LW_OP_IS || op == LW_OP_EQ : op == LW_OP_IS_NOT || op == LW_OP_NOT_EQ;
    if (!equal)
        return;
    struct ck_slot *slot = ck_slot_of(c, n->child);
    enum lw_node_kind kind = lw_tree_kind(t, n->child + 2);
    bool literal = kind == LW_NODE_CONSTANT || kind == LW_NODE_STRING || kind == LW_NODE_NUMBER;
    if (slot && literal &&
        (slot->value.kind == LW_V_UNKNOWN || slot->value.kind == LW_V_STR ||
         slot->value.kind == LW_V_INT))
        heap_set(&c->heap, slot, ck_eval(c, n->child + 2));
}

static void learn(struct ck *c, uint32_t test, bool holds)
{
    learn_value(c, test, holds);
    ways_learn(c, test, holds);
}

/* Tests of versions and of what exists: names inside may be absent on purpose. */
static bool is_guard(struct ck *c, uint32_t test)
{
    struct lw_str text = lw_tree_text(tree_of(c), test);
    return lw_str_find(text, LW_S("hasattr")) != LW_NPOS ||
           lw_str_find(text, LW_S("ersion")) != LW_NPOS ||
           lw_str_find(text, LW_S("VERSION")) != LW_NPOS ||
           lw_str_find(text, LW_S("TYPE_CHECKING")) != LW_NPOS ||
           lw_str_find(text, LW_S("is_available")) != LW_NPOS;
}

/* in_channels == filters: inside, sizes agree that were not known to. */
static bool is_match(const struct lw_tree *t, uint32_t test)
{
    for (uint32_t n = test; n != LW_NO_NODE; n = lw_tree_next(t, test, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_COMPARE)
            continue;
        struct lw_str text = lw_tree_text(t, n);
        uint32_t left = lw_tree_get(t, n, LW_ROLE_LEFT);
        uint32_t right = lw_tree_get(t, n, LW_ROLE_COMPARATORS);
        if (lw_str_find(text, LW_S("==")) < 0 || left == LW_NO_NODE || right == LW_NO_NODE)
            continue;
        int a = (int)lw_tree_kind(t, left), b = (int)lw_tree_kind(t, right);
        if ((a == LW_NODE_NAME || a == LW_NODE_ATTRIBUTE || a == LW_NODE_SUBSCRIPT) &&
            (b == LW_NODE_NAME || b == LW_NODE_ATTRIBUTE || b == LW_NODE_SUBSCRIPT))
            return true;
    }
    return false;
}

struct clause {
    uint32_t node;
    enum lw_role role;
    uint32_t test; /* LW_NO_NODE: else */
};

static enum ck_flow run_clause(struct ck *c, struct clause k)
{
    bool guard = k.test != LW_NO_NODE && is_guard(c, k.test);
    bool match = k.test != LW_NO_NODE && c->frame->uncertain && is_match(tree_of(c), k.test);
    c->frame->guarded += guard;
    c->frame->matched += match;
    enum ck_flow flow = ck_exec_block(c, k.node, k.role);
    c->frame->guarded -= guard;
    c->frame->matched -= match;
    return flow;
}

/* The clause after `k`: an elif, the else, or none. */
static bool next_clause(const struct lw_tree *t, uint32_t top, struct clause *k, uint32_t *elif)
{
    uint32_t n = lw_tree_each(t, top, LW_ROLE_ORELSE, *elif);
    if (n == LW_NO_NODE || k->test == LW_NO_NODE)
        return false;
    if (lw_tree_kind(t, n) == LW_NODE_ELIF) {
        *elif = n;
        *k = (struct clause){n, LW_ROLE_BODY, lw_tree_get(t, n, LW_ROLE_TEST)};
    } else
        *k = (struct clause){top, LW_ROLE_ORELSE, LW_NO_NODE};
    return true;
}

static enum ck_flow exec_if(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    struct clause k = {node, LW_ROLE_BODY, lw_tree_get(t, node, LW_ROLE_TEST)};
    struct ck_branches b = {0};
    struct ck_fork fork = {0};
    uint32_t elif = LW_NO_NODE;
    bool forked = false, complete = false;
    bool guarded = false;
    uint32_t failed[CK_MAX_BRANCHES];
    size_t failed_count = 0;
    do {
        lw_tri test = k.test == LW_NO_NODE ? LW_TRI_YES : ck_test(c, k.test);
        if (test == LW_TRI_NO)
            continue;
        complete = test == LW_TRI_YES;
        if (complete && !forked)
            return run_clause(c, k);
        if (k.test != LW_NO_NODE)
            ways_fork(c, &fork, k.test);
        if (!forked)
            c->frame->uncertain++;
        forked = true;
        if (b.live_count + 2 >= CK_MAX_BRANCHES)
            break;
        guarded |= k.test != LW_NO_NODE && is_guard(c, k.test);
        c->frame->guarded += guarded;
        size_t mark = heap_mark(&c->heap), facts = lw_dims_mark(c->dims);
        for (size_t i = 0; i < failed_count; i++)
            learn(c, failed[i], false);
        if (k.test != LW_NO_NODE)
            learn(c, k.test, true);
        struct ck_doubts doubts = {0};
        for (size_t i = 0; i < failed_count; i++)
            ck_doubt(c, &doubts, failed[i]);
        if (!complete)
            ck_doubt(c, &doubts, k.test);
        enum ck_flow flow = run_clause(c, k);
        ck_doubt_end(c, &doubts);
        ways_leaves(&fork, flow != CK_NEXT);
        ck_branch_end(c, &b, mark, flow);
        lw_dims_rewind(c->dims, facts);
        c->frame->guarded -= guarded;
        if (k.test != LW_NO_NODE && failed_count < CK_MAX_BRANCHES)
            failed[failed_count++] = k.test;
    } while (!complete && next_clause(t, node, &k, &elif));
    if (!forked)
        return CK_NEXT;
    c->frame->uncertain--;
    if (!complete) {
        size_t mark = heap_mark(&c->heap);
        for (size_t i = 0; i < failed_count; i++)
            learn(c, failed[i], false);
        ck_branch_end(c, &b, mark, CK_NEXT);
    }
    return ways_join_branches(c, &fork, &b, node) ? CK_NEXT : CK_DEAD;
}

/* ---- loops --------------------------------------------------------------------------------
 */

/* One pass; false when no way leads to another one. */
static bool run_pass(struct ck *c, struct ck_loop *loop, uint32_t target, struct lw_value item,
                     enum ck_flow *flow)
{
    uint32_t node = loop->node;
    loop->pass_mark = heap_mark(&c->heap);
    if (target != LW_NO_NODE)
        ck_assign(c, target, item, lw_tree_get(tree_of(c), node, LW_ROLE_ITER));
    *flow = ck_exec_block(c, node, LW_ROLE_BODY);
    bool live = *flow == CK_NEXT || *flow == CK_CONTINUE;
    loop->pass++;
    if (loop->continues.n == 0) {
        if (*flow == CK_RAISE || *flow == CK_DEAD) {
            heap_undo(&c->heap, loop->pass_mark);
            return false;
        }
        heap_commit(&c->heap);
        return live;
    }
    struct ck_branches b = {0};
    if (*flow == CK_BREAK || *flow == CK_RETURN)
        save_flow(c, *flow);
    struct ck_changes end = heap_take(&c->heap, loop->pass_mark);
    if (live)
        b.live[b.live_count++] = end;
    for (size_t i = 0; i < loop->continues.n && b.live_count < CK_MAX_BRANCHES; i++)
        b.live[b.live_count++] = loop->continues.v[i];
    loop->continues.n = 0;
    *flow = CK_NEXT;
    ck_branches_join(c, &b);
    return true;
}

static void loop_open(struct ck *c, struct ck_loop *loop, uint32_t node)
{
    *loop = (struct ck_loop){.up = c->frame->loop, .node = node, .born = c->objects};
    c->frame->loop = loop;
    loop->mark = heap_mark(&c->heap);
}

/* The state behind the loop: after its last pass and after each break. */
static enum ck_flow loop_close(struct ck *c, struct ck_loop *loop, struct ck_branches *ends,
                               enum ck_flow last)
{
    c->frame->loop = loop->up;
    bool broke = loop->breaks.n > 0;
    if (ends->live_count == 0 && !broke && (last == CK_NEXT || last == CK_BREAK)) {
        heap_commit(&c->heap); /* the state is the one behind the loop */
    } else {
        if (last == CK_NEXT || last == CK_BREAK)
            if (ends->live_count < CK_MAX_BRANCHES)
                ends->live[ends->live_count++] = heap_snapshot(&c->heap, loop->mark);
        if (last == CK_RETURN)
            save_flow(c, last);
        heap_undo(&c->heap, loop->mark);
        for (size_t i = 0; i < loop->breaks.n && ends->live_count < CK_MAX_BRANCHES; i++)
            ends->live[ends->live_count++] = loop->breaks.v[i];
        bool was = c->widening;
        c->widening = loop->endless;
        last = ck_branches_join(c, ends);
        c->widening = was;
    }
    lw_vec_release(c->mem, &loop->breaks);
    lw_vec_release(c->mem, &loop->continues);
    return last == CK_BREAK ? CK_NEXT : last;
}

static uint32_t body_size(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node);
    return n->last - n->first;
}

static enum ck_flow exec_for(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t target = lw_tree_get(t, node, LW_ROLE_TARGET);
    struct lw_value over = ck_eval(c, lw_tree_get(t, node, LW_ROLE_ITER));
    struct lw_seq seq = ck_iterate(c, over, node);
    struct ck_loop loop;
    struct ck_branches ends = {0};
    enum ck_flow flow = CK_NEXT;
    bool each =
        !seq.open && seq.n <= CK_MAX_UNROLL && (uint64_t)seq.n * body_size(t, node) <= 20000;
    loop_open(c, &loop, node);
    loop.endless = !each;
    ck_on_loop(c, node, over, true);
    if (each) {
        for (uint32_t i = 0; i < seq.n && ck_step(c); i++)
            if (!run_pass(c, &loop, target, seq.items[i], &flow))
                break;
    } else {
        struct lw_value any = seq.n ? ck_join_items(c, seq) : lw_v_unknown();
        c->frame->uncertain++;
        c->frame->looping++;
        /* Two kinds of items (full batches and the last one): a pass with each. */
        bool two = seq.open && seq.n == 2;
        loop.certain = c->frame->uncertain;
        bool again = run_pass(c, &loop, target, two ? seq.items[0] : any, &flow);
        ck_check_grown(&loop);
        if (again && ck_step(c)) {
            ends.live[ends.live_count++] = heap_snapshot(&c->heap, loop.mark);
            run_pass(c, &loop, target, two ? seq.items[1] : any, &flow);
        }
        c->frame->uncertain--;
        c->frame->looping--;
    }
    ck_on_loop(c, node, over, false);
    bool left = flow == CK_RETURN || flow == CK_RAISE || flow == CK_DEAD;
    if (!each && left && ends.live_count == 0) /* it may also run not at all */
        ends.live[ends.live_count++] = (struct ck_changes){0};
    bool broke = loop.breaks.n > 0 || flow == CK_BREAK;
    flow = loop_close(c, &loop, &ends, flow == CK_CONTINUE ? CK_NEXT : flow);
    if (flow == CK_NEXT && !broke && !each)
        ck_set_grown(c, &loop, seq.open ? seq.length : lw_dim_int((int32_t)seq.n));
    if (flow == CK_NEXT && !broke)
        return ck_exec_block(c, node, LW_ROLE_ORELSE);
    return flow;
}

static enum ck_flow exec_while(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t test = lw_tree_get(t, node, LW_ROLE_TEST);
    struct ck_loop loop;
    struct ck_branches ends = {0};
    enum ck_flow flow = CK_NEXT;
    bool forever = false;
    loop_open(c, &loop, node);
    ck_on_loop(c, node, lw_v_unknown(), true);
    for (unsigned i = 0; i < CK_MAX_UNROLL && ck_step(c); i++) {
        struct lw_value v = ck_eval(c, test);
        lw_tri truth = ck_truth(c, v);
        forever = lw_tree_kind(t, test) == LW_NODE_CONSTANT ||
                  lw_tree_kind(t, test) == LW_NODE_NUMBER;
        if (truth == LW_TRI_NO)
            break;
        if (truth == LW_TRI_MAYBE || forever)
            loop.endless = true;
        if (loop.endless && i >= 2)
            break;
        if (loop.endless && ends.live_count < CK_MAX_BRANCHES && !forever)
            ends.live[ends.live_count++] = heap_snapshot(&c->heap, loop.mark);
        c->frame->uncertain += loop.endless;
        c->frame->looping += loop.endless;
        bool again = run_pass(c, &loop, LW_NO_NODE, lw_v_unknown(), &flow);
        c->frame->uncertain -= loop.endless;
        c->frame->looping -= loop.endless;
        if (!again)
            break;
    }
    ck_on_loop(c, node, lw_v_unknown(), false);
    if (flow == CK_CONTINUE)
        flow = CK_NEXT;
    /* `while True` is left by break or return only; where none was seen (an exception, a
     * condition that was too hard) going on is better than to give up. */
    if (forever && flow == CK_NEXT && loop.breaks.n > 0)
        flow = CK_DEAD;
    return loop_close(c, &loop, &ends, flow);
}

/* ---- try, with ----------------------------------------------------------------------------
 */

static enum ck_flow exec_try(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    struct ck_branches b = {0};
    bool guarded = ck_is_guarded_try(c, node), shown = ck_shows_failure(c, node);
    size_t mark = heap_mark(&c->heap);
    c->frame->guarded += guarded;
    c->quiet += shown;
    enum ck_flow flow = ck_exec_block(c, node, LW_ROLE_BODY);
    c->quiet -= shown;
    if (flow == CK_NEXT)
        flow = ck_exec_block(c, node, LW_ROLE_ORELSE);
    struct ck_changes body = heap_snapshot(&c->heap, mark);
    ck_branch_end(c, &b, mark, flow);
    c->frame->uncertain++;
    for (uint32_t h = lw_tree_each(t, node, LW_ROLE_HANDLERS, LW_NO_NODE);
         h != LW_NO_NODE && b.live_count + 1 < CK_MAX_BRANCHES;
         h = lw_tree_each(t, node, LW_ROLE_HANDLERS, h)) {
        mark = heap_mark(&c->heap);
        /* The exception came somewhere in the block: what it changed may hold or not. */
        struct ck_changes ways[2] = {body, {0}};
        heap_merge(&c->heap, ways, 2, ck_join_slot, c);
        if (lw_tree_name(t, h).n)
            heap_set(&c->heap, ck_slot_of(c, h), lw_v_unknown());
        ck_branch_end(c, &b, mark, ck_exec_block(c, h, LW_ROLE_BODY));
    }
    c->frame->uncertain--;
    c->frame->guarded -= guarded;
    flow = ck_branches_join(c, &b);
    enum ck_flow last = ck_exec_block(c, node, LW_ROLE_FINALBODY);
    return last != CK_NEXT ? last : flow;
}

static enum ck_flow exec_with(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    size_t depth = c->contexts.n;
    for (uint32_t i = lw_tree_each(t, node, LW_ROLE_ITEMS, LW_NO_NODE); i != LW_NO_NODE;
         i = lw_tree_each(t, node, LW_ROLE_ITEMS, i)) {
        struct lw_value v = ck_eval(c, lw_tree_get(t, i, LW_ROLE_CONTEXT));
        struct lw_value entered = ck_enter(c, v, i);
        ck_assign(c, lw_tree_get(t, i, LW_ROLE_VARS), entered, i);
        if (lw_vec_push(c->mem, &c->contexts, (struct ck_context){v, i}) < 0)
            c->stopped = true;
    }
    bool wrong = ck_expects_failure(c, node);
    c->quiet += wrong;
    enum ck_flow flow = ck_exec_block(c, node, LW_ROLE_BODY);
    c->quiet -= wrong;
    for (size_t i = c->contexts.n; i-- > depth;)
        ck_leave(c, c->contexts.v[i].value, c->contexts.v[i].node);
    c->contexts.n = depth;
    return flow;
}

static enum ck_flow exec_match(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    struct ck_branches b = {0};
    ck_eval(c, lw_tree_get(t, node, LW_ROLE_SUBJECT));
    c->frame->uncertain++;
    for (uint32_t k = lw_tree_each(t, node, LW_ROLE_CASES, LW_NO_NODE);
         k != LW_NO_NODE && b.live_count + 1 < CK_MAX_BRANCHES;
         k = lw_tree_each(t, node, LW_ROLE_CASES, k)) {
        size_t mark = heap_mark(&c->heap);
        ck_branch_end(c, &b, mark, ck_exec_block(c, k, LW_ROLE_BODY));
    }
    c->frame->uncertain--;
    ck_branch_end(c, &b, heap_mark(&c->heap), CK_NEXT);
    return ck_branches_join(c, &b);
}

/* ---- the rest -----------------------------------------------------------------------------
 */

static enum ck_flow exec_return(struct ck *c, uint32_t node)
{
    uint32_t n = lw_tree_get(tree_of(c), node, LW_ROLE_VALUE);
    struct lw_value v = n == LW_NO_NODE     ? lw_v_none()
                        : ways_wanted(c, n) ? ways_exec(c, n, ck_eval)
                                            : ck_eval(c, n);
    ck_check_result(c, n, v);
    ck_on_return(c, node, v);
    c->frame->result = ways_join_results(c, c->frame->result, v);
    return CK_RETURN;
}

/* assert self.out is not None: somebody set it whom we did not see. */
static void believe_set(struct ck *c, uint32_t test)
{
    const struct lw_tree *t = tree_of(c);
    const struct lw_node *n = lw_tree_node(t, test);
    if (n->kind == LW_NODE_COMPARE && n->count == 3) {
        enum lw_op op = (enum lw_op)lw_tree_node(t, n->child + 1)->op;
        if ((op == LW_OP_IS_NOT || op == LW_OP_NOT_EQ) &&
            lw_str_eq(lw_tree_text(t, n->child + 2), LW_S("None")))
            test = n->child;
    }
    bool attribute = lw_tree_kind(t, test) == LW_NODE_ATTRIBUTE;
    if ((!attribute && lw_tree_kind(t, test) != LW_NODE_NAME) ||
        ck_eval(c, test).kind != LW_V_NONE)
        return;
    if (attribute)
        ck_set_attr(c, ck_eval(c, lw_tree_get(t, test, LW_ROLE_VALUE)), lw_tree_name(t, test),
                    lw_v_unknown());
    else
        heap_set(&c->heap, ck_slot_of(c, test), lw_v_unknown());
}

static enum ck_flow exec_assert(struct ck *c, uint32_t node)
{
    uint32_t test = lw_tree_get(tree_of(c), node, LW_ROLE_TEST);
    if (test == LW_NO_NODE)
        return CK_NEXT;
    bool sure = !c->frame->function && !c->frame->uncertain;
    if (ck_truth(c, ck_eval(c, test)) == LW_TRI_NO && !sure)
        return CK_RAISE;
    learn(c, test, true);
    ways_assert(c, test);
    believe_set(c, test);
    return CK_NEXT;
}

static enum ck_flow eval_children(struct ck *c, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(tree_of(c), node);
    for (uint32_t i = n->child; i < n->child + n->count; i++)
        ck_eval(c, i);
    return CK_NEXT;
}

/* `w.requires_grad_()`, `x.clamp_(0, 1)`: the name stands for what the method made of it. */
static void after_in_place(struct ck *c, uint32_t call, struct lw_value v)
{
    const struct lw_tree *t = tree_of(c);
    if (v.kind != LW_V_TENSOR || lw_tree_kind(t, call) != LW_NODE_CALL)
        return;
    uint32_t method = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (lw_tree_kind(t, method) != LW_NODE_ATTRIBUTE)
        return;
    struct lw_str name = lw_tree_name(t, method);
    uint32_t owner = lw_tree_get(t, method, LW_ROLE_VALUE);
    if (!lw_str_has_suffix(name, LW_S("_")) || lw_str_has_suffix(name, LW_S("__")) ||
        lw_tree_kind(t, owner) != LW_NODE_NAME)
        return;
    struct ck_slot *slot = ck_slot_of(c, owner);
    if (slot && slot->value.kind == LW_V_TENSOR)
        heap_set(&c->heap, slot, v);
}

static enum ck_flow exec_by_kind(struct ck *c, uint32_t node)
{
    switch (lw_tree_kind(tree_of(c), node)) {
    case LW_NODE_EXPR: {
        uint32_t value = lw_tree_get(tree_of(c), node, LW_ROLE_VALUE);
        struct lw_value v = ck_eval(c, value);
        ck_on_expression(c, node, v);
        after_in_place(c, value, v);
        return CK_NEXT;
    }
    case LW_NODE_ASSIGN: return exec_assign(c, node);
    case LW_NODE_AUG_ASSIGN: return exec_augmented(c, node);
    case LW_NODE_ANN_ASSIGN: return exec_annotated(c, node);
    case LW_NODE_FUNCTION: ck_define_function(c, node); return CK_NEXT;
    case LW_NODE_CLASS: ck_define_class(c, node); return CK_NEXT;
    case LW_NODE_RETURN: return exec_return(c, node);
    case LW_NODE_DELETE: return exec_delete(c, node);
    case LW_NODE_FOR: return exec_for(c, node);
    case LW_NODE_WHILE: return exec_while(c, node);
    case LW_NODE_IF: return exec_if(c, node);
    case LW_NODE_WITH: return exec_with(c, node);
    case LW_NODE_TRY: return exec_try(c, node);
    case LW_NODE_MATCH: return exec_match(c, node);
    case LW_NODE_RAISE: eval_children(c, node); return CK_RAISE;
    case LW_NODE_ASSERT: return exec_assert(c, node);
    case LW_NODE_IMPORT:
    case LW_NODE_IMPORT_FROM: ck_import(c, node); return CK_NEXT;
    case LW_NODE_BREAK: return CK_BREAK;
    case LW_NODE_CONTINUE: return CK_CONTINUE;
    case LW_NODE_PRINT: return eval_children(c, node);
    default: return CK_NEXT;
    }
}

/* One that only computes: it can be tried on several ways. */
static bool is_simple(enum lw_node_kind kind)
{
    return kind == LW_NODE_EXPR || kind == LW_NODE_ASSIGN || kind == LW_NODE_AUG_ASSIGN ||
           kind == LW_NODE_ANN_ASSIGN;
}

static struct lw_value exec_simple(struct ck *c, uint32_t node)
{
    exec_by_kind(c, node);
    return lw_v_absent();
}

static enum ck_flow exec(struct ck *c, uint32_t node)
{
    if (c->depth >= CK_MAX_DEPTH)
        return CK_NEXT;
    c->depth++;
    c->frame->statement = node;
    enum ck_flow flow = CK_NEXT;
    if (is_simple(lw_tree_kind(tree_of(c), node)) && ways_wanted(c, node))
        ways_exec(c, node, exec_simple);
    else
        flow = exec_by_kind(c, node);
    if (c->ways.live && lw_tree_kind(tree_of(c), node) == LW_NODE_ASSIGN)
        ways_assigned(c, node);
    c->depth--;
    return flow;
}
