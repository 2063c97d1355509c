/*
 * engine - the abstract interpreter: its state, and the calls its parts offer each other.
 *
 * One engine analyses one file and the project files it imports. Values are `struct lw_value`
 * (knowledge/value.h); kinds from LW_V_OPAQUE on are objects of the engine. Nothing here fails:
 * when memory, steps or time run out `stopped` is set, every evaluation yields the unknown
 * value from then on, and the rest of the file is "cannot tell".
 *
 * `line` of values and tensors is a place: file number << 24 | line (ck_place).
 */
#ifndef LW_CHECK_ENGINE_ENGINE_H
#define LW_CHECK_ENGINE_ENGINE_H

#include "base/clock.h"
#include "base/file.h"
#include "base/finding.h"
#include "base/str.h"
#include "check/types.h"
#include "check/engine/heap.h"
#include "check/engine/modules.h"
#include "check/engine/ways.h"
#include "knowledge/api.h"

struct ck;
struct ck_event;

/* Kinds of lw_value that are objects of the engine: `opaque` is a struct ck_object. */
enum ck_kind {
    CK_LIST = LW_V_OPAQUE, /* contents: a LW_V_LIST */
    CK_SET,                /* contents: a LW_V_LIST */
    CK_DICT,               /* contents: a LW_V_DICT */
    CK_FUNCTION,           /* def or lambda of the program */
    CK_METHOD,             /* a function and its self */
    CK_CLASS,              /* class of the program */
    CK_INSTANCE,           /* of a class of the program, or of a library */
    CK_MODULE,             /* a file of the program */
    CK_NAME,               /* a dotted name of a library: module, function, class, constant */
    CK_BOUND,              /* a method of a library, and its self */
    CK_SUPER,              /* super(): self, and the class behind which the search begins */
    CK_ITERATOR,           /* contents: what one step yields */
    CK_LAZY,               /* a name of a file of the program that was not run yet */
};

struct ck_file;

/* Variables of a scope that is being run. */
struct ck_env {
    struct ck_fields vars;
    struct ck_env *parent;
    uint32_t scope; /* of the file's names */
    bool captured;  /* a function or class was made in it: it may outlive its call */
    struct ck_file *file;
};

/* Something is made that may look at these variables after their call has ended. */
static inline struct ck_env *ck_capture(struct ck_env *env)
{
    for (struct ck_env *e = env; e && !e->captured; e = e->parent)
        e->captured = true;
    return env;
}

/* What has an identity. Which members are used depends on the kind. */
struct ck_object {
    uint8_t kind; /* enum ck_kind */
    bool called;  /* FUNCTION, CLASS: something called it */
    bool open;    /* INSTANCE, CLASS: attributes may exist that were not seen */
    bool gap;     /* FUNCTION, CLASS: it is not written to the end (gaps.h) */
    bool undone;  /* INSTANCE: made by a function whose changes were undone: it is empty */
    uint32_t id;  /* in order of birth */
    uint32_t place;
    uint32_t node; /* FUNCTION, CLASS: the definition; else where it was made */
    struct ck_file *file;
    struct ck_fields fields;  /* attributes; members of a class; variables of a module */
    struct ck_slot *traits;   /* what is known besides (traits.h) */
    struct ck_slot contents;  /* LIST, SET, DICT, ITERATOR */
    struct lw_value self;     /* METHOD, BOUND, SUPER */
    struct ck_object *of;     /* METHOD: function; INSTANCE: class of the program or NULL;
                                 FUNCTION: the class it was defined in; SUPER: class */
    struct ck_env *env;       /* FUNCTION: where it was defined */
    const struct lw_api *api; /* NAME, BOUND; INSTANCE: library class it is or derives from;
                                 CLASS: the first library class among its bases */
    struct lw_str name;       /* FUNCTION, CLASS, NAME: dotted as imported, aliases resolved */
    struct lw_str spelt;      /* INSTANCE of a library class: the name it was made by */
    const struct lw_value *items; /* FUNCTION: defaults by parameter; CLASS: bases; INSTANCE of
                                     a library class: the constructor's slots */
    uint32_t item_count;
    uint32_t made_count;
    const struct lw_arg *made;    /* INSTANCE of a class of the program: the arguments */
    const struct lw_api_use *use; /* NAME: how it was found */
    struct ck_object *newest;     /* CLASS: the instance made last; INSTANCE: of the same class,
                                     the one before */
    uint32_t number;              /* INSTANCE: in `instances`, as long as it stands there */
    void *extra; /* of the model of this library class; FUNCTION, CLASS: forget.c */
};

