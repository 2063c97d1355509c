/*
 * Where a program runs: libraries and their versions, operating system, host, hardware, device.
 */
#include "report/terms.h"

/* ---- Versions ---------------------------------------------------------------------------- */

/* The length of a version number at the start: 1.2, 2.0.0rc1, 1.13.1+cu117, 2.x. */
static size_t version_length(struct lw_str s, bool whole)
{
    size_t i = 0, dots = 0;
    while (i < s.n &&
           (report_is_digit(s.p[i]) || (s.p[i] == '.' && i && i + 1 < s.n &&
                                        (report_is_digit(s.p[i + 1]) || s.p[i + 1] == 'x')))) {
        dots += s.p[i] == '.';
        i++;
    }
    if (!i || (!dots && (!whole || i > 2 || s.p[0] == '0')))
        return 0;
    while (dots && i < s.n &&
           (report_is_word(s.p[i]) || s.p[i] == '+' ||
            ((s.p[i] == '.' || s.p[i] == '-') && i + 1 < s.n && report_is_word(s.p[i + 1]))))
        i++;
    return !dots && i < s.n && (report_is_word(s.p[i]) || s.p[i] == '%') ? 0 : i;
}

static size_t parenthesis(struct lw_str s)
{
    ptrdiff_t end = lw_str_find_char(lw_str_part(s, 0, 60), ')');
    return end < 0 ? 0 : (size_t)end + 1;
}

/* Skips what stands between a library and its number; returns where the number may begin. */
static size_t skip_between(struct lw_str s)
{
    static const char *const words[] = {"version",   "Version", "VERSION",
                                        "framework", "release", "is"};
    size_t i = 0;
    for (size_t steps = 0; steps < 16 && i < s.n; steps++) {
        struct lw_str rest = lw_str_from(s, i);
        size_t word = 0;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (lw_str_has_prefix(rest, lw_str(words[k])))
                word = strlen(words[k]);
        if (word) {
            i += word;
        } else if (rest.p[0] == '(' && rest.n > 1 && !report_is_digit(rest.p[1]) &&
                   rest.p[1] != 'v' && parenthesis(rest)) {
            i += parenthesis(rest); /* "(e.g., 1.0)" of a template, "(GPU?)" */
        } else if (report_is_blank(rest.p[0])) {
            while (i < s.n && report_is_blank(s.p[i]))
                i++;
        } else if (strchr(":=@/*`'(|-\"_", rest.p[0])) {
            i++;
        } else if ((rest.p[0] == 'v' || rest.p[0] == 'V') && rest.n > 1 &&
                   report_is_digit(rest.p[1])) {
            i++;
        } else {
            break;
        }
    }
    return i;
}

static bool is_listed(const struct term_scan *s)
{
    const struct lw_fact *b = &s->r->blocks.v[s->block];
    return b->kind == LW_FACT_OUTPUT && b->code.sort == LW_OUTPUT_VERSIONS;
}

static int add_version(struct term_scan *s, struct lw_str library, size_t at, size_t number,
                       size_t n)
{
    struct lw_fact f = term_fact(s, LW_FACT_VERSION, at, number + n);
    f.text = lw_str_part(s->text, number, n);
    f.name = library;
    f.version.listed = is_listed(s);
    return report_add(s->r, f);
}

/* May the version be a number without a point: CUDA 10? */
static bool is_whole(const struct report_word *w)
{
    return lw_str_find(w->more, LW_S("whole")) >= 0;
}

/* The number behind a library that ends at `after`; `*number` is where it begins. */
static size_t number_behind(const struct term_scan *s, const struct report_word *w,
                            size_t after, size_t *number)
{
    struct lw_str rest = lw_str_part(s->text, after, 200);
    ptrdiff_t line = lw_str_find_char(rest, '\n');
    if (line >= 0)
        rest = lw_str_part(rest, 0, (size_t)line);
    bool file = lw_str_find(w->more, LW_S("path")) >= 0 && rest.n && rest.p[0] == '.';
    *number = after + (file ? 1 : skip_between(rest));
    size_t n = version_length(term_rest(s, *number), is_whole(w));
    ptrdiff_t colon = lw_str_find_last_char(rest, ':');
    struct lw_str said = lw_str_trim(rest);
    if (n || colon < 0 || said.n < 7 ||
        !lw_str_eq_nocase(lw_str_part(said, 0, 7), LW_S("version")))
        return n;
    /* "TensorFlow version and how it was installed (source or binary): 2.1" */
    *number = after + (size_t)colon + 1;
    *number += skip_between(lw_str_from(rest, (size_t)colon + 1));
    return version_length(term_rest(s, *number), is_whole(w));
}

