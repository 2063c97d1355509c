#include "base/checksum.h"

#include <string.h>

static uint64_t mix(uint64_t a, uint64_t b)
{
    __uint128_t r = (__uint128_t)a * b;
    return (uint64_t)r ^ (uint64_t)(r >> 64);
}

static uint64_t word_at(const char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

static uint64_t tail_word(const char *p, size_t n)
{
    uint64_t w = 0;
    memcpy(&w, p, n);
    return w;
}

/* Four independent lanes keep the multiplier busy: several GB/s, so that checking a whole index
 * on opening costs about a millisecond per 10 MB. */
uint64_t lw_checksum(struct lw_str bytes, uint64_t seed)
{
    static const uint64_t odd[4] = {0xa0761d6478bd642fU, 0xe7037ed1a0b428dbU,
                                    0x8ebc6af09c88c6e3U, 0x589965cc75374cc3U};
    uint64_t lane[4] = {seed ^ odd[0], seed ^ odd[1], seed ^ odd[2], seed ^ odd[3]};
    size_t at = 0;
    uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3]; /* kept in registers */
    for (; at + 64 <= bytes.n; at += 64) {
        const char *p = bytes.p + at;
        a = mix(word_at(p) ^ odd[0], word_at(p + 8) ^ a);
        b = mix(word_at(p + 16) ^ odd[1], word_at(p + 24) ^ b);
        c = mix(word_at(p + 32) ^ odd[2], word_at(p + 40) ^ c);
        d = mix(word_at(p + 48) ^ odd[3], word_at(p + 56) ^ d);
    }
    lane[0] = a, lane[1] = b, lane[2] = c, lane[3] = d;
    for (; at < bytes.n; at += 8) {
        size_t left = bytes.n - at < 8 ? bytes.n - at : 8;
        lane[0] = mix(tail_word(bytes.p + at, left) ^ odd[1], lane[0] ^ odd[2]);
    }
    uint64_t sum =
        mix(lane[0] ^ odd[1], lane[1] ^ odd[0]) ^ mix(lane[2] ^ odd[3], lane[3] ^ odd[2]);
    return mix(sum ^ bytes.n, odd[3]);
}
