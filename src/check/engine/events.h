/*
 * events - what the engine and the library models tell about the program they run.
 *
 * An event says what happened, never that it is wrong: that is for the rules, which sit above
 * and are not known here. ck_emit hands an event to whoever set `emit` of the engine. An event
 * and all it points to live as long as the call.
 */
#ifndef LW_CHECK_ENGINE_EVENTS_H
#define LW_CHECK_ENGINE_EVENTS_H

#include "check/engine/engine.h"

/* Kinds of events, one bit each. In brackets: which members of the event are filled besides
 * kind and node. */
/* a library call was evaluated [call, value] */
#define CK_EV_CALL (UINT64_C(1) << 0)
/* [op, a, b, value] */
#define CK_EV_OPERATOR (UINT64_C(1) << 1)
/* a name or attribute gets a value; node is the target [value] */
#define CK_EV_ASSIGN (UINT64_C(1) << 2)
/* x += y [a, b] */
#define CK_EV_AUGMENTED (UINT64_C(1) << 3)
/* an expression statement was run [value] */
#define CK_EV_EXPRESSION (UINT64_C(1) << 4)
/* a loop begins (flag) or ends [a: what it runs over] */
#define CK_EV_LOOP (UINT64_C(1) << 5)
/* [value] */
#define CK_EV_RETURN (UINT64_C(1) << 6)
/* a, b = value [value, seq, count] */
#define CK_EV_UNPACK (UINT64_C(1) << 7)
/* a[b] = value */
#define CK_EV_STORE (UINT64_C(1) << 8)
/* a class was defined [object] */
#define CK_EV_CLASS (UINT64_C(1) << 9)
/* a function was defined [object] */
#define CK_EV_FUNCTION (UINT64_C(1) << 10)
/* a function of the program ended [object, value] */
#define CK_EV_FUNCTION_END (UINT64_C(1) << 11)
/* a layer, module or loss object was called [object, call, value]; of a container such as
 * nn.Sequential only its parts tell */
#define CK_EV_LAYER (UINT64_C(1) << 12)
/* a Keras model is complete: a Model(), or a built Sequential [object] */
#define CK_EV_MODEL (UINT64_C(1) << 13)
/* model.compile [object, call] */
#define CK_EV_COMPILE (UINT64_C(1) << 14)
/* fit, train_on_batch… [object, call, a: inputs, b: targets] */
#define CK_EV_FIT (UINT64_C(1) << 15)
/* predict, evaluate [object, call, a: inputs, b: targets] */
#define CK_EV_PREDICT (UINT64_C(1) << 16)
/* loss.backward() [a: the loss] */
#define CK_EV_BACKWARD (UINT64_C(1) << 17)
/* optimizer.step() [object] */
#define CK_EV_STEP (UINT64_C(1) << 18)
/* optimizer.zero_grad(), model.zero_grad() [object] */
#define CK_EV_ZERO_GRAD (UINT64_C(1) << 19)
/* a dotted library name was used [object: the CK_NAME] */
#define CK_EV_NAME (UINT64_C(1) << 20)
/* an attribute of a value was not found [a, name] */
#define CK_EV_ATTRIBUTE (UINT64_C(1) << 21)
/* an object of a class was made [object] */
#define CK_EV_INSTANCE (UINT64_C(1) << 22)
/* a function of the program is called [object, args] */
#define CK_EV_USER_CALL (UINT64_C(1) << 23)
/* [name] */
#define CK_EV_IMPORT (UINT64_C(1) << 24)
/* everything was run; node is the module */
#define CK_EV_END (UINT64_C(1) << 25)
/* TF1: sess.run [object: session, call, a: fetches] */
#define CK_EV_SESSION_RUN (UINT64_C(1) << 26)
/* a loss was computed [call, a: prediction, b: target] */
#define CK_EV_RUN_LOSS (UINT64_C(1) << 27)
/* an instance was called or made and its class is the program's: attributes are complete
 * [object] */
#define CK_EV_DEFINED (UINT64_C(1) << 28)
/* a[b] of a tensor was read [a, b, value] */
#define CK_EV_INDEX (UINT64_C(1) << 29)
/* append or extend of a list [call, a: the list] */
#define CK_EV_APPEND (UINT64_C(1) << 30)
/* a[b] of anything is about to be read [a, b] */
#define CK_EV_SUBSCRIPT (UINT64_C(1) << 31)
/* a number is divided by another [a: the divisor] */
#define CK_EV_DIVISOR (UINT64_C(1) << 32)
/* a + b of values of different kinds [a, b] */
#define CK_EV_ADDITION (UINT64_C(1) << 33)
/* a tensor stands where a condition is asked for [a] */
#define CK_EV_TRUTH (UINT64_C(1) << 34)
/* an attribute of a list, tuple or dict is asked for [a, name] */
#define CK_EV_CONTAINER (UINT64_C(1) << 36)
/* the tables found something wrong with a call or an operator [problems] */
#define CK_EV_PROBLEMS (UINT64_C(1) << 37)
/* the engine or a model cannot go on as the program wants [fault, and what it names] */
#define CK_EV_FAULT (UINT64_C(1) << 38)

