/*
 * plot - the calibration of the type model as a picture.
 */
#ifndef LW_TRIAGE_PLOT_H
#define LW_TRIAGE_PLOT_H

#include "base/buf.h"
#include "triage/evaluate.h"

/* Appends an SVG picture: a point a bin, its mean score against the share of right answers with
 * the 95 % interval (Wilson), as large as the bin has reports; the diagonal is perfect. */
void lw_calibration_plot(struct lw_buf *out, const struct lw_type_eval *e);

#endif
