/*
 * heap - what a program can change: variables, attributes, contents of lists and dicts.
 *
 * Everything that changes is a slot, and every change goes through heap_set, which keeps a
 * trail. A branch of the program is run, its changes are taken back and kept, the next branch
 * is run from the same state, and the results are joined slot by slot; so branches cost what
 * they change, not what exists.
 *
 * All memory is the engine's arena. When it runs out the functions return NULL or do nothing,
 * and the engine stops with "cannot tell".
 */
#ifndef LW_CHECK_ENGINE_HEAP_H
#define LW_CHECK_ENGINE_HEAP_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "knowledge/value.h"

/* One thing that can change. `value` is absent while it is unbound. */
struct ck_slot {
    uint32_t name; /* interned; heap_name() has the text. Of a trait: its number */
    uint32_t id;   /* in order of birth */
    uint32_t seen; /* by the trail */
    struct lw_value value;
    struct ck_slot *next; /* in its fields, in order of birth */
};

/* Slots by name, in order of birth. Zeroed memory is an empty one. */
struct ck_fields {
    struct ck_slot *first, *last;
    struct ck_slot **table; /* open addressing; NULL while there are few */
    uint32_t n, cap;
};

struct ck_trail_entry {
    struct ck_slot *slot;
    struct lw_value old;
};

struct ck_change {
    struct ck_slot *slot;
    struct lw_value value;
};

/* What a branch changed, ordered by slot. */
struct ck_changes {
    struct ck_change *v;
    uint32_t n;
};

typedef struct lw_value (*heap_join)(void *data, struct lw_value a, struct lw_value b);

struct ck_heap {
    struct lw_arena *arena; /* borrowed */
    struct lw_mem *mem;     /* borrowed */
    struct lw_map names;    /* text -> number + 1 */
    LW_VEC(struct ck_trail_entry) trail;
    uint32_t slots; /* born so far */
    uint32_t epoch;
    uint32_t open; /* marks that were not taken yet: without any, nothing is logged */
    bool failed;   /* memory ran out */
};

void heap_init(struct ck_heap *h, struct lw_arena *arena, struct lw_mem *mem);
void heap_release(struct ck_heap *h);

/* The number of a name; the text is copied once. */
uint32_t heap_intern(struct ck_heap *h, struct lw_str name);
struct lw_str heap_name(const struct ck_heap *h, uint32_t name);

/* The slot, or NULL. */
struct ck_slot *fields_find(const struct ck_fields *f, uint32_t name);
/* Finds or adds an unbound slot; NULL when memory ran out. */
struct ck_slot *fields_put(struct ck_heap *h, struct ck_fields *f, uint32_t name);

/* The same of a few slots that have small numbers instead of names, in a plain list. */
struct lw_value slots_get(const struct ck_slot *first, uint32_t number); /* or ABSENT */
struct ck_slot *slots_put(struct ck_heap *h, struct ck_slot **first, uint32_t number);

/* Changes a slot. `slot` may be NULL: nothing happens. */
void heap_set(struct ck_heap *h, struct ck_slot *slot, struct lw_value value);

/* Where the trail is now. Each mark must be taken, the innermost first. */
size_t heap_mark(struct ck_heap *h);
/* Keeps what was changed since the innermost mark, which is over. */
void heap_commit(struct ck_heap *h);
/* The same for good: what was changed since the mark stays also when an outer mark is taken. */
void heap_keep(struct ck_heap *h, size_t mark);
/* What was changed since the mark, which stays. */
struct ck_changes heap_snapshot(struct ck_heap *h, size_t mark);
/* Takes back what was changed since the mark, which is over. */
void heap_undo(struct ck_heap *h, size_t mark);
/* The same, and hands it out. */
struct ck_changes heap_take(struct ck_heap *h, size_t mark);
/* Nobody can reach these variables any more: what was changed of them since trail number `from`
 * is not worth keeping. */
void heap_forget(struct ck_heap *h, size_t from, const struct ck_fields *dead);
/* The value of a slot behind the changes, which were taken back. */
struct lw_value heap_value_in(const struct ck_changes *changes, struct ck_slot *slot);
/* The changes again, as changes of now. */
void heap_redo(struct ck_heap *h, struct ck_changes changes);
/* The state after one of several branches, of which `branches` holds the changes of each that
 * goes on. `join` gets two values of a slot. */
void heap_merge(struct ck_heap *h, const struct ck_changes *branches, size_t count,
                heap_join join, void *data);

#endif
