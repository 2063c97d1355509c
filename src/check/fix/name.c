/* Names in edits: how the file writes what it imported, and what it calls its objects. */
#include "base/err.h"
#include "base/str.h"
#include "check/fix/fix.h"
#include "check/query/look.h"

/* The variable that stands for the longest beginning of the dotted name. */
static struct lw_str spell_in(struct fix *f, const struct ck_fields *vars, struct lw_str dotted)
{
    struct lw_str best = {0};
    size_t covered = 0;
    for (const struct ck_slot *s = vars->first; s; s = s->next) {
        const struct ck_object *o = ck_as(s->value, CK_NAME);
        struct lw_str name = heap_name(&f->c->heap, s->name);
        if (!o || !syntax_is_name(name) || o->name.n < covered ||
            !lw_str_has_prefix(dotted, o->name))
            continue;
        struct lw_str rest = lw_str_from(dotted, o->name.n);
        if (rest.n && rest.p[0] != '.')
            continue;
        if (o->name.n > covered || !best.n || name.n < best.n) {
            best = name;
            covered = o->name.n;
        }
    }
    return best.n ? ck_text(f->c, "%.*s%.*s", LW_F(best), LW_F(lw_str_from(dotted, covered)))
                  : best;
}

struct lw_str fix_spell(struct fix *f, struct lw_str dotted)
{
    return spell_in(f, &f->file->env->vars, dotted);
}

/* Where an import can stand: before the first one that is not of the future. */
static uint32_t first_import(const struct fix *f)
{
    const struct lw_tree *t = f->t;
    for (uint32_t s = lw_tree_each(t, t->root, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, t->root, LW_ROLE_BODY, s)) {
        enum lw_node_kind kind = fix_kind(f, s);
        if ((kind == LW_NODE_IMPORT || kind == LW_NODE_IMPORT_FROM) &&
            lw_str_find(lw_tree_text(t, s), LW_S("__future__")) < 0)
            return s;
    }
    return LW_NO_NODE;
}

struct lw_str fix_spell_import(struct fix *f, const char *module, const char *member)
{
    LW_BUG_ON(!module || !member);
    struct lw_str dotted = ck_text(f->c, "%s.%s", module, member);
    struct lw_str known = fix_spell(f, dotted);
    if (known.n)
        return known;
    uint32_t place = first_import(f);
    if (place == LW_NO_NODE) {
        f->failed = true;
        return known;
    }
    fix_line_before(f, place, ck_text(f->c, "import %s", module));
    return dotted;
}

/* The ALIAS of a `from x import name` at the top of the file that binds the name. */
static uint32_t alias_of(const struct fix *f, struct lw_str name)
{
    const struct lw_tree *t = f->t;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (fix_kind(f, n) == LW_NODE_ALIAS && lw_str_eq(lw_tree_name(t, n), name) &&
            fix_kind(f, lw_tree_parent(t, n)) == LW_NODE_IMPORT_FROM)
            return n;
    return LW_NO_NODE;
}

struct lw_str fix_sibling(struct fix *f, uint32_t callee, struct lw_str member)
{
    struct lw_str none = {0};
    if (fix_kind(f, callee) == LW_NODE_ATTRIBUTE) {
        struct lw_str owner = fix_text(f, lw_tree_get(f->t, callee, LW_ROLE_VALUE));
        return ck_text(f->c, "%.*s.%.*s", LW_F(owner), LW_F(member));
    }
    if (fix_kind(f, callee) != LW_NODE_NAME)
        return none;
    const struct ck_slot *bound =
        fields_find(&f->file->env->vars, heap_intern(&f->c->heap, member));
    const struct ck_object *o =
        bound && bound->value.kind != LW_V_ABSENT ? ck_as(bound->value, CK_NAME) : NULL;
    if (o)
        return member;
    uint32_t alias = alias_of(f, lw_tree_name(f->t, callee));
    if ((bound && bound->value.kind != LW_V_ABSENT))
        return none;
    if (alias == LW_NO_NODE) /* from x import *, or a fragment without imports */
        return f->file->starred || first_import(f) == LW_NO_NODE ? member : none;
    fix_insert(f, lw_tree_end(f->t, alias), ck_text(f->c, ", %.*s", LW_F(member)));
    return member;
}

