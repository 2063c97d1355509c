#include "reproduce/build.h"

#include "base/err.h"
#include "base/str.h"
#include "reproduce/data.h"
#include "reproduce/drive.h"
#include "reproduce/inputs.h"
#include "reproduce/outside.h"

/* ---- Framework -----------------------------------------------------------------------------
 */

static bool names_module(const struct rp_program *p, const char *const *words)
{
    const struct lw_tree *t = &p->tree;
    for (uint32_t n = 0; n < t->nodes.n; n++) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        struct lw_str name = lw_tree_name(t, n);
        if (kind == LW_NODE_ALIAS || kind == LW_NODE_IMPORT_FROM)
            name = lw_tree_text(t, n);
        else if (kind != LW_NODE_NAME)
            continue;
        for (size_t i = 0; words[i]; i++)
            if (lw_str_eq(name, lw_str(words[i])) ||
                (kind != LW_NODE_NAME && lw_str_find(name, lw_str(words[i])) >= 0))
                return true;
    }
    return false;
}

static bool report_names(const struct rp_program *p, const char *library)
{
    static const enum lw_fact_kind kinds[] = {LW_FACT_IMPORT, LW_FACT_LIBRARY, LW_FACT_VERSION};
    for (size_t k = 0; k < 3; k++)
        for (const struct lw_fact *f = NULL; (f = lw_report_next(p->report, kinds[k], f));)
            if (lw_str_eq(f->name, lw_str(library)) ||
                lw_str_eq_nocase(f->text, lw_str(library)))
                return true;
    return false;
}

enum rp_framework rp_framework_of(const struct rp_program *p)
{
    static const char *const torch[] = {"torch", "nn", "F", "optim", "DataLoader", NULL};
    static const char *const keras[] = {"keras", "tf", "tensorflow", NULL};
    static const char *const numpy[] = {"np", "numpy", NULL};
    if (names_module(p, torch))
        return RP_TORCH;
    if (names_module(p, keras))
        return RP_KERAS;
    static const char *const layers[] = {"Sequential", "Dense",  "Model",
                                         "Input",      "layers", NULL};
    if (report_names(p, "torch") || report_names(p, "pytorch"))
        return RP_TORCH;
    if ((report_names(p, "tensorflow") || report_names(p, "keras")) &&
        (names_module(p, layers) || !names_module(p, numpy)))
        return RP_KERAS;
    return names_module(p, numpy) || report_names(p, "numpy") ? RP_NUMPY : RP_PYTHON;
}

const char *rp_framework_name(enum rp_framework f)
{
    static const char *const names[] = {"", "numpy", "torch", "tensorflow"};
    return names[f];
}

/* ---- What is bound -------------------------------------------------------------------------
 */

/* nn.Sequential(…), Net(…) with a class of this file that is a module, torch.optim.Adam(…). */
static bool makes(const struct rp_program *p, uint32_t value, enum rp_role role)
{
    const struct lw_tree *t = &p->tree;
    if (lw_tree_kind(t, value) != LW_NODE_CALL)
        return false;
    struct lw_str callee = rp_callee(t, value);
    uint32_t def = lw_names_callee(&p->names, value);
    if (role == RP_ROLE_LOADER)
        return lw_str_eq(callee, LW_S("DataLoader"));
    if (role != RP_ROLE_MODEL)
        return false;
    if (lw_tree_kind(t, def) != LW_NODE_CLASS)
        return lw_str_eq(callee, LW_S("Sequential"));
    return lw_str_find(lw_tree_text(t, lw_tree_get(t, def, LW_ROLE_BASES)), LW_S("Module")) >=
           0;
}

struct lw_str rp_bound_role(const struct rp_program *p, enum rp_role role)
{
    const struct lw_names *names = &p->names;
    struct lw_str made = {0};
    for (uint32_t s = names->scopes.v[0].first_symbol; s != LW_NO_SYMBOL;
         s = names->symbols.v[s].next) {
        struct rp_known_name known;
        const struct lw_symbol *symbol = &names->symbols.v[s];
        if (!(symbol->flags & LW_SYMBOL_BOUND) || symbol->first_import != LW_NO_NODE)
            continue;
        const struct lw_binding *b = &names->bindings.v[symbol->first_binding];
        uint32_t parent = lw_tree_parent(&p->tree, b->node);
        if (b->kind != LW_BIND_ASSIGN)
            continue;
        if (makes(p, lw_tree_get(&p->tree, parent, LW_ROLE_VALUE), role))
            made = symbol->name;
        else if (rp_known_name(p->tables, symbol->name, &known) && known.role == role)
            return symbol->name;
    }
    return made;
}

/* ---- Imports -------------------------------------------------------------------------------
 */

