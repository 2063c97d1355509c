#include "verify/guard.h"

#include <errno.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "knowledge/embedded.h"

static int draw_word(struct guard *g, struct lw_err *err)
{
    uint64_t random[2];
    /* Not from the context's seed: with it a program could know the word beforehand. */
    if (getrandom(random, sizeof random, 0) != sizeof random)
        return lw_err_system(err, errno, "cannot draw", LW_S("a random number"));
    snprintf(g->word, sizeof g->word, "end-%016llx%016llx", (unsigned long long)random[0],
             (unsigned long long)random[1]);
    snprintf(g->assignment, sizeof g->assignment, "LACEWING_END=%s", g->word);
    g->env[0] = g->assignment;
    return 0;
}

int guard_init(struct guard *g, struct lw_arena *arena, const struct lw_bug *bug,
               const char *python, struct lw_err *err)
{
    struct lw_str text, test = lw_arena_copy(arena, bug->test);
    size_t n = 0;
    *g = (struct guard){0};
    if (!test.p)
        return lw_err_nomem(err);
    g->argv[n++] = python;
    g->argv[n++] = "-B";
    if (!bug->trusted) {
        LW_BUG_ON(!lw_embedded_find(LW_S("data/run/test.py"), &text));
        g->argv[n++] = "-c";
        g->argv[n++] = text.p;
    }
    g->argv[n++] = test.p;
    return bug->trusted ? 0 : draw_word(g, err);
}

/* The code behind the word, in the line that begins with it; -1 when there is none. The text
 * before, without the line feed that we put there, is what is left of `*out`. */
static int64_t code_in(struct lw_str *out, struct lw_str word)
{
    int64_t code;
    ptrdiff_t at = lw_str_find(*out, word);
    if (at <= 0 || out->p[at - 1] != '\n')
        return -1;
    struct lw_str rest = lw_str_from(*out, (size_t)at + word.n), line;
    if (!lw_str_line(&rest, &line) || !lw_parse_i64(lw_str_trim(line), &code))
        return -1;
    out->n = (size_t)at - 1;
    return code;
}

void guard_read(const struct guard *g, struct lw_run *run)
{
    if (!*g->word)
        return;
    int64_t code = code_in(&run->out, lw_str(g->word));
    if (run->end != LW_RUN_EXITED || code == run->exit)
        return;
    run->end = LW_RUN_CUT_SHORT;
    run->exit = -1;
}
