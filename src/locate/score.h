/*
 * score - what several techniques compute alike. Results are one number per candidate, in the
 * order of the files; `scores` has room for them.
 */
#ifndef LW_LOCATE_SCORE_H
#define LW_LOCATE_SCORE_H

#include "locate/case.h"

/* To 0…1 by the smallest and largest; all 0 when they are the same. */
void lw_minmax(double *scores, size_t n);

/* How the lengths of files are scaled: the shortest is 0, the longest `steepness`; with
 * `deviations` over 0 nothing counts as longer than so many of them over the mean. The paper's
 * text has {0, 1}, its program {3, 6}. */
struct lw_length_scale {
    double deviations, steepness;
};

/* rVSM of BugLocator (Zhou, Zhang and Lo 2012, equations 2 to 8): the cosine of the vectors of
 * (1 + log tf) log(N / df) of the query and the file's text, times 1 / (1 + e^-len) with len
 * the scaled length. */
int lw_score_rvsm(const struct lw_case *c, const struct lw_bag *query,
                  struct lw_length_scale scale, double *scores, struct lw_err *err);

/* Queries that are compared with a field in one go. */
enum { LW_QUERIES_MOST = 2 };

/* The cosine alone, of a field with each of the `n` queries, added to `scores`. */
int lw_score_cosine(const struct lw_case *c, enum lw_field field,
                    const struct lw_bag *const *queries, size_t n, double *scores,
                    struct lw_err *err);
/* The squares of the lengths of the vectors of a field, for documents of one segment. 0 or
 * LW_ENOMEM. */
int lw_score_squares(struct lw_arena *arena, const struct lw_files *files, enum lw_field field,
                     const uint32_t *df, double *squares);
/* `scores` times the length function alone. */
void lw_score_length(const struct lw_case *c, struct lw_length_scale scale, double *scores);

struct lw_bm25 {
    double k1, b;
};

/* BM25 of a field for each of the `n` queries, added to `scores`: sum over the query's terms of
 * qtf idf tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length)), idf = log(1 + (N - df +
 * 0.5) / (df + 0.5)). */
int lw_score_bm25(const struct lw_case *c, enum lw_field field,
                  const struct lw_bag *const *queries, size_t n, struct lw_bm25 parameters,
                  double *scores, struct lw_err *err);

/* Cosines of the ticket with each of the earlier ones, vectors as in rVSM over these reports;
 * `cosines` has room for c->earlier_count. */
int lw_similar_reports(const struct lw_case *c, double *cosines, struct lw_err *err);

/* SimiScore of BugLocator: each earlier report gives its cosine, divided by how many files its
 * fix changed, to those files. */
int lw_score_similar(const struct lw_case *c, double *scores, struct lw_err *err);

/* The word of the report that the term comes from, in `arena`; the term itself when none. */
struct lw_str lw_spelt(const struct lw_case *c, struct lw_arena *arena, uint32_t term);

/* Appends "words a, b, c": the query's terms that count most in the file's text. */
void lw_explain_terms(const struct lw_case *c, const struct lw_bag *query, size_t file,
                      struct lw_buf *why);
/* Appends "fixed for the similar report 12": the most similar ones. */
void lw_explain_similar(const struct lw_case *c, size_t file, struct lw_buf *why);

#endif
