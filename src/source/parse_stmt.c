/*
 * The statement loop, simple statements, and going on after an error.
 */
#include "source/parse_internal.h"

/* What is left of the line becomes an ERROR node. */
static void skip_line(struct parser *p)
{
    uint32_t first = p->pos, end = parse_line_end(p);
    if (end == first)
        return;
    p->pos = end;
    p->last = end - 1;
    parse_push(p, LW_NODE_ERROR, first, p->last);
}

/* ---- Simple statements ------------------------------------------------------------------ */

static void return_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    if (parse_begins_expression(p)) {
        parse_exprs(p);
        parse_role(p, LW_ROLE_VALUE);
    }
    parse_finish(p, mark, LW_NODE_RETURN, first);
}

/* raise E from C; Python 2: raise E, message, traceback */
static void raise_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    bool old = false;
    advance(p);
    if (parse_begins_expression(p)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_EXC);
    }
    if (accept(p, LW_TOK_FROM)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_CAUSE);
    } else if (at(p) == LW_TOK_COMMA) {
        old = true;
        advance(p);
        parse_expr(p);
        parse_role(p, LW_ROLE_MSG);
        if (accept(p, LW_TOK_COMMA)) {
            parse_expr(p);
            parse_role(p, LW_ROLE_TRACEBACK);
        }
        parse_python2(p, first, p->last, "raise statement of Python 2");
    }
    parse_finish(p, mark, LW_NODE_RAISE, first);
    if (old)
        parse_top(p)->flags |= LW_NODE_PY2;
}

static void scope_stmt(struct parser *p, enum lw_node_kind kind)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    do {
        advance(p);
        (void)parse_expect(p, LW_TOK_NAME);
    } while (at(p) == LW_TOK_COMMA);
    parse_finish(p, mark, kind, first);
}

static void del_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    do {
        advance(p);
        if (parse_mark(p) > mark && !parse_begins_expression(p))
            break;
        parse_operators(p, LEVEL_BIT_OR);
        parse_role(p, LW_ROLE_TARGETS);
    } while (at(p) == LW_TOK_COMMA);
    parse_finish(p, mark, LW_NODE_DELETE, first);
}

static void assert_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    parse_named(p);
    parse_role(p, LW_ROLE_TEST);
    if (accept(p, LW_TOK_COMMA)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_MSG);
    }
    parse_finish(p, mark, LW_NODE_ASSERT, first);
}

/* A name in an import; keywords are let through with an error. */
static bool import_word(struct parser *p)
{
    if (accept(p, LW_TOK_NAME))
        return true;
    bool word = lw_token_is_keyword((enum lw_token_kind)at(p)) && at(p) != LW_TOK_IMPORT &&
                at(p) != LW_TOK_AS;
    if (!word) {
        parse_expected(p, LW_TOK_NAME);
        return false;
    }
    parse_error(p, "a keyword is used as a name");
    advance(p);
    return true;
}

static void dotted_name(struct parser *p)
{
    if (!import_word(p))
        return;
    while (accept(p, LW_TOK_DOT))
        (void)import_word(p);
}

static void alias(struct parser *p, bool dotted)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (dotted)
        dotted_name(p);
    else
        (void)import_word(p);
    if (accept(p, LW_TOK_AS))
        (void)import_word(p);
    parse_finish(p, mark, LW_NODE_ALIAS, first);
    parse_role(p, LW_ROLE_NAMES);
}

static void import_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    alias(p, true);
    while (accept(p, LW_TOK_COMMA))
        alias(p, true);
    parse_finish(p, mark, LW_NODE_IMPORT, first);
}

/* What follows `import` in `from x import`. */
static void import_names(struct parser *p)
{
    if (at(p) == LW_TOK_STAR) {
        parse_leaf(p, LW_NODE_ALIAS);
        parse_role(p, LW_ROLE_NAMES);
        return;
    }
    bool paren = accept(p, LW_TOK_LPAREN);
    alias(p, false);
    while (accept(p, LW_TOK_COMMA)) {
        if (paren ? at(p) == LW_TOK_RPAREN : at_line_end(p))
            break;
        alias(p, false);
    }
    if (paren)
        parse_close(p, LW_TOK_RPAREN);
}

static void import_from_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    bool dots = false;
    while (accept(p, LW_TOK_DOT) || accept(p, LW_TOK_ELLIPSIS))
        dots = true;
    if (!dots || at(p) != LW_TOK_IMPORT)
        dotted_name(p);
    if (parse_expect(p, LW_TOK_IMPORT))
        import_names(p);
    parse_finish(p, mark, LW_NODE_IMPORT_FROM, first);
}

/* type X[T] = value; the name is the target */
static void type_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    parse_leaf(p, LW_NODE_NAME);
    parse_role(p, LW_ROLE_NAME);
    parse_type_params(p);
    if (parse_expect(p, LW_TOK_ASSIGN)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_VALUE);
    }
    parse_finish(p, mark, LW_NODE_TYPE_ALIAS, first);
}

