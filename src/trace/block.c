/*
 * block - see the header.
 *
 * The head: 4 bytes "LWTB", 1 kind, 1 codec (0 as it is, 1 zstd), 2 zero, 4 bytes stored, 4
 * bytes of the payload, 8 checksum (of the 16 bytes before it, then of what is stored).
 */
#include "trace/block.h"

#include <string.h>

#include "base/checksum.h"
#include "base/err.h"
#include "base/library.h"
#include "base/str.h"

enum { CODEC_PLAIN, CODEC_ZSTD, ZSTD_LEVEL = 1, SUM_AT = 16 };

static const char mark[4] = {'L', 'W', 'T', 'B'};

/* ---- zstd, where it is installed -------------------------------------------------------- */

struct zstd {
    size_t (*bound)(size_t n);
    size_t (*compress)(void *to, size_t room, const void *from, size_t n, int level);
    size_t (*decompress)(void *to, size_t room, const void *from, size_t n);
    unsigned (*is_error)(size_t code);
};

static int zstd_load(struct zstd *z, struct lw_err *err)
{
    const struct lw_library_function functions[] = {
        {"ZSTD_compressBound", (void **)&z->bound},
        {"ZSTD_compress", (void **)&z->compress},
        {"ZSTD_decompress", (void **)&z->decompress},
        {"ZSTD_isError", (void **)&z->is_error},
    };
    return lw_library_load("libzstd.so.1", "libzstd1", functions,
                           sizeof functions / sizeof *functions, err);
}

/* ---- Numbers in the head ----------------------------------------------------------------- */

static void put_le(char *to, uint64_t v, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++)
        to[k] = (char)(v >> 8 * k & 255);
}

static uint64_t get_le(const char *from, size_t bytes)
{
    uint64_t v = 0;
    for (size_t k = 0; k < bytes; k++)
        v |= (uint64_t)(uint8_t)from[k] << 8 * k;
    return v;
}

static uint64_t sum_of(const char *head, struct lw_str stored)
{
    return lw_checksum(stored, lw_checksum(lw_str_n(head, SUM_AT), 0));
}

/* ---- Writing ----------------------------------------------------------------------------- */

/* Appends the payload as it is stored; the codec. */
static int put_stored(struct lw_buf *out, struct lw_str payload)
{
    struct zstd z;
    struct lw_err ignored;
    if (payload.n > 64 && zstd_load(&z, &ignored) == 0) {
        size_t bound = z.bound(payload.n);
        char *room = lw_buf_room(out, bound);
        if (!room)
            return CODEC_PLAIN;
        size_t n = z.compress(room, bound, payload.p, payload.n, ZSTD_LEVEL);
        if (!z.is_error(n) && n < payload.n) {
            lw_buf_took(out, n);
            return CODEC_ZSTD;
        }
    }
    lw_buf_add(out, payload);
    return CODEC_PLAIN;
}

int lw_block_put(struct lw_buf *out, enum lw_block_kind kind, struct lw_str payload)
{
    if (payload.n > LW_BLOCK_MOST)
        return LW_ELIMIT;
    size_t start = out->n;
    lw_buf_fill(out, '\0', LW_BLOCK_HEAD);
    int codec = put_stored(out, payload);
    if (out->failed)
        return out->failed;
    char *head = out->p + start;
    struct lw_str stored = lw_str_n(head + LW_BLOCK_HEAD, out->n - start - LW_BLOCK_HEAD);
    memcpy(head, mark, sizeof mark);
    head[4] = (char)kind;
    head[5] = (char)codec;
    put_le(head + 8, stored.n, 4);
    put_le(head + 12, payload.n, 4);
    put_le(head + SUM_AT, sum_of(head, stored), 8);
    return 0;
}

/* ---- Reading ----------------------------------------------------------------------------- */