static int mention(struct term_scan *s, const struct report_word *w, size_t at, size_t n)
{
    for (size_t i = 0; i < s->library_count; i++)
        if (lw_str_eq(s->libraries[i], w->name))
            return 0;
    if (s->library_count < TERM_LIBRARIES)
        s->libraries[s->library_count++] = w->name;
    struct lw_fact f = term_fact(s, LW_FACT_LIBRARY, at, at + n);
    f.name = w->name;
    return report_add(s->r, f);
}

/* "mxnet-cu101", "tensorflow-gpu": behind the name of the build. */
static size_t build_end(const struct term_scan *s, size_t at)
{
    static const char *const builds[] = {"-cu", "-gpu", "-cpu"};
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        size_t end = at + strlen(builds[i]);
        if (!lw_str_has_prefix(term_rest(s, at), lw_str(builds[i])))
            continue;
        while (report_is_digit(term_char(s, end)))
            end++;
        return report_is_word(term_char(s, end)) ? at : end;
    }
    return at;
}

/* "CUDA:" alone on a line begins a group; its "version: 10.1" follows below. */
static void keep_group(struct term_scan *s, const struct report_word *w, size_t after)
{
    if (term_char(s, after) == ':' && term_char(s, after + 1) == '\n')
        s->group = w, s->group_end = after;
}

int term_group_version(struct term_scan *s, size_t at, size_t n, size_t *end)
{
    struct lw_str word = lw_str_part(s->text, at, n);
    if (!s->group || term_char(s, at + n) != ':' || !(s->place & (TERM_PROSE | TERM_OUTPUT)))
        return 0;
    if (!lw_str_eq(word, LW_S("version"))) {
        bool other = s->group_end != at + n && term_char(s, at + n + 1) == '\n' &&
                     !lw_str_eq_nocase(word, LW_S("GPU"));
        s->group = other ? NULL : s->group;
        return 0;
    }
    size_t number = at + n + 1 + skip_between(term_rest(s, at + n + 1));
    size_t length = version_length(term_rest(s, number), is_whole(s->group));
    if (!length)
        return 0;
    *end = number + length;
    return add_version(s, s->group->name, at, number, length);
}

int term_library(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                 size_t *end)
{
    char before = term_before(s, at);
    bool path = lw_str_find(w->more, LW_S("path")) >= 0; /* /usr/lib/libcudnn.so.7 */
    if (report_is_word(before) || (strchr("/\\.@", before) && !path))
        return 0;
    size_t number, length = number_behind(s, w, build_end(s, at + n), &number);
    bool device = number == at + n + 1 && term_before(s, number) == ':' && length < 3;
    if (length && number > at + n && !device) {
        *end = number + length;
        return add_version(s, w->name, at, number, length);
    }
    keep_group(s, w, at + n);
    bool form = lw_str_eq_nocase(lw_str_part(s->text, at + n, 8), LW_S(" version"));
    if (lw_str_find(w->more, LW_S("version")) >= 0 || form || !term_alone(s, at, n))
        return 0;
    *end = at + n;
    return mention(s, w, at, n);
}

/* "python3.7", "tf2.0", "CUDA10": the number is glued to the name. */
static int glued(struct term_scan *s, size_t at, size_t n, size_t *end)
{
    size_t name = n, taken;
    while (name > 0 && report_is_digit(s->text.p[at + name - 1]))
        name--;
    if (name == n || name < 2)
        return 0;
    struct lw_str said = lw_str_part(s->text, at, name);
    const struct report_word *w =
        report_words_at(s->words, said, 0, report_word_bit(REPORT_WORD_LIBRARY), &taken);
    if (!w || taken != name)
        return 0;
    size_t length = version_length(term_rest(s, at + name), is_whole(w));
    if (!length)
        return 0;
    *end = at + name + length;
    return add_version(s, w->name, at, at + name, length);
}

int term_pinned(struct term_scan *s, size_t at, size_t n, size_t *end)
{
    if (!(s->place & (TERM_PROSE | TERM_OUTPUT)) || report_is_word(term_before(s, at)) ||
        strchr("/.-", term_before(s, at)))
        return 0;
    int rc = glued(s, at, n, end);
    if (rc < 0 || *end)
        return rc;
    while (report_is_word(term_char(s, at + n)) || term_char(s, at + n) == '-' ||
           term_char(s, at + n) == '.')
        n++;
    struct lw_str rest = term_rest(s, at + n);
    bool pinned = lw_str_has_prefix(rest, LW_S("=="));
    size_t gap = pinned ? 2 : 0;
    if (is_listed(s) && !pinned && at == s->line_start)
        while (report_is_blank(term_char(s, at + n + gap)))
            gap++;
    size_t length = gap ? version_length(lw_str_from(rest, gap), false) : 0;
    if (!length || !report_is_letter(s->text.p[at]))
        return 0;
    *end = at + n + gap + length;
    return add_version(s, lw_str_part(s->text, at, n), at, at + n + gap, length);
}

