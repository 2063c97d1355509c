#include "reproduce/inputs.h"

#include "base/num.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "reproduce/data.h"
#include "reproduce/network.h"

/* ---- Places --------------------------------------------------------------------------------
 */

static uint32_t before_use(const struct rp_inputs *in, const struct rp_need *need)
{
    uint32_t top = rp_top_statement(&in->p->tree, need->node);
    uint32_t at = rp_statement_start(&in->p->tree, top), imports = rp_after_imports(in->p);
    return at > imports ? at : imports;
}

/* Behind the statement that binds the name at module level; 0: nothing does. */
static uint32_t after_binding(const struct rp_inputs *in, struct lw_str name)
{
    const struct rp_program *p = in->p;
    uint32_t s = lw_names_find(&p->names, 0, name);
    if (s == LW_NO_SYMBOL || !(p->names.symbols.v[s].flags & LW_SYMBOL_BOUND))
        return 0;
    uint32_t node = p->names.bindings.v[p->names.symbols.v[s].first_binding].node;
    return rp_statement_end(p, rp_top_statement(&p->tree, node));
}

static void put(struct rp_inputs *in, uint32_t at, struct lw_str text, enum lw_action action,
                enum lw_step_basis basis, struct lw_str why)
{
    rp_insert(in->p, at, RP_FIRST_VALUES, text,
              (struct lw_step){.action = action, .basis = basis, .why = why});
}

static void put_value(struct rp_inputs *in, const struct rp_need *need, struct lw_str value,
                      enum lw_action action, enum lw_step_basis basis, const char *why)
{
    put(in, before_use(in, need),
        rp_printf(in->p, "%.*s = %.*s\n", LW_F(need->name), LW_F(value)), action, basis,
        rp_printf(in->p, "'%.*s' is not defined; %s", LW_F(need->name), why));
}

static void use_framework(struct rp_inputs *in)
{
    if (in->p->framework == RP_TORCH)
        in->torch_used = true;
    else
        in->numpy = true;
}

/* ---- Data ----------------------------------------------------------------------------------
 */

static int64_t sample_count(const struct rp_inputs *in, const struct rp_stated *stated)
{
    return stated->has_shape ? stated->shape.dims[0] : in->c->facts.samples;
}

/* Inputs and targets come in pairs from the same samples. */
static void define_pair(struct rp_inputs *in, const struct rp_need *x, const struct rp_need *y,
                        const struct rp_stated *stated)
{
    uint32_t a = before_use(in, x), b = before_use(in, y);
    struct lw_str text =
        rp_printf(in->p, "%.*s, %.*s = stand_in_samples(%lld)\n", LW_F(x->name), LW_F(y->name),
                  (long long)sample_count(in, stated));
    in->samples = true;
    put(in, a < b ? a : b, text, LW_ACTION_INPUT_DATA, LW_STEP_STAND_IN,
        rp_printf(in->p,
                  "'%.*s' and '%.*s' are not defined; these have the shapes that report "
                  "and program tell",
                  LW_F(x->name), LW_F(y->name)));
}

static void define_stated(struct rp_inputs *in, const struct rp_need *need,
                          const struct rp_stated *stated)
{
    bool target = need->role == RP_ROLE_TARGET;
    int64_t high = target && in->c->facts.target == RP_TARGET_CLASS ? in->c->facts.classes
                   : !target && in->c->facts.integers               ? in->c->facts.vocabulary
                                                                    : 0;
    high = stated->values ? stated->values : high;
    use_framework(in);
    if (stated->literal.n > 0 && (stated->is_list || !stated->has_shape))
        put_value(in, need, stated->literal, LW_ACTION_INPUT_DATA, LW_STEP_STATED,
                  "the report shows its value");
    else
        put_value(in, need, rp_array_text(in->p, &stated->shape, stated->dtype, high),
                  LW_ACTION_INPUT_DATA, LW_STEP_STAND_IN, "the report states its shape");
}

