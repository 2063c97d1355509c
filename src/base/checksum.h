/*
 * checksum - notices damage, and names contents. Not for defence: it is no cryptographic hash.
 */
#ifndef LW_BASE_CHECKSUM_H
#define LW_BASE_CHECKSUM_H

#include "lacewing.h"

/* A fast 64-bit checksum, the same on machines of the same byte order. */
uint64_t lw_checksum(struct lw_str bytes, uint64_t seed);

#endif