/* ---- objects --------------------------------------------------------------------------------
 */

static struct lw_str name_in(struct fix *f, const struct ck_fields *vars,
                             const struct ck_object *o)
{
    for (const struct ck_slot *s = vars->first; s; s = s->next) {
        struct lw_str name = heap_name(&f->c->heap, s->name);
        if (ck_object_of(s->value) == o && syntax_is_name(name) && !text_is(name, "self"))
            return name;
    }
    return (struct lw_str){0};
}

struct lw_str fix_name_of(struct fix *f, const struct ck_object *o)
{
    for (const struct ck_frame *frame = f->c->frame; o && frame; frame = frame->up)
        for (const struct ck_env *env = frame->env; env && env->file == f->file;
             env = env->parent) {
            struct lw_str name = name_in(f, &env->vars, o);
            if (name.n)
                return name;
        }
    return (struct lw_str){0};
}

struct lw_value fix_variable(const struct fix *f, struct lw_str name)
{
    uint32_t id = heap_intern(&f->c->heap, name);
    for (const struct ck_frame *frame = f->c->frame; frame; frame = frame->up)
        for (const struct ck_env *env = frame->env; env && env->file == f->file;
             env = env->parent) {
            const struct ck_slot *s = fields_find(&env->vars, id);
            if (s && s->value.kind != LW_V_ABSENT)
                return s->value;
        }
    const struct ck_slot *s = fields_find(&f->file->env->vars, id);
    return s ? s->value : lw_v_absent();
}

bool fix_is_module(const struct fix *f, uint32_t node)
{
    while (fix_kind(f, node) == LW_NODE_ATTRIBUTE)
        node = lw_tree_get(f->t, node, LW_ROLE_VALUE);
    return fix_kind(f, node) == LW_NODE_NAME &&
           fix_variable(f, fix_name(f, node)).kind == CK_NAME;
}

void fix_rename(struct fix *f, struct lw_str from, struct lw_str to)
{
    const struct lw_tree *t = f->t;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (fix_kind(f, n) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, n), from))
            fix_node(f, n, to);
}

uint32_t fix_last_token(const struct fix *f, uint32_t node)
{
    switch (fix_kind(f, node)) {
    case LW_NODE_NAME:
    case LW_NODE_ATTRIBUTE:
    case LW_NODE_FUNCTION: return lw_tree_name_token(f->t, node);
    case LW_NODE_ALIAS: return lw_tree_alias_end(f->t, node) - 1;
    case LW_NODE_CALL: return fix_last_token(f, fix_callee(f, node));
    default: return LW_NO_TOKEN;
    }
}

bool fix_is_word(struct lw_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char ch = s.p[i];
        if (!((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_' ||
              (ch >= '0' && ch <= '9') || ch == '.'))
            return false;
    }
    return s.n > 0;
}

void fix_rename_last(struct fix *f, uint32_t node, struct lw_str was, struct lw_str name)
{
    uint32_t token = fix_last_token(f, node);
    if (token == LW_NO_TOKEN || !fix_is_word(name) ||
        (was.n && !lw_str_eq(lw_tree_token_text(f->t, token), was))) {
        f->failed = true;
        return;
    }
    fix_token(f, token, name);
    bool bound = fix_kind(f, node) == LW_NODE_ALIAS &&
                 lw_tree_alias_end(f->t, node) > lw_tree_node(f->t, node)->last;
    if (bound)
        fix_rename(f, lw_tree_token_text(f->t, token), name);
    fix_say(f, "write '%.*s' instead of '%.*s'", LW_F(name),
            LW_F(lw_tree_token_text(f->t, token)));
}

void fix_spelling(struct fix *f)
{
    if (f->hint->meant.n && lw_str_find_char(f->hint->meant, '.') < 0)
        fix_rename_last(f, f->node, f->hint->was, f->hint->meant);
}

struct lw_str fix_device_name(const struct fix *f)
{
    for (const struct ck_slot *s = f->file->env->vars.first; s; s = s->next)
        if (s->value.kind == LW_V_DEVICE ||
            (s->value.kind != LW_V_ABSENT &&
             lw_str_eq(heap_name(&f->c->heap, s->name), LW_S("device"))))
            return heap_name(&f->c->heap, s->name);
    return (struct lw_str){0};
}
