#include "reproduce/tables.h"

#include "base/err.h"
#include "base/str.h"
#include "knowledge/api.h"
#include "knowledge/embedded.h"

struct rp_apis {
    struct lw_dims dims;
    struct lw_apis *apis;
};

static int load_builtins(struct rp_tables *t, struct lw_err *err)
{
    struct lw_str text = {0}, line;
    lw_embedded_find(LW_S("data/reproduce/builtins.txt"), &text);
    while (lw_str_line(&text, &line))
        if (!lw_map_put(&t->builtins, line, NULL))
            return lw_err_nomem(err);
    return 0;
}

static struct lw_str last_word(struct lw_str name)
{
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    return dot < 0 ? name : lw_str_from(name, (size_t)dot + 1);
}

/* A line of names of data/api; the entry's other lines are indented. */
static int index_names(struct rp_tables *t, struct lw_str names, struct lw_err *err)
{
    struct lw_str name;
    while (lw_str_split(&names, ' ', &name)) {
        struct lw_str word = last_word(name);
        if (word.n == name.n || word.n == 0)
            continue;
        if (!lw_map_put(&t->by_word, word, NULL) || lw_vec_push(t->mem, &t->entries, name) < 0)
            return lw_err_nomem(err);
    }
    return 0;
}

/* The names of one file, but those of methods, which nobody imports. Only names are read here:
 * parsing all entries would take longer than all the rest. */
static int index_file(struct rp_tables *t, struct lw_str text, struct lw_err *err)
{
    struct lw_str line, names = {0};
    int rc = 0;
    while (rc == 0 && lw_str_line(&text, &line)) {
        bool head = line.n > 0 && line.p[0] != ' ' && line.p[0] != '#' && line.p[0] != '\t';
        if (lw_str_eq(lw_str_trim(line), LW_S("kind method")))
            names = LW_S("");
        if (head || text.n == 0) {
            rc = index_names(t, names, err);
            names = head ? line : LW_S("");
        }
    }
    return rc;
}

static int load_apis(struct rp_tables *t, struct lw_err *err)
{
    struct lw_str path, text, folder = LW_S("data/api/");
    t->apis = lw_arena_alloc(&t->arena, sizeof *t->apis);
    if (!t->apis)
        return lw_err_nomem(err);
    lw_dims_init(&t->apis->dims, t->mem);
    int rc = lw_apis_load(&t->apis->apis, t->mem, &t->apis->dims, err);
    for (size_t i = lw_embedded_first(folder); rc == 0 && lw_embedded_at(i, &path, &text);
         i++) {
        if (!lw_str_has_prefix(path, folder))
            break;
        if (lw_str_has_suffix(path, LW_S(".api")))
            rc = index_file(t, text, err);
    }
    return rc;
}

int rp_tables_load(struct rp_tables *t, struct lw_mem *mem, struct lw_err *err)
{
    *t = (struct rp_tables){.mem = mem};
    lw_arena_init(&t->arena, mem, 0);
    lw_map_init(&t->builtins, mem);
    lw_map_init(&t->by_word, mem);
    const struct {
        struct triage_table *table;
        struct lw_str name;
        size_t columns;
    } files[] = {
        {&t->imports, LW_S("data/reproduce/imports.csv"), 4},
        {&t->names, LW_S("data/reproduce/names.csv"), 4},
        {&t->losses, LW_S("data/reproduce/losses.csv"), 2},
        {&t->datasets, LW_S("data/reproduce/datasets.csv"), RP_SET_COLUMNS},
        {&t->layers, LW_S("data/reproduce/layers.csv"), 2},
        {&t->attributes, LW_S("data/reproduce/attributes.csv"), 2},
    };
    int rc = load_builtins(t, err);
    for (size_t i = 0; rc == 0 && i < sizeof files / sizeof *files; i++)
        rc = triage_table_load(files[i].table, &t->arena, files[i].name, files[i].columns, err);
    return rc < 0 ? rc : load_apis(t, err);
}

void rp_tables_release(struct rp_tables *t)
{
    if (t->apis) {
        lw_apis_free(t->apis->apis);
        lw_dims_release(&t->apis->dims);
    }
    lw_vec_release(t->mem, &t->entries);
    lw_map_release(&t->by_word);
    lw_map_release(&t->builtins);
    lw_arena_release(&t->arena);
}

bool rp_is_builtin(const struct rp_tables *t, struct lw_str name)
{
    return lw_map_find(&t->builtins, name) != NULL;
}

/* ---- Names ---------------------------------------------------------------------------------
 */

static const char *const role_names[RP_ROLE_COUNT] = {
    "",          "input",     "target", "loader",   "dataset",   "model",  "optimizer",
    "criterion", "scheduler", "device", "rng",      "generator", "random", "number",
    "list",      "dict",      "text",   "function", "class",     "rows",
};

