#include "source/flow_view.h"

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"

void lw_view_init(struct lw_view *v, struct lw_mem *mem)
{
    memset(v, 0, sizeof *v);
    v->mem = mem;
    lw_arena_init(&v->arena, mem, 0);
    lw_map_init(&v->names, mem);
}

void lw_view_release(struct lw_view *v)
{
    lw_vec_release(v->mem, &v->nodes);
    lw_vec_release(v->mem, &v->edges);
    lw_vec_release(v->mem, &v->starts);
    lw_map_release(&v->names);
    lw_arena_release(&v->arena);
}

uint32_t lw_view_node(struct lw_view *v, struct lw_view_node node)
{
    struct lw_map_entry *e = node.name.p ? lw_map_put(&v->names, node.name, NULL) : NULL;
    if (!e || lw_vec_push(v->mem, &v->nodes, node) < 0) {
        v->failed = true;
        return 0;
    }
    e->value = v->nodes.n - 1;
    return (uint32_t)v->nodes.n - 1;
}

uint32_t lw_view_find(const struct lw_view *v, struct lw_str name)
{
    const struct lw_map_entry *e = lw_map_find(&v->names, name);
    return e ? (uint32_t)e->value : LW_FLOW_NONE;
}

void lw_view_edge(struct lw_view *v, uint32_t from, uint32_t to, const char *kind,
                  struct lw_str text)
{
    struct lw_view_edge e = {from, to, kind, text};
    if (v->failed || lw_vec_push(v->mem, &v->edges, e) < 0)
        v->failed = true;
}

/* Edges by the node they leave, stable. */
static int sort_edges(struct lw_view *v, struct lw_err *err)
{
    size_t n = v->nodes.n, m = v->edges.n;
    v->starts.n = 0;
    struct lw_view_edge *sorted = lw_arena_array(&v->arena, m, sizeof *sorted);
    if (v->failed || !sorted || lw_vec_reserve(v->mem, &v->starts, n + 1) < 0)
        return lw_err_nomem(err);
    v->starts.n = n + 1;
    memset(v->starts.v, 0, (n + 1) * sizeof *v->starts.v);
    for (size_t i = 0; i < m; i++)
        v->starts.v[v->edges.v[i].from + 1]++;
    for (size_t i = 0; i < n; i++)
        v->starts.v[i + 1] += v->starts.v[i];
    for (size_t i = 0; i < m; i++)
        sorted[v->starts.v[v->edges.v[i].from]++] = v->edges.v[i];
    for (size_t i = n; i > 0; i--)
        v->starts.v[i] = v->starts.v[i - 1];
    v->starts.v[0] = 0;
    if (m > 0)
        memcpy(v->edges.v, sorted, m * sizeof *sorted);
    return 0;
}

/* ---- Text ------------------------------------------------------------------------------- */

static void print_node(struct lw_sink *out, const struct lw_view_node *n)
{
    lw_put_safe(out, n->name, false);
    lw_putf(out, " %s", n->kind);
    if (n->line)
        lw_putf(out, " %u:%u", n->line, n->column);
    struct lw_str rest = n->text, line;
    bool one = lw_str_find_char(rest, '\n') < 0;
    if (one && rest.n) {
        lw_putz(out, "  ");
        lw_put_safe(out, rest, false);
    }
    lw_put_char(out, '\n');
    while (!one && lw_str_line(&rest, &line)) {
        lw_putz(out, "    ");
        lw_put_safe(out, line, false);
        lw_put_char(out, '\n');
    }
}

int lw_view_print(struct lw_view *v, struct lw_sink *out, struct lw_str title,
                  struct lw_err *err)
{
    if (sort_edges(v, err) < 0)
        return LW_ENOMEM;
    if (title.n) {
        lw_put_safe(out, title, false);
        lw_put_char(out, '\n');
    }
    for (size_t i = 0; i < v->nodes.n; i++) {
        print_node(out, &v->nodes.v[i]);
        for (uint32_t k = v->starts.v[i]; k < v->starts.v[i + 1]; k++) {
            const struct lw_view_edge *e = &v->edges.v[k];
            lw_putf(out, "  -> ");
            lw_put_safe(out, v->nodes.v[e->to].name, false);
            lw_putf(out, " %s", e->kind);
            if (e->text.n) {
                lw_put_char(out, ' ');
                lw_put_safe(out, e->text, false);
            }
            lw_put_char(out, '\n');
        }
    }
    return 0;
}

