/*
 * json - reads JSON with jansson; this adds our error lines and limits.
 *
 * The result is a jansson value: free it with json_decref.
 */
#ifndef LW_BASE_JSON_H
#define LW_BASE_JSON_H

#include <jansson.h>

#include "base/jsonw.h"
#include "lacewing.h"

/* Parses one document (any value at the top). `name` is for messages: "name:line:column: …".
 * Duplicate keys are refused. */
int lw_json_parse(json_t **value, struct lw_str name, struct lw_str text, struct lw_err *err);

/* The same for a part of a longer text; messages tell the place in the whole. */
int lw_json_parse_part(json_t **value, struct lw_str name, struct lw_str whole,
                       struct lw_str part, struct lw_err *err);

/* Walks over the parts of a long object or array without reading it as a whole, which takes
 * many times the memory of its text: each part is to be given to lw_json_parse in turn. Parts
 * are found by quotes, brackets and commas alone; what is wrong inside a part is for the
 * parser. */
struct lw_json_parts {
    struct lw_str text;
    size_t at;
    char end;    /* the bracket that closes it */
    bool begun;  /* a part was given out: a comma comes before the next */
    bool failed; /* not a sequence of parts: lw_json_parse says what is wrong */
};

/* False when the text, without the space around it, does not begin with the bracket. */
bool lw_json_parts_init(struct lw_json_parts *p, struct lw_str text, char bracket);
/* The next part, and of an object its key as written between the quotes. False at the end and
 * when it failed. */
bool lw_json_parts_next(struct lw_json_parts *p, struct lw_str *key, struct lw_str *value);

/* Where the closing quote of a text is whose first character is at `at`; `text.n`: nowhere. */
size_t lw_json_string_end(struct lw_str text, size_t at);

/* The text member `key` of an object, borrowed from it; the empty text when absent or not text.
 */
struct lw_str lw_json_member(const json_t *object, const char *key);

/* Writes a value that was read; what is nested deeper than the writer goes becomes null. */
void lw_json_copy(struct lw_jsonw *w, const json_t *value);

#endif
