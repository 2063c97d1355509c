#include "reproduce/network.h"

#include <stdio.h>

#include "base/num.h"
#include "base/str.h"

enum { WIDTHS_MAX = 12, HIDDEN = 32 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* ---- Widths: "6-24-24-3" -------------------------------------------------------------------
 */

static size_t read_widths(struct lw_str s, int64_t *widths)
{
    size_t n = 0, i = 0;
    while (i < s.n && n < WIDTHS_MAX) {
        int64_t v = 0;
        size_t start = i;
        for (; i < s.n && is_digit(s.p[i]) && i < start + 6; i++)
            v = v * 10 + (s.p[i] - '0');
        if (i == start || v == 0)
            return n;
        widths[n++] = v;
        if (i >= s.n || s.p[i] != '-')
            return i < s.n && is_letter(s.p[i]) ? 0 : n;
        i++;
    }
    return n;
}

/* The activation that the text names, by the framework's word. */
static const char *activation(struct lw_str text)
{
    static const char *const words[][2] = {
        {"tanh", "Tanh"}, {"Tanh", "Tanh"}, {"sigmoid", "Sigmoid"}, {"Sigmoid", "Sigmoid"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lw_str_find(text, lw_str(words[i][0])) >= 0)
            return words[i][1];
    return "ReLU";
}

static struct lw_str dense_text(struct rp_program *p, const int64_t *widths, size_t n,
                                const char *between)
{
    struct lw_str text = LW_S("torch.nn.Sequential(");
    for (size_t i = 0; i + 1 < n; i++)
        text = rp_printf(p, "%.*s%storch.nn.Linear(%lld, %lld)%s%s%s", LW_F(text),
                         i ? ", " : "", (long long)widths[i], (long long)widths[i + 1],
                         i + 2 < n ? ", torch.nn." : "", i + 2 < n ? between : "",
                         i + 2 < n ? "()" : "");
    return rp_printf(p, "%.*s)", LW_F(text));
}

static struct lw_str by_widths(struct rp_program *p, struct lw_str text)
{
    int64_t widths[WIDTHS_MAX];
    for (size_t i = 0; i < text.n; i++) {
        if (!is_digit(text.p[i]) ||
            (i > 0 && (is_digit(text.p[i - 1]) || text.p[i - 1] == '-')))
            continue;
        size_t n = read_widths(lw_str_from(text, i), widths);
        if (n >= 3)
            return dense_text(p, widths, n, activation(text));
    }
    return LW_S("");
}

/* ---- Words: "Flatten - Linear - ReLU - Linear" ---------------------------------------------
 */

static struct lw_str next_word(struct lw_str *rest)
{
    while (rest->n && !is_letter(rest->p[0]))
        *rest = lw_str_from(*rest, 1);
    size_t n = 0;
    while (n < rest->n && (is_letter(rest->p[n]) || is_digit(rest->p[n])))
        n++;
    struct lw_str word = lw_str_part(*rest, 0, n);
    *rest = lw_str_from(*rest, n);
    return word;
}

static bool is_separator(struct lw_str s)
{
    s = lw_str_trim(s);
    return s.n &&
           (s.p[0] == '-' || s.p[0] == ',' || s.p[0] == '>' ||
            lw_str_has_prefix(s, LW_S("\xe2\x86\x92")) || lw_str_has_prefix(s, LW_S("+")));
}

/* How many layers stand in a row from here; the words go to `words`. */
static size_t read_layers(const struct rp_program *p, struct lw_str rest, struct lw_str *words)
{
    size_t n = 0;
    while (n < WIDTHS_MAX) {
        struct lw_str word = next_word(&rest);
        char full[96];
        if (word.n == 0 || word.n > 40)
            break;
        int length = snprintf(full, sizeof full, "torch.nn.%.*s", LW_F(word));
        if (!rp_is_api(p->tables, lw_str_n(full, (size_t)length)))
            break;
        words[n++] = word;
        if (!is_separator(rest))
            break;
    }
    return n;
}

static struct lw_str layers_text(struct rp_program *p, const struct rp_facts *f,
                                 const struct lw_str *words, size_t n)
{
    struct lw_str text = LW_S("torch.nn.Sequential(");
    size_t last = n;
    int64_t width = rp_shape_size(&f->input);
    for (size_t i = 0; i < n; i++)
        last = lw_str_eq(words[i], LW_S("Linear")) ? i : last;
    for (size_t i = 0; i < n; i++) {
        text = rp_printf(p, "%.*s%storch.nn.%.*s(", LW_F(text), i ? ", " : "", LW_F(words[i]));
        if (lw_str_eq(words[i], LW_S("Linear"))) {
            int64_t next = i == last ? f->classes : HIDDEN;
            text =
                rp_printf(p, "%.*s%lld, %lld", LW_F(text), (long long)width, (long long)next);
            width = next;
        } else if (lw_str_eq(words[i], LW_S("Dropout"))) {
            text = rp_printf(p, "%.*s0.5", LW_F(text));
        } else if (lw_str_eq(words[i], LW_S("Embedding"))) {
            text = rp_printf(p, "%.*s%lld, 8", LW_F(text),
                             (long long)(f->vocabulary ? f->vocabulary : 100));
        }
        text = rp_printf(p, "%.*s)", LW_F(text));
    }
    return rp_printf(p, "%.*s)", LW_F(text));
}

static struct lw_str by_words(struct rp_program *p, const struct rp_facts *f,
                              struct lw_str text)
{
    struct lw_str words[WIDTHS_MAX];
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < 'A' || text.p[i] > 'Z' || (i > 0 && is_letter(text.p[i - 1])))
            continue;
        size_t n = read_layers(p, lw_str_from(text, i), words);
        if (n >= 2)
            return layers_text(p, f, words, n);
    }
    return LW_S("");
}

/* ---- Names ---------------------------------------------------------------------------------
 */

static struct lw_str by_name(struct rp_program *p, const struct rp_facts *f, struct lw_str text)
{
    int64_t widths[] = {rp_shape_size(&f->input), 64, f->classes};
    if (lw_str_find(text, LW_S("ogistic regression")) >= 0)
        return rp_printf(p, "torch.nn.Linear(%lld, %lld)", (long long)widths[0],
                         (long long)widths[2]);
    if (lw_str_find(text, LW_S("MLP")) >= 0 || lw_str_find(text, LW_S("perceptron")) >= 0)
        return dense_text(p, widths, 3, activation(text));
    return LW_S("");
}

struct lw_str rp_network_text(struct rp_program *p, const struct rp_facts *f,
                              struct lw_str name)
{
    struct lw_str text = {0};
    if (p->framework != RP_TORCH)
        return LW_S("");
    for (const struct lw_fact *b = NULL;
         text.n == 0 && (b = lw_report_next_block(p->report, b));) {
        if (b->kind != LW_FACT_PROSE)
            continue;
        bool own = lw_str_find(b->text, name) >= 0 || lw_str_find(b->text, LW_S("model")) >= 0;
        text = own ? by_widths(p, b->text) : LW_S("");
        if (text.n == 0 && own)
            text = by_words(p, f, b->text);
        if (text.n == 0)
            text = by_name(p, f, b->text);
    }
    return text;
}
