#include "catalog/archive_api.h"

#include "base/library.h"
#include "base/str.h"

bool ar_is_out_of_memory(const char *message)
{
    struct lw_str text = lw_str(message);
    return lw_str_find(text, LW_S("memory")) >= 0 || lw_str_find(text, LW_S("allocat")) >= 0 ||
           lw_str_find(text, LW_S("Allocat")) >= 0;
}

int ar_api_load(struct ar_api *api, struct lw_err *err)
{
    const struct lw_library_function functions[] = {
#define AR_LOOKUP(name) {"archive_" #name, (void **)&api->name},
        AR_FUNCTIONS(AR_LOOKUP)
#undef AR_LOOKUP
    };
    return lw_library_load("libarchive.so.13", "libarchive13", functions,
                           sizeof functions / sizeof *functions, err);
}
