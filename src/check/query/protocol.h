/*
 * protocol - what a PyTorch program does to its networks and optimisers, by the words it uses.
 *
 * A function that trains gets its model, optimiser and data from elsewhere, often from a file
 * that is not there. What it calls on them still says what they are: nothing but a loss has
 * backward(), nothing but a network or an optimiser zero_grad(). This reads those calls off the
 * tree, in the order of the text. `who` are texts of the program ("self.optimizer"); all
 * results are borrowed from the tree.
 */
#ifndef LW_CHECK_QUERY_PROTOCOL_H
#define LW_CHECK_QUERY_PROTOCOL_H

#include "check/engine/engine.h"

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

#define PROTOCOL_ANYBODY ((struct lw_str){0})

/* The first file of the program, and all such calls in it. */
struct protocol_program {
    struct ck *c;
    struct ck_file *file;
    const struct lw_tree *t; /* of the file */
    struct protocol all;
};

/* It is read once, whoever asks; NULL: it is none of PyTorch, or no memory. */
const struct protocol_program *protocol_of(struct ck *c);

/* The same for a program of PyTorch that clears or computes gradients, all of whose calls are
 * known; else NULL. */
const struct protocol_program *protocol_of_steps(struct ck *c);

/* The next loop behind the node `after` (at first the root) that is in no other, computes
 * gradients, and has no more calls than `out` can hold; LW_NO_NODE: none. */
uint32_t protocol_next_training(const struct protocol_program *r, uint32_t after,
                                struct protocol *out);

/* The innermost `if` between the node and the loop; LW_NO_NODE: none. */
uint32_t protocol_condition(const struct lw_tree *t, uint32_t node, uint32_t loop);

/* What is run again and again around the node: the innermost loop, else the function, which is
 * one step of a loop elsewhere. */
uint32_t protocol_pass(const struct lw_tree *t, uint32_t node);

/* Does a backward() stand between `from` and the node, in the pass of the node? LW_NO_NODE: from
 * the beginning of the pass. A loss of which nothing is known makes no event. */
bool protocol_goes_back(const struct lw_tree *t, uint32_t from, uint32_t node);

/* Do both stand in one block, so that they always run one after the other? */
bool protocol_is_same_block(const struct lw_tree *t, uint32_t a, uint32_t b);

/* The next step() of what the call number `zero` sets back: of the optimiser itself, or, where
 * the network is, of the one that has its name (critic, critic_optim) or is the only one; n:
 * none. */
size_t protocol_step_of(const struct protocol *p, size_t zero);

/* Are all that are set back optimisers that step? Else one of them may stand for others. */
bool protocol_are_steppers_cleared(const struct protocol *p);

/* Is it named like what has a step() that changes weights: optimizer, self.opt_d, solver? */
bool protocol_is_optimizer(struct lw_str who);

/* Does the program set gradients back anywhere, in any of the usual ways? */
bool protocol_clears_gradients(const struct ck *c);

/* Is train() called with a mode: train(False), train(mode=…), train(is_training)? */
bool protocol_sets_mode(struct ck *c);

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
struct protocol_function protocol_callee(struct ck *c, struct ck_file *file, uint32_t call);

#endif
