#include "source/print_names.h"

#include "base/err.h"
#include "base/str.h"
#include "base/table.h"
#include "source/print.h"

/* ---- Calls ------------------------------------------------------------------------------ */

/* What a call reaches. */
struct reach {
    struct lw_buf dotted; /* empty: not from an import */
    uint32_t node;        /* definition in `tree`, or LW_NO_NODE */
    struct lw_tree *tree;
    struct lw_str path; /* of the other file, or empty */
};

struct caller {
    struct lw_tree *t;
    const struct lw_names *n;
    struct lw_project *project;
    struct lw_module *module; /* of the file, in the project; may be NULL */
};

static int reach_of(const struct caller *c, uint32_t call, struct reach *r, struct lw_err *err)
{
    lw_buf_clear(&r->dotted);
    r->tree = c->t;
    r->path = (struct lw_str){"", 0};
    r->node = lw_names_callee(c->n, call);
    uint32_t func = lw_tree_get(c->t, call, LW_ROLE_FUNC);
    if (r->node != LW_NO_NODE || !lw_names_dotted(c->n, func, &r->dotted))
        return 0;
    if (r->dotted.failed)
        return lw_err_nomem(err);
    if (!c->project)
        return 0;
    struct lw_definition d;
    int rc = lw_project_find(c->project, c->module, lw_buf_str(&r->dotted), &d, err);
    if (rc < 0 || !d.module)
        return rc;
    r->node = d.node;
    r->tree = &d.module->tree;
    r->path = d.module->path;
    return 0;
}

/* The dotted or plain name of a definition. */
static struct lw_position definition_at(const struct reach *r)
{
    uint32_t token = lw_tree_kind(r->tree, r->node) == LW_NODE_MODULE
                         ? 0
                         : lw_tree_def_token(r->tree, r->node);
    return lw_tree_position(r->tree, r->tree->lexed.tokens.v[token].start);
}

static void put_reach(struct lw_sink *out, const struct reach *r)
{
    if (r->dotted.n) {
        lw_putz(out, " -> ");
        lw_put_safe(out, lw_buf_str(&r->dotted), false);
    }
    if (r->node != LW_NO_NODE) {
        struct lw_position at = definition_at(r);
        lw_putf(out, " -> %s ", lw_node_kind_name(lw_tree_kind(r->tree, r->node)));
        lw_put_safe(out, lw_tree_name(r->tree, r->node), false);
        lw_putz(out, r->path.n ? " in " : "");
        lw_put_safe(out, r->path, false);
        lw_putf(out, " at %u:%u", at.line, at.column);
    }
    lw_put_char(out, '\n');
}

static void json_reach(struct lw_jsonw *w, const struct reach *r)
{
    lw_json_key_text_or_null(w, "dotted", lw_buf_str(&r->dotted));
    if (r->node == LW_NO_NODE)
        return;
    struct lw_position at = definition_at(r);
    lw_json_key(w, "definition");
    lw_json_object(w);
    lw_json_key_text(w, "kind", lw_str(lw_node_kind_name(lw_tree_kind(r->tree, r->node))));
    lw_json_key_text(w, "name", lw_tree_name(r->tree, r->node));
    lw_json_key_text_or_null(w, "path", r->path);
    lw_json_key_int(w, "line", at.line);
    lw_json_key_int(w, "column", at.column);
    lw_json_end(w);
}

/* ---- Names ------------------------------------------------------------------------------ */

static const char *const symbol_flags[] = {"bound", "global", "nonlocal", "used", "imported"};
enum { SYMBOL_FLAGS = sizeof symbol_flags / sizeof *symbol_flags };

static struct lw_str scope_name(const struct lw_tree *t, const struct lw_scope *s)
{
    bool named = s->kind == LW_SCOPE_CLASS || s->kind == LW_SCOPE_FUNCTION;
    return named ? lw_tree_name(t, s->node) : (struct lw_str){"", 0};
}

static void put_symbol(struct lw_sink *out, struct lw_tree *t, const struct lw_names *n,
                       const struct lw_symbol *s)
{
    lw_putz(out, "  ");
    lw_put_safe(out, s->name, false);
    for (size_t i = 1; i < SYMBOL_FLAGS; i++)
        if (s->flags >> i & 1)
            lw_putf(out, " %s", symbol_flags[i]);
    for (uint32_t b = s->first_binding; b != LW_NO_SYMBOL; b = n->bindings.v[b].next) {
        const struct lw_binding *bind = &n->bindings.v[b];
        struct lw_position at = lw_tree_position(t, t->lexed.tokens.v[bind->token].start);
        lw_putf(out, " %s@%u:%u", lw_binding_kind_name((enum lw_binding_kind)bind->kind),
                at.line, at.column);
    }
    lw_put_char(out, '\n');
}

