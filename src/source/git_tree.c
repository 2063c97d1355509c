#include "source/git_tree.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "source/git_internal.h"

static const uint64_t MAX_ENTRIES = 10 * 1000 * 1000;

/* ---- Raw trees --------------------------------------------------------------------------- */

/* git knows five modes; old tools wrote others. */
static uint32_t canonical(uint32_t mode)
{
    switch (mode & 0170000) {
    case 0100000: return mode & 0100 ? 0100755 : 0100644;
    case 0120000: return 0120000;
    case 0040000: return 0040000;
    default: return 0160000;
    }
}

static bool is_name(struct lw_str name)
{
    return name.n > 0 && !lw_str_eq(name, LW_S(".")) && !lw_str_eq(name, LW_S("..")) &&
           memchr(name.p, '/', name.n) == NULL;
}

int gt_tree_next(struct lw_str *rest, struct gt_entry *entry)
{
    uint32_t mode = 0;
    size_t i = 0;
    if (rest->n == 0)
        return 0;
    while (i < rest->n && i < 8 && rest->p[i] >= '0' && rest->p[i] <= '7')
        mode = mode << 3 | (uint32_t)(rest->p[i++] - '0');
    if (i == 0 || i >= rest->n || rest->p[i] != ' ')
        return LW_ECORRUPT;
    const char *name = rest->p + i + 1;
    const char *nul = memchr(name, '\0', rest->n - i - 1);
    if (!nul || (size_t)(rest->p + rest->n - nul) < LW_GIT_ID_BYTES + 1)
        return LW_ECORRUPT;
    entry->mode = canonical(mode);
    entry->name = lw_str_n(name, (size_t)(nul - name));
    entry->id = (const struct lw_git_id *)(nul + 1);
    *rest = lw_str_from(*rest, (size_t)(nul + 1 + LW_GIT_ID_BYTES - rest->p));
    return is_name(entry->name) ? 1 : LW_ECORRUPT;
}

enum lw_git_kind lw_git_kind_of(uint32_t mode)
{
    switch (mode & 0170000) {
    case 0: return LW_GIT_NOTHING;
    case 0100000: return LW_GIT_FILE;
    case 0120000: return LW_GIT_LINK;
    case 0040000: return LW_GIT_FOLDER;
    default: return LW_GIT_SUBMODULE;
    }
}

/* ---- Finding one path -------------------------------------------------------------------- */

bool gt_spot_eq(const struct gt_spot *a, const struct gt_spot *b)
{
    return a->mode == b->mode && (a->mode == 0 || lw_git_id_eq(&a->id, &b->id));
}

/* The entry `name` in the tree that `spot` is; nothing when it is no tree. */
static int find_in(lw_git *git, const struct gt_spot *tree, struct lw_str name,
                   struct gt_spot *spot, struct lw_err *err)
{
    git_odb_object *object;
    struct gt_entry e;
    struct gt_spot found = {0};
    if (!gt_is_tree(tree->mode)) {
        *spot = found;
        return 0;
    }
    struct lw_git_id id = tree->id;
    int rc = gt_tree_read(git, &id, &object, err);
    if (rc < 0)
        return rc;
    struct lw_str rest = gt_object_text(git, object);
    int more;
    while ((more = gt_tree_next(&rest, &e)) > 0) {
        if (!lw_str_eq(e.name, name))
            continue;
        found = (struct gt_spot){e.mode, *e.id};
        break;
    }
    gt_object_free(git, object);
    *spot = found;
    return more < 0 ? gt_trouble(git, LW_GIT_CORRUPT, &id, "tree", err) : 0;
}

static struct gt_spot root_spot(const struct lw_git_id *tree)
{
    return tree ? (struct gt_spot){0040000, *tree} : (struct gt_spot){0};
}

