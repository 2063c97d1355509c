import sys

import numpy as np

import main

before, after, weights = main.main()
if not after < 0.01 * before:
    print("FAIL: the loss went from %.4f to %.4f" % (before, after))
    sys.exit(1)
if np.abs(weights.ravel() - [1.0, -2.0, 0.5]).max() > 0.05:
    print("FAIL: weights are %s" % weights.ravel())
    sys.exit(1)
print("PASS: the loss went from %.4f to %.6f" % (before, after))
