/*
 * Hostile programs, each under every kind of confinement this machine has: the right end is
 * reported, nothing is left running, nothing is written outside. Run as root and as a user
 * (tests/scripts/test_sandbox_user).
 */
#include "check.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "sandbox/sandbox.h"

static const char *const PYTHON = "/usr/bin/python3";

struct level {
    const char *name;
    unsigned without;
    lw_sandbox *sandbox;
};

static struct level levels[] = {
    {"as good as it gets", 0, NULL},
    {"bwrap, polling", LW_SANDBOX_CGROUP, NULL},
    {"no bwrap", LW_SANDBOX_BWRAP, NULL},
    {"bwrap, polling of the disk too", LW_SANDBOX_CGROUP | LW_SANDBOX_ROOM, NULL},
    {"no bwrap, polling of the disk too",
     LW_SANDBOX_BWRAP | LW_SANDBOX_CGROUP | LW_SANDBOX_ROOM, NULL},
    {"rlimits and polling only",
     LW_SANDBOX_BWRAP | LW_SANDBOX_SECCOMP | LW_SANDBOX_CGROUP | LW_SANDBOX_ROOM, NULL},
};
enum { LEVELS = sizeof levels / sizeof *levels };

struct program {
    const char *name;
    const char *text; /* Python */
    enum lw_run_end end;
    int code;           /* exit code or signal */
    const char *output; /* what standard output must be, or NULL */
    bool strong_only;   /* no promise without bubblewrap */
    bool filter_only;   /* nor without the filter */
    bool room_only;     /* nor without a file system of bounded size */
    bool limits;        /* about memory and disk: under every level that differs there */
    bool roomy;         /* with more disk than memory */
    uint64_t processes; /* another limit on them */
    const char *never;  /* what standard output must not have, or NULL */
};

/* Holds `n` pieces of 1 MB made by `make`, and waits; one that is refused is taken as ordinary
 * memory instead. */
#define HOLD(n, make)                                   \
    "import ctypes, mmap, os, socket, time\n"           \
    "c = ctypes.CDLL(None, use_errno=True)\n"           \
    "c.shmat.restype = ctypes.c_void_p\n"               \
    "kept = []\n" make "for i in range(" #n "):\n"      \
    "    try: kept.append(make(i))\n"                   \
    "    except OSError: kept.append(b'x' * 1000000)\n" \
    "time.sleep(700)\n"

#define FORK_TREE(n, body)      \
    "import os, time\n"         \
    "for i in range(" #n "):\n" \
    "    if os.fork() == 0:\n"  \
    "        " body "\n"        \
    "time.sleep(700)\n"

