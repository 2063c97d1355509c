/* Rules about attributes that an object, a tensor, a list or a dict does not have. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/bindings.h"
#include "check/query/look.h"
#include "check/query/members.h"
#include "check/rules/rules.h"

/* Is the attribute set anywhere in the program, in a way that was not followed? */
static bool is_set_somewhere(struct ck *c, struct lw_str name)
{
    struct lw_str single = ck_text(c, "'%.*s'", LW_F(name));
    struct lw_str twice = ck_text(c, "\"%.*s\"", LW_F(name));
    for (size_t i = 0; i < c->files.n; i++) {
        struct ck_file *f = c->files.v[i];
        if (ck_file_shows(c, f, "name *setattr*") || ck_file_shows(c, f, "name __dict__") ||
            ck_file_shows(c, f, "name __getattr__") || ck_file_has(c, f, CK_QUOTED, single) ||
            ck_file_has(c, f, CK_QUOTED, twice))
            return true;
        const struct lw_tree *t = &f->tree;
        for (uint32_t n = lw_tree_next(t, t->root, t->root, false); n != LW_NO_NODE;
             n = lw_tree_next(t, t->root, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE &&
                lw_str_eq(lw_tree_name(t, n), name) && members_is_target(t, n))
                return true;
    }
    return false;
}

/* What only Keras models have. */
static bool is_keras_only(struct lw_str name)
{
    static const char *const all[] = {"summary", "fit",           "predict",       "evaluate",
                                      "compile", "fit_generator", "train_on_batch"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (lw_str_eq(name, lw_str(all[i])))
            return true;
    return false;
}

/* What nn.Module keeps for itself. */
static bool is_private(struct lw_str name)
{
    static const char *const known[] = {"_modules", "_parameters", "_buffers",
                                        "_apply",   "_get_name",   "_version"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_eq(name, lw_str(known[i])))
            return true;
    return lw_str_find(name, LW_S("_hook")) >= 0;
}

static bool has_member(struct ck *c, const char *owner, struct lw_str name)
{
    return lw_api_has_member(c->apis, ck_text(c, "%s.%.*s", owner, LW_F(name))) == LW_TRI_YES;
}

/* A program whose arrays may be those of another library, with methods of their own. */
static bool is_other_array(struct ck *c)
{
    return ck_shows(c, "name scipy.sparse") || ck_shows(c, "name *cupy*") ||
           ck_shows(c, "variable sp") || ck_shows(c, "name sparse");
}

/* x.astype() of a PyTorch tensor, x.unsqueeze() of a numpy array. */
static void watch_tensor_attribute(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *t = ck_tensor_of(e->a);
    const char *owner = !t                         ? NULL
                        : t->framework == LW_TORCH ? "torch.Tensor"
                        : t->framework == LW_NUMPY ? "numpy.ndarray"
                                                   : NULL;
    /* An item of an array may be a text, and numbers have methods of their own. */
    if (t && t->framework == LW_NUMPY && t->shape.n == 0 &&
        (t->dtype & (LW_OBJECT | LW_TEXT)) != 0)
        return;
    if (!owner || c->frame->guarded || e->name.p[0] == '_' || !lw_shape_has_rank(&t->shape) ||
        ck_shows(c, "name *jax*") || (t->framework == LW_NUMPY && is_other_array(c)) ||
        lw_api_has_member(c->apis, ck_text(c, "%s.%.*s", owner, LW_F(e->name))) != LW_TRI_NO ||
        is_set_somewhere(c, e->name))
        return;
    const char *other = t->framework == LW_TORCH ? "numpy.ndarray" : "torch.Tensor";
    struct lw_str near = lw_api_nearest(c->apis, lw_str(owner), e->name);
    if (!has_member(c, other, e->name))
        ck_hint(c, (struct ck_hint){.meant = near, .was = e->name});
    if (has_member(c, other, e->name))
        ck_find(c, e->node, "api/unknown-attribute", &e->a, 1,
                "'%.*s' is an attribute of %s, but this is a %s", LW_F(e->name),
                t->framework == LW_TORCH ? "numpy arrays" : "PyTorch tensors",
                t->framework == LW_TORCH ? "PyTorch tensor" : "numpy array");
    else if (near.n)
        ck_find(c, e->node, "api/unknown-attribute", &e->a, 1,
                "%s has no '%.*s'; did you mean '%.*s'?", owner, LW_F(e->name), LW_F(near));
    else /* perhaps it is newer than the lists */
        ck_find_as(c, e->node, LW_S("api/unknown-attribute"), LW_SEVERITY_WARNING, &e->a, 1,
                   ck_text(c, "%s has no '%.*s'", owner, LW_F(e->name)));
}

/* loss.backward() of a plain number, or of a loss object that was made and not called. */
static void watch_tensor_only(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = ck_as(e->a, CK_INSTANCE);
    bool number = e->a.kind == LW_V_INT || e->a.kind == LW_V_FLOAT;
    bool module = o && !o->of && !o->open && o->api && ck_is_torch_module(c, o) &&
                  !lw_str_has_suffix(o->api->name, LW_S("Dict")); /* has values() */
    if ((!number && !module) || c->frame->guarded || ck_is_driven(c) ||
        !has_member(c, "torch.Tensor", e->name) || has_member(c, "torch.nn.Module", e->name) ||
        (number && has_member(c, "numpy.ndarray", e->name)) || is_set_somewhere(c, e->name))
        return;
    /* Sizes that TensorFlow gives are scalar tensors of its own. */
    if (number && ck_shows(c, "name *tensorflow*") && lw_str_eq(e->name, LW_S("numpy")))
        return;
    static const char *const kept[] = {"shape",  "data",  "is_sparse",
                                       "device", "dtype", "names"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (lw_str_eq(e->name, lw_str(kept[i])))
            return;
    ck_find(c, e->node, "api/unknown-attribute", &e->a, 1,
            number ? "'%.*s' is an attribute of tensors, but this is a Python number"
                   : "'%.*s' is an attribute of tensors, but this is a module: call the module "
                     "and use its output",
            LW_F(e->name));
}

/* classes deep */
enum { MAX_BASES = 16 };

/* Is it sure that neither the class nor any it is made of gives its objects the attribute? Not
 * where a library class is among them whose members are not all listed. */
static bool lacks_member(struct ck *c, const struct ck_object *cls, struct lw_str name,
                         unsigned depth)
{
    for (uint32_t i = 0; i < cls->item_count && depth < MAX_BASES; i++) {
        const struct ck_object *base = ck_object_of(cls->items[i]);
        if (cls->items[i].kind == CK_CLASS) {
            if (!lacks_member(c, base, name, depth + 1))
                return false;
        } else if (cls->items[i].kind != CK_NAME || !base->api ||
                   lw_api_has_member(c->apis, ck_text(c, "%.*s.%.*s", LW_F(base->api->name),
                                                      LW_F(name))) != LW_TRI_NO)
            return false;
    }
    return depth < MAX_BASES;
}

/* Does a method of the class only say that others have to write it? Their attributes are not
 * known then. */
static bool is_abstract(const struct ck_object *cls, unsigned depth)
{
    const struct lw_tree *t = cls->file ? &cls->file->tree : NULL;
    if (!t || depth >= MAX_BASES)
        return false;
    struct lw_str text = lw_tree_text(t, cls->node);
    static const char *const marks[] = {"abstractmethod", "abstractproperty",
                                        "raise NotImplementedError"};
    if (text_says_any(text, marks, 3))
        return true;
    for (uint32_t i = 0; i < cls->item_count; i++)
        if (cls->items[i].kind == CK_CLASS &&
            is_abstract(ck_object_of(cls->items[i]), depth + 1))
            return true;
    return false;
}

static void watch_attribute(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->a, CK_INSTANCE);
    if (!o || c->frame->guarded || lw_str_has_prefix(e->name, LW_S("__")) ||
        is_private(e->name))
        return;
    bool torch = ck_is_torch_module(c, o);
    if (torch && is_keras_only(e->name) && !(o->of && o->open) &&
        !(o->of && is_set_somewhere(c, e->name))) {
        ck_find(c, e->node, "api/unknown-attribute", &e->a, 1,
                "'%.*s' is a method of Keras models, but this is a PyTorch module",
                LW_F(e->name));
        return;
    }
    if (!o->of || o->open || !torch || !lacks_member(c, o->of, e->name, 0) ||
        is_abstract(o->of, 0) || is_set_somewhere(c, e->name) ||
        ck_stores_outside(&c->shared->stores, e->name) ||
        ck_stores_derived(&c->shared->stores, o->of->name, e->name))
        return;
    ck_find(c, e->node, "api/unknown-attribute", &e->a, 1,
            "objects of class %.*s have no attribute '%.*s'", LW_F(o->of->name), LW_F(e->name));
}

/* ---- attributes of self, by the text of the program ---------------------------------------
 */

enum { MOST_MISSING = 2 }; /* attributes of one class */

/* try: self.x; except AttributeError: … */
static bool is_expected(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t try = lw_tree_enclosing(t, node, LW_NODE_TRY); try != LW_NO_NODE;
         try = lw_tree_enclosing(t, try, LW_NODE_TRY))
        for (uint32_t h = lw_tree_each(t, try, LW_ROLE_HANDLERS, LW_NO_NODE); h != LW_NO_NODE;
             h = lw_tree_each(t, try, LW_ROLE_HANDLERS, h)) {
            uint32_t type = lw_tree_get(t, h, LW_ROLE_TYPE);
            static const struct lw_str all[] = {{"AttributeError", 14}, {"Exception", 9}};
            if (type == LW_NO_NODE || syntax_has_name(t, type, all[0]) ||
                syntax_has_name(t, type, all[1]))
                return true;
        }
    return false;
}

/* Is it `self.name`, read in a method of just this class? */
static bool is_read(const struct lw_tree *t, uint32_t class, uint32_t node)
{
    return syntax_is_of_self(t, node) && !members_is_target(t, node) &&
           lw_tree_kind(t, lw_tree_parent(t, node)) != LW_NODE_DELETE &&
           lw_tree_enclosing(t, node, LW_NODE_CLASS) == class && !is_expected(t, node);
}

/* The name that is meant: one of the first `known` that the class has and that differs by a
 * slip of the pen. */
static struct lw_str near_member(const struct members *m, struct lw_str name, size_t known)
{
    for (size_t i = 0; i < known && name.n > 3; i++) {
        struct lw_str other = m->names.entries[i].key;
        if (other.n > 3 &&
            (text_is_swapped(name, other) || lw_str_distance(name, other, 1) == 1))
            return other;
    }
    return (struct lw_str){0};
}

static void report(struct ck *c, const struct members *m, uint32_t node, size_t known)
{
    const struct lw_tree *t = &m->v[0].file->tree;
    struct lw_str name = lw_tree_name(t, node), near = near_member(m, name, known);
    struct lw_str class = lw_tree_name(t, m->v[0].node);
    if (near.n)
        ck_hint(c, (struct ck_hint){.meant = near, .was = name});
    ck_find(c, node, "api/unknown-attribute", NULL, 0,
            near.n ? "objects of class %.*s have no attribute '%.*s'; did you mean "
                     "'%.*s'?"
                   : "objects of class %.*s have no attribute '%.*s'%.*s",
            LW_F(class), LW_F(name), LW_F(near));
}

/* What is missing; more than a few attributes are given by subclasses of other files. */
static size_t find_missing(struct members *m, uint32_t missing[MOST_MISSING])
{
    const struct lw_tree *t = &m->v[0].file->tree;
    uint32_t class = m->v[0].node;
    size_t count = 0;
    for (uint32_t n = class; n != LW_NO_NODE; n = lw_tree_next(t, class, n, false)) {
        struct lw_str name = lw_tree_name(t, n);
        if (lw_tree_kind(t, n) != LW_NODE_ATTRIBUTE || members_has(m, name) != LW_TRI_NO ||
            !is_read(t, class, n) || members_is_given(m, name))
            continue;
        if (count == MOST_MISSING || !lw_map_put(&m->names, name, NULL))
            return 0;
        missing[count++] = n;
    }
    return count;
}

static void look_at_class(struct ck *c, struct ck_file *f, uint32_t class)
{
    uint32_t missing[MOST_MISSING];
    struct members m;
    members_init(&m, c, f, class);
    size_t known = m.names.n;
    size_t count = m.open || members_is_partial(&m) ? 0 : find_missing(&m, missing);
    for (size_t i = 0; i < count; i++)
        report(c, &m, missing[i], known);
    members_release(&m);
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    if (bindings_is_exercise(c, f, f->tree.root))
        return;
    for (uint32_t n = 0; n < f->tree.nodes.n; n++)
        if (lw_tree_kind(&f->tree, n) == LW_NODE_CLASS)
            look_at_class(c, f, n);
}

/* ---- lists and tuples taken for tensors ---------------------------------------------------
 */

/* A parameter of the function that is run: another call may give it something else. */
static bool is_parameter(const struct ck *c, uint32_t attribute)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t owner = lw_tree_kind(t, attribute) == LW_NODE_ATTRIBUTE
                         ? lw_tree_get(t, attribute, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    uint32_t args = c->frame->function ? lw_tree_get(t, c->frame->function->node, LW_ROLE_ARGS)
                                       : LW_NO_NODE;
    if (owner == LW_NO_NODE || lw_tree_kind(t, owner) != LW_NODE_NAME)
        return c->frame->function != NULL;
    for (uint32_t i = 0; args != LW_NO_NODE && i < lw_tree_node(t, args)->count; i++)
        if (lw_str_eq(lw_tree_name(t, lw_tree_node(t, args)->child + i),
                      lw_tree_name(t, owner)))
            return true;
    return false;
}

static void watch_container(struct ck *c, const struct ck_event *e)
{
    struct lw_value v = e->a;
    struct lw_str name = e->name;
    uint32_t node = e->node;
    static const char *const tensors[] = {
        "astype",  "backward", "clone",     "contiguous",    "cpu",     "cuda",        "detach",
        "dim",     "dtype",    "flatten",   "float",         "item",    "log_softmax", "long",
        "ndim",    "numpy",    "permute",   "requires_grad", "reshape", "shape",       "size",
        "squeeze", "to",       "transpose", "unsqueeze",     "view"};
    bool tuple = v.kind == LW_V_TUPLE, list = v.kind == CK_LIST;
    const struct ck_object *o = ck_object_of(v);
    if (c->frame->guarded || node == LW_NO_NODE || (tuple && (v.seq.open || v.seq.n == 0)) ||
        (o && (o->fields.n > 0 || o->traits)) || !ck_is_certain(c) ||
        !text_is_any(name, tensors, sizeof tensors / sizeof *tensors) || is_parameter(c, node))
        return;
    struct lw_str message = ck_text(c,
                                    "a %s has no attribute '%.*s', which tensors and arrays "
                                    "have: take one of its items, or convert it to an array",
                                    tuple  ? "tuple"
                                    : list ? "list"
                                           : "dict",
                                    LW_F(name));
    ck_find_as(c, node, LW_S("api/unknown-attribute"), LW_SEVERITY_WARNING, &v, 1, message);
}

const struct ck_rule rules_api_attributes[] = {
    {"api/unknown-attribute", CK_EV_ATTRIBUTE, watch_attribute},
    {"api/unknown-attribute", CK_EV_ATTRIBUTE, watch_tensor_attribute},
    {"api/unknown-attribute", CK_EV_ATTRIBUTE, watch_tensor_only},
    {"api/unknown-attribute", CK_EV_CONTAINER, watch_container, .pure = true},
    {"api/unknown-attribute", CK_EV_END, watch_end},
    {"api/unknown-attribute", .fix = fix_spelling},
    {0},
};
