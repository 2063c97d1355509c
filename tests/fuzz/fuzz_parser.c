/* Any bytes have a tree whose ranges nest. */
#include "source_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_tree t;
    struct lw_err err;
    lw_tree_init(&t, NULL);
    if (lw_tree_parse(&t, lw_str_n((const char *)data, size), &err) == 0) {
        check_tokens(&t.lexed);
        check_tree(&t);
    }
    lw_tree_release(&t);
    return 0;
}