static int unpack(struct lw_buf *room, struct lw_str stored, size_t size, struct lw_err *err)
{
    struct zstd z;
    int rc = zstd_load(&z, err);
    if (rc < 0)
        return rc;
    lw_buf_clear(room);
    char *to = lw_buf_room(room, size);
    if (!to)
        return lw_err_nomem(err);
    if (z.decompress(to, size, stored.p, stored.n) != size)
        return lw_err_set(err, LW_ECORRUPT, "a compressed block is damaged");
    lw_buf_took(room, size);
    return 0;
}

int lw_block_get(struct lw_block *block, struct lw_buf *room, struct lw_str text,
                 struct lw_err *err)
{
    if (text.n < LW_BLOCK_HEAD)
        return memcmp(text.p, mark, text.n < sizeof mark ? text.n : sizeof mark) == 0
                   ? 0
                   : lw_err_set(err, LW_ECORRUPT, "no block begins here");
    size_t stored_n = get_le(text.p + 8, 4), size = get_le(text.p + 12, 4);
    uint8_t kind = (uint8_t)text.p[4], codec = (uint8_t)text.p[5];
    if (memcmp(text.p, mark, sizeof mark) != 0 || stored_n > LW_BLOCK_MOST ||
        size > LW_BLOCK_MOST || codec > CODEC_ZSTD ||
        (codec == CODEC_PLAIN && size != stored_n))
        return lw_err_set(err, LW_ECORRUPT, "no block begins here");
    if (text.n - LW_BLOCK_HEAD < stored_n)
        return 0;
    struct lw_str stored = lw_str_n(text.p + LW_BLOCK_HEAD, stored_n);
    if (get_le(text.p + SUM_AT, 8) != sum_of(text.p, stored))
        return lw_err_set(err, LW_ECORRUPT, "the checksum of a block does not fit");
    *block =
        (struct lw_block){.kind = kind, .size = LW_BLOCK_HEAD + stored_n, .payload = stored};
    if (codec == CODEC_PLAIN)
        return 1;
    int rc = unpack(room, stored, size, err);
    block->payload = lw_buf_str(room);
    return rc < 0 ? rc : 1;
}

size_t lw_block_search(struct lw_str text)
{
    ptrdiff_t at =
        text.n > 1 ? lw_str_find(lw_str_from(text, 1), lw_str_n(mark, sizeof mark)) : -1;
    return at < 0 ? text.n : (size_t)at + 1;
}

/* ---- Columns ----------------------------------------------------------------------------- */

int lw_column_put32(struct lw_buf *out, const uint32_t *v, size_t n, bool delta)
{
    char *to = lw_buf_room(out, 4 * n);
    if (!to)
        return out->failed;
    uint32_t before = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t x = delta ? v[i] - before : v[i];
        before = v[i];
        for (size_t k = 0; k < 4; k++)
            to[k * n + i] = (char)(x >> 8 * k & 255);
    }
    lw_buf_took(out, 4 * n);
    return 0;
}

int lw_column_put64(struct lw_buf *out, const uint64_t *v, size_t n)
{
    char *to = lw_buf_room(out, 8 * n);
    if (!to)
        return out->failed;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 8; k++)
            to[k * n + i] = (char)(v[i] >> 8 * k & 255);
    lw_buf_took(out, 8 * n);
    return 0;
}

bool lw_column_get32(struct lw_str *in, uint32_t *v, size_t n, bool delta)
{
    if (in->n / 4 < n)
        return false;
    uint32_t before = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t x = 0;
        for (size_t k = 0; k < 4; k++)
            x |= (uint32_t)(uint8_t)in->p[k * n + i] << 8 * k;
        v[i] = before = delta ? x + before : x;
    }
    *in = lw_str_from(*in, 4 * n);
    return true;
}

bool lw_column_get64(struct lw_str *in, uint64_t *v, size_t n)
{
    if (in->n / 8 < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        v[i] = 0;
        for (size_t k = 0; k < 8; k++)
            v[i] |= (uint64_t)(uint8_t)in->p[k * n + i] << 8 * k;
    }
    *in = lw_str_from(*in, 8 * n);
    return true;
}
