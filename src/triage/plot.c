#include "triage/plot.h"

#include <math.h>

#include "base/str.h"

enum { LEFT = 60, TOP = 40, SIDE = 300 };

static double x_of(double score)
{
    return LEFT + score * SIDE;
}

static double y_of(double share)
{
    return TOP + (1 - share) * SIDE;
}

static void draw_axes(struct lw_buf *out, const struct lw_type_eval *e)
{
    lw_buf_addf(out,
                "<text x=\"%d\" y=\"24\" font-weight=\"bold\">%zu reports, mean "
                "difference %.3f</text>\n",
                LEFT, e->n, e->calibration_error);
    lw_buf_addf(out, "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#888\"/>\n", LEFT, TOP,
                TOP + SIDE, LEFT + SIDE);
    lw_buf_addf(out, "<path d=\"M%d %dL%d %d\" stroke=\"#c66\" stroke-dasharray=\"4\"/>\n",
                LEFT, TOP + SIDE, LEFT + SIDE, TOP);
    for (int i = 0; i <= 10; i += 2) {
        lw_buf_addf(out, "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%.1f</text>\n",
                    x_of(i / 10.0), TOP + SIDE + 18, i / 10.0);
        lw_buf_addf(out, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%.1f</text>\n",
                    LEFT - 6, y_of(i / 10.0) + 4, i / 10.0);
    }
    lw_buf_addf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">best score</text>\n",
                LEFT + SIDE, TOP + SIDE + 36);
    lw_buf_addf(out, "<text x=\"%d\" y=\"%d\">right</text>\n", LEFT + 6, TOP + 10);
}

static void draw_bin(struct lw_buf *out, const struct lw_calibration_bin *bin)
{
    double n = (double)bin->n, right = (double)bin->right / n, x = x_of(bin->mean_score);
    double low, high;
    lw_wilson(right, n, &low, &high);
    lw_buf_addf(out, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#9bd\"/>\n", x, y_of(low),
                y_of(high));
    lw_buf_addf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#47a\"><title>%zu reports: "
                "score %.2f, right %.2f</title></circle>\n",
                x, y_of(right), fmin(2 + sqrt(n) / 2, 12), bin->n, bin->mean_score, right);
}

void lw_calibration_plot(struct lw_buf *out, const struct lw_type_eval *e)
{
    lw_buf_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "font-family=\"sans-serif\" font-size=\"12\">\n",
                LEFT + SIDE + 30, TOP + SIDE + 50);
    draw_axes(out, e);
    for (size_t b = 0; b < LW_CALIBRATION_BINS; b++)
        if (e->bin[b].n > 0)
            draw_bin(out, &e->bin[b]);
    lw_buf_add(out, LW_S("</svg>\n"));
}
