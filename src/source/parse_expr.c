/*
 * Expressions: operators by binding strength, lambda, conditionals, lists, comprehensions.
 */
#include "source/parse_internal.h"

/* Binding strength of a token as an infix operator; LEVEL_NONE for all others. */
static const uint8_t infix_level[LW_TOKEN_KIND_COUNT] = {
    [LW_TOK_OR] = LEVEL_OR,          [LW_TOK_AND] = LEVEL_AND,
    [LW_TOK_NOT] = LEVEL_COMPARE,    [LW_TOK_IN] = LEVEL_COMPARE,
    [LW_TOK_IS] = LEVEL_COMPARE,     [LW_TOK_EQ] = LEVEL_COMPARE,
    [LW_TOK_NE] = LEVEL_COMPARE,     [LW_TOK_LT] = LEVEL_COMPARE,
    [LW_TOK_LE] = LEVEL_COMPARE,     [LW_TOK_GT] = LEVEL_COMPARE,
    [LW_TOK_GE] = LEVEL_COMPARE,     [LW_TOK_BAR] = LEVEL_BIT_OR,
    [LW_TOK_CARET] = LEVEL_BIT_XOR,  [LW_TOK_AMP] = LEVEL_BIT_AND,
    [LW_TOK_LSHIFT] = LEVEL_SHIFT,   [LW_TOK_RSHIFT] = LEVEL_SHIFT,
    [LW_TOK_PLUS] = LEVEL_ADD,       [LW_TOK_MINUS] = LEVEL_ADD,
    [LW_TOK_STAR] = LEVEL_MULTIPLY,  [LW_TOK_SLASH] = LEVEL_MULTIPLY,
    [LW_TOK_FLOOR] = LEVEL_MULTIPLY, [LW_TOK_PERCENT] = LEVEL_MULTIPLY,
    [LW_TOK_AT] = LEVEL_MULTIPLY,    [LW_TOK_POWER] = LEVEL_POWER,
};

static const uint8_t infix_op[LW_TOKEN_KIND_COUNT] = {
    [LW_TOK_BAR] = LW_OP_BIT_OR,    [LW_TOK_CARET] = LW_OP_BIT_XOR,
    [LW_TOK_AMP] = LW_OP_BIT_AND,   [LW_TOK_LSHIFT] = LW_OP_LSHIFT,
    [LW_TOK_RSHIFT] = LW_OP_RSHIFT, [LW_TOK_PLUS] = LW_OP_ADD,
    [LW_TOK_MINUS] = LW_OP_SUB,     [LW_TOK_STAR] = LW_OP_MULT,
    [LW_TOK_SLASH] = LW_OP_DIV,     [LW_TOK_FLOOR] = LW_OP_FLOOR_DIV,
    [LW_TOK_PERCENT] = LW_OP_MOD,   [LW_TOK_AT] = LW_OP_MAT_MULT,
    [LW_TOK_POWER] = LW_OP_POW,     [LW_TOK_EQ] = LW_OP_EQ,
    [LW_TOK_NE] = LW_OP_NOT_EQ,     [LW_TOK_LT] = LW_OP_LT,
    [LW_TOK_LE] = LW_OP_LT_E,       [LW_TOK_GT] = LW_OP_GT,
    [LW_TOK_GE] = LW_OP_GT_E,       [LW_TOK_IN] = LW_OP_IN,
    [LW_TOK_IS] = LW_OP_IS,         [LW_TOK_NOT] = LW_OP_NOT_IN,
};

/* Tokens that an expression can begin with. */
static const bool begins[LW_TOKEN_KIND_COUNT] = {
    [LW_TOK_NAME] = true,          [LW_TOK_NUMBER] = true,   [LW_TOK_STRING] = true,
    [LW_TOK_FSTRING_START] = true, [LW_TOK_MAGIC] = true,    [LW_TOK_FALSE] = true,
    [LW_TOK_NONE] = true,          [LW_TOK_TRUE] = true,     [LW_TOK_AWAIT] = true,
    [LW_TOK_LAMBDA] = true,        [LW_TOK_NOT] = true,      [LW_TOK_YIELD] = true,
    [LW_TOK_LPAREN] = true,        [LW_TOK_LBRACKET] = true, [LW_TOK_LBRACE] = true,
    [LW_TOK_ELLIPSIS] = true,      [LW_TOK_BACKTICK] = true, [LW_TOK_PLUS] = true,
    [LW_TOK_MINUS] = true,         [LW_TOK_STAR] = true,     [LW_TOK_TILDE] = true,
};

