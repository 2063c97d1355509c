/*
 * The program and its training: settings, choices, metrics, layers.
 */
#include "report/terms.h"

#include "base/num.h"

/* ---- Counts: settings and sizes of the data ---------------------------------------------- */

static int add_number(struct term_scan *s, const struct report_word *w, size_t start,
                      size_t end, struct lw_str value, double number)
{
    struct lw_fact f =
        term_fact(s, w->kind == REPORT_WORD_DATA ? LW_FACT_DATA : LW_FACT_SETTING, start, end);
    f.name = w->name;
    f.text = value;
    f.number.low = f.number.high = number;
    f.number.has_number = true;
    return report_add(s->r, f);
}

/* "10 classes", "for 100 epochs"; not "after 3 epochs". */
static int count_before(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                        size_t *end)
{
    struct term_seen number = s->number;
    if (!number.end || !term_follows(s, &number, at) || s->value < 1 ||
        s->value != (double)(int64_t)s->value || report_is_word(term_char(s, at + n)) ||
        s->place == TERM_CODE)
        return 0;
    char before = term_before(s, number.start);
    if (term_follows(s, &s->unset, number.start) || strchr("-./#([:", before) ||
        report_is_word(before))
        return 0;
    *end = at + n;
    struct lw_str value = lw_str_part(s->text, number.start, number.end - number.start);
    return add_number(s, w, number.start, *end, value, s->value);
}

/* The number is all of the value: no calculation, no list, no version goes on. */
static bool is_whole_value(const struct term_scan *s, size_t end)
{
    while (report_is_blank(term_char(s, end)))
        end++;
    char c = term_char(s, end), next = term_char(s, end + 1);
    if (c == '*' && next == '*')
        return true; /* bold text ends */
    return !strchr("*/%+^", c) && !(c == '-' && s->place == TERM_CODE && next != '-');
}

static int count_after(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                       enum term_style style, size_t *end)
{
    bool loose = false;
    double value;
    size_t from = term_value_at(s, at + n, style, &loose);
    if (!from || (loose && s->place == TERM_CODE))
        return 0;
    size_t length = report_plain_number(term_rest(s, from), &value);
    if (!length || !is_whole_value(s, from + length) || value < 0)
        return 0;
    *end = from + length;
    return add_number(s, w, at, *end, lw_str_part(s->text, from, length), value);
}

int term_count(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
               size_t *end)
{
    char before = term_before(s, at);
    bool both = lw_str_eq(w->more, LW_S("both"));
    bool part = before == '_' && lw_str_find_char(w->words, ' ') < 0 &&
                !lw_str_eq(w->words, LW_S("lr")); /* every_k_epochs, actor_lr */
    if ((report_is_letter(before) && before != '_') || part)
        return 0;
    if (report_is_letter(term_char(s, at + n)))
        return 0;
    if (both || lw_str_eq(w->more, LW_S("before"))) {
        int rc = count_before(s, w, at, n, end);
        if (rc < 0 || *end || !both)
            return rc;
    }
    bool option = before == '-' && at > 1 && s->text.p[at - 2] == '-'; /* --epochs 3 */
    enum term_style style = lw_str_eq(w->more, LW_S("call"))     ? TERM_CALL
                            : lw_str_eq(w->more, LW_S("equals")) ? TERM_EQUALS
                            : both && !option                    ? TERM_EQUALS
                                                                 : TERM_AFTER;
    return count_after(s, w, at, n, style, end);
}

/* ---- Choices: optimizer, loss, activation ------------------------------------------------ */

static int add_choice(struct term_scan *s, struct lw_str name, size_t start, size_t end,
                      struct lw_str value)
{
    struct lw_fact f = term_fact(s, LW_FACT_SETTING, start, end);
    f.name = name;
    f.text = value;
    return report_add(s->r, f);
}

static enum report_word_kind choice_kind(struct lw_str more)
{
    return lw_str_eq(more, LW_S("optimizer")) ? REPORT_WORD_OPTIMIZER
           : lw_str_eq(more, LW_S("loss"))    ? REPORT_WORD_LOSS
                                              : REPORT_WORD_ACTIVATION;
}

/* Skips "tf.keras.optimizers." before the name of a choice. */
static size_t last_part(const struct term_scan *s, size_t at)
{
    size_t i = at;
    while (report_is_word(term_char(s, i)) || term_char(s, i) == '.') {
        if (s->text.p[i] == '.' && report_is_letter(term_char(s, i + 1)))
            at = i + 1;
        i++;
    }
    return at;
}

/* optimizer='adam', "loss: CrossEntropyLoss", criterion = nn.MSELoss() */
int term_choice(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                size_t *end)
{
    bool loose = false;
    size_t from = term_value_at(s, at + n, TERM_AFTER, &loose), length;
    if (!from || loose || report_is_letter(term_before(s, at)) ||
        report_is_word(term_char(s, at + n)))
        return 0;
    size_t name = last_part(s, from);
    const struct report_word *value = report_words_at(
        s->words, s->text, name, report_word_bit(choice_kind(w->more)), &length);
    if (!value || report_is_word(term_char(s, name + length)))
        return 0;
    *end = name + length;
    return add_choice(s, w->name, at, *end, lw_str_part(s->text, name, length));
}