static void define_input(struct rp_inputs *in, const struct rp_need *need)
{
    use_framework(in);
    in->samples = true;
    put_value(in, need,
              rp_printf(in->p, "stand_in_samples(%lld)[%d]", (long long)in->c->facts.samples,
                        need->role == RP_ROLE_TARGET),
              LW_ACTION_INPUT_DATA, LW_STEP_STAND_IN,
              "it has the shape that the program needs");
}

/* Does the shape of one sample that is stated fit what is known of the model? Then it is what
 * the samples have. */
static void take_shape(struct rp_inputs *in, const struct rp_stated *stated)
{
    struct rp_facts *f = &in->c->facts;
    if (!stated->has_shape || stated->shape.rank < 2 || stated->shape.dims[0] < 2)
        return;
    f->input = (struct rp_shape){.rank = stated->shape.rank - 1};
    for (size_t i = 0; i < f->input.rank; i++)
        f->input.dims[i] = stated->shape.dims[i + 1];
    f->samples = stated->shape.dims[0];
    f->dtype = stated->dtype;
    f->input_known = true;
}

/* ---- Training ------------------------------------------------------------------------------
 */

static struct lw_str model_name(const struct rp_inputs *in)
{
    struct lw_str name = rp_bound_role(in->p, RP_ROLE_MODEL);
    for (size_t i = 0; i < in->count && name.n == 0; i++)
        if (in->needs[i].role == RP_ROLE_MODEL)
            name = in->needs[i].name;
    return name.n ? name : LW_S("model");
}

static struct lw_str setting_or(const struct rp_inputs *in, const char *name,
                                const char *otherwise)
{
    struct lw_str value = rp_setting(in->p, lw_str(name));
    return value.n ? value : lw_str(otherwise);
}

/* "Adam" of a setting that the report names; a word that is a class of torch.optim. */
static struct lw_str optimizer_class(const struct rp_inputs *in)
{
    for (const struct lw_fact *f = NULL;
         (f = lw_report_next(in->p->report, LW_FACT_SETTING, f));) {
        struct lw_str full = rp_printf(in->p, "torch.optim.%.*s", LW_F(lw_fact_value(f)));
        if (lw_str_eq(f->name, LW_S("optimizer")) && rp_is_api(in->p->tables, full))
            return lw_fact_value(f);
    }
    return LW_S("Adam");
}

static void define_optimizer(struct rp_inputs *in, const struct rp_need *need)
{
    struct rp_program *p = in->p;
    struct lw_str model = model_name(in), rate = setting_or(in, "learning_rate", "0.001");
    uint32_t at = before_use(in, need), model_at = after_binding(in, model);
    in->torch_used = true;
    put(in, at > model_at ? at : model_at,
        rp_printf(p, "%.*s = torch.optim.%.*s(%.*s.parameters(), lr=%.*s)\n", LW_F(need->name),
                  LW_F(optimizer_class(in)), LW_F(model), LW_F(rate)),
        LW_ACTION_HYPERPARAMETER, LW_STEP_ASSUMED,
        rp_printf(p, "'%.*s' is not defined", LW_F(need->name)));
}

static void define_criterion(struct rp_inputs *in, const struct rp_need *need)
{
    static const char *const by_target[] = {"CrossEntropyLoss", "CrossEntropyLoss",
                                            "BCEWithLogitsLoss", "MSELoss", "CrossEntropyLoss"};
    in->torch_used = true;
    put_value(in, need, rp_printf(in->p, "torch.nn.%s()", by_target[in->c->facts.target]),
              LW_ACTION_HYPERPARAMETER, LW_STEP_ASSUMED, "a loss that fits the targets");
}

static void define_scheduler(struct rp_inputs *in, const struct rp_need *need)
{
    in->torch_used = true;
    put_value(in, need, LW_S("torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)"),
              LW_ACTION_HYPERPARAMETER, LW_STEP_ASSUMED, "a scheduler that changes little");
}

static void define_model(struct rp_inputs *in, const struct rp_need *need)
{
    struct lw_str text = rp_network_text(in->p, &in->c->facts, need->name);
    bool described = text.n > 0;
    use_framework(in);
    put_value(in, need, described ? text : rp_model_text(in->p, &in->c->facts),
              LW_ACTION_NETWORK, described ? LW_STEP_STATED : LW_STEP_STAND_IN,
              described ? "the report describes its layers"
                        : "a small network that fits the data");
}

