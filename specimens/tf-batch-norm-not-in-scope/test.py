import sys

import numpy as np

import main

values = []
for seed in range(5):
    model = main.Classifier(seed).train()
    cycles, kind = main.make_cycles(100, np.random.RandomState(100 + seed))
    together = model.score(cycles)
    alone = np.concatenate([model.score(cycles[i:i + 1]) for i in range(20)])
    values.append(float(np.abs(together[:20] - alone).max()))
    accuracy = (together.argmax(axis=1) == kind).mean()
    if accuracy < 0.8:
        print("FAIL: accuracy %.3f" % accuracy)
        sys.exit(1)
for seed, value in enumerate(values):
    print("metric dependence %d %r" % (seed, value))
if not all(value <= 1e-4 for value in values):
    print("FAIL: scores change by up to %.3f with the other samples of the batch" % max(values))
    sys.exit(1)
print("PASS: the scores of a sample do not depend on the others")