/* ---- DOT -------------------------------------------------------------------------------- */

/* A quoted label; lines end with \l, which aligns them to the left. */
static void dot_text(struct lw_sink *out, struct lw_str s, bool lines)
{
    while (s.n) {
        uint32_t point = 0;
        size_t n = lw_utf8_decode(s, &point);
        bool unsafe = n == 0 || lw_utf8_is_unsafe(point);
        n = n ? n : 1;
        if (point == '\n')
            lw_putz(out, lines ? "\\l" : " ");
        else if (point == '"' || point == '\\')
            lw_putf(out, "\\%c", (char)point);
        else if (!unsafe)
            lw_put(out, lw_str_part(s, 0, n));
        for (size_t i = 0; unsafe && point != '\n' && i < n; i++)
            lw_putf(out, "\\\\x%02x", (unsigned char)s.p[i]);
        s = lw_str_from(s, n);
    }
}

int lw_view_dot(struct lw_view *v, struct lw_sink *out, struct lw_str title, struct lw_err *err)
{
    if (sort_edges(v, err) < 0)
        return LW_ENOMEM;
    lw_putz(out, "digraph \"");
    dot_text(out, title, false);
    lw_putz(out, "\" {\n    node [shape=box, fontname=\"monospace\"];\n");
    for (size_t i = 0; i < v->nodes.n; i++) {
        const struct lw_view_node *n = &v->nodes.v[i];
        lw_putf(out, "    n%zu [label=\"", i);
        dot_text(out, n->name, false);
        lw_putf(out, " %s", n->kind);
        if (n->line)
            lw_putf(out, " %u:%u", n->line, n->column);
        lw_putz(out, "\\l");
        dot_text(out, n->text, true);
        lw_putz(out, n->text.n && n->text.p[n->text.n - 1] != '\n' ? "\\l\"];\n" : "\"];\n");
    }
    for (size_t i = 0; i < v->edges.n; i++) {
        const struct lw_view_edge *e = &v->edges.v[i];
        lw_putf(out, "    n%u -> n%u [label=\"%s%s", e->from, e->to, e->kind,
                e->text.n ? " " : "");
        dot_text(out, e->text, false);
        lw_putz(out, "\"];\n");
    }
    lw_putz(out, "}\n");
    return 0;
}

/* ---- JSON ------------------------------------------------------------------------------- */

int lw_view_json(struct lw_view *v, struct lw_jsonw *w, struct lw_err *err)
{
    if (sort_edges(v, err) < 0)
        return LW_ENOMEM;
    lw_json_key(w, "nodes");
    lw_json_array(w);
    for (size_t i = 0; i < v->nodes.n; i++) {
        const struct lw_view_node *n = &v->nodes.v[i];
        lw_json_object(w);
        lw_json_key_text(w, "name", n->name);
        lw_json_key_text(w, "kind", lw_str(n->kind));
        if (n->line) {
            lw_json_key_int(w, "line", n->line);
            lw_json_key_int(w, "column", n->column);
        }
        lw_json_key_text(w, "text", n->text);
        lw_json_end(w);
    }
    lw_json_end(w);
    lw_json_key(w, "edges");
    lw_json_array(w);
    for (size_t i = 0; i < v->edges.n; i++) {
        const struct lw_view_edge *e = &v->edges.v[i];
        lw_json_object(w);
        lw_json_key_int(w, "from", e->from);
        lw_json_key_int(w, "to", e->to);
        lw_json_key_text(w, "kind", lw_str(e->kind));
        if (e->text.n)
            lw_json_key_text(w, "text", e->text);
        lw_json_end(w);
    }
    lw_json_end(w);
    return 0;
}

