/* Edits of text: nodes, arguments and items. */
#include "base/err.h"
#include "base/str.h"
#include "check/fix/fix.h"
#include "check/query/look.h"

void fix_say(struct fix *f, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    f->description = lw_arena_copy(f->c->arena, lw_str_n(text, length));
}

void fix_replace(struct fix *f, uint32_t from, uint32_t to, struct lw_str text)
{
    LW_BUG_ON(f->n > FIX_MOST);
    if (f->n == FIX_MOST || from > to || to > f->t->lexed.text.n || (text.n && !text.p)) {
        f->failed = true;
        return;
    }
    f->edits[f->n++] = (struct fix_edit){from, to, text};
}

void fix_insert(struct fix *f, uint32_t at, struct lw_str text)
{
    fix_replace(f, at, at, text);
}

void fix_node(struct fix *f, uint32_t node, struct lw_str text)
{
    if (node == LW_NO_NODE)
        f->failed = true;
    else
        fix_replace(f, lw_tree_start(f->t, node), lw_tree_end(f->t, node), text);
}

void fix_token(struct fix *f, uint32_t token, struct lw_str text)
{
    if (token == LW_NO_TOKEN || token >= f->t->lexed.tokens.n)
        f->failed = true;
    else
        fix_replace(f, f->t->lexed.tokens.v[token].start, f->t->lexed.tokens.v[token].end,
                    text);
}

/* ---- looking --------------------------------------------------------------------------------
 */

struct lw_str fix_text(const struct fix *f, uint32_t node)
{
    return node == LW_NO_NODE ? (struct lw_str){"", 0} : lw_tree_text(f->t, node);
}

struct lw_str fix_name(const struct fix *f, uint32_t node)
{
    return node == LW_NO_NODE ? (struct lw_str){"", 0} : lw_tree_name(f->t, node);
}

enum lw_node_kind fix_kind(const struct fix *f, uint32_t node)
{
    return node == LW_NO_NODE ? LW_NODE_KIND_COUNT : lw_tree_kind(f->t, node);
}

bool fix_is_call(const struct fix *f, uint32_t node)
{
    return fix_kind(f, node) == LW_NODE_CALL;
}

uint32_t fix_callee(const struct fix *f, uint32_t call)
{
    return fix_is_call(f, call) ? lw_tree_get(f->t, call, LW_ROLE_FUNC) : LW_NO_NODE;
}

struct lw_str fix_callee_name(const struct fix *f, uint32_t call)
{
    return fix_name(f, fix_callee(f, call));
}

static const struct lw_token *token_at(const struct fix *f, uint32_t token)
{
    return &f->t->lexed.tokens.v[token];
}

static bool is_token(const struct fix *f, uint32_t token, enum lw_token_kind kind)
{
    return token < f->t->lexed.tokens.n && token_at(f, token)->kind == kind;
}

/* The tokens of a node with its own parentheses. */
static void outer(const struct fix *f, uint32_t node, uint32_t *first, uint32_t *last)
{
    const struct lw_node *n = lw_tree_node(f->t, node);
    *first = n->first;
    *last = n->last;
    if ((n->flags & LW_NODE_PAREN) && n->first > 0 &&
        is_token(f, n->first - 1, LW_TOK_LPAREN) && is_token(f, n->last + 1, LW_TOK_RPAREN)) {
        --*first;
        ++*last;
    }
}

static bool is_simple(const struct fix *f, uint32_t node)
{
    switch (fix_kind(f, node)) {
    case LW_NODE_NAME:
    case LW_NODE_ATTRIBUTE:
    case LW_NODE_CALL:
    case LW_NODE_SUBSCRIPT:
    case LW_NODE_LIST: return true;
    default: return (lw_tree_node(f->t, node)->flags & LW_NODE_PAREN) != 0;
    }
}

/* ---- nodes ----------------------------------------------------------------------------------
 */

