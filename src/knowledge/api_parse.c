/* From the text of an entry to its parameters, rules and facts. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/api_internal.h"

void api_split_versions(struct lw_str text, struct lw_str *name, struct lw_str *added,
                        struct lw_str *deprecated, struct lw_str *removed)
{
    size_t i = 0;
    *added = *deprecated = *removed = (struct lw_str){NULL, 0};
    while (i < text.n && text.p[i] != '>' && text.p[i] != '~' && text.p[i] != '<')
        i++;
    *name = lw_str_part(text, 0, i);
    while (i < text.n) {
        struct lw_str *into = text.p[i] == '>'   ? added
                              : text.p[i] == '~' ? deprecated
                                                 : removed;
        i += text.p[i] == '>' && i + 1 < text.n && text.p[i + 1] == '=' ? 2 : 1;
        size_t begin = i;
        while (i < text.n && text.p[i] != '>' && text.p[i] != '~' && text.p[i] != '<')
            i++;
        *into = lw_str_part(text, begin, i - begin);
    }
}

/* Lines indented deeper than two blanks continue the statement before them. */
bool api_next_statement(struct lw_str *body, struct lw_str *statement, uint32_t *line)
{
    struct lw_str piece, ahead;
    do {
        if (!lw_str_line(body, &piece))
            return false;
        (*line)++;
    } while (lw_str_trim(piece).n == 0 || lw_str_trim(piece).p[0] == '#');
    *statement = piece;
    while (body->n) {
        ahead = *body;
        if (!lw_str_line(&ahead, &piece) || !lw_str_has_prefix(piece, LW_S("    ")))
            break;
        statement->n = (size_t)(piece.p + piece.n - statement->p);
        *body = ahead;
        (*line)++;
    }
    *statement = lw_str_trim(*statement);
    return true;
}

/* ---- Parameters -------------------------------------------------------------------------- */

static const struct {
    const char *word;
    uint32_t accepts;
} kinds[] = {
    {"tensor", LW_P_TENSOR}, {"array", LW_P_ARRAY}, {"int", LW_P_INT},     {"num", LW_P_FLOAT},
    {"bool", LW_P_BOOL},     {"str", LW_P_STR},     {"none", LW_P_NONE},   {"seq", LW_P_SEQ},
    {"shape", LW_P_SHAPE},   {"dtype", LW_P_DTYPE}, {"fn", LW_P_CALLABLE}, {"obj", LW_P_OBJECT},
    {"any", LW_P_ANY},
};

/* "int|shape", "{valid,same}", "activation" */
static int parse_kind(struct lw_apis *apis, struct lw_str text, struct lw_api_param *p,
                      struct lw_err *err)
{
    struct lw_str word;
    if (text.n > 2 && text.p[0] == '{' && text.p[text.n - 1] == '}') {
        struct lw_str list = lw_str_part(text, 1, text.n - 2), rest = list;
        struct lw_str *choices = lw_arena_array(&apis->arena, list.n, sizeof *choices);
        if (!choices)
            return lw_err_nomem(err);
        while (lw_str_split(&rest, ',', &word))
            choices[p->choice_count++] = lw_str_trim(word);
        p->choices = choices;
        return 0;
    }
    while (lw_str_split(&text, '|', &word)) {
        size_t i = 0;
        while (i < sizeof kinds / sizeof *kinds && !lw_str_eq(word, lw_str(kinds[i].word)))
            i++;
        if (i < sizeof kinds / sizeof *kinds)
            p->accepts |= kinds[i].accepts;
        else
            p->choice_kind = word;
    }
    return 0;
}

/* "name|old~2.3<2.11": the spellings in front of kind and default. */
static int parse_spellings(struct lw_apis *apis, struct lw_str text, struct lw_api_param *p,
                           struct lw_err *err)
{
    struct lw_str word, added;
    lw_str_split(&text, '|', &word);
    api_split_versions(word, &p->name, &p->added, &p->deprecated, &p->removed);
    if (!text.n)
        return 0;
    struct lw_api_old *old = lw_arena_array(&apis->arena, text.n, sizeof *old);
    if (!old)
        return lw_err_nomem(err);
    while (lw_str_split(&text, '|', &word)) {
        struct lw_api_old *o = &old[p->old_count++];
        api_split_versions(word, &o->name, &added, &o->deprecated, &o->removed);
    }
    p->old = old;
    return 0;
}

