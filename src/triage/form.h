/*
 * form - report forms that ask for what a type of bug needs.
 *
 * The questions are those of data/triage/form.csv. Component information comes in the order of
 * the association rules of the type and is required where reproducing needed it in at least
 * half of the bugs.
 */
#ifndef LW_TRIAGE_FORM_H
#define LW_TRIAGE_FORM_H

#include "base/sink.h"
#include "triage/triage.h"

enum lw_form_style { LW_FORM_GITHUB, LW_FORM_MARKDOWN, LW_FORM_GITLAB };

struct lw_form_field {
    struct lw_str key, label, description, placeholder;
    bool required;
};

enum { LW_FORM_FIELDS = 12 };

struct lw_form {
    enum lw_bug_type type; /* UNKNOWN: for any */
    struct lw_form_field field[LW_FORM_FIELDS];
    size_t count;
};

/* Texts are in `arena`. */
int lw_form_make(struct lw_form *out, const lw_triager *t, enum lw_bug_type type,
                 struct lw_arena *arena, struct lw_err *err);

void lw_form_print(const struct lw_form *form, enum lw_form_style style, struct lw_sink *out);

/* Does the report answer the field? */
bool lw_form_is_answered(const struct lw_form_field *field, const struct lw_triage *triage,
                         const lw_report *r);

#endif