static void put_scopes(struct lw_sink *out, struct lw_tree *t, const struct lw_names *n)
{
    for (size_t i = 0; i < n->scopes.n; i++) {
        const struct lw_scope *s = &n->scopes.v[i];
        struct lw_position at = lw_tree_position(t, lw_tree_start(t, s->node));
        lw_putf(out, "scope %zu %s ", i, lw_scope_kind_name((enum lw_scope_kind)s->kind));
        lw_put_safe(out, scope_name(t, s), false);
        lw_putf(out, "%sat %u:%u in %u\n", scope_name(t, s).n ? " " : "", at.line, at.column,
                s->parent);
        for (uint32_t k = s->first_symbol; k != LW_NO_SYMBOL; k = n->symbols.v[k].next)
            put_symbol(out, t, n, &n->symbols.v[k]);
    }
}

int lw_print_names(struct lw_sink *out, struct lw_tree *t, const struct lw_names *n,
                   struct lw_project *project, struct lw_str path, struct lw_err *err)
{
    struct caller c = {t, n, project, lw_project_of(project, path)};
    struct reach r;
    put_scopes(out, t, n);
    lw_buf_init(&r.dotted, n->mem, 0);
    int rc = 0;
    for (uint32_t i = t->root; rc == 0 && i != LW_NO_NODE;
         i = lw_tree_next(t, t->root, i, false)) {
        if (lw_tree_kind(t, i) != LW_NODE_CALL)
            continue;
        rc = reach_of(&c, i, &r, err);
        if (rc < 0 || (r.node == LW_NO_NODE && r.dotted.n == 0))
            continue;
        struct lw_position at = lw_tree_position(t, lw_tree_start(t, i));
        lw_putf(out, "call %u:%u ", at.line, at.column);
        lw_put_safe(out, lw_tree_text(t, lw_tree_get(t, i, LW_ROLE_FUNC)), false);
        put_reach(out, &r);
    }
    lw_buf_release(&r.dotted);
    return rc;
}

static void json_symbol(struct lw_jsonw *w, struct lw_tree *t, const struct lw_names *n,
                        const struct lw_symbol *s)
{
    lw_json_object(w);
    lw_json_key_text(w, "name", s->name);
    lw_json_key(w, "flags");
    lw_json_array(w);
    for (size_t i = 0; i < SYMBOL_FLAGS; i++)
        if (s->flags >> i & 1)
            lw_json_text(w, lw_str(symbol_flags[i]));
    lw_json_end(w);
    lw_json_key(w, "bindings");
    lw_json_array(w);
    for (uint32_t b = s->first_binding; b != LW_NO_SYMBOL; b = n->bindings.v[b].next) {
        const struct lw_binding *bind = &n->bindings.v[b];
        const struct lw_token *tok = &t->lexed.tokens.v[bind->token];
        lw_json_object(w);
        lw_json_key_text(w, "kind",
                         lw_str(lw_binding_kind_name((enum lw_binding_kind)bind->kind)));
        lw_json_range(w, t, tok->start, tok->end);
        lw_json_end(w);
    }
    lw_json_end(w);
    lw_json_end(w);
}

static void json_scopes(struct lw_jsonw *w, struct lw_tree *t, const struct lw_names *n)
{
    lw_json_key(w, "scopes");
    lw_json_array(w);
    for (size_t i = 0; i < n->scopes.n; i++) {
        const struct lw_scope *s = &n->scopes.v[i];
        lw_json_object(w);
        lw_json_key_text(w, "kind", lw_str(lw_scope_kind_name((enum lw_scope_kind)s->kind)));
        lw_json_key_text_or_null(w, "name", scope_name(t, s));
        lw_json_key_int(w, "parent", s->parent);
        lw_json_range(w, t, lw_tree_start(t, s->node), lw_tree_end(t, s->node));
        lw_json_key(w, "symbols");
        lw_json_array(w);
        for (uint32_t k = s->first_symbol; k != LW_NO_SYMBOL; k = n->symbols.v[k].next)
            json_symbol(w, t, n, &n->symbols.v[k]);
        lw_json_end(w);
        lw_json_end(w);
    }
    lw_json_end(w);
}

int lw_json_names(struct lw_jsonw *w, struct lw_tree *t, const struct lw_names *n,
                  struct lw_project *project, struct lw_str path, struct lw_err *err)
{
    struct caller c = {t, n, project, lw_project_of(project, path)};
    struct reach r;
    json_scopes(w, t, n);
    lw_buf_init(&r.dotted, n->mem, 0);
    lw_json_key(w, "calls");
    lw_json_array(w);
    int rc = 0;
    for (uint32_t i = t->root; rc == 0 && i != LW_NO_NODE;
         i = lw_tree_next(t, t->root, i, false)) {
        if (lw_tree_kind(t, i) != LW_NODE_CALL)
            continue;
        rc = reach_of(&c, i, &r, err);
        if (rc < 0)
            break;
        lw_json_object(w);
        lw_json_range(w, t, lw_tree_start(t, i), lw_tree_end(t, i));
        lw_json_key_text(w, "function", lw_tree_text(t, lw_tree_get(t, i, LW_ROLE_FUNC)));
        json_reach(w, &r);
        lw_json_end(w);
    }
    lw_json_end(w);
    lw_buf_release(&r.dotted);
    return rc;
}

