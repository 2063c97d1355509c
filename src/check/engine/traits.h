/*
 * traits - what is known of an object besides its attributes.
 *
 * The program cannot see a trait. It changes as an attribute does: it is undone with a branch,
 * joined behind it and copied with the object. The traits of the engine are listed here; those
 * that only models of libraries write are in models/traits.h, the notes of rules in
 * query/notes.h.
 */
#ifndef LW_CHECK_ENGINE_TRAITS_H
#define LW_CHECK_ENGINE_TRAITS_H

#include "base/err.h"
#include "check/engine/engine.h"

/* In brackets: which objects have it, and what it holds. */
enum ck_trait {
    TRAIT_ITEMS,     /* [nn.Sequential, nn.ModuleList, keras.Sequential, named tuple: a CK_LIST]
                        what can be iterated over */
    TRAIT_LENGTH,    /* [any: an integer] what len() gave, so that it gives the same again */
    TRAIT_ONCE,      /* [CK_LIST: true] a generator: it can be iterated over once */
    TRAIT_FIELDS,    /* [class made by namedtuple(): a tuple of texts] */
    TRAIT_OWNER,     /* [obj.__dict__: obj] */
    TRAIT_TRAINED,   /* [module: bool] what requires_grad_() was called with */
    TRAIT_OF_MODELS, /* the first of models/traits.h */
    TRAIT_OF_RULES = 128, /* the first of query/notes.h */
};

/* ABSENT when it was not set. */
static inline struct lw_value ck_trait(const struct ck_object *o, enum ck_trait trait)
{
    return slots_get(o->traits, (uint32_t)trait);
}

static inline void ck_set_trait(struct ck *c, struct ck_object *o, enum ck_trait trait,
                                struct lw_value v)
{
    LW_BUG_ON(trait >= TRAIT_OF_MODELS);
    heap_set(&c->heap, slots_put(&c->heap, &o->traits, (uint32_t)trait), v);
}

#endif
