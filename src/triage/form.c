#include "triage/form.h"

#include "base/err.h"
#include "base/str.h"
#include "triage/sentences.h"
#include "triage/table.h"

enum { KEY, LABEL, DESCRIPTION, PLACEHOLDER, COLUMNS };

/* ---- Making -------------------------------------------------------------------------------
 */

static void add(struct lw_form *form, const struct triage_table *rows, struct lw_str key,
                bool required)
{
    for (size_t i = 0; i < rows->n && form->count < LW_FORM_FIELDS; i++) {
        const struct lw_str *row = triage_table_row(rows, i);
        if (lw_str_eq(row[KEY], key))
            form->field[form->count++] = (struct lw_form_field){
                row[KEY], row[LABEL], row[DESCRIPTION], row[PLACEHOLDER], required};
    }
}

int lw_form_make(struct lw_form *out, const lw_triager *t, enum lw_bug_type type,
                 struct lw_arena *arena, struct lw_err *err)
{
    struct triage_table rows;
    int rc = triage_table_load(&rows, arena, LW_S("data/triage/form.csv"), COLUMNS, err);
    if (rc < 0)
        return rc;
    *out = (struct lw_form){.type = type};
    const struct lw_advice *rules = lw_advice_find(lw_triager_advice(t), LW_ADVICE_INFORMATION,
                                                   lw_str(lw_bug_type_name(type)));
    add(out, &rows, LW_S("happens"), true);
    add(out, &rows, LW_S("expected"), true);
    for (size_t i = 0; i < rules->count; i++)
        add(out, &rows, rules->rules[i].item, rules->rules[i].confidence >= 0.5);
    if (type == LW_TYPE_GPU || type == LW_TYPE_UNKNOWN)
        add(out, &rows, LW_S("device"), type == LW_TYPE_GPU);
    add(out, &rows, LW_S("versions"), true);
    return 0;
}

/* ---- Printing -----------------------------------------------------------------------------
 */

/* YAML's double quotes; the texts of the form have no control characters. */
static void put_quoted(struct lw_sink *out, struct lw_str text)
{
    lw_put_char(out, '"');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"' || text.p[i] == '\\')
            lw_put_char(out, '\\');
        lw_put_char(out, text.p[i]);
    }
    lw_put_char(out, '"');
}

static const char *title(const struct lw_form *form)
{
    static const char *const titles[] = {[LW_TYPE_MODEL] = "Bug in a model",
                                         [LW_TYPE_TENSOR] = "Bug with tensors or inputs",
                                         [LW_TYPE_TRAINING] = "Bug in training",
                                         [LW_TYPE_GPU] = "Bug on a GPU or several devices",
                                         [LW_TYPE_API] = "Bug in the API",
                                         [LW_TYPE_DATA] = "Bug with data",
                                         [LW_TYPE_OTHER] = "Other bug",
                                         [LW_TYPE_UNKNOWN] = "Bug"};
    return titles[form->type];
}

static bool is_code(const struct lw_form_field *f)
{
    return lw_str_eq(f->key, LW_S("code"));
}

static void print_github(const struct lw_form *form, struct lw_sink *out)
{
    lw_putf(out, "name: %s\ndescription: Report what reproducing this kind of bug needs\n",
            title(form));
    lw_putz(out,
            "title: \"[Bug] \"\nlabels: [\"bug\"]\nbody:\n  - type: markdown\n"
            "    attributes:\n      value: \"Thank you for the report. Each answer saves a "
            "question.\"\n");
    for (size_t i = 0; i < form->count; i++) {
        const struct lw_form_field *f = &form->field[i];
        lw_putf(out, "  - type: textarea\n    id: %.*s\n    attributes:\n      label: ",
                LW_F(f->key));
        put_quoted(out, f->label);
        lw_putz(out, "\n      description: ");
        put_quoted(out, f->description);
        lw_putz(out, "\n      placeholder: ");
        put_quoted(out, f->placeholder);
        if (is_code(f))
            lw_putz(out, "\n      render: python");
        lw_putf(out, "\n    validations:\n      required: %s\n",
                f->required ? "true" : "false");
    }
}

static void print_markdown(const struct lw_form *form, struct lw_sink *out)
{
    for (size_t i = 0; i < form->count; i++) {
        const struct lw_form_field *f = &form->field[i];
        lw_putf(out, "%s## %.*s%s\n\n<!-- %.*s\n     Example: %.*s -->\n", i ? "\n" : "",
                LW_F(f->label), f->required ? "" : " (if it matters)", LW_F(f->description),
                LW_F(f->placeholder));
        if (is_code(f))
            lw_putz(out, "\n```python\n\n```\n");
    }
}

void lw_form_print(const struct lw_form *form, enum lw_form_style style, struct lw_sink *out)
{
    if (style == LW_FORM_GITHUB) {
        print_github(form, out);
        return;
    }
    print_markdown(form, out);
    if (style == LW_FORM_GITLAB)
        lw_putz(out, "\n/label ~bug\n");
}

/* ---- Checking -----------------------------------------------------------------------------
 */

static bool has_section(const lw_report *r, struct lw_str name)
{
    for (const struct lw_fact *b = NULL; (b = lw_report_next_block(r, b));)
        if (b->kind != LW_FACT_HEADING && lw_str_eq(b->name, name))
            return true;
    return false;
}

bool lw_form_is_answered(const struct lw_form_field *field, const struct lw_triage *triage,
                         const lw_report *r)
{
    enum lw_component c = lw_component_find(field->key);
    if ((int)c < LW_COMPONENTS)
        return triage->component[c].present;
    if (lw_str_eq(field->key, LW_S("happens")))
        return lw_str_trim(lw_report_description(r)).n > 0;
    if (lw_str_eq(field->key, LW_S("expected")))
        return has_section(r, LW_S("expected")) ||
               lw_find_nocase(lw_report_text(r), LW_S("expect")) >= 0 ||
               lw_find_phrase(lw_report_text(r), LW_S("should")) >= 0;
    if (lw_str_eq(field->key, LW_S("device")))
        return lw_report_count(r, LW_FACT_HARDWARE) > 0 ||
               lw_stated_version(r, LW_S("cuda")).n > 0;
    return lw_report_count(r, LW_FACT_VERSION) > 0;
}
