#include "reproduce/drive.h"

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"

static uint32_t top_next(const struct rp_program *p, uint32_t statement)
{
    return lw_tree_each(&p->tree, p->tree.root, LW_ROLE_BODY, statement);
}

/* How often names are used, and called, in the whole body: one walk for all questions. */
struct tally {
    struct lw_map used, called;
};

static void tally_init(struct tally *a, struct rp_program *p)
{
    const struct lw_tree *t = &p->tree;
    lw_map_init(&a->used, p->mem);
    lw_map_init(&a->called, p->mem);
    for (uint32_t n = 0; n < t->nodes.n && !p->failed; n++) {
        if (lw_tree_kind(t, n) != LW_NODE_NAME)
            continue;
        bool func = (enum lw_role)lw_tree_node(t, n)->role == LW_ROLE_FUNC;
        struct lw_map_entry *used = lw_map_put(&a->used, lw_tree_name(t, n), NULL);
        struct lw_map_entry *called =
            func ? lw_map_put(&a->called, lw_tree_name(t, n), NULL) : used;
        if (!used || !called) {
            p->failed = LW_ENOMEM;
        } else {
            used->value++;
            called->value += func;
        }
    }
}

static void tally_release(struct tally *a)
{
    lw_map_release(&a->used);
    lw_map_release(&a->called);
}

/* Does anything but its own definition name it? */
static bool is_referred(const struct rp_program *p, const struct tally *a, uint32_t definition)
{
    const struct lw_tree *t = &p->tree;
    struct lw_str name = lw_tree_name(t, definition);
    uint64_t own = 0;
    for (uint32_t n = definition; n != LW_NO_NODE; n = lw_tree_next(t, definition, n, false))
        own += lw_tree_kind(t, n) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, n), name);
    return lw_map_get(&a->used, name, 0) > own;
}

static bool is_class_or_function(enum lw_node_kind kind)
{
    return kind == LW_NODE_FUNCTION || kind == LW_NODE_CLASS;
}

/* ---- Elided training steps -----------------------------------------------------------------
 */

static bool calls_method(const struct rp_program *p, uint32_t top, const char *method)
{
    const struct lw_tree *t = &p->tree;
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE &&
            lw_str_eq(lw_tree_name(t, n), lw_str(method)))
            return true;
    return false;
}

/* The name that holds the loss in the loop: the target of an assignment called …loss…. */
static struct lw_str loss_in(const struct rp_program *p, uint32_t loop)
{
    const struct lw_tree *t = &p->tree;
    for (uint32_t s = LW_NO_NODE; (s = lw_tree_each(t, loop, LW_ROLE_BODY, s)) != LW_NO_NODE;) {
        struct lw_str name = lw_tree_name(t, lw_tree_get(t, s, LW_ROLE_TARGETS));
        if (lw_tree_kind(t, s) == LW_NODE_ASSIGN && lw_str_find(name, LW_S("loss")) >= 0)
            return name;
    }
    return LW_S("");
}

static bool is_elision(const struct lw_tree *t, uint32_t s)
{
    return lw_tree_kind(t, s) == LW_NODE_EXPR && lw_str_eq(lw_tree_text(t, s), LW_S("..."));
}

static void fill_step(struct rp_program *p, uint32_t elision, struct lw_str loss,
                      struct lw_str optimizer)
{
    uint32_t start = lw_tree_start(&p->tree, elision);
    int indent = (int)(start - rp_statement_start(&p->tree, elision));
    struct lw_str text =
        rp_printf(p, "%.*s.zero_grad()\n%*s%.*s.backward()\n%*s%.*s.step()", LW_F(optimizer),
                  indent, "", LW_F(loss), indent, "", LW_F(optimizer));
    rp_replace(p, start, lw_tree_end(&p->tree, elision), text,
               (struct lw_step){.action = LW_ACTION_HYPERPARAMETER,
                                .basis = LW_STEP_ASSUMED,
                                .why = LW_S("the report leaves out the training step")});
}

