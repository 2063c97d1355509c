/*
 * model_view - a network as the rules about architecture and training see it: the learning
 * layers and activations in order, whatever it was written with.
 *
 * A chain is read back from a tensor along the computation (Keras, TF1 and torch alike), or
 * from the layer list of a Keras Sequential that has no input yet. It ends where the
 * computation branches; `whole` says whether it reaches the input of the network. There is one
 * chain at a time: it is good until the next one is asked for.
 */
#ifndef LW_CHECK_QUERY_MODEL_VIEW_H
#define LW_CHECK_QUERY_MODEL_VIEW_H

#include "check/engine/events.h"

enum { MV_MAX_STAGES = 256 };

/* What a stage does to the signal. */
enum mv_kind {
    MV_KEEP,     /* dropout, flatten, reshape, casts: values stay */
    MV_LEARN,    /* dense or convolution, with its own activation if it has one */
    MV_ACTIVATE, /* an activation alone */
    MV_POOL,
    MV_NORM,  /* batch or layer normalisation: the scale begins anew */
    MV_OTHER, /* anything of which the effect is not known here */
};

struct mv_stage {
    enum mv_kind kind;
    struct lw_str role;
    struct lw_str activation; /* "sigmoid"; empty: none */
    bool opaque;              /* there is an activation, but it is not known which */
    bool trained;             /* a function of a variable */
    const struct lw_api *api;
    struct ck_object *layer; /* or NULL */
    struct lw_value init;    /* kernel initialiser as given; ABSENT: the framework's own */
    struct lw_value weight;  /* of a function (matmul, conv2d): its variable; else ABSENT */
    struct lw_value in, out; /* tensors, where known */
    struct ck_file *file;
    uint32_t node;
};

struct mv_chain {
    struct mv_stage stage[MV_MAX_STAGES]; /* input first */
    size_t n;
    bool whole;
};

/* The chain that ends in `v`; NULL when memory ran out. */
const struct mv_chain *mv_of_tensor(struct ck *c, struct lw_value v);
/* The chain of a Keras model: from its output, else from its list of layers; NULL: not known.
 */
const struct mv_chain *mv_of_model(struct ck *c, struct ck_object *model);

/* What ends a network. */
struct mv_output {
    bool known;               /* the last layer and its activation are known for sure */
    struct lw_str activation; /* empty: none, the values are those of a linear layer */
    int64_t width;            /* units of the last axis; 0: not known */
    const struct mv_stage *stage;
    const struct mv_stage *learner; /* the last learning layer */
};
struct mv_output mv_output_of(struct ck *c, const struct mv_chain *chain);

/* The activation that made the tensor, looking through what keeps values; empty: none, or not
 * known. */
struct lw_str mv_last_activation(struct ck *c, struct lw_value v);

/* The activation meant by an argument (text, function, layer); empty: none. `opaque` is set
 * when it is one that is not known. */
struct lw_str mv_activation(struct ck *c, struct lw_value v, bool *opaque);
/* The table entry a value names as a `kind` ("loss", "optimizer", "initializer"): text, class,
 * function or instance; NULL when not known. */
const struct lw_api *mv_entry(struct ck *c, struct lw_value v, const char *kind);
/* A number among the constructor's arguments, as given or by default. */
bool mv_number(struct ck *c, struct lw_value object, const struct lw_api *api,
               const char *param, double *out);

/* Inputs that one unit of a learning layer adds up; 0: not known. */
double mv_fan_in(struct ck *c, const struct mv_stage *s);
/* Variance of its initial weights times that number; negative: not known. */
double mv_weight_gain(struct ck *c, const struct mv_stage *s);

/* Do all its weights begin equal? */
bool mv_is_constant(struct ck *c, const struct mv_stage *s);

/* Are all its weights drawn above 0? */
bool mv_is_one_sided(struct ck *c, const struct mv_stage *s);

/* What a loss is computed of, when the event (CALL or LAYER) is a call of one; else ABSENT. */
struct lw_value mv_loss_input(struct ck *c, const struct ck_event *e);
/* What it is compared with; ABSENT when the event is no call of a loss. */
struct lw_value mv_loss_target(struct ck *c, const struct ck_event *e);

#endif
