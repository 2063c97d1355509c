/* Conditions: branches are run apart, with what the test says in each, and joined. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/events.h"
#include "check/engine/stmt.h"

static const struct lw_tree *tree_of(const struct ck *c)
{
    return &c->frame->file->tree;
}

/* ---- branches -----------------------------------------------------------------------------
 */

/* A join takes no more than CK_MAX_BRANCHES: more copies of all that was changed would be made
 * for nothing. */
static void save(struct ck *c, ck_saved *to, size_t mark)
{
    if (to->n < CK_MAX_BRANCHES && lw_vec_push(c->mem, to, heap_snapshot(&c->heap, mark)) < 0)
        c->stopped = true;
}

void stmt_save_flow(struct ck *c, enum ck_flow flow)
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
    LW_BUG_ON(b->live_count > CK_MAX_BRANCHES || flow > CK_DEAD);
    if (flow != CK_NEXT)
        stmt_save_flow(c, flow);
    struct ck_changes changes = heap_take(&c->heap, mark);
    if (flow == CK_NEXT && b->live_count < CK_MAX_BRANCHES)
        b->live[b->live_count++] = changes;
}

enum ck_flow ck_branches_join(struct ck *c, struct ck_branches *b)
{
    LW_BUG_ON(b->live_count > CK_MAX_BRANCHES);
    if (b->live_count == 0)
        return CK_DEAD;
    heap_merge(&c->heap, b->live, b->live_count, ck_join_slot, c);
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

void stmt_learn(struct ck *c, uint32_t test, bool holds)
{
    learn_value(c, test, holds);
    ways_learn(c, test, holds);
}

/* Tests of versions and of what exists: names inside may be absent on purpose. */
static bool is_environment_test(struct ck *c, uint32_t test)
{
    struct lw_str text = lw_tree_text(tree_of(c), test);
    return lw_str_find(text, LW_S("hasattr")) != LW_NPOS ||
           lw_str_find(text, LW_S("ersion")) != LW_NPOS ||
           lw_str_find(text, LW_S("VERSION")) != LW_NPOS ||
           lw_str_find(text, LW_S("TYPE_CHECKING")) != LW_NPOS ||
           lw_str_find(text, LW_S("is_available")) != LW_NPOS;
}

/* in_channels == filters: inside, sizes agree that were not known to. */
static bool is_size_equality(const struct lw_tree *t, uint32_t test)
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
    bool guard = k.test != LW_NO_NODE && is_environment_test(c, k.test);
    bool match =
        k.test != LW_NO_NODE && c->frame->uncertain && is_size_equality(tree_of(c), k.test);
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

/* `if not is_sparse(x): return x.sum()`: behind it, x is what the test let through. */
static void doubt_rest(struct ck *c, const uint32_t *tests, size_t n)
{
    struct ck_doubts doubts = {0};
    for (size_t i = 0; i < n; i++)
        ck_doubt(c, &doubts, tests[i]);
}

enum ck_flow stmt_if(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    struct clause k = {node, LW_ROLE_BODY, lw_tree_get(t, node, LW_ROLE_TEST)};
    struct ck_branches b = {0};
    struct ck_fork fork = {0};
    uint32_t elif = LW_NO_NODE;
    bool forked = false, complete = false;
    bool guarded = false, left = false;
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
        guarded |= k.test != LW_NO_NODE && is_environment_test(c, k.test);
        c->frame->guarded += guarded;
        size_t mark = heap_mark(&c->heap), facts = lw_dims_mark(c->dims);
        for (size_t i = 0; i < failed_count; i++)
            stmt_learn(c, failed[i], false);
        if (k.test != LW_NO_NODE)
            stmt_learn(c, k.test, true);
        struct ck_doubts doubts = {0};
        for (size_t i = 0; i < failed_count; i++)
            ck_doubt(c, &doubts, failed[i]);
        if (!complete)
            ck_doubt(c, &doubts, k.test);
        enum ck_flow flow = run_clause(c, k);
        ck_doubt_end(c, &doubts);
        left |= flow != CK_NEXT;
        ways_leaves(&fork, flow != CK_NEXT);
        ck_branch_end(c, &b, mark, flow);
        lw_dims_rewind(c->dims, facts);
        c->frame->guarded -= guarded;
        if (k.test != LW_NO_NODE && failed_count < CK_MAX_BRANCHES)
            failed[failed_count++] = k.test;
    } while (!complete && next_clause(t, node, &k, &elif));
    if (!forked)
        return CK_NEXT;
    LW_BUG_ON(!c->frame->uncertain);
    c->frame->uncertain--;
    if (!complete) {
        size_t mark = heap_mark(&c->heap);
        for (size_t i = 0; i < failed_count; i++)
            stmt_learn(c, failed[i], false);
        ck_branch_end(c, &b, mark, CK_NEXT);
    }
    if (!ways_join_branches(c, &fork, &b, node))
        return CK_DEAD;
    if (left)
        doubt_rest(c, failed, failed_count);
    return CK_NEXT;
}
