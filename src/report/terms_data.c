/*
 * The data and what happened to it: shapes, dtypes, ranges, data sets, error messages.
 */
#include "report/terms.h"

enum {
    SHAPE_WINDOW = 40, /* bytes behind "shape" in which brackets are shapes */
    ROLE_WINDOW = 60,
};

/* Does an exception of the block already say it? The scan and the exceptions go forward. */
static bool is_in_exception(struct term_scan *s, size_t at)
{
    uint32_t place = (uint32_t)(s->text.p - s->r->text.p + (ptrdiff_t)at);
    while (s->exception < s->r->trace_to && s->r->details.v[s->exception].end <= place)
        s->exception++;
    return s->exception < s->r->trace_to && s->r->details.v[s->exception].start <= place;
}

/* ---- Shapes ------------------------------------------------------------------------------ */

/* Does nothing but blanks and a prompt stand before it on its line? */
static bool is_first(const struct term_scan *s, size_t at)
{
    struct lw_str before = lw_str_part(s->text, s->line_start, at - s->line_start);
    return before.n < 40 && (!lw_str_trim(before).n || report_prompt(before) == before.n);
}

/* The role that was named last on the line, not too far before. */
static struct lw_str role_at(const struct term_scan *s, size_t at)
{
    bool near = s->role.end && s->role.start >= s->line_start && at >= s->role.end &&
                at - s->role.end <= ROLE_WINDOW;
    if (s->place == TERM_CODE && near) /* x = randn(…), input_shape=… */
        near = is_first(s, s->role.start) || at - s->role.end <= 10;
    return near ? s->role.word->name : (struct lw_str){0};
}

static int add_shape(struct term_scan *s, size_t at, size_t n, const struct report_shape *shape)
{
    struct lw_fact f = term_fact(s, LW_FACT_SHAPE, at, at + n);
    f.name = role_at(s, at);
    f.shape.rank = shape->rank;
    for (uint32_t i = 0; i < shape->rank && i < LW_SHAPE_MAX; i++)
        f.shape.dims[i] = shape->dims[i];
    if (s->shape_until)
        s->shape_until = at + n + SHAPE_WINDOW;
    return report_add(s->r, f);
}

/* Only a shape is written so, wherever it stands: (None, 10), [32 x 10], 3x224x224. */
static bool is_plain_shape(const struct term_scan *s, size_t at, size_t n,
                           const struct report_shape *shape)
{
    struct lw_str text = lw_str_part(s->text, at, n);
    bool none = lw_str_find(text, LW_S("None")) >= 0 || lw_str_find_char(text, '?') >= 0;
    if (text.p[0] == '(' || text.p[0] == '[')
        return shape->rank >= 2 && ((none && !shape->names) ||
                                    (text.p[0] == '[' && lw_str_find(text, LW_S(" x ")) > 0));
    return shape->rank >= 3 && s->place & TERM_PROSE;
}

int term_bracket(struct term_scan *s, size_t at, size_t *end)
{
    int64_t dims[LW_SHAPE_MAX];
    struct report_shape shape = {.dims = dims, .max = LW_SHAPE_MAX};
    char before = term_before(s, at);
    bool bracket = s->text.p[at] == '(' || s->text.p[at] == '[';
    bool expected = s->shape_until > at;
    if (!bracket && (report_is_word(before) || before == '.' || before == '-'))
        return 0;
    size_t n = report_shape(term_rest(s, at), &shape);
    if (!n || shape.rank > LW_SHAPE_MAX)
        return 0;
    if (shape.rank == 1) /* "shape[0]", "size(1)" */
        expected = expected && !report_is_word(before) && before != ')' &&
                   (s->text.p[at] == '[' || s->text.p[at + n - 2] == ',');
    if (report_is_word(before) && bracket && shape.names)
        return 0; /* a call */
    if (!expected && !is_plain_shape(s, at, n, &shape))
        return 0;
    *end = at + n;
    return add_shape(s, at, n, &shape);
}

/* torch.randn(1, 3), np.zeros((2, 3)): the arguments are sizes. */
static int called_shape(struct term_scan *s, size_t at, size_t *end)
{
    int64_t dims[LW_SHAPE_MAX];
    struct report_shape shape = {.dims = dims, .max = LW_SHAPE_MAX};
    bool nested = term_char(s, at + 1) == '(' || term_char(s, at + 1) == '[';
    size_t from = nested ? at + 1 : at, n = report_shape(term_rest(s, from), &shape);
    if (!n || shape.names || shape.rank > LW_SHAPE_MAX || (shape.open && shape.rank < 2))
        return 0;
    *end = from + n;
    return add_shape(s, from, n, &shape);
}

int term_shaped(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                size_t *end)
{
    static const char *const wraps[] = {"torch", "Size", "TensorShape"};
    char before = term_before(s, at);
    struct lw_str word = lw_str_part(s->text, at, n);
    bool call = lw_str_eq(w->more, LW_S("call"));
    size_t role;
    if (call && term_char(s, at + n) == '(') {
        int rc = called_shape(s, at + n, end);
        if (rc == 0 && !*end)
            s->shape_until = at + n + SHAPE_WINDOW;
        return rc;
    }
    if (call || report_is_letter(term_char(s, at + n)) ||
        (before == '_' && !lw_str_has_prefix(word, LW_S("shape"))))
        return 0;
    const struct report_word *r =
        report_words_at(s->words, s->text, at, report_word_bit(REPORT_WORD_ROLE), &role);
    if (r)
        s->role = (struct term_seen){r, at, at + role};
    s->shape_until = at + n + SHAPE_WINDOW;
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++) {
        int64_t dims[LW_SHAPE_MAX];
        struct report_shape shape = {.dims = dims, .max = LW_SHAPE_MAX};
        size_t length = lw_str_has_prefix(word, lw_str(wraps[i]))
                            ? report_shape(term_rest(s, at), &shape)
                            : 0;
        if (length) {
            *end = at + length;
            return add_shape(s, at, length, &shape);
        }
    }
    return 0;
}

