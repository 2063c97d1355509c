import sys

import numpy as np

import main

values = []
for seed in range(5):
    rng = np.random.default_rng(seed)
    pictures = main.augment(main.blobs(50, rng)[0], rng)
    back = main.read_cache(main.write_cache(pictures))
    bright = pictures > 0.3
    values.append(float(np.abs(back - pictures)[bright].mean()))
    if back.shape != pictures.shape:
        print(f"FAIL: the cache returns shape {back.shape}")
        sys.exit(1)
for seed, value in enumerate(values):
    print(f"metric pixel_error {seed} {value!r}")
if not all(value <= 0.01 for value in values):
    print(f"FAIL: bright pixels come back from the cache with an error of {max(values):.3f}")
    sys.exit(1)
print(f"PASS: pixels come back from the cache with an error of {max(values):.4f}")