static void fill_elisions(struct rp_program *p)
{
    const struct lw_tree *t = &p->tree;
    struct lw_str optimizer = rp_bound_role(p, RP_ROLE_OPTIMIZER);
    for (uint32_t n = 0; n < t->nodes.n; n++) {
        uint32_t loop = is_elision(t, n) ? lw_tree_parent(t, n) : LW_NO_NODE;
        if (lw_tree_kind(t, loop) != LW_NODE_FOR || calls_method(p, loop, "backward"))
            continue;
        struct lw_str loss = loss_in(p, loop);
        if (loss.n > 0)
            fill_step(p, n, loss, optimizer.n ? optimizer : LW_S("optimizer"));
    }
}

/* ---- A training loop -----------------------------------------------------------------------
 */

static void add_training(struct rp_program *p)
{
    struct lw_str model = rp_bound_role(p, RP_ROLE_MODEL);
    struct lw_str optimizer = rp_bound_role(p, RP_ROLE_OPTIMIZER);
    struct lw_str loader = rp_bound_role(p, RP_ROLE_LOADER);
    struct lw_str epochs = rp_setting(p, LW_S("epochs"));
    if (p->framework != RP_TORCH || model.n == 0)
        return;
    struct lw_str text =
        rp_printf(p,
                  "for epoch in range(%.*s):\n"
                  "    for inputs, targets in %.*s:\n"
                  "        loss = F.cross_entropy(%.*s(inputs), targets)\n"
                  "        %.*s.zero_grad()\n"
                  "        loss.backward()\n"
                  "        %.*s.step()\n"
                  "    print(f\"epoch {epoch} loss {loss.item()}\")\n",
                  LW_F(epochs.n ? epochs : LW_S("3")), LW_F(loader.n ? loader : LW_S("loader")),
                  LW_F(model), LW_F(optimizer.n ? optimizer : LW_S("optimizer")),
                  LW_F(optimizer.n ? optimizer : LW_S("optimizer")));
    rp_insert(p, (uint32_t)p->body.n, RP_FIRST_VALUES, text,
              (struct lw_step){.action = LW_ACTION_HYPERPARAMETER,
                               .basis = LW_STEP_ASSUMED,
                               .why = LW_S("the report does not show the training loop")});
}

/* ---- Calls ---------------------------------------------------------------------------------
 */

/* "(x, labels)": the parameters that have no default, by name. */
static struct lw_str arguments_text(struct rp_program *p, uint32_t function, bool is_method)
{
    const struct lw_tree *t = &p->tree;
    uint32_t params = lw_tree_get(t, function, LW_ROLE_ARGS), a = LW_NO_NODE;
    struct lw_str text = LW_S("");
    for (; (a = lw_tree_each(t, params, LW_ROLE_ARGS, a)) != LW_NO_NODE;) {
        uint8_t kind = lw_tree_node(t, a)->op;
        bool self = is_method && text.n == 0;
        if (self) {
            is_method = false;
            continue;
        }
        if (kind == LW_PARAM_VARARG || kind == LW_PARAM_KWARG ||
            lw_tree_get(t, a, LW_ROLE_DEFAULT) != LW_NO_NODE)
            continue;
        struct lw_str name = lw_tree_name(t, a);
        const char *keyword = kind == LW_PARAM_KEYWORD ? "=" : "";
        text = rp_printf(p, "%.*s%s%.*s%s%.*s", LW_F(text), text.n ? ", " : "",
                         LW_F(*keyword ? name : LW_S("")), keyword, LW_F(name));
    }
    return text;
}

static void add_call(struct rp_program *p, struct lw_str text, struct lw_str metric)
{
    bool log = metric.n > 0;
    struct lw_str line = log ? rp_printf(p, "print(\"%.*s\", %.*s)\n", LW_F(metric), LW_F(text))
                             : rp_printf(p, "%.*s\n", LW_F(text));
    rp_insert(p, (uint32_t)p->body.n, RP_FIRST_VALUES, line,
              (struct lw_step){.action = log ? LW_ACTION_LOGGING : LW_ACTION_COMPILER,
                               .why = LW_S("the report does not show the call")});
}

