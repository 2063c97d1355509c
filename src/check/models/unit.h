/*
 * unit - products of vectors of length 1: cosines, which lie between -1 and 1 however long
 * the vectors are. The losses that compare vectors (NT-Xent, InfoNCE, CLIP, ArcFace) rest on
 * it.
 */
#ifndef LW_CHECK_MODELS_UNIT_H
#define LW_CHECK_MODELS_UNIT_H

#include "check/models/models.h"

/* a @ b, of which the tables gave `value`. */
void ck_unit_product(struct ck *c, struct lw_value a, struct lw_value b,
                     struct lw_value *value);

#endif
