/* Rules about the state that a training loop carries along. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- state that is carried from step to step ----------------------------------------------
 */

/* h = h.detach() in the loop, for a name of the state. */
static bool is_detached_in(struct ck *c, const struct lw_tree *t, uint32_t loop, uint32_t state)
{
    for (uint32_t k = state; k != LW_NO_NODE; k = lw_tree_next(t, state, k, false)) {
        if (lw_tree_kind(t, k) != LW_NODE_NAME)
            continue;
        struct lw_str cut = ck_text(c, "%.*s.detach()", LW_F(lw_tree_name(t, k)));
        for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
             n = lw_tree_next(t, loop, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
                syntax_has_name(t, lw_tree_get(t, n, LW_ROLE_TARGETS), lw_tree_name(t, k)) &&
                lw_str_find(lw_tree_text(t, n), cut) != LW_NPOS)
                return true;
    }
    return false;
}

/* state = cell(x, state.detach()) in a loop over time. */
static void watch_cell(struct ck *c, const struct ck_event *e)
{
    static const char *const cells[] = {"GRUCell", "LSTMCell", "RNNCell"};
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_frame *f = c->frame;
    if (!e->object || !e->object->api || e->object->of || e->call->n < 2 ||
        !text_is_any(text_tail(e->object->api->name), cells, 3) || !f->function ||
        !text_is(text_tail(f->function->name), "forward"))
        return;
    uint32_t loop = syntax_loop_around(t, e->node), state = e->call->args[1].node;
    if (loop == LW_NO_NODE || state == LW_NO_NODE ||
        (!text_says(lw_tree_text(t, state), ".detach()") && !is_detached_in(c, t, loop, state)))
        return;
    uint32_t s = lw_tree_statement(t, e->node), first = LW_NO_NODE;
    if (lw_tree_kind(t, s) != LW_NODE_ASSIGN)
        return;
    uint32_t target = lw_tree_get(t, s, LW_ROLE_TARGETS);
    for (uint32_t n = state; n != LW_NO_NODE && first == LW_NO_NODE;
         n = lw_tree_next(t, state, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME &&
            syntax_has_name(t, target, lw_tree_name(t, n)))
            first = n;
    if (first == LW_NO_NODE)
        return;
    ck_find(c, state, "training/state-detached", NULL, 0,
            "the state is detached in every step, so gradients never reach an earlier step and "
            "the network cannot learn longer dependencies: detach only between batches");
}

/* ---- loops that a network ends ------------------------------------------------------------
 */

/* Leaves the loop other than by the `break` that `but` holds? */
static bool has_exit(const struct lw_tree *t, uint32_t loop, uint32_t but)
{
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if ((kind == LW_NODE_BREAK || kind == LW_NODE_RETURN || kind == LW_NODE_RAISE ||
             kind == LW_NODE_YIELD) &&
            (but == LW_NO_NODE || !syntax_inside(t, n, but)))
            return true;
    }
    return false;
}

/* `a op b` of one operator: the name it begins with, else LW_NO_NODE. */
static uint32_t compared_name(const struct lw_tree *t, uint32_t test, enum lw_op op)
{
    if (test == LW_NO_NODE || lw_tree_kind(t, test) != LW_NODE_COMPARE ||
        lw_tree_count(t, test, LW_ROLE_COMPARATORS) != 1)
        return LW_NO_NODE;
    const struct lw_node *n = lw_tree_node(t, test);
    bool found = false;
    for (uint32_t i = n->child; i < n->child + n->count; i++)
        found |= lw_tree_kind(t, i) == LW_NODE_CMPOP && lw_tree_node(t, i)->op == op;
    uint32_t left = lw_tree_get(t, test, LW_ROLE_LEFT);
    for (uint32_t k = left; found && k != LW_NO_NODE; k = lw_tree_next(t, left, k, false))
        if (lw_tree_kind(t, k) == LW_NODE_NAME)
            return k;
    return LW_NO_NODE;
}

