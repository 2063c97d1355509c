/*
 * sides - are the buggy and the fixed side of a bug the same program?
 *
 * Then nothing can be learnt from running them, whatever a test makes of the time, its user or
 * the order of the runs.
 */
#ifndef LW_CATALOG_SIDES_H
#define LW_CATALOG_SIDES_H

#include "catalog/specimen.h"

/*
 * Both sides have the same files, and each is the same byte for byte or, for Python, token for
 * token: comments, blank lines and how line ends are written play no part. Python that the
 * lexer does not understand, or that names its encoding, is compared as bytes, so that no
 * difference is passed over that the interpreter sees. False when there are no such files.
 */
int lw_sides_same(const lw_file_vec *files, struct lw_mem *mem, bool *same, struct lw_err *err);

#endif
