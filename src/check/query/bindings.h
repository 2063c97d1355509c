/*
 * bindings - which names a file has, beyond those that its own text binds.
 *
 * Builtins, star imports, names written through globals() or exec(), names of the notebook.
 * Asked at the end of a run, when the files that the program imports are loaded. Nothing is
 * changed but what the engine remembers of a file.
 */
#ifndef LW_CHECK_QUERY_BINDINGS_H
#define LW_CHECK_QUERY_BINDINGS_H

#include "check/engine/engine.h"

/* May the module get names in ways that its text does not show: exec(), globals()[x] = …,
 * %run? */
bool bindings_are_hidden(struct ck_file *f);

/* A module with the modules of the program that it star-imports, directly or not. */
struct bindings {
    struct ck *c;                    /* borrowed */
    struct ck_file *v[CK_MAX_FILES]; /* borrowed; the module itself is first */
    size_t n;
    bool open; /* it may have other names: a star import of a library, hidden ones */
};

void bindings_init(struct bindings *b, struct ck *c, struct ck_file *f);
/* Has the module the name: bound by its text, by a star import, or as a file of the package?
 * MAYBE: it cannot be told. */
lw_tri bindings_has(const struct bindings *b, struct lw_str name);

/* The builtins of Python 3, sorted. */
extern const char *const bindings_builtins[];
extern const size_t bindings_builtin_count;
/* A builtin of Python 3, or a name that every module has (`__file__`)? */
bool bindings_is_builtin(struct lw_str name);
/* A use of a name that nothing binds, and that need not fail: an exercise to be solved, an
 * expected NameError, a builtin of Python 2, a name that the notebook gives. */
bool bindings_excuse(struct ck *c, struct ck_file *f, uint32_t node);

/* Is the function around the node, of a notebook all of it, an exercise that is still to be
 * solved? */
bool bindings_is_exercise(struct ck *c, const struct ck_file *f, uint32_t node);
/* Is the file written for Python 3, by forms that Python 2 does not have? */
bool bindings_is_python3(struct ck_file *f);

#endif