/* The first of `:` and `=` that is not part of `>=`. */
static size_t find_mark(struct lw_str text, char mark)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == mark && !(mark == '=' && i && text.p[i - 1] == '>'))
            return i;
    return text.n;
}

static int parse_default(struct lw_apis *apis, struct lw_str text, struct lw_api_param *p,
                         struct lw_err *err)
{
    const struct rule_expr *e;
    int rc = rule_parse(&apis->arena, text, &e, err);
    if (rc < 0)
        return rc;
    struct rule_env *env = lw_mem_alloc(apis->mem, sizeof *env);
    if (!env)
        return lw_err_nomem(err);
    env->apis = apis;
    env->dims = apis->dims;
    env->arena = &apis->arena;
    p->initial = rule_eval(env, e);
    lw_mem_free(apis->mem, env, sizeof *env);
    if (p->initial.kind == LW_V_NONE && p->accepts)
        p->accepts |= LW_P_NONE;
    return 0;
}

static int parse_param(struct lw_apis *apis, struct lw_str text, struct lw_api_param *p,
                       struct lw_err *err)
{
    int rc;
    p->initial = lw_v_absent();
    p->required = true;
    if (lw_str_has_prefix(text, LW_S("**")) || text.p[0] == '*') {
        p->keywords = text.n > 1 && text.p[1] == '*';
        p->variadic = !p->keywords;
        p->required = false;
        text = lw_str_from(text, p->keywords ? 2 : 1);
    }
    size_t equals = find_mark(text, '='), colon = find_mark(lw_str_part(text, 0, equals), ':');
    struct lw_str name = lw_str_trim(lw_str_part(text, 0, colon < equals ? colon : equals));
    if (!name.n)
        return lw_err_set(err, LW_EINVAL, "a parameter has no name");
    if ((rc = parse_spellings(apis, name, p, err)) < 0)
        return rc;
    if (colon < equals &&
        (rc = parse_kind(apis, lw_str_trim(lw_str_part(text, colon + 1, equals - colon - 1)), p,
                         err)) < 0)
        return rc;
    if (equals < text.n) {
        p->required = false;
        return parse_default(apis, lw_str_from(text, equals + 1), p, err);
    }
    return 0;
}

/* The length of the first piece up to a comma outside brackets. */
static size_t piece_length(struct lw_str text)
{
    int depth = 0;
    char quote = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (quote) {
            quote = c == quote ? 0 : quote;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            depth--;
        } else if (c == ',' && depth <= 0) {
            return i;
        }
    }
    return text.n;
}

enum { MAX_PARAMS = 100 };

struct param_list {
    struct lw_api_param v[MAX_PARAMS];
    uint32_t n;
    bool keyword_only;
};

static int parse_list(struct lw_apis *apis, struct lw_str text, struct param_list *list,
                      int depth, struct lw_err *err)
{
    int rc = 0;
    while (rc == 0 && lw_str_trim(text).n) {
        size_t n = piece_length(text);
        struct lw_str piece = lw_str_trim(lw_str_part(text, 0, n));
        text = lw_str_from(text, n + 1);
        if (!piece.n)
            continue;
        if (lw_str_eq(piece, LW_S("*"))) {
            list->keyword_only = true;
        } else if (lw_str_eq(piece, LW_S("/"))) {
            continue; /* positional-only names are not used as keywords by anybody */
        } else if (piece.p[0] == '&') {
            struct lw_map_entry *e = lw_map_find(&apis->groups, lw_str_from(piece, 1));
            if (!e || depth <= 0)
                return lw_err_set(err, LW_EINVAL, "no group '%.*s'", LW_F(piece));
            rc = parse_list(apis, apis->group_texts.v[e->value], list, depth - 1, err);
        } else {
            if (list->n >= MAX_PARAMS)
                return lw_err_set(err, LW_EINVAL, "too many parameters");
            struct lw_api_param *p = &list->v[list->n++];
            memset(p, 0, sizeof *p);
            rc = parse_param(apis, piece, p, err);
            p->keyword_only = list->keyword_only;
            list->keyword_only |= p->variadic;
        }
    }
    return rc;
}

