/* Refs and the small language of revisions. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/str.h"
#include "source/git_internal.h"

enum {
    MAX_PACKED = 256 << 20, /* bytes of packed-refs */
    MAX_REF = 4096,         /* bytes of one loose ref */
    MAX_REFS = 1000000,
    MAX_SYMBOLIC = 5, /* refs that name refs */
    LEAST_DIGITS = 4  /* of a shortened object name */
};

/* ---- Single refs ------------------------------------------------------------------------- */

/* Could it be the name of a ref? What matters is that it cannot leave the folder. */
static bool is_ref_name(struct lw_str name)
{
    struct lw_str part, rest = name;
    if (name.n == 0 || name.p[name.n - 1] == '/' || name.p[0] == '/')
        return false;
    for (size_t i = 0; i < name.n; i++)
        if ((unsigned char)name.p[i] < 0x20 || strchr(" ~^:?*[\\\x7f", name.p[i]))
            return false;
    while (lw_str_split(&rest, '/', &part))
        if (part.n == 0 || part.p[0] == '.' || lw_str_has_suffix(part, LW_S(".lock")))
            return false;
    return lw_str_find(name, LW_S("..")) == LW_NPOS;
}

/* Outside refs/ only names such as HEAD and ORIG_HEAD are refs. */
static bool is_top_name(struct lw_str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!(name.p[i] >= 'A' && name.p[i] <= 'Z') && name.p[i] != '_')
            return false;
    return name.n > 0;
}

static int add_packed(lw_git *git, struct lw_str line, struct lw_err *err)
{
    struct lw_git_id id;
    if (line.n < LW_GIT_ID_TEXT + 1 || line.p[LW_GIT_ID_TEXT - 1] != ' ' ||
        !lw_git_id_parse(lw_str_part(line, 0, LW_GIT_ID_TEXT - 1), &id))
        return 0; /* a comment, or what a tag above it points to */
    struct lw_str name = lw_str_from(line, LW_GIT_ID_TEXT);
    struct lw_map_entry *e = lw_map_put(&git->packed, name, NULL);
    if (!e || lw_vec_push(git->mem, &git->packed_ids, id) < 0)
        return lw_err_nomem(err);
    e->value = git->packed_ids.n - 1;
    return 0;
}

static int load_packed(lw_git *git, struct lw_err *err)
{
    struct lw_str text, line;
    if (git->packed_loaded)
        return 0;
    int rc = gt_file_read(git, &git->arena, LW_S("packed-refs"), MAX_PACKED, &text, err);
    if (rc < 0 && rc != LW_ENOENT)
        return rc;
    bool found = rc == 0;
    rc = 0;
    while (rc == 0 && found && lw_str_line(&text, &line))
        rc = add_packed(git, line, err);
    git->packed_loaded = rc == 0;
    return rc;
}

/* One step: the id, or (`*next` not empty) the ref it stands for. */
static int read_ref(lw_git *git, struct lw_arena *scratch, struct lw_str name,
                    struct lw_git_id *id, struct lw_str *next, struct lw_err *err)
{
    struct lw_str text;
    *next = (struct lw_str){NULL, 0};
    int rc = gt_file_read(git, scratch, name, MAX_REF, &text, err);
    if (rc == 0) {
        text = lw_str_trim(text);
        if (lw_git_id_parse(text, id))
            return 0;
        if (lw_str_has_prefix(text, LW_S("ref:"))) {
            *next = lw_str_trim(lw_str_from(text, 4));
            if (is_ref_name(*next))
                return 0;
        }
        return lw_err_set(err, LW_ECORRUPT, "the ref '%.*s' is damaged", LW_F(name));
    }
    if (rc != LW_ENOENT || load_packed(git, err) < 0)
        return err->code;
    struct lw_map_entry *e = lw_map_find(&git->packed, name);
    if (!e)
        return lw_err_set(err, LW_ENOENT, "there is no ref '%.*s'", LW_F(name));
    *id = git->packed_ids.v[e->value];
    return 0;
}

