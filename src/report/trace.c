/*
 * Tracebacks: which lines belong to one, and what they say.
 *
 * A traceback is recognised by its frames, whether or not a "Traceback" line introduces it:
 * reports quote parts of them. Each line is looked at once; what a line can be depends on how
 * far back the last frame is.
 */
#include "report/trace.h"

static struct lw_str skip_blanks(struct lw_str s)
{
    size_t i = 0;
    while (i < s.n && report_is_blank(s.p[i]))
        i++;
    return lw_str_from(s, i);
}

static bool take(struct lw_str *s, const char *what)
{
    struct lw_str w = lw_str(what);
    if (!lw_str_has_prefix(*s, w))
        return false;
    *s = lw_str_from(*s, w.n);
    return true;
}

static bool take_number(struct lw_str *s, uint32_t *number)
{
    size_t i = 0;
    uint64_t v = 0;
    while (i < s->n && report_is_digit(s->p[i]) && v < 100000000)
        v = v * 10 + (uint64_t)(s->p[i++] - '0');
    if (i == 0)
        return false;
    *number = (uint32_t)v;
    *s = lw_str_from(*s, i);
    return true;
}

/* An identifier, or something in angle brackets: <module>, <lambda>, <listcomp>. */
static struct lw_str take_function(struct lw_str *s)
{
    size_t i = 0;
    if (s->n && s->p[0] == '<') {
        ptrdiff_t end = lw_str_find_char(*s, '>');
        i = end < 0 ? 0 : (size_t)end + 1;
    } else {
        while (i < s->n && (report_is_word(s->p[i]) || s->p[i] == '.'))
            i++;
    }
    struct lw_str name = lw_str_part(*s, 0, i);
    *s = lw_str_from(*s, i);
    return name;
}

/* File "x.py", line 3, in f    and IPython 8's    File x.py:3, in f(args) */
static bool python_frame(struct lw_str s, struct frame_line *f)
{
    ptrdiff_t at = lw_str_find(s, LW_S("File "));
    if (at < 0 || at > 60 || (at > 0 && report_is_word(s.p[at - 1])))
        return false;
    s = lw_str_from(s, (size_t)at + 5);
    f->style = LW_TRACE_PYTHON;
    if (take(&s, "\"")) {
        ptrdiff_t end = lw_str_find_char(s, '"');
        if (end < 1)
            return false;
        f->path = lw_str_part(s, 0, (size_t)end);
        s = lw_str_from(s, (size_t)end + 1);
        if (!take(&s, ", line ") || !take_number(&s, &f->line))
            return false;
    } else {
        ptrdiff_t end = lw_str_find(s, LW_S(".py:"));
        if (end < 1 || lw_str_find_char(lw_str_part(s, 0, (size_t)end), ' ') >= 0)
            return false;
        f->path = lw_str_part(s, 0, (size_t)end + 3);
        s = lw_str_from(s, (size_t)end + 4);
        f->style = LW_TRACE_IPYTHON;
        if (!take_number(&s, &f->line))
            return false;
    }
    if (take(&s, ", in "))
        f->function = take_function(&s);
    return true;
}

static bool is_path_char(char c)
{
    return report_is_word(c) || c == '/' || c == '.' || c == '-' || c == '~' || c == '\\' ||
           c == '+' || c == ':';
}

/* A path that ends in .py (or <ipython-input-…>) at the start of `s`. */
static bool take_path(struct lw_str *s, struct lw_str *path)
{
    size_t i = 0;
    if (lw_str_has_prefix(*s, LW_S("<ipython-input"))) {
        ptrdiff_t end = lw_str_find_char(*s, '>');
        i = end < 0 ? 0 : (size_t)end + 1;
    } else {
        while (i + 3 <= s->n && is_path_char(s->p[i]) &&
               !(s->p[i] == '.' && lw_str_has_prefix(lw_str_from(*s, i), LW_S(".py")) &&
                 (i + 3 == s->n || !report_is_word(s->p[i + 3]))))
            i++;
        i = i > 0 && i + 3 <= s->n && s->p[i] == '.' ? i + 3 : 0;
    }
    *path = lw_str_part(*s, 0, i);
    *s = lw_str_from(*s, i);
    return i > 0;
}