int api_parse_params(struct lw_apis *apis, struct lw_str text, struct lw_api_part *part,
                     struct lw_err *err)
{
    struct param_list *list = lw_mem_alloc(apis->mem, sizeof *list);
    if (!list)
        return lw_err_nomem(err);
    text = lw_str_trim(text);
    int rc = 0;
    if (text.n < 2 || text.p[0] != '(' || text.p[text.n - 1] != ')')
        rc = lw_err_set(err, LW_EINVAL, "parameters must be in parentheses");
    if (rc == 0)
        rc = parse_list(apis, lw_str_part(text, 1, text.n - 2), list, 4, err);
    if (rc == 0) {
        struct lw_api_param *copy = lw_arena_array(&apis->arena, list->n, sizeof *copy);
        if (!copy)
            rc = lw_err_nomem(err);
        else if (list->n)
            memcpy(copy, list->v, list->n * sizeof *copy);
        part->params = copy;
        part->param_count = list->n;
        part->present = true;
    }
    lw_mem_free(apis->mem, list, sizeof *list);
    return rc;
}

/* ---- Entries ----------------------------------------------------------------------------- */

static const char *const kind_names[LW_API_KIND_COUNT] = {
    "function",  "method",  "class",     "layer",      "model",       "optimizer",
    "scheduler", "loss",    "metric",    "activation", "initializer", "regularizer",
    "callback",  "dataset", "transform", "constant",   "module"};

const char *lw_api_kind_name(enum lw_api_kind kind)
{
    return kind < LW_API_KIND_COUNT ? kind_names[kind] : "?";
}

enum { MAX_STATEMENTS = 60, MAX_FACTS = 24 };

/* What is collected while an entry is read. */
struct reading {
    struct rule_statement statements[2][MAX_STATEMENTS];
    uint32_t n[2];
    struct lw_api_fact facts[MAX_FACTS];
    uint32_t fact_count;
    int side;
};

static int read_kind(struct lw_api *api, struct lw_str text, struct lw_err *err)
{
    for (int i = 0; i < LW_API_KIND_COUNT; i++) {
        if (lw_str_eq(text, lw_str(kind_names[i]))) {
            api->kind = (enum lw_api_kind)i;
            return 0;
        }
    }
    return lw_err_set(err, LW_EINVAL, "'%.*s' is not a kind of entry", LW_F(text));
}

static int read_fact(struct reading *r, struct lw_str text, struct lw_err *err)
{
    ptrdiff_t blank = lw_str_find_char(text, ' ');
    if (r->fact_count >= MAX_FACTS)
        return lw_err_set(err, LW_EINVAL, "too many facts");
    size_t n = blank < 0 ? text.n : (size_t)blank;
    r->facts[r->fact_count++] =
        (struct lw_api_fact){lw_str_part(text, 0, n), lw_str_trim(lw_str_from(text, n))};
    return 0;
}