/* How a tensor came to be; kept by tensor id. The links form the graph of the computation. */
struct ck_origin {
    struct lw_str op;          /* canonical name of the function or class, or an operator */
    const struct lw_api *api;  /* may be NULL */
    struct ck_object *layer;   /* the layer, module or model that was called, or NULL */
    const struct lw_value *in; /* operands, in the order of the call */
    uint32_t in_count;
    const struct lw_bound *bound; /* of a table entry: slots; may be NULL */
    uint32_t node;
    struct ck_file *file;
    uint32_t place;
    const struct ck_object *graph; /* TensorFlow 1: made in this graph; NULL: the default */
};

/* The answer to a question about a file, found out when first asked for. */
struct ck_said {
    bool searched, yes;
};

/* Texts of one kind that a file holds. */
enum ck_texts {
    CK_DOTTED, /* name.member, as it is written */
    CK_QUOTED, /* string literals, with their quotes */
    CK_MAGIC,  /* words of lines that the notebook runs, not Python: %time x = f() */
    CK_TEXT_KINDS
};

/* A file of the program. */
struct ck_file {
    uint32_t index;
    struct lw_str path;              /* as shown to the user */
    struct lw_str folder;            /* where imports are looked for first */
    const struct ck_parsed *parsed;  /* to be put back; NULL: borrowed */
    struct lw_str code;              /* the text without comments and prose */
    struct ck_gaps gaps;             /* borrowed from the shared file */
    struct ck_notes *notes;          /* shared: answers about `code` and `evidence` */
    const struct evidence *evidence; /* borrowed from the shared file */
    struct lw_source source;         /* these three are copies of the shared ones: read only */
    struct lw_tree tree;
    struct lw_names names;
    struct ck_env *env;
    struct ck_object *module;
    uint32_t *ids;      /* by node: interned name, or 0 */
    uint32_t near_line; /* looked up last */
    lw_str_vec stars;   /* modules of `from x import *` that the tables know; each once */
    bool starred;       /* there is any `from x import *` of a library, */
    bool other_star;    /* and one of something else than Keras */
    struct ck_said hides_names; /* it binds names that are not seen: exec(), globals()… */
    struct ck_said python3;     /* it has forms that Python 2 does not have */
    struct lw_map *texts[CK_TEXT_KINDS]; /* collected when first asked for (mention.c) */
    struct ck_places *places; /* nodes by name, made when first asked for (query/places.c) */
    struct ck_uses *uses;     /* names by symbol, likewise (query/uses.c) */
    bool started;             /* its module code was run, or is being run */
};

/* How a block ends. DEAD: nothing goes on, and where it went is in the saved branches. */
enum ck_flow { CK_NEXT, CK_BREAK, CK_CONTINUE, CK_RETURN, CK_RAISE, CK_DEAD };

/* Branches that left a block early, kept until the place they go to; the first CK_MAX_BRANCHES.
 */
typedef LW_VEC(struct ck_changes) ck_saved;

/* A list that the first pass of a loop appends to: by as many items as every pass, if it is
 * surely done. */
struct ck_growth {
    struct ck_object *list;
    uint32_t before, added;
    bool sure;
};

enum { CK_MAX_GROWN = 8 };

