#include "check/engine/text.h"

bool text_says_any(struct lw_str text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text_says(text, words[i]))
            return true;
    return false;
}

struct lw_str text_tail(struct lw_str dotted)
{
    ptrdiff_t dot = lw_str_find_last_char(dotted, '.');
    return dot < 0 ? dotted : lw_str_part(dotted, (size_t)dot + 1, dotted.n);
}

bool text_is_any(struct lw_str name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text_is(name, names[i]))
            return true;
    return false;
}

bool text_is_swapped(struct lw_str a, struct lw_str b)
{
    size_t i = 0;
    if (a.n != b.n)
        return false;
    while (i < a.n && a.p[i] == b.p[i])
        i++;
    return i + 1 < a.n && a.p[i] == b.p[i + 1] && a.p[i + 1] == b.p[i] &&
           lw_str_eq(lw_str_from(a, i + 2), lw_str_from(b, i + 2));
}
