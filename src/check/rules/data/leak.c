/*
 * Rules about what training data and test data must not share, and must: statistics that are
 * taken before a split, or on both sides of it; windows and changed copies that come to both
 * sides; padding that differs. Data comes from files, so that no values could be followed: what
 * a name was made of is read from the text of the program.
 */
#include "base/str.h"
#include "check/query/calls.h"
#include "check/query/look.h"
#include "check/query/places.h"
#include "check/query/roles.h"
#include "check/rules/rules.h"

enum { MAX_DEPTH = 5, MAX_LOOKS = 2000 };

/* One program that is read. */
struct reading {
    struct ck *c;
    struct ck_file *file;
    const struct lw_tree *t;
    unsigned looks;
};

static struct lw_str place_of(struct reading *r, uint32_t node)
{
    return ck_show_place(r->c, r->file, ck_file_place(r->file, node));
}

static bool has_word(struct lw_str text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lw_str_find(text, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

static bool is_training(const struct reading *r, struct lw_str text)
{
    return role_is_named(r->c, text, ROLE_TRAINING);
}

static bool is_test(const struct reading *r, struct lw_str text)
{
    return role_is_named(r->c, text, ROLE_TEST);
}

static uint32_t scope_of(const struct lw_tree *t, uint32_t node)
{
    uint32_t f = lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
    return f == LW_NO_NODE ? t->root : f;
}

static uint32_t next_call(const struct reading *r, uint32_t after, const char *name)
{
    uint32_t root = r->t->root;
    for (uint32_t n = lw_tree_next(r->t, root, after, false); n != LW_NO_NODE;
         n = lw_tree_next(r->t, root, n, false))
        if (lw_tree_kind(r->t, n) == LW_NODE_CALL && text_is(calls_name(r->t, n), name))
            return n;
    return LW_NO_NODE;
}

static bool leads_to(struct reading *r, uint32_t expr, struct lw_str name, uint32_t since,
                     unsigned depth);

/* Is something that is made of `name` put into the list? */
static bool takes_in(struct reading *r, uint32_t list, struct lw_str name, uint32_t since,
                     unsigned depth)
{
    const struct lw_tree *t = r->t;
    struct lw_str own = lw_tree_name(t, list);
    uint32_t top = scope_of(t, list);
    for (uint32_t n = syntax_method_call(t, top, "append"); n != LW_NO_NODE;
         n = syntax_next_call(t, top, n, "append")) {
        uint32_t owner = syntax_owner(t, n);
        if (lw_str_eq(lw_tree_text(t, owner), own) && lw_tree_start(t, n) > since &&
            leads_to(r, lw_tree_get(t, n, LW_ROLE_ARGS), name, since, depth))
            return true;
    }
    return false;
}

/* Is the expression made of what `name` got at byte `since`? */
static bool leads_to(struct reading *r, uint32_t expr, struct lw_str name, uint32_t since,
                     unsigned depth)
{
    const struct lw_tree *t = r->t;
    if (expr == LW_NO_NODE || depth == 0)
        return false;
    for (uint32_t n = expr; n != LW_NO_NODE; n = lw_tree_next(t, expr, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_NAME || ++r->looks > MAX_LOOKS)
            continue;
        if (lw_str_eq(lw_tree_name(t, n), name))
            return true;
        uint32_t made = places_assigned(r->c, r->file, n);
        if (made != LW_NO_NODE && lw_tree_start(t, made) > since &&
            (leads_to(r, made, name, since, depth - 1) ||
             takes_in(r, n, name, since, depth - 1)))
            return true;
        if (made != LW_NO_NODE && text_is(lw_tree_text(t, made), "[]") &&
            takes_in(r, n, name, since, depth - 1))
            return true;
    }
    return false;
}

/* ---- splits ---------------------------------------------------------------------------------
 */

/* The ends of the first axis of x[a:b, …]; false for other subscripts. */
static bool bounds_of(const struct lw_tree *t, uint32_t n, struct lw_str *from,
                      struct lw_str *to)
{
    uint32_t slice =
        lw_tree_kind(t, n) == LW_NODE_SUBSCRIPT ? lw_tree_get(t, n, LW_ROLE_SLICE) : LW_NO_NODE;
    if (slice != LW_NO_NODE && lw_tree_kind(t, slice) == LW_NODE_TUPLE)
        slice = lw_tree_get(t, slice, LW_ROLE_ELTS);
    if (slice == LW_NO_NODE || lw_tree_kind(t, slice) != LW_NODE_SLICE)
        return false;
    struct lw_str text = lw_tree_text(t, slice);
    ptrdiff_t colon = lw_str_find_char(text, ':');
    if (colon < 0)
        return false;
    *from = lw_str_trim(lw_str_part(text, 0, (size_t)colon));
    *to = lw_str_trim(lw_str_from(text, (size_t)colon + 1));
    return true;
}

/* x[k:] of which a part x[:k] is taken, too, and called test data. */
static bool is_test_part(const struct reading *r, uint32_t n)
{
    const struct lw_tree *t = r->t;
    struct lw_str from, to, other_from, other_to;
    uint32_t base = calls_root(t, n), top = scope_of(t, n);
    if (base == LW_NO_NODE || !bounds_of(t, n, &from, &to) || !from.n || text_is(from, "0") ||
        (to.n && lw_str_find(to, LW_S("len(")) == LW_NPOS &&
         lw_str_find(to, LW_S("shape")) == LW_NPOS))
        return false;
    if (!role_is_assigned(r->c, t, lw_tree_statement(t, n), ROLE_TEST))
        return false;
    for (uint32_t k = lw_tree_next(t, top, top, false); k != LW_NO_NODE;
         k = lw_tree_next(t, top, k, false)) {
        uint32_t root = calls_root(t, k);
        if (k != n && bounds_of(t, k, &other_from, &other_to) &&
            (!other_from.n || text_is(other_from, "0")) && lw_str_eq(other_to, from) &&
            root != LW_NO_NODE && lw_str_eq(lw_tree_name(t, root), lw_tree_name(t, base)))
            return true;
    }
    return false;
}

/* Does train_test_split() cut what `name` got at byte `since`? */
static bool splits(struct reading *r, uint32_t call, struct lw_str name, uint32_t since,
                   bool random)
{
    const struct lw_tree *t = r->t;
    if (text_is(calls_keyword(t, call, "shuffle"), "False") && random)
        return false;
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a))
        if (leads_to(r, a, name, since, MAX_DEPTH))
            return true;
    return false;
}

