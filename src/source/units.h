/*
 * units - what a file talks about, for localization.
 *
 * In: a tree and its names, borrowed. Out: units (classes, functions, variables, comments,
 * docstrings, strings, imported API names), each with its byte range, in text order; and the
 * sub-tokens of any text. Units borrow everything but their own array; the dotted names of API
 * units live in an arena inside.
 */
#ifndef LW_SOURCE_UNITS_H
#define LW_SOURCE_UNITS_H

#include "source/names.h"

enum lw_unit_kind {
    LW_UNIT_CLASS,     /* text: the name; range: the whole definition */
    LW_UNIT_FUNCTION,  /* the same */
    LW_UNIT_VARIABLE,  /* each name that is bound otherwise, and self.name targets, once a scope
                        */
    LW_UNIT_COMMENT,   /* without the # and blanks around */
    LW_UNIT_DOCSTRING, /* without prefix and quotes */
    LW_UNIT_STRING,    /* the same; f-strings by their literal pieces */
    LW_UNIT_API,       /* an imported dotted name where it is used: text is resolved */
};

struct lw_unit {
    uint8_t kind; /* enum lw_unit_kind */
    uint32_t start;
    uint32_t end;
    uint32_t parent; /* CLASS or FUNCTION node whose scope it is in, or LW_NO_NODE */
    struct lw_str text;
};

struct lw_units {
    struct lw_mem *mem; /* borrowed */
    struct lw_arena arena;
    LW_VEC(struct lw_unit) units;
};

void lw_units_init(struct lw_units *u, struct lw_mem *mem);
void lw_units_release(struct lw_units *u);
int lw_units_build(struct lw_units *u, const struct lw_names *names, struct lw_err *err);

const char *lw_unit_kind_name(enum lw_unit_kind kind); /* "class"; static */

/* ---- Sub-tokens ------------------------------------------------------------------------- */

/* Walks the words of a text: each identifier whole first (unless it is a single word), then its
 * parts by camelCase, snake_case and digits. "getHTTPResponse_2" gives itself, then get, HTTP,
 * Response, 2. */
struct lw_subtokens {
    struct lw_str text; /* borrowed */
    size_t at;          /* next byte to look at */
    size_t word_end;    /* of the identifier being split */
};

void lw_subtokens_init(struct lw_subtokens *s, struct lw_str text);
/* False at the end. `*whole`: it is a whole identifier of more than one part. */
bool lw_subtokens_next(struct lw_subtokens *s, struct lw_str *part, bool *whole);

#endif
