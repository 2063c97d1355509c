/* Rules about what tokenizers of transformers are asked for. */
#include "check/rules/rules.h"

static void watch_tokens(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_TOKEN_LISTS)
        ck_find(c, e->node, "api/token-lists", NULL, 0,
                "the tokenizer returns lists, but the model expects tensors: call the "
                "tokenizer with return_tensors='pt'");
    else if (e->fault == CK_FAULT_NO_PAD_TOKEN)
        ck_find(c, e->node, "api/no-pad-token", NULL, 0,
                "this tokenizer has no pad token, and padding raises an error: set "
                "tokenizer.pad_token = tokenizer.eos_token first");
}

const struct ck_rule rules_api_tokens[] = {
    {"api/no-pad-token api/token-lists", CK_EV_FAULT, watch_tokens, .pure = true},
    {0},
};
