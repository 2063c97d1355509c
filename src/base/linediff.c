#include "base/linediff.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum {
    MAX_EDITS = 2000
}; /* the search keeps one row of diagonals per edit: 2000² / 2 numbers */

struct lines {
    LW_VEC(struct lw_str) all;
};

struct diff {
    struct lw_mem *mem;
    struct lines a, b;
    /* For each line: is it part of the common subsequence? */
    bool *keep_a, *keep_b;
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
    return 0;
}

static bool same(const struct diff *d, size_t i, size_t j)
{
    return lw_str_eq(d->a.all.v[i], d->b.all.v[j]);
}

/* Rows of furthest x per diagonal, one per number of edits; row e has 2e + 1 entries. */
typedef LW_VEC(int32_t) int_vec;

static size_t row_start(size_t edits)
{
    return edits * edits; /* 1 + 3 + 5 + … */
}

static int32_t furthest(const int_vec *rows, long edits, long k)
{
    if (edits < 0 || k < -edits || k > edits)
        return -1;
    return rows->v[row_start((size_t)edits) + (size_t)(k + edits)];
}

/* x after the best step onto diagonal k with `edits` edits: down (insert) or right (delete). */
static long step_onto(const int_vec *rows, long edits, long k)
{
    if (edits == 0)
        return 0;
    long down = furthest(rows, edits - 1, k + 1), right = furthest(rows, edits - 1, k - 1);
    return k == -edits || (k != edits && right < down) ? down : right + 1;
}

/* Walks back over the rows and marks the lines that both texts keep. */
static void mark_kept(struct diff *d, const int_vec *rows, long edits, size_t from, long n,
                      long m)
{
    long x = n, y = m;
    for (long e = edits; e >= 0; e--) {
        long k = x - y, start = step_onto(rows, e, k);
        while (x > start) {
            x--;
            y--;
            d->keep_a[from + (size_t)x] = d->keep_b[from + (size_t)y] = true;
        }
        if (e == 0)
            break;
        long down = furthest(rows, e - 1, k + 1), right = furthest(rows, e - 1, k - 1);
        if (k == -e || (k != e && right < down))
            y--;
        else
            x--;
    }
}

/* Myers 1986, on lines [from, from+n) and [from, from+m). */
static int search(struct diff *d, size_t from, long n, long m)
{
    int_vec rows = {0};
    int rc = 0;
    for (long e = 0; e <= n + m && e <= MAX_EDITS; e++) {
        if (lw_vec_reserve(d->mem, &rows, (size_t)(2 * e + 1)) < 0) {
            rc = LW_ENOMEM;
            break;
        }
        size_t base = row_start((size_t)e);
        rows.n = base + (size_t)(2 * e + 1);
        memset(rows.v + base, 0xff, (size_t)(2 * e + 1) * sizeof *rows.v);
        for (long k = -e; k <= e; k += 2) {
            long x = step_onto(&rows, e, k), y = x - k;
            if (x < 0 || y < 0 || x > n || y > m)
                continue;
            while (x < n && y < m && same(d, from + (size_t)x, from + (size_t)y)) {
                x++;
                y++;
            }
            rows.v[base + (size_t)(k + e)] = (int32_t)x;
            if (x >= n && y >= m) {
                mark_kept(d, &rows, e, from, n, m);
                goto out;
            }
        }
    }
out:
    lw_vec_release(d->mem, &rows);
    return rc;
}

static int compare(struct diff *d)
{
    size_t n = d->a.all.n, m = d->b.all.n, front = 0, back = 0;
    while (front < n && front < m && same(d, front, front)) {
        d->keep_a[front] = d->keep_b[front] = true;
        front++;
    }
    while (back < n - front && back < m - front && same(d, n - 1 - back, m - 1 - back)) {
        back++;
        d->keep_a[n - back] = d->keep_b[m - back] = true;
    }
    return search(d, front, (long)(n - front - back), (long)(m - front - back));
}

static void put_line(struct lw_sink *out, const struct lw_term *term, char mark,
                     struct lw_str line)
{
    enum lw_colour colour = mark == '+' ? LW_GREEN : mark == '-' ? LW_RED : LW_PLAIN;
    bool ended = line.n && line.p[line.n - 1] == '\n';
    if (ended)
        line.n--;
    if (colour != LW_PLAIN)
        lw_putz(out, lw_colour(term, colour));
    lw_put_char(out, mark);
    /* Tabs are part of the text; everything else that drives a terminal is shown. */
    lw_put_safe(out, line, true);
    if (colour != LW_PLAIN)
        lw_putz(out, lw_colour(term, LW_PLAIN));
    lw_put_char(out, '\n');
    if (!ended)
        lw_putz(out, "\\ No newline at end of file\n");
}

