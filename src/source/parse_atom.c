/*
 * Atoms and what follows them: names, literals, brackets, f-strings; attributes, calls,
 * subscripts.
 */
#include "source/parse_internal.h"

/* ---- Strings ---------------------------------------------------------------------------- */

static void format_parts(struct parser *p, enum lw_role role);

static void conversion(struct parser *p, uint8_t *op)
{
    if (!accept(p, LW_TOK_BANG))
        return;
    if (at(p) == LW_TOK_NAME) {
        *op = (uint8_t)p->tree->lexed.text.p[p->tok[p->pos].start];
        advance(p);
    } else {
        parse_error(p, "expected a conversion after '!'");
    }
}

/* `{value=!r:spec}` */
static void format_field(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    uint8_t op = 0, flags = 0;
    advance(p);
    parse_exprs(p);
    parse_role(p, LW_ROLE_VALUE);
    if (accept(p, LW_TOK_ASSIGN))
        flags = LW_NODE_MARK;
    conversion(p, &op);
    if (accept(p, LW_TOK_COLON)) {
        uint32_t spec = parse_mark(p), begin = p->pos;
        format_parts(p, LW_ROLE_VALUES);
        parse_finish(p, spec, LW_NODE_FORMAT_SPEC, begin);
        parse_role(p, LW_ROLE_FORMAT_SPEC);
    }
    parse_close(p, LW_TOK_RBRACE);
    parse_finish(p, mark, LW_NODE_FORMATTED, first);
    parse_top(p)->op = op;
    parse_top(p)->flags |= flags;
}

/* Texts and fields up to what is neither. */
static void format_parts(struct parser *p, enum lw_role role)
{
    for (;;) {
        if (at(p) == LW_TOK_FSTRING_MIDDLE) {
            parse_leaf(p, LW_NODE_STRING_PART);
        } else if (at(p) == LW_TOK_LBRACE) {
            bool fits = parse_enter(p);
            if (fits)
                format_field(p);
            parse_leave(p);
        } else {
            return;
        }
        parse_role(p, role);
    }
}

static void format_string(struct parser *p)
{
    advance(p);
    format_parts(p, LW_ROLE_VALUES);
    while (at(p) != LW_TOK_FSTRING_END && !at_line_end(p)) {
        parse_error(p, "unexpected text in an f-string");
        parse_resync(p);
        if (at(p) != LW_TOK_FSTRING_END && !at_line_end(p))
            advance(p);
    }
    (void)accept(p, LW_TOK_FSTRING_END);
}

/* Neighbouring strings are one: a STRING, or a JOINED_STR if there is an f-string among them.
 */
static void strings(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos, plain = first;
    bool joined = false, python2 = false;
    while (at(p) == LW_TOK_STRING || at(p) == LW_TOK_FSTRING_START) {
        python2 |= (p->tok[p->pos].flags & LW_TOK_PY2) != 0;
        if (at(p) == LW_TOK_STRING) {
            advance(p);
            continue;
        }
        if (plain < p->pos) {
            parse_push(p, LW_NODE_STRING, plain, p->last);
            parse_role(p, LW_ROLE_VALUES);
        }
        joined = true;
        format_string(p);
        plain = p->pos;
    }
    if (joined && plain < p->pos) {
        parse_push(p, LW_NODE_STRING, plain, p->last);
        parse_role(p, LW_ROLE_VALUES);
    }
    if (joined)
        parse_finish(p, mark, LW_NODE_JOINED_STR, first);
    else
        parse_push(p, LW_NODE_STRING, first, p->last);
    if (python2)
        parse_top(p)->flags |= LW_NODE_PY2;
}

/* ---- Brackets --------------------------------------------------------------------------- */

