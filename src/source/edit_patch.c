#include "source/edit_patch.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"

void lw_patch_init(struct lw_patch *p, struct lw_mem *mem)
{
    memset(p, 0, sizeof *p);
    p->mem = mem;
}

void lw_patch_release(struct lw_patch *p)
{
    lw_vec_release(p->mem, &p->files);
    lw_vec_release(p->mem, &p->hunks);
    lw_vec_release(p->mem, &p->lines);
}

/* ---- Reading ---------------------------------------------------------------------------- */

struct reader {
    struct lw_patch *p;
    struct lw_str rest;
    struct lw_str line;
    uint32_t number;
    struct lw_err *err;
};

/* Lines end with a line feed only: a carriage return belongs to the text. */
static bool next_line(struct reader *r)
{
    if (r->rest.n == 0)
        return false;
    ptrdiff_t end = lw_str_find_char(r->rest, '\n');
    size_t n = end < 0 ? r->rest.n : (size_t)end;
    r->line = lw_str_part(r->rest, 0, n);
    r->rest = lw_str_from(r->rest, end < 0 ? n : n + 1);
    r->number++;
    return true;
}

static bool take_number(struct lw_str *s, uint32_t *out)
{
    uint64_t x = 0;
    size_t i = 0;
    for (; i < s->n && s->p[i] >= '0' && s->p[i] <= '9' && x <= UINT32_MAX; i++)
        x = x * 10 + (uint64_t)(s->p[i] - '0');
    if (i == 0 || x > INT32_MAX)
        return false;
    *out = (uint32_t)x;
    *s = lw_str_from(*s, i);
    return true;
}

/* "12,3" or "12" */
static bool take_range(struct lw_str *s, uint32_t *first, uint32_t *count)
{
    *count = 1;
    if (!take_number(s, first))
        return false;
    if (s->n == 0 || s->p[0] != ',')
        return true;
    *s = lw_str_from(*s, 1);
    return take_number(s, count);
}

static bool hunk_head(struct lw_str s, struct lw_patch_hunk *h)
{
    if (!lw_str_has_prefix(s, LW_S("@@ -")))
        return false;
    s = lw_str_from(s, 4);
    if (!take_range(&s, &h->old_first, &h->old_count) || !lw_str_has_prefix(s, LW_S(" +")))
        return false;
    s = lw_str_from(s, 2);
    return take_range(&s, &h->new_first, &h->new_count) && lw_str_has_prefix(s, LW_S(" @@"));
}

/* The path of a "--- " or "+++ " line: up to a tab, without a/ or b/. */
static struct lw_str path_of(struct lw_str line)
{
    struct lw_str s = lw_str_from(line, 4);
    ptrdiff_t tab = lw_str_find_char(s, '\t');
    if (tab >= 0)
        s.n = (size_t)tab;
    if (s.n > 0 && s.p[s.n - 1] == '\r')
        s.n--;
    if (lw_str_has_prefix(s, LW_S("a/")) || lw_str_has_prefix(s, LW_S("b/")))
        s = lw_str_from(s, 2);
    return s;
}

static int broken(const struct reader *r, const char *what)
{
    return lw_err_set(r->err, LW_EINVAL, "patch line %u: %s", r->number, what);
}

static int read_hunk(struct reader *r, struct lw_patch_hunk h)
{
    struct lw_patch *p = r->p;
    uint32_t olds = 0, news = 0;
    h.first_line = (uint32_t)p->lines.n;
    while (olds < h.old_count || news < h.new_count) {
        if (!next_line(r))
            return broken(r, "the hunk ends too early");
        struct lw_patch_line l = {r->line.n ? r->line.p[0] : ' ', false,
                                  lw_str_from(r->line, r->line.n ? 1 : 0)};
        if (l.sign == '\\') {
            if (p->lines.n > h.first_line)
                p->lines.v[p->lines.n - 1].no_newline = true;
            continue;
        }
        if (l.sign != ' ' && l.sign != '-' && l.sign != '+')
            return broken(r, "expected ' ', '-' or '+'");
        olds += l.sign != '+';
        news += l.sign != '-';
        if (olds > h.old_count || news > h.new_count)
            return broken(r, "the hunk has more lines than its header says");
        if (lw_vec_push(p->mem, &p->lines, l) < 0)
            return lw_err_nomem(r->err);
    }
    if (lw_str_has_prefix(r->rest, LW_S("\\")) && p->lines.n > h.first_line) {
        p->lines.v[p->lines.n - 1].no_newline = true;
        (void)next_line(r);
    }
    h.line_count = (uint32_t)p->lines.n - h.first_line;
    p->files.v[p->files.n - 1].hunk_count++;
    return lw_vec_push(p->mem, &p->hunks, h) < 0 ? lw_err_nomem(r->err) : 0;
}

