/*
 * Statements with blocks.
 */
#include "source/parse_internal.h"

/* Skips the rest of a header that could not be read, up to the colon that ends its line. */
static void skip_header(struct parser *p)
{
    while (!at_line_end(p) && !(at(p) == LW_TOK_COLON && ahead(p, 1) == LW_TOK_NEWLINE))
        advance(p);
    (void)accept(p, LW_TOK_COLON);
}

/* Is there a `!pip install ...` between the last token and this one? Commands of a notebook are
 * not tokens, but a block may hold nothing else. */
static bool is_after_magic(const struct parser *p)
{
    const struct lw_lexed *lx = &p->tree->lexed;
    uint32_t from = p->tok[p->pos - 1].start, to = p->tok[p->pos].start;
    size_t low = 0, high = lx->trivia.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (lx->trivia.v[mid].start < from)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < lx->trivia.n && lx->trivia.v[low].start < to; low++)
        if (lx->trivia.v[low].kind == LW_TRIVIA_MAGIC)
            return true;
    return false;
}

void parse_block(struct parser *p, enum lw_role role)
{
    if (!accept(p, LW_TOK_COLON)) {
        parse_expected(p, LW_TOK_COLON);
        skip_header(p);
    }
    if (at(p) != LW_TOK_NEWLINE) {
        uint32_t mark = parse_mark(p);
        if (at(p) == LW_TOK_EOF || at(p) == LW_TOK_DEDENT) {
            parse_error(p, "expected a block");
            return;
        }
        parse_simple_line(p);
        for (size_t i = mark; i < p->stack.n; i++)
            p->stack.v[i].role = (uint8_t)role;
        return;
    }
    p->pos++;
    if (at(p) != LW_TOK_INDENT) {
        if (!p->line_broken && !is_after_magic(p))
            parse_error(p, "expected an indented block");
        return;
    }
    p->pos++;
    parse_statements(p, role);
    if (at(p) == LW_TOK_DEDENT)
        p->pos++;
}

/* ---- Definitions ------------------------------------------------------------------------ */

static void type_param(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    uint8_t kind = LW_PARAM_PLAIN;
    if (accept(p, LW_TOK_STAR))
        kind = LW_PARAM_VARARG;
    else if (accept(p, LW_TOK_POWER))
        kind = LW_PARAM_KWARG;
    (void)parse_expect(p, LW_TOK_NAME);
    if (accept(p, LW_TOK_COLON)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_BOUND);
    }
    if (accept(p, LW_TOK_ASSIGN)) {
        parse_starred(p);
        parse_role(p, LW_ROLE_DEFAULT);
    }
    parse_finish(p, mark, LW_NODE_TYPE_PARAM, first);
    parse_top(p)->op = kind;
    parse_role(p, LW_ROLE_TYPE_PARAMS);
}

void parse_type_params(struct parser *p)
{
    if (!accept(p, LW_TOK_LBRACKET))
        return;
    do {
        if (at(p) == LW_TOK_RBRACKET)
            break;
        type_param(p);
    } while (accept(p, LW_TOK_COMMA));
    parse_close(p, LW_TOK_RBRACKET);
}

/* `first` and `mark` are those of the first decorator, if there is one. */
static void function_def(struct parser *p, uint32_t mark, uint32_t first)
{
    bool async = accept(p, LW_TOK_ASYNC);
    advance(p);
    if (!accept(p, LW_TOK_NAME)) {
        parse_expected(p, LW_TOK_NAME);
        if (lw_token_is_keyword((enum lw_token_kind)at(p)))
            advance(p);
    }
    parse_type_params(p);
    if (parse_expect(p, LW_TOK_LPAREN)) {
        parse_params(p, LW_TOK_RPAREN);
        parse_close(p, LW_TOK_RPAREN);
    }
    if (accept(p, LW_TOK_ARROW)) {
        parse_exprs(p);
        parse_role(p, LW_ROLE_RETURNS);
    }
    parse_block(p, LW_ROLE_BODY);
    parse_finish(p, mark, LW_NODE_FUNCTION, first);
    if (async)
        parse_top(p)->flags |= LW_NODE_ASYNC;
}

static void class_def(struct parser *p, uint32_t mark, uint32_t first)
{
    advance(p);
    (void)parse_expect(p, LW_TOK_NAME);
    parse_type_params(p);
    if (at(p) == LW_TOK_LPAREN)
        parse_arguments(p, LW_ROLE_BASES);
    parse_block(p, LW_ROLE_BODY);
    parse_finish(p, mark, LW_NODE_CLASS, first);
}

