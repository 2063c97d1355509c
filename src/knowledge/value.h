/*
 * value - abstract values, as the rules of the API tables see them.
 *
 * A `struct lw_value` is small and copied freely; what it points to lives in the arena of
 * whoever made it and is never changed. Kinds from LW_V_OPAQUE on belong to the engine: rules
 * pass them through and know nothing about them, unless the evaluator is given a function that
 * turns them into plain ones.
 */
#ifndef LW_KNOWLEDGE_VALUE_H
#define LW_KNOWLEDGE_VALUE_H

#include "base/arena.h"
#include "knowledge/dtype.h"
#include "knowledge/interval.h"
#include "knowledge/shape.h"

/* How a tensor relates to the values of another one (its `id`). */
enum lw_relation {
    LW_REL_NONE,
    LW_REL_MAX, /* a maximum over some axis of it: x - max(x) <= 0 */
    LW_REL_MIN,
    LW_REL_SUM, /* a sum over some axis of it: x / sum(x) in 0..1 for x >= 0 */
    LW_REL_MEAN,
    LW_REL_NORM,
    LW_REL_SHIFTED,    /* it minus its maximum: some element is 0 */
    LW_REL_EXP_SHIFTED /* exp of such a one: some element is 1, so a sum is >= 1 */
};

/* What is known about one tensor or array. */
struct lw_tensor {
    struct lw_shape shape;
    lw_dtypes dtype;
    struct lw_interval range;
    uint8_t device;    /* set of LW_CPU… */
    uint8_t framework; /* set of LW_NUMPY… */
    uint8_t grad;      /* lw_tri: requires_grad */
    uint8_t relation;  /* enum lw_relation, to `of` */
    uint8_t variable;  /* lw_tri: a trained parameter (leaf) */
    uint32_t id;       /* names the value (same id: same elements); 0 = not named */
    uint32_t of;       /* id of the other tensor */
    uint32_t line;     /* where it was made; 0 = unknown */
};

enum lw_value_kind {
    LW_V_UNKNOWN = 0,
    LW_V_ABSENT, /* an argument that was not given and has no default */
    LW_V_NONE,
    LW_V_BOOL,   /* tri */
    LW_V_INT,    /* dim */
    LW_V_FLOAT,  /* interval */
    LW_V_STR,    /* str; p == NULL: some text */
    LW_V_TUPLE,  /* seq */
    LW_V_LIST,   /* seq */
    LW_V_DICT,   /* dict */
    LW_V_TENSOR, /* tensor */
    LW_V_SHAPE,  /* shape: torch.Size, tf.TensorShape, and shapes inside rules */
    LW_V_DTYPE,  /* dtypes */
    LW_V_DEVICE, /* device: set */
    LW_V_SLICE,  /* seq of start, stop, step */
    LW_V_ELLIPSIS,
    LW_V_API,        /* api: a function or class of the tables itself */
    LW_V_OBJECT,     /* object: an instance of a class of the tables */
    LW_V_OPAQUE = 64 /* and above: of the engine; opaque */
};

struct lw_value;
struct lw_api;

struct lw_seq {
    const struct lw_value *items;
    uint32_t n;
    bool open; /* more items may follow, each like one of `items` (or unknown when n == 0) */
    lw_dim length; /* of an open one, where known */
};

struct lw_dict {
    const struct lw_value *keys, *values;
    uint32_t n;
    bool open;
};

/* A layer, optimiser, loss…: the class, and the constructor's arguments by parameter number. */
struct lw_object {
    const struct lw_api *api;
    const struct lw_value *config; /* api->construct.param_count of them */
    uint32_t line;
};

struct lw_value {
    uint8_t kind;  /* enum lw_value_kind or one of the engine */
    uint32_t line; /* where it comes from; 0 = unknown */
    union {
        lw_tri tri;
        lw_dim dim;
        struct lw_interval interval;
        struct lw_str str;
        struct lw_seq seq;
        const struct lw_dict *dict;
        const struct lw_tensor *tensor;
        const struct lw_shape *shape;
        lw_dtypes dtypes;
        uint32_t device;
        const struct lw_api *api;
        const struct lw_object *object;
        const void *opaque;
    };
};

static inline struct lw_value lw_v_unknown(void)
{
    return (struct lw_value){.kind = LW_V_UNKNOWN};
}
static inline struct lw_value lw_v_none(void)
{
    return (struct lw_value){.kind = LW_V_NONE};
}
static inline struct lw_value lw_v_absent(void)
{
    return (struct lw_value){.kind = LW_V_ABSENT};
}
static inline struct lw_value lw_v_tri(lw_tri t)
{
    return (struct lw_value){.kind = LW_V_BOOL, .tri = t};
}
static inline struct lw_value lw_v_dim(lw_dim d)
{
    return (struct lw_value){.kind = LW_V_INT, .dim = d};
}
static inline struct lw_value lw_v_interval(struct lw_interval i)
{
    return (struct lw_value){.kind = LW_V_FLOAT, .interval = i};
}
static inline struct lw_value lw_v_float(double x)
{
    return lw_v_interval(lw_iv_number(x));
}
static inline struct lw_value lw_v_str(struct lw_str s)
{
    return (struct lw_value){.kind = LW_V_STR, .str = s};
}
static inline struct lw_value lw_v_dtype(lw_dtypes d)
{
    return (struct lw_value){.kind = LW_V_DTYPE, .dtypes = d};
}
static inline struct lw_value lw_v_seq(enum lw_value_kind kind, const struct lw_value *items,
                                       size_t n)
{
    return (struct lw_value){.kind = (uint8_t)kind, .seq = {.items = items, .n = (uint32_t)n}};
}

/* A tensor of which nothing is known but the framework. */
struct lw_tensor lw_tensor_unknown(uint32_t framework);

/* Copies into the arena; the unknown value when memory ran out. */
struct lw_value lw_v_tensor(struct lw_arena *arena, const struct lw_tensor *t);
struct lw_value lw_v_shape(struct lw_arena *arena, const struct lw_shape *s);

static inline bool lw_v_is_seq(struct lw_value v)
{
    return v.kind == LW_V_TUPLE || v.kind == LW_V_LIST;
}

/* Two ways of a program meet, element by element. */
struct lw_tensor lw_tensor_join(struct lw_dims *c, const struct lw_tensor *a,
                                const struct lw_tensor *b);
struct lw_tensor lw_tensor_widen(struct lw_dims *c, const struct lw_tensor *old,
                                 const struct lw_tensor *now);

/* A shape out of an int, a tuple or list of ints, or a shape value; unknown items stay unknown
 * dimensions (None too). False when it is none of these or unknown. */
bool lw_v_to_shape(struct lw_dims *c, struct lw_value v, struct lw_shape *out);

/* Numbers, nested sequences and tensors as a tensor fact, as numpy.asarray or an implicit
 * conversion sees them. `*ragged`: the nesting does not fit. False when it is none of these. */
bool lw_v_to_tensor(struct lw_dims *c, struct lw_value v, struct lw_tensor *out,
                    lw_tri *ragged);

/* x[index]: basic and advanced indexing. `index` is one index or a tuple of them. On NO the
 * message says what is wrong. */
lw_tri lw_tensor_index(struct lw_dims *c, const struct lw_tensor *x, struct lw_value index,
                       struct lw_tensor *out, struct lw_buf *message);

/* "float32 (32, 10)", "5", "'relu'", "None", "[…]". */
void lw_v_print(struct lw_dims *c, struct lw_value v, struct lw_buf *out);

#endif
