/*
 * library - what the engine asks about libraries while it runs a program.
 *
 * The engine knows Python; what PyTorch, Keras, pandas and the others do with a call, an
 * attribute or an index is answered by the models, which sit above it. They fill one constant
 * table, struct ck_library, and the engine calls it through the functions below. A model that
 * has nothing to say gives false, ABSENT or the value it was given, as each function states.
 */
#ifndef LW_CHECK_ENGINE_LIBRARY_H
#define LW_CHECK_ENGINE_LIBRARY_H

#include "check/engine/engine.h"

/* A function of a library that the engine or a model runs. `value` comes in as the tables'
 * result. */
typedef void ck_handler_fn(struct ck *c, const struct ck_call *call, struct lw_value *value);

struct ck_handler {
    const char *name; /* canonical: "torch.utils.data.DataLoader", "keras.Model.fit" */
    ck_handler_fn *run;
};

/* Functions of Python itself; each table ends with a NULL name. */
extern const struct ck_handler ck_handlers_class[];  /* builtins_class.c */
extern const struct ck_handler ck_handlers_fields[]; /* fields.c */
extern const struct ck_handler ck_handlers_python[]; /* builtins.c */

/* Every member is set. */
struct ck_library {
    /* Calls of a dotted name, of a method of a library, and of an instance of a library class
     * or of a class derived from one. */
    struct lw_value (*call_name)(struct ck *c, struct ck_object *name,
                                 const struct lw_arg *args, size_t n, uint32_t node);
    struct lw_value (*call_bound)(struct ck *c, struct ck_object *bound,
                                  const struct lw_arg *args, size_t n, uint32_t node);
    struct lw_value (*call_instance)(struct ck *c, struct ck_object *o,
                                     const struct lw_arg *args, size_t n, uint32_t node);
    /* Something unknown is called. */
    void (*call_unknown)(struct ck *c, const struct lw_arg *args, size_t n, uint32_t node);
    /* super().__init__(…) or no __init__ at all: the library part of an instance is made. */
    void (*construct_base)(struct ck *c, struct ck_object *o, const struct lw_arg *args,
                           size_t n, uint32_t node);
    /* The engine made the instance itself: who uses it may have moved it anywhere. */
    void (*made_by_engine)(struct ck *c, struct ck_object *o);
    /* A table entry: its problems are told, its result gets an origin. `self` may be NULL;
     * `args` are without it. */
    struct lw_value (*eval_api)(struct ck *c, const struct lw_api *api, enum lw_api_side side,
                                const struct lw_value *self, const struct lw_arg *args,
                                size_t n, uint32_t node);
    /* Attributes that a library class computes; false when it has none of that name. */
    bool (*attribute)(struct ck *c, struct ck_object *o, struct lw_str name, uint32_t node,
                      struct lw_value *out);
    void (*set_attribute)(struct ck *c, struct ck_object *o, struct lw_str name,
                          struct lw_value v);
    /* Has the object's class a method that only a handler knows? */
    bool (*has_method)(struct ck *c, const struct ck_object *o, struct lw_str name);
    /* obj[index]; false: it is not known. */
    bool (*subscript)(struct ck *c, struct ck_object *o, struct lw_value index, uint32_t node,
                      struct lw_value *out);
    /* frame[index] of a pandas table, and an assignment to a part of the table at `owner`. */
    struct lw_value (*frame_part)(struct ck *c, struct lw_value frame, struct lw_value index,
                                  uint32_t node);
    void (*frame_store)(struct ck *c, uint32_t owner, struct lw_value frame);
    /* What iterating over the object yields at each step; false when it is not known. */
    bool (*iterate)(struct ck *c, struct ck_object *o, uint32_t node, struct lw_seq *out);
    /* `with v as result`: the result. */
    struct lw_value (*enter)(struct ck *c, struct lw_value v, uint32_t node);
    /* a += b: `v` is the new value, of the same place in memory as `a`. */
    struct lw_value (*in_place)(struct ck *c, struct lw_value a, struct lw_value v);
    /* Are gradients recorded here? And the value as code gets it where they are not. */
    bool (*grad_off)(const struct ck *c);
    struct lw_value (*without_grad)(struct ck *c, struct lw_value v);
    /* TensorFlow 1: the innermost `with graph.as_default()`; NULL: the default graph. */
    const struct ck_object *(*current_graph)(struct ck *c);
    /* Is the instance a module of PyTorch, a layer of Keras? */
    bool (*is_torch_module)(struct ck *c, const struct ck_object *o);
    bool (*is_keras_layer)(struct ck *c, const struct ck_object *o);
    /* A trained tensor of unknown shape. */
    struct lw_value (*weight)(struct ck *c, uint32_t node);
    /* What is known of a @ b beyond the tables, which gave `value`. */
    void (*product)(struct ck *c, struct lw_value a, struct lw_value b, struct lw_value *value);
    /* The range of v[index], where the index was made of the values of `v` themselves:
     * y[y < 2]. */
    void (*range_chosen)(struct ck *c, struct lw_value v, struct lw_value index,
                         struct lw_interval *range);
};

#endif
