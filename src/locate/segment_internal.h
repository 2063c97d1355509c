/*
 * segment_internal - the sections of a segment's container, in their order.
 */
#ifndef LW_LOCATE_SEGMENT_INTERNAL_H
#define LW_LOCATE_SEGMENT_INTERNAL_H

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

#endif