int gt_tree_find(lw_git *git, const struct lw_git_id *tree, struct lw_str path,
                 struct gt_spot *spot, struct lw_err *err)
{
    struct lw_str name;
    int rc = 0;
    *spot = root_spot(tree);
    while (rc == 0 && spot->mode && lw_str_split(&path, '/', &name))
        rc = find_in(git, spot, name, spot, err);
    return rc;
}

int gt_tree_find_both(lw_git *git, const struct lw_git_id *old_tree,
                      const struct lw_git_id *new_tree, struct lw_str path,
                      struct gt_spot *old_spot, struct gt_spot *new_spot, bool *same,
                      struct lw_err *err)
{
    struct lw_str name;
    int rc = 0;
    *old_spot = root_spot(old_tree);
    *new_spot = root_spot(new_tree);
    while (rc == 0 && !gt_spot_eq(old_spot, new_spot) && lw_str_split(&path, '/', &name)) {
        rc = find_in(git, old_spot, name, old_spot, err);
        if (rc == 0)
            rc = find_in(git, new_spot, name, new_spot, err);
    }
    *same = rc == 0 && gt_spot_eq(old_spot, new_spot);
    if (*same && path.n)
        *old_spot = *new_spot = (struct gt_spot){0};
    return rc;
}

/* ---- Comparing two trees ----------------------------------------------------------------- */

struct comparing {
    lw_git *git;
    const struct gt_compare *how;
    struct lw_buf path;
    uint64_t entries, max_entries;
    struct lw_err *err;
};

/* What cannot be read below the top is noted already, and no failure of the whole. */
static int pass_over(int rc)
{
    return gt_is_trouble(rc) ? 0 : rc;
}

/* One side: the tree being read and its next entry. */
struct side {
    git_odb_object *object;
    const struct lw_git_id *id;
    struct lw_str rest;
    struct gt_entry entry;
    bool has;
};

static int advance(struct comparing *c, struct side *s)
{
    int more = gt_tree_next(&s->rest, &s->entry);
    s->has = more > 0;
    if (more >= 0)
        return 0;
    /* What follows in this folder is skipped. */
    return pass_over(gt_trouble(c->git, LW_GIT_CORRUPT, s->id, "tree", c->err));
}

static int open_side(struct comparing *c, struct side *s, const struct lw_git_id *id)
{
    *s = (struct side){.id = id};
    if (!id)
        return 0;
    int rc = gt_tree_read(c->git, id, &s->object, c->err);
    if (rc < 0)
        return rc;
    s->rest = gt_object_text(c->git, s->object);
    return advance(c, s);
}

/* git's order: a folder sorts as if its name ended with a slash. */
static int entry_cmp(const struct gt_entry *a, const struct gt_entry *b)
{
    size_t n = a->name.n < b->name.n ? a->name.n : b->name.n;
    int order = memcmp(a->name.p, b->name.p, n);
    if (order != 0)
        return order;
    unsigned char end_a =
        n < a->name.n ? (unsigned char)a->name.p[n] : (gt_is_tree(a->mode) ? '/' : '\0');
    unsigned char end_b =
        n < b->name.n ? (unsigned char)b->name.p[n] : (gt_is_tree(b->mode) ? '/' : '\0');
    return end_a - end_b;
}

/* Is the path, or something below it, below c->how->under? */
static bool is_wanted(const struct comparing *c, bool folder)
{
    struct lw_str path = lw_buf_str(&c->path), under = c->how->under;
    if (under.n == 0 || lw_str_eq(path, under))
        return true;
    if (path.n > under.n)
        return path.p[under.n] == '/' && lw_str_has_prefix(path, under);
    return folder && under.p[path.n] == '/' && lw_str_has_prefix(under, path);
}

static int compare_folders(struct comparing *c, const struct lw_git_id *old_id,
                           const struct lw_git_id *new_id, unsigned depth);

