#include "numeric/metrics.h"

#include <math.h>

#include "base/arena.h"
#include "numeric/rank.h"

double lw_accuracy(const uint32_t *truth, const uint32_t *guess, size_t n)
{
    size_t same = 0;
    for (size_t i = 0; i < n; i++)
        same += truth[i] == guess[i];
    return n ? (double)same / (double)n : NAN;
}

int lw_macro_f1(struct lw_mem *mem, const uint32_t *truth, const uint32_t *guess, size_t n,
                size_t classes, double *out)
{
    size_t bytes = 3 * classes * sizeof(size_t);
    size_t *hit = lw_mem_alloc(mem, bytes);
    if (!hit)
        return LW_ENOMEM;
    size_t *in_truth = hit + classes, *in_guess = in_truth + classes;
    for (size_t i = 0; i < n; i++) {
        hit[truth[i]] += truth[i] == guess[i];
        in_truth[truth[i]]++;
        in_guess[guess[i]]++;
    }
    double sum = 0;
    size_t seen = 0;
    for (size_t c = 0; c < classes; c++)
        if (in_truth[c] + in_guess[c] > 0) {
            sum += 2 * (double)hit[c] / (double)(in_truth[c] + in_guess[c]);
            seen++;
        }
    lw_mem_free(mem, hit, bytes);
    *out = seen ? sum / (double)seen : NAN;
    return 0;
}

int lw_auc(struct lw_mem *mem, const double *score, const uint8_t *positive, size_t n,
           double *out)
{
    double *rank = lw_mem_alloc(mem, n * sizeof *rank);
    if (!rank || lw_ranks(mem, score, n, rank, NULL) < 0) {
        lw_mem_free(mem, rank, n * sizeof *rank);
        return LW_ENOMEM;
    }
    double sum = 0, yes = 0;
    for (size_t i = 0; i < n; i++)
        if (positive[i]) {
            sum += rank[i];
            yes++;
        }
    double no = (double)n - yes;
    *out = yes > 0 && no > 0 ? (sum - yes * (yes + 1) / 2) / (yes * no) : NAN;
    lw_mem_free(mem, rank, n * sizeof *rank);
    return 0;
}

int lw_average_precision(struct lw_mem *mem, const double *score, const uint8_t *positive,
                         size_t n, double *out)
{
    uint32_t *order = lw_mem_alloc(mem, n * sizeof *order);
    if (!order || lw_sort_order(mem, score, n, order) < 0) {
        lw_mem_free(mem, order, n * sizeof *order);
        return LW_ENOMEM;
    }
    double all = 0, hits = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        all += positive[i] != 0;
    for (size_t i = n; i > 0;) { /* from the highest score down */
        double before = hits, s = score[order[i - 1]];
        for (; i > 0 && score[order[i - 1]] == s; i--)
            hits += positive[order[i - 1]] != 0;
        sum += (hits - before) * hits / (double)(n - i);
    }
    lw_mem_free(mem, order, n * sizeof *order);
    *out = all > 0 ? sum / all : NAN;
    return 0;
}

double lw_reciprocal_rank(const uint8_t *relevant, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (relevant[i])
            return 1 / (double)(i + 1);
    return 0;
}

bool lw_top_k(const uint8_t *relevant, size_t n, size_t k)
{
    for (size_t i = 0; i < n && i < k; i++)
        if (relevant[i])
            return true;
    return false;
}

double lw_ranking_ap(const uint8_t *relevant, size_t n, size_t all_relevant)
{
    double hits = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        if (relevant[i]) {
            hits++;
            sum += hits / (double)(i + 1);
        }
    return all_relevant ? sum / (double)all_relevant : NAN;
}

double lw_dcg(const double *gain, size_t n, size_t k, bool exponential)
{
    double sum = 0;
    for (size_t i = 0; i < n && (k == 0 || i < k); i++)
        sum += (exponential ? exp2(gain[i]) - 1 : gain[i]) / log2((double)i + 2);
    return sum;
}

double lw_ndcg(const double *gain, const double *ideal, size_t n, size_t k, bool exponential)
{
    double best = lw_dcg(ideal, n, k, exponential);
    return best > 0 ? lw_dcg(gain, n, k, exponential) / best : NAN;
}
