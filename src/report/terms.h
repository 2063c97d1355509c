/*
 * terms - what the words of a block tell. Not for other folders.
 *
 * One scan goes over a block from word to word. A handler for each kind of word looks at what
 * stands beside it and adds facts; words that only prepare for others (a role, a numeral, "on
 * the") are remembered with their place.
 */
#ifndef LW_REPORT_TERMS_H
#define LW_REPORT_TERMS_H

#include "report/internal.h"
#include "report/values.h"
#include "report/words.h"

/* What a block is, as far as handlers care. Bits. */
enum term_place {
    TERM_PROSE = 1, /* summary, heading, prose */
    TERM_CODE = 2,
    TERM_OUTPUT = 4, /* also the lines of a training log */
    TERM_TRACE = 8,  /* the message of an exception */
};

/* Something seen a moment ago. */
struct term_seen {
    const struct report_word *word;
    size_t start, end; /* end 0: nothing */
};

enum { TERM_LIBRARIES = 24 };

struct term_scan {
    struct lw_report *r;
    const struct report_words *words;
    uint32_t block;
    unsigned place;     /* enum term_place */
    bool logged;        /* numbers of a training log are read elsewhere */
    struct lw_str text; /* what is scanned */
    size_t line_start;
    struct term_seen role, part, on, typed, unset;
    struct term_seen number;         /* its word is NULL */
    double value;                    /* of the number */
    const struct report_word *group; /* library that "version:" on a later line belongs to */
    size_t group_end;                /* where its name ends */
    size_t shape_until;              /* shapes that begin before are meant as such */
    struct lw_str libraries[TERM_LIBRARIES]; /* named in this block */
    size_t library_count;
    size_t error_until; /* the sentence that an error was found in ends here */
    size_t chip_end;    /* of the hardware named last */
    size_t exception;   /* detail of the block from which on exceptions are looked for */
};

/* A handler: the word at [at, at + n). `*end` becomes where the scan goes on when it took the
 * word, and stays 0 otherwise. 0 or negative. */
typedef int (*term_handler)(struct term_scan *s, const struct report_word *w, size_t at,
                            size_t n, size_t *end);

int term_library(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                 size_t *end);
int term_os(struct term_scan *s, const struct report_word *w, size_t at, size_t n, size_t *end);
int term_host(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
              size_t *end);
int term_chip(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
              size_t *end);
int term_device(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                size_t *end);
int term_dtype(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
               size_t *end);
int term_dataset(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                 size_t *end);
int term_count(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
               size_t *end);
int term_choice(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                size_t *end);
int term_optimizer(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                   size_t *end);
int term_loss(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
              size_t *end);
int term_activation(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                    size_t *end);
int term_metric(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                size_t *end);
int term_layer(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
               size_t *end);
int term_shaped(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
                size_t *end);
int term_range(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
               size_t *end);
int term_error(struct term_scan *s, const struct report_word *w, size_t at, size_t n,
               size_t *end);

/* A shape at a bracket or a digit, when the place is right for one. */
int term_bracket(struct term_scan *s, size_t at, size_t *end);

/* "16 GB" of RAM, or behind the name of a chip. */
int term_memory(struct term_scan *s, size_t at, size_t *end);

/* "version: 10.1" in the group of a library. */
int term_group_version(struct term_scan *s, size_t at, size_t n, size_t *end);

/* A library and its number without a table: "spacy==2.1". `n` is the length of the name. */
int term_pinned(struct term_scan *s, size_t at, size_t n, size_t *end);

/* ---- For handlers ------------------------------------------------------------------------ */

static inline char term_char(const struct term_scan *s, size_t at)
{
    return at < s->text.n ? s->text.p[at] : '\n';
}
static inline char term_before(const struct term_scan *s, size_t at)
{
    return at > 0 ? s->text.p[at - 1] : '\n';
}
static inline struct lw_str term_rest(const struct term_scan *s, size_t at)
{
    return lw_str_from(s->text, at);
}
static inline struct lw_fact term_fact(const struct term_scan *s, enum lw_fact_kind kind,
                                       size_t start, size_t end)
{
    return report_fact(s->r, kind, s->block, lw_str_part(s->text, start, end - start));
}

/* Is the word at [at, at + n) a word of its own: no part of a path, a dotted or longer name? */
bool term_alone(const struct term_scan *s, size_t at, size_t n);
/* Did `seen` end right before `at`, with nothing but blanks, '-' and '_' between? */
bool term_follows(const struct term_scan *s, const struct term_seen *seen, size_t at);
/* Is the word in quotes: 'adam', "mse"? */
bool term_quoted(const struct term_scan *s, size_t at, size_t n);

/* How a value may stand behind its name. */
enum term_style {
    TERM_AFTER,  /* "lr: 0.1", "lr = 0.1", "lr of 0.1", "lr 0.1", --lr 0.1 */
    TERM_EQUALS, /* only with ':' or '=' */
    TERM_CALL,   /* seed(0) */
};
/* Where the value of a name that ends at `at` may begin, 0 when nothing leads to one. `*loose`
 * is set when only blanks stand between. */
size_t term_value_at(const struct term_scan *s, size_t at, enum term_style style, bool *loose);

#endif
