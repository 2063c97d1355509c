/*
 * rules - what watches the interpreter.
 *
 * The engine tells what happens as events; a rule is a function that gets the events it asked
 * for and reports findings. What a rule is (title, severity, why, source) is in data/rules/.
 * Preconditions of the API tables report under the same ids without any C.
 *
 * A rule may conclude only from what is known: unknown values, symbolic sizes and "maybe" are
 * never a reason to report.
 */
#ifndef LW_CHECK_RULES_H
#define LW_CHECK_RULES_H

#include "check/engine.h"

/* Bits. In brackets: which members of the event are filled besides node and kind. */
enum ck_event_kind {
    CK_EV_CALL = 1 << 0,      /* a library call was evaluated [call, value] */
    CK_EV_OPERATOR = 1 << 1,  /* [op, a, b, value] */
    CK_EV_ASSIGN = 1 << 2,    /* a name or attribute gets a value; node is the target [value] */
    CK_EV_AUGMENTED = 1 << 3, /* x += y [a, b] */
    CK_EV_EXPRESSION = 1 << 4,    /* an expression statement was run [value] */
    CK_EV_LOOP = 1 << 5,          /* a loop begins (flag) or ends [a: what it runs over] */
    CK_EV_RETURN = 1 << 6,        /* [value] */
    CK_EV_UNPACK = 1 << 7,        /* a, b = value [value, seq, count] */
    CK_EV_STORE = 1 << 8,         /* a[b] = value */
    CK_EV_CLASS = 1 << 9,         /* a class was defined [object] */
    CK_EV_FUNCTION = 1 << 10,     /* a function was defined [object] */
    CK_EV_FUNCTION_END = 1 << 11, /* a function of the program ended [object, value] */
    CK_EV_LAYER = 1 << 12, /* a layer, module or loss object was called [object, call, value] */
    CK_EV_MODEL = 1 << 13, /* a Keras model is complete: a Model(), or a built Sequential
                              [object] */
    CK_EV_COMPILE = 1 << 14,  /* model.compile [object, call] */
    CK_EV_FIT = 1 << 15,      /* fit, train_on_batch… [object, call, a: inputs, b: targets] */
    CK_EV_PREDICT = 1 << 16,  /* predict, evaluate [object, call, a: inputs, b: targets] */
    CK_EV_BACKWARD = 1 << 17, /* loss.backward() [a: the loss] */
    CK_EV_STEP = 1 << 18,     /* optimizer.step() [object] */
    CK_EV_ZERO_GRAD = 1 << 19,   /* optimizer.zero_grad(), model.zero_grad() [object] */
    CK_EV_NAME = 1 << 20,        /* a dotted library name was used [object: the CK_NAME] */
    CK_EV_ATTRIBUTE = 1 << 21,   /* an attribute of a value was not found [a, name] */
    CK_EV_INSTANCE = 1 << 22,    /* an object of a class was made [object] */
    CK_EV_USER_CALL = 1 << 23,   /* a function of the program is called [object, args] */
    CK_EV_IMPORT = 1 << 24,      /* [name] */
    CK_EV_END = 1 << 25,         /* everything was run; node is the module */
    CK_EV_SESSION_RUN = 1 << 26, /* TF1: sess.run [object: session, call, a: fetches] */
    CK_EV_RUN_LOSS = 1 << 27,    /* a loss was computed [call, a: prediction, b: target] */
    CK_EV_DEFINED = 1 << 28, /* an instance was called or made and its class is the program's:
                                attributes are complete [object] */
    CK_EV_INDEX = 1 << 29,   /* a[b] of a tensor was read [a, b, value] */
    CK_EV_APPEND = 1 << 30,  /* append or extend of a list [call, a: the list] */
};

struct ck_event {
    uint32_t kind; /* one bit */
    uint32_t node; /* in the file of the frame */
    const struct ck_call *call;
    struct lw_value a, b, value;
    struct ck_object *object;
    struct lw_seq seq;
    uint32_t count;
    enum lw_op op;
    bool flag;
    struct lw_str name;
    const struct lw_arg *args;
    size_t arg_count;
};

struct ck_rule {
    uint32_t events; /* bits of ck_event_kind */
    void (*watch)(struct ck *c, const struct ck_event *e);
};

/* One table per file of rules: ck_rules_api in rules_api.c. Each ends with events == 0. Their
 * order is that in which they see an event. */
