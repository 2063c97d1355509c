/* Calls written as text, in the language of the rules: for tests and for trying an entry out.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/api_internal.h"
#include "knowledge/api_text.h"

/* How deep in brackets a text is; quotes hide what they hold. */
struct nesting {
    int depth;
    char quote;
};

static void pass(struct nesting *n, char c)
{
    if (n->quote)
        n->quote = c == n->quote ? 0 : n->quote;
    else if (c == '\'' || c == '"')
        n->quote = c;
    else if (c == '(' || c == '[')
        n->depth++;
    else if (c == ')' || c == ']')
        n->depth--;
}

/* The end of the bracketed text that begins at `at`; 0 when it does not end. */
static size_t bracket_end(struct lw_str text, size_t at)
{
    struct nesting n = {0};
    for (size_t i = at; i < text.n; i++) {
        int before = n.depth;
        pass(&n, text.p[i]);
        if (n.depth == 0 && before == 1)
            return i + 1;
    }
    return 0;
}

static size_t comma_at(struct lw_str text)
{
    struct nesting n = {0};
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == ',' && n.depth == 0 && !n.quote)
            return i;
        pass(&n, text.p[i]);
    }
    return text.n;
}

/* "name=value" without "==". */
static bool keyword(struct lw_str *text, struct lw_str *name)
{
    size_t i = 0;
    while (i < text->n && ((text->p[i] >= 'a' && text->p[i] <= 'z') || text->p[i] == '_' ||
                           (text->p[i] >= 'A' && text->p[i] <= 'Z') ||
                           (text->p[i] >= '0' && text->p[i] <= '9')))
        i++;
    if (i == 0 || i + 1 >= text->n || text->p[i] != '=' || text->p[i + 1] == '=')
        return false;
    *name = lw_str_part(*text, 0, i);
    *text = lw_str_from(*text, i + 1);
    return true;
}

enum { MAX_ARGS = 32 };

struct text_call {
    struct lw_apis *apis;
    struct lw_arena *arena;
    struct rule_env *env;
    struct lw_err *err;
    int depth;
    struct lw_problem inner[32]; /* of calls that are arguments */
    size_t inner_count;
};

static int eval_text(struct text_call *t, struct lw_str text, struct lw_api_result *result);

/* An argument: an expression, or a constructed object `$keras.layers.LSTM(4)`. */
static int argument(struct text_call *t, struct lw_str text, struct lw_value *out)
{
    const struct rule_expr *e;
    text = lw_str_trim(text);
    if (text.n && text.p[0] == '$') {
        struct lw_api_result inner;
        int rc = eval_text(t, lw_str_from(text, 1), &inner);
        *out = inner.value;
        for (size_t i = 0; rc == 0 && i < inner.problem_count && t->inner_count < 32; i++)
            t->inner[t->inner_count++] = inner.problems[i];
        return rc;
    }
    int rc = rule_parse(t->arena, text, &e, t->err);
    if (rc == 0)
        *out = rule_eval(t->env, e);
    return rc;
}

static int arguments(struct text_call *t, struct lw_str text, struct lw_arg *args, size_t *n)
{
    *n = 0;
    while (lw_str_trim(text).n) {
        size_t end = comma_at(text);
        struct lw_str piece = lw_str_trim(lw_str_part(text, 0, end));
        text = lw_str_from(text, end + 1);
        if (*n >= MAX_ARGS)
            return lw_err_set(t->err, LW_EINVAL, "too many arguments");
        struct lw_arg *a = &args[(*n)++];
        memset(a, 0, sizeof *a);
        keyword(&piece, &a->name);
        int rc = argument(t, piece, &a->value);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int one_call(struct text_call *t, struct lw_api_call *call, struct lw_str text,
                    struct lw_api_result *result)
{
    struct lw_arg *args = lw_arena_array(t->arena, MAX_ARGS, sizeof *args);
    if (!args)
        return lw_err_nomem(t->err);
    t->env->framework = call->api->framework; /* whose tensors `tensor(…)` makes */
    int rc = arguments(t, text, args, &call->arg_count);
    call->args = args;
    return rc < 0 ? rc : lw_api_call(t->apis, call, result, t->err);
}

static int eval_text(struct text_call *t, struct lw_str text, struct lw_api_result *result)
{
    ptrdiff_t open = lw_str_find_char(text, '(');
    memset(result, 0, sizeof *result);
    if (open <= 0 || ++t->depth > 8)
        return lw_err_set(t->err, LW_EINVAL, "expected NAME(arguments)");
    size_t end = bracket_end(text, (size_t)open);
    struct lw_str name = lw_str_trim(lw_str_part(text, 0, (size_t)open));
    const struct lw_api *api = lw_api_find(t->apis, name, NULL);
    if (!api || !end)
        return lw_err_set(t->err, api ? LW_EINVAL : LW_ENOENT, "no entry '%.*s'", LW_F(name));
    struct lw_api_call call = {.api = api, .arena = t->arena};
    struct lw_str inside = lw_str_part(text, (size_t)open + 1, end - (size_t)open - 2);
    int rc = one_call(t, &call, inside, result);
    struct lw_str rest = lw_str_trim(lw_str_from(text, end));
    if (rc < 0 || rest.n < 2 || rest.p[0] != '(' || result->problem_count) {
        t->depth--;
        return rc;
    }
    call.side = LW_API_CALL;
    call.config = result->bound.slots;
    rc = one_call(t, &call, lw_str_part(rest, 1, rest.n - 2), result);
    t->depth--;
    return rc;
}

int lw_api_eval_text(struct lw_apis *apis, struct lw_str text, struct lw_arena *arena,
                     struct lw_api_result *result, struct lw_err *err)
{
    struct rule_env *env = lw_mem_alloc(apis->mem, sizeof *env);
    if (!env)
        return lw_err_nomem(err);
    env->apis = apis;
    env->dims = apis->dims;
    env->arena = arena;
    struct text_call t = {.apis = apis, .arena = arena, .env = env, .err = err};
    int rc = eval_text(&t, lw_str_trim(text), result);
    struct lw_api_call where = {.arena = arena};
    for (size_t i = 0; rc == 0 && i < t.inner_count; i++)
        if (api_problem(&where, result, &t.inner[i]) < 0)
            rc = lw_err_nomem(err);
    lw_mem_free(apis->mem, env, sizeof *env);
    return rc;
}