/* A call that the prose quotes: "`Network([2, 16, 3], seed)`". Its text; empty: none. */
static struct lw_str quoted_call(const struct rp_program *p, struct lw_str name)
{
    for (const struct lw_fact *b = NULL; (b = lw_report_next_block(p->report, b));) {
        struct lw_str rest = b->text;
        ptrdiff_t at;
        while (b->kind == LW_FACT_PROSE && (at = lw_str_find_char(rest, '`')) >= 0) {
            rest = lw_str_from(rest, (size_t)at + 1);
            ptrdiff_t end = lw_str_find_char(rest, '`');
            struct lw_str quote = lw_str_part(rest, 0, end > 0 ? (size_t)end : 0);
            if (quote.n > name.n + 1 && lw_str_has_prefix(quote, name) &&
                quote.p[name.n] == '(' && quote.p[quote.n - 1] == ')' &&
                lw_str_find(quote, LW_S("...")) < 0)
                return quote;
            rest = lw_str_from(rest, end > 0 ? (size_t)end + 1 : 0);
        }
    }
    return LW_S("");
}

/* Does the text parse as one expression? */
static bool parses(struct rp_program *p, struct lw_str text)
{
    struct lw_tree tree;
    struct lw_err err = {0};
    lw_tree_init(&tree, p->mem);
    if (lw_tree_parse(&tree, text, &err) < 0)
        p->failed = err.code;
    bool ok = !p->failed && tree.lexed.errors.n == 0 && lw_str_find_char(text, '\n') < 0;
    lw_tree_release(&tree);
    return ok;
}

/* The method of a class that does the work: the first that is none of Python's own. */
static uint32_t main_method(const struct rp_program *p, uint32_t class_node)
{
    const struct lw_tree *t = &p->tree;
    uint32_t s = LW_NO_NODE;
    while ((s = lw_tree_each(t, class_node, LW_ROLE_BODY, s)) != LW_NO_NODE)
        if (lw_tree_kind(t, s) == LW_NODE_FUNCTION &&
            !lw_str_has_prefix(lw_tree_name(t, s), LW_S("_")))
            return s;
    return LW_NO_NODE;
}

static bool is_module_class(const struct lw_tree *t, uint32_t class_node)
{
    uint32_t b = LW_NO_NODE;
    while ((b = lw_tree_each(t, class_node, LW_ROLE_BASES, b)) != LW_NO_NODE)
        if (lw_str_find(lw_tree_text(t, b), LW_S("Module")) >= 0)
            return true;
    return false;
}

static void call_class(struct rp_program *p, uint32_t class_node, const struct rp_candidate *c)
{
    const struct lw_tree *t = &p->tree;
    struct lw_str name = lw_tree_name(t, class_node), made = quoted_call(p, name);
    uint32_t init = lw_names_method(&p->names, class_node, LW_S("__init__"));
    uint32_t method = main_method(p, class_node);
    if (made.n == 0 || !parses(p, made))
        made = rp_printf(p, "%.*s(%.*s)", LW_F(name),
                         LW_F(init == LW_NO_NODE ? LW_S("") : arguments_text(p, init, true)));
    if (method == LW_NO_NODE) {
        add_call(p, made, LW_S(""));
        return;
    }
    struct lw_str arguments = arguments_text(p, method, true);
    struct lw_str call = is_module_class(t, class_node)
                             ? rp_printf(p, "%.*s(%.*s)", LW_F(made), LW_F(arguments))
                             : rp_printf(p, "%.*s.%.*s(%.*s)", LW_F(made),
                                         LW_F(lw_tree_name(t, method)), LW_F(arguments));
    add_call(p, call, c->silent ? c->metric : LW_S(""));
}

