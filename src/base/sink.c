#include "base/sink.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"

struct lw_sink lw_sink_file(FILE *file)
{
    return (struct lw_sink){.file = file};
}

struct lw_sink lw_sink_buf(struct lw_buf *buf)
{
    return (struct lw_sink){.buf = buf};
}

void lw_put(struct lw_sink *s, struct lw_str text)
{
    if (s->error || text.n == 0)
        return;
    if (s->buf) {
        int rc = lw_buf_add(s->buf, text);
        if (rc < 0)
            s->error = rc == LW_ENOMEM ? ENOMEM : EFBIG;
        return;
    }
    errno = 0;
    if (fwrite(text.p, 1, text.n, s->file) != text.n)
        s->error = errno ? errno : EIO;
}

void lw_putz(struct lw_sink *s, const char *z)
{
    lw_put(s, lw_str(z));
}

void lw_put_char(struct lw_sink *s, char c)
{
    lw_put(s, lw_str_n(&c, 1));
}

void lw_put_fill(struct lw_sink *s, char c, size_t n)
{
    char run[64];
    memset(run, c, sizeof run);
    for (; n > sizeof run; n -= sizeof run)
        lw_put(s, lw_str_n(run, sizeof run));
    lw_put(s, lw_str_n(run, n));
}

void lw_putf(struct lw_sink *s, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (s->buf) {
        int rc = s->error ? 0 : lw_buf_vaddf(s->buf, fmt, args);
        if (rc < 0)
            s->error = rc == LW_ENOMEM ? ENOMEM : EFBIG;
    } else if (!s->error) {
        errno = 0;
        if (vfprintf(s->file, fmt, args) < 0)
            s->error = errno ? errno : EIO;
    }
    va_end(args);
}

/* Length of the front of `text` that may be printed as it is. */
static size_t harmless(struct lw_str text, bool keep_lines)
{
    size_t at = 0;
    while (at < text.n) {
        uint32_t point = 0;
        if (text.p[at] >= 0x20 && text.p[at] < 0x7f) { /* nearly all there is */
            at++;
            continue;
        }
        size_t n = lw_utf8_decode(lw_str_from(text, at), &point);
        bool kept = keep_lines && (point == '\n' || point == '\t');
        if (n == 0 || (lw_utf8_is_unsafe(point) && !kept))
            break;
        at += n;
    }
    return at;
}

void lw_put_safe(struct lw_sink *s, struct lw_str text, bool keep_lines)
{
    while (text.n) {
        size_t n = harmless(text, keep_lines);
        lw_put(s, lw_str_part(text, 0, n));
        text = lw_str_from(text, n);
        if (text.n == 0)
            break;
        uint32_t point;
        size_t bad = lw_utf8_decode(text, &point);
        for (size_t i = 0; i < (bad ? bad : 1); i++)
            lw_putf(s, "\\x%02X", (unsigned)(unsigned char)text.p[i]);
        text = lw_str_from(text, bad ? bad : 1);
    }
}

int lw_sink_finish(struct lw_sink *s, struct lw_err *err)
{
    if (s->file && !s->error) {
        errno = 0;
        if (fflush(s->file) != 0)
            s->error = errno ? errno : EIO;
    }
    if (!s->error)
        return 0;
    char reason[128];
    return lw_err_set(err, s->error == ENOMEM ? LW_ENOMEM : LW_EIO, "cannot write output: %s",
                      strerror_r(s->error, reason, sizeof reason));
}
