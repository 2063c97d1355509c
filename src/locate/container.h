/*
 * container - a checksummed file of named sections, memory-mapped.
 *
 * What the index keeps between runs lies in such files: written aside and renamed, never
 * changed afterwards, named by their checksum, so that several processes may write the same
 * thing at once and a killed one leaves nothing half-usable. A file that is damaged, of another
 * kind, of another format version or from a machine of the other byte order is simply not
 * opened.
 *
 * An image is also what is in memory when there is no cache folder: built and used alike.
 *
 * Sections of which a reader wants but a few pages are *lazy*: they are the last ones, and not
 * read on opening. Each of their blocks has a checksum of its own, to be looked at before the
 * block is (lw_container_block).
 */
#ifndef LW_LOCATE_CONTAINER_H
#define LW_LOCATE_CONTAINER_H

#include "base/buf.h"
#include "lacewing.h"

enum { LW_CONTAINER_SECTIONS = 64, LW_CONTAINER_BLOCK = 4096 };

/* An image being made. The first failure is kept and reported by `finish`. */
struct lw_container_writer {
    struct lw_buf buf;
    uint32_t kind;
    uint64_t format;   /* readers want the same number */
    uint64_t checksum; /* once finished */
    uint32_t count;
    uint64_t lazy; /* where the lazy sections begin; 0: there are none */
    struct {
        uint64_t start, size;
    } sections[LW_CONTAINER_SECTIONS];
};

void lw_container_begin(struct lw_container_writer *w, struct lw_mem *mem, uint32_t kind,
                        uint64_t format);
/* Sections are numbered 0, 1, … in the order of the calls; each begins at a multiple of 8. */
void lw_container_add(struct lw_container_writer *w, const void *bytes, size_t n);
/* A section whose bytes the caller sets before `finish`: its place in `buf`, which moves while
 * sections are added. */
size_t lw_container_leave(struct lw_container_writer *w, size_t n);
/* Sections from now on are lazy. */
void lw_container_be_lazy(struct lw_container_writer *w);
/* The checksum goes in; the whole image is then lw_buf_str(&w->buf). 0, LW_ENOMEM, LW_ELIMIT.
 */
int lw_container_finish(struct lw_container_writer *w, struct lw_err *err);
void lw_container_abandon(struct lw_container_writer *w);

/* An opened image. */
struct lw_container {
    struct lw_mem *mem;
    const char *p; /* the whole image */
    size_t n;
    size_t owned; /* bytes of `p` to be given back to `mem`; 0: it is mapped */
    uint64_t checksum;
};

/* Takes over the bytes of a finished writer. LW_ECORRUPT cannot happen to those. */
int lw_container_take(struct lw_container *c, struct lw_container_writer *w,
                      struct lw_err *err);
/* Maps the file. LW_ENOENT when it is absent, LW_ECORRUPT when it is not usable as it is. */
int lw_container_open(struct lw_container *c, const char *path, uint32_t kind, uint64_t format,
                      struct lw_err *err);
void lw_container_close(struct lw_container *c);

/* The bytes of section `number`; empty when there is none. */
struct lw_str lw_container_section(const struct lw_container *c, uint32_t number);

/* Its elements as an array of `size` bytes each; `*n` gets how many. */
const void *lw_container_array(const struct lw_container *c, uint32_t number, size_t size,
                               size_t *n);

/* How many blocks the lazy sections have, and whether one of them is as it was written. */
size_t lw_container_blocks(const struct lw_container *c);
bool lw_container_block(const struct lw_container *c, size_t block);
/* The block that a byte of a lazy section lies in. */
size_t lw_container_block_of(const struct lw_container *c, const void *p);

#endif
