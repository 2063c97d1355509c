import sys

import main

values = [float(main.fit(seed)[-1]) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric loss {seed} {value!r}")
if not all(value <= 2.0 for value in values):
    print(f"FAIL: median squared error of the last epoch is {max(values):.4g}, wanted at most 2.0")
    sys.exit(1)
print(f"PASS: median squared error of the last epoch is {max(values):.4g}")
