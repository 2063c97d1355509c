#include "base/library.h"

#include <dlfcn.h>

#include "base/err.h"
#include "base/str.h"

/* The loader does not say "out of memory" when it cannot map a file. */
static bool is_lack(const char *why)
{
    return lw_errno_of_lack(why) || lw_str_find(lw_str(why), LW_S("failed to map")) >= 0 ||
           lw_str_find(lw_str(why), LW_S("cannot allocate")) >= 0;
}

static int missing(const char *library, const char *package, struct lw_err *err)
{
    const char *why = dlerror();
    if (why && is_lack(why))
        return lw_err_set(err, LW_ELACK, "%s cannot be loaded now: %s", library, why);
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
