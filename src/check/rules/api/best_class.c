/* Rules about the class that a network chooses: max() and argmax(), read off the text. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/roles.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

enum { MOST_LOOKS = 64 };

/* ---- max() along an axis, which gives two things ------------------------------------------
 */

static bool is_whole_number(const struct lw_tree *t, uint32_t node)
{
    if (lw_tree_kind(t, node) == LW_NODE_UNARY_OP)
        node = lw_tree_get(t, node, LW_ROLE_OPERAND);
    return lw_tree_kind(t, node) == LW_NODE_NUMBER;
}

/* Is it what a network answers: net(x), self.net(x)? */
static bool is_answer(struct ck *c, struct ck_file *f, uint32_t node)
{
    const struct lw_tree *t = &f->tree;
    uint32_t call = trace_value(c, f, node);
    uint32_t func =
        lw_tree_kind(t, call) == LW_NODE_CALL ? lw_tree_get(t, call, LW_ROLE_FUNC) : LW_NO_NODE;
    bool plain = lw_tree_kind(t, func) == LW_NODE_NAME || syntax_is_of_self(t, func);
    return plain && !trace_library(c, f, func).n &&
           role_is_named(c, lw_tree_name(t, func), ROLE_NETWORK);
}

/* torch.max(x, 1), x.max(dim=1): values and indices. */
static bool gives_pair(struct ck *c, struct ck_file *f, uint32_t call)
{
    const struct lw_tree *t = &f->tree;
    struct lw_str name = syntax_called_name(t, call);
    if (lw_tree_kind(t, call) != LW_NODE_CALL ||
        (!text_is(name, "max") && !text_is(name, "min")))
        return false;
    struct lw_str library = trace_library(c, f, lw_tree_get(t, call, LW_ROLE_FUNC));
    if (library.n)
        return (text_is(library, "torch.max") || text_is(library, "torch.min")) &&
               is_whole_number(t, program_argument(t, call, "dim", 1));
    uint32_t owner = syntax_owner(t, call);
    if (owner == LW_NO_NODE)
        return false;
    return is_whole_number(t, syntax_keyword(t, call, LW_S("dim"))) ||
           (is_whole_number(t, program_argument(t, call, "dim", 0)) && is_answer(c, f, owner));
}

/* What the expression is of such a call: TRACE_WHOLE is the pair, 0 the values. */
static bool part_of_pair(struct ck *c, struct ck_file *f, uint32_t node, uint32_t *part)
{
    struct trace_source s = {node, TRACE_WHOLE};
    if (lw_tree_kind(&f->tree, node) == LW_NODE_NAME)
        s = trace_name(f, node);
    *part = s.part;
    return s.value != LW_NO_NODE && gives_pair(c, f, s.value);
}

/* scores, _ = x.max(1): are the indices thrown away? */
static bool drops_indices(const struct ck_file *f, uint32_t scores)
{
    const struct lw_tree *t = &f->tree;
    uint32_t assign = lw_tree_statement(t, trace_name(f, scores).value);
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    uint32_t first = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE);
    return text_is(lw_tree_text(t, lw_tree_each(t, target, LW_ROLE_ELTS, first)), "_");
}

static void look_at_comparison(struct ck *c, struct ck_file *f, uint32_t node)
{
    const struct lw_tree *t = &f->tree;
    const struct lw_node *n = lw_tree_node(t, node);
    if (n->count != 3 || lw_tree_node(t, n->child + 1)->op != LW_OP_EQ)
        return;
    for (unsigned side = 0; side < 2; side++) {
        uint32_t one = n->child + 2 * side, other = n->child + 2 - 2 * side, part;
        if (!part_of_pair(c, f, one, &part) || part == 1 ||
            ck_is_told(c, f, node, "type/operand-kinds"))
            continue;
        if (part == TRACE_WHOLE)
            ck_find_at(c, f, node, "api/best-class-lost", NULL, 0,
                       "max() along an axis returns a pair of values and indices, which is "
                       "compared with '%.*s': take the indices, or use argmax()",
                       LW_F(lw_tree_text(t, other)));
        else if (drops_indices(f, one) || role_is_named(c, lw_tree_text(t, other), ROLE_LABEL))
            ck_find_at(c, f, node, "api/best-class-lost", NULL, 0,
                       "'%.*s' holds the largest scores, not their classes: take the second "
                       "result of max(), or use argmax()",
                       LW_F(lw_tree_text(t, one)));
        return;
    }
}