/* ---- Control flow ----------------------------------------------------------------------- */

struct lw_str lw_view_qualified(struct lw_view *v, const struct lw_tree *t, uint32_t node)
{
    struct lw_str name = {"", 0};
    enum lw_node_kind kind = lw_tree_kind(t, node);
    if (kind == LW_NODE_MODULE)
        return LW_S("<module>");
    for (uint32_t i = node; i != LW_NO_NODE && name.p; i = lw_tree_parent(t, i)) {
        kind = lw_tree_kind(t, i);
        if (kind != LW_NODE_FUNCTION && kind != LW_NODE_CLASS)
            continue;
        name = lw_arena_printf(&v->arena, "%.*s%s%.*s", LW_F(lw_tree_name(t, i)),
                               name.n ? "." : "", LW_F(name));
    }
    v->failed |= !name.p;
    return name;
}

static void add_event(struct lw_buf *b, const struct lw_flow *f, uint32_t index)
{
    const struct lw_flow_event *e = &f->events.v[index];
    const char *mark = e->kind == LW_FLOW_KILL                               ? "!"
                       : e->kind == LW_FLOW_DEF && (e->flags & LW_FLOW_WEAK) ? "~"
                       : e->kind == LW_FLOW_DEF                              ? "="
                                                                             : "";
    (void)lw_buf_addf(b, " %s%.*s", mark, LW_F(lw_flow_event_name(f, index)));
    if (e->flags & (LW_FLOW_FREE | LW_FLOW_UNBOUND))
        (void)lw_buf_add_char(b, '?');
}

struct lw_position lw_view_place(struct lw_tree *t, uint32_t node)
{
    enum lw_node_kind kind = lw_tree_kind(t, node);
    uint32_t start = lw_tree_start(t, node);
    if (kind == LW_NODE_FUNCTION || kind == LW_NODE_CLASS)
        start = t->lexed.tokens.v[lw_tree_def_token(t, node)].start;
    return lw_tree_position(t, start);
}

static void add_point(struct lw_buf *b, const struct lw_flow *f, struct lw_tree *t,
                      uint32_t point)
{
    static const char *const parts[] = {"", " before", " bind"};
    const struct lw_flow_point *p = &f->points.v[point];
    struct lw_position at = lw_view_place(t, p->node);
    (void)lw_buf_addf(b, "%u:%u %s%s", at.line, at.column,
                      lw_node_kind_name(lw_tree_kind(t, p->node)), parts[p->part]);
    if (p->event_count)
        (void)lw_buf_addz(b, " |");
    for (uint32_t i = p->first_event; i < p->first_event + p->event_count; i++)
        add_event(b, f, i);
}

static const char *block_kind(const struct lw_flow *f, uint32_t block)
{
    const struct lw_flow_graph *g = &f->graphs.v[f->blocks.v[block].graph];
    if (block == g->first_block)
        return "entry";
    if (block == g->first_block + g->block_count - 1)
        return "exit";
    return f->blocks.v[block].reachable ? "block" : "unreachable";
}

static void view_block(struct lw_view *v, const struct lw_flow *f, struct lw_tree *t,
                       uint32_t block, struct lw_buf *b)
{
    const struct lw_flow_block *k = &f->blocks.v[block];
    const struct lw_flow_graph *g = &f->graphs.v[k->graph];
    lw_buf_clear(b);
    if (block == g->first_block) {
        struct lw_str name = lw_view_qualified(v, t, g->node);
        (void)lw_buf_addf(b, "of %s %.*s\n", lw_node_kind_name(lw_tree_kind(t, g->node)),
                          LW_F(name));
    }
    for (uint32_t p = k->first_point; p < k->first_point + k->point_count; p++) {
        add_point(b, f, t, p);
        (void)lw_buf_add_char(b, '\n');
    }
    for (uint32_t i = 0; i < k->control_count; i++) {
        const struct lw_flow_control *c = &f->controls.v[k->first_control + i];
        (void)lw_buf_addf(b, "depends on b%u %s\n", c->on,
                          lw_flow_edge_name((enum lw_flow_edge_kind)c->kind));
    }
    struct lw_view_node n = {.name = lw_arena_printf(&v->arena, "b%u", block),
                             .kind = block_kind(f, block),
                             .text = lw_arena_copy(&v->arena, lw_buf_str(b))};
    v->failed |= b->failed || !n.text.p;
    (void)lw_view_node(v, n);
}

