#include "sandbox/room.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "sandbox/dir.h"

enum {
    ENTRIES_ROOM = 2048,   /* bytes of directory entries at a time, one buffer for each level */
    LINK_ROOM = 4096,      /* the longest target of a symbolic link */
    PAGE = 4096,           /* a tmpfs gives whole pages; larger ones only make it roomier */
    BYTES_AN_INODE = 8192, /* each takes about 1 KiB of the kernel's memory */
    FEWEST_INODES = 4096,
    PIECE = 1 << 20
};

/* ---- In the process that becomes the program (async-signal-safe)
 * --------------------------------------------------------------------------------------------
 */

static int write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    size_t n = strlen(text);
    int error = write(fd, text, n) == (ssize_t)n ? 0 : errno ? errno : EIO;
    close(fd);
    return error;
}

static int own_namespaces(const struct room *r)
{
    if (unshare(CLONE_NEWNS | (r->user ? CLONE_NEWUSER : 0)) < 0)
        return errno;
    int error = 0;
    if (r->user) {
        error = write_text("/proc/self/uid_map", r->map);
        if (error == 0)
            error = write_text("/proc/self/setgroups", "deny");
        if (error == 0)
            error = write_text("/proc/self/gid_map", r->group_map);
    }
    if (error == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        error = errno;
    return error;
}

static int own(const struct room *r, int fd, mode_t mode)
{
    if (!r->user && fchown(fd, r->uid, r->uid) < 0)
        return errno;
    return fchmod(fd, mode & 07777) < 0 ? errno : 0;
}

static int copy_file(const struct room *r, int from, int to, const char *name, mode_t mode)
{
    int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (in < 0)
        return errno;
    int out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int error = out < 0 ? errno : 0;
    ssize_t n = 1;
    while (error == 0 && n > 0) {
        n = sendfile(out, in, NULL, PIECE);
        if (n < 0 && errno != EINTR)
            error = errno;
        else if (n < 0)
            n = 1;
    }
    if (error == 0)
        error = own(r, out, mode);
    if (out >= 0)
        close(out);
    close(in);
    return error;
}

static int copy_link(const struct room *r, int from, int to, const char *name)
{
    char target[LINK_ROOM];
    ssize_t n = readlinkat(from, name, target, sizeof target);
    if (n < 0 || n == (ssize_t)sizeof target)
        return n < 0 ? errno : ENAMETOOLONG;
    target[n] = '\0';
    if (symlinkat(target, to, name) < 0)
        return errno;
    if (!r->user && fchownat(to, name, r->uid, r->uid, AT_SYMLINK_NOFOLLOW) < 0)
        return errno;
    return 0;
}

static int copy_folder(const struct room *r, int from, int to, unsigned depth);

static int copy_entry(const struct room *r, int from, int to, const char *name, unsigned depth)
{
    struct stat st;
    if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno;
    if (S_ISREG(st.st_mode))
        return copy_file(r, from, to, name, st.st_mode);
    if (S_ISLNK(st.st_mode))
        return copy_link(r, from, to, name);
    if (!S_ISDIR(st.st_mode))
        return 0; /* devices, pipes and sockets are not content */
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int error = mkdirat(to, name, 0700) < 0 ? errno : 0;
    int in = error ? -1 : openat(from, name, flags);
    int out = in < 0 ? -1 : openat(to, name, flags);
    if (error == 0 && out < 0)
        error = errno;
    if (error == 0)
        error = copy_folder(r, in, out, depth + 1);
    if (error == 0)
        error = own(r, out, st.st_mode);
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return error;
}

static int copy_folder(const struct room *r, int from, int to, unsigned depth)
{
    _Alignas(struct dirent64) char entries[ENTRIES_ROOM];
    ssize_t got;
    if (depth == DIR_DEPTH)
        return ELOOP;
    while ((got = getdents64(from, entries, sizeof entries)) > 0) {
        for (ssize_t at = 0; at < got;) {
            const struct dirent64 *entry = (const void *)(entries + at);
            at += entry->d_reclen;
            if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
                continue;
            int error = copy_entry(r, from, to, entry->d_name, depth);
            if (error)
                return error;
        }
    }
    return got < 0 ? errno : 0;
}

/* A folder of the tmpfs for everybody, or for the program alone. */
static int make_folder(const struct room *r, int top, const char *name, mode_t mode)
{
    if (mkdirat(top, name, 0700) < 0)
        return errno;
    int fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = fd < 0 ? errno : own(r, fd, mode);
    if (fd >= 0)
        close(fd);
    return error;
}

/* A message of one byte that carries one descriptor. */
struct parcel {
    struct msghdr message;
    struct iovec part;
    char byte;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
};

static void parcel_init(struct parcel *p)
{
    memset(p, 0, sizeof *p);
    p->part = (struct iovec){.iov_base = &p->byte, .iov_len = 1};
    p->message = (struct msghdr){.msg_iov = &p->part,
                                 .msg_iovlen = 1,
                                 .msg_control = p->control.bytes,
                                 .msg_controllen = sizeof p->control.bytes};
}

static int send_descriptor(int socket, int fd)
{
    struct parcel p;
    parcel_init(&p);
    struct cmsghdr *header = CMSG_FIRSTHDR(&p.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    return sendmsg(socket, &p.message, MSG_NOSIGNAL) == 1 ? 0 : errno;
}

/* The folders of the tmpfs and what was given, from the folder that it hides. */
static int furnish(const struct room *r, int given, int top)
{
    struct stat st;
    if (fstat(given, &st) < 0)
        return errno;
    int work = top, error = 0;
    if (!r->bare) {
        error = make_folder(r, top, ROOM_TMP, 01777);
        if (error == 0)
            error = make_folder(r, top, ROOM_SHM, 01777);
        if (error == 0)
            error = make_folder(r, top, ROOM_WORK, 0700);
        work = error ? -1 : openat(top, ROOM_WORK, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (error == 0 && work < 0)
            error = errno;
    }
    if (error == 0)
        error = copy_folder(r, given, work, 0);
    if (error == 0)
        error = own(r, work, st.st_mode | 0700);
    if (work >= 0 && work != top)
        close(work);
    return error;
}

int room_enter(const struct room *r)
{
    int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    int error = own_namespaces(r);
    int given = error ? -1 : open(r->dir, flags);
    if (error == 0 && given < 0)
        error = errno;
    if (error == 0 && mount("tmpfs", r->dir, "tmpfs", MS_NOSUID | MS_NODEV, r->options) < 0)
        error = errno;
    int top = error ? -1 : open(r->dir, flags);
    if (error == 0 && top < 0)
        error = errno;
    if (error == 0)
        error = furnish(r, given, top);
    if (error == 0)
        error = send_descriptor(r->ends[1], top);
    if (error == 0 && r->bare && fchdir(top) < 0)
        error = errno;
    if (given >= 0)
        close(given);
    if (top >= 0)
        close(top);
    return error;
}

/* ---- On our side
 * --------------------------------------------------------------------------------------------
 */

int room_open(struct room *r, const char *dir, uint64_t disk_bytes, uid_t uid, bool user,
              bool bare)
{
    *r = (struct room){
        .dir = dir, .bare = bare, .user = user, .uid = uid, .ends = {-1, -1}, .fd = -1};
    struct dir_size size;
    if (!dir_measure(dir, &size))
        return LW_EIO;
    r->given = size.bytes;
    uint64_t bytes = (disk_bytes + PAGE - 1) / PAGE * PAGE;
    uint64_t inodes = bytes / BYTES_AN_INODE;
    if (inodes < FEWEST_INODES)
        inodes = FEWEST_INODES;
    snprintf(r->options, sizeof r->options, "size=%llu,nr_inodes=%llu,mode=0755",
             (unsigned long long)(bytes + size.bytes),
             (unsigned long long)(inodes + size.entries));
    /* Bubblewrap wants to be root of the namespace; a program of ours must not be. */
    unsigned long inside = bare ? (unsigned long)geteuid() : 0;
    unsigned long inside_group = bare ? (unsigned long)getegid() : 0;
    snprintf(r->map, sizeof r->map, "%lu %lu 1", inside, (unsigned long)geteuid());
    snprintf(r->group_map, sizeof r->group_map, "%lu %lu 1", inside_group,
             (unsigned long)getegid());
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, r->ends) < 0 ? LW_EIO : 0;
}

static int receive_descriptor(int socket)
{
    struct parcel p;
    int fd = -1;
    parcel_init(&p);
    if (recvmsg(socket, &p.message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1)
        return -1;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&p.message);
    if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof fd))
        memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
}

void room_look(struct room *r, struct room_state *out)
{
    struct statfs fs;
    *out = (struct room_state){0};
    if (!r->dir)
        return;
    if (r->fd < 0)
        r->fd = receive_descriptor(r->ends[0]);
    if (r->fd < 0 || fstatfs(r->fd, &fs) < 0)
        return;
    uint64_t used = (uint64_t)(fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize;
    out->written = used > r->given ? used - r->given : 0;
    out->full = fs.f_bfree == 0 || fs.f_ffree == 0;
}

void room_release(struct room *r)
{
    if (!r->dir)
        return;
    for (size_t i = 0; i < 2; i++)
        if (r->ends[i] >= 0)
            close(r->ends[i]);
    if (r->fd >= 0)
        close(r->fd);
    *r = (struct room){.ends = {-1, -1}, .fd = -1};
}
