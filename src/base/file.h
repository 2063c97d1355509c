/*
 * file - reading and writing files and folders.
 *
 * Paths are NUL-terminated. Failures name the path. Writes are atomic: a reader sees the old
 * content or the new, never a part, also after a crash or a full disk.
 */
#ifndef LW_BASE_FILE_H
#define LW_BASE_FILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "lacewing.h"

/* The whole file into `arena`, NUL-terminated. More than `max` bytes is LW_ELIMIT; "-" reads
 * standard input. A folder, a device that never ends, or an unreadable file is an error. */
int lw_file_read(struct lw_arena *arena, const char *path, size_t max, struct lw_str *content,
                 struct lw_err *err);

/* Replaces `path` by `content`: temporary file in its folder, fsync, rename, fsync of the
 * folder. The new file has `mode` less the umask. */
int lw_file_write(const char *path, struct lw_str content, unsigned mode, struct lw_err *err);

/* The same for a file that exists and was read as `was`: its mode stays, a link stays a link to
 * what is rewritten. A file that may not be written is LW_EIO even where its folder would allow
 * it; one that somebody has changed since it was read is LW_EBUSY and stays as it is. */
int lw_file_rewrite(const char *path, struct lw_str was, struct lw_str content,
                    struct lw_err *err);

/* Lines of a file of any size in bounded memory. */
struct lw_reader {
    int fd;
    size_t max_line;
    struct lw_buf buf; /* bytes read, the current line at `start` */
    size_t start;
    bool at_end;
    uint64_t line;    /* number of the line handed out last, from 1 */
    const char *path; /* borrowed */
};

/* A line over `max_line` bytes (without its line end) is LW_ELIMIT. */
int lw_reader_open(struct lw_reader *r, struct lw_mem *mem, const char *path, size_t max_line,
                   struct lw_err *err);
/* 1 and the line (borrowed until the next call, without its line end), 0 at the end, or
 * negative. */
int lw_reader_line(struct lw_reader *r, struct lw_str *line, struct lw_err *err);
void lw_reader_close(struct lw_reader *r);

enum lw_file_kind { LW_FILE_NONE, LW_FILE_REGULAR, LW_FILE_FOLDER, LW_FILE_OTHER };

/* What is at `path`, links followed; LW_FILE_NONE also when it cannot be looked at. */
enum lw_file_kind lw_file_kind(const char *path);

/* Creates the folder and its parents (mode 0777 less umask); fine when it exists. */
int lw_dir_make(const char *path, struct lw_err *err);
/* The folders that the file `path` lies in. */
int lw_dir_make_for(const char *path, struct lw_err *err);

typedef LW_VEC(struct lw_str) lw_str_vec;

/* Names in the folder in byte order, without "." and ".."; text in `arena`, list in `mem`, to
 * be released by the caller also after a failure. */
int lw_dir_list(struct lw_arena *arena, struct lw_mem *mem, const char *path, lw_str_vec *names,
                struct lw_err *err);
/* Fine for a folder that does not exist yet or is empty: what is written into it replaces
 * nothing. Else LW_EINVAL. */
int lw_dir_check_new(struct lw_mem *mem, const char *path, struct lw_err *err);

/* All regular files below the folder as relative paths in byte order. Symbolic links and
 * special files are LW_EINVAL when `strict`, else left out. At most `max_files`, 64 levels
 * deep. */
int lw_dir_walk(struct lw_arena *arena, struct lw_mem *mem, const char *path, bool strict,
                size_t max_files, lw_str_vec *files, struct lw_err *err);

/* Removes the folder and what is in it, of any depth and also behind locked folders of ours;
 * follows no links. Fine when it does not exist. */
int lw_dir_remove(const char *path, struct lw_err *err);

/* Sets `path` to a new private folder (mode 0700) below $TMPDIR or /tmp. */
int lw_temp_dir(struct lw_buf *path, struct lw_err *err);

#endif
