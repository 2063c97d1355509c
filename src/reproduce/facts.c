#include "reproduce/facts.h"

#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "reproduce/needs.h"

enum { EVAL_DEPTH = 8, WINDOW = 140, SIZE_MOST = 1 << 16 };

int64_t rp_shape_size(const struct rp_shape *s)
{
    int64_t n = 1;
    for (size_t i = 0; i < s->rank; i++)
        n *= s->dims[i] > 0 && n < 1 << 24 ? s->dims[i] : 1;
    return n;
}

/* ---- Integers of the program ---------------------------------------------------------------
 */

static bool eval(const struct rp_program *p, uint32_t node, int depth, int64_t *out);

/* The argument that a call of the class or function gives for its parameter. */
static bool eval_argument(const struct rp_program *p, uint32_t param, int depth, int64_t *out)
{
    const struct lw_tree *t = &p->tree;
    uint32_t def = lw_tree_enclosing(t, param, LW_NODE_FUNCTION);
    uint32_t owner = lw_tree_enclosing(t, def, LW_NODE_CLASS);
    struct lw_str callee = lw_tree_name(t, owner != LW_NO_NODE ? owner : def);
    uint32_t number = 0, q = LW_NO_NODE, params = lw_tree_parent(t, param);
    while ((q = lw_tree_each(t, params, LW_ROLE_ARGS, q)) != LW_NO_NODE && q != param)
        number++;
    number -= owner != LW_NO_NODE && number > 0;
    for (uint32_t n = 0; n < t->nodes.n; n++) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || !lw_str_eq(rp_callee(t, n), callee))
            continue;
        uint32_t i = 0, a = LW_NO_NODE, k = LW_NO_NODE;
        while ((a = lw_tree_each(t, n, LW_ROLE_ARGS, a)) != LW_NO_NODE)
            if (i++ == number)
                return eval(p, a, depth + 1, out);
        while ((k = lw_tree_each(t, n, LW_ROLE_KEYWORDS, k)) != LW_NO_NODE)
            if (lw_str_eq(lw_tree_name(t, k), lw_tree_name(t, param)))
                return eval(p, lw_tree_get(t, k, LW_ROLE_VALUE), depth + 1, out);
    }
    return false;
}

static bool eval_name(const struct rp_program *p, uint32_t node, int depth, int64_t *out)
{
    const struct lw_tree *t = &p->tree;
    uint32_t s = rp_symbol(p, node);
    if (s == LW_NO_SYMBOL)
        return false;
    const struct lw_binding *b = &p->names.bindings.v[p->names.symbols.v[s].first_binding];
    if (b->kind == LW_BIND_PARAM) {
        uint32_t value = lw_tree_get(t, b->node, LW_ROLE_DEFAULT);
        return eval_argument(p, b->node, depth, out) ||
               (value != LW_NO_NODE && eval(p, value, depth + 1, out));
    }
    uint32_t statement = lw_tree_parent(t, b->node);
    return b->kind == LW_BIND_ASSIGN && lw_tree_kind(t, statement) == LW_NODE_ASSIGN &&
           eval(p, lw_tree_get(t, statement, LW_ROLE_VALUE), depth + 1, out);
}

static bool eval_operation(const struct rp_program *p, uint32_t node, int depth, int64_t *out)
{
    int64_t a, b;
    if (!eval(p, lw_tree_get(&p->tree, node, LW_ROLE_LEFT), depth + 1, &a) ||
        !eval(p, lw_tree_get(&p->tree, node, LW_ROLE_RIGHT), depth + 1, &b))
        return false;
    switch (lw_tree_node(&p->tree, node)->op) {
    case LW_OP_MULT: return lw_mul_i64(a, b, out);
    case LW_OP_ADD: return lw_add_i64(a, b, out);
    case LW_OP_SUB: return b > INT64_MIN && lw_add_i64(a, -b, out);
    case LW_OP_FLOOR_DIV: return b > 0 && ((*out = a / b), true);
    default: return false;
    }
}

static bool eval(const struct rp_program *p, uint32_t node, int depth, int64_t *out)
{
    if (node == LW_NO_NODE || depth > EVAL_DEPTH)
        return false;
    switch (lw_tree_kind(&p->tree, node)) {
    case LW_NODE_NUMBER: return lw_parse_i64(lw_tree_text(&p->tree, node), out);
    case LW_NODE_NAME: return eval_name(p, node, depth, out);
    case LW_NODE_BIN_OP: return eval_operation(p, node, depth, out);
    default: return false;
    }
}

