/* Imports: modules of the program are followed, those of libraries are names. */
#include "base/err.h"
#include "base/path.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/library.h"
#include "check/engine/text.h"

enum { UP = 6 }; /* folders above the importing file that are looked into */

/* Libraries whose knowledge is in the tables: never followed, even where a copy lies around. */
static bool is_library(struct lw_str head)
{
    static const char *const known[] = {"torch",
                                        "torchvision",
                                        "tensorflow",
                                        "keras",
                                        "numpy",
                                        "pandas",
                                        "sklearn",
                                        "scipy",
                                        "matplotlib",
                                        "os",
                                        "sys",
                                        "math",
                                        "random",
                                        "time",
                                        "tf_keras",
                                        "cv2",
                                        "PIL",
                                        "typing",
                                        "torchtext",
                                        "transformers",
                                        "jax",
                                        "flax",
                                        "torchaudio",
                                        "mxnet",
                                        "theano",
                                        "h5py",
                                        "tqdm",
                                        "tensorboard",
                                        "datasets",
                                        "tokenizers",
                                        "seaborn",
                                        "gym",
                                        "nltk",
                                        "spacy",
                                        "fastai",
                                        "lightning",
                                        "pytorch_lightning",
                                        "collections",
                                        "json",
                                        "argparse",
                                        "logging",
                                        "copy",
                                        "functools",
                                        "itertools"};
    return text_is_any(head, known, sizeof known / sizeof *known);
}

/* ---- files --------------------------------------------------------------------------------
 */

static bool set_up(struct ck *c, struct ck_file *f)
{
    f->env = lw_arena_alloc(c->arena, sizeof *f->env);
    f->ids = lw_arena_array(c->arena, f->tree.nodes.n, sizeof *f->ids);
    f->module = ck_new(c, CK_MODULE, f->tree.root);
    if (!f->env || !f->ids || !f->module)
        return false;
    f->env->file = f;
    f->module->file = f;
    struct lw_str name = f->index == 0 ? LW_S("__main__") : lw_path_name(f->path);
    struct ck_slot *s =
        fields_put(&c->heap, &f->env->vars, heap_intern(&c->heap, LW_S("__name__")));
    heap_set(&c->heap, s, lw_v_str(name));
    return true;
}

static struct ck_file *new_file(struct ck *c, struct lw_str path,
                                const struct ck_parsed *parsed)
{
    struct ck_file *f = lw_arena_alloc(c->arena, sizeof *f);
    if (!f)
        return NULL;
    f->path = lw_arena_copy(c->arena, path);
    f->folder = lw_path_parent(f->path);
    f->index = (uint32_t)c->files.n;
    f->source = parsed->source;
    f->code = parsed->code;
    f->gaps = parsed->gaps;
    f->notes = parsed->notes;
    f->evidence = &parsed->evidence;
    f->tree = parsed->tree;
    f->names = parsed->names;
    if (f->index > 0)
        c->followed += f->source.text.n;
    bool ok = f->path.p && set_up(c, f) && lw_vec_push(c->mem, &c->files, f) == 0;
    return ok ? f : NULL;
}

struct ck_file *ck_load_file(struct ck *c, struct lw_str path, const struct ck_parsed *parsed)
{
    LW_BUG_ON(!path.n);
    for (size_t i = 0; i < c->files.n; i++)
        if (lw_str_eq(c->files.v[i]->path, path))
            return c->files.v[i];
    if (c->files.n >= CK_MAX_FILES || c->followed > CK_MAX_FOLLOWED)
        return NULL;
    if (parsed)
        return new_file(c, path, parsed);
    struct lw_err err = {0};
    if (ck_modules_get(c->shared, path, &parsed, &err) < 0)
        return NULL;
    struct ck_file *f = new_file(c, path, parsed);
    if (f)
        f->parsed = parsed;
    else
        ck_modules_put(c->shared, parsed);
    return f;
}

void ck_release_files(struct ck *c)
{
    for (size_t i = 0; i < c->files.n; i++) {
        lw_vec_release(c->mem, &c->files.v[i]->stars);
        ck_file_release_texts(c->files.v[i]);
        ck_modules_put(c->shared, c->files.v[i]->parsed);
    }
    lw_vec_release(c->mem, &c->files);
}

/* Empty tables of an imported module are registers and caches: who else fills them was not run.
 */
static void open_registers(struct ck *c, struct ck_file *f)
{
    for (struct ck_slot *s = f->env->vars.first; s; s = s->next) {
        struct ck_object *o = ck_object_of(s->value);
        if (ck_is_vacant(s->value) && o)
            heap_set(&c->heap, &o->contents, lw_v_unknown());
    }
}

