/*
 * json - reads JSON with jansson; this adds our error lines and limits.
 *
 * The result is a jansson value: free it with json_decref.
 */
#ifndef LW_BASE_JSON_H
#define LW_BASE_JSON_H

#include <jansson.h>

#include "lacewing.h"

/* Parses one document (any value at the top). `name` is for messages: "name:line:column: …".
 * Duplicate keys are refused. */
int lw_json_parse(json_t **value, struct lw_str name, struct lw_str text, struct lw_err *err);

/* The text member `key` of an object, borrowed from it; the empty text when absent or not text.
 */
struct lw_str lw_json_member(const json_t *object, const char *key);

#endif
