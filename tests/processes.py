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


def _has_one(pid):
    """Whether a process of which no environment could be read has one, or is about to get it. The
    file is of the program that ran when it was opened: nothing is read of one that exec replaced
    meanwhile, or that exec has not yet given a stack (then its end is 0). Zombies, kernel threads and
    what has gone have none."""
    fields = (_read(pid, "stat") or b"").rpartition(b")")[2].split()
    if len(fields) <= 48 or fields[0] in (b"Z", b"X") or int(fields[6]) & KERNEL_THREAD:
        return False
    start, end = int(fields[47]), int(fields[48])
    return end == 0 or end > start


def environment(pid):
    deadline = time.monotonic() + 1
    while (found := _read(pid, "environ")) == b"" and _has_one(pid) and time.monotonic() < deadline:
        time.sleep(0.002)
    return found or b""


def matching(wanted):
    """The processes but this one for which wanted(environment, command line) holds."""
    return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
            if pid != os.getpid() and wanted(environment(pid), _read(pid, "cmdline") or b"")]
