/* From a whole commit to the fix in it: see lw_changes_isolate in mirror.h. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "catalog/mirror.h"
#include "source/edit_fix.h"
#include "source/text.h"

struct pair {
    struct lw_tree tree[2];
    struct lw_treediff diff;
    lw_fix_vec hunks;
};

static int read_pair(struct pair *p, const struct lw_change *c, struct lw_arena *arena,
                     struct lw_mem *mem, struct lw_err *err)
{
    for (int side = LW_BUGGY; side <= LW_FIXED; side++) {
        struct lw_source source;
        if (lw_source_decode(&source, arena, c->path, c->text[side], err) < 0 ||
            lw_tree_parse(&p->tree[side], source.text, err) < 0)
            return err->code;
    }
    if (lw_treediff_build(&p->diff, &p->tree[0], &p->tree[1], err) < 0)
        return err->code;
    return lw_fix_hunks(&p->hunks, mem, c->path, &p->diff, &p->tree[0], &p->tree[1], err);
}

/* Adds lines `first` .. `first + count` (from 1) of the text. */
static void add_lines(struct lw_buf *out, struct lw_str text, uint32_t first, uint32_t count)
{
    size_t at = 0;
    for (uint32_t line = 1; at < text.n && line < first + count; line++) {
        ptrdiff_t end = lw_str_find_char(lw_str_from(text, at), '\n');
        size_t n = end < 0 ? text.n - at : (size_t)end + 1;
        if (line >= first)
            lw_buf_add(out, lw_str_part(text, at, n));
        at += n;
    }
}

static bool is_fix(const struct lw_fix_hunk *h)
{
    return h->sort == LW_FIX_CODE || h->sort == LW_FIX_IMPORT;
}

/* The old text with only the hunks of the fix applied. */
static int apply_fix(struct lw_change *c, const lw_fix_vec *hunks, struct lw_arena *arena,
                     struct lw_mem *mem, struct lw_err *err)
{
    struct lw_buf out;
    uint32_t next = 1;
    lw_buf_init(&out, mem, 0);
    for (size_t i = 0; i < hunks->n; i++) {
        const struct lw_fix_hunk *h = &hunks->v[i];
        if (!is_fix(h))
            continue;
        uint32_t first = h->old_count ? h->old_first : h->old_first + 1;
        add_lines(&out, c->text[LW_BUGGY], next, first - next);
        uint32_t new_first = h->new_count ? h->new_first : h->new_first + 1;
        add_lines(&out, c->text[LW_FIXED], new_first, h->new_count);
        next = first + h->old_count;
    }
    add_lines(&out, c->text[LW_BUGGY], next, UINT32_MAX - next);
    c->text[LW_FIXED] =
        out.failed ? (struct lw_str){NULL, 0} : lw_arena_copy(arena, lw_buf_str(&out));
    lw_buf_release(&out);
    return c->text[LW_FIXED].p ? 0 : lw_err_nomem(err);
}

/* `*kept` says whether anything of the change belongs to the fix. */
static int isolate_one(struct lw_change *c, struct lw_arena *arena, struct lw_mem *mem,
                       bool *kept, struct lw_err *err)
{
    struct pair p;
    *kept = false;
    if (!lw_str_has_suffix(c->path, LW_S(".py")) || lw_fix_is_test(c->path))
        return 0;
    *kept = true;
    if (!c->text[0].p || !c->text[1].p)
        return 0;
    memset(&p, 0, sizeof p);
    lw_tree_init(&p.tree[0], mem);
    lw_tree_init(&p.tree[1], mem);
    lw_treediff_init(&p.diff, mem);
    int rc = read_pair(&p, c, arena, mem, err);
    if (rc == 0) {
        *kept = false;
        for (size_t i = 0; i < p.hunks.n; i++)
            *kept = *kept || is_fix(&p.hunks.v[i]);
        if (*kept)
            rc = apply_fix(c, &p.hunks, arena, mem, err);
    } else if (rc == LW_EINVAL) {
        rc = 0; /* not text that Python can have: shown whole */
    }
    lw_vec_release(mem, &p.hunks);
    lw_treediff_release(&p.diff);
    lw_tree_release(&p.tree[1]);
    lw_tree_release(&p.tree[0]);
    return rc;
}

int lw_changes_isolate(lw_change_vec *changes, struct lw_arena *arena, struct lw_mem *mem,
                       struct lw_err *err)
{
    lw_change_vec fix = {0};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < changes->n; i++) {
        struct lw_change c = changes->v[i];
        bool kept;
        rc = isolate_one(&c, arena, mem, &kept, err);
        if (rc == 0 && kept && lw_vec_push(mem, &fix, c) < 0)
            rc = lw_err_nomem(err);
    }
    if (rc == 0 && fix.n) {
        memcpy(changes->v, fix.v, fix.n * sizeof *fix.v);
        changes->n = fix.n;
    }
    lw_vec_release(mem, &fix);
    return rc;
}
