/*
 * look - small questions that several files of rules ask about the program: what stands in a
 * part of it, which loop is being run, which data a tensor was computed from.
 *
 * Nothing here reports or changes anything; all results are borrowed.
 */
#ifndef LW_CHECK_LOOK_H
#define LW_CHECK_LOOK_H

#include "base/str.h"
#include "check/engine.h"

/* Is it the text? Most are not, and differ in the first byte. */
static inline bool look_is(struct lw_str a, const char *b)
{
    return (a.n ? a.p[0] == b[0] : !b[0]) && lw_str_eq(a, lw_str(b));
}

/* Is the word anywhere in the text? */
static inline bool look_says(struct lw_str text, const char *word)
{
    return lw_str_find(text, lw_str(word)) != LW_NPOS;
}

/* Rules that walk a whole function or file for each call they see would take the square of a
 * long program: of one kind, told by the key, there are so many looks and no more. */
bool look_again(struct ck *c, const void *key, unsigned most);

bool look_says_any(struct lw_str text, const char *const *words, size_t n);
/* Is it one of the texts? */
bool look_is_any(struct lw_str name, const char *const *names, size_t n);
/* The part behind the last dot. */
struct lw_str look_tail(struct lw_str dotted);

/* A call `something.name(…)` inside `top`; LW_NO_NODE when there is none. */
uint32_t look_method_call(const struct lw_tree *t, uint32_t top, const char *name);
/* The same, the next one behind `after`. */
uint32_t look_next_call(const struct lw_tree *t, uint32_t top, uint32_t after,
                        const char *name);
/* What stands before the dot of a method call; LW_NO_NODE for other calls. */
uint32_t look_owner(const struct lw_tree *t, uint32_t call);
/* The nearest loop around, inside the same function; LW_NO_NODE when there is none. */
uint32_t look_loop_around(const struct lw_tree *t, uint32_t node);
/* Is the text a name of Python, in ASCII? */
bool look_is_name(struct lw_str s);
/* Is `node` inside `top`? */
bool look_inside(const struct lw_tree *t, uint32_t node, uint32_t top);

/* Is `name` the first of the targets of `name, other = call`? */
bool look_is_first_result(const struct lw_tree *t, uint32_t name, uint32_t call);

/* Is the call assigned to a name that nothing in the file reads? */
bool look_is_never_read(const struct lw_tree *t, uint32_t call);

/* Does the name stand anywhere in it? `top` may be LW_NO_NODE. */
bool look_has_name(const struct lw_tree *t, uint32_t top, struct lw_str name);

/* Has the call an argument of this name? */
bool look_has_keyword(const struct lw_tree *t, uint32_t call, const char *name);
/* The expression that a call gives for an argument by name; LW_NO_NODE: none. */
uint32_t look_keyword(const struct lw_tree *t, uint32_t call, struct lw_str name);

/* The expression of which `part`, x[i] or x[i][j], is a part: x. */
uint32_t look_holder(const struct lw_tree *t, uint32_t part);
/* Is it self.something? */
bool look_is_of_self(const struct lw_tree *t, uint32_t node);

/* Does the text speak of how many there are? */
bool look_speaks_of_counts(struct lw_str text);

/* What the name was given last before it is used at `name`, or first of all, in the function
 * around; LW_NO_NODE when nothing or not alone. */
uint32_t look_assigned(const struct lw_tree *t, uint32_t name);
uint32_t look_first_assigned(const struct lw_tree *t, uint32_t name);

/* Is a module of torch called from outside of all modules? */
bool look_is_outermost(struct ck *c, const struct ck_object *o);

/* Is a loop being run, in this function or around its call? */
bool look_in_loop(const struct ck *c);

/* Has the tensor a range of which both ends are known and finite? */
bool look_known_range(const struct lw_tensor *t);

/* The largest value that an element can have, as far as the range says. */
double look_top(const struct lw_tensor *t);

/* Every tensor that `v` was computed from, itself included, is given to `visit` once with its
 * origin (NULL at a source); false ends the walk. Returns false when something on the way is
 * not known, when `visit` ended it, or when there is too much. */
typedef bool look_visit(void *data, struct lw_value v, const struct ck_origin *origin);
bool look_back(struct ck *c, struct lw_value v, look_visit *visit, void *data);
/* The same, but not behind detach() and the like. */
bool look_back_gradient(struct ck *c, struct lw_value v, look_visit *visit, void *data);

/* The operation that made `v` of operands, when its name (without modules) is one of these. */
const struct ck_origin *look_made_by(struct ck *c, struct lw_value v, const char *const *names,
                                     size_t n);

/* What a function or method is applied to: x of x.f() and f(x). */
struct lw_value look_operand(const struct ck_call *call);

/* The argument that the call of a function got for a parameter, or its default; ABSENT: none.
 */
struct lw_value look_slot(const struct ck_origin *o, const char *name);

/* The tensor that only changed its type, place or outer form to become `v`. */
struct lw_value look_through(struct ck *c, struct lw_value v);

/* The tensor of which `v` is some rows, in another type perhaps. */
struct lw_value look_whole(struct ck *c, struct lw_value v);

/* Classes of which a row has just one, as columns of 0 and 1: to_categorical(), get_dummies()
 * and the like. */
bool look_is_one_hot(struct ck *c, struct lw_value v);

/* A squared error that is written out: mean((a - b) ** 2), in any of its spellings. */
bool look_squared_error(struct ck *c, struct lw_value loss, struct lw_value *a,
                        struct lw_value *b);

/* The operation without a gradient (argmax, rounding, numpy…) through which alone `v` depends
 * on `on`, a tensor that has an origin; NULL when there is another way, or none, or when
 * something on the way is not known. */
const struct ck_origin *look_gradient_cut(struct ck *c, struct lw_value v, struct lw_value on);
/* Is the result of the operation without a gradient? */
bool look_cuts_gradient(const struct ck_origin *o, const struct lw_tensor *t);

#endif
