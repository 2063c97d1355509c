#include "base/leftover.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

static struct {
    pthread_mutex_t lock;
    struct lw_leftover *first;
} leftovers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void insert(struct lw_leftover *l, const char *path)
{
    *l = (struct lw_leftover){path, leftovers.first, &leftovers.first};
    if (l->next)
        l->next->at = &l->next;
    leftovers.first = l;
}

void lw_leftover_begin(void)
{
    pthread_mutex_lock(&leftovers.lock);
}

void lw_leftover_end(struct lw_leftover *l, const char *path)
{
    *l = (struct lw_leftover){0};
    if (path)
        insert(l, path);
    pthread_mutex_unlock(&leftovers.lock);
}

void lw_leftover_add_run(struct lw_leftover *l)
{
    pthread_mutex_lock(&leftovers.lock);
    insert(l, NULL);
    pthread_mutex_unlock(&leftovers.lock);
}

void lw_leftover_drop(struct lw_leftover *l)
{
    pthread_mutex_lock(&leftovers.lock);
    if (l->at) {
        *l->at = l->next;
        if (l->next)
            l->next->at = l->at;
        *l = (struct lw_leftover){0};
    }
    pthread_mutex_unlock(&leftovers.lock);
}

bool lw_leftover_has_runs(void)
{
    bool found = false;
    pthread_mutex_lock(&leftovers.lock);
    for (const struct lw_leftover *l = leftovers.first; l && !found; l = l->next)
        found = !l->path;
    pthread_mutex_unlock(&leftovers.lock);
    return found;
}

static bool is_before(const struct timespec *until)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec < until->tv_sec ||
           (now.tv_sec == until->tv_sec && now.tv_nsec < until->tv_nsec);
}

void lw_leftover_remove_all(double seconds)
{
    struct timespec until;
    struct lw_err ignored;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (pthread_mutex_clocklock(&leftovers.lock, CLOCK_MONOTONIC, &until) != 0)
        return;
    /* Its maker may still put files into a folder, or be removing it too. */
    for (const struct lw_leftover *l = leftovers.first; l; l = l->next)
        if (l->path && unlink(l->path) < 0)
            while (lw_dir_remove(l->path, &ignored) < 0 && is_before(&until))
                ;
}
