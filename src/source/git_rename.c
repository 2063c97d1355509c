#include "source/git_rename.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/path.h"
#include "base/str.h"

enum {
    HASH_BASE = 107927, /* git's, so that the same lines collide */
    PIECE = 64,         /* bytes; lines are cut into pieces no longer than this */
    CACHE_BYTES = 32 << 20,
    CANDIDATES = 4,  /* kept per target */
    MOST_SAME = 100, /* origins of the same content looked at per target */
    BIT_WORDS = HASH_BASE / 64 + 1
};

/* ---- Signatures -------------------------------------------------------------------------- */

/* Bytes of a blob in lines with that hash. */
struct span {
    uint32_t hash;
    uint32_t bytes;
};

struct signature {
    struct lw_git_id id;
    size_t size;
    const struct span *spans; /* by hash */
    size_t span_count;
    bool counted; /* spans are there */
    bool bad;     /* cannot be read */
};

struct gt_similar {
    struct lw_arena arena; /* signatures */
    struct lw_map of;      /* id to signature */
    uint32_t counts[HASH_BASE];
    uint64_t touched[BIT_WORDS]; /* hashes with a count, so that they come out sorted */
    size_t touched_count;
};

void gt_similar_free(lw_git *git)
{
    struct gt_similar *s = git->similar;
    if (!s)
        return;
    lw_arena_release(&s->arena);
    lw_map_release(&s->of);
    lw_mem_free(git->mem, s, sizeof *s);
    git->similar = NULL;
}

/* Ready to be used, and not too full. */
static int prepare(lw_git *git, struct lw_err *err)
{
    struct gt_similar *s = git->similar;
    if (s && s->arena.used > CACHE_BYTES) {
        lw_arena_release(&s->arena);
        lw_map_clear(&s->of);
    }
    if (s)
        return 0;
    s = lw_mem_alloc(git->mem, sizeof *s);
    if (!s)
        return lw_err_nomem(err);
    lw_arena_init(&s->arena, git->mem, 0);
    lw_map_init(&s->of, git->mem);
    git->similar = s;
    return 0;
}

static void add_span(struct gt_similar *s, uint32_t hash, uint32_t bytes)
{
    s->touched_count += s->counts[hash] == 0;
    s->counts[hash] += bytes;
    s->touched[hash / 64] |= UINT64_C(1) << (hash % 64);
}

/* git keeps two words, each taking in the top seven bits of the other: a rotation of both as
 * one. A byte is added to the lower word without a carry. */
static uint64_t add_byte(uint64_t state, unsigned char c)
{
    state = state << 7 | state >> 57;
    return (state & ~UINT64_C(0xffffffff)) | (uint32_t)(state + c);
}

static uint32_t hash_of(uint64_t state)
{
    return ((uint32_t)state + (uint32_t)(state >> 32) * 0x61) % HASH_BASE;
}

/* The piece at the front of the text, with its line end; 0 when neither a line feed nor PIECE
 * bytes follow. */
static uint32_t piece_length(const char *p, size_t n)
{
    const char *end = memchr(p, '\n', n < PIECE ? n : PIECE);
    if (end)
        return (uint32_t)(end - p) + 1;
    return n < PIECE ? 0 : PIECE;
}

static uint64_t hash_piece(uint64_t state, const char *p, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        state = add_byte(state, (unsigned char)p[i]);
    return state;
}

/* Two pieces in step: a byte waits for the one before it, but not for the other piece. */
static void hash_two(struct gt_similar *s, const char *p, uint32_t n, const char *q, uint32_t m)
{
    uint64_t x = 0, y = 0;
    uint32_t both = n < m ? n : m;
    for (uint32_t i = 0; i < both; i++) {
        x = add_byte(x, (unsigned char)p[i]);
        y = add_byte(y, (unsigned char)q[i]);
    }
    add_span(s, hash_of(hash_piece(x, p, both, n)), n);
    if (m > 0)
        add_span(s, hash_of(hash_piece(y, q, both, m)), m);
}