static bool is_called_or_quoted(const struct term_scan *s, size_t at, size_t n)
{
    return term_char(s, at + n) == '(' || term_quoted(s, at, n);
}

int term_optimizer(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                   size_t *end)
{
    char before = term_before(s, at), after = term_char(s, at + n);
    (void)w;
    if (report_is_word(before) || report_is_word(after) || strchr("/\\@", before))
        return 0;
    if (s->place != TERM_PROSE && !is_called_or_quoted(s, at, n))
        return 0;
    if (after == '.' && report_is_letter(term_char(s, at + n + 1)))
        return 0;
    *end = at + n;
    return add_choice(s, LW_S("optimizer"), at, *end, lw_str_part(s->text, at, n));
}

int term_loss(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
              size_t *end)
{
    char before = term_before(s, at), after = term_char(s, at + n);
    bool named = lw_str_eq(w->more, LW_S("named"));
    bool beside = lw_str_has_prefix(term_rest(s, at + n), LW_S(" loss"));
    if (report_is_word(before) || report_is_word(after))
        return 0;
    if (s->place != TERM_PROSE ? !is_called_or_quoted(s, at, n) || (named && after != '(')
                               : named && !beside)
        return 0;
    *end = at + n;
    return add_choice(s, LW_S("loss"), at, *end, lw_str_part(s->text, at, n));
}

/* "relu activation" */
int term_activation(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                    size_t *end)
{
    (void)w;
    if (!term_alone(s, at, n) || !lw_str_has_prefix(term_rest(s, at + n), LW_S(" activation")))
        return 0;
    *end = at + n;
    return add_choice(s, LW_S("activation"), at, *end, lw_str_part(s->text, at, n));
}

/* ---- Metrics ----------------------------------------------------------------------------- */

static int add_metric(struct term_scan *s, const struct report_word *w, size_t start,
                      size_t end, struct lw_str value, double number)
{
    struct lw_fact f = term_fact(s, LW_FACT_METRIC, start, end);
    bool part = term_follows(s, &s->part, start) || (s->part.end && s->part.start == start);
    struct lw_str prefix = part ? s->part.word->name : (struct lw_str){0};
    f.name = report_log_name(&s->r->log, prefix, w->name);
    f.text = value;
    f.metric.value = number;
    f.metric.epoch = f.metric.step = -1;
    return f.name.p ? report_add(s->r, f) : LW_ENOMEM;
}

/* Is the number one that a metric has: with a point, a per cent sign, or none at all? */
static bool looks_measured(struct lw_str value)
{
    return lw_str_find_char(value, '.') >= 0 || lw_str_has_suffix(value, LW_S("%")) ||
           !report_is_digit(value.p[value.n - 1]);
}

/* "NaN loss", "50% accuracy", "0.98 AUC" */
static int metric_before(struct term_scan *s, const struct report_word *w, size_t start,
                         size_t at, size_t n, size_t *end)
{
    struct term_seen number = s->number;
    if (!number.end || !term_follows(s, &number, start))
        return 0;
    struct lw_str value = lw_str_part(s->text, number.start, number.end - number.start);
    char before = term_before(s, number.start);
    if (!looks_measured(value) || lw_str_has_suffix(value, LW_S("k")) ||
        report_is_word(before) || before == '.' || before == '=')
        return 0;
    *end = at + n;
    s->number.end = 0;
    double measured = s->value;
    return add_metric(s, w, start, *end, value, measured);
}

int term_metric(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                size_t *end)
{
    bool loose = false;
    double value;
    size_t start = term_follows(s, &s->part, at) ? s->part.start : at;
    char before = term_before(s, start);
    if (s->logged || report_is_word(before) || before == '.' ||
        report_is_word(term_char(s, at + n)))
        return 0;
    int rc = metric_before(s, w, start, at, n, end);
    if (rc < 0 || *end)
        return rc;
    size_t from = term_value_at(s, at + n, TERM_AFTER, &loose);
    size_t length = from ? report_number(term_rest(s, from), &value) : 0;
    if (!length || (s->place == TERM_OUTPUT && !is_whole_value(s, from + length)))
        return 0;
    struct lw_str text = lw_str_part(s->text, from, length);
    if (loose && !looks_measured(text))
        return 0;
    *end = from + length;
    return add_metric(s, w, start, *end, text, value);
}

/* ---- Layers ------------------------------------------------------------------------------ */

