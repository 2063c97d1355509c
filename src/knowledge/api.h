/*
 * api - the tables of data/api/: what the functions, classes and methods of the frameworks want
 * and give.
 *
 * lw_apis_load reads only the names (about 0.3 ms); an entry is parsed when it is first asked
 * for. The flow of a check:
 *
 *     lw_api_find(apis, "torch.nn.functional.linear")          the entry, through all aliases
 *     lw_api_bind(apis, entry, LW_API_CONSTRUCT, args, &bound) arguments to parameters
 *     lw_api_eval(apis, &call, &result)                        preconditions, result
 *
 * or lw_api_call, which binds and evaluates. A class has two parts: its constructor and, for
 * layers and modules, the call of an instance (whose rules also see the constructor's
 * arguments). Methods are entries named Class.method whose first parameter is the object;
 * lw_api_method walks the bases.
 *
 * Ownership: `struct lw_apis` owns entries (arena); everything borrowed lives as long as it. A
 * result's values live in the arena given with the call. One thread at a time.
 */
#ifndef LW_KNOWLEDGE_API_H
#define LW_KNOWLEDGE_API_H

#include "base/arena.h"
#include "base/finding.h"
#include "base/map.h"
#include "base/sink.h"
#include "base/vec.h"
#include "knowledge/value.h"

enum lw_api_kind {
    LW_API_FUNCTION,
    LW_API_METHOD, /* first parameter is the object */
    LW_API_CLASS,  /* any class not named below */
    LW_API_LAYER,  /* Keras layer or torch module: construct, then call */
    LW_API_MODEL,
    LW_API_OPTIMIZER,
    LW_API_SCHEDULER,
    LW_API_LOSS, /* construct, then call; or a loss function */
    LW_API_METRIC,
    LW_API_ACTIVATION, /* function */
    LW_API_INITIALIZER,
    LW_API_REGULARIZER,
    LW_API_CALLBACK,
    LW_API_DATASET,   /* well-known data */
    LW_API_TRANSFORM, /* of data */
    LW_API_CONSTANT,  /* a value: numpy.pi, torch.float32, numpy.newaxis */
    LW_API_MODULE,    /* a name space */
    LW_API_KIND_COUNT
};

#define LW_SEV_NOTE    LW_SEVERITY_NOTE
#define LW_SEV_WARNING LW_SEVERITY_WARNING
#define LW_SEV_ERROR   LW_SEVERITY_ERROR

/* What an argument should be, as far as the tables say. A set. */
enum {
    LW_P_TENSOR = 1 << 0, /* a tensor of the entry's framework */
    LW_P_ARRAY = 1 << 1,  /* anything array-like: tensors, numbers, nested lists */
    LW_P_INT = 1 << 2,
    LW_P_FLOAT = 1 << 3, /* a number */
    LW_P_BOOL = 1 << 4,
    LW_P_STR = 1 << 5,
    LW_P_NONE = 1 << 6,
    LW_P_SEQ = 1 << 7,
    LW_P_SHAPE = 1 << 8, /* an int or ints */
    LW_P_DTYPE = 1 << 9,
    LW_P_CALLABLE = 1 << 10,
    LW_P_OBJECT = 1 << 11,
    LW_P_ANY = 1 << 12
};

/* A name this parameter once had; versions are of the entry's package, empty = none. */
struct lw_api_old {
    struct lw_str name;
    struct lw_str deprecated, removed;
};

struct lw_api_param {
    struct lw_str name;
    uint32_t accepts; /* LW_P_…; 0 = not said */
    bool required;
    bool keyword_only;
    bool variadic; /* *args */
    bool keywords; /* **kwargs */
    struct lw_value
        initial; /* the default; LW_V_ABSENT when required, unknown when not known */
    const struct lw_str *choices; /* texts allowed */
    uint32_t choice_count;
    const struct lw_api_old *old;
    uint32_t old_count;
    struct lw_str added, deprecated, removed; /* versions */
    struct lw_str choice_kind; /* "activation", "loss"…: a name of that kind; or empty */
};

