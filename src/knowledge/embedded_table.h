/* The generated table behind embedded.h; only embedded.c and the generated file include it. */
#ifndef LW_KNOWLEDGE_EMBEDDED_TABLE_H
#define LW_KNOWLEDGE_EMBEDDED_TABLE_H

#include <stddef.h>

struct lw_embedded_row {
    const char *path;
    size_t path_length;
    size_t offset;
    size_t size;
};

extern const struct lw_embedded_row lw_embedded_rows[];
extern const size_t lw_embedded_count;
extern const char lw_embedded_sha256[];
extern const char lw_embedded_bytes[];

#endif