/* Text without a carriage return, and binaries, which is nearly everything. */
static void count_plain(struct gt_similar *s, struct lw_str text)
{
    const char *p = text.p, *end = text.p + text.n;
    uint32_t n, m;
    while (p < end && (n = piece_length(p, (size_t)(end - p)))) {
        const char *q = p + n;
        m = q < end ? piece_length(q, (size_t)(end - q)) : 0;
        hash_two(s, p, n, q, m);
        p = q + m;
        if (m == 0)
            break;
    }
}

/* Text in which the carriage return before a line feed does not count. */
static void count_dos(struct gt_similar *s, struct lw_str text)
{
    uint64_t state = 0;
    uint32_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c == '\r' && i + 1 < text.n && text.p[i + 1] == '\n')
            continue;
        state = add_byte(state, c);
        if (++n < PIECE && c != '\n')
            continue;
        add_span(s, hash_of(state), n);
        state = n = 0;
    }
}

/* Cuts the text into lines of at most PIECE bytes and counts bytes per hash of a piece. What
 * follows the last line feed or full piece does not count: git up to 2.43 has it so. */
static void count_pieces(struct gt_similar *s, struct lw_str text)
{
    if (text.n && memchr(text.p, '\r', text.n) && !lw_git_is_binary(text))
        count_dos(s, text);
    else
        count_plain(s, text);
}

/* Moves the counts into a sorted list in the arena. */
static int take_spans(struct gt_similar *s, struct signature *sig, struct lw_err *err)
{
    size_t n = s->touched_count, at = 0;
    struct span *spans = lw_arena_array(&s->arena, n, sizeof *spans);
    for (size_t w = 0; w < BIT_WORDS; w++) {
        for (uint64_t bits = s->touched[w]; bits; bits &= bits - 1) {
            uint32_t hash = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
            if (spans)
                spans[at++] = (struct span){hash, s->counts[hash]};
            s->counts[hash] = 0;
        }
        s->touched[w] = 0;
    }
    s->touched_count = 0;
    if (!spans)
        return lw_err_nomem(err);
    sig->spans = spans;
    sig->span_count = n;
    sig->counted = true;
    return 0;
}

/* The signature of a blob, at first with its size only. Troubles make it `bad`. */
static int signature_of(lw_git *git, const struct lw_git_id *id, struct signature **out,
                        struct lw_err *err)
{
    struct gt_similar *s = git->similar;
    struct lw_map_entry *e = lw_map_find(&s->of, gt_id_key(id));
    if (e) {
        *out = (struct signature *)(uintptr_t)e->value;
        return 0;
    }
    struct signature *sig = lw_arena_alloc(&s->arena, sizeof *sig);
    if (!sig)
        return lw_err_nomem(err);
    sig->id = *id;
    git_object_t type;
    int rc = gt_object_header(git, id, &type, &sig->size, err);
    if (rc < 0 && !gt_is_trouble(rc))
        return rc;
    sig->bad = rc < 0 || type != GIT_OBJECT_BLOB;
    e = lw_map_put(&s->of, gt_id_key(&sig->id), NULL);
    if (!e)
        return lw_err_nomem(err);
    e->value = (uintptr_t)sig;
    *out = sig;
    return 0;
}

/* Reads the blob, whose size is known and was found small enough. */
static int count_blob(lw_git *git, struct signature *sig, struct lw_err *err)
{
    git_odb_object *object;
    if (sig->counted || sig->bad)
        return 0;
    int rc = gt_object_read_known(git, &sig->id, GIT_OBJECT_BLOB, &object, err);
    if (rc < 0) {
        sig->bad = true;
        return gt_is_trouble(rc) ? 0 : rc;
    }
    count_pieces(git->similar, gt_object_text(git, object));
    gt_object_free(git, object);
    return take_spans(git->similar, sig, err);
}

/* Bytes that both have. */
static uint64_t common_bytes(const struct signature *a, const struct signature *b)
{
    uint64_t common = 0;
    const struct span *p = a->spans, *q = b->spans;
    const struct span *p_end = p + a->span_count, *q_end = q + b->span_count;
    while (p < p_end && q < q_end) {
        if (p->hash == q->hash) {
            common += p->bytes < q->bytes ? p->bytes : q->bytes;
            p++;
            q++;
        } else if (p->hash < q->hash) {
            p++;
        } else {
            q++;
        }
    }
    return common;
}