/* x.py in f(args)      x.py:3: in f      x.py:3: TypeError      x.py:3 f  * */
static bool other_frame(struct lw_str s, struct frame_line *f)
{
    s = skip_blanks(s);
    if (!take_path(&s, &f->path))
        return false;
    if (take(&s, " in ")) {
        f->style = LW_TRACE_IPYTHON;
        f->function = take_function(&s);
        return f->function.n > 0 && (s.n == 0 || s.p[0] == '(');
    }
    if (!take(&s, ":") || !take_number(&s, &f->line))
        return false;
    if (take(&s, ": in ")) {
        f->style = LW_TRACE_PYTEST;
        f->function = take_function(&s);
        return f->function.n > 0;
    }
    if (take(&s, ":")) {
        f->style = LW_TRACE_PYTEST;
        s = lw_str_trim(s);
        return s.n == 0 || report_exception_type(s) == s.n;
    }
    if (!take(&s, " "))
        return false;
    f->style = LW_TRACE_AUTOGRAPH;
    f->function = take_function(&s);
    s = lw_str_trim(s);
    return f->function.n > 0 &&
           (s.n == 0 || lw_str_eq(s, LW_S("*")) || lw_str_eq(s, LW_S("**")));
}

static bool parse_frame(struct lw_str s, struct frame_line *f)
{
    *f = (struct frame_line){0};
    if (python_frame(s, f))
        return true;
    *f = (struct frame_line){0};
    if (other_frame(s, f))
        return true;
    *f = (struct frame_line){0};
    return report_native_frame(s, f);
}

static const char *const exception_ends[] = {"Error",     "Exception", "Warning", "Interrupt",
                                             "Exit",      "NotFound",  "Stop",    "Iteration",
                                             "Exhausted", "Aborted",   "Timeout"};

static bool ends_like_exception(struct lw_str name)
{
    for (size_t i = 0; i < sizeof exception_ends / sizeof *exception_ends; i++)
        if (lw_str_has_suffix(name, lw_str(exception_ends[i])))
            return true;
    return false;
}

/* "Error", "Exception": an ordinary word when no message follows. */
static bool is_ending(struct lw_str name)
{
    for (size_t i = 0; i < sizeof exception_ends / sizeof *exception_ends; i++)
        if (lw_str_eq(name, lw_str(exception_ends[i])))
            return true;
    return false;
}

size_t report_exception_type(struct lw_str s)
{
    size_t i = 0, last = 0;
    while (i < s.n && (report_is_word(s.p[i]) || (s.p[i] == '.' && i > last))) {
        if (s.p[i] == '.')
            last = i + 1;
        i++;
    }
    struct lw_str name = lw_str_part(s, last, i - last);
    if (!name.n || !report_is_upper(name.p[0]) || !ends_like_exception(name))
        return 0;
    return i;
}

/* "E   ValueError: x" or "ValueError: x"; `*type` and `*message` inside the line. */
static bool exception_line(struct lw_str line, bool after_frames, struct lw_str *type,
                           struct lw_str *message)
{
    struct lw_str s = skip_blanks(lw_str_from(line, report_lead(line)));
    if (lw_str_has_prefix(s, LW_S("E  ")))
        s = skip_blanks(lw_str_from(s, 1));
    size_t n = report_exception_type(s);
    if (!n && after_frames) { /* a class of any name: "hydra.errors.Broken: no" */
        while (n < s.n && (report_is_word(s.p[n]) || s.p[n] == '.'))
            n++;
        if (n < 3 || report_is_digit(s.p[0]) ||
            !lw_str_has_prefix(lw_str_from(s, n), LW_S(": ")))
            n = 0;
    }
    if (!n || (n < s.n && s.p[n] != ':' && !report_is_blank(s.p[n])))
        return false;
    *type = lw_str_part(s, 0, n);
    *message = lw_str_from(s, n);
    if (!take(message, ":") && lw_str_trim(*message).n)
        return false; /* "RuntimeError when I call it" */
    *message = lw_str_trim(*message);
    return true;
}

/* ---- Which lines ------------------------------------------------------------------------- */

struct trace_state {
    size_t last_frame; /* line number + 1, 0 = none */
    size_t last_line;  /* of the traceback, number + 1 */
    size_t introduced; /* line with "Traceback" or "Caused by op", number + 1 */
    bool ended;        /* the exception has been seen */
    bool layered;      /* Keras tells below it which layer was called and with what */
    bool tensorflow;
    bool chained;
    enum lw_trace_style style;
    size_t begin; /* first line of the current one */
};

static bool is_chain_line(struct lw_str s)
{
    return lw_str_find(s, LW_S("During handling of the above exception")) >= 0 ||
           lw_str_find(s, LW_S("The above exception was the direct cause")) >= 0;
}

