import sys

import numpy as np

import main

model, seen = main.train(seed=0)
count = len(main.make_edges(60, np.random.default_rng(0)))
if seen != 30 * count:
    print(f"FAIL: {seen} edges seen in 30 epochs over {count}")
    sys.exit(1)
if not np.isfinite(model.vectors).all():
    print("FAIL: vectors are not finite")
    sys.exit(1)
print(f"PASS: all buckets are trained, {seen} edges seen")
