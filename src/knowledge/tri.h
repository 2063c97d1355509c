/*
 * tri - three-valued truth: no, yes, cannot tell.
 *
 * What cannot be told is never reported; every question the checker asks about dimensions,
 * types and values is answered with one of these.
 */
#ifndef LW_KNOWLEDGE_TRI_H
#define LW_KNOWLEDGE_TRI_H

#include <stdbool.h>

typedef enum lw_tri { LW_TRI_NO, LW_TRI_YES, LW_TRI_MAYBE } lw_tri;

static inline lw_tri lw_tri_of(bool b)
{
    return b ? LW_TRI_YES : LW_TRI_NO;
}

static inline lw_tri lw_tri_not(lw_tri a)
{
    return a == LW_TRI_MAYBE ? a : a == LW_TRI_NO ? LW_TRI_YES : LW_TRI_NO;
}

static inline lw_tri lw_tri_and(lw_tri a, lw_tri b)
{
    if (a == LW_TRI_NO || b == LW_TRI_NO)
        return LW_TRI_NO;
    return a == LW_TRI_YES && b == LW_TRI_YES ? LW_TRI_YES : LW_TRI_MAYBE;
}

static inline lw_tri lw_tri_or(lw_tri a, lw_tri b)
{
    return lw_tri_not(lw_tri_and(lw_tri_not(a), lw_tri_not(b)));
}

/* Two ways of a program meet. */
static inline lw_tri lw_tri_join(lw_tri a, lw_tri b)
{
    return a == b ? a : LW_TRI_MAYBE;
}

#endif
