#include "cli/bugs_print.h"

#include "base/str.h"
#include "catalog/bug.h"

const char *const bugs_list_fields[] = {
    "id",
    "title",
    "source",
    "type",
    "leaf",
    "category",
    "symptom",
    "property",
    "framework",
    "framework_version",
    "python_version",
    "origin_url",
    "fix_url",
};
const size_t bugs_list_field_count = sizeof bugs_list_fields / sizeof *bugs_list_fields;

void bugs_json_fields(struct lw_jsonw *w, const struct lw_bug *bug, bool runnable)
{
    for (size_t i = 0; i < bugs_list_field_count; i++) {
        if (lw_str_eq(lw_str(bugs_list_fields[i]), LW_S("origin_url")))
            lw_json_key_int(w, "support_level", bug->support_level);
        const struct bug_field *f = bug_field_find(lw_str(bugs_list_fields[i]));
        lw_json_key_text_or_null(w, f->name, bug_text_of(bug, f));
    }
    lw_json_key_bool(w, "runnable", runnable);
}

static void put_side(struct lw_jsonw *w, const char *key, const struct lw_side_result *side)
{
    lw_json_key(w, key);
    if (!side->ran) {
        lw_json_null(w);
        return;
    }
    lw_json_object(w);
    lw_json_key_int(w, "exit", side->exit);
    lw_json_key_double(w, "seconds", side->seconds);
    lw_json_key_text_or_null(w, "failure", side->failure);
    lw_json_key_bool(w, "as_stated", side->as_stated);
    lw_json_end(w);
}

void bugs_json_verification(struct lw_jsonw *w, const struct lw_verification *v)
{
    lw_json_object(w);
    lw_json_key_text(w, "id", v->id);
    lw_json_key_text(w, "backend", v->backend);
    put_side(w, "buggy", &v->side[LW_BUGGY]);
    put_side(w, "fixed", &v->side[LW_FIXED]);
    lw_json_key_text(w, "verdict", lw_str(lw_verdict_name(v->verdict)));
    lw_json_key_text_or_null(w, "isolation", v->isolation);
    lw_json_key_text_or_null(w, "reason", v->reason);
    lw_json_end(w);
}
