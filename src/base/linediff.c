#include "base/linediff.h"

#include "base/err.h"
#include "base/map.h"
#include "base/seqdiff.h"
#include "base/str.h"
#include "base/vec.h"

struct lines {
    LW_VEC(struct lw_str) all;
    uint64_t *ids; /* equal lines have equal numbers */
    bool *keep;    /* for each line: is it part of the common subsequence? */
};

struct diff {
    struct lw_mem *mem;
    struct lines a, b;
};

/* Lines keep their line ends, so that a missing one at the end is a difference. */
static int cut_lines(struct lw_mem *mem, struct lw_str text, struct lines *lines)
{
    while (text.n) {
        ptrdiff_t end = lw_str_find_char(text, '\n');
        size_t n = end == LW_NPOS ? text.n : (size_t)end + 1;
        if (lw_vec_push(mem, &lines->all, lw_str_part(text, 0, n)) < 0)
            return LW_ENOMEM;
        text = lw_str_from(text, n);
    }
    lines->ids = lw_mem_alloc(mem, lines->all.n * sizeof *lines->ids);
    lines->keep = lw_mem_alloc(mem, lines->all.n);
    return lines->ids && lines->keep ? 0 : LW_ENOMEM;
}

static void release_lines(struct lw_mem *mem, struct lines *lines)
{
    lw_mem_free(mem, lines->ids, lines->all.n * sizeof *lines->ids);
    lw_mem_free(mem, lines->keep, lines->all.n);
    lw_vec_release(mem, &lines->all);
}

static int number_lines(struct lw_map *seen, struct lines *lines)
{
    for (size_t i = 0; i < lines->all.n; i++) {
        bool is_new;
        struct lw_map_entry *e = lw_map_put(seen, lines->all.v[i], &is_new);
        if (!e)
            return LW_ENOMEM;
        if (is_new)
            e->value = seen->n;
        lines->ids[i] = e->value;
    }
    return 0;
}

static int compare(struct diff *d, struct lw_str old_text, struct lw_str new_text)
{
    struct lw_map seen;
    lw_map_init(&seen, d->mem);
    int rc = cut_lines(d->mem, old_text, &d->a);
    if (rc == 0)
        rc = cut_lines(d->mem, new_text, &d->b);
    if (rc == 0)
        rc = number_lines(&seen, &d->a);
    if (rc == 0)
        rc = number_lines(&seen, &d->b);
    lw_map_release(&seen);
    if (rc == 0)
        rc = lw_seqdiff(d->mem, d->a.ids, d->a.all.n, d->b.ids, d->b.all.n, d->a.keep,
                        d->b.keep);
    return rc;
}

static void release(struct diff *d)
{
    release_lines(d->mem, &d->a);
    release_lines(d->mem, &d->b);
}

/* ---- Hunks ------------------------------------------------------------------------------ */

/* Moves (i, j) over lines that both keep, at most `most`; the number of them. */
static size_t skip_common(const struct diff *d, size_t *i, size_t *j, size_t most)
{
    size_t n = 0;
    while (n < most && *i < d->a.all.n && *j < d->b.all.n && d->a.keep[*i] && d->b.keep[*j]) {
        ++*i;
        ++*j;
        n++;
    }
    return n;
}

static int each_hunk(const struct diff *d, size_t context, lw_linediff_fn *hunk, void *data)
{
    size_t i = 0, j = 0;
    for (;;) {
        size_t common = skip_common(d, &i, &j, SIZE_MAX);
        if (i >= d->a.all.n && j >= d->b.all.n)
            return 0;
        size_t before = common < context ? common : context;
        size_t a0 = i - before, b0 = j - before;
        for (;;) {
            while (i < d->a.all.n && !d->a.keep[i])
                i++;
            while (j < d->b.all.n && !d->b.keep[j])
                j++;
            size_t ahead_i = i, ahead_j = j;
            size_t gap = skip_common(d, &ahead_i, &ahead_j, 2 * context + 1);
            bool more = ahead_i < d->a.all.n || ahead_j < d->b.all.n;
            if (gap > 2 * context || !more) {
                size_t after = gap < context ? gap : context;
                i += after;
                j += after;
                break;
            }
            i = ahead_i;
            j = ahead_j;
        }
        struct lw_line_hunk h = {a0, i - a0, b0, j - b0};
        int rc = hunk(data, &h);
        if (rc < 0)
            return rc;
    }
}

