#include "base/finding.h"

#include "base/str.h"

static struct lw_finding_fix copy_fix(struct lw_arena *arena, struct lw_finding_fix fix)
{
    struct lw_finding_fix none = {0};
    struct lw_finding_edit *edits =
        fix.edit_count ? lw_arena_array(arena, fix.edit_count, sizeof *edits) : NULL;
    if (fix.edit_count && !edits)
        return none;
    for (size_t i = 0; i < fix.edit_count; i++) {
        edits[i] = fix.edits[i];
        edits[i].text = lw_arena_copy(arena, fix.edits[i].text);
        if (!edits[i].text.p)
            return none;
    }
    fix.edits = edits;
    fix.description = lw_arena_copy(arena, fix.description);
    return fix.description.p ? fix : none;
}

bool lw_finding_copy(struct lw_finding *out, struct lw_arena *arena, const struct lw_finding *f)
{
    *out = *f;
    struct lw_str *texts[] = {&out->tool, &out->rule,    &out->category,
                              &out->path, &out->message, &out->detail};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i]->n == 0)
            continue;
        *texts[i] = lw_arena_copy(arena, *texts[i]);
        if (!texts[i]->p)
            return false;
    }
    if (f->fix.description.n)
        out->fix = copy_fix(arena, f->fix);
    return true;
}

const char *lw_severity_name(enum lw_severity severity)
{
    switch (severity) {
    case LW_SEVERITY_NOTE: return "note";
    case LW_SEVERITY_WARNING: return "warning";
    case LW_SEVERITY_ERROR: break;
    }
    return "error";
}

bool lw_severity_parse(struct lw_str text, enum lw_severity *severity)
{
    static const struct {
        struct lw_str name;
        enum lw_severity severity;
    } words[] = {
        {LW_S("note"), LW_SEVERITY_NOTE},   {LW_S("info"), LW_SEVERITY_NOTE},
        {LW_S("hint"), LW_SEVERITY_NOTE},   {LW_S("warning"), LW_SEVERITY_WARNING},
        {LW_S("error"), LW_SEVERITY_ERROR}, {LW_S("fatal"), LW_SEVERITY_ERROR},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lw_str_eq_nocase(text, words[i].name)) {
            *severity = words[i].severity;
            return true;
        }
    return false;
}

static int compare_number(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

int lw_finding_cmp(const void *a, const void *b)
{
    const struct lw_finding *x = a, *y = b;
    int d = lw_str_cmp(x->path, y->path);
    if (d == 0)
        d = compare_number(x->cell, y->cell);
    if (d == 0)
        d = compare_number(x->line, y->line);
    if (d == 0)
        d = compare_number(x->column, y->column);
    if (d == 0)
        d = lw_str_cmp(x->rule, y->rule);
    return d != 0 ? d : lw_str_cmp(x->message, y->message);
}
