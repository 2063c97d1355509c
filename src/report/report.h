/*
 * report - a bug report as facts.
 *
 * In: the summary and the description of a report as text (Markdown, plain text, Denchmark's
 * tagged text), or the bytes of a report file. Out: an opaque `lw_report` that owns the
 * readable text and the facts found in it, until lw_report_free; everything handed out is
 * borrowed from it.
 *
 * The readable text is the summary, a line end, and the description with escapes undone
 * ("&amp;lt;" too, for summaries that were escaped twice) and Denchmark's tags turned into
 * Markdown: headings, fences, and links as [text](target). All ranges are byte offsets of it.
 *
 * Facts are of two sorts. Blocks (prose, heading, code, trace, output) follow each other and
 * together hold every line that is not blank or a fence. Details (frames, exceptions, file
 * names, …) lie inside blocks. Both are in text order.
 *
 *     for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_FRAME, f));) …
 */
#ifndef LW_REPORT_REPORT_H
#define LW_REPORT_REPORT_H

#include "base/mem.h"
#include "lacewing.h"

typedef struct lw_report lw_report;

enum lw_fact_kind {
    /* blocks */
    LW_FACT_SUMMARY, /* the first line */
    LW_FACT_HEADING, /* of a section */
    LW_FACT_PROSE,
    LW_FACT_CODE,   /* Python: fenced, indented, or recognised by the parser */
    LW_FACT_TRACE,  /* one traceback: its frames and its exception */
    LW_FACT_OUTPUT, /* fenced text that is neither: logs, shell sessions, configuration */
    /* details */
    LW_FACT_FRAME,     /* of a traceback */
    LW_FACT_EXCEPTION, /* "ValueError: message" */
    LW_FACT_FILE,      /* a file name: "x.py", "a/b/c.py" */
    LW_FACT_MODULE,    /* a dotted name: "torch.nn.Linear", "Trainer.fit" */
    LW_FACT_NAME,      /* a word that can only be an identifier, or is quoted as one */
    LW_FACT_LINK,      /* a web address */
    LW_FACT_VERSION,   /* "torch 1.2", "CUDA: 10.1", "numpy==1.18" */
};
enum { LW_FACT_BLOCKS = LW_FACT_OUTPUT + 1, LW_FACT_KINDS = LW_FACT_VERSION + 1 };

const char *lw_fact_kind_name(enum lw_fact_kind kind); /* "heading"; static */

/* What a NAME looks like. */
enum lw_name_shape {
    LW_NAME_WORD,   /* an ordinary word, but quoted: `fit` */
    LW_NAME_CLASS,  /* CamelCase */
    LW_NAME_SNAKE,  /* with an underscore inside */
    LW_NAME_CALLED, /* an ordinary word before a parenthesis: fit() */
};

/* Where a traceback was seen. */
enum lw_trace_style {
    LW_TRACE_PYTHON,     /* File "x.py", line 3, in f */
    LW_TRACE_TENSORFLOW, /* the same below "Caused by op": where an operation was made */
    LW_TRACE_IPYTHON,    /* x.py in f(args) */
    LW_TRACE_PYTEST,     /* x.py:3: in f */
    LW_TRACE_AUTOGRAPH,  /* x.py:3 f  * */
};

struct lw_fact {
    enum lw_fact_kind kind;
    uint32_t start, end; /* bytes of the text */
    uint32_t block;      /* of a detail: number of its block among the blocks, from 0 */
    struct lw_str text;  /* the bytes of the range, or what they stand for */
    union {
        struct {                    /* CODE, OUTPUT */
            struct lw_str language; /* of the fence, may be empty */
            bool fenced;
        } code;
        struct { /* TRACE */
            enum lw_trace_style style;
            uint32_t frames; /* how many */
            bool chained;    /* raised while the one before was handled, or because of it */
        } trace;
        struct {           /* FRAME; `text` is the path */
            uint32_t line; /* 0: not given */
            struct lw_str function, code;
        } frame;
        struct {                /* EXCEPTION; `text` is the type without its module */
            struct lw_str type; /* with it */
            struct lw_str message;
        } exception;
        struct { /* FILE; `text` is the path */
            uint32_t line;
        } file;
        struct { /* NAME */
            enum lw_name_shape shape;
            bool quoted;
        } name;
        struct { /* LINK; `text` is the target */
            struct lw_str label;
            struct lw_str path;             /* of a file in a repository, else empty */
            struct lw_str repo;             /* "owner/name", else empty */
            struct lw_str rev;              /* commit or branch */
            uint32_t first_line, last_line; /* 0: none */
        } link;
        struct {                   /* VERSION; `text` is the number */
            struct lw_str library; /* as common tools call it: "torch", "tensorflow" */
        } version;
    };
};

enum { LW_REPORT_MAX = 16 << 20 }; /* longest text that is read, in bytes; LW_ELIMIT beyond */

/* Reads a report. The texts are copied. Any text is a report; LW_ENOMEM and LW_ELIMIT are the
 * only failures. */
int lw_report_parse(lw_report **out, struct lw_mem *mem, struct lw_str summary,
                    struct lw_str description, struct lw_err *err);

/* Reads the bytes of a report file: a JSON object with `summary` (or `title`), `description`
 * (or `body`) and `open_date`, or text whose first line is the summary. `name` is for messages.
 * A JSON value that is no such object, and text without a letter, is LW_EINVAL. */
int lw_report_read(lw_report **out, struct lw_mem *mem, struct lw_str name, struct lw_str bytes,
                   struct lw_err *err);
/* NULL is fine. */
void lw_report_free(lw_report *r);

struct lw_str lw_report_text(const lw_report *r);
struct lw_str lw_report_summary(const lw_report *r);     /* the part before the line end */
struct lw_str lw_report_description(const lw_report *r); /* the part behind it */
struct lw_str lw_report_open_date(const lw_report *r);   /* as the file has it; may be empty */

/* The fact of that kind after `before` (NULL: the first), or NULL. */
const struct lw_fact *lw_report_next(const lw_report *r, enum lw_fact_kind kind,
                                     const struct lw_fact *before);
/* The block after `before` of whatever kind, or NULL. */
const struct lw_fact *lw_report_next_block(const lw_report *r, const struct lw_fact *before);
/* The block with that number. */
const struct lw_fact *lw_report_block(const lw_report *r, uint32_t number);
/* The detail of that kind in the block after `before`, or NULL. */
const struct lw_fact *lw_report_next_in(const lw_report *r, const struct lw_fact *block,
                                        enum lw_fact_kind kind, const struct lw_fact *before);
size_t lw_report_count(const lw_report *r, enum lw_fact_kind kind);

#endif
