#include "source/git_commit.h"

#include <iconv.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"
#include "source/git_internal.h"

enum { MAX_TAGS = 16, MAX_ENCODING = 40 };

/* ---- The raw form ------------------------------------------------------------------------ */

struct raw {
    struct lw_git_id tree;
    struct lw_str parents; /* the "parent …" lines */
    size_t parent_count;
    struct lw_str author, committer, encoding;
    struct lw_str message;
};

/* The rest of the line if it starts with `key` and a blank. */
static bool value_of(struct lw_str line, struct lw_str key, struct lw_str *value)
{
    if (!lw_str_has_prefix(line, key) || line.n <= key.n || line.p[key.n] != ' ')
        return false;
    *value = lw_str_from(line, key.n + 1);
    return true;
}

/* As lw_str_line, but a CR belongs to the line. */
static bool next_line(struct lw_str *rest, struct lw_str *line)
{
    return lw_str_split(rest, '\n', line);
}

static bool parse_raw(struct lw_str text, struct raw *raw)
{
    enum { PARENT_LINE = 48 }; /* "parent ", 40 digits, line feed */
    struct lw_str line, value;
    *raw = (struct raw){0};
    if (!next_line(&text, &line) || !value_of(line, LW_S("tree"), &value) ||
        !lw_git_id_parse(value, &raw->tree))
        return false;
    raw->parents = lw_str_n(text.p, 0);
    while (text.n >= PARENT_LINE && lw_str_has_prefix(text, LW_S("parent ")) &&
           text.p[PARENT_LINE - 1] == '\n') {
        raw->parents.n += PARENT_LINE;
        raw->parent_count++;
        text = lw_str_from(text, PARENT_LINE);
    }
    while (next_line(&text, &line) && line.n) {
        if (value_of(line, LW_S("author"), &value) && !raw->author.p)
            raw->author = value;
        else if (value_of(line, LW_S("committer"), &value) && !raw->committer.p)
            raw->committer = value;
        else if (value_of(line, LW_S("encoding"), &value))
            raw->encoding = value;
    }
    raw->message = text;
    return true;
}

static bool parent_at(const struct raw *raw, size_t i, struct lw_git_id *id)
{
    return lw_git_id_parse(lw_str_part(raw->parents, i * 48 + 7, LW_GIT_ID_TEXT - 1), id);
}

static int zone_minutes(struct lw_str text)
{
    int64_t number;
    bool west = text.n && text.p[0] == '-';
    if (text.n < 2 || !lw_parse_i64(lw_str_from(text, 1), &number) || number < 0 ||
        number > 9999)
        return 0;
    int minutes = (int)(number / 100 * 60 + number % 100);
    return west ? -minutes : minutes;
}

/* "Name <mail> 1234567890 +0100"; anything may be missing. */
static struct lw_git_person parse_person(struct lw_str line)
{
    struct lw_git_person p = {0};
    struct lw_str time;
    ptrdiff_t open = lw_str_find_char(line, '<');
    p.name = lw_str_trim(open < 0 ? line : lw_str_part(line, 0, (size_t)open));
    ptrdiff_t last = lw_str_find_last_char(line, '>');
    if (open < 0 || last < open)
        return p;
    struct lw_str mail = lw_str_from(line, (size_t)open + 1);
    ptrdiff_t close = lw_str_find_char(mail, '>');
    p.email = lw_str_part(mail, 0, (size_t)close);
    struct lw_str rest = lw_str_trim(lw_str_from(line, (size_t)last + 1));
    if (lw_str_split(&rest, ' ', &time) && (!lw_parse_i64(time, &p.time) || p.time < 0))
        p.time = 0;
    p.zone = zone_minutes(lw_str_trim(rest));
    return p;
}

/* ---- Encodings --------------------------------------------------------------------------- */

/* Windows-1252 where it differs from Latin-1; 0 = not assigned, kept as it is. */
static const uint16_t cp1252[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

static struct lw_str from_western(struct lw_arena *arena, struct lw_str text)
{
    char *out = lw_arena_bytes(arena, text.n * 3 + 1);
    if (!out)
        return (struct lw_str){NULL, 0};
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        uint32_t c = (unsigned char)text.p[i];
        if (c >= 0x80 && c < 0xa0 && cp1252[c - 0x80])
            c = cp1252[c - 0x80];
        n += lw_utf8_encode(c, out + n);
    }
    out[n] = '\0';
    return lw_str_n(out, n);
}

/* Names of encodings come from the repository; the C library may load a file for them. */
static bool is_encoding_name(struct lw_str name)
{
    if (name.n == 0 || name.n > MAX_ENCODING)
        return false;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!alnum && c != '-' && c != '_' && c != ':' && c != '+')
            return false;
    }
    return true;
}