static void decorated(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    while (accept(p, LW_TOK_AT)) {
        parse_named(p);
        parse_role(p, LW_ROLE_DECORATORS);
        if (at(p) != LW_TOK_NEWLINE) {
            parse_expected(p, LW_TOK_NEWLINE);
            p->pos = parse_line_end(p);
        }
        if (at(p) == LW_TOK_NEWLINE)
            p->pos++;
    }
    if (at(p) == LW_TOK_DEF || (at(p) == LW_TOK_ASYNC && ahead(p, 1) == LW_TOK_DEF)) {
        function_def(p, mark, first);
    } else if (at(p) == LW_TOK_CLASS) {
        class_def(p, mark, first);
    } else {
        parse_error(p, "expected a definition after the decorator");
        parse_finish(p, mark, LW_NODE_ORPHAN, first);
    }
}

/* ---- if, loops, try --------------------------------------------------------------------- */

static void test_and_block(struct parser *p)
{
    parse_named(p);
    parse_role(p, LW_ROLE_TEST);
    parse_block(p, LW_ROLE_BODY);
}

static bool at_elif(struct parser *p)
{
    if (at(p) == LW_TOK_ELIF)
        return true;
    if (at(p) != LW_TOK_ELSE || ahead(p, 1) != LW_TOK_IF)
        return false;
    parse_error(p, "'else if' is written 'elif'");
    advance(p);
    return true;
}

static void if_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    test_and_block(p);
    while (at_elif(p)) {
        uint32_t part = parse_mark(p), begin = p->pos;
        advance(p);
        test_and_block(p);
        parse_finish(p, part, LW_NODE_ELIF, begin);
        parse_role(p, LW_ROLE_ORELSE);
    }
    if (accept(p, LW_TOK_ELSE))
        parse_block(p, LW_ROLE_ORELSE);
    parse_finish(p, mark, LW_NODE_IF, first);
}

static void while_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    test_and_block(p);
    if (accept(p, LW_TOK_ELSE))
        parse_block(p, LW_ROLE_ORELSE);
    parse_finish(p, mark, LW_NODE_WHILE, first);
}

static void for_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    bool async = accept(p, LW_TOK_ASYNC);
    advance(p);
    parse_targets(p);
    parse_role(p, LW_ROLE_TARGET);
    if (parse_expect(p, LW_TOK_IN)) {
        parse_exprs(p);
        parse_role(p, LW_ROLE_ITER);
    }
    parse_block(p, LW_ROLE_BODY);
    if (accept(p, LW_TOK_ELSE))
        parse_block(p, LW_ROLE_ORELSE);
    parse_finish(p, mark, LW_NODE_FOR, first);
    if (async)
        parse_top(p)->flags |= LW_NODE_ASYNC;
}

/* except E as e: ; Python 2: except E, e: */
static void handler(struct parser *p, bool *star)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    bool old = false;
    advance(p);
    *star |= accept(p, LW_TOK_STAR);
    if (at(p) != LW_TOK_COLON && !at_line_end(p)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_TYPE);
    }
    if (accept(p, LW_TOK_AS)) {
        (void)parse_expect(p, LW_TOK_NAME);
    } else if (accept(p, LW_TOK_COMMA)) {
        old = true;
        parse_operators(p, LEVEL_BIT_OR);
        parse_role(p, LW_ROLE_TARGET);
        parse_python2(p, first, p->last, "except clause of Python 2");
    }
    parse_block(p, LW_ROLE_BODY);
    parse_finish(p, mark, LW_NODE_HANDLER, first);
    if (old)
        parse_top(p)->flags |= LW_NODE_PY2;
    parse_role(p, LW_ROLE_HANDLERS);
}

static void try_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    bool star = false;
    advance(p);
    parse_block(p, LW_ROLE_BODY);
    if (at(p) != LW_TOK_EXCEPT && at(p) != LW_TOK_FINALLY)
        parse_error(p, "expected 'except' or 'finally'");
    while (at(p) == LW_TOK_EXCEPT)
        handler(p, &star);
    if (accept(p, LW_TOK_ELSE))
        parse_block(p, LW_ROLE_ORELSE);
    if (accept(p, LW_TOK_FINALLY))
        parse_block(p, LW_ROLE_FINALBODY);
    parse_finish(p, mark, LW_NODE_TRY, first);
    if (star)
        parse_top(p)->flags |= LW_NODE_MARK;
}

