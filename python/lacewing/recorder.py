"""What every framework's recorder shares: the file, the steps, and how much of them is recorded.

A step ends with an update of the parameters. The first steps are always recorded in full, later
ones every `every` steps; without a number of its own, `every` follows the time that recording
took, so that it stays within `budget` of the time of the run.
"""
import atexit
import json
import os
import platform
import sys
import time

FIRST = 5  # steps that are always recorded
SAMPLE = 8192  # values of a large tensor that are looked at
FLUSH_SECONDS = 1.0


def settings():
    """What `lacewing watch` asks for, from the environment."""
    return {"path": os.environ.get("LACEWING_TRACE") or "run.lwt",
            "every": int(os.environ.get("LACEWING_EVERY") or 0),
            "budget": float(os.environ.get("LACEWING_BUDGET") or 3) / 100}


def place(depth=1, outside=()):
    """File and line of the innermost caller that is the program's own; the standard library,
    installed packages and this one are not."""
    frame = sys._getframe(depth + 1)
    while frame is not None:
        path = frame.f_code.co_filename
        if not _is_library(path):
            return path, frame.f_lineno
        frame = frame.f_back
    return "", 0


_known = {}
_HERE = os.path.dirname(os.path.abspath(__file__))


def _is_library(path):
    known = _known.get(path)
    if known is None:
        whole = os.path.abspath(path)
        known = _known[path] = (path.startswith("<") or "site-packages" in whole or "dist-packages" in whole
                                or whole.startswith((_HERE, os.path.dirname(os.__file__))))
    return known


class Recorder:
    """One process's recording. The file is made when the first number comes."""

    def __init__(self, path, every=0, budget=0.03):
        self.wanted_path, self.every, self.budget = path, every, budget
        self.trace = None
        self.step = 0
        self.recording = True  # this step is recorded in full
        self.gap = every or 1
        self.begun = self.flushed = time.perf_counter()
        self.spent = 0.0
        self.owner = os.getpid()
        self.facts = {}
        self.ended = False
        atexit.register(self.close)

    def ready(self):
        """Is there a file to write to?"""
        if self.trace is None and not self.ended and os.getpid() == self.owner:
            self._open()
        return self.trace is not None and os.getpid() == self.owner

    def _open(self):
        from lacewing.native import Trace
        root, ending = os.path.splitext(self.wanted_path)
        rank = os.environ.get("RANK") or os.environ.get("OMPI_COMM_WORLD_RANK")
        names = [self.wanted_path] if not rank or rank == "0" else []
        names += [f"{root}.rank{rank}{ending}"] if rank else []
        for name in names + [f"{root}.{os.getpid()}{ending}"]:
            try:
                self.trace = Trace(name)
                break
            except OSError:
                continue
        else:
            self.ended = True
            return
        self.fact("program", sys.argv)
        self.fact("python", platform.python_version())
        self.fact("started", time.time())
        self.fact("environment", {k: os.environ[k] for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "OMP_NUM_THREADS",
                                                             "CUDA_VISIBLE_DEVICES") if k in os.environ})
        for key, value in self.facts.items():
            self.fact(key, value)

    def now(self):
        return time.perf_counter() - self.begun

    def fact(self, key, value):
        """Something about the run as a whole; the last value of a key holds."""
        if self.trace is None:
            self.facts[key] = value
        else:
            self.trace.meta(json.dumps({key: value}, default=str))

    def point(self, role, name, value):
        if self.ready():
            self.trace.point(self.trace.id(role, name), self.step, self.now(), float(value))

    def event(self, name, subject=0, value=0.0):
        if self.ready():
            self.trace.event(self.trace.id("event", name), self.step, subject, float(value))

    def end_step(self):
        """The parameters have been updated: decides about the next step."""
        self.step += 1
        now = time.perf_counter()
        if self.trace is not None and now - self.flushed > FLUSH_SECONDS:
            self.flushed = now
            if not self.trace.flush():
                self.close()
        if not self.every and self.step % 16 == 0:
            self._adapt(now)
        self.recording = self.step < FIRST or self.step % self.gap == 0

    def _adapt(self, now):
        share = self.spent / max(now - self.begun, 1e-9)
        if share > self.budget:
            self.gap = min(self.gap * 2, 1 << 16)
        elif share < self.budget / 4 and self.gap > 1:
            self.gap //= 2

    def close(self):
        trace, self.trace, self.ended = self.trace, None, True
        self.recording = False
        if trace is not None and os.getpid() == self.owner:
            trace.meta(json.dumps({"steps": self.step, "seconds": self.now(), "recording_seconds": self.spent,
                                   "closed": True}))
            trace.close()
