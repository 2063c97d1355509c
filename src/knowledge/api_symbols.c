/* Which TensorFlow had which name: data/api/tensorflow_symbols.txt, one line for the names of
 * one module that were there in the same versions, "tf.nn 111110 conv1d conv2d …", sorted. */
#include <string.h>

#include "base/str.h"
#include "knowledge/api_internal.h"
#include "knowledge/embedded.h"

/* The line that holds byte `at`, and where it begins. */
static struct lw_str line_at(struct lw_str text, size_t at, size_t *begin)
{
    while (at > 0 && text.p[at - 1] != '\n')
        at--;
    *begin = at;
    ptrdiff_t end = lw_str_find_char(lw_str_from(text, at), '\n');
    return lw_str_part(text, at, end < 0 ? text.n : (size_t)end);
}

/* The first line whose module is not before `module`: halving the text. */
static size_t first_line(struct lw_str text, struct lw_str module)
{
    size_t low = 0, high = text.n, begin;
    while (low < high) {
        struct lw_str line = line_at(text, low + (high - low) / 2, &begin), rest = line, word;
        lw_str_split(&rest, ' ', &word);
        if (lw_str_cmp(word, module) < 0)
            low = begin + line.n + 1;
        else
            high = begin;
    }
    return low < text.n ? low : text.n;
}

static bool has_word(struct lw_str words, struct lw_str name)
{
    struct lw_str word;
    while (lw_str_split(&words, ' ', &word))
        if (lw_str_eq(word, name))
            return true;
    return false;
}

static int mask_of(struct lw_str bits)
{
    int mask = 0;
    for (size_t i = 0; i < bits.n; i++)
        mask |= (bits.p[i] == '1') << i;
    return mask;
}

static int find(struct lw_str text, struct lw_str module, struct lw_str name)
{
    struct lw_str rest = lw_str_from(text, first_line(text, module)), line, word, bits;
    while (lw_str_line(&rest, &line)) {
        if (!lw_str_split(&line, ' ', &word) || !lw_str_eq(word, module))
            break;
        if (lw_str_split(&line, ' ', &bits) && has_word(line, name))
            return mask_of(bits);
    }
    return -1;
}

int lw_api_tensorflow_symbol(struct lw_str name)
{
    struct lw_str text, package = LW_S("tensorflow");
    char module[128];
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    if (dot <= 0 || !lw_embedded_find(LW_S("data/api/tensorflow_symbols.txt"), &text))
        return -1;
    struct lw_str owner = lw_str_part(name, 0, (size_t)dot);
    size_t skip = lw_str_has_prefix(owner, package) ? package.n : 2;
    if (owner.n < skip || owner.n - skip + 2 > sizeof module)
        return -1;
    memcpy(module, "tf", 2);
    if (owner.n > skip)
        memcpy(module + 2, owner.p + skip, owner.n - skip);
    return find(text, lw_str_n(module, owner.n - skip + 2), lw_str_from(name, (size_t)dot + 1));
}

static lw_tri is_listed(struct lw_str text, struct lw_str owner, struct lw_str member)
{
    struct lw_str rest = lw_str_from(text, first_line(text, owner)), line, module;
    if (!lw_str_line(&rest, &line) || !lw_str_split(&line, ' ', &module) ||
        !lw_str_eq(module, owner) || !member.n || member.p[0] == '_')
        return LW_TRI_MAYBE;
    return lw_tri_of(has_word(line, member));
}

enum { MAX_MEMBERS = 1 << 15 };

/* The lines are long and the same names are asked for again and again. */
static void remember(struct lw_apis *apis, struct lw_str name, lw_tri listed)
{
    if (apis->members.n >= MAX_MEMBERS)
        return;
    struct lw_str key = lw_arena_copy(&apis->arena, name);
    struct lw_map_entry *e = key.p ? lw_map_put(&apis->members, key, NULL) : NULL;
    if (e)
        e->value = (uint64_t)listed;
}

lw_tri lw_api_has_member(struct lw_apis *apis, struct lw_str name)
{
    struct lw_str text;
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    if (dot <= 0)
        return lw_api_find(apis, name, NULL) ? LW_TRI_YES : LW_TRI_MAYBE;
    const struct lw_map_entry *known = lw_map_find(&apis->members, name);
    if (known)
        return (lw_tri)known->value;
    lw_tri listed = LW_TRI_MAYBE;
    if (lw_api_find(apis, name, NULL))
        listed = LW_TRI_YES;
    else if (lw_embedded_find(LW_S("data/api/members.txt"), &text))
        listed = is_listed(text, lw_str_part(name, 0, (size_t)dot),
                           lw_str_from(name, (size_t)dot + 1));
    remember(apis, name, listed);
    return listed;
}
