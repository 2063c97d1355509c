/*
 * internal - what the parts of the report reader share. Not for other folders.
 *
 * Reading goes in passes over one text: markup.c makes it readable, blocks.c cuts it into
 * blocks (asking trace.c, code.c and outputs.c about lines), mentions.c, terms.c and outputs.c
 * look into the blocks.
 */
#ifndef LW_REPORT_INTERNAL_H
#define LW_REPORT_INTERNAL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/log_reader.h"
#include "report/report.h"
#include "source/tree.h"

struct lw_report {
    struct lw_mem *mem; /* borrowed */
    struct lw_arena arena;
    const struct report_words *words; /* while reading */
    struct lw_log_reader log;         /* owns the names of metrics */
    struct lw_str text;
    size_t summary_end; /* offset of the line end behind the summary */
    struct lw_str open_date;
    struct lw_str project;
    enum lw_report_format format;
    LW_VEC(struct lw_str) tags;
    LW_VEC(uint32_t) comments; /* where each comment begins in the text */
    LW_VEC(struct lw_fact) blocks;
    LW_VEC(struct lw_fact) details; /* in text order once reading is done */
    uint32_t count[LW_FACT_KINDS];
    uint32_t
        first[LW_FACT_KINDS];    /* where the first of a kind is among its blocks or details */
    size_t trace_from, trace_to; /* while reading: details that trace.c found in the block */
};

/* One line of the text while blocks are being made. */
enum report_line_kind {
    REPORT_LINE_BLANK,
    REPORT_LINE_FENCE,
    REPORT_LINE_HEADING,
    REPORT_LINE_PROSE,
    REPORT_LINE_CODE,
    REPORT_LINE_TRACE,
    REPORT_LINE_OUTPUT,
};

struct report_line {
    uint32_t start, end; /* without the line end */
    uint8_t kind;        /* enum report_line_kind */
    bool fenced;
    bool starts;   /* begins a block even where the line before is of the same kind */
    uint8_t style; /* of a TRACE line: enum lw_trace_style */
    bool chained;
    uint8_t sort;   /* of an OUTPUT line that nothing fences: enum lw_output_sort */
    uint32_t fence; /* number of the fence it is in, 0 = none */
};

typedef LW_VEC(struct report_line) report_lines;

static inline struct lw_str report_line_text(const struct lw_report *r,
                                             const struct report_line *l)
{
    return lw_str_n(r->text.p + l->start, l->end - l->start);
}

/* markup.c: appends the readable form. `levels` times escapes are undone. */
void report_readable(struct lw_buf *out, struct lw_str raw);
/* Escapes undone ("&lt;"), tags left as they are. */
void report_unescape(struct lw_buf *out, struct lw_str s);

/* blocks.c */
int report_blocks(struct lw_report *r, struct lw_err *err);

/* code.c: marks the lines in [from, to) that are Python though nothing fences them. */
int report_find_code(struct lw_report *r, report_lines *lines, struct lw_err *err);
/* Is the fenced stretch of lines Python? */
int report_is_python(struct lw_report *r, struct lw_str text, bool *is, struct lw_err *err);

/* trace.c: marks the lines of tracebacks. */
void report_find_traces(struct lw_report *r, report_lines *lines);
/* Adds the frames and the exceptions of a block. */
int report_trace_details(struct lw_report *r, uint32_t block);
/* "pkg.SomeError: message" at the start of `s`: its length up to the end of the type, else 0.
 */
size_t report_exception_type(struct lw_str s);

/* mentions.c: files, modules, names, links of a block. */
int report_mentions(struct lw_report *r, uint32_t block);

/* terms.c: what the words of a block tell. Numbers of a training log are left out (`logged`).
 */
int report_terms(struct lw_report *r, uint32_t block, bool logged);

/* outputs.c: marks lines that a machine printed though nothing fences them. */
int report_find_outputs(struct lw_report *r, report_lines *lines, struct lw_err *err);
/* Sets the sort of an OUTPUT block. 0 or LW_ENOMEM, as those below. */
int report_sort_output(struct lw_report *r, struct lw_fact *block);
/* The metrics of the lines of a training log; `*any` says whether there were some. */
int report_log_metrics(struct lw_report *r, uint32_t block, bool *any);
int report_commands(struct lw_report *r, uint32_t block);
int report_imports(struct lw_report *r, uint32_t block);
/* Our name of the section that a heading begins, may be empty. */
struct lw_str report_section(const struct report_words *words, struct lw_str heading);
/* Is the line nothing but the name of a section: "**To Reproduce**", "Environment:"? */
bool report_is_section(const struct report_words *words, struct lw_str line);
/* The length of ">>> ", "In [3]: " and the like, with the blanks around; 0: there is none. */
size_t report_prompt(struct lw_str line);

/* Adds a detail of the block at [start, end) of the text. 0 or LW_ENOMEM. */
int report_add(struct lw_report *r, struct lw_fact fact);

/* The detail for the bytes of `part`, which lies inside the report's text. */
static inline struct lw_fact report_fact(const struct lw_report *r, enum lw_fact_kind kind,
                                         uint32_t block, struct lw_str part)
{
    uint32_t start = part.n ? (uint32_t)(part.p - r->text.p) : 0;
    return (struct lw_fact){.kind = kind,
                            .start = start,
                            .end = start + (uint32_t)part.n,
                            .block = block,
                            .text = part};
}

/* ASCII classes, whatever the locale. */
static inline bool report_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool report_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}
static inline bool report_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}
static inline bool report_is_letter(char c)
{
    return report_is_upper(c) || report_is_lower(c) || c == '_';
}
static inline bool report_is_word(char c)
{
    return report_is_letter(c) || report_is_digit(c);
}
static inline bool report_is_blank(char c)
{
    return c == ' ' || c == '\t';
}
/* Behind the blanks at byte `i`. */
static inline size_t report_skip_blanks(struct lw_str s, size_t i)
{
    while (i < s.n && report_is_blank(s.p[i]))
        i++;
    return i;
}
/* How many digits stand at byte `i`. */
static inline size_t report_digits(struct lw_str s, size_t i)
{
    size_t n = 0;
    while (i + n < s.n && report_is_digit(s.p[i + n]))
        n++;
    return n;
}

#endif
