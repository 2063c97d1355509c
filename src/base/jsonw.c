#include "base/jsonw.h"

#include <inttypes.h>
#include <math.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"

void lw_jsonw_init(struct lw_jsonw *w, struct lw_sink *out, bool compact)
{
    *w = (struct lw_jsonw){.out = out, .compact = compact};
}

static void line_break(struct lw_jsonw *w)
{
    if (w->compact)
        return;
    lw_put_char(w->out, '\n');
    lw_put_fill(w->out, ' ', 2 * (size_t)w->depth);
}

/* What comes before any value or key: the comma, and a new line in the readable form. */
static void separate(struct lw_jsonw *w)
{
    if (w->depth == 0)
        return;
    if (w->has_items[w->depth - 1])
        lw_put_char(w->out, ',');
    w->has_items[w->depth - 1] = true;
    line_break(w);
}

static void before_value(struct lw_jsonw *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    LW_BUG_ON(w->depth > 0 && w->is_object[w->depth - 1]);
    separate(w);
}

static void after_value(struct lw_jsonw *w)
{
    if (w->depth == 0)
        lw_put_char(w->out, '\n');
}

static void begin(struct lw_jsonw *w, bool is_object)
{
    before_value(w);
    LW_BUG_ON(w->depth >= LW_JSON_DEPTH);
    w->is_object[w->depth] = is_object;
    w->has_items[w->depth] = false;
    w->depth++;
    lw_put_char(w->out, is_object ? '{' : '[');
}

void lw_json_object(struct lw_jsonw *w)
{
    begin(w, true);
}

void lw_json_array(struct lw_jsonw *w)
{
    begin(w, false);
}

void lw_json_end(struct lw_jsonw *w)
{
    LW_BUG_ON(w->depth == 0 || w->after_key);
    w->depth--;
    if (w->has_items[w->depth])
        line_break(w);
    lw_put_char(w->out, w->is_object[w->depth] ? '}' : ']');
    after_value(w);
}

static void put_escape(struct lw_sink *out, unsigned char c)
{
    switch (c) {
    case '"': lw_putz(out, "\\\""); break;
    case '\\': lw_putz(out, "\\\\"); break;
    case '\n': lw_putz(out, "\\n"); break;
    case '\t': lw_putz(out, "\\t"); break;
    case '\r': lw_putz(out, "\\r"); break;
    default: lw_putf(out, "\\u%04x", (unsigned)c);
    }
}

/* Length of the front that needs no escape. */
static size_t plain_run(struct lw_str s)
{
    size_t at = 0;
    while (at < s.n) {
        unsigned char c = (unsigned char)s.p[at];
        if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
            break;
        uint32_t point;
        size_t n = c < 0x80 ? 1 : lw_utf8_decode(lw_str_from(s, at), &point);
        if (n == 0 || (c >= 0x80 && lw_utf8_is_unsafe(point)))
            break;
        at += n;
    }
    return at;
}

static void put_quoted(struct lw_sink *out, struct lw_str s)
{
    lw_put_char(out, '"');
    while (s.n) {
        size_t n = plain_run(s);
        lw_put(out, lw_str_part(s, 0, n));
        s = lw_str_from(s, n);
        if (s.n == 0)
            break;
        uint32_t point = 0;
        n = lw_utf8_decode(s, &point);
        if ((unsigned char)s.p[0] < 0x80)
            put_escape(out, (unsigned char)s.p[0]);
        else if (n > 0) /* no terminal shall obey it, and no reader of JSON sees a difference */
            lw_putf(out, "\\u%04x", (unsigned)point);
        else
            lw_putz(out, "\xef\xbf\xbd");
        s = lw_str_from(s, n ? n : 1);
    }
    lw_put_char(out, '"');
}

void lw_json_key(struct lw_jsonw *w, const char *key)
{
    LW_BUG_ON(w->depth == 0 || !w->is_object[w->depth - 1] || w->after_key);
    separate(w);
    put_quoted(w->out, lw_str(key));
    lw_putz(w->out, w->compact ? ":" : ": ");
    w->after_key = true;
}

void lw_json_text(struct lw_jsonw *w, struct lw_str value)
{
    before_value(w);
    put_quoted(w->out, value);
    after_value(w);
}

void lw_json_int(struct lw_jsonw *w, int64_t value)
{
    before_value(w);
    lw_putf(w->out, "%" PRId64, value);
    after_value(w);
}

void lw_json_double(struct lw_jsonw *w, double value)
{
    char text[LW_DOUBLE_TEXT];
    if (!isfinite(value)) {
        lw_json_null(w);
        return;
    }
    before_value(w);
    lw_putz(w->out, lw_print_double(value, text));
    after_value(w);
}

void lw_json_bool(struct lw_jsonw *w, bool value)
{
    before_value(w);
    lw_putz(w->out, value ? "true" : "false");
    after_value(w);
}

void lw_json_null(struct lw_jsonw *w)
{
    before_value(w);
    lw_putz(w->out, "null");
    after_value(w);
}

void lw_json_key_text(struct lw_jsonw *w, const char *key, struct lw_str value)
{
    lw_json_key(w, key);
    lw_json_text(w, value);
}

void lw_json_key_text_or_null(struct lw_jsonw *w, const char *key, struct lw_str value)
{
    lw_json_key(w, key);
    if (value.n)
        lw_json_text(w, value);
    else
        lw_json_null(w);
}

void lw_json_key_int(struct lw_jsonw *w, const char *key, int64_t value)
{
    lw_json_key(w, key);
    lw_json_int(w, value);
}

void lw_json_key_double(struct lw_jsonw *w, const char *key, double value)
{
    lw_json_key(w, key);
    lw_json_double(w, value);
}

void lw_json_key_bool(struct lw_jsonw *w, const char *key, bool value)
{
    lw_json_key(w, key);
    lw_json_bool(w, value);
}