void fix_only(struct fix *f, uint32_t node, uint32_t inner)
{
    if (node == LW_NO_NODE || inner == LW_NO_NODE) {
        f->failed = true;
        return;
    }
    uint32_t first, last;
    bool paren = (lw_tree_node(f->t, inner)->flags & LW_NODE_PAREN) != 0;
    outer(f, inner, &first, &last);
    /* a * softmax(b + c): what was held together by the call still has to be */
    bool bare = !paren && !is_simple(f, inner) && fix_kind(f, inner) != LW_NODE_NUMBER;
    uint32_t up = lw_tree_parent(f->t, node);
    bool tight = bare && up != LW_NO_NODE && lw_node_is_expression(fix_kind(f, up)) &&
                 fix_kind(f, up) != LW_NODE_TUPLE && fix_kind(f, up) != LW_NODE_LIST &&
                 fix_callee(f, up) == LW_NO_NODE;
    tight |= bare && up != LW_NO_NODE && fix_callee(f, up) == node;
    fix_replace(f, lw_tree_start(f->t, node), token_at(f, first)->start,
                tight ? LW_S("(") : LW_S(""));
    fix_replace(f, token_at(f, last)->end, lw_tree_end(f->t, node),
                tight ? LW_S(")") : LW_S(""));
}

void fix_around(struct fix *f, uint32_t node, const char *before, const char *behind)
{
    LW_BUG_ON(!before || !behind);
    uint32_t first, last;
    if (node == LW_NO_NODE) {
        f->failed = true;
        return;
    }
    outer(f, node, &first, &last);
    fix_insert(f, token_at(f, first)->start, lw_str(before));
    fix_insert(f, token_at(f, last)->end, lw_str(behind));
}

void fix_suffix(struct fix *f, uint32_t node, const char *suffix)
{
    if (node == LW_NO_NODE)
        f->failed = true;
    else if (is_simple(f, node))
        fix_around(f, node, "", suffix);
    else
        fix_around(f, node, "(", ck_text(f->c, ")%s", suffix).p);
}

/* ---- arguments ------------------------------------------------------------------------------
 */

uint32_t fix_argument(const struct fix *f, uint32_t call, const char *name, int position)
{
    LW_BUG_ON(position < -1 || (!name && position < 0));
    if (!fix_is_call(f, call))
        return LW_NO_NODE;
    uint32_t named = name ? syntax_keyword(f->t, call, lw_str(name)) : LW_NO_NODE;
    if (named != LW_NO_NODE)
        return named;
    uint32_t a = lw_tree_each(f->t, call, LW_ROLE_ARGS, LW_NO_NODE);
    for (int i = 0; position >= 0 && a != LW_NO_NODE; i++) {
        if (fix_kind(f, a) == LW_NODE_STARRED)
            return LW_NO_NODE;
        if (i == position)
            return a;
        a = lw_tree_each(f->t, call, LW_ROLE_ARGS, a);
    }
    return LW_NO_NODE;
}

uint32_t fix_argument_of(const struct fix *f, uint32_t call, uint32_t node)
{
    while (node != LW_NO_NODE && lw_tree_parent(f->t, node) != call)
        node = lw_tree_parent(f->t, node);
    return node;
}

uint32_t fix_problem_argument(const struct fix *f)
{
    const struct lw_problem *p = f->hint->problem;
    if (!p || p->arg < 0 || (size_t)p->arg >= f->hint->arg_count || !fix_is_call(f, f->node))
        return LW_NO_NODE;
    uint32_t node = f->hint->args[p->arg].node;
    node = node == f->node ? LW_NO_NODE : fix_argument_of(f, f->node, node);
    return node;
}

uint32_t fix_problem_value(const struct fix *f)
{
    const struct lw_problem *p = f->hint->problem;
    if (!p || p->arg < 0 || (size_t)p->arg >= f->hint->arg_count || !fix_is_call(f, f->node))
        return LW_NO_NODE;
    uint32_t node = f->hint->args[p->arg].node;
    if (node == f->node) /* the object of a method */
        return syntax_owner(f->t, f->node);
    node = fix_argument_of(f, f->node, node);
    return fix_kind(f, node) == LW_NODE_KEYWORD ? lw_tree_get(f->t, node, LW_ROLE_VALUE) : node;
}