/* Where what `name` got at byte `since` is cut into training and test rows, in the same
 * function; `random`: only where rows are drawn. */
static uint32_t split_of(struct reading *r, struct lw_str name, uint32_t since, uint32_t top,
                         bool random)
{
    const struct lw_tree *t = r->t;
    struct places_list calls = places_of(r->c, r->file, PLACES_CALL, LW_S("train_test_split"));
    struct places_list slices = places_of(r->c, r->file, PLACES_SLICE, (struct lw_str){0});
    size_t i = places_before(r->file, calls, since + 1);
    size_t k = random ? slices.n : places_before(r->file, slices, since + 1);
    uint32_t end = lw_tree_end(t, top);
    /* in the order of the text, as long as leads_to() answers */
    while ((i < calls.n || k < slices.n) && r->looks <= MAX_LOOKS) {
        bool call = k == slices.n || (i < calls.n && lw_tree_start(t, calls.v[i]) <=
                                                         lw_tree_start(t, slices.v[k]));
        uint32_t n = call ? calls.v[i++] : slices.v[k++];
        if (lw_tree_start(t, n) >= end)
            break;
        if (syntax_inside(t, n, top) &&
            (call
                 ? splits(r, n, name, since, random)
                 : is_test_part(r, n) && leads_to(r, calls_root(t, n), name, since, MAX_DEPTH)))
            return n;
    }
    return LW_NO_NODE;
}

/* ---- statistics of all rows ----------------------------------------------------------------
 */

