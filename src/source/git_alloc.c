/*
 * libgit2's memory, with a limit on one piece of it.
 *
 * The size of an object is looked at before it is read, but not that of the objects it is a
 * delta of: a pack of 1,200 bytes can name a base of many gigabytes that grew by doubling. git
 * itself makes no deltas of what is larger than 512 MB (core.bigFileThreshold), and no object
 * of that size is asked for here, so a larger piece is refused. errno says so: EFBIG.
 */
#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "source/git_api.h"

static const size_t MOST = ((size_t)512 << 20) + (1 << 20);

static void *resize(void *p, size_t n, const char *file, int line)
{
    (void)file;
    (void)line;
    if (n <= MOST)
        return lw_heap_realloc(p, n);
    errno = EFBIG;
    return NULL;
}

static void *take(size_t n, const char *file, int line)
{
    return resize(NULL, n, file, line);
}

static void *resize_array(void *p, size_t count, size_t size, const char *file, int line)
{
    return resize(p, size && count > SIZE_MAX / size ? SIZE_MAX : count * size, file, line);
}

static void *take_array(size_t count, size_t size, const char *file, int line)
{
    return resize_array(NULL, count, size, file, line);
}

static void *take_zeroes(size_t count, size_t size, const char *file, int line)
{
    void *p = take_array(count, size, file, line);
    return p ? memset(p, 0, count * size) : NULL;
}

static char *copy_bytes(const char *text, size_t n, const char *file, int line)
{
    char *p = n < SIZE_MAX ? take(n + 1, file, line) : NULL;
    if (!p)
        return NULL;
    memcpy(p, text, n);
    p[n] = '\0';
    return p;
}

static char *copy_front(const char *text, size_t n, const char *file, int line)
{
    return copy_bytes(text, strnlen(text, n), file, line);
}

static char *copy(const char *text, const char *file, int line)
{
    return copy_bytes(text, strlen(text), file, line);
}

git_allocator gt_allocator(void)
{
    return (git_allocator){.gmalloc = take,
                           .gcalloc = take_zeroes,
                           .gstrdup = copy,
                           .gstrndup = copy_front,
                           .gsubstrdup = copy_bytes,
                           .grealloc = resize,
                           .greallocarray = resize_array,
                           .gmallocarray = take_array,
                           .gfree = lw_heap_free};
}
