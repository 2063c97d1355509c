/* Calls of the API tables as text, one a line: "TYPE SHAPE [LO, HI]" of each result, or its
 * value, then " ! rule: message" for each problem. With --check reads every entry, with
 * --coverage counts them, with --list prints kind, names and parameters of all, --print NAME
 * one entry. */
#include "lines.h"

#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "knowledge/api.h"
#include "knowledge/api_text.h"

static struct lw_dims dims;
static struct lw_apis *apis;

/* All digits, which the peers compare. */
static void put_range(struct lw_interval r, struct lw_sink *out)
{
    char lo[LW_DOUBLE_TEXT], hi[LW_DOUBLE_TEXT];
    if (r.lo == r.hi)
        lw_putz(out, lw_print_double(r.lo, lo));
    else
        lw_putf(out, "[%s, %s]", lw_print_double(r.lo, lo), lw_print_double(r.hi, hi));
}

static void put_value(struct lw_value v, struct lw_sink *out, int depth)
{
    struct lw_buf b;
    lw_buf_init(&b, NULL, 0);
    if (lw_v_is_seq(v) && depth > 0) {
        lw_put_char(out, '[');
        for (uint32_t i = 0; i < v.seq.n; i++) {
            lw_putz(out, i ? "; " : "");
            put_value(v.seq.items[i], out, depth - 1);
        }
        lw_putz(out, v.seq.open ? "; ..]" : "]");
    } else if (v.kind == LW_V_TENSOR) {
        lw_dtypes_print(v.tensor->dtype, &b);
        lw_buf_add_char(&b, ' ');
        lw_shape_print(&dims, &v.tensor->shape, &b);
        lw_buf_add_char(&b, ' ');
        lw_put(out, lw_buf_str(&b));
        lw_buf_clear(&b);
        put_range(v.tensor->range, out);
    } else if (v.kind == LW_V_FLOAT) {
        put_range(v.interval, out);
    } else {
        lw_v_print(&dims, v, &b);
    }
    lw_put(out, lw_buf_str(&b));
    lw_buf_release(&b);
}

static const char *const severities[] = {"note", "warning", "error"};

static void handle(struct lw_arena *arena, struct lw_str line, struct lw_sink *out)
{
    struct lw_api_result r;
    struct lw_err err = {0};
    if (lw_api_eval_text(apis, line, arena, &r, &err) < 0) {
        lw_putf(out, "error %s", err.text);
        return;
    }
    put_value(r.value, out, 4);
    for (size_t i = 0; i < r.problem_count; i++)
        lw_putf(out, " ! %s %.*s: %.*s", severities[r.problems[i].severity],
                LW_F(r.problems[i].rule), LW_F(r.problems[i].message));
}

/* name/flags/accepts of each parameter, separated by blanks. */
static void put_params(const struct lw_api_part *part, struct lw_sink *out)
{
    for (uint32_t i = 0; i < part->param_count; i++) {
        const struct lw_api_param *p = &part->params[i];
        lw_putf(out, " %.*s/%s%s%s%s/%u", LW_F(p->name), p->required ? "r" : "",
                p->keyword_only ? "k" : "", p->variadic ? "v" : "", p->keywords ? "K" : "",
                p->accepts);
    }
}

static int list(struct lw_sink *out)
{
    const struct lw_api *api;
    for (size_t i = 0; (api = lw_api_at(apis, i)); i++) {
        lw_putf(out, "%s|%.*s|", lw_api_kind_name(api->kind), LW_F(api->names));
        put_params(&api->side[LW_API_CONSTRUCT], out);
        lw_put_char(out, '|');
        put_params(&api->side[LW_API_CALL], out);
        lw_put_char(out, '\n');
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct lw_err err = {0};
    struct lw_sink out = lw_sink_file(stdout);
    const char *what = argc > 1 ? argv[1] : "";
    lw_dims_init(&dims, NULL);
    int rc = lw_apis_load(&apis, NULL, &dims, &err);
    if (rc == 0) {
        if (strcmp(what, "--check") == 0)
            rc = lw_apis_check(apis, &err);
        else if (strcmp(what, "--coverage") == 0)
            rc = lw_api_print_coverage(apis, &out, &err);
        else if (strcmp(what, "--print") == 0 && argc > 2)
            rc = lw_api_print(apis, lw_str(argv[2]), &out, &err);
        else if (strcmp(what, "--list") == 0)
            rc = list(&out);
        else
            rc = each_line(handle);
        lw_apis_free(apis);
    }
    lw_dims_release(&dims);
    if (rc < 0)
        fprintf(stderr, "%s\n", err.text);
    return rc < 0;
}