/* ---- Units ------------------------------------------------------------------------------ */

void lw_print_units(struct lw_sink *out, struct lw_tree *t, const struct lw_units *u)
{
    for (size_t i = 0; i < u->units.n; i++) {
        const struct lw_unit *unit = &u->units.v[i];
        struct lw_position a = lw_tree_position(t, unit->start);
        struct lw_position b = lw_tree_position(t, unit->end);
        lw_putf(out, "%s %u:%u-%u:%u ", lw_unit_kind_name((enum lw_unit_kind)unit->kind),
                a.line, a.column, b.line, b.column);
        lw_put_safe(out, unit->text, false);
        lw_put_char(out, '\n');
    }
}

void lw_json_units(struct lw_jsonw *w, struct lw_tree *t, const struct lw_units *u)
{
    lw_json_key(w, "units");
    lw_json_array(w);
    for (size_t i = 0; i < u->units.n; i++) {
        const struct lw_unit *unit = &u->units.v[i];
        struct lw_subtokens parts;
        struct lw_str part;
        bool whole;
        lw_json_object(w);
        lw_json_key_text(w, "kind", lw_str(lw_unit_kind_name((enum lw_unit_kind)unit->kind)));
        lw_json_range(w, t, unit->start, unit->end);
        lw_json_key_text(w, "text", unit->text);
        if (unit->parent != LW_NO_NODE)
            lw_json_key_text(w, "in", lw_tree_name(t, unit->parent));
        lw_json_key(w, "subtokens");
        lw_json_array(w);
        lw_subtokens_init(&parts, unit->text);
        while (lw_subtokens_next(&parts, &part, &whole))
            lw_json_text(w, part);
        lw_json_end(w);
        lw_json_end(w);
    }
    lw_json_end(w);
}

/* ---- Metrics ---------------------------------------------------------------------------- */

static struct lw_str row_name(const struct lw_tree *t, const struct lw_metrics *m)
{
    return m->node == t->root ? LW_S("(file)") : lw_tree_name(t, m->node);
}

int lw_print_metrics(struct lw_sink *out, const struct lw_term *term, struct lw_mem *mem,
                     struct lw_tree *t, const lw_metrics_vec *rows, struct lw_err *err)
{
    static const struct lw_table_column columns[] = {
        {"name", false, true},
        {"line", true, false},
        {"lines", true, false},
        {"code", true, false},
        {"comment", true, false},
        {"blank", true, false},
        {"cyclomatic", true, false},
        {"volume", true, false},
        {"difficulty", true, false},
        {"effort", true, false},
        {"maintainability", true, false},
    };
    struct lw_table table;
    lw_table_init(&table, mem, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < rows->n; i++) {
        const struct lw_metrics *m = &rows->v[i];
        lw_table_cell(&table, row_name(t, m));
        lw_table_cellf(&table, "%u", lw_tree_position(t, lw_tree_start(t, m->node)).line);
        lw_table_cellf(&table, "%u", m->lines);
        lw_table_cellf(&table, "%u", m->code_lines);
        lw_table_cellf(&table, "%u", m->comment_lines);
        lw_table_cellf(&table, "%u", m->blank_lines);
        lw_table_cellf(&table, "%u", m->cyclomatic);
        lw_table_cellf(&table, "%.1f", m->volume);
        lw_table_cellf(&table, "%.2f", m->difficulty);
        lw_table_cellf(&table, "%.1f", m->effort);
        lw_table_cellf(&table, "%.1f", m->maintainability);
    }
    int rc = lw_table_print(&table, out, term, err);
    lw_table_release(&table);
    return rc;
}

void lw_json_metrics(struct lw_jsonw *w, struct lw_tree *t, const lw_metrics_vec *rows)
{
    lw_json_key(w, "metrics");
    lw_json_array(w);
    for (size_t i = 0; i < rows->n; i++) {
        const struct lw_metrics *m = &rows->v[i];
        lw_json_object(w);
        lw_json_key_text(w, "name", row_name(t, m));
        lw_json_key_bool(w, "file", m->node == t->root);
        lw_json_range(w, t, lw_tree_start(t, m->node), lw_tree_end(t, m->node));
        lw_json_key_int(w, "lines", m->lines);
        lw_json_key_int(w, "code_lines", m->code_lines);
        lw_json_key_int(w, "comment_lines", m->comment_lines);
        lw_json_key_int(w, "blank_lines", m->blank_lines);
        lw_json_key_int(w, "cyclomatic", m->cyclomatic);
        lw_json_key_int(w, "operators", m->operators);
        lw_json_key_int(w, "operands", m->operands);
        lw_json_key_int(w, "distinct_operators", m->distinct_operators);
        lw_json_key_int(w, "distinct_operands", m->distinct_operands);
        lw_json_key_double(w, "volume", m->volume);
        lw_json_key_double(w, "difficulty", m->difficulty);
        lw_json_key_double(w, "effort", m->effort);
        lw_json_key_double(w, "maintainability", m->maintainability);
        lw_json_end(w);
    }
    lw_json_end(w);
}