static bool is_intro_line(struct lw_str s, bool *tensorflow)
{
    bool op = lw_str_find(s, LW_S("Caused by op ")) >= 0 ||
              lw_str_find(s, LW_S("Original stack trace for ")) >= 0 ||
              (lw_str_find(s, LW_S("defined at (most recent call last)")) >= 0);
    *tensorflow = op;
    return op || lw_str_find(s, LW_S("Traceback (most recent call last)")) >= 0 ||
           lw_str_find(s, LW_S("Traceback (innermost last)")) >= 0 ||
           lw_str_eq(lw_str_trim(s), LW_S("in user code:"));
}

/* How many lines of source may stand between two frames. */
static size_t gap_of(enum lw_trace_style style)
{
    if (style == LW_TRACE_NATIVE)
        return 1;
    return style == LW_TRACE_IPYTHON || style == LW_TRACE_PYTEST ? 40 : 4;
}

static void mark(report_lines *lines, size_t i, struct trace_state *t)
{
    for (size_t k = t->last_line ? t->last_line : i; k < i; k++)
        if (lines->v[k].kind != REPORT_LINE_FENCE && lines->v[k].kind != REPORT_LINE_BLANK)
            lines->v[k].kind = REPORT_LINE_TRACE, lines->v[k].style = (uint8_t)t->style;
    lines->v[i].kind = REPORT_LINE_TRACE;
    lines->v[i].style = (uint8_t)t->style;
    t->last_line = i + 1;
}

static void begin(report_lines *lines, size_t i, struct trace_state *t)
{
    t->last_line = 0;
    t->last_frame = 0;
    t->ended = t->layered = false;
    t->begin = i;
    lines->v[i].starts = true;
    lines->v[i].chained = t->chained;
    t->chained = false;
}

static void see_frame(report_lines *lines, size_t i, const struct frame_line *f,
                      struct trace_state *t)
{
    bool same_fence = t->last_line && lines->v[i].fence == lines->v[t->last_line - 1].fence;
    bool near = t->last_line && i + 1 - t->last_line <= gap_of(f->style) && same_fence;
    if (t->ended || !near)
        begin(lines, i, t);
    t->style = t->tensorflow && f->style == LW_TRACE_PYTHON ? LW_TRACE_TENSORFLOW : f->style;
    mark(lines, i, t);
    t->last_frame = i + 1;
}

/* Lines behind the exception that go on with its message: indented, or TensorFlow's [[…]]. */
static bool continues_message(const struct lw_report *r, const struct report_line *l)
{
    struct lw_str s = report_line_text(r, l);
    struct lw_str bare = skip_blanks(s);
    return bare.n > 0 &&
           (bare.n < s.n || lw_str_has_prefix(bare, LW_S("[[")) ||
            lw_str_has_prefix(bare, LW_S("(0) ")) || lw_str_has_prefix(bare, LW_S("(1) ")));
}

static void see_line(struct lw_report *r, report_lines *lines, size_t i, struct trace_state *t)
{
    struct report_line *l = &lines->v[i];
    struct lw_str s = report_line_text(r, l), type, message;
    struct frame_line f;
    bool tensorflow;
    if (parse_frame(s, &f)) {
        see_frame(lines, i, &f, t);
    } else if (is_intro_line(s, &tensorflow)) {
        begin(lines, i, t);
        t->tensorflow = tensorflow;
        t->style = tensorflow ? LW_TRACE_TENSORFLOW : LW_TRACE_PYTHON;
        mark(lines, i, t);
        t->introduced = i + 1;
    } else if (is_chain_line(s)) {
        if (t->last_line)
            mark(lines, i, t);
        t->chained = true;
        t->ended = true;
    } else if (t->last_frame && !t->ended && i + 1 - t->last_line <= gap_of(t->style) + 8 &&
               exception_line(s, i + 1 - t->last_line <= 3, &type, &message)) {
        mark(lines, i, t);
        t->ended = true;
        t->tensorflow = false;
        t->layered = lw_str_find(message, LW_S("encountered when calling")) >= 0;
    } else if (t->last_frame && !t->ended && i == t->last_frame &&
               t->style != LW_TRACE_NATIVE) {
        mark(lines, i, t); /* the source line of the frame */
    } else if (t->ended && !t->chained && t->last_line == i && continues_message(r, l)) {
        mark(lines, i, t);
    } else if (t->layered && i + 1 - t->last_line <= 4) {
        mark(lines, i, t);
        t->layered = lw_str_find(s, LW_S("Call arguments received")) < 0;
    }
}

