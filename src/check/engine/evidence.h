/*
 * evidence - what the code of a file names, calls, passes and imports.
 *
 * For what may be done in a way that was not followed: whoever asks wants to know whether it is
 * done anywhere. Code is looked at, never comments or prose, and not what stands under `if
 * False`. The words are gathered once for a file; a question is one look into a hash table.
 *
 * A question is a kind and a word:
 *   - "name grad": an identifier of any kind: a variable, an attribute, an argument, a module
 *   - "variable cuda": a plain name or a parameter
 *   - "attribute grad": x.grad, read or written; x.grad = None is also "attribute grad=" and
 *     "attribute grad=None"
 *   - "call backward": backward() or x.backward(); "call .eval" is only the method, not the
 *     builtin; train(False) is also "call train(False)", train() "call train()"
 *   - "keyword strict": f(strict=…); f(strict=False) is also "keyword strict=False"
 *   - "import apex": import apex, import apex.amp, from apex import …
 *   - "def train_step": a function or class of the program
 *   - "text labels": a short literal of just this text
 *   - "number 255": 255, 255.0
 *   - "subscript index": index[…], x.index[…]
 *
 * "call autograd.grad" is a call of grad() of something whose last name is autograd; more dots
 * ask for a full name. Both know imports: after from torch.autograd import grad, grad() is a
 * call of torch.autograd.grad(). A star at the begin or end of a word stands for any letters.
 */
#ifndef LW_CHECK_ENGINE_EVIDENCE_H
#define LW_CHECK_ENGINE_EVIDENCE_H

#include "base/arena.h"
#include "base/map.h"
#include "source/names.h"

struct evidence {
    struct lw_map words; /* to how they are used; keys in the text or the arena */
};

/* Gathers the words of a program and of its names. LW_ENOMEM. */
int evidence_gather(struct evidence *e, struct lw_arena *arena, struct lw_mem *mem,
                    const struct lw_names *names, struct lw_err *err);
void evidence_release(struct evidence *e);
/* Bytes outside the arena. */
size_t evidence_bytes(const struct evidence *e);

bool evidence_shows(const struct evidence *e, const char *question);
/* Is it a question as above? */
bool evidence_is_question(struct lw_str question);

#endif
