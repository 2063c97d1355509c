/* Words of the code of a file, and how they are used. */
#include "check/engine/evidence.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"

enum use {
    USE_NAME = 1 << 0,
    USE_ATTRIBUTE = 1 << 1,
    USE_CALL = 1 << 2,
    USE_METHOD = 1 << 3,
    USE_KEYWORD = 1 << 4,
    USE_IMPORT = 1 << 5,
    USE_DEF = 1 << 6,
    USE_ANY = (1 << 7) - 1, /* all of these are names */
    USE_TEXT = 1 << 7,
    USE_NUMBER = 1 << 8,
    USE_SUBSCRIPT = 1 << 9,
};

enum { MAX_WORD = 160, MAX_TEXT = 40, MAX_DOTS = 6 };

struct gather {
    struct evidence *e;
    struct lw_arena *arena;
    const struct lw_tree *t;
    const struct lw_names *names;
    struct lw_map imported; /* name -> index of its full name among the words, + 1 */
    bool failed;
};

/* ---- words --------------------------------------------------------------------------------
 */

static void add(struct gather *g, struct lw_str word, unsigned use)
{
    struct lw_map_entry *w = word.n ? lw_map_put(&g->e->words, word, NULL) : NULL;
    if (w)
        w->value |= use;
    g->failed |= word.n && !w;
}

/* a, b: "a.b", "a=b"; kept only where it is new. */
static struct lw_str add_joined(struct gather *g, struct lw_str a, const char *between,
                                struct lw_str b, const char *behind, unsigned use)
{
    char text[MAX_WORD];
    size_t n = strlen(between), end = strlen(behind);
    struct lw_str word = {text, a.n + n + b.n + end};
    if (word.n > sizeof text)
        return (struct lw_str){0};
    if (a.n)
        memcpy(text, a.p, a.n);
    memcpy(text + a.n, between, n);
    if (b.n)
        memcpy(text + a.n + n, b.p, b.n);
    memcpy(text + a.n + n + b.n, behind, end);
    struct lw_map_entry *w = lw_map_find(&g->e->words, word);
    if (!w) {
        struct lw_str own = lw_arena_copy(g->arena, word);
        w = own.p ? lw_map_put(&g->e->words, own, NULL) : NULL;
    }
    g->failed |= !w;
    if (w)
        w->value |= use;
    return w ? w->key : (struct lw_str){0};
}

/* "c.d" of a.b.c.d; all of it where there are fewer dots. */
static struct lw_str last_two(struct lw_str dotted)
{
    size_t last = (size_t)(lw_str_find_last_char(dotted, '.') + 1);
    struct lw_str head = last ? lw_str_part(dotted, 0, last - 1) : (struct lw_str){0};
    return lw_str_from(dotted, (size_t)(lw_str_find_last_char(head, '.') + 1));
}

/* ---- imports ------------------------------------------------------------------------------
 */

static void bind(struct gather *g, struct lw_str name, struct lw_str full)
{
    struct lw_map_entry *w = full.n ? lw_map_find(&g->e->words, full) : NULL;
    struct lw_map_entry *b = w && name.n ? lw_map_put(&g->imported, name, NULL) : NULL;
    if (b)
        b->value = (uint64_t)(w - g->e->words.entries) + 1;
    g->failed |= w && name.n && !b;
}

/* The full name of what an import bound to the name; empty: none did. */
static struct lw_str full_name(const struct gather *g, struct lw_str name)
{
    uint64_t at = lw_map_get(&g->imported, name, 0);
    return at ? g->e->words.entries[at - 1].key : (struct lw_str){0};
}

/* a.b.c: a, a.b and a.b.c are imported, b and c, too. */
static void add_module(struct gather *g, struct lw_str dotted)
{
    struct lw_str rest = dotted, part;
    while (lw_str_split(&rest, '.', &part)) {
        add(g, part, USE_IMPORT);
        add(g, lw_str_n(dotted.p, (size_t)(part.p + part.n - dotted.p)), USE_IMPORT);
    }
    add(g, last_two(dotted), USE_IMPORT);
}

