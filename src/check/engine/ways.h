/*
 * ways - what a variable holds on each of the ways through the program that meet.
 *
 * Where branches join, tensors of two shapes become one of unknown shape, and every rule is
 * silent about it. What each branch had is kept here beside the joined tensor, for the last few
 * joins. A statement that reads such a variable is run as ever, and then tried once for each
 * way, with its changes taken back: what is wrong on a way is reported as a warning that names
 * the way, and what the way makes of the assigned variables is kept beside them in turn.
 *
 * Two tests of a program may hang together (`if grey: …` twice). The names that the conditions
 * of joins read, and what is computed from them, are kept; inside a condition that reads one of
 * them nothing is tried, and when such a condition leaves the block all ways are forgotten. A
 * test that each way decides (`x.ndim == 2`) leaves in its branches the ways that lead there.
 *
 * Everything lives in the engine's arena or in struct ck; nothing here fails.
 */
#ifndef LW_CHECK_ENGINE_WAYS_H
#define LW_CHECK_ENGINE_WAYS_H

#include "base/finding.h"
#include "knowledge/value.h"

struct ck;
struct ck_branches;
struct ck_frame;

enum {
    WAYS_MOST = 4,    /* that meet at a join and are kept */
    WAYS_KEPT = 24,   /* joined tensors, the oldest is forgotten */
    WAYS_NAMES = 32,  /* that conditions read */
    WAYS_TESTS = 8,   /* of one if and its elifs, and of the returns of a function */
    WAYS_STEPS = 4000 /* of one trial */
};

/* The tensors that a joined one stands for; NULL: a way that a test has ruled out. */
struct ck_ways {
    const struct lw_tensor *of;
    uint32_t site; /* place of the join: number i of each tensor joined there goes together */
    uint32_t n;
    const struct lw_tensor *way[WAYS_MOST];
    uint32_t from[WAYS_MOST]; /* place where each was made before the join */
};

/* Part of struct ck. */
struct ck_way_state {
    struct ck_ways kept[WAYS_KEPT];
    uint32_t next, live;
    uint32_t names[WAYS_NAMES]; /* interned */
    uint32_t name_count;
    unsigned off;  /* > 0: inside what hangs together with a join */
    bool probing;  /* a statement is being tried on one way */
    bool blind;    /* … and what follows depends on more than the way */
    bool found;    /* … and something was wrong */
    bool given_up; /* trials took too long: no more in this entry point */
    const struct ck_frame *base;
    unsigned base_uncertain; /* of `base` when the trial began */
    struct lw_str note;      /* for messages */
    uint64_t steps;          /* of all trials in this entry point */
};

/* An if statement or expression whose test is not known. */
struct ck_fork {
    struct ck_fork *up; /* around it, in the same function */
    uint32_t tests[WAYS_TESTS];
    uint32_t n;
    bool over; /* more tests than that */
    bool related, left;
    bool decided; /* the ways say which branch they take */
};

void ways_reset(struct ck *c);
/* The test is not decided: its branches are about to be run. */
void ways_fork(struct ck *c, struct ck_fork *f, uint32_t test);
/* Inside the branch where the test holds or not. */
void ways_learn(struct ck *c, uint32_t test, bool holds);
/* An assertion that is not decided. */
void ways_assert(struct ck *c, uint32_t test);
/* A branch ended elsewhere than at the join. */
static inline void ways_leaves(struct ck_fork *f, bool leaves)
{
    f->left |= leaves;
}
/* The branches meet at `node`: the joined state, or nothing goes on. False: nothing does. */
bool ways_join_branches(struct ck *c, struct ck_fork *f, struct ck_branches *b, uint32_t node);
/* The values of an if expression meet. */
struct lw_value ways_join_values(struct ck *c, struct ck_fork *f, struct lw_value a,
                                 struct lw_value b, uint32_t node);
/* One more result of the function being run, or one more value that it yields; `before` is the
 * join of the others. */
struct lw_value ways_join_results(struct ck *c, struct lw_value before, struct lw_value v);
/* `v` is the join of two tensors of which both may have ways. */
void ways_join_tensors(struct ck *c, struct lw_value a, struct lw_value b, struct lw_value v);

/* `now` was made of `v`: so is what each way has, by `make`. */
typedef struct lw_value ways_make(struct ck *c, struct lw_value v, const void *data);
void ways_map(struct ck *c, struct lw_value v, struct lw_value now, ways_make *make,
              const void *data);

/* Does the statement or expression read a variable that has ways? */
bool ways_wanted(struct ck *c, uint32_t node);
/* Runs a statement once, and tries it on each way. `run` does it. */
typedef struct lw_value ways_run(struct ck *c, uint32_t node);
struct lw_value ways_exec(struct ck *c, uint32_t node, ways_run *run);
/* `targets` get what `value` computes. */
void ways_assigned(struct ck *c, uint32_t node);

/* May the finding of this rule be reported while a statement is tried? */
bool ways_may_report(struct ck *c, struct lw_str rule, enum lw_severity severity);

#endif
