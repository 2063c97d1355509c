#include "source/slice.h"

#include "base/err.h"
#include "base/str.h"

void lw_slice_init(struct lw_slice *s, struct lw_mem *mem)
{
    memset(s, 0, sizeof *s);
    s->mem = mem;
}

void lw_slice_release(struct lw_slice *s)
{
    lw_vec_release(s->mem, &s->lines);
    lw_vec_release(s->mem, &s->points);
}

/* ---- The dependence graph --------------------------------------------------------------- */

/* Vertices: points, then merges, then definition events, then symbols (of wide uses). */
struct dependence {
    uint32_t from; /* depends on */
    uint32_t to;
};

struct dependences {
    const struct lw_flow *f;
    struct lw_mem *mem;
    LW_VEC(struct dependence) v;
    uint32_t merges, events, symbols, count; /* first vertex of each sort, and their number */
    int failed;
};

static void depend(struct dependences *d, uint32_t from, uint32_t to)
{
    struct dependence x = {from, to};
    if (!d->failed && lw_vec_push(d->mem, &d->v, x) < 0)
        d->failed = LW_ENOMEM;
}

static void depend_value(struct dependences *d, uint32_t from, uint32_t value)
{
    if (value == LW_FLOW_NONE)
        return;
    if (lw_flow_is_merge(value))
        depend(d, from, d->merges + lw_flow_merge_of(value));
    else
        depend(d, from, d->events + value);
}

static void depend_event(struct dependences *d, uint32_t index)
{
    const struct lw_flow_event *e = &d->f->events.v[index];
    if (e->symbol == LW_NO_SYMBOL)
        return;
    if (e->kind == LW_FLOW_USE) {
        depend_value(d, e->point, e->value);
        if (e->flags & (LW_FLOW_WIDE | LW_FLOW_ELSEWHERE))
            depend(d, e->point, d->symbols + e->symbol);
    } else if (e->kind == LW_FLOW_DEF) {
        depend(d, d->events + index, e->point);
        depend(d, d->symbols + e->symbol, d->events + index);
        depend_value(d, d->events + index, e->value);
    }
}

/* A statement's parts: what is bound depends on the test, that of a loop on its iterable, a
 * case on what is matched. */
static void depend_parts(struct dependences *d, uint32_t point)
{
    const struct lw_flow *f = d->f;
    const struct lw_flow_point *p = &f->points.v[point];
    if (p->part == LW_FLOW_BIND && f->point_of.v[p->node] != LW_FLOW_NONE)
        depend(d, point, f->point_of.v[p->node]);
    if (p->part == LW_FLOW_STATEMENT && point > 0 && f->points.v[point - 1].node == p->node &&
        f->points.v[point - 1].part == LW_FLOW_BEFORE)
        depend(d, point, point - 1);
    const struct lw_tree *t = f->names->tree;
    if (lw_tree_kind(t, p->node) == LW_NODE_CASE) {
        uint32_t match = f->point_of.v[lw_tree_node(t, p->node)->parent];
        if (match != LW_FLOW_NONE)
            depend(d, point, match);
    }
}

static void depend_control(struct dependences *d, uint32_t point)
{
    const struct lw_flow *f = d->f;
    const struct lw_flow_block *k = &f->blocks.v[f->points.v[point].block];
    for (uint32_t i = 0; i < k->control_count; i++) {
        const struct lw_flow_control *c = &f->controls.v[k->first_control + i];
        const struct lw_flow_block *on = &f->blocks.v[c->on];
        if (on->point_count > 0)
            depend(d, point, on->first_point + on->point_count - 1);
    }
}

/* ---- Calls ------------------------------------------------------------------------------ */

/* The points of each graph that give values to callers, in lists by graph. */
struct results {
    uint32_t *head;              /* by graph: index + 1 */
    LW_VEC(struct dependence) v; /* point, and next */
};

static int add_result(struct results *r, struct lw_mem *mem, uint32_t graph, uint32_t point)
{
    struct dependence x = {point, r->head[graph]};
    if (lw_vec_push(mem, &r->v, x) < 0)
        return LW_ENOMEM;
    r->head[graph] = (uint32_t)r->v.n;
    return 0;
}

