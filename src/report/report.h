/*
 * report - a bug report as facts.
 *
 * In: the summary and the description of a report as text (Markdown, plain text, Denchmark's
 * tagged text), or the bytes of a report file (also JSON, HTML, e-mail, Denchmark's XML). Out:
 * an opaque `lw_report` that owns the readable text and the facts found in it, until
 * lw_report_free; everything handed out is borrowed from it or static.
 *
 * The readable text is the summary, a line end, and the description with escapes undone
 * ("&amp;lt;" too, for summaries that were escaped twice) and the tags of HTML and Denchmark
 * turned into Markdown: headings, fences, and links as [text](target). The comments follow,
 * each behind a rule. All ranges are byte offsets of it.
 *
 * Facts are of two sorts. Blocks (prose, heading, code, trace, output) follow each other and
 * together hold every line that is not blank, a fence or a rule between comments. Details
 * (frames, versions, shapes, …) lie inside blocks. Both are in text order.
 *
 *     for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_FRAME, f));) …
 *
 * Every fact has a kind, a name (may be empty), a value and a range; lw_fact_name() and
 * lw_fact_value() give them for any kind, as the JSON of `triage` prints them. Names are words
 * of ours, the same however a report spells them (data/report/); values are as written.
 */
#ifndef LW_REPORT_REPORT_H
#define LW_REPORT_REPORT_H

#include "base/mem.h"
#include "knowledge/shape.h"
#include "lacewing.h"

typedef struct lw_report lw_report;

enum lw_fact_kind {
    /* blocks */
    LW_FACT_SUMMARY, /* the first line */
    LW_FACT_HEADING, /* of a section */
    LW_FACT_PROSE,
    LW_FACT_CODE,   /* Python: fenced, indented, or recognised by the parser */
    LW_FACT_TRACE,  /* one traceback: its frames and its exception */
    LW_FACT_OUTPUT, /* what a machine printed or reads: training logs, shell sessions, version
                       lists, differences, configuration; fenced text that is nothing else */
    /* details: what the report names */
    LW_FACT_FRAME,     /* of a traceback */
    LW_FACT_EXCEPTION, /* "ValueError: message" */
    LW_FACT_FILE,      /* a file name: "x.py", "a/b/c.py" */
    LW_FACT_MODULE,    /* a dotted name: "torch.nn.Linear", "Trainer.fit" */
    LW_FACT_NAME,      /* a word that can only be an identifier, or is quoted as one */
    LW_FACT_LINK,      /* a web address */
    /* details: where it runs */
    LW_FACT_VERSION,  /* name: library, "python", "cuda", "cudnn", "driver"; value: number */
    LW_FACT_LIBRARY,  /* a library named without a version; once a block */
    LW_FACT_SYSTEM,   /* name: "os", "host"; value: "Ubuntu 18.04", "Colab" */
    LW_FACT_HARDWARE, /* name: "gpu", "cpu", "tpu", "memory"; value: "Tesla V100", "16 GB" */
    LW_FACT_DEVICE,   /* name: "cuda", "cpu", "tpu", "mps"; value: "cuda:0", "/GPU:0" */
    LW_FACT_COMMAND,  /* a shell line; name: its program; value: without the prompt */
    /* details: the data */
    LW_FACT_SHAPE, /* name: "input", "output", "target", "expected", "got" or empty; value:
                      "(32, 3, 224, 224)" */
    LW_FACT_DTYPE, /* name: "float32"; value: "torch.cuda.FloatTensor" */
    LW_FACT_DATA,  /* name: "classes", "samples", "features", "range", "dataset"; value: "10",
                      "60000", "784", "[0, 1]", "MNIST" */
    /* details: the program */
    LW_FACT_IMPORT,  /* name: library; value: the module, "torch.nn" */
    LW_FACT_LAYER,   /* name: "Dense", "LSTM", as the framework has it; value: as written with
                        its arguments */
    LW_FACT_SETTING, /* a hyperparameter. name: "batch_size", "epochs", "optimizer",
                        "learning_rate", "loss", "activation", …; value: "32", "Adam" */
    /* details: what happened */
    LW_FACT_METRIC, /* name: "loss", "val_accuracy", …; value: "0.31", "nan" */
    LW_FACT_ERROR,  /* an error told without the type of an exception: "Segmentation fault";
                       name: "crash", "memory", "cuda", "library", "check", "killed", "hang",
                       "python"; value: the sentence */
};
enum { LW_FACT_BLOCKS = LW_FACT_OUTPUT + 1, LW_FACT_KINDS = LW_FACT_ERROR + 1 };

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
    LW_TRACE_NATIVE,     /* #3 0x… in f() from lib.so, frame #3: f + 0x… (lib.so) */
};

/* What an OUTPUT block is. */
enum lw_output_sort {
    LW_OUTPUT_PLAIN,
    LW_OUTPUT_LOG,      /* of a training: its metrics are METRIC facts */
    LW_OUTPUT_SHELL,    /* commands and what they print */
    LW_OUTPUT_VERSIONS, /* pip list, conda list, torch's collect_env */
    LW_OUTPUT_DIFF,     /* a patch */
    LW_OUTPUT_MODEL,    /* model.summary(), print(model) */
};

