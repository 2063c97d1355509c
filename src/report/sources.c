/*
 * Report files taken apart: which format it is, its summary, description, comments and tags.
 */
#include "report/sources.h"

#include "base/json.h"

int report_html(struct lw_arena *arena, struct lw_mem *mem, struct lw_str text,
                struct lw_str *markdown, struct lw_str *title, struct lw_err *err)
{
    struct lw_buf out;
    lw_buf_init(&out, mem, 0);
    report_from_html(&out, text, title);
    *markdown = lw_arena_copy(arena, lw_buf_str(&out));
    bool failed = out.failed || !markdown->p;
    lw_buf_release(&out);
    return failed ? lw_err_nomem(err) : 0;
}

/* ---- JSON -------------------------------------------------------------------------------- */

static struct lw_str member(const json_t *object, const char *name, const char *other)
{
    struct lw_str s = lw_json_member(object, name);
    return s.n ? s : lw_json_member(object, other);
}

/* A copy that outlives the JSON value; HTML becomes Markdown. */
static int keep_text(struct lw_arena *arena, struct lw_mem *mem, bool html, struct lw_str text,
                     struct lw_str *kept, struct lw_err *err)
{
    struct lw_str title;
    if (html)
        return report_html(arena, mem, text, kept, &title, err);
    *kept = lw_arena_copy(arena, text);
    return kept->p ? 0 : lw_err_nomem(err);
}

/* The bodies of an array of comments or answers. */
static int keep_bodies(struct report_source *s, struct lw_arena *arena, struct lw_mem *mem,
                       const json_t *array, bool html, struct lw_err *err)
{
    size_t i;
    json_t *comment;
    json_array_foreach(array, i, comment)
    {
        struct lw_str text = member(comment, "body", "description"), kept;
        if (json_is_string(comment))
            text = lw_str_n(json_string_value(comment), json_string_length(comment));
        if (!lw_str_trim(text).n)
            continue;
        int rc = keep_text(arena, mem, html, text, &kept, err);
        if (rc < 0)
            return rc;
        if (lw_vec_push(mem, &s->comments, kept) < 0)
            return lw_err_nomem(err);
    }
    return 0;
}

/* Labels are texts or objects with a name. */
static int keep_tags(struct report_source *s, struct lw_arena *arena, struct lw_mem *mem,
                     const json_t *array, struct lw_err *err)
{
    size_t i;
    json_t *tag;
    json_array_foreach(array, i, tag)
    {
        struct lw_str text = lw_json_member(tag, "name");
        if (json_is_string(tag))
            text = lw_str_n(json_string_value(tag), json_string_length(tag));
        if (!text.n)
            continue;
        struct lw_str kept = lw_arena_copy(arena, text);
        if (!kept.p || lw_vec_push(mem, &s->tags, kept) < 0)
            return lw_err_nomem(err);
    }
    return 0;
}

static int keep_date(struct report_source *s, struct lw_arena *arena, const json_t *object,
                     struct lw_err *err)
{
    struct lw_str date = member(object, "open_date", "created_at");
    const json_t *seconds = json_object_get(object, "creation_date");
    if (date.n)
        s->open_date = lw_arena_copy(arena, date);
    else if (json_is_integer(seconds))
        s->open_date = lw_arena_printf(arena, "%lld", (long long)json_integer_value(seconds));
    else
        return 0;
    return s->open_date.p ? 0 : lw_err_nomem(err);
}

/* "owner/name", "owner+name", ".../owner/name", ".../owner/name/issues/12": the name. */
static struct lw_str project_name(struct lw_str where)
{
    struct lw_str name = {0}, part;
    ptrdiff_t issue = lw_str_find(where, LW_S("/issues/"));
    if (issue >= 0)
        where.n = (size_t)issue;
    while (where.n > 0) {
        size_t end = 0;
        while (end < where.n && where.p[end] != '/' && where.p[end] != '+')
            end++;
        part = lw_str_n(where.p, end);
        name = part.n ? part : name;
        where = lw_str_from(where, end < where.n ? end + 1 : end);
    }
    return name;
}

static int keep_project(struct report_source *s, struct lw_arena *arena, const json_t *object,
                        struct lw_err *err)
{
    struct lw_str where = member(object, "project", "repository_url");
    struct lw_str name = project_name(where.n ? where : lw_json_member(object, "html_url"));
    char *low = lw_arena_bytes(arena, name.n + 1);
    if (!low)
        return lw_err_nomem(err);
    for (size_t i = 0; i < name.n; i++)
        low[i] = report_is_upper(name.p[i]) ? (char)(name.p[i] | 32) : name.p[i];
    s->project = lw_str_n(low, name.n);
    return 0;
}

static enum lw_report_format format_of(const json_t *object)
{
    if (json_is_array(json_object_get(object, "tags")) ||
        json_object_get(object, "question_id"))
        return LW_REPORT_STACK_OVERFLOW;
    return lw_json_member(object, "title").n ? LW_REPORT_GITHUB : LW_REPORT_JSON;
}

