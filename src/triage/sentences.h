/*
 * sentences - what people wrote, sentence by sentence.
 */
#ifndef LW_TRIAGE_SENTENCES_H
#define LW_TRIAGE_SENTENCES_H

#include "lacewing.h"

/* Cuts the next sentence off the front of `*rest`: up to a full stop, question or exclamation
 * mark before a blank, or an empty line. Without blanks around it; never empty. False at the
 * end. */
bool lw_sentence_next(struct lw_str *rest, struct lw_str *sentence);

/* ASCII letters alike, whatever their case; -1 when it is not there. */
ptrdiff_t lw_find_nocase(struct lw_str text, struct lw_str what);

/* As lw_find_nocase, but letters and digits may not stand right before or behind it. */
ptrdiff_t lw_find_phrase(struct lw_str text, struct lw_str what);

#endif
