/*
 * str - looking at borrowed text. Nothing here allocates.
 */
#ifndef LW_BASE_STR_H
#define LW_BASE_STR_H

#include <string.h>

#include "lacewing.h"

/* A literal as text, its length known at compile time. */
#define LW_S(literal) ((struct lw_str){"" literal, sizeof(literal) - 1})
/* For printf: "%.*s". Longer than INT_MAX is cut. */
#define LW_F(s) (int)((s).n > 0x7fffffff ? 0x7fffffff : (s).n), ((s).p ? (s).p : "")

static inline struct lw_str lw_str(const char *z)
{
    return (struct lw_str){z, z ? strlen(z) : 0};
}

static inline struct lw_str lw_str_n(const char *p, size_t n)
{
    return (struct lw_str){p, n};
}

static inline bool lw_str_eq(struct lw_str a, struct lw_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* ASCII letters only. */
bool lw_str_eq_nocase(struct lw_str a, struct lw_str b);

/* Byte order; a prefix sorts before its extensions. */
int lw_str_cmp(struct lw_str a, struct lw_str b);

bool lw_str_has_prefix(struct lw_str s, struct lw_str prefix);
bool lw_str_has_suffix(struct lw_str s, struct lw_str suffix);

enum { LW_NPOS = -1 };

/* Offset of the first (last) occurrence, or LW_NPOS. */
ptrdiff_t lw_str_find(struct lw_str s, struct lw_str what);
ptrdiff_t lw_str_find_char(struct lw_str s, char c);
ptrdiff_t lw_str_find_last_char(struct lw_str s, char c);

/* The rest from byte `at` (at most the end). */
struct lw_str lw_str_from(struct lw_str s, size_t at);
/* At most `n` bytes from byte `at`. */
struct lw_str lw_str_part(struct lw_str s, size_t at, size_t n);

/* Without blanks, tabs, CR and LF at both ends. */
struct lw_str lw_str_trim(struct lw_str s);

/* Cuts the next piece up to `sep` off the front of `*rest`; false when `*rest` is used up.
 * "a,,b" gives a, empty, b; "a," gives a; an empty text gives nothing. */
bool lw_str_split(struct lw_str *rest, char sep, struct lw_str *piece);

/* The next line without its line end (LF or CRLF). */
bool lw_str_line(struct lw_str *rest, struct lw_str *line);

/* Edit distance with neighbour swaps (optimal string alignment), at most `limit` + 1; texts
 * over 64 bytes count as far apart. For "did you mean". */
size_t lw_str_distance(struct lw_str a, struct lw_str b, size_t limit);

/* How far from `typed` a word may be to be suggested: the shorter, the nearer. */
size_t lw_str_typo_limit(struct lw_str typed);

/* A good 64-bit hash, the same on every run and machine of the same byte order. */
uint64_t lw_str_hash(struct lw_str s);

#endif
