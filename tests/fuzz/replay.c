/*
 * A main for fuzz targets without libFuzzer: runs the target over files and over the files of
 * folders (in byte order of their names, so that a crash is found again), then prints how many.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static unsigned long count;

static int complain(const char *path)
{
    fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
    return 2;
}

/* The input is copied to a block of exactly its size, so that ASan sees reads past its end. */
static int replay_file(const char *path, size_t size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(size ? size : 1);
    if (!f || !data) {
        if (f)
            fclose(f);
        free(data);
        return complain(path);
    }
    size_t got = fread(data, 1, size, f);
    fclose(f);
    uint8_t *exact = realloc(data, got ? got : 1);
    fprintf(stderr, "replay: %s (%zu bytes)\n", path, got);
    LLVMFuzzerTestOneInput(exact ? exact : data, got);
    free(exact ? exact : data);
    count++;
    return 0;
}

static int replay(const char *path, int depth);

static int replay_folder(const char *path, int depth)
{
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0)
        return complain(path);
    int code = 0;
    for (int i = 0; i < n; i++) {
        char below[4096];
        int length = snprintf(below, sizeof below, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && length > 0 && (size_t)length < sizeof below &&
            replay(below, depth + 1) != 0)
            code = 2;
        free(entries[i]);
    }
    free(entries);
    return code;
}

static int replay(const char *path, int depth)
{
    struct stat st;
    if (stat(path, &st) != 0 || depth > 8)
        return complain(path);
    if (S_ISDIR(st.st_mode))
        return replay_folder(path, depth);
    return replay_file(path, (size_t)st.st_size);
}

int main(int argc, char **argv)
{
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    int code = 0;
    for (int i = 1; i < argc; i++)
        if (replay(argv[i], 0) != 0)
            code = 2;
    printf("%lu inputs\n", count);
    return code;
}