/* Follows symbolic refs to an id. */
static int follow_ref(lw_git *git, struct lw_str name, struct lw_git_id *id, struct lw_err *err)
{
    struct lw_arena scratch;
    struct lw_str next = name;
    lw_arena_init(&scratch, git->mem, 0);
    int rc = 0, steps = 0;
    while (rc == 0 && next.n && steps++ < MAX_SYMBOLIC)
        rc = read_ref(git, &scratch, next, id, &next, err);
    if (rc == 0 && next.n)
        rc = lw_err_set(err, LW_ECORRUPT, "the ref '%.*s' refers to itself", LW_F(name));
    lw_arena_release(&scratch);
    return rc;
}

/* Tries the places where git looks for a short name, in git's order. */
static int find_ref(lw_git *git, struct lw_str name, struct lw_git_id *id, struct lw_err *err)
{
    static const char *const forms[] = {"%.*s",
                                        "refs/%.*s",
                                        "refs/tags/%.*s",
                                        "refs/heads/%.*s",
                                        "refs/remotes/%.*s",
                                        "refs/remotes/%.*s/HEAD"};
    struct lw_buf full;
    if (!is_ref_name(name))
        return lw_err_set(err, LW_ENOENT, "'%.*s' is not a ref name", LW_F(name));
    lw_buf_init(&full, git->mem, MAX_REF);
    int rc = LW_ENOENT;
    for (size_t i = 0; rc == LW_ENOENT && i < sizeof forms / sizeof *forms; i++) {
        lw_buf_clear(&full);
        if (i == 0 && !is_top_name(name) && !lw_str_has_prefix(name, LW_S("refs/")))
            continue;
        if (lw_buf_addf(&full, forms[i], LW_F(name)) < 0)
            rc = full.failed == LW_ELIMIT ? LW_ENOENT : lw_err_nomem(err);
        else
            rc = follow_ref(git, lw_buf_str(&full), id, err);
    }
    lw_buf_release(&full);
    return rc;
}

/* ---- All refs ---------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct lw_git_ref *x = a, *y = b;
    return lw_str_cmp(x->name, y->name);
}

static int collect_names(lw_git *git, struct lw_arena *arena, struct lw_map *names,
                         struct lw_err *err)
{
    lw_str_vec loose = {0};
    int rc = load_packed(git, err);
    struct lw_str folder = lw_arena_printf(arena, "%s/refs", git->folder.p);
    if (rc == 0 && !folder.p)
        rc = lw_err_nomem(err);
    if (rc == 0 && lw_file_kind(folder.p) == LW_FILE_FOLDER)
        rc = lw_dir_walk(arena, git->mem, folder.p, false, MAX_REFS, &loose, err);
    for (size_t i = 0; rc == 0 && i < loose.n; i++) {
        struct lw_str name = lw_arena_printf(arena, "refs/%.*s", LW_F(loose.v[i]));
        if (!name.p || !lw_map_put(names, name, NULL))
            rc = lw_err_nomem(err);
    }
    for (size_t i = 0; rc == 0 && i < git->packed.n; i++) {
        struct lw_str name = lw_arena_copy(arena, git->packed.entries[i].key);
        if (!name.p || !lw_map_put(names, name, NULL))
            rc = lw_err_nomem(err);
    }
    lw_vec_release(git->mem, &loose);
    return rc;
}

int lw_git_refs(lw_git *git, struct lw_arena *arena, struct lw_git_refs *refs,
                struct lw_err *err)
{
    struct lw_map names;
    struct lw_err ignored = {0};
    *refs = (struct lw_git_refs){NULL, 0};
    lw_map_init(&names, git->mem);
    int rc = collect_names(git, arena, &names, err);
    struct lw_git_ref *list = rc == 0 ? lw_arena_array(arena, names.n, sizeof *list) : NULL;
    if (rc == 0 && !list)
        rc = lw_err_nomem(err);
    size_t n = 0;
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        list[n].name = names.entries[i].key;
        int found = is_ref_name(list[n].name)
                        ? follow_ref(git, list[n].name, &list[n].id, &ignored)
                        : LW_ENOENT;
        if (found == LW_ENOMEM)
            rc = lw_err_nomem(err);
        n += found == 0;
    }
    if (rc == 0 && n)
        qsort(list, n, sizeof *list, by_name);
    if (rc == 0)
        *refs = (struct lw_git_refs){list, n};
    lw_map_release(&names);
    return rc;
}

/* ---- Shortened object names -------------------------------------------------------------- */

