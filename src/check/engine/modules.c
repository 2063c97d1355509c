#include "check/engine/modules.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"

enum { MAX_KINDS = 1 << 18 }; /* paths of which it is remembered whether they exist */

void ck_modules_init(struct ck_modules *m, struct lw_mem *mem, size_t room)
{
    *m = (struct ck_modules){.mem = mem, .room = room};
    lw_arena_init(&m->arena, mem, 0);
    lw_map_init(&m->parsed, mem);
    lw_map_init(&m->kinds, mem);
    ck_stores_init(&m->stores, mem);
    pthread_mutex_init(&m->lock, NULL);
}

/* ---- one file -----------------------------------------------------------------------------
 */

static void free_parsed(struct ck_modules *m, struct ck_parsed *p)
{
    if (!p)
        return;
    evidence_release(&p->evidence);
    lw_names_release(&p->names);
    lw_tree_release(&p->tree);
    lw_arena_release(&p->arena);
    lw_mem_free(m->mem, p, sizeof *p);
}

static struct ck_parsed *new_parsed(struct ck_modules *m)
{
    struct ck_parsed *p = lw_mem_alloc(m->mem, sizeof *p);
    if (!p)
        return NULL;
    lw_arena_init(&p->arena, m->mem, 0);
    lw_tree_init(&p->tree, m->mem);
    lw_names_init(&p->names, m->mem);
    lw_map_init(&p->evidence.words, m->mem);
    return p;
}

static void blank(char *code, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (code[i] != '\n')
            code[i] = ' ';
}

/* A text for people: with spaces in it, or over several lines. "cuda:0" and "val_loss" are
 * none: what they name is used. */
static bool is_prose(struct lw_str text)
{
    enum { LONGEST_NAME = 40 };
    return text.n > LONGEST_NAME || memchr(text.p, ' ', text.n) || memchr(text.p, '\n', text.n);
}

/* Whoever looks for a word in the program wants to know whether it is done, not whether
 * somebody wrote about it. */
static int keep_code(struct ck_parsed *p, struct lw_err *err)
{
    const struct lw_lexed *lx = &p->tree.lexed;
    struct lw_str copy = lw_arena_copy(&p->arena, lx->text);
    char *code = (char *)(uintptr_t)copy.p;
    if (!code)
        return lw_err_nomem(err);
    for (size_t i = 0; i < lx->trivia.n; i++)
        if (lx->trivia.v[i].kind == LW_TRIVIA_COMMENT)
            blank(code, lx->trivia.v[i].start, lx->trivia.v[i].end);
    for (size_t i = 0; i < lx->tokens.n; i++) {
        const struct lw_token *t = &lx->tokens.v[i];
        if ((t->kind == LW_TOK_STRING || t->kind == LW_TOK_FSTRING_MIDDLE) &&
            is_prose(lw_str_part(lx->text, t->start, t->end - t->start)))
            blank(code, t->start, t->end);
    }
    p->code = copy;
    return 0;
}

static int understand(struct ck_parsed *p, struct lw_err *err)
{
    p->notes = lw_arena_alloc(&p->arena, sizeof *p->notes);
    int rc = p->notes ? lw_tree_parse(&p->tree, p->source.text, err) : lw_err_nomem(err);
    if (rc == 0)
        rc = lw_names_build(&p->names, &p->tree, err);
    if (rc == 0)
        rc = keep_code(p, err);
    if (rc == 0)
        rc = evidence_gather(&p->evidence, &p->arena, p->evidence.words.mem, &p->names, err);
    if (rc == 0 &&
        !ck_gaps_find(&p->gaps, &p->arena, &p->tree.lexed, p->source.notebook.cell_count > 0))
        rc = lw_err_nomem(err);
    if (rc < 0)
        return rc;
    lw_tree_position(&p->tree, 0); /* nobody may make the line table later */
    if (p->tree.lines.n == 0)
        return lw_err_nomem(err);
    lw_tree_trim(&p->tree);
    lw_names_trim(&p->names);
    p->bytes = sizeof *p + lw_arena_held(&p->arena) + lw_tree_bytes(&p->tree) +
               p->tree.lines.n * sizeof(uint32_t) + lw_names_bytes(&p->names) +
               evidence_bytes(&p->evidence);
    return 0;
}

