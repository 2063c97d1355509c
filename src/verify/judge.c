#include "verify/judge.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "catalog/bug.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* ---- Tracebacks ---------------------------------------------------------------------------
 */

/* Splits "pkg.Type: message" where it looks like an exception's last line. */
static bool split_exception(struct lw_str line, struct lw_exception *out)
{
    size_t n = 0;
    while (n < line.n && (is_word(line.p[n]) || line.p[n] == '.'))
        n++;
    if (n == 0 || is_digit(line.p[0]) || line.p[0] == '.')
        return false;
    out->type = lw_str_part(line, 0, n);
    if (n == line.n) {
        out->message = lw_str_from(line, n);
        return true;
    }
    if (line.p[n] != ':' || (n + 1 < line.n && line.p[n + 1] != ' '))
        return false;
    out->message = lw_str_from(line, n + 2);
    return true;
}

/* The text from the last line that reads `header`; empty when there is none. */
static struct lw_str after_last(struct lw_str text, struct lw_str header)
{
    struct lw_str line, found = {0};
    while (lw_str_line(&text, &line))
        if (lw_str_eq(lw_str_trim(line), header))
            found = text;
    return found;
}

/* A message goes on until the next header, or to the end of the text. */
static struct lw_str whole_message(struct lw_str first, struct lw_str rest)
{
    struct lw_str all = {first.p, first.n}, line;
    while (lw_str_line(&rest, &line)) {
        if (lw_str_has_prefix(line, LW_S("Traceback (most recent")))
            break;
        all.n = (size_t)(line.p + line.n - first.p);
    }
    return lw_str_trim(all);
}

bool lw_exception_find(struct lw_str text, struct lw_exception *out)
{
    struct lw_str line, rest = after_last(text, LW_S("Traceback (most recent call last):"));
    bool bare = rest.n == 0; /* a syntax error in the program itself has no header */
    bool found = false;
    if (bare)
        rest = text;
    while (lw_str_line(&rest, &line)) {
        struct lw_exception e;
        if (line.n == 0 || line.p[0] == ' ' || line.p[0] == '\t' || !split_exception(line, &e))
            continue;
        if (bare && !lw_str_has_suffix(e.type, LW_S("Error")))
            continue;
        e.message = whole_message(e.message, rest);
        *out = e;
        found = true;
        if (!bare)
            break;
    }
    return found;
}

/* ---- Masks --------------------------------------------------------------------------------
 */

/* Length of the number at the front: 12, 1.5, 2e-3, 0x7f. */
static size_t number_length(struct lw_str s)
{
    size_t n = 0;
    if (s.n > 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X')) {
        n = 2;
        while (n < s.n && (is_digit(s.p[n]) || (s.p[n] >= 'a' && s.p[n] <= 'f') ||
                           (s.p[n] >= 'A' && s.p[n] <= 'F')))
            n++;
        /* "0x400" may also be the product of a shape: both are masked alike. */
        return n;
    }
    while (n < s.n && is_digit(s.p[n]))
        n++;
    if (n + 1 < s.n && s.p[n] == '.' && is_digit(s.p[n + 1]))
        for (n++; n < s.n && is_digit(s.p[n]);)
            n++;
    size_t e = n;
    if (e < s.n && (s.p[e] == 'e' || s.p[e] == 'E')) {
        e++;
        if (e < s.n && (s.p[e] == '+' || s.p[e] == '-'))
            e++;
        if (e < s.n && is_digit(s.p[e])) {
            while (e < s.n && is_digit(s.p[e]))
                e++;
            n = e;
        }
    }
    return n;
}

/* Length of the path at the front: "/a/b", "./a", "~/a"; 0 when it is none. */
static size_t path_length(struct lw_str s)
{
    size_t n = s.p[0] == '~' || s.p[0] == '.' ? 1 : 0;
    if (n >= s.n || s.p[n] != '/' || n + 1 >= s.n ||
        !(is_word(s.p[n + 1]) || s.p[n + 1] == '.'))
        return 0;
    while (n < s.n && (is_word(s.p[n]) || memchr("/.-+~", s.p[n], 5)))
        n++;
    return n;
}