static size_t convert_all(iconv_t converter, struct lw_str text, char *out, size_t room)
{
    char *in = (char *)(uintptr_t)text.p, *to = out; /* iconv only reads the input */
    size_t left_in = text.n, left = room;
    if (iconv(converter, &in, &left_in, &to, &left) == (size_t)-1 || left_in ||
        iconv(converter, NULL, NULL, &to, &left) == (size_t)-1)
        return SIZE_MAX;
    *to = '\0';
    return (size_t)(to - out);
}

/* Sets `*result` to the text in UTF-8; its p is NULL when it is not in that encoding. */
static int convert(struct lw_arena *arena, struct lw_str text, struct lw_str encoding,
                   struct lw_str *result)
{
    char name[MAX_ENCODING + 1] = {0};
    *result = (struct lw_str){NULL, 0};
    if (!is_encoding_name(encoding))
        return 0;
    memcpy(name, encoding.p, encoding.n);
    iconv_t converter = iconv_open("UTF-8", name);
    if (converter == (iconv_t)-1)
        return 0;
    size_t room = text.n * 4 + 16; /* a commit is at most GT_MAX_COMMIT */
    char *out = lw_arena_bytes(arena, room + 1);
    size_t n = out ? convert_all(converter, text, out, room) : 0;
    iconv_close(converter);
    if (!out)
        return LW_ENOMEM;
    if (n != SIZE_MAX && lw_utf8_invalid(lw_str_n(out, n)) == LW_NPOS)
        *result = lw_str_n(out, n);
    return 0;
}

static int to_utf8(struct lw_arena *arena, struct lw_str *text, struct lw_str encoding,
                   struct lw_err *err)
{
    struct lw_str result = {NULL, 0};
    if (encoding.n && !lw_str_eq_nocase(encoding, LW_S("utf-8")) &&
        convert(arena, *text, encoding, &result) < 0)
        return lw_err_nomem(err);
    if (!result.p && lw_utf8_invalid(*text) == LW_NPOS)
        result = lw_arena_copy(arena, *text);
    else if (!result.p)
        result = from_western(arena, *text);
    *text = result;
    return result.p ? 0 : lw_err_nomem(err);
}

static int person_to_utf8(struct lw_arena *arena, struct lw_git_person *person,
                          struct lw_str encoding, struct lw_err *err)
{
    int rc = to_utf8(arena, &person->name, encoding, err);
    return rc == 0 ? to_utf8(arena, &person->email, encoding, err) : rc;
}

/* ---- Commits ----------------------------------------------------------------------------- */

static int read_raw(lw_git *git, const struct lw_git_id *id, git_odb_object **object,
                    struct raw *raw, struct lw_err *err)
{
    int rc = gt_commit_read(git, id, object, err);
    if (rc < 0 || parse_raw(gt_object_text(git, *object), raw))
        return rc;
    gt_object_free(git, *object);
    *object = NULL;
    return gt_trouble(git, LW_GIT_CORRUPT, id, "commit", err);
}

static int fill(lw_git *git, struct lw_arena *arena, const struct raw *raw,
                struct lw_git_commit *c, struct lw_err *err)
{
    c->tree = raw->tree;
    c->author = parse_person(raw->author);
    c->committer = parse_person(raw->committer);
    c->message = raw->message;
    c->encoding = raw->encoding;
    size_t count = lw_map_find(&git->shallow, gt_id_key(&c->id)) ? 0 : raw->parent_count;
    struct lw_git_id *parents = lw_arena_array(arena, count, sizeof *parents);
    if (!parents)
        return lw_err_nomem(err);
    for (size_t i = 0; i < count; i++)
        if (!parent_at(raw, i, &parents[i]))
            return gt_trouble(git, LW_GIT_CORRUPT, &c->id, "commit", err);
    c->parents = parents;
    c->parent_count = count;
    int rc = person_to_utf8(arena, &c->author, raw->encoding, err);
    if (rc == 0)
        rc = person_to_utf8(arena, &c->committer, raw->encoding, err);
    if (rc == 0)
        rc = to_utf8(arena, &c->message, raw->encoding, err);
    return rc == 0 ? to_utf8(arena, &c->encoding, LW_S(""), err) : rc;
}

int lw_git_commit(lw_git *git, struct lw_arena *arena, const struct lw_git_id *id,
                  struct lw_git_commit *commit, struct lw_err *err)
{
    git_odb_object *object;
    struct raw raw;
    *commit = (struct lw_git_commit){.id = *id};
    int rc = read_raw(git, id, &object, &raw, err);
    if (rc < 0)
        return rc;
    rc = fill(git, arena, &raw, commit, err);
    gt_object_free(git, object);
    return rc;
}

