/* Signs of parts of formulas. */
#include "base/err.h"
#include "check/query/sign.h"

#include "base/str.h"
#include "check/query/look.h"

enum { MAX_DEPTH = 24, MAX_STEPS = 500, MAX_MINIMISED = 40 }; /* of one program */

struct search {
    const struct ck_file *file;
    const struct lw_tree *t;
    sign_part *part;
    unsigned steps;
};

static const struct sign_found nothing = {.node = LW_NO_NODE};

static struct sign_found find(struct search *s, uint32_t node, int sign, bool alone,
                              unsigned depth);

static struct sign_found first_of(struct search *s, uint32_t a, int sign_a, uint32_t b,
                                  int sign_b, bool alone, unsigned depth)
{
    struct sign_found f = find(s, a, sign_a, alone, depth);
    return f.node != LW_NO_NODE ? f : find(s, b, sign_b, alone, depth);
}

/* Does the factor turn the sign: -x, -2? */
static bool turns(const struct lw_tree *t, uint32_t node)
{
    return lw_tree_kind(t, node) == LW_NODE_UNARY_OP && lw_tree_node(t, node)->op == LW_OP_USUB;
}

static struct sign_found find_in_operator(struct search *s, uint32_t node, int sign, bool alone,
                                          unsigned depth)
{
    uint32_t a = lw_tree_get(s->t, node, LW_ROLE_LEFT);
    uint32_t b = lw_tree_get(s->t, node, LW_ROLE_RIGHT);
    switch ((enum lw_op)lw_tree_node(s->t, node)->op) {
    case LW_OP_ADD: return first_of(s, a, sign, b, sign, false, depth);
    case LW_OP_SUB: return first_of(s, a, sign, b, -sign, false, depth);
    case LW_OP_MULT:
        return first_of(s, a, turns(s->t, b) ? -sign : sign, b, turns(s->t, a) ? -sign : sign,
                        alone, depth);
    case LW_OP_DIV: return find(s, a, turns(s->t, b) ? -sign : sign, alone, depth);
    default: return nothing;
    }
}

/* Calls that keep the order of values: what goes in is larger when the result is. */
static bool keeps_order(struct lw_str name)
{
    static const char *const names[] = {"sum",        "mean",
                                        "reduce_sum", "reduce_mean",
                                        "stack",      "cat",
                                        "concat",     "squeeze",
                                        "float",      "log",
                                        "to",         "view",
                                        "reshape",    "item",
                                        "cuda",       "flatten",
                                        "cast",       "unsqueeze",
                                        "average",    "nansum",
                                        "multiply",   "mul",
                                        "div",        "divide",
                                        "nanmean",    "convert_to_tensor"};
    return text_is_any(name, names, sizeof names / sizeof *names);
}

/* What a function of the file returns; the last return that stands in it. */
static uint32_t returned(const struct lw_tree *t, uint32_t function)
{
    uint32_t found = LW_NO_NODE;
    for (uint32_t n = lw_tree_next(t, function, function, false); n != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_RETURN &&
            lw_tree_enclosing(t, n, LW_NODE_FUNCTION) == function)
            found = lw_tree_get(t, n, LW_ROLE_VALUE);
    return found;
}

static struct sign_found find_in_call(struct search *s, uint32_t node, int sign, bool alone,
                                      unsigned depth)
{
    uint32_t f = lw_tree_get(s->t, node, LW_ROLE_FUNC);
    enum lw_node_kind kind = f == LW_NO_NODE ? LW_NODE_MISSING : lw_tree_kind(s->t, f);
    uint32_t own = lw_names_callee(&s->file->names, node);
    if (own != LW_NO_NODE)
        return lw_tree_kind(s->t, own) == LW_NODE_FUNCTION
                   ? find(s, returned(s->t, own), sign, alone, depth)
                   : nothing;
    if ((kind != LW_NODE_NAME && kind != LW_NODE_ATTRIBUTE) ||
        !keeps_order(lw_tree_name(s->t, f)))
        return nothing;
    uint32_t owner = syntax_owner(s->t, node);
    uint32_t first = lw_tree_each(s->t, node, LW_ROLE_ARGS, LW_NO_NODE);
    return first_of(s, owner, sign, first, sign, alone, depth);
}

/* What is appended to the list of this name, in the function around. */
static uint32_t appended(const struct lw_tree *t, uint32_t name)
{
    uint32_t top = lw_tree_enclosing(t, name, LW_NODE_FUNCTION);
    if (top == LW_NO_NODE)
        top = t->root;
    for (uint32_t call = syntax_method_call(t, top, "append"); call != LW_NO_NODE;
         call = syntax_next_call(t, top, call, "append"))
        if (lw_str_eq(lw_tree_text(t, syntax_owner(t, call)), lw_tree_text(t, name)))
            return lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    return LW_NO_NODE;
}

