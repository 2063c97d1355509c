/*
 * models - what libraries do beyond what a table can say: models that are built, compiled and
 * fit, data that is iterated over, sessions that are run.
 *
 * A handler sees a call after the tables: its bound arguments, what was wrong, and the result,
 * which it may replace.
 */
#ifndef LW_CHECK_MODELS_MODELS_H
#define LW_CHECK_MODELS_MODELS_H

#include "check/engine/library.h"

/* One table per file: ck_handlers_torch in torch.c and so on. Each ends with a NULL name.
 */
/* clang-format off */
#define CK_HANDLER_TABLES(X)  \
    X(argparse)               \
    X(class)                  \
    X(data)                   \
    X(fields)                 \
    X(frame)                  \
    X(gradient)               \
    X(image_order)            \
    X(keras)                  \
    X(keras_fit)              \
    X(labels)                 \
    X(module)                 \
    X(numbers)                \
    X(packed)                 \
    X(picture)                \
    X(python)                 \
    X(stdlib)                 \
    X(tf1)                    \
    X(thread)                 \
    X(torch)                  \
    X(torch_run)              \
    X(transformers)           \
    X(unit)                   \
    X(vision)                 \
    X(where)                  \
    X(wrapper)
/* clang-format on */
#define CK_HANDLER_TABLE(name) extern const struct ck_handler ck_handlers_##name[];
CK_HANDLER_TABLES(CK_HANDLER_TABLE)
#undef CK_HANDLER_TABLE

/* ---- transformers (transformers.c)
 * -------------------------------------------------------- */

/* X.from_pretrained(…) of a model or a tokenizer; false when it is none of these. */
bool ck_pretrained(struct ck *c, const struct ck_object *name, const struct lw_arg *args,
                   size_t n, uint32_t node, struct lw_value *out);
bool ck_transformers_call(struct ck *c, struct ck_object *o, const struct lw_arg *args,
                          size_t n, uint32_t node, struct lw_value *out);
bool ck_transformers_subscript(struct ck *c, struct ck_object *o, struct lw_value index,
                               uint32_t node, struct lw_value *out);
/* What calling a model gives: fields, also by number, but no tuple. */
bool ck_is_model_output(const struct ck_object *o);

/* ---- torchvision (vision.c)
 * ------------------------------------------------- */

void ck_vision_dataset(struct ck *c, const struct ck_call *call, struct lw_value value);
bool ck_vision_children(struct ck *c, const struct ck_object *o, struct lw_seq *out);
bool ck_vision_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                    uint32_t node, struct lw_value *out);

/* The slots of a new Keras layer with the order of image axes that it left open
 * (image_order.c).
 */
const struct lw_value *ck_image_order(struct ck *c, const struct lw_api *api,
                                      const struct lw_value *slots, uint32_t n);

/* The answers of the models to what the engine asks. */
extern const struct ck_library models_library;

int ck_lib_init(struct ck *c, struct lw_err *err);

/* One spelling for names that modules re-export. */
struct lw_str ck_canonical(struct ck *c, struct lw_str name);

struct lw_value ck_call_name(struct ck *c, struct ck_object *name, const struct lw_arg *args,
                             size_t n, uint32_t node);
struct lw_value ck_call_bound(struct ck *c, struct ck_object *bound, const struct lw_arg *args,
                              size_t n, uint32_t node);
struct lw_value ck_call_instance(struct ck *c, struct ck_object *o, const struct lw_arg *args,
                                 size_t n, uint32_t node);
void ck_construct_base(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                       uint32_t node);
struct lw_value ck_enter(struct ck *c, struct lw_value v, uint32_t node);
struct lw_value ck_in_place(struct ck *c, struct lw_value a, struct lw_value v);

/* Evaluates a table entry: reports its problems, gives its result an origin. `self` may be
 * NULL; `args` are without it. */
struct lw_value ck_eval_api(struct ck *c, const struct lw_api *api, enum lw_api_side side,
                            const struct lw_value *self, const struct lw_arg *args, size_t n,
                            uint32_t node);