static const struct program programs[] = {
    {"exits", "raise SystemExit(3)", LW_RUN_EXITED, 3, "", false, false},
    {"crashes", "import os; os.abort()", LW_RUN_SIGNALED, SIGABRT, NULL, false, false},
    {"kills itself", "import os; os.kill(os.getpid(), 9)", LW_RUN_SIGNALED, SIGKILL, NULL,
     false, false},
    {"forks without end",
     "import os\n"
     "while True:\n"
     "    try: os.fork()\n"
     "    except OSError: pass\n",
     LW_RUN_PROCESS_LIMIT, 0, NULL, false, false},
    {"forks without end into new sessions",
     "import os\n"
     "while True:\n"
     "    try:\n"
     "        if os.fork() == 0: os.setsid()\n"
     "    except OSError: pass\n",
     LW_RUN_PROCESS_LIMIT, 0, NULL, false, false},
    {"starts threads without end",
     "import threading, time\n"
     "while True:\n"
     "    try: threading.Thread(target=time.sleep, args=(700,)).start()\n"
     "    except RuntimeError: pass\n",
     LW_RUN_PROCESS_LIMIT, 0, NULL, false, false},
    {"prints without end", "while True: print('x' * 1000)", LW_RUN_OUTPUT_LIMIT, 0, NULL, false,
     false},
    {"prints errors without end",
     "import sys\n"
     "while True: print('x' * 1000, file=sys.stderr)",
     LW_RUN_OUTPUT_LIMIT, 0, NULL, false, false},
    {"eats memory",
     "kept = []\n"
     "while True: kept.append(b'x' * 5000000)",
     LW_RUN_MEMORY_LIMIT, 0, NULL, false, false},
    {"eats memory in many small processes",
     FORK_TREE(10, "kept = b'x' * 40000000; time.sleep(700)"), LW_RUN_MEMORY_LIMIT, 0, NULL,
     false, false},
    {"shares memory among processes",
     "import os, time\n"
     "kept = b'x' * 100000000\n"
     "children = [os.fork() for _ in range(2)]\n" /* four processes */
     "time.sleep(0.5)\n"
     "os._exit(0)\n",
     LW_RUN_EXITED, 0, "", false, false},
    {"ignores signals",
     "import signal, time\n"
     "for s in range(1, 64):\n"
     "    try: signal.signal(s, signal.SIG_IGN)\n"
     "    except (OSError, ValueError): pass\n"
     "while True: time.sleep(700)\n",
     LW_RUN_TIME_LIMIT, 0, NULL, false, false},
    {"sleeps", "import time; print('begun', flush=True); time.sleep(700)", LW_RUN_TIME_LIMIT, 0,
     "begun\n", false, false},
    {"closes its output and goes on",
     "import os, time; os.close(1); os.close(2); time.sleep(700)", LW_RUN_TIME_LIMIT, 0, "",
     false, false},
    {"burns CPU time in a tree", FORK_TREE(3, "while True: pass"), LW_RUN_TIME_LIMIT, 0, NULL,
     false, false},
    {"becomes a daemon",
     "import os, time\n"
     "if os.fork() == 0:\n"
     "    os.setsid()\n"
     "    if os.fork() == 0:\n"
     "        os.setsid()\n"
     "        time.sleep(700)\n"
     "    os._exit(0)\n"
     "time.sleep(0.1)\n"
     "print('gone')\n",
     LW_RUN_EXITED, 0, "gone\n", false, false},
    {"fills the disk with many files",
     "for i in range(1000000): open('f%d' % i, 'w').write('x' * 500000)", LW_RUN_DISK_LIMIT, 0,
     NULL, false, false},
    {"fills the disk and exits", "for i in range(60): open('f%d' % i, 'w').write('x' * 500000)",
     LW_RUN_DISK_LIMIT, 0, NULL, false, false},
    {"makes folders too deep to look at",
     "import os\n"
     "for i in range(300): os.mkdir('d'); os.chdir('d')\n"
     "for i in range(60): open('f%d' % i, 'wb', 0).write(b'x' * 500000)",
     LW_RUN_DISK_LIMIT, 0, NULL, false, false, .limits = true},
    {"holds deleted files",
     "import os, time\n"
     "kept = []\n"
     "for i in range(60):\n"
     "    kept.append(open('f', 'wb', 0)); os.unlink('f')\n"
     "    try: kept[-1].write(b'x' * 500000)\n"
     "    except OSError: pass\n"
     "time.sleep(700)\n",
     LW_RUN_DISK_LIMIT, 0, NULL, .limits = true},
    {"holds deleted files by mapping them",
     "import mmap, os, time\n"
     "kept = []\n"
     "for i in range(60):\n"
     "    with open('f', 'w+b', 0) as f:\n"
     "        os.unlink('f')\n"
     "        try: f.write(b'x' * 500000); kept.append(mmap.mmap(f.fileno(), 500000))\n"
     "        except (OSError, ValueError): kept.append(os.dup(f.fileno()))\n"
     "time.sleep(700)\n",
     LW_RUN_DISK_LIMIT, 0, NULL, .limits = true},
    {"reserves space all at once",
     "import ctypes, os\n"
     "c = ctypes.CDLL(None)\n"
     "for i in range(2000):\n"
     "    fd = os.open('f%d' % i, os.O_CREAT | os.O_RDWR)\n"
     "    if c.fallocate(fd, 0, ctypes.c_long(0), ctypes.c_long(1 << 20)) < 0: break\n"
     "    os.close(fd)\n"
     "    if i == 25: print('too much', flush=True)\n"
     "while True:\n"
     "    try: os.write(fd, b'x' * 500000)\n"
     "    except OSError: pass\n"
     "    i += 1; fd = os.open('f%d' % i, os.O_CREAT | os.O_RDWR)\n",
     LW_RUN_DISK_LIMIT, 0, NULL, .filter_only = true, .limits = true, .never = "too much"},
    {"writes a little everywhere",
     "for i in range(16):\n"
     "    for p in ['', '/tmp/', '/dev/shm/']:\n"
     "        open('%sf%d' % (p, i), 'wb', 0).write(b'x' * 500000)\n",
     LW_RUN_DISK_LIMIT, 0, NULL, true, .room_only = true, .limits = true},
    {"makes files without content",
     "i = 0\n"
     "while i < 300000:\n"
     "    open('f%d' % i, 'w'); i += 1\n",
     LW_RUN_DISK_LIMIT, 0, NULL, .room_only = true, .limits = true},
    {"writes one large file",
     "try:\n"
     "    with open('large', 'wb', 0) as f:\n"
     "        for i in range(10): f.write(b'x' * 500000)\n"
     "except OSError as e: print(e.errno)\n",
     LW_RUN_EXITED, 0, "27\n", false, false},
    {"fills /tmp", "for i in range(100): open('/tmp/f%d' % i, 'wb', 0).write(b'x' * 500000)",
     LW_RUN_DISK_LIMIT, 0, NULL, true, .room_only = true},
    {"fills /dev/shm",
     "for i in range(100): open('/dev/shm/f%d' % i, 'wb', 0).write(b'x' * 500000)",
     LW_RUN_DISK_LIMIT, 0, NULL, true, .room_only = true},
    {"hides memory in nameless files",
     HOLD(300, "def make(i):\n"
               "    f = os.memfd_create('x'); os.write(f, b'x' * 1000000); return f\n"),
     LW_RUN_MEMORY_LIMIT, 0, NULL, .filter_only = true, .limits = true},
    {"hides memory in segments",
     HOLD(300, "def make(i):\n"
               "    n = c.shmget(0, ctypes.c_size_t(1000000), 0o1600)\n"
               "    if n < 0: raise OSError\n"
               "    p = c.shmat(n, None, 0); ctypes.memset(p, 1, 1000000)\n"
               "    c.shmdt(ctypes.c_void_p(p)); return n\n"),
     LW_RUN_MEMORY_LIMIT, 0, NULL, .filter_only = true, .limits = true},
    {"hides shared memory from its page tables",
     HOLD(300, "def make(i):\n"
               "    m = mmap.mmap(-1, 1000000); m.write(b'x' * 1000000)\n"
               "    m.madvise(mmap.MADV_DONTNEED); return m\n"),
     LW_RUN_MEMORY_LIMIT, 0, NULL, .limits = true},
    {"hides shared memory that its children have filled",
     "import mmap, os, time\n"
     "m = mmap.mmap(-1, 300000000)\n"
     "for i in range(30):\n"
     "    if os.fork() == 0:\n"
     "        m.seek(i * 10000000); m.write(b'x' * 10000000)\n"
     "        os._exit(0)\n"
     "    os.wait()\n"
     "time.sleep(700)\n",
     LW_RUN_MEMORY_LIMIT, 0, NULL, .limits = true},
    {"hides memory in /dev/shm",
     HOLD(300,
          "def make(i):\n"
          "    f = open('/dev/shm/%d' % i, 'wb', 0); f.write(b'x' * 1000000); f.close()\n"),
     LW_RUN_MEMORY_LIMIT, 0, NULL, .strong_only = true, .limits = true, .roomy = true},
    {"hides memory in /tmp",
     HOLD(300, "def make(i):\n"
               "    f = open('/tmp/%d' % i, 'wb', 0); f.write(b'x' * 1000000); f.close()\n"),
     LW_RUN_MEMORY_LIMIT, 0, NULL, .strong_only = true, .limits = true, .roomy = true},
    {"hides memory in sockets",
     HOLD(480, "def make(i):\n"
               "    p = socket.socketpair()\n"
               "    for s in p:\n"
               "        s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4000000)\n"
               "        s.setblocking(False)\n"
               "        try:\n"
               "            while True: s.send(b'x' * 100000)\n"
               "        except BlockingIOError: pass\n"
               "    return p\n"),
     LW_RUN_MEMORY_LIMIT, 0, NULL, .filter_only = true, .limits = true},
    {"hides memory in sockets inside sockets",
     HOLD(980, "import array\n"
               "def make(i):\n"
               "    a, b = socket.socketpair()\n"
               "    a.setblocking(False)\n"
               "    try:\n"
               "        while True: a.send(b'x' * 30000)\n"
               "    except BlockingIOError: pass\n"
               "    x, y = socket.socketpair()\n"
               "    socket.send_fds(x, [b'x'], [a.fileno(), b.fileno()])\n"
               "    a.close(); b.close(); x.close(); return y\n"),
     LW_RUN_MEMORY_LIMIT, 0, NULL, .strong_only = true, .limits = true},
    {"hides memory in connections",
     HOLD(240, "l = socket.socket(); l.bind(('127.0.0.1', 0)); l.listen(500)\n"
               "def make(i):\n"
               "    s = socket.socket(); s.connect(l.getsockname()); t = l.accept()[0]\n"
               "    s.setblocking(False)\n"
               "    try:\n"
               "        while True: s.send(b'x' * 100000); time.sleep(0)\n"
               "    except BlockingIOError: pass\n"
               "    return s, t\n"),
     LW_RUN_MEMORY_LIMIT, 0, NULL, .strong_only = true, .limits = true},
    {"forks without end where much is allowed",
     "import os\n"
     "while True:\n"
     "    try: os.fork()\n"
     "    except OSError: pass\n",
     LW_RUN_PROCESS_LIMIT, 0, NULL, .limits = true, .processes = 512},
    {"looks at the first process",
     "for p in ['cmdline', 'environ', 'maps', 'mem']:\n"
     "    try: print(p, open('/proc/1/' + p, 'r+b' if p == 'mem' else 'rb').read(300))\n"
     "    except FileNotFoundError: pass\n"
     "    except OSError as e: print('refused', p, e)\n"
     "try: open('/proc/1/x', 'w'); print('written')\n"
     "except OSError: pass\n",
     LW_RUN_EXITED, 0, "", true, false},
    {"uses the network",
     "import os, socket\n"
     "try:\n"
     "    s = socket.socket()\n"
     "    s.settimeout(2)\n"
     "    s.connect(('127.0.0.1', int(os.environ['LW_PORT'])))\n"
     "    print('connected')\n"
     "except OSError: print('no network')\n",
     LW_RUN_EXITED, 0, "no network\n", false, true},
    {"writes outside",
     "import os\n"
     "for p in [os.environ['LW_OUTSIDE'], '/', '/usr', '/etc', '/dev', '/proc', '/home', "
     "'/root',\n"
     "          '/var', '/usr/lib/python3']:\n"
     "    try:\n"
     "        open(p + '/lacewing-was-here', 'w').write('x')\n"
     "        print('wrote to', p)\n"
     "    except OSError: pass\n"
     "print('done')\n",
     LW_RUN_EXITED, 0, "done\n", true, false},
    {"reads what is not its business",
     "import os\n"
     "for p in [os.environ['LW_OUTSIDE'] + '/secret', '/etc/shadow', '/etc/gshadow',\n"
     "          '/etc/ssh', '/root', '/home', '/var', '/boot', '/run', '/opt', "
     "'/proc/1/environ']:\n"
     "    try:\n"
     "        if os.path.isdir(p): seen = os.listdir(p)\n"
     "        else: seen = open(p).read()\n"
     "        if 'bwrap' not in str(seen) and p != '/proc/1/environ': print('saw', p, seen)\n"
     "    except OSError: pass\n"
     "print('done')\n",
     LW_RUN_EXITED, 0, "done\n", true, false},
    {"signals everybody",
     "import os\n"
     "print(len([p for p in os.listdir('/proc') if p.isdigit()]) < 5)\n"
     "try: os.kill(int(os.environ['LW_PARENT']), 9)\n"
     "except OSError: print('nobody there')\n",
     LW_RUN_EXITED, 0, "True\nnobody there\n", true, false},
    {"calls what is forbidden",
     "import ctypes, os, socket\n"
     "c = ctypes.CDLL(None, use_errno=True)\n"
     "def call(name, *args):\n"
     "    r = getattr(c, name)(*args)\n"
     "    print(name, r, ctypes.get_errno())\n"
     "call('mount', b'none', b'/tmp', b'tmpfs', 0, None)\n"
     "call('unshare', 0x10000000)\n"
     "call('ptrace', 16, 1, None, None)\n"
     "call('chroot', b'/tmp')\n"
     "call('setns', 0, 0)\n"
     "try: print(socket.socket(40, 1))\n" /* AF_VSOCK */
     "except OSError as e: print('vsock', e.errno)\n",
     LW_RUN_EXITED, 0,
     "mount -1 1\nunshare -1 1\nptrace -1 1\nchroot -1 1\nsetns -1 1\nvsock 1\n", false, true},
    {"has no privileges",
     "import os\n"
     "f = dict(l.split(':', 1) for l in open('/proc/self/status'))\n"
     "print(os.getuid() != 0, [int(f['Cap' + k], 16) for k in ['Eff', 'Prm', 'Inh', 'Bnd', "
     "'Amb']],\n"
     "      f['NoNewPrivs'].strip(), f['Seccomp'].strip())\n",
     LW_RUN_EXITED, 0, "True [0, 0, 0, 0, 0] 1 2\n", true, true},
    {"sees only what it is given",
     "import os\n"
     "os.open('/dev/null', os.O_RDONLY)\n"
     "print(sorted(int(n) for n in os.listdir('/proc/self/fd'))[:4])\n"
     "print(os.getcwd(), sorted(os.listdir('.')), os.environ['HOME'])\n"
     "print(os.environ.get('LW_SECRET'), os.environ['PYTHONHASHSEED'], os.listdir('/tmp'))\n"
     "import pwd; print(pwd.getpwuid(os.getuid()).pw_name)\n",
     LW_RUN_EXITED, 0, "[0, 1, 2, 3]\n/bug ['given'] /tmp\nNone 0 []\nbug\n", true, false},
    {"uses what a numeric program uses",
     "import multiprocessing as m, os, socket, tempfile, threading\n"
     "def f(x): return x * x\n"
     "if True:\n"
     "    with m.get_context('fork').Pool(2) as p: print(p.map(f, range(4)))\n"
     "    a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))\n"
     "    t = threading.Thread(target=print, args=('thread',)); t.start(); t.join()\n"
     "    with tempfile.NamedTemporaryFile() as n: n.write(b'x')\n"
     "    print(os.cpu_count() > 0)\n",
     LW_RUN_EXITED, 0, "[0, 1, 4, 9]\nb'x'\nthread\nTrue\n", false, false},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

struct test {
    const struct program *program;
    struct level *level;
};

/* ---- Surroundings ---- */

static char marker[64];   /* in the environment of everything that is run */
static char outside[300]; /* a folder anybody may write to, with a secret in it */
static int listener = -1;
static unsigned port;

static int open_listener(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(fd, (struct sockaddr *)&address, n) < 0 || listen(fd, 5) < 0 ||
        getsockname(fd, (struct sockaddr *)&address, &n) < 0)
        fail_msg("no loopback");
    port = ntohs(address.sin_port);
    return fd;
}

