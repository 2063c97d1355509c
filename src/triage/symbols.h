/*
 * symbols - what the API tables say about a dotted name. (A header of its own: the tables and
 * the reports have each a `LW_SHAPE_MAX`.)
 */
#ifndef LW_TRIAGE_SYMBOLS_H
#define LW_TRIAGE_SYMBOLS_H

#include "lacewing.h"

/* Was "tf.Session" in TensorFlow 1 and is it gone from 2.0? */
bool triage_is_tensorflow_1(struct lw_str name);

#endif
