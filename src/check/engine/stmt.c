#include "check/engine/stmt.h"

#include "base/str.h"
#include "check/engine/events.h"
#include "check/engine/library.h"

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

/* ---- assignment ---------------------------------------------------------------------------
 */

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
    ck_emit(c, &(struct ck_event){.kind = CK_EV_AUGMENTED, .node = node, .a = a, .b = b});
    if (a.kind == CK_LIST && op == LW_OP_ADD) {
        struct ck_object *o = ck_object_of(a);
        struct lw_value sum = ck_binary(c, op, a, b, node);
        struct ck_object *now = ck_as(sum, CK_LIST);
        heap_set(&c->heap, &o->contents, now ? now->contents.value : lw_v_unknown());
        return CK_NEXT;
    }
    struct lw_value v = ck_binary(c, op, a, b, node);
    v = c->models->in_place(c, a, v);
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
        struct lw_value entered = c->models->enter(c, v, i);
        ck_assign(c, lw_tree_get(t, i, LW_ROLE_VARS), entered, i);
        if (lw_vec_push(c->mem, &c->contexts, (struct ck_context){v, i}) < 0)
            c->stopped = true;
    }
    bool wrong = ck_expects_failure(c, node);
    c->quiet += wrong;
    enum ck_flow flow = ck_exec_block(c, node, LW_ROLE_BODY);
    c->quiet -= wrong;
    c->contexts.n = depth;
    return flow;
}

/* case name: takes anything, and case _: does so without binding it. */
static bool is_capture(const struct lw_tree *t, uint32_t pattern)
{
    return lw_tree_kind(t, pattern) == LW_NODE_MATCH_AS &&
           lw_tree_get(t, pattern, LW_ROLE_PATTERN) == LW_NO_NODE;
}

/* case [first, *rest] if first > 0: binds what the pattern names. Parts of the subject are not
 * looked up. */
static void bind_case(struct ck *c, uint32_t node, struct lw_value subject)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t pattern = lw_tree_get(t, node, LW_ROLE_PATTERN);
    for (uint32_t n = pattern; n != LW_NO_NODE; n = lw_tree_next(t, pattern, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        bool binds = kind == LW_NODE_MATCH_AS || kind == LW_NODE_MATCH_STAR ||
                     kind == LW_NODE_MATCH_REST;
        if (binds && lw_tree_name(t, n).n && !lw_str_eq(lw_tree_name(t, n), LW_S("_")))
            heap_set(&c->heap, ck_slot_of(c, n),
                     n == pattern && kind == LW_NODE_MATCH_AS ? subject : lw_v_unknown());
    }
    ck_eval(c, lw_tree_get(t, node, LW_ROLE_GUARD));
}

static enum ck_flow exec_match(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    struct ck_branches b = {0};
    struct lw_value subject = ck_eval(c, lw_tree_get(t, node, LW_ROLE_SUBJECT));
    bool whole = false; /* one of the cases is taken */
    c->frame->uncertain++;
    for (uint32_t k = lw_tree_each(t, node, LW_ROLE_CASES, LW_NO_NODE);
         k != LW_NO_NODE && b.live_count + 1 < CK_MAX_BRANCHES;
         k = lw_tree_each(t, node, LW_ROLE_CASES, k)) {
        size_t mark = heap_mark(&c->heap);
        bind_case(c, k, subject);
        whole |= is_capture(t, lw_tree_get(t, k, LW_ROLE_PATTERN)) &&
                 lw_tree_get(t, k, LW_ROLE_GUARD) == LW_NO_NODE;
        ck_branch_end(c, &b, mark, ck_exec_block(c, k, LW_ROLE_BODY));
    }
    c->frame->uncertain--;
    if (!whole)
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
    ck_emit(c, &(struct ck_event){.kind = CK_EV_RETURN, .node = node, .value = v});
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
    stmt_learn(c, test, true);
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
        ck_emit(c, &(struct ck_event){.kind = CK_EV_EXPRESSION, .node = node, .value = v});
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
    case LW_NODE_FOR: return stmt_for(c, node);
    case LW_NODE_WHILE: return stmt_while(c, node);
    case LW_NODE_IF: return stmt_if(c, node);
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
