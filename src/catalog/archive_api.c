#include "catalog/archive_api.h"

#include <dlfcn.h>

#include "base/err.h"

#define LIBRARY "libarchive.so.13"

static int missing(struct lw_err *err)
{
    const char *why = dlerror();
    return lw_err_set(err, LW_EMISSING,
                      "%s cannot be used (%s); install the package libarchive13", LIBRARY,
                      why ? why : "incomplete");
}

int ar_api_load(struct ar_api *api, struct lw_err *err)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library)
        return missing(err);
    const struct {
        const char *name;
        void **to;
    } functions[] = {
#define AR_LOOKUP(name) {"archive_" #name, (void **)&api->name},
        AR_FUNCTIONS(AR_LOOKUP)
#undef AR_LOOKUP
    };
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof functions / sizeof *functions; i++) {
        *functions[i].to = dlsym(library, functions[i].name);
        if (!*functions[i].to)
            rc = missing(err);
    }
    dlclose(library);
    return rc;
}
