#include "base/clock.h"

#include <string.h>
#include <time.h>

static double system_seconds(void *data)
{
    (void)data;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int64_t system_wall(void *data)
{
    (void)data;
    return (int64_t)time(NULL);
}

static double thread_seconds(void *data)
{
    (void)data;
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct lw_clock lw_clock_thread(void)
{
    return (struct lw_clock){thread_seconds, system_wall, NULL};
}

struct lw_clock lw_clock_system(void)
{
    return (struct lw_clock){system_seconds, system_wall, NULL};
}

const char *lw_print_time(int64_t wall, char out[LW_TIME_TEXT])
{
    time_t t = (time_t)wall;
    struct tm tm;
    if (wall < -62135596800 || wall > 253402300799 || !gmtime_r(&t, &tm))
        return memcpy(out, "unknown", 8);
    size_t n = strftime(out, LW_TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &tm);
    /* glibc does not fill the year up to four digits. */
    size_t missing = (sizeof "0000-00-00T00:00:00Z" - 1) - n;
    memmove(out + missing, out, n + 1);
    memset(out, '0', missing);
    return out;
}