/* Attributes that a library class computes; false when it has none of that name. */
bool ck_lib_attribute(struct ck *c, struct ck_object *o, struct lw_str name, uint32_t node,
                      struct lw_value *out);
void ck_lib_set_attribute(struct ck *c, struct ck_object *o, struct lw_str name,
                          struct lw_value v);
bool ck_has_method_handler(struct ck *c, const struct ck_object *o, struct lw_str name);

/* A call of a library object that no table describes (a model made of layers…). */
bool ck_lib_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                 uint32_t node, struct lw_value *out);
bool ck_torch_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                   uint32_t node, struct lw_value *out);
bool ck_keras_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                   uint32_t node, struct lw_value *out);
/* Something unknown is called: tells the rules when it is the training of a Keras model of
 * which nothing else is seen (keras_fragment.c). */
void ck_keras_fragment(struct ck *c, const struct lw_arg *args, size_t n, uint32_t node);
/* The innermost `with graph.as_default()` around; NULL: the default graph. */
const struct ck_object *ck_current_graph(struct ck *c);
/* Items of a data set put together: one more dimension in front. `framework`: what numbers and
 * numpy arrays become, 0 to leave them. */
struct lw_value ck_batched(struct ck *c, struct lw_value item, lw_dim batch,
                           uint32_t framework);
/* A loader stacks items of a size that is not known: tells where the first ones differ
 * (torch_run.c). */
void ck_check_items(struct ck *c, struct lw_value dataset, uint32_t node);
/* A trained tensor of unknown shape. */
struct lw_value ck_weight(struct ck *c, uint32_t node);
bool ck_is_torch_module(struct ck *c, const struct ck_object *o);
bool ck_is_keras_layer(struct ck *c, const struct ck_object *o);

/* Keras: `trainable` of a layer was changed since the model was compiled; compile() settles it.
 * YES when any layer of the model was. */
void ck_settle(struct ck *c, struct lw_value layer, unsigned depth);
bool ck_is_unsettled(struct ck *c, struct lw_value layer, unsigned depth);
/* A module of torch that gets a packed sequence (packed.c); false: it does not. */
bool ck_packed_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                    uint32_t node, struct lw_value *out);

/* What is known of a picture of PIL; unknown for anything else (picture.c). */
void ck_picture_size(struct ck *c, struct lw_value v, lw_dim *channels, lw_dim *height,
                     lw_dim *width);

/* The inputs that a generator or data set yields; other data is what it is. */
struct lw_value ck_inputs_of(struct ck *c, struct lw_value data, uint32_t node);

/* Runs Keras layers on a value in order; see keras.c. */
struct lw_value ck_apply(struct ck *c, struct lw_value layer, struct lw_value input,
                         uint32_t node);
/* An instance of a library class made by the engine itself. */
struct lw_value ck_new_instance(struct ck *c, const struct lw_api *api,
                                const struct lw_value *slots, uint32_t n, uint32_t node);

/* obj[index] of a library object. */
bool ck_lib_subscript(struct ck *c, struct ck_object *o, struct lw_value index, uint32_t node,
                      struct lw_value *out);
/* The range of v[index], where the index was made of the values of `v` themselves: y[y < 2]
 * (where.c). */
void ck_range_chosen(struct ck *c, struct lw_value v, struct lw_value index,
                     struct lw_interval *range);
/* frame[index] of a pandas table, also of its iloc and loc (frame.c). */
struct lw_value ck_frame_part(struct ck *c, struct lw_value frame, struct lw_value index,
                              uint32_t node);
/* A part of the table that stands at node `owner` was assigned. */
void ck_frame_store(struct ck *c, uint32_t owner, struct lw_value frame);

/* What iterating over a library object yields at each step; false when it is not known. */
bool ck_lib_iterate(struct ck *c, struct ck_object *o, uint32_t node, struct lw_seq *out);

#endif