/* `net = Net()` whose net is never called: what a module is for is its call. */
static void call_instance(struct rp_program *p, const struct tally *a, uint32_t statement)
{
    const struct lw_tree *t = &p->tree;
    uint32_t value = lw_tree_get(t, statement, LW_ROLE_VALUE);
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, statement, LW_ROLE_TARGETS));
    uint32_t def =
        lw_tree_kind(t, value) == LW_NODE_CALL ? lw_names_callee(&p->names, value) : LW_NO_NODE;
    if (lw_tree_kind(t, def) != LW_NODE_CLASS || name.n == 0 || lw_map_find(&a->called, name) ||
        !is_module_class(t, def))
        return;
    uint32_t forward = lw_names_method(&p->names, def, LW_S("forward"));
    if (forward != LW_NO_NODE)
        add_call(p,
                 rp_printf(p, "%.*s(%.*s)", LW_F(name), LW_F(arguments_text(p, forward, true))),
                 LW_S(""));
}

/* The name that a function returns if that is a model; empty: it returns something else. */
static struct lw_str returned_model(const struct rp_program *p, uint32_t function)
{
    const struct lw_tree *t = &p->tree;
    struct rp_known_name known;
    for (uint32_t n = function; n != LW_NO_NODE; n = lw_tree_next(t, function, n, false)) {
        struct lw_str name = lw_tree_name(t, lw_tree_get(t, n, LW_ROLE_VALUE));
        if (lw_tree_kind(t, n) == LW_NODE_RETURN && name.n > 0 &&
            rp_known_name(p->tables, name, &known) && known.role == RP_ROLE_MODEL)
            return name;
    }
    return LW_S("");
}

/* Does the module code do anything but define things? */
static bool is_active(const struct rp_program *p)
{
    const struct lw_tree *t = &p->tree;
    for (uint32_t s = LW_NO_NODE; (s = top_next(p, s)) != LW_NO_NODE;) {
        enum lw_node_kind kind = lw_tree_kind(t, s);
        if (kind == LW_NODE_FOR || kind == LW_NODE_WHILE || kind == LW_NODE_WITH ||
            kind == LW_NODE_IF)
            return true;
        if (kind == LW_NODE_EXPR &&
            lw_tree_kind(t, lw_tree_get(t, s, LW_ROLE_VALUE)) != LW_NODE_STRING)
            return true;
    }
    return false;
}

/* Calls what is defined and never used. */
static void call_definitions(struct rp_program *p, const struct rp_candidate *c,
                             const struct tally *a)
{
    const struct lw_tree *t = &p->tree;
    for (uint32_t s = LW_NO_NODE; (s = top_next(p, s)) != LW_NO_NODE;) {
        if (lw_tree_kind(t, s) == LW_NODE_ASSIGN)
            call_instance(p, a, s);
        if (!is_class_or_function(lw_tree_kind(t, s)) || is_referred(p, a, s))
            continue;
        struct lw_str name = lw_tree_name(t, s), model = returned_model(p, s);
        if (lw_tree_kind(t, s) == LW_NODE_CLASS)
            call_class(p, s, c);
        else if (model.n > 0)
            add_call(p,
                     rp_printf(p, "%.*s = %.*s(%.*s)", LW_F(model), LW_F(name),
                               LW_F(arguments_text(p, s, false))),
                     LW_S(""));
        else
            add_call(p,
                     rp_printf(p, "%.*s(%.*s)", LW_F(name), LW_F(arguments_text(p, s, false))),
                     c->silent ? c->metric.n ? c->metric : LW_S("result") : LW_S(""));
    }
}

/* ---- Numbers -------------------------------------------------------------------------------
 */

static void seed_all(struct rp_program *p)
{
    bool torch = p->framework == RP_TORCH;
    rp_insert(
        p, rp_after_imports(p), RP_FIRST_HELPERS,
        rp_printf(p,
                  "import os\nimport random\nimport numpy as np\n%s"
                  "random.seed(int(os.environ.get(\"LACEWING_SEED\", \"0\")))\n"
                  "np.random.seed(int(os.environ.get(\"LACEWING_SEED\", \"0\")))\n%s",
                  torch ? "import torch\n" : "",
                  torch ? "torch.manual_seed(int(os.environ.get(\"LACEWING_SEED\", \"0\")))\n"
                        : ""),
        (struct lw_step){.action = LW_ACTION_LOGGING,
                         .basis = LW_STEP_ASSUMED,
                         .why = LW_S("a silent bug is run with five seeds")});
}