/* ---- Systems ----------------------------------------------------------------------------- */

static bool is_name_char(char c)
{
    return report_is_word(c) || c == '.';
}

/* The end of the version of an operating system that ends at `at`: "18.04.3 LTS", "10". */
static size_t os_version(const struct term_scan *s, size_t at)
{
    size_t i = at, end = at;
    for (int words = 0; words < 4; words++) {
        while (report_is_blank(term_char(s, i)) || term_char(s, i) == '-' ||
               term_char(s, i) == ':')
            i++;
        size_t from = i;
        while (is_name_char(term_char(s, i)))
            i++;
        struct lw_str word = lw_str_part(s->text, from, i - from);
        bool filler =
            lw_str_eq_nocase(word, LW_S("version")) || lw_str_eq_nocase(word, LW_S("linux")) ||
            lw_str_eq_nocase(word, LW_S("server")) || lw_str_eq_nocase(word, LW_S("release")) ||
            (words == 0 && word.n > 3 && report_is_upper(word.p[0]) && i < s->text.n &&
             report_is_blank(s->text.p[i]) && report_is_digit(term_char(s, i + 1)));
        bool number = word.n && report_is_digit(word.p[0]);
        bool last = lw_str_eq(word, LW_S("LTS")) || lw_str_eq(word, LW_S("Pro")) ||
                    lw_str_eq(word, LW_S("Home"));
        if (!word.n || (!filler && !number && !last))
            break;
        if (number || (last && end > at))
            end = i;
        if (number && end > at && last)
            break;
    }
    while (end > at && s->text.p[end - 1] == '.')
        end--;
    return end;
}

int term_os(struct term_scan *s, const struct report_word *w, size_t at, size_t n, size_t *end)
{
    char before = term_before(s, at), after = term_char(s, at + n);
    bool part = before == '-' && at > 1 && report_is_word(s->text.p[at - 2]) && after == '-';
    if (report_is_word(before) || strchr("/\\.@", before) || report_is_letter(after) ||
        strchr("/\\@", after) || part)
        return 0;
    *end = os_version(s, at + n);
    struct lw_fact f = term_fact(s, LW_FACT_SYSTEM, at, *end);
    f.name = LW_S("os");
    f.system.family = w->name;
    return report_add(s->r, f);
}

int term_host(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
              size_t *end)
{
    if (!term_alone(s, at, n))
        return 0;
    *end = at + n;
    struct lw_fact f = term_fact(s, LW_FACT_SYSTEM, at, *end);
    f.name = LW_S("host");
    f.system.family = w->name;
    return report_add(s->r, f);
}

/* ---- Hardware ---------------------------------------------------------------------------- */

static bool has_digit(struct lw_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (report_is_digit(s.p[i]))
            return true;
    return false;
}

/* The end of the model name that begins at `at`: words with digits, and those of the table. */
static size_t model_end(const struct term_scan *s, size_t at)
{
    size_t end = at;
    for (int words = 0; words < 6; words++) {
        size_t i = end;
        if (term_char(s, i) == ' ' || term_char(s, i) == '-')
            i++;
        else if (words || !report_is_digit(term_char(s, i)))
            break;
        size_t from = i, n;
        while (report_is_word(term_char(s, i)) && term_char(s, i) != '_')
            i++;
        struct lw_str word = lw_str_part(s->text, from, i - from);
        if (!word.n)
            break;
        const struct report_word *known = report_words_at(
            s->words, s->text, from,
            report_word_bit(REPORT_WORD_MODEL) | report_word_bit(REPORT_WORD_GPU), &n);
        if (known)
            i = from + n;
        else if (!has_digit(word) || word.n > 9)
            break;
        end = i;
    }
    return end;
}

/* "2x", "4 x", "8" before the name at `at`; 1 when there is none. */
static uint32_t count_before(const struct term_scan *s, size_t at)
{
    size_t i = at;
    while (i > 0 &&
           (s->text.p[i - 1] == ' ' || s->text.p[i - 1] == 'x' || s->text.p[i - 1] == '*'))
        i--;
    size_t end = i;
    while (i > 0 && end - i < 3 && report_is_digit(s->text.p[i - 1]))
        i--;
    uint32_t count = 0;
    for (size_t k = i; k < end; k++)
        count = count * 10 + (uint32_t)(s->text.p[k] - '0');
    bool part = i > 0 && (report_is_word(s->text.p[i - 1]) || s->text.p[i - 1] == '.');
    return end > i && end < at && count && count <= 64 && !part ? count : 1;
}