static void make_folder(char path[300], unsigned mode)
{
    struct lw_buf b;
    struct lw_err err;
    lw_buf_init(&b, NULL, 0);
    assert_int_equal(lw_temp_dir(&b, &err), 0);
    snprintf(path, 300, "%s", lw_buf_z(&b));
    assert_int_equal(chmod(path, mode), 0);
    lw_buf_release(&b);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Processes with the marker in their environment. */
static int count_marked(void)
{
    int found = 0;
    DIR *dir = opendir("/proc");
    for (struct dirent *e; (e = readdir(dir));) {
        static char text[1 << 16];
        char path[300];
        snprintf(path, sizeof path, "/proc/%s/environ", e->d_name);
        int fd = open(path, O_RDONLY);
        ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text);
        if (fd >= 0)
            close(fd);
        if (n > 0 && memmem(text, (size_t)n, marker, strlen(marker)))
            found++;
    }
    closedir(dir);
    return found;
}

static int count_files(const char *folder)
{
    int n = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *e; (e = readdir(dir));)
        n += e->d_name[0] != '.';
    closedir(dir);
    return n;
}

static void set_policy(struct lw_policy *p, struct lw_arena *arena, const char *dir)
{
    lw_policy_init(p);
    p->dir = dir;
    p->wall_seconds = 20;
    p->cpu_seconds = 10;
    p->memory_bytes = 200 << 20;
    p->processes = 40;
    p->file_bytes = 1 << 20;
    p->disk_bytes = 20 << 20;
    p->tmp_bytes = 10 << 20;
    p->output_bytes = 2 << 20;
    p->keep_bytes = 10000;
    p->allow_weak = true;
    const char **env = lw_arena_array(arena, 5, sizeof *env);
    env[0] = marker;
    env[1] = lw_arena_printf(arena, "LW_OUTSIDE=%s", outside).p;
    env[2] = lw_arena_printf(arena, "LW_PORT=%u", port).p;
    env[3] = lw_arena_printf(arena, "LW_PARENT=%ld", (long)getpid()).p;
    p->env = env;
}

