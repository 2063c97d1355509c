#include "source/print.h"

#include "base/str.h"

static const char *const trivia_names[] = {"COMMENT", "PROMPT", "MAGIC"};

static void put_range(struct lw_sink *out, struct lw_tree *t, uint32_t start, uint32_t end)
{
    struct lw_position a = lw_tree_position(t, start), b = lw_tree_position(t, end);
    lw_putf(out, "%u:%u-%u:%u", a.line, a.column, b.line, b.column);
}

void lw_json_range(struct lw_jsonw *w, struct lw_tree *t, uint32_t start, uint32_t end)
{
    struct lw_position a = lw_tree_position(t, start), b = lw_tree_position(t, end);
    lw_json_key_int(w, "line", a.line);
    lw_json_key_int(w, "column", a.column);
    lw_json_key_int(w, "end_line", b.line);
    lw_json_key_int(w, "end_column", b.column);
}

/* ---- Tokens ----------------------------------------------------------------------------- */

static const char *piece_name(const struct lw_lexed *lx, const struct lw_piece *p)
{
    if (p->kind == LW_PIECE_TRIVIA)
        return trivia_names[lx->trivia.v[p->index].kind];
    return lw_token_kind_name((enum lw_token_kind)lx->tokens.v[p->index].kind);
}

void lw_print_tokens(struct lw_sink *out, struct lw_tree *t)
{
    struct lw_piece_walk walk = {0};
    struct lw_piece p;
    while (lw_lexed_piece(&t->lexed, &walk, &p)) {
        if (p.kind == LW_PIECE_BLANK)
            continue;
        put_range(out, t, p.start, p.end);
        lw_putf(out, " %s", piece_name(&t->lexed, &p));
        if (p.end > p.start) {
            lw_put_char(out, ' ');
            lw_put_safe(out, lw_str_part(t->lexed.text, p.start, p.end - p.start), false);
        }
        lw_put_char(out, '\n');
    }
}

void lw_json_tokens(struct lw_jsonw *w, struct lw_tree *t)
{
    struct lw_piece_walk walk = {0};
    struct lw_piece p;
    lw_json_key(w, "tokens");
    lw_json_array(w);
    while (lw_lexed_piece(&t->lexed, &walk, &p)) {
        if (p.kind == LW_PIECE_BLANK)
            continue;
        lw_json_object(w);
        lw_json_key_text(w, "kind", lw_str(piece_name(&t->lexed, &p)));
        lw_json_range(w, t, p.start, p.end);
        lw_json_key_text(w, "text", lw_str_part(t->lexed.text, p.start, p.end - p.start));
        lw_json_key_bool(w, "trivia", p.kind == LW_PIECE_TRIVIA);
        lw_json_end(w);
    }
    lw_json_end(w);
}

/* ---- Trees ------------------------------------------------------------------------------ */

static bool has_op(enum lw_node_kind kind)
{
    return kind == LW_NODE_BIN_OP || kind == LW_NODE_UNARY_OP || kind == LW_NODE_BOOL_OP ||
           kind == LW_NODE_AUG_ASSIGN || kind == LW_NODE_CMPOP;
}

static bool has_param_kind(enum lw_node_kind kind)
{
    return kind == LW_NODE_PARAM || kind == LW_NODE_TYPE_PARAM;
}

static const char *param_kind(uint8_t op)
{
    static const char *const names[] = {"plain", "positional", "vararg", "keyword", "kwarg"};
    return names[op];
}

/* Kinds whose text is their value. */
static bool has_text(enum lw_node_kind kind)
{
    switch (kind) {
    case LW_NODE_NUMBER:
    case LW_NODE_STRING:
    case LW_NODE_STRING_PART:
    case LW_NODE_CONSTANT:
    case LW_NODE_MAGIC:
    case LW_NODE_MATCH_SINGLETON:
    case LW_NODE_ALIAS:
    case LW_NODE_GLOBAL:
    case LW_NODE_NONLOCAL:
    case LW_NODE_ERROR: return true;
    default: return false;
    }
}

static struct lw_str token_span(const struct lw_tree *t, uint32_t first, uint32_t end)
{
    if (first >= end)
        return (struct lw_str){"", 0};
    const struct lw_token *v = t->lexed.tokens.v;
    return lw_str_part(t->lexed.text, v[first].start, v[end - 1].end - v[first].start);
}

static void put_flags(struct lw_sink *out, const struct lw_node *n)
{
    if (n->flags & LW_NODE_ASYNC)
        lw_putz(out, " async");
    if (n->flags & LW_NODE_PY2)
        lw_putz(out, " python2");
    if (n->flags & LW_NODE_EMPTY)
        lw_putz(out, " empty");
}

static void put_node(struct lw_sink *out, struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node);
    enum lw_node_kind kind = (enum lw_node_kind)n->kind;
    if (n->role != LW_ROLE_NONE)
        lw_putf(out, "%s: ", lw_role_name((enum lw_role)n->role));
    lw_putf(out, "%s ", lw_node_kind_name(kind));
    put_range(out, t, lw_tree_start(t, node), lw_tree_end(t, node));
    if (has_op(kind))
        lw_putf(out, " %s", lw_op_text((enum lw_op)n->op));
    if (has_param_kind(kind) && n->op != LW_PARAM_PLAIN)
        lw_putf(out, " %s", param_kind(n->op));
    if (kind == LW_NODE_IMPORT_FROM) {
        uint32_t first, end;
        (void)lw_tree_import_module(t, node, &first, &end);
        lw_put_char(out, ' ');
        lw_put_safe(out, token_span(t, n->first + 1, end), false);
    } else if (has_text(kind)) {
        lw_put_char(out, ' ');
        lw_put_safe(out, lw_tree_text(t, node), false);
    } else if (lw_tree_name_token(t, node) != LW_NO_TOKEN) {
        lw_put_char(out, ' ');
        lw_put_safe(out, lw_tree_name(t, node), false);
    }
    put_flags(out, n);
    lw_put_char(out, '\n');
}

