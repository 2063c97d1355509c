#include "source/git_api.h"

#include "base/err.h"
#include "base/library.h"

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
/* The interface changes with the minor version, and so does the name of the file. */
#define VERSION TEXT(LIBGIT2_VER_MAJOR) "." TEXT(LIBGIT2_VER_MINOR)
#define LIBRARY "libgit2.so." VERSION

int gt_api_load(struct gt_api *api, struct lw_err *err)
{
    const struct lw_library_function functions[] = {
#define GT_LOOKUP(name) {"git_" #name, (void **)&api->name},
        GT_FUNCTIONS(GT_LOOKUP)
#undef GT_LOOKUP
    };
    if (lw_library_load(LIBRARY, "libgit2-" VERSION, functions,
                        sizeof functions / sizeof *functions, err) < 0)
        return err->code;
    /* Counted, and never taken back: initialising again would read all TLS certificates again.
     */
    if (api->libgit2_init() < 0)
        return lw_err_set(err, LW_EMISSING, "%s cannot be started", LIBRARY);
    git_allocator allocator = gt_allocator();
    api->libgit2_opts(GIT_OPT_SET_ALLOCATOR, &allocator);
    /* As git does, objects from packs are not hashed again on reading: that doubled the time of
     * a walk. zlib's checksum still finds damage. Trees are cached by us, under our own limit.
     */
    api->libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
    api->libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
    return 0;
}