struct ck_loop {
    struct ck_loop *up;
    uint32_t node;
    uint32_t born; /* objects when it began */
    size_t mark, pass_mark;
    ck_saved breaks, continues; /* changes since `mark`, and since `pass_mark` */
    unsigned pass;              /* from 0 */
    bool endless;               /* it is not known how often it runs */
    unsigned certain;           /* `uncertain` of the frame where a pass begins */
    struct ck_growth grown[CK_MAX_GROWN];
    unsigned grown_count;
};

/* A function, class body or module that is being run. */
struct ck_frame {
    struct ck_frame *up;
    struct ck_file *file;
    struct ck_env *env;
    struct ck_object *function; /* NULL: module or class body */
    struct ck_object *in_class; /* of a class body, or of the method's function */
    struct lw_value self;       /* first argument of a method */
    struct lw_value result;     /* join of what was returned so far; ABSENT: nothing yet */
    struct lw_value yielded;    /* join of what was yielded; ABSENT: no generator */
    size_t mark;                /* at its beginning */
    ck_saved returns;           /* of branches: changes since `mark` */
    struct ck_loop *loop;       /* innermost */
    uint32_t call_place;        /* where it was called */
    struct ck_symbols *symbols; /* sizes named by annotations; may be NULL */
    uint32_t statement;         /* being run */
    unsigned uncertain;         /* conditions around of which the value is not known */
    unsigned looping;           /* of them, loops of an unknown number of passes */
    unsigned matched;           /* tests of the equality of two values that are not known */
    unsigned guarded;           /* try blocks, version tests and hasattr around */
    bool grad_off;              /* the function is decorated with torch.no_grad() or the like */
    struct ck_fork *fork;       /* innermost if around whose test is not known */
    uint32_t exits[WAYS_TESTS]; /* tests under which it returned or yielded */
    uint32_t exit_count;        /* above WAYS_TESTS: more than that */
};

struct ck_statistics {
    uint64_t calls;   /* calls evaluated */
    uint64_t unknown; /* of them, of something that is not known */
};

enum {
    CK_MAX_DEPTH = 200,        /* of expressions and statements */
    CK_MAX_CALLS = 24,         /* of calls inside each other */
    CK_MAX_RECURSION = 2,      /* of one function inside itself */
    CK_MAX_UNROLL = 40,        /* passes of a loop that are run one by one */
    CK_MAX_ITEMS = 256,        /* of a list that are told apart */
    CK_MAX_JOIN = 16,          /* of values inside values that are joined or compared */
    CK_MAX_FILES = 64,         /* that are followed from one file */
    CK_MAX_FOLLOWED = 1 << 20, /* bytes of them */
    CK_PLACE_LINE = 0xffffff,
};

/* What the program is written for: as given, else as its files and spellings tell. */
struct ck_target {
    struct lw_check_target given;
};

/* Memory that outlives an event, by the address it is asked for with. */
struct ck_state {
    const void *key;
    void *memory;
};
enum { CK_STATES = 512 }; /* a power of 2, far more than addresses that anyone asks with */

/* Containers of modules within the outermost call (nested.c). */
struct ck_run_of {
    struct lw_value in, out;
};
struct ck_nested {
    struct lw_map known; /* id of the container -> number of its last run */
    LW_VEC(struct ck_run_of) runs;
    unsigned depth, layers;
};

struct ck_context { /* a `with` around */
    struct lw_value value;
    uint32_t node;
};