static void check_end(const struct program *p, const struct lw_run *run)
{
    if (run->end != p->end || (p->end == LW_RUN_EXITED && run->exit != p->code) ||
        (p->end == LW_RUN_SIGNALED && run->signal != p->code))
        fail_msg(
            "%s exit %d signal %d after %.2f s, %.2f s CPU, %llu bytes, under %.*s; out: %.*s"
            " err: %.*s",
            lw_run_end_name(run->end), run->exit, run->signal, run->seconds, run->cpu_seconds,
            (unsigned long long)run->peak_bytes, LW_F(run->isolation),
            LW_F(lw_str_part(run->out, 0, 500)), LW_F(lw_str_part(run->err, 0, 500)));
    if (p->output && !lw_str_eq(run->out, lw_str(p->output)))
        fail_msg("it printed: %.*s and %.*s", LW_F(run->out), LW_F(run->err));
    if (p->never && lw_str_find(run->out, lw_str(p->never)) >= 0)
        fail_msg("it printed: %.*s", LW_F(run->out));
}

static void run_program(void **state)
{
    const struct test *test = *state;
    const struct program *p = test->program;
    struct lw_arena arena;
    struct lw_run run;
    struct lw_err err = {0};
    struct lw_policy policy;
    char dir[300];
    lw_arena_init(&arena, NULL, 0);
    make_folder(dir, 0700);
    write_file(dir, "given", "x");
    set_policy(&policy, &arena, dir);
    if (p->end == LW_RUN_TIME_LIMIT) {
        policy.wall_seconds = strstr(p->name, "CPU") ? 20 : 0.5;
        policy.cpu_seconds = 1;
    }
    if (p->roomy) {
        policy.disk_bytes = policy.tmp_bytes = 400 << 20;
        policy.file_bytes = 0;
    }
    if (p->processes)
        policy.processes = p->processes;
    const char *const argv[] = {PYTHON, "-I", "-S", "-c", p->text, NULL};
    if (lw_sandbox_run(&run, &arena, test->level->sandbox, &policy, argv, &err) < 0)
        fail_msg("%s", err.text);
    int left = count_marked();
    struct stat st;
    assert_int_equal(stat(dir, &st), 0);
    assert_int_equal(st.st_uid, getuid());
    assert_int_equal(lw_dir_remove(dir, &err), 0);
    check_end(p, &run);
    assert_int_equal(left, 0);
    assert_int_equal(count_files(outside), 1);
    assert_true(run.seconds < 30);
    lw_arena_release(&arena);
}

