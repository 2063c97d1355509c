/*
 * members - which attributes the objects of a class have, by the text of the program.
 *
 * What the class, its bases and their methods bind or assign, in whatever file of the program
 * they stand, and what the tables list of library classes among the bases. A set is `open`
 * where attributes may exist that the text does not show: a base that is not known, setattr(),
 * __getattr__(), a decorator.
 */
#ifndef LW_CHECK_QUERY_MEMBERS_H
#define LW_CHECK_QUERY_MEMBERS_H

#include "check/engine/engine.h"

enum { MEMBERS_CLASSES = 24, MEMBERS_LIBRARY = 4 };

struct members_class {
    struct ck_file *file;
    uint32_t node;
};

struct members {
    struct ck *c;                            /* borrowed */
    struct members_class v[MEMBERS_CLASSES]; /* the class itself is first */
    size_t n;
    const struct lw_api *library[MEMBERS_LIBRARY]; /* bases of libraries */
    size_t library_count;
    struct lw_map names; /* of the program's classes */
    bool open;
};

void members_init(struct members *m, struct ck *c, struct ck_file *f, uint32_t class_node);
void members_release(struct members *m);

/* Has an object of the class the attribute? MAYBE: it cannot be told. */
lw_tri members_has(const struct members *m, struct lw_str name);

/* Do others have to complete the class: abstract methods, no constructor, a mixin? */
bool members_is_partial(const struct members *m);

/* Does a subclass, as far as the files of the program show, or other code give it the
 * attribute? */
bool members_is_given(const struct members *m, struct lw_str name);

/* Is the attribute node assigned to: itself, or in a tuple on the left side? */
bool members_is_target(const struct lw_tree *t, uint32_t node);

#endif
