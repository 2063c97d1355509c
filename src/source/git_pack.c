/*
 * Whether the index of a pack can be trusted: libgit2 1.5 goes to the offsets in it without a
 * look at the size of the pack, and dies on a damaged one.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "source/git_internal.h"

enum {
    FANOUT = 256 * 4,
    PACK_HEAD = 12,
    TRAILER = LW_GIT_ID_BYTES,
    BLOCK = 24 * 2048 /* bytes read at a time: whole records of both versions */
};

/* An index being looked at; fields of its two versions are in the same order. */
struct index {
    int fd;
    uint64_t size;
    uint64_t pack_size;
    uint32_t count;
    uint32_t large; /* offsets that need 64 bits */
    int error;      /* errno of a read that failed */
};

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool read_at(struct index *x, uint64_t at, unsigned char *to, size_t n)
{
    while (n > 0) {
        ssize_t got = pread(x->fd, to, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            x->error = errno;
        if (got <= 0)
            return false;
        at += (uint64_t)got;
        to += got;
        n -= (size_t)got;
    }
    return true;
}

/* Counts of names up to each first byte: they grow, and the last one is how many there are. */
static bool read_fanout(struct index *x, uint64_t at)
{
    unsigned char table[FANOUT];
    uint32_t before = 0;
    if (!read_at(x, at, table, sizeof table))
        return false;
    for (size_t i = 0; i < FANOUT; i += 4) {
        uint32_t n = big_endian(table + i);
        if (n < before)
            return false;
        before = n;
    }
    x->count = before;
    return true;
}

static bool is_inside(const struct index *x, uint64_t offset)
{
    return offset >= PACK_HEAD && offset < x->pack_size - TRAILER;
}

/* Records of `step` bytes from `at` that begin with an offset. */
static bool check_offsets(struct index *x, uint64_t at, size_t step, bool may_be_large)
{
    unsigned char block[BLOCK];
    uint64_t left = (uint64_t)x->count * step;
    while (left > 0) {
        size_t n = left < BLOCK ? (size_t)left : BLOCK;
        if (!read_at(x, at, block, n))
            return false;
        for (size_t i = 0; i < n; i += step) {
            uint32_t offset = big_endian(block + i);
            bool large = may_be_large && offset >> 31;
            if (large && (offset & INT32_MAX) >= x->large)
                return false;
            if (!large && !is_inside(x, offset))
                return false;
        }
        at += n;
        left -= n;
    }
    return true;
}

static bool check_large(struct index *x, uint64_t at)
{
    unsigned char eight[8];
    for (uint32_t i = 0; i < x->large; i++) {
        if (!read_at(x, at + 8ull * i, eight, 8) ||
            !is_inside(x, (uint64_t)big_endian(eight) << 32 | big_endian(eight + 4)))
            return false;
    }
    return true;
}

static bool check_version_2(struct index *x)
{
    if (!read_fanout(x, 8))
        return false;
    uint64_t offsets = 8 + FANOUT + 24ull * x->count, large = offsets + 4ull * x->count;
    if (x->size < large + 2 * TRAILER || (x->size - large - 2 * TRAILER) % 8 != 0 ||
        (x->size - large - 2 * TRAILER) / 8 > x->count)
        return false;
    x->large = (uint32_t)((x->size - large - 2 * TRAILER) / 8);
    return check_offsets(x, offsets, 4, true) && check_large(x, large);
}

static bool check_index(struct index *x)
{
    static const unsigned char magic[8] = {0xff, 't', 'O', 'c', 0, 0, 0, 2};
    unsigned char head[8];
    if (x->pack_size <= PACK_HEAD + TRAILER || !read_at(x, 0, head, sizeof head))
        return false;
    if (memcmp(head, magic, sizeof head) == 0)
        return check_version_2(x);
    return memcmp(head, magic, 4) != 0 && read_fanout(x, 0) &&
           x->size == FANOUT + 24ull * x->count + 2 * TRAILER &&
           check_offsets(x, FANOUT, 24, false);
}

int gt_pack_is_sound(const char *index, const char *pack, uint64_t *bytes, struct lw_err *err)
{
    struct stat file, packed;
    *bytes = 0;
    if (stat(pack, &packed) < 0 || !S_ISREG(packed.st_mode))
        return 0;
    struct index x = {.fd = open(index, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK),
                      .pack_size = (uint64_t)packed.st_size};
    bool sound = x.fd >= 0;
    if (!sound)
        x.error = errno;
    sound = sound && fstat(x.fd, &file) == 0 && S_ISREG(file.st_mode);
    x.size = sound ? (uint64_t)file.st_size : 0;
    sound = sound && check_index(&x);
    if (x.fd >= 0)
        (void)close(x.fd);
    *bytes = x.pack_size + x.size;
    if (!sound && lw_errno_is_lack(x.error))
        return lw_err_system(err, x.error, "cannot read", lw_str(index));
    return sound;
}
