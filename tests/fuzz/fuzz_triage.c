/* Any bytes as a report are triaged: scores sum to 1, evidence is there where a component is,
 * and any bytes as a type model are a model or an error. */
#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "triage/triage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct lw_triage *t)
{
    double sum = 0;
    for (size_t k = 0; k < LW_TYPES; k++)
        sum += t->type.score[k];
    if (fabs(sum - 1) > 1e-9 || t->lack_count > LW_LACKS_MAX)
        abort();
    for (size_t i = 0; i < t->lack_count; i++)
        if (t->lack[i].question.n == 0)
            abort();
    for (size_t k = 0; k < LW_COMPONENTS; k++)
        if (t->component[k].count > 0 && !t->component[k].present)
            abort();
    if (t->origin.extrinsic && t->origin.suspect.n == 0)
        abort();
}

static void try_report(struct lw_str text)
{
    static lw_triager *triager;
    struct lw_err err;
    struct lw_arena arena;
    struct lw_triage triage;
    lw_report *r;
    if (!triager && lw_triager_new(&triager, NULL, &err) < 0)
        abort();
    if (lw_report_read(&r, NULL, NULL, LW_S("fuzz"), text, &err) < 0)
        return;
    lw_arena_init(&arena, NULL, 0);
    if (lw_triage_report(&triage, triager, r, &arena, &err) < 0)
        abort();
    check(&triage);
    lw_arena_release(&arena);
    lw_report_free(r);
}

static void try_model(struct lw_str text)
{
    struct lw_mem mem;
    struct lw_type_model model;
    struct lw_err err;
    lw_mem_init(&mem, (size_t)256 << 20);
    (void)lw_type_model_parse(&model, &mem, text, &err);
    lw_type_model_release(&model);
    if (atomic_load(&mem.used) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_str text = lw_str_n((const char *)data, size);
    try_report(text);
    try_model(text);
    return 0;
}