/* A hunk covers lines [a0, a1) of the old and [b0, b1) of the new text. */
static void put_hunk(const struct diff *d, struct lw_sink *out, const struct lw_term *term,
                     size_t a0, size_t a1, size_t b0, size_t b1)
{
    lw_putf(out, "%s@@ -%zu,%zu +%zu,%zu @@%s\n", lw_colour(term, LW_CYAN),
            a1 > a0 ? a0 + 1 : a0, a1 - a0, b1 > b0 ? b0 + 1 : b0, b1 - b0,
            lw_colour(term, LW_PLAIN));
    size_t i = a0, j = b0;
    while (i < a1 || j < b1) {
        if (i < a1 && !d->keep_a[i]) {
            put_line(out, term, '-', d->a.all.v[i++]);
        } else if (j < b1 && !d->keep_b[j]) {
            put_line(out, term, '+', d->b.all.v[j++]);
        } else {
            put_line(out, term, ' ', d->a.all.v[i++]);
            j++;
        }
    }
}

/* Moves (i, j) over lines that both keep, at most `most`; the number of them. */
static size_t skip_common(const struct diff *d, size_t *i, size_t *j, size_t most)
{
    size_t n = 0;
    while (n < most && *i < d->a.all.n && *j < d->b.all.n && d->keep_a[*i] && d->keep_b[*j]) {
        ++*i;
        ++*j;
        n++;
    }
    return n;
}

static void put_hunks(const struct diff *d, struct lw_sink *out, const struct lw_term *term,
                      size_t context)
{
    size_t i = 0, j = 0;
    for (;;) {
        size_t common = skip_common(d, &i, &j, SIZE_MAX);
        if (i >= d->a.all.n && j >= d->b.all.n)
            return;
        size_t before = common < context ? common : context;
        size_t a0 = i - before, b0 = j - before;
        for (;;) {
            while (i < d->a.all.n && !d->keep_a[i])
                i++;
            while (j < d->b.all.n && !d->keep_b[j])
                j++;
            size_t ahead_i = i, ahead_j = j;
            size_t gap = skip_common(d, &ahead_i, &ahead_j, 2 * context + 1);
            bool more = ahead_i < d->a.all.n || ahead_j < d->b.all.n;
            if (gap > 2 * context || !more) {
                size_t after = gap < context ? gap : context;
                put_hunk(d, out, term, a0, i + after, b0, j + after);
                i += after;
                j += after;
                break;
            }
            i = ahead_i;
            j = ahead_j;
        }
    }
}

int lw_linediff_print(struct lw_sink *out, const struct lw_term *term, struct lw_mem *mem,
                      struct lw_str old_name, struct lw_str old_text, struct lw_str new_name,
                      struct lw_str new_text, size_t context, bool *changed, struct lw_err *err)
{
    struct diff d = {.mem = mem};
    *changed = !lw_str_eq(old_text, new_text);
    if (!*changed)
        return 0;
    int rc = cut_lines(mem, old_text, &d.a);
    if (rc == 0)
        rc = cut_lines(mem, new_text, &d.b);
    d.keep_a = rc == 0 ? lw_mem_alloc(mem, d.a.all.n + 1) : NULL;
    d.keep_b = d.keep_a ? lw_mem_alloc(mem, d.b.all.n + 1) : NULL;
    rc = d.keep_b ? compare(&d) : LW_ENOMEM;
    if (rc == 0) {
        lw_putf(out, "%s--- ", lw_colour(term, LW_BOLD));
        lw_put_safe(out, old_name, false);
        lw_putz(out, "\n+++ ");
        lw_put_safe(out, new_name, false);
        lw_putf(out, "%s\n", lw_colour(term, LW_PLAIN));
        put_hunks(&d, out, term, context);
    }
    lw_mem_free(mem, d.keep_a, d.a.all.n + 1);
    lw_mem_free(mem, d.keep_b, d.b.all.n + 1);
    lw_vec_release(mem, &d.a.all);
    lw_vec_release(mem, &d.b.all);
    return rc < 0 ? lw_err_nomem(err) : 0;
}
