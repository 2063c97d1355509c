#include "sandbox/filter.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"

/* Names the running libseccomp does not know are skipped: the kernel lacks them too, or
 * they are newer than both and need privileges that a confined program does not have. */
static const char *const denied[] = {
    /* the file system's shape */
    "mount",
    "umount",
    "umount2",
    "pivot_root",
    "chroot",
    "move_mount",
    "open_tree",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "mount_setattr",
    "open_by_handle_at",
    "name_to_handle_at",
    "swapon",
    "swapoff",
    "quotactl",
    "quotactl_fd",
    "fanotify_init",
    "lookup_dcookie",
    /* other processes, other namespaces */
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "kcmp",
    "pidfd_getfd",
    "unshare",
    "setns",
    /* the kernel */
    "bpf",
    "perf_event_open",
    "kexec_load",
    "kexec_file_load",
    "init_module",
    "finit_module",
    "delete_module",
    "create_module",
    "get_kernel_syms",
    "query_module",
    "nfsservctl",
    "_sysctl",
    "sysfs",
    "uselib",
    "ustat",
    "userfaultfd",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "memfd_secret",
    "syslog",
    "acct",
    "vhangup",
    "reboot",
    /* keys, clocks, ports, names */
    "add_key",
    "request_key",
    "keyctl",
    "settimeofday",
    "clock_settime",
    "clock_settime64",
    "clock_adjtime",
    "clock_adjtime64",
    "adjtimex",
    "stime",
    "iopl",
    "ioperm",
    "modify_ldt",
    "vm86",
    "vm86old",
    "sethostname",
    "setdomainname",
};

/* All that make a new namespace, CLONE_NEWTIME (0x80) aside: in clone's flags that bit belongs
 * to the exit signal. */
static const uint64_t new_namespaces[] = {
    CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,    CLONE_NEWNET,
    CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP,
};

/* Made by a process, but belonging to none. */
static const char *const denied_ipc[] = {"shmget", "msgget", "semget", "mq_open"};

/* Told that they do not exist, libraries use a file instead. */
static const char *const denied_uncounted[] = {"memfd_create"};

/* The C library then writes what it was asked to reserve, which takes its time. */
static const char *const denied_fallocate[] = {"fallocate"};

static int deny_names(scmp_filter_ctx ctx, const char *const *names, size_t count,
                      unsigned error)
{
    for (size_t i = 0; i < count; i++) {
        int number = seccomp_syscall_resolve_name(names[i]);
        if (number == __NR_SCMP_ERROR)
            continue;
        int rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(error), number, 0);
        if (rc < 0 && rc != -EDOM)
            return rc;
    }
    return 0;
}

#define NAMES(a) (a), sizeof(a) / sizeof *(a)

static int deny_all_names(scmp_filter_ctx ctx, unsigned flags)
{
    int rc = deny_names(ctx, NAMES(denied), EPERM);
    if (rc == 0 && (flags & (FILTER_NO_IPC | FILTER_NO_UNCOUNTED)))
        rc = deny_names(ctx, NAMES(denied_ipc), ENOSYS);
    if (rc == 0 && (flags & FILTER_NO_UNCOUNTED))
        rc = deny_names(ctx, NAMES(denied_uncounted), ENOSYS);
    if (rc == 0 && (flags & FILTER_NO_FALLOCATE))
        rc = deny_names(ctx, NAMES(denied_fallocate), EOPNOTSUPP);
    return rc;
}

/* Larger buffers of sockets are memory of the kernel. Asking for them seems to succeed, as it
 * does where the machine has a limit of its own. */
static int keep_small_buffers(scmp_filter_ctx ctx)
{
    const uint64_t names[] = {SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE};
    int rc = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && rc == 0; i++)
        rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(0), SCMP_SYS(setsockopt), 2,
                              SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, SOL_SOCKET),
                              SCMP_A2(SCMP_CMP_MASKED_EQ, 0xffffffff, names[i]));
    return rc;
}

