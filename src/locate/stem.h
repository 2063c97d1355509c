/*
 * stem - the Porter stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980), with the
 * same results as Snowball's `porter`.
 */
#ifndef LW_LOCATE_STEM_H
#define LW_LOCATE_STEM_H

#include "lacewing.h"

/* Replaces the small letters a…z at `word` by their stem, which is never longer but for the `e`
 * that step 1 may put back in place of longer endings. Returns its length. */
size_t lw_stem(char *word, size_t n);

#endif
