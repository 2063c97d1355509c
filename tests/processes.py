"""Which processes were started by a test: shared by the runner and by tests of what is killed."""
import os
import time

KERNEL_THREAD = 0x00200000  # PF_KTHREAD among the flags in /proc/PID/stat


def _read(pid, name):
    """Nothing of a process that is gone; None of one that is not ours to read."""
    try:
        with open(f"/proc/{pid}/{name}", "rb") as f:
            return f.read()
    except PermissionError:
        return None
    except OSError:
        return b""


def _starts(pid):
    """Whether a process without an environment is only on its way to one: until exec has set up
    the stack, its end is 0. Zombies, kernel threads and what has gone never get one."""
    fields = (_read(pid, "stat") or b"").rpartition(b")")[2].split()
    return len(fields) > 48 and fields[48] == b"0" and fields[0] not in (b"Z", b"X") and \
        not int(fields[6]) & KERNEL_THREAD


def environment(pid):
    deadline = time.monotonic() + 1
    while (found := _read(pid, "environ")) == b"" and _starts(pid) and time.monotonic() < deadline:
        time.sleep(0.002)
    return found or b""


def matching(wanted):
    """The processes but this one for which wanted(environment, command line) holds."""
    return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
            if pid != os.getpid() and wanted(environment(pid), _read(pid, "cmdline") or b"")]
