/*
 * store - x[index] = value of tensors and arrays: what x holds from now on, through whichever
 * names and attributes. An array of zeros that is filled is no array of zeros.
 */
#ifndef LW_CHECK_STORE_H
#define LW_CHECK_STORE_H

#include "check/lib.h"

/* The target is a subscript, its owner evaluates to the tensor `owner`. */
void ck_store_item(struct ck *c, uint32_t target, struct lw_value owner, struct lw_value index,
                   struct lw_value v);

#endif
