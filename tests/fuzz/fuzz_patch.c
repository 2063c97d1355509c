/* Any text is a patch or an error; what was read adds up, and prints and reads back the same.
 */
#include "base/buf.h"
#include "source/edit_patch.h"
#include "source_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct lw_patch *p)
{
    uint32_t hunk = 0, line = 0;
    for (size_t f = 0; f < p->files.n; f++) {
        INVARIANT(p->files.v[f].first_hunk == hunk);
        hunk += p->files.v[f].hunk_count;
    }
    INVARIANT(hunk == p->hunks.n);
    for (size_t h = 0; h < p->hunks.n; h++) {
        const struct lw_patch_hunk *x = &p->hunks.v[h];
        uint32_t olds = 0, news = 0;
        INVARIANT(x->first_line == line);
        for (uint32_t i = 0; i < x->line_count; i++, line++) {
            olds += p->lines.v[line].sign != '+';
            news += p->lines.v[line].sign != '-';
        }
        INVARIANT(olds == x->old_count && news == x->new_count);
    }
    INVARIANT(line == p->lines.n);
}

static void print(const struct lw_patch *p, struct lw_buf *out)
{
    for (size_t f = 0; f < p->files.n; f++) {
        const struct lw_patch_file *x = &p->files.v[f];
        (void)lw_buf_addf(out, "--- a/%.*s\t\n+++ b/%.*s\t\n", LW_F(x->old_path),
                          LW_F(x->new_path));
        for (uint32_t h = x->first_hunk; h < x->first_hunk + x->hunk_count; h++) {
            const struct lw_patch_hunk *k = &p->hunks.v[h];
            (void)lw_buf_addf(out, "@@ -%u,%u +%u,%u @@\n", k->old_first, k->old_count,
                              k->new_first, k->new_count);
            for (uint32_t i = k->first_line; i < k->first_line + k->line_count; i++) {
                (void)lw_buf_add_char(out, p->lines.v[i].sign);
                (void)lw_buf_add(out, p->lines.v[i].text);
                (void)lw_buf_addz(out, p->lines.v[i].no_newline ? "\n\\ x\n" : "\n");
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_str text = lw_str_n((const char *)data, size);
    struct lw_patch p, q;
    struct lw_buf out, applied;
    struct lw_err err;
    lw_patch_init(&p, NULL);
    lw_patch_init(&q, NULL);
    lw_buf_init(&out, NULL, 0);
    lw_buf_init(&applied, NULL, 0);
    if (lw_patch_parse(&p, text, &err) == 0) {
        check(&p);
        print(&p, &out);
        INVARIANT(lw_patch_parse(&q, lw_buf_str(&out), &err) == 0);
        INVARIANT(q.files.n == p.files.n && q.hunks.n == p.hunks.n && q.lines.n == p.lines.n);
        for (uint32_t f = 0; f < p.files.n && f < 4; f++)
            (void)lw_patch_apply(&p, f, text, &applied, &err);
    }
    lw_buf_release(&applied);
    lw_buf_release(&out);
    lw_patch_release(&q);
    lw_patch_release(&p);
    return 0;
}
