/* Any bytes are a trace or an error, also behind a right checksum; what is read hangs together.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "source_invariants.h"
#include "trace/block.h"
#include "trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const lw_trace *t)
{
    for (size_t i = 0; i < lw_trace_series_count(t); i++) {
        const struct lw_trace_series *s = lw_trace_series_at(t, i);
        INVARIANT(lw_trace_name_of(t, s->name.id) != NULL);
        INVARIANT(s->name.role < LW_SERIES_ROLES && s->name.role != LW_SERIES_EVENT);
        INVARIANT(s->n == 0 || (s->points != NULL) != (s->rows != NULL));
        for (size_t k = 0; k < s->n; k++)
            INVARIANT((s->points ? s->points[k].step : s->rows[k].step) <= lw_trace_steps(t));
    }
}

static void read_as_file(struct lw_str content)
{
    char path[64];
    struct lw_err err;
    lw_trace *t = NULL;
    int fd = memfd_create("trace", MFD_CLOEXEC);
    INVARIANT(fd >= 0 && write(fd, content.p, content.n) == (ssize_t)content.n);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (lw_trace_read(&t, NULL, path, &err) == 0)
        check(t);
    lw_trace_free(t);
    close(fd);
}

/* A name for every id below 8, then the bytes as a block of the kind of the first one. */
static void read_as_block(struct lw_str bytes)
{
    struct lw_buf file;
    lw_buf_init(&file, NULL, 0);
    lw_buf_add(&file, lw_str_n(LW_TRACE_MAGIC, LW_TRACE_MAGIC_SIZE));
    lw_block_put(
        &file, LW_BLOCK_NAMES,
        LW_S("{\"id\":0,\"role\":\"metric\",\"name\":\"loss\"}\n"
             "{\"id\":1,\"role\":\"weight\",\"name\":\"w\",\"layer\":\"fc\",\"line\":3}\n"
             "{\"id\":2,\"role\":\"event\",\"name\":\"step\"}\n"));
    lw_block_put(&file, (enum lw_block_kind)(bytes.p[0] & 7), lw_str_from(bytes, 1));
    read_as_file(lw_buf_str(&file));
    lw_buf_release(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_str text = lw_str_n((const char *)data, size);
    read_as_file(text);
    if (size)
        read_as_block(text);
    return 0;
}
