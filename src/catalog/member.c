#include "catalog/member.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

enum { MAX_NAME = 512, MAX_PART = 200, MAX_DEPTH = 16 };

void member_names_init(struct member_names *names, struct lw_mem *mem)
{
    lw_arena_init(&names->arena, mem, 0);
    lw_map_init(&names->seen, mem);
}

void member_names_release(struct member_names *names)
{
    lw_map_release(&names->seen);
    lw_arena_release(&names->arena);
}

/* What is wrong with one part of a name, or NULL. */
static const char *part_trouble(struct lw_str part)
{
    if (part.n == 0)
        return "it has an empty part";
    if (part.n > MAX_PART)
        return "a part of it is too long";
    if (lw_str_eq(part, LW_S(".")) || lw_str_eq(part, LW_S("..")))
        return "'.' and '..' are not allowed";
    if (part.p[part.n - 1] == '.' || part.p[part.n - 1] == ' ' || part.p[0] == ' ')
        return "a part of it begins or ends with a blank or ends with a dot";
    return NULL;
}

const char *member_name_trouble(struct lw_str path)
{
    size_t depth = 0;
    struct lw_str rest = path, part;
    if (path.n == 0)
        return "it has no name";
    if (path.n > MAX_NAME)
        return "its name is too long";
    if (path.p[0] == '/')
        return "its name is absolute";
    for (size_t i = 0; i < path.n; i++) {
        unsigned char c = (unsigned char)path.p[i];
        if (c < 0x20 || c >= 0x7f)
            return "its name has characters other than printable ASCII";
        if (strchr("\\:*?\"<>|", c))
            return "its name has a character that not every system allows";
    }
    while (lw_str_split(&rest, '/', &part)) {
        const char *why = part_trouble(part);
        if (why)
            return why;
        if (++depth > MAX_DEPTH)
            return "it is nested too deeply";
    }
    return NULL;
}

/* A name that was taken. */
struct taken {
    struct lw_str name; /* as it was written */
    bool is_folder;
};

/* Finds what has the name in any letter case, or takes it. NULL: no memory. */
static const struct taken *note_name(struct member_names *names, struct lw_str path,
                                     bool is_folder, bool *is_new)
{
    struct lw_str folded = lw_arena_copy(&names->arena, path);
    if (!folded.p)
        return NULL;
    char *p = (char *)(uintptr_t)folded.p;
    for (size_t i = 0; i < folded.n; i++)
        if (p[i] >= 'A' && p[i] <= 'Z')
            p[i] = (char)(p[i] + 32);
    struct lw_map_entry *e = lw_map_put(&names->seen, folded, is_new);
    if (!e || !*is_new)
        return e ? (const struct taken *)(uintptr_t)e->value : NULL;
    struct taken *t = lw_arena_array(&names->arena, 1, sizeof *t);
    struct lw_str name = lw_arena_copy(&names->arena, path);
    if (!t || !name.p)
        return NULL;
    *t = (struct taken){name, is_folder};
    e->value = (uintptr_t)t;
    return t;
}

/* Folders may come again, files not, and neither in another letter case. */
static int claim_one(struct member_names *names, struct lw_str path, bool is_folder,
                     const char **why, struct lw_err *err)
{
    bool is_new;
    const struct taken *t = note_name(names, path, is_folder, &is_new);
    if (!t)
        return lw_err_nomem(err);
    if (!is_new && (!is_folder || !t->is_folder || !lw_str_eq(t->name, path)))
        *why = "the name occurs twice, perhaps in other letter case";
    return 0;
}

int member_names_claim(struct member_names *names, struct lw_str path, bool is_folder,
                       const char **why, struct lw_err *err)
{
    int rc = 0;
    *why = member_name_trouble(path);
    for (size_t i = 0; rc == 0 && !*why && i < path.n; i++)
        if (path.p[i] == '/')
            rc = claim_one(names, lw_str_part(path, 0, i), true, why, err);
    return rc == 0 && !*why ? claim_one(names, path, is_folder, why, err) : rc;
}

bool member_is_left_out(struct lw_str path)
{
    return lw_str_has_suffix(path, LW_S(".pyc"));
}

int member_refuse(struct lw_str name, struct lw_str path, const char *why, struct lw_err *err)
{
    char shown[128];
    size_t n = 0;
    for (size_t i = 0; i < path.n && n < sizeof shown - 5; i++) {
        unsigned char c = (unsigned char)path.p[i];
        if (c >= 0x20 && c < 0x7f)
            shown[n++] = (char)c;
        else
            n += (size_t)snprintf(shown + n, 5, "\\x%02X", c);
    }
    shown[n] = '\0';
    return lw_err_set(err, LW_EINVAL, "%.*s: member '%s' is refused: %s", LW_F(name), shown,
                      why);
}
