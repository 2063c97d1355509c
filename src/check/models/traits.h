/*
 * traits - what models of libraries know of their objects besides attributes.
 *
 * Models write these traits; queries and rules read them. How a trait changes, and what else
 * there is, is said in engine/traits.h.
 */
#ifndef LW_CHECK_MODELS_TRAITS_H
#define LW_CHECK_MODELS_TRAITS_H

#include "check/engine/traits.h"

/* By kind of object; in brackets: what it holds. Unknown: it may be anything. */
enum model_trait {
    /* a Keras model (keras.c, keras_fit.c) */
    MODEL_INPUT = TRAIT_OF_MODELS, /* [tensor or several] what it was built with */
    MODEL_OUTPUT,                  /* [tensor or several] */
    MODEL_LAYERS,                  /* [CK_LIST] of a functional model */
    MODEL_COMPILED,                /* [bool] compile() was called; MAYBE: it is not seen */
    MODEL_OPTIMIZER,               /* [as given to compile()] */
    MODEL_LOSS,                    /* [as given to compile()] */
    MODEL_METRICS,                 /* [as given to compile()] */
    /* a Keras layer (calls.c, objects.c) */
    LAYER_BUILT,     /* [true] build() was run */
    LAYER_UNSETTLED, /* [bool] `trainable` was set since compile() */
    /* a function that a library calls (keras.c, keras_fit.c) */
    FUNCTION_WRAPPED, /* [text] "lambda": of a Lambda layer, "loss": given to compile() */
    /* a module (module.c, calls.c) */
    MODULE_INITIALISED, /* [true] nn.Module.__init__() was run */
    MODULE_DEVICE,      /* [device] what it was moved to */
    MODULE_DTYPE,       /* [dtype] what it was cast to */
    /* a data set or loader (data.c, torch.c, vision.c, objects.c) */
    DATA_ELEMENT,   /* [any] what one step yields */
    DATA_BATCHES,   /* [tuple of two] full batch, and the last one, which is smaller */
    DATA_UNBATCHED, /* [bool] one step yields one row */
    DATA_REORDERED, /* [true] shuffle() was called */
    DATA_ENDLESS,   /* [bool] repeat() without a number */
    DATA_SHUFFLES,  /* [bool] flow(): in another order each time */
    /* TensorFlow (objects.c, tf1.c) */
    TAPE_SINCE,    /* [integer] number of origins when a GradientTape was entered */
    SESSION_GRAPH, /* [graph] None: the default one */
    GRAPH_OP,      /* [text] the function that made the operation */
    GRAPH_LOSS,    /* [tensor] what a training step minimizes */
    /* transformers (transformers.c) */
    PRETRAINED_HEAD,        /* [integer] an enum head of transformers.c */
    PRETRAINED_POOLER,      /* [bool] */
    PRETRAINED_WORDS,       /* [bool] it reads word numbers */
    PRETRAINED_RETURN_DICT, /* [as given] */
    TOKENIZER_PADS,         /* [bool] it has a token to pad with */
    ENCODING_LISTS,         /* [true] of lists, not of tensors */
    OUTPUT_TUPLE,           /* [tuple] what a model returned, by number */
    /* others */
    THREAD_RESULT,   /* [any] of the function that runs (thread.c) */
    SEQUENCE_PADDED, /* [tensor] what was packed (packed.c) */
    WRAPPER_MODEL,   /* [model] of a KerasClassifier (wrapper.c) */
    PICTURE_CHANNELS /* [integer] of PIL (picture.c) */
};

/* ABSENT when it was not set. */
static inline struct lw_value model_trait(const struct ck_object *o, enum model_trait trait)
{
    return slots_get(o->traits, (uint32_t)trait);
}

static inline void model_set_trait(struct ck *c, struct ck_object *o, enum model_trait trait,
                                   struct lw_value v)
{
    LW_BUG_ON(trait < MODEL_INPUT || trait > PICTURE_CHANNELS);
    heap_set(&c->heap, slots_put(&c->heap, &o->traits, (uint32_t)trait), v);
}

#endif
