#include "catalog/zip.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"

enum {
    END_BYTES = 22,        /* the record that ends an archive, without its comment */
    COMMENT_MAX = 0xffff,  /* behind it */
    LOCATOR_BYTES = 20,    /* where the larger record of a large archive is */
    LARGE_END_BYTES = 56,  /* that record */
    ENTRY_BYTES = 46,      /* an entry, without its texts */
    NAME_MAX_BYTES = 4096, /* more than any name that is taken */
    MET = 0,               /* kinds of entries */
    PLAIN = 1,
    FOLDER = 2,
    UNTYPED = 3, /* the system that wrote it knows no types */
    OTHER = 4
};

static uint64_t number_at(const unsigned char *p, size_t n)
{
    uint64_t value = 0;
    while (n-- > 0)
        value = value << 8 | p[n];
    return value;
}

static uint64_t source_size(const struct zip_source *s)
{
    if (s->fd < 0)
        return s->bytes.n;
    off_t end = lseek(s->fd, 0, SEEK_CUR), size = lseek(s->fd, 0, SEEK_END);
    lseek(s->fd, end, SEEK_SET); /* the stream goes on where it was */
    return size < 0 ? 0 : (uint64_t)size;
}

/* All `n` bytes at `at`, or false. */
static bool read_at(const struct zip_source *s, uint64_t at, void *to, size_t n)
{
    if (s->fd < 0) {
        if (at > s->bytes.n || n > s->bytes.n - at)
            return false;
        memcpy(to, s->bytes.p + at, n);
        return true;
    }
    for (size_t done = 0; done < n;) {
        ssize_t got = pread(s->fd, (char *)to + done, n - done, (off_t)(at + done));
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* Where the directory begins, how many entries it has, and where it ends. */
struct place {
    uint64_t begin, count, end;
};

static bool read_large_end(const struct zip_source *s, uint64_t locator, struct place *place)
{
    unsigned char b[LARGE_END_BYTES];
    if (!read_at(s, locator, b, LOCATOR_BYTES) || memcmp(b, "PK\6\7", 4) != 0)
        return false;
    uint64_t at = number_at(b + 8, 8);
    if (!read_at(s, at, b, sizeof b) || memcmp(b, "PK\6\6", 4) != 0)
        return false;
    *place = (struct place){number_at(b + 48, 8), number_at(b + 32, 8), at};
    return number_at(b + 40, 8) == at - place->begin && place->begin <= at;
}

static bool read_end(const struct zip_source *s, uint64_t at, struct place *place)
{
    unsigned char b[END_BYTES];
    if (!read_at(s, at, b, sizeof b))
        return false;
    uint64_t count = number_at(b + 10, 2), bytes = number_at(b + 12, 4);
    uint64_t begin = number_at(b + 16, 4);
    if (count == 0xffff || bytes == 0xffffffff || begin == 0xffffffff)
        return at >= LOCATOR_BYTES && read_large_end(s, at - LOCATOR_BYTES, place);
    *place = (struct place){begin, count, at};
    return begin <= at && bytes == at - begin;
}

/* The record whose comment reaches just to the end of the archive, searched from behind. */
static bool find_end(const struct zip_source *s, struct place *place)
{
    uint64_t size = source_size(s);
    for (uint64_t comment = 0; comment <= COMMENT_MAX && size >= END_BYTES + comment;
         comment++) {
        unsigned char b[END_BYTES];
        uint64_t at = size - END_BYTES - comment;
        if (!read_at(s, at, b, sizeof b))
            return false;
        if (memcmp(b, "PK\5\6", 4) == 0 && number_at(b + 20, 2) == comment)
            return read_end(s, at, place);
    }
    return false;
}

/* The upper half of the attributes is the mode wherever it is used at all, whatever system the
 * archive claims to come from. */
static uint64_t kind_of(uint64_t attributes)
{
    switch (attributes >> 28) {
    case 0: return UNTYPED;
    case 4: return FOLDER;
    case 8: return PLAIN;
    default: return OTHER;
    }
}

static struct lw_str without_slash(struct lw_str name)
{
    return name.n > 1 && name.p[name.n - 1] == '/' ? lw_str_part(name, 0, name.n - 1) : name;
}

/* One entry at `*at`, which moves behind it. */
static int read_entry(struct zip_directory *d, const struct zip_source *s, uint64_t *at,
                      const char **why, struct lw_err *err)
{
    unsigned char b[ENTRY_BYTES];
    char name[NAME_MAX_BYTES];
    *why = "its directory is damaged";
    if (!read_at(s, *at, b, sizeof b) || memcmp(b, "PK\1\2", 4) != 0)
        return LW_EINVAL;
    size_t n = (size_t)number_at(b + 28, 2);
    if (n > sizeof name || !read_at(s, *at + ENTRY_BYTES, name, n))
        return LW_EINVAL;
    *at += ENTRY_BYTES + n + number_at(b + 30, 2) + number_at(b + 32, 2);
    struct lw_str key = lw_arena_copy(&d->arena, without_slash(lw_str_n(name, n)));
    bool is_new;
    struct lw_map_entry *e = key.p ? lw_map_put(&d->names, key, &is_new) : NULL;
    if (!e)
        return lw_err_nomem(err);
    *why = "its directory has a name twice";
    if (!is_new)
        return LW_EINVAL;
    e->value = kind_of(number_at(b + 38, 4));
    d->left++;
    return 0;
}

int zip_directory_load(struct zip_directory *d, struct lw_mem *mem,
                       const struct zip_source *source, const char **why, struct lw_err *err)
{
    struct place place;
    lw_arena_init(&d->arena, mem, 0);
    lw_map_init(&d->names, mem);
    d->left = 0;
    *why = "it has no directory at its end";
    if (!find_end(source, &place))
        return LW_EINVAL;
    uint64_t at = place.begin;
    for (uint64_t i = 0; i < place.count; i++) {
        int rc = read_entry(d, source, &at, why, err);
        if (rc < 0)
            return rc;
    }
    *why = "its directory is damaged";
    return at == place.end ? 0 : LW_EINVAL;
}

void zip_directory_release(struct zip_directory *d)
{
    lw_map_release(&d->names);
    lw_arena_release(&d->arena);
}

const char *zip_directory_meet(struct zip_directory *d, struct lw_str name, bool is_folder)
{
    struct lw_map_entry *e = lw_map_find(&d->names, without_slash(name));
    if (!e || e->value == MET)
        return "the directory of the archive does not name it";
    uint64_t kind = e->value;
    e->value = MET;
    d->left--;
    if (kind == OTHER)
        return "it is a link or neither a file nor a folder";
    if (kind != UNTYPED && (kind == FOLDER) != is_folder)
        return "the directory of the archive says that it is something else";
    return NULL;
}
