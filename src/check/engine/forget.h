/*
 * forget - what is not known any more where a function is run that nothing was seen to call.
 *
 * The values at hand are those that the module code and __init__ left. Before somebody calls
 * the function, other parts of the program may have run: they fill what is empty, add to sums,
 * set items and attributes. Those values become unknown on the heap; who asks undoes it.
 */
#ifndef LW_CHECK_ENGINE_FORGET_H
#define LW_CHECK_ENGINE_FORGET_H

#include "check/engine/engine.h"

/* An attribute that methods assign which were not run. */
struct forget_field {
    struct ck_slot *slot;  /* NULL: the object has none of that name yet */
    struct lw_value known; /* its value when the last of them has been run */
    uint32_t methods;
};

/* What is forgotten of one object, while the methods of a class are run with it one by one: to
 * begin anew for each method would take the product of methods and attributes. Zeroed memory is
 * one of no object. */
struct forget_self {
    const struct ck_object *object, *cls;
    uint32_t number;     /* how many objects there were */
    size_t mark;         /* of the heap: forget_end() goes back to it */
    struct lw_map names; /* -> index in `fields` */
    LW_VEC(struct forget_field) fields;
    const struct ck_slot *last; /* of the object's attributes that were looked at */
    size_t calls;               /* of c->called that were looked at */
};

/* What other methods of the object change, before `f` is called with it. `self` may be
 * anything: only objects of the program's classes have such methods. If `s` is of another
 * object or class, that one is ended first. */
void forget_before(struct ck *c, struct forget_self *s, struct ck_object *f,
                   struct lw_value self);
/* Knows again what was forgotten. Must come before anything else is run. */
void forget_end(struct ck *c, struct forget_self *s);

/* Variables and their values before; release with lw_vec_release. */
typedef LW_VEC(struct ck_change) forget_changes;

/* `cache = None` in the module: a function that is called later finds something else there.
 * Once for all functions, or many of both would take their product. */
void forget_globals(struct ck *c, struct ck_file *f, forget_changes *out);
/* loader.dataset.extra = …: a method that somebody calls later finds another value in attributes
 * that the program writes from outside. */
void forget_written(struct ck *c, const struct ck_object *o, forget_changes *out);
/* Gives back the values of those that nothing was assigned to in between. */
void forget_undo(struct ck *c, const forget_changes *changes);

#endif