/* Classes that learn something from all rows they are fitted on. */
static bool is_learner(struct lw_str name, bool selects)
{
    static const char *const scalers[] = {"StandardScaler",   "MinMaxScaler",
                                          "RobustScaler",     "MaxAbsScaler",
                                          "PowerTransformer", "QuantileTransformer"};
    static const char *const selectors[] = {
        "SelectKBest", "SelectPercentile", "SelectFromModel", "RFE",
        "RFECV",       "SelectFdr",        "SelectFpr",       "TargetEncoder"};
    return text_is_any(name, scalers, sizeof scalers / sizeof *scalers) ||
           (selects && text_is_any(name, selectors, sizeof selectors / sizeof *selectors));
}

/* The class of what a method is called of: Scaler of `s.fit(x)` and `Scaler().fit(x)`. */
static struct lw_str class_of(struct reading *r, uint32_t call)
{
    const struct lw_tree *t = r->t;
    uint32_t owner = syntax_owner(t, call);
    if (owner != LW_NO_NODE && lw_tree_kind(t, owner) == LW_NODE_NAME) {
        uint32_t made = places_assigned(r->c, r->file, owner);
        owner = made == LW_NO_NODE ? owner : made;
    }
    return owner == LW_NO_NODE ? (struct lw_str){0} : calls_name(t, owner);
}

/* Words of all texts are counted before they are split. */
static void check_words(struct reading *r, uint32_t call)
{
    static const char *const counters[] = {"TfidfVectorizer", "CountVectorizer"};
    const struct lw_tree *t = r->t;
    uint32_t texts = lw_tree_get(t, call, LW_ROLE_ARGS);
    struct lw_str class = class_of(r, call), name = calls_result(t, call);
    if (texts == LW_NO_NODE || !name.n || !text_is_any(class, counters, 2) ||
        is_training(r, lw_tree_text(t, texts)) || is_training(r, name))
        return;
    uint32_t split = split_of(r, name, lw_tree_start(t, call), scope_of(t, call), false);
    if (split != LW_NO_NODE)
        ck_find_at(r->c, r->file, call, "data/vocabulary-leak", NULL, 0,
                   "the vocabulary is built from all texts before the split in %.*s, so it "
                   "contains words of the test texts: split first and fit on the training part",
                   LW_F(place_of(r, split)));
}

/* scaled = scaler.fit_transform(rows); train, test = scaled[:n], scaled[n:] */
static void check_fit(struct reading *r, uint32_t call)
{
    const struct lw_tree *t = r->t;
    uint32_t rows = lw_tree_get(t, call, LW_ROLE_ARGS);
    struct lw_str class = class_of(r, call), name = calls_result(t, call);
    bool scaler = is_learner(class, false);
    if (rows == LW_NO_NODE || !name.n || !is_learner(class, true) ||
        is_training(r, lw_tree_text(t, rows)) || is_training(r, name) || is_test(r, name))
        return;
    uint32_t split = split_of(r, name, lw_tree_start(t, call), scope_of(t, call), false);
    bool drawn = split != LW_NO_NODE && lw_tree_kind(t, split) == LW_NODE_CALL;
    if (split == LW_NO_NODE || (scaler && drawn)) /* the latter is followed by value */
        return;
    ck_find_at(
        r->c, r->file, call, "data/scaler-leak", NULL, 0,
        "%.*s is fitted on all rows before the split in %.*s, so training sees statistics of "
        "the test rows: fit it on the training part and only transform the test part",
        LW_F(class), LW_F(place_of(r, split)));
}

/* ---- statistics of each side ---------------------------------------------------------------
 */

/* Is `name.what()` or `what(name)` in it? */
static bool uses(struct ck *c, struct lw_str text, struct lw_str name, const char *what)
{
    return lw_str_find(text, ck_text(c, "%.*s.%s(", LW_F(name), what)) != LW_NPOS ||
           lw_str_find(text, ck_text(c, "%s(%.*s", what, LW_F(name))) != LW_NPOS;
}

