/*
 * program - what the program calls, names and says anywhere, in all of its files that were
 * read: for rules about a step that is missing.
 *
 * Nothing is changed; names and texts are borrowed from the trees.
 */
#ifndef LW_CHECK_QUERY_PROGRAM_H
#define LW_CHECK_QUERY_PROGRAM_H

#include "check/query/places.h"

/* Is something called anywhere whose last name is one of these? */
bool program_calls(struct ck *c, const char *const *names, size_t n);
/* Has anything an attribute of this name, read or written? */
bool program_has_attribute(struct ck *c, const char *name);
/* Is the name assigned, imported or read anywhere? */
bool program_has_name(struct ck *c, const char *name);
/* Does the first file import the library, or something of it? */
bool program_imports(struct ck *c, const char *library);
/* Does a literal text of the program say one of these? */
bool program_has_text(struct ck *c, const char *const *texts, size_t n);

/* What a literal says: the text between its quotes; empty: it is none, or an odd one. */
struct lw_str program_text(const struct lw_tree *t, uint32_t node);

/* The calls of that last name in the first file. */
struct places_list program_calls_of(struct ck *c, const char *name);

/* The argument of a call by its name, else by its position; LW_NO_NODE: not given. */
uint32_t program_argument(const struct lw_tree *t, uint32_t call, const char *name,
                          uint32_t position);

/* Does a class of the file have a base of this last name? */
bool program_derives(const struct lw_tree *t, uint32_t class_node, const char *base);
/* The method of a class; LW_NO_NODE: it has none of its own. */
uint32_t program_method(const struct lw_tree *t, uint32_t class_node, struct lw_str name);

#endif
