/*
 * notes - what rules remember of an object of the program.
 *
 * Neither the program nor the engine can see a note: what a rule writes changes nothing but
 * what rules say later. A note changes as an attribute does: it is undone with a branch, joined
 * behind it and copied with the object.
 */
#ifndef LW_CHECK_QUERY_NOTES_H
#define LW_CHECK_QUERY_NOTES_H

#include "check/engine/traits.h"

/* By who writes it; in brackets: which objects have it, and what it holds. */
enum rule_note {
    /* query/image_flow.c */
    NOTE_GENERATOR = TRAIT_OF_RULES, /* [flow of images: the ImageDataGenerator] */
    /* query/rows.c, rules/data/rows.c */
    NOTE_BLOCKS,   /* [list: true] filled in runs of equal items */
    NOTE_SHUFFLED, /* [list: true] brought into another order */
    NOTE_ROWS,     /* [data set: what it was made of] None: it was reordered */
    /* rules/training/initializers.c */
    NOTE_CONSTANT, /* [layer: bool] its weights begin equal */
    NOTE_STD,      /* [layer: number] deviation of its first weights */
    NOTE_GAIN,     /* [layer: number] of the initialiser */
    NOTE_DRAWN,    /* [layer: integer] the node of the call that drew them */
    /* rules/training/loop.c */
    NOTE_MODULE, /* [optimizer: the module whose parameters it has] */
    /* one file each */
    NOTE_COMPLAINED, /* [instance: true] rules/api/module.c has reported it */
    NOTE_DOUBLED,    /* [instance: true] rules/architecture/double_activation.c likewise */
    NOTE_TOLD,       /* [function: true] rules/training/tf_weights.c likewise */
    NOTE_FITTED,     /* [scaler: true] fit() was called (rules/data/scaler.c) */
    NOTE_TRAINED_X,  /* [model: inputs of fit()] (rules/data/scale.c) */
    NOTE_TRAINED_ON, /* [model: the data it was trained on] (rules/data/scale.c) */
    NOTE_FROZEN,     /* [model: bool; module: objects when it was frozen] (training/frozen.c) */
    NOTE_SHIFT,      /* [dict: integer] what its numbers begin with (rules/shape/values.c) */
    NOTE_TRAINS,     /* [optimizer: the model it trains] (rules/api/keras_program.c) */
    NOTE_END
};

/* ABSENT when it was not set. */
static inline struct lw_value note_of(const struct ck_object *o, enum rule_note note)
{
    return slots_get(o->traits, (uint32_t)note);
}

static inline void note_set(struct ck *c, struct ck_object *o, enum rule_note note,
                            struct lw_value v)
{
    LW_BUG_ON(note < NOTE_GENERATOR || note >= NOTE_END);
    heap_set(&c->heap, slots_put(&c->heap, &o->traits, (uint32_t)note), v);
}

#endif
