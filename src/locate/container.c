#include "locate/container.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/err.h"
#include "base/str.h"

enum { MAGIC = 0x3169776c /* "lwi1" */, ALIGN = 8 };

struct head {
    uint32_t magic; /* also tells the byte order */
    uint32_t kind;
    uint64_t format;
    uint64_t size; /* of the whole image, footer included */
    uint32_t count;
    uint32_t unused;
    uint64_t lazy, lazy_end; /* the lazy sections; checksums of their blocks follow */
    struct {
        uint64_t start, size;
    } sections[LW_CONTAINER_SECTIONS];
};

/* The last bytes: a file that was cut short has none. */
struct foot {
    uint64_t checksum;
    uint32_t kind;
    uint32_t magic;
};

/* ---- Writing ----------------------------------------------------------------------------- */

void lw_container_begin(struct lw_container_writer *w, struct lw_mem *mem, uint32_t kind,
                        uint64_t format)
{
    memset(w, 0, sizeof *w);
    lw_buf_init(&w->buf, mem, 0);
    w->kind = kind;
    w->format = format;
    lw_buf_fill(&w->buf, '\0', sizeof(struct head));
}

static void begin_section(struct lw_container_writer *w, size_t n)
{
    LW_BUG_ON(w->count == LW_CONTAINER_SECTIONS);
    w->sections[w->count].start = w->buf.n;
    w->sections[w->count].size = n;
    w->count++;
}

void lw_container_add(struct lw_container_writer *w, const void *bytes, size_t n)
{
    begin_section(w, n);
    lw_buf_add(&w->buf, lw_str_n(bytes, n));
    lw_buf_fill(&w->buf, '\0', (ALIGN - w->buf.n % ALIGN) % ALIGN);
}

size_t lw_container_leave(struct lw_container_writer *w, size_t n)
{
    size_t start = w->buf.n;
    begin_section(w, n);
    if (lw_buf_room(&w->buf, n))
        lw_buf_took(&w->buf, n);
    lw_buf_fill(&w->buf, '\0', (ALIGN - w->buf.n % ALIGN) % ALIGN);
    return start;
}

void lw_container_be_lazy(struct lw_container_writer *w)
{
    size_t over = w->buf.n % LW_CONTAINER_BLOCK;
    lw_buf_fill(&w->buf, '\0', over ? LW_CONTAINER_BLOCK - over : 0);
    w->lazy = w->buf.n;
}

/* Of everything but the lazy sections. */
static uint64_t whole_checksum(struct lw_str image, uint64_t lazy, uint64_t lazy_end,
                               uint32_t kind)
{
    uint64_t sum = lw_checksum(lw_str_part(image, 0, (size_t)lazy), kind);
    return lazy_end == image.n ? sum : lw_checksum(lw_str_from(image, (size_t)lazy_end), sum);
}

static void add_block_checksums(struct lw_container_writer *w, const struct head *head)
{
    size_t end = (size_t)head->lazy_end;
    for (size_t at = (size_t)head->lazy; at < end && !w->buf.failed; at += LW_CONTAINER_BLOCK) {
        size_t n = end - at < LW_CONTAINER_BLOCK ? end - at : LW_CONTAINER_BLOCK;
        uint64_t sum = lw_checksum(lw_str_n(w->buf.p + at, n), w->kind);
        lw_buf_add(&w->buf, lw_str_n((const char *)&sum, sizeof sum));
    }
}

int lw_container_finish(struct lw_container_writer *w, struct lw_err *err)
{
    struct head head = {.magic = MAGIC, .kind = w->kind, .format = w->format};
    head.count = w->count;
    head.lazy = w->lazy ? w->lazy : w->buf.n;
    head.lazy_end = w->buf.n;
    memcpy(head.sections, w->sections, sizeof head.sections);
    add_block_checksums(w, &head);
    head.size = w->buf.n + sizeof(struct foot);
    if (!w->buf.failed)
        memcpy(w->buf.p, &head, sizeof head);
    w->checksum = w->buf.failed
                      ? 0
                      : whole_checksum(lw_buf_str(&w->buf), head.lazy, head.lazy_end, w->kind);
    struct foot foot = {w->checksum, w->kind, MAGIC};
    lw_buf_add(&w->buf, lw_str_n((const char *)&foot, sizeof foot));
    if (w->buf.failed == LW_ELIMIT)
        return lw_err_set(err, LW_ELIMIT, "a part of the index is larger than 1 GB");
    return w->buf.failed ? lw_err_nomem(err) : 0;
}

void lw_container_abandon(struct lw_container_writer *w)
{
    lw_buf_release(&w->buf);
}

