/* Any bytes are tokens and trivia that cover them exactly once. */
#include "source_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_lexed lx;
    struct lw_err err;
    lw_lexed_init(&lx, NULL);
    if (lw_lex(&lx, lw_str_n((const char *)data, size), &err) == 0)
        check_tokens(&lx);
    lw_lexed_release(&lx);
    return 0;
}