struct lw_str lw_git_subject(const struct lw_git_commit *commit)
{
    struct lw_str rest = commit->message, line;
    while (lw_str_line(&rest, &line))
        if (lw_str_trim(line).n)
            return lw_str_trim(line);
    return LW_S("");
}

/* ---- The graph --------------------------------------------------------------------------- */

/* The node of that name, made if there is none. */
static struct gt_node *node_of(lw_git *git, const struct lw_git_id *id)
{
    struct lw_map_entry *e = lw_map_find(&git->node_of, gt_id_key(id));
    if (e)
        return git->nodes.v[e->value].node;
    struct gt_node *node = lw_arena_alloc(&git->arena, sizeof *node);
    if (!node || git->nodes.n >= GT_NONE ||
        lw_vec_reserve(git->mem, &git->nodes, (size_t)1) < 0)
        return NULL;
    node->id = *id;
    node->index = (uint32_t)git->nodes.n;
    e = lw_map_put(&git->node_of, gt_id_key(&node->id), NULL);
    if (!e)
        return NULL;
    e->value = node->index;
    git->nodes.v[git->nodes.n++].node = node;
    return node;
}

static int link_parents(lw_git *git, struct gt_node *node, const struct raw *raw,
                        struct lw_err *err)
{
    struct lw_git_id id;
    bool cut = lw_map_find(&git->shallow, gt_id_key(&node->id)) != NULL;
    size_t count = cut || raw->parent_count > GT_NONE ? 0 : raw->parent_count;
    uint32_t *parents = lw_arena_array(&git->arena, count, sizeof *parents);
    if (!parents)
        return lw_err_nomem(err);
    for (size_t i = 0; i < count; i++) {
        if (!parent_at(raw, i, &id))
            return gt_trouble(git, LW_GIT_CORRUPT, &node->id, "commit", err);
        struct gt_node *parent = node_of(git, &id);
        if (!parent)
            return lw_err_nomem(err);
        parents[i] = parent->index;
    }
    node->parents = parents;
    node->parent_count = (uint32_t)count;
    return 0;
}

static int read_node(lw_git *git, struct gt_node *node, struct lw_err *err)
{
    git_odb_object *object;
    struct raw raw;
    int rc = read_raw(git, &node->id, &object, &raw, err);
    if (rc == 0) {
        node->tree = raw.tree;
        node->date = parse_person(raw.committer).time;
        rc = link_parents(git, node, &raw, err);
        gt_object_free(git, object);
    }
    if (rc == 0)
        node->state = GT_READ;
    else if (gt_is_trouble(rc))
        node->state = GT_BROKEN;
    return rc;
}

static int ready(lw_git *git, struct gt_node *node, struct lw_err *err)
{
    if (node->state == GT_READ)
        return 0;
    return read_node(git, node, err);
}

int gt_node_get(lw_git *git, const struct lw_git_id *id, struct gt_node **node,
                struct lw_err *err)
{
    *node = node_of(git, id);
    return *node ? ready(git, *node, err) : lw_err_nomem(err);
}

int gt_node_at(lw_git *git, uint32_t index, struct gt_node **node, struct lw_err *err)
{
    *node = git->nodes.v[index].node;
    return ready(git, *node, err);
}

int gt_node_parent(lw_git *git, const struct gt_node *node, uint32_t n, struct gt_node **parent,
                   struct lw_err *err)
{
    int rc = gt_node_at(git, node->parents[n], parent, err);
    return gt_is_trouble(rc) ? 0 : rc;
}

int gt_tag_follow(lw_git *git, struct lw_git_id *id, struct lw_err *err)
{
    for (int i = 0; i < MAX_TAGS; i++) {
        git_object_t type;
        size_t size;
        git_odb_object *object;
        struct lw_str line, text, value;
        int rc = gt_object_header(git, id, &type, &size, err);
        if (rc < 0 || type != GIT_OBJECT_TAG)
            return rc;
        rc = gt_object_read(git, id, GIT_OBJECT_TAG, GT_MAX_COMMIT, &object, err);
        if (rc < 0)
            return rc;
        text = gt_object_text(git, object);
        bool good = next_line(&text, &line) && value_of(line, LW_S("object"), &value) &&
                    lw_git_id_parse(value, id);
        gt_object_free(git, object);
        if (!good)
            return gt_trouble(git, LW_GIT_CORRUPT, id, "tag", err);
    }
    return lw_err_set(err, LW_ELIMIT, "tags are nested too deeply");
}