/* How many levels the walk from `before` to `node` goes down (1) or up. */
static uint32_t next_depth(const struct lw_tree *t, uint32_t before, uint32_t node,
                           uint32_t depth)
{
    uint32_t parent = lw_tree_parent(t, node);
    if (parent == before)
        return depth + 1;
    while (lw_tree_parent(t, before) != parent) {
        before = lw_tree_parent(t, before);
        depth--;
    }
    return depth;
}

void lw_print_tree(struct lw_sink *out, struct lw_tree *t)
{
    uint32_t depth = 0, before = t->root;
    enum { DEEPEST_INDENT = 100 };
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (n != t->root)
            depth = next_depth(t, before, n, depth);
        lw_put_fill(out, ' ', 2 * (size_t)(depth < DEEPEST_INDENT ? depth : DEEPEST_INDENT));
        put_node(out, t, n);
        before = n;
    }
}

static void json_import(struct lw_jsonw *w, struct lw_tree *t, uint32_t node)
{
    uint32_t first, end, level = lw_tree_import_module(t, node, &first, &end);
    lw_json_key_int(w, "level", level);
    lw_json_key_text(w, "module", token_span(t, first, end));
}

static void json_details(struct lw_jsonw *w, struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node);
    enum lw_node_kind kind = (enum lw_node_kind)n->kind;
    if (has_op(kind))
        lw_json_key_text(w, "op", lw_str(lw_op_name((enum lw_op)n->op)));
    if (has_param_kind(kind))
        lw_json_key_text(w, "op", lw_str(param_kind(n->op)));
    if (kind == LW_NODE_FORMATTED && n->op)
        lw_json_key_text(w, "conversion", lw_str_n((const char *)&n->op, 1));
    if (kind == LW_NODE_IMPORT_FROM)
        json_import(w, t, node);
    if (kind == LW_NODE_FUNCTION || kind == LW_NODE_CLASS) {
        uint32_t def = t->lexed.tokens.v[lw_tree_def_token(t, node)].start;
        struct lw_position at = lw_tree_position(t, def);
        lw_json_key_int(w, "def_line", at.line);
        lw_json_key_int(w, "def_column", at.column);
    }
    if (lw_tree_name_token(t, node) != LW_NO_TOKEN)
        lw_json_key_text(w, "name", lw_tree_name(t, node));
    if (has_text(kind))
        lw_json_key_text(w, "text", lw_tree_text(t, node));
    if (kind == LW_NODE_STRING_PART)
        lw_json_key_bool(w, "raw", t->lexed.tokens.v[n->first].detail & LW_STRING_RAW);
}

static void json_flags(struct lw_jsonw *w, const struct lw_node *n)
{
    static const char *const names[] = {"async", "paren", "python2", "empty",
                                        NULL,    NULL,    "mark"};
    if (!(n->flags &
          (LW_NODE_ASYNC | LW_NODE_PAREN | LW_NODE_PY2 | LW_NODE_EMPTY | LW_NODE_MARK)))
        return;
    lw_json_key(w, "flags");
    lw_json_array(w);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && (n->flags >> i & 1))
            lw_json_text(w, lw_str(names[i]));
    lw_json_end(w);
}

/* Where each node comes in the printed order is only known while printing: parents first. The
 * numbers are those of the tree, which a reader may use as names. */
void lw_json_tree(struct lw_jsonw *w, struct lw_tree *t)
{
    lw_json_key(w, "nodes");
    lw_json_array(w);
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        const struct lw_node *node = lw_tree_node(t, n);
        lw_json_object(w);
        lw_json_key_int(w, "id", n);
        if (n != t->root)
            lw_json_key_int(w, "parent", node->parent);
        lw_json_key_text(w, "kind", lw_str(lw_node_kind_name((enum lw_node_kind)node->kind)));
        lw_json_key_text(w, "role", lw_str(lw_role_name((enum lw_role)node->role)));
        lw_json_range(w, t, lw_tree_start(t, n), lw_tree_end(t, n));
        json_details(w, t, n);
        json_flags(w, node);
        lw_json_end(w);
    }
    lw_json_end(w);
}

/* ---- Errors ----------------------------------------------------------------------------- */

void lw_print_errors(struct lw_sink *out, struct lw_tree *t, struct lw_str path)
{
    for (size_t i = 0; i < t->lexed.errors.n; i++) {
        const struct lw_syntax_error *e = &t->lexed.errors.v[i];
        struct lw_position at = lw_tree_position(t, e->start);
        lw_put_safe(out, path, false);
        lw_putf(out, ":%u:%u: %s%s\n", at.line, at.column + 1,
                e->severity == LW_SYNTAX_PYTHON2 ? "python2: " : "", e->message);
    }
}

void lw_json_errors(struct lw_jsonw *w, struct lw_tree *t)
{
    lw_json_key(w, "errors");
    lw_json_array(w);
    for (size_t i = 0; i < t->lexed.errors.n; i++) {
        const struct lw_syntax_error *e = &t->lexed.errors.v[i];
        lw_json_object(w);
        lw_json_range(w, t, e->start, e->end);
        lw_json_key_text(w, "severity",
                         lw_str(e->severity == LW_SYNTAX_PYTHON2 ? "python2" : "error"));
        lw_json_key_text(w, "message", lw_str(e->message));
        lw_json_end(w);
    }
    lw_json_end(w);
}