static int take_object(struct report_source *s, struct lw_arena *arena, struct lw_mem *mem,
                       struct lw_str name, const json_t *object, struct lw_err *err)
{
    struct lw_str summary = member(object, "summary", "title");
    struct lw_str text = lw_json_member(object, "body_markdown");
    s->format = format_of(object);
    bool html = s->format == LW_REPORT_STACK_OVERFLOW;
    bool marked = text.n > 0;
    if (!marked)
        text = member(object, "description", "body");
    if (!json_is_object(object) || (!summary.n && !text.n))
        return lw_err_set(err, LW_EINVAL, "%.*s: a report has \"summary\" or \"description\"",
                          LW_F(name));
    int rc = keep_text(arena, mem, false, summary, &s->summary, err);
    if (rc == 0)
        rc = keep_text(arena, mem, html && !marked, text, &s->description, err);
    if (rc == 0)
        rc = keep_bodies(s, arena, mem, json_object_get(object, "comments"), html, err);
    if (rc == 0)
        rc = keep_bodies(s, arena, mem, json_object_get(object, "answers"), html, err);
    if (rc == 0)
        rc = keep_tags(s, arena, mem, json_object_get(object, "labels"), err);
    if (rc == 0)
        rc = keep_tags(s, arena, mem, json_object_get(object, "tags"), err);
    if (rc == 0)
        rc = keep_project(s, arena, object, err);
    return rc == 0 ? keep_date(s, arena, object, err) : rc;
}

static int read_json(struct report_source *s, struct lw_arena *arena, struct lw_mem *mem,
                     struct lw_str name, struct lw_str bytes, struct lw_err *err)
{
    json_t *value = NULL;
    int rc = lw_json_parse(&value, name, bytes, err);
    if (rc < 0)
        return rc;
    /* An answer of Stack Overflow's API wraps its questions; an export, the issue. */
    const json_t *object = value;
    if (json_array_size(json_object_get(object, "items")) > 0)
        object = json_array_get(json_object_get(object, "items"), 0);
    else if (json_is_object(json_object_get(object, "issue")))
        object = json_object_get(object, "issue");
    rc = take_object(s, arena, mem, name, object, err);
    if (rc == 0 && object != value)
        rc = keep_bodies(s, arena, mem, json_object_get(value, "comments"), false, err);
    json_decref(value);
    return rc;
}

/* ---- Text -------------------------------------------------------------------------------- */

static bool has_letter(struct lw_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (report_is_letter(s.p[i]) || (unsigned char)s.p[i] >= 0x80)
            return true;
    return false;
}

enum { LOOKED_AT = 1 << 16 }; /* bytes that tell whether a file is text */

/* Text has no zero bytes and hardly any control characters but those that move the cursor or
 * colour a terminal. */
static bool is_binary(struct lw_str s)
{
    size_t strange = 0;
    s = lw_str_part(s, 0, LOOKED_AT);
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == 0)
            return true;
        strange += (c < 0x20 && !(c >= '\b' && c <= '\r') && c != 0x1b) || c == 0x7f;
    }
    return strange > 2 && strange * 50 > s.n;
}

/* The first line is the summary. */
static void split_text(struct report_source *s, struct lw_str text)
{
    text = lw_str_trim(text);
    (void)lw_str_line(&text, &s->summary);
    size_t i = 0; /* "# Title" */
    while (i < s->summary.n && s->summary.p[i] == '#')
        i++;
    s->summary = lw_str_from(s->summary, i);
    s->description = text;
}

static int read_html(struct report_source *s, struct lw_arena *arena, struct lw_mem *mem,
                     struct lw_str text, struct lw_err *err)
{
    struct lw_str markdown, title = {0};
    int rc = report_html(arena, mem, text, &markdown, &title, err);
    if (rc < 0)
        return rc;
    if (lw_str_trim(title).n) {
        s->summary = title;
        s->description = markdown;
    } else {
        split_text(s, markdown);
    }
    s->format = LW_REPORT_HTML;
    return 0;
}

int report_source_read(struct report_source *s, struct lw_arena *arena, struct lw_mem *mem,
                       struct lw_str name, struct lw_str bytes, struct lw_err *err)
{
    *s = (struct report_source){0};
    if (lw_str_has_prefix(bytes, LW_S("\xef\xbb\xbf")))
        bytes = lw_str_from(bytes, 3);
    struct lw_str text = lw_str_trim(bytes);
    if (text.n && text.p[0] == '{')
        return read_json(s, arena, mem, name, text, err);
    if (is_binary(text))
        return lw_err_set(err, LW_EINVAL, "%.*s: the file is not text", LW_F(name));
    if (!has_letter(text))
        return lw_err_set(err, LW_EINVAL, "%.*s: the report has no text", LW_F(name));
    if (report_is_denchmark(text))
        return report_from_denchmark(s, arena, mem, name, text, err);
    if (report_is_html(text))
        return read_html(s, arena, mem, text, err);
    if (report_is_email(text))
        return report_from_email(s, arena, mem, text, err);
    split_text(s, text);
    return 0;
}