bool rp_integer(const struct rp_program *p, uint32_t node, int64_t *out)
{
    return eval(p, node, 0, out) && *out > 0 && *out < SIZE_MOST;
}

/* ---- The report ----------------------------------------------------------------------------
 */

struct lw_str rp_setting(const struct rp_program *p, struct lw_str name)
{
    struct lw_str value = {0};
    static const enum lw_fact_kind kinds[] = {LW_FACT_SETTING, LW_FACT_DATA};
    for (size_t k = 0; k < 2; k++)
        for (const struct lw_fact *f = NULL; (f = lw_report_next(p->report, kinds[k], f));)
            if (name.n && lw_str_eq(f->name, name) && f->number.has_number && value.n == 0)
                value = f->number.low == f->number.high ? lw_fact_value(f) : value;
    return value;
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

/* "(32, 5, 24)" with numbers only; 0: it is not that. */
static size_t read_shape(struct lw_str s, struct rp_shape *out)
{
    size_t i = 1;
    *out = (struct rp_shape){0};
    if (s.n < 3 || (s.p[0] != '(' && s.p[0] != '['))
        return 0;
    while (i < s.n && s.p[i] != ')' && s.p[i] != ']') {
        int64_t v = 0;
        size_t start = i;
        for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && v < SIZE_MOST; i++)
            v = v * 10 + (s.p[i] - '0');
        if (i == start || out->rank == RP_RANK_MAX)
            return 0;
        out->dims[out->rank++] = v;
        while (i < s.n && (s.p[i] == ',' || s.p[i] == ' '))
            i++;
    }
    return i < s.n && lw_str_find_char(lw_str_part(s, 0, i), ',') > 0 ? i + 1 : 0;
}

/* Is the text one expression without names: a literal? */
static bool is_literal(struct rp_program *p, struct lw_str text)
{
    struct lw_tree tree;
    struct lw_err err = {0};
    lw_tree_init(&tree, p->mem);
    if (lw_tree_parse(&tree, text, &err) < 0)
        p->failed = err.code;
    bool ok = !p->failed && tree.lexed.errors.n == 0;
    for (uint32_t n = 0; ok && n < tree.nodes.n; n++)
        ok = lw_tree_kind(&tree, n) != LW_NODE_NAME && lw_tree_kind(&tree, n) != LW_NODE_CALL;
    lw_tree_release(&tree);
    return ok;
}

/* A list of numbers or tuples as Python text, without its elisions. */
static struct lw_str read_literal(struct rp_program *p, struct lw_str s)
{
    struct lw_buf out;
    int depth = 0;
    size_t i = 0;
    if (s.n == 0 || s.p[0] != '[')
        return LW_S("");
    lw_buf_init(&out, p->mem, 1 << 16);
    for (; i < s.n; i++) {
        char c = s.p[i];
        depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
        if (!is_name_char(c) && !memchr("[](), .-'\"", c, 10))
            break;
        if (lw_str_has_prefix(lw_str_from(s, i), LW_S("..."))) {
            i += 2;
            continue;
        }
        lw_buf_add_char(&out, c);
        if (depth == 0)
            break;
    }
    struct lw_str text = {0};
    if (i < s.n && depth == 0 && out.n > 2 && is_literal(p, lw_buf_str(&out)))
        text = rp_printf(p, "%s", lw_buf_z(&out));
    lw_buf_release(&out);
    return text;
}

/* "0..9", "0 to 9", "0-9": ten values. 0: nothing of that kind. */
static int64_t read_values(struct lw_str s)
{
    static const char *const forms[] = {"0..", "0 to ", "from 0 to ", NULL};
    for (size_t i = 0; forms[i]; i++) {
        ptrdiff_t at = lw_str_find(s, lw_str(forms[i]));
        size_t from = at < 0 ? s.n : (size_t)at + strlen(forms[i]), n = 0;
        int64_t high = 0;
        while (from + n < s.n && s.p[from + n] >= '0' && s.p[from + n] <= '9')
            n++;
        if (n > 0 && (at == 0 || !is_name_char(s.p[at - 1])) &&
            lw_parse_i64(lw_str_part(s, from, n), &high) && high < 1000)
            return high + 1;
    }
    return 0;
}

