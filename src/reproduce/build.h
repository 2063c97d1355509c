/*
 * build - from the snippet to one candidate program.
 *
 * First what the program lacks to do anything is added (drive.h), then every name that nothing
 * binds gets an import or a stand-in. What can be done in several ways is in `struct
 * rp_candidate`; a search changes it (guide.h) and builds again.
 */
#ifndef LW_REPRODUCE_BUILD_H
#define LW_REPRODUCE_BUILD_H

#include "reproduce/facts.h"
#include "reproduce/needs.h"

struct rp_candidate {
    bool has_facts; /* else they are read from program and report */
    struct rp_facts facts;
    unsigned class_results; /* values that the call of a stand-in class gives; 0: one */
    bool call_all;          /* call also what is unused in a program that does something */
    bool train;             /* add a training loop */
    bool silent;            /* the report states no error: seed, and log what it talks about */
    struct lw_str message;  /* of the reported error; may be empty */
    bool told;              /* what the message tells about the data was taken */
    struct lw_str metric;   /* that the report talks about; may be empty */
    struct lw_str absent;   /* modules that are not installed, separated by blanks */
    struct lw_str file;     /* that the program reads and nobody has; may be empty */
    bool odd;               /* images have a size that no power of two divides */
    bool flipped;           /* the rank of the targets was changed once */
};

/* Makes the candidate from the snippet of `p`: afterwards p->edits and p->repairs are its
 * steps. Returns its text in `*text`; `out` gets the files that it reads. */
int rp_build(struct rp_program *p, struct rp_candidate *c, struct lw_str *text,
             struct lw_reproduction *out, struct lw_err *err);

/* The framework that body and report speak of. */
enum rp_framework rp_framework_of(const struct rp_program *p);
const char *rp_framework_name(enum rp_framework f); /* "torch", "tensorflow", "numpy", "" */

/* The name of the model, optimizer, loader… at module level; empty: none is bound. */
struct lw_str rp_bound_role(const struct rp_program *p, enum rp_role role);

#endif