struct lw_rule_part; /* parsed rules, see rule.h */

/* One of the two callable sides of an entry. */
struct lw_api_part {
    bool present;
    const struct lw_api_param *params;
    uint32_t param_count;
    const struct lw_rule_part *rules;
};

enum lw_api_side { LW_API_CONSTRUCT, LW_API_CALL };

struct lw_api_fact {
    struct lw_str key, value;
};

struct lw_api {
    struct lw_str name;    /* canonical: the first */
    struct lw_str names;   /* the whole line of names */
    struct lw_str package; /* "torch", "tensorflow", "keras", "numpy", … */
    enum lw_api_kind kind;
    uint32_t framework; /* of its results: LW_TORCH… or 0 */
    struct lw_str base; /* name of the base class, or empty */
    struct lw_api_part side[2];
    struct lw_str added, deprecated, removed; /* versions of the package; empty = none */
    struct lw_str instead;                    /* what to use instead */
    const struct lw_api_fact *facts;
    uint32_t fact_count;
    struct lw_str value; /* CONSTANT: its expression */
    bool complete;       /* CLASS, MODULE: every member is in the tables */
    struct lw_str file;
    uint32_t line;
};

struct lw_apis;

/* `mem` borrowed. `dims` borrowed: symbols of the results are made there. */
int lw_apis_load(struct lw_apis **out, struct lw_mem *mem, struct lw_dims *dims,
                 struct lw_err *err);
/* The same from given text instead of the embedded tables (tests, fuzzing). */
int lw_apis_load_text(struct lw_apis **out, struct lw_mem *mem, struct lw_dims *dims,
                      struct lw_str file, struct lw_str text, struct lw_err *err);
void lw_apis_free(struct lw_apis *apis);
/* For another program: after the caller emptied `dims`. What was looked up before stays valid,
 * but for the texts of lw_api_use. */
void lw_apis_restart(struct lw_apis *apis);

/* How a name was found. */
struct lw_api_use {
    const struct lw_api *api;
    struct lw_str added, deprecated, removed; /* of this very spelling, else of the entry */
    struct lw_str package;                    /* whose versions these are */
    struct lw_str instead;                    /* how it is spelt today; empty = as it is */
};

/* By full dotted name with imports resolved ("tensorflow.keras.layers.Dense"); NULL when it is
 * not in the tables. `use` may be NULL. */
const struct lw_api *lw_api_find(struct lw_apis *apis, struct lw_str name,
                                 struct lw_api_use *use);
/* The method or attribute `name` of class `api` or of its bases; NULL when there is none. */
const struct lw_api *lw_api_method(struct lw_apis *apis, const struct lw_api *api,
                                   struct lw_str name, struct lw_api_use *use);
/* The method of a tensor of this framework set (one bit): "torch.Tensor.view". */
const struct lw_api *lw_api_tensor_method(struct lw_apis *apis, uint32_t framework,
                                          struct lw_str name, struct lw_api_use *use);
/* `api` is `base` or derived from it. The text of `base` lives until the next restart: the
 * answer is remembered by its address. */
bool lw_api_is_a(struct lw_apis *apis, const struct lw_api *api, struct lw_str base);
/* The name of class, module or function nearest to `name` among the members of `prefix`; empty
 * when none is near. */
struct lw_str lw_api_nearest(struct lw_apis *apis, struct lw_str prefix, struct lw_str name);
/* A name such as "relu", "mse", "adam" given as text where a `kind` is wanted; NULL: none. */
const struct lw_api *lw_api_find_choice(struct lw_apis *apis, struct lw_str kind,
                                        struct lw_str text);
/* "layer", "function", …; static text. */
const char *lw_api_kind_name(enum lw_api_kind kind);
/* The value of `fact KEY …` of the entry; empty when it is not there. */
struct lw_str lw_api_fact(const struct lw_api *api, const char *key);

/* Is TensorFlow symbol "tf.nn.relu" (or "tensorflow.nn.relu") there in 1.10, 1.11, 1.12, 1.13,
 * 1.14, 2.0: bits 0 to 5; -1 when the name was in none of them. */