/* Is it name = (name - name.mean()) / name.std(), or the same with the ends? */
static bool is_by_itself(struct ck *c, const struct lw_tree *t, uint32_t statement,
                         struct lw_str *name)
{
    uint32_t target = lw_tree_get(t, statement, LW_ROLE_TARGETS);
    uint32_t value = lw_tree_get(t, statement, LW_ROLE_VALUE);
    if (target == LW_NO_NODE || value == LW_NO_NODE ||
        lw_tree_kind(t, target) != LW_NODE_NAME || lw_tree_kind(t, value) != LW_NODE_BIN_OP)
        return false;
    struct lw_str text = lw_tree_text(t, value);
    *name = lw_tree_name(t, target);
    if (lw_tree_node(t, value)->op == LW_OP_SUB) /* x - x.min(0), then x / x.max(0) */
        return lw_str_find(text, ck_text(c, "%.*s.min(0)", LW_F(*name))) != LW_NPOS ||
               lw_str_find(text, ck_text(c, "%.*s.min(axis=0)", LW_F(*name))) != LW_NPOS;
    return lw_tree_node(t, value)->op == LW_OP_DIV &&
           ((uses(c, text, *name, "mean") && uses(c, text, *name, "std")) ||
            (uses(c, text, *name, "min") && uses(c, text, *name, "max")));
}

/* rows = (rows - rows.mean()) / rows.std(), then a split: the same leak by hand. */
static void check_scale_before(struct reading *r, uint32_t statement, struct lw_str name)
{
    const struct lw_tree *t = r->t;
    static const char *const series[] = {"image", "img", "audio", "pixel"};
    if (is_training(r, name) || is_test(r, name) || has_word(name, series, 4))
        return;
    uint32_t split =
        split_of(r, name, lw_tree_end(t, statement), scope_of(t, statement), false);
    if (split != LW_NO_NODE)
        ck_find_at(r->c, r->file, statement, "data/scaler-leak", NULL, 0,
                   "'%.*s' is scaled with the mean and deviation of all rows before the split "
                   "in %.*s, so training sees statistics of the test rows: use those of the "
                   "training part",
                   LW_F(name), LW_F(place_of(r, split)));
}

static void check_own_scale(struct reading *r)
{
    const struct lw_tree *t = r->t;
    bool training = false;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        struct lw_str name;
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN || !is_by_itself(r->c, t, n, &name))
            continue;
        check_scale_before(r, n, name);
        training |= is_training(r, name);
        if (training && is_test(r, name)) {
            ck_find_at(
                r->c, r->file, n, "data/scaler-refitted", NULL, 0,
                "the test data is scaled with its own mean and deviation, so equal values "
                "differ from those in training: use the statistics of the training data");
            return;
        }
    }
}

static bool is_fit(struct lw_str method)
{
    return text_is(method, "fit") || text_is(method, "fit_transform") ||
           text_is(method, "fit_on_texts");
}

/* Classes whose objects mean nothing without what they were fitted on. */
static bool is_fitted_class(struct lw_str name)
{
    static const char *const others[] = {
        "Tokenizer",        "CountVectorizer", "TfidfVectorizer", "LabelEncoder",
        "OneHotEncoder",    "OrdinalEncoder",  "LabelBinarizer",  "PCA",
        "TextVectorization"};
    return is_learner(name, true) || text_is_any(name, others, sizeof others / sizeof *others);
}

/* A second object of the class is fitted on the test data: its numbers mean something else. */
static void check_second_fit(struct reading *r, uint32_t call)
{
    const struct lw_tree *t = r->t;
    uint32_t what = lw_tree_get(t, call, LW_ROLE_ARGS), owner = syntax_owner(t, call);
    struct lw_str class = class_of(r, call);
    if (what == LW_NO_NODE || owner == LW_NO_NODE || !is_fitted_class(class) ||
        !is_test(r, lw_tree_text(t, what)))
        return;
    uint32_t root = t->root;
    for (uint32_t n = root; n != LW_NO_NODE; n = lw_tree_next(t, root, n, false)) {
        if (n == call || lw_tree_kind(t, n) != LW_NODE_CALL || !is_fit(calls_name(t, n)) ||
            !lw_str_eq(class_of(r, n), class))
            continue;
        uint32_t other = lw_tree_get(t, n, LW_ROLE_ARGS), other_owner = syntax_owner(t, n);
        if (other == LW_NO_NODE || other_owner == LW_NO_NODE ||
            !is_training(r, lw_tree_text(t, other)) ||
            (lw_tree_kind(t, owner) == LW_NODE_NAME &&
             lw_str_eq(lw_tree_text(t, owner), lw_tree_text(t, other_owner))))
            continue; /* the same object: followed by value */
        ck_find_at(r->c, r->file, call, "data/scaler-refitted", NULL, 0,
                   "a second %.*s is fitted on the test data and encodes it differently from "
                   "the training data: use the one fitted on the training data",
                   LW_F(class));
        return;
    }
}