static enum rp_role role_find(struct lw_str word)
{
    for (int r = 1; r < RP_ROLE_COUNT; r++)
        if (lw_str_eq(word, lw_str(role_names[r])))
            return (enum rp_role)r;
    return RP_ROLE_UNKNOWN;
}

/* "*_loader" fits "train_loader"; "x_*" fits "x_train". */
static bool fits(struct lw_str pattern, struct lw_str name)
{
    if (pattern.n > 1 && pattern.p[0] == '*') {
        struct lw_str end = lw_str_from(pattern, 1);
        return name.n > end.n && lw_str_eq_nocase(lw_str_from(name, name.n - end.n), end);
    }
    if (pattern.n > 1 && pattern.p[pattern.n - 1] == '*')
        return name.n >= pattern.n && lw_str_eq_nocase(lw_str_part(name, 0, pattern.n - 1),
                                                       lw_str_part(pattern, 0, pattern.n - 1));
    return lw_str_eq_nocase(pattern, name);
}

bool rp_known_name(const struct rp_tables *t, struct lw_str name, struct rp_known_name *out)
{
    for (size_t i = 0; i < t->names.n; i++) {
        const struct lw_str *row = triage_table_row(&t->names, i);
        if (!fits(row[0], name))
            continue;
        *out = (struct rp_known_name){role_find(row[1]), row[3], row[2]};
        return true;
    }
    *out = (struct rp_known_name){0};
    return false;
}

enum rp_target rp_loss_target(const struct rp_tables *t, struct lw_str name)
{
    static const char *const words[] = {"", "class", "binary", "real", "one-hot"};
    for (size_t i = 0; i < t->losses.n; i++) {
        const struct lw_str *row = triage_table_row(&t->losses, i);
        for (int k = 1; lw_str_eq(row[0], name) && k < 5; k++)
            if (lw_str_eq(row[1], lw_str(words[k])))
                return (enum rp_target)k;
    }
    return RP_TARGET_NONE;
}

/* ---- Imports -------------------------------------------------------------------------------
 */

static bool suits(struct lw_str wanted, struct lw_str framework)
{
    return wanted.n == 0 || lw_str_eq(wanted, framework);
}

/* A name of the tables that the framework's own module has; the fewest dots win. */
static struct lw_str from_apis(const struct rp_tables *t, struct lw_str name,
                               struct lw_str framework)
{
    struct lw_str best = {0};
    size_t best_dots = SIZE_MAX;
    for (size_t i = 0; i < t->entries.n; i++) {
        struct lw_str full = t->entries.v[i];
        size_t dots = 0;
        if (!lw_str_eq(last_word(full), name))
            continue;
        for (size_t k = 0; k < full.n; k++)
            dots += full.p[k] == '.';
        bool own = framework.n == 0 || lw_str_has_prefix(full, framework);
        dots += own ? 0 : 100;
        if (dots < best_dots)
            best = full, best_dots = dots;
    }
    return best;
}

/* Small letters without an underscore could mean anything. */
static bool is_distinct(struct lw_str name)
{
    return (name.p[0] >= 'A' && name.p[0] <= 'Z' && name.n > 2) ||
           lw_str_find_char(name, '_') > 0;
}

struct lw_str rp_import_for(const struct rp_tables *t, struct lw_str name,
                            struct lw_str framework, bool as_module, struct lw_arena *arena)
{
    for (size_t i = 0; i < t->imports.n; i++) {
        const struct lw_str *row = triage_table_row(&t->imports, i);
        if (lw_str_eq(row[0], name) && suits(row[2], framework) &&
            (as_module || !lw_str_eq(row[3], LW_S("module"))))
            return row[1];
    }
    if (as_module || !is_distinct(name) || !lw_map_find(&t->by_word, name))
        return LW_S("");
    struct lw_str full = from_apis(t, name, framework);
    size_t module = full.n - last_word(full).n - 1;
    bool inside =
        lw_str_eq(framework, LW_S("tensorflow")) && lw_str_has_prefix(full, LW_S("keras."));
    return lw_arena_printf(arena, "from %s%.*s import %.*s", inside ? "tensorflow." : "",
                           (int)module, full.p, LW_F(name));
}

const struct lw_str *rp_dataset_row(const struct rp_tables *t, struct lw_str function)
{
    for (size_t i = 0; i < t->datasets.n; i++)
        if (lw_str_eq(triage_table_row(&t->datasets, i)[RP_SET_FUNCTION], function))
            return triage_table_row(&t->datasets, i);
    return NULL;
}

enum rp_role rp_attribute_role(const struct rp_tables *t, struct lw_str attribute)
{
    for (size_t i = 0; i < t->attributes.n; i++) {
        const struct lw_str *row = triage_table_row(&t->attributes, i);
        if (lw_str_eq(row[0], attribute))
            return role_find(row[1]);
    }
    return RP_ROLE_UNKNOWN;
}

bool rp_is_api(const struct rp_tables *t, struct lw_str name)
{
    return lw_api_find(t->apis->apis, name, NULL) != NULL;
}