/* A file, link or submodule. */
static int found_file(struct comparing *c, const struct gt_entry *a, const struct gt_entry *b)
{
    struct gt_spot old_spot = {0}, new_spot = {0};
    if (a)
        old_spot = (struct gt_spot){a->mode, *a->id};
    if (b)
        new_spot = (struct gt_spot){b->mode, *b->id};
    return c->how->fn(c->how->data, lw_buf_str(&c->path), &old_spot, &new_spot, c->err);
}

static int found_named(struct comparing *c, const struct gt_entry *a, const struct gt_entry *b,
                       unsigned depth)
{
    bool folder = gt_is_tree(a ? a->mode : b->mode);
    if (!is_wanted(c, folder))
        return 0;
    if (!folder)
        return found_file(c, a, b);
    if (c->how->enter && !c->how->enter(c->how->data, lw_buf_str(&c->path), b ? b->id : a->id))
        return 0;
    return compare_folders(c, a ? a->id : NULL, b ? b->id : NULL, depth + 1);
}

/* One of them may be NULL: the name is on one side only. */
static int found_pair(struct comparing *c, const struct gt_entry *a, const struct gt_entry *b,
                      unsigned depth)
{
    if (a && b && a->mode == b->mode && lw_git_id_eq(a->id, b->id) && !c->how->unchanged)
        return 0;
    if (++c->entries > c->max_entries)
        return lw_err_set(c->err, LW_ELIMIT, "there are more than %llu files and folders",
                          (unsigned long long)c->max_entries);
    size_t length = c->path.n;
    if (length)
        lw_buf_add_char(&c->path, '/');
    lw_buf_add(&c->path, a ? a->name : b->name);
    int rc;
    if (c->path.failed == LW_ENOMEM)
        return lw_err_nomem(c->err);
    if (c->path.failed || depth >= GT_MAX_DEPTH)
        rc = pass_over(gt_trouble(c->git, LW_GIT_LARGE, a ? a->id : b->id, "path of", c->err));
    else
        rc = found_named(c, a, b, depth);
    c->path.failed = 0;
    lw_buf_cut(&c->path, length);
    return rc;
}

/* Passes over entries at the front that are the same on both sides, byte by byte: in most
 * folders all but one or two. Entries end 20 bytes behind a NUL, so none has to be understood;
 * a broken one is left to the reader. */
static void skip_common(struct side *a, struct side *b)
{
    struct lw_str x = a->rest, y = b->rest;
    while (x.n > 0 && y.n > 0) {
        const char *nul = memchr(x.p, '\0', x.n);
        size_t n = nul ? (size_t)(nul - x.p) + 1 + LW_GIT_ID_BYTES : SIZE_MAX;
        if (n > x.n || n > y.n || memcmp(x.p, y.p, n) != 0)
            break;
        x = lw_str_from(x, n);
        y = lw_str_from(y, n);
    }
    a->rest = x;
    b->rest = y;
}

static int advance_both(struct comparing *c, struct side *a, struct side *b)
{
    bool tail = a->rest.n == b->rest.n && memcmp(a->rest.p, b->rest.p, a->rest.n) == 0;
    if (tail && !c->how->unchanged) {
        a->has = b->has = false;
        return 0;
    }
    if (!c->how->unchanged)
        skip_common(a, b);
    int rc = advance(c, a);
    return rc == 0 ? advance(c, b) : rc;
}

static int compare_sides(struct comparing *c, struct side *a, struct side *b, unsigned depth)
{
    int rc = 0;
    while (rc == 0 && (a->has || b->has)) {
        int order = !a->has ? 1 : !b->has ? -1 : entry_cmp(&a->entry, &b->entry);
        rc = found_pair(c, order <= 0 ? &a->entry : NULL, order >= 0 ? &b->entry : NULL, depth);
        if (rc == 0 && order == 0)
            rc = advance_both(c, a, b);
        else if (rc == 0)
            rc = advance(c, order < 0 ? a : b);
    }
    return rc;
}

