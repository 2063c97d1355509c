#include "source/edit_fix.h"

#include <string.h>

#include "base/err.h"
#include "base/linediff.h"
#include "base/str.h"

const char *lw_fix_sort_name(enum lw_fix_sort sort)
{
    static const char *const names[] = {"code",       "import", "docstring", "comment",
                                        "formatting", "test",   "other"};
    return names[sort];
}

static bool has_test(struct lw_str part)
{
    for (size_t i = 0; i + 4 <= part.n; i++)
        if (lw_str_eq_nocase(lw_str_part(part, i, 4), LW_S("test")))
            return true;
    return false;
}

bool lw_fix_is_test(struct lw_str path)
{
    struct lw_str part;
    while (lw_str_split(&path, '/', &part))
        if (has_test(part))
            return true;
    return false;
}

/* ---- What the edits of the tree touch --------------------------------------------------- */

/* Marks by line: bit s is set when an edit of sort s touches it. */
struct marks {
    uint8_t *v;
    size_t n;
};

static enum lw_fix_sort sort_of(const struct lw_tree *t, uint32_t node)
{
    uint32_t s = node == t->root ? LW_NO_NODE : lw_tree_statement(t, node);
    if (s == LW_NO_NODE)
        return LW_FIX_CODE;
    enum lw_node_kind kind = lw_tree_kind(t, s);
    if (kind == LW_NODE_IMPORT || kind == LW_NODE_IMPORT_FROM)
        return LW_FIX_IMPORT;
    uint32_t value = kind == LW_NODE_EXPR ? lw_tree_get(t, s, LW_ROLE_VALUE) : LW_NO_NODE;
    return value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_STRING ? LW_FIX_DOCSTRING
                                                                           : LW_FIX_CODE;
}

static void mark_tokens(struct marks *m, struct lw_tree *t, uint32_t first, uint32_t last,
                        unsigned bit)
{
    uint32_t a = lw_tree_position(t, t->lexed.tokens.v[first].start).line;
    uint32_t b = lw_tree_position(t, t->lexed.tokens.v[last].end).line;
    for (uint32_t l = a; l <= b && l <= m->n; l++)
        m->v[l - 1] |= (uint8_t)bit;
}

/* An edit of a node without what is below touches the lines of its own tokens only. */
static void mark_edit(struct marks *m, struct lw_tree *t, uint32_t node, bool whole)
{
    const struct lw_node *n = lw_tree_node(t, node);
    unsigned bit = 1u << sort_of(t, node);
    if (n->flags & LW_NODE_EMPTY)
        return;
    if (whole || n->count == 0) {
        mark_tokens(m, t, n->first, n->last, bit);
        return;
    }
    struct lw_own_walk w = {0};
    for (uint32_t i; (i = lw_own_token(t, node, &w)) != LW_NO_TOKEN;)
        if (t->lexed.tokens.v[i].kind > LW_TOK_DEDENT)
            mark_tokens(m, t, i, i, bit);
}

static void mark_all(const struct lw_treediff *d, struct lw_tree *a, struct lw_tree *b,
                     struct marks *old_marks, struct marks *new_marks)
{
    for (size_t i = 0; i < d->edits.n; i++) {
        const struct lw_edit *e = &d->edits.v[i];
        bool whole = e->kind == LW_EDIT_MOVE || e->whole;
        if (e->old_node != LW_NO_NODE)
            mark_edit(old_marks, a, e->old_node, whole);
        if (e->new_node != LW_NO_NODE)
            mark_edit(new_marks, b, e->new_node, whole);
    }
}

static unsigned bits_of(const struct marks *m, uint32_t first, uint32_t count)
{
    unsigned bits = 0;
    for (uint32_t l = first; l < first + count; l++)
        if (l >= 1 && l <= m->n)
            bits |= m->v[l - 1];
    return bits;
}

/* ---- Comments --------------------------------------------------------------------------- */

/* A hash of the comments that begin on the lines. */
static uint64_t comments_of(struct lw_tree *t, uint32_t first, uint32_t count)
{
    uint64_t h = 0;
    for (size_t i = 0; i < t->lexed.trivia.n; i++) {
        const struct lw_trivia *x = &t->lexed.trivia.v[i];
        uint32_t line = lw_tree_position(t, x->start).line;
        if (x->kind == LW_TRIVIA_COMMENT && line >= first && line < first + count)
            h = h * 31 + lw_str_hash(lw_str_part(t->lexed.text, x->start, x->end - x->start));
    }
    return h;
}

static uint32_t sort_hunk(const struct lw_fix_hunk *h, const struct marks *a,
                          const struct marks *b, struct lw_tree *old_tree,
                          struct lw_tree *new_tree)
{
    unsigned bits =
        bits_of(a, h->old_first, h->old_count) | bits_of(b, h->new_first, h->new_count);
    for (uint32_t s = LW_FIX_CODE; s <= LW_FIX_DOCSTRING; s++)
        if (bits & 1u << s)
            return s;
    return comments_of(old_tree, h->old_first, h->old_count) !=
                   comments_of(new_tree, h->new_first, h->new_count)
               ? LW_FIX_COMMENT
               : LW_FIX_FORMATTING;
}

/* ---- Hunks ------------------------------------------------------------------------------ */

struct sorter {
    lw_fix_vec *out;
    struct lw_mem *mem;
    struct lw_tree *a, *b;
    struct marks old_marks, new_marks;
    bool test, python;
};

static int add_hunk(void *data, const struct lw_line_hunk *line)
{
    struct sorter *s = data;
    struct lw_fix_hunk f = {.old_first = (uint32_t)line->old_first + (line->old_count > 0),
                            .old_count = (uint32_t)line->old_count,
                            .new_first = (uint32_t)line->new_first + (line->new_count > 0),
                            .new_count = (uint32_t)line->new_count,
                            .sort = LW_FIX_OTHER};
    if (s->test)
        f.sort = LW_FIX_TEST;
    else if (s->python)
        f.sort = sort_hunk(&f, &s->old_marks, &s->new_marks, s->a, s->b);
    return lw_vec_push(s->mem, s->out, f);
}

static bool make_marks(struct marks *m, struct lw_arena *arena, struct lw_tree *t)
{
    m->n = lw_tree_position(t, (uint32_t)t->lexed.text.n).line;
    m->v = lw_arena_array(arena, m->n, 1);
    return m->v != NULL;
}

int lw_fix_hunks(lw_fix_vec *out, struct lw_mem *mem, struct lw_str path,
                 const struct lw_treediff *d, struct lw_tree *old_tree,
                 struct lw_tree *new_tree, struct lw_err *err)
{
    struct lw_arena arena;
    struct sorter s = {.out = out, .mem = mem, .a = old_tree, .b = new_tree};
    s.test = lw_fix_is_test(path);
    s.python = lw_str_has_suffix(path, LW_S(".py")) || lw_str_has_suffix(path, LW_S(".ipynb"));
    lw_arena_init(&arena, mem, 0);
    int rc = LW_ENOMEM;
    if (make_marks(&s.old_marks, &arena, old_tree) &&
        make_marks(&s.new_marks, &arena, new_tree)) {
        mark_all(d, old_tree, new_tree, &s.old_marks, &s.new_marks);
        rc = lw_linediff(mem, old_tree->lexed.text, new_tree->lexed.text, 0, add_hunk, &s, err);
    }
    lw_arena_release(&arena);
    return rc < 0 ? lw_err_nomem(err) : 0;
}
