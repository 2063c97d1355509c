/* Any text is read or refused with its line; what is read can be printed and read again. */
#include <stdlib.h>

#include "base/err.h"
#include "base/ini.h"
#include "base/sink.h"
#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_again(const struct lw_ini *ini, struct lw_sink *out)
{
    struct lw_str section = LW_S("");
    for (size_t i = 0; i < ini->n; i++) {
        if (!lw_str_eq(ini->entries[i].section, section))
            lw_putf(out, "[%.*s]\n", LW_F(ini->entries[i].section));
        section = ini->entries[i].section;
        lw_ini_print(out, ini->entries[i].key.p, ini->entries[i].value);
    }
}

/* Entries with an empty value are not printed. */
static void compare(const struct lw_ini *a, const struct lw_ini *b)
{
    size_t j = 0;
    for (size_t i = 0; i < a->n; i++) {
        const struct lw_ini_entry *x = &a->entries[i], *y = &b->entries[j];
        if (x->value.n == 0)
            continue;
        if (j >= b->n || !lw_str_eq(x->section, y->section) || !lw_str_eq(x->key, y->key) ||
            !lw_str_eq(x->value, y->value))
            abort();
        j++;
    }
    if (j != b->n)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_arena arena;
    struct lw_ini ini, again;
    struct lw_err err = {0};
    lw_arena_init(&arena, NULL, 0);
    struct lw_str text = lw_str_n((const char *)data, size);
    if (lw_ini_parse(&ini, &arena, LW_S("f"), text, &err) < 0) {
        if (err.code != LW_EINVAL || !lw_str_has_prefix(lw_str(err.text), LW_S("f:")))
            abort();
    } else {
        struct lw_buf b;
        lw_buf_init(&b, NULL, 0);
        struct lw_sink out = lw_sink_buf(&b);
        print_again(&ini, &out);
        if (lw_ini_parse(&again, &arena, LW_S("g"), lw_buf_str(&b), &err) < 0)
            abort();
        compare(&ini, &again);
        lw_buf_release(&b);
    }
    lw_arena_release(&arena);
    return 0;
}
