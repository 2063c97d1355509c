/*
 * What the drivers share. A driver is a small program that lets a script put many cases to one
 * module: a line of input is a case, a line of output its result. Bytes are written in
 * hexadecimal behind an 'x', so that any byte, and nothing at all, can stand in a line.
 */
#ifndef LW_TESTS_LINES_H
#define LW_TESTS_LINES_H

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/sink.h"
#include "base/str.h"

/* Writes the result of `line`, without the line end. `arena` is emptied after each. */
typedef void (*line_handler)(struct lw_arena *arena, struct lw_str line, struct lw_sink *out);

static inline int each_line(line_handler handle)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t n;
    struct lw_arena arena;
    struct lw_sink out = lw_sink_file(stdout);
    struct lw_err err = {0};
    lw_arena_init(&arena, NULL, 0);
    while ((n = getline(&text, &room, stdin)) > 0) {
        handle(&arena, lw_str_trim(lw_str_n(text, (size_t)n)), &out);
        lw_put_char(&out, '\n');
        lw_arena_clear(&arena);
    }
    free(text);
    lw_arena_release(&arena);
    return lw_sink_finish(&out, &err) < 0;
}

static inline unsigned hex_value(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* "x6162" to "ab", without a NUL behind it. */
static inline struct lw_str from_hex(struct lw_arena *arena, struct lw_str hex)
{
    size_t n = (hex.n - 1) / 2;
    char *bytes = lw_arena_bytes(arena, n);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)(hex_value(hex.p[1 + 2 * i]) << 4 | hex_value(hex.p[2 + 2 * i]));
    return lw_str_n(bytes, n);
}

static inline void put_hex(struct lw_sink *out, struct lw_str bytes)
{
    lw_put_char(out, 'x');
    for (size_t i = 0; i < bytes.n; i++)
        lw_putf(out, "%02x", (unsigned)(unsigned char)bytes.p[i]);
}

#endif
