/*
 * utf8 - checking and walking UTF-8, and how wide it is on a terminal.
 */
#ifndef LW_BASE_UTF8_H
#define LW_BASE_UTF8_H

#include "lacewing.h"

/* Decodes the character at the front of `s` (not empty). Returns its length in bytes and the
 * code point, or 0 when the bytes are not UTF-8 (overlong, surrogate, beyond U+10FFFF, cut). */
size_t lw_utf8_decode(struct lw_str s, uint32_t *point);

/* Writes `point` (a valid code point) and returns the number of bytes. */
size_t lw_utf8_encode(uint32_t point, char out[4]);

/* Offset of the first byte that is not UTF-8, or LW_NPOS. */
ptrdiff_t lw_utf8_invalid(struct lw_str s);

/* Could it drive or deceive a terminal? Control characters, and U+202A…E and U+2066…9, which
 * turn the direction of text around: a known disguise. lw_put_safe shows their bytes as \xNN.
 */
bool lw_utf8_is_unsafe(uint32_t point);

/* Columns a terminal needs for what lw_put_safe prints: 0 for combining marks, 2 for wide East
 * Asian and emoji, else 1; four for each byte shown as \xNN. */
size_t lw_utf8_columns(struct lw_str s);

/* The longest prefix of whole characters that fits into `columns`. */
struct lw_str lw_utf8_fit(struct lw_str s, size_t columns);

#endif