struct lw_str lw_message_mask(struct lw_arena *arena, struct lw_str text)
{
    struct lw_buf out;
    lw_buf_init(&out, arena->mem, 0);
    bool in_word = false, after_number = false;
    for (size_t i = 0; i < text.n;) {
        struct lw_str rest = lw_str_from(text, i);
        char c = text.p[i];
        size_t n = in_word ? 0 : path_length(rest);
        if (n) {
            lw_buf_addz(&out, "<path>");
        } else if (is_digit(c) && !in_word) {
            n = number_length(rest);
            lw_buf_addz(&out, "#");
            after_number = true;
            i += n;
            continue;
        } else if (after_number && c == 'x' && rest.n > 1 && is_digit(rest.p[1])) {
            /* the cross of a shape such as 32x800 does not begin a name */
            lw_buf_add_char(&out, c);
            i++;
            after_number = false;
            continue;
        } else {
            n = 1;
            lw_buf_add_char(&out, c);
        }
        in_word = n == 1 && is_word(c);
        after_number = false;
        i += n;
    }
    struct lw_str masked =
        out.failed ? (struct lw_str){NULL, 0} : lw_arena_copy(arena, lw_buf_str(&out));
    lw_buf_release(&out);
    return masked;
}

static bool same_type(struct lw_str seen, struct lw_str stated)
{
    if (lw_str_eq(seen, stated))
        return true;
    /* "OutOfMemoryError" states "torch.cuda.OutOfMemoryError" well enough, and the reverse. */
    ptrdiff_t a = lw_str_find_last_char(seen, '.'), b = lw_str_find_last_char(stated, '.');
    if ((a == LW_NPOS) == (b == LW_NPOS))
        return false;
    return lw_str_eq(lw_str_from(seen, (size_t)(a + 1)), lw_str_from(stated, (size_t)(b + 1)));
}

int lw_exception_matches(struct lw_arena *arena, const struct lw_exception *seen,
                         struct lw_str type, struct lw_str stated, bool *matches,
                         struct lw_err *err)
{
    struct lw_str rest_seen = lw_message_mask(arena, seen->message);
    struct lw_str rest_stated = lw_message_mask(arena, stated), a, b;
    if (!rest_seen.p || !rest_stated.p)
        return lw_err_nomem(err);
    *matches = same_type(seen->type, type);
    while (*matches && lw_str_line(&rest_stated, &b)) {
        bool more = lw_str_line(&rest_seen, &a);
        *matches = more && lw_str_eq(lw_str_trim(a), lw_str_trim(b));
    }
    return 0;
}

/* ---- Metrics ------------------------------------------------------------------------------
 */

/* Reads "metric NAME SEED VALUE"; false when the line is none. */
static bool read_metric(struct lw_str line, struct lw_str *name, int64_t *seed, double *value)
{
    struct lw_str word, seed_text, value_text;
    line = lw_str_trim(line);
    return lw_str_split(&line, ' ', &word) && lw_str_eq(word, LW_S("metric")) &&
           lw_str_split(&line, ' ', name) && lw_str_split(&line, ' ', &seed_text) &&
           lw_str_split(&line, ' ', &value_text) && line.n == 0 &&
           lw_parse_i64(seed_text, seed) && lw_parse_double(value_text, value);
}

enum { MAX_SEEDS = 100 };

static struct lw_str print_value(struct lw_arena *arena, struct lw_str metric, int64_t seed,
                                 double value)
{
    char text[LW_DOUBLE_TEXT];
    return lw_arena_printf(arena, "%.*s %s with seed %lld", LW_F(metric),
                           lw_print_rounded(value, text), (long long)seed);
}

/* Are the values of all seeds printed, and in the range of the side? `why` says what is not. */
static int judge_metric(struct lw_arena *arena, const struct lw_bug *bug, enum lw_side side,
                        struct lw_str out, bool *holds, struct lw_str *why)
{
    bool seen[MAX_SEEDS] = {false};
    struct lw_str line, name;
    int64_t seed;
    double value;
    *holds = true;
    while (lw_str_line(&out, &line)) {
        if (!read_metric(line, &name, &seed, &value) || !lw_str_eq(name, bug->metric))
            continue;
        if (seed >= 0 && seed < bug->seeds && seed < MAX_SEEDS)
            seen[seed] = true;
        bool inside = lw_range_holds(&bug->range[side], value);
        if (why->n == 0 || (*holds && !inside))
            *why = print_value(arena, bug->metric, seed, value);
        *holds = *holds && inside;
        if (!why->p)
            return LW_ENOMEM;
    }
    for (int64_t i = 0; i < bug->seeds && i < MAX_SEEDS; i++)
        if (!seen[i] && *holds) {
            *holds = false;
            *why = lw_arena_printf(arena, "%.*s was not printed for seed %lld",
                                   LW_F(bug->metric), (long long)i);
        }
    return why->p ? 0 : LW_ENOMEM;
}

/* ---- A side -------------------------------------------------------------------------------
 */

static struct lw_str last_line(struct lw_str text)
{
    struct lw_str line, last = {"", 0};
    while (lw_str_line(&text, &line))
        if (lw_str_trim(line).n)
            last = lw_str_trim(line);
    return last;
}

