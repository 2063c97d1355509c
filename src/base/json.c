#include "base/json.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"

/* Where the part begins in the whole: lines before it, characters before it in its line. */
static void place_of(struct lw_str whole, const char *part, int *line, int *column)
{
    const char *start = whole.p;
    *line = *column = 0;
    for (const char *p = whole.p; p < part; p++)
        if (*p == '\n') {
            ++*line;
            start = p + 1;
        }
    for (const char *p = start; p < part; p++)
        *column += ((unsigned char)*p & 0xc0) != 0x80;
}

int lw_json_parse_part(json_t **value, struct lw_str name, struct lw_str whole,
                       struct lw_str part, struct lw_err *err)
{
    json_error_t why;
    int line, column;
    *value = json_loadb(part.p ? part.p : "", part.n,
                        JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &why);
    if (*value)
        return 0;
    /* Without memory for its first buffer, jansson fails without a word. */
    if (json_error_code(&why) == json_error_out_of_memory || !*why.text)
        return lw_err_nomem(err);
    place_of(whole, part.p, &line, &column);
    return lw_err_set(err, LW_EINVAL, "%.*s:%d:%d: not JSON: %s", LW_F(name), why.line + line,
                      why.column + (why.line == 1 ? column : 0), why.text);
}

int lw_json_parse(json_t **value, struct lw_str name, struct lw_str text, struct lw_err *err)
{
    return lw_json_parse_part(value, name, text, text, err);
}

/* ---- Parts ------------------------------------------------------------------------------ */

static void skip_space(struct lw_json_parts *p)
{
    while (p->at < p->text.n && strchr(" \t\r\n", p->text.p[p->at]) && p->text.p[p->at])
        p->at++;
}

static bool take(struct lw_json_parts *p, char c)
{
    skip_space(p);
    if (p->at >= p->text.n || p->text.p[p->at] != c)
        return false;
    p->at++;
    return true;
}

size_t lw_json_string_end(struct lw_str text, size_t at)
{
    const char *p = text.p + at, *end = text.p + text.n, *quote = NULL, *escape = NULL;
    while (p < end) {
        if (!quote || quote < p)
            quote = memchr(p, '"', (size_t)(end - p));
        const char *to = quote ? quote : end;
        escape = memchr(p, '\\', (size_t)(to - p));
        if (!escape)
            return (size_t)(to - text.p);
        p = escape + 2;
    }
    return text.n;
}

/* `at` is behind the opening quote; goes behind the closing one. */
static void skip_string(struct lw_json_parts *p)
{
    size_t end = lw_json_string_end(p->text, p->at);
    p->at = end + 1;
    p->failed = p->failed || end >= p->text.n;
}

/* A text, what is in brackets, or anything up to the next comma or bracket. */
static struct lw_str take_value(struct lw_json_parts *p)
{
    skip_space(p);
    size_t begin = p->at, depth = 0;
    while (p->at < p->text.n && !p->failed) {
        char c = p->text.p[p->at];
        bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
        if (depth == 0 && (closes || c == ','))
            break;
        p->at++;
        if (c == '"')
            skip_string(p);
        depth = depth + opens - closes;
        if (closes && depth == 0)
            break;
    }
    p->failed = p->failed || depth > 0 || p->at == begin;
    return p->failed ? (struct lw_str){"", 0} : lw_str_part(p->text, begin, p->at - begin);
}

bool lw_json_parts_init(struct lw_json_parts *p, struct lw_str text, char bracket)
{
    *p = (struct lw_json_parts){.text = text, .end = bracket == '{' ? '}' : ']'};
    return take(p, bracket);
}

/* The key of a member and its colon. */
static struct lw_str take_key(struct lw_json_parts *p)
{
    p->failed = !take(p, '"');
    size_t begin = p->at;
    if (!p->failed)
        skip_string(p);
    size_t end = p->at;
    p->failed = p->failed || !take(p, ':');
    return p->failed ? (struct lw_str){"", 0} : lw_str_part(p->text, begin, end - 1 - begin);
}

bool lw_json_parts_next(struct lw_json_parts *p, struct lw_str *key, struct lw_str *value)
{
    if (p->failed || p->at > p->text.n)
        return false;
    if (take(p, p->end)) {
        skip_space(p);
        p->failed = p->at < p->text.n;
        p->at = p->text.n + 1;
        return false;
    }
    p->failed = p->begun && !take(p, ',');
    p->begun = true;
    *key = p->failed || p->end == ']' ? (struct lw_str){"", 0} : take_key(p);
    *value = p->failed ? (struct lw_str){"", 0} : take_value(p);
    return !p->failed;
}

struct lw_str lw_json_member(const json_t *object, const char *key)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_string(member))
        return LW_S("");
    return lw_str_n(json_string_value(member), json_string_length(member));
}

static void copy_members(struct lw_jsonw *w, const json_t *object)
{
    const char *key;
    json_t *value;
    lw_json_object(w);
    json_object_foreach((json_t *)object, key, value)
    {
        lw_json_key(w, key);
        lw_json_copy(w, value);
    }
    lw_json_end(w);
}

void lw_json_copy(struct lw_jsonw *w, const json_t *value)
{
    bool nests = json_is_object(value) || json_is_array(value);
    if (nests && w->depth >= LW_JSON_DEPTH - 1) {
        lw_json_null(w);
    } else if (json_is_object(value)) {
        copy_members(w, value);
    } else if (json_is_array(value)) {
        lw_json_array(w);
        for (size_t i = 0; i < json_array_size(value); i++)
            lw_json_copy(w, json_array_get(value, i));
        lw_json_end(w);
    } else if (json_is_string(value)) {
        lw_json_text(w, lw_str_n(json_string_value(value), json_string_length(value)));
    } else if (json_is_integer(value)) {
        lw_json_int(w, json_integer_value(value));
    } else if (json_is_real(value)) {
        lw_json_double(w, json_real_value(value));
    } else if (json_is_boolean(value)) {
        lw_json_bool(w, json_is_true(value));
    } else {
        lw_json_null(w);
    }
}
