/*
 * tree - Python text as a syntax tree.
 *
 * In: UTF-8 text, borrowed, which must outlive the tree. Out: tokens, nodes and errors, owned
 * by the tree until `release`; `parse` may be called again to reuse the memory. A tree never
 * fails on bad text: what could not be read is an ERROR node (its tokens skipped) or an EMPTY
 * one, and `lexed.errors` says where and why.
 *
 * Nodes are 32-bit indices. A child's role says what it is to its parent; lw_tree_get() and
 * lw_tree_each() find children by role:
 *
 *     uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
 *     for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
 *          a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) …
 *
 * Ranges nest: a child lies inside its parent, siblings follow each other. Statement chains are
 * flat, but operator chains (a + b + c + …) are as deep as they are long: walk with
 * lw_tree_next(), which does not recurse.
 */
#ifndef LW_SOURCE_TREE_H
#define LW_SOURCE_TREE_H

#include "source/lexer.h"
#include "source/node.h"

enum { LW_NO_NODE = UINT32_MAX, LW_NO_TOKEN = UINT32_MAX };

struct lw_tree {
    struct lw_lexed lexed; /* text, tokens, trivia, errors */
    LW_VEC(struct lw_node) nodes;
    uint32_t root;          /* the MODULE */
    LW_VEC(uint32_t) lines; /* byte offset of each line; made on first use of a position */
};

struct lw_position {
    uint32_t line;   /* from 1 */
    uint32_t column; /* from 0, in bytes, as CPython's col_offset */
};

void lw_tree_init(struct lw_tree *t, struct lw_mem *mem);
void lw_tree_release(struct lw_tree *t);

/* Reads `text`. Fails only with LW_ENOMEM and LW_ELIMIT (text over 2 GB). */
int lw_tree_parse(struct lw_tree *t, struct lw_str text, struct lw_err *err);

/* ---- Nodes ------------------------------------------------------------------------------ */

static inline const struct lw_node *lw_tree_node(const struct lw_tree *t, uint32_t node)
{
    return &t->nodes.v[node];
}

/* Of LW_NO_NODE: MISSING, as broken programs lack parts anywhere. */
static inline enum lw_node_kind lw_tree_kind(const struct lw_tree *t, uint32_t node)
{
    return node == LW_NO_NODE ? LW_NODE_MISSING : (enum lw_node_kind)t->nodes.v[node].kind;
}

/* LW_NO_NODE for the root. */
uint32_t lw_tree_parent(const struct lw_tree *t, uint32_t node);

/* The first child with the role, or LW_NO_NODE. What is not there has no children. */
uint32_t lw_tree_get(const struct lw_tree *t, uint32_t node, enum lw_role role);
/* The next child with the role after `before` (LW_NO_NODE: the first), or LW_NO_NODE. */
uint32_t lw_tree_each(const struct lw_tree *t, uint32_t node, enum lw_role role,
                      uint32_t before);
uint32_t lw_tree_count(const struct lw_tree *t, uint32_t node, enum lw_role role);

/* Walks the subtree of `top` in text order, parents first: start with `top`, ends with
 * LW_NO_NODE. `skip` leaves out the children of `node`. */
uint32_t lw_tree_next(const struct lw_tree *t, uint32_t top, uint32_t node, bool skip);

bool lw_node_is_statement(enum lw_node_kind kind);
bool lw_node_is_expression(enum lw_node_kind kind);

/* The nearest enclosing node (not itself) of the kind, or LW_NO_NODE. */
uint32_t lw_tree_enclosing(const struct lw_tree *t, uint32_t node, enum lw_node_kind kind);
/* The statement that the node is or belongs to. */
uint32_t lw_tree_statement(const struct lw_tree *t, uint32_t node);
/* The smallest node that contains the byte. */
uint32_t lw_tree_at(const struct lw_tree *t, uint32_t offset);

/* ---- Text ------------------------------------------------------------------------------- */

uint32_t lw_tree_start(const struct lw_tree *t, uint32_t node);
uint32_t lw_tree_end(const struct lw_tree *t, uint32_t node);
/* Empty for LW_NO_NODE. */
struct lw_str lw_tree_text(const struct lw_tree *t, uint32_t node);
struct lw_str lw_tree_token_text(const struct lw_tree *t, uint32_t token);

/* The token that names a FUNCTION, CLASS, PARAM, KEYWORD, ATTRIBUTE, NAME, HANDLER, ALIAS (the
 * name it binds, if `as` gives one), MATCH_AS, MATCH_STAR, MATCH_REST, MATCH_KEYWORD or
 * TYPE_PARAM; LW_NO_TOKEN when it has none. */
uint32_t lw_tree_name_token(const struct lw_tree *t, uint32_t node);
/* Its text, or an empty one. */
struct lw_str lw_tree_name(const struct lw_tree *t, uint32_t node);
/* The `def`, `class` or `async` after the decorators of a definition. */
uint32_t lw_tree_def_token(const struct lw_tree *t, uint32_t node);
/* Of an IMPORT_FROM: number of leading dots; the module's tokens are [*first, *end). */
uint32_t lw_tree_import_module(const struct lw_tree *t, uint32_t node, uint32_t *first,
                               uint32_t *end);
/* Of an ALIAS: the tokens of the dotted name are [node.first, result). */
uint32_t lw_tree_alias_end(const struct lw_tree *t, uint32_t node);

/* Line and column of a byte offset. The line table is made on first use: LW_ENOMEM possible,
 * then the position is 1:offset. */
struct lw_position lw_tree_position(struct lw_tree *t, uint32_t offset);

/* Bytes that tokens, trivia, nodes and errors of the tree take, once it is trimmed. */
size_t lw_tree_bytes(const struct lw_tree *t);
/* Gives back memory that parsing took ahead. */
void lw_tree_trim(struct lw_tree *t);

/* ---- Names of things; static ------------------------------------------------------------ */

const char *lw_node_kind_name(enum lw_node_kind kind); /* "FunctionDef" */
const char *lw_role_name(enum lw_role role);           /* "orelse" */
const char *lw_op_name(enum lw_op op);                 /* "MatMult" */
const char *lw_op_text(enum lw_op op);                 /* "@" */

#endif
