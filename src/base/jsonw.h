/*
 * jsonw - writes JSON as it goes, so that a list of any length needs no memory.
 *
 * Calls must nest rightly (a key before each value in an object); misuse is a fault in
 * Lacewing. Text that is not UTF-8 has each bad byte replaced by U+FFFD, so the result is
 * always valid.
 */
#ifndef LW_BASE_JSONW_H
#define LW_BASE_JSONW_H

#include "base/sink.h"
#include "lacewing.h"

enum { LW_JSON_DEPTH = 64 };

struct lw_jsonw {
    struct lw_sink *out; /* borrowed */
    bool compact;        /* one line, for JSON lines */
    int depth;
    bool is_object[LW_JSON_DEPTH];
    bool has_items[LW_JSON_DEPTH];
    bool after_key;
};

void lw_jsonw_init(struct lw_jsonw *w, struct lw_sink *out, bool compact);

void lw_json_object(struct lw_jsonw *w);
void lw_json_array(struct lw_jsonw *w);
/* Closes the innermost object or array; the outermost one also ends the line. */
void lw_json_end(struct lw_jsonw *w);

void lw_json_key(struct lw_jsonw *w, const char *key);
void lw_json_text(struct lw_jsonw *w, struct lw_str value);
void lw_json_int(struct lw_jsonw *w, int64_t value);
/* Shortest form that reads back the same; NaN and infinities, which JSON has not, become null.
 */
void lw_json_double(struct lw_jsonw *w, double value);
void lw_json_bool(struct lw_jsonw *w, bool value);
void lw_json_null(struct lw_jsonw *w);

/* A key and its value; an empty text stays "", unless `or_null`. */
void lw_json_key_text(struct lw_jsonw *w, const char *key, struct lw_str value);
void lw_json_key_text_or_null(struct lw_jsonw *w, const char *key, struct lw_str value);
void lw_json_key_int(struct lw_jsonw *w, const char *key, int64_t value);
void lw_json_key_double(struct lw_jsonw *w, const char *key, double value);
void lw_json_key_bool(struct lw_jsonw *w, const char *key, bool value);

#endif
