/*
 * api_text - calls written as text in the language of the rules, for tests and examples.
 *
 *     torch.nn.Linear(4, 3)(tensor((2, 4), float32, between(0, 1), torch))
 *
 * A second bracket calls what the first one made; `$keras.layers.LSTM(4)` as an argument is
 * what that call makes; its problems are reported too.
 */
#ifndef LW_KNOWLEDGE_API_TEXT_H
#define LW_KNOWLEDGE_API_TEXT_H

#include "knowledge/api.h"

/* 0, LW_EINVAL for text that cannot be read, LW_ENOENT for an unknown name, LW_ENOMEM. The
 * result lives in `arena`. */
int lw_api_eval_text(struct lw_apis *apis, struct lw_str text, struct lw_arena *arena,
                     struct lw_api_result *result, struct lw_err *err);

#endif
