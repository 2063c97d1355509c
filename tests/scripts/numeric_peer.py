"""What the numeric tests share: the driver, TAP lines, comparisons."""
import math
import os
import subprocess
import sys

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build")
DRIVER = os.path.join(BUILD, "tests", "numeric", "numeric_driver")
DATA = os.environ.get("LW_SHARED_DATA") or os.path.join(SOURCE, "..", "shared", "data")


class DriverError(Exception):
    pass


class Driver:
    """One driver process; call(name, args…) returns its numbers."""

    def __init__(self):
        self.process = subprocess.Popen([DRIVER], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    @staticmethod
    def word(a):
        if isinstance(a, str):
            return a
        if hasattr(a, "__len__"):
            return "[" + ",".join(repr(float(x)) for x in a) + "]"
        return repr(float(a))

    def text(self, name, *args):
        self.process.stdin.write(" ".join([name] + [self.word(a) for a in args]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("Bail out! the driver ended at: " + name)
        if line.startswith("error "):
            raise DriverError(line.strip())
        return line.strip()

    def call(self, name, *args):
        return [float(x) for x in self.text(name, *args).split()]


def raw_file(folder, name, array):
    """Writes an array as raw doubles and returns the driver's name for it."""
    import numpy
    path = os.path.join(folder, name)
    numpy.ascontiguousarray(array, dtype=numpy.float64).tofile(path)
    return "file:" + path


def far(a, b, rel, absolute=0.0):
    """How far beyond the tolerance a is from b; 0 when it is within."""
    if math.isnan(a) or math.isnan(b):
        return 0.0 if math.isnan(a) and math.isnan(b) else math.inf
    if a == b:
        return 0.0
    if math.isinf(a) or math.isinf(b):
        return math.inf
    if abs(a - b) <= absolute:
        return 0.0
    ratio = abs(a - b) / max(abs(a), abs(b))
    return 0.0 if ratio <= rel else ratio


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def line(self, good, name, why=""):
        self.count += 1
        self.failed += not good
        print(("ok" if good else "not ok") + f" {self.count} - {name}")
        if not good:
            print("\n".join("# " + part for part in str(why).split("\n")))
        sys.stdout.flush()

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {reason}")

    def close(self, name, ours, theirs, rel=1e-10, absolute=0.0, where=None):
        """Compares two lists number by number."""
        bad = []
        if len(ours) != len(theirs):
            return self.line(False, name, f"{len(ours)} numbers, expected {len(theirs)}")
        for i, (a, b) in enumerate(zip(ours, theirs)):
            gap = far(float(a), float(b), rel, absolute)
            if gap:
                bad.append(f"{where[i] if where else i}: {a!r} expected {b!r} ({gap:.2g})")
        self.line(not bad, name, f"{len(bad)} of {len(ours)} differ\n" + "\n".join(bad[:8]))

    def refuses(self, name, driver, *args):
        """The command must answer with an error line, not with a number."""
        try:
            got = driver.text(*args)
        except DriverError:
            return self.line(True, name)
        self.line(False, name, "expected a refusal, got " + got[:200])

    def end(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)


def need(*modules):
    """Imports the modules, or prints a skipping TAP and ends."""
    import importlib
    try:
        return [importlib.import_module(m) for m in modules]
    except ImportError as gone:
        print(f"1..0 # SKIP {gone.name or gone} is not installed")
        sys.exit(0)