struct ck {
    struct lw_mem *mem;     /* borrowed */
    struct lw_arena *arena; /* borrowed */
    struct ck_heap heap;
    struct lw_clock clock;
    struct lw_apis *apis;           /* borrowed */
    struct lw_dims *dims;           /* borrowed */
    struct ck_modules *shared;      /* borrowed; parsed files of all checks */
    const struct roles *roles;      /* borrowed; words of names (query/roles.h) */
    LW_VEC(struct ck_file *) files; /* 0 is the one that is checked */
    struct ck_frame *frame;
    LW_VEC(const struct ck_origin *) origins; /* by tensor id - 1 */
    LW_VEC(struct ck_object *) defined;   /* functions and classes, in order of definition */
    LW_VEC(struct ck_object *) called;    /* functions, in order of their first calls */
    LW_VEC(struct ck_object *) instances; /* of classes and library classes, in order */
    LW_VEC(struct ck_context) contexts;   /* outermost first */
    void (*emit)(struct ck *c, const struct ck_event *e); /* who is told; may be NULL */
    struct ck_watch *watch;          /* of `emit`, which knows what it is */
    const struct ck_library *models; /* what libraries do; never NULL */
    struct ck_answers *answers;      /* to questions about the code (shows.c) */
    struct ck_state *states;         /* CK_STATES, by address */
    uint64_t steps, step_limit;      /* of this entry point */
    uint64_t total_steps;            /* of functions that nothing called */
    uint64_t given_up;               /* entry points that were stopped */
    double deadline, seconds;        /* of this entry point; allowed for each */
    unsigned depth, call_depth, join_depth;
    unsigned quiet; /* > 0: findings are not reported (code that was run before) */
    bool stopped;   /* this entry point was given up */
    bool widening;  /* joins are those of a loop: what moves is unbounded */
    uint32_t objects;
    struct lw_map unknown_calls; /* dotted name -> times */
    struct lw_map library;       /* dotted name -> its CK_NAME object */
    struct lw_map modules;       /* "folder|dotted" -> path of the module, or 0 */
    uint64_t followed;           /* bytes of imported files */
    struct lw_map builtins;      /* name -> number of the handler + 1 */
    struct ck_statistics statistics;
    struct ck_target *target; /* versions; borrowed */
    struct ck_way_state ways; /* what differs by the way that was taken */
    struct ck_nested nested;
};

/* ---- values and objects (objects.c, join.c) -------------------------------------------------
 */

static inline bool ck_is_object(struct lw_value v)
{
    return v.kind >= LW_V_OPAQUE;
}
/* The object, or NULL when the value is none. */
static inline struct ck_object *ck_object_of(struct lw_value v)
{
    return ck_is_object(v) ? (struct ck_object *)(uintptr_t)v.opaque : NULL;
}
/* The object when the value is of that kind, else NULL. */
static inline struct ck_object *ck_as(struct lw_value v, enum ck_kind kind)
{
    return v.kind == kind ? ck_object_of(v) : NULL;
}

/* A new object; a value of its own. NULL when memory ran out. */
struct ck_object *ck_new(struct ck *c, enum ck_kind kind, uint32_t node);
/* Another object that has what `o` has; NULL when memory ran out. */
struct ck_object *ck_copy(struct ck *c, const struct ck_object *o);
struct lw_value ck_value(struct ck_object *o);      /* unknown for NULL */
struct lw_value *ck_values(struct ck *c, size_t n); /* an array, or NULL */
struct lw_str ck_text(struct ck *c, const char *fmt, ...) LW_PRINTF(2, 3);

struct lw_value ck_int(struct ck *c, int64_t n);
bool ck_int_of(struct ck *c, struct lw_value v, int64_t *n);   /* a known integer (or bool) */
bool ck_number_of(struct ck *c, struct lw_value v, double *x); /* a known number */
struct lw_value ck_new_list(struct ck *c, enum ck_kind kind, struct lw_seq seq, uint32_t node);
struct lw_value ck_new_dict(struct ck *c, const struct lw_dict *dict, uint32_t node);
struct lw_value ck_new_name(struct ck *c, struct lw_str dotted);
struct lw_value ck_tuple(struct ck *c, const struct lw_value *items, size_t n);
/* The items of a tuple, list, set, shape…; false when it is nothing with known items. */
bool ck_sequence(struct ck *c, struct lw_value v, struct lw_seq *out);
bool ck_pairs(struct lw_value v, const struct lw_dict **out);
/* The value of a text key; false when it is not there or not known. */
bool ck_dict_get(struct ck *c, struct lw_value dict, struct lw_value key, struct lw_value *out);
struct lw_value ck_make_seq(struct ck *c, enum lw_value_kind kind, const struct lw_value *items,
                            size_t n, bool open);