static void add_import(struct rp_program *p, const struct rp_candidate *c,
                       struct lw_str statement, struct lw_str name)
{
    bool absent = rp_is_absent(c, statement);
    struct lw_step step = {.action = LW_ACTION_IMPORT,
                           .basis = absent ? LW_STEP_STAND_IN : LW_STEP_STATED,
                           .why = rp_printf(p, "'%.*s' is not imported", LW_F(name))};
    if (absent)
        statement = rp_optional_import(p, statement);
    rp_insert(p, rp_after_imports(p), RP_FIRST_IMPORTS, rp_printf(p, "%.*s\n", LW_F(statement)),
              step);
}

static void add_dataset(struct rp_program *p, const struct lw_str *row, struct lw_str import)
{
    struct lw_step step = {.action = LW_ACTION_DATASET,
                           .basis = LW_STEP_STAND_IN,
                           .why =
                               rp_printf(p,
                                         "'%.*s' loads data that may not be here; a stand-in "
                                         "has the same shapes",
                                         LW_F(row[RP_SET_FUNCTION]))};
    rp_insert(p, rp_after_imports(p), RP_FIRST_HELPERS, rp_dataset_text(p, row, import), step);
}

/* True: the name has got its import. */
static bool import_need(struct rp_program *p, const struct rp_need *need, struct rp_inputs *in)
{
    struct lw_str framework = lw_str(rp_framework_name(p->framework));
    struct lw_str statement =
        rp_import_for(p->tables, need->name, framework, need->uses.only_module, p->arena);
    const struct lw_str *row = rp_dataset_row(p->tables, need->name);
    if (!statement.p)
        p->failed = LW_ENOMEM;
    if (statement.n == 0)
        return false;
    if (row) {
        add_dataset(p, row, statement);
        in->numpy = true;
    } else {
        add_import(p, in->c, statement, need->name);
        in->torch |= lw_str_eq(statement, LW_S("import torch"));
        in->has_numpy |= lw_str_eq(statement, LW_S("import numpy as np"));
    }
    return true;
}

/* ---- Candidates ----------------------------------------------------------------------------
 */

static bool is_imported(const struct rp_program *p, const char *name)
{
    return lw_names_find(&p->names, 0, lw_str(name)) != LW_NO_SYMBOL;
}

/* What the stand-ins themselves need. */
static void import_for_inputs(struct rp_program *p, struct rp_inputs *in)
{
    if (in->numpy && !in->has_numpy && !is_imported(p, "np"))
        add_import(p, in->c, LW_S("import numpy as np"), LW_S("np"));
    if (in->torch_used && !in->torch && !is_imported(p, "torch"))
        add_import(p, in->c, LW_S("import torch"), LW_S("torch"));
    if (in->os && !is_imported(p, "os"))
        add_import(p, in->c, LW_S("import os"), LW_S("os"));
}

static int define(struct rp_program *p, struct rp_candidate *c, struct lw_reproduction *out,
                  struct lw_err *err)
{
    struct rp_need *needs = lw_arena_array(p->arena, RP_NEEDS_MAX, sizeof *needs);
    if (!needs)
        return lw_err_nomem(err);
    struct rp_inputs in = {.p = p, .c = c, .needs = needs, .out = out};
    size_t n = rp_needs_find(p, needs, RP_NEEDS_MAX), left = 0;
    if (!c->has_facts)
        rp_facts_read(p, &c->facts);
    c->has_facts = true;
    for (size_t i = 0; i < n; i++) {
        if (import_need(p, &needs[i], &in))
            continue;
        needs[left++] = needs[i];
    }
    in.count = left;
    rp_inputs_define(&in);
    if (c->file.n > 0 && rp_wants(p, LW_ACTION_INPUT_DATA)) {
        rp_insert(p, 0, RP_FIRST_IMPORTS, LW_S(""),
                  (struct lw_step){.action = LW_ACTION_INPUT_DATA,
                                   .basis = LW_STEP_STAND_IN,
                                   .why = rp_printf(p, "the file '%.*s' is not with the report",
                                                    LW_F(c->file))});
        out->files[out->file_count++] =
            (struct lw_reproduce_file){c->file, rp_file_content(p, &c->facts)};
    }
    import_for_inputs(p, &in);
    return p->failed ? lw_err_nomem(err) : 0;
}

int rp_build(struct rp_program *p, struct rp_candidate *c, struct lw_str *text,
             struct lw_reproduction *out, struct lw_err *err)
{
    int rc = rp_restart(p, err);
    if (rc < 0)
        return rc;
    out->file_count = 0;
    p->framework = rp_framework_of(p);
    rp_optional_imports(p, c);
    rc = rp_drive(p, c, err);
    if (rc == 0)
        rc = rp_settle(p, err);
    if (rc == 0)
        rc = define(p, c, out, err);
    *text = rc == 0 ? rp_render(p) : LW_S("");
    return rc == 0 && p->failed ? lw_err_nomem(err) : rc;
}
