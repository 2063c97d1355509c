/*
 * triage - what the commands on bug reports share: printing.
 */
#ifndef LW_CLI_TRIAGE_H
#define LW_CLI_TRIAGE_H

#include "cli/cli.h"
#include "triage/set.h"
#include "triage/similar.h"

enum { TRIAGE_SIMILAR = 5 };

/* Everything that is printed of one report. */
struct triage_shown {
    struct lw_str id; /* of a set; empty: a single report */
    const lw_report *report;
    const struct lw_triage *triage;
    struct lw_similar similar[TRIAGE_SIMILAR];
    size_t similar_count;
};

/* The object of INTERFACE: one report as JSON. */
void triage_json(struct lw_jsonw *w, const struct triage_shown *s);
void triage_text(struct cli *cli, const struct triage_shown *s);
/* A polite comment that asks for what is missing. */
void triage_comment(struct cli *cli, const struct triage_shown *s);

/* "extrinsic (third-party: numpy 1.20)". */
void triage_put_origin(struct lw_sink *out, const struct lw_origin *o);

/* Rules as text: "0.86 code (43 of 50, support 0.29)". */
void triage_put_rules(struct lw_sink *out, const struct lw_advice *a, size_t most);
void triage_json_rules(struct lw_jsonw *w, const struct lw_advice *a, size_t most);

#endif