static int deny_namespaces(scmp_filter_ctx ctx)
{
    int rc = 0;
#if defined(__s390x__)
    const unsigned flags = 1;
#else
    const unsigned flags = 0;
#endif
    for (size_t i = 0; i < sizeof new_namespaces / sizeof *new_namespaces && rc == 0; i++)
        rc = seccomp_rule_add(
            ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
            SCMP_CMP(flags, SCMP_CMP_MASKED_EQ, new_namespaces[i], new_namespaces[i]));
    /* clone3 hides its flags behind a pointer; told that it does not exist, libc uses clone. */
    if (rc == 0)
        rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    return rc;
}

static struct scmp_arg_cmp family_is(enum scmp_compare op, unsigned family)
{
    return (struct scmp_arg_cmp){.arg = 0, .op = op, .datum_a = family};
}

/* A network namespace does not bind all families: AF_VSOCK reaches the host of a virtual
 * machine. Left are local, internet and netlink sockets. */
static int deny_sockets(scmp_filter_ctx ctx, bool deny_inet)
{
    int rc = 0;
    for (unsigned family = 0; family <= AF_NETLINK && rc == 0; family++) {
        bool inet = family == AF_INET || family == AF_INET6;
        if (family == AF_UNIX || family == AF_NETLINK || (inet && !deny_inet))
            continue;
        rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                              family_is(SCMP_CMP_EQ, family));
    }
    if (rc == 0)
        rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                              family_is(SCMP_CMP_GT, AF_NETLINK));
    return rc;
}

/* Typing into the terminal we may be running on. The kernel looks at 32 bits of the request. */
static int deny_terminal(scmp_filter_ctx ctx)
{
    const uint64_t requests[] = {TIOCSTI, TIOCLINUX};
    int rc = 0;
    for (size_t i = 0; i < 2 && rc == 0; i++)
        rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                              SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, requests[i]));
    return rc;
}

static int export_code(struct filter *out, struct lw_mem *mem, scmp_filter_ctx ctx)
{
    int fd = memfd_create("filter", MFD_CLOEXEC);
    if (fd < 0)
        return -errno;
    int rc = seccomp_export_bpf(ctx, fd);
    off_t end = rc < 0 ? -1 : lseek(fd, 0, SEEK_END);
    if (rc == 0 && end > 0) {
        out->bytes = (size_t)end;
        out->code = lw_mem_alloc(mem, out->bytes);
        if (!out->code)
            rc = -ENOMEM;
        else if (pread(fd, out->code, out->bytes, 0) != end)
            rc = -EIO;
    }
    close(fd);
    return rc < 0 ? rc : end > 0 ? 0 : -EIO;
}

int filter_build(struct filter *out, struct lw_mem *mem, unsigned flags, struct lw_err *err)
{
    *out = (struct filter){0};
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
    if (!ctx)
        return lw_err_nomem(err);
    int rc = deny_all_names(ctx, flags);
    if (rc == 0 && (flags & FILTER_NO_UNCOUNTED))
        rc = keep_small_buffers(ctx);
    if (rc == 0)
        rc = deny_namespaces(ctx);
    if (rc == 0)
        rc = deny_sockets(ctx, (flags & FILTER_NO_INET) != 0);
    if (rc == 0)
        rc = deny_terminal(ctx);
    if (rc == 0)
        rc = export_code(out, mem, ctx);
    seccomp_release(ctx);
    if (rc == 0)
        return 0;
    filter_release(out, mem);
    return lw_err_system(err, -rc, "cannot build",
                         (struct lw_str){"the system call filter", 22});
}

void filter_release(struct filter *f, struct lw_mem *mem)
{
    lw_mem_free(mem, f->code, f->bytes);
    *f = (struct filter){0};
}

int filter_install(const struct filter *f)
{
    struct sock_fprog program = {.len = (unsigned short)(f->bytes / sizeof(struct sock_filter)),
                                 .filter = f->code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return errno;
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
        return errno;
    return 0;
}
