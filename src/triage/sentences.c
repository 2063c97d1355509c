#include "triage/sentences.h"

#include "base/str.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool ends_sentence(struct lw_str text, size_t i)
{
    char c = text.p[i];
    bool last = i + 1 == text.n;
    if (c == '\n')
        return !last && text.p[i + 1] == '\n';
    return (c == '.' || c == '?' || c == '!') && (last || is_blank(text.p[i + 1]));
}

bool lw_sentence_next(struct lw_str *rest, struct lw_str *sentence)
{
    while (rest->n > 0) {
        size_t i = 0;
        while (i < rest->n && !ends_sentence(*rest, i))
            i++;
        *sentence = lw_str_trim(lw_str_part(*rest, 0, i));
        *rest = lw_str_from(*rest, i + 1);
        if (sentence->n > 0)
            return true;
    }
    return false;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

ptrdiff_t lw_find_nocase(struct lw_str text, struct lw_str what)
{
    if (what.n == 0)
        return 0;
    char first = lower(what.p[0]);
    for (size_t i = 0; i + what.n <= text.n; i++) {
        if (lower(text.p[i]) != first)
            continue;
        size_t k = 1;
        while (k < what.n && lower(text.p[i + k]) == lower(what.p[k]))
            k++;
        if (k == what.n)
            return (ptrdiff_t)i;
    }
    return LW_NPOS;
}

static bool is_word(char c)
{
    c = lower(c);
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

ptrdiff_t lw_find_phrase(struct lw_str text, struct lw_str what)
{
    for (size_t from = 0; from < text.n;) {
        ptrdiff_t at = lw_find_nocase(lw_str_from(text, from), what);
        if (at < 0)
            break;
        size_t start = from + (size_t)at, end = start + what.n;
        if ((start == 0 || !is_word(text.p[start - 1])) &&
            (end == text.n || !is_word(text.p[end])))
            return (ptrdiff_t)start;
        from = start + 1;
    }
    return LW_NPOS;
}
