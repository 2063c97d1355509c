/*
 * lacewing.h - the public C API of liblacewing.
 *
 * Lacewing is a workbench for deep-learning bugs. A program opens a catalogue, looks at its
 * bugs and verifies them; everything the `lacewing` program prints comes from these calls.
 *
 * Conventions
 *   - A function that can fail returns 0 or a negative LW_E… code and takes a `struct lw_err *`
 *     (never NULL) into which it writes one line for the user.
 *   - Text is `struct lw_str`: a pointer and a length, not necessarily NUL-terminated.
 *   - A pointer to a handle (`lw_catalog **`) hands ownership to the caller, who calls the
 *     matching `_close`. Plain pointers are borrowed and live as long as the header says.
 *   - Handles may be used by one thread at a time; different handles are independent.
 */
#ifndef LACEWING_H
#define LACEWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LW_API               __attribute__((visibility("default")))
#define LW_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define LW_API
#define LW_PRINTF(fmt, args)
#endif

/* ---- Text ------------------------------------------------------------------------------- */

/* A borrowed stretch of bytes, usually UTF-8. `p` may be NULL when `n` is 0. */
struct lw_str {
    const char *p;
    size_t n;
};

/* ---- Errors ----------------------------------------------------------------------------- */

enum lw_code {
    LW_OK = 0,
    LW_EINVAL = -1,   /* the input or the usage is wrong: the user can fix it */
    LW_ENOMEM = -2,   /* no memory, or a memory cap was reached */
    LW_EIO = -3,      /* the operating system refused to read or write */
    LW_ENOENT = -4,   /* what was asked for does not exist */
    LW_ELIMIT = -5,   /* a stated size, depth or count limit was exceeded */
    LW_EMISSING = -6, /* a component is not installed; the text says how to get it */
    LW_ECANCEL = -7,  /* interrupted by the user */
    LW_ECORRUPT = -8, /* a file of ours is damaged, or from a newer version */
    LW_EBUSY = -9,    /* somebody else holds it; trying again may help */
    LW_EBUG = -10,    /* a fault in Lacewing itself */
    LW_ELACK = -11    /* open files or room on the disk ran out, or the device fails */
};

enum { LW_ERR_TEXT = 1024 };

/* One line for the user; contexts are put in front of it, "outer: inner". */
struct lw_err {
    int code;
    char text[LW_ERR_TEXT];
};

/* The exit code a program should end with for `code` (0, 2, 3, 4 or 130). */
LW_API int lw_exit_code(int code);

/* ---- Runs of programs -------------------------------------------------------------------- */

/* How a program that was run came to its end. */
enum lw_run_end {
    LW_RUN_NOT_STARTED = 0,
    LW_RUN_EXITED,        /* by itself; see exit */
    LW_RUN_SIGNALED,      /* by a signal that was not ours; see signal */
    LW_RUN_TIME_LIMIT,    /* wall or CPU time */
    LW_RUN_OUTPUT_LIMIT,  /* printed too much */
    LW_RUN_MEMORY_LIMIT,  /* all its processes together */
    LW_RUN_PROCESS_LIMIT, /* too many processes and threads */
    LW_RUN_DISK_LIMIT,    /* its working directory grew too large */
    LW_RUN_CANCELED,      /* interrupted by the user */
    LW_RUN_CUT_SHORT      /* the program ended before its test came to an end */
};

/* What is known about one run of a program and of everything it started. */
struct lw_run {
    enum lw_run_end end;
    int exit;            /* exit code when end is EXITED, else -1 */
    int signal;          /* signal number when end is SIGNALED, else 0 */
    double seconds;      /* wall time */
    double cpu_seconds;  /* user and system time of all processes */
    uint64_t peak_bytes; /* memory in use at the worst moment that was seen; 0 = unknown */
    struct lw_str out;   /* what it printed, as far as it was kept */
    struct lw_str err;
    bool out_cut; /* something in the middle was left out */
    bool err_cut;
    struct lw_str isolation; /* what held, e.g. "bwrap+seccomp+cgroup2"; empty = nothing */
};

/* "exited", "time-limit", …; static storage. */
LW_API const char *lw_run_end_name(enum lw_run_end end);
/* ---- Bugs ------------------------------------------------------------------------------- */

enum lw_side { LW_BUGGY, LW_FIXED };

/* A closed range of a metric, or "not a number". */
struct lw_range {
    double low, high;
    bool is_nan;
};

/* How a bug shows itself. */
enum lw_expect {
    LW_EXPECT_NONE,     /* nothing stated: cannot be verified */
    LW_EXPECT_EXPLICIT, /* an exception with a message */
    LW_EXPECT_METRIC    /* a metric in a range, for each of several seeds */
};

/*
 * One bug of the catalogue. Texts are UTF-8 and may be empty. The words used for type,
 * category, symptom and so on are those of data/vocabulary.csv.
 */
