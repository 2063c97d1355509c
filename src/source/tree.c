#include "source/tree.h"

#include <string.h>

#include "base/str.h"

static const char *const kind_names[] = {
#define X(name, text) text,
    LW_NODE_KINDS(X)
#undef X
};
static const char *const role_names[] = {
#define X(name, text) text,
    LW_ROLES(X)
#undef X
};
static const char *const op_names[] = {
#define X(name, ast, text) ast,
    LW_OPS(X)
#undef X
};
static const char *const op_texts[] = {
#define X(name, ast, text) text,
    LW_OPS(X)
#undef X
};

const char *lw_node_kind_name(enum lw_node_kind kind)
{
    return kind < LW_NODE_KIND_COUNT ? kind_names[kind] : "?";
}

const char *lw_role_name(enum lw_role role)
{
    return role < LW_ROLE_COUNT ? role_names[role] : "?";
}

const char *lw_op_name(enum lw_op op)
{
    return op < LW_OP_COUNT ? op_names[op] : "?";
}

const char *lw_op_text(enum lw_op op)
{
    return op < LW_OP_COUNT ? op_texts[op] : "?";
}

void lw_tree_init(struct lw_tree *t, struct lw_mem *mem)
{
    memset(t, 0, sizeof *t);
    lw_lexed_init(&t->lexed, mem);
}

void lw_tree_release(struct lw_tree *t)
{
    struct lw_mem *mem = t->lexed.mem;
    lw_vec_release(mem, &t->nodes);
    lw_vec_release(mem, &t->lines);
    lw_lexed_release(&t->lexed);
}

/* ---- Nodes ------------------------------------------------------------------------------ */

uint32_t lw_tree_parent(const struct lw_tree *t, uint32_t node)
{
    return node == t->root ? LW_NO_NODE : t->nodes.v[node].parent;
}

uint32_t lw_tree_each(const struct lw_tree *t, uint32_t node, enum lw_role role,
                      uint32_t before)
{
    if (node == LW_NO_NODE)
        return LW_NO_NODE;
    const struct lw_node *n = &t->nodes.v[node];
    uint32_t i = before == LW_NO_NODE ? n->child : before + 1;
    for (; i < n->child + n->count; i++)
        if (t->nodes.v[i].role == role)
            return i;
    return LW_NO_NODE;
}

uint32_t lw_tree_get(const struct lw_tree *t, uint32_t node, enum lw_role role)
{
    if (node == LW_NO_NODE)
        return LW_NO_NODE;
    const struct lw_node *n = &t->nodes.v[node];
    uint32_t last = n->child + n->count - 1;
    /* The value stands behind all targets, of which there may be many. */
    if (n->kind == LW_NODE_ASSIGN && role == LW_ROLE_VALUE && n->count > 0 &&
        t->nodes.v[last].role == role)
        return last;
    return lw_tree_each(t, node, role, LW_NO_NODE);
}

uint32_t lw_tree_count(const struct lw_tree *t, uint32_t node, enum lw_role role)
{
    if (node == LW_NO_NODE)
        return 0;
    const struct lw_node *n = &t->nodes.v[node];
    uint32_t count = 0;
    for (uint32_t i = n->child; i < n->child + n->count; i++)
        count += t->nodes.v[i].role == role;
    return count;
}

uint32_t lw_tree_next(const struct lw_tree *t, uint32_t top, uint32_t node, bool skip)
{
    if (!skip && t->nodes.v[node].count > 0)
        return t->nodes.v[node].child;
    while (node != top) {
        const struct lw_node *parent = &t->nodes.v[t->nodes.v[node].parent];
        if (node + 1 < parent->child + parent->count)
            return node + 1;
        node = t->nodes.v[node].parent;
    }
    return LW_NO_NODE;
}

bool lw_node_is_statement(enum lw_node_kind kind)
{
    return kind >= LW_NODE_FUNCTION && kind <= LW_NODE_ERROR;
}

bool lw_node_is_expression(enum lw_node_kind kind)
{
    return kind >= LW_NODE_BOOL_OP && kind <= LW_NODE_MISSING;
}

uint32_t lw_tree_enclosing(const struct lw_tree *t, uint32_t node, enum lw_node_kind kind)
{
    while (node != t->root) {
        node = t->nodes.v[node].parent;
        if (t->nodes.v[node].kind == kind)
            return node;
    }
    return LW_NO_NODE;
}