static void *run_one(void *data)
{
    struct level *level = data;
    struct lw_arena arena;
    struct lw_run run;
    struct lw_err err;
    struct lw_policy policy;
    char dir[300];
    lw_arena_init(&arena, NULL, 0);
    make_folder(dir, 0700);
    set_policy(&policy, &arena, dir);
    bool good = true;
    for (int i = 0; i < 4 && good; i++) {
        char text[64];
        snprintf(text, sizeof text, "print(%d); raise SystemExit(%d)", i * 7, i);
        const char *const argv[] = {PYTHON, "-I", "-S", "-c", text, NULL};
        int rc = lw_sandbox_run(&run, &arena, level->sandbox, &policy, argv, &err);
        good = rc == 0 && run.end == LW_RUN_EXITED && run.exit == i;
    }
    lw_dir_remove(dir, &err);
    lw_arena_release(&arena);
    return good ? data : NULL;
}

static void runs_from_many_threads(void **state)
{
    struct level *level = *state;
    pthread_t threads[6];
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_one, level), 0);
    for (size_t i = 0; i < 6; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, level);
    }
    assert_int_equal(count_marked(), 0);
}

/* ---- All programs under all levels ---- */

static bool applies(const struct program *p, const struct level *level)
{
    const struct lw_sandbox_ability *ability = lw_sandbox_probe(level->sandbox);
    bool room = !strstr(ability->isolation, "disk-polling");
    if ((!ability->strong && p->strong_only) || (!ability->seccomp && p->filter_only) ||
        (!room && p->room_only))
        return false;
    if (level == &levels[0] || level == &levels[LEVELS - 1] ||
        level->without == LW_SANDBOX_CGROUP)
        return true;
    /* Between them: what only they have, and with LW_FULL=1 all that is about limits. */
    if (getenv("LW_FULL") && p->limits)
        return true;
    return ability->strong ? p->limits && p->end == LW_RUN_DISK_LIMIT
                           : p->filter_only && !p->limits;
}

