/*
 * stats - what the tests of `lacewing stats` share: the data chosen by the options, and one
 * form of result from which text and JSON are printed.
 */
#ifndef LW_CLI_STATS_H
#define LW_CLI_STATS_H

#include "cli/cli.h"
#include "numeric/frame.h"
#include "numeric/hypothesis.h"

enum { STATS_GROUPS = 64, STATS_NOTES = 6 };

/* One sample with its name. */
struct stats_group {
    struct lw_str name;
    double *x;
    size_t n;
};

struct stats_data {
    struct cli *cli;
    struct lw_frame frame;
    size_t column[STATS_GROUPS]; /* chosen by --columns, or all that fit */
    size_t columns;
    struct stats_group group[STATS_GROUPS];
    size_t groups;
    size_t left_out; /* rows or fields without a value */
};

/* The result of a test that has a statistic and a p-value, or an estimate with an interval. */
struct stats_result {
    const char *hypothesis; /* H0 */
    const char *statistic_name;
    double statistic, df, df2, p; /* NaN = the test has none */
    bool exact;
    const char *effect_name;
    double effect, low, high; /* NaN = none */
    const char *reading;      /* NULL = none */
    struct lw_str sentence;
    struct lw_str note[STATS_NOTES];
    size_t notes;
};

struct stats_test {
    const char *name;
    const char *what;
    int (*run)(struct stats_data *d, struct lw_err *err);
    bool no_file;
};

extern const struct stats_test stats_tests[];
/* In stats_models.c: tests with a form of result of their own. */
int stats_glm(struct stats_data *d, struct lw_err *err);
int stats_apriori(struct stats_data *d, struct lw_err *err);
int stats_cochran(struct stats_data *d, struct lw_err *err);
int stats_sample(struct stats_data *d, struct lw_err *err);
int stats_adjust(struct stats_data *d, struct lw_err *err);
int stats_describe(struct stats_data *d, struct lw_err *err);
int stats_bootstrap(struct stats_data *d, struct lw_err *err);

/* In stats_data.c. Fills `column` from --columns, else with all columns (only numeric ones when
 * `numeric`). LW_EINVAL when a chosen one is not numeric although it has to be. */
int stats_columns(struct stats_data *d, bool numeric, struct lw_err *err);
/* Groups of numbers: the chosen columns, or one column split by --by. Fields without a value
 * are left out; with `paired` the whole row is. */
int stats_groups(struct stats_data *d, bool paired, size_t least, size_t most,
                 struct lw_err *err);
/* Category numbers of several columns with common names; rows with a missing value are left
 * out. code[c] has *rows values. */
int stats_codes(struct stats_data *d, size_t count, uint32_t **code, size_t *rows,
                struct lw_str **names, size_t *classes, struct lw_err *err);
/* A number option; `otherwise` when it was not given. */
int stats_number(const struct cli *cli, const char *name, double otherwise, double least,
                 double most, double *out, struct lw_err *err);
enum lw_tail stats_tail(const struct cli *cli);

/* Prints a result as text or JSON. */
int stats_print(struct stats_data *d, const struct stats_result *r, struct lw_err *err);
void stats_note(struct stats_result *r, struct lw_str note);
/* "p = 0.031", "p < 1e-300". */
struct lw_str stats_p(struct cli *cli, double p);
/* Begins the JSON object of every test: {"test":…, "file":… */
void stats_json_begin(struct lw_jsonw *w, struct stats_data *d);

#endif
