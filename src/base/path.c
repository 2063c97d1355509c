#include "base/path.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"

struct lw_str lw_path_name(struct lw_str path)
{
    ptrdiff_t slash = lw_str_find_last_char(path, '/');
    return slash == LW_NPOS ? path : lw_str_from(path, (size_t)slash + 1);
}

struct lw_str lw_path_parent(struct lw_str path)
{
    ptrdiff_t slash = lw_str_find_last_char(path, '/');
    if (slash == LW_NPOS)
        return LW_S(".");
    path = lw_str_part(path, 0, (size_t)slash);
    while (path.n && path.p[path.n - 1] == '/')
        path.n--;
    return path.n ? path : LW_S("/");
}

struct lw_str lw_path_extension(struct lw_str path)
{
    struct lw_str name = lw_path_name(path);
    while (name.n && name.p[0] == '.')
        name = lw_str_from(name, 1);
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    return lw_str_from(name, dot == LW_NPOS ? name.n : (size_t)dot);
}

/* Removes the last component that was added after the first `floor` bytes. */
static bool drop_component(struct lw_buf *out, size_t floor)
{
    if (out->n <= floor)
        return false;
    size_t at = out->n;
    while (at > floor && out->p[at - 1] != '/')
        at--;
    lw_buf_cut(out, at > floor ? at - 1 : floor);
    return true;
}

static int refuse(struct lw_err *err, struct lw_str rel, const char *why)
{
    return lw_err_set(err, LW_EINVAL, "path '%.*s' is refused: %s", LW_F(rel), why);
}

int lw_path_join(struct lw_buf *out, struct lw_str root, struct lw_str rel, struct lw_err *err)
{
    if (rel.n == 0)
        return refuse(err, rel, "it is empty");
    if (rel.p[0] == '/')
        return refuse(err, rel, "it is absolute");
    if (memchr(rel.p, '\0', rel.n))
        return refuse(err, rel, "it contains a NUL byte");
    while (root.n > 1 && root.p[root.n - 1] == '/')
        root.n--;
    lw_buf_clear(out);
    if (!lw_str_eq(root, LW_S("/")))
        lw_buf_add(out, root.n ? root : LW_S("."));
    size_t floor = out->n;
    struct lw_str piece, rest = rel;
    while (!out->failed && lw_str_split(&rest, '/', &piece)) {
        if (piece.n == 0 || lw_str_eq(piece, LW_S(".")))
            continue;
        if (lw_str_eq(piece, LW_S(".."))) {
            if (!drop_component(out, floor))
                return refuse(err, rel, "it leaves its folder");
            continue;
        }
        lw_buf_add_char(out, '/');
        lw_buf_add(out, piece);
    }
    if (out->failed == LW_ENOMEM)
        return lw_err_nomem(err);
    if (out->failed)
        return lw_err_set(err, LW_ELIMIT, "path '%.*s...' is too long",
                          LW_F(lw_str_part(rel, 0, 60)));
    return out->n > floor ? 0 : refuse(err, rel, "it is the folder itself");
}

int lw_path_append(struct lw_buf *out, struct lw_str a, struct lw_str b)
{
    lw_buf_clear(out);
    if (a.n && !lw_str_eq(a, LW_S("."))) {
        lw_buf_add(out, a);
        if (a.p[a.n - 1] != '/')
            lw_buf_add_char(out, '/');
    }
    return lw_buf_add(out, b);
}
