/*
 * bug - the fields of a bug as a table, so that reading a specimen, storing, listing and
 * printing all walk over the same list.
 */
#ifndef LW_CATALOG_BUG_H
#define LW_CATALOG_BUG_H

#include "base/arena.h"
#include "lacewing.h"

/* Where a field is kept in the store. */
enum bug_table { BUG_IN_BUG, BUG_IN_ENVIRONMENT };

struct bug_field {
    const char *name; /* of the member, the column and the JSON key */
    size_t offset;    /* of the lw_str in struct lw_bug */
    enum bug_table table;
    bool in_list;           /* short enough to come with a listing */
    const char *vocabulary; /* kind of word it must be, or NULL */
    const char *section;    /* of bug.ini, or NULL when it does not come from there */
    const char *key;        /* in that section */
    bool required;          /* in bug.ini */
};

extern const struct bug_field bug_fields[];
extern const size_t bug_field_count;

static inline struct lw_str *bug_text(struct lw_bug *bug, const struct bug_field *f)
{
    return (struct lw_str *)(void *)((char *)bug + f->offset);
}

static inline struct lw_str bug_text_of(const struct lw_bug *bug, const struct bug_field *f)
{
    return *(const struct lw_str *)(const void *)((const char *)bug + f->offset);
}

/* NULL when there is no such field. */
const struct bug_field *bug_field_find(struct lw_str name);

/* "buggy" or "fixed". */
const char *lw_side_name(enum lw_side side);

/* "0.9..1", "nan", "3..inf"; false when the text is not a range or its ends are reversed. */
bool lw_range_parse(struct lw_str text, struct lw_range *range);
bool lw_range_holds(const struct lw_range *range, double value);
/* No value lies in both. */
bool lw_range_apart(const struct lw_range *a, const struct lw_range *b);
/* In the form that lw_range_parse reads; p == NULL when memory ran out. */
struct lw_str lw_range_print(struct lw_arena *arena, const struct lw_range *range);

/* Letters, digits, '.', '_', '-', at most 100, starting with a letter or digit. */
bool lw_bug_id_ok(struct lw_str id);

#endif