/* ---- argmax() of what predict() gives -----------------------------------------------------
 */

static bool is_prediction(struct ck *c, struct ck_file *f, uint32_t node)
{
    uint32_t call = trace_value(c, f, node);
    return lw_tree_kind(&f->tree, call) == LW_NODE_CALL &&
           text_is(syntax_called_name(&f->tree, call), "predict") &&
           syntax_owner(&f->tree, call) != LW_NO_NODE;
}

/* Is the name, or the call itself, compared with labels or given to a metric? */
static bool is_judged(struct ck *c, struct ck_file *f, uint32_t call)
{
    static const char *const metrics[] = {
        "accuracy_score",  "classification_report", "confusion_matrix",       "f1_score",
        "precision_score", "recall_score",          "balanced_accuracy_score"};
    const struct lw_tree *t = &f->tree;
    uint32_t s = lw_tree_statement(t, call), target = LW_NO_NODE;
    if (lw_tree_kind(t, s) == LW_NODE_ASSIGN && lw_tree_parent(t, call) == s)
        target = lw_tree_get(t, s, LW_ROLE_TARGETS);
    uint32_t symbol =
        lw_tree_kind(t, target) == LW_NODE_NAME ? f->names.symbol_of.v[target] : LW_NO_SYMBOL;
    uint32_t use = target == LW_NO_NODE ? call : LW_NO_NODE;
    uint32_t top = lw_tree_enclosing(t, call, LW_NODE_FUNCTION);
    if (symbol != LW_NO_SYMBOL && look_again(c, metrics, MOST_LOOKS))
        use = trace_next_use(f, top == LW_NO_NODE ? t->root : top, target, symbol);
    for (; use != LW_NO_NODE;
         use = symbol == LW_NO_SYMBOL
                   ? LW_NO_NODE
                   : trace_next_use(f, top == LW_NO_NODE ? t->root : top, use, symbol)) {
        uint32_t up = lw_tree_parent(t, use);
        if (lw_tree_kind(t, up) == LW_NODE_COMPARE ||
            (lw_tree_kind(t, up) == LW_NODE_CALL &&
             text_is_any(syntax_called_name(t, up), metrics, sizeof metrics / sizeof *metrics)))
            return true;
    }
    return false;
}

static void look_at_argmax(struct ck *c, struct ck_file *f, uint32_t call)
{
    const struct lw_tree *t = &f->tree;
    struct lw_str name = trace_library(c, f, lw_tree_get(t, call, LW_ROLE_FUNC));
    bool numpy = text_is(name, "numpy.argmax");
    if ((!numpy && !text_is(name, "tensorflow.argmax") &&
         !text_is(name, "tensorflow.math.argmax")) ||
        !is_prediction(c, f, program_argument(t, call, numpy ? "a" : "input", 0)))
        return;
    uint32_t axis = program_argument(t, call, "axis", 1);
    bool none = axis == LW_NO_NODE;
    if ((!none && !text_is(lw_tree_text(t, axis), "0")) || !is_judged(c, f, call))
        return;
    ck_find_at(c, f, call, "api/best-class-lost", NULL, 0,
               none && numpy ? "argmax() without an axis returns one number for all samples: "
                               "use axis=-1"
                             : "argmax() along axis 0 returns the best sample of each class, "
                               "not the class of each sample: use axis=-1");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    if (program_calls_of(c, "max").n || program_calls_of(c, "min").n)
        for (uint32_t n = 0; n < f->tree.nodes.n; n++)
            if (lw_tree_kind(&f->tree, n) == LW_NODE_COMPARE)
                look_at_comparison(c, f, n);
    struct places_list calls = program_calls_of(c, "argmax");
    for (size_t i = 0; i < calls.n && i < MOST_LOOKS; i++)
        look_at_argmax(c, f, calls.v[i]);
}

const struct ck_rule rules_api_best_class[] = {
    {"api/best-class-lost", CK_EV_END, watch_end},
    {0},
};
