#include "base/utf8.h"

#include "base/str.h"

size_t lw_utf8_decode(struct lw_str s, uint32_t *point)
{
    const unsigned char *p = (const unsigned char *)s.p;
    unsigned first = p[0];
    if (first < 0x80) {
        *point = first;
        return 1;
    }
    size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (first < 0xc2 || first > 0xf4 || s.n < n)
        return 0;
    uint32_t value = first & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (p[i] & 0x3fu);
    }
    if (value < smallest[n] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 0;
    *point = value;
    return n;
}

size_t lw_utf8_encode(uint32_t point, char out[4])
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    size_t n = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (point & 0x3f));
        point >>= 6;
    }
    out[0] = (char)(lead[n] | point);
    return n;
}

ptrdiff_t lw_utf8_invalid(struct lw_str s)
{
    size_t at = 0;
    while (at < s.n) {
        if ((unsigned char)s.p[at] < 0x80) {
            at++;
            continue;
        }
        uint32_t point;
        size_t n = lw_utf8_decode(lw_str_from(s, at), &point);
        if (n == 0)
            return (ptrdiff_t)at;
        at += n;
    }
    return LW_NPOS;
}

struct range {
    uint32_t first, last;
};

static bool within(uint32_t point, const struct range *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (point >= r[i].first && point <= r[i].last)
            return true;
    return false;
}

/* The blocks that matter in reports and names; not the whole of Unicode's tables. */
static const struct range zero_wide[] = {{0x300, 0x36f},   {0x483, 0x489},    {0x591, 0x5bd},
                                         {0x610, 0x61a},   {0x64b, 0x65f},    {0x200b, 0x200f},
                                         {0x20d0, 0x20f0}, {0xfe00, 0xfe0f},  {0xfe20, 0xfe2f},
                                         {0xfeff, 0xfeff}, {0xe0100, 0xe01ef}};
static const struct range double_wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},  {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xac00, 0xd7a3},  {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

/* Bytes and columns of what stands at the front of `s`. */
static size_t step(struct lw_str s, size_t *columns)
{
    uint32_t point;
    size_t n = lw_utf8_decode(s, &point);
    if (n == 0 || point < 0x20 || point == 0x7f) {
        *columns = 4;
        return n ? n : 1;
    }
    if (point >= 0x80 && point < 0xa0)
        *columns = 8; /* a two-byte control, shown as \xC2\xNN */
    else if (within(point, zero_wide, sizeof zero_wide / sizeof *zero_wide))
        *columns = 0;
    else if (within(point, double_wide, sizeof double_wide / sizeof *double_wide))
        *columns = 2;
    else
        *columns = 1;
    return n;
}

size_t lw_utf8_columns(struct lw_str s)
{
    size_t total = 0;
    while (s.n) {
        size_t columns;
        s = lw_str_from(s, step(s, &columns));
        total += columns;
    }
    return total;
}

struct lw_str lw_utf8_fit(struct lw_str s, size_t columns)
{
    size_t at = 0, used = 0;
    while (at < s.n) {
        size_t wide;
        size_t n = step(lw_str_from(s, at), &wide);
        if (used + wide > columns)
            break;
        used += wide;
        at += n;
    }
    return lw_str_part(s, 0, at);
}
