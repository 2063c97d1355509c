/* Versions that a program is written for, from the files that say what to install. */
#include <sys/stat.h>

#include "base/err.h"
#include "base/num.h"
#include "base/path.h"
#include "base/str.h"
#include "check/check.h"

enum { MAX_UP = 8, MAX_BYTES = 1 << 20 };

/* ---- folders above ------------------------------------------------------------------------
 */

struct lw_check_above lw_check_above(struct lw_str path)
{
    struct lw_str folder = lw_path_parent(path);
    return (struct lw_check_above){.folder = folder.n ? folder : LW_S(".")};
}

bool lw_check_above_next(struct lw_check_above *a, struct lw_arena *arena)
{
    if (a->steps++ == 0)
        return true;
    if (a->steps > 32)
        return false;
    if (a->folder.p[0] != '/') {
        a->folder = lw_str_eq(a->folder, LW_S("."))
                        ? LW_S("..")
                        : lw_arena_printf(arena, "%.*s/..", LW_F(a->folder));
        return a->folder.p != NULL;
    }
    struct lw_str parent = lw_path_parent(a->folder);
    if (lw_str_eq(parent, a->folder))
        return false;
    a->folder = parent;
    return true;
}

/* ---- requirements -------------------------------------------------------------------------
 */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-' || c == '.';
}

static struct lw_check_version *version_of(struct lw_check_target *t, struct lw_str package)
{
    static const struct {
        const char *name;
        int which;
    } known[] = {{"tensorflow", 0},
                 {"tensorflow-gpu", 0},
                 {"tensorflow-cpu", 0},
                 {"tensorflow_gpu", 0},
                 {"tensorflow-macos", 0},
                 {"tensorflow-intel", 0},
                 {"keras", 1},
                 {"torch", 2},
                 {"pytorch", 2},
                 {"pytorch-cpu", 2},
                 {"pytorch-gpu", 2},
                 {"numpy", 3}};
    struct lw_check_version *all[] = {&t->tensorflow, &t->keras, &t->torch, &t->numpy};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_eq_nocase(package, lw_str(known[i].name)))
            return all[known[i].which];
    return NULL;
}

/* "1.13.1+cu117": what can be read of it; false when it is no version. */
static bool take_version(struct lw_str *s, struct lw_check_version *v)
{
    int *parts[] = {&v->major, &v->minor};
    size_t i = 0;
    *v = (struct lw_check_version){-1, -1};
    for (int part = 0; part < 2; part++) {
        size_t begin = i;
        int n = 0;
        for (; i < s->n && s->p[i] >= '0' && s->p[i] <= '9' && i - begin < 5; i++)
            n = n * 10 + (s->p[i] - '0');
        if (i == begin)
            break;
        *parts[part] = n;
        if (i >= s->n || s->p[i] != '.')
            break;
        i++;
    }
    while (i < s->n && (is_word(s->p[i]) || s->p[i] == '*' || s->p[i] == '+'))
        i++;
    *s = lw_str_from(*s, i);
    return v->major >= 0;
}

enum limit { NO_LIMIT, LOWER, UPPER, EXACT };

/* The newest version before `v`, as far as two numbers tell. */
static struct lw_check_version before(struct lw_check_version v)
{
    return v.minor > 0 ? (struct lw_check_version){v.major, v.minor - 1}
                       : (struct lw_check_version){v.major - 1, 99};
}

/* The newest version that the conditions allow, which is the one that gets installed; the
 * lowest when they only say how old it may be. `s` begins behind the name of the package. */
static enum limit take_conditions(struct lw_str s, struct lw_check_version *out)
{
    enum limit found = NO_LIMIT;
    while (s.n > 0) {
        char op = 0;
        bool equal = false;
        for (; s.n > 0 && (lw_str_find_char(LW_S("=<>!~^ \"',()"), s.p[0]) >= 0);
             s = lw_str_from(s, 1)) {
            if (s.p[0] == '=')
                equal = true;
            else if (lw_str_find_char(LW_S("<>!~^"), s.p[0]) >= 0)
                op = s.p[0];
        }
        struct lw_check_version v;
        if ((!op && !equal) || !take_version(&s, &v))
            break;
        enum limit limit = op == '!' ? NO_LIMIT : op == '<' ? UPPER : op == '>' ? LOWER : EXACT;
        if (limit > found) {
            found = limit;
            *out = op == '<' && !equal ? before(v) : v;
        }
    }
    return found;
}

static bool is_older(struct lw_check_version a, struct lw_check_version b)
{
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
}