/* Is the name what a network finds most likely? */
static bool is_picked_in(const struct lw_tree *t, uint32_t loop, struct lw_str name,
                         unsigned depth)
{
    static const char *const picks[] = {"argmax", "multinomial", "topk", "max"};
    for (uint32_t k = lw_tree_next(t, loop, loop, false); k != LW_NO_NODE;
         k = lw_tree_next(t, loop, k, false)) {
        if (lw_tree_kind(t, k) != LW_NODE_ASSIGN ||
            !syntax_has_name(t, lw_tree_get(t, k, LW_ROLE_TARGETS), name))
            continue;
        for (size_t i = 0; i < sizeof picks / sizeof *picks; i++)
            if (syntax_method_call(t, k, picks[i]) != LW_NO_NODE)
                return true;
        uint32_t value = lw_tree_get(t, k, LW_ROLE_VALUE); /* words[index] */
        for (uint32_t n = value; n != LW_NO_NODE && depth > 0;
             n = lw_tree_next(t, value, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_NAME && !lw_str_eq(lw_tree_name(t, n), name) &&
                is_picked_in(t, loop, lw_tree_name(t, n), depth - 1))
                return true;
    }
    return false;
}

/* while True: … if word == END: break */
static uint32_t only_exit(const struct lw_tree *t, uint32_t loop)
{
    for (uint32_t s = lw_tree_each(t, loop, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, loop, LW_ROLE_BODY, s))
        if (lw_tree_kind(t, s) == LW_NODE_IF && !has_exit(t, loop, s) &&
            compared_name(t, lw_tree_get(t, s, LW_ROLE_TEST), LW_OP_EQ) != LW_NO_NODE)
            return lw_tree_get(t, s, LW_ROLE_TEST);
    return LW_NO_NODE;
}

/* while word != END, where the word is what a network finds most likely. */
static void watch_endless(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t test = e->flag && lw_tree_kind(t, e->node) == LW_NODE_WHILE
                        ? lw_tree_get(t, e->node, LW_ROLE_TEST)
                        : LW_NO_NODE;
    enum lw_op op = LW_OP_NOT_EQ;
    if (test == LW_NO_NODE)
        return;
    if (text_is(lw_tree_text(t, test), "True")) {
        test = only_exit(t, e->node);
        op = LW_OP_EQ;
    } else if (has_exit(t, e->node, LW_NO_NODE)) {
        return;
    }
    uint32_t word = compared_name(t, test, op);
    if (word == LW_NO_NODE || !is_picked_in(t, e->node, lw_tree_name(t, word), 1))
        return;
    ck_find(c, test, "training/endless-decoding", NULL, 0,
            "the loop ends only when the network predicts '%.*s' as the end, which an "
            "untrained network may never do: add a maximum length",
            LW_F(lw_tree_name(t, word)));
}

/* ---- a best value that is never beaten ----------------------------------------------------
 */

/* Inside `top`: `if x > best: … save(…)`, where `best` is set again. The test, or LW_NO_NODE.
 */
static uint32_t saving_test(const struct lw_tree *t, uint32_t top, uint32_t *best)
{
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false)) {
        uint32_t test =
            lw_tree_kind(t, n) == LW_NODE_IF ? lw_tree_get(t, n, LW_ROLE_TEST) : LW_NO_NODE;
        if (test == LW_NO_NODE || lw_tree_kind(t, test) != LW_NODE_COMPARE ||
            syntax_method_call(t, n, "save") == LW_NO_NODE ||
            lw_tree_get(t, n, LW_ROLE_ORELSE) != LW_NO_NODE)
            continue;
        const struct lw_node *cmp = lw_tree_node(t, test);
        uint32_t right = lw_tree_get(t, test, LW_ROLE_COMPARATORS);
        bool above = false, renewed = false;
        for (uint32_t i = cmp->child; i < cmp->child + cmp->count; i++)
            above |=
                lw_tree_kind(t, i) == LW_NODE_CMPOP &&
                (lw_tree_node(t, i)->op == LW_OP_GT || lw_tree_node(t, i)->op == LW_OP_GT_E);
        for (uint32_t s = lw_tree_each(t, n, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
             s = lw_tree_each(t, n, LW_ROLE_BODY, s))
            renewed |= lw_tree_kind(t, s) == LW_NODE_ASSIGN &&
                       lw_str_eq(lw_tree_text(t, lw_tree_get(t, s, LW_ROLE_TARGETS)),
                                 lw_tree_text(t, right));
        if (above && renewed) {
            *best = right;
            return test;
        }
    }
    return LW_NO_NODE;
}

/* for …: if accuracy > best: save(…)   behind it: load(…), whether anything was saved or not.
 */
static void watch_best(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t best = LW_NO_NODE;
    double start;
    if (!e->flag || lw_tree_kind(t, e->node) != LW_NODE_FOR ||
        syntax_loop_around(t, e->node) != LW_NO_NODE || !ck_shows(c, "name load_state_dict*"))
        return;
    uint32_t test = saving_test(t, e->node, &best);
    if (test == LW_NO_NODE || !ck_number_of(c, ck_eval(c, best), &start) || start <= 0)
        return;
    uint32_t block = lw_tree_parent(t, e->node), load = LW_NO_NODE;
    for (uint32_t s = lw_tree_each(t, block, LW_ROLE_BODY, e->node); s != LW_NO_NODE;
         s = lw_tree_each(t, block, LW_ROLE_BODY, s))
        if (lw_tree_kind(t, s) == LW_NODE_EXPR && load == LW_NO_NODE)
            load = syntax_method_call(t, s, "load_state_dict");
    if (load == LW_NO_NODE || text_says(ck_code(c->frame->file, block), "exists("))
        return;
    ck_find(c, test, "training/best-not-reached", NULL, 0,
            "the best value starts at %g: a run that stays below saves nothing, and the file "
            "loaded after the loop is missing or old; start with -inf",
            start);
}

const struct ck_rule rules_training_state[] = {
    {"training/state-detached", CK_EV_LAYER, watch_cell},
    {"training/endless-decoding", CK_EV_LOOP, watch_endless},
    {"training/best-not-reached", CK_EV_LOOP, watch_best},
    {0},
};
