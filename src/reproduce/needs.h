/*
 * needs - names that a program uses and nothing binds, and what they seem to be.
 *
 * What a name stands for is read from how it is used: called, iterated over, indexed, given to
 * a model or to a loss, which attributes it has. Where it is given to a function of the
 * program, the uses of the parameter count as its own. Only then its spelling decides
 * (data/reproduce/names.csv).
 */
#ifndef LW_REPRODUCE_NEEDS_H
#define LW_REPRODUCE_NEEDS_H

#include "reproduce/program.h"

enum { RP_PARTS_MAX = 6, RP_NEEDS_MAX = 64, RP_ATTRIBUTES_MAX = 8 };

/* How something is used. */
struct rp_uses {
    bool called, based, indexed, iterated, compared, calculated;
    bool to_model;    /* an argument of a model */
    bool to_loss;     /* the second argument of a loss */
    bool to_range;    /* an argument of range() */
    bool to_loader;   /* the first argument of DataLoader or of TensorDataset */
    bool only_module; /* every use is an attribute of it */
    uint32_t target;  /* what a call or an iteration of it is bound to, or LW_NO_NODE */
    uint32_t starred; /* its call is unpacked into the arguments of this call, or LW_NO_NODE */
    struct lw_str attributes[RP_ATTRIBUTES_MAX];
    size_t attribute_count;
    struct lw_str keyword; /* the keyword argument that it is given as; may be empty */
    enum rp_role hint;     /* of an attribute */
};

/* A name that is not bound. */
struct rp_need {
    struct lw_str name;
    uint32_t node; /* its first use */
    enum rp_role role;
    struct rp_known_name known;
    struct rp_uses uses;
    enum rp_role parts[RP_PARTS_MAX]; /* of what a call or an iteration of it gives */
    struct lw_str part_names[RP_PARTS_MAX];
    size_t part_count; /* 0: one thing that is not unpacked */
};

/* The names that the body uses without binding them; at most `max`, in text order. */
size_t rp_needs_find(const struct rp_program *p, struct rp_need *out, size_t max);

/* How a symbol of the body is used (or, LW_NO_SYMBOL, a name that nothing binds). */
void rp_uses_of(const struct rp_program *p, struct rp_uses *out, uint32_t symbol,
                struct lw_str name);
/* What it is, by its uses and its name; `known` may be NULL. */
enum rp_role rp_role_of(const struct rp_program *p, const struct rp_uses *uses,
                        struct lw_str name, struct rp_known_name *known);

/* The last word of what a call calls: "cross_entropy" of F.cross_entropy(a, b). */
struct lw_str rp_callee(const struct lw_tree *t, uint32_t call);
/* The symbol that a name in the body means, or LW_NO_SYMBOL when nothing binds it. */
uint32_t rp_symbol(const struct rp_program *p, uint32_t node);

#endif
