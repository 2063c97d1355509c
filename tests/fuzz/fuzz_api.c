/* Any text is a table that is read or refused; what is read can be evaluated without harm. */
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/api.h"
#include "knowledge/api_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Calls the entry with a few arguments of different kinds. */
static void call_entry(struct lw_apis *apis, struct lw_dims *dims, const struct lw_api *api,
                       enum lw_api_side side)
{
    struct lw_arena arena;
    struct lw_err err = {0};
    struct lw_api_result result;
    lw_arena_init(&arena, NULL, 1 << 22);
    struct lw_tensor t = lw_tensor_unknown(LW_TORCH);
    t.shape = lw_shape_of_rank(2);
    t.shape.d[0] = lw_dim_symbol(dims, LW_S("n"), 1, LW_DIM_MOST);
    t.shape.d[1] = lw_dim_int(7);
    t.dtype = LW_F32;
    t.range = lw_iv_between(-1, 1);
    struct lw_arg args[3] = {{.value = lw_v_tensor(&arena, &t)},
                             {.value = lw_v_dim(lw_dim_int(2))},
                             {.name = LW_S("axis"), .value = lw_v_float(0.5)}};
    for (size_t n = 0; n <= 3; n++) {
        struct lw_api_call call = {
            .api = api, .side = side, .args = args, .arg_count = n, .arena = &arena};
        lw_api_call(apis, &call, &result, &err);
    }
    lw_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_dims dims;
    struct lw_apis *apis;
    struct lw_err err = {0};
    struct lw_str text = lw_str_n((const char *)data, size);
    if (size > 20000)
        return 0;
    lw_dims_init(&dims, NULL);
    if (lw_apis_load_text(&apis, NULL, &dims, LW_S("f"), text, &err) < 0) {
        if (err.code != LW_EINVAL)
            abort();
    } else {
        const struct lw_api *api;
        lw_apis_check(apis, &err);
        for (size_t i = 0; i < 20 && (api = lw_api_at(apis, i)); i++) {
            call_entry(apis, &dims, api, LW_API_CONSTRUCT);
            call_entry(apis, &dims, api, LW_API_CALL);
        }
        lw_apis_free(apis);
    }
    lw_dims_release(&dims);
    return 0;
}
