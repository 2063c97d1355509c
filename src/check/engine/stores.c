#include "check/engine/stores.h"

#include <string.h>

#include "base/file.h"
#include "base/str.h"

/* Bytes of one file, and of all. */
enum { MAX_FILE = 4 << 20, MAX_ALL = 256 << 20 };

void ck_stores_init(struct ck_stores *s, struct lw_mem *mem)
{
    *s = (struct ck_stores){.mem = mem};
    lw_arena_init(&s->arena, mem, 0);
    lw_map_init(&s->outside, mem);
    lw_map_init(&s->inside, mem);
    pthread_mutex_init(&s->lock, NULL);
}

void ck_stores_release(struct ck_stores *s)
{
    lw_map_release(&s->outside);
    lw_map_release(&s->inside);
    lw_vec_release(s->mem, &s->stores);
    lw_arena_release(&s->arena);
    pthread_mutex_destroy(&s->lock);
}

static bool is_word(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
           ch == '_';
}

static struct lw_map_entry *entry_of(struct ck_stores *s, struct lw_map *m, struct lw_str name)
{
    struct lw_map_entry *e = lw_map_find(m, name);
    if (e)
        return e;
    struct lw_str key = lw_arena_copy(&s->arena, name);
    return key.p ? lw_map_put(m, key, NULL) : NULL;
}

static void note_inside(struct ck_stores *s, struct lw_str name, uint32_t path)
{
    struct lw_map_entry *e = entry_of(s, &s->inside, name);
    if (!e || (e->value && s->stores.v[e->value - 1].path == path))
        return;
    struct ck_store store = {path, (uint32_t)e->value};
    if (lw_vec_push(s->mem, &s->stores, store) == 0)
        e->value = s->stores.n;
}

static size_t word_end(struct lw_str text, size_t at)
{
    while (at < text.n && is_word(text.p[at]))
        at++;
    return at;
}

/* The word that ends before `at`. */
static struct lw_str word_before(struct lw_str text, size_t at)
{
    size_t from = at;
    while (from > 0 && is_word(text.p[from - 1]))
        from--;
    return lw_str_part(text, from, at - from);
}

/* Is something assigned here: "= …", ": int = …", "+= …", or ", b = …" of a tuple? */
static bool is_assigned(struct lw_str text, size_t at)
{
    while (at < text.n && text.p[at] == ' ')
        at++;
    if (at + 1 >= text.n)
        return false;
    char ch = text.p[at], next = text.p[at + 1];
    if (ch == '=')
        return next != '=';
    if (strchr("+-*/|&", ch))
        return next == '=';
    if (ch != ':' && ch != ',')
        return false;
    for (; at < text.n && text.p[at] != '\n' && text.p[at] != '('; at++)
        if (text.p[at] == '=')
            return true;
    return false;
}

/* `dot` is the place of the dot. */
static void read_attribute(struct ck_stores *s, struct lw_str text, size_t dot, uint32_t path)
{
    size_t end = word_end(text, dot + 1);
    if (end == dot + 1 || !is_assigned(text, end))
        return;
    struct lw_str owner = word_before(text, dot);
    struct lw_str name = lw_str_part(text, dot + 1, end - dot - 1);
    if (lw_str_eq(owner, LW_S("self")) || lw_str_eq(owner, LW_S("cls")))
        note_inside(s, name, path);
    else
        entry_of(s, &s->outside, name);
}

static void read_text(struct ck_stores *s, struct lw_str text, uint32_t path)
{
    for (size_t at = 0; at < text.n; at++) {
        const char *dot = memchr(text.p + at, '.', text.n - at);
        if (!dot)
            break;
        at = (size_t)(dot - text.p);
        read_attribute(s, text, at, path);
    }
    for (size_t at = 0; at < text.n; at++) {
        ptrdiff_t def = lw_str_find(lw_str_from(text, at), LW_S("def "));
        if (def < 0)
            break;
        at += (size_t)def + 4;
        size_t end = word_end(text, at);
        if (end > at)
            note_inside(s, lw_str_part(text, at, end - at), path);
    }
}

/* The text of a file, in `arena`; empty when it cannot be read. */
static struct lw_str load(struct ck_stores *s, size_t path, struct lw_arena *arena)
{
    struct lw_err err = {0};
    struct lw_str text = {0};
    lw_arena_init(arena, s->mem, 0);
    if (lw_str_eq(s->paths[path], LW_S("-")) ||
        lw_file_read(arena, s->paths[path].p, MAX_FILE, &text, &err) < 0)
        return (struct lw_str){0};
    return text;
}

/* Once for all threads. */
static void make_ready(struct ck_stores *s)
{
    pthread_mutex_lock(&s->lock);
    size_t bytes = 0;
    for (size_t i = 0; !s->ready && i < s->path_count && bytes < MAX_ALL; i++) {
        struct lw_arena arena;
        struct lw_str text = load(s, i, &arena);
        read_text(s, text, (uint32_t)i);
        bytes += text.n;
        lw_arena_release(&arena);
    }
    s->ready = true;
    pthread_mutex_unlock(&s->lock);
}

bool ck_stores_outside(struct ck_stores *s, struct lw_str name)
{
    make_ready(s);
    return lw_map_find(&s->outside, name) != NULL; /* never changed again */
}

/* class Other(cls, Mixin): */
static bool derives(struct lw_str text, struct lw_str cls)
{
    for (size_t at = 0; at < text.n;) {
        ptrdiff_t found = lw_str_find(lw_str_from(text, at), cls);
        if (found < 0)
            return false;
        size_t from = at + (size_t)found, line = from;
        at = from + cls.n;
        while (line > 0 && text.p[line - 1] != '\n')
            line--;
        struct lw_str before = lw_str_part(text, line, from - line);
        ptrdiff_t word = lw_str_find(before, LW_S("class "));
        if (word >= 0 && lw_str_find_char(lw_str_from(before, (size_t)word), '(') >= 0 &&
            !is_word(text.p[from - 1]) && (at >= text.n || !is_word(text.p[at])))
            return true;
    }
    return false;
}

bool ck_stores_derived(struct ck_stores *s, struct lw_str cls, struct lw_str name)
{
    make_ready(s);
    for (uint64_t i = lw_map_get(&s->inside, name, 0); i; i = s->stores.v[i - 1].next) {
        struct lw_arena arena;
        bool found = derives(load(s, s->stores.v[i - 1].path, &arena), cls);
        lw_arena_release(&arena);
        if (found)
            return true;
    }
    return false;
}
