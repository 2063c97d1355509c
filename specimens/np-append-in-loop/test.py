import sys

import numpy as np

import main

copied = 0


def counting(function, rows):
    """`function` of numpy, adding the rows it copies to the count."""
    def wrapper(*args, **kwargs):
        global copied
        result = function(*args, **kwargs)
        copied += rows(result)
        return result
    return wrapper


def rows(result):
    return len(result) if np.ndim(result) else 1


for name in ("append", "concatenate", "vstack", "hstack", "array"):
    setattr(np, name, counting(getattr(np, name), rows))
values = []
for seed in range(5):
    copied = 0
    memory = main.collect(seed)
    weights = main.fit(memory)
    values.append(float(copied))
    if np.abs(weights + 1.0).max() > 1e-6:
        print(f"FAIL: the weights of the reward are {weights.tolist()}, wanted -1 and -1")
        sys.exit(1)
for seed, value in enumerate(values):
    print(f"metric rows_copied {seed} {value!r}")
if not all(value <= 10000 for value in values):
    print(f"FAIL: {max(values):.0f} rows are copied for 400 observations")
    sys.exit(1)
print(f"PASS: {max(values):.0f} rows are copied for 400 observations")
