/* The flow of any text keeps its promises; slices of any line end. */
#include "flow_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_tree t;
    struct lw_names n;
    struct lw_flow f;
    struct lw_calls c;
    struct lw_slice s;
    struct lw_err err;
    lw_tree_init(&t, NULL);
    lw_names_init(&n, NULL);
    lw_flow_init(&f, NULL);
    lw_calls_init(&c, NULL);
    lw_slice_init(&s, NULL);
    uint32_t line = size > 0 ? data[0] % 32u + 1 : 1;
    if (lw_tree_parse(&t, lw_str_n((const char *)data, size), &err) == 0 &&
        lw_names_build(&n, &t, &err) == 0 && lw_flow_build(&f, &n, &err) == 0) {
        check_flow(&f);
        if (lw_calls_build(&c, &f, &err) == 0)
            (void)lw_slice_build(&s, &c, &t, line, size % 2 == 0, &err);
    }
    lw_slice_release(&s);
    lw_calls_release(&c);
    lw_flow_release(&f);
    lw_names_release(&n);
    lw_tree_release(&t);
    return 0;
}