/* Does a print show the metric: by its name, or as a number alone? */
static bool prints(const struct rp_program *p, struct lw_str metric)
{
    const struct lw_tree *t = &p->tree;
    for (uint32_t n = 0; n < t->nodes.n; n++) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || !lw_str_eq(rp_callee(t, n), LW_S("print")))
            continue;
        struct lw_str text = lw_tree_text(t, n);
        bool quoted = lw_str_find_char(text, '"') >= 0 || lw_str_find_char(text, '\'') >= 0;
        if (!quoted || lw_str_find(text, lw_str_part(metric, 0, 4)) >= 0)
            return true;
    }
    return false;
}

/* A quoted call of a function of the program that makes data: "tested on `make(7, 400)`". */
static struct lw_str quoted_data(struct rp_program *p)
{
    const struct lw_tree *t = &p->tree;
    for (uint32_t s = LW_NO_NODE; (s = top_next(p, s)) != LW_NO_NODE;) {
        struct lw_str call = lw_tree_kind(t, s) == LW_NODE_FUNCTION
                                 ? quoted_call(p, lw_tree_name(t, s))
                                 : LW_S("");
        if (call.n > 0 && lw_str_find_char(call, '=') < 0 && parses(p, call))
            return call;
    }
    return LW_S("");
}

/* Accuracy or loss of the model on new samples, where the program prints nothing. */
static void log_metric(struct rp_program *p, const struct rp_candidate *c)
{
    struct lw_str model = rp_bound_role(p, RP_ROLE_MODEL);
    bool accuracy = lw_str_find(c->metric, LW_S("accuracy")) >= 0;
    uint32_t loss = lw_names_find(&p->names, 0, LW_S("loss"));
    if (lw_str_eq(c->metric, LW_S("loss")) && loss != LW_NO_SYMBOL &&
        (p->names.symbols.v[loss].flags & LW_SYMBOL_BOUND))
        rp_insert(p, (uint32_t)p->body.n, RP_FIRST_VALUES,
                  LW_S("print(\"loss\", float(loss))\n"),
                  (struct lw_step){.action = LW_ACTION_LOGGING,
                                   .why = LW_S("the report talks about the loss, which the "
                                               "program does not print")});
    if (model.n == 0 || !accuracy || p->framework != RP_TORCH)
        return;
    struct lw_str test = quoted_data(p);
    if (test.n > 0)
        rp_insert(p, (uint32_t)p->body.n, RP_FIRST_VALUES,
                  rp_printf(p, "new_x, new_y = %.*s\n", LW_F(test)),
                  (struct lw_step){.action = LW_ACTION_LOGGING,
                                   .why = LW_S("the report says what it was tested on")});
    rp_insert(
        p, (uint32_t)p->body.n, RP_FIRST_VALUES,
        rp_printf(p,
                  "%.*s.eval()\n"
                  "with torch.no_grad():\n"
                  "    print(\"accuracy\", (%.*s(new_x).argmax(dim=1) == new_y).float()"
                  ".mean().item())\n",
                  LW_F(model), LW_F(model)),
        (struct lw_step){.action = LW_ACTION_LOGGING,
                         .why = LW_S("the report talks about the accuracy, which the program "
                                     "does not print")});
}

int rp_drive(struct rp_program *p, const struct rp_candidate *c, struct lw_err *err)
{
    fill_elisions(p);
    if (c->call_all || !is_active(p)) {
        struct tally a;
        tally_init(&a, p);
        call_definitions(p, c, &a);
        tally_release(&a);
    }
    if (c->train)
        add_training(p);
    if (c->silent) {
        seed_all(p);
        if (!prints(p, c->metric))
            log_metric(p, c);
    }
    return p->failed ? lw_err_nomem(err) : 0;
}