int lw_api_tensorflow_symbol(struct lw_str name);

/* Do the tables have anything of this module (or class), under whatever name? */
bool lw_api_is_module(struct lw_apis *apis, struct lw_str name);

/* Does module or class member "torch.nn.Conv2D" exist in any version? YES: in the tables or in
 * the list of names; NO: the list of its module is complete and it is not there; MAYBE: no
 * list. */
lw_tri lw_api_has_member(struct lw_apis *apis, struct lw_str name);

/* The spellings an argument comes with. */
struct lw_arg {
    struct lw_str name; /* empty: positional */
    struct lw_value value;
    uint32_t node; /* of the engine: echoed in problems */
    bool star;     /* *value or **value (name "**") of unknown content */
};

/* Something is wrong, for sure. Texts live in the arena of the call. */
struct lw_problem {
    struct lw_str rule; /* "shape/linear-features" */
    enum lw_severity severity;
    struct lw_str message;
    int param;           /* parameter to blame, or -1: the call as a whole */
    int arg;             /* index of the argument to blame, or -1 */
    int other_arg;       /* a second one that takes part, or -1 */
    struct lw_str meant; /* what is to be written instead of the argument's name or text */
};

struct lw_bound {
    const struct lw_value *slots; /* one per parameter: given, default, or ABSENT */
    const int *from;              /* argument index of each slot, or -1 */
    uint32_t n;
    bool incomplete; /* *args or **kwargs of unknown content took part */
};

struct lw_api_call {
    const struct lw_api *api;
    enum lw_api_side side;
    const struct lw_value *config; /* CALL: the constructor's slots, or NULL */
    const struct lw_arg *args;
    size_t arg_count;
    struct lw_arena *arena; /* for results and messages */
    uint32_t line;          /* of the call: origin of what it makes */
    /* Turns an opaque value of the engine into a plain one; may be NULL. */
    struct lw_value (*plain)(void *engine, struct lw_value opaque);
    void *engine;
    /* Where a need such as `a == b` cannot be told, take it for true from here on (facts of
     * lw_dims, see its mark and rewind). */
    bool assume;
};

struct lw_api_result {
    struct lw_value value; /* LW_V_UNKNOWN when there is no rule or it cannot tell */
    struct lw_bound bound;
    struct lw_problem *problems; /* in the order of the rules */
    size_t problem_count;
    bool analysed; /* a rule for the result exists */
};

/* Binds and evaluates. 0, or LW_ENOMEM. A constructor of a class without a result rule gives
 * LW_V_OBJECT. */
int lw_api_call(struct lw_apis *apis, const struct lw_api_call *call,
                struct lw_api_result *result, struct lw_err *err);

/* Only binding, with its problems: api/unknown-argument, api/missing-argument,
 * api/too-many-arguments, api/renamed-argument, type/argument-kind, api/unknown-choice. */
int lw_api_bind(struct lw_apis *apis, const struct lw_api_call *call,
                struct lw_api_result *result, struct lw_err *err);

/* a + b, a @ b, a < b, -a …: `op` is Python's spelling. Unary: right.kind == LW_V_ABSENT. */
int lw_api_operator(struct lw_apis *apis, struct lw_str op, struct lw_value left,
                    struct lw_value right, const struct lw_api_call *where,
                    struct lw_api_result *result, struct lw_err *err);

/* Prints an entry for a reader: `lacewing check --api NAME`. LW_ENOENT with the nearest names.
 */
int lw_api_print(struct lw_apis *apis, struct lw_str name, struct lw_sink *out,
                 struct lw_err *err);
/* Counts by package and kind. */
int lw_api_print_coverage(struct lw_apis *apis, struct lw_sink *out, struct lw_err *err);
/* Reads every entry and complains about the first that cannot be understood. */
int lw_apis_check(struct lw_apis *apis, struct lw_err *err);

/* All entries, by number; NULL behind the last. */
const struct lw_api *lw_api_at(struct lw_apis *apis, size_t index);

#endif