/* A statement that is not a rule: 1 when it was one of these. */
static int read_property(struct lw_apis *apis, struct lw_api *api, struct reading *r,
                         struct lw_str text, struct lw_err *err)
{
    struct {
        const char *word;
        struct lw_str *into;
    } texts[] = {{"base", &api->base},
                 {"since", &api->added},
                 {"deprecated", &api->deprecated},
                 {"removed", &api->removed},
                 {"instead", &api->instead},
                 {"value", &api->value}};
    size_t n = 0;
    while (n < text.n && text.p[n] != ' ')
        n++;
    struct lw_str word = lw_str_part(text, 0, n), rest = lw_str_trim(lw_str_from(text, n));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (lw_str_eq(word, lw_str(texts[i].word))) {
            *texts[i].into = rest;
            return 1;
        }
    }
    int rc;
    if (text.p[0] == '(') {
        rc = api_parse_params(apis, text, &api->side[r->side], err);
    } else if (lw_str_eq(word, LW_S("call"))) {
        r->side = LW_API_CALL;
        rc = api_parse_params(apis, rest, &api->side[r->side], err);
    } else if (lw_str_eq(word, LW_S("kind"))) {
        rc = read_kind(api, rest, err);
    } else if (lw_str_eq(word, LW_S("fact"))) {
        rc = read_fact(r, rest, err);
    } else if (lw_str_eq(word, LW_S("attribute"))) {
        rc = read_fact(r, LW_S("attribute yes"), err);
    } else if (lw_str_eq(word, LW_S("complete"))) {
        api->complete = true;
        rc = 0;
    } else if (lw_str_eq(word, LW_S("good")) || lw_str_eq(word, LW_S("bad"))) {
        rc = 0; /* examples, read by a test */
    } else {
        return 0;
    }
    return rc < 0 ? rc : 1;
}

static int read_rule(struct lw_apis *apis, struct reading *r, struct lw_str text, uint32_t line,
                     struct lw_err *err)
{
    if (r->n[r->side] >= MAX_STATEMENTS)
        return lw_err_set(err, LW_EINVAL, "too many rules");
    struct rule_statement *s = &r->statements[r->side][r->n[r->side]];
    int rc = rule_parse_statement(&apis->arena, text, s, err);
    if (rc == LW_ENOENT)
        return lw_err_set(err, LW_EINVAL, "'%.*s' is not a statement",
                          LW_F(lw_str_part(text, 0, 30)));
    s->line = line;
    r->n[r->side] += rc == 0;
    return rc;
}

static const struct lw_rule_part *keep_rules(struct lw_apis *apis,
                                             const struct rule_statement *s, uint32_t n)
{
    struct lw_rule_part *part = lw_arena_alloc(&apis->arena, sizeof *part);
    struct rule_statement *copy = lw_arena_array(&apis->arena, n, sizeof *copy);
    if (!part || !copy)
        return NULL;
    if (n)
        memcpy(copy, s, n * sizeof *copy);
    part->statements = copy;
    part->n = n;
    return part;
}

static int keep(struct lw_apis *apis, struct lw_api *api, const struct reading *r,
                struct lw_err *err)
{
    struct lw_api_fact *facts = lw_arena_array(&apis->arena, r->fact_count, sizeof *facts);
    if (!facts)
        return lw_err_nomem(err);
    if (r->fact_count)
        memcpy(facts, r->facts, r->fact_count * sizeof *facts);
    api->facts = facts;
    api->fact_count = r->fact_count;
    for (int side = 0; side < 2; side++)
        if (!(api->side[side].rules = keep_rules(apis, r->statements[side], r->n[side])))
            return lw_err_nomem(err);
    return 0;
}