static int find_results(struct results *r, const struct lw_flow *f, struct lw_mem *mem)
{
    const struct lw_tree *t = f->names->tree;
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        enum lw_node_kind kind = lw_tree_kind(t, i);
        if (kind != LW_NODE_RETURN && kind != LW_NODE_YIELD && kind != LW_NODE_YIELD_FROM)
            continue;
        uint32_t point = f->point_of.v[lw_tree_statement(t, i)];
        if (point != LW_FLOW_NONE &&
            add_result(r, mem, f->blocks.v[f->points.v[point].block].graph, point) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

/* graph_at: by node, of the FUNCTIONs. */
static void depend_calls(struct dependences *d, const struct lw_calls *calls,
                         const struct results *r, const uint32_t *graph_at)
{
    const struct lw_flow *f = d->f;
    for (size_t i = 0; i < calls->v.n; i++) {
        const struct lw_call *c = &calls->v.v[i];
        uint32_t body = lw_calls_body(f->names, c->callee);
        if (body == LW_NO_NODE || c->point == LW_FLOW_NONE)
            continue;
        const struct lw_flow_graph *g = &f->graphs.v[graph_at[body]];
        for (uint32_t k = r->head[graph_at[body]]; k; k = r->v.v[k - 1].to)
            depend(d, c->point, r->v.v[k - 1].from);
        for (uint32_t p = g->first_point; p < g->first_point + g->point_count; p++) {
            if (lw_tree_kind(f->names->tree, f->points.v[p].node) != LW_NODE_PARAM)
                break;
            depend(d, p, c->point);
        }
    }
}

static int find_dependences(struct dependences *d, const struct lw_calls *calls,
                            struct lw_arena *arena)
{
    const struct lw_flow *f = d->f;
    struct results r = {.head = lw_arena_array(arena, f->graphs.n, sizeof(uint32_t))};
    uint32_t *graph_at = lw_arena_array(arena, f->names->tree->nodes.n, sizeof *graph_at);
    if (!r.head || !graph_at)
        return LW_ENOMEM;
    for (uint32_t g = 0; g < f->graphs.n; g++)
        graph_at[f->graphs.v[g].node] = g;
    d->merges = (uint32_t)f->points.n;
    d->events = d->merges + (uint32_t)f->merges.n;
    d->symbols = d->events + (uint32_t)f->events.n;
    d->count = d->symbols + f->symbol_count;
    for (uint32_t p = 0; p < f->points.n; p++) {
        depend_parts(d, p);
        depend_control(d, p);
    }
    for (uint32_t e = 0; e < f->events.n; e++)
        depend_event(d, e);
    for (uint32_t m = 0; m < f->merges.n; m++)
        for (uint32_t i = 0; i < f->merges.v[m].count; i++)
            depend_value(d, d->merges + m, f->operands.v[f->merges.v[m].first_operand + i]);
    int rc = find_results(&r, f, d->mem);
    if (rc == 0)
        depend_calls(d, calls, &r, graph_at);
    lw_vec_release(d->mem, &r.v);
    return rc < 0 ? rc : d->failed;
}

/* Everything reached from the marked points. */
static int spread(const struct dependences *d, struct lw_arena *arena, uint8_t *seen,
                  bool forward)
{
    size_t n = d->count;
    uint32_t *start = lw_arena_array(arena, n + 2, sizeof *start);
    uint32_t *to = lw_arena_array(arena, d->v.n, sizeof *to);
    uint32_t *work = lw_arena_array(arena, n, sizeof *work);
    size_t waiting = 0;
    if (!start || !to || !work)
        return LW_ENOMEM;
    for (size_t i = 0; i < d->v.n; i++)
        start[(forward ? d->v.v[i].to : d->v.v[i].from) + 2]++;
    for (size_t i = 2; i < n + 2; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < d->v.n; i++) {
        uint32_t a = forward ? d->v.v[i].to : d->v.v[i].from;
        to[start[a + 1]++] = forward ? d->v.v[i].from : d->v.v[i].to;
    }
    for (uint32_t i = 0; i < n; i++)
        if (seen[i])
            work[waiting++] = i;
    while (waiting > 0) {
        uint32_t at = work[--waiting];
        for (uint32_t i = start[at]; i < start[at + 1]; i++) {
            if (seen[to[i]])
                continue;
            seen[to[i]] = 1;
            work[waiting++] = to[i];
        }
    }
    return 0;
}

/* ---- Lines ------------------------------------------------------------------------------ */

/* The lines that a statement itself takes: a compound one up to its first inner statement. */
static void header_lines(struct lw_tree *t, uint32_t node, uint32_t *first, uint32_t *last)
{
    const struct lw_node *n = lw_tree_node(t, node);
    uint32_t token = n->last, begin = n->first;
    if (n->kind == LW_NODE_FUNCTION || n->kind == LW_NODE_CLASS)
        begin = lw_tree_def_token(t, node);
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        const struct lw_node *x = lw_tree_node(t, c);
        bool inner = lw_node_is_statement((enum lw_node_kind)x->kind) ||
                     x->kind == LW_NODE_HANDLER || x->kind == LW_NODE_CASE;
        if (!inner)
            continue;
        token = x->first > begin ? x->first - 1 : begin;
        while (token > begin && t->lexed.tokens.v[token].kind != LW_TOK_COLON)
            token--;
        break;
    }
    *first = lw_tree_position(t, t->lexed.tokens.v[begin].start).line;
    *last = lw_tree_position(t, t->lexed.tokens.v[token].end).line;
}

static void mark_lines(struct lw_slice *s, struct lw_tree *t, uint32_t node, uint8_t mark)
{
    uint32_t first, last;
    header_lines(t, node, &first, &last);
    for (uint32_t l = first; l <= last && l <= s->lines.n; l++)
        if (s->lines.v[l - 1] < mark)
            s->lines.v[l - 1] = mark;
}

/* The points of the innermost statement on the line. */
static bool mark_start(const struct lw_flow *f, struct lw_tree *t, uint32_t line, uint8_t *seen)
{
    uint32_t best = LW_NO_NODE, width = UINT32_MAX, first, last;
    for (uint32_t p = 0; p < f->points.n; p++) {
        uint32_t node = f->points.v[p].node;
        enum lw_node_kind kind = lw_tree_kind(t, node);
        if (kind == LW_NODE_PARAM || kind == LW_NODE_TYPE_PARAM)
            continue;
        header_lines(t, node, &first, &last);
        if (first <= line && line <= last && last - first < width) {
            best = node;
            width = last - first;
        }
    }
    for (uint32_t p = 0; p < f->points.n && best != LW_NO_NODE; p++) {
        header_lines(t, f->points.v[p].node, &first, &last);
        if (first <= line && line <= last && last - first <= width)
            seen[p] = 1;
    }
    return best != LW_NO_NODE;
}

/* The definitions around the node. `done` has the nodes that were climbed through before. */
static void mark_around(struct lw_slice *s, struct lw_tree *t, uint32_t node, uint8_t *done)
{
    for (uint32_t i = lw_tree_parent(t, node); i != LW_NO_NODE && !done[i];
         i = lw_tree_parent(t, i)) {
        enum lw_node_kind kind = lw_tree_kind(t, i);
        done[i] = 1;
        if (kind == LW_NODE_FUNCTION || kind == LW_NODE_CLASS)
            mark_lines(s, t, i, LW_SLICE_AROUND);
    }
}

static int mark_all(struct lw_slice *s, const struct lw_flow *f, struct lw_tree *t,
                    const uint8_t *seen, const uint8_t *started, struct lw_arena *arena)
{
    uint8_t *done = lw_arena_array(arena, t->nodes.n, 1);
    if (!done)
        return LW_ENOMEM;
    for (uint32_t p = 0; p < f->points.n; p++) {
        s->points.v[p] = seen[p];
        if (!seen[p])
            continue;
        uint32_t node = f->points.v[p].node;
        s->statements += f->points.v[p].part == LW_FLOW_STATEMENT &&
                         lw_node_is_statement(lw_tree_kind(t, node));
        mark_lines(s, t, node, started[p] ? LW_SLICE_START : LW_SLICE_IN);
        mark_around(s, t, node, done);
    }
    return 0;
}

static int prepare(struct lw_slice *s, const struct lw_flow *f, struct lw_tree *t)
{
    size_t lines = lw_tree_position(t, (uint32_t)t->lexed.text.n).line;
    s->lines.n = s->points.n = 0;
    s->statements = 0;
    if (lw_vec_reserve(s->mem, &s->lines, lines) < 0 ||
        lw_vec_reserve(s->mem, &s->points, f->points.n + 1) < 0)
        return LW_ENOMEM;
    s->lines.n = lines;
    s->points.n = f->points.n;
    memset(s->lines.v, 0, lines);
    return 0;
}

static int build(struct lw_slice *s, const struct lw_calls *calls, struct lw_tree *t,
                 uint32_t line, bool forward, struct lw_arena *arena, struct lw_err *err)
{
    const struct lw_flow *f = calls->f;
    struct dependences d = {.f = f, .mem = s->mem};
    int rc = prepare(s, f, t);
    if (rc == 0)
        rc = find_dependences(&d, calls, arena);
    uint8_t *seen = rc == 0 ? lw_arena_array(arena, d.count, 1) : NULL;
    uint8_t *started = lw_arena_array(arena, f->points.n, 1);
    if (rc == 0 && (!seen || !started))
        rc = LW_ENOMEM;
    if (rc == 0 && !mark_start(f, t, line, seen))
        rc = lw_err_set(err, LW_ENOENT, "no statement on line %u", line);
    if (rc == 0) {
        memcpy(started, seen, f->points.n);
        rc = spread(&d, arena, seen, forward);
    }
    if (rc == 0)
        rc = mark_all(s, f, t, seen, started, arena);
    lw_vec_release(s->mem, &d.v);
    return rc == LW_ENOMEM ? lw_err_nomem(err) : rc;
}

int lw_slice_build(struct lw_slice *s, const struct lw_calls *calls, struct lw_tree *t,
                   uint32_t line, bool forward, struct lw_err *err)
{
    struct lw_arena arena;
    lw_arena_init(&arena, s->mem, 0);
    int rc = build(s, calls, t, line, forward, &arena, err);
    lw_arena_release(&arena);
    return rc;
}

/* ---- Print ------------------------------------------------------------------------------ */

enum { SHORT_GAP = 2 }; /* unmarked lines that are shown rather than folded */

static bool in_short_gap(const struct lw_slice *s, size_t line)
{
    size_t a = line, b = line;
    while (a > 0 && s->lines.v[a] == LW_SLICE_NOT && line - a <= SHORT_GAP)
        a--;
    while (b < s->lines.n && s->lines.v[b] == LW_SLICE_NOT && b - line <= SHORT_GAP)
        b++;
    return b < s->lines.n && s->lines.v[a] != LW_SLICE_NOT && b - a - 1 <= SHORT_GAP;
}

void lw_slice_print(struct lw_sink *out, const struct lw_term *term, const struct lw_slice *s,
                    struct lw_str text)
{
    struct lw_str line;
    bool folded = false;
    for (size_t i = 0; i < s->lines.n && lw_str_line(&text, &line); i++) {
        uint8_t mark = s->lines.v[i];
        if (mark == LW_SLICE_NOT && !in_short_gap(s, i)) {
            if (!folded)
                lw_putf(out, "%s  ...%s\n", lw_colour(term, LW_DIM), lw_colour(term, LW_PLAIN));
            folded = true;
            continue;
        }
        folded = false;
        lw_putf(out, "%s%c %5zu  ",
                lw_colour(term, mark == LW_SLICE_START ? LW_BOLD
                                : mark == LW_SLICE_IN  ? LW_PLAIN
                                                       : LW_DIM),
                mark == LW_SLICE_START ? '*'
                : mark == LW_SLICE_IN  ? '>'
                                       : ' ',
                i + 1);
        lw_put_safe(out, line, true);
        lw_putf(out, "%s\n", lw_colour(term, LW_PLAIN));
    }
}

void lw_slice_json(struct lw_jsonw *w, const struct lw_slice *s)
{
    lw_json_key_int(w, "statements", s->statements);
    for (int pass = 0; pass < 2; pass++) {
        lw_json_key(w, pass ? "lines" : "start");
        lw_json_array(w);
        for (size_t i = 0; i < s->lines.n; i++)
            if (s->lines.v[i] == LW_SLICE_START || (pass && s->lines.v[i] == LW_SLICE_IN))
                lw_json_int(w, (int64_t)i + 1);
        lw_json_end(w);
    }
}
