/*
 * block - the blocks that a trace file is made of.
 *
 * A trace begins with LW_TRACE_MAGIC and goes on with blocks until it ends; docs/formats.md has
 * the layout. A block is written with one call, so that a reader sees it whole or not at all; a
 * checksum covers its head and what follows. Payloads are compressed with zstd where the
 * library is installed. All numbers are little-endian.
 *
 * Columns hold one field of many rows side by side, byte by byte: first the lowest byte of
 * every value, then the next. Such runs of alike bytes are what makes a trace small.
 */
#ifndef LW_TRACE_BLOCK_H
#define LW_TRACE_BLOCK_H

#include "base/buf.h"
#include "lacewing.h"

#define LW_TRACE_MAGIC "LWTRACE\x01"

enum {
    LW_TRACE_MAGIC_SIZE = 8,
    LW_BLOCK_HEAD = 24,
    LW_BLOCK_MOST = 8 << 20, /* bytes of a payload, before and after compression */
};

enum lw_block_kind {
    LW_BLOCK_META = 1, /* a JSON object: facts about the run; later keys replace earlier ones */
    LW_BLOCK_NAMES,    /* JSON lines: what ids stand for */
    LW_BLOCK_POINTS,   /* columns: single numbers */
    LW_BLOCK_ROWS,     /* columns: statistics of tensors */
    LW_BLOCK_EVENTS,   /* columns: calls in their order */
};

/* Appends a whole block; LW_ENOMEM or LW_ELIMIT. */
int lw_block_put(struct lw_buf *out, enum lw_block_kind kind, struct lw_str payload);

struct lw_block {
    enum lw_block_kind kind;
    size_t size;           /* of the whole block in the file */
    struct lw_str payload; /* as it was given to lw_block_put; borrowed from text or `room` */
};

/* Reads the block at the start of `text`. `room` holds what was compressed, until its next use.
 * 1 and the block; 0 when the text ends inside of the block (it may still be being written);
 * LW_ECORRUPT, LW_EMISSING (zstd), LW_ENOMEM. */
int lw_block_get(struct lw_block *block, struct lw_buf *room, struct lw_str text,
                 struct lw_err *err);

/* Where the next block may begin in a damaged text, behind its first byte; text.n if nowhere.
 */
size_t lw_block_search(struct lw_str text);

/* Appends a column of `n` numbers, each as its difference from the one before if `delta`. */
int lw_column_put32(struct lw_buf *out, const uint32_t *v, size_t n, bool delta);
int lw_column_put64(struct lw_buf *out, const uint64_t *v, size_t n);

/* Takes a column from the front of `in`; false when it is too short. */
bool lw_column_get32(struct lw_str *in, uint32_t *v, size_t n, bool delta);
bool lw_column_get64(struct lw_str *in, uint64_t *v, size_t n);

#endif
