/*
 * facts - what the program and the report tell about the data.
 *
 * The shape of an input comes from what the report says of the name, else from the first layer
 * of the model; the targets from the loss and the last layer; counts from the report.
 */
#ifndef LW_REPRODUCE_FACTS_H
#define LW_REPRODUCE_FACTS_H

#include "reproduce/program.h"

enum { RP_RANK_MAX = 6 };

struct rp_shape {
    int64_t dims[RP_RANK_MAX];
    size_t rank;
};

/* How many numbers it holds, at most some millions. */
int64_t rp_shape_size(const struct rp_shape *s);

/* What the report says about one name. */
struct rp_stated {
    bool has_shape;
    struct rp_shape shape; /* with the number of samples in front */
    struct lw_str dtype;   /* "uint8"; empty: not said */
    struct lw_str literal; /* Python text: "[(0, 2), (1, 3)]"; empty: none */
    bool is_list;          /* "a list of" */
    int64_t values;        /* "values 0..9": 10; 0: not said */
};

/* The data of the program. */
struct rp_facts {
    struct rp_shape input; /* of one sample */
    bool integers;         /* inputs are numbers of words */
    int64_t vocabulary;    /* of them */
    bool input_known;      /* from a layer or the report, not assumed */
    struct lw_str dtype;   /* of the inputs where the report says one; may be empty */
    enum rp_target target;
    struct lw_str loss; /* its name; may be empty */
    int64_t classes;    /* also the width of the output */
    bool classes_known;
    bool whole_target; /* targets are integers where the loss takes real numbers */
    bool flat_target;  /* one number a sample: (N,) rather than (N, 1) */
    int64_t samples, batch;
};

void rp_facts_read(const struct rp_program *p, struct rp_facts *out);
void rp_stated_read(struct rp_program *p, struct lw_str name, struct rp_stated *out);

/* The last value of a hyperparameter that the report states; empty: none. */
struct lw_str rp_setting(const struct rp_program *p, struct lw_str name);
/* The integer that an expression of the body has, as far as it can be told. */
bool rp_integer(const struct rp_program *p, uint32_t node, int64_t *out);

#endif
