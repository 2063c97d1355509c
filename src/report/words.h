/*
 * words - the words of data/report/ and where they stand in a text. Not for other folders.
 *
 * A row of a table is `kind,words,name,more`: what the words tell, the words, our name for it
 * (empty: as written), and what the kind needs beside. Words in small letters are found in any
 * case, others only as written. A blank in `words` stands for one blank, '-', '_', '.' or '/'.
 */
#ifndef LW_REPORT_WORDS_H
#define LW_REPORT_WORDS_H

#include "base/arena.h"
#include "base/map.h"
#include "lacewing.h"

enum report_word_kind {
    REPORT_WORD_LIBRARY,
    REPORT_WORD_OS,     /* name: family */
    REPORT_WORD_HOST,   /* name */
    REPORT_WORD_GPU,    /* begins the name of one */
    REPORT_WORD_CPU,    /* the same */
    REPORT_WORD_MODEL,  /* goes on with the name of a gpu or cpu: "Ti", "SXM2" */
    REPORT_WORD_DEVICE, /* name */
    REPORT_WORD_DTYPE,  /* name; more: "bare" when it needs no "torch." or "dtype=" before it */
    REPORT_WORD_DATASET,
    REPORT_WORD_DATA,      /* a count of the data: "classes"; more: where the number stands */
    REPORT_WORD_SETTING,   /* more: where the number stands */
    REPORT_WORD_CHOICE,    /* a setting whose value is a word; more: kind of that word */
    REPORT_WORD_OPTIMIZER, /* value of the choice */
    REPORT_WORD_LOSS,      /* more: "named" when only "loss" beside it makes it one */
    REPORT_WORD_ACTIVATION,
    REPORT_WORD_METRIC,  /* more: "always" when a name in front changes nothing */
    REPORT_WORD_PART,    /* of the data a metric is measured on: name "val", "train", "test" */
    REPORT_WORD_COUNTER, /* of a training log: name "epoch" or "step" */
    REPORT_WORD_SKIP,    /* of a training log: a number that is no metric */
    REPORT_WORD_LAYER,   /* more: how its arguments stand */
    REPORT_WORD_ROLE,    /* of a shape */
    REPORT_WORD_SHAPED,  /* says that a shape follows; more: "call" for a function */
    REPORT_WORD_RANGE,   /* says that a range follows */
    REPORT_WORD_BETWEEN, /* may stand between a name and its value */
    REPORT_WORD_PLACE,   /* before a device: "on the" */
    REPORT_WORD_TYPED,   /* before a dtype: "scalar type" */
    REPORT_WORD_NUMERAL, /* name: its digits */
    REPORT_WORD_UNSET,   /* before a count: it is no setting ("after 3 epochs") */
    REPORT_WORD_ERROR,   /* name; more: "line" when it must be the whole line */
    REPORT_WORD_PROGRAM, /* begins a shell line; more: what may follow */
    REPORT_WORD_SECTION, /* of a heading */
    REPORT_WORD_KINDS
};

struct report_word {
    enum report_word_kind kind;
    struct lw_str words, name, more;
    bool exact;                /* case matters */
    struct report_word *other; /* with the same first word, longest first */
};

struct report_words {
    struct lw_arena arena;
    struct lw_map first; /* first word in small letters to its struct report_word */
};

/* Reads the tables. 0 or negative. */
int report_words_load(struct report_words *w, struct lw_mem *mem, struct lw_err *err);
void report_words_release(struct report_words *w);

/* What stands at byte `at` of `text`, where a word must begin: the longest words of a kind in
 * `kinds` (bits), NULL when there are none. `*n` is their length in the text. */
const struct report_word *report_words_at(const struct report_words *w, struct lw_str text,
                                          size_t at, uint64_t kinds, size_t *n);
/* The next of those that stand there, not longer; NULL when there is none. */
const struct report_word *report_words_other(const struct report_word *word, struct lw_str text,
                                             size_t at, uint64_t kinds, size_t *n);

static inline uint64_t report_word_bit(enum report_word_kind kind)
{
    return (uint64_t)1 << kind;
}

/* Does a word begin at byte `at`: a letter or digit behind something else? */
bool report_word_begins(struct lw_str text, size_t at);

#endif
