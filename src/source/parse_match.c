/*
 * The match statement and its patterns.
 */
#include "source/parse_internal.h"

bool parse_is_match(const struct parser *p)
{
    uint8_t next = ahead(p, 1);
    bool operand = (next >= LW_TOK_NAME && next <= LW_TOK_TRUE) || next == LW_TOK_AWAIT ||
                   next == LW_TOK_LAMBDA || next == LW_TOK_NOT || next == LW_TOK_LPAREN ||
                   next == LW_TOK_LBRACKET || next == LW_TOK_LBRACE || next == LW_TOK_MINUS ||
                   next == LW_TOK_STAR || next == LW_TOK_TILDE || next == LW_TOK_ELLIPSIS;
    if (!operand)
        return false;
    uint32_t end = parse_line_end(p);
    return p->tok[end - 1].kind == LW_TOK_COLON && end + 2 < p->token_n &&
           p->tok[end + 1].kind == LW_TOK_INDENT && p->tok[end + 2].detail == LW_SOFT_CASE &&
           p->tok[end + 2].kind == LW_TOK_NAME;
}

static void pattern(struct parser *p);

/* `*name`, an element of a sequence */
static void star_pattern(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    (void)parse_expect(p, LW_TOK_NAME);
    parse_finish(p, mark, LW_NODE_MATCH_STAR, first);
}

static void element_pattern(struct parser *p)
{
    if (at(p) == LW_TOK_STAR)
        star_pattern(p);
    else
        pattern(p);
    parse_role(p, LW_ROLE_PATTERNS);
}

/* Elements up to the closer; returns whether there was a comma. */
static bool element_patterns(struct parser *p, enum lw_token_kind closer)
{
    bool comma = false;
    while (at(p) != closer && !at_line_end(p)) {
        element_pattern(p);
        if (!accept(p, LW_TOK_COMMA))
            break;
        comma = true;
    }
    return comma;
}

static void sequence_pattern(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    (void)element_patterns(p, LW_TOK_RBRACKET);
    parse_close(p, LW_TOK_RBRACKET);
    parse_finish(p, mark, LW_NODE_MATCH_SEQUENCE, first);
}

/* ( ): a sequence with a comma, else grouping */
static void group_pattern(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    bool comma = element_patterns(p, LW_TOK_RPAREN);
    bool one = parse_mark(p) == mark + 1 && parse_top(p)->kind != LW_NODE_MATCH_STAR;
    parse_close(p, LW_TOK_RPAREN);
    if (comma || !one)
        parse_finish(p, mark, LW_NODE_MATCH_SEQUENCE, first);
}

static void mapping_entry(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (accept(p, LW_TOK_POWER)) {
        (void)parse_expect(p, LW_TOK_NAME);
        parse_finish(p, mark, LW_NODE_MATCH_REST, first);
        return;
    }
    parse_operators(p, LEVEL_ADD);
    parse_role(p, LW_ROLE_KEYS);
    if (parse_expect(p, LW_TOK_COLON)) {
        pattern(p);
        parse_role(p, LW_ROLE_PATTERNS);
    }
}

static void mapping_pattern(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    while (at(p) != LW_TOK_RBRACE && !at_line_end(p)) {
        mapping_entry(p);
        if (!accept(p, LW_TOK_COMMA))
            break;
    }
    parse_close(p, LW_TOK_RBRACE);
    parse_finish(p, mark, LW_NODE_MATCH_MAPPING, first);
}

static void class_argument(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (at(p) != LW_TOK_NAME || ahead(p, 1) != LW_TOK_ASSIGN) {
        pattern(p);
        parse_role(p, LW_ROLE_PATTERNS);
        return;
    }
    advance(p);
    advance(p);
    pattern(p);
    parse_role(p, LW_ROLE_PATTERN);
    parse_finish(p, mark, LW_NODE_MATCH_KEYWORD, first);
    parse_role(p, LW_ROLE_KEYWORDS);
}