/* Why the engine or a model cannot do what the program asks for. In brackets: the members. */
enum ck_fault {
    CK_FAULT_NONE,
    CK_FAULT_RETURN_SHAPE,      /* against the annotation [value, shape, object: function] */
    CK_FAULT_ARGUMENT_SHAPE,    /* the same of an argument [value, shape, object, name] */
    CK_FAULT_MANY_ARGUMENTS,    /* a function of the program: [object, count: taken, given] */
    CK_FAULT_UNKNOWN_KEYWORD,   /* [object, name] */
    CK_FAULT_MISSING_ARGUMENT,  /* [object, name] */
    CK_FAULT_NOT_CALLABLE,      /* [a: what is called] */
    CK_FAULT_ITEM_RANGE,        /* item `at` of a shape or tuple of `count` items [a] */
    CK_FAULT_INDEX,             /* of a tensor [a, name: why] */
    CK_FAULT_SCALAR_ITERATION,  /* [a] */
    CK_FAULT_TAPE_MISSES_MODEL, /* TensorFlow: the model was called before the tape [a] */
    CK_FAULT_GRADIENT_CUT,      /* no gradient through `name` [a: the loss, flag: of a tape, at:
                                   the place of `name` then] */
    CK_FAULT_MODEL_INPUT,       /* Keras [a: the data, b: the model's input, flag: only the
                                   form differs, which some versions accept] */
    CK_FAULT_MODEL_INPUTS,      /* their number [a, count: wanted, given] */
    CK_FAULT_NUMBER_INPUT,      /* Keras: fit() or predict() of a number [a] */
    CK_FAULT_LAYER_AS_INPUT,    /* Keras [a: the layer] */
    CK_FAULT_PACKED_INPUT,      /* a PackedSequence for a layer of torch [object: the layer] */
    CK_FAULT_STATE_DTYPE,       /* TensorFlow 1: of a cell [a: inputs, b: the dtype] */
    CK_FAULT_SEQUENTIAL_INPUTS, /* of an nn.Sequential [given] */
    CK_FAULT_LIST_CALLED,       /* an nn.ModuleList or nn.ModuleDict */
    CK_FAULT_ITEMS_DIFFER,      /* of a data set, in shape [a, b: two of them] */
    CK_FAULT_TOKEN_LISTS,       /* transformers: lists of tokens instead of tensors */
    CK_FAULT_TOKEN_RANK,        /* transformers: no axis for the batch [a: the input] */
    CK_FAULT_TOKEN_DEVICE,      /* transformers [a: the input, count: device of the weights] */
    CK_FAULT_NO_PAD_TOKEN,      /* transformers */
    CK_FAULT_NORMALIZED_IMAGE,  /* torchvision: Normalize before ToTensor */
    CK_FAULT_NO_FORWARD,        /* a module of the program is called and has none [object] */
};

/* What the tables of data/api say about one call or operator. */
struct ck_problems {
    const struct lw_problem *v;
    size_t n;
    const struct lw_api *api; /* NULL: an operator */
    enum lw_api_side side;
    struct ck_object *object;  /* of the call of an instance */
    struct lw_value self;      /* ABSENT: none */
    const struct lw_arg *args; /* with self in front */
    size_t arg_count;
    struct lw_str name;  /* canonical */
    struct lw_str spelt; /* as the program calls it, imports resolved */
};

struct ck_event {
    uint64_t kind;        /* one bit */
    uint32_t node;        /* in `file` */
    struct ck_file *file; /* NULL: the one that is being run */
    const struct ck_call *call;
    struct lw_value a, b, value;
    struct ck_object *object;
    struct lw_seq seq;
    uint32_t count, given;
    int64_t at;
    enum lw_op op;
    bool flag;
    enum ck_fault fault;
    struct lw_str name;
    const struct lw_shape *shape;
    const struct lw_arg *args;
    size_t arg_count;
    const struct ck_problems *problems;
};

void ck_emit(struct ck *c, const struct ck_event *e);

#endif