void ck_run_file(struct ck *c, struct ck_file *f)
{
    LW_BUG_ON(!f);
    if (f->started)
        return;
    f->started = true;
    struct ck_frame frame = {.up = c->frame,
                             .file = f,
                             .env = f->env,
                             .result = lw_v_absent(),
                             .yielded = lw_v_absent(),
                             .self = lw_v_absent()};
    unsigned depth = c->depth;
    c->depth = 0;
    c->frame = &frame;
    frame.mark = heap_mark(&c->heap);
    ck_exec_block(c, f->tree.root, LW_ROLE_BODY);
    if (f->index != 0)
        open_registers(c, f);
    heap_keep(&c->heap, frame.mark); /* it runs once, whatever branch it was asked for in */
    lw_vec_release(c->mem, &frame.returns);
    LW_BUG_ON(c->frame != &frame);
    c->frame = frame.up;
    c->depth = depth;
}

/* ---- finding modules ----------------------------------------------------------------------
 */

/* folder/relative.py or folder/relative/__init__.py; the path goes to `out`. */
static bool probe(struct ck *c, struct lw_buf *out, struct lw_str folder, struct lw_str dotted)
{
    lw_buf_clear(out);
    if (lw_path_append(out, folder, dotted) < 0 || out->n < dotted.n)
        return false;
    for (char *p = out->p + out->n - dotted.n; *p; p++)
        if (*p == '.')
            *p = '/';
    size_t base = out->n;
    for (int way = 0; way < 2; way++) {
        lw_buf_cut(out, base);
        if (lw_buf_addz(out, way == 0 ? ".py" : "/__init__.py") == 0 &&
            ck_modules_kind(c->shared, lw_buf_str(out)) == LW_FILE_REGULAR)
            return true;
    }
    return false;
}

static bool is_root(struct ck *c, struct lw_buf *scratch, struct lw_str folder)
{
    static const char *const marks[] = {".git", "setup.py", "pyproject.toml", ".lacewing.ini"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        lw_buf_clear(scratch);
        if (lw_path_append(scratch, folder, lw_str(marks[i])) == 0 &&
            ck_modules_kind(c->shared, lw_buf_str(scratch)) != LW_FILE_NONE)
            return true;
    }
    return false;
}

/* The module in the folder of the file and above; then the same for shorter tails of the name,
 * as programs are run from folders that are not known here. */
static bool search(struct ck *c, struct lw_buf *out, struct ck_file *from, struct lw_str dotted,
                   bool tails)
{
    struct lw_str folder = from->folder;
    for (struct lw_str tail = dotted; tail.n > 0;) {
        struct lw_str at = folder;
        for (unsigned up = 0; up < UP; up++) {
            if (probe(c, out, at, tail) && !lw_str_eq(lw_buf_str(out), from->path))
                return true;
            struct lw_str parent = lw_path_parent(at);
            bool stop = is_root(c, out, at) || parent.n == 0 || lw_str_eq(parent, at) ||
                        lw_str_eq(at, LW_S(".")) || lw_str_eq(at, LW_S("/"));
            if (stop)
                break;
            at = parent;
        }
        ptrdiff_t dot = lw_str_find_char(tail, '.');
        tail = dot < 0 || !tails ? (struct lw_str){0} : lw_str_from(tail, (size_t)dot + 1);
    }
    return false;
}

/* The path of the project's module of that name, or an empty text. Remembered: most imports are
 * of libraries and would be looked for in many folders again and again. */
static struct lw_str module_path(struct ck *c, struct ck_file *from, struct lw_str folder,
                                 struct lw_str dotted, uint32_t dots, bool tails)
{
    struct lw_str key =
        ck_text(c, "%.*s|%u%u|%.*s", LW_F(folder), dots > 0, tails, LW_F(dotted));
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&c->modules, key, &is_new);
    if (!e)
        return (struct lw_str){0};
    if (is_new) {
        struct lw_buf path;
        lw_buf_init(&path, c->mem, 4096);
        bool found = dots == 0  ? search(c, &path, from, dotted, tails)
                     : dotted.n ? probe(c, &path, folder, dotted)
                                : probe(c, &path, folder, LW_S("__init__"));
        struct lw_str kept =
            found ? lw_arena_copy(c->arena, lw_buf_str(&path)) : (struct lw_str){0};
        lw_buf_release(&path);
        e = lw_map_find(&c->modules, key);
        if (e)
            e->value = (uintptr_t)kept.p;
        return kept;
    }
    return lw_str((const char *)(uintptr_t)e->value);
}