lw_tri ck_truth(struct ck *c, struct lw_value v);
/* The truth of the condition at `node`, which is evaluated. */
lw_tri ck_test(struct ck *c, uint32_t node);
lw_tri ck_equal(struct ck *c, struct lw_value a, struct lw_value b); /* == */
/* type(m) == nn.Linear; MAYBE where one of them is no class. */
lw_tri ck_same_class(struct lw_value a, struct lw_value b);
/* type(v); unknown where it is not known. */
struct lw_value ck_type_of(struct ck *c, struct lw_value v);
/* `if scaler:` of an object. */
lw_tri ck_instance_truth(struct ck *c, struct ck_object *o);
bool ck_same(struct lw_value a, struct lw_value b); /* the very same value */
struct lw_value ck_join(struct ck *c, struct lw_value a, struct lw_value b);
/* Is it not known which key of a dict this is? */
bool ck_is_vague(struct ck *c, struct lw_value key);
struct lw_value ck_join_slot(void *c, struct lw_value a,
                             struct lw_value b); /* for heap_merge */
/* Any item of the sequence. */
struct lw_value ck_join_items(struct ck *c, struct lw_seq seq);
/* As the tables see it. */
struct lw_value ck_plain(struct ck *c, struct lw_value v);
/* The same, where a list of lists has to become an array: those inside are made plain too. */
struct lw_value ck_plain_rows(struct ck *c, struct lw_value v);
/* The tensor, or NULL. */
static inline const struct lw_tensor *ck_tensor_of(struct lw_value v)
{
    return v.kind == LW_V_TENSOR ? v.tensor : NULL;
}
struct lw_value ck_tensor(struct ck *c, const struct lw_tensor *t);
/* Numbers, nested sequences and tensors as a tensor; false when it is none. */
bool ck_to_tensor(struct ck *c, struct lw_value v, struct lw_tensor *out);
/* A tensor of unknown shape whose place is `node`. */
struct lw_value ck_any_tensor(struct ck *c, uint32_t framework, uint32_t node);
/* For messages. */
struct lw_str ck_show(struct ck *c, struct lw_value v);
struct lw_str ck_show_shape(struct ck *c, const struct lw_shape *s);
/* "line 5", "cell 4, line 1" of a notebook; "model.py:5" where that is not the file `from`, in
 * which the finding is. */
struct lw_str ck_show_place(struct ck *c, const struct ck_file *from, uint32_t place);
void ck_add_place(struct ck *c, struct lw_buf *b, const struct ck_file *from, uint32_t place);
/* "int", "Tensor", "numpy array", "function"… */
const char *ck_kind_name(struct ck *c, struct lw_value v);

/* ---- origins (origin.c) ---------------------------------------------------------------------
 */

/* Names the tensor (and the tensors of a tuple) and remembers where it comes from; `origin` is
 * kept and has to be in the arena. */
struct lw_value ck_originate(struct ck *c, struct lw_value v, const struct ck_origin *origin);
/* The same of what was just made of `in` at `origin->node` of the file being run. Origin and
 * operands are copied. */
struct lw_value ck_made(struct ck *c, struct lw_value v, const struct ck_origin *origin,
                        const struct lw_value *in, size_t n);
const struct ck_origin *ck_origin_of(const struct ck *c, struct lw_value v);
/* The same for whole[index], which gave `part` (ops.c). */
struct lw_value ck_part_of(struct ck *c, struct lw_value part, struct lw_value whole,
                           struct lw_value index, uint32_t node);

/* ---- places (origin.c) ----------------------------------------------------------------------
 */

uint32_t ck_place(struct ck *c, uint32_t node); /* in the current file */
uint32_t ck_file_place(struct ck_file *f, uint32_t node);

/* ---- attributes -----------------------------------------------------------------------------
 */

