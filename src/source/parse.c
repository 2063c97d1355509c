#include "source/tree.h"

#include <string.h>

#include "base/err.h"
#include "source/parse_internal.h"

static void record(struct parser *p, struct lw_syntax_error e)
{
    if (lw_lexed_add_error(&p->tree->lexed, e) < 0)
        p->rc = LW_ENOMEM;
}

void parse_error(struct parser *p, const char *message)
{
    p->line_broken = true;
    /* One error a token; at a forced line end the lexer has said what is missing. */
    if (p->error_at == p->pos + 1 || (p->tok[p->pos].flags & LW_TOK_FORCED))
        return;
    p->error_at = p->pos + 1;
    const struct lw_token *t = &p->tok[p->pos];
    record(p, (struct lw_syntax_error){t->start, t->end, LW_SYNTAX_ERROR, message});
}

void parse_expected(struct parser *p, enum lw_token_kind kind)
{
    static const char *const messages[] = {
#define X(name, text) "expected '" text "'",
        LW_TOKEN_KINDS(X)
#undef X
    };
    parse_error(p, kind == LW_TOK_NAME ? "expected a name" : messages[kind]);
}

void parse_python2(struct parser *p, uint32_t first, uint32_t last, const char *message)
{
    record(p, (struct lw_syntax_error){p->tok[first].start, p->tok[last].end, LW_SYNTAX_PYTHON2,
                                       message});
}

bool parse_expect(struct parser *p, enum lw_token_kind kind)
{
    if (accept(p, kind))
        return true;
    parse_expected(p, kind);
    return false;
}

/* Out of memory: everything ends at once, since every rule stops at EOF. */
static void give_up(struct parser *p)
{
    p->rc = LW_ENOMEM;
    p->pos = p->token_n - 1;
}

void parse_push(struct parser *p, enum lw_node_kind kind, uint32_t first, uint32_t last)
{
    struct lw_node n = {.kind = (uint8_t)kind, .first = first, .last = last};
    if (lw_vec_push(p->tree->lexed.mem, &p->stack, n) < 0)
        give_up(p);
}

void parse_leaf(struct parser *p, enum lw_node_kind kind)
{
    parse_push(p, kind, p->pos, p->pos);
    advance(p);
}

void parse_missing(struct parser *p, const char *message)
{
    parse_error(p, message);
    parse_push(p, LW_NODE_MISSING, p->pos, p->pos);
    parse_top(p)->flags = LW_NODE_EMPTY;
}

void parse_finish(struct parser *p, uint32_t mark, enum lw_node_kind kind, uint32_t first)
{
    struct lw_tree *t = p->tree;
    size_t count = p->stack.n > mark ? p->stack.n - mark : 0;
    uint32_t child = (uint32_t)t->nodes.n;
    if (t->nodes.cap - t->nodes.n < count &&
        lw_vec_reserve(t->lexed.mem, &t->nodes, count) < 0) {
        give_up(p);
        count = 0;
    }
    for (size_t i = 0; i < count; i++)
        t->nodes.v[child + i] = p->stack.v[mark + i];
    t->nodes.n += count;
    p->stack.n = p->stack.n > mark ? mark : p->stack.n;
    struct lw_node n = {.kind = (uint8_t)kind,
                        .first = first,
                        .last = p->last,
                        .child = child,
                        .count = (uint32_t)count};
    if (p->last < first || p->pos == first) {
        n.flags = LW_NODE_EMPTY;
        n.last = first;
    }
    if (lw_vec_push(t->lexed.mem, &p->stack, n) < 0)
        give_up(p);
}

struct lw_node *parse_top(struct parser *p)
{
    /* parse_run puts one node below everything else, for the case that memory ran out. */
    return &p->stack.v[p->stack.n - 1];
}

void parse_resync(struct parser *p)
{
    uint32_t open = 0;
    for (; !at_line_end(p); advance(p)) {
        uint8_t k = at(p);
        if (k >= LW_TOK_LPAREN && k <= LW_TOK_LBRACE) {
            open++;
        } else if (k == LW_TOK_FSTRING_START) {
            open++;
        } else if ((k >= LW_TOK_RPAREN && k <= LW_TOK_RBRACE) || k == LW_TOK_FSTRING_END) {
            if (open == 0)
                return;
            open--;
        } else if (k == LW_TOK_COMMA && open == 0) {
            return;
        }
    }
}

