#include "base/progress.h"

#include <inttypes.h>

#include "base/sink.h"
#include "base/str.h"
#include "base/utf8.h"

enum { BAR = 24 };

void lw_progress_init(struct lw_progress *p, struct lw_term term, struct lw_clock clock,
                      const char *label, uint64_t total)
{
    *p = (struct lw_progress){.term = term, .clock = clock, .label = label, .total = total};
    p->started = clock.seconds(clock.data);
    p->drawn = -1;
    pthread_mutex_init(&p->lock, NULL);
}

static void put_bar(struct lw_sink *out, uint64_t done, uint64_t total)
{
    size_t filled = total ? (size_t)((double)BAR * (double)done / (double)total) : 0;
    if (filled > BAR)
        filled = BAR;
    lw_put_char(out, '[');
    lw_put_fill(out, '#', filled);
    lw_put_fill(out, ' ', BAR - filled);
    lw_putz(out, "] ");
}

static void draw(struct lw_progress *p, double now, struct lw_str what)
{
    struct lw_buf line;
    lw_buf_init(&line, NULL, 0);
    struct lw_sink out = lw_sink_buf(&line);
    double passed = now - p->started;
    double rate = passed > 0 ? (double)p->done / passed : 0;
    lw_putf(&out, "%s ", p->label);
    if (p->total)
        put_bar(&out, p->done, p->total);
    lw_putf(&out, "%" PRIu64, p->done);
    if (p->total)
        lw_putf(&out, "/%" PRIu64, p->total);
    lw_putf(&out, rate >= 10 ? "  %.0f/s" : "  %.1f/s", rate);
    if (p->total && rate > 0 && p->done <= p->total) {
        double seconds = (double)(p->total - p->done) / rate + 0.5;
        uint64_t left = seconds < 1e15 ? (uint64_t)seconds : (uint64_t)1e15;
        lw_putf(&out, "  eta %" PRIu64 ":%02" PRIu64, left / 60, left % 60);
    }
    if (what.n) {
        lw_putz(&out, "  ");
        lw_put_safe(&out, what, false);
    }
    struct lw_str fit = lw_buf_str(&line);
    if (p->term.columns)
        fit = lw_utf8_fit(fit, p->term.columns - 1);
    fprintf(p->term.file, "\r\033[K%.*s", LW_F(fit));
    fflush(p->term.file);
    lw_buf_release(&line);
    p->shown = true;
    p->drawn = now;
}

void lw_progress_step(struct lw_progress *p, uint64_t n, struct lw_str what)
{
    pthread_mutex_lock(&p->lock);
    p->done += n;
    double now = p->clock.seconds(p->clock.data);
    if (p->term.is_tty && (p->drawn < 0 || now - p->drawn >= 0.1 || p->done == p->total))
        draw(p, now, what);
    pthread_mutex_unlock(&p->lock);
}

static void wipe(struct lw_progress *p)
{
    if (!p->shown)
        return;
    fputs("\r\033[K", p->term.file);
    fflush(p->term.file);
    p->shown = false;
}

void lw_progress_hide(struct lw_progress *p)
{
    pthread_mutex_lock(&p->lock);
    wipe(p);
    p->drawn = -1;
    pthread_mutex_unlock(&p->lock);
}

void lw_progress_finish(struct lw_progress *p)
{
    wipe(p);
    pthread_mutex_destroy(&p->lock);
}