bool parse_begins_expression(const struct parser *p)
{
    return begins[at(p)];
}

static void unary(struct parser *p, enum lw_op op, enum parse_level operand)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    parse_operators(p, operand);
    parse_role(p, LW_ROLE_OPERAND);
    parse_finish(p, mark, LW_NODE_UNARY_OP, first);
    parse_top(p)->op = (uint8_t)op;
}

static void prefix(struct parser *p)
{
    switch (at(p)) {
    case LW_TOK_NOT: unary(p, LW_OP_NOT, LEVEL_NOT); break;
    case LW_TOK_PLUS: unary(p, LW_OP_UADD, LEVEL_UNARY); break;
    case LW_TOK_MINUS: unary(p, LW_OP_USUB, LEVEL_UNARY); break;
    case LW_TOK_TILDE: unary(p, LW_OP_INVERT, LEVEL_UNARY); break;
    default: parse_primary(p); break;
    }
}

/* The rest of `a or b or c` or `a and b`: one node however long. */
static void bool_chain(struct parser *p, uint32_t mark, uint32_t first, enum parse_level level)
{
    uint8_t kind = at(p);
    parse_role(p, LW_ROLE_VALUES);
    while (accept(p, kind)) {
        parse_operators(p, (enum parse_level)(level + 1));
        parse_role(p, LW_ROLE_VALUES);
    }
    parse_finish(p, mark, LW_NODE_BOOL_OP, first);
    parse_top(p)->op = kind == LW_TOK_OR ? LW_OP_OR : LW_OP_AND;
}

static bool at_comparison(const struct parser *p)
{
    return infix_level[at(p)] == LEVEL_COMPARE &&
           (at(p) != LW_TOK_NOT || ahead(p, 1) == LW_TOK_IN);
}

static void comparison_operator(struct parser *p)
{
    uint8_t op = infix_op[at(p)];
    uint32_t first = p->pos;
    advance(p);
    if (op == LW_OP_NOT_IN) {
        advance(p);
    } else if (op == LW_OP_IS && accept(p, LW_TOK_NOT)) {
        op = LW_OP_IS_NOT;
    }
    parse_push(p, LW_NODE_CMPOP, first, p->last);
    parse_top(p)->op = op;
    parse_role(p, LW_ROLE_OP);
}

static void comparison_chain(struct parser *p, uint32_t mark, uint32_t first)
{
    parse_role(p, LW_ROLE_LEFT);
    while (at_comparison(p)) {
        comparison_operator(p);
        parse_operators(p, LEVEL_BIT_OR);
        parse_role(p, LW_ROLE_COMPARATORS);
    }
    parse_finish(p, mark, LW_NODE_COMPARE, first);
}

static void binary(struct parser *p, uint32_t mark, uint32_t first, enum parse_level level)
{
    uint8_t op = infix_op[at(p)];
    parse_role(p, LW_ROLE_LEFT);
    advance(p);
    /* ** binds to the right, and a sign may follow it. */
    parse_operators(p, level == LEVEL_POWER ? LEVEL_UNARY : (enum parse_level)(level + 1));
    parse_role(p, LW_ROLE_RIGHT);
    parse_finish(p, mark, LW_NODE_BIN_OP, first);
    parse_top(p)->op = op;
}

void parse_operators(struct parser *p, enum parse_level min)
{
    if (!parse_enter(p)) {
        parse_leave(p);
        return;
    }
    uint32_t mark = parse_mark(p), first = p->pos;
    prefix(p);
    for (;;) {
        enum parse_level level = (enum parse_level)infix_level[at(p)];
        if (level == LEVEL_NONE || level < min)
            break;
        if (level <= LEVEL_AND) {
            bool_chain(p, mark, first, level);
        } else if (level != LEVEL_COMPARE) {
            binary(p, mark, first, level);
        } else if (at_comparison(p)) {
            comparison_chain(p, mark, first);
        } else {
            break;
        }
    }
    parse_leave(p);
}