/* ---- with ------------------------------------------------------------------------------- */

/* Whether the parenthesis at hand encloses the items of a `with`, not one expression: it ends
 * right before the colon and has `as` or commas of its own; a starred element, a walrus or a
 * comprehension shows that it is an expression. */
static bool encloses_items(const struct parser *p)
{
    uint32_t open = 0, i = p->pos;
    bool separate = false;
    for (; p->tok[i].kind > LW_TOK_DEDENT; i++) {
        uint8_t k = p->tok[i].kind;
        if (k >= LW_TOK_LPAREN && k <= LW_TOK_LBRACE) {
            open++;
        } else if (k >= LW_TOK_RPAREN && k <= LW_TOK_RBRACE) {
            if (--open == 0)
                break;
        } else if (open == 1) {
            if (k == LW_TOK_AS)
                separate = true;
            else if (k == LW_TOK_COMMA)
                separate = true;
            else if (k == LW_TOK_WALRUS || k == LW_TOK_FOR || k == LW_TOK_YIELD)
                return false;
            else if (k == LW_TOK_STAR &&
                     (p->tok[i - 1].kind == LW_TOK_COMMA || i == p->pos + 1))
                return false;
        }
    }
    return separate && p->tok[i].kind == LW_TOK_RPAREN && p->tok[i + 1].kind == LW_TOK_COLON;
}

static void item(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    parse_expr(p);
    parse_role(p, LW_ROLE_CONTEXT);
    if (accept(p, LW_TOK_AS)) {
        parse_operators(p, LEVEL_BIT_OR);
        parse_role(p, LW_ROLE_VARS);
    }
    parse_finish(p, mark, LW_NODE_ITEM, first);
    parse_role(p, LW_ROLE_ITEMS);
}

static void items(struct parser *p)
{
    bool paren = at(p) == LW_TOK_LPAREN && encloses_items(p);
    if (paren)
        advance(p);
    do {
        if (paren && at(p) == LW_TOK_RPAREN)
            break;
        item(p);
    } while (accept(p, LW_TOK_COMMA));
    if (paren)
        parse_close(p, LW_TOK_RPAREN);
}

static void with_stmt(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    bool async = accept(p, LW_TOK_ASYNC);
    advance(p);
    items(p);
    parse_block(p, LW_ROLE_BODY);
    parse_finish(p, mark, LW_NODE_WITH, first);
    if (async)
        parse_top(p)->flags |= LW_NODE_ASYNC;
}

/* ---- Clauses that lost their statement -------------------------------------------------- */

static void orphan(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    parse_error(p, "clause without its statement");
    advance(p);
    if (parse_begins_expression(p)) {
        parse_exprs(p);
        parse_role(p, LW_ROLE_TEST);
        if (accept(p, LW_TOK_AS))
            (void)accept(p, LW_TOK_NAME);
    }
    parse_block(p, LW_ROLE_BODY);
    parse_finish(p, mark, LW_NODE_ORPHAN, first);
}

static bool async_stmt(struct parser *p)
{
    switch (ahead(p, 1)) {
    case LW_TOK_DEF: function_def(p, parse_mark(p), p->pos); return true;
    case LW_TOK_FOR: for_stmt(p); return true;
    case LW_TOK_WITH: with_stmt(p); return true;
    default: return false;
    }
}

bool parse_compound(struct parser *p)
{
    switch (at(p)) {
    case LW_TOK_DEF: function_def(p, parse_mark(p), p->pos); return true;
    case LW_TOK_CLASS: class_def(p, parse_mark(p), p->pos); return true;
    case LW_TOK_AT: decorated(p); return true;
    case LW_TOK_IF: if_stmt(p); return true;
    case LW_TOK_FOR: for_stmt(p); return true;
    case LW_TOK_WHILE: while_stmt(p); return true;
    case LW_TOK_TRY: try_stmt(p); return true;
    case LW_TOK_WITH: with_stmt(p); return true;
    case LW_TOK_ASYNC: return async_stmt(p);
    case LW_TOK_ELIF:
    case LW_TOK_ELSE:
    case LW_TOK_EXCEPT:
    case LW_TOK_FINALLY: orphan(p); return true;
    case LW_TOK_NAME:
        if (p->tok[p->pos].detail != LW_SOFT_MATCH || !parse_is_match(p))
            return false;
        parse_match(p);
        return true;
    default: return false;
    }
}
