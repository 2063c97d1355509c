/* Tree differences as text, JSON, and two columns. */
#include "base/err.h"
#include "base/str.h"
#include "source/print.h"
#include "source/treediff.h"

enum { TEXT_SHOWN = 60 }; /* bytes of a node's text in one line */

/* ---- Text ------------------------------------------------------------------------------- */

static void put_text(struct lw_sink *out, const struct lw_tree *t, uint32_t node)
{
    struct lw_str s = lw_tree_text(t, node), line = {"", 0}, rest = s;
    (void)lw_str_line(&rest, &line);
    bool cut = line.n < s.n || line.n > TEXT_SHOWN;
    if (line.n > TEXT_SHOWN)
        line.n = TEXT_SHOWN;
    lw_put_char(out, '`');
    lw_put_safe(out, line, false);
    lw_putz(out, cut ? "...`" : "`");
}

static void put_place(struct lw_sink *out, struct lw_tree *t, uint32_t node)
{
    struct lw_position at = lw_tree_position(t, lw_tree_start(t, node));
    lw_putf(out, "%u:%u", at.line, at.column);
}

static void put_edit(struct lw_sink *out, const struct lw_term *term, const struct lw_edit *e,
                     struct lw_tree *a, struct lw_tree *b)
{
    static const enum lw_colour colours[] = {LW_GREEN, LW_RED, LW_YELLOW, LW_BLUE};
    struct lw_tree *t = e->old_node == LW_NO_NODE ? b : a;
    uint32_t node = e->old_node == LW_NO_NODE ? e->new_node : e->old_node;
    lw_putf(out, "%s%s%s ", lw_colour(term, colours[e->kind]),
            lw_edit_kind_name((enum lw_edit_kind)e->kind), lw_colour(term, LW_PLAIN));
    put_place(out, t, node);
    lw_putf(out, " %s ", lw_node_kind_name(lw_tree_kind(t, node)));
    put_text(out, t, node);
    if (e->kind == LW_EDIT_UPDATE || e->kind == LW_EDIT_MOVE) {
        lw_putz(out, " -> ");
        put_place(out, b, e->new_node);
        lw_put_char(out, ' ');
    }
    if (e->kind == LW_EDIT_UPDATE && lw_tree_kind(b, e->new_node) != lw_tree_kind(t, node))
        lw_putf(out, "%s ", lw_node_kind_name(lw_tree_kind(b, e->new_node)));
    if (e->kind == LW_EDIT_UPDATE)
        put_text(out, b, e->new_node);
    if (e->kind == LW_EDIT_MOVE)
        lw_putf(out, "%s", lw_role_name((enum lw_role)e->role));
    if (e->kind <= LW_EDIT_DELETE && !e->whole)
        lw_putz(out, " (without what was moved)");
    lw_put_char(out, '\n');
}

