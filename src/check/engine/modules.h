/*
 * modules - files that were read and parsed, shared by all checks of one run.
 *
 * A module that many files import is parsed once, whichever thread comes first. A parsed file
 * is never changed again, so that any number of threads may read it; it lives until everyone
 * who got it has put it back, and beyond that as long as there is room: what was not used for
 * longest goes first. It is also remembered which files exist, since imports are looked for in
 * many folders. None of this changes a result, only how soon it is there.
 */
#ifndef LW_CHECK_ENGINE_MODULES_H
#define LW_CHECK_ENGINE_MODULES_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "check/engine/evidence.h"
#include "check/engine/gaps.h"
#include "check/engine/stores.h"
#include "check/types.h"
#include "source/names.h"
#include "source/text.h"

enum {
    CK_MODULES_ROOM = 64 << 20, /* bytes of parsed files that nobody uses right now */
    CK_WORDS = 1024,            /* questions that are asked of files; a power of 2 */
};

/* What the code of a file shows, by the number of the question: found out once, by whichever
 * thread asks first. */
struct ck_notes {
    _Atomic uint64_t searched[CK_WORDS / 64], found[CK_WORDS / 64];
};

/* Read only, but for the notes. */
struct ck_parsed {
    struct lw_source source;
    struct lw_str code;  /* the text without comments and prose, byte for byte; in the arena */
    struct lw_tree tree; /* its line table is made */
    struct ck_gaps gaps;
    struct lw_names names;
    struct evidence evidence;
    struct lw_arena arena; /* text, path, notes, words */
    struct ck_notes *notes;
    size_t bytes;
    uint32_t entry;                  /* of the map + 1; 0: not shared */
    uint32_t users;                  /* under the lock, as the rest */
    struct ck_parsed *older, *newer; /* among those that nobody uses */
};

struct ck_modules {
    struct lw_mem *mem;    /* borrowed */
    struct lw_arena arena; /* keys */
    struct lw_map parsed;  /* path -> struct ck_parsed, or 0 */
    struct lw_map kinds;   /* path -> enum lw_file_kind + 1 */
    struct ck_parsed *oldest, *newest;
    size_t room, idle_bytes;         /* allowed, taken by those that nobody uses */
    struct lw_check_overlay overlay; /* borrowed */
    struct ck_stores stores;         /* attributes that the files of the run write */
    uint64_t hits, misses;
    _Atomic(const char *) words[CK_WORDS]; /* by number */
    pthread_mutex_t lock;
};

void ck_modules_init(struct ck_modules *m, struct lw_mem *mem, size_t room);
/* Everything must have been put back. */
void ck_modules_release(struct ck_modules *m);

/* The parsed file; what cannot be read fails as lw_source_load does. */
int ck_modules_get(struct ck_modules *m, struct lw_str path, const struct ck_parsed **out,
                   struct lw_err *err);
/* A text that is in memory and outlives the result; it is not shared. */
int ck_modules_parse(struct ck_modules *m, struct lw_str path, struct lw_str text,
                     const struct ck_parsed **out, struct lw_err *err);
/* `p` may be NULL. */
void ck_modules_put(struct ck_modules *m, const struct ck_parsed *p);

/* The number of a word, which is static: the same address, the same number. CK_WORDS: there are
 * too many. */
uint32_t ck_modules_word(struct ck_modules *m, const char *word);
/* Does the evidence, which is that of the notes, show it? `number` is that of the question. */
bool ck_notes_show(struct ck_notes *notes, const struct evidence *e, uint32_t number,
                   const char *question);
/* Is the word in `code`, which is that of the notes? `number` is its own, or CK_WORDS. */
bool ck_notes_say(struct ck_notes *notes, struct lw_str code, uint32_t number,
                  const char *word);

enum lw_file_kind ck_modules_kind(struct ck_modules *m, struct lw_str path);

#endif
