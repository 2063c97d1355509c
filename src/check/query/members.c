#include "check/query/members.h"

#include "check/engine/syntax.h"
#include "check/engine/text.h"

enum { IMPORTS_DEEP = 6 }; /* a class that is imported from where it is imported */

bool members_is_target(const struct lw_tree *t, uint32_t node)
{
    for (unsigned i = 0; i < 4 && node != LW_NO_NODE; i++) {
        uint8_t role = lw_tree_node(t, node)->role;
        if (role == LW_ROLE_TARGETS || role == LW_ROLE_TARGET || role == LW_ROLE_VARS)
            return true;
        node = lw_tree_parent(t, node);
        if (node == LW_NO_NODE ||
            (lw_tree_kind(t, node) != LW_NODE_TUPLE && lw_tree_kind(t, node) != LW_NODE_LIST &&
             lw_tree_kind(t, node) != LW_NODE_STARRED))
            return false;
    }
    return false;
}

/* ---- bases --------------------------------------------------------------------------------
 */

static bool add_class(struct members *m, struct ck_file *f, uint32_t node)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->v[i].file == f && m->v[i].node == node)
            return true;
    if (m->n == MEMBERS_CLASSES)
        return false;
    m->v[m->n++] = (struct members_class){f, node};
    return true;
}

/* The class that the module-level name means in the file, wherever it is defined; its file is
 * set. LW_NO_NODE: none of the program. */
static uint32_t find_class(struct ck *c, struct ck_file **f, uint32_t symbol)
{
    for (unsigned deep = 0; deep < IMPORTS_DEEP && symbol != LW_NO_SYMBOL; deep++) {
        const struct lw_symbol *s = &(*f)->names.symbols.v[symbol];
        const struct lw_tree *t = &(*f)->tree;
        if (s->first_binding != s->last_binding)
            return LW_NO_NODE; /* it may be either of them */
        if (lw_tree_kind(t, s->last_definition) == LW_NODE_CLASS)
            return s->last_definition;
        uint32_t import =
            s->first_import == LW_NO_NODE ? LW_NO_NODE : lw_tree_parent(t, s->first_import);
        if (lw_tree_kind(t, import) != LW_NODE_IMPORT_FROM)
            return LW_NO_NODE;
        struct lw_str name = lw_tree_token_text(t, lw_tree_node(t, s->first_import)->first);
        *f = ck_imported_file(c, *f, import);
        if (!*f)
            return LW_NO_NODE;
        symbol = lw_names_find(&(*f)->names, 0, name);
    }
    return LW_NO_NODE;
}

/* A base that the tables of libraries know. */
static bool add_library(struct members *m, const struct ck_file *f, uint32_t base)
{
    struct lw_buf dotted;
    lw_buf_init(&dotted, m->c->mem, 1024);
    const struct lw_api *api = lw_names_dotted(&f->names, base, &dotted)
                                   ? lw_api_find(m->c->apis, lw_buf_str(&dotted), NULL)
                                   : NULL;
    lw_buf_release(&dotted);
    if (!api || m->library_count == MEMBERS_LIBRARY)
        return false;
    m->library[m->library_count++] = api;
    return true;
}

static bool add_base(struct members *m, struct ck_file *f, uint32_t base)
{
    uint32_t symbol = f->names.symbol_of.v[base];
    bool name = lw_tree_kind(&f->tree, base) == LW_NODE_NAME;
    if (name && symbol == LW_NO_SYMBOL)
        return text_is(lw_tree_name(&f->tree, base), "object");
    struct ck_file *at = f;
    uint32_t class = name ? find_class(m->c, &at, symbol) : LW_NO_NODE;
    if (class != LW_NO_NODE)
        return add_class(m, at, class);
    return add_library(m, f, base);
}

static void add_bases(struct members *m, struct ck_file *f, uint32_t class)
{
    const struct lw_tree *t = &f->tree;
    m->open |= lw_tree_get(t, class, LW_ROLE_DECORATORS) != LW_NO_NODE ||
               lw_tree_get(t, class, LW_ROLE_KEYWORDS) != LW_NO_NODE;
    for (uint32_t b = lw_tree_each(t, class, LW_ROLE_BASES, LW_NO_NODE);
         b != LW_NO_NODE && !m->open; b = lw_tree_each(t, class, LW_ROLE_BASES, b))
        m->open = !add_base(m, f, b);
}

/* ---- names --------------------------------------------------------------------------------
 */

static void add_name(struct members *m, struct lw_str name)
{
    if (name.n && !lw_map_put(&m->names, name, NULL))
        m->open = true;
}

/* The text of a literal: register_buffer('mean', …) makes an attribute. */
static struct lw_str literal(const struct lw_tree *t, uint32_t node)
{
    struct lw_str s = lw_tree_text(t, node);
    return s.n > 2 ? lw_str_part(s, 1, s.n - 2) : (struct lw_str){0};
}

/* Ways to attributes that are not named: setattr(self, …), self.__dict__. */
static bool is_opening(const struct lw_tree *t, uint32_t node)
{
    static const char *const words[] = {
        "setattr",   "__dict__", "__getattr__", "__setattr__",         "__getattribute__",
        "__slots__", "vars",     "locals",      "save_hyperparameters"};
    return text_is_any(lw_tree_name(t, node), words, sizeof words / sizeof *words);
}