struct lw_value ck_get_attr(struct ck *c, struct lw_value v, struct lw_str name, uint32_t node);
void ck_set_attr(struct ck *c, struct lw_value v, struct lw_str name, struct lw_value value);
/* Attribute of an instance that was set on it; ABSENT when it was not. */
struct lw_value ck_field(struct ck *c, const struct ck_object *o, const char *name);
/* Its place; NULL when it was not set. */
static inline struct ck_slot *ck_field_slot(struct ck *c, const struct ck_object *o,
                                            struct lw_str name)
{
    return fields_find(&o->fields, heap_intern(&c->heap, name));
}
void ck_set_field(struct ck *c, struct ck_object *o, const char *name, struct lw_value v);
/* The method or class variable in the program's classes; ABSENT when there is none. */
struct lw_value ck_class_member(struct ck *c, struct ck_object *cls, struct lw_str name,
                                struct ck_object *behind);
/* Is the instance (or class) one of the library class `base`, through any number of classes? */
bool ck_is_a(struct ck *c, struct lw_value v, const char *base);
bool ck_is_a_any(struct ck *c, struct lw_value v, const char *const *bases);
/* A slot of the constructor of a library object by parameter name; ABSENT when not known. */
struct lw_value ck_config(const struct ck_object *o, const char *param);

/* Sizes that annotations call by name, of one call. */
struct ck_symbols {
    struct lw_str names[16];
    lw_dim dims[16];
    size_t n;
};
/* ---- running (expr.c, assign.c, stmt.c, branch.c, loop.c, call.c, import.c) ----------------
 */

struct lw_value ck_eval(struct ck *c, uint32_t node);
/* Evaluates the defaults of the parameters of a new function. */
void ck_function_defaults(struct ck *c, struct ck_object *f);
enum ck_flow ck_exec_block(struct ck *c, uint32_t node, enum lw_role role);
void ck_assign(struct ck *c, uint32_t target, struct lw_value v, uint32_t from);
struct lw_value ck_call(struct ck *c, struct lw_value f, const struct lw_arg *args, size_t n,
                        uint32_t node);
/* A call of a function of the program. */
struct lw_value ck_call_function(struct ck *c, struct ck_object *f, const struct lw_arg *args,
                                 size_t n, uint32_t node);
/* obj.name(args) for a name that may not exist: ABSENT then. */
struct lw_value ck_call_method(struct ck *c, struct lw_value v, const char *name,
                               const struct lw_arg *args, size_t n, uint32_t node);
/* An instance of a class of the program, before its __init__; NULL when memory ran out. */
struct ck_object *ck_new_of(struct ck *c, struct ck_object *cls, uint32_t node);
/* Does the argument come from `**d`, of a dict that may lack any of its keys? */
bool ck_is_spread_of_open(const struct lw_arg *args, size_t n, size_t which);
bool ck_is_static(const struct ck_object *f);
bool ck_is_classmethod(const struct ck_object *f);
bool ck_is_property(const struct ck_object *f);
/* None, or a list or dict with nothing in it: what somebody sets or fills before a function is
 * called, more often than not. */
bool ck_is_vacant(struct lw_value v);
/* Does what the constructor of a dataclass does; false: it is none. */
bool ck_construct_record(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                         uint32_t node);
/* What the function being run returns, against its annotation. */
void ck_check_result(struct ck *c, uint32_t node, struct lw_value v);
/* A value of shape `is` where `want` is asked for; binds symbols of `want`. */
lw_tri ck_fits(struct ck *c, const struct lw_shape *is, const struct lw_shape *want);
struct lw_value ck_subscript(struct ck *c, struct lw_value v, struct lw_value index,
                             uint32_t node);
struct lw_value ck_binary(struct ck *c, enum lw_op op, struct lw_value a, struct lw_value b,
                          uint32_t node);