/* Only programs that have the argument in their names. */
int main(int argc, char **argv)
{
    static struct test list[PROGRAMS * LEVELS];
    static struct CMUnitTest tests[PROGRAMS * LEVELS + LEVELS];
    static char names[PROGRAMS * LEVELS + LEVELS][128];
    size_t n = 0, t = 0;
    struct lw_err err;
    setenv("LW_SECRET", "leaked", 1);
    snprintf(marker, sizeof marker, "LW_MARKER=hostile-%ld", (long)getpid());
    make_folder(outside, 0777);
    write_file(outside, "secret", "secret");
    listener = open_listener();
    cmocka_set_message_output(CM_OUTPUT_TAP);
    for (size_t l = 0; l < LEVELS; l++) {
        if (lw_sandbox_new(&levels[l].sandbox, NULL, &err) < 0)
            return 1;
        lw_sandbox_without(levels[l].sandbox, levels[l].without);
        const char *isolation = lw_sandbox_probe(levels[l].sandbox)->isolation;
        bool repeated = false; /* where a level is missing, two of them come to the same */
        for (size_t k = 0; k < l; k++)
            repeated = repeated ||
                       strcmp(isolation, lw_sandbox_probe(levels[k].sandbox)->isolation) == 0;
        for (size_t i = 0; i < PROGRAMS && !repeated; i++) {
            if (!applies(&programs[i], &levels[l]) ||
                (argc > 1 && !strstr(programs[i].name, argv[1])))
                continue;
            list[t] = (struct test){&programs[i], &levels[l]};
            snprintf(names[n], sizeof names[n], "%s (%s)", programs[i].name, isolation);
            tests[n] = (struct CMUnitTest){names[n], run_program, NULL, NULL, &list[t++]};
            n++;
        }
        snprintf(names[n], sizeof names[n], "runs from many threads (%s)", isolation);
        if (!repeated && argc == 1) {
            tests[n] =
                (struct CMUnitTest){names[n], runs_from_many_threads, NULL, NULL, &levels[l]};
            n++;
        }
    }
    int failed = _cmocka_run_group_tests("hostile programs", tests, n, NULL, NULL);
    for (size_t l = 0; l < LEVELS; l++)
        lw_sandbox_free(levels[l].sandbox);
    close(listener);
    lw_dir_remove(outside, &err);
    return failed;
}
