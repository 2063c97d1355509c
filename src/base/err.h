/*
 * err - how a failure finds its way to the user.
 *
 * The function that fails writes one line into the caller's `struct lw_err`; layers that know
 * the user's words put their context in front; only the faces print it. Nothing allocates, so
 * out-of-memory can be reported too.
 */
#ifndef LW_BASE_ERR_H
#define LW_BASE_ERR_H

#include "lacewing.h"

/* Writes the line and returns `code`, so that `return lw_err_set(…)` reads well. */
int lw_err_set(struct lw_err *err, int code, const char *fmt, ...) LW_PRINTF(3, 4);

/* Puts "context: " in front of the line and returns the code that is in `err`. */
int lw_err_context(struct lw_err *err, const char *fmt, ...) LW_PRINTF(2, 3);

/* "out of memory", with the code. */
int lw_err_nomem(struct lw_err *err);

/* The line of `errno` value `number` after "what 'path'", e.g. "cannot open 'x': No such …".
 * The code is LW_ENOENT for ENOENT and ENOTDIR, LW_ENOMEM for ENOMEM, LW_ELACK for another
 * lack, else LW_EIO. */
int lw_err_system(struct lw_err *err, int number, const char *what, struct lw_str path);

/* Does it say that the process or the machine lacks something (memory, open files, room on the
 * disk, a disk that works)? Then nothing is known about the file that was asked for: it is
 * neither missing nor damaged. */
bool lw_errno_is_lack(int number);

/* The lack that the message of another library ends with, as C's own words say it; 0 = none. */
int lw_errno_of_lack(const char *message);

/* Ends the program with code 4 and a request to report it: for the impossible, never for input.
 */
_Noreturn void lw_bug(const char *file, int line, const char *condition);
#define LW_BUG_ON(cond) ((cond) ? lw_bug(__FILE__, __LINE__, #cond) : (void)0)

#endif