/* The place of a parameter that the function fits an object of its own on; -1: none. */
static int fitted_parameter(struct reading *r, uint32_t function)
{
    const struct lw_tree *t = r->t;
    uint32_t params = lw_tree_get(t, function, LW_ROLE_ARGS);
    for (uint32_t n = function; n != LW_NO_NODE && params != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false)) {
        uint32_t what = lw_tree_kind(t, n) == LW_NODE_CALL && is_fit(calls_name(t, n)) &&
                                is_fitted_class(class_of(r, n))
                            ? lw_tree_get(t, n, LW_ROLE_ARGS)
                            : LW_NO_NODE;
        uint32_t root = what == LW_NO_NODE ? what : calls_root(t, what);
        int place = 0;
        for (uint32_t p = lw_tree_each(t, params, LW_ROLE_ARGS, LW_NO_NODE);
             root != LW_NO_NODE && p != LW_NO_NODE;
             p = lw_tree_each(t, params, LW_ROLE_ARGS, p), place++)
            if (lw_str_eq(lw_tree_name(t, p), lw_tree_name(t, root)))
                return place;
    }
    return -1;
}

/* def prepare(texts): tokenizer = Tokenizer(); tokenizer.fit_on_texts(texts); …, called for the
 * training texts and for the test texts. */
static void check_fitting_function(struct reading *r, uint32_t function)
{
    const struct lw_tree *t = r->t;
    int place = fitted_parameter(r, function);
    bool training = false;
    if (place < 0)
        return;
    struct lw_str name = lw_tree_name(t, function);
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || !lw_str_eq(calls_name(t, n), name))
            continue;
        uint32_t a = lw_tree_each(t, n, LW_ROLE_ARGS, LW_NO_NODE);
        for (int i = 0; i < place && a != LW_NO_NODE; i++)
            a = lw_tree_each(t, n, LW_ROLE_ARGS, a);
        struct lw_str text = a == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, a);
        training |= is_training(r, text);
        if (!training || !is_test(r, text))
            continue;
        ck_find_at(
            r->c, r->file, n, "data/scaler-refitted", NULL, 0,
            "%.*s() fits again on its input, so the test data is encoded differently from the "
            "training data: fit once on the training data and only transform the others",
            LW_F(name));
        return;
    }
}

/* ---- rows that overlap
 * -----------------------------------------------------------------------
 */

/* Is it rows[i:i + n] or rows[i - n:i], with i of the loop around? */
static bool is_window(const struct lw_tree *t, uint32_t n)
{
    struct lw_str from, to;
    uint32_t loop = syntax_loop_around(t, n);
    if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_FOR ||
        !bounds_of(t, n, &from, &to) || !from.n || !to.n)
        return false;
    uint32_t iter = lw_tree_get(t, loop, LW_ROLE_ITER);
    struct lw_str i = lw_tree_text(t, lw_tree_get(t, loop, LW_ROLE_TARGET));
    bool steps = text_is(calls_name(t, iter), "range") &&
                 lw_tree_count(t, iter, LW_ROLE_ARGS) < 3; /* of 1: windows overlap */
    bool ahead = lw_str_eq(from, i) && lw_str_has_prefix(to, i) && to.n > i.n &&
                 lw_str_find_char(to, '+') > 0;
    bool behind = lw_str_eq(to, i) && lw_str_has_prefix(from, i) && from.n > i.n &&
                  lw_str_find_char(from, '-') > 0;
    return steps && (ahead || behind) && lw_str_find(to, LW_S("+ 1")) == LW_NPOS &&
           lw_str_find(to, LW_S("+1")) == LW_NPOS;
}

