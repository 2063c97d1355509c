/* Any bytes are a notebook or an error; every line of its text belongs to a cell, and the
 * reader that knows places sees the same code. */
#include "check/fix/apply.h"
#include "source/text.h"
#include "source_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_cells(const struct lw_source *s)
{
    uint32_t next = 1, in_cell = 0;
    for (uint32_t i = 0; i < s->notebook.cell_count; i++) {
        const struct lw_cell *c = &s->notebook.cells[i];
        INVARIANT(c->first_line == next);
        next += c->line_count;
    }
    for (uint32_t line = 1; line < next; line++) {
        const struct lw_cell *c = lw_notebook_locate(&s->notebook, line, &in_cell);
        INVARIANT(c && in_cell >= 1 && in_cell <= c->line_count);
    }
    INVARIANT(lw_notebook_locate(&s->notebook, next, &in_cell) == NULL);
}

/* The code of the cells that are Python, as the other reader found it. */
static void check_places(const struct lw_source *s, struct lw_str json)
{
    struct lw_fix_notebook nb;
    struct lw_err err;
    if (lw_fix_notebook_read(&nb, NULL, json, &err) == 0) {
        struct lw_str rest = s->text;
        size_t k = 0;
        for (uint32_t i = 0; i < s->notebook.cell_count; i++) {
            const struct lw_cell *c = &s->notebook.cells[i];
            while (k < nb.cells.n && nb.cells.v[k].number < c->number)
                k++;
            if (!c->line_count)
                continue;
            size_t n = 0;
            if (k < nb.cells.n && nb.cells.v[k].number == c->number) {
                n = nb.cells.v[k].end - nb.cells.v[k].first;
                INVARIANT(n <= rest.n &&
                          (!n || memcmp(rest.p, nb.text.v + nb.cells.v[k].first, n) == 0));
            }
            bool ended = n && rest.p[n - 1] == '\n';
            rest = lw_str_from(rest, n + !ended);
        }
        INVARIANT(rest.n == 0);
        for (size_t i = 0; i < nb.map.n; i++)
            INVARIANT(nb.map.v[i] <= json.n);
    }
    lw_fix_notebook_release(&nb, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_arena arena;
    struct lw_source s;
    struct lw_err err;
    lw_arena_init(&arena, NULL, 0);
    if (lw_source_decode(&s, &arena, LW_S("x.ipynb"), lw_str_n((const char *)data, size),
                         &err) == 0) {
        struct lw_tree t;
        lw_tree_init(&t, NULL);
        check_cells(&s);
        check_places(&s, lw_str_n((const char *)data, size));
        if (lw_tree_parse(&t, s.text, &err) == 0)
            check_tree(&t);
        lw_tree_release(&t);
    }
    lw_arena_release(&arena);
    return 0;
}
