/* BugLocator (J. Zhou, H. Zhang and D. Lo, ICSE 2012): the revised vector space model, and what
 * similar reports were fixed by. */
#include "base/err.h"
#include "locate/score.h"
#include "locate/technique.h"

/* (1 - alpha) N(rVSM) + alpha N(SimiScore), N to 0…1 over the candidates (equation 10). */
static int score(const struct lw_setup *setup, const struct lw_case *c, double *scores,
                 struct lw_err *err)
{
    size_t n = c->snapshot->files.n;
    double alpha = lw_setup_value(setup, "alpha");
    double *similar = lw_arena_array(c->arena, n + 1, sizeof *similar);
    if (!similar)
        return lw_err_nomem(err);
    struct lw_length_scale scale = {lw_setup_value(setup, "deviations"),
                                    lw_setup_value(setup, "steepness")};
    int rc = lw_score_rvsm(c, &c->ticket->terms, scale, scores, err);
    if (rc == 0)
        rc = lw_score_similar(c, similar, err);
    lw_minmax(scores, n);
    lw_minmax(similar, n);
    for (size_t i = 0; i < n; i++)
        scores[i] = (1 - alpha) * scores[i] + alpha * similar[i];
    return rc;
}

static void explain(const struct lw_setup *setup, const struct lw_case *c,
                    const struct lw_features *features, size_t file, struct lw_buf *why)
{
    (void)setup, (void)features;
    lw_explain_terms(c, &c->ticket->terms, file, why);
    lw_explain_similar(c, file, why);
}

const struct lw_technique lw_technique_buglocator = {
    .name = "buglocator",
    .summary = "text of the files (rVSM) and files of similar fixed reports",
    .parameters =
        (const struct lw_parameter[]){
            {"alpha", 0.2, 0, 1, "weight of the similar reports"},
            {"deviations", 0, 0, 100,
             "length that counts as longest, in deviations above the mean; 0: the real one"},
            {"steepness", 1, 0, 100, "how strongly long files are preferred"},
            {NULL, 0, 0, 0, NULL}},
    .score = score,
    .explain = explain,
};
