/*
 * Runs a program several times and prints what each run took.
 *
 * usage: bench_stopwatch RUNS PROGRAM [ARGUMENT...]
 *
 * One line per run: wall time in milliseconds, peak memory in KiB, exit code. The output of the
 * program is dropped. It is small itself, because the kernel counts the memory of the process
 * that starts a program as the least the program ever had.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int run_once(char **argv, const posix_spawn_file_actions_t *files)
{
    pid_t pid;
    int status;
    struct rusage usage;
    double begin = now();
    if (posix_spawn(&pid, argv[0], files, NULL, argv, environ) != 0) {
        perror(argv[0]);
        return 1;
    }
    if (wait4(pid, &status, 0, &usage) != pid)
        return 1;
    printf("%.3f %ld %d\n", now() - begin, usage.ru_maxrss,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench_stopwatch RUNS PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int code = 0;
    for (long runs = strtol(argv[1], NULL, 10); runs > 0 && code == 0; runs--)
        code = run_once(argv + 2, &files);
    posix_spawn_file_actions_destroy(&files);
    return code;
}
