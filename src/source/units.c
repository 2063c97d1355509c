#include "source/units.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"

const char *lw_unit_kind_name(enum lw_unit_kind kind)
{
    static const char *const names[] = {"class",     "function", "variable", "comment",
                                        "docstring", "string",   "api"};
    return names[kind];
}

void lw_units_init(struct lw_units *u, struct lw_mem *mem)
{
    memset(u, 0, sizeof *u);
    u->mem = mem;
    lw_arena_init(&u->arena, mem, 0);
}

void lw_units_release(struct lw_units *u)
{
    lw_vec_release(u->mem, &u->units);
    lw_arena_release(&u->arena);
}

struct builder {
    struct lw_units *u;
    const struct lw_names *names;
    const struct lw_tree *t;
    uint32_t trivia; /* next comment to hand out */
    struct lw_buf dotted;
};

/* The definition whose scope the node is evaluated in. Scopes are climbed, not nodes: they nest
 * no deeper than blocks do. */
static uint32_t definition_around(const struct builder *b, uint32_t node)
{
    uint32_t scope = b->names->scope_of.v[node];
    for (;; scope = b->names->scopes.v[scope].parent) {
        const struct lw_scope *s = &b->names->scopes.v[scope];
        if (s->kind == LW_SCOPE_FUNCTION || s->kind == LW_SCOPE_CLASS)
            return s->node;
        if (scope == 0)
            return LW_NO_NODE;
    }
}

static int add(struct builder *b, enum lw_unit_kind kind, uint32_t start, uint32_t end,
               uint32_t parent, struct lw_str text)
{
    struct lw_unit u = {(uint8_t)kind, start, end, parent, text};
    return lw_vec_push(b->u->mem, &b->u->units, u);
}

static int add_node(struct builder *b, enum lw_unit_kind kind, uint32_t node,
                    struct lw_str text)
{
    return add(b, kind, lw_tree_start(b->t, node), lw_tree_end(b->t, node),
               definition_around(b, node), text);
}

/* ---- Comments --------------------------------------------------------------------------- */

/* The comments that begin before the byte. */
static int add_comments(struct builder *b, uint32_t before)
{
    const struct lw_lexed *lx = &b->t->lexed;
    int rc = 0;
    for (; b->trivia < lx->trivia.n && lx->trivia.v[b->trivia].start < before && rc == 0;
         b->trivia++) {
        const struct lw_trivia *v = &lx->trivia.v[b->trivia];
        if (v->kind != LW_TRIVIA_COMMENT)
            continue;
        struct lw_str text = lw_str_part(lx->text, v->start, v->end - v->start);
        while (text.n && text.p[0] == '#')
            text = lw_str_from(text, 1);
        uint32_t node = lw_tree_at(b->t, v->start);
        enum lw_node_kind kind = lw_tree_kind(b->t, node);
        bool inside = kind == LW_NODE_FUNCTION || kind == LW_NODE_CLASS;
        rc = add(b, LW_UNIT_COMMENT, v->start, v->end,
                 inside ? node : definition_around(b, node), lw_str_trim(text));
    }
    return rc;
}

/* ---- Strings ---------------------------------------------------------------------------- */

static struct lw_str string_body(const struct lw_tree *t, uint32_t token)
{
    const struct lw_token *tok = &t->lexed.tokens.v[token];
    struct lw_str s = lw_tree_token_text(t, token);
    size_t quotes = tok->detail & LW_STRING_TRIPLE ? 3 : 1, prefix = 0;
    while (prefix < s.n && s.p[prefix] != '"' && s.p[prefix] != '\'')
        prefix++;
    s = lw_str_from(s, prefix + quotes);
    size_t cut = tok->flags & LW_TOK_BAD ? 0 : quotes;
    s.n = s.n > cut ? s.n - cut : 0;
    return s;
}

/* The first statement of a body, if it is a string. */
static bool is_docstring(const struct lw_tree *t, uint32_t node)
{
    uint32_t expr = lw_tree_node(t, node)->parent;
    if (lw_tree_kind(t, expr) != LW_NODE_EXPR)
        return false;
    uint32_t owner = lw_tree_node(t, expr)->parent;
    enum lw_node_kind kind = lw_tree_kind(t, owner);
    return (kind == LW_NODE_MODULE || kind == LW_NODE_FUNCTION || kind == LW_NODE_CLASS) &&
           lw_tree_get(t, owner, LW_ROLE_BODY) == expr;
}