static void read_window(struct rp_program *p, struct lw_str window, struct rp_stated *out)
{
    static const char *const dtypes[] = {"uint8", "float64",    "float16", "int64",
                                         "int32", "LongTensor", "long",    NULL};
    struct rp_shape shape;
    out->is_list |= lw_str_find(window, LW_S("list of")) >= 0;
    out->values = out->values ? out->values : read_values(window);
    for (size_t i = 0; i < window.n; i++) {
        struct lw_str rest = lw_str_from(window, i);
        if (!out->has_shape && read_shape(rest, &shape) > 0 && shape.rank > 0)
            out->has_shape = true, out->shape = shape;
        if (out->literal.n == 0 && rest.p[0] == '[')
            out->literal = read_literal(p, rest);
        for (size_t k = 0; dtypes[k] && out->dtype.n == 0; k++)
            if (lw_str_has_prefix(rest, lw_str(dtypes[k])) &&
                (i == 0 || !is_name_char(rest.p[-1])))
                out->dtype =
                    lw_str(dtypes[k][0] == 'L' || dtypes[k][0] == 'l' ? "int64" : dtypes[k]);
    }
}

/* The sentence that begins at `at`: to a full stop, a blank line, or so many bytes. */
static struct lw_str sentence(struct lw_str text, size_t at)
{
    size_t n = 0;
    for (; at + n < text.n && n < WINDOW; n++) {
        struct lw_str s = lw_str_from(text, at + n);
        bool stop = lw_str_has_prefix(s, LW_S(". ")) &&
                    !lw_str_has_suffix(lw_str_part(text, at, n), LW_S("e.g")) &&
                    !lw_str_has_suffix(lw_str_part(text, at, n), LW_S("i.e"));
        if (stop || lw_str_has_prefix(s, LW_S("\n\n")) || s.p[0] == ';')
            break;
    }
    return lw_str_part(text, at, n);
}

/* "x is …", "`x`: …", "x = …": the mention says something about the name. */
static bool is_said(struct lw_str after)
{
    static const char *const words[] = {"is ", "are ", "has ", "have ", "=",
                                        ":",   "(",    "of ",  "with ", NULL};
    while (after.n && memchr("`' *", after.p[0], 4))
        after = lw_str_from(after, 1);
    for (size_t i = 0; words[i]; i++)
        if (lw_str_has_prefix(after, lw_str(words[i])))
            return true;
    return false;
}

static void look_in_block(struct rp_program *p, struct lw_str text, struct lw_str name,
                          struct rp_stated *out)
{
    for (size_t i = 0; i + name.n <= text.n; i++) {
        size_t end = i + name.n;
        if (text.p[i] != name.p[0] || !lw_str_eq(lw_str_part(text, i, name.n), name) ||
            (i > 0 && is_name_char(text.p[i - 1])) ||
            (end < text.n && is_name_char(text.p[end])))
            continue;
        if (is_said(lw_str_from(text, end)))
            read_window(p, sentence(text, end), out);
    }
}

void rp_stated_read(struct rp_program *p, struct lw_str name, struct rp_stated *out)
{
    const struct lw_fact *b = NULL;
    *out = (struct rp_stated){0};
    while (name.n && (b = lw_report_next_block(p->report, b)))
        if (b->kind == LW_FACT_PROSE || b->kind == LW_FACT_SUMMARY)
            look_in_block(p, b->text, name, out);
    /* "(0,)" says that something is empty, which is what went wrong, not what was given. */
    for (size_t i = 0; i < out->shape.rank; i++)
        out->has_shape = out->has_shape && out->shape.dims[i] > 0;
}

/* ---- The model -----------------------------------------------------------------------------
 */

static struct lw_str layer_takes(const struct rp_program *p, uint32_t call)
{
    const struct triage_table *t = &p->tables->layers;
    struct lw_str name = rp_callee(&p->tree, call);
    for (size_t i = 0; i < t->n; i++)
        if (lw_str_eq(triage_table_row(t, i)[0], name))
            return triage_table_row(t, i)[1];
    return LW_S("");
}

static uint32_t argument(const struct lw_tree *t, uint32_t call, uint32_t number,
                         struct lw_str keyword)
{
    uint32_t a = LW_NO_NODE, k = LW_NO_NODE;
    while ((a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) != LW_NO_NODE)
        if (number-- == 0)
            return a;
    while ((k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, k)) != LW_NO_NODE)
        if (lw_str_eq(lw_tree_name(t, k), keyword))
            return lw_tree_get(t, k, LW_ROLE_VALUE);
    return LW_NO_NODE;
}

