import sys

import main

values = [float(main.scale_error(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric relative_error {seed} {value!r}")
if not all(value <= 0.05 for value in values):
    print(f"FAIL: relative error of the deviation is {max(values):.4g}, wanted at most 0.05")
    sys.exit(1)
print(f"PASS: relative error of the deviation is {max(values):.4g}")