static uint32_t framework_of(struct lw_str package)
{
    static const struct {
        const char *package;
        uint32_t framework;
    } table[] = {{"torch", LW_TORCH},   {"torchvision", LW_TORCH}, {"torchtext", LW_TORCH},
                 {"tensorflow", LW_TF}, {"keras", LW_TF},          {"numpy", LW_NUMPY},
                 {"sklearn", LW_NUMPY}, {"scipy", LW_NUMPY},       {"pandas", LW_NUMPY},
                 {"skimage", LW_NUMPY}, {"cv2", LW_NUMPY}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (lw_str_eq(package, lw_str(table[i].package)))
            return table[i].framework;
    return 0;
}

static void read_names(struct lw_api *api, const struct api_entry *e)
{
    struct lw_str first = e->names, added, deprecated, removed;
    ptrdiff_t blank = lw_str_find_char(first, ' ');
    if (blank > 0)
        first = lw_str_part(first, 0, (size_t)blank);
    api_split_versions(first, &api->name, &added, &deprecated, &removed);
    api->names = e->names;
    ptrdiff_t dot = lw_str_find_char(api->name, '.');
    api->package = dot > 0 ? lw_str_part(api->name, 0, (size_t)dot) : api->name;
    api->framework = framework_of(api->package);
    api->file = e->file;
    api->line = e->line;
}

static int read_body(struct lw_apis *apis, const struct api_entry *e, struct lw_api *api,
                     struct reading *r, struct lw_err *err)
{
    struct lw_str body = e->body, text;
    uint32_t line = e->line;
    while (api_next_statement(&body, &text, &line)) {
        int rc = read_property(apis, api, r, text, err);
        if (rc == 0)
            rc = read_rule(apis, r, text, line, err);
        if (rc < 0)
            return lw_err_context(err, "%.*s:%u", LW_F(e->file), line);
    }
    return keep(apis, api, r, err);
}

const struct lw_api *api_get(struct lw_apis *apis, size_t index, struct lw_err *err)
{
    struct api_entry entry = apis->entries.v[index];
    if (entry.parsed) {
        if (!entry.api)
            *err = apis->first_error;
        return entry.api;
    }
    struct lw_api *api = lw_arena_alloc(&apis->arena, sizeof *api);
    struct reading *r = lw_mem_alloc(apis->mem, sizeof *r);
    int rc = LW_ENOMEM;
    size_t polys = apis->dims->polys.n, atoms = apis->dims->atoms.n;
    if (api && r) {
        read_names(api, &entry);
        rc = read_body(apis, &entry, api, r, err);
    } else {
        lw_err_nomem(err);
    }
    lw_mem_free(apis->mem, r, sizeof *r);
    if (rc == LW_ENOMEM) /* may work another time */
        return NULL;
    apis->entries.v[index].parsed = true;
    apis->entries.v[index].bound = polys != apis->dims->polys.n || atoms != apis->dims->atoms.n;
    if (rc < 0) {
        apis->first_error = *err;
        return NULL;
    }
    return apis->entries.v[index].api = api;
}

/* ---- Families ---------------------------------------------------------------------------- */

static int read_family(struct lw_apis *apis, const struct api_entry *e, struct rule_family *f,
                       struct reading *r, struct lw_err *err)
{
    ptrdiff_t open = lw_str_find_char(e->names, '('), close = lw_str_find_char(e->names, ')');
    struct lw_str rest = lw_str_part(e->names, (size_t)open + 1, (size_t)(close - open - 1));
    struct lw_str word, body = e->body, text;
    uint32_t line = e->line;
    struct lw_str *formals = lw_arena_array(&apis->arena, rest.n + 1, sizeof *formals);
    if (close < open || !formals)
        return close < open ? lw_err_set(err, LW_EINVAL, "bad family") : lw_err_nomem(err);
    f->name = lw_str_part(e->names, 0, (size_t)open);
    while (lw_str_split(&rest, ',', &word))
        formals[f->formal_count++] = lw_str_trim(word);
    f->formals = formals;
    while (api_next_statement(&body, &text, &line)) {
        int rc = read_rule(apis, r, text, line, err);
        if (rc < 0)
            return lw_err_context(err, "%.*s:%u", LW_F(e->file), line);
    }
    const struct lw_rule_part *part = keep_rules(apis, r->statements[0], r->n[0]);
    if (!part)
        return lw_err_nomem(err);
    f->part = *part;
    return 0;
}

const struct rule_family *api_family(struct lw_apis *apis, struct lw_str name,
                                     struct lw_err *err)
{
    struct lw_map_entry *found = lw_map_find(&apis->families, name);
    if (!found) {
        lw_err_set(err, LW_EINVAL, "no family '%.*s'", LW_F(name));
        return NULL;
    }
    struct api_entry entry = apis->family_entries.v[found->value];
    if (entry.parsed)
        return entry.family;
    struct rule_family *f = lw_arena_alloc(&apis->arena, sizeof *f);
    struct reading *r = lw_mem_alloc(apis->mem, sizeof *r);
    int rc = f && r ? read_family(apis, &entry, f, r, err) : lw_err_nomem(err);
    lw_mem_free(apis->mem, r, sizeof *r);
    if (rc == LW_ENOMEM)
        return NULL;
    apis->family_entries.v[found->value].parsed = true;
    return apis->family_entries.v[found->value].family = rc < 0 ? NULL : f;
}