/* The project's module of that name, loaded but not run; NULL when there is none. */
static struct ck_file *find_module(struct ck *c, struct ck_file *from, struct lw_str dotted,
                                   uint32_t dots, bool tails)
{
    struct lw_str folder = from->folder;
    ptrdiff_t dot = lw_str_find_char(dotted, '.');
    struct lw_str head = dot < 0 ? dotted : lw_str_part(dotted, 0, (size_t)dot);
    if (dots == 0 && (is_library(head) || dotted.n == 0))
        return NULL;
    for (uint32_t i = 1; i < dots; i++)
        folder = lw_path_parent(folder);
    struct lw_str path = module_path(c, from, folder, dotted, dots, tails);
    return path.n ? ck_load_file(c, path, NULL) : NULL;
}

struct lw_value ck_submodule(struct ck *c, struct ck_file *f, struct lw_str name)
{
    struct lw_buf path;
    if (!lw_str_has_suffix(f->path, LW_S("__init__.py")))
        return lw_v_absent();
    lw_buf_init(&path, c->mem, 4096);
    struct ck_file *sub =
        probe(c, &path, f->folder, name) ? ck_load_file(c, lw_buf_str(&path), NULL) : NULL;
    lw_buf_release(&path);
    return sub ? ck_value(sub->module) : lw_v_absent();
}

/* ---- statements ---------------------------------------------------------------------------
 */

static struct lw_str tokens_text(struct ck *c, const struct lw_tree *t, uint32_t first,
                                 uint32_t end)
{
    struct lw_buf b;
    lw_buf_init(&b, c->mem, 1024);
    for (uint32_t i = first; i < end; i++)
        lw_buf_add(&b, lw_tree_token_text(t, i));
    struct lw_str s = lw_arena_copy(c->arena, lw_buf_str(&b));
    lw_buf_release(&b);
    return s.p ? s : LW_S("");
}

static void import_plain(struct ck *c, uint32_t alias)
{
    struct ck_file *f = c->frame->file;
    struct lw_tree *t = &f->tree;
    uint32_t end = lw_tree_alias_end(t, alias);
    struct lw_str dotted = tokens_text(c, t, lw_tree_node(t, alias)->first, end);
    bool as = end <= lw_tree_node(t, alias)->last;
    ptrdiff_t dot = lw_str_find_char(dotted, '.');
    struct lw_str head = dot < 0 ? dotted : lw_str_part(dotted, 0, (size_t)dot);
    struct ck_file *file = find_module(c, f, dotted, 0, true);
    struct lw_value v;
    if (as || dot < 0)
        v = file ? ck_value(file->module) : ck_new_name(c, dotted);
    else {
        struct ck_file *top = find_module(c, f, head, 0, false);
        v = top ? ck_value(top->module) : file ? lw_v_unknown() : ck_new_name(c, head);
    }
    /* import a.b.c binds a */
    heap_set(&c->heap, as ? ck_slot_of(c, alias) : ck_slot_called(c, alias, head), v);
    ck_emit(c, &(struct ck_event){.kind = CK_EV_IMPORT,
                                  .node = alias,
                                  .name = dotted,
                                  .object = ck_as(v, CK_NAME)});
}

/* Every name that nothing binds is looked for in these modules: each is kept once, and only if
 * something can be found there. */
static void add_star(struct ck *c, struct lw_str module)
{
    struct ck_file *f = c->frame->file;
    if (!lw_api_is_module(c->apis, module))
        return;
    for (size_t i = 0; i < f->stars.n; i++)
        if (lw_str_eq(f->stars.v[i], module))
            return;
    if (lw_vec_push(c->mem, &f->stars, module) < 0)
        c->stopped = true;
}

static void import_star(struct ck *c, struct ck_file *file, struct lw_str module)
{
    struct ck_file *into = c->frame->file;
    if (file)
        ck_run_file(c, file);
    if (!file) {
        into->starred = true;
        into->other_star |= !lw_str_has_prefix(module, LW_S("keras")) &&
                            !lw_str_has_prefix(module, LW_S("tensorflow"));
        add_star(c, module);
        return;
    }
    into->starred |= file->starred;
    into->other_star |= file->other_star;
    for (size_t i = 0; i < file->stars.n; i++)
        add_star(c, file->stars.v[i]);
    for (struct ck_slot *s = file->env->vars.first; s; s = s->next) {
        struct lw_str name = heap_name(&c->heap, s->name);
        if (!lw_str_has_prefix(name, LW_S("_")) && s->value.kind != LW_V_ABSENT)
            heap_set(&c->heap, fields_put(&c->heap, &c->frame->env->vars, s->name), s->value);
    }
}