/* ---- Reading ----------------------------------------------------------------------------- */

static const struct head *head_of(const struct lw_container *c)
{
    return (const struct head *)(const void *)c->p;
}

static size_t block_count(const struct head *h)
{
    return (size_t)((h->lazy_end - h->lazy + LW_CONTAINER_BLOCK - 1) / LW_CONTAINER_BLOCK);
}

/* Everything is inside, nothing but perhaps lazy sections was changed since it was written. */
static bool is_whole(const struct lw_container *c, uint32_t kind, uint64_t format)
{
    const struct head *h = head_of(c);
    struct foot foot;
    if (c->n < sizeof *h + sizeof foot || h->magic != MAGIC || h->kind != kind ||
        h->format != format || h->size != c->n || h->count > LW_CONTAINER_SECTIONS)
        return false;
    memcpy(&foot, c->p + c->n - sizeof foot, sizeof foot);
    if (foot.magic != MAGIC || foot.kind != kind)
        return false;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->sections[i].start > c->n || h->sections[i].size > c->n - h->sections[i].start ||
            h->sections[i].start % ALIGN)
            return false;
    size_t body = c->n - sizeof foot;
    if (h->lazy > h->lazy_end || h->lazy_end > body ||
        (body - h->lazy_end) / sizeof(uint64_t) != block_count(h))
        return false;
    return whole_checksum(lw_str_n(c->p, body), h->lazy, h->lazy_end, kind) == foot.checksum;
}

static uint64_t checksum_of(const struct lw_container *c)
{
    struct foot foot;
    memcpy(&foot, c->p + c->n - sizeof foot, sizeof foot);
    return foot.checksum;
}

int lw_container_take(struct lw_container *c, struct lw_container_writer *w, struct lw_err *err)
{
    if (w->buf.failed)
        return lw_err_nomem(err);
    *c = (struct lw_container){w->buf.mem, w->buf.p, w->buf.n, w->buf.room, 0};
    c->checksum = checksum_of(c);
    lw_buf_init(&w->buf, c->mem, 0);
    return 0;
}

static int unusable(struct lw_err *err, const char *path)
{
    return lw_err_set(err, LW_ECORRUPT, "'%s' is damaged or from another version", path);
}

int lw_container_open(struct lw_container *c, const char *path, uint32_t kind, uint64_t format,
                      struct lw_err *err)
{
    struct stat st;
    memset(c, 0, sizeof *c);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return lw_err_system(err, errno, "cannot open", lw_str(path));
    void *p = MAP_FAILED;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
        p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (p == MAP_FAILED)
        return unusable(err, path);
    *c = (struct lw_container){.p = p, .n = (size_t)st.st_size};
    if (!is_whole(c, kind, format)) {
        lw_container_close(c);
        return unusable(err, path);
    }
    c->checksum = checksum_of(c);
    return 0;
}

void lw_container_close(struct lw_container *c)
{
    if (c->owned)
        lw_mem_free(c->mem, (void *)(uintptr_t)c->p, c->owned);
    else if (c->p)
        munmap((void *)(uintptr_t)c->p, c->n);
    memset(c, 0, sizeof *c);
}

struct lw_str lw_container_section(const struct lw_container *c, uint32_t number)
{
    const struct head *h = head_of(c);
    if (number >= h->count)
        return LW_S("");
    return lw_str_n(c->p + h->sections[number].start, (size_t)h->sections[number].size);
}

const void *lw_container_array(const struct lw_container *c, uint32_t number, size_t size,
                               size_t *n)
{
    struct lw_str bytes = lw_container_section(c, number);
    *n = bytes.n / size;
    return bytes.p;
}

/* ---- Lazy sections ----------------------------------------------------------------------- */

size_t lw_container_blocks(const struct lw_container *c)
{
    return block_count(head_of(c));
}

bool lw_container_block(const struct lw_container *c, size_t block)
{
    const struct head *h = head_of(c);
    uint64_t sum, start = h->lazy + block * LW_CONTAINER_BLOCK;
    size_t n = h->lazy_end - start < LW_CONTAINER_BLOCK ? (size_t)(h->lazy_end - start)
                                                        : LW_CONTAINER_BLOCK;
    memcpy(&sum, c->p + h->lazy_end + block * sizeof sum, sizeof sum);
    return lw_checksum(lw_str_n(c->p + start, n), h->kind) == sum;
}

size_t lw_container_block_of(const struct lw_container *c, const void *p)
{
    return (size_t)((const char *)p - c->p - (ptrdiff_t)head_of(c)->lazy) / LW_CONTAINER_BLOCK;
}
