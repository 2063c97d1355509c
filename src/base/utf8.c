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

/* Is `point` in one of the `n` ranges, which are in order? */
static bool within(uint32_t point, const struct range *r, size_t n)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (point > r[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && point >= r[low].first;
}

/* The combining marks that matter in reports and names; not the whole of Unicode's table. */
static const struct range zero_wide[] = {{0x300, 0x36f},   {0x483, 0x489},    {0x591, 0x5bd},
                                         {0x610, 0x61a},   {0x64b, 0x65f},    {0x200b, 0x200f},
                                         {0x20d0, 0x20f0}, {0xfe00, 0xfe0f},  {0xfe20, 0xfe2f},
                                         {0xfeff, 0xfeff}, {0xe0100, 0xe01ef}};
/* East Asian Wide and Fullwidth of Unicode 14; unassigned gaps are filled. */
static const struct range double_wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x23f0, 0x23f0},   {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267f, 0x267f},   {0x2693, 0x2693},   {0x26a1, 0x26a1},
    {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},
    {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
    {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},
    {0x2728, 0x2728},   {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27b0, 0x27b0},   {0x27bf, 0x27bf},
    {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},   {0x2e80, 0x303e},
    {0x3041, 0x3247},   {0x3250, 0x4dbf},   {0x4e00, 0xa4c6},   {0xa960, 0xa97c},
    {0xac00, 0xd7a3},   {0xf900, 0xfad9},   {0xfe10, 0xfe19},   {0xfe30, 0xfe6b},
    {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x1b2fb}, {0x1f004, 0x1f004},
    {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320},
    {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca},
    {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e},
    {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e},
    {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4},
    {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2},
    {0x1f6d5, 0x1f6df}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0},
    {0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faf6},
    {0x20000, 0x3fffd}};

bool lw_utf8_is_unsafe(uint32_t point)
{
    return point < 0x20 || (point >= 0x7f && point < 0xa0) ||
           (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

/* Bytes and columns of what stands at the front of `s`. */
static size_t step(struct lw_str s, size_t *columns)
{
    uint32_t point;
    size_t n = lw_utf8_decode(s, &point);
    if (n == 0) {
        *columns = 4;
        return 1;
    }
    if (lw_utf8_is_unsafe(point))
        *columns = 4 * n; /* each byte is shown as \xNN */
    else if (point < 0x300)
        *columns = 1;
    else if (within(point, zero_wide, sizeof zero_wide / sizeof *zero_wide))
        *columns = 0;
    else
        *columns = within(point, double_wide, sizeof double_wide / sizeof *double_wide) ? 2 : 1;
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
