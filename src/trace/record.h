/*
 * record - the recorder's face for a program in another language: plain C calls, no structs.
 *
 * Built into a small library of its own (lacewing-record), which Python loads with ctypes into
 * the program that is being trained. It must never harm that program: no call prints, exits or
 * raises, every failure only ends the recording, and a forked child records nothing.
 *
 * All texts are UTF-8 with a length. Tensors are only read, during the call.
 */
#ifndef LW_TRACE_RECORD_H
#define LW_TRACE_RECORD_H

#include <stdint.h>

#include "lacewing.h"

struct lw_recorder;

/* A new file; NULL when it exists already or cannot be made. Free with lwr_close. */
LW_API struct lw_recorder *lwr_open(const char *path);
/* 1 when everything was written. `r` may be NULL, here only. */
LW_API int lwr_close(struct lw_recorder *r);
/* Writes what was gathered; 1 while the recording goes on, 0 when it has failed. */
LW_API int lwr_flush(struct lw_recorder *r);

LW_API void lwr_meta(struct lw_recorder *r, const char *json, uint64_t n);
/* `role`: the number of enum lw_trace_role; line 0 and empty texts: not known. */
LW_API void lwr_name(struct lw_recorder *r, uint32_t id, uint32_t role, const char *name,
                     const char *layer, const char *path, uint32_t line);
LW_API void lwr_point(struct lw_recorder *r, uint32_t id, uint32_t step, double time,
                      double value);
LW_API void lwr_event(struct lw_recorder *r, uint32_t id, uint32_t step, uint32_t subject,
                      double value);

/* Statistics of `count` tensors; dtype: the numbers of enum lw_dtype. At most `most` values of
 * each are looked at, 0 = all. */
LW_API void lwr_tensors(struct lw_recorder *r, uint32_t step, uint32_t count,
                        const uint32_t *ids, const uint64_t *addresses, const uint64_t *sizes,
                        const uint32_t *dtypes, uint64_t most);

/* Remembers samples of `count` tensors under their ids, for lwr_changes. */
LW_API void lwr_remember(struct lw_recorder *r, uint32_t count, const uint32_t *ids,
                         const uint64_t *addresses, const uint64_t *sizes,
                         const uint32_t *dtypes, uint64_t most);
/* Statistics of what has changed since, as rows of the same ids. `changed` gets 1 where a
 * sampled value is another than before, else 0. */
LW_API void lwr_changes(struct lw_recorder *r, uint32_t step, uint32_t count,
                        const uint32_t *ids, const uint64_t *addresses, const uint64_t *sizes,
                        const uint32_t *dtypes, uint8_t *changed);

#endif