static void read_line(struct lw_check_target *found, struct lw_str line)
{
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] == '#')
            return;
        if (!is_word(line.p[i]))
            continue;
        size_t begin = i;
        while (i < line.n && is_word(line.p[i]))
            i++;
        struct lw_str name = lw_str_part(line, begin, i - begin);
        bool part = begin > 0 && (line.p[begin - 1] == '/' || line.p[begin - 1] == '@');
        struct lw_check_version *into = part ? NULL : version_of(found, name), v;
        struct lw_str rest = lw_str_from(line, i);
        ptrdiff_t close = rest.n && rest.p[0] == '[' ? lw_str_find_char(rest, ']') : LW_NPOS;
        if (close > 0)
            rest = lw_str_from(rest, (size_t)close + 1);
        ptrdiff_t marker = lw_str_find_char(rest, ';');
        if (marker >= 0)
            rest = lw_str_part(rest, 0, (size_t)marker);
        enum limit limit = into ? take_conditions(rest, &v) : NO_LIMIT;
        /* Programs for TensorFlow 1 say ">=1.4" and mean it; elsewhere the newest is taken. */
        bool told = limit > LOWER ||
                    (limit == LOWER && (into == &found->tensorflow || into == &found->keras));
        if (told && v.major >= 0 && (into->major < 0 || is_older(v, *into)))
            *into = v;
        i--;
    }
}

static void merge(struct lw_check_target *t, const struct lw_check_target *more)
{
    struct lw_check_version *to[] = {&t->tensorflow, &t->keras, &t->torch, &t->numpy};
    const struct lw_check_version *from[] = {&more->tensorflow, &more->keras, &more->torch,
                                             &more->numpy};
    for (size_t i = 0; i < 4; i++)
        if (from[i]->major >= 0 && to[i]->major < 0) {
            *to[i] = *from[i];
            t->given = true;
        }
}

static struct lw_check_target nothing(void)
{
    struct lw_check_version none = {-1, -1};
    return (struct lw_check_target){none, none, none, none, false};
}

void lw_check_target_read(struct lw_check_target *t, struct lw_str text)
{
    struct lw_check_target found = nothing();
    struct lw_str line;
    while (lw_str_line(&text, &line))
        read_line(&found, line);
    merge(t, &found);
}

/* What the files of one folder say. */
static int read_folder(struct lw_check_target *t, struct lw_mem *mem, struct lw_str folder,
                       bool *last)
{
    static const char *const names[] = {
        "requirements.txt", "environment.yml", "environment.yaml", "Pipfile",
        "setup.cfg",        "pyproject.toml",  "setup.py"};
    struct lw_arena arena;
    struct lw_buf path;
    int rc = 0;
    lw_arena_init(&arena, mem, 0);
    lw_buf_init(&path, mem, 65536);
    for (size_t i = 0; rc != LW_ENOMEM && i < sizeof names / sizeof *names; i++) {
        struct lw_str text;
        struct lw_err err = {0};
        rc = lw_path_append(&path, folder, lw_str(names[i]));
        if (rc < 0 || lw_file_kind(lw_buf_z(&path)) != LW_FILE_REGULAR)
            continue;
        rc = lw_file_read(&arena, lw_buf_z(&path), MAX_BYTES, &text, &err);
        if (rc == 0)
            lw_check_target_read(t, text);
    }
    *last = t->given || (lw_path_append(&path, folder, LW_S(".git")) == 0 &&
                         lw_file_kind(lw_buf_z(&path)) != LW_FILE_NONE);
    lw_buf_release(&path);
    lw_arena_release(&arena);
    return rc == LW_ENOMEM ? rc : 0;
}

/* /tmp and the like: what lies there belongs to nobody's program. */
static bool is_common(struct lw_arena *arena, struct lw_str folder)
{
    struct stat st;
    struct lw_str z = lw_arena_copy(arena, folder);
    return z.p && stat(z.p, &st) == 0 && (st.st_mode & S_ISVTX);
}

int lw_check_target_find(struct lw_check_target *t, struct lw_mem *mem, struct lw_str path)
{
    struct lw_arena arena;
    struct lw_check_above above = lw_check_above(path);
    bool last = false;
    int rc = 0;
    *t = nothing();
    lw_arena_init(&arena, mem, 0);
    for (unsigned i = 0; rc == 0 && !last && i < MAX_UP && lw_check_above_next(&above, &arena);
         i++) {
        if (i > 0 && is_common(&arena, above.folder))
            break;
        rc = read_folder(t, mem, above.folder, &last);
    }
    lw_arena_release(&arena);
    return rc;
}