/* "8x8", "24 x 24" somewhere in the report. */
static int64_t stated_side(const struct rp_program *p)
{
    struct lw_str text = lw_report_text(p->report);
    for (size_t i = 1; i + 1 < text.n; i++) {
        size_t a = i, b = i + 1;
        if (text.p[i] != 'x' || text.p[i - 1] < '0' || text.p[i - 1] > '9')
            continue;
        while (a > 0 && text.p[a - 1] >= '0' && text.p[a - 1] <= '9')
            a--;
        while (b < text.n && text.p[b] >= '0' && text.p[b] <= '9')
            b++;
        int64_t side = 0;
        if (lw_str_eq(lw_str_part(text, a, i - a), lw_str_part(text, i + 1, b - i - 1)) &&
            lw_parse_i64(lw_str_part(text, a, i - a), &side) && side > 3 && side < 1024)
            return side;
    }
    return 0;
}

static void use_first_layer(const struct rp_program *p, uint32_t call, struct lw_str takes,
                            struct rp_facts *out)
{
    int64_t size = 0, side = stated_side(p);
    out->input_known = rp_integer(p, argument(&p->tree, call, 0, LW_S("in_features")), &size);
    if (!out->input_known)
        size = 16;
    if (lw_str_eq(takes, LW_S("numbers"))) {
        out->integers = true;
        out->vocabulary = size;
        out->input = (struct rp_shape){{12}, 1};
    } else if (lw_str_has_prefix(takes, LW_S("channels"))) {
        size_t rank = (size_t)(takes.p[takes.n - 1] - '0');
        out->input = (struct rp_shape){{size}, rank + 1};
        for (size_t i = 1; i <= rank; i++)
            out->input.dims[i] = side ? side : 28;
    } else if (lw_str_eq(takes, LW_S("steps"))) {
        out->input = (struct rp_shape){{12, size}, 2};
    } else {
        out->input = (struct rp_shape){{size}, 1};
    }
}

/* A loss of the program, by the last word of any name in it. */
static void find_loss(const struct rp_program *p, struct rp_facts *out)
{
    const struct lw_tree *t = &p->tree;
    for (uint32_t n = t->root; n != LW_NO_NODE && out->target == RP_TARGET_NONE;
         n = lw_tree_next(t, t->root, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(&p->tree, n);
        struct lw_str name = lw_tree_name(&p->tree, n);
        if (kind != LW_NODE_NAME && kind != LW_NODE_ATTRIBUTE)
            continue;
        out->target = rp_loss_target(p->tables, name);
        out->loss = out->target == RP_TARGET_NONE ? LW_S("") : name;
    }
}

static void find_layers(const struct rp_program *p, struct rp_facts *out)
{
    const struct lw_tree *t = &p->tree;
    bool first = true;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        struct lw_str takes =
            lw_tree_kind(&p->tree, n) == LW_NODE_CALL ? layer_takes(p, n) : LW_S("");
        if (takes.n == 0 || lw_str_eq(takes, LW_S("unknown")))
            continue;
        int64_t width;
        bool wide = rp_integer(p, argument(&p->tree, n, 1, LW_S("out_features")), &width);
        if (lw_str_eq(takes, LW_S("features")) && wide)
            out->classes = width, out->classes_known = true;
        if (first)
            use_first_layer(p, n, takes, out);
        first = false;
    }
}

static int64_t stated_number(const struct rp_program *p, struct lw_str name, int64_t otherwise,
                             int64_t most)
{
    struct lw_str text = rp_setting(p, name);
    double v = 0;
    if (text.n == 0 || !lw_parse_double(text, &v) || v < 1 || v > (double)most)
        return otherwise;
    return (int64_t)v;
}

void rp_facts_read(const struct rp_program *p, struct rp_facts *out)
{
    *out = (struct rp_facts){.classes = 2};
    out->input = (struct rp_shape){{16}, 1};
    find_loss(p, out);
    find_layers(p, out);
    if (!out->classes_known)
        out->classes = stated_number(p, LW_S("classes"), 2, 1000);
    if (!out->input_known && out->input.rank == 1 && !out->integers)
        out->input.dims[0] = stated_number(p, LW_S("features"), out->input.dims[0], 4096);
    out->samples = stated_number(p, LW_S("samples"), 256, 5000);
    out->batch = stated_number(p, LW_S("batch_size"), 32, 1024);
    out->flat_target = lw_str_find(p->body, LW_S("squeeze(")) >= 0 ||
                       lw_str_find(p->body, LW_S("Flatten(0")) >= 0;
}
