/*
 * protocol - what a PyTorch program does to its networks and optimisers, by the words it uses.
 *
 * A function that trains gets its model, optimiser and data from elsewhere, often from a file
 * that is not there. What it calls on them still says what they are: nothing but a loss has
 * backward(), nothing but a network or an optimiser zero_grad(). This reads those calls off the
 * tree, in the order of the text. `who` are texts of the program ("self.optimizer"); all
 * results are borrowed from the tree.
 */
#ifndef LW_CHECK_PROTOCOL_H
#define LW_CHECK_PROTOCOL_H

#include "check/engine.h"

enum protocol_word {
    PROTOCOL_ZERO,     /* who.zero_grad() */
    PROTOCOL_BACKWARD, /* who.backward(); who is the loss */
    PROTOCOL_STEP,     /* who.step(), scaler.step(who); who is named like an optimiser */
    PROTOCOL_TRAIN,    /* who.train() */
    PROTOCOL_EVAL,     /* who.eval(), who.train(False) */
};

struct protocol_call {
    enum protocol_word word;
    uint32_t node; /* the call */
    struct lw_str who;
};

enum { PROTOCOL_MOST = 64 };

struct protocol {
    struct protocol_call calls[PROTOCOL_MOST];
    size_t n;
    bool more; /* there are others: nothing can be said about what is missing */
};

/* All such calls inside `top`. */
void protocol_read(const struct lw_tree *t, uint32_t top, struct protocol *out);

/* The first call of that word from `from` on, by `who` (n == 0: anybody); n when there is none.
 */
size_t protocol_find(const struct protocol *p, enum protocol_word word, struct lw_str who,
                     size_t from);

/* Is it named like what has a step() that changes weights: optimizer, self.opt_d, solver? */
bool protocol_is_optimizer(struct lw_str who);

/* Does the program set gradients back anywhere, in any of the usual ways? */
bool protocol_clears_gradients(const struct ck *c);

/* Is the node inside `with torch.no_grad()` or inference_mode() of its function, or is the
 * function decorated with it? */
bool protocol_is_without_gradient(const struct lw_tree *t, uint32_t node);

struct protocol_function {
    struct ck_file *file;
    uint32_t node; /* LW_NO_NODE: none */
};

/* The definition of the function or method that a call `name(…)` or `self.name(…)` of the file
 * means: in the same file, else, for functions, in those that were followed from it. None when
 * there is more than one. */
struct protocol_function protocol_callee(const struct ck *c, struct ck_file *file,
                                         uint32_t call);

#endif
