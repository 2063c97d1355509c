/*
 * trace - where an expression of the text comes from, through the names that hold it.
 *
 * For rules about functions whose arguments are not known: what `pred` was given says that it
 * is a maximum, whatever the network is. A name is followed only where one assignment reaches
 * it on every way; what cannot be told is LW_NO_NODE. Nothing is changed; nodes are of the
 * file's tree.
 */
#ifndef LW_CHECK_QUERY_TRACE_H
#define LW_CHECK_QUERY_TRACE_H

#include "check/engine/engine.h"

enum { TRACE_WHOLE = UINT32_MAX };

struct trace_source {
    uint32_t value; /* the expression on the right side; LW_NO_NODE: not known */
    uint32_t part; /* which of its items the name got: `a, b = value`; TRACE_WHOLE: all of it */
};

/* What a name was given last before it is read at this place. */
struct trace_source trace_name(const struct ck_file *f, uint32_t name);
/* The only thing that the class around assigns to `self.name`. */
uint32_t trace_attribute(struct ck *c, struct ck_file *f, uint32_t attribute);
/* The expression behind a name or `self.name`; others are themselves. */
uint32_t trace_value(struct ck *c, struct ck_file *f, uint32_t expression);
/* The same, also through method calls of these names: x of x.detach().cpu(). */
uint32_t trace_through(struct ck *c, struct ck_file *f, uint32_t expression,
                       const char *const *methods, size_t n);

/* The dotted name of the library function that a call calls, or of the library class whose
 * object it calls: "torch.nn.MSELoss" of `self.crit(a, b)`. Empty: of no library. */
struct lw_str trace_called(struct ck *c, struct ck_file *f, uint32_t call);
/* The last part of it. */
struct lw_str trace_called_last(struct ck *c, struct ck_file *f, uint32_t call);
/* The dotted library name of an expression; empty: of no library. */
struct lw_str trace_library(struct ck *c, const struct ck_file *f, uint32_t expression);

/* Does a call whose last name is one of these stand in the expression? */
bool trace_has_call(const struct lw_tree *t, uint32_t top, const char *const *names, size_t n);
/* The next place in `top` behind `after` (at first `top`) where a name is read that is this
 * symbol. */
uint32_t trace_next_use(const struct ck_file *f, uint32_t top, uint32_t after, uint32_t symbol);

/* Does one of the tests around the node, up to `top`, say the name or attribute `text`, or is
 * it in a try block? */
bool trace_is_below_test(const struct lw_tree *t, uint32_t node, uint32_t top,
                         struct lw_str text);
/* The same, and an `if` or assert before the node that leaves the block counts as a test around
 * it. Walks through `top`: not for every event. */
bool trace_is_guarded(const struct lw_tree *t, uint32_t node, uint32_t top, struct lw_str text);

#endif
