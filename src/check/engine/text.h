/*
 * text - small questions about names and texts of the program.
 *
 * Nothing is changed; all results are borrowed from the arguments.
 */
#ifndef LW_CHECK_ENGINE_TEXT_H
#define LW_CHECK_ENGINE_TEXT_H

#include "base/str.h"

/* Is it the text? Most are not, and differ in the first byte. */
static inline bool text_is(struct lw_str a, const char *b)
{
    return (a.n ? a.p[0] == b[0] : !b[0]) && lw_str_eq(a, lw_str(b));
}

/* Is the word anywhere in the text? */
static inline bool text_says(struct lw_str text, const char *word)
{
    return lw_str_find(text, lw_str(word)) != LW_NPOS;
}

bool text_says_any(struct lw_str text, const char *const *words, size_t n);
/* Is it one of the texts? */
bool text_is_any(struct lw_str name, const char *const *names, size_t n);
/* modle, model: two letters that follow each other changed places? */
bool text_is_swapped(struct lw_str a, struct lw_str b);
/* The part behind the last dot. */
struct lw_str text_tail(struct lw_str dotted);

#endif
