/*
 * ending - how the program ends when it is told to.
 *
 * SIGINT, SIGTERM and SIGHUP end every command within a second and with exit code 130; a reader
 * of the output that goes away (SIGPIPE) does so with 141. A signal first sets the cancel flag
 * of the context, so that a command that looks at it can finish tidily. What has not ended a
 * tenth of a second later is ended from a thread of its own, wherever it is: programs that run
 * in the sandbox get a little more time to go, temporary files are removed (base/leftover.h),
 * and the process exits. Files are written aside and renamed and the catalogue is written in
 * transactions, so nothing half-written can be left.
 */
#ifndef LW_CLI_ENDING_H
#define LW_CLI_ENDING_H

#include <stdatomic.h>

#include "base/err.h"

/* From here on signals are heard. A signal that was ignored stays ignored (nohup), but SIGPIPE.
 * Returns the cancel flag. */
const atomic_bool *ending_listen(void);

/* The exit code for a command that ended with `code`: of the signal if there was one. Prints
 * the line of `err` when the code is negative. */
int ending_code(int code, const struct lw_err *err);

#endif
