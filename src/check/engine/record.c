/* Classes whose constructor is written for them: dataclasses, named tuples and the like. */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/traits.h"

enum { MAX_FIELDS = 64, MAX_BASES = 16 };

struct field {
    uint32_t name;
    struct lw_value value; /* the default; unknown where there is none, or a factory */
    bool taken;            /* by the constructor; not with init=False */
    bool kept;             /* as an attribute; not an InitVar */
};

struct record {
    struct ck *c;
    struct field fields[MAX_FIELDS];
    uint32_t count;
    bool passes_on; /* __post_init__ gets arguments of its own */
    bool is_row;    /* can be unpacked */
};

/* The names that namedtuple() was given. */
static bool row_names(struct ck *c, const struct ck_object *cls, struct lw_seq *names)
{
    struct lw_value v = ck_trait(cls, TRAIT_FIELDS);
    return v.kind == LW_V_TUPLE && ck_sequence(c, v, names);
}

/* @dataclass, @dataclasses.dataclass(frozen=True), @flax.struct.dataclass, @attr.s, @define */
static bool is_record(const struct ck_object *cls)
{
    static const char *const names[] = {"dataclass", "attr.s", "attrs.", "define", "frozen"};
    if (!cls->file)
        return false;
    const struct lw_tree *t = &cls->file->tree;
    for (uint32_t d = lw_tree_each(t, cls->node, LW_ROLE_DECORATORS, LW_NO_NODE);
         d != LW_NO_NODE; d = lw_tree_each(t, cls->node, LW_ROLE_DECORATORS, d))
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (lw_str_find(lw_tree_text(t, d), lw_str(names[i])) != LW_NPOS)
                return true;
    return false;
}

/* The class whose constructor runs: the first that has one, or has got one. */
static struct ck_object *maker_of(struct ck *c, struct ck_object *cls, uint32_t init,
                                  unsigned depth)
{
    const struct ck_slot *s = fields_find(&cls->fields, init);
    struct lw_seq names;
    if ((s && s->value.kind != LW_V_ABSENT) || is_record(cls) || row_names(c, cls, &names))
        return cls;
    for (uint32_t i = 0; i < cls->item_count && depth < MAX_BASES; i++) {
        struct ck_object *base = ck_as(cls->items[i], CK_CLASS);
        struct ck_object *found = base ? maker_of(c, base, init, depth + 1) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static struct field *field_for(struct record *r, uint32_t name)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->fields[i].name == name)
            return &r->fields[i];
    if (r->count == MAX_FIELDS)
        return NULL;
    r->fields[r->count].name = name;
    return &r->fields[r->count++];
}

static bool speaks_of(const struct lw_tree *t, uint32_t node, const char *what)
{
    return node != LW_NO_NODE && lw_str_find(lw_tree_text(t, node), lw_str(what)) != LW_NPOS;
}

/* `width: int = 3`, `sizes: list = field(default_factory=list)` */
static void add_field(struct record *r, const struct ck_object *cls, uint32_t node)
{
    const struct lw_tree *t = &cls->file->tree;
    uint32_t target = lw_tree_get(t, node, LW_ROLE_TARGET);
    uint32_t annotation = lw_tree_get(t, node, LW_ROLE_ANNOTATION);
    uint32_t value = lw_tree_get(t, node, LW_ROLE_VALUE);
    if (lw_tree_kind(t, target) != LW_NODE_NAME || speaks_of(t, annotation, "ClassVar") ||
        speaks_of(t, annotation, "KW_ONLY"))
        return;
    uint32_t name = heap_intern(&r->c->heap, lw_tree_name(t, target));
    struct field *f = field_for(r, name);
    const struct ck_slot *s = fields_find(&cls->fields, name);
    if (!f)
        return;
    bool described = value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_CALL &&
                     (speaks_of(t, value, "field(") || speaks_of(t, value, "attr.ib("));
    f->value = s && s->value.kind != LW_V_ABSENT && !described ? s->value : lw_v_unknown();
    f->taken = !(described && speaks_of(t, value, "init=False"));
    f->kept = !speaks_of(t, annotation, "InitVar");
    r->passes_on |= !f->kept;
}

/* Those of the bases come first. */
static void add_fields(struct record *r, struct ck_object *cls, unsigned depth)
{
    for (uint32_t i = cls->item_count; i-- > 0 && depth < MAX_BASES;) {
        struct ck_object *base = ck_as(cls->items[i], CK_CLASS);
        if (base)
            add_fields(r, base, depth + 1);
    }
    struct lw_seq names;
    if (row_names(r->c, cls, &names)) {
        for (uint32_t i = 0; i < names.n; i++) {
            struct field *f = field_for(r, heap_intern(&r->c->heap, names.items[i].str));
            if (f)
                *f = (struct field){f->name, lw_v_unknown(), true, true};
        }
        r->is_row = true;
    }
    if (!is_record(cls))
        return;
    const struct lw_tree *t = &cls->file->tree;
    for (uint32_t n = lw_tree_each(t, cls->node, LW_ROLE_BODY, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, cls->node, LW_ROLE_BODY, n))
        if (lw_tree_kind(t, n) == LW_NODE_ANN_ASSIGN)
            add_field(r, cls, n);
}

static void bind(struct record *r, const struct lw_arg *args, size_t n)
{
    uint32_t next = 0;
    for (size_t a = 0; a < n; a++) {
        if (args[a].star) { /* of what comes, nothing is known */
            for (uint32_t i = 0; i < r->count; i++)
                r->fields[i].value = lw_v_unknown();
            return;
        }
        uint32_t name = args[a].name.n ? heap_intern(&r->c->heap, args[a].name) : 0;
        uint32_t i = args[a].name.n ? 0 : next;
        while (i < r->count &&
               (!r->fields[i].taken || (args[a].name.n && r->fields[i].name != name)))
            i++;
        if (i < r->count)
            r->fields[i].value = args[a].value;
        if (args[a].name.n == 0)
            next = i + 1;
    }
}

/* A named tuple is a sequence as well. */
static void keep_row(struct record *r, struct ck_object *o, uint32_t node)
{
    struct lw_value *items = ck_values(r->c, r->count);
    for (uint32_t i = 0; items && i < r->count; i++)
        items[i] = r->fields[i].value;
    if (items)
        ck_set_trait(
            r->c, o, TRAIT_ITEMS,
            ck_new_list(r->c, CK_LIST, (struct lw_seq){.items = items, .n = r->count}, node));
}

bool ck_construct_record(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                         uint32_t node)
{
    uint32_t init = heap_intern(&c->heap, LW_S("__init__"));
    struct ck_object *maker = maker_of(c, o->of, init, 0);
    const struct ck_slot *own = maker ? fields_find(&maker->fields, init) : NULL;
    if (!maker || (own && own->value.kind != LW_V_ABSENT))
        return false;
    struct record r = {.c = c};
    add_fields(&r, o->of, 0);
    bind(&r, args, n);
    for (uint32_t i = 0; i < r.count; i++)
        if (r.fields[i].kept)
            ck_set_attr(c, ck_value(o), heap_name(&c->heap, r.fields[i].name),
                        r.fields[i].value);
    if (r.is_row)
        keep_row(&r, o, node);
    if (!r.passes_on)
        ck_call_method(c, ck_value(o), "__post_init__", NULL, 0, node);
    return true;
}
