import sys

import main

values = [main.train(seed) for seed in range(5)]
for seed, value in enumerate(values):
    print("metric accuracy %d %r" % (seed, value))
if not all(value >= 0.9 for value in values):
    print("FAIL: lowest accuracy is %.3f, wanted at least 0.9" % min(values))
    sys.exit(1)
print("PASS: lowest accuracy is %.3f" % min(values))
