/*
 * The JSON and CSV views of a bug, as other programs rely on them.
 */
#ifndef LW_CLI_BUGS_PRINT_H
#define LW_CLI_BUGS_PRINT_H

#include "base/jsonw.h"
#include "lacewing.h"

/* The text fields of a listing, in the order of the contract. */
extern const char *const bugs_list_fields[];
extern const size_t bugs_list_field_count;

/* These fields with support_level and runnable, into an open object. */
void bugs_json_fields(struct lw_jsonw *w, const struct lw_bug *bug, bool runnable);

/* One verification as an object. */
void bugs_json_verification(struct lw_jsonw *w, const struct lw_verification *v);

#endif