static struct lw_str text_between(const struct lw_tree *t, uint32_t first, uint32_t end)
{
    if (first >= end)
        return (struct lw_str){0};
    const struct lw_token *a = &t->lexed.tokens.v[first], *b = &t->lexed.tokens.v[end - 1];
    return lw_str_part(t->lexed.text, a->start, b->end - a->start);
}

static void add_alias(struct gather *g, uint32_t alias)
{
    const struct lw_tree *t = g->t;
    uint32_t up = lw_tree_parent(t, alias), first = 0, end = 0;
    struct lw_str what =
        text_between(t, lw_tree_node(t, alias)->first, lw_tree_alias_end(t, alias));
    bool renamed = lw_tree_name_token(t, alias) >= lw_tree_alias_end(t, alias);
    struct lw_str name = lw_tree_name(t, alias);
    if (lw_tree_kind(t, up) == LW_NODE_IMPORT) {
        struct lw_str rest = what, head = {0};
        add_module(g, what);
        lw_str_split(&rest, '.', &head); /* import a.b binds a */
        bind(g, renamed ? name : head, renamed ? what : head);
        return;
    }
    (void)lw_tree_import_module(t, up, &first, &end);
    struct lw_str module = text_between(t, first, end);
    add_module(g, module);
    add(g, what, USE_NAME | USE_IMPORT);
    if (!module.n)
        return;
    struct lw_str full = add_joined(g, module, ".", what, "", USE_IMPORT);
    add(g, last_two(full), USE_IMPORT);
    bind(g, name, full);
}

static void gather_imports(struct gather *g)
{
    for (uint32_t n = 0; n < g->t->nodes.n; n++)
        if (lw_tree_kind(g->t, n) == LW_NODE_ALIAS)
            add_alias(g, n);
}

/* ---- expressions --------------------------------------------------------------------------
 */

/* True, 3, "left": what may stand behind "keyword reuse=". Empty: no constant. */
static struct lw_str constant(const struct lw_tree *t, uint32_t node)
{
    enum lw_node_kind kind = lw_tree_kind(t, node);
    struct lw_str text = lw_tree_text(t, node);
    if (kind == LW_NODE_CONSTANT || kind == LW_NODE_NUMBER)
        return text;
    bool plain = kind == LW_NODE_STRING && text.n >= 2 && text.n <= MAX_TEXT &&
                 (text.p[0] == '"' || text.p[0] == '\'') && text.p[text.n - 1] == text.p[0];
    return plain ? lw_str_part(text, 1, text.n - 2) : (struct lw_str){0};
}

/* F.relu, where F is torch.nn.functional: torch.nn.functional.relu and functional.relu. */
static void add_full(struct gather *g, uint32_t node, unsigned use)
{
    const struct lw_tree *t = g->t;
    uint32_t root = node;
    if (!g->imported.n)
        return;
    for (unsigned i = 0; i < MAX_DOTS && lw_tree_kind(t, root) == LW_NODE_ATTRIBUTE; i++)
        root = lw_tree_get(t, root, LW_ROLE_VALUE);
    struct lw_str full = lw_tree_kind(t, root) == LW_NODE_NAME
                             ? full_name(g, lw_tree_name(t, root))
                             : (struct lw_str){0};
    if (!full.n)
        return;
    struct lw_str behind = lw_str_from(lw_tree_text(t, node), lw_tree_text(t, root).n);
    full = add_joined(g, full, "", behind, "", use);
    if (full.n)
        add(g, last_two(full), use);
}

static bool is_called(const struct lw_tree *t, uint32_t node)
{
    return lw_tree_node(t, node)->role == LW_ROLE_FUNC;
}

/* Attributes of self have many names, and no pair of them is asked for. */
static void add_attribute(struct gather *g, uint32_t node)
{
    const struct lw_tree *t = g->t;
    unsigned use = USE_ATTRIBUTE | (is_called(t, node) ? USE_CALL | USE_METHOD : 0);
    uint32_t of = lw_tree_get(t, node, LW_ROLE_VALUE);
    enum lw_node_kind kind = lw_tree_kind(t, of);
    struct lw_str name = lw_tree_name(t, node), owner = lw_tree_name(t, of);
    add(g, name, use);
    if ((kind != LW_NODE_NAME && kind != LW_NODE_ATTRIBUTE) || lw_str_eq(owner, LW_S("self")))
        return;
    add_joined(g, owner, ".", name, "", use);
    add_full(g, node, use);
}

