#include "base/version.h"

#include "base/str.h"

const char *lw_version(void)
{
    return LW_VERSION;
}

/* Takes the next number off the front; 0 when there is none. */
static uint64_t next_number(struct lw_str *v, bool *more)
{
    uint64_t value = 0;
    size_t n = 0;
    while (n < v->n && v->p[n] >= '0' && v->p[n] <= '9') {
        if (value < UINT64_MAX / 20)
            value = value * 10 + (uint64_t)(v->p[n] - '0');
        n++;
    }
    *more = n > 0;
    *v = lw_str_from(*v, n);
    if (n > 0 && v->n && v->p[0] == '.')
        *v = lw_str_from(*v, 1);
    else
        v->n = 0; /* "a0", "+cpu", "rc1": what follows the numbers does not count */
    return value;
}

/* Compares the first `parts` numbers. */
static int compare_parts(struct lw_str a, struct lw_str b, size_t parts)
{
    for (size_t i = 0; i < parts; i++) {
        bool more_a, more_b;
        uint64_t x = next_number(&a, &more_a), y = next_number(&b, &more_b);
        if (x != y)
            return x < y ? -1 : 1;
        if (!more_a && !more_b)
            return 0;
    }
    return 0;
}

int lw_version_compare(struct lw_str a, struct lw_str b)
{
    return compare_parts(a, b, 16);
}

static size_t count_parts(struct lw_str v)
{
    bool more = true;
    size_t n = 0;
    while (v.n) {
        next_number(&v, &more);
        n += more;
        if (!more)
            break;
    }
    return n;
}

static bool meets_one(struct lw_str version, struct lw_str part)
{
    static const char *const operators[] = {"==", "!=", ">=", "<=", "~=", ">", "<"};
    size_t which = 0, skip = 0;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (lw_str_has_prefix(part, lw_str(operators[i]))) {
            which = i;
            skip = strlen(operators[i]);
            break;
        }
    struct lw_str wanted = lw_str_trim(lw_str_from(part, skip));
    bool front = lw_str_has_suffix(wanted, LW_S(".*"));
    if (front)
        wanted.n -= 2;
    int c = front ? compare_parts(version, wanted, count_parts(wanted))
                  : lw_version_compare(version, wanted);
    switch (which) {
    case 0: return c == 0;
    case 1: return c != 0;
    case 2: return c >= 0;
    case 3: return c <= 0;
    case 4: {
        size_t n = count_parts(wanted);
        return c >= 0 && compare_parts(version, wanted, n > 1 ? n - 1 : 1) == 0;
    }
    case 5: return c > 0;
    default: return c < 0;
    }
}

bool lw_version_meets(struct lw_str version, struct lw_str constraint)
{
    struct lw_str part;
    while (version.n && lw_str_split(&constraint, ',', &part)) {
        part = lw_str_trim(part);
        if (part.n && !meets_one(version, part))
            return false;
    }
    return true;
}