/* Elements up to the closer, each with the role; the first is on the stack already. */
static void elements(struct parser *p, enum lw_token_kind closer, enum lw_role role,
                     void (*element)(struct parser *))
{
    parse_role(p, role);
    for (;;) {
        if (at(p) == closer || at_line_end(p))
            return;
        if (!accept(p, LW_TOK_COMMA)) {
            parse_expected(p, LW_TOK_COMMA);
            parse_resync(p);
            if (!accept(p, LW_TOK_COMMA))
                return;
        }
        if (at(p) == closer || at_line_end(p))
            return;
        element(p);
        parse_role(p, role);
    }
}

/* ( ): tuple, generator or just grouping */
static void paren(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    if (accept(p, LW_TOK_RPAREN)) {
        parse_finish(p, mark, LW_NODE_TUPLE, first);
        return;
    }
    if (at(p) == LW_TOK_YIELD)
        parse_exprs(p);
    else
        parse_starred(p);
    if (at_comprehension(p)) {
        parse_role(p, LW_ROLE_ELT);
        parse_comprehensions(p);
        parse_close(p, LW_TOK_RPAREN);
        parse_finish(p, mark, LW_NODE_GENERATOR, first);
    } else if (at(p) == LW_TOK_COMMA) {
        elements(p, LW_TOK_RPAREN, LW_ROLE_ELTS, parse_starred);
        parse_close(p, LW_TOK_RPAREN);
        parse_finish(p, mark, LW_NODE_TUPLE, first);
    } else {
        parse_close(p, LW_TOK_RPAREN);
        parse_top(p)->flags |= LW_NODE_PAREN;
    }
}

static void list(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    enum lw_node_kind kind = LW_NODE_LIST;
    advance(p);
    if (at(p) != LW_TOK_RBRACKET && !at_line_end(p)) {
        parse_starred(p);
        if (at_comprehension(p)) {
            parse_role(p, LW_ROLE_ELT);
            parse_comprehensions(p);
            kind = LW_NODE_LIST_COMP;
        } else {
            elements(p, LW_TOK_RBRACKET, LW_ROLE_ELTS, parse_starred);
        }
    }
    parse_close(p, LW_TOK_RBRACKET);
    parse_finish(p, mark, kind, first);
}

/* `key: value` or `**mapping` */
static void dict_entry(struct parser *p)
{
    if (accept(p, LW_TOK_POWER)) {
        parse_operators(p, LEVEL_BIT_OR);
        parse_role(p, LW_ROLE_UNPACK);
        return;
    }
    parse_expr(p);
    parse_role(p, LW_ROLE_KEYS);
    if (parse_expect(p, LW_TOK_COLON)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_VALUES);
    }
}

static void dict_rest(struct parser *p)
{
    while (at(p) != LW_TOK_RBRACE && !at_line_end(p)) {
        if (!accept(p, LW_TOK_COMMA)) {
            parse_expected(p, LW_TOK_COMMA);
            parse_resync(p);
            if (!accept(p, LW_TOK_COMMA))
                return;
        }
        if (at(p) != LW_TOK_RBRACE && !at_line_end(p))
            dict_entry(p);
    }
}

/* After the first element of { }: tells dict from set. */
static enum lw_node_kind brace_rest(struct parser *p)
{
    if (at(p) == LW_TOK_COLON) {
        parse_role(p, LW_ROLE_KEYS);
        advance(p);
        parse_expr(p);
        parse_role(p, LW_ROLE_VALUES);
        if (!at_comprehension(p)) {
            dict_rest(p);
            return LW_NODE_DICT;
        }
        parse_comprehensions(p);
        return LW_NODE_DICT_COMP;
    }
    if (at_comprehension(p)) {
        parse_role(p, LW_ROLE_ELT);
        parse_comprehensions(p);
        return LW_NODE_SET_COMP;
    }
    elements(p, LW_TOK_RBRACE, LW_ROLE_ELTS, parse_starred);
    return LW_NODE_SET;
}