void parse_close(struct parser *p, enum lw_token_kind closer)
{
    if (accept(p, closer))
        return;
    parse_expected(p, closer);
    while (!at_line_end(p)) {
        parse_resync(p);
        if (at(p) != LW_TOK_COMMA)
            break;
        advance(p);
    }
    (void)accept(p, closer);
}

uint32_t parse_line_end(const struct parser *p)
{
    uint32_t i = p->pos;
    while (p->tok[i].kind > LW_TOK_DEDENT)
        i++;
    return i;
}

bool parse_enter(struct parser *p)
{
    p->depth++;
    if (p->depth <= PARSE_MAX_DEPTH)
        return true;
    parse_missing(p, "too deeply nested");
    p->pos = parse_line_end(p);
    p->error_at = p->pos + 1; /* what is missing from here on has been said */
    return false;
}

/* An EMPTY node must lie inside its parent like any other. */
static void place_empty(struct lw_node *n, const struct lw_node *parent)
{
    if (parent->flags & LW_NODE_EMPTY) {
        n->first = n->last = parent->first;
        n->flags |= parent->flags & LW_NODE_AT_END;
    } else if (n->first > parent->last) {
        n->first = n->last = parent->last;
        n->flags |= LW_NODE_AT_END;
    } else if (n->first < parent->first) {
        n->first = n->last = parent->first;
    }
}

/* Children know their parents. Parents come after their children in the array, so the walk from
 * the end sees each parent in its final place. */
static void link_parents(struct lw_tree *t)
{
    for (uint32_t i = (uint32_t)t->nodes.n; i-- > 0;) {
        const struct lw_node *n = &t->nodes.v[i];
        for (uint32_t c = n->child; c < n->child + n->count; c++) {
            t->nodes.v[c].parent = i;
            if (t->nodes.v[c].flags & LW_NODE_EMPTY)
                place_empty(&t->nodes.v[c], n);
        }
    }
}

enum { BYTES_PER_NODE = 6 }; /* measured: 6 to 8 on real code */

static int parse_run(struct lw_tree *t, struct parser *p)
{
    struct lw_mem *mem = t->lexed.mem;
    t->nodes.n = 0;
    if (lw_vec_reserve(mem, &t->nodes, t->lexed.text.n / BYTES_PER_NODE + 16) < 0 ||
        lw_vec_reserve(mem, &p->stack, (size_t)32) < 0)
        return LW_ENOMEM;
    parse_push(p, LW_NODE_MISSING, 0, 0); /* the floor, see parse_top */
    uint32_t mark = parse_mark(p);
    while (at(p) != LW_TOK_EOF) {
        parse_statements(p, LW_ROLE_BODY);
        if (at(p) == LW_TOK_DEDENT)
            p->pos++;
    }
    p->last = p->token_n - 1;
    parse_finish(p, mark, LW_NODE_MODULE, 0);
    if (p->rc < 0)
        return p->rc;
    parse_top(p)->flags = 0;
    parse_top(p)->last = p->token_n - 1;
    if (lw_vec_push(mem, &t->nodes, *parse_top(p)) < 0)
        return LW_ENOMEM;
    t->root = (uint32_t)t->nodes.n - 1;
    t->nodes.v[t->root].parent = t->root;
    link_parents(t);
    return 0;
}

int lw_tree_parse(struct lw_tree *t, struct lw_str text, struct lw_err *err)
{
    t->lines.n = 0;
    int rc = lw_lex(&t->lexed, text, err);
    if (rc < 0)
        return rc;
    struct parser p = {
        .tree = t, .tok = t->lexed.tokens.v, .token_n = (uint32_t)t->lexed.tokens.n};
    rc = parse_run(t, &p);
    lw_vec_release(t->lexed.mem, &p.stack);
    if (rc < 0)
        return lw_err_nomem(err);
    lw_lexed_sort_errors(&t->lexed);
    return 0;
}