void lw_view_control(struct lw_view *v, const struct lw_flow *f, struct lw_tree *t)
{
    struct lw_buf b;
    lw_buf_init(&b, v->mem, 0);
    for (uint32_t i = 0; i < f->blocks.n && !v->failed; i++)
        view_block(v, f, t, i, &b);
    for (size_t i = 0; i < f->edges.n && !v->failed; i++) {
        const struct lw_flow_edge *e = &f->edges.v[i];
        lw_view_edge(v, e->from, e->to, lw_flow_edge_name((enum lw_flow_edge_kind)e->kind),
                     (struct lw_str){"", 0});
    }
    lw_buf_release(&b);
}

/* ---- Data flow -------------------------------------------------------------------------- */

static const char *use_kind(const struct lw_flow_event *e)
{
    return e->flags & LW_FLOW_FIELD ? "field" : e->flags & LW_FLOW_WIDE ? "wide" : "data";
}

static void view_event(struct lw_view *v, const struct lw_flow *f, uint32_t index,
                       const uint32_t *node_of, struct lw_flow_walk *w, lw_flow_list *defs)
{
    const struct lw_flow_event *e = &f->events.v[index];
    if (e->kind == LW_FLOW_KILL ||
        (e->kind == LW_FLOW_DEF && !((e->flags & LW_FLOW_WEAK) && !(e->flags & LW_FLOW_WIDE))))
        return;
    defs->n = 0;
    if (lw_flow_reaching(f, w, index, defs) < 0)
        v->failed = true;
    for (size_t i = 0; i < defs->n && !v->failed; i++) {
        uint32_t from = f->events.v[defs->v[i]].point;
        if (from != e->point || e->kind == LW_FLOW_USE)
            lw_view_edge(v, node_of[from], node_of[e->point],
                         e->kind == LW_FLOW_DEF ? "adds" : use_kind(e),
                         lw_flow_event_name(f, index));
    }
}

static void view_point(struct lw_view *v, const struct lw_flow *f, struct lw_tree *t,
                       uint32_t point, struct lw_buf *b)
{
    const struct lw_flow_point *p = &f->points.v[point];
    struct lw_position at = lw_view_place(t, p->node);
    lw_buf_clear(b);
    add_point(b, f, t, point);
    struct lw_view_node n = {.name = lw_arena_printf(&v->arena, "p%u", point),
                             .kind = "point",
                             .text = lw_arena_copy(&v->arena, lw_buf_str(b)),
                             .line = at.line,
                             .column = at.column};
    v->failed |= b->failed || !n.text.p;
    (void)lw_view_node(v, n);
}

void lw_view_data(struct lw_view *v, const struct lw_flow *f, struct lw_tree *t)
{
    struct lw_buf b;
    struct lw_flow_walk w = {0};
    lw_flow_list defs = {0};
    lw_buf_init(&b, v->mem, 0);
    uint32_t *node_of = lw_arena_array(&v->arena, f->points.n, sizeof *node_of);
    v->failed |= !node_of;
    for (uint32_t i = 0; i < f->points.n && !v->failed; i++) {
        node_of[i] = (uint32_t)v->nodes.n;
        if (f->points.v[i].event_count)
            view_point(v, f, t, i, &b);
    }
    for (uint32_t i = 0; i < f->events.n && !v->failed; i++)
        view_event(v, f, i, node_of, &w, &defs);
    lw_flow_walk_release(f, &w);
    lw_vec_release(v->mem, &defs);
    lw_buf_release(&b);
}