/* The end of the call whose parenthesis opens at `at`, 0 when it is too far. */
static size_t call_end(const struct term_scan *s, size_t at)
{
    enum { LONGEST = 300 };
    int depth = 0;
    for (size_t i = at; i < s->text.n && i - at < LONGEST; i++) {
        char c = s->text.p[i];
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

static void keyword(struct lw_fact *f, struct lw_str name, struct lw_str value)
{
    static const char *const widths[] = {"units",       "filters",      "out_features",
                                         "nb_filter",   "out_channels", "output_dim",
                                         "hidden_size", "num_units",    "embedding_dim"};
    static const char *const inputs[] = {"in_features", "in_channels", "input_dim",
                                         "input_size", "num_embeddings"};
    int64_t v;
    if (lw_str_eq(name, LW_S("activation")) && value.n > 2)
        f->layer.activation = value.p[0] == '\'' || value.p[0] == '"'
                                  ? lw_str_part(value, 1, value.n - 2)
                                  : value;
    if (!lw_parse_i64(value, &v))
        return;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (lw_str_eq(name, lw_str(widths[i])))
            f->layer.width = v;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if (lw_str_eq(name, lw_str(inputs[i])))
            f->layer.inputs = v;
}

static void positional(struct lw_fact *f, struct lw_str more, size_t number,
                       struct lw_str value)
{
    int64_t v;
    bool in_out = lw_str_has_prefix(more, LW_S("in-out"));
    bool both = lw_str_has_prefix(more, LW_S("units-in")); /* LSTM(64), LSTM(100, 64) */
    bool first =
        lw_str_has_prefix(more, LW_S("units")) || lw_str_has_prefix(more, LW_S("features"));
    if (!lw_parse_i64(value, &v))
        return;
    if ((first && number == 0) || (in_out && number == 1))
        f->layer.width = v;
    if (in_out && number == 0)
        f->layer.inputs = v;
    if (both && number == 1) {
        f->layer.inputs = f->layer.width;
        f->layer.width = v;
    }
}

/* The arguments of the call at [open, end), both parentheses in it. */
static void arguments(const struct term_scan *s, struct lw_fact *f, struct lw_str more,
                      size_t open, size_t end)
{
    size_t from = open + 1, number = 0;
    int depth = 0;
    for (size_t i = open + 1; i < end; i++) {
        char c = s->text.p[i];
        bool last = i + 1 == end;
        depth += c == '(' || c == '[' || c == '{';
        depth -= (c == ')' || c == ']' || c == '}') && !last;
        if (depth || (c != ',' && !last))
            continue;
        struct lw_str argument = lw_str_trim(lw_str_part(s->text, from, i - from));
        ptrdiff_t equals = lw_str_find_char(argument, '=');
        if (equals > 0)
            keyword(f, lw_str_trim(lw_str_part(argument, 0, (size_t)equals)),
                    lw_str_trim(lw_str_from(argument, (size_t)equals + 1)));
        else
            positional(f, more, number++, argument);
        from = i + 1;
    }
}

/* "dense_1 (Dense)   (None, 10)   1290" of a model summary: the last size is the width. */
static void summary_width(const struct term_scan *s, struct lw_fact *f, size_t at)
{
    int64_t dims[LW_SHAPE_MAX];
    struct report_shape shape = {.dims = dims, .max = LW_SHAPE_MAX};
    while (report_is_blank(term_char(s, at)))
        at++;
    if (at < s->text.n && report_shape(term_rest(s, at), &shape) && shape.rank &&
        shape.rank <= LW_SHAPE_MAX)
        f->layer.width = dims[shape.rank - 1];
}

/* Does prose mean a layer by the word alone? */
static bool is_said(const struct term_scan *s, const struct report_word *w, size_t at, size_t n)
{
    bool word = lw_str_find(w->more, LW_S("word")) >= 0;
    bool layer = lw_str_has_prefix(term_rest(s, at + n), LW_S(" layer")) ||
                 lw_str_has_prefix(term_rest(s, at + n), LW_S("` layer"));
    char before = term_before(s, at);
    return s->place == TERM_PROSE && (!word || layer) && !report_is_word(before) &&
           !strchr("/\\@", before) && !report_is_word(term_char(s, at + n)) &&
           !(term_char(s, at + n) == '.' && report_is_letter(term_char(s, at + n + 1)));
}

int term_layer(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
               size_t *end)
{
    char before = term_before(s, at), after = term_char(s, at + n);
    struct lw_fact f;
    size_t stop = at + n;
    bool prose_only = lw_str_eq(w->more, LW_S("prose"));
    bool defined = at >= 6 && lw_str_eq(lw_str_part(s->text, at - 6, 6), LW_S("class "));
    if (report_is_word(before) || defined || (prose_only && s->place != TERM_PROSE))
        return 0;
    size_t call = after == '(' && !prose_only ? call_end(s, at + n) : 0;
    bool listed = s->place == TERM_OUTPUT && before == '(' && after == ')';
    if (!call && !listed && !is_said(s, w, at, n))
        return 0;
    f = term_fact(s, LW_FACT_LAYER, at, call ? call : stop);
    f.name = w->name;
    f.layer.width = f.layer.inputs = -1;
    if (call)
        arguments(s, &f, w->more, at + n, call);
    if (listed)
        summary_width(s, &f, at + n + 1);
    *end = stop; /* its arguments are looked at too */
    return report_add(s->r, f);
}
