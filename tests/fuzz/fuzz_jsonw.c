/* The bytes choose what is written; the result is read by jansson and written again, which must
 * give the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEEPEST = 20 };

/* Takes the next `n` bytes off the input, fewer at its end. */
static struct lw_str take(struct lw_str *in, size_t n)
{
    struct lw_str part = lw_str_part(*in, 0, n);
    *in = lw_str_from(*in, part.n);
    return part;
}

static unsigned take_byte(struct lw_str *in)
{
    struct lw_str one = take(in, 1);
    return one.n ? (unsigned char)one.p[0] : 0;
}

static void write_scalar(struct lw_jsonw *w, unsigned kind, struct lw_str *in)
{
    struct lw_str raw;
    int64_t n = 0;
    double x = 0;
    switch (kind % 5) {
    case 0: lw_json_text(w, take(in, take_byte(in) % 40)); return;
    case 1:
        raw = take(in, sizeof n);
        memcpy(&n, raw.n ? raw.p : "", raw.n);
        lw_json_int(w, n);
        return;
    case 2:
        raw = take(in, sizeof x);
        memcpy(&x, raw.n ? raw.p : "", raw.n);
        lw_json_double(w, x);
        return;
    case 3: lw_json_bool(w, kind & 8); return;
    default: lw_json_null(w);
    }
}

/* A key that is new in its object: jansson refuses one that comes twice. */
static void write_key(struct lw_jsonw *w, unsigned number, struct lw_str *in)
{
    char key[48];
    struct lw_str raw = take(in, take_byte(in) % 30);
    int n = snprintf(key, sizeof key, "%u:", number);
    for (size_t i = 0; i < raw.n; i++)
        key[n++] = raw.p[i] ? raw.p[i] : '0';
    key[n] = '\0';
    lw_json_key(w, key);
}

/* Members until the input says stop. */
static void write_document(struct lw_jsonw *w, struct lw_str *in)
{
    unsigned number = 0;
    lw_json_array(w);
    while (w->depth > 0) {
        unsigned kind = in->n ? take_byte(in) : 0;
        if (kind % 4 == 0) {
            lw_json_end(w);
            continue;
        }
        if (w->is_object[w->depth - 1])
            write_key(w, number++, in);
        if (kind % 4 == 1 && w->depth < DEEPEST)
            (kind & 4 ? lw_json_object : lw_json_array)(w);
        else
            write_scalar(w, kind / 4, in);
    }
}

static void copy_value(struct lw_jsonw *w, json_t *v)
{
    size_t i;
    const char *key;
    json_t *member;
    switch (json_typeof(v)) {
    case JSON_OBJECT:
        lw_json_object(w);
        json_object_foreach(v, key, member)
        {
            lw_json_key(w, key);
            copy_value(w, member);
        }
        lw_json_end(w);
        return;
    case JSON_ARRAY:
        lw_json_array(w);
        json_array_foreach(v, i, member) copy_value(w, member);
        lw_json_end(w);
        return;
    case JSON_STRING:
        lw_json_text(w, lw_str_n(json_string_value(v), json_string_length(v)));
        return;
    case JSON_INTEGER: lw_json_int(w, json_integer_value(v)); return;
    case JSON_REAL: lw_json_double(w, json_real_value(v)); return;
    case JSON_TRUE: lw_json_bool(w, true); return;
    case JSON_FALSE: lw_json_bool(w, false); return;
    case JSON_NULL: lw_json_null(w); return;
    }
}

/* Only 1e+22 looks like a real number to a reader; 100 comes back as an integer and prints the
 * same; beyond 64 bits, and for -0, it does not, so that these are left out. */
static bool is_unreadable(int code, const struct lw_err *err)
{
    return code < 0 && strstr(err->text, "too big");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_str in = lw_str_n((const char *)data, size);
    bool compact = take_byte(&in) & 1;
    struct lw_buf first, second;
    struct lw_err err = {0};
    struct lw_jsonw w;
    lw_buf_init(&first, NULL, 0);
    lw_buf_init(&second, NULL, 0);
    struct lw_sink out = lw_sink_buf(&first);
    lw_jsonw_init(&w, &out, compact);
    write_document(&w, &in);
    json_t *value;
    int rc = lw_json_parse(&value, LW_S("f"), lw_buf_str(&first), &err);
    if (rc < 0 && !is_unreadable(rc, &err))
        abort();
    if (rc == 0) {
        out = lw_sink_buf(&second);
        lw_jsonw_init(&w, &out, compact);
        copy_value(&w, value);
        if (!lw_str_eq(lw_buf_str(&first), lw_buf_str(&second)) &&
            lw_str_find(lw_buf_str(&first), LW_S("-0")) == LW_NPOS)
            abort();
        json_decref(value);
    }
    lw_buf_release(&first);
    lw_buf_release(&second);
    return 0;
}