struct lw_bug {
    struct lw_str id, title, source, type, leaf, category, symptom, property;
    struct lw_str framework, framework_version, python_version;
    struct lw_str origin_url, fix_url;
    struct lw_str description, root_cause, generality, fix_pattern;
    struct lw_str error_message; /* what a user sees: exception and message, or the metric */
    struct lw_str report;        /* the bug as a user would report it */
    struct lw_str modules;       /* Python modules it needs, separated by ", " */
    struct lw_str requirements;  /* as in requirements.txt */
    struct lw_str command, test; /* the program, and what decides pass or fail */
    struct lw_str exception, message; /* expected, where explicit */
    struct lw_str metric;             /* expected, where silent */
    struct lw_str git_url, buggy_commit, fixed_commit;
    struct lw_str retracted; /* why it was withdrawn; empty for a living bug */
    /* As its source states them, separated by commas, while it is being stored; a bug that was
     * found or listed has them empty. */
    struct lw_str similar, tools;
    enum lw_expect expect;
    struct lw_range range[2]; /* by side */
    int64_t seeds;
    int64_t seconds;   /* limit of one run */
    int64_t memory_mb; /* limit of one run */
    int64_t support_level;
    bool trusted; /* came with the program */
};

/* ---- The catalogue ---------------------------------------------------------------------- */

typedef struct lw_catalog lw_catalog;

/* Opens the catalogue at `path` (NULL: the user's own, made on first use) and brings the bugs
 * that come with the program up to date. Talks on standard error only about trouble. */
LW_API int lw_catalog_open(lw_catalog **catalog, const char *path, struct lw_err *err);
LW_API void lw_catalog_close(lw_catalog *catalog); /* NULL is fine */

/* What to list. Empty texts and zeroes ask for nothing in particular. */
struct lw_query {
    struct lw_str type, leaf, category, framework, symptom, property, source, tool;
    struct lw_str text; /* words that must all occur */
    /* A field of lw_bug, "-field" for descending, or "relevance"; empty: by id, or with `text`
     * in the order in which the bugs came into the catalogue, which is the fastest. */
    struct lw_str sort;
    bool (*accept)(void *data, const struct lw_bug *bug); /* a filter of the caller's own */
    void *accept_data;
    /* `accept` looks at framework, modules and the two versions only: it is then asked once for
     * each environment there is, not for each bug. */
    bool accept_by_environment;
    uint64_t limit; /* 0 = all */
    uint64_t offset;
};

/* Called for each bug; the bug is borrowed until it returns. Non-zero stops the listing and is
 * returned by lw_catalog_list. */
typedef int (*lw_bug_fn)(void *data, const struct lw_bug *bug);

/* Streams the bugs in a stable order. Long texts (description, report, …) are left empty. */
LW_API int lw_catalog_list(lw_catalog *catalog, const struct lw_query *query, lw_bug_fn each,
                           void *data, struct lw_err *err);

/* How many bugs match, whatever the offset; counting stops at the limit, where there is one. */
LW_API int lw_catalog_count(lw_catalog *catalog, const struct lw_query *query, uint64_t *count,
                            struct lw_err *err);

/* One bug with all its texts, borrowed until the next call with this handle. LW_ENOENT with the
 * nearest ids when there is none. */
LW_API int lw_catalog_find(lw_catalog *catalog, struct lw_str id, const struct lw_bug **bug,
                           struct lw_err *err);

/* ---- Verification ----------------------------------------------------------------------- */

enum lw_verdict {
    LW_REPRODUCED,     /* buggy fails for the stated reason, fixed passes */
    LW_NOT_REPRODUCED, /* one of the sides did not behave as stated */
    LW_FLAKY,          /* sometimes the one, sometimes the other */
    LW_UNAVAILABLE     /* what the bug needs is not on this machine */
};

/* "reproduced", "not-reproduced", "flaky", "unavailable"; static storage. */
LW_API const char *lw_verdict_name(enum lw_verdict verdict);

/* What one side did. */
struct lw_side_result {
    bool ran;
    bool as_stated; /* buggy: failed for the stated reason; fixed: passed */
    int exit;
    double seconds;
    struct lw_str
        failure; /* one line: the exception, the metric, the limit; empty if it passed */
};

struct lw_verification {
    struct lw_str id, backend, isolation;
    enum lw_verdict verdict;
    struct lw_str reason;          /* one line; empty when reproduced */
    struct lw_side_result side[2]; /* of the last run */
    uint64_t times, agreed;        /* how often both sides were run, and behaved as stated */
};

/* Runs both sides of a bug in the sandbox, judges them, and stores the evidence. The texts are
 * borrowed until the next call with this handle. A bug that cannot run here is no error: its
 * verdict is LW_UNAVAILABLE. `allow_weak` lets bugs that did not come with the program run
 * where real isolation is impossible. */
LW_API int lw_catalog_verify(lw_catalog *catalog, struct lw_str id, bool allow_weak,
                             struct lw_verification *verification, struct lw_err *err);

/* ---- Version ---------------------------------------------------------------------------- */

/* "MAJOR.MINOR.PATCH"; static storage. */
LW_API const char *lw_version(void);

#ifdef __cplusplus
}
#endif

#endif