static int add_strings(struct builder *b, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(b->t, node);
    enum lw_unit_kind kind = is_docstring(b->t, node) ? LW_UNIT_DOCSTRING : LW_UNIT_STRING;
    int rc = 0;
    for (uint32_t i = n->first; i <= n->last && rc == 0; i++) {
        const struct lw_token *tok = &b->t->lexed.tokens.v[i];
        struct lw_str text =
            n->kind == LW_NODE_STRING ? string_body(b->t, i) : lw_tree_token_text(b->t, i);
        if (text.n)
            rc = add(b, kind, tok->start, tok->end, definition_around(b, node), text);
    }
    return rc;
}

/* ---- Names ------------------------------------------------------------------------------ */

/* The first binding of the name in its scope. */
static bool is_first_binding(const struct builder *b, uint32_t node)
{
    uint32_t symbol = b->names->symbol_of.v[node];
    if (symbol == LW_NO_SYMBOL)
        return false;
    uint32_t first = b->names->symbols.v[symbol].first_binding;
    return first != LW_NO_SYMBOL && b->names->bindings.v[first].node == node;
}

/* The longest chain of attributes above the name, as long as it is one. */
static uint32_t whole_chain(const struct lw_tree *t, uint32_t node)
{
    for (;;) {
        const struct lw_node *n = lw_tree_node(t, node);
        if (lw_tree_kind(t, n->parent) != LW_NODE_ATTRIBUTE || n->role != LW_ROLE_VALUE)
            return node;
        node = n->parent;
    }
}

static int add_api(struct builder *b, uint32_t name)
{
    uint32_t chain = whole_chain(b->t, name);
    lw_buf_clear(&b->dotted);
    if (!lw_names_dotted(b->names, chain, &b->dotted))
        return 0;
    struct lw_str text = lw_arena_copy(&b->u->arena, lw_buf_str(&b->dotted));
    if (!text.p || b->dotted.failed)
        return LW_ENOMEM;
    return add_node(b, LW_UNIT_API, chain, text);
}

static int add_name(struct builder *b, uint32_t node)
{
    uint32_t symbol = b->names->symbol_of.v[node];
    if (is_first_binding(b, node))
        return add_node(b, LW_UNIT_VARIABLE, node, lw_tree_name(b->t, node));
    bool plain =
        symbol == LW_NO_SYMBOL || b->names->symbols.v[symbol].first_binding == LW_NO_SYMBOL;
    return plain && b->names->stars.n == 0 ? 0 : add_api(b, node);
}

/* `self.name = …` declares a variable of the object. */
static int add_member(struct builder *b, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(b->t, node);
    bool target = n->role == LW_ROLE_TARGETS || n->role == LW_ROLE_TARGET;
    uint32_t value = lw_tree_get(b->t, node, LW_ROLE_VALUE);
    if (!target || lw_tree_kind(b->t, value) != LW_NODE_NAME ||
        !lw_str_eq(lw_tree_name(b->t, value), LW_S("self")))
        return 0;
    return add_node(b, LW_UNIT_VARIABLE, node, lw_tree_name(b->t, node));
}

static int add_import(struct builder *b, uint32_t node)
{
    lw_buf_clear(&b->dotted);
    const struct lw_node *n = lw_tree_node(b->t, node);
    if (n->flags & LW_NODE_EMPTY)
        return 0;
    if (lw_tree_kind(b->t, n->parent) == LW_NODE_IMPORT) {
        for (uint32_t i = n->first; i < lw_tree_alias_end(b->t, node); i++)
            (void)lw_buf_add(&b->dotted, lw_tree_token_text(b->t, i));
    } else {
        lw_names_import_target(b->t, node, &b->dotted);
    }
    struct lw_str text = lw_arena_copy(&b->u->arena, lw_buf_str(&b->dotted));
    return text.p && !b->dotted.failed ? add_node(b, LW_UNIT_API, node, text) : LW_ENOMEM;
}