static struct sign_found find_in_name(struct search *s, uint32_t node, int sign, bool alone,
                                      unsigned depth)
{
    uint32_t value = syntax_assigned(s->t, node);
    if (value != LW_NO_NODE && lw_tree_kind(s->t, value) == LW_NODE_LIST)
        value = appended(s->t, node);
    return find(s, value, sign, alone, depth);
}

static struct sign_found find(struct search *s, uint32_t node, int sign, bool alone,
                              unsigned depth)
{
    if (node == LW_NO_NODE || depth >= MAX_DEPTH || ++s->steps > MAX_STEPS)
        return nothing;
    if (s->part(s->t, node))
        return (struct sign_found){node, sign, alone};
    switch (lw_tree_kind(s->t, node)) {
    case LW_NODE_NAME: return find_in_name(s, node, sign, alone, depth + 1);
    case LW_NODE_BIN_OP: return find_in_operator(s, node, sign, alone, depth + 1);
    case LW_NODE_CALL: return find_in_call(s, node, sign, alone, depth + 1);
    case LW_NODE_UNARY_OP:
        return lw_tree_node(s->t, node)->op == LW_OP_USUB
                   ? find(s, lw_tree_get(s->t, node, LW_ROLE_OPERAND), -sign, alone, depth + 1)
                   : nothing;
    case LW_NODE_LIST:
    case LW_NODE_TUPLE:
        return find(s, lw_tree_each(s->t, node, LW_ROLE_ELTS, LW_NO_NODE), sign, alone,
                    depth + 1);
    default: return nothing;
    }
}

struct sign_found sign_of(const struct ck_file *file, uint32_t expression, sign_part *part)
{
    LW_BUG_ON(!file || !part);
    struct search s = {.file = file, .t = &file->tree, .part = part};
    return find(&s, expression, 1, true, 0);
}

/* ---- what is minimised ----------------------------------------------------------------------
 */

static bool is_called(const struct lw_tree *t, struct lw_str name)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t f =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (f != LW_NO_NODE &&
            (lw_tree_kind(t, f) == LW_NODE_NAME || lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE) &&
            lw_str_eq(lw_tree_name(t, f), name))
            return true;
    }
    return false;
}

/* compile(…, loss=f): what f returns. */
static uint32_t compiled(const struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = &file->tree;
    uint32_t given = syntax_keyword(t, call, LW_S("loss"));
    if (given == LW_NO_NODE) {
        given = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
        given = given == LW_NO_NODE ? given : lw_tree_each(t, call, LW_ROLE_ARGS, given);
    }
    if (given == LW_NO_NODE || lw_tree_kind(t, given) != LW_NODE_NAME)
        return LW_NO_NODE;
    uint32_t f = lw_names_definition(&file->names, given);
    return f != LW_NO_NODE && lw_tree_kind(t, f) == LW_NODE_FUNCTION ? returned(t, f)
                                                                     : LW_NO_NODE;
}

static uint32_t minimised_by(const struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = &file->tree;
    uint32_t owner = syntax_owner(t, call);
    if (owner == LW_NO_NODE)
        return LW_NO_NODE;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC));
    if (text_is(name, "backward"))
        return owner;
    if (text_is(name, "compile"))
        return compiled(file, call);
    if (text_is(name, "minimize") ||
        (text_is(name, "gradient") &&
         lw_str_find(lw_tree_text(t, owner), LW_S("tape")) != LW_NPOS))
        return lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    return LW_NO_NODE;
}

void sign_minimised(struct ck *c, struct ck_file *file, sign_visit *visit)
{
    LW_BUG_ON(!file || !visit);
    const struct lw_tree *t = &file->tree;
    unsigned seen = 0;
    for (uint32_t n = t->root; n != LW_NO_NODE && seen < MAX_MINIMISED;
         n = lw_tree_next(t, t->root, n, false)) {
        uint32_t expression = LW_NO_NODE;
        if (lw_tree_kind(t, n) == LW_NODE_CALL) {
            expression = minimised_by(file, n);
        } else if (lw_tree_kind(t, n) == LW_NODE_FUNCTION) {
            struct lw_str name = lw_tree_name(t, n);
            if (lw_str_find(name, LW_S("loss")) != LW_NPOS && !is_called(t, name))
                expression = returned(t, n);
        }
        if (expression != LW_NO_NODE) {
            seen++;
            visit(c, file, expression);
        }
    }
}