/* Is it the picture `plain` that was changed: np.fliplr(plain)? */
static bool is_changed(const struct lw_tree *t, uint32_t n, struct lw_str plain)
{
    static const char *const changes[] = {"fliplr",       "flipud",
                                          "flip",         "rotate",
                                          "rot90",        "noise",
                                          "warpAffine",   "random_noise",
                                          "GaussianBlur", "augment",
                                          "shift",        "random_transform",
                                          "transpose",    "adjust_brightness",
                                          "add_noise"};
    struct lw_str name = n == LW_NO_NODE ? (struct lw_str){0} : calls_name(t, n);
    return text_is_any(name, changes, sizeof changes / sizeof *changes) &&
           syntax_has_name(t, n, plain);
}

/* pictures.append(p); pictures.append(np.fliplr(p)) */
static bool adds_both(const struct lw_tree *t, uint32_t call)
{
    uint32_t loop = syntax_loop_around(t, call), what = lw_tree_get(t, call, LW_ROLE_ARGS);
    struct lw_str list = lw_tree_text(t, syntax_owner(t, call));
    if (loop == LW_NO_NODE || what == LW_NO_NODE || lw_tree_kind(t, what) != LW_NODE_NAME)
        return false;
    for (uint32_t n = syntax_method_call(t, loop, "append"); n != LW_NO_NODE;
         n = syntax_next_call(t, loop, n, "append")) {
        uint32_t other = lw_tree_get(t, n, LW_ROLE_ARGS);
        if (other != LW_NO_NODE && lw_tree_kind(t, other) == LW_NODE_NAME && other != what &&
            !lw_str_eq(lw_tree_name(t, other), lw_tree_name(t, what)))
            other = syntax_assigned(t, other);
        if (n != call && lw_str_eq(lw_tree_text(t, syntax_owner(t, n)), list) &&
            is_changed(t, other, lw_tree_name(t, what)))
            return true;
    }
    return false;
}

/* A list of windows or of changed copies that is split at random. */
static void check_list(struct reading *r, uint32_t append)
{
    const struct lw_tree *t = r->t;
    uint32_t what = lw_tree_get(t, append, LW_ROLE_ARGS), owner = syntax_owner(t, append);
    if (what == LW_NO_NODE || owner == LW_NO_NODE || lw_tree_kind(t, owner) != LW_NODE_NAME)
        return;
    bool window = is_window(t, what);
    if (!window && !adds_both(t, append))
        return;
    uint32_t split = split_of(r, lw_tree_name(t, owner), lw_tree_start(t, append),
                              scope_of(t, append), true);
    if (split == LW_NO_NODE)
        return;
    ck_find_at(
        r->c, r->file, split, "data/copies-across-split", NULL, 0,
        window
            ? "overlapping windows are split at random: the test windows share most of their "
              "rows with training windows; split the series first, or pass shuffle=False"
            : "augmented copies of images are split at random: an image and its copy end up on "
              "different sides, and the test score is too good; split first");
}

/* Does an item of the data set overlap with the next: series[i:i + n]? */
static bool gives_windows(const struct lw_tree *t, uint32_t class)
{
    for (uint32_t f = class; f != LW_NO_NODE; f = lw_tree_next(t, class, f, false)) {
        if (lw_tree_kind(t, f) != LW_NODE_FUNCTION ||
            !text_is(lw_tree_name(t, f), "__getitem__"))
            continue;
        uint32_t params = lw_tree_get(t, f, LW_ROLE_ARGS);
        uint32_t self = params == LW_NO_NODE ? params : lw_tree_get(t, params, LW_ROLE_ARGS);
        uint32_t i = self == LW_NO_NODE ? self : lw_tree_each(t, params, LW_ROLE_ARGS, self);
        struct lw_str name = i == LW_NO_NODE ? (struct lw_str){0} : lw_tree_name(t, i), from,
                      to;
        for (uint32_t n = f; name.n && n != LW_NO_NODE; n = lw_tree_next(t, f, n, false))
            if (bounds_of(t, n, &from, &to) && lw_str_eq(from, name) && to.n > name.n &&
                lw_str_has_prefix(to, name) && lw_str_find_char(to, '+') > 0)
                return true;
    }
    return false;
}