static void lambda(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    parse_params(p, LW_TOK_COLON);
    if (parse_expect(p, LW_TOK_COLON))
        parse_expr(p);
    else
        parse_missing(p, "expected ':'");
    parse_role(p, LW_ROLE_BODY);
    parse_finish(p, mark, LW_NODE_LAMBDA, first);
}

void parse_expr(struct parser *p)
{
    if (!parse_enter(p)) {
        parse_leave(p);
        return;
    }
    uint32_t mark = parse_mark(p), first = p->pos;
    if (at(p) == LW_TOK_LAMBDA) {
        lambda(p);
    } else {
        parse_operators(p, LEVEL_OR);
        if (accept(p, LW_TOK_IF)) {
            parse_role(p, LW_ROLE_BODY);
            parse_operators(p, LEVEL_OR);
            parse_role(p, LW_ROLE_TEST);
            if (parse_expect(p, LW_TOK_ELSE)) {
                parse_expr(p);
                parse_role(p, LW_ROLE_ORELSE);
            }
            parse_finish(p, mark, LW_NODE_IF_EXP, first);
        }
    }
    parse_leave(p);
}

void parse_named(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (at(p) != LW_TOK_NAME || ahead(p, 1) != LW_TOK_WALRUS) {
        parse_expr(p);
        return;
    }
    parse_leaf(p, LW_NODE_NAME);
    parse_role(p, LW_ROLE_TARGET);
    advance(p);
    parse_expr(p);
    parse_role(p, LW_ROLE_VALUE);
    parse_finish(p, mark, LW_NODE_NAMED, first);
}

void parse_starred(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (!accept(p, LW_TOK_STAR)) {
        parse_named(p);
        return;
    }
    parse_operators(p, LEVEL_BIT_OR);
    parse_role(p, LW_ROLE_VALUE);
    parse_finish(p, mark, LW_NODE_STARRED, first);
}

static void yield(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    enum lw_node_kind kind = LW_NODE_YIELD;
    if (accept(p, LW_TOK_FROM)) {
        kind = LW_NODE_YIELD_FROM;
        parse_expr(p);
        parse_role(p, LW_ROLE_VALUE);
    } else if (parse_begins_expression(p)) {
        parse_exprs(p);
        parse_role(p, LW_ROLE_VALUE);
    }
    parse_finish(p, mark, kind, first);
}

/* `, x, y` after a first element: makes a TUPLE of them all. */
static void tuple_rest(struct parser *p, uint32_t mark, uint32_t first,
                       void (*element)(struct parser *))
{
    parse_role(p, LW_ROLE_ELTS);
    while (accept(p, LW_TOK_COMMA) && parse_begins_expression(p)) {
        element(p);
        parse_role(p, LW_ROLE_ELTS);
    }
    parse_finish(p, mark, LW_NODE_TUPLE, first);
}

void parse_exprs(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (!parse_enter(p)) {
        parse_leave(p);
        return;
    }
    if (at(p) == LW_TOK_YIELD) {
        yield(p);
    } else {
        parse_starred(p);
        if (at(p) == LW_TOK_COMMA)
            tuple_rest(p, mark, first, parse_starred);
    }
    parse_leave(p);
}

/* One target: binds tighter than `in`. */
static void target(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (!accept(p, LW_TOK_STAR)) {
        parse_operators(p, LEVEL_BIT_OR);
        return;
    }
    parse_operators(p, LEVEL_BIT_OR);
    parse_role(p, LW_ROLE_VALUE);
    parse_finish(p, mark, LW_NODE_STARRED, first);
}

void parse_targets(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    target(p);
    if (at(p) == LW_TOK_COMMA)
        tuple_rest(p, mark, first, target);
}