static struct lw_str loader_text(struct rp_inputs *in, size_t parts)
{
    struct rp_facts *f = &in->c->facts;
    in->samples = true;
    if (in->p->framework != RP_TORCH)
        return rp_printf(in->p, "[stand_in_samples(%lld) for _ in range(8)]",
                         (long long)f->batch);
    return rp_printf(in->p,
                     "torch.utils.data.DataLoader(%sstand_in_samples(%lld)%s, "
                     "batch_size=%lld, shuffle=True)",
                     parts == 1 ? "" : "torch.utils.data.TensorDataset(*",
                     (long long)f->samples, parts == 1 ? "[0]" : ")", (long long)f->batch);
}

static struct lw_str dataset_text(struct rp_inputs *in)
{
    in->samples = true;
    return rp_printf(in->p,
                     in->p->framework == RP_TORCH
                         ? "torch.utils.data.TensorDataset(*stand_in_samples(%lld))"
                         : "stand_in_samples(%lld)",
                     (long long)in->c->facts.samples);
}

/* ---- Functions and classes -----------------------------------------------------------------
 */

/* What a function that the report only names gives back. */
static struct lw_str result_text(struct rp_inputs *in, const struct rp_need *need)
{
    struct rp_known_name known;
    rp_known_name(in->p->tables, need->name, &known);
    if (known.role == RP_ROLE_MODEL) {
        struct lw_str described = rp_network_text(in->p, &in->c->facts, need->name);
        return described.n ? described : rp_model_text(in->p, &in->c->facts);
    }
    if (known.role == RP_ROLE_LOADER || need->uses.iterated)
        return loader_text(in, need->part_count);
    in->samples = true;
    return need->part_count == 1 ? LW_S("stand_in_samples(count)[0]")
                                 : LW_S("stand_in_samples(count)");
}

/* `text` with every `word` replaced. */
static struct lw_str fill_in(struct rp_program *p, struct lw_str text, const char *word,
                             struct lw_str value)
{
    struct lw_str done = LW_S(""), w = lw_str(word);
    ptrdiff_t at;
    while ((at = lw_str_find(text, w)) >= 0) {
        done = rp_printf(p, "%.*s%.*s%.*s", LW_F(done), (int)at, text.p, LW_F(value));
        text = lw_str_from(text, (size_t)at + w.n);
    }
    return rp_printf(p, "%.*s%.*s", LW_F(done), LW_F(text));
}

/* A function that everybody writes alike: data/reproduce/functions/. False: it is none. */
static bool define_usual(struct rp_inputs *in, const struct rp_need *need,
                         const struct rp_known_name *known)
{
    static const char *const losses[] = {"cross_entropy", "cross_entropy",
                                         "binary_cross_entropy_with_logits", "mse_loss",
                                         "cross_entropy"};
    struct lw_str text;
    struct lw_str path =
        rp_printf(in->p, "data/reproduce/functions/%.*s.py", LW_F(known->value));
    if (in->p->framework != RP_TORCH || known->role != RP_ROLE_FUNCTION ||
        !lw_embedded_find(path, &text))
        return false;
    text = fill_in(in->p, text, "NAME", need->name);
    text = fill_in(in->p, text, "EPOCHS", setting_or(in, "epochs", "3"));
    text = fill_in(in->p, text, "BATCH", setting_or(in, "batch_size", "32"));
    text = fill_in(in->p, text, "LOSS", lw_str(losses[in->c->facts.target]));
    in->torch_used = in->samples = true;
    put(in, before_use(in, need), text, LW_ACTION_COMPILER, LW_STEP_STAND_IN,
        rp_printf(in->p, "the report does not show '%.*s'; this is the usual one",
                  LW_F(need->name)));
    return true;
}

