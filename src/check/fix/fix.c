/* From what a maker wrote to the fix of a finding: byte ranges become lines and columns. */
#include "base/err.h"
#include "check/fix/fix.h"

#include <string.h>

#include "base/str.h"

/* By place; what is inserted at one place stays in the order it came in. */
static void sort_edits(struct fix *f)
{
    for (size_t i = 1; i < f->n; i++) {
        struct fix_edit e = f->edits[i];
        size_t k = i;
        for (; k > 0 && f->edits[k - 1].from > e.from; k--)
            f->edits[k] = f->edits[k - 1];
        f->edits[k] = e;
    }
}

/* Edits that change nothing go, insertions at one place become one. False: they overlap. */
static bool tidy_edits(struct fix *f)
{
    size_t n = 0;
    sort_edits(f);
    for (size_t i = 0; i < f->n; i++) {
        struct fix_edit e = f->edits[i];
        struct fix_edit *last = n ? &f->edits[n - 1] : NULL;
        if (e.from == e.to && e.text.n == 0)
            continue;
        if (last && last->to > e.from)
            return false;
        if (last && last->to == e.from) { /* touching ones are one */
            last->to = e.to;
            last->text = ck_text(f->c, "%.*s%.*s", LW_F(last->text), LW_F(e.text));
            continue;
        }
        f->edits[n++] = e;
    }
    f->n = n;
    return true;
}

/* Lines and columns as those of the finding: within the cell of a notebook. False: the edit is
 * in another cell than the finding. */
static bool place_edit(struct fix *f, const struct fix_edit *e, struct lw_finding_edit *out)
{
    struct lw_position a = lw_tree_position(f->t, e->from);
    struct lw_position b = lw_tree_position(f->t, e->to);
    struct lw_position at = lw_tree_position(f->t, lw_tree_start(f->t, f->node));
    const struct lw_notebook *nb = &f->file->source.notebook;
    *out = (struct lw_finding_edit){a.line, a.column, b.line, b.column, e->text};
    if (!nb->cell_count)
        return true;
    uint32_t line;
    const struct lw_cell *cell = lw_notebook_locate(nb, at.line, &line);
    if (!cell || a.line < cell->first_line || b.line >= cell->first_line + cell->line_count)
        return false;
    out->line -= cell->first_line - 1;
    out->end_line -= cell->first_line - 1;
    return true;
}

static struct lw_finding_fix finish(struct fix *f)
{
    struct lw_finding_fix none = {0};
    if (f->failed || f->n == 0 || !f->description.n || !tidy_edits(f) || f->n == 0)
        return none;
    struct lw_finding_edit *edits = lw_arena_array(f->c->arena, f->n, sizeof *edits);
    for (size_t i = 0; edits && i < f->n; i++)
        if (!place_edit(f, &f->edits[i], &edits[i]))
            return none;
    if (!edits)
        return none;
    return (struct lw_finding_fix){f->description, edits, f->n};
}

/* Lines that end in a CR alone: the last to write them was Mac OS 9. */
static bool has_old_lines(struct lw_str text)
{
    const char *cr = text.n ? memchr(text.p, '\r', text.n) : NULL;
    return cr && (cr + 1 == text.p + text.n || cr[1] != '\n');
}

struct lw_finding_fix fix_make(fix_maker *make, struct ck *c, struct ck_file *file,
                               uint32_t node, struct lw_str rule, const struct lw_value *causes,
                               size_t cause_count, const struct ck_hint *hint)
{
    LW_BUG_ON(!make || !file || !hint || (cause_count && !causes));
    if (has_old_lines(file->tree.lexed.text))
        return (struct lw_finding_fix){0};
    struct fix f = {.c = c,
                    .file = file,
                    .t = &file->tree,
                    .node = node,
                    .rule = rule,
                    .hint = hint,
                    .causes = causes,
                    .cause_count = cause_count};
    c->quiet++; /* makers may evaluate names */
    make(&f);
    c->quiet--;
    return finish(&f);
}
