/*
 * accept - takes a new bug into the catalogue, by evidence.
 *
 * The folder is checked, both sides are run several times in isolation, and only a bug that
 * reproduced every time is stored. Otherwise the catalogue does not change.
 */
#ifndef LW_VERIFY_ACCEPT_H
#define LW_VERIFY_ACCEPT_H

#include "verify/verify.h"

/* `id` (in `arena`) is that of the new bug; `verification` its evidence. LW_EINVAL when the
 * folder is no specimen, the id is taken, or the bug did not reproduce v->repeat times. */
int lw_accept_folder(const struct lw_verifier *v, const char *folder, struct lw_arena *arena,
                     struct lw_verification *verification, struct lw_err *err);

#endif
