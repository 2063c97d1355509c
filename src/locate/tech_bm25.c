/* BM25 (Robertson and others, Okapi at TREC-3) over the whole text of the files. */
#include "locate/score.h"
#include "locate/technique.h"

static int score(const struct lw_setup *setup, const struct lw_case *c, double *scores,
                 struct lw_err *err)
{
    const struct lw_bag *query = &c->ticket->terms;
    struct lw_bm25 parameters = {lw_setup_value(setup, "k1"), lw_setup_value(setup, "b")};
    return lw_score_bm25(c, LW_FIELD_TEXT, &query, 1, parameters, scores, err);
}

static void explain(const struct lw_setup *setup, const struct lw_case *c,
                    const struct lw_features *features, size_t file, struct lw_buf *why)
{
    (void)setup, (void)features;
    lw_explain_terms(c, &c->ticket->terms, file, why);
}

const struct lw_technique lw_technique_bm25 = {
    .name = "bm25",
    .summary = "BM25 of the report over the text of each file",
    .parameters =
        (const struct lw_parameter[]){
            {"k1", 1.2, 0, 10, "how quickly repeated terms stop counting"},
            {"b", 0.75, 0, 1, "how strongly long files are penalised"},
            {NULL, 0, 0, 0, NULL}},
    .score = score,
    .explain = explain,
};