struct lw_value ck_unary(struct ck *c, enum lw_op op, struct lw_value a, uint32_t node);
lw_tri ck_compare(struct ck *c, enum lw_op op, struct lw_value a, struct lw_value b);
/* What one pass of `for` over it gets: known items, or one that stands for all. */
struct lw_seq ck_iterate(struct ck *c, struct lw_value v, uint32_t node);
void ck_import(struct ck *c, uint32_t node);
/* What a CK_LAZY stands for. */
struct lw_value ck_force(struct ck *c, struct lw_value v);
/* The file at `path`, parsed; NULL when it cannot be had. `parsed` is borrowed and may be NULL:
 * read from disk. */
struct ck_file *ck_load_file(struct ck *c, struct lw_str path, const struct ck_parsed *parsed);
void ck_release_files(struct ck *c);
/* Runs the module code unless it was run. */
void ck_run_file(struct ck *c, struct ck_file *f);
/* Runs module code and entry points of files.v[0]. */
void ck_run(struct ck *c);
/* One more step; false when the engine has to stop. */
bool ck_step(struct ck *c);

/* `x[index] = v` of a tensor: x holds v's elements too from now on. */
void ck_store_item(struct ck *c, uint32_t target, struct lw_value index, struct lw_value v);

void ck_define_function(struct ck *c, uint32_t node);
void ck_define_class(struct ck *c, uint32_t node);

/* What the annotation says about a value of which nothing better is known; `v` when it says
 * nothing. `symbols` may be NULL. */
struct lw_value ck_annotated(struct ck *c, uint32_t annotation, struct lw_value v,
                             struct ck_symbols *symbols);
/* The shape that an annotation asks for; false when it says none. */
bool ck_annotation_shape(struct ck *c, uint32_t annotation, struct ck_symbols *symbols,
                         struct lw_shape *out);

/* What obj.__dict__ is, at the node that says so (fields.c). */
struct lw_value ck_fields_of(struct ck *c, struct lw_value v, uint32_t node);
/* Sets the attributes that a dictionary has; with one that is not known, any may be set. */
void ck_set_fields(struct ck *c, struct ck_object *o, struct lw_value pairs);
/* The module that is a file below the folder of the package `f`; ABSENT: there is none. */
struct lw_value ck_submodule(struct ck *c, struct ck_file *f, struct lw_str name);

/* The file of the program that an IMPORT_FROM of `from` names, loaded but perhaps not run;
 * NULL: a library, or too many files. */
struct ck_file *ck_imported_file(struct ck *c, struct ck_file *from, uint32_t node);
/* Is it a module or folder beside the __init__.py of the package? */
bool ck_is_submodule(struct ck *c, const struct ck_file *package, struct lw_str name);

struct lw_value ck_lookup(struct ck *c, uint32_t name_node);
struct ck_slot *ck_slot_of(struct ck *c, uint32_t name_node);
/* The same where it exists, else NULL. */
struct ck_slot *ck_bound_slot(struct ck *c, uint32_t name_node);
/* The slot of another name in the scope of the node: `import a.b.c` binds a. */
struct ck_slot *ck_slot_called(struct ck *c, uint32_t node, struct lw_str name);

/* ---- what surrounds the engine (context.c, shows.c) --------------------------------------
 */

/* Is everything around sure to be run: inside no condition of unknown truth? A loop over
 * unknown data counts as run. */
bool ck_is_certain(const struct ck *c);
/* Is the function being run called by the engine itself, not by the program? Then nothing is
 * known about what was done to its arguments and objects before. */
bool ck_is_driven(const struct ck *c);
/* Is a loop being run, in this function or around its call? */
bool ck_in_loop(const struct ck *c);
/* Memory for this engine, zeroed at first use; `key` is any static address. NULL when memory
 * ran out. */
void *ck_state(struct ck *c, const void *key, size_t size);
/* Does a file of the program show it? `question` is static, and as evidence.h says:
 * "call backward", "keyword strict=False". For what may be done in a way that was not followed.
 */
bool ck_shows(const struct ck *c, const char *question);
bool ck_shows_any(const struct ck *c, const char *const *questions, size_t n);
/* The same of one file. */
bool ck_file_shows(const struct ck *c, const struct ck_file *f, const char *question);
/* Is the word in the code of the file, outside comments and prose? It is a constant, and searched
 * for once. */