/* How the program ended, in one line, when there is no better reason. */
static struct lw_str describe_end(struct lw_arena *arena, const struct lw_bug *bug,
                                  const struct lw_run *run)
{
    switch (run->end) {
    case LW_RUN_TIME_LIMIT:
        return lw_arena_printf(arena, "did not end within %lld s", (long long)bug->seconds);
    case LW_RUN_MEMORY_LIMIT:
        return lw_arena_printf(arena, "needed more than %lld MB of memory",
                               (long long)bug->memory_mb);
    case LW_RUN_EXITED: {
        struct lw_str line = last_line(run->out);
        if (line.n == 0)
            line = last_line(run->err);
        return line.n ? lw_arena_copy(arena, line)
                      : lw_arena_printf(arena, "ended with exit code %d", run->exit);
    }
    case LW_RUN_CUT_SHORT:
        return lw_arena_copy(arena,
                             LW_S("the program ended its test before the test was done"));
    case LW_RUN_SIGNALED: return lw_arena_printf(arena, "was ended by signal %d", run->signal);
    default: return lw_arena_printf(arena, "was stopped: %s", lw_run_end_name(run->end));
    }
}

static bool was_skipped(const struct lw_run *run)
{
    struct lw_str out = last_line(run->out), err = last_line(run->err);
    return lw_str_has_prefix(out, LW_S("SKIP")) || lw_str_has_prefix(err, LW_S("SKIP")) ||
           lw_str_find(err, LW_S("(skipped=")) != LW_NPOS;
}

/* "Type: first line of the message". */
static struct lw_str describe_exception(struct lw_arena *arena, const struct lw_exception *e)
{
    struct lw_str line, message = e->message;
    if (!lw_str_line(&message, &line))
        line = LW_S("");
    return lw_arena_printf(arena, "%.*s%s%.*s", LW_F(e->type), line.n ? ": " : "", LW_F(line));
}

static int judge_explicit(struct lw_side_result *r, struct lw_arena *arena,
                          const struct lw_bug *bug, enum lw_side side, const struct lw_run *run,
                          struct lw_err *err)
{
    struct lw_exception e;
    bool ended = run->end == LW_RUN_EXITED, failed = !ended || run->exit != 0, matches = false;
    if (failed && ended && lw_exception_find(run->err, &e)) {
        r->failure = describe_exception(arena, &e);
        if (lw_exception_matches(arena, &e, bug->exception, bug->message, &matches, err) < 0)
            return err->code;
    } else if (failed) {
        r->failure = describe_end(arena, bug, run);
    } else if (was_skipped(run)) {
        r->failure = lw_arena_copy(arena, LW_S("the test was skipped"));
        failed = true;
    }
    r->as_stated = side == LW_BUGGY ? matches : !failed;
    return r->failure.p ? 0 : lw_err_nomem(err);
}

static int judge_silent(struct lw_side_result *r, struct lw_arena *arena,
                        const struct lw_bug *bug, enum lw_side side, const struct lw_run *run,
                        struct lw_err *err)
{
    bool holds = false, failed = run->end != LW_RUN_EXITED || run->exit != 0;
    struct lw_str why = {"", 0};
    struct lw_exception e;
    if (judge_metric(arena, bug, side, run->out, &holds, &why) < 0)
        return lw_err_nomem(err);
    if (run->out_cut) {
        holds = false; /* what was left out may be a value in another range */
        why = lw_arena_copy(arena, LW_S("printed more than can be looked at for values"));
    }
    if (run->end != LW_RUN_EXITED || (failed && lw_exception_find(run->err, &e))) {
        holds = false; /* it crashed or was stopped: not the silent failure that is stated */
        why = run->end == LW_RUN_EXITED ? describe_exception(arena, &e)
                                        : describe_end(arena, bug, run);
    }
    r->as_stated = holds && failed == (side == LW_BUGGY);
    if (failed || !r->as_stated)
        r->failure = why;
    return r->failure.p ? 0 : lw_err_nomem(err);
}

int lw_judge(struct lw_side_result *result, struct lw_arena *arena, const struct lw_bug *bug,
             enum lw_side side, const struct lw_run *run, struct lw_err *err)
{
    *result = (struct lw_side_result){.ran = run->end != LW_RUN_NOT_STARTED,
                                      .exit = run->exit,
                                      .seconds = run->seconds,
                                      .failure = {"", 0}};
    if (bug->expect == LW_EXPECT_EXPLICIT)
        return judge_explicit(result, arena, bug, side, run, err);
    return judge_silent(result, arena, bug, side, run, err);
}
