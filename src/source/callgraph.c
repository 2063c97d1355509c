#include "source/callgraph.h"

#include "base/err.h"
#include "base/str.h"

void lw_calls_init(struct lw_calls *c, struct lw_mem *mem)
{
    memset(c, 0, sizeof *c);
    c->mem = mem;
}

void lw_calls_release(struct lw_calls *c)
{
    lw_vec_release(c->mem, &c->v);
}

/* ---- In a file -------------------------------------------------------------------------- */

/* The point whose evaluation meets the node: that of the statement or header around it.
 * `around` has the point of its parent. A default is evaluated by the `def`, not by the
 * parameter. */
static uint32_t point_of(const struct lw_flow *f, uint32_t node, const uint32_t *around)
{
    const struct lw_tree *t = f->names->tree;
    if (lw_tree_kind(t, node) != LW_NODE_PARAM && f->point_of.v[node] != LW_FLOW_NONE)
        return f->point_of.v[node];
    uint32_t parent = lw_tree_parent(t, node);
    return parent == LW_NO_NODE ? LW_FLOW_NONE : around[parent];
}

static int add_calls(struct lw_calls *c, uint32_t *around)
{
    const struct lw_names *n = c->f->names;
    const struct lw_tree *t = n->tree;
    for (uint32_t i = t->root; i != LW_NO_NODE; i = lw_tree_next(t, t->root, i, false)) {
        around[i] = point_of(c->f, i, around);
        if (lw_tree_kind(t, i) != LW_NODE_CALL)
            continue;
        struct lw_call call = {i, around[i], c->f->graph_of.v[n->scope_of.v[i]],
                               lw_names_callee(n, i)};
        if (lw_vec_push(c->mem, &c->v, call) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

int lw_calls_build(struct lw_calls *c, const struct lw_flow *f, struct lw_err *err)
{
    LW_VEC(uint32_t) around = {0}; /* by node */
    c->f = f;
    c->v.n = 0;
    int rc = lw_vec_reserve(c->mem, &around, f->names->tree->nodes.n);
    if (rc == 0)
        rc = add_calls(c, around.v);
    lw_vec_release(c->mem, &around);
    return rc < 0 ? lw_err_nomem(err) : 0;
}

uint32_t lw_calls_body(const struct lw_names *n, uint32_t definition)
{
    if (definition == LW_NO_NODE || lw_tree_kind(n->tree, definition) == LW_NODE_FUNCTION)
        return definition;
    if (lw_tree_kind(n->tree, definition) != LW_NODE_CLASS)
        return LW_NO_NODE;
    return lw_names_method(n, definition, LW_S("__init__"));
}

/* ---- Views ------------------------------------------------------------------------------ */

struct shower {
    struct lw_view *v;
    struct lw_project *project;
    struct lw_module *module;
    struct lw_err *err;
};

static uint32_t put_node(struct lw_view *v, struct lw_str name, const char *kind,
                         struct lw_position at)
{
    uint32_t found = lw_view_find(v, name);
    if (found != LW_FLOW_NONE)
        return found;
    struct lw_view_node n = {
        .name = name, .kind = kind, .text = {"", 0}, .line = at.line, .column = at.column};
    return lw_view_node(v, n);
}

/* "f" or, in a project, "pkg.mod.f". */
static uint32_t definition_node(struct shower *s, struct lw_tree *t,
                                const struct lw_module *module, uint32_t node)
{
    struct lw_view *v = s->v;
    struct lw_str name = lw_view_qualified(v, t, node);
    if (module && lw_tree_kind(t, node) == LW_NODE_MODULE)
        name = module->name;
    else if (module)
        name = lw_arena_printf(&v->arena, "%.*s.%.*s", LW_F(module->name), LW_F(name));
    if (!name.p) {
        v->failed = true;
        return 0;
    }
    return put_node(v, name, lw_node_kind_name(lw_tree_kind(t, node)), lw_view_place(t, node));
}

/* What the call reaches: a node of the view, or LW_FLOW_NONE. */
static int reach(struct shower *s, const struct lw_calls *c, struct lw_tree *t,
                 const struct lw_call *call, uint32_t *node)
{
    const struct lw_names *n = c->f->names;
    struct lw_buf dotted;
    int rc = 0;
    *node = LW_FLOW_NONE;
    if (call->callee != LW_NO_NODE) {
        *node = definition_node(s, t, s->module, call->callee);
        return 0;
    }
    lw_buf_init(&dotted, s->v->mem, 0);
    struct lw_definition d = {NULL, LW_NO_NODE};
    if (lw_names_dotted(n, lw_tree_get(t, call->node, LW_ROLE_FUNC), &dotted)) {
        if (s->project)
            rc = lw_project_find(s->project, s->module, lw_buf_str(&dotted), &d, s->err);
        if (rc == 0 && d.module) {
            *node = definition_node(s, &d.module->tree, d.module, d.node);
        } else if (rc == 0) {
            struct lw_str name = lw_arena_copy(&s->v->arena, lw_buf_str(&dotted));
            s->v->failed |= dotted.failed || !name.p;
            if (name.p)
                *node = put_node(s->v, name, "external", (struct lw_position){0, 0});
        }
    }
    lw_buf_release(&dotted);
    return rc;
}

int lw_view_calls(struct lw_view *v, const struct lw_calls *c, struct lw_tree *t,
                  struct lw_project *project, struct lw_module *module, struct lw_err *err)
{
    struct shower s = {v, project, module, err};
    for (size_t i = 0; i < c->v.n; i++) {
        const struct lw_call *call = &c->v.v[i];
        uint32_t to;
        int rc = reach(&s, c, t, call, &to);
        if (rc < 0)
            return rc;
        if (to == LW_FLOW_NONE)
            continue;
        uint32_t from = definition_node(&s, t, module, c->f->graphs.v[call->graph].node);
        struct lw_position at = lw_tree_position(t, lw_tree_start(t, call->node));
        struct lw_str place = lw_arena_printf(&v->arena, "%u:%u", at.line, at.column);
        v->failed |= !place.p;
        lw_view_edge(v, from, to, "calls", place);
    }
    return v->failed ? lw_err_nomem(err) : 0;
}

/* ---- Imports ---------------------------------------------------------------------------- */

/* The dotted name that the ALIAS brings in, whole: `import a.b` gives a.b. */
static void import_name(const struct lw_tree *t, uint32_t alias, struct lw_buf *out)
{
    const struct lw_node *a = lw_tree_node(t, alias);
    if (lw_tree_kind(t, a->parent) != LW_NODE_IMPORT) {
        lw_names_import_target(t, alias, out);
        return;
    }
    for (uint32_t i = a->first; i < lw_tree_alias_end(t, alias); i++)
        (void)lw_buf_add(out, lw_tree_token_text(t, i));
}

static int import_edge(struct shower *s, struct lw_tree *t, uint32_t from, uint32_t alias,
                       struct lw_str dotted)
{
    struct lw_view *v = s->v;
    struct lw_definition d = {NULL, LW_NO_NODE};
    if (s->project) {
        int rc = lw_project_find(s->project, s->module, dotted, &d, s->err);
        if (rc < 0)
            return rc;
    }
    struct lw_position at = lw_tree_position(t, lw_tree_start(t, alias));
    struct lw_str place = lw_arena_printf(&v->arena, "%u:%u", at.line, at.column);
    struct lw_str name = lw_arena_copy(&v->arena, d.module ? d.module->name : dotted);
    v->failed |= !place.p || !name.p;
    if (v->failed)
        return lw_err_nomem(s->err);
    uint32_t to = put_node(v, name, d.module ? "Module" : "external",
                           (struct lw_position){d.module ? 1 : 0, 0});
    lw_view_edge(v, from, to, "imports", place);
    return 0;
}

int lw_view_imports(struct lw_view *v, struct lw_tree *t, struct lw_str path,
                    struct lw_project *project, struct lw_module *module, struct lw_err *err)
{
    struct shower s = {v, project, module, err};
    struct lw_buf dotted;
    struct lw_str own = lw_arena_copy(&v->arena, module ? module->name : path);
    if (!own.p)
        return lw_err_nomem(err);
    uint32_t from = put_node(v, own, "Module", (struct lw_position){1, 0});
    int rc = 0;
    lw_buf_init(&dotted, v->mem, 0);
    for (uint32_t i = t->root; i != LW_NO_NODE && rc == 0;
         i = lw_tree_next(t, t->root, i, false)) {
        const struct lw_node *x = lw_tree_node(t, i);
        if (x->kind != LW_NODE_ALIAS || (x->flags & LW_NODE_EMPTY))
            continue;
        lw_buf_clear(&dotted);
        import_name(t, i, &dotted);
        rc = dotted.failed ? lw_err_nomem(err)
                           : import_edge(&s, t, from, i, lw_buf_str(&dotted));
    }
    lw_buf_release(&dotted);
    return rc;
}
