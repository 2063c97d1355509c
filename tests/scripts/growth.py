"""Measures how the work of a command grows with its input.

A Meter runs a program and says how much processor time and memory it took. A Curve holds the
points (size, time, memory) of one command on one generator, each the best of its runs, and fits
exponents to them: work like n**e has e as its slope on logarithmic scales.

Noise of a busy machine only ever adds to processor time. So each point keeps the smallest value
seen, points that hardly rise above an empty program do not count, and what looks too steep is
measured again before it fails. What still looks steep is judged by the instructions that it takes
(valgrind counts them): a program that outgrows a cache gets slower without doing more work.
"""
import json
import math
import os
import re
import signal
import subprocess
import sys

LIMIT = 1.2           # the largest exponent that passes
CLEARLY = 1.6         # from here on noise is no excuse: it is not measured again
TIME_FLOOR = 0.015    # seconds above an empty program from which a point counts
COUNT_FLOOR = 20      # millions of instructions, likewise
MEMORY_FLOOR = 12288  # KB, likewise
LOOKS = 4             # times that a steep curve is measured before it fails
POINTS = 5            # sizes of a curve: four doublings

# The largest memory that the system reports for a child includes what the process had that
# started it. So a small process starts them, not the one that makes the programs.
STARTER = r"""
import json, os, resource, sys
for line in sys.stdin:
    argv, cwd, seconds = json.loads(line)
    pid = os.fork()
    if pid == 0:
        os.chdir(cwd)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1):
            os.dup2(null, fd)
        os.dup2(os.open("stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            os.execvp(argv[0], argv)
        finally:
            os._exit(127)
    _, status, used = os.wait4(pid, 0)
    print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss, os.waitstatus_to_exitcode(status)]), flush=True)
"""


class Failure(Exception):
    """The command did not do its work; the text says how it ended."""


class Meter:
    def __init__(self, folder):
        self.folder = folder
        self.starter = subprocess.Popen([sys.executable, "-S", "-E", "-c", STARTER], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, argv, seconds, codes=(0, 1, 2)):
        """(processor seconds, KB) of one run; (inf, 0) when `seconds` were not enough.

        2 says that the command refused the input, which is an answer, too.
        """
        self.starter.stdin.write(json.dumps([argv, self.folder, math.ceil(seconds)]) + "\n")
        self.starter.stdin.flush()
        time, memory, code = json.loads(self.starter.stdout.readline())
        if code in (-signal.SIGKILL, -signal.SIGXCPU):
            return math.inf, 0
        if code not in codes:
            with open(os.path.join(self.folder, "stderr"), errors="replace") as f:
                raise Failure(f"exit code {code}: {f.read(300).strip()}")
        return time, memory

    def instructions(self, argv):
        """Instructions of one run, in millions."""
        done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no",
                               "--cachegrind-out-file=/dev/null", *argv], cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        found = re.search(r"I +refs: +([\d,]+)", done.stderr)
        if not found:
            raise Failure(f"valgrind: exit code {done.returncode}: {done.stderr[-300:].strip()}")
        return int(found.group(1).replace(",", "")) / 1e6

    def close(self):
        self.starter.stdin.close()
        self.starter.wait()


def slope(points):
    """The exponent that fits (size, value) best, by least squares; 0 with fewer than three."""
    if len(points) < 3:
        return 0.0
    logs = [(math.log(n), math.log(v)) for n, v in points]
    x, y = (sum(column) / len(logs) for column in zip(*logs))
    return sum((a - x) * (b - y) for a, b in logs) / sum((a - x) ** 2 for a, _ in logs)


class Curve:
    """Points of one command on one generator. `start(n)` prepares size n and gives its argv."""

    def __init__(self, meter, start, base, runs=3):
        self.meter, self.start, self.base, self.runs = meter, start, base, runs
        self.best = {}  # size: [seconds, KB]
        self.counted = {}  # size: millions of instructions; empty as long as the clock tells enough
        self.least = 1  # smaller sizes do not count

    def measure(self, n, seconds, runs=None):
        argv = self.start(n)
        for _ in range(runs or self.runs):
            time, memory = self.meter.run(argv, seconds)
            if n in self.best:
                old = self.best[n]
                time, memory = min(time, old[0]), min(memory, old[1])
            self.best[n] = [time, memory]
            if time == math.inf:
                break
        return self.best[n][0] - self.base[0]

    def climb(self, n, target, largest, seconds):
        """Doubles n until a run takes `target` seconds, also when repeated, or `largest` is reached."""
        while True:
            time = self.measure(n, seconds, runs=1)
            if time >= target and time != math.inf:  # a busy machine makes a short run long
                time = self.measure(n, seconds, runs=2)
            if time >= target or 2 * n > largest:
                return n
            n *= 2

    def look(self, top, seconds):
        """Measures the sizes that end at `top` again."""
        for k in range(POINTS):
            n = top >> k
            if n >= 1 and self.best.get(n, [0])[0] != math.inf:
                self.measure(n, seconds)

    def look_until_sure(self, top, seconds):
        """Measures until the curve is not steep, clearly steep, or was looked at LOOKS times."""
        for _ in range(LOOKS):
            if self.time() == math.inf:
                return
            self.look(top, seconds)
            if not self.is_steep() or self.time() > CLEARLY:
                return
        self.count(top)

    def count(self, top):
        """Counts the instructions of the sizes that end at `top`, above those of the smallest."""
        counts = {n: self.meter.instructions(self.start(n)) for n in [1] + [top >> k for k in range(POINTS)] if n >= 1}
        self.counted = {n: count - counts[1] for n, count in counts.items() if n > 1}

    def above(self, column, floor):
        """The points that count, of the last four doublings."""
        last = [n for n in sorted(self.best) if n >= self.least][-POINTS:]
        values = [(n, self.best[n][column] - self.base[column]) for n in last]
        return [(n, v) for n, v in values if v > floor]

    def time(self):
        if any(t == math.inf for t, _ in self.best.values()):
            return math.inf
        return slope([(n, v) for n, v in self.counted.items() if v > COUNT_FLOOR] if self.counted
                     else self.above(0, TIME_FLOOR))

    def memory(self):
        return slope(self.above(1, MEMORY_FLOOR))

    def is_steep(self):
        return self.time() > LIMIT or self.memory() > LIMIT

    def verdict(self):
        """What the curve says, in one line."""
        shown = ", ".join(f"{n}: {t - self.base[0]:.3f} s {(m - self.base[1]) / 1024:.0f} MB"
                          for n, (t, m) in sorted(self.best.items())[-POINTS:])
        counted = "".join(f", {n}: {count:.0f} M" for n, count in sorted(self.counted.items()))
        return f"{'instructions' if counted else 'time'} n^{self.time():.2f}, memory n^{self.memory():.2f} ({shown}{counted})"