/* Nothing tells what kind of file standard input is, but a notebook does so itself. */
static int look_at_input(struct ck_parsed *p, struct lw_err *err)
{
    struct lw_str text = lw_str_trim(p->source.text);
    if (!lw_str_eq(p->source.path, LW_S("-")) || !lw_str_has_prefix(text, LW_S("{")) ||
        lw_str_find(text, LW_S("\"nbformat\"")) < 0)
        return 0;
    struct lw_source notebook;
    int rc = lw_source_decode(&notebook, &p->arena, LW_S("-.ipynb"), text, err);
    if (rc == 0)
        p->source = notebook;
    return rc == LW_ENOMEM ? rc : 0;
}

/* Is it no text at all: a compiled file, an archive? Text with a few stray bytes is read. */
static bool is_binary(struct lw_str text)
{
    size_t n = text.n < 8000 ? text.n : 8000, odd = 0;
    if (!n || !memchr(text.p, 0, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned char ch = (unsigned char)text.p[i];
        odd += ch >= 0x7f || (ch < ' ' && !(ch >= '\t' && ch <= '\r'));
    }
    return odd > n * 3 / 10;
}

static int check_text(const struct lw_source *s, struct lw_err *err)
{
    if (is_binary(s->text))
        return lw_err_set(err, LW_EINVAL, "cannot read '%.*s': it is not a text file",
                          LW_F(s->path));
    return 0;
}

/* `text` is NULL: read from disk. */
static int make(struct ck_modules *m, struct lw_str path, const struct lw_str *text,
                struct ck_parsed **out, struct lw_err *err)
{
    if (!text && m->overlay.path.n && lw_str_eq(m->overlay.path, path))
        text = &m->overlay.bytes;
    struct ck_parsed *p = new_parsed(m);
    struct lw_str own = p ? lw_arena_copy(&p->arena, path) : (struct lw_str){0};
    int rc = !own.p ? lw_err_nomem(err)
             : text ? lw_source_decode(&p->source, &p->arena, own, *text, err)
                    : lw_source_load(&p->source, &p->arena, own.p, err);
    if (rc == LW_EINVAL && lw_str_has_suffix(path, LW_S(".ipynb")))
        lw_err_context(err, "cannot read '%.*s'", LW_F(path));
    if (rc == 0)
        rc = look_at_input(p, err);
    if (rc == 0)
        rc = check_text(&p->source, err);
    if (rc == 0)
        rc = understand(p, err);
    if (rc < 0) {
        free_parsed(m, p);
        return rc;
    }
    p->users = 1;
    *out = p;
    return 0;
}

int ck_modules_parse(struct ck_modules *m, struct lw_str path, struct lw_str text,
                     const struct ck_parsed **out, struct lw_err *err)
{
    struct ck_parsed *p;
    int rc = make(m, path, &text, &p, err);
    if (rc == 0)
        *out = p;
    return rc;
}

/* ---- those that nobody uses, under the lock -----------------------------------------------
 */

static void take_out(struct ck_modules *m, struct ck_parsed *p)
{
    *(p->older ? &p->older->newer : &m->oldest) = p->newer;
    *(p->newer ? &p->newer->older : &m->newest) = p->older;
    p->older = p->newer = NULL;
    m->idle_bytes -= p->bytes;
}

static void put_in(struct ck_modules *m, struct ck_parsed *p)
{
    p->older = m->newest;
    *(m->newest ? &m->newest->newer : &m->oldest) = p;
    m->newest = p;
    m->idle_bytes += p->bytes;
}

static void drop_old(struct ck_modules *m)
{
    while (m->oldest && m->idle_bytes > m->room) {
        struct ck_parsed *p = m->oldest;
        take_out(m, p);
        m->parsed.entries[p->entry - 1].value = 0;
        free_parsed(m, p);
    }
}

static struct ck_parsed *find(struct ck_modules *m, struct lw_str path)
{
    struct lw_map_entry *e = lw_map_find(&m->parsed, path);
    struct ck_parsed *p = e ? (struct ck_parsed *)(uintptr_t)e->value : NULL;
    if (p && p->users++ == 0)
        take_out(m, p);
    return p;
}

/* Without memory for it the file is just not shared. */
static void share(struct ck_modules *m, struct lw_str path, struct ck_parsed *p)
{
    struct lw_map_entry *e = lw_map_find(&m->parsed, path);
    if (!e) {
        struct lw_str key = lw_arena_copy(&m->arena, path);
        e = key.p ? lw_map_put(&m->parsed, key, NULL) : NULL;
    }
    if (e) {
        e->value = (uintptr_t)p;
        p->entry = (uint32_t)(e - m->parsed.entries) + 1;
    }
}

void ck_modules_release(struct ck_modules *m)
{
    m->room = 0;
    drop_old(m);
    lw_map_release(&m->parsed);
    lw_map_release(&m->kinds);
    lw_arena_release(&m->arena);
    ck_stores_release(&m->stores);
    pthread_mutex_destroy(&m->lock);
}

/* ---- for everyone -------------------------------------------------------------------------
 */

int ck_modules_get(struct ck_modules *m, struct lw_str path, const struct ck_parsed **out,
                   struct lw_err *err)
{
    struct ck_parsed *mine = NULL;
    pthread_mutex_lock(&m->lock);
    struct ck_parsed *p = find(m, path);
    *(p ? &m->hits : &m->misses) += 1;
    pthread_mutex_unlock(&m->lock);
    if (!p) {
        int rc = make(m, path, NULL, &mine, err);
        if (rc < 0)
            return rc;
        pthread_mutex_lock(&m->lock);
        p = find(m, path); /* another thread may have been faster */
        if (!p) {
            p = mine;
            mine = NULL;
            share(m, path, p);
        }
        pthread_mutex_unlock(&m->lock);
        free_parsed(m, mine);
    }
    *out = p;
    return 0;
}

void ck_modules_put(struct ck_modules *m, const struct ck_parsed *parsed)
{
    struct ck_parsed *p = (struct ck_parsed *)(uintptr_t)parsed;
    if (!p)
        return;
    if (!p->entry) {
        free_parsed(m, p);
        return;
    }
    pthread_mutex_lock(&m->lock);
    if (--p->users == 0) {
        put_in(m, p);
        drop_old(m);
    }
    pthread_mutex_unlock(&m->lock);
}

uint32_t ck_modules_word(struct ck_modules *m, const char *word)
{
    uint32_t at = (uint32_t)(((uintptr_t)word * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
    for (unsigned tries = 0; tries < CK_WORDS; tries++, at++) {
        _Atomic(const char *) *slot = &m->words[at % CK_WORDS];
        const char *there = atomic_load_explicit(slot, memory_order_relaxed);
        if (there == word)
            return at % CK_WORDS;
        if (!there && (atomic_compare_exchange_strong(slot, &there, word) || there == word))
            return at % CK_WORDS;
    }
    return CK_WORDS;
}

/* What is known of a question, if anything. */
static bool is_answered(struct ck_notes *notes, uint32_t number, bool *answer)
{
    uint64_t bit = number < CK_WORDS ? UINT64_C(1) << number % 64 : 0;
    if (!bit ||
        !(atomic_load_explicit(&notes->searched[number / 64], memory_order_acquire) & bit))
        return false;
    *answer = atomic_load_explicit(&notes->found[number / 64], memory_order_relaxed) & bit;
    return true;
}

static bool keep_answer(struct ck_notes *notes, uint32_t number, bool answer)
{
    uint64_t bit = UINT64_C(1) << number % 64;
    if (number >= CK_WORDS)
        return answer;
    if (answer)
        atomic_fetch_or_explicit(&notes->found[number / 64], bit, memory_order_relaxed);
    atomic_fetch_or_explicit(&notes->searched[number / 64], bit, memory_order_release);
    return answer;
}

bool ck_notes_show(struct ck_notes *notes, const struct evidence *e, uint32_t number,
                   const char *question)
{
    bool answer;
    return is_answered(notes, number, &answer)
               ? answer
               : keep_answer(notes, number, evidence_shows(e, question));
}

bool ck_notes_say(struct ck_notes *notes, struct lw_str code, uint32_t number, const char *word)
{
    bool answer;
    return is_answered(notes, number, &answer)
               ? answer
               : keep_answer(notes, number, lw_str_find(code, lw_str(word)) != LW_NPOS);
}

enum lw_file_kind ck_modules_kind(struct ck_modules *m, struct lw_str path)
{
    pthread_mutex_lock(&m->lock);
    uint64_t known = lw_map_get(&m->kinds, path, 0);
    pthread_mutex_unlock(&m->lock);
    if (known)
        return (enum lw_file_kind)(known - 1);
    enum lw_file_kind kind = lw_file_kind(path.p);
    pthread_mutex_lock(&m->lock);
    if (m->kinds.n < MAX_KINDS && !lw_map_find(&m->kinds, path)) {
        struct lw_str key = lw_arena_copy(&m->arena, path);
        struct lw_map_entry *e = key.p ? lw_map_put(&m->kinds, key, NULL) : NULL;
        if (e)
            e->value = (uint64_t)kind + 1;
    }
    pthread_mutex_unlock(&m->lock);
    return kind;
}