static int add_unit(struct builder *b, uint32_t node)
{
    switch (lw_tree_kind(b->t, node)) {
    case LW_NODE_CLASS: return add_node(b, LW_UNIT_CLASS, node, lw_tree_name(b->t, node));
    case LW_NODE_FUNCTION: return add_node(b, LW_UNIT_FUNCTION, node, lw_tree_name(b->t, node));
    case LW_NODE_STRING:
    case LW_NODE_STRING_PART: return add_strings(b, node);
    case LW_NODE_PARAM: return add_node(b, LW_UNIT_VARIABLE, node, lw_tree_name(b->t, node));
    case LW_NODE_NAME: return add_name(b, node);
    case LW_NODE_ATTRIBUTE: return add_member(b, node);
    case LW_NODE_ALIAS: return add_import(b, node);
    default: return 0;
    }
}

int lw_units_build(struct lw_units *u, const struct lw_names *names, struct lw_err *err)
{
    const struct lw_tree *t = names->tree;
    struct builder b = {.u = u, .names = names, .t = t};
    u->units.n = 0;
    lw_arena_clear(&u->arena);
    lw_buf_init(&b.dotted, u->mem, 0);
    int rc = 0;
    for (uint32_t n = t->root; rc == 0 && n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false)) {
        rc = add_comments(&b, lw_tree_start(t, n));
        if (rc == 0)
            rc = add_unit(&b, n);
    }
    if (rc == 0)
        rc = add_comments(&b, UINT32_MAX);
    lw_buf_release(&b.dotted);
    return rc < 0 ? lw_err_nomem(err) : 0;
}

/* ---- Sub-tokens ------------------------------------------------------------------------- */

enum letter { OTHER, LOWER, UPPER, DIGIT, UNDERSCORE };

static enum letter letter_of(char c)
{
    if (c >= 'a' && c <= 'z')
        return LOWER;
    if (c >= 'A' && c <= 'Z')
        return UPPER;
    if (c >= '0' && c <= '9')
        return DIGIT;
    if (c == '_')
        return UNDERSCORE;
    return (unsigned char)c >= 128 ? LOWER : OTHER;
}

void lw_subtokens_init(struct lw_subtokens *s, struct lw_str text)
{
    *s = (struct lw_subtokens){text, 0, 0};
}

/* The end of the part that begins at `at`: capitals followed by small letters are one word, a
 * run of capitals ends before the capital that begins the next word. */
static size_t part_end(const struct lw_subtokens *s, size_t at)
{
    const char *p = s->text.p;
    enum letter first = letter_of(p[at]);
    size_t end = at + 1;
    while (end < s->word_end && letter_of(p[end]) == first)
        end++;
    if (first == UPPER && end < s->word_end && letter_of(p[end]) == LOWER) {
        if (end - at > 1)
            return end - 1;
        while (end < s->word_end && letter_of(p[end]) == LOWER)
            end++;
    }
    return end;
}

static size_t skip_underscores(const struct lw_subtokens *s, size_t at)
{
    while (at < s->word_end && letter_of(s->text.p[at]) == UNDERSCORE)
        at++;
    return at;
}

bool lw_subtokens_next(struct lw_subtokens *s, struct lw_str *part, bool *whole)
{
    *whole = false;
    if (s->word_end)
        s->at = skip_underscores(s, s->at);
    if (s->at >= s->word_end) {
        s->word_end = 0;
        while (s->at < s->text.n && (letter_of(s->text.p[s->at]) == OTHER ||
                                     letter_of(s->text.p[s->at]) == UNDERSCORE))
            s->at++;
        if (s->at >= s->text.n)
            return false;
        s->word_end = s->at;
        while (s->word_end < s->text.n && letter_of(s->text.p[s->word_end]) != OTHER)
            s->word_end++;
        size_t first = part_end(s, s->at);
        if (skip_underscores(s, first) < s->word_end) {
            *whole = true;
            *part = lw_str_part(s->text, s->at, s->word_end - s->at);
            return true;
        }
    }
    size_t end = part_end(s, s->at);
    *part = lw_str_part(s->text, s->at, end - s->at);
    s->at = end;
    return true;
}
