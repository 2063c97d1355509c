/* What the program calls, names and says. */
#include "check/query/program.h"

#include "base/buf.h"
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"

bool program_calls(struct ck *c, const char *const *names, size_t n)
{
    for (size_t k = 0; k < c->files.n; k++)
        for (size_t i = 0; i < n; i++)
            if (places_of(c, c->files.v[k], PLACES_CALL, lw_str(names[i])).n)
                return true;
    return false;
}

bool program_has_attribute(struct ck *c, const char *name)
{
    for (size_t k = 0; k < c->files.n; k++)
        if (places_of(c, c->files.v[k], PLACES_ATTRIBUTE, lw_str(name)).n)
            return true;
    return false;
}

bool program_has_name(struct ck *c, const char *name)
{
    for (size_t k = 0; k < c->files.n; k++) {
        const struct lw_names *names = &c->files.v[k]->names;
        for (size_t i = 0; i < names->symbols.n; i++)
            if (text_is(names->symbols.v[i].name, name))
                return true;
    }
    return false;
}

bool program_imports(struct ck *c, const char *library)
{
    const struct ck_file *f = c->files.v[0];
    struct lw_buf target;
    bool found = false;
    lw_buf_init(&target, c->mem, 1024);
    for (size_t i = 0; i < f->names.symbols.n && !found; i++) {
        uint32_t alias = f->names.symbols.v[i].first_import;
        if (alias == LW_NO_NODE)
            continue;
        lw_buf_clear(&target);
        lw_names_import_target(&f->tree, alias, &target);
        struct lw_str name = lw_buf_str(&target), first;
        found = lw_str_split(&name, '.', &first) && text_is(first, library);
    }
    lw_buf_release(&target);
    return found;
}

struct lw_str program_text(const struct lw_tree *t, uint32_t node)
{
    struct lw_str s =
        lw_tree_kind(t, node) == LW_NODE_STRING ? lw_tree_text(t, node) : (struct lw_str){0};
    bool plain = s.n >= 2 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0] &&
                 !(s.n >= 6 && s.p[1] == s.p[0]);
    return plain ? lw_str_part(s, 1, s.n - 2) : (struct lw_str){0};
}

bool program_has_text(struct ck *c, const char *const *texts, size_t n)
{
    for (size_t k = 0; k < c->files.n; k++) {
        const struct lw_tree *t = &c->files.v[k]->tree;
        for (uint32_t node = t->root; node != LW_NO_NODE;
             node = lw_tree_next(t, t->root, node, false)) {
            struct lw_str said = program_text(t, node);
            if (said.n && text_is_any(said, texts, n))
                return true;
        }
    }
    return false;
}

struct places_list program_calls_of(struct ck *c, const char *name)
{
    return places_of(c, c->files.v[0], PLACES_CALL, lw_str(name));
}

uint32_t program_argument(const struct lw_tree *t, uint32_t call, const char *name,
                          uint32_t position)
{
    uint32_t named = syntax_keyword(t, call, lw_str(name)), a = LW_NO_NODE;
    if (named != LW_NO_NODE)
        return named;
    for (uint32_t i = 0; i <= position; i++) {
        a = lw_tree_each(t, call, LW_ROLE_ARGS, a);
        if (a == LW_NO_NODE || lw_tree_kind(t, a) == LW_NODE_STARRED)
            return LW_NO_NODE;
    }
    return a;
}

bool program_derives(const struct lw_tree *t, uint32_t class_node, const char *base)
{
    for (uint32_t b = lw_tree_each(t, class_node, LW_ROLE_BASES, LW_NO_NODE); b != LW_NO_NODE;
         b = lw_tree_each(t, class_node, LW_ROLE_BASES, b))
        if (text_is(lw_tree_name(t, b), base))
            return true;
    return false;
}

uint32_t program_method(const struct lw_tree *t, uint32_t class_node, struct lw_str name)
{
    for (uint32_t s = lw_tree_each(t, class_node, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, class_node, LW_ROLE_BODY, s))
        if (lw_tree_kind(t, s) == LW_NODE_FUNCTION && lw_str_eq(lw_tree_name(t, s), name))
            return s;
    return LW_NO_NODE;
}