/* train, test = random_split(Windows(series), …) */
static void check_window_set(struct reading *r)
{
    const struct lw_tree *t = r->t;
    for (uint32_t n = next_call(r, t->root, "random_split"); n != LW_NO_NODE;
         n = next_call(r, n, "random_split")) {
        uint32_t set = lw_tree_get(t, n, LW_ROLE_ARGS);
        if (set != LW_NO_NODE && lw_tree_kind(t, set) == LW_NODE_NAME)
            set = syntax_assigned(t, set);
        struct lw_str name = set == LW_NO_NODE ? (struct lw_str){0} : calls_name(t, set);
        for (uint32_t k = t->root; name.n && k != LW_NO_NODE;
             k = lw_tree_next(t, t->root, k, false))
            if (lw_tree_kind(t, k) == LW_NODE_CLASS && lw_str_eq(lw_tree_name(t, k), name) &&
                gives_windows(t, k))
                ck_find_at(
                    r->c, r->file, n, "data/copies-across-split", NULL, 0,
                    "the items of %.*s overlap and are split at random: the test windows share "
                    "most of their rows with training windows; split the series first",
                    LW_F(name));
    }
}

/* ---- padding
 * -----------------------------------------------------------------------------------
 */

/* The words that a call of pad_sequences pads: the object in `tokenizer.texts_to_sequences(x)`;
 * `texts` are x. */
static struct lw_str numbered_by(const struct lw_tree *t, uint32_t call, struct lw_str *texts)
{
    uint32_t what = lw_tree_get(t, call, LW_ROLE_ARGS);
    if (what != LW_NO_NODE && lw_tree_kind(t, what) == LW_NODE_NAME)
        what = syntax_assigned(t, what);
    if (what == LW_NO_NODE || !text_is(calls_name(t, what), "texts_to_sequences") ||
        syntax_owner(t, what) == LW_NO_NODE)
        return (struct lw_str){0};
    uint32_t argument = lw_tree_get(t, what, LW_ROLE_ARGS);
    *texts = argument == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, argument);
    return lw_tree_text(t, syntax_owner(t, what));
}

static bool pads_before(struct lw_str given)
{
    return !given.n || lw_str_find(given, LW_S("pre")) != LW_NPOS;
}

/* The same words are padded at the other end elsewhere. */
static void check_padding(struct reading *r, uint32_t call)
{
    const struct lw_tree *t = r->t;
    struct lw_str texts, other_texts, by = numbered_by(t, call, &texts);
    struct lw_str padding = calls_keyword(t, call, "padding");
    if (!by.n)
        return;
    for (uint32_t n = next_call(r, call, "pad_sequences"); n != LW_NO_NODE;
         n = next_call(r, n, "pad_sequences")) {
        struct lw_str other = calls_keyword(t, n, "padding");
        if (!lw_str_eq(numbered_by(t, n, &other_texts), by) || lw_str_eq(texts, other_texts) ||
            pads_before(padding) == pads_before(other))
            continue;
        ck_find_at(r->c, r->file, n, "data/padded-differently", NULL, 0,
                   "these texts are padded %s the words, but those of %.*s are padded %s them, "
                   "which the network has not seen in training: pad both the same way",
                   pads_before(other) ? "before" : "after", LW_F(place_of(r, call)),
                   pads_before(padding) ? "before" : "after");
        return;
    }
}

/* ---- order of channels
 * -------------------------------------------------------------------------
 */

/* image[..., ::-1], image[[2, 1, 0]] */
static bool turns_channels(const struct lw_tree *t)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        uint32_t first = lw_tree_get(t, n, LW_ROLE_ELTS),
                 step = lw_tree_get(t, n, LW_ROLE_STEP);
        if (kind == LW_NODE_SLICE && text_is(lw_tree_text(t, step), "-1"))
            return true;
        if (kind == LW_NODE_LIST && lw_tree_count(t, n, LW_ROLE_ELTS) == 3 &&
            text_is(lw_tree_text(t, first), "2"))
            return true;
    }
    return false;
}

/* cv2 reads blue first; networks that came trained, and pictures read by others, have red
 * first.
 */
