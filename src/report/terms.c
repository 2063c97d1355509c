/*
 * The scan over the words of a block.
 */
#include "report/terms.h"

#include "base/num.h"

/* Which handler looks at a kind of word, and where. */
static const struct {
    term_handler handler;
    unsigned places;
} handlers[REPORT_WORD_KINDS] = {
    [REPORT_WORD_LIBRARY] = {term_library, TERM_PROSE | TERM_OUTPUT},
    [REPORT_WORD_OS] = {term_os, TERM_PROSE | TERM_OUTPUT},
    [REPORT_WORD_HOST] = {term_host, TERM_PROSE | TERM_OUTPUT},
    [REPORT_WORD_GPU] = {term_chip, TERM_PROSE | TERM_OUTPUT},
    [REPORT_WORD_CPU] = {term_chip, TERM_PROSE | TERM_OUTPUT},
    [REPORT_WORD_DEVICE] = {term_device, TERM_PROSE | TERM_OUTPUT | TERM_CODE | TERM_TRACE},
    [REPORT_WORD_DTYPE] = {term_dtype, TERM_PROSE | TERM_OUTPUT | TERM_CODE | TERM_TRACE},
    [REPORT_WORD_DATASET] = {term_dataset, TERM_PROSE | TERM_OUTPUT | TERM_CODE},
    [REPORT_WORD_DATA] = {term_count, TERM_PROSE | TERM_OUTPUT | TERM_CODE},
    [REPORT_WORD_SETTING] = {term_count, TERM_PROSE | TERM_OUTPUT | TERM_CODE},
    [REPORT_WORD_CHOICE] = {term_choice, TERM_PROSE | TERM_OUTPUT | TERM_CODE},
    [REPORT_WORD_OPTIMIZER] = {term_optimizer, TERM_PROSE | TERM_OUTPUT | TERM_CODE},
    [REPORT_WORD_LOSS] = {term_loss, TERM_PROSE | TERM_OUTPUT | TERM_CODE},
    [REPORT_WORD_ACTIVATION] = {term_activation, TERM_PROSE},
    [REPORT_WORD_METRIC] = {term_metric, TERM_PROSE | TERM_OUTPUT},
    [REPORT_WORD_LAYER] = {term_layer, TERM_PROSE | TERM_OUTPUT | TERM_CODE},
    [REPORT_WORD_SHAPED] = {term_shaped, TERM_PROSE | TERM_OUTPUT | TERM_CODE | TERM_TRACE},
    [REPORT_WORD_RANGE] = {term_range, TERM_PROSE | TERM_OUTPUT},
    [REPORT_WORD_ERROR] = {term_error, TERM_PROSE | TERM_OUTPUT},
};

bool term_alone(const struct term_scan *s, size_t at, size_t n)
{
    char before = term_before(s, at), after = term_char(s, at + n),
         next = term_char(s, at + n + 1);
    if (report_is_word(before) || strchr("/\\.@", before) ||
        (before == '-' && at > 1 && report_is_word(s->text.p[at - 2])))
        return false;
    if (report_is_word(after) || strchr("/\\@", after))
        return false;
    return !((after == '.' || after == '-') && report_is_letter(next));
}

bool term_follows(const struct term_scan *s, const struct term_seen *seen, size_t at)
{
    if (!seen->end || seen->end > at || at - seen->end > 3)
        return false;
    for (size_t i = seen->end; i < at; i++)
        if (!report_is_blank(s->text.p[i]) && s->text.p[i] != '-' && s->text.p[i] != '_')
            return false;
    return true;
}

bool term_quoted(const struct term_scan *s, size_t at, size_t n)
{
    char before = term_before(s, at);
    return (before == '\'' || before == '"') && term_char(s, at + n) == before;
}

static size_t skip_between(const struct term_scan *s, size_t i, bool *said)
{
    for (int words = 0; words < 3; words++) {
        size_t n, at = i;
        while (report_is_blank(term_char(s, at)))
            at++;
        if (at >= s->text.n || !report_word_begins(s->text, at) ||
            !report_words_at(s->words, s->text, at, report_word_bit(REPORT_WORD_BETWEEN), &n))
            return i;
        i = at + n;
        *said = true;
    }
    return i;
}

/* Blanks, quotes, marks of Markdown, ':' and '='. */
static size_t skip_signs(const struct term_scan *s, size_t i, bool *equals)
{
    for (size_t end = i + 8; i < end && i < s->text.n; i++) {
        char c = s->text.p[i];
        bool arrow = c == '-' && term_char(s, i + 1) == '>';
        if (c == ':' || c == '=' || arrow)
            *equals = true;
        else if (!report_is_blank(c) && !strchr("'\"`*~|", c))
            break;
        i += arrow;
    }
    return i;
}

size_t term_value_at(const struct term_scan *s, size_t at, enum term_style style, bool *loose)
{
    bool equals = false, said = false;
    if (style == TERM_CALL)
        return term_char(s, at) == '(' ? at + 1 : 0;
    size_t i = skip_signs(s, at, &equals);
    if (style == TERM_EQUALS)
        return equals ? i : 0;
    size_t between = skip_between(s, i, &said);
    if (between != i)
        i = skip_signs(s, between, &equals);
    *loose = !equals && !said;
    return i > at ? i : 0;
}

