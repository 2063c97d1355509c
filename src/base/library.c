#include "base/library.h"

#include <dlfcn.h>

#include "base/err.h"

static int missing(const char *library, const char *package, struct lw_err *err)
{
    const char *why = dlerror();
    return lw_err_set(err, LW_EMISSING, "%s cannot be used (%s); install the package %s",
                      library, why ? why : "incomplete", package);
}

int lw_library_load(const char *library, const char *package,
                    const struct lw_library_function *functions, size_t count,
                    struct lw_err *err)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle)
        return missing(library, package, err);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        *functions[i].to = dlsym(handle, functions[i].name);
        if (!*functions[i].to)
            rc = missing(library, package, err);
    }
    dlclose(handle);
    return rc;
}
