/*
 * filter - the system calls a confined program may not make.
 *
 * A list of what is dangerous, not of what is allowed: numeric frameworks use too many calls,
 * and new ones with every release. What is denied fails with EPERM, so that programs see an
 * ordinary error. Internal to sandbox/.
 */
#ifndef LW_SANDBOX_FILTER_H
#define LW_SANDBOX_FILTER_H

#include "base/mem.h"
#include "lacewing.h"

/* The BPF program, an array of struct sock_filter; owned, freed by filter_release. */
struct filter {
    void *code;
    size_t bytes;
};

/* With `deny_inet` also internet sockets are denied, for where there is no network namespace.
 */
int filter_build(struct filter *out, struct lw_mem *mem, bool deny_inet, struct lw_err *err);
void filter_release(struct filter *f, struct lw_mem *mem);

/* Binds the calling process and all it starts, for good; async-signal-safe. 0 or errno. */
int filter_install(const struct filter *f);

#endif
