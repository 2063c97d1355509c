/*
 * segment - documents laid out in an image, to be used in place.
 *
 * In: documents with the words of the threads that read them. Out: a container whose records
 * are sorted by blob, whose terms and names are sorted by their texts, and in which all numbers
 * are local. The image is the same for the same documents, whoever read them.
 */
#ifndef LW_LOCATE_SEGMENT_H
#define LW_LOCATE_SEGMENT_H

#include "locate/container.h"
#include "locate/index.h"

enum { LW_SEGMENT_KIND = 0x736b6c62 /* "blks" */ };

struct lw_part {
    uint32_t start, n;
};

struct lw_record {
    struct lw_doc_facts facts;
    struct lw_part fields[LW_FIELDS];
    struct lw_part idents, apis, defs, params, imports, strings;
};

struct lw_segment {
    struct lw_container container;
    const struct lw_record *records; /* by blob id; of chosen documents as they came */
    size_t record_count;
    const uint32_t *posting_terms;
    const uint16_t *posting_counts;
    const uint32_t *term_ends, *name_ends;
    const char *term_text, *name_text;
    size_t term_count, name_count;
    const struct lw_def *defs;
    const uint32_t *params, *strings;
    const struct lw_import *imports;
    const struct lw_use *uses;
    uint32_t *to_index; /* by term; made by the index, owned by it */
    uint32_t base;      /* number of the first record in the index */
};

/* A document and who read it. */
struct lw_segment_input {
    const struct lw_document *document;
    const struct lw_document_reader *by; /* NULL: a document without any text */
    unsigned reader;                     /* its number */
};

/* Makes the image. */
int lw_segment_build(struct lw_container_writer *w, struct lw_mem *mem, uint64_t format,
                     const struct lw_segment_input *inputs, size_t n, unsigned readers,
                     struct lw_err *err);

/* Makes one image of several segments, each blob once. */
int lw_segment_merge(struct lw_container_writer *w, struct lw_mem *mem, uint64_t format,
                     const struct lw_segment *const *segments, size_t n, struct lw_err *err);

/* Makes one of the documents, which lie in some of the segments, in their order. */
int lw_segment_choose(struct lw_container_writer *w, struct lw_mem *mem, uint64_t format,
                      const struct lw_segment *const *segments, size_t n,
                      const struct lw_doc *docs, size_t doc_count, struct lw_err *err);

/* Looks into an opened container, which the segment takes over. LW_ECORRUPT when sections do
 * not fit together. */
int lw_segment_use(struct lw_segment *s, struct lw_container *container, struct lw_err *err);
void lw_segment_close(struct lw_segment *s);

struct lw_str lw_segment_term(const struct lw_segment *s, uint32_t term);
struct lw_str lw_segment_name(const struct lw_segment *s, uint32_t name);
/* LW_NO_TERM when no document has it. */
uint32_t lw_segment_find_term(const struct lw_segment *s, struct lw_str text);
/* The record of the blob, or NULL. */
const struct lw_record *lw_segment_find(const struct lw_segment *s, const struct lw_git_id *id);

#endif