static void define_function(struct rp_inputs *in, const struct rp_need *need)
{
    struct rp_known_name known;
    rp_known_name(in->p->tables, need->name, &known);
    if (define_usual(in, need, &known))
        return;
    struct lw_str result = result_text(in, need);
    long long count = in->c->facts.batch;
    use_framework(in);
    put(in, before_use(in, need),
        rp_printf(
            in->p,
            "def %.*s(*args, **kwargs):\n"
            "    count = max([n for n in args if isinstance(n, int)] + [1]) if args else %lld\n"
            "    return %.*s\n\n",
            LW_F(need->name), count, LW_F(result)),
        known.role == RP_ROLE_MODEL ? LW_ACTION_NETWORK : LW_ACTION_INPUT_DATA,
        LW_STEP_STAND_IN,
        rp_printf(in->p, "the report does not show '%.*s'", LW_F(need->name)));
}

static void define_class(struct rp_inputs *in, const struct rp_need *need)
{
    unsigned results = in->c->class_results;
    const char *base = in->p->framework == RP_TORCH ? "torch.nn.Module" : "object";
    struct lw_str result = LW_S("x");
    for (unsigned i = 1; i < results && i < 8; i++)
        result = rp_printf(in->p, "%.*s, x", LW_F(result));
    in->torch_used |= in->p->framework == RP_TORCH;
    put(in, before_use(in, need),
        rp_printf(in->p,
                  "class %.*s(%s):\n"
                  "    def __init__(self, *args, **kwargs):\n"
                  "        super().__init__()\n\n"
                  "    def %s(self, x, *args, **kwargs):\n"
                  "        return %.*s\n\n",
                  LW_F(need->name), base, in->p->framework == RP_TORCH ? "forward" : "__call__",
                  LW_F(result)),
        LW_ACTION_NETWORK, LW_STEP_STAND_IN,
        rp_printf(in->p, "the report does not show class '%.*s'; this one gives back its input",
                  LW_F(need->name)));
}

/* ---- The rest ------------------------------------------------------------------------------
 */

static void define_number(struct rp_inputs *in, const struct rp_need *need)
{
    struct lw_str stated = rp_setting(in->p, need->known.setting);
    double number;
    if (lw_str_eq(need->known.setting, LW_S("seed"))) {
        in->os = true;
        put_value(in, need, LW_S("int(os.environ.get(\"LACEWING_SEED\", \"0\"))"),
                  LW_ACTION_HYPERPARAMETER, LW_STEP_ASSUMED, "any seed will do");
        return;
    }
    if (stated.n && lw_parse_double(stated, &number))
        put_value(in, need, stated, LW_ACTION_HYPERPARAMETER, LW_STEP_STATED,
                  "the report states it");
    else
        put_value(in, need, need->known.value.n ? need->known.value : LW_S("10"),
                  LW_ACTION_HYPERPARAMETER, LW_STEP_ASSUMED, "a usual value");
}

static void define_simple(struct rp_inputs *in, const struct rp_need *need)
{
    switch (need->role) {
    case RP_ROLE_DEVICE:
        in->torch_used = true;
        put_value(in, need, LW_S("torch.device(\"cpu\")"), LW_ACTION_HYPERPARAMETER,
                  LW_STEP_ASSUMED, "the processor is everywhere");
        break;
    case RP_ROLE_RNG:
        in->numpy = true;
        put_value(in, need, LW_S("np.random.default_rng(0)"), LW_ACTION_HYPERPARAMETER,
                  LW_STEP_ASSUMED, "any seed will do");
        break;
    case RP_ROLE_GENERATOR:
        in->torch_used = true;
        put_value(in, need, LW_S("torch.Generator().manual_seed(0)"), LW_ACTION_HYPERPARAMETER,
                  LW_STEP_ASSUMED, "any seed will do");
        break;
    case RP_ROLE_RANDOM:
        put_value(in, need, LW_S("__import__(\"random\").Random(0)"), LW_ACTION_HYPERPARAMETER,
                  LW_STEP_ASSUMED, "any seed will do");
        break;
    case RP_ROLE_ROWS:
        use_framework(in);
        put_value(in, need,
                  in->p->framework == RP_TORCH ? LW_S("torch.arange(8)") : LW_S("np.arange(8)"),
                  LW_ACTION_INPUT_DATA, LW_STEP_STAND_IN, "the first rows");
        break;
    case RP_ROLE_LIST:
    case RP_ROLE_DICT:
        put_value(in, need, need->role == RP_ROLE_LIST ? LW_S("[]") : LW_S("{}"),
                  LW_ACTION_COMPILER, LW_STEP_ASSUMED, "it is filled later");
        break;
    case RP_ROLE_TEXT:
        put_value(in, need, need->known.value, LW_ACTION_COMPILER, LW_STEP_ASSUMED,
                  "any text will do");
        break;
    default:
        put_value(in, need, LW_S("None"), LW_ACTION_COMPILER, LW_STEP_ASSUMED,
                  "nothing tells what it is");
        break;
    }
}