uint32_t lw_tree_statement(const struct lw_tree *t, uint32_t node)
{
    while (node != t->root && !lw_node_is_statement(lw_tree_kind(t, node)))
        node = t->nodes.v[node].parent;
    return node;
}

/* The child of `node` that contains the byte, by bisection: siblings follow each other. */
static uint32_t child_at(const struct lw_tree *t, uint32_t node, uint32_t offset)
{
    const struct lw_node *n = &t->nodes.v[node];
    uint32_t low = n->child, high = n->child + n->count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (lw_tree_end(t, mid) <= offset)
            low = mid + 1;
        else
            high = mid;
    }
    bool inside = low < n->child + n->count && lw_tree_start(t, low) <= offset;
    return inside ? low : LW_NO_NODE;
}

uint32_t lw_tree_at(const struct lw_tree *t, uint32_t offset)
{
    uint32_t node = t->root, child;
    while ((child = child_at(t, node, offset)) != LW_NO_NODE)
        node = child;
    return node;
}

/* ---- Text ------------------------------------------------------------------------------- */

uint32_t lw_tree_start(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = &t->nodes.v[node];
    if (n->kind == LW_NODE_MODULE)
        return 0;
    const struct lw_token *tok = &t->lexed.tokens.v[n->first];
    return n->flags & LW_NODE_AT_END ? tok->end : tok->start;
}

uint32_t lw_tree_end(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = &t->nodes.v[node];
    if (n->flags & LW_NODE_EMPTY)
        return lw_tree_start(t, node);
    return t->lexed.tokens.v[n->last].end;
}

struct lw_str lw_tree_text(const struct lw_tree *t, uint32_t node)
{
    if (node == LW_NO_NODE) /* a part that broken text lacks */
        return (struct lw_str){0};
    uint32_t start = lw_tree_start(t, node);
    return lw_str_part(t->lexed.text, start, lw_tree_end(t, node) - start);
}

struct lw_str lw_tree_token_text(const struct lw_tree *t, uint32_t token)
{
    const struct lw_token *tok = &t->lexed.tokens.v[token];
    return lw_str_part(t->lexed.text, tok->start, tok->end - tok->start);
}

static uint8_t token_kind(const struct lw_tree *t, uint32_t token)
{
    return t->lexed.tokens.v[token].kind;
}

/* `token` if it can be a name (keywords pass: old programs use some), else LW_NO_TOKEN. */
static uint32_t if_name(const struct lw_tree *t, uint32_t token, const struct lw_node *n)
{
    if (token < n->first || token > n->last)
        return LW_NO_TOKEN;
    uint8_t k = token_kind(t, token);
    bool name = k == LW_TOK_NAME || lw_token_is_keyword((enum lw_token_kind)k);
    return name ? token : LW_NO_TOKEN;
}

uint32_t lw_tree_def_token(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = &t->nodes.v[node];
    uint32_t token = n->first;
    for (uint32_t i = n->child; i < n->child + n->count; i++) {
        if (t->nodes.v[i].role != LW_ROLE_DECORATORS)
            break; /* they come first */
        token = t->nodes.v[i].last + 1;
    }
    while (token < n->last) {
        uint8_t k = token_kind(t, token);
        if (k == LW_TOK_DEF || k == LW_TOK_CLASS || k == LW_TOK_ASYNC)
            break;
        token++;
    }
    return token;
}

static uint32_t definition_name(const struct lw_tree *t, uint32_t node)
{
    uint32_t token = lw_tree_def_token(t, node);
    if (token_kind(t, token) == LW_TOK_ASYNC)
        token++;
    return if_name(t, token + 1, &t->nodes.v[node]);
}

/* except E as NAME: the name follows the type */
static uint32_t handler_name(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = &t->nodes.v[node];
    uint32_t type = lw_tree_get(t, node, LW_ROLE_TYPE);
    if (type == LW_NO_NODE)
        return LW_NO_TOKEN;
    uint32_t token = t->nodes.v[type].last + 1;
    while (token < n->last && token_kind(t, token) == LW_TOK_RPAREN)
        token++;
    bool as = token < n->last && token_kind(t, token) == LW_TOK_AS;
    return as ? if_name(t, token + 1, n) : LW_NO_TOKEN;
}