struct prefix {
    lw_git *git;
    struct lw_git_id start; /* the digits, then zeros */
    size_t digits;
    struct lw_git_id commit;
    size_t commits;
    int rc;
    struct lw_err *err;
};

static bool has_prefix(const uint8_t *id, const struct prefix *p)
{
    size_t whole = p->digits / 2;
    if (memcmp(id, p->start.b, whole) != 0)
        return false;
    return p->digits % 2 == 0 || (id[whole] & 0xf0) == p->start.b[whole];
}

static int look_at_object(const git_oid *oid, void *data)
{
    struct prefix *p = data;
    struct lw_git_id id;
    git_object_t type;
    size_t size;
    if (!has_prefix(oid->id, p))
        return 0;
    memcpy(id.b, oid->id, sizeof id.b);
    int rc = gt_object_header(p->git, &id, &type, &size, p->err);
    if (rc == LW_ENOMEM)
        return p->rc = rc;
    if (rc < 0 || type != GIT_OBJECT_COMMIT)
        return 0;
    if (p->commits == 0 || !lw_git_id_eq(&id, &p->commit)) /* may be packed and loose */
        p->commits++;
    p->commit = id;
    return 0;
}

static bool read_prefix(struct lw_str text, struct prefix *p)
{
    char padded[LW_GIT_ID_TEXT];
    if (text.n < LEAST_DIGITS || text.n >= LW_GIT_ID_TEXT)
        return false;
    memset(padded, '0', sizeof padded);
    memcpy(padded, text.p, text.n);
    p->digits = text.n;
    return lw_git_id_parse(lw_str_n(padded, LW_GIT_ID_TEXT - 1), &p->start);
}

static int find_short(lw_git *git, struct lw_str text, struct lw_git_id *id, struct lw_err *err)
{
    struct prefix p = {.git = git, .err = err};
    git_oid start, found;
    if (!read_prefix(text, &p))
        return lw_err_set(err, LW_ENOENT, "there is no revision '%.*s'", LW_F(text));
    if (gt_objects_open(git, err) < 0)
        return err->code;
    memcpy(start.id, p.start.b, sizeof start.id);
    int rc = git->api.odb_exists_prefix(&found, git->odb, &start, p.digits);
    if (rc == 0) {
        memcpy(id->b, found.id, sizeof id->b);
        return 0;
    }
    if (rc != GIT_EAMBIGUOUS)
        return lw_err_set(err, LW_ENOENT, "there is no revision '%.*s'", LW_F(text));
    /* Only a commit can be meant; looking at every name takes milliseconds. */
    git->api.odb_foreach(git->odb, look_at_object, &p);
    if (p.rc < 0)
        return p.rc;
    if (p.commits != 1)
        return lw_err_set(err, LW_EINVAL, "'%.*s' is ambiguous; use more digits", LW_F(text));
    *id = p.commit;
    return 0;
}

/* ---- Revisions --------------------------------------------------------------------------- */

static int find_base(lw_git *git, struct lw_str name, struct lw_git_id *id, struct lw_err *err)
{
    if (lw_git_id_parse(name, id))
        return 0;
    if (lw_str_eq(name, LW_S("@")))
        name = LW_S("HEAD");
    int rc = find_ref(git, name, id, err);
    if (rc != LW_ENOENT)
        return rc;
    if (lw_str_eq(name, LW_S("HEAD")))
        return lw_err_set(err, LW_ENOENT, "the repository has no commits yet");
    return find_short(git, name, id, err);
}