static bool is_type_stmt(const struct parser *p)
{
    return ahead(p, 1) == LW_TOK_NAME &&
           (ahead(p, 2) == LW_TOK_ASSIGN || ahead(p, 2) == LW_TOK_LBRACKET);
}

/* Whether the name at hand is followed by the beginning of an operand, which Python 3 never
 * allows after a name. */
static bool is_command(const struct parser *p)
{
    switch (ahead(p, 1)) {
    case LW_TOK_NAME:
    case LW_TOK_NUMBER:
    case LW_TOK_STRING:
    case LW_TOK_FSTRING_START:
    case LW_TOK_LAMBDA:
    case LW_TOK_TRUE:
    case LW_TOK_FALSE:
    case LW_TOK_NONE:
    case LW_TOK_LBRACE:
    case LW_TOK_TILDE:
    case LW_TOK_BACKTICK: return true;
    case LW_TOK_NOT: return ahead(p, 2) != LW_TOK_IN;
    default: return false;
    }
}

static void print_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    bool comma = false;
    advance(p);
    do {
        comma = p->pos > first + 1;
        if (!parse_begins_expression(p))
            break;
        comma = false;
        parse_expr(p);
        parse_role(p, LW_ROLE_VALUES);
    } while (accept(p, LW_TOK_COMMA));
    parse_finish(p, mark, LW_NODE_PRINT, first);
    parse_top(p)->flags |= (uint8_t)(LW_NODE_PY2 | (comma ? LW_NODE_MARK : 0));
    parse_python2(p, first, p->last, "print statement of Python 2");
}

static void exec_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    parse_operators(p, LEVEL_BIT_OR);
    parse_role(p, LW_ROLE_VALUE);
    if (accept(p, LW_TOK_IN)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_GLOBALS);
        if (accept(p, LW_TOK_COMMA)) {
            parse_expr(p);
            parse_role(p, LW_ROLE_LOCALS);
        }
    }
    parse_finish(p, mark, LW_NODE_EXEC, first);
    parse_top(p)->flags |= LW_NODE_PY2;
    parse_python2(p, first, p->last, "exec statement of Python 2");
}

/* ---- Assignments and expressions -------------------------------------------------------- */

static const uint8_t augmented[LW_TOKEN_KIND_COUNT] = {
    [LW_TOK_PLUS_ASSIGN] = LW_OP_ADD,        [LW_TOK_MINUS_ASSIGN] = LW_OP_SUB,
    [LW_TOK_STAR_ASSIGN] = LW_OP_MULT,       [LW_TOK_SLASH_ASSIGN] = LW_OP_DIV,
    [LW_TOK_FLOOR_ASSIGN] = LW_OP_FLOOR_DIV, [LW_TOK_PERCENT_ASSIGN] = LW_OP_MOD,
    [LW_TOK_AT_ASSIGN] = LW_OP_MAT_MULT,     [LW_TOK_AMP_ASSIGN] = LW_OP_BIT_AND,
    [LW_TOK_BAR_ASSIGN] = LW_OP_BIT_OR,      [LW_TOK_CARET_ASSIGN] = LW_OP_BIT_XOR,
    [LW_TOK_LSHIFT_ASSIGN] = LW_OP_LSHIFT,   [LW_TOK_RSHIFT_ASSIGN] = LW_OP_RSHIFT,
    [LW_TOK_POWER_ASSIGN] = LW_OP_POW,
};

static void assignment(struct parser *p, uint32_t mark, uint32_t first)
{
    while (at(p) == LW_TOK_ASSIGN) {
        parse_role(p, LW_ROLE_TARGETS);
        advance(p);
        parse_exprs(p);
    }
    parse_role(p, LW_ROLE_VALUE);
    parse_finish(p, mark, LW_NODE_ASSIGN, first);
}

static void annotation(struct parser *p, uint32_t mark, uint32_t first)
{
    parse_role(p, LW_ROLE_TARGET);
    advance(p);
    parse_expr(p);
    parse_role(p, LW_ROLE_ANNOTATION);
    if (accept(p, LW_TOK_ASSIGN)) {
        parse_exprs(p);
        parse_role(p, LW_ROLE_VALUE);
    }
    parse_finish(p, mark, LW_NODE_ANN_ASSIGN, first);
}

static bool can_be_annotated(const struct lw_node *n)
{
    return n->kind == LW_NODE_NAME || n->kind == LW_NODE_ATTRIBUTE ||
           n->kind == LW_NODE_SUBSCRIPT;
}

static void expression_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    bool print_to = p->tok[first].detail == LW_SOFT_PRINT && at(p) == LW_TOK_NAME &&
                    ahead(p, 1) == LW_TOK_RSHIFT;
    parse_exprs(p);
    if (at(p) == LW_TOK_ASSIGN) {
        assignment(p, mark, first);
    } else if (augmented[at(p)] != LW_OP_NONE) {
        uint8_t op = augmented[at(p)];
        parse_role(p, LW_ROLE_TARGET);
        advance(p);
        parse_exprs(p);
        parse_role(p, LW_ROLE_VALUE);
        parse_finish(p, mark, LW_NODE_AUG_ASSIGN, first);
        parse_top(p)->op = op;
    } else if (at(p) == LW_TOK_COLON && can_be_annotated(parse_top(p))) {
        annotation(p, mark, first);
    } else {
        parse_role(p, LW_ROLE_VALUE);
        parse_finish(p, mark, LW_NODE_EXPR, first);
        if (print_to) {
            parse_top(p)->flags |= LW_NODE_PY2;
            parse_python2(p, first, p->last, "print statement of Python 2");
        }
    }
}

