/* Any text can be checked: the interpreter ends, and what it finds lies inside the text. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/str.h"
#include "check/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct lw_check_rules rules; /* the same for every input: read once */
    struct lw_check_result result;
    struct lw_err err = {0};
    struct lw_ctx ctx = {.clock = lw_clock_system(), .jobs = 1};
    struct lw_check_options options = {.seconds = 0.2};
    struct lw_str text = lw_str_n((const char *)data, size);
    struct lw_str path = size > 0 && data[0] == '{' ? LW_S("in.ipynb") : LW_S("in.py");
    if (rules.v.n == 0 && lw_check_rules_load(&rules, NULL, &err) < 0)
        abort();
    lw_check_result_init(&result, NULL);
    if (lw_check_text(&result, &ctx, &rules, &options, path, text, &err) == 0)
        for (size_t i = 0; i < result.findings.n; i++)
            if (result.findings.v[i].line == 0 || result.findings.v[i].message.n == 0 ||
                result.findings.v[i].end_line < result.findings.v[i].line)
                abort();
    lw_check_result_release(&result);
    return 0;
}