/* 0…GT_SAME; 0 also when it cannot reach `least`. Only regular files resemble each other. */
static int similarity(lw_git *git, const struct gt_spot *a, const struct gt_spot *b,
                      unsigned least, unsigned *score, struct lw_err *err)
{
    struct signature *x = NULL, *y = NULL;
    *score = 0;
    if (!gt_is_file(a->mode) || !gt_is_file(b->mode))
        return 0;
    int rc = signature_of(git, &a->id, &x, err);
    if (rc == 0)
        rc = signature_of(git, &b->id, &y, err);
    if (rc < 0 || !x || !y || x->bad || y->bad)
        return rc;
    size_t larger = x->size > y->size ? x->size : y->size;
    size_t smaller = x->size > y->size ? y->size : x->size;
    if (larger > GT_MAX_BLOB || smaller == 0 ||
        (uint64_t)larger * (GT_SAME - least) < (uint64_t)(larger - smaller) * GT_SAME)
        return 0;
    rc = count_blob(git, x, err);
    if (rc == 0)
        rc = count_blob(git, y, err);
    if (rc == 0 && !x->bad && !y->bad)
        *score = (unsigned)(common_bytes(x, y) * GT_SAME / larger);
    return rc;
}

/* ---- Pairing ----------------------------------------------------------------------------- */

static bool same_name(struct lw_str a, struct lw_str b)
{
    return lw_str_eq(lw_path_name(a), lw_path_name(b));
}

static void pair(struct gt_rename *r, size_t target, size_t origin, unsigned score)
{
    r->targets[target].origin = (uint32_t)origin;
    r->targets[target].score = score;
    r->origins[origin].used = true;
}

/* Is the origin already something else, or still itself? */
static bool is_taken(const struct gt_origin *o)
{
    return o->used || o->stays;
}

/* Of the origins of this content (a chain through `next`), the one not taken yet, better still
 * of the same name; the first of equals. GT_NONE: none. */
static uint32_t best_same(const struct gt_rename *r, const struct gt_target *t, uint32_t at,
                          const uint32_t *next)
{
    uint32_t best = GT_NONE;
    int best_score = -1;
    for (int looked = 0; at != GT_NONE && looked < MOST_SAME; at = next[at]) {
        const struct gt_origin *o = &r->origins[at];
        if ((!gt_is_file(o->spot.mode) || !gt_is_file(t->spot.mode)) &&
            o->spot.mode != t->spot.mode)
            continue;
        if (is_taken(o) && !r->copies)
            continue;
        int score = !is_taken(o) + same_name(o->path, t->path);
        if (score > best_score) {
            best = at;
            best_score = score;
        }
        if (score == 2)
            break;
        looked++;
    }
    return best;
}

/* Files whose content is the same. */
static int pair_same(lw_git *git, struct gt_rename *r, struct lw_arena *scratch,
                     struct lw_err *err)
{
    struct lw_map first;
    uint32_t *next = lw_arena_array(scratch, r->origin_count, sizeof *next);
    if (!next)
        return lw_err_nomem(err);
    lw_map_init(&first, git->mem);
    for (size_t i = r->origin_count; i-- > 0;) {
        bool is_new;
        struct lw_map_entry *e = lw_map_put(&first, gt_id_key(&r->origins[i].spot.id), &is_new);
        if (!e) {
            lw_map_release(&first);
            return lw_err_nomem(err);
        }
        next[i] = is_new ? GT_NONE : (uint32_t)e->value;
        e->value = i;
    }
    for (size_t i = 0; i < r->target_count; i++) {
        struct lw_map_entry *e = lw_map_find(&first, gt_id_key(&r->targets[i].spot.id));
        uint32_t origin =
            e ? best_same(r, &r->targets[i], (uint32_t)e->value, next) : (uint32_t)GT_NONE;
        if (origin != GT_NONE)
            pair(r, i, origin, GT_SAME);
    }
    lw_map_release(&first);
    return 0;
}

/* name to 1 + index, or 0 when several have it. */
static int add_name(struct lw_map *names, struct lw_str path, size_t index, struct lw_err *err)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(names, lw_path_name(path), &is_new);
    if (!e)
        return lw_err_nomem(err);
    e->value = is_new ? index + 1 : 0;
    return 0;
}

