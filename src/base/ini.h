/*
 * ini - our own reader of INI files.
 *
 *     # a comment (also ';'), only in the first column
 *     [section]
 *     key = value
 *     text = first line
 *         an indented line continues the value, joined by a line feed
 *
 * Values have no length limit and keep every character after the '=' but the blanks around
 * them; the indentation of the first continuation line is taken off all of them. Blank lines
 * inside a continued value are kept. Errors name file and line. Duplicate keys and sections,
 * keys before a section or with control characters, lines without '=', NUL bytes and invalid
 * UTF-8 are refused.
 */
#ifndef LW_BASE_INI_H
#define LW_BASE_INI_H

#include "base/arena.h"
#include "lacewing.h"

struct lw_ini_entry {
    struct lw_str section;
    struct lw_str key;
    struct lw_str value; /* NUL-terminated */
    uint32_t line;       /* of the key */
};

struct lw_ini {
    struct lw_str name;           /* of the file, for messages; borrowed */
    struct lw_ini_entry *entries; /* in file order */
    size_t n;
};

/* Everything in `arena`; `text` may go away afterwards. */
int lw_ini_parse(struct lw_ini *ini, struct lw_arena *arena, struct lw_str name,
                 struct lw_str text, struct lw_err *err);

/* NULL when absent. */
const struct lw_ini_entry *lw_ini_find(const struct lw_ini *ini, const char *section,
                                       const char *key);

/* The value, or the empty text. */
struct lw_str lw_ini_get(const struct lw_ini *ini, const char *section, const char *key);

/* The value, which must exist and not be empty; otherwise LW_EINVAL with the file's name. */
int lw_ini_need(const struct lw_ini *ini, const char *section, const char *key,
                struct lw_str *value, struct lw_err *err);

/* A message about an entry: "name:line: key: …", LW_EINVAL. */
int lw_ini_error(const struct lw_ini *ini, const struct lw_ini_entry *entry, struct lw_err *err,
                 const char *fmt, ...) LW_PRINTF(4, 5);

/* Adds "key = value" in this format; nothing for an empty value. It reads back as the same
 * text, less blanks at its ends and at line ends, with CRLF as LF, and with U+FFFD for each
 * byte that the reader would refuse. */
struct lw_sink;
void lw_ini_print(struct lw_sink *out, const char *key, struct lw_str value);

#endif