static int compare_folders(struct comparing *c, const struct lw_git_id *old_id,
                           const struct lw_git_id *new_id, unsigned depth)
{
    struct side a = {0}, b = {0};
    int rc = gt_canceled(c->git, c->err);
    if (rc < 0)
        return rc;
    rc = open_side(c, &a, old_id);
    if (rc == 0)
        rc = open_side(c, &b, new_id);
    if (rc == 0)
        rc = compare_sides(c, &a, &b, depth);
    else if (depth > 0)
        rc = pass_over(rc);
    gt_object_free(c->git, a.object);
    gt_object_free(c->git, b.object);
    return rc;
}

int gt_tree_compare(lw_git *git, const struct gt_compare *compare, struct lw_err *err)
{
    struct comparing c = {.git = git, .how = compare, .err = err};
    const struct lw_git_id *a = compare->old_tree, *b = compare->new_tree;
    if (a && b && lw_git_id_eq(a, b) && !compare->unchanged)
        return 0;
    c.max_entries = compare->max_entries ? compare->max_entries : MAX_ENTRIES;
    lw_buf_init(&c.path, git->mem, GT_MAX_PATH);
    int rc = compare_folders(&c, a, b, 0);
    lw_buf_release(&c.path);
    return rc;
}

/* ---- Walking one tree -------------------------------------------------------------------- */

struct walking {
    const struct lw_git_tree_options *options;
    lw_git_entry_fn *fn;
    void *data;
};

static bool enter(void *data, struct lw_str path, const struct lw_git_id *id)
{
    struct walking *w = data;
    struct lw_git_entry e = {path, LW_GIT_FOLDER, 0040000, *id};
    return w->options->wants(w->options->data, &e);
}

static int visit(void *data, struct lw_str path, const struct gt_spot *old_spot,
                 const struct gt_spot *new_spot, struct lw_err *err)
{
    struct walking *w = data;
    struct lw_git_entry e = {path, lw_git_kind_of(new_spot->mode), new_spot->mode,
                             new_spot->id};
    (void)old_spot;
    if (w->options->wants && !w->options->wants(w->options->data, &e))
        return 0;
    int rc = w->fn(w->data, &e);
    return rc < 0 && err->code != rc ? lw_err_set(err, rc, "the walk was stopped") : rc;
}

int lw_git_tree_walk(lw_git *git, const struct lw_git_id *commit,
                     const struct lw_git_tree_options *options, lw_git_entry_fn *fn, void *data,
                     struct lw_err *err)
{
    static const struct lw_git_tree_options none;
    struct gt_node *node;
    struct walking w = {options ? options : &none, fn, data};
    int rc = gt_node_get(git, commit, &node, err);
    if (rc < 0)
        return rc;
    struct gt_compare how = {
        .new_tree = &node->tree,
        .under = w.options->under,
        .max_entries = w.options->max_entries,
        .enter = w.options->wants ? enter : NULL,
        .fn = visit,
        .data = &w,
    };
    rc = gt_tree_compare(git, &how, err);
    return rc > 0 ? 0 : rc;
}

int lw_git_tree_find(lw_git *git, const struct lw_git_id *commit, struct lw_str path,
                     struct lw_git_entry *entry, struct lw_err *err)
{
    struct gt_node *node;
    struct gt_spot spot = {0};
    int rc = gt_node_get(git, commit, &node, err);
    if (rc == 0)
        rc = gt_tree_find(git, &node->tree, path, &spot, err);
    if (rc < 0)
        return rc;
    if (!spot.mode) {
        char hex[LW_GIT_ID_TEXT];
        return lw_err_set(err, LW_ENOENT, "there is no '%.*s' in commit %.12s", LW_F(path),
                          lw_git_id_print(commit, hex));
    }
    *entry = (struct lw_git_entry){path, lw_git_kind_of(spot.mode), spot.mode, spot.id};
    return 0;
}
