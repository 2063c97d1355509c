/* BLUiR (R. Saha and others, ASE 2013): structured retrieval. Summary and description are each
 * compared with the names of classes, of functions, of everything else, and with the comments
 * of each file; the eight scores are added up. */
#include "locate/score.h"
#include "locate/technique.h"

static int score(const struct lw_setup *setup, const struct lw_case *c, double *scores,
                 struct lw_err *err)
{
    static const enum lw_field fields[] = {LW_FIELD_CLASS, LW_FIELD_FUNCTION, LW_FIELD_NAME,
                                           LW_FIELD_COMMENT};
    const struct lw_bag *queries[] = {&c->ticket->summary_terms, &c->ticket->description_terms};
    struct lw_bm25 parameters = {lw_setup_value(setup, "k1"), lw_setup_value(setup, "b")};
    int rc = 0;
    for (size_t f = 0; f < sizeof fields / sizeof *fields && rc == 0; f++)
        rc = lw_score_bm25(c, fields[f], queries, 2, parameters, scores, err);
    return rc;
}

static void explain(const struct lw_setup *setup, const struct lw_case *c,
                    const struct lw_features *features, size_t file, struct lw_buf *why)
{
    (void)setup, (void)features;
    lw_explain_terms(c, &c->ticket->terms, file, why);
}

const struct lw_technique lw_technique_bluir = {
    .name = "bluir",
    .summary = "summary and description against classes, functions, names and comments",
    .parameters =
        (const struct lw_parameter[]){
            {"k1", 1.2, 0, 10, "how quickly repeated terms stop counting"},
            {"b", 0.75, 0, 1, "how strongly long files are penalised"},
            {NULL, 0, 0, 0, NULL}},
    .score = score,
    .explain = explain,
};