/* Names that the file binds come from the list of symbols. */
static void add_name(struct gather *g, uint32_t node)
{
    bool called = is_called(g->t, node), bound = g->names->symbol_of.v[node] != LW_NO_SYMBOL;
    if (called || !bound)
        add(g, lw_tree_name(g->t, node),
            (called ? USE_CALL : 0) | (bound ? 0 : (unsigned)USE_NAME));
    if (called)
        add_full(g, node, USE_CALL);
}

/* train(), train(False) */
static void add_call(struct gather *g, uint32_t call)
{
    const struct lw_tree *t = g->t;
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    uint32_t first = lw_tree_get(t, call, LW_ROLE_ARGS);
    bool alone = first == LW_NO_NODE && lw_tree_get(t, call, LW_ROLE_KEYWORDS) == LW_NO_NODE;
    if ((alone || lw_tree_kind(t, first) == LW_NODE_CONSTANT) && lw_tree_name(t, f).n)
        add_joined(g, lw_tree_name(t, f), "(", lw_tree_text(t, first), ")", USE_CALL);
}

/* x.grad = None */
static void add_given(struct gather *g, uint32_t assign)
{
    const struct lw_tree *t = g->t;
    uint32_t to = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    struct lw_str value = constant(t, lw_tree_get(t, assign, LW_ROLE_VALUE));
    if (lw_tree_kind(t, to) != LW_NODE_ATTRIBUTE)
        return;
    add_joined(g, lw_tree_name(t, to), "=", (struct lw_str){0}, "", USE_ATTRIBUTE);
    if (value.n)
        add_joined(g, lw_tree_name(t, to), "=", value, "", USE_ATTRIBUTE);
}

static void add_keyword(struct gather *g, uint32_t node)
{
    struct lw_str value = constant(g->t, lw_tree_get(g->t, node, LW_ROLE_VALUE));
    add(g, lw_tree_name(g->t, node), USE_KEYWORD);
    if (value.n)
        add_joined(g, lw_tree_name(g->t, node), "=", value, "", USE_KEYWORD);
}

/* 255 and 255.0 are the same number. */
static void add_number(struct gather *g, uint32_t node)
{
    struct lw_str text = lw_tree_text(g->t, node);
    ptrdiff_t dot = lw_str_find_char(text, '.');
    size_t end = text.n;
    while (dot >= 0 && end > (size_t)dot + 1 && text.p[end - 1] == '0')
        end--;
    add(g, lw_str_part(text, 0, dot >= 0 && end == (size_t)dot + 1 ? (size_t)dot : text.n),
        USE_NUMBER);
}

static void add_subscript(struct gather *g, uint32_t node)
{
    uint32_t of = lw_tree_get(g->t, node, LW_ROLE_VALUE);
    enum lw_node_kind kind = lw_tree_kind(g->t, of);
    if (kind == LW_NODE_NAME || kind == LW_NODE_ATTRIBUTE)
        add(g, lw_tree_name(g->t, of), USE_SUBSCRIPT);
}

static void add_node(struct gather *g, uint32_t n)
{
    switch ((int)lw_tree_kind(g->t, n)) {
    case LW_NODE_NAME: add_name(g, n); break;
    case LW_NODE_FUNCTION:
    case LW_NODE_CLASS: add(g, lw_tree_name(g->t, n), USE_DEF); break;
    case LW_NODE_ATTRIBUTE: add_attribute(g, n); break;
    case LW_NODE_CALL: add_call(g, n); break;
    case LW_NODE_KEYWORD: add_keyword(g, n); break;
    case LW_NODE_ASSIGN: add_given(g, n); break;
    case LW_NODE_SUBSCRIPT: add_subscript(g, n); break;
    case LW_NODE_NUMBER: add_number(g, n); break;
    case LW_NODE_ASSERT: add(g, LW_S("assert"), USE_NAME); break;
    case LW_NODE_STRING: add(g, constant(g->t, n), USE_TEXT); break;
    default: break;
    }
}