static void check_channels(struct reading *r)
{
    struct ck *c = r->c;
    uint32_t read = next_call(r, r->t->root, "imread");
    uint32_t owner = read == LW_NO_NODE ? read : syntax_owner(r->t, read);
    if (owner == LW_NO_NODE || !text_is(lw_tree_text(r->t, owner), "cv2") ||
        !ck_may_find(c, "data/blue-first") || lw_tree_count(r->t, read, LW_ROLE_ARGS) > 1 ||
        turns_channels(r->t))
        return;
    ck_find_at(c, r->file, read, "data/blue-first", NULL, 0,
               "cv2.imread() returns BGR images, but the network was trained on RGB: convert "
               "with cv2.cvtColor(image, cv2.COLOR_BGR2RGB)");
}

/* ---- tf.data
 * --------------------------------------------------------------------------------------
 */

/* data = data.shuffle(n); train = data.take(k); test = data.skip(k) */
static void check_reshuffle(struct reading *r, uint32_t shuffle)
{
    const struct lw_tree *t = r->t;
    struct lw_str name = calls_result(t, shuffle);
    uint32_t top = scope_of(t, shuffle);
    bool takes = false;
    if (!name.n || calls_keyword(t, shuffle, "reshuffle_each_iteration").n)
        return;
    for (uint32_t n = syntax_method_call(t, top, "take"); n != LW_NO_NODE;
         n = syntax_next_call(t, top, n, "take")) {
        uint32_t owner = syntax_owner(t, n);
        takes |= lw_tree_start(t, n) > lw_tree_start(t, shuffle) &&
                 leads_to(r, owner, name, lw_tree_start(t, shuffle), 3);
    }
    for (uint32_t n = syntax_method_call(t, top, "skip"); takes && n != LW_NO_NODE;
         n = syntax_next_call(t, top, n, "skip")) {
        uint32_t owner = syntax_owner(t, n);
        if (lw_tree_start(t, n) < lw_tree_start(t, shuffle) ||
            lw_tree_kind(t, lw_tree_statement(t, n)) == LW_NODE_FOR ||
            !leads_to(r, owner, name, lw_tree_start(t, shuffle), 3))
            continue; /* what is only looked at is no part */
        ck_find_at(r->c, r->file, n, "data/reshuffled-split", NULL, 0,
                   "'%.*s' is reshuffled in each epoch before take() and skip(), so test rows "
                   "end up in training: pass reshuffle_each_iteration=False, or split first",
                   LW_F(name));
        return;
    }
}

/* ---- the program as a whole
 * -------------------------------------------------------------------
 */

static void read_call(struct reading *r, uint32_t call)
{
    struct lw_str name = calls_name(r->t, call);
    if (text_is(name, "fit_transform")) {
        check_fit(r, call);
        check_words(r, call);
    }
    if (is_fit(name))
        check_second_fit(r, call);
    if (text_is(name, "append"))
        check_list(r, call);
    else if (text_is(name, "pad_sequences"))
        check_padding(r, call);
    else if (text_is(name, "shuffle") && ck_shows(r->c, "name *tensorflow*"))
        check_reshuffle(r, call);
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct reading r = {.c = c, .file = c->files.v[0], .t = &c->files.v[0]->tree};
    (void)e;
    if (r.file->source.text.n > CALLS_MOST_TEXT)
        return;
    for (uint32_t n = r.t->root; n != LW_NO_NODE; n = lw_tree_next(r.t, r.t->root, n, false))
        if (lw_tree_kind(r.t, n) == LW_NODE_CALL)
            read_call(&r, n);
        else if (lw_tree_kind(r.t, n) == LW_NODE_FUNCTION)
            check_fitting_function(&r, n);
    if (ck_shows(c, "call .std") || ck_shows(c, "call .min") || ck_shows(c, "call np.std"))
        check_own_scale(&r);
    if (ck_shows(c, "call random_split"))
        check_window_set(&r);
    if (ck_shows(c, "call cv2.imread"))
        check_channels(&r);
}

const struct ck_rule rules_data_leak[] = {
    {"data/blue-first data/copies-across-split "
     "data/padded-differently data/reshuffled-split data/scaler-leak data/scaler-refitted "
     "data/vocabulary-leak",
     CK_EV_END, watch_end},
    {0},
};
