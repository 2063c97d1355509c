/*
 * places - where in a file a name stands.
 *
 * A rule that walks the whole file for each name that it meets takes the square of a long
 * program. The places of all names are looked up once, when the first is asked for, and are
 * ordered by name and then as in the text.
 */
#ifndef LW_CHECK_QUERY_PLACES_H
#define LW_CHECK_QUERY_PLACES_H

#include "check/engine/engine.h"

enum places_kind {
    PLACES_ATTRIBUTE, /* x.name: the ATTRIBUTE */
    PLACES_FUNCTION,  /* def name: the FUNCTION */
    PLACES_REMADE,    /* name = f(name): the ASSIGN */
    PLACES_GIVEN,     /* name = value; a, name = 1, value: the value */
    PLACES_CALL,      /* name(…), x.name(…): the CALL */
    PLACES_SLICE,     /* x[a:b], of no name: the SUBSCRIPT */
};

struct places_list {
    const uint32_t *v; /* nodes in the order of the text; of the engine's arena */
    size_t n;
};

struct places_list places_of(struct ck *c, struct ck_file *f, enum places_kind kind,
                             struct lw_str name);
/* The number of those that begin before byte `at` of the text. */
size_t places_before(const struct ck_file *f, struct places_list list, uint32_t at);

/* What the name was given last before it is used at `name`, in the function around; LW_NO_NODE
 * when nothing or not alone: as syntax_assigned(). */
uint32_t places_assigned(struct ck *c, struct ck_file *f, uint32_t name);

#endif
