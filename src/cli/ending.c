#include "cli/ending.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/leftover.h"
#include "base/log.h"

enum { INTERRUPTED = 130, NO_READER = 141, STACK = 256 * 1024 };

static const double LOOK_SECONDS = 0.01;
static const double TIDY_SECONDS = 0.1; /* for a command to notice the cancel flag */
static const double RUN_SECONDS = 0.6;  /* for programs in the sandbox to be gone */
static const double ALL_SECONDS = 0.9;  /* for all, also where the disk is busy */

/* The one mutable global: a signal handler can reach nothing else. */
static struct {
    atomic_bool set;
    atomic_int code;  /* of the first signal */
    atomic_bool told; /* the line is printed */
    sem_t wake;
} interrupted;

static void on_signal(int number)
{
    int none = 0;
    atomic_compare_exchange_strong(&interrupted.code, &none,
                                   number == SIGPIPE ? NO_READER : INTERRUPTED);
    atomic_store(&interrupted.set, true);
    sem_post(&interrupted.wake);
}

/* Not by stdio: the thread that holds a stream's lock may be stuck in a write. And not where
 * nobody reads: that would wait. */
static void tell(const char *what)
{
    struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (atomic_load(&interrupted.code) != INTERRUPTED ||
        atomic_exchange(&interrupted.told, true))
        return;
    if (poll(&out, 1, 0) == 1 && (out.revents & POLLOUT))
        dprintf(STDERR_FILENO, "lacewing: error: %s\n", what);
}

static void *end_in_time(void *unused)
{
    const struct timespec look = {.tv_nsec = (long)(LOOK_SECONDS * 1e9)};
    double waited = 0;
    (void)unused;
    while (sem_wait(&interrupted.wake) < 0)
        ;
    while (waited < TIDY_SECONDS || (waited < RUN_SECONDS && lw_leftover_has_runs())) {
        nanosleep(&look, NULL);
        waited += LOOK_SECONDS;
    }
    lw_leftover_remove_all(ALL_SECONDS - waited);
    tell("interrupted");
    _exit(atomic_load(&interrupted.code));
}

/* Where no thread can be made the flag alone has to do, and a second signal. */
static bool start_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    if (sem_init(&interrupted.wake, 0, 0) < 0 || pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int error = pthread_create(&thread, &attributes, end_in_time, NULL);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

static void hear(int number, int flags)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags}, old;
    sigemptyset(&action.sa_mask);
    if (number != SIGPIPE && sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return;
    sigaction(number, &action, NULL);
}

const atomic_bool *ending_listen(void)
{
    int flags = start_thread() ? SA_RESTART : (int)SA_RESETHAND;
    hear(SIGINT, flags);
    hear(SIGTERM, flags);
    hear(SIGHUP, flags);
    hear(SIGPIPE, flags);
    return &interrupted.set;
}

int ending_code(int code, const struct lw_err *err)
{
    if (atomic_load(&interrupted.set)) {
        tell(code == LW_ECANCEL ? err->text : "interrupted");
        return atomic_load(&interrupted.code);
    }
    if (code >= 0)
        return code;
    struct lw_log log = {stderr, LW_LOG_ERROR};
    lw_log(&log, LW_LOG_ERROR, "%s", err->text);
    return lw_exit_code(code);
}
