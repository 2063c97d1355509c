/*
 * library - a shared library that is loaded when it is first needed.
 *
 * For libraries that most commands do without: starting would cost more than their work. What
 * is missing is LW_EMISSING with the package to install.
 */
#ifndef LW_BASE_LIBRARY_H
#define LW_BASE_LIBRARY_H

#include <stddef.h>

#include "lacewing.h"

struct lw_library_function {
    const char *name;
    void **to; /* receives its address */
};

/* The library stays loaded until the process ends. */
int lw_library_load(const char *library, const char *package,
                    const struct lw_library_function *functions, size_t count,
                    struct lw_err *err);

#endif
