/*
 * accept - takes a new bug into the catalogue, by evidence.
 *
 * The folder or archive is checked, both sides are run several times in isolation, and only a
 * bug that reproduced every time is stored. Otherwise the catalogue does not change. A bug may
 * also be proposed: it waits in a queue, as an archive, for somebody to accept or reject it.
 */
#ifndef LW_VERIFY_ACCEPT_H
#define LW_VERIFY_ACCEPT_H

#include "verify/verify.h"

/* `path` is a folder or an archive of one. `verification` is its evidence, texts in `arena`.
 * LW_EINVAL when it is no specimen, the id is taken, or the bug did not reproduce v->repeat
 * times. */
int lw_accept_path(const struct lw_verifier *v, const char *path, struct lw_arena *arena,
                   struct lw_verification *verification, struct lw_err *err);

/* The same for a bug of the queue; its submission is then accepted, in the same transaction. */
int lw_accept_submission(const struct lw_verifier *v, uint64_t number, struct lw_arena *arena,
                         struct lw_verification *verification, struct lw_err *err);

/* Checks the folder or archive and puts it into the queue; nothing is run. `*id` in `arena`. */
int lw_propose_path(lw_catalog *catalog, const char *path, struct lw_arena *arena,
                    struct lw_str *id, uint64_t *number, struct lw_err *err);

#endif
