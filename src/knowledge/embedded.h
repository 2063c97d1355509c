/*
 * embedded - the files of data/ and specimens/, compiled into the program.
 *
 * Paths are as in the source tree ("data/vocabulary.csv"). Contents are NUL-terminated, static
 * and read-only.
 */
#ifndef LW_KNOWLEDGE_EMBEDDED_H
#define LW_KNOWLEDGE_EMBEDDED_H

#include "lacewing.h"

/* False when there is no such file. */
bool lw_embedded_find(struct lw_str path, struct lw_str *content);

/* The file with number `index` in byte order of the paths; false beyond the last. */
bool lw_embedded_at(size_t index, struct lw_str *path, struct lw_str *content);

/* The number of the first file whose path is not before `prefix`. */
size_t lw_embedded_first(struct lw_str prefix);

/* Names the whole content: 64 hexadecimal digits. */
struct lw_str lw_embedded_digest(void);

#endif