static void define_need(struct rp_inputs *in, const struct rp_need *need)
{
    struct rp_stated stated;
    rp_stated_read(in->p, need->name, &stated);
    bool is_data = need->role == RP_ROLE_INPUT || need->role == RP_ROLE_TARGET ||
                   need->role == RP_ROLE_UNKNOWN || need->role == RP_ROLE_LOADER;
    if (is_data &&
        (stated.literal.n > 0 || (stated.has_shape && need->role != RP_ROLE_LOADER))) {
        define_stated(in, need, &stated);
        return;
    }
    switch (need->role) {
    case RP_ROLE_INPUT:
    case RP_ROLE_TARGET: define_input(in, need); break;
    case RP_ROLE_LOADER:
        use_framework(in);
        put_value(in, need, loader_text(in, need->part_count), LW_ACTION_INPUT_DATA,
                  LW_STEP_STAND_IN, "batches of the shapes that the program needs");
        break;
    case RP_ROLE_DATASET:
        use_framework(in);
        put_value(in, need, dataset_text(in), LW_ACTION_INPUT_DATA, LW_STEP_STAND_IN,
                  "samples of the shapes that the program needs");
        break;
    case RP_ROLE_MODEL: define_model(in, need); break;
    case RP_ROLE_OPTIMIZER: define_optimizer(in, need); break;
    case RP_ROLE_CRITERION: define_criterion(in, need); break;
    case RP_ROLE_SCHEDULER: define_scheduler(in, need); break;
    case RP_ROLE_NUMBER: define_number(in, need); break;
    case RP_ROLE_FUNCTION: define_function(in, need); break;
    case RP_ROLE_CLASS: define_class(in, need); break;
    default: define_simple(in, need); break;
    }
}

/* The first need of the role from `from` on that has no partner yet. */
static size_t next_of(const struct rp_inputs *in, enum rp_role role, size_t from)
{
    while (from < in->count && in->needs[from].role != role)
        from++;
    return from;
}

void rp_inputs_define(struct rp_inputs *in)
{
    bool done[RP_NEEDS_MAX] = {false};
    size_t x = 0, y = 0;
    struct rp_stated stated, of_target;
    for (x = next_of(in, RP_ROLE_INPUT, 0); x < in->count && y < in->count;
         x = next_of(in, RP_ROLE_INPUT, x + 1), y++) {
        y = next_of(in, RP_ROLE_TARGET, y);
        rp_stated_read(in->p, in->needs[x].name, &stated);
        if (y >= in->count || stated.literal.n > 0)
            break;
        take_shape(in, &stated);
        rp_stated_read(in->p, in->needs[y].name, &of_target);
        if (of_target.values > 0) {
            in->c->facts.classes = of_target.values;
            in->c->facts.target = RP_TARGET_CLASS;
        }
        use_framework(in);
        define_pair(in, &in->needs[x], &in->needs[y], &stated);
        done[x] = done[y] = true;
    }
    for (size_t i = 0; i < in->count; i++)
        if (!done[i])
            define_need(in, &in->needs[i]);
    if (in->samples) {
        use_framework(in);
        rp_insert(in->p, rp_after_imports(in->p), RP_FIRST_HELPERS,
                  rp_samples_text(in->p, &in->c->facts),
                  (struct lw_step){.action = LW_ACTION_INPUT_DATA,
                                   .basis = LW_STEP_STAND_IN,
                                   .why = LW_S("the report does not come with its data")});
    }
}
