/* Any text is a call of an entry that is evaluated or refused. */
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/api.h"
#include "knowledge/api_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char table[] =
    "f.g\n  (a, b=none, c=none, *rest, **more)\n  shape a\n  range b\n  dtype c\n"
    "f.h\n  (a, b=none, c=none)\n  return a\n"
    "f.l\n  kind layer\n  (a, b=2)\n  call (x)\n  shape x.shape + (a, b)\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_dims dims;
    struct lw_apis *apis;
    struct lw_arena arena;
    struct lw_err err = {0};
    struct lw_api_result result;
    struct lw_buf shown;
    if (size > 4000)
        return 0;
    lw_dims_init(&dims, NULL);
    lw_arena_init(&arena, NULL, 1 << 24);
    lw_buf_init(&shown, NULL, 1 << 20);
    if (lw_apis_load_text(&apis, NULL, &dims, LW_S("t"), lw_str(table), &err) < 0)
        abort();
    int rc = lw_api_eval_text(apis, lw_str_n((const char *)data, size), &arena, &result, &err);
    if (rc == 0)
        lw_v_print(&dims, result.value, &shown);
    else if (rc != LW_EINVAL && rc != LW_ENOENT && rc != LW_ENOMEM)
        abort();
    lw_apis_free(apis);
    lw_buf_release(&shown);
    lw_arena_release(&arena);
    lw_dims_release(&dims);
    return 0;
}
