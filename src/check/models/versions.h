/*
 * versions - which versions of the libraries a program is written for.
 *
 * In order: what the user gave (--target) or the nearest requirements say (target.c), what the
 * spellings of the program tell. PyTorch and numpy are the present
 * ones unless something says otherwise; of Keras and TensorFlow nothing is assumed.
 */
#ifndef LW_CHECK_MODELS_VERSIONS_H
#define LW_CHECK_MODELS_VERSIONS_H

#include "check/engine/engine.h"

/* The version of the package (canonical: tensorflow, keras, torch, numpy…) that the program
 * runs with, at least. False: cannot tell. */
bool ck_version_of(struct ck *c, struct lw_str package, int out[2]);

/* Is what was removed in `version` of the package gone in the version the program runs with?
 * False also when that cannot be told. */
bool ck_is_gone(struct ck *c, struct lw_str package, struct lw_str version);

/* The severity of using an argument under a name it had, or that it had, until `version`:
 * error when that is surely gone, else a note. `spelt` is how the program names the function or
 * the class of the object. */
enum lw_severity ck_gone_severity(struct ck *c, struct lw_str package, struct lw_str version,
                                  struct lw_str spelt);

#endif