/* ---- Types ------------------------------------------------------------------------------- */

static size_t dotted_start(const struct term_scan *s, size_t at)
{
    enum { LONGEST = 40 };
    size_t from = at;
    while (at > 0 && from - at < LONGEST &&
           (report_is_word(s->text.p[at - 1]) || s->text.p[at - 1] == '.'))
        at--;
    return at;
}

/* Does "dtype=", "torch." or "scalar type" lead to the word at `at`? */
static bool is_typed(const struct term_scan *s, size_t at)
{
    if (!s->typed.end || s->typed.end > at || at - s->typed.end > 5)
        return false;
    for (size_t i = s->typed.end; i < at; i++)
        if (!strchr(" =:.('\"`", s->text.p[i]))
            return false;
    bool bare = lw_str_eq(s->typed.word->words, LW_S("type")) ||
                lw_str_eq(s->typed.word->words, LW_S("types"));
    return !bare || report_is_upper(s->text.p[at]) || term_before(s, at) != ' ' ||
           s->place != TERM_PROSE;
}

int term_dtype(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
               size_t *end)
{
    char before = term_before(s, at), after = term_char(s, at + n);
    bool bare = lw_str_eq(w->more, LW_S("bare"));
    if (before == '_' || report_is_word(after) ||
        (after == '(' && !bare)) /* x.float(), int(x) */
        return 0;
    if (!bare && !is_typed(s, at))
        return 0;
    size_t start = before == '.' ? dotted_start(s, at) : at;
    if (start < at && !report_is_letter(s->text.p[start]))
        start = at;
    *end = at + n;
    struct lw_fact f = term_fact(s, LW_FACT_DTYPE, start, *end);
    f.name = w->name;
    return report_add(s->r, f);
}

/* ---- Data -------------------------------------------------------------------------------- */

int term_dataset(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                 size_t *end)
{
    char before = term_before(s, at), after = term_char(s, at + n);
    bool code = s->place == TERM_CODE;
    if (report_is_word(before) || report_is_letter(after) || strchr("/\\@-", before) ||
        (after == '.' && !code && report_is_letter(term_char(s, at + n + 1))))
        return 0;
    if (code && after != '(' && after != '.' && !term_quoted(s, at, n))
        return 0;
    *end = at + n;
    struct lw_fact f = term_fact(s, LW_FACT_DATA, at, *end);
    f.name = LW_S("dataset");
    f.text = w->name;
    return report_add(s->r, f);
}

int term_range(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
               size_t *end)
{
    double low, high;
    bool loose;
    (void)w;
    if (report_is_word(term_before(s, at)) || term_char(s, at + n) == '(' ||
        is_in_exception(s, at))
        return 0;
    size_t from = term_value_at(s, at + n, TERM_AFTER, &loose);
    size_t length = from ? report_range(term_rest(s, from), &low, &high) : 0;
    if (!length)
        return 0;
    *end = from + length;
    struct lw_fact f = term_fact(s, LW_FACT_DATA, at, *end);
    f.name = LW_S("range");
    f.text = lw_str_part(s->text, from, length);
    f.number.low = low;
    f.number.high = high;
    f.number.has_number = true;
    return report_add(s->r, f);
}

/* ---- Errors ------------------------------------------------------------------------------ */

/* The end of the line, at most so many bytes on. */
static size_t line_end(struct lw_str text, size_t at)
{
    struct lw_str rest = lw_str_part(text, at, 400);
    ptrdiff_t end = lw_str_find_char(rest, '\n');
    return at + (end < 0 ? rest.n : (size_t)end);
}

/* The sentence around [at, at + n), at most so many bytes to each side. */
static struct lw_str sentence(const struct term_scan *s, size_t at, size_t n)
{
    enum { SIDE = 160 };
    size_t start = at, end = at + n;
    while (start > s->line_start && at - start < SIDE &&
           !(s->text.p[start - 1] == ' ' && start > 1 && strchr(".!?", s->text.p[start - 2])))
        start--;
    size_t limit = line_end(s->text, end);
    while (end < limit && end - at < SIDE &&
           !(strchr(".!?", s->text.p[end]) && (end + 1 == limit || s->text.p[end + 1] == ' ')))
        end++;
    return lw_str_trim(lw_str_part(s->text, start, end - start));
}

int term_error(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
               size_t *end)
{
    char before = term_before(s, at), after = term_char(s, at + n);
    bool whole = lw_str_eq(w->more, LW_S("line"));
    if (report_is_word(before) || strchr("/\\.", before) || after == '(' ||
        (report_is_word(after) && after != '_'))
        return 0;
    size_t stop = line_end(s->text, at);
    if (whole &&
        (at != s->line_start || lw_str_trim(lw_str_part(s->text, at, stop - at)).n != n))
        return 0;
    if (lw_str_eq(w->more, LW_S("output")) && s->place != TERM_OUTPUT)
        return 0;
    if (is_in_exception(s, at))
        return 0;
    if (lw_str_eq(w->more, LW_S("prose")) && s->place != TERM_PROSE)
        return 0;
    *end = at + n;
    if (at < s->error_until)
        return 0; /* one a sentence */
    struct lw_str said = sentence(s, at, n);
    struct lw_fact f = report_fact(s->r, LW_FACT_ERROR, s->block, said);
    f.name = w->name;
    s->error_until = (size_t)(said.p + said.n - s->text.p);
    return report_add(s->r, f);
}
