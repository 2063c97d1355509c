/*
 * parse_internal - what the files of the parser share. Not for other modules.
 *
 * The parser descends over the token array. Finished nodes wait on a stack; a rule notes the
 * stack's height, runs the rules of its parts, and `parse_finish` moves what they left behind
 * into the tree as the children of one new node, which takes their place on the stack. Every
 * rule for an expression leaves exactly one node.
 *
 * No rule fails: at a token that does not fit, `parse_error` makes a record, the missing part
 * becomes an EMPTY node, and the statement loop skips what is left of the line.
 */
#ifndef LW_SOURCE_PARSE_INTERNAL_H
#define LW_SOURCE_PARSE_INTERNAL_H

#include "source/tree.h"

enum { PARSE_MAX_DEPTH = 600 }; /* nested rules; CPython stops at 200 brackets, 100 blocks */

struct parser {
    struct lw_tree *tree;
    const struct lw_token *tok;
    uint32_t token_n;
    uint32_t pos;  /* the token being looked at; never past EOF */
    uint32_t last; /* the last token consumed that is not NEWLINE, INDENT or DEDENT */
    uint32_t depth;
    uint32_t error_at; /* token of the last error + 1: one error per token */
    bool line_broken;  /* an error was met on this logical line */
    int rc;
    LW_VEC(struct lw_node) stack;
};

/* Binding strengths, weakest first; see parse_operators. */
enum parse_level {
    LEVEL_NONE,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_SHIFT,
    LEVEL_ADD,
    LEVEL_MULTIPLY,
    LEVEL_UNARY,
    LEVEL_POWER,
};

static inline uint8_t at(const struct parser *p)
{
    return p->tok[p->pos].kind;
}

/* The kind of the next token but `k`. */
static inline uint8_t ahead(const struct parser *p, uint32_t k)
{
    return p->pos + k < p->token_n ? p->tok[p->pos + k].kind : (uint8_t)LW_TOK_EOF;
}

/* Over a token of the line. */
static inline void advance(struct parser *p)
{
    p->last = p->pos++;
}

static inline bool accept(struct parser *p, enum lw_token_kind kind)
{
    if (at(p) != kind)
        return false;
    advance(p);
    return true;
}

/* NEWLINE, INDENT, DEDENT, EOF: nothing inside a line goes past them. */
static inline bool at_line_end(const struct parser *p)
{
    return at(p) <= LW_TOK_DEDENT;
}

static inline uint32_t parse_mark(const struct parser *p)
{
    return (uint32_t)p->stack.n;
}

static inline void parse_role(struct parser *p, enum lw_role role)
{
    if (p->stack.n > 0)
        p->stack.v[p->stack.n - 1].role = (uint8_t)role;
}

/* ---- parse.c ---- */

void parse_error(struct parser *p, const char *message);
void parse_expected(struct parser *p, enum lw_token_kind kind);
void parse_python2(struct parser *p, uint32_t first, uint32_t last, const char *message);
bool parse_expect(struct parser *p, enum lw_token_kind kind);

void parse_push(struct parser *p, enum lw_node_kind kind, uint32_t first, uint32_t last);
/* A node without children for the token being looked at, which is consumed. */
void parse_leaf(struct parser *p, enum lw_node_kind kind);
void parse_missing(struct parser *p, const char *message);
/* Makes everything above `mark` the children of a new node that ends with the last token. */
void parse_finish(struct parser *p, uint32_t mark, enum lw_node_kind kind, uint32_t first);
/* The node just finished, to set its op and flags. Never NULL. */
struct lw_node *parse_top(struct parser *p);

/* Skips to the next comma or closing bracket of the present bracket, or to the line's end. */
void parse_resync(struct parser *p);
/* The closer of a bracket, after skipping what does not belong there. */
void parse_close(struct parser *p, enum lw_token_kind closer);
/* A token index past the logical line: that of its NEWLINE. */
uint32_t parse_line_end(const struct parser *p);
/* False, with an error and the line skipped, when rules nest too deeply. Pair with leave. */
bool parse_enter(struct parser *p);
static inline void parse_leave(struct parser *p)
{
    p->depth--;
}

/* ---- parse_stmt.c ---- */

/* Statements up to the DEDENT or EOF, each with the role. */
void parse_statements(struct parser *p, enum lw_role role);
/* Simple statements up to the end of the line, with it. */
void parse_simple_line(struct parser *p);

/* ---- parse_compound.c ---- */

/* A statement with blocks, if one begins here. */
bool parse_compound(struct parser *p);
/* `: block`; the statements get the role. */
void parse_block(struct parser *p, enum lw_role role);
/* `[T, *Ts, **P]`, if there is one here. */
void parse_type_params(struct parser *p);

/* ---- parse_match.c ---- */

bool parse_is_match(const struct parser *p);
void parse_match(struct parser *p);

/* ---- parse_expr.c ---- */

bool parse_begins_expression(const struct parser *p);
/* expr, with lambda and conditional, without walrus, star, yield. */
void parse_expr(struct parser *p);
/* The same with `name := expr`. */
void parse_named(struct parser *p);
/* `*x` or named. */
void parse_starred(struct parser *p);
/* Comma-separated, a TUPLE when there is a comma; yield allowed. */
void parse_exprs(struct parser *p);
/* Targets of for, del and comprehensions: stops before `in`. */
void parse_targets(struct parser *p);
void parse_operators(struct parser *p, enum parse_level min);
/* Parameters up to `closer` as a PARAMS node; nothing when there are none. */
void parse_params(struct parser *p, enum lw_token_kind closer);
/* `for … in … if …` parts, at least one. */
void parse_comprehensions(struct parser *p);
static inline bool at_comprehension(const struct parser *p)
{
    return at(p) == LW_TOK_FOR || (at(p) == LW_TOK_ASYNC && ahead(p, 1) == LW_TOK_FOR);
}

/* ---- parse_atom.c ---- */

/* An atom with its attributes, calls and subscripts. */
void parse_primary(struct parser *p);
/* Arguments after `(` up to and with `)`; positional ones get the role. */
void parse_arguments(struct parser *p, enum lw_role positional);

#endif