void lw_treediff_print(struct lw_sink *out, const struct lw_term *term, struct lw_treediff *d,
                       struct lw_tree *old_tree, struct lw_tree *new_tree)
{
    for (size_t i = 0; i < d->edits.n; i++)
        put_edit(out, term, &d->edits.v[i], old_tree, new_tree);
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void json_node(struct lw_jsonw *w, const char *key, struct lw_tree *t, uint32_t node)
{
    lw_json_key(w, key);
    if (node == LW_NO_NODE) {
        lw_json_null(w);
        return;
    }
    lw_json_object(w);
    lw_json_key_text(w, "kind", lw_str(lw_node_kind_name(lw_tree_kind(t, node))));
    lw_json_range(w, t, lw_tree_start(t, node), lw_tree_end(t, node));
    lw_json_key_text(w, "text", lw_tree_text(t, node));
    lw_json_end(w);
}

void lw_treediff_json(struct lw_jsonw *w, struct lw_treediff *d, struct lw_tree *old_tree,
                      struct lw_tree *new_tree)
{
    lw_json_key_int(w, "changed_tokens", (int64_t)lw_treediff_size(d));
    lw_json_key_bool(w, "coarse", d->coarse);
    lw_json_key(w, "edits");
    lw_json_array(w);
    for (size_t i = 0; i < d->edits.n; i++) {
        const struct lw_edit *e = &d->edits.v[i];
        lw_json_object(w);
        lw_json_key_text(w, "edit", lw_str(lw_edit_kind_name((enum lw_edit_kind)e->kind)));
        lw_json_key_bool(w, "whole", e->whole);
        lw_json_key_int(w, "tokens", e->tokens);
        json_node(w, "old", old_tree, e->old_node);
        json_node(w, "new", new_tree, e->new_node);
        lw_json_end(w);
    }
    lw_json_end(w);
}

/* ---- Two columns ------------------------------------------------------------------------ */

struct side {
    struct lw_str *lines;
    uint8_t *marks; /* 0, or enum lw_edit_kind + 1 */
    size_t n;
};

static int split(struct side *s, struct lw_arena *arena, struct lw_tree *t)
{
    struct lw_str rest = t->lexed.text, line;
    size_t count = lw_tree_position(t, (uint32_t)rest.n).line;
    s->lines = lw_arena_array(arena, count, sizeof *s->lines);
    s->marks = lw_arena_array(arena, count + 1, 1);
    s->n = 0;
    if (!s->lines || !s->marks)
        return LW_ENOMEM;
    while (s->n < count && lw_str_line(&rest, &line))
        s->lines[s->n++] = line;
    return 0;
}

static void mark(struct side *s, struct lw_tree *t, uint32_t first, uint32_t last, uint8_t kind)
{
    uint32_t a = lw_tree_position(t, t->lexed.tokens.v[first].start).line;
    uint32_t b = lw_tree_position(t, t->lexed.tokens.v[last].end).line;
    for (uint32_t l = a; l <= b && l <= s->n; l++)
        s->marks[l - 1] = kind;
}

/* The lines of the node, or only those of its own words when children stay. */
static void mark_node(struct side *s, struct lw_tree *t, uint32_t node, bool whole,
                      uint8_t kind)
{
    const struct lw_node *n = lw_tree_node(t, node);
    if (n->flags & LW_NODE_EMPTY)
        return;
    if (whole || n->count == 0) {
        mark(s, t, n->first, n->last, kind);
        return;
    }
    struct lw_own_walk w = {0};
    for (uint32_t i; (i = lw_own_token(t, node, &w)) != LW_NO_TOKEN;)
        if (t->lexed.tokens.v[i].kind > LW_TOK_DEDENT)
            mark(s, t, i, i, kind);
}

static void put_cell(struct lw_sink *out, const struct lw_term *term, const struct side *s,
                     size_t i, size_t width)
{
    static const enum lw_colour colours[] = {LW_PLAIN, LW_GREEN, LW_RED, LW_YELLOW, LW_BLUE};
    static const char signs[] = " +-~>";
    bool there = i < s->n;
    uint8_t m = there ? s->marks[i] : 0;
    struct lw_str line = there ? s->lines[i] : (struct lw_str){"", 0};
    size_t shown = line.n < width ? line.n : width;
    if (there)
        lw_putf(out, "%s%5zu %c ", lw_colour(term, colours[m]), i + 1, signs[m]);
    else
        lw_putz(out, "        ");
    lw_put_safe(out, lw_str_part(line, 0, shown), true);
    if (there)
        lw_putz(out, lw_colour(term, LW_PLAIN));
    lw_put_fill(out, ' ', width - shown);
}

struct row {
    size_t i, j; /* SIZE_MAX: nothing on that side */
};

enum { LOOK_AHEAD = 400 };

/* How many lines to show alone so that the sides meet again; on which side. */
static size_t resync(const struct side *a, size_t i, const struct side *b, size_t j, bool *left)
{
    for (size_t k = 1; k < LOOK_AHEAD; k++) {
        if (i + k < a->n && lw_str_eq(a->lines[i + k], b->lines[j])) {
            *left = true;
            return k;
        }
        if (j + k < b->n && lw_str_eq(a->lines[i], b->lines[j + k])) {
            *left = false;
            return k;
        }
    }
    return 0;
}

/* Whether the line comes soon on that side: if not, it stands there changed. */
static bool comes(const struct side *s, size_t at, struct lw_str line)
{
    for (size_t k = at; k < s->n && k < at + LOOK_AHEAD; k++)
        if (lw_str_eq(s->lines[k], line))
            return true;
    return false;
}

static size_t make_rows(const struct side *a, const struct side *b, struct row *rows)
{
    size_t i = 0, j = 0, n = 0;
    while (i < a->n || j < b->n) {
        bool left = i < a->n, right = j < b->n, one;
        if (left && right && !a->marks[i] != !b->marks[j]) {
            bool alone = a->marks[i] ? comes(a, i, b->lines[j]) : comes(b, j, a->lines[i]);
            left = !alone || a->marks[i];
            right = !alone || !left;
        } else if (left && right && !a->marks[i] && !lw_str_eq(a->lines[i], b->lines[j])) {
            for (size_t k = resync(a, i, b, j, &one); k > 0; k--)
                rows[n++] = one ? (struct row){i++, SIZE_MAX} : (struct row){SIZE_MAX, j++};
        }
        rows[n++] = (struct row){left ? i++ : SIZE_MAX, right ? j++ : SIZE_MAX};
    }
    return n;
}

static bool is_changed(const struct side *a, const struct side *b, const struct row *r)
{
    if (r->i == SIZE_MAX || r->j == SIZE_MAX || a->marks[r->i] || b->marks[r->j])
        return true;
    return !lw_str_eq(a->lines[r->i], b->lines[r->j]);
}

static void put_rows(struct lw_sink *out, const struct lw_term *term, const struct side *a,
                     const struct side *b, const struct row *rows, size_t n, uint32_t context)
{
    size_t width = term->columns > 40 ? (term->columns - 19) / 2 : 80, shown = 0;
    for (size_t r = 0; r < n; r++) {
        bool near = false;
        size_t from = r > context ? r - context : 0;
        for (size_t k = from; k <= r + context && k < n && !near; k++)
            near = is_changed(a, b, &rows[k]);
        if (!near)
            continue;
        if (shown != r)
            lw_putf(out, "%s  ...%s\n", lw_colour(term, LW_DIM), lw_colour(term, LW_PLAIN));
        put_cell(out, term, a, rows[r].i, width);
        lw_putz(out, " | ");
        put_cell(out, term, b, rows[r].j, width);
        lw_put_char(out, '\n');
        shown = r + 1;
    }
}

static int side_by_side(struct lw_sink *out, const struct lw_term *term, struct lw_treediff *d,
                        struct lw_tree *a, struct lw_tree *b, uint32_t context,
                        struct lw_arena *arena)
{
    struct side l, r;
    if (split(&l, arena, a) < 0 || split(&r, arena, b) < 0)
        return LW_ENOMEM;
    for (size_t i = 0; i < d->edits.n; i++) {
        const struct lw_edit *e = &d->edits.v[i];
        uint8_t kind = (uint8_t)(e->kind + 1);
        bool whole = e->kind != LW_EDIT_UPDATE && (e->kind == LW_EDIT_MOVE || e->whole);
        if (e->old_node != LW_NO_NODE)
            mark_node(&l, a, e->old_node, whole, kind);
        if (e->new_node != LW_NO_NODE)
            mark_node(&r, b, e->new_node, whole, kind);
    }
    struct row *rows = lw_arena_array(arena, l.n + r.n + 1, sizeof *rows);
    if (!rows)
        return LW_ENOMEM;
    put_rows(out, term, &l, &r, rows, make_rows(&l, &r, rows), context);
    return 0;
}

int lw_treediff_side(struct lw_sink *out, const struct lw_term *term, struct lw_treediff *d,
                     struct lw_tree *old_tree, struct lw_tree *new_tree, uint32_t context,
                     struct lw_err *err)
{
    struct lw_arena arena;
    lw_arena_init(&arena, d->mem, 0);
    int rc = side_by_side(out, term, d, old_tree, new_tree, context, &arena);
    lw_arena_release(&arena);
    return rc < 0 ? lw_err_nomem(err) : 0;
}