/* The number at the front of `*rest`, or `otherwise`. */
static int take_number(struct lw_str *rest, uint64_t otherwise, uint64_t *number,
                       struct lw_err *err)
{
    size_t n = 0;
    while (n < rest->n && rest->p[n] >= '0' && rest->p[n] <= '9')
        n++;
    *number = otherwise;
    if (n && !lw_parse_u64(lw_str_part(*rest, 0, n), number))
        return lw_err_set(err, LW_EINVAL, "the number in the revision is too large");
    *rest = lw_str_from(*rest, n);
    return 0;
}

static int step_up(lw_git *git, struct lw_git_id *id, uint64_t which, struct lw_err *err)
{
    struct gt_node *node, *parent;
    if (which == 0)
        return 0;
    int rc = gt_node_get(git, id, &node, err);
    if (rc < 0)
        return rc;
    if (which > node->parent_count) {
        char hex[LW_GIT_ID_TEXT];
        return lw_err_set(err, LW_ENOENT, "commit %s has no parent number %llu",
                          lw_git_id_print(id, hex), (unsigned long long)which);
    }
    rc = gt_node_at(git, node->parents[which - 1], &parent, err);
    if (rc == 0)
        *id = parent->id;
    return rc;
}

/* One ~N, ^N or ^{…} off the front of `*rest`. */
static int take_suffix(lw_git *git, struct lw_str *rest, struct lw_git_id *id,
                       struct lw_err *err)
{
    uint64_t number;
    int rc = gt_tag_follow(git, id, err);
    if (rc < 0)
        return rc;
    if (lw_str_has_prefix(*rest, LW_S("^{}")) || lw_str_has_prefix(*rest, LW_S("^{commit}"))) {
        *rest = lw_str_from(*rest, (size_t)lw_str_find_char(*rest, '}') + 1);
        return 0;
    }
    bool up = rest->p[0] == '~', parent = rest->p[0] == '^';
    *rest = lw_str_from(*rest, 1);
    if ((!up && !parent) || (rest->n && strchr("{@-!", rest->p[0])))
        return lw_err_set(err, LW_EINVAL, "only ~N, ^N, ^{} and ^{commit} may follow");
    rc = take_number(rest, 1, &number, err);
    if (rc == 0 && parent)
        return step_up(git, id, number, err);
    for (; rc == 0 && number > 0; number--)
        rc = step_up(git, id, 1, err);
    return rc;
}

int lw_git_ref(lw_git *git, struct lw_str name, struct lw_git_id *id, struct lw_err *err)
{
    return find_ref(git, lw_str_eq(name, LW_S("@")) ? LW_S("HEAD") : name, id, err);
}

int lw_git_resolve(lw_git *git, struct lw_str rev, struct lw_git_id *commit, struct lw_err *err)
{
    size_t n = 0;
    while (n < rev.n && rev.p[n] != '~' && rev.p[n] != '^')
        n++;
    struct lw_str base = lw_str_part(rev, 0, n), rest = lw_str_from(rev, n);
    if (lw_str_find(base, LW_S("@{")) != LW_NPOS || lw_str_find_char(base, ':') != LW_NPOS)
        return lw_err_set(err, LW_EINVAL,
                          "'%.*s': revisions with '@{' or ':' are not supported", LW_F(rev));
    struct lw_git_id id;
    struct gt_node *node;
    int rc = find_base(git, base, &id, err);
    while (rc == 0 && rest.n)
        rc = take_suffix(git, &rest, &id, err);
    if (rc == 0)
        rc = gt_tag_follow(git, &id, err);
    if (rc == 0)
        rc = gt_node_get(git, &id, &node, err);
    if (rc < 0)
        return lw_err_context(err, "revision '%.*s'", LW_F(rev));
    *commit = id;
    return 0;
}