void report_find_traces(struct lw_report *r, report_lines *lines)
{
    struct trace_state t = {0};
    for (size_t i = 0; i < lines->n; i++) {
        uint8_t kind = lines->v[i].kind;
        if (kind != REPORT_LINE_BLANK && kind != REPORT_LINE_FENCE &&
            kind != REPORT_LINE_HEADING)
            see_line(r, lines, i, &t);
    }
}

/* ---- What they say ----------------------------------------------------------------------- */

static int add_frame(struct lw_report *r, uint32_t block, struct lw_str line,
                     const struct frame_line *f)
{
    struct lw_fact fact = report_fact(r, LW_FACT_FRAME, block, line);
    fact.text = f->path;
    fact.frame.line = f->line;
    fact.frame.function = f->function;
    return report_add(r, fact);
}

/* "---> 12     code" of IPython, or the line itself. */
static struct lw_str source_line(struct lw_str line)
{
    struct lw_str s = lw_str_trim(lw_str_from(line, report_lead(line)));
    size_t i = 0;
    while (i < s.n && s.p[i] == '-')
        i++;
    if (i > 1 && i < s.n && s.p[i] == '>') {
        s = skip_blanks(lw_str_from(s, i + 1));
        uint32_t number;
        (void)take_number(&s, &number);
        s = lw_str_trim(s);
    }
    return s;
}

static int add_exception(struct lw_report *r, uint32_t block, struct lw_str type,
                         struct lw_str message)
{
    struct lw_str whole = {type.p,
                           message.n ? (size_t)(message.p + message.n - type.p) : type.n};
    struct lw_fact fact = report_fact(r, LW_FACT_EXCEPTION, block, whole);
    ptrdiff_t dot = lw_str_find_last_char(type, '.');
    fact.text = lw_str_from(type, (size_t)(dot + 1));
    fact.exception.type = type;
    fact.exception.message = message;
    return report_add(r, fact);
}

/* Prose and output: "I get ValueError: bad shape" within a line. */
static int inline_exceptions(struct lw_report *r, uint32_t block, struct lw_str line)
{
    for (size_t i = 0; i < line.n; i++) {
        if (!report_is_letter(line.p[i]) ||
            (i && (report_is_word(line.p[i - 1]) || line.p[i - 1] == '.')))
            continue;
        struct lw_str s = lw_str_from(line, i);
        size_t n = report_exception_type(s);
        if (!n)
            continue;
        struct lw_str message = lw_str_from(s, n);
        (void)take(&message, " (see above for traceback)"); /* TensorFlow */
        bool said = take(&message, ":");
        if (!said)
            message = lw_str_from(s, s.n);
        if (!said && is_ending(lw_str_part(s, 0, n))) {
            i += n; /* "Error message" */
            continue;
        }
        ptrdiff_t quote = lw_str_find_char(message, '`');
        if (quote >= 0)
            message = lw_str_part(message, 0, (size_t)quote);
        message = lw_str_trim(message);
        int rc = add_exception(r, block, lw_str_part(s, 0, n), message);
        if (rc < 0)
            return rc;
        if (message.n)
            return 0;
        i += n;
    }
    return 0;
}

static int block_trace(struct lw_report *r, uint32_t block, struct lw_str rest)
{
    struct lw_str line;
    struct lw_fact *frame = NULL;
    bool after_frames = false;
    while (lw_str_line(&rest, &line)) {
        struct frame_line f;
        struct lw_str type, message;
        int rc = 0;
        if (parse_frame(line, &f)) {
            rc = add_frame(r, block, line, &f);
            r->blocks.v[block].trace.frames += rc == 0;
            frame = rc == 0 ? &r->details.v[r->details.n - 1] : NULL;
            after_frames = true;
        } else if (exception_line(line, after_frames, &type, &message)) {
            rc = add_exception(r, block, type, message);
            frame = NULL;
            after_frames = false;
        } else if (frame &&
                   (frame->frame.code.n == 0 || lw_str_find(line, LW_S("--> ")) >= 0)) {
            frame->frame.code = source_line(line);
        }
        if (rc < 0)
            return rc;
    }
    return 0;
}

int report_trace_details(struct lw_report *r, uint32_t block)
{
    const struct lw_fact *b = &r->blocks.v[block];
    struct lw_str rest = lw_str_n(r->text.p + b->start, b->end - b->start), line;
    if (b->kind == LW_FACT_TRACE)
        return block_trace(r, block, rest);
    if (b->kind == LW_FACT_CODE)
        return 0;
    while (lw_str_line(&rest, &line)) {
        int rc = inline_exceptions(r, block, line);
        if (rc < 0)
            return rc;
    }
    return 0;
}
