/*
 * losses - what happens to a loss in a loop, read from the text of a PyTorch program.
 *
 * For rules about losses that are kept. Nothing is changed or kept.
 */
#ifndef LW_CHECK_QUERY_LOSSES_H
#define LW_CHECK_QUERY_LOSSES_H

#include "check/engine/engine.h"

/* Is `term` what backward() is called of in the loop? */
bool losses_goes_back(const struct lw_tree *t, uint32_t loop, struct lw_str term);
/* Is it made a number in the text: loss = loss.item()? */
bool losses_is_plain(struct ck *c, struct lw_str text, struct lw_str term);

#endif