/* A statement that begins with a word which is a keyword only there. */
static bool soft_stmt(struct parser *p)
{
    switch (p->tok[p->pos].detail) {
    case LW_SOFT_TYPE:
        if (!is_type_stmt(p))
            return false;
        type_stmt(p);
        return true;
    case LW_SOFT_PRINT:
        if (!is_command(p))
            return false;
        print_stmt(p);
        return true;
    case LW_SOFT_EXEC:
        if (!is_command(p))
            return false;
        exec_stmt(p);
        return true;
    default: return false;
    }
}

static void simple_stmt(struct parser *p)
{
    switch (at(p)) {
    case LW_TOK_PASS: parse_leaf(p, LW_NODE_PASS); return;
    case LW_TOK_BREAK: parse_leaf(p, LW_NODE_BREAK); return;
    case LW_TOK_CONTINUE: parse_leaf(p, LW_NODE_CONTINUE); return;
    case LW_TOK_RETURN: return_stmt(p); return;
    case LW_TOK_RAISE: raise_stmt(p); return;
    case LW_TOK_GLOBAL: scope_stmt(p, LW_NODE_GLOBAL); return;
    case LW_TOK_NONLOCAL: scope_stmt(p, LW_NODE_NONLOCAL); return;
    case LW_TOK_DEL: del_stmt(p); return;
    case LW_TOK_ASSERT: assert_stmt(p); return;
    case LW_TOK_IMPORT: import_stmt(p); return;
    case LW_TOK_FROM: import_from_stmt(p); return;
    case LW_TOK_NAME:
        if (soft_stmt(p))
            return;
        break;
    default: break;
    }
    if (parse_begins_expression(p) || at(p) == LW_TOK_ASYNC) {
        expression_stmt(p);
        return;
    }
    parse_error(p, "a statement cannot begin like this");
    skip_line(p);
}

/* The last statement of a line that goes on with something else. A bare expression that is not
 * even a call is taken for the beginning of prose: the whole line becomes one ERROR node. */
static void broken_line(struct parser *p, uint32_t mark, uint32_t first, size_t nodes)
{
    parse_error(p, "the statement should end here");
    struct lw_node *top = parse_top(p);
    bool bare = parse_mark(p) == mark + 1 && top->kind == LW_NODE_EXPR && top->count == 1 &&
                p->tree->nodes.v[top->child].kind != LW_NODE_CALL &&
                p->tree->nodes.v[top->child].kind != LW_NODE_AWAIT;
    if (bare) {
        p->stack.n = mark;
        p->tree->nodes.n = nodes;
        p->pos = first;
    }
    skip_line(p);
}

void parse_simple_line(struct parser *p)
{
    uint32_t mark, first;
    size_t nodes;
    for (;;) {
        mark = parse_mark(p);
        first = p->pos;
        nodes = p->tree->nodes.n;
        simple_stmt(p);
        if (!accept(p, LW_TOK_SEMI))
            break;
        if (at_line_end(p))
            break;
    }
    if (!at_line_end(p))
        broken_line(p, mark, first, nodes);
    if (at(p) == LW_TOK_NEWLINE)
        p->pos++;
}

/* ---- The loop --------------------------------------------------------------------------- */

static void statement(struct parser *p)
{
    switch (at(p)) {
    case LW_TOK_NEWLINE: p->pos++; break;
    case LW_TOK_INDENT:
        /* Too deep for its place. The statements are taken as if they were not. */
        if (!p->line_broken && !(p->tok[p->pos].flags & LW_TOK_BAD))
            parse_error(p, "unexpected indentation");
        p->pos++;
        parse_statements(p, LW_ROLE_NONE);
        if (at(p) == LW_TOK_DEDENT)
            p->pos++;
        break;
    default:
        p->line_broken = false;
        if (!parse_compound(p))
            parse_simple_line(p);
        break;
    }
}

void parse_statements(struct parser *p, enum lw_role role)
{
    uint32_t mark = parse_mark(p);
    if (!parse_enter(p)) {
        /* The block's lines are gone through one by one, since each could hold a block. */
        while (at(p) != LW_TOK_EOF && at(p) != LW_TOK_DEDENT)
            p->pos++;
        parse_leave(p);
        return;
    }
    while (at(p) != LW_TOK_EOF && at(p) != LW_TOK_DEDENT)
        statement(p);
    for (size_t i = mark; i < p->stack.n; i++)
        p->stack.v[i].role = (uint8_t)role;
    parse_leave(p);
}
