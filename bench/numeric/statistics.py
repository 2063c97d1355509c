#!/usr/bin/python3
"""Rank and normality tests against SciPy, Apriori against pure Python, moments against a sum."""
import itertools
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from peers import best, report, skip
from numeric_peer import Driver, raw_file

driver = Driver()

# The streaming pass (moments, extremes, zeros) against a loop that only adds, 128 MiB each.
plain, ours, _ = driver.call("bandwidth", 16 << 20, 9)
report("streaming-moments", ours / 1e9, plain / 1e9, "plain-sum", 0.7, "GB/s")

try:
    import numpy as np
    import scipy.stats
except ImportError:
    skip(("mann-whitney", "shapiro", "apriori"), "python3-scipy")
    sys.exit(0)

folder = tempfile.TemporaryDirectory()
rng = np.random.default_rng(3)
a, b = rng.normal(size=10000), rng.normal(0.02, 1, size=10000)
fa, fb = raw_file(folder.name, "a", a), raw_file(folder.name, "b", b)
ours, p = driver.call("time", "mann-whitney", 30, fa, fb)
peer = best(20, lambda: scipy.stats.mannwhitneyu(a, b))
assert abs(p - scipy.stats.mannwhitneyu(a, b).pvalue) < 1e-9
report("mann-whitney", ours, peer, "scipy", 2)
ours, p = driver.call("time", "shapiro", 30, fa, fb)
import warnings
warnings.simplefilter("ignore")
peer = best(20, lambda: scipy.stats.shapiro(a))
report("shapiro", ours, peer, "scipy", 2)


def python_apriori(baskets, least):
    """Level by level on sets of transaction numbers (intersection in C), with pruning."""
    where = {}
    for t, basket in enumerate(baskets):
        for i in basket:
            where.setdefault((i,), set()).add(t)
    level = {k: v for k, v in where.items() if len(v) >= least}
    count = len(level)
    while level:
        keys = sorted(level)
        known = set(keys)
        after = {}
        for _, group in itertools.groupby(keys, key=lambda k: k[:-1]):
            group = list(group)
            for x, y in itertools.combinations(group, 2):
                both = x + y[-1:]
                if all(both[:i] + both[i + 1:] in known for i in range(len(both) - 2)):
                    hits = level[x] & level[y]
                    if len(hits) >= least:
                        after[both] = hits
        count += len(after)
        level = after
    return count


baskets = [sorted(set((rng.zipf(1.25, 20) - 1) % 3000)) for _ in range(20000)]
start = np.concatenate([[0], np.cumsum([len(b) for b in baskets])])
item = [i for b in baskets for i in b]
args = (raw_file(folder.name, "s", start), raw_file(folder.name, "i", item), 3000, 0.01, 0, 1)
ours = min(driver.call("assoc", "apriori", *args)[0] for _ in range(3))
found = driver.call("assoc", "apriori", *args)[1]
counts = []
peer = best(1, lambda: counts.append(python_apriori(baskets, 200)))
assert counts[0] == found, (counts, found)
report("apriori", ours, peer, "pure-python", 50)