static void brace(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    enum lw_node_kind kind = LW_NODE_DICT;
    advance(p);
    if (at(p) == LW_TOK_POWER) {
        dict_entry(p);
        dict_rest(p);
    } else if (at(p) != LW_TOK_RBRACE && !at_line_end(p)) {
        parse_starred(p);
        kind = brace_rest(p);
    }
    parse_close(p, LW_TOK_RBRACE);
    parse_finish(p, mark, kind, first);
}

static void backticks(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    parse_exprs(p);
    parse_role(p, LW_ROLE_VALUE);
    (void)parse_expect(p, LW_TOK_BACKTICK);
    parse_finish(p, mark, LW_NODE_REPR, first);
    parse_top(p)->flags |= LW_NODE_PY2;
}

/* ---- Atoms ------------------------------------------------------------------------------ */

static void await(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    parse_primary(p);
    parse_role(p, LW_ROLE_VALUE);
    parse_finish(p, mark, LW_NODE_AWAIT, first);
}

static void number(struct parser *p)
{
    uint8_t flags = (p->tok[p->pos].flags & LW_TOK_PY2) ? LW_NODE_PY2 : 0;
    parse_leaf(p, LW_NODE_NUMBER);
    parse_top(p)->flags |= flags;
}

static void atom(struct parser *p)
{
    switch (at(p)) {
    case LW_TOK_NAME: parse_leaf(p, LW_NODE_NAME); break;
    case LW_TOK_NUMBER: number(p); break;
    case LW_TOK_STRING:
    case LW_TOK_FSTRING_START: strings(p); break;
    case LW_TOK_TRUE:
    case LW_TOK_FALSE:
    case LW_TOK_NONE:
    case LW_TOK_ELLIPSIS: parse_leaf(p, LW_NODE_CONSTANT); break;
    case LW_TOK_LPAREN: paren(p); break;
    case LW_TOK_LBRACKET: list(p); break;
    case LW_TOK_LBRACE: brace(p); break;
    case LW_TOK_MAGIC: parse_leaf(p, LW_NODE_MAGIC); break;
    case LW_TOK_BACKTICK: backticks(p); break;
    case LW_TOK_LAMBDA: parse_expr(p); break;
    case LW_TOK_YIELD: parse_exprs(p); break;
    case LW_TOK_ASYNC: /* a name until Python 3.6 */
        parse_error(p, "'async' is a keyword since Python 3.7");
        parse_leaf(p, LW_NODE_NAME);
        break;
    default: parse_missing(p, "expected an expression"); break;
    }
}

/* ---- Attributes, calls, subscripts ------------------------------------------------------ */

static void attribute(struct parser *p, uint32_t mark, uint32_t first)
{
    parse_role(p, LW_ROLE_VALUE);
    advance(p);
    if (at(p) == LW_TOK_NAME) {
        advance(p);
    } else if (lw_token_is_keyword((enum lw_token_kind)at(p))) {
        parse_error(p, "a keyword is used as a name");
        advance(p);
    } else {
        parse_expected(p, LW_TOK_NAME);
    }
    parse_finish(p, mark, LW_NODE_ATTRIBUTE, first);
}

/* `name=value`, also when the name is a keyword (`async=True` of old programs) */
static void keyword(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (at(p) != LW_TOK_NAME)
        parse_error(p, "a keyword is used as a name");
    advance(p);
    advance(p);
    parse_expr(p);
    parse_role(p, LW_ROLE_VALUE);
    parse_finish(p, mark, LW_NODE_KEYWORD, first);
    parse_role(p, LW_ROLE_KEYWORDS);
}

static void unpacked_keywords(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    parse_expr(p);
    parse_role(p, LW_ROLE_VALUE);
    parse_finish(p, mark, LW_NODE_KEYWORD, first);
    parse_role(p, LW_ROLE_KEYWORDS);
}

/* `*args`: unlike in a list, any expression may follow the star. */
static void unpacked_args(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    parse_expr(p);
    parse_role(p, LW_ROLE_VALUE);
    parse_finish(p, mark, LW_NODE_STARRED, first);
}

