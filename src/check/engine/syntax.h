/*
 * syntax - questions about the text of a file that its tree answers, whatever the values are.
 *
 * Nodes are those of the tree; LW_NO_NODE stands for "none". Nothing is changed.
 */
#ifndef LW_CHECK_ENGINE_SYNTAX_H
#define LW_CHECK_ENGINE_SYNTAX_H

#include "source/tree.h"

/* A call `something.name(…)` inside `top`; LW_NO_NODE when there is none. */
uint32_t syntax_method_call(const struct lw_tree *t, uint32_t top, const char *name);
/* The same, the next one behind `after`. */
uint32_t syntax_next_call(const struct lw_tree *t, uint32_t top, uint32_t after,
                          const char *name);
/* What stands before the dot of a method call; LW_NO_NODE for other calls. */
uint32_t syntax_owner(const struct lw_tree *t, uint32_t call);
/* The nearest loop around, inside the same function; LW_NO_NODE when there is none. */
uint32_t syntax_loop_around(const struct lw_tree *t, uint32_t node);
/* Is the text a name of Python, in ASCII? */
bool syntax_is_name(struct lw_str s);
/* Is `node` inside `top`? */
bool syntax_inside(const struct lw_tree *t, uint32_t node, uint32_t top);

/* Is `name` the first of the targets of `name, other = call`? */
bool syntax_is_first_result(const struct lw_tree *t, uint32_t name, uint32_t call);

/* Is the call assigned to a name that nothing in the file reads? */
bool syntax_is_never_read(const struct lw_tree *t, uint32_t call);

/* Does the name stand anywhere in it? `top` may be LW_NO_NODE. */
bool syntax_has_name(const struct lw_tree *t, uint32_t top, struct lw_str name);

/* f(*args), f(**options): not all arguments stand in the call. */
bool syntax_has_star(const struct lw_tree *t, uint32_t call);
/* Has the call an argument of this name? */
bool syntax_has_keyword(const struct lw_tree *t, uint32_t call, const char *name);
/* The expression that a call gives for an argument by name; LW_NO_NODE: none. */
uint32_t syntax_keyword(const struct lw_tree *t, uint32_t call, struct lw_str name);

/* The expression of which `part`, x[i] or x[i][j], is a part: x. */
uint32_t syntax_holder(const struct lw_tree *t, uint32_t part);
/* Is it self.something? */
bool syntax_is_of_self(const struct lw_tree *t, uint32_t node);

/* What the name was given last before it is used at `name`, or first of all, in the function
 * around; LW_NO_NODE when nothing or not alone. */
uint32_t syntax_assigned(const struct lw_tree *t, uint32_t name);
uint32_t syntax_first_assigned(const struct lw_tree *t, uint32_t name);

/* The last name of what is called: `fit` of a.b.fit(x); empty: it has none. */
struct lw_str syntax_called_name(const struct lw_tree *t, uint32_t call);

#endif