/* A name: capture, wildcard, dotted value, or a class with arguments */
static void name_pattern(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (ahead(p, 1) != LW_TOK_DOT && ahead(p, 1) != LW_TOK_LPAREN) {
        parse_leaf(p, LW_NODE_MATCH_AS);
        return;
    }
    parse_leaf(p, LW_NODE_NAME);
    while (accept(p, LW_TOK_DOT)) {
        parse_role(p, LW_ROLE_VALUE);
        (void)parse_expect(p, LW_TOK_NAME);
        parse_finish(p, mark, LW_NODE_ATTRIBUTE, first);
    }
    if (!accept(p, LW_TOK_LPAREN)) {
        parse_role(p, LW_ROLE_VALUE);
        parse_finish(p, mark, LW_NODE_MATCH_VALUE, first);
        return;
    }
    parse_role(p, LW_ROLE_CLS);
    while (at(p) != LW_TOK_RPAREN && !at_line_end(p)) {
        class_argument(p);
        if (!accept(p, LW_TOK_COMMA))
            break;
    }
    parse_close(p, LW_TOK_RPAREN);
    parse_finish(p, mark, LW_NODE_MATCH_CLASS, first);
}

static void closed_pattern(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    switch (at(p)) {
    case LW_TOK_NAME: name_pattern(p); break;
    case LW_TOK_NONE:
    case LW_TOK_TRUE:
    case LW_TOK_FALSE: parse_leaf(p, LW_NODE_MATCH_SINGLETON); break;
    case LW_TOK_LBRACKET: sequence_pattern(p); break;
    case LW_TOK_LPAREN: group_pattern(p); break;
    case LW_TOK_LBRACE: mapping_pattern(p); break;
    case LW_TOK_NUMBER:
    case LW_TOK_STRING:
    case LW_TOK_FSTRING_START:
    case LW_TOK_MINUS:
        parse_operators(p, LEVEL_ADD);
        parse_role(p, LW_ROLE_VALUE);
        parse_finish(p, mark, LW_NODE_MATCH_VALUE, first);
        break;
    default: parse_missing(p, "expected a pattern"); break;
    }
}

/* Alternatives with |, then `as name` */
static void pattern(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    if (!parse_enter(p)) {
        parse_leave(p);
        return;
    }
    closed_pattern(p);
    if (at(p) == LW_TOK_BAR) {
        parse_role(p, LW_ROLE_PATTERNS);
        while (accept(p, LW_TOK_BAR)) {
            closed_pattern(p);
            parse_role(p, LW_ROLE_PATTERNS);
        }
        parse_finish(p, mark, LW_NODE_MATCH_OR, first);
    }
    if (accept(p, LW_TOK_AS)) {
        parse_role(p, LW_ROLE_PATTERN);
        (void)parse_expect(p, LW_TOK_NAME);
        parse_finish(p, mark, LW_NODE_MATCH_AS, first);
    }
    parse_leave(p);
}

/* The pattern of a case: a comma or a star makes it a sequence without brackets. */
static void case_pattern(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    bool star = at(p) == LW_TOK_STAR;
    element_pattern(p);
    if (!star && at(p) != LW_TOK_COMMA)
        return;
    while (accept(p, LW_TOK_COMMA)) {
        if (at(p) == LW_TOK_COLON || at(p) == LW_TOK_IF || at_line_end(p))
            break;
        element_pattern(p);
    }
    parse_finish(p, mark, LW_NODE_MATCH_SEQUENCE, first);
}

static void case_clause(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    case_pattern(p);
    parse_role(p, LW_ROLE_PATTERN);
    if (accept(p, LW_TOK_IF)) {
        parse_named(p);
        parse_role(p, LW_ROLE_GUARD);
    }
    parse_block(p, LW_ROLE_BODY);
    parse_finish(p, mark, LW_NODE_CASE, first);
    parse_role(p, LW_ROLE_CASES);
}

void parse_match(struct parser *p)
{
    uint32_t mark = parse_mark(p), first = p->pos;
    advance(p);
    parse_exprs(p);
    parse_role(p, LW_ROLE_SUBJECT);
    (void)parse_expect(p, LW_TOK_COLON);
    p->pos = parse_line_end(p);
    p->pos += 2; /* NEWLINE and INDENT: parse_is_match has seen them */
    while (at(p) != LW_TOK_DEDENT && at(p) != LW_TOK_EOF) {
        if (at(p) == LW_TOK_NAME && p->tok[p->pos].detail == LW_SOFT_CASE) {
            case_clause(p);
            continue;
        }
        parse_error(p, "expected 'case'");
        parse_statements(p, LW_ROLE_BODY);
    }
    if (at(p) == LW_TOK_DEDENT)
        p->pos++;
    parse_finish(p, mark, LW_NODE_MATCH, first);
}