/* ---- The scan ---------------------------------------------------------------------------- */

/* The longest of the words that begin at one place come first and stay, and no word inside
 * them counts. */
static void keep_longest(struct term_seen *seen, const struct report_word *w, size_t at,
                         size_t n)
{
    if (at >= seen->end)
        *seen = (struct term_seen){w, at, at + n};
}

/* Words that only prepare for others. */
static void remember(struct term_scan *s, const struct report_word *w, size_t at, size_t n)
{
    switch (w->kind) {
    case REPORT_WORD_ROLE: keep_longest(&s->role, w, at, n); break;
    case REPORT_WORD_PART: keep_longest(&s->part, w, at, n); break;
    case REPORT_WORD_PLACE: keep_longest(&s->on, w, at, n); break;
    case REPORT_WORD_TYPED: keep_longest(&s->typed, w, at, n); break;
    case REPORT_WORD_UNSET: keep_longest(&s->unset, w, at, n); break;
    case REPORT_WORD_NUMERAL:
        s->number = (struct term_seen){NULL, at, at + n};
        (void)lw_parse_double(w->name, &s->value);
        break;
    default: break;
    }
}

static size_t word_end(struct lw_str text, size_t at)
{
    while (at < text.n && report_is_word(text.p[at]) && text.p[at] != '_')
        at++;
    return at;
}

/* All that the words at `at` may be, until one is taken. */
static int see_word(struct term_scan *s, size_t at, size_t *end)
{
    uint64_t kinds = ~(uint64_t)0;
    size_t n;
    for (const struct report_word *w = report_words_at(s->words, s->text, at, kinds, &n); w;
         w = report_words_other(w, s->text, at, kinds, &n)) {
        term_handler handler = handlers[w->kind].handler;
        if (!handler) {
            remember(s, w, at, n);
            continue;
        }
        int rc = handlers[w->kind].places & s->place ? handler(s, w, at, n, end) : 0;
        if (rc < 0 || *end)
            return rc;
    }
    size_t name = word_end(s->text, at) - at;
    int rc = term_group_version(s, at, name, end);
    return rc < 0 || *end ? rc : term_pinned(s, at, name, end);
}

static void see_number(struct term_scan *s, size_t at)
{
    double value;
    size_t n = at < s->number.end ? 0 : report_number(term_rest(s, at), &value);
    if (!n)
        return;
    s->value = value;
    s->number = (struct term_seen){NULL, at, at + n};
}

/* "(e.g., Linux)" in a form says what could be, not what is. */
static size_t example_end(const struct term_scan *s, size_t at)
{
    struct lw_str head = lw_str_part(s->text, at, 120);
    if (!lw_str_has_prefix(head, LW_S("(e.g")) && !lw_str_has_prefix(head, LW_S("(eg")))
        return 0;
    ptrdiff_t end = lw_str_find_char(head, ')');
    return end > 0 ? at + (size_t)end + 1 : 0;
}

static int see(struct term_scan *s, size_t at, size_t *end)
{
    char c = s->text.p[at];
    if (c == '(' && (*end = example_end(s, at)) > 0)
        return 0;
    if (c == '\n') {
        s->line_start = at + 1;
        s->role.end = s->part.end = s->number.end = s->shape_until = 0;
        return 0;
    }
    int rc = 0;
    if (c == '(' || c == '[' || report_is_digit(c))
        rc = term_bracket(s, at, end);
    if (rc < 0 || *end || !report_word_begins(s->text, at))
        return rc;
    if (report_is_digit(c) || ((c | 32) == 'n' && !report_is_word(term_char(s, at + 3))))
        see_number(s, at);
    rc = term_memory(s, at, end);
    return rc < 0 || *end ? rc : see_word(s, at, end);
}

static int scan(struct term_scan *s)
{
    for (size_t at = 0; at < s->text.n;) {
        size_t end = 0;
        int rc = see(s, at, &end);
        if (rc < 0)
            return rc;
        at = end > at ? end : report_word_begins(s->text, at) ? word_end(s->text, at) : at + 1;
    }
    return 0;
}

/* Of a traceback only what the exception says: its frames are source text of others. */
static struct lw_str message_of(const struct lw_report *r, uint32_t block)
{
    struct lw_str text = r->blocks.v[block].text;
    for (size_t i = r->trace_to; i-- > r->trace_from;)
        if (r->details.v[i].kind == LW_FACT_EXCEPTION)
            return lw_str_from(text, r->details.v[i].start - r->blocks.v[block].start);
    return (struct lw_str){0};
}

int report_terms(struct lw_report *r, uint32_t block, bool logged)
{
    const struct lw_fact *b = &r->blocks.v[block];
    struct term_scan s = {.r = r,
                          .words = r->words,
                          .block = block,
                          .text = b->text,
                          .logged = logged,
                          .exception = r->trace_from};
    s.place = b->kind == LW_FACT_CODE     ? TERM_CODE
              : b->kind == LW_FACT_OUTPUT ? TERM_OUTPUT
              : b->kind == LW_FACT_TRACE  ? TERM_TRACE
                                          : TERM_PROSE;
    if (b->kind == LW_FACT_TRACE)
        s.text = message_of(r, block);
    return scan(&s);
}
