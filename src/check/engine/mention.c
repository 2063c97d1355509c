/* Words in the text of a file. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"

#include <ctype.h>

bool ck_file_mentions(const struct ck *c, const struct ck_file *f, const char *word)
{
    LW_BUG_ON(!f || !word || !*word);
    return ck_notes_say(f->notes, f->code, ck_modules_word(c->shared, word), word);
}

/* ---- texts of a kind, collected once for all questions ------------------------------------
 */

static bool add_text(struct lw_map *set, struct lw_str text)
{
    return !text.n || lw_map_put(set, text, NULL);
}

static bool collect_dotted(struct lw_map *set, const struct ck_file *f)
{
    const struct lw_tree *t = &f->tree;
    bool ok = true;
    for (uint32_t n = 0; ok && n < t->nodes.n; n++) {
        uint32_t owner = lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE
                             ? lw_tree_get(t, n, LW_ROLE_VALUE)
                             : LW_NO_NODE;
        if (owner != LW_NO_NODE && lw_tree_kind(t, owner) == LW_NODE_NAME)
            ok = add_text(set, lw_tree_text(t, n));
    }
    return ok;
}

static bool collect_quoted(struct lw_map *set, const struct ck_file *f)
{
    const struct lw_tree *t = &f->tree;
    bool ok = true;
    for (uint32_t n = 0; ok && n < t->nodes.n; n++)
        if (lw_tree_kind(t, n) == LW_NODE_STRING)
            ok = add_text(set, lw_tree_text(t, n));
    return ok;
}

static bool is_word(char ch)
{
    return isalnum((unsigned char)ch) || ch == '_' || (unsigned char)ch >= 0x80;
}

static bool add_words(struct lw_map *set, struct lw_str line)
{
    size_t from = 0;
    bool ok = true;
    for (size_t i = 0; ok && i <= line.n; i++)
        if (i == line.n || !is_word(line.p[i])) {
            ok = add_text(set, lw_str_part(line, from, i - from));
            from = i + 1;
        }
    return ok;
}

static bool collect_magic(struct lw_map *set, const struct ck_file *f)
{
    const struct lw_lexed *l = &f->tree.lexed;
    bool ok = true;
    for (size_t i = 0; ok && i < l->trivia.n; i++) {
        const struct lw_trivia *m = &l->trivia.v[i];
        if (m->kind == LW_TRIVIA_MAGIC)
            ok = add_words(set, lw_str_part(l->text, m->start, m->end - m->start));
    }
    return ok;
}

static bool (*const COLLECT[CK_TEXT_KINDS])(struct lw_map *, const struct ck_file *) = {
    [CK_DOTTED] = collect_dotted,
    [CK_QUOTED] = collect_quoted,
    [CK_MAGIC] = collect_magic,
};

bool ck_file_has(struct ck *c, struct ck_file *f, enum ck_texts kind, struct lw_str text)
{
    LW_BUG_ON(!f || kind >= CK_TEXT_KINDS);
    if (!f->texts[kind]) {
        f->texts[kind] = lw_arena_alloc(c->arena, sizeof *f->texts[kind]);
        if (f->texts[kind])
            lw_map_init(f->texts[kind], c->mem);
        if (!f->texts[kind] || !COLLECT[kind](f->texts[kind], f))
            c->heap.failed = true;
    }
    return c->heap.failed || lw_map_find(f->texts[kind], text);
}

void ck_file_release_texts(struct ck_file *f)
{
    for (unsigned k = 0; k < CK_TEXT_KINDS; k++)
        if (f->texts[k])
            lw_map_release(f->texts[k]);
}
