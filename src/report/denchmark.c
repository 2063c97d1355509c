/*
 * Denchmark's XML: a bug with its summary, description and comments, escaped once. Commits and
 * what else stands in the file are left out.
 */
#include "base/err.h"
#include "base/str.h"
#include "report/internal.h"
#include "report/sources.h"

static struct lw_str skip_declaration(struct lw_str text)
{
    ptrdiff_t end = lw_str_has_prefix(text, LW_S("<?xml")) ? lw_str_find_char(text, '>') : -1;
    return end < 0 ? text : lw_str_trim(lw_str_from(text, (size_t)end + 1));
}

bool report_is_denchmark(struct lw_str text)
{
    return lw_str_has_prefix(skip_declaration(text), LW_S("<bug_data>"));
}

/* What stands between `open` (up to the next '>') and `close`; `*rest` goes on behind it. */
static bool next_element(struct lw_str *rest, struct lw_str open, struct lw_str close,
                         struct lw_str *tag, struct lw_str *inside)
{
    ptrdiff_t at = lw_str_find(*rest, open);
    struct lw_str from = at < 0 ? (struct lw_str){0} : lw_str_from(*rest, (size_t)at + open.n);
    ptrdiff_t head = lw_str_find_char(from, '>');
    if (head < 0)
        return false;
    *tag = lw_str_part(from, 0, (size_t)head);
    from = lw_str_from(from, (size_t)head + 1);
    ptrdiff_t end = lw_str_find(from, close);
    *inside = lw_str_part(from, 0, end < 0 ? from.n : (size_t)end);
    *rest = lw_str_from(from, inside->n);
    return true;
}

/* The value of ` name='…'` in a tag; empty where it is not. */
static struct lw_str attribute(struct lw_str tag, struct lw_str name)
{
    ptrdiff_t at = lw_str_find(tag, name);
    struct lw_str value = at < 0 ? (struct lw_str){0} : lw_str_from(tag, (size_t)at + name.n);
    ptrdiff_t end = value.n ? lw_str_find_char(lw_str_from(value, 1), value.p[0]) : -1;
    return end < 0 ? (struct lw_str){0} : lw_str_part(value, 1, (size_t)end);
}

static int keep(struct lw_str *out, struct lw_arena *arena, struct lw_mem *mem,
                struct lw_str escaped)
{
    struct lw_buf text;
    lw_buf_init(&text, mem, 0);
    report_unescape(&text, lw_str_trim(escaped));
    *out = lw_arena_copy(arena, lw_buf_str(&text));
    int rc = text.failed || !out->p ? LW_ENOMEM : 0;
    lw_buf_release(&text);
    return rc;
}

static int keep_comments(struct report_source *s, struct lw_arena *arena, struct lw_mem *mem,
                         struct lw_str bug)
{
    struct lw_str tag, inside, kept;
    while (next_element(&bug, LW_S("<comment "), LW_S("</comment>"), &tag, &inside))
        if (keep(&kept, arena, mem, inside) < 0 || lw_vec_push(mem, &s->comments, kept) < 0)
            return LW_ENOMEM;
    return 0;
}

int report_from_denchmark(struct report_source *s, struct lw_arena *arena, struct lw_mem *mem,
                          struct lw_str name, struct lw_str text, struct lw_err *err)
{
    struct lw_str tag = {0}, bug = {0}, head, rest, inside;
    s->format = LW_REPORT_DENCHMARK;
    if (!next_element(&text, LW_S("<bug "), LW_S("</bug>"), &tag, &bug))
        return lw_err_set(err, LW_EINVAL, "%.*s: there is no <bug> in it", LW_F(name));
    s->open_date = attribute(tag, LW_S("open_date="));
    rest = bug;
    if (next_element(&rest, LW_S("<summary"), LW_S("</summary>"), &head, &inside) &&
        keep(&s->summary, arena, mem, inside) < 0)
        return lw_err_nomem(err);
    if (next_element(&rest, LW_S("<description"), LW_S("</description>"), &head, &inside) &&
        keep(&s->description, arena, mem, inside) < 0)
        return lw_err_nomem(err);
    if (!s->summary.n && !s->description.n)
        return lw_err_set(err, LW_EINVAL, "%.*s: the report has no text", LW_F(name));
    return keep_comments(s, arena, mem, rest) < 0 ? lw_err_nomem(err) : 0;
}