struct ck_file *ck_imported_file(struct ck *c, struct ck_file *from, uint32_t node)
{
    uint32_t first, end, dots = lw_tree_import_module(&from->tree, node, &first, &end);
    return find_module(c, from, tokens_text(c, &from->tree, first, end), dots, false);
}

bool ck_is_submodule(struct ck *c, const struct ck_file *package, struct lw_str name)
{
    struct lw_buf path;
    if (!lw_str_has_suffix(package->path, LW_S("__init__.py")))
        return false;
    lw_buf_init(&path, c->mem, 4096);
    bool found = probe(c, &path, package->folder, name);
    lw_buf_clear(&path);
    if (!found && lw_path_append(&path, package->folder, name) == 0)
        found = ck_modules_kind(c->shared, lw_buf_str(&path)) == LW_FILE_FOLDER;
    lw_buf_release(&path);
    return found;
}

/* A name of another file: looked up when it is used. */
static struct lw_value lazy_name(struct ck *c, struct ck_file *file, struct lw_str name,
                                 struct lw_str full, uint32_t dots, uint32_t node)
{
    struct ck_object *o = ck_new(c, CK_LAZY, node);
    if (!o)
        return lw_v_unknown();
    o->extra = file;
    o->name = name;
    o->spelt = full;
    o->item_count = dots;
    return ck_value(o);
}

struct lw_value ck_force(struct ck *c, struct lw_value v)
{
    struct ck_object *o = ck_as(v, CK_LAZY);
    if (!o)
        return v;
    struct ck_file *file = o->extra;
    struct lw_value out = ck_get_attr(c, ck_value(file->module), o->name, o->node);
    if (out.kind != LW_V_UNKNOWN)
        return out;
    struct ck_file *sub = find_module(c, o->file, o->spelt, o->item_count, false);
    return sub ? ck_value(sub->module) : lw_v_unknown();
}

static struct lw_value imported_name(struct ck *c, struct ck_file *file, struct lw_str module,
                                     struct lw_str name, uint32_t dots, uint32_t node)
{
    struct ck_file *from = c->frame->file;
    struct lw_str full = module.n ? ck_text(c, "%.*s.%.*s", LW_F(module), LW_F(name)) : name;
    if (file)
        return lazy_name(c, file, name, full, dots, node);
    if (dots > 0) {
        struct ck_file *sub = find_module(c, from, full, dots, false);
        return sub ? ck_value(sub->module) : lw_v_unknown();
    }
    struct ck_file *sub = find_module(c, from, full, 0, false);
    if (sub)
        return ck_value(sub->module);
    struct lw_value v = ck_new_name(c, full);
    struct ck_object *o = ck_as(v, CK_NAME);
    if (o) {
        ck_emit(c, &(struct ck_event){.kind = CK_EV_NAME, .node = node, .object = o});
        if (o->api && o->api->kind == LW_API_CONSTANT)
            return c->models->eval_api(c, o->api, LW_API_CONSTRUCT, NULL, NULL, 0, node);
    }
    return v;
}

static void import_from(struct ck *c, uint32_t node)
{
    struct lw_tree *t = &c->frame->file->tree;
    uint32_t first, end, dots = lw_tree_import_module(t, node, &first, &end);
    struct lw_str module = tokens_text(c, t, first, end);
    struct ck_file *file = find_module(c, c->frame->file, module, dots, true);
    ck_emit(c, &(struct ck_event){.kind = CK_EV_IMPORT, .node = node, .name = module});
    for (uint32_t a = lw_tree_each(t, node, LW_ROLE_NAMES, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, node, LW_ROLE_NAMES, a)) {
        uint32_t stop = lw_tree_alias_end(t, a);
        struct lw_str name = tokens_text(c, t, lw_tree_node(t, a)->first, stop);
        if (lw_str_eq(name, LW_S("*"))) {
            import_star(c, file, module);
            continue;
        }
        struct lw_value v = imported_name(c, file, module, name, dots, a);
        heap_set(&c->heap, ck_slot_of(c, a), v);
    }
}

void ck_import(struct ck *c, uint32_t node)
{
    struct lw_tree *t = &c->frame->file->tree;
    if (lw_tree_kind(t, node) == LW_NODE_IMPORT_FROM) {
        import_from(c, node);
        return;
    }
    for (uint32_t a = lw_tree_each(t, node, LW_ROLE_NAMES, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, node, LW_ROLE_NAMES, a))
        import_plain(c, a);
}
