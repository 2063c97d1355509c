import sys

import numpy as np

import main

model, sizes = main.cluster(seed=0)
centres = model.centres[np.lexsort(model.centres.T[::-1])]
wanted = np.array([[0.0, 0.0], [2.0, 3.0], [4.0, 0.0]])
if sizes.sum() != 300 or np.abs(centres - wanted).max() > 0.3:
    print(f"FAIL: centres {centres.round(2).tolist()}, sizes {sizes.tolist()}")
    sys.exit(1)
print(f"PASS: three clusters of sizes {sizes.tolist()}")
