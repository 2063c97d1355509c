/* Rules about lists of transforms of images, read off the text: Compose([…]). */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/roles.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

enum { MOST_LISTS = 32 };

struct steps {
    uint32_t call;
    enum role role;          /* training or test, by the name it is kept under */
    bool open;               /* it has steps that are not calls of a library */
    bool tensor, normalised; /* it has ToTensor, Normalize */
    uint32_t early;          /* Normalize before ToTensor; LW_NO_NODE: none */
};

/* The name under which a list is kept: of a variable, an attribute, a key, an argument. */
static struct lw_str kept_under(const struct lw_tree *t, uint32_t call)
{
    uint32_t up = lw_tree_parent(t, call);
    if (lw_tree_kind(t, up) == LW_NODE_KEYWORD)
        return lw_tree_name(t, up);
    if (lw_tree_kind(t, up) == LW_NODE_ASSIGN)
        return lw_tree_text(t, lw_tree_get(t, up, LW_ROLE_TARGETS));
    if (lw_tree_kind(t, up) != LW_NODE_DICT)
        return (struct lw_str){0};
    uint32_t key = LW_NO_NODE;
    for (uint32_t n = lw_tree_node(t, up)->child; n < call; n++)
        if (lw_tree_node(t, n)->role == LW_ROLE_KEYS || lw_tree_node(t, n)->role == LW_ROLE_KEY)
            key = n;
    return program_text(t, key);
}

static void read_step(struct ck *c, struct ck_file *f, uint32_t step, struct steps *out)
{
    struct lw_str name = lw_tree_kind(&f->tree, step) == LW_NODE_CALL ? trace_called(c, f, step)
                                                                      : (struct lw_str){0};
    if (!lw_str_has_prefix(name, LW_S("torchvision.transforms."))) {
        out->open = true;
        return;
    }
    name = text_tail(name);
    bool tensor = text_is(name, "ToTensor") || text_is(name, "PILToTensor") ||
                  text_is(name, "ToImage") || text_is(name, "ConvertImageDtype");
    bool normalise = text_is(name, "Normalize");
    if (tensor && out->normalised && !out->tensor && !out->open)
        out->early = out->call;
    out->tensor |= tensor;
    out->normalised |= normalise;
    out->open |= text_is(name, "Lambda") || text_is(name, "Compose");
}

static bool read_list(struct ck *c, struct ck_file *f, uint32_t call, struct steps *out)
{
    const struct lw_tree *t = &f->tree;
    uint32_t list = program_argument(t, call, "transforms", 0);
    struct lw_str name = trace_called(c, f, call), kept = kept_under(t, call);
    *out = (struct steps){.call = call, .early = LW_NO_NODE};
    if (lw_tree_kind(t, list) != LW_NODE_LIST || !text_is(text_tail(name), "Compose") ||
        !lw_str_has_prefix(name, LW_S("torchvision.")))
        return false;
    if (role_is_named(c, kept, ROLE_TEST))
        out->role = ROLE_TEST;
    else if (role_is_named(c, kept, ROLE_TRAINING))
        out->role = ROLE_TRAINING;
    for (uint32_t e = lw_tree_each(t, list, LW_ROLE_ELTS, LW_NO_NODE); e != LW_NO_NODE;
         e = lw_tree_each(t, list, LW_ROLE_ELTS, e))
        read_step(c, f, e, out);
    return true;
}

static void look_at_pair(struct ck *c, struct ck_file *f, const struct steps *a,
                         const struct steps *b)
{
    const struct lw_tree *t = &f->tree;
    if (a->role == ROLE_NONE || b->role == ROLE_NONE || a->role == b->role || a->open ||
        b->open || !a->tensor || !b->tensor || a->normalised == b->normalised ||
        lw_tree_enclosing(t, a->call, LW_NODE_FUNCTION) !=
            lw_tree_enclosing(t, b->call, LW_NODE_FUNCTION))
        return;
    const struct steps *plain = a->normalised ? b : a;
    ck_find_at(c, f, plain->call, "data/normalised-on-one-side", NULL, 0,
               "the %s images are not normalised, but the %s images are: use the same "
               "Normalize() for both",
               plain->role == ROLE_TEST ? "test" : "training",
               plain->role == ROLE_TEST ? "training" : "test");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct steps lists[MOST_LISTS];
    size_t n = 0;
    (void)e;
    struct ck_file *f = c->files.v[0];
    struct places_list calls = program_calls_of(c, "Compose");
    for (size_t i = 0; i < calls.n && n < MOST_LISTS; i++)
        n += read_list(c, f, calls.v[i], &lists[n]);
    for (size_t i = 0; i < n; i++) {
        if (lists[i].early != LW_NO_NODE &&
            !ck_is_told(c, f, lists[i].early, "type/argument-kind"))
            ck_find_at(c, f, lists[i].early, "data/normalised-before-tensor", NULL, 0,
                       "Normalize() comes before ToTensor() and gets an image that is no "
                       "tensor: move it behind ToTensor()");
        for (size_t k = 0; k < i; k++)
            look_at_pair(c, f, &lists[k], &lists[i]);
    }
}

const struct ck_rule rules_data_transforms[] = {
    {"data/normalised-before-tensor data/normalised-on-one-side", CK_EV_END, watch_end},
    {0},
};
