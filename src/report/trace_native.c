/*
 * Frames of native code, and what launchers put before the lines of each process.
 */
#include "report/trace.h"

static bool is_hex(char c)
{
    return report_is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* "0x00007f12": its length. */
static size_t address(struct lw_str s)
{
    if (!lw_str_has_prefix(s, LW_S("0x")))
        return 0;
    size_t n = 2;
    while (n < s.n && is_hex(s.p[n]))
        n++;
    return n > 3 ? n : 0;
}

/* A function up to where its arguments, its offset or its place begin. */
static struct lw_str function_of(struct lw_str s)
{
    size_t n = 0;
    while (n < s.n && s.p[n] != '(' && !lw_str_has_prefix(lw_str_from(s, n), LW_S(" + ")) &&
           !lw_str_has_prefix(lw_str_from(s, n), LW_S(" at ")) &&
           !lw_str_has_prefix(lw_str_from(s, n), LW_S(" from ")))
        n++;
    return lw_str_trim(lw_str_part(s, 0, n));
}

static struct lw_str word_behind(struct lw_str s, struct lw_str lead)
{
    ptrdiff_t at = lw_str_find(s, lead);
    if (at < 0)
        return (struct lw_str){0};
    struct lw_str rest = lw_str_from(s, (size_t)at + lead.n);
    size_t n = 0;
    while (n < rest.n && !report_is_blank(rest.p[n]) && rest.p[n] != ')')
        n++;
    return lw_str_part(rest, 0, n);
}

/* "a.cc:12": the number is cut off and read. */
static void cut_line(struct frame_line *f)
{
    ptrdiff_t colon = lw_str_find_last_char(f->path, ':');
    size_t n = colon > 0 ? report_digits(f->path, (size_t)colon + 1) : 0;
    if (!n || n > 7 || (size_t)colon + 1 + n != f->path.n)
        return;
    for (size_t i = (size_t)colon + 1; i < f->path.n; i++)
        f->line = f->line * 10 + (uint32_t)(f->path.p[i] - '0');
    f->path = lw_str_part(f->path, 0, (size_t)colon);
}

/* What follows the number of a frame: an address, the function, where it is. */
static bool read_frame(struct lw_str s, struct frame_line *f)
{
    size_t n = address(s);
    struct lw_str rest = lw_str_from(s, report_skip_blanks(s, n));
    if (n && lw_str_has_prefix(rest, LW_S("in ")))
        rest = lw_str_from(rest, 3);
    f->style = LW_TRACE_NATIVE;
    f->function = function_of(rest);
    f->path = word_behind(rest, LW_S(" at "));
    cut_line(f);
    if (!f->path.n)
        f->path = word_behind(rest, LW_S(" from "));
    if (!f->path.n)
        f->path = word_behind(rest, LW_S(" in "));
    if (!f->path.n)
        f->path = f->function;
    return f->function.n > 0 && f->function.n < 400;
}

/* "#3  0x… in f () from lib.so", "frame #3: f + 0x10 (0x… in lib.so)", "@  0x… f()" */
bool report_native_frame(struct lw_str line, struct frame_line *f)
{
    struct lw_str s = lw_str_from(line, report_lead(line));
    s = lw_str_from(s, report_skip_blanks(s, 0));
    if (lw_str_has_prefix(s, LW_S("@"))) {
        s = lw_str_from(s, report_skip_blanks(s, 1));
        return address(s) && read_frame(s, f);
    }
    bool named = lw_str_has_prefix(s, LW_S("frame #"));
    if (!named && !lw_str_has_prefix(s, LW_S("#")))
        return false;
    s = lw_str_from(s, named ? 7 : 1);
    size_t n = report_digits(s, 0);
    if (!n || n > 3)
        return false;
    s = lw_str_from(s, n);
    if (named)
        return lw_str_has_prefix(s, LW_S(": ")) && read_frame(lw_str_from(s, 2), f);
    s = lw_str_from(s, report_skip_blanks(s, 0));
    return (address(s) || lw_str_find(s, LW_S(" at ")) > 0) && lw_str_find_char(s, '(') > 0 &&
           read_frame(s, f);
}

/* A bracket with a process number in it: "[rank0]", "[1,0]<stderr>", "(pid=12, ip=10.0.0.1)".
 */
static size_t bracket(struct lw_str s)
{
    enum { LONGEST = 48 };
    char close = s.n && s.p[0] == '[' ? ']' : s.n && s.p[0] == '(' ? ')' : 0;
    struct lw_str head = lw_str_part(s, 0, LONGEST);
    ptrdiff_t end = close ? lw_str_find_char(head, close) : -1;
    if (end < 2)
        return 0;
    struct lw_str inside = lw_str_part(head, 1, (size_t)end - 1);
    bool numbers = true;
    for (size_t i = 0; i < inside.n; i++)
        numbers &= report_is_digit(inside.p[i]) || inside.p[i] == ',';
    bool process =
        lw_str_find(inside, LW_S("pid=")) >= 0 || lw_str_has_prefix(inside, LW_S("rank")) ||
        lw_str_has_prefix(inside, LW_S("Rank")) || lw_str_has_prefix(inside, LW_S("default")) ||
        lw_str_has_prefix(inside, LW_S("worker"));
    return (numbers && close == ']') || process ? (size_t)end + 1 : 0;
}

size_t report_lead(struct lw_str line)
{
    static const char *const streams[] = {"<stderr>", "<stdout>"};
    size_t n = bracket(line);
    if (!n) {
        n = report_digits(line, 0); /* srun -l: "0: text" */
        return n && n < 5 && lw_str_has_prefix(lw_str_from(line, n), LW_S(": ")) ? n + 2 : 0;
    }
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (lw_str_has_prefix(lw_str_from(line, n), lw_str(streams[i])))
            n += strlen(streams[i]);
    if (n < line.n && line.p[n] == ':')
        n++;
    return n < line.n && report_is_blank(line.p[n]) ? n + 1 : n;
}
