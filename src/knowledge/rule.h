/*
 * rule - the small language in which the API tables state what a call wants and gives.
 *
 * Expressions are parsed into an arena once and evaluated over abstract values as often as
 * needed. The grammar and the functions are in docs/formats.md. Everything is three-valued:
 * where an operand is not known, so is the result.
 */
#ifndef LW_KNOWLEDGE_RULE_H
#define LW_KNOWLEDGE_RULE_H

#include "knowledge/api.h"

enum rule_op {
    RULE_INT,
    RULE_FLOAT,
    RULE_STR,
    RULE_NAME,
    RULE_TUPLE,
    RULE_LIST,
    RULE_DOTS, /* "..." inside a shape */
    RULE_CALL,
    RULE_ATTR,  /* a.text */
    RULE_INDEX, /* a[b] */
    RULE_SLICE, /* a[b:c], b and c may be NULL */
    RULE_NEG,
    RULE_NOT,
    RULE_ADD,
    RULE_SUB,
    RULE_MUL,
    RULE_DIV,
    RULE_FLOORDIV,
    RULE_MOD,
    RULE_EQ,
    RULE_NE,
    RULE_LT,
    RULE_LE,
    RULE_GT,
    RULE_GE,
    RULE_IN,
    RULE_AND,
    RULE_OR,
    RULE_IF /* if a then b else c */
};

struct rule_env;
struct rule_expr;

/* A function of the language: `n` evaluated arguments. */
struct rule_function {
    const char *name;
    uint8_t least, most; /* arguments */
    struct lw_value (*call)(struct rule_env *env, const struct lw_value *args, size_t n);
};

struct rule_expr {
    enum rule_op op;
    struct lw_str text; /* NAME, STR, ATTR */
    int64_t whole;      /* INT */
    double real;        /* FLOAT */
    const struct rule_expr *a, *b, *c;
    const struct rule_expr *const *items; /* TUPLE, LIST, CALL */
    uint32_t n;
    const struct rule_function *function; /* CALL; NULL: an interval function */
    lw_iv_function *interval;
};

/* A piece of a message: text, or the value of an expression. */
struct rule_piece {
    struct lw_str text;
    const struct rule_expr *expr;
};

enum rule_kind {
    RULE_LET,   /* name = expr */
    RULE_NEED,  /* expr must hold, else a problem */
    RULE_SHAPE, /* parts of a tensor result */
    RULE_DTYPE,
    RULE_RANGE,
    RULE_DEVICE,
    RULE_GRAD,
    RULE_OWNER,    /* framework */
    RULE_RELATION, /* name: kind of relation; expr: the tensor */
    RULE_RETURN,   /* any other result */
    RULE_IS        /* a family: its statements, with formals = items */
};

struct rule_family;

struct rule_statement {
    enum rule_kind kind;
    struct lw_str name; /* LET, RELATION */
    const struct rule_expr *expr;
    struct lw_str id; /* NEED: rule id */
    enum lw_severity severity;
    const struct rule_piece *message;
    uint32_t piece_count;
    struct lw_str family; /* IS; resolved when evaluated */
    const struct rule_expr *const *items;
    uint32_t n;
    uint32_t line;
};

/* The statements of one side of an entry, or of a family. */
struct lw_rule_part {
    const struct rule_statement *statements;
    uint32_t n;
};

struct rule_family {
    struct lw_str name;
    const struct lw_str *formals;
    uint32_t formal_count;
    struct lw_rule_part part;
};

/* Parses one expression; the whole text must be used. */
int rule_parse(struct lw_arena *arena, struct lw_str text, const struct rule_expr **out,
               struct lw_err *err);
/* Parses a leading expression and leaves the rest. */
int rule_parse_prefix(struct lw_arena *arena, struct lw_str *text, const struct rule_expr **out,
                      struct lw_err *err);
/* Parses a statement "let x = …", "need … ! id \"…\"", "shape …"; LW_ENOENT when the first word
 * is no statement of the language. */
int rule_parse_statement(struct lw_arena *arena, struct lw_str text, struct rule_statement *out,
                         struct lw_err *err);

const struct rule_function *rule_function_find(struct lw_str name);
/* Constants of the language: none, true, float32, floats, cpu…; false when it is none. */
bool rule_constant(struct lw_str name, struct lw_value *out);

/* ---- Evaluation ----------------------------------------------------------------------------
 */

enum { RULE_MAX_NAMES = 160, RULE_MAX_DEPTH = 60 };

struct rule_name {
    struct lw_str name;
    struct lw_value value;
};

struct rule_env {
    struct lw_apis *apis;
    struct lw_dims *dims;
    struct lw_arena *arena;
    uint32_t framework; /* of the entry: decides promotion and whose tensors come out */
    uint32_t line;
    struct rule_name *names; /* RULE_MAX_NAMES; later ones hide earlier ones */
    size_t n;
    int depth;
    struct lw_value (*plain)(void *engine, struct lw_value opaque);
    void *engine;
    const struct lw_problem *inner; /* what apply() found wrong in the object it called last */
    size_t inner_count;
};

struct lw_value rule_eval(struct rule_env *env, const struct rule_expr *e);
/* The truth of a value: unknown things may be true. */
lw_tri rule_truth(struct rule_env *env, struct lw_value v);
/* a == b. */
lw_tri rule_equal(struct rule_env *env, struct lw_value a, struct lw_value b);
/* Two ways meet. */
struct lw_value rule_join(struct rule_env *env, struct lw_value a, struct lw_value b);
bool rule_bind(struct rule_env *env, struct lw_str name, struct lw_value value);
/* Array-likes and unknown things as a tensor. */
struct lw_tensor rule_tensor(struct rule_env *env, struct lw_value v);
/* The interval of a number or tensor. */
struct lw_interval rule_interval(struct rule_env *env, struct lw_value v);
/* Ints, tuples and shapes as a shape; the unknown shape otherwise. */
struct lw_shape rule_shape(struct rule_env *env, struct lw_value v);

#endif
