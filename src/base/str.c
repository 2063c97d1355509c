#include "base/str.h"

#include <string.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

bool lw_str_eq_nocase(struct lw_str a, struct lw_str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (lower(a.p[i]) != lower(b.p[i]))
            return false;
    return true;
}

int lw_str_cmp(struct lw_str a, struct lw_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int r = n ? memcmp(a.p, b.p, n) : 0;
    if (r != 0)
        return r;
    return a.n < b.n ? -1 : a.n > b.n;
}

bool lw_str_has_prefix(struct lw_str s, struct lw_str prefix)
{
    if (s.n < prefix.n || prefix.n == 0)
        return prefix.n == 0;
    return s.p[0] == prefix.p[0] && memcmp(s.p, prefix.p, prefix.n) == 0;
}

bool lw_str_has_suffix(struct lw_str s, struct lw_str suffix)
{
    return s.n >= suffix.n && lw_str_eq(lw_str_from(s, s.n - suffix.n), suffix);
}

ptrdiff_t lw_str_find(struct lw_str s, struct lw_str what)
{
    if (what.n == 0)
        return 0;
    if (what.n > s.n)
        return LW_NPOS;
    const char *hit = memmem(s.p, s.n, what.p, what.n);
    return hit ? hit - s.p : LW_NPOS;
}

ptrdiff_t lw_str_find_char(struct lw_str s, char c)
{
    const char *hit = s.n ? memchr(s.p, c, s.n) : NULL;
    return hit ? hit - s.p : LW_NPOS;
}

ptrdiff_t lw_str_find_last_char(struct lw_str s, char c)
{
    const char *hit = s.n ? memrchr(s.p, c, s.n) : NULL;
    return hit ? hit - s.p : LW_NPOS;
}

struct lw_str lw_str_from(struct lw_str s, size_t at)
{
    if (at >= s.n)
        return (struct lw_str){s.n ? s.p + s.n : s.p, 0};
    return (struct lw_str){s.p + at, s.n - at};
}

struct lw_str lw_str_part(struct lw_str s, size_t at, size_t n)
{
    struct lw_str rest = lw_str_from(s, at);
    if (n < rest.n)
        rest.n = n;
    return rest;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct lw_str lw_str_trim(struct lw_str s)
{
    while (s.n && is_blank(s.p[0])) {
        s.p++;
        s.n--;
    }
    while (s.n && is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool lw_str_split(struct lw_str *rest, char sep, struct lw_str *piece)
{
    if (rest->n == 0)
        return false;
    ptrdiff_t at = lw_str_find_char(*rest, sep);
    if (at == LW_NPOS) {
        *piece = *rest;
        *rest = lw_str_from(*rest, rest->n);
        return true;
    }
    *piece = lw_str_part(*rest, 0, (size_t)at);
    *rest = lw_str_from(*rest, (size_t)at + 1);
    return true;
}

bool lw_str_line(struct lw_str *rest, struct lw_str *line)
{
    if (rest->n == 0)
        return false;
    ptrdiff_t at = lw_str_find_char(*rest, '\n');
    size_t end = at == LW_NPOS ? rest->n : (size_t)at;
    *line = lw_str_part(*rest, 0, end);
    *rest = lw_str_from(*rest, at == LW_NPOS ? end : end + 1);
    if (line->n && line->p[line->n - 1] == '\r')
        line->n--;
    return true;
}

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

size_t lw_str_distance(struct lw_str a, struct lw_str b, size_t limit)
{
    enum { MAX = 64 };
    size_t rows[3][MAX + 1];
    if (a.n > MAX || b.n > MAX)
        return limit + 1;
    for (size_t j = 0; j <= b.n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        size_t *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b.n; j++) {
            size_t cost = lower(a.p[i - 1]) == lower(b.p[j - 1]) ? 0 : 1;
            now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + cost);
            if (i > 1 && j > 1 && lower(a.p[i - 1]) == lower(b.p[j - 2]) &&
                lower(a.p[i - 2]) == lower(b.p[j - 1]) && before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
    }
    size_t d = rows[a.n % 3][b.n];
    return d > limit ? limit + 1 : d;
}

size_t lw_str_typo_limit(struct lw_str typed)
{
    return typed.n <= 3 ? 1 : typed.n <= 7 ? 2 : 3;
}

/* Multiply-fold over 8-byte words, after wyhash; the constants are odd with mixed bits. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    __uint128_t r = (__uint128_t)a * b;
    return (uint64_t)r ^ (uint64_t)(r >> 64);
}

uint64_t lw_str_hash(struct lw_str s)
{
    const uint64_t k0 = 0x9e3779b97f4a7c15u, k1 = 0xd6e8feb86659fd93u;
    uint64_t h = k0 ^ s.n;
    size_t i = 0;
    for (; i + 8 <= s.n; i += 8) {
        uint64_t w;
        memcpy(&w, s.p + i, 8);
        h = fold(h ^ w, k1);
    }
    uint64_t tail = 0;
    if (i < s.n)
        memcpy(&tail, s.p + i, s.n - i);
    return fold(h ^ tail ^ k1, k0);
}