int lw_patch_parse(struct lw_patch *p, struct lw_str text, struct lw_err *err)
{
    struct reader r = {.p = p, .rest = text, .err = err};
    struct lw_str old_path = {NULL, 0};
    p->files.n = p->hunks.n = p->lines.n = 0;
    while (next_line(&r)) {
        struct lw_patch_hunk h = {0};
        int rc = 0;
        if (lw_str_has_prefix(r.line, LW_S("--- "))) {
            old_path = path_of(r.line);
        } else if (old_path.p && lw_str_has_prefix(r.line, LW_S("+++ "))) {
            struct lw_patch_file f = {old_path, path_of(r.line), (uint32_t)p->hunks.n, 0};
            old_path.p = NULL;
            if (lw_vec_push(p->mem, &p->files, f) < 0)
                rc = lw_err_nomem(err);
        } else if (p->files.n > 0 && hunk_head(r.line, &h)) {
            rc = read_hunk(&r, h);
        }
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* ---- Applying --------------------------------------------------------------------------- */

/* One line of the text with its line feed, if it has one. */
static bool take_line(struct lw_str *rest, struct lw_str *line)
{
    if (rest->n == 0)
        return false;
    ptrdiff_t end = lw_str_find_char(*rest, '\n');
    size_t n = end < 0 ? rest->n : (size_t)end + 1;
    *line = lw_str_part(*rest, 0, n);
    *rest = lw_str_from(*rest, n);
    return true;
}

static bool is_line(struct lw_str line, const struct lw_patch_line *l)
{
    bool feed = line.n > 0 && line.p[line.n - 1] == '\n';
    return feed != l->no_newline && lw_str_eq(lw_str_part(line, 0, line.n - feed), l->text);
}

static int apply_line(const struct lw_patch_line *l, struct lw_str *rest, uint32_t *number,
                      struct lw_buf *out, struct lw_err *err)
{
    struct lw_str line;
    if (l->sign == '+') {
        (void)lw_buf_add(out, l->text);
        if (!l->no_newline)
            (void)lw_buf_add_char(out, '\n');
        return 0;
    }
    if (!take_line(rest, &line) || !is_line(line, l))
        return lw_err_set(err, LW_EINVAL, "line %u differs from the patch", *number);
    ++*number;
    if (l->sign == ' ')
        (void)lw_buf_add(out, line);
    return 0;
}

int lw_patch_apply(const struct lw_patch *p, uint32_t file, struct lw_str old_text,
                   struct lw_buf *out, struct lw_err *err)
{
    const struct lw_patch_file *f = &p->files.v[file];
    struct lw_str rest = old_text, line;
    uint32_t number = 1;
    for (uint32_t i = f->first_hunk; i < f->first_hunk + f->hunk_count; i++) {
        const struct lw_patch_hunk *h = &p->hunks.v[i];
        /* A hunk without old lines stands behind the line it names. */
        uint32_t first = h->old_first + (h->old_count == 0 ? 1 : 0);
        for (; number < first && take_line(&rest, &line); number++)
            (void)lw_buf_add(out, line);
        if (number != first)
            return lw_err_set(err, LW_EINVAL, "the patch needs line %u", first);
        for (uint32_t k = h->first_line; k < h->first_line + h->line_count; k++)
            if (apply_line(&p->lines.v[k], &rest, &number, out, err) < 0)
                return LW_EINVAL;
    }
    (void)lw_buf_add(out, rest);
    return out->failed ? lw_err_nomem(err) : 0;
}