struct lw_fact {
    enum lw_fact_kind kind;
    uint32_t start, end; /* bytes of the text */
    uint32_t block;      /* of a detail: number of its block among the blocks, from 0 */
    uint32_t next;       /* how many facts on the next of its kind is; 0: none. For next(). */
    struct lw_str text;  /* the bytes of the range, or what they stand for */
    struct lw_str name;  /* of the kinds behind LINK: see there; of a block the section it is in
                            (a heading: that it begins): "environment", "steps", "expected",
                            "actual", "code", "logs", "data", "model", else empty */
    union {
        struct {                      /* CODE, OUTPUT */
            struct lw_str language;   /* of the fence, may be empty */
            enum lw_output_sort sort; /* of OUTPUT */
            bool fenced;
            bool prompts; /* some lines have >>> or In [3]: before them */
            bool elided;  /* a line is only "..." */
        } code;
        struct { /* TRACE */
            enum lw_trace_style style;
            uint32_t frames; /* how many */
            bool chained;    /* raised while the one before was handled, or because of it */
        } trace;
        struct {           /* FRAME; `text` is the path (of a NATIVE one: the library) */
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
        } word;
        struct { /* LINK; `text` is the target */
            struct lw_str label;
            struct lw_str path;             /* of a file in a repository, else empty */
            struct lw_str repo;             /* "owner/name", else empty */
            struct lw_str rev;              /* commit or branch */
            uint32_t first_line, last_line; /* 0: none */
        } link;
        struct {         /* VERSION */
            bool listed; /* in a version list, not in a sentence */
        } version;
        struct {                  /* SYSTEM */
            struct lw_str family; /* of an os: "linux", "windows", "macos"; else the host */
        } system;
        struct {            /* HARDWARE, DEVICE */
            uint32_t count; /* "2x V100": 2; "cuda:3": 3; else 1 and 0 */
        } hardware;
        struct {
            int64_t dims[LW_SHAPE_MAX]; /* -1: None, a name, or not known */
            uint32_t rank;              /* those beyond LW_SHAPE_MAX are not kept */
        } shape;
        struct {             /* DATA, SETTING */
            double low;      /* the number; of a range its ends */
            double high;     /* same as `low` unless a range */
            bool has_number; /* else the value is a word: "Adam" */
        } number;
        struct {
            int64_t width;            /* units, filters, out_features; -1: not given */
            int64_t inputs;           /* in_features, in_channels; -1: not given */
            struct lw_str activation; /* as written, may be empty */
        } layer;
        struct {
            double value;        /* not a number and infinite ones too */
            int64_t epoch, step; /* -1: not known */
            bool logged;         /* in a training log, not in a sentence */
        } metric;
    };
};

/* Name and value as the JSON of `triage` has them: of a FRAME the function and the path, of an
 * EXCEPTION the type and the message, of a mention no name and its text. */
struct lw_str lw_fact_name(const struct lw_fact *f);
struct lw_str lw_fact_value(const struct lw_fact *f);

enum { LW_REPORT_MAX = 16 << 20 }; /* longest text that is read, in bytes; LW_ELIMIT beyond */

/* The words that reports are read with (data/report/): for many reports they are read once.
 * Read-only, shared by all threads. */
typedef struct lw_report_tables lw_report_tables;

int lw_report_tables_new(lw_report_tables **out, struct lw_mem *mem, struct lw_err *err);
/* NULL is fine. */
void lw_report_tables_free(lw_report_tables *t);

/* Reads a report. The texts are copied, the tables are needed only meanwhile (NULL: they are
 * read for this report alone). Any text is a report; LW_ENOMEM and LW_ELIMIT are the only
 * failures. */
int lw_report_parse(lw_report **out, struct lw_mem *mem, const lw_report_tables *tables,
                    struct lw_str summary, struct lw_str description, struct lw_err *err);

/* What a report file can be. */
enum lw_report_format {
    LW_REPORT_TEXT,           /* Markdown or plain text; the first line is the summary */
    LW_REPORT_JSON,           /* summary, description, open_date, project */
    LW_REPORT_GITHUB,         /* JSON of an issue: title, body, labels, comments */
    LW_REPORT_STACK_OVERFLOW, /* JSON of a question: title, body in HTML, tags, answers */
    LW_REPORT_HTML,           /* a page or the body of a post */
    LW_REPORT_EMAIL,          /* Subject, From, Date, a blank line, text */
    LW_REPORT_DENCHMARK,      /* XML: bug_data, bug, summary, description, comments */
};

/* Reads the bytes of a report file in any of the formats. `name` is for messages. A JSON value
 * that is no such object, text without a letter, and what is not text, is LW_EINVAL. */
int lw_report_read(lw_report **out, struct lw_mem *mem, const lw_report_tables *tables,
                   struct lw_str name, struct lw_str bytes, struct lw_err *err);
/* NULL is fine. */
void lw_report_free(lw_report *r);

struct lw_str lw_report_text(const lw_report *r);
struct lw_str lw_report_summary(const lw_report *r);     /* the part before the line end */
struct lw_str lw_report_description(const lw_report *r); /* the part behind it */
struct lw_str lw_report_open_date(const lw_report *r);   /* as the file has it; may be empty */
/* Whose report it is: the name of the repository ("ignite"), in small letters; may be empty. */
struct lw_str lw_report_project(const lw_report *r);
enum lw_report_format lw_report_format(const lw_report *r);
/* Labels of an issue, tags of a question: the one with that number, empty beyond the last. */
struct lw_str lw_report_tag(const lw_report *r, size_t number);
/* The comment that a block is in, from 1; 0 is the report itself. */
uint32_t lw_report_comment(const lw_report *r, const struct lw_fact *block);

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