int lw_linediff(struct lw_mem *mem, struct lw_str old_text, struct lw_str new_text,
                size_t context, lw_linediff_fn *hunk, void *data, struct lw_err *err)
{
    struct diff d = {.mem = mem};
    int rc = compare(&d, old_text, new_text);
    if (rc < 0)
        (void)lw_err_nomem(err);
    else
        rc = each_hunk(&d, context, hunk, data);
    release(&d);
    return rc;
}

/* ---- Print ------------------------------------------------------------------------------ */

struct printer {
    const struct diff *d;
    struct lw_sink *out;
    const struct lw_term *term;
};

static void put_line(struct lw_sink *out, const struct lw_term *term, char mark,
                     struct lw_str line)
{
    enum lw_colour colour = mark == '+' ? LW_GREEN : mark == '-' ? LW_RED : LW_PLAIN;
    bool ended = line.n && line.p[line.n - 1] == '\n';
    if (ended)
        line.n--;
    bool cr = ended && line.n && line.p[line.n - 1] == '\r';
    if (cr)
        line.n--;
    if (colour != LW_PLAIN)
        lw_putz(out, lw_colour(term, colour));
    lw_put_char(out, mark);
    /* Tabs are part of the text; everything else that drives a terminal is shown. */
    lw_put_safe(out, line, true);
    if (colour != LW_PLAIN)
        lw_putz(out, lw_colour(term, LW_PLAIN));
    lw_putz(out, cr ? "\r\n" : "\n"); /* so that `patch` can use it */
    if (!ended)
        lw_putz(out, "\\ No newline at end of file\n");
}

static int put_hunk(void *data, const struct lw_line_hunk *h)
{
    const struct printer *p = data;
    const struct diff *d = p->d;
    lw_putf(p->out, "%s@@ -%zu,%zu +%zu,%zu @@%s\n", lw_colour(p->term, LW_CYAN),
            h->old_first + (h->old_count > 0), h->old_count, h->new_first + (h->new_count > 0),
            h->new_count, lw_colour(p->term, LW_PLAIN));
    size_t i = h->old_first, j = h->new_first;
    while (i < h->old_first + h->old_count || j < h->new_first + h->new_count) {
        if (i < h->old_first + h->old_count && !d->a.keep[i]) {
            put_line(p->out, p->term, '-', d->a.all.v[i++]);
        } else if (j < h->new_first + h->new_count && !d->b.keep[j]) {
            put_line(p->out, p->term, '+', d->b.all.v[j++]);
        } else {
            put_line(p->out, p->term, ' ', d->a.all.v[i++]);
            j++;
        }
    }
    return 0;
}

int lw_linediff_print(struct lw_sink *out, const struct lw_term *term, struct lw_mem *mem,
                      struct lw_str old_name, struct lw_str old_text, struct lw_str new_name,
                      struct lw_str new_text, size_t context, bool *changed, struct lw_err *err)
{
    struct diff d = {.mem = mem};
    struct printer p = {&d, out, term};
    *changed = !lw_str_eq(old_text, new_text);
    if (!*changed)
        return 0;
    int rc = compare(&d, old_text, new_text);
    if (rc == 0) {
        lw_putf(out, "%s--- ", lw_colour(term, LW_BOLD));
        lw_put_safe(out, old_name, false);
        lw_putz(out, "\n+++ ");
        lw_put_safe(out, new_name, false);
        lw_putf(out, "%s\n", lw_colour(term, LW_PLAIN));
        (void)each_hunk(&d, context, put_hunk, &p);
    }
    release(&d);
    return rc < 0 ? lw_err_nomem(err) : 0;
}
