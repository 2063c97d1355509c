/*
 * ctx - what an engine call needs from its surroundings, made once by the face that calls it.
 */
#ifndef LW_BASE_CTX_H
#define LW_BASE_CTX_H

#include <stdatomic.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/term.h"

struct lw_ctx {
    struct lw_mem *mem; /* NULL = process heap */
    struct lw_log log;
    struct lw_clock clock;
    struct lw_term talk; /* where progress is drawn: standard error */
    uint64_t seed;
    unsigned jobs;
    const atomic_bool *cancel; /* becomes true when the user interrupts; may be NULL */
};

static inline bool lw_ctx_canceled(const struct lw_ctx *ctx)
{
    return ctx->cancel && atomic_load(ctx->cancel);
}

#endif