/* self.add_module(name, layer), with a name that the text does not show. */
static bool is_naming(const struct lw_tree *t, uint32_t call)
{
    static const char *const makers[] = {"add_module", "register_module", "register_buffer",
                                         "register_parameter"};
    uint32_t first = lw_tree_get(t, call, LW_ROLE_ARGS);
    return text_is_any(syntax_called_name(t, call), makers, 4) &&
           lw_tree_kind(t, first) != LW_NODE_STRING;
}

static void add_names(struct members *m, const struct members_class *of)
{
    const struct lw_tree *t = &of->file->tree;
    for (uint32_t n = of->node; n != LW_NO_NODE && !m->open;
         n = lw_tree_next(t, of->node, n, false))
        switch (lw_tree_kind(t, n)) {
        case LW_NODE_STRING: add_name(m, literal(t, n)); break;
        case LW_NODE_CALL: m->open |= is_naming(t, n); break;
        case LW_NODE_ATTRIBUTE:
            m->open |= is_opening(t, n);
            if (members_is_target(t, n))
                add_name(m, lw_tree_name(t, n));
            break;
        case LW_NODE_NAME: m->open |= is_opening(t, n); /* fall through */
        case LW_NODE_FUNCTION:
        case LW_NODE_CLASS: {
            uint32_t s = of->file->names.symbol_of.v[n];
            m->open |= is_opening(t, n);
            if (s != LW_NO_SYMBOL &&
                of->file->names.scopes.v[of->file->names.symbols.v[s].scope].node == of->node)
                add_name(m, lw_tree_name(t, n));
            break;
        }
        default: break;
        }
}

void members_init(struct members *m, struct ck *c, struct ck_file *f, uint32_t class_node)
{
    *m = (struct members){.c = c, .v = {{f, class_node}}, .n = 1};
    lw_map_init(&m->names, c->mem);
    for (size_t i = 0; i < m->n && !m->open; i++)
        add_bases(m, m->v[i].file, m->v[i].node);
    for (size_t i = 0; i < m->n && !m->open; i++)
        add_names(m, &m->v[i]);
}

void members_release(struct members *m)
{
    lw_map_release(&m->names);
}

/* ---- answers ------------------------------------------------------------------------------
 */

lw_tri members_has(const struct members *m, struct lw_str name)
{
    if (m->open)
        return LW_TRI_MAYBE;
    if (lw_str_has_prefix(name, LW_S("__")) || lw_map_find(&m->names, name))
        return LW_TRI_YES;
    for (size_t i = 0; i < m->library_count; i++) {
        struct lw_str full = ck_text(m->c, "%.*s.%.*s", LW_F(m->library[i]->name), LW_F(name));
        if (name.p[0] == '_' || lw_api_has_member(m->c->apis, full) != LW_TRI_NO)
            return LW_TRI_MAYBE;
    }
    return LW_TRI_NO;
}

bool members_is_partial(const struct members *m)
{
    static const char *const marks[] = {"abstractmethod", "abstractproperty",
                                        "raise NotImplementedError", "Mixin"};
    bool made = false;
    for (size_t i = 0; i < m->n; i++) {
        struct lw_str text = ck_code(m->v[i].file, m->v[i].node);
        struct lw_str name = lw_tree_name(&m->v[i].file->tree, m->v[i].node);
        if (text_says_any(text, marks, 4) || (i == 0 && text_says(name, "Base")))
            return true;
        made |= text_says(text, "def __init__");
    }
    return !made;
}

/* Does a class with the first one among its bases have it? */
static bool subclass_has(const struct members *m, struct ck_file *f, uint32_t class,
                         struct lw_str name)
{
    struct members sub;
    bool has = false;
    members_init(&sub, m->c, f, class);
    for (size_t i = 1; i < sub.n && !has; i++)
        has = sub.v[i].file == m->v[0].file && sub.v[i].node == m->v[0].node &&
              members_has(&sub, name) != LW_TRI_NO;
    members_release(&sub);
    return has;
}

static bool is_own(const struct members *m, const struct ck_file *f, uint32_t node)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->v[i].file == f && syntax_inside(&f->tree, node, m->v[i].node))
            return true;
    return false;
}

/* other.name = value, outside the class and its bases. */
static bool is_stored(const struct members *m, const struct ck_file *f, uint32_t node,
                      struct lw_str name)
{
    const struct lw_tree *t = &f->tree;
    return lw_str_eq(lw_tree_name(t, node), name) && members_is_target(t, node) &&
           !text_is(lw_tree_text(t, lw_tree_get(t, node, LW_ROLE_VALUE)), "self") &&
           !is_own(m, f, node);
}

bool members_is_given(const struct members *m, struct lw_str name)
{
    for (size_t i = 0; i < m->c->files.n; i++) {
        struct ck_file *f = m->c->files.v[i];
        for (uint32_t n = 0; n < f->tree.nodes.n; n++) {
            enum lw_node_kind kind = lw_tree_kind(&f->tree, n);
            if ((kind == LW_NODE_CLASS && !is_own(m, f, n) && subclass_has(m, f, n, name)) ||
                (kind == LW_NODE_ATTRIBUTE && is_stored(m, f, n, name)))
                return true;
        }
    }
    struct ck_stores *stores = &m->c->shared->stores;
    struct lw_str class = lw_tree_name(&m->v[0].file->tree, m->v[0].node);
    return ck_stores_outside(stores, name) || ck_stores_derived(stores, class, name);
}