/* clang-format off */
#define CK_RULE_TABLES(X)  \
    X(api)                 \
    X(torch)               \
    X(keras)               \
    X(shape)               \
    X(state)               \
    X(architecture)        \
    X(autograd)            \
    X(axes)                \
    X(batch)               \
    X(blind)               \
    X(balance)             \
    X(clip)                \
    X(compile)             \
    X(cut)                 \
    X(data)                \
    X(encoding)            \
    X(epoch)               \
    X(evaluation)          \
    X(generator)           \
    X(formula)             \
    X(gradient)            \
    X(graph)               \
    X(hyper)               \
    X(keras_train)         \
    X(layers)              \
    X(leak)                \
    X(loop)                \
    X(loss)                \
    X(mask)                \
    X(metric)              \
    X(mode)                \
    X(module)              \
    X(moved)               \
    X(numeric)             \
    X(parts)               \
    X(performance)         \
    X(precision)           \
    X(prepare)             \
    X(private)             \
    X(refit)               \
    X(protocol)            \
    X(repeat)              \
    X(root)                \
    X(rows)                \
    X(scale)               \
    X(sign)                \
    X(split)               \
    X(statement)           \
    X(steps)               \
    X(tensorflow)          \
    X(tested)              \
    X(tf1)                 \
    X(tf_weights)          \
    X(threads)             \
    X(training)            \
    X(transformers)        \
    X(type)                \
    X(undone)              \
    X(unused)              \
    X(zero)
/* clang-format on */
#define CK_RULE_TABLE(name) extern const struct ck_rule ck_rules_##name[];
CK_RULE_TABLES(CK_RULE_TABLE)
#undef CK_RULE_TABLE

void ck_emit(struct ck *c, const struct ck_event *e);

/* Reports at `node` of the file being run. `rule` is "category/name" and must be in
 * data/rules/, which gives the severity. `causes` are values whose origin explains it. The same
 * rule reports at one place once. */
void ck_find(struct ck *c, uint32_t node, const char *rule, const struct lw_value *causes,
             size_t cause_count, const char *fmt, ...) LW_PRINTF(6, 7);
/* The same with a severity other than the table's (never higher than error). */
void ck_find_as(struct ck *c, uint32_t node, struct lw_str rule, enum lw_severity severity,
                const struct lw_value *causes, size_t cause_count, struct lw_str message);
/* At a place that was remembered. */
void ck_find_at(struct ck *c, struct ck_file *file, uint32_t node, const char *rule,
                const struct lw_value *causes, size_t cause_count, const char *fmt, ...)
    LW_PRINTF(7, 8);

/* What a rule knows about the remedy besides what it reports; see fix.h. All borrowed. */
struct ck_hint {
    struct lw_str meant;            /* the right spelling of what the finding is about, */
    struct lw_str was;              /* and how it is written now, where that is not plain */
    const struct ck_object *object; /* that takes part: a model, an optimizer, a layer */
    uint32_t node;                  /* a place in the finding's file; 0: none */
    const struct lw_api *api;       /* of a call: the entry, */
    enum lw_api_side side;
    const struct lw_problem *problem; /* what its tables say, */
    const struct lw_arg *args;        /* and the arguments, with self */
    size_t arg_count;
};
/* For the next finding, whether it is reported or not. */
void ck_hint(struct ck *c, struct ck_hint hint);

/* Is the word anywhere in the files of the program? For what may be done in a way that was not
 * followed. */
bool ck_mentions(const struct ck *c, const char *word);

/* Is everything around sure to be run: inside no condition of unknown truth? A loop over
 * unknown data counts as run. */
bool ck_is_certain(const struct ck *c);

/* Memory of a rule for this engine, zeroed at first use; `key` is any static address. NULL when
 * memory ran out. */
void *ck_state(struct ck *c, const void *key, size_t size);

/* ---- what the engine calls ------------------------------------------------------------------
 */

void ck_on_unpack(struct ck *c, uint32_t target, struct lw_value v, struct lw_seq seq,
                  uint32_t count, uint32_t from);
void ck_on_store(struct ck *c, uint32_t target, struct lw_value owner, struct lw_value index,
                 struct lw_value v);
void ck_on_assign(struct ck *c, uint32_t target, struct lw_value v, uint32_t from);
void ck_on_augmented(struct ck *c, uint32_t node, struct lw_value a, struct lw_value b);
void ck_on_loop(struct ck *c, uint32_t node, struct lw_value over, bool begins);
void ck_on_return(struct ck *c, uint32_t node, struct lw_value v);
/* The truth of a condition; a tensor of several elements has none. */
lw_tri ck_test(struct ck *c, uint32_t node);
/* a + b of values that are no tensors. */
/* An attribute of a list, tuple or dict is asked for. */
void ck_on_container_attribute(struct ck *c, struct lw_value v, struct lw_str name,
                               uint32_t node);
void ck_on_operands(struct ck *c, enum lw_op op, struct lw_value a, struct lw_value b,
                    uint32_t node);
/* A number is divided by another. */
void ck_on_divisor(struct ck *c, struct lw_value divisor, uint32_t node);
/* A module of the program is called that says nowhere what to do. */
void ck_on_missing_forward(struct ck *c, struct ck_object *o, uint32_t node);
/* A name that nothing binds. */
void ck_on_undefined(struct ck *c, uint32_t node, struct lw_str name);
/* v[index] of anything. */
void ck_on_subscript(struct ck *c, struct lw_value v, struct lw_value index, uint32_t node);
/* v[index] = out of a tensor. */
void ck_on_index(struct ck *c, uint32_t node, struct lw_value v, struct lw_value index,
                 struct lw_value out);
void ck_on_expression(struct ck *c, uint32_t node, struct lw_value v);

#endif
