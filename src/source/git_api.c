#include "source/git_api.h"

#include <dlfcn.h>

#include "base/err.h"

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
/* The interface changes with the minor version, and so does the name of the file. */
#define LIBRARY "libgit2.so." TEXT(LIBGIT2_VER_MAJOR) "." TEXT(LIBGIT2_VER_MINOR)

static int missing(struct lw_err *err)
{
    const char *why = dlerror();
    return lw_err_set(
        err, LW_EMISSING, "%s cannot be used (%s); install the package libgit2-%s", LIBRARY,
        why ? why : "incomplete", TEXT(LIBGIT2_VER_MAJOR) "." TEXT(LIBGIT2_VER_MINOR));
}

int gt_api_load(struct gt_api *api, struct lw_err *err)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library)
        return missing(err);
    const struct {
        const char *name;
        void **to;
    } functions[] = {
#define GT_LOOKUP(name) {"git_" #name, (void **)&api->name},
        GT_FUNCTIONS(GT_LOOKUP)
#undef GT_LOOKUP
    };
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof functions / sizeof *functions; i++) {
        *functions[i].to = dlsym(library, functions[i].name);
        if (!*functions[i].to)
            rc = missing(err);
    }
    /* Counted, and never taken back: initialising again would read all TLS certificates again.
     */
    if (rc == 0 && api->libgit2_init() < 0)
        rc = lw_err_set(err, LW_EMISSING, "%s does not start", LIBRARY);
    dlclose(library);
    if (rc < 0)
        return rc;
    /* As git does, objects from packs are not hashed again on reading: that doubled the time of
     * a walk. zlib's checksum still finds damage. Trees are cached by us, under our own limit.
     */
    api->libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
    api->libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
    return 0;
}