static int try_names(lw_git *git, struct gt_rename *r, const struct lw_map *origins,
                     const struct lw_map *targets, struct lw_err *err)
{
    /* Half way between what is asked for and the same: a name alone proves little. */
    unsigned least = r->least + (GT_SAME - r->least) / 2, score;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < origins->n; i++) {
        uint64_t origin = origins->entries[i].value;
        uint64_t target = lw_map_get(targets, origins->entries[i].key, 0);
        if (!origin || !target)
            continue;
        rc = similarity(git, &r->origins[origin - 1].spot, &r->targets[target - 1].spot, least,
                        &score, err);
        if (rc == 0 && score >= least)
            pair(r, target - 1, origin - 1, score);
    }
    return rc;
}

/* Files that moved to another folder under a name that nothing else has. */
static int pair_named(lw_git *git, struct gt_rename *r, struct lw_err *err)
{
    struct lw_map origins, targets;
    int rc = 0;
    lw_map_init(&origins, git->mem);
    lw_map_init(&targets, git->mem);
    for (size_t i = 0; rc == 0 && i < r->origin_count; i++)
        if (!r->origins[i].used)
            rc = add_name(&origins, r->origins[i].path, i, err);
    for (size_t i = 0; rc == 0 && i < r->target_count; i++)
        if (r->targets[i].origin == GT_NONE)
            rc = add_name(&targets, r->targets[i].path, i, err);
    if (rc == 0)
        rc = try_names(git, r, &origins, &targets, err);
    lw_map_release(&origins);
    lw_map_release(&targets);
    return rc;
}

/* ---- The most similar of the rest ----------------------------------------------------------
 */

struct candidate {
    uint32_t origin, target; /* target GT_NONE: an empty place */
    unsigned score;
    bool same_name;
    uint32_t place; /* in the table: of equals the first wins */
};

/* Negative: a is better. */
static int by_score(const struct candidate *a, const struct candidate *b)
{
    if (a->target == GT_NONE || b->target == GT_NONE)
        return (a->target == GT_NONE) - (b->target == GT_NONE);
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return (int)b->same_name - (int)a->same_name;
}

static int by_score_and_place(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = by_score(x, y);
    return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

/* Takes the place of the worst of the target's candidates if it is better. */
static void offer(struct candidate best[CANDIDATES], struct candidate c)
{
    size_t worst = 0;
    for (size_t i = 1; i < CANDIDATES; i++)
        if (by_score(&best[i], &best[worst]) > 0)
            worst = i;
    c.place = best[worst].place;
    if (by_score(&best[worst], &c) > 0)
        best[worst] = c;
}

static int score_target(lw_git *git, struct gt_rename *r, size_t target, struct candidate *best,
                        struct lw_err *err)
{
    const struct gt_target *t = &r->targets[target];
    int rc = gt_canceled(git, err);
    for (size_t i = 0; rc == 0 && i < r->origin_count; i++) {
        const struct gt_origin *o = &r->origins[i];
        struct candidate c = {.origin = (uint32_t)i, .target = (uint32_t)target};
        if (o->used && !r->copies)
            continue;
        rc = similarity(git, &o->spot, &t->spot, r->least, &c.score, err);
        c.same_name = same_name(o->path, t->path);
        if (rc == 0)
            offer(best, c);
    }
    return rc;
}

static void pair_candidates(struct gt_rename *r, const struct candidate *all, size_t n,
                            bool copies)
{
    for (size_t i = 0; i < n && all[i].target != GT_NONE && all[i].score >= r->least; i++) {
        if (r->targets[all[i].target].origin != GT_NONE)
            continue;
        if (copies || !is_taken(&r->origins[all[i].origin]))
            pair(r, all[i].target, all[i].origin, all[i].score);
    }
}

static int pair_similar(lw_git *git, struct gt_rename *r, struct lw_arena *scratch,
                        size_t targets, struct lw_err *err)
{
    struct candidate *all = lw_arena_array(scratch, targets * CANDIDATES, sizeof *all);
    if (!all)
        return lw_err_nomem(err);
    size_t n = targets * CANDIDATES, at = 0;
    for (size_t i = 0; i < n; i++)
        all[i] = (struct candidate){.target = GT_NONE, .place = (uint32_t)i};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < r->target_count; i++) {
        if (r->targets[i].origin != GT_NONE)
            continue;
        rc = score_target(git, r, i, all + at, err);
        at += CANDIDATES;
    }
    if (rc < 0)
        return rc;
    qsort(all, n, sizeof *all, by_score_and_place);
    pair_candidates(r, all, n, false);
    if (r->copies)
        pair_candidates(r, all, n, true);
    return 0;
}

