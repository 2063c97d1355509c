/*
 * runner - runs a candidate in the sandbox and compares what it shows with what the report
 * states.
 *
 * Explicit: the type of the exception and its masked message are those of the report
 * (verify/judge.h). Silent: five runs with five seeds; the mean of the reported metric is
 * within 5 % of the reported value, or both are no number.
 */
#ifndef LW_REPRODUCE_RUNNER_H
#define LW_REPRODUCE_RUNNER_H

#include "reproduce/reproduce.h"
#include "sandbox/sandbox.h"
#include "verify/judge.h"
#include "verify/pythons.h"

struct rp_runner {
    const struct lw_ctx *ctx;
    lw_sandbox *sandbox;
    struct pythons pythons;
    const struct python *python; /* that has the framework */
    bool allow_weak;
};

/* LW_EMISSING: no Python here has the framework's module. */
int rp_runner_init(struct rp_runner *r, const struct lw_ctx *ctx, struct lw_str framework,
                   bool allow_weak, struct lw_err *err);
void rp_runner_release(struct rp_runner *r);

/* One run of the program with its files beside it, for at most so many seconds. */
int rp_run(struct rp_runner *r, const struct lw_reproduction *of, uint64_t seed, double seconds,
           struct lw_arena *arena, struct lw_run *run, struct lw_err *err);

/* What the report states that a run should show. Texts are the report's. */
int rp_reported_read(struct lw_reported *out, const lw_report *report, struct lw_arena *arena,
                     struct lw_err *err);
/* Is the exception the one of the report? */
int rp_same_error(const struct lw_reported *reported, const struct lw_exception *seen,
                  struct lw_arena *arena, bool *same, struct lw_err *err);
/* The last value that the output states for the metric; false: none. */
bool rp_metric_read(struct lw_mem *mem, struct lw_str output, struct lw_str metric,
                    double *value);
/* Within 5 %, or both no number. */
bool rp_same_value(double reported, double seen);

#endif