int term_chip(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
              size_t *end)
{
    char before = term_before(s, at);
    if (report_is_word(before) || strchr("/\\.@-", before))
        return 0;
    size_t stop = model_end(s, at + n);
    if (report_is_word(term_char(s, stop)) || !has_digit(lw_str_part(s->text, at, stop - at))) {
        bool letter = stop > at + n && stop - at - n <= 3; /* "Titan X" */
        if (!letter)
            return 0;
    }
    struct lw_fact f = term_fact(s, LW_FACT_HARDWARE, at, stop);
    f.name = w->kind == REPORT_WORD_CPU ? LW_S("cpu") : w->name;
    f.hardware.count = count_before(s, at);
    if (term_follows(s, &s->number, at) && s->value >= 1 && s->value <= 64)
        f.hardware.count = (uint32_t)s->value; /* "two V100" */
    s->chip_end = stop;
    *end = stop;
    return report_add(s->r, f);
}

/* What memory is, behind its size. */
static bool is_memory_word(struct lw_str s)
{
    static const char *const words[] = {"ram",    "memory",    "vram",    "gpu memory",
                                        "of ram", "of memory", "gpu ram", "of vram"};
    s = lw_str_from(s, s.n && s.p[0] == ' ');
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (s.n >= n && lw_str_eq_nocase(lw_str_part(s, 0, n), lw_str(words[i])) &&
            (s.n == n || !report_is_word(s.p[n])))
            return true;
    }
    return false;
}

int term_memory(struct term_scan *s, size_t at, size_t *end)
{
    static const char *const units[] = {"GB", "GiB", "gb", "Gb"};
    double size;
    size_t digits = 0, unit = 0;
    if (!report_is_digit(s->text.p[at]) || !(s->place & (TERM_PROSE | TERM_OUTPUT)))
        return 0;
    while (report_is_digit(term_char(s, at + digits)))
        digits++;
    size_t from = at + digits + (term_char(s, at + digits) == ' ');
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (lw_str_has_prefix(term_rest(s, from), lw_str(units[i])))
            unit = strlen(units[i]);
    bool near = s->chip_end && at >= s->chip_end && at - s->chip_end <= 7;
    if (!unit || report_is_word(term_char(s, from + unit)) ||
        !report_plain_number(lw_str_part(s->text, at, digits), &size) ||
        (!near && !is_memory_word(term_rest(s, from + unit))))
        return 0;
    *end = from + unit;
    struct lw_fact f = term_fact(s, LW_FACT_HARDWARE, at, *end);
    f.name = LW_S("memory");
    f.hardware.count = 1;
    return report_add(s->r, f);
}

/* ---- Devices ----------------------------------------------------------------------------- */

/* ":0" behind a device; its length. */
static size_t device_number(const struct term_scan *s, size_t at, uint32_t *number)
{
    size_t i = at + 1;
    if (term_char(s, at) != ':' || !report_is_digit(term_char(s, i)))
        return 0;
    while (report_is_digit(term_char(s, i)) && i - at < 4)
        *number = *number * 10 + (uint32_t)(s->text.p[i++] - '0');
    return report_is_word(term_char(s, i)) ? 0 : i - at;
}

/* "/job:localhost/replica:0/device:" before the word belongs to it. */
static size_t device_start(const struct term_scan *s, size_t at)
{
    enum { LONGEST = 64 };
    size_t from = at;
    while (at > 0 && from - at < LONGEST &&
           (report_is_word(s->text.p[at - 1]) || s->text.p[at - 1] == '/' ||
            s->text.p[at - 1] == ':'))
        at--;
    return at;
}

int term_device(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                size_t *end)
{
    uint32_t number = 0;
    size_t more = device_number(s, at + n, &number);
    char before = term_before(s, at), after = term_char(s, at + n);
    bool path = more && (before == '/' || before == ':');
    bool call = before == '.' && lw_str_has_prefix(term_rest(s, at + n), LW_S("()")) &&
                s->place & (TERM_CODE | TERM_PROSE);
    bool named = term_follows(s, &s->on, at) && s->place & TERM_PROSE &&
                 lw_str_eq_nocase(lw_str_part(s->text, at + 1, 2), LW_S("pu"));
    if (report_is_word(before) || (report_is_word(after) && !more))
        return 0;
    if (!path && !call && !more && !term_quoted(s, at, n) && !named)
        return 0;
    if (named && (after == '-' || after == '_' || after == '/'))
        return 0;
    size_t start = path ? device_start(s, at) : at;
    *end = at + n + more;
    struct lw_fact f = term_fact(s, LW_FACT_DEVICE, start, *end);
    f.name = w->name;
    f.hardware.count = number;
    return report_add(s->r, f);
}