/* Does it stand right under `if False:` or `if 0:`? */
static bool is_dead(const struct lw_tree *t, uint32_t n)
{
    uint32_t up = lw_tree_parent(t, n);
    if (lw_tree_kind(t, up) != LW_NODE_IF || lw_tree_node(t, n)->role != LW_ROLE_BODY)
        return false;
    struct lw_str test = constant(t, lw_tree_get(t, up, LW_ROLE_TEST));
    return lw_str_eq(test, LW_S("False")) || lw_str_eq(test, LW_S("0"));
}

int evidence_gather(struct evidence *e, struct lw_arena *arena, struct lw_mem *mem,
                    const struct lw_names *names, struct lw_err *err)
{
    const struct lw_tree *t = names->tree;
    struct gather g = {.e = e, .arena = arena, .t = t, .names = names};
    lw_map_init(&e->words, mem);
    lw_map_init(&g.imported, mem);
    gather_imports(&g);
    for (size_t i = 0; i < names->symbols.n; i++)
        if (!(names->symbols.v[i].flags & LW_SYMBOL_IMPORTED))
            add(&g, names->symbols.v[i].name, USE_NAME);
    uint32_t n = t->root;
    while (n != LW_NO_NODE && !g.failed) {
        bool dead = is_dead(t, n);
        if (!dead)
            add_node(&g, n);
        n = lw_tree_next(t, t->root, n, dead);
    }
    lw_map_release(&g.imported);
    return g.failed ? lw_err_nomem(err) : 0;
}

void evidence_release(struct evidence *e)
{
    lw_map_release(&e->words);
}

size_t evidence_bytes(const struct evidence *e)
{
    return e->words.cap * sizeof *e->words.entries + e->words.slot_count * sizeof(uint32_t);
}

/* ---- questions ----------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    unsigned uses;
} kinds[] = {{"name", USE_ANY},
             {"variable", USE_NAME},
             {"number", USE_NUMBER},
             {"subscript", USE_SUBSCRIPT},
             {"attribute", USE_ATTRIBUTE},
             {"call", USE_CALL},
             {"keyword", USE_KEYWORD},
             {"import", USE_IMPORT},
             {"def", USE_DEF},
             {"text", USE_TEXT}};

/* The uses that a question asks for, 0 for none; `*word` is what it asks about. */
static unsigned read_question(struct lw_str question, struct lw_str *word)
{
    ptrdiff_t blank = lw_str_find_char(question, ' ');
    struct lw_str kind = lw_str_part(question, 0, blank < 0 ? 0 : (size_t)blank);
    unsigned uses = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (lw_str_eq(kind, lw_str(kinds[i].name)))
            uses = kinds[i].uses;
    *word = lw_str_from(question, (size_t)(blank + 1));
    if (uses == USE_CALL && word->n && word->p[0] == '.') {
        *word = lw_str_from(*word, 1);
        return USE_METHOD;
    }
    return word->n ? uses : 0;
}

bool evidence_is_question(struct lw_str question)
{
    struct lw_str word;
    return read_question(question, &word) && lw_str_find_char(word, ' ') < 0;
}

/* Does the text fit a pattern with a star at its begin, its end or both? */
static bool fits(struct lw_str text, struct lw_str part, bool before, bool behind)
{
    return before && behind ? lw_str_find(text, part) != LW_NPOS
           : before         ? lw_str_has_suffix(text, part)
                            : lw_str_has_prefix(text, part);
}

bool evidence_shows(const struct evidence *e, const char *question)
{
    struct lw_str word;
    unsigned uses = read_question(lw_str(question), &word);
    LW_BUG_ON(!uses);
    bool before = word.p[0] == '*', behind = word.n > 1 && word.p[word.n - 1] == '*';
    if (!before && !behind)
        return lw_map_get(&e->words, word, 0) & uses;
    struct lw_str part = lw_str_part(word, before, word.n - before - behind);
    for (size_t i = 0; i < e->words.n; i++)
        if (e->words.entries[i].value & uses &&
            fits(e->words.entries[i].key, part, before, behind))
            return true;
    return false;
}