static void argument(struct parser *p, uint32_t open, enum lw_role positional)
{
    bool word = at(p) == LW_TOK_NAME || lw_token_is_keyword((enum lw_token_kind)at(p));
    if (word && ahead(p, 1) == LW_TOK_ASSIGN) {
        keyword(p);
        return;
    }
    if (at(p) == LW_TOK_POWER) {
        unpacked_keywords(p);
        return;
    }
    uint32_t mark = parse_mark(p), first = p->pos;
    if (at(p) == LW_TOK_STAR)
        unpacked_args(p);
    else
        parse_named(p);
    if (at_comprehension(p)) {
        parse_role(p, LW_ROLE_ELT);
        parse_comprehensions(p);
        /* A lone generator has the parentheses of the call for its own. */
        bool lone = first == open + 1 && at(p) == LW_TOK_RPAREN;
        parse_finish(p, mark, LW_NODE_GENERATOR, lone ? open : first);
        if (lone)
            parse_top(p)->last = p->pos;
    }
    parse_role(p, positional);
}

void parse_arguments(struct parser *p, enum lw_role positional)
{
    uint32_t open = p->pos;
    advance(p);
    while (at(p) != LW_TOK_RPAREN && !at_line_end(p)) {
        argument(p, open, positional);
        if (accept(p, LW_TOK_COMMA))
            continue;
        if (at(p) == LW_TOK_RPAREN || at_line_end(p))
            break;
        parse_expected(p, LW_TOK_COMMA);
        parse_resync(p);
        if (!accept(p, LW_TOK_COMMA))
            break;
    }
    parse_close(p, LW_TOK_RPAREN);
}

static void call(struct parser *p, uint32_t mark, uint32_t first)
{
    parse_role(p, LW_ROLE_FUNC);
    parse_arguments(p, LW_ROLE_ARGS);
    parse_finish(p, mark, LW_NODE_CALL, first);
}

static bool at_slice_part(const struct parser *p)
{
    return at(p) != LW_TOK_COLON && at(p) != LW_TOK_COMMA && at(p) != LW_TOK_RBRACKET &&
           !at_line_end(p);
}

/* `x`, `a:b:c` with every part optional, or `*x` */
static void slice(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (at(p) != LW_TOK_COLON)
        parse_starred(p);
    if (!accept(p, LW_TOK_COLON))
        return;
    if (parse_mark(p) > mark)
        parse_role(p, LW_ROLE_LOWER);
    if (at_slice_part(p)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_UPPER);
    }
    if (accept(p, LW_TOK_COLON) && at_slice_part(p)) {
        parse_expr(p);
        parse_role(p, LW_ROLE_STEP);
    }
    parse_finish(p, mark, LW_NODE_SLICE, first);
}

static void subscript(struct parser *p, uint32_t mark, uint32_t first)
{
    parse_role(p, LW_ROLE_VALUE);
    advance(p);
    uint32_t inner = parse_mark(p), begin = p->pos;
    slice(p);
    if (at(p) == LW_TOK_COMMA) {
        elements(p, LW_TOK_RBRACKET, LW_ROLE_ELTS, slice);
        parse_finish(p, inner, LW_NODE_TUPLE, begin);
    }
    parse_role(p, LW_ROLE_SLICE);
    parse_close(p, LW_TOK_RBRACKET);
    parse_finish(p, mark, LW_NODE_SUBSCRIPT, first);
}

void parse_primary(struct parser *p)
{
    if (at(p) == LW_TOK_AWAIT) {
        bool fits = parse_enter(p);
        if (fits)
            await(p);
        parse_leave(p);
        return;
    }
    uint32_t mark = parse_mark(p), first = p->pos;
    atom(p);
    for (;;) {
        switch (at(p)) {
        case LW_TOK_DOT: attribute(p, mark, first); break;
        case LW_TOK_LPAREN: call(p, mark, first); break;
        case LW_TOK_LBRACKET: subscript(p, mark, first); break;
        default: return;
        }
    }
}
