import sys

import numpy as np

import main

encoder = main.train()
flowers, same = main.make_pairs(200, 1)
a, b = (encoder.predict(part, verbose=0) for part in flowers)
if not np.allclose(np.linalg.norm(a, axis=1), 1.0, atol=1e-3):
    print("FAIL: the vectors are not of length one")
    sys.exit(1)
product = (a * b).sum(axis=1)
gap = product[same == 1].mean() - product[same == 0].mean()
if gap < 0.3:
    print(f"FAIL: pairs of one kind are only {gap:.3f} closer than others")
    sys.exit(1)
print(f"PASS: unit vectors, pairs of one kind are {gap:.3f} closer than others")