static size_t targets_left(const struct gt_rename *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->target_count; i++)
        n += r->targets[i].origin == GT_NONE;
    return n;
}

static size_t origins_left(const struct gt_rename *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->origin_count; i++)
        n += !r->origins[i].used || r->copies;
    return n;
}

static int find(lw_git *git, struct gt_rename *r, struct lw_arena *scratch, struct lw_err *err)
{
    int rc = pair_same(git, r, scratch, err);
    if (rc < 0 || r->least >= GT_SAME || targets_left(r) == 0 || origins_left(r) == 0)
        return rc;
    rc = prepare(git, err);
    if (rc == 0 && !r->copies)
        rc = pair_named(git, r, err);
    size_t targets = targets_left(r), origins = origins_left(r);
    if (rc < 0 || targets == 0 || origins == 0)
        return rc;
    if ((uint64_t)targets * origins > (uint64_t)r->limit * r->limit) {
        r->skipped = true;
        return 0;
    }
    return pair_similar(git, r, scratch, targets, err);
}

int gt_rename_find(lw_git *git, struct gt_rename *r, struct lw_err *err)
{
    struct lw_arena scratch;
    r->skipped = false;
    for (size_t i = 0; i < r->target_count; i++)
        r->targets[i].origin = GT_NONE;
    if (r->origin_count == 0 || r->target_count == 0)
        return 0;
    lw_arena_init(&scratch, git->mem, 0);
    int rc = find(git, r, &scratch, err);
    lw_arena_release(&scratch);
    return rc;
}

/* ---- One file ---------------------------------------------------------------------------- */

struct sourcing {
    lw_git *git;
    struct lw_arena *arena;
    const struct gt_source *source;
    LW_VEC(struct gt_origin) origins;
    struct gt_target target;
};

static int add_origin(void *data, struct lw_str path, const struct gt_spot *old_spot,
                      const struct gt_spot *new_spot, struct lw_err *err)
{
    struct sourcing *s = data;
    bool stays = new_spot->mode != 0;
    if (!old_spot->mode) {
        if (lw_str_eq(path, s->source->path))
            s->target.spot = *new_spot;
        return 0;
    }
    if (stays && !s->source->copies)
        return 0;
    struct gt_origin o = {lw_arena_copy(s->arena, path), *old_spot, stays, false};
    if (!o.path.p || lw_vec_push(s->git->mem, &s->origins, o) < 0)
        return lw_err_nomem(err);
    return 0;
}

int gt_rename_source(lw_git *git, struct lw_arena *arena, struct gt_source *source,
                     struct lw_err *err)
{
    struct sourcing s = {.git = git, .arena = arena, .source = source};
    struct gt_compare how = {
        .old_tree = source->old_tree,
        .new_tree = source->new_tree,
        .unchanged = source->copies,
        .fn = add_origin,
        .data = &s,
    };
    source->from = (struct lw_str){NULL, 0};
    if (!source->old_tree)
        return 0;
    int rc = gt_tree_compare(git, &how, err);
    s.target.path = source->path;
    struct gt_rename r = {
        .origins = s.origins.v,
        .origin_count = s.origins.n,
        .targets = &s.target,
        .target_count = s.target.spot.mode ? 1 : 0,
        .least = GT_SAME / 2,
        .limit = GT_RENAME_LIMIT,
        .copies = source->copies,
    };
    if (rc == 0)
        rc = gt_rename_find(git, &r, err);
    if (rc == 0 && r.target_count && s.target.origin != GT_NONE) {
        const struct gt_origin *o = &r.origins[s.target.origin];
        source->from = o->path;
        source->spot = o->spot;
        source->score = s.target.score;
        source->is_copy = o->stays;
    }
    lw_vec_release(git->mem, &s.origins);
    return rc;
}
