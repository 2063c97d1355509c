/*
 * segment_internal - how a segment lies in its container, for those who lay it out.
 */
#ifndef LW_LOCATE_SEGMENT_INTERNAL_H
#define LW_LOCATE_SEGMENT_INTERNAL_H

#include "base/map.h"
#include "locate/container.h"

/* The sections in their order. */
enum sg_section {
    SG_RECORDS,
    SG_POSTING_TERMS,
    SG_POSTING_COUNTS,
    SG_TERM_ENDS,
    SG_TERM_TEXT,
    SG_NAME_ENDS,
    SG_NAME_TEXT,
    SG_DEFS,
    SG_PARAMS,
    SG_IMPORTS,
    SG_USES,
    SG_STRINGS,
    SG_SECTIONS
};

/* How many of each there are. */
struct sg_sizes {
    size_t records, postings, uses, defs, params, imports, strings;
    size_t terms, term_bytes, names, name_bytes;
};

/* Makes the sections, to be filled; `start` gets their places in the image. */
void sg_leave_sections(struct lw_container_writer *w, const struct sg_sizes *n,
                       size_t start[SG_SECTIONS]);

/* The keys of a map in byte order, as numbers in `order`. 0 or LW_ENOMEM. */
int sg_order_texts(struct lw_mem *mem, const struct lw_map *map, uint32_t *order);
void sg_lay_dictionary(const struct lw_map *map, const uint32_t *order, uint32_t *ends,
                       char *text);

#endif
