/*
 * version - comparing versions and reading requirements on them, the way Python packages do.
 *
 * Versions are numbers between dots with whatever follows them: "1.13.0a0" counts as 1.13.0.
 */
#ifndef LW_BASE_VERSION_H
#define LW_BASE_VERSION_H

#include "lacewing.h"

/* Negative, 0, positive; missing parts count as 0. */
int lw_version_compare(struct lw_str a, struct lw_str b);

/* Does `version` meet "constraint"? Parts are separated by commas and start with one of
 * == != >= <= > < ~= (nothing: ==); "==1.2.*" matches a front. An empty constraint is met by
 * everything, an unknown (empty) version meets everything. */
bool lw_version_meets(struct lw_str version, struct lw_str constraint);

#endif