static void comprehension(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    bool async = accept(p, LW_TOK_ASYNC);
    advance(p);
    parse_targets(p);
    parse_role(p, LW_ROLE_TARGET);
    if (parse_expect(p, LW_TOK_IN)) {
        parse_operators(p, LEVEL_OR);
        parse_role(p, LW_ROLE_ITER);
    }
    while (accept(p, LW_TOK_IF)) {
        parse_operators(p, LEVEL_OR);
        parse_role(p, LW_ROLE_IFS);
    }
    parse_finish(p, mark, LW_NODE_COMPREHENSION, first);
    if (async)
        parse_top(p)->flags |= LW_NODE_ASYNC;
}

void parse_comprehensions(struct parser *p)
{
    while (at_comprehension(p)) {
        comprehension(p);
        parse_role(p, LW_ROLE_GENERATORS);
    }
}

/* ---- Parameters ------------------------------------------------------------------------- */

struct param_state {
    uint32_t mark;             /* where the parameters begin on the stack */
    enum lw_token_kind closer; /* `)` of a def, `:` of a lambda */
    enum lw_param_kind kind;   /* of the next plain parameter */
};

/* `name: annotation = default`; a lambda has no annotations. */
static void param(struct parser *p, const struct param_state *s, enum lw_param_kind kind)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    uint8_t flags = 0;
    if (at(p) == LW_TOK_LPAREN) {
        parse_primary(p);
        parse_role(p, LW_ROLE_PATTERN);
        parse_python2(p, first, p->last, "tuple parameter of Python 2");
        flags = LW_NODE_PY2;
    } else {
        if (at(p) != LW_TOK_NAME)
            parse_error(p, "a keyword is used as a name");
        advance(p);
    }
    if (s->closer == LW_TOK_RPAREN && accept(p, LW_TOK_COLON)) {
        parse_starred(p);
        parse_role(p, LW_ROLE_ANNOTATION);
    }
    if (accept(p, LW_TOK_ASSIGN)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_DEFAULT);
    }
    parse_finish(p, mark, LW_NODE_PARAM, first);
    parse_top(p)->op = (uint8_t)kind;
    parse_top(p)->flags |= flags;
    parse_role(p, LW_ROLE_ARGS);
}

static bool at_param_name(const struct parser *p)
{
    return at(p) == LW_TOK_NAME ||
           (lw_token_is_keyword((enum lw_token_kind)at(p)) && at(p) != LW_TOK_LAMBDA);
}

static void star_param(struct parser *p, struct param_state *s)
{
    advance(p);
    if (at_param_name(p))
        param(p, s, LW_PARAM_VARARG);
    s->kind = LW_PARAM_KEYWORD;
}

static void one_param(struct parser *p, struct param_state *s)
{
    if (at_param_name(p) || at(p) == LW_TOK_LPAREN) {
        param(p, s, s->kind);
    } else if (at(p) == LW_TOK_STAR) {
        star_param(p, s);
    } else if (at(p) == LW_TOK_SLASH) {
        advance(p);
        for (size_t i = s->mark; i < p->stack.n; i++)
            p->stack.v[i].op = LW_PARAM_POSITIONAL;
    } else if (at(p) == LW_TOK_POWER && p->tok[p->pos + 1].kind == LW_TOK_NAME) {
        advance(p);
        param(p, s, LW_PARAM_KWARG);
    } else {
        parse_error(p, "expected a parameter");
        parse_resync(p);
    }
}

void parse_params(struct parser *p, enum lw_token_kind closer)
{
    struct param_state s = {parse_mark(p), closer, LW_PARAM_PLAIN};
    uint32_t first = p->pos;
    if (at(p) == closer || at_line_end(p))
        return;
    while (at(p) != closer && !at_line_end(p)) {
        one_param(p, &s);
        if (at(p) == closer)
            break;
        if (accept(p, LW_TOK_COMMA))
            continue;
        if (at_line_end(p) || closer == LW_TOK_COLON)
            break;
        parse_expected(p, LW_TOK_COMMA);
        parse_resync(p);
        if (!accept(p, LW_TOK_COMMA))
            break;
    }
    parse_finish(p, s.mark, LW_NODE_PARAMS, first);
    parse_role(p, LW_ROLE_ARGS);
}
