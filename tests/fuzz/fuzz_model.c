/* The model reader: any bytes give a model that predicts without harm, or an error; what was
 * read is written and read again as the same. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "numeric/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_trees(struct lw_mem *mem, struct lw_str text)
{
    struct lw_err err;
    struct lw_trees t, again;
    struct lw_arena arena;
    struct lw_buf out;
    if (lw_trees_load(&t, mem, text, &err) < 0)
        return;
    lw_arena_init(&arena, mem, 0);
    lw_buf_init(&out, mem, 0);
    if (t.features < 10000) {
        double *x = lw_arena_array(&arena, t.features, sizeof *x);
        double *y = lw_arena_array(&arena, t.outputs, sizeof *y);
        if (x && y)
            lw_trees_predict(&t, x, 1, y);
    }
    if (lw_trees_save(&out, &arena, &t, &err) == 0) {
        if (lw_trees_load(&again, mem, lw_buf_str(&out), &err) < 0 ||
            again.node.n != t.node.n || again.value.n != t.value.n)
            abort();
        lw_trees_release(&again);
    }
    lw_buf_release(&out);
    lw_arena_release(&arena);
    lw_trees_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_mem mem;
    struct lw_arena arena;
    struct lw_linear linear;
    struct lw_err err;
    lw_mem_init(&mem, (size_t)256 << 20);
    lw_arena_init(&arena, &mem, 0);
    struct lw_str text = lw_str_n((const char *)data, size);
    try_trees(&mem, text);
    lw_linear_load(&linear, &arena, text, &err);
    lw_arena_release(&arena);
    if (atomic_load(&mem.used) != 0)
        abort();
    return 0;
}