/* A part of a list in brackets, with one of the commas around it. */
static void remove_part(struct fix *f, uint32_t node)
{
    uint32_t first, last;
    if (node == LW_NO_NODE) {
        f->failed = true;
        return;
    }
    outer(f, node, &first, &last);
    if (is_token(f, last + 1, LW_TOK_COMMA) && !is_token(f, last + 2, LW_TOK_RPAREN) &&
        !is_token(f, last + 2, LW_TOK_RBRACKET))
        fix_replace(f, token_at(f, first)->start, token_at(f, last + 2)->start, LW_S(""));
    else if (first > 0 && is_token(f, first - 1, LW_TOK_COMMA))
        fix_replace(f, token_at(f, first - 1)->start, token_at(f, last)->end, LW_S(""));
    else if (is_token(f, last + 1, LW_TOK_COMMA)) /* the only one */
        fix_replace(f, token_at(f, first)->start, token_at(f, last + 1)->end, LW_S(""));
    else
        fix_replace(f, token_at(f, first)->start, token_at(f, last)->end, LW_S(""));
}

void fix_remove_argument(struct fix *f, uint32_t call, uint32_t argument)
{
    remove_part(f, argument == LW_NO_NODE ? argument : fix_argument_of(f, call, argument));
}

void fix_remove_item(struct fix *f, uint32_t list, uint32_t item)
{
    (void)list;
    remove_part(f, item);
}

void fix_add_argument(struct fix *f, uint32_t call, struct lw_str text)
{
    uint32_t last = fix_is_call(f, call) ? lw_tree_node(f->t, call)->last : LW_NO_TOKEN;
    if (last == LW_NO_TOKEN || last == 0 || !is_token(f, last, LW_TOK_RPAREN)) {
        f->failed = true;
        return;
    }
    uint32_t end = token_at(f, last - 1)->end;
    if (is_token(f, last - 1, LW_TOK_LPAREN))
        fix_insert(f, end, text);
    else if (is_token(f, last - 1, LW_TOK_COMMA))
        fix_insert(f, end, ck_text(f->c, " %.*s", LW_F(text)));
    else
        fix_insert(f, end, ck_text(f->c, ", %.*s", LW_F(text)));
}

void fix_set_argument(struct fix *f, uint32_t call, const char *name, const char *value)
{
    LW_BUG_ON(!name || !value);
    uint32_t given = fix_argument(f, call, name, -1);
    if (given == LW_NO_NODE)
        fix_add_argument(f, call, ck_text(f->c, "%s=%s", name, value));
    else
        fix_node(f, given, lw_str(value));
}

/* ---- literals -------------------------------------------------------------------------------
 */

/* The bytes between the quotes of a plain literal of one token. */
static bool content_of(const struct fix *f, uint32_t node, uint32_t *from, uint32_t *to)
{
    if (fix_kind(f, node) != LW_NODE_STRING ||
        lw_tree_node(f->t, node)->first != lw_tree_node(f->t, node)->last)
        return false;
    struct lw_str s = lw_tree_text(f->t, node);
    size_t i = 0;
    while (i < s.n && s.p[i] != '\'' && s.p[i] != '"')
        i++;
    bool triple = i + 2 < s.n && s.p[i + 1] == s.p[i] && s.p[i + 2] == s.p[i];
    size_t quote = triple ? 3 : 1;
    if (i + 2 * quote > s.n)
        return false;
    *from = lw_tree_start(f->t, node) + (uint32_t)(i + quote);
    *to = lw_tree_end(f->t, node) - (uint32_t)quote;
    return true;
}

bool fix_is_string(const struct fix *f, uint32_t node, struct lw_str content)
{
    uint32_t from, to;
    return content_of(f, node, &from, &to) &&
           lw_str_eq(lw_str_part(f->t->lexed.text, from, to - from), content);
}

uint32_t fix_find_string(const struct fix *f, uint32_t top, struct lw_str content)
{
    LW_BUG_ON(!content.p && content.n);
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(f->t, top, n, false))
        if (fix_is_string(f, n, content))
            return n;
    return LW_NO_NODE;
}

void fix_quoted(struct fix *f, uint32_t string, struct lw_str content)
{
    uint32_t from, to;
    if (!content_of(f, string, &from, &to) || lw_str_find_char(content, '\'') >= 0 ||
        lw_str_find_char(content, '"') >= 0 || lw_str_find_char(content, '\\') >= 0)
        f->failed = true;
    else
        fix_replace(f, from, to, content);
}