bool ck_file_mentions(const struct ck *c, const struct ck_file *f, const char *word);
/* Does the file hold just this text, as one of a kind? True also when memory ran out. */
bool ck_file_has(struct ck *c, struct ck_file *f, enum ck_texts kind, struct lw_str text);
void ck_file_release_texts(struct ck_file *f);
/* The code of a node: its text, with blanks for comments and prose. */
static inline struct lw_str ck_code(const struct ck_file *f, uint32_t node)
{
    uint32_t from = lw_tree_start(&f->tree, node);
    return lw_str_part(f->code, from, lw_tree_end(&f->tree, node) - from);
}
/* Before the first question. LW_ENOMEM. */
int ck_answers_init(struct ck *c, struct lw_err *err);

/* ---- what is expected to go wrong (expected.c) ---- */

/* Does the try block expect that names or modules are missing, or that anything goes wrong? */
bool ck_is_guarded_try(const struct ck *c, uint32_t node);
/* Is just the kind of error caught that a wrong shape or type raises? */
bool ck_shows_failure(const struct ck *c, uint32_t node);
/* with pytest.raises(ValueError) */
bool ck_expects_failure(const struct ck *c, uint32_t node);

/* Variables of which a test asked what they are, without an answer (doubt.c). */
enum { CK_MAX_DOUBTS = 8 };
struct ck_doubts {
    struct {
        struct ck_slot *slot;
        struct lw_value was;
    } v[CK_MAX_DOUBTS];
    unsigned n;
};
/* They are not known until `ck_doubt_end`, which gives back the values of those that nothing
 * was assigned to in between. */
void ck_doubt(struct ck *c, struct ck_doubts *d, uint32_t test);
void ck_doubt_end(struct ck *c, struct ck_doubts *d);

/* Branches: mark the heap, run one, end it; then join all. */
enum { CK_MAX_BRANCHES = 32 };
struct ck_branches {
    struct ck_changes live[CK_MAX_BRANCHES];
    size_t live_count;
};
void ck_branch_end(struct ck *c, struct ck_branches *b, size_t mark, enum ck_flow flow);
enum ck_flow ck_branches_join(struct ck *c, struct ck_branches *b);

/* ---- libraries (builtins.c, lib_*.c) --------------------------------------------------------
 */

/* One call of something that is not the program's own. */
struct ck_call {
    struct lw_str name;        /* canonical name */
    const struct lw_api *api;  /* or NULL */
    struct lw_value self;      /* object of a method, else ABSENT */
    const struct lw_arg *args; /* without self */
    size_t n;
    uint32_t node;
    struct lw_api_result *r; /* of the tables; zeroed when there is no entry */
};

/* The argument by position or name; ABSENT when it was not given. */
struct lw_value ck_arg(const struct ck_call *call, size_t position, const char *name);
/* The slot of a table entry by parameter name (given or default), else as ck_arg. */
struct lw_value ck_slot_value(const struct ck_call *call, const char *name);

struct lw_value ck_builtin(struct ck *c, struct lw_str name); /* ABSENT: no such builtin */
/* A name that nothing binds, as programs usually import it: np, Dense…; ABSENT: no idea. */
struct lw_value ck_assumed(struct ck *c, struct lw_str name);
bool ck_str_method(struct ck *c, const struct ck_call *call, struct lw_value *out);
bool ck_list_method(struct ck *c, const struct ck_call *call, struct lw_value *out);
/* Behind a loop of `passes`: how long the lists are that each pass appended to. */
void ck_set_grown(struct ck *c, const struct ck_loop *loop, lw_dim passes);
/* At the end of the first pass: which of them have just what was appended? */
void ck_check_grown(struct ck_loop *loop);
bool ck_dict_method(struct ck *c, const struct ck_call *call, struct lw_value *out);
bool ck_tuple_method(struct ck *c, const struct ck_call *call, struct lw_value *out);

#endif