uint32_t lw_tree_alias_end(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = &t->nodes.v[node];
    for (uint32_t i = n->first; i <= n->last; i++)
        if (token_kind(t, i) == LW_TOK_AS)
            return i;
    return n->last + 1;
}

uint32_t lw_tree_name_token(const struct lw_tree *t, uint32_t node)
{
    if (node == LW_NO_NODE)
        return LW_NO_TOKEN;
    const struct lw_node *n = &t->nodes.v[node];
    if (n->flags & LW_NODE_EMPTY)
        return LW_NO_TOKEN;
    switch (n->kind) {
    case LW_NODE_FUNCTION:
    case LW_NODE_CLASS: return definition_name(t, node);
    case LW_NODE_HANDLER: return handler_name(t, node);
    case LW_NODE_KEYWORD:
    case LW_NODE_PARAM:
    case LW_NODE_NAME:
    case LW_NODE_MATCH_KEYWORD: return if_name(t, n->first, n);
    case LW_NODE_ALIAS:
    case LW_NODE_ATTRIBUTE:
    case LW_NODE_MATCH_AS:
    case LW_NODE_MATCH_STAR:
    case LW_NODE_MATCH_REST: return if_name(t, n->last, n);
    case LW_NODE_TYPE_PARAM: return if_name(t, n->first + (n->op != LW_PARAM_PLAIN), n);
    default: return LW_NO_TOKEN;
    }
}

struct lw_str lw_tree_name(const struct lw_tree *t, uint32_t node)
{
    uint32_t token = lw_tree_name_token(t, node);
    return token == LW_NO_TOKEN ? (struct lw_str){"", 0} : lw_tree_token_text(t, token);
}

uint32_t lw_tree_import_module(const struct lw_tree *t, uint32_t node, uint32_t *first,
                               uint32_t *end)
{
    const struct lw_node *n = &t->nodes.v[node];
    uint32_t dots = 0, i = n->first + 1;
    for (; i <= n->last; i++) {
        uint8_t k = token_kind(t, i);
        if (k != LW_TOK_DOT && k != LW_TOK_ELLIPSIS)
            break;
        dots += k == LW_TOK_DOT ? 1 : 3;
    }
    *first = i;
    while (i <= n->last && token_kind(t, i) != LW_TOK_IMPORT)
        i++;
    *end = i;
    return dots;
}

/* ---- Positions -------------------------------------------------------------------------- */

static int make_lines(struct lw_tree *t)
{
    struct lw_str s = t->lexed.text;
    if (lw_vec_push(t->lexed.mem, &t->lines, 0) < 0)
        return LW_ENOMEM;
    bool plain = !s.n || !memchr(s.p, '\r', s.n);
    for (size_t i = 0; i < s.n; i++) {
        const char *next = plain ? memchr(s.p + i, '\n', s.n - i) : s.p + i;
        if (!next)
            break;
        i = (size_t)(next - s.p);
        bool end = s.p[i] == '\n' || (s.p[i] == '\r' && (i + 1 == s.n || s.p[i + 1] != '\n'));
        if (end && lw_vec_push(t->lexed.mem, &t->lines, (uint32_t)i + 1) < 0) {
            t->lines.n = 0;
            return LW_ENOMEM;
        }
    }
    return 0;
}

struct lw_position lw_tree_position(struct lw_tree *t, uint32_t offset)
{
    if (t->lines.n == 0 && make_lines(t) < 0)
        return (struct lw_position){1, offset};
    size_t low = 0, high = t->lines.n;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (t->lines.v[mid] <= offset)
            low = mid;
        else
            high = mid;
    }
    return (struct lw_position){(uint32_t)low + 1, offset - t->lines.v[low]};
}

size_t lw_tree_bytes(const struct lw_tree *t)
{
    return t->lexed.tokens.n * sizeof *t->lexed.tokens.v +
           t->lexed.trivia.n * sizeof *t->lexed.trivia.v +
           t->lexed.errors.n * sizeof *t->lexed.errors.v + t->nodes.n * sizeof *t->nodes.v;
}

void lw_tree_trim(struct lw_tree *t)
{
    struct lw_mem *mem = t->lexed.mem;
    lw_vec_trim(mem, &t->lexed.tokens);
    lw_vec_trim(mem, &t->lexed.trivia);
    lw_vec_trim(mem, &t->lexed.errors);
    lw_vec_trim(mem, &t->nodes);
    lw_vec_trim(mem, &t->lines);
}
